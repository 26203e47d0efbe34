import {
	accountIn,
	countPeople,
	groupReferenceLabel,
	type Access,
	type GroupReference,
	type AffectedBase,
} from '../../shared/access/facts';
import {
	nameOf,
	whoIs,
	type AccessRules,
	type Person,
	type NamedEntitlement,
	type Settled,
	type WantedUser,
	type Wish,
	wantsUnseen,
} from '../../shared/access/changes';
import { failureOf } from '../../shared/run';
import type {
	NotTold,
	ValueChanges,
	Attributes,
	KnowsAttribute,
	ScimClient,
	User,
} from '../../shared/scim';
import { InputError, memoized, shown } from '../../shared/util';
import type { OperationContext } from '../context';
import type { Planned } from '../../shared/access/write';
import { notFound, treatsAsGone, labelOf, type Lookup } from './person';
import type { CollectedAttributes } from './attributes';
import { withoutUser, personOf, type KnownPerson } from './people';
import { readState, type Need, type State } from './state';
import { diff } from '../../shared/access/plans';
import { unknownGroup } from '../../shared/access/guards';

/** Makes the rules for a diff with what was read. */
export function rulesFor(
	access: Access,
	operation: OperationContext,
	own: Partial<AccessRules> = {},
): AccessRules {
	const { ids, client, accountOrganization, isProtected } = operation;
	const label = memoized((groupId) => operation.label(groupId, access));
	const { profile } = client;
	return {
		...{ access, ids, profile, accountOrganization, label, isProtected },
		activity: (user) => client.facts.activity(user),
		everyValue: (user, path) => client.facts.everyValue(user, path),
		isUnfound: (id) => client.facts.isUnfound(id),
		isGroup: (id) => client.facts.isGroup(id),
		...{ reactivate: operation.options.reactivate === true, ifExists: 'adopt' },
		wasThere: client.wasThere,
		account(id) {
			return accountIn(client.facts, id);
		},
		...own,
	};
}

/** What a person is to have or not: groups that an item names, or what follows from the person and what was read. */
type Wanted =
	readonly GroupReference[] | ((person: KnownPerson, state: State) => readonly NamedEntitlement[]);

/** What an item wants of a person. */
export interface NamedWish extends Pick<
	Wish,
	| 'item'
	| 'account'
	| 'attributes'
	| 'warnings'
	| 'skipsOtherRole'
	| 'dropsHeldBack'
	| 'unlisted'
	| 'why'
> {
	reference: Lookup;
	/** What the person is to have. */
	hold?: Wanted;
	/** What the person is not to have. */
	drop?: Wanted;
	/** Single values on the user to give and to take. */
	values?: ValueChanges;
	/** What a missing user is created with. */
	newcomer?: CollectedAttributes & Pick<WantedUser, 'matchBy'>;
}

/** How the wishes of an operation are planned. */
interface NamedRules<W> extends Partial<Pick<AccessRules, 'membersOnly' | 'replacesAsRead'>> {
	/** Why a wish cannot be used, where only what was read tells. */
	faultOf?(want: W, person: KnownPerson): InputError | undefined;
	/** What is asked for a person, for the outcome of one who is not found. */
	verb?: string;
}

/** Why nothing is done for a person. */
interface WishFault {
	error: unknown;
	/** The group that it is about, where its ID is known. */
	groupId?: string;
}

/**
 * Finds all people and groups, and compares; where one of the groups cannot be used, nothing is sent for the person,
 * whichever item names it.
 */
