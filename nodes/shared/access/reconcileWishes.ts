import { failureOf, NO_ITEM } from '../run';
import type { User } from '../scim';
import { InputError, nameKey } from '../util';
import { countPeople, membershipsOf, type Access, type Membership } from './access';
import type { LossBase } from './guards';
import { nameOf, type Member, type Settled } from './step';
import type { AccessRules, WantedUser, Wish } from './wish';

/** Somebody who is wanted, with everything that all rows want for that person. */
export type WantedPerson = {
	/** The first row that names the person. */
	item: number;
	/** Ids of the wanted groups, with the row that wants each. */
	hold: readonly WantedRow[];
} & (
	| { kind: 'known'; person: Member & { id: string }; user?: User }
	| ({ kind: 'new' } & Pick<WantedUser, 'userName' | 'attributes' | 'warnings'>)
);

interface WantedRow {
	groupId: string;
	item: number;
	/** What to call the row in messages. */
	row: string;
}

/** What is ours to manage. */
export interface Scope {
	/** Whether a group may be given to people and taken from them. */
	includes(groupId: string): boolean;
	/** Those against whom losses count. */
	people: LossBase;
}

export function scopeOf(access: Access, includes: (groupId: string) => boolean): Scope {
	const people = countPeople(access, includes);
	return { includes, people: { people, are: 'people with access in scope' } };
}

export interface ReconcileRules extends AccessRules {
	scope: Scope;
	/** What happens to access in scope that nobody wants. */
	unwanted: 'revoke' | 'keep' | 'report';
	/** Why nothing may be taken away, by place (`placeOf`); under '' for everywhere. */
	heldBack: ReadonlyMap<string, string>;
	/** Whether people from whom this run takes access are deactivated when they then have none. */
	deactivatesEmpty: boolean;
	/** Groups that are no access, such as one with everybody in it. */
	isIgnored(groupId: string): boolean;
	/** Why somebody is not deactivated all the same, if so. */
	whyKeptActive(id: string): string | undefined;
}

/** Access in scope that nobody wants, and that is only told of. */
export interface UnwantedAccess extends Membership {
	person: Member;
	reason: string;
}

export interface ReconcileWishes {
	wishes: Wish[];
	settled: Settled[];
	/** Only where it is to be reported. */
	unwanted: UnwantedAccess[];
}

/** Where removals are held back: the organization of a group, or the group where it stands for itself. */
export function heldBackPlace(
	{ access, ids }: Pick<AccessRules, 'access' | 'ids'>,
	groupId: string,
): string {
	return access.placeOf(groupId)?.organization ?? ids.key(groupId);
}

/**
 * What makes access as wanted within the scope: grants and moves for those who are wanted, and for everybody else in
 * scope what `unwanted` says. Linear in people and memberships.
 */
export function reconcileWishes(
	wanted: readonly WantedPerson[],
	rules: ReconcileRules,
): ReconcileWishes {
	const { access } = rules;
	const made: ReconcileWishes = { wishes: [], settled: [], unwanted: [] };
	const wantedIds = new Set<string>();
	for (const want of wanted) {
		const member: Member =
			want.kind === 'known'
				? want.person
				: { key: nameKey(want.userName), userName: want.userName };
		const held = want.kind === 'known' ? membershipsOf(access, want.person.id) : [];
		const own = ownRows(want, member, held, rules, made);
		if (want.kind === 'new') {
			const { kind: _, hold: __, ...newcomer } = want;
			for (const { item, groupId, row } of own) {
				made.wishes.push({
					...{ item, source: row, person: member, hold: [groupId], drop: [], why: ROW_WANTS_IT },
					newcomer: { ...newcomer, item },
				});
			}
			continue;
		}
		wantedIds.add(want.person.id);
		const surplus = surplusOf(want.hold, held, rules);
		const drop = unwantedOf(want.person, surplus, 'no row wants it', rules, made);
		const common = {
			person: want.person,
			unlisted: true,
			why: ROW_WANTS_IT,
			...(want.user && { user: want.user }),
		};
		for (const { item, row, groupId } of own) {
			made.wishes.push({ ...common, item, source: row, hold: [groupId], drop: [] });
		}
		if (drop.length === 0) continue;
		made.wishes.push({ ...common, item: want.item, hold: [], drop, ...heldBackFor(drop, rules) });
	}
	for (const id of access.held.keys()) {
		if (!wantedIds.has(id)) loseAll(id, rules, made);
	}
	return made;
}

const ROW_WANTS_IT = 'a row wants it';

