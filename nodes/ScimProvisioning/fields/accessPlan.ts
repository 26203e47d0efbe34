import {
	countPeople,
	diff,
	groupReferenceLabel,
	nameOf,
	unknownGroup,
	whoIs,
	type Access,
	type AccessRules,
	type GroupReference,
	type AffectedBase,
	type Member,
	type Settled,
	type WantedUser,
	type Wish,
} from '../../shared/access';
import { failureOf } from '../../shared/run';
import type { User } from '../../shared/scim';
import { InputError, memoized, nameKey } from '../../shared/util';
import type { OperationContext } from '../context';
import type { Planned } from '../planned';
import { notFound, treatsAsGone } from './ifNotFound';
import type { CollectedAttributes } from './jsonAttributes';
import type { FoundPerson } from './people';
import type { PersonReference } from './person';
import { readState, type Need, type State } from './state';

/** The rules for a diff with what was read. */
export function rulesFor(
	access: Access,
	operation: OperationContext,
	{
		reactivate = operation.options.reactivate === true,
		adopts = true,
		membersOnly = false,
	}: Partial<Pick<AccessRules, 'reactivate' | 'adopts' | 'membersOnly'>> = {},
): AccessRules {
	const { ids, client, accountOrganization, isProtected, accounts } = operation;
	const label = memoized((groupId) => operation.label(groupId, access));
	const { profile } = client;
	return {
		...{ access, ids, profile, accountOrganization, label, isProtected },
		...{ reactivate, adopts, membersOnly },
		account(id) {
			const user = client.userSeen(id);
			return user === undefined ? accounts.get(id) : { ok: true, value: user };
		},
	};
}

/** Groups that an item names, or that follow from what was read of its person. */
type WantedGroups =
	readonly GroupReference[] | ((person: FoundPerson, state: State) => readonly string[]);

/** What an item wants of a person whom it names. */
export interface NamedWish extends Pick<Wish, 'item' | 'skipsOtherRole' | 'dropsHeldBack'> {
	reference: PersonReference;
	/** Groups to be in. */
	hold?: WantedGroups;
	/** Groups not to be in. */
	drop?: WantedGroups;
	/** Why it cannot be used, where only what was read tells. */
	fault?: InputError;
	/** What somebody is created with who is not there. */
	newcomer?: CollectedAttributes & Pick<WantedUser, 'matchBy'>;
}

/** A wish whose person is found. */
interface FoundWish {
	want: NamedWish;
	person: Member;
	user?: User;
	/** Missing for somebody who is to be created. */
	found?: FoundPerson;
	fault?: WishFault;
}

/** Why nothing is done for a person. */
interface WishFault {
	error: unknown;
	/** The group that it is about, where its ID is known. */
	groupId?: string;
}

/**
 * Finds everybody and every group, and compares; where one of the groups cannot be used, nothing is sent for the person,
 * whichever item names it.
 * @param more `itemByItem`: whether the other items of the person are followed anyway; `membersOnly`: as of the rules
 */
export function planNamed(
	wanted: readonly NamedWish[],
	state: State,
	operation: OperationContext,
	{ itemByItem = false, membersOnly = false } = {},
): Planned {
	const rules = rulesFor(state.access, operation, { membersOnly });
	const asGone = treatsAsGone(operation.options);
	const unknown: Settled[] = [];
	const all: FoundWish[] = [];
	const faulty = new Map<string, number>();
	for (const want of wanted) {
		const { item, reference } = want;
		const newName = state.newName(reference);
		const found = newName === undefined ? state.person(reference) : undefined;
		if (found?.ok === false) {
			unknown.push(notFound(item, reference, found.error, undefined, asGone));
			continue;
		}
		const { user, ...person } = found?.value ?? { key: nameKey(newName ?? ''), userName: newName };
		const references = groupsOf(want);
		const fault = want.fault ? { error: want.fault } : faultOf(references, state, rules);
		if (fault !== undefined && !faulty.has(person.key)) faulty.set(person.key, item);
		all.push({ want, person, user, found: found?.value, fault });
	}
	const wishes: Wish[] = [];
	for (const { want, person, user, found, fault } of all) {
		const { item, hold = [], drop = [], newcomer, skipsOtherRole, dropsHeldBack } = want;
		const { userName } = person;
		const bad = itemByItem ? fault && item : faulty.get(person.key);
		if (bad !== undefined) {
			const groupIds = idsOf(groupsOf(want), found, state);
			const [groupId] = groupIds.length === 1 ? groupIds : [];
			const own = fault ?? { error: otherItem(bad, nameOf(person)), groupId };
			unknown.push(failedWish(item, person, own, rules));
			continue;
		}
		if (found && dependsOnPerson(want) && !rules.access.knowsAll(found.id)) {
			unknown.push(failedWish(item, person, { error: unknownAccess(nameOf(person)) }, rules));
			if (typeof hold === 'function' || hold.length === 0) continue;
		}
		wishes.push({
			...{ item, person, skipsOtherRole, dropsHeldBack },
			...{ hold: idsOf(hold, found, state), drop: idsOf(drop, found, state) },
			...(user && { user }),
			...(found === undefined &&
				newcomer &&
				userName !== undefined && { newcomer: { item, userName, ...newcomer } }),
		});
	}
	const made = diff(wishes, rules);
	const unmatched = state.managed.unmatched.map(
		(pattern) => `No group matches ${pattern} in Managed Groups.`,
	);
	return {
		...made,
		notes: unmatched,
		settled: [...unknown, ...made.settled],
		access: rules.access,
	};
}