export function planNamed<W extends NamedWish>(
	wanted: readonly W[],
	state: State,
	operation: OperationContext,
	{ faultOf, verb = 'find', ...own }: NamedRules<W> = {},
): Planned {
	const rules = rulesFor(state.access, operation, own);
	const asGone = treatsAsGone(operation.options);
	const unknown: Settled[] = [];
	const all: Array<{ want: W; person: KnownPerson; fault?: WishFault }> = [];
	const faulty = new Map<string, number>();
	for (const want of wanted) {
		const { item, reference } = want;
		const found = personOf(reference, state);
		if (!found.ok) {
			unknown.push(
				notFound(item, reference, found.error, `${verb} ${shown(labelOf(reference))}`, asGone),
			);
			continue;
		}
		const person = found.value;
		const error = faultOf?.(want, person);
		const fault = error ? { error } : groupFault(groupsOf(want), state, rules);
		if (fault !== undefined && !faulty.has(person.key)) faulty.set(person.key, item);
		all.push({ want, person, ...(fault && { fault }) });
	}
	const wishes: Wish[] = [];
	for (const { want, person: found, fault } of all) {
		const { item, account, newcomer, attributes, warnings, values } = want;
		const { skipsOtherRole, dropsHeldBack, unlisted, why } = want;
		const { id, userName, user } = found;
		const person = withoutUser(found);
		// Each list of members stands for itself.
		const bad = own.membersOnly ? fault && item : faulty.get(person.key);
		if (bad !== undefined) {
			const groupIds = idsOf(groupsOf(want), state);
			const [groupId] = groupIds.length === 1 ? groupIds : [];
			const own = fault ?? { error: otherItem(bad, nameOf(person)), groupId };
			unknown.push(failedWish(item, person, own, rules));
			continue;
		}
		const hold = entitlementsOf(want.hold, found, state);
		// Of an account that ends, the proof tells what is left.
		const isOpen = id !== undefined && isTold(want.drop) && account === undefined;
		const told = isOpen ? rules.access.everyGroup(id) : undefined;
		if (told?.told === 'nothing') {
			const error = unknownAccess(nameOf(person), told);
			unknown.push(failedWish(item, person, { error }, rules));
			if (hold.length === 0) continue;
		}
		wishes.push({
			...{ item, person, account, skipsOtherRole, dropsHeldBack, unlisted, why },
			...(attributes && { attributes, warnings }),
			hold: [...hold, ...(values?.add ?? [])],
			drop: [...entitlementsOf(want.drop, found, state), ...(values?.remove ?? [])],
			...(user && { user }),
			...(id === undefined &&
				newcomer &&
				userName !== undefined && { newcomer: { item, userName, ...newcomer } }),
			...(id !== undefined && newcomer && { identifiedBy: newcomer.attributes }),
		});
	}
	const made = diff(wishes, rules);
	const unmatched = state.managed.unmatched.map(
		(pattern) => `No group matches ${pattern} in Only These Groups.`,
	);
	return {
		...made,
		settled: [...unknown, ...made.settled],
		basis: { access: rules.access },
		words: { notes: unmatched },
	};
}

function groupsOf({ hold = [], drop = [] }: NamedWish): GroupReference[] {
	return [hold, drop].flatMap((wanted) => (typeof wanted === 'function' ? [] : wanted));
}

/** Whether it takes to know all that people have. */
function isTold(wanted: Wanted | undefined): boolean {
	return typeof wanted === 'function';
}

function entitlementsOf(
	wanted: Wanted = [],
	person: KnownPerson,
	state: State,
): readonly NamedEntitlement[] {
	return typeof wanted === 'function' ? wanted(person, state) : idsOf(wanted, state);
}

/** Lists the IDs of groups, without references that cannot be resolved. */
export function idsOf(references: readonly GroupReference[], { group }: State): string[] {
	return references.map(group).flatMap((one) => (one.ok ? one.value : []));
}

/**
 * Reads what the wishes of all items need, once.
 * @param more what else has to be known; `people`: of others than those of the wishes
 */
export async function readNamed(
	wanted: readonly NamedWish[],
	operation: OperationContext,
	{ people = [], ...more }: Partial<Need> = {},
): Promise<State> {
	return await readState(
		{
			people: [...wanted.map(({ reference }) => reference), ...people],
			groups: wanted.flatMap(groupsOf),
			everything: wanted.some(({ hold, drop }) => isTold(hold) || isTold(drop)),
			removes: wanted.some(({ drop }) => isTold(drop) || (drop?.length ?? 0) > 0),
			...more,
		},
		operation,
	);
}

/** The first group that cannot be told, is not there, or is not managed. */
function groupFault(
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
	person: Person,
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

function unknownAccess(who: string, { why, advice = 'Check the service.' }: NotTold): InputError {
	return new InputError(
		`The groups of ${who} are unknown: ${why}`,
		`Nothing was removed. ${advice}`,
	);
}

function notManaged(label: string): InputError {
	return new InputError(
		`${shown(label)} is outside Only These Groups`,
		'Add the group to Only These Groups, or remove it from the list. Nothing was sent for this person.',
	);
}

/** Resolves the groups that items name; an item whose group cannot be told fails alone. @param verb for the error */
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
			const outcome = failureOf(`${verb} group ${shown(label)}`, found.error);
			settled.push({ item: want.item, subject: label, outcome });
		}
	}
	return { named, settled };
}

/** Lists the people that losses in groups are a share of. */
export function membersOf(
	groupIds: readonly string[],
	access: Access,
	{ ids }: OperationContext,
): AffectedBase {
	const named = new Set(groupIds.map(ids.key));
	const people = countPeople(access, (id) => named.has(ids.key(id)));
	return { people, are: 'members of the named groups' };
}

/** Lists the people in all groups that wishes name, of which losses are a share. */
export function membersOfNamed(
	wanted: readonly NamedWish[],
	state: State,
	operation: OperationContext,
): AffectedBase {
	return membersOf(idsOf(wanted.flatMap(groupsOf), state), state.access, operation);
}

/** Reads the schemas of the service, but only where a user does not show what is wanted. */
export async function knownToService(
	people: ReadonlyArray<{ user: User | undefined; attributes: Attributes }>,
	{ knownAttributes, profile }: ScimClient,
): Promise<KnowsAttribute> {
	const isNeeded = people.some(({ user, attributes }) => wantsUnseen(attributes, user, profile));
	return isNeeded ? (await knownAttributes()).knows : () => true;
}
