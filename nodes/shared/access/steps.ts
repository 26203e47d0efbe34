import type { Part } from '../run';
import {
	patchBody,
	patchValues,
	replaceAttributes,
	requests,
	SCHEMA,
	type Attributes,
	type Traits,
} from '../scim';
import type { Access } from './access';
import {
	isGain,
	membersStepId,
	type Change,
	type GroupChange,
	type MembershipChange,
	type UserChange,
	type ValueChange,
} from './change';
import { fullBody, withoutNulls } from './planUsers';
import {
	nameOf,
	type MemberChange,
	type NamedGroupOf,
	type Person,
	type ProvisioningStep,
} from './step';
import type { AccessRules } from './wish';

type Rules = Pick<AccessRules, 'ids' | 'profile' | 'label'> & { access?: Access };

/**
 * The requests that make the changes, in an order that keeps what they wait for: one per user and per group of its own,
 * the values of one user and the memberships of one group together, so many as one request may carry. Memberships that wait for others go in a request
 * of their own.
 */
export function stepsOf(changes: readonly Change[], rules: Rules): ProvisioningStep[] {
	const first = forerunnersOf(changes);
	const batches = batchesOf(changes, first, rules);
	const stepOf = new Map<string, { step: string; subject?: string }>();
	for (const { id: step, changes: own } of batches) {
		for (const { key, parts } of own) {
			if (first.has(key)) stepOf.set(key, { step, subject: parts[0]?.subject });
		}
	}
	const siblings = siblingsOf(rules);
	const partsOf = (own: readonly Change[]): Part[] => {
		const all: Part[] = [];
		for (const { key: change, needs: keys, parts } of own) {
			const needs = keys.flatMap((key) => {
				const { step, subject } = stepOf.get(key) ?? {};
				return step === undefined || subject === undefined ? [] : [{ step, subject }];
			});
			for (const { item, subject } of parts) {
				all.push(needs.length === 0 ? { item, subject, change } : { item, subject, change, needs });
			}
		}
		return all;
	};
	return batches.map(({ id, changes: own }) => {
		const after = [...new Set(own.flatMap((change) => change.after))].flatMap(
			(key) => stepOf.get(key)?.step ?? [],
		);
		const common = {
			id,
			parts: partsOf(own),
			warnings: [...new Set(own.flatMap(({ warnings }) => warnings))],
			...(after.length > 0 && { after: [...new Set(after)] }),
		};
		const [first] = own;
		if (first.target === 'user') return userStep(first, common, rules.profile);
		if (first.target === 'group') return groupStep(first, common, rules.profile);
		if (first.target === 'value') return valueStep(own as ValueChange[], common, rules.profile);
		return memberStep(own as MembershipChange[], common, siblings, rules);
	});
}

/** Keys of all changes that others wait for; most plans have few. */
function forerunnersOf(changes: readonly Change[]): Set<string> {
	const keys = new Set<string>();
	for (const { needs, after } of changes) {
		for (const key of needs) keys.add(key);
		for (const key of after) keys.add(key);
	}
	return keys;
}

type Common = Pick<ProvisioningStep, 'id' | 'parts' | 'warnings' | 'after'>;

interface Batch {
	id: string;
	changes: Change[];
}

/**
 * Changes that go in one request each: of a group those that wait for no other membership, and removals that do. Where such
 * requests would wait for each other in a circle, they are split further. Each comes
 * behind what it waits for.
 */
function batchesOf(changes: readonly Change[], first: ReadonlySet<string>, rules: Rules): Batch[] {
	const memberships = new Set<string>();
	for (const { target, key } of changes) {
		if (target === 'membership' && first.has(key)) memberships.add(key);
	}
	const few = batched(changes, rules, (change) => {
		return change.kind === 'revoke' && change.needs.some((key) => memberships.has(key)) ? 1 : 0;
	});
	const { ordered, isCircle } = inOrder(few);
	if (!isCircle) return ordered;
	const level = levels(changes);
	return inOrder(batched(changes, rules, ({ key }) => level.get(key) ?? 0)).ordered;
}

