import { NO_ITEM, failureOf } from '../run';
import { InputError, nameKey } from '../util';
import type { Attributes, GroupIds, User } from '../scim';
import { assignmentsOf, countPeople, type Access, type Assignment } from './access';
import type { LossBase } from './guards';
import { type AccessRules } from './planAccess';
import { planActive, type WantedUser } from './planUsers';
import { planRoles, type WantedRole } from './planRoles';
import type { Member, ProvisioningPlan, ProvisioningStep } from './step';

/** Somebody who is wanted, with everything that all rows want for that person. */
export type WantedPerson = {
	/** The first row that names the person. */
	item: number;
	/** Ids of the wanted groups, with the row that wants each. */
	hold: ReadonlyArray<{ groupId: string; item: number; row: string }>;
} & (
	| { kind: 'known'; person: Member & { id: string }; user?: User }
	| ({ kind: 'new' } & Pick<WantedUser, 'userName' | 'attributes' | 'warnings'>)
);

/** What is ours to manage, as it stands in a plan that is to be approved. */
export interface ScopeNames {
	/** Ids. */
	organizations: readonly string[];
	roles: readonly string[];
}

/** What is ours to manage. */
export interface Scope {
	/** Whether a group of this organization and role may be given to people and taken from them. */
	includes(groupId: string): boolean;
	/** Those against whom losses count. */
	people: LossBase;
}

export function scopeOf(names: ScopeNames, access: Access, ids: GroupIds): Scope {
	const [organizations, roles] = [new Set(names.organizations), new Set(names.roles)];
	const includes = (groupId: string) => {
		const parsed = ids.parse(groupId);
		return parsed !== undefined && organizations.has(parsed.organization) && roles.has(parsed.role);
	};
	const people = countPeople(access, includes);
	return { includes, people: { people, are: 'people with access in scope' } };
}

export interface ReconcileRules extends AccessRules {
	scope: Scope;
	/** What happens to access in scope that nobody wants. */
	unwanted: 'revoke' | 'keep' | 'report';
	/** Why nothing may be taken away, by organization; under '' for everywhere. */
	heldBack: ReadonlyMap<string, string>;
	reactivate: boolean;
	/** Whether people who end without any access are deactivated. */
	deactivatesEmpty: boolean;
	/** Why somebody is not deactivated all the same, if so. */
	whyKeptActive(id: string): string | undefined;
}

/** One line of the difference between what is wanted and what is there. */
export interface AccessChange {
	kind: 'create' | 'activate' | 'add' | 'move' | 'revoke' | 'deactivate' | 'unwanted';
	person: { id?: string; userName?: string };
	organization?: string;
	/** Role before and after; null for none. */
	before: string | null;
	after: string | null;
	reason: string;
	/** For unwanted access that is only to be reported. */
	reported?: boolean;
	/** For creates: what the new user is made with. */
	attributes?: Attributes;
}

/** A row of the wanted list that nothing can be done about, and why. */
export interface UnusableRow {
	row: string;
	reason: string;
}

/** The plan of a reconcile, and the same in words of access. */
export interface Reconciliation {
	plan: ProvisioningPlan;
	changes: AccessChange[];
	unusable: UnusableRow[];
}

/**
 * Plans what makes access as wanted within the scope: grants and moves for those who are wanted, and for everybody else
 * in scope what `unwanted` says. Linear in people and assignments.
 */