function groupsOf({ hold = [], drop = [] }: NamedWish): GroupReference[] {
	return [hold, drop].flatMap((groups) => (typeof groups === 'function' ? [] : groups));
}

/** Whether it takes to know all that the person has. */
function dependsOnPerson({ hold, drop }: NamedWish): boolean {
	return [hold, drop].some((groups) => typeof groups === 'function');
}

/** Groups by ID, without those that cannot be told. */
export function idsOf(
	groups: WantedGroups,
	person: FoundPerson | undefined,
	state: State,
): readonly string[] {
	if (typeof groups === 'function') return person ? groups(person, state) : [];
	return groups.map(state.group).flatMap((one) => (one.ok ? one.value : []));
}

/** Reads what the wishes of all items need. @param more what else has to be known */
export async function readNamed(
	wanted: readonly NamedWish[],
	operation: OperationContext,
	more: Partial<Need> = {},
): Promise<State> {
	return await readState(
		{
			people: wanted.map(({ reference }) => reference),
			groups: wanted.flatMap(groupsOf),
			everything: wanted.some(dependsOnPerson),
			removes: wanted.some(({ drop = [] }) => typeof drop === 'function' || drop.length > 0),
			...more,
		},
		operation,
	);
}

/** The first group that cannot be told, is not there, or is not managed. */
function faultOf(
	references: readonly GroupReference[],
	state: State,
	rules: AccessRules,
): WishFault | undefined {
	const { access, ids, label } = rules;
	const groups = references.map((reference) => ({ reference, found: state.group(reference) }));
	for (const { reference, found } of groups) {
		if (!found.ok) {
			const { error } = found;
			return { error, ...(reference.by === 'id' && { groupId: reference.id }) };
		}
		const groupId = found.value;
		if (access.isWhole && !access.groups.has(ids.key(groupId))) {
			return { error: unknownGroup(groupId, rules), groupId };
		}
		if (!state.managed.includes(groupId)) return { error: notManaged(label(groupId)), groupId };
	}
	return undefined;
}

/** One of the groups of an item cannot be used, so nothing is done for its person. */
function failedWish(
	item: number,
	person: Member,
	{ error, groupId }: WishFault,
	{ access, ids }: AccessRules,
): Settled {
	const who = nameOf(person);
	const action = `change the access of ${who}`;
	// Of a failed item n8n keeps the message alone.
	const isNamed = !(error instanceof InputError) || error.message.includes(who);
	const named = isNamed ? error : new InputError(`${who}: ${error.message}`, error.description);
	const group =
		groupId === undefined
			? undefined
			: (access.groups.get(ids.key(groupId)) ?? {
					id: groupId,
					displayName: groupId,
					attributes: {},
				});
	return {
		...{ item, subject: person.key, outcome: failureOf(action, named) },
		result: { who: whoIs(person), intent: 'none', ...(group && { group }) },
	};
}

function otherItem(item: number, who: string): InputError {
	return new InputError(
		`Nothing was sent for ${who}: item ${item} is about the same person and cannot be used`,
		`Correct item ${item}, and run again.`,
	);
}

function unknownAccess(who: string): InputError {
	return new InputError(
		`The groups of ${who} are unknown: neither groups nor users of the service show memberships`,
		'Nothing was removed. If an empty list means none there, set Users Show Groups or Groups Show Members in the credential.',
	);
}

function notManaged(label: string): InputError {
	return new InputError(
		`${label} is outside Managed Groups`,
		'Add the group to Managed Groups, or remove it from the list. Nothing was sent for this person.',
	);
}

/** The groups that items name, by ID; an item whose group cannot be told fails alone. @param verb for the error */
export function resolveNamed<W extends { item: number; group: GroupReference }>(
	wanted: readonly W[],
	state: Pick<State, 'group'>,
	verb: string,
): { named: Array<W & { groupId: string }>; settled: Settled[] } {
	const named: Array<W & { groupId: string }> = [];
	const settled: Settled[] = [];
	for (const want of wanted) {
		const found = state.group(want.group);
		if (found.ok) named.push({ ...want, groupId: found.value });
		else {
			const label = groupReferenceLabel(want.group);
			const outcome = failureOf(`${verb} group ${label}`, found.error);
			settled.push({ item: want.item, subject: label, outcome });
		}
	}
	return { named, settled };
}

/** Those against whom losses in groups count. */
export function membersOf(
	groupIds: readonly string[],
	access: Access,
	{ ids }: OperationContext,
): AffectedBase {
	const named = new Set(groupIds.map(ids.key));
	const people = countPeople(access, (id) => named.has(ids.key(id)));
	return { people, are: 'members of the named groups' };
}