/** @param turnOf changes of a group with the same turn go together, chunk by chunk */
function batched(
	changes: readonly Change[],
	{ ids, profile }: Rules,
	turnOf: (change: MembershipChange) => number,
): Batch[] {
	const batches: Batch[] = [];
	const values = new Map<string, Batch>();
	const groups = new Map<string, MembershipChange[][]>();
	for (const change of changes) {
		if (change.target === 'value') {
			const id = `values\n${change.person.key}`;
			const same = values.get(id);
			if (same !== undefined) same.changes.push(change);
			else {
				const batch: Batch = { id, changes: [change] };
				values.set(id, batch);
				batches.push(batch);
			}
			continue;
		}
		if (change.target !== 'membership') {
			batches.push({ id: change.key, changes: [change] });
			continue;
		}
		const key = ids.key(change.groupId);
		const turns = groups.get(key) ?? [];
		groups.set(key, turns);
		(turns[turnOf(change)] ??= []).push(change);
	}
	for (const turns of groups.values()) {
		let count = 0;
		// Some turns have no change.
		for (const turn of Array.from(turns, (own) => own ?? [])) {
			const entries = [
				...turn.filter(({ kind }) => kind !== 'revoke'),
				...turn.filter(({ kind }) => kind === 'revoke'),
			];
			for (let at = 0; at < entries.length; at += profile.membersPerRequest) {
				count += 1;
				const [{ groupId }] = entries;
				batches.push({
					id: membersStepId(groupId, count),
					changes: entries.slice(at, at + profile.membersPerRequest),
				});
			}
		}
	}
	return batches;
}

/** What each waits for; those that wait for nothing are left out. */
function waitsOf(batches: readonly Batch[]): Map<Batch, Set<Batch>> {
	const keys = new Map<Batch, Set<string>>();
	const batchOf = new Map<string, Batch>();
	for (const batch of batches) {
		const own = forerunnersOf(batch.changes);
		if (own.size > 0) keys.set(batch, own);
	}
	for (const batch of keys.size === 0 ? [] : batches) {
		for (const { key } of batch.changes) batchOf.set(key, batch);
	}
	return new Map(
		[...keys].map(([batch, own]) => [
			batch,
			new Set([...own].flatMap((key) => batchOf.get(key) ?? [])),
		]),
	);
}

/** The batches, each behind what it waits for, unless some wait for each other in a circle. */
function inOrder(batches: readonly Batch[]): { ordered: Batch[]; isCircle: boolean } {
	const waits = waitsOf(batches);
	const placed = new Set<Batch>();
	const entered = new Set<Batch>();
	let isCircle = false;
	const place = (batch: Batch) => {
		if (entered.has(batch)) {
			isCircle ||= !placed.has(batch);
			return;
		}
		entered.add(batch);
		for (const other of waits.get(batch) ?? []) place(other);
		placed.add(batch);
	};
	batches.forEach(place);
	return { ordered: [...placed], isCircle };
}

/** How many changes of groups come one after the other before each. */
function levels(changes: readonly Change[]): Map<string, number> {
	const byKey = new Map(changes.map((change) => [change.key, change]));
	const known = new Map<string, number>();
	const levelOf = (key: string): number => {
		const change = byKey.get(key);
		if (change === undefined) return -1;
		const before = known.get(key);
		if (before !== undefined) return before;
		// A circle, which no plan has, must not hang.
		known.set(key, 0);
		const weight = (other: string) =>
			levelOf(other) + (byKey.get(other)?.target === 'membership' ? 1 : 0);
		const level = Math.max(0, ...[...change.needs, ...change.after].map(weight));
		known.set(key, level);
		return level;
	};
	for (const { key } of changes) levelOf(key);
	return known;
}

function userStep(change: UserChange, common: Common, profile: Traits): ProvisioningStep {
	const { action } = change;
	if (change.kind === 'create') {
		const { userName, attributes, ifExists, matchBy, refuses } = change;
		return {
			...common,
			kind: 'createUser',
			...{ action, userName, attributes, ifExists },
			...(matchBy && { matchBy }),
			...(refuses && { refuses }),
			request: requests.createUser(
				profile,
				fullBody(
					withoutNulls({
						active: true,
						...attributes,
						// Composed, so that the service keeps one spelling of it.
						userName: userName.normalize('NFC'),
					}),
				),
			),
		};
	}
	const person: Person = { id: change.person.id ?? '', userName: change.person.userName };
	const patch = (attributes: Attributes) =>
		requests.patchUser(profile, person.id, patchBody(replaceAttributes(attributes)));
	switch (change.kind) {
		case 'update': {
			const { attributes, whole, seenBefore } = change;
			const own = { action, person, attributes };
			return whole === undefined
				? {
						...common,
						...own,
						kind: 'updateUser',
						seenBefore,
						request: patch(attributes),
					}
				: {
						...common,
						...own,
						kind: 'replaceUser',
						readAt: whole.readAt,
						activeAfter: whole.planned.activeAfter,
						version: whole.planned.version,
						request: requests.replaceUser(profile, person.id, whole.planned.body),
					};
		}
		case 'activate':
		case 'deactivate': {
			const active = change.kind === 'activate';
			const { seenBefore } = change;
			const onlyWith = change.kind === 'deactivate' ? change.onlyWith : undefined;
			return {
				...common,
				kind: 'setActive',
				...{ action, person, seenBefore, active },
				...(onlyWith && { onlyWith }),
				request: patch({ active }),
			};
		}
		case 'delete': {
			const { wasActive } = change;
			const request = requests.deleteUser(profile, person.id);
			return { ...common, kind: 'deleteUser', action, person, wasActive, request };
		}
	}
}