export function planReconcile(
	wanted: readonly WantedPerson[],
	rules: ReconcileRules,
): Reconciliation {
	const { access, ids } = rules;
	const roles: WantedRole[] = [];
	const changes: AccessChange[] = [];
	const wantedIds = new Set<string>();
	const leavers: Array<Member & { id: string }> = [];

	const settled: ProvisioningPlan['settled'] = [];
	const unusable: UnusableRow[] = [];

	const noteUnwanted = (
		item: number,
		person: Member & { id: string },
		surplus: string[],
		refused?: string,
	) => {
		const { dropsHeldBack } = heldBackFor(surplus, rules);
		const kept = rules.isProtected(person) ? 'the person is protected' : (refused ?? dropsHeldBack);
		const revoked = rules.unwanted === 'revoke' && kept === undefined;
		for (const groupId of surplus) {
			const parsed = ids.parse(groupId);
			const role = parsed?.role ?? groupId;
			changes.push({
				kind: revoked ? 'revoke' : 'unwanted',
				person: shown(person),
				...(parsed && { organization: parsed.organization }),
				before: role,
				after: revoked ? null : role,
				reason:
					kept ?? (item === NO_ITEM ? 'no row wants any access for the person' : 'no row wants it'),
				...(!revoked && kept === undefined && rules.unwanted === 'report' && { reported: true }),
			});
		}
	};
	/** The rows that may be followed; what the others would give or take is not ours to manage. */
	const ownRows = (want: WantedPerson, member: Member, held: readonly Assignment[]) =>
		want.hold.filter(({ groupId, item, row }) => {
			const others = otherRolesThere(groupId, held, rules);
			const isHeld = held.some(({ key }) => key === ids.key(groupId));
			const touched = [...(isHeld ? [] : [groupId]), ...others.map((other) => other.groupId)];
			const foreign = touched.find((id) => !rules.scope.includes(id));
			if (foreign === undefined) return true;
			const action = `make ${member.userName ?? member.key} ${rules.label(groupId)}`;
			const error = notOurs(member, groupId, foreign, rules);
			settled.push({ item, subject: member.key, outcome: failureOf(action, error) });
			unusable.push({ row, reason: error.message });
			return false;
		});
	const exists = ({ groupId }: { groupId: string }) => access.groups.has(ids.key(groupId));
	const noteMissing = (rows: WantedPerson['hold']) => {
		for (const { row, groupId } of rows) {
			if (exists({ groupId })) continue;
			unusable.push({ row, reason: `there is no ${rules.label(groupId)}` });
		}
	};

	const noteProtected = (person: Member, rows: WantedPerson['hold']) => {
		if (!rules.isProtected(person)) return;
		for (const { row } of rows) unusable.push({ row, reason: 'the person is protected' });
	};

	for (const want of wanted) {
		if (want.kind === 'new') {
			const person = { userName: want.userName };
			const member = { key: nameKey(want.userName), ...person };
			const own = ownRows(want, member, []);
			noteMissing(own);
			noteProtected(member, own);
			if (own.length === 0) continue;
			// Who is protected is refused by the plan, so nothing changes.
			if (!rules.isProtected(member)) {
				changes.push({
					kind: 'create',
					person,
					before: null,
					after: null,
					reason: 'nobody has this e-mail',
					attributes: want.attributes,
				});
				for (const { groupId } of own.filter(exists))
					changes.push(granted(person, groupId, undefined, rules));
			}
			for (const [item, hold] of byItem(own)) roles.push({ ...want, item, hold });
			continue;
		}
		const { person, user } = want;
		wantedIds.add(person.id);
		const held = assignmentsOf(access, person.id, ids);
		const own = ownRows(want, person, held);
		const inactive = user?.active === false && own.length > 0;
		const refused = inactive && !rules.reactivate;
		noteMissing(own);
		const unheld = own.filter(({ groupId }) => !held.some(({ key }) => key === ids.key(groupId)));
		noteProtected(person, unheld);
		if (refused)
			for (const { row } of own) unusable.push({ row, reason: 'the person is inactive' });
		// The summary and the changes promise nothing that the plan then refuses.
		if (!refused && !rules.isProtected(person)) {
			if (inactive) changes.push(activated(shown(person)));
			for (const { groupId } of own.filter(exists)) {
				const isHeld = held.some(({ key }) => key === ids.key(groupId));
				const others = otherRolesThere(groupId, held, rules);
				// A second role beside the wanted one is a move that was cut off: it is completed.
				for (const { role } of others) changes.push(granted(shown(person), groupId, role, rules));
				if (!isHeld && others.length === 0)
					changes.push(granted(shown(person), groupId, undefined, rules));
			}
		}
		const wantedKeys = new Set(want.hold.map(({ groupId }) => ids.key(groupId)));
		const wantedOrganizations = new Set(
			want.hold.map(({ groupId }) => ids.parse(groupId)?.organization),
		);
		const surplus = held
			.filter(
				({ key, organization, groupId }) =>
					!wantedKeys.has(key) &&
					rules.scope.includes(groupId) &&
					!(rules.profile.oneRolePerOrganization && wantedOrganizations.has(organization)),
			)
			.map(({ groupId }) => groupId);
		noteUnwanted(want.item, person, surplus, whyKept(refused, own.every(exists)));
		const drops = rules.unwanted === 'revoke' ? surplus : [];
		const rows = byItem(own);
		if (rows.size === 0 && drops.length > 0) rows.set(want.item, []);
		let first = true;
		for (const [item, hold] of rows) {
			roles.push({
				kind: 'known',
				item,
				person,
				hold,
				drop: first ? drops : [],
				incidental: true,
				...(first && heldBackFor(drops, rules)),
				...(user && { user }),
			});
			first = false;
		}
	}

	for (const [id, keys] of access.held) {
		if (wantedIds.has(id)) continue;
		const surplus = [...keys].flatMap((key) => {
			const groupId = access.groups.get(key)?.id;
			return groupId !== undefined && rules.scope.includes(groupId) ? [groupId] : [];
		});
		if (surplus.length === 0) continue;
		const userName = access.names.get(id);
		const person = { key: id, id, ...(userName !== undefined && { userName }) };
		noteUnwanted(NO_ITEM, person, surplus);
		if (rules.unwanted !== 'revoke') continue;
		const held = heldBackFor(surplus, rules);
		const endsEmpty = surplus.length === keys.size && held.dropsHeldBack === undefined;
		if (rules.deactivatesEmpty && endsEmpty && !rules.isProtected(person)) {
			const reason = rules.whyKeptActive(id);
			if (reason === undefined) {
				leavers.push(person);
				// Deactivation takes the memberships along where the service works like that.
				if (rules.profile.deactivationDropsMemberships) continue;
			} else {
				const action = `deactivate user ${userName ?? id}`;
				settled.push({
					item: NO_ITEM,
					subject: id,
					outcome: { status: 'skipped', action, reason },
				});
			}
		}
		roles.push({
			kind: 'known',
			item: NO_ITEM,
			person,
			hold: [],
			drop: surplus,
			incidental: true,
			...held,
		});
	}

	const granting = planRoles(roles, rules.reactivate, rules);
	const leaving = planActive(
		leavers.map((person) => ({
			item: NO_ITEM,
			label: person.userName ?? person.id,
			person,
			member: true,
			attributes: {},
			warnings: [],
		})),
		false,
		rules.profile,
	);
	for (const person of leavers) {
		changes.push({
			kind: 'deactivate',
			person: shown(person),
			before: null,
			after: null,
			reason: 'the person ends without any access',
		});
	}
	return {
		plan: {
			...granting,
			steps: [
				...deactivatedFirst(granting.steps, leavers),
				...unlessMoreAccess(leaving.steps, rules),
			],
			settled: [...settled, ...granting.settled, ...leaving.settled],
		},
		changes,
		unusable,
	};
}