/** Somebody in scope whom no row wants. */
function loseAll(id: string, rules: ReconcileRules, made: ReconcileWishes): void {
	const { access, scope } = rules;
	const held = membershipsOf(access, id);
	const surplus = held.filter(({ groupId }) => scope.includes(groupId));
	if (surplus.length === 0) return;
	const userName = access.names.get(id);
	const person = { key: id, id, ...(userName !== undefined && { userName }) };
	const why = 'no row wants any access for the person';
	const drop = unwantedOf(person, surplus, why, rules, made);
	if (rules.unwanted !== 'revoke') return;
	const backing = heldBackFor(drop, rules);
	const wish: Wish = { item: NO_ITEM, person, hold: [], drop, unlisted: true, why, ...backing };
	const others = held.filter(
		({ groupId }) => !scope.includes(groupId) && !rules.isIgnored(groupId),
	);
	const endsEmpty = others.length === 0 && backing.dropsHeldBack === undefined;
	if (!rules.deactivatesEmpty || !endsEmpty || rules.isProtected(person)) {
		made.wishes.push(wish);
		return;
	}
	const reason = rules.whyKeptActive(id);
	if (reason !== undefined) {
		made.wishes.push(wish);
		const outcome = {
			status: 'skipped' as const,
			action: `deactivate user ${nameOf(person)}`,
			reason,
		};
		made.settled.push({
			...{ item: NO_ITEM, subject: id, outcome },
			result: { person, intent: 'deactivate' },
		});
		return;
	}
	const before = new Set(held.map(({ key }) => key));
	made.wishes.push({
		...wish,
		// Deactivation takes the memberships along where the service works like that.
		drop: rules.profile.deactivationDropsMemberships ? [] : drop,
		account: 'inactive',
		why: 'the person ends without any access',
		onlyWith: {
			readAt: access.readAt,
			includes: (groupId) => before.has(rules.ids.key(groupId)) || rules.isIgnored(groupId),
			label: rules.label,
		},
	});
}

/** What is to be taken away; what is only to be told of is noted. */
function unwantedOf(
	person: Member,
	surplus: readonly Membership[],
	why: string,
	rules: ReconcileRules,
	made: ReconcileWishes,
): string[] {
	if (rules.unwanted === 'report' && !rules.isProtected(person)) {
		for (const membership of surplus) made.unwanted.push({ ...membership, person, reason: why });
	}
	return rules.unwanted === 'revoke' ? surplus.map(({ groupId }) => groupId) : [];
}

/** The rows that may be followed; what the others would give or take is not ours to manage. */
function ownRows(
	want: WantedPerson,
	member: Member,
	held: readonly Membership[],
	rules: ReconcileRules,
	made: ReconcileWishes,
): WantedRow[] {
	return want.hold.filter(({ groupId, item, row }) => {
		const others = otherRolesThere(groupId, held, rules);
		const isHeld = held.some(({ key }) => key === rules.ids.key(groupId));
		const touched = [...(isHeld ? [] : [groupId]), ...others.map((other) => other.groupId)];
		const foreign = touched.find((id) => !rules.scope.includes(id));
		if (foreign === undefined) return true;
		const action = `make ${nameOf(member)} ${rules.label(groupId)}`;
		const error = notOurs(member, groupId, foreign, rules);
		made.settled.push({
			...{ item, subject: member.key, outcome: failureOf(action, error) },
			result: {
				...{ person: member, intent: 'grant', source: row },
				group: rules.access.groups.get(rules.ids.key(groupId)),
			},
		});
		return false;
	});
}

/** What the person has in scope beyond the rows; another role in a wanted organization is replaced, not taken. */
function surplusOf(
	rows: readonly WantedRow[],
	held: readonly Membership[],
	{ access, ids, profile, scope }: ReconcileRules,
): Membership[] {
	const keys = new Set(rows.map(({ groupId }) => ids.key(groupId)));
	const organizations = new Set(
		rows.flatMap(({ groupId }) => access.placeOf(groupId)?.organization ?? []),
	);
	return held.filter(
		({ key, organization, groupId }) =>
			!keys.has(key) &&
			scope.includes(groupId) &&
			!(profile.oneRolePerOrganization && organizations.has(organization ?? '')),
	);
}

/** The row wants a role that is not ours to manage, or a move would take one away. */
function notOurs(
	member: Member,
	wanted: string,
	foreign: string,
	{ label, ids, access }: ReconcileRules,
): InputError {
	const what =
		ids.key(wanted) === ids.key(foreign)
			? label(wanted)
			: `${nameOf(member)} is ${label(foreign)}, which`;
	return new InputError(
		`${what} is not in scope`,
		access.placeOf(foreign) === undefined
			? 'Add the group to Groups in Scope, or leave the row out.'
			: 'Name the organization under Organizations in Scope and the role under Roles in Scope, or leave the row out.',
	);
}

/** Other roles of the organization of a group, where a person has one role only and they would be replaced. */
function otherRolesThere(
	groupId: string,
	held: readonly Membership[],
	{ access, ids, profile }: ReconcileRules,
): Membership[] {
	const organization = access.placeOf(groupId)?.organization;
	if (!profile.oneRolePerOrganization || organization === undefined) return [];
	return held.filter(
		(other) => other.organization === organization && other.key !== ids.key(groupId),
	);
}

function heldBackFor(drops: readonly string[], rules: ReconcileRules): { dropsHeldBack?: string } {
	const everywhere = rules.heldBack.get('');
	const reasons = drops.flatMap(
		(groupId) => everywhere ?? rules.heldBack.get(heldBackPlace(rules, groupId)) ?? [],
	);
	return reasons.length === 0 ? {} : { dropsHeldBack: reasons[0] };
}