/** All values of one user go in one request. */
function valueStep(
	changes: readonly ValueChange[],
	common: Common,
	profile: Traits,
): ProvisioningStep {
	const [{ person, user, readAt, action }] = changes;
	const ofKind = (kind: ValueChange['kind']) =>
		changes.flatMap((change) => (change.kind === kind ? change.value : []));
	const operations = patchValues(user, { add: ofKind('grant'), remove: ofKind('revoke') });
	return {
		...common,
		kind: 'changeValues',
		action: changes.length === 1 ? action : `change ${changes.length} values of ${nameOf(person)}`,
		person: { id: user.id, userName: user.userName },
		values: changes.map((one) => ({
			change: one.key,
			action: one.action,
			kind: one.kind,
			value: one.value,
		})),
		user,
		readAt,
		request: requests.patchUser(profile, user.id, patchBody(operations)),
	};
}

function groupStep(change: GroupChange, common: Common, profile: Traits): ProvisioningStep {
	const { action } = change;
	switch (change.kind) {
		case 'create': {
			const { attributes } = change;
			const request = requests.createGroup(profile, { schemas: [SCHEMA.group], ...attributes });
			return { ...common, kind: 'createGroup', action, attributes, request };
		}
		case 'update': {
			const { attributes, groupId } = change;
			const body = patchBody(replaceAttributes(attributes));
			const request = requests.patchGroup(profile, groupId, body);
			return { ...common, kind: 'updateGroup', action, groupId, attributes, request };
		}
		case 'delete': {
			const { groupId } = change;
			const request = requests.deleteGroup(profile, groupId);
			return { ...common, kind: 'deleteGroup', action, groupId, request };
		}
	}
}

function memberStep(
	changes: readonly MembershipChange[],
	common: Common,
	siblings: Siblings,
	{ access, ids, profile }: Rules,
): ProvisioningStep {
	const [{ groupId, place, action }] = changes;
	const [add, remove]: [MemberChange[], MemberChange[]] = [[], []];
	const groupAt = (role: string) => place && access?.groupAt({ ...place, role });
	for (const change of changes) {
		const { person, action: own } = change;
		if (change.kind !== 'revoke') {
			const one: MemberChange = { person, action: own, mayBeGone: false };
			one.from = change.from.flatMap((role) => groupAt(role) ?? []);
			one.gains = isGain(change);
			add.push(one);
		} else {
			const one: MemberChange = { person, action: own, mayBeGone: change.mayBeGone };
			if (change.hidden) one.hidden = true;
			if (change.skipsOtherRole) one.skipsOtherRole = true;
			remove.push(one);
		}
	}
	const others = siblings.get(place?.organization ?? '') ?? [];
	return {
		...common,
		kind: 'changeMembers',
		action: changes.length === 1 ? action : `change ${changes.length} members of group ${groupId}`,
		groupId,
		add,
		remove,
		siblings: others.filter((other) => ids.key(other.groupId) !== ids.key(groupId)),
		readAt: access?.readAt ?? NEVER,
		...(place !== undefined && { organization: place.organization }),
		request: requests.changeMembers(profile, groupId, add.map(shownId), remove.map(shownId)),
	};
}

const NEVER = { at: 0, pauses: 0 };

/** What stands for the id of somebody who is yet to be created, in a plan that is shown. */
function shownId({ person }: MemberChange): string {
	return person.id ?? `{id of ${person.userName ?? person.key}}`;
}

type Siblings = ReadonlyMap<string, readonly NamedGroupOf[]>;

/** The groups of each organization, where an add to one takes a role in another. */
function siblingsOf({ access, profile, label }: Rules): Siblings {
	const siblings = new Map<string, NamedGroupOf[]>();
	if (!profile.addMovesWithinOrganization) return siblings;
	for (const { id } of access?.groups.values() ?? []) {
		const organization = access?.placeOf(id)?.organization;
		if (organization === undefined) continue;
		const same = siblings.get(organization) ?? [];
		siblings.set(organization, same);
		same.push({ groupId: id, label: label(id) });
	}
	return siblings;
}