/**
 * Whoever is deactivated loses the roles after that: people without any role are not looked at, so a run that is cut
 * off in between would otherwise leave them active for good.
 */
export function deactivatedFirst(
	steps: readonly ProvisioningStep[],
	leavers: ReadonlyArray<{ id?: string }>,
): ProvisioningStep[] {
	const leaving = new Set(leavers.map(({ id }) => id));
	return steps.map((step) => ({
		...step,
		parts: step.parts.map((part) =>
			leaving.has(part.subject)
				? {
						...part,
						needs: [
							...(part.needs ?? []),
							{ step: `set active ${part.subject}`, subject: part.subject },
						],
					}
				: part,
		),
	}));
}

/** Whoever is deactivated for having nothing else is looked at again where that was read some time ago. */
export function unlessMoreAccess(
	steps: readonly ProvisioningStep[],
	{ access, ids, label }: AccessRules,
): ProvisioningStep[] {
	return steps.map((step) => {
		if (step.kind !== 'setActive' || step.active) return step;
		const held = access.held.get(step.person.id);
		const includes = (groupId: string) => held?.has(ids.key(groupId)) === true;
		return { ...step, onlyWith: { readAt: access.readAt, includes, label } };
	});
}

/** The row wants a role that is not ours to manage, or a move would take one away. */
function notOurs(
	{ userName, key }: Member,
	wanted: string,
	foreign: string,
	{ label, ids }: AccessRules,
): InputError {
	const what =
		ids.key(wanted) === ids.key(foreign)
			? label(wanted)
			: `${userName ?? key} is ${label(foreign)}, which`;
	return new InputError(
		`${what} is not in scope`,
		'Name the organization under Organizations in Scope and the role under Roles in Scope, or leave the row out.',
	);
}

