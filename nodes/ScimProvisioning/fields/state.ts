import {
	ALL_GROUPS,
	groupReferenceKey,
	groupReferenceLabel,
	noSuchGroup,
	pickGroup,
	selectGroups,
	usersShowGroups,
	valuesByUser,
	type Access,
	type GroupReference,
	type GroupSelection,
} from '../../shared/access/facts';
import type { Group } from '../../shared/scim';
import { momentOf, type Attempt } from '../../shared/util';
import type { OperationContext } from '../context';
import { findPeople, type Finding, type FoundPerson, type FoundPeople } from './people';
import type { Lookup } from './person';

/** What an operation has to know, of all items together. */
export interface Need extends Finding {
	people: readonly Lookup[];
	groups: readonly GroupReference[];
	/** Names, IDs and patterns of the groups that may be touched; missing: all. */
	managed?: readonly string[];
	/** Whether every membership of the people has to be known, not those in the groups alone. */
	everything?: boolean;
	/** Whether members may be removed, which takes groups that show who is in them. */
	removes?: boolean;
	/** Whether all members of the groups have to be known, not the people alone. */
	everyMember?: boolean;
}

/** The people, their access, and the groups that the items name: read once, for all items. */
export interface State extends FoundPeople {
	access: Access;
	/** The id of a group. */
	group(reference: GroupReference): Attempt<string>;
	managed: GroupSelection;
}

/**
 * Reads no more than is needed: where groups stand for organizations and roles all of them, since one membership may
 * change another; elsewhere the groups that are named, and what the users say of themselves.
 * @throws InputError for a managed group that there is not; RequestError when something cannot be read
 */
export async function readState(need: Need, operation: OperationContext): Promise<State> {
	const { ids, client } = operation;
	const state =
		ids.standsFor === 'nothing'
			? await readPlain(need, operation)
			: await readOrganizations(need, operation);
	const { access } = state;
	const users = foundIn(need.people, state).flatMap(({ user }) => user ?? []);
	const values = valuesByUser(users, client.profile);
	return { ...state, access: { ...access, values: new Map([...access.values, ...values]) } };
}

async function readOrganizations(need: Need, operation: OperationContext): Promise<State> {
	const access = await operation.reader.memberships.readSingleRoles();
	const guessed = await findGroups(need.groups.filter(mayBeName), operation);
	const { deactivation, accessAttributes } = operation.client.profile;
	const readsUsers =
		need.readsUsers === true && (deactivation !== 'drops' || accessAttributes.length > 0);
	const people = await findPeople(need.people, access, operation, { ...need, readsUsers });
	const whole = wholeState(need, access, operation);
	const group: State['group'] = (reference) => {
		if (mayBeName(reference)) return pickFound(guessed)(reference);
		const found = whole.group(reference);
		if (found.ok) noteName(reference, found.value, operation);
		return found;
	};
	return { ...whole, ...people, group };
}

function mayBeName(reference: GroupReference): boolean {
	return reference.by === 'id' && reference.orName === true;
}

async function findGroups(
	references: readonly GroupReference[],
	operation: OperationContext,
): Promise<Map<string, Attempt<Group>>> {
	const found = await operation.reader.memberships.findGroups(references);
	for (const reference of references) {
		const group = found.get(groupReferenceKey(reference));
		if (group?.ok) noteName(reference, group.value.id, operation);
	}
	return found;
}

/** A model is told that what it gave was the name of a group. */
function noteName(
	reference: GroupReference,
	groupId: string,
	{ ids, takesNames, matched }: OperationContext,
): void {
	const mayBeEither = mayBeName(reference) || reference.by === 'text';
	const isId = ids.key(groupReferenceLabel(reference)) === ids.key(groupId);
	if (takesNames && mayBeEither && !isId) matched.groups.add(ids.key(groupId));
}

/** Reads people alone, where nothing has to be known of groups. */
export async function readPeople(
	people: readonly Lookup[],
	operation: OperationContext,
	finding: Pick<Finding, 'isWhole' | 'takesFrom'> = {},
): Promise<State> {
	const noMembers = await operation.reader.memberships.read({ groups: [] });
	const found = await findPeople(people, noMembers, operation, {
		readsUsers: true,
		...finding,
	});
	return { ...wholeState({}, noMembers, operation), ...found };
}

/** Builds the state from all groups that there are. */
export function wholeState(
	{ managed }: Pick<Need, 'managed'>,
	access: Access,
	{ ids, organizations }: Pick<OperationContext, 'ids' | 'organizations'>,
): Pick<State, 'access' | 'group' | 'managed'> {
	const found = new Map<string, Attempt<string>>();
	const find = (reference: GroupReference): Attempt<string> => {
		const places = { ...access, nameOf: organizations.nameOf };
		const one = pickGroup(reference, access.groups, places, ids.key);
		// An ID that is spelled by organization and role is one, whether there is such a group or not: the diff tells.
		if (one.ok || reference.by !== 'place' || ids.standsFor !== 'id') return one;
		return { ok: true, value: ids.format(reference) };
	};
	return {
		access,
		managed:
			managed === undefined ? ALL_GROUPS : selectGroups(managed, access.groups.values(), ids.key),
		group(reference) {
			const key = groupReferenceKey(reference);
			const known = found.get(key) ?? find(reference);
			found.set(key, known);
			return known;
		},
	};
}