/** Why somebody keeps what no row wants, as far as the person's own rows decide it. */
function whyKept(inactive: boolean, canBeGiven: boolean): string | undefined {
	if (inactive) return 'the person is inactive, so the rows cannot be used';
	return canBeGiven ? undefined : 'what the person is to have instead cannot be given';
}

/** Other roles of the organization of a group, where a person has one role only and they would be replaced. */
function otherRolesThere(
	groupId: string,
	held: readonly Assignment[],
	{ ids, profile }: AccessRules,
): Assignment[] {
	const organization = ids.parse(groupId)?.organization;
	return held.filter(
		(other) =>
			profile.oneRolePerOrganization &&
			other.organization === organization &&
			other.key !== ids.key(groupId),
	);
}

function activated(person: AccessChange['person']): AccessChange {
	const reason = 'a row wants access for the person, who is inactive';
	return { kind: 'activate', person, before: null, after: null, reason };
}

function byItem(rows: ReadonlyArray<{ groupId: string; item: number }>): Map<number, string[]> {
	const items = new Map<number, string[]>();
	for (const { groupId, item } of rows) {
		const own = items.get(item);
		if (own === undefined) items.set(item, [groupId]);
		else own.push(groupId);
	}
	return items;
}

function granted(
	person: AccessChange['person'],
	groupId: string,
	before: string | undefined,
	{ ids }: AccessRules,
): AccessChange {
	const parsed = ids.parse(groupId);
	return {
		kind: before === undefined ? 'add' : 'move',
		person,
		...(parsed && { organization: parsed.organization }),
		before: before ?? null,
		after: parsed?.role ?? groupId,
		reason: 'a row wants it',
	};
}

function heldBackFor(
	drops: readonly string[],
	{ heldBack, ids }: ReconcileRules,
): { dropsHeldBack?: string } {
	const everywhere = heldBack.get('');
	const reasons = drops.flatMap(
		(groupId) => everywhere ?? heldBack.get(ids.parse(groupId)?.organization ?? '') ?? [],
	);
	return reasons.length === 0 ? {} : { dropsHeldBack: reasons[0] };
}

function shown({ id, userName }: Member): AccessChange['person'] {
	return { ...(id !== undefined && { id }), ...(userName !== undefined && { userName }) };
}

/** Rows of one person that want two roles in one organization. @throws InputError naming both rows */
export function noContradiction(
	rows: WantedPerson['hold'],
	who: string,
	ids: AccessRules['ids'],
): void {
	const byOrganization = new Map<string, WantedPerson['hold'][number]>();
	for (const row of rows) {
		const organization = ids.parse(row.groupId)?.organization ?? row.groupId;
		const other = byOrganization.get(organization);
		if (other !== undefined && ids.key(other.groupId) !== ids.key(row.groupId)) {
			throw new InputError(
				`Rows ${other.row} and ${row.row} want two roles for ${who} in ${organization}`,
				'A person has one role per organization. Decide for one of them.',
			);
		}
		byOrganization.set(organization, row);
	}
}