/** Finds the IDs of groups that items name. IDs are not checked: the request for a group tells whether it is there. */
export async function findGroupIds(
	references: readonly GroupReference[],
	operation: OperationContext,
): Promise<Pick<State, 'group'>> {
	const { ids, reader } = operation;
	const isKnown = (one: GroupReference) =>
		(one.by === 'id' && !mayBeName(one)) || (one.by === 'place' && ids.standsFor === 'id');
	if (references.every(isKnown)) {
		return {
			group(reference) {
				if (reference.by === 'id') return { ok: true, value: reference.id };
				if (reference.by === 'place') return { ok: true, value: ids.format(reference) };
				return { ok: false, error: noSuchGroup(groupReferenceLabel(reference)) };
			},
		};
	}
	if (references.some((one) => one.by === 'place' || ('orPlace' in one && one.orPlace))) {
		return wholeState({}, await reader.memberships.read(), operation);
	}
	return { group: pickFound(await findGroups(references, operation)) };
}

/** Reads the group that an item names, with its members. @throws InputError and RequestError when there is none to be read */
export async function readGroup(
	reference: GroupReference,
	operation: OperationContext,
): Promise<Group> {
	const found = (await findGroupIds([reference], operation)).group(reference);
	if (!found.ok) throw found.error;
	return await operation.client.getGroup(found.value);
}

function pickFound(found: ReadonlyMap<string, Attempt<Group>>): State['group'] {
	return (reference) => {
		const group = found.get(groupReferenceKey(reference));
		if (group === undefined)
			return { ok: false, error: noSuchGroup(groupReferenceLabel(reference)) };
		return group.ok ? { ok: true, value: group.value.id } : group;
	};
}

async function readPlain(need: Need, operation: OperationContext): Promise<State> {
	const { reader, ids, client } = operation;
	const { memberships } = reader;
	const { managed } = need;
	const readAt = momentOf(client.timing);
	const listsNames = managed?.some((entry) => entry !== '*') === true;
	const names = listsNames ? await memberships.groupNames() : [];
	const named = await findGroups(need.groups, operation);
	const resolved = [...named.values()].flatMap((group) => (group.ok ? [group.value] : []));
	// A list of names leaves members out.
	const known = resolved.filter(({ members }) => members !== undefined);
	const groups = resolved.map(({ id }) => id);
	const selection = managed === undefined ? ALL_GROUPS : selectGroups(managed, names, ids.key);

	const asksByPerson = memberships.tellsByPerson && need.everyMember !== true;
	const before =
		need.readsUsers || asksByPerson ? undefined : await memberships.read({ groups, known });
	const around = before ?? (await memberships.read({ groups: [] }));
	const people = await findPeople(need.people, around, operation, need);
	const there = foundIn(need.people, people);
	const found = there.flatMap(({ user }) => user ?? []);
	const users = need.everything ? await reader.people.withGroups(found) : found;
	const userIds = there.map(({ id }) => id);
	const read = async () => {
		if (need.everything && !usersShowGroups(users, client.profile))
			return await memberships.read({ people: userIds });
		const others = need.everything
			? users.flatMap(({ groupIds: own = [] }) => own.filter(selection.includes))
			: [];
		const named = await memberships.read({
			groups: [...groups, ...others],
			users,
			known: before ? [...before.groups.values()] : known,
			...(asksByPerson && { people: userIds }),
		});
		const access = need.everyMember ? await memberships.withWords(named) : named;
		// What is known of all need not be asked for each of thousands.
		const isCut = isCutIn(access, groups);
		const shown =
			isCut && need.removes === true && need.everyMember !== true
				? await memberships.askedOf(access, userIds, groups)
				: access;
		const unclear = groups.filter((group) => shown.everyMember(group).told !== 'all');
		const isUnknown = users.some(({ id }) =>
			unclear.some((group) => shown.membership(id, group).told === 'nothing'),
		);
		const isSilent = need.everyMember
			? unclear.length > 0
			: need.removes && (isUnknown || (users.length === 0 && shown.shown.told !== 'all'));
		// Where a group shows a part of its members, other groups tell no more of it; all users do, where they show theirs.
		const usersTell = need.everyMember === true && client.facts.usersShowGroups;
		if (!isSilent || (isCut && !usersTell)) return shown;
		return asksByPerson ? await memberships.withWitness(shown, users) : await memberships.read();
	};
	const access = await read();
	return {
		// Groups that were named are read before people are looked up, which may take long.
		access: access.isWhole ? access : { ...access, readAt },
		...people,
		managed: selection,
		group: pickFound(named),
	};
}

/** Whether a group shows members, but not all for sure. */
function isCutIn(access: Access, groups: readonly string[]): boolean {
	return [...access.groups.values()].some(
		({ id, members = [], unread = 0 }) =>
			(members.length > 0 || unread > 0) &&
			groups.includes(id) &&
			access.everyMember(id).told !== 'all',
	);
}

/** Lists the users that were found, each once. */
export function foundIn(
	references: readonly Lookup[],
	{ person }: Pick<FoundPeople, 'person'>,
): FoundPerson[] {
	const found = new Map<string, FoundPerson>();
	for (const reference of references) {
		const one = person(reference);
		if (one.ok && found.get(one.value.id)?.user === undefined) found.set(one.value.id, one.value);
	}
	return [...found.values()];
}
