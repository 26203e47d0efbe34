import {
	countPeople,
	diff,
	groupReferenceLabel,
	nameOf,
	whoIs,
	type Access,
	type AccessRules,
	type GroupReference,
	type LossBase,
	type Member,
	type Settled,
	type Wish,
} from '../../shared/access';
import { failureOf } from '../../shared/run';
import { InputError, nameKey } from '../../shared/util';
import type { OperationContext, Planned } from '../runWrite';
import { notFound } from './ifNotFound';
import type { CollectedAttributes } from './jsonAttributes';
import type { FoundPerson } from './people';
import type { PersonReference } from './person';
import type { State } from './state';

/** The rules for a diff with what was read. */
export function rulesFor(
	access: Access,
	operation: OperationContext,
	{ reactivate, adopts = true }: { reactivate?: boolean; adopts?: boolean } = {},
): AccessRules {
	const { ids, client, accountOrganization, isProtected } = operation;
	const label = (groupId: string) => operation.label(groupId, access);
	const { profile } = client;
	return { access, ids, profile, accountOrganization, reactivate, adopts, label, isProtected };
}

/** What an item wants of a person whom it names. */
export interface NamedWish extends Pick<Wish, 'item' | 'skipsOtherRole' | 'dropsHeldBack'> {
	reference: PersonReference;
	/** Groups to be in. */
	hold: readonly GroupReference[];
	/** Groups not to be in, or what decides them once the person is known. */
	drop: readonly GroupReference[] | ((person: FoundPerson) => readonly string[]);
	/** What somebody is created with who is not there. */
	newcomer?: CollectedAttributes;
}

/**
 * Finds everybody and every group, and compares; a wish of which one cannot be found fails alone, and nothing is sent for
 * its person.
 * @param asGone whether somebody who cannot be found is as good as gone
 */
export function planNamed(
	wanted: readonly NamedWish[],
	state: State,
	rules: AccessRules,
	asGone = false,
): Planned {
	const wishes: Wish[] = [];
	const unknown: Settled[] = [];
	for (const { item, reference, hold, drop, newcomer, ...more } of wanted) {
		const userName = state.newName(reference);
		const found = userName === undefined ? state.person(reference) : undefined;
		if (found?.ok === false) {
			unknown.push(notFound(item, reference, found.error, undefined, asGone));
			continue;
		}
		const { user, ...person } = found?.value ?? { key: nameKey(userName ?? ''), userName };
		const groups = [...hold, ...(typeof drop === 'function' ? [] : drop)].map(state.group);
		const missing = groups.find(({ ok }) => !ok);
		if (missing?.ok === false) {
			unknown.push(failedWish(item, person, missing.error));
			continue;
		}
		if (found && typeof drop === 'function' && !rules.access.knowsAll(found.value.id)) {
			unknown.push(failedWish(item, person, unknownAccess(nameOf(person))));
			if (hold.length === 0) continue;
		}
		const groupIds = groups.flatMap((group) => (group.ok ? [group.value] : []));
		const foreign = groupIds.find((groupId) => !state.managed.includes(groupId));
		if (foreign !== undefined) {
			unknown.push(failedWish(item, person, notManaged(rules.label(foreign))));
			continue;
		}
		wishes.push({
			...{ item, person, hold: groupIds.slice(0, hold.length) },
			drop:
				typeof drop !== 'function' ? groupIds.slice(hold.length) : found ? drop(found.value) : [],
			...more,
			...(user && { user }),
			...(userName !== undefined && newcomer && { newcomer: { item, userName, ...newcomer } }),
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

/** One of the groups of an item cannot be used, so nothing is done for its person. */
function failedWish(item: number, person: Member, error: unknown): Settled {
	const who = nameOf(person);
	const action = `change the access of ${who}`;
	// Of a failed item n8n keeps the message alone.
	const isNamed = !(error instanceof InputError) || error.message.includes(who);
	const named = isNamed ? error : new InputError(`${who}: ${error.message}`, error.description);
	return {
		...{ item, subject: person.key, outcome: failureOf(action, named) },
		result: { who: whoIs(person) },
	};
}

function unknownAccess(who: string): InputError {
	return new InputError(
		`It is not known which groups ${who} is in: the service shows no members of groups, and no groups of users`,
		'Nothing was taken away. If an empty list means none there, set Users Show Groups or Groups Show Members in the credential.',
	);
}

function notManaged(label: string): InputError {
	return new InputError(
		`${label} is outside Managed Groups`,
		'Add the group to Managed Groups, or take it out of the list. Nothing was sent for this person.',
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
): LossBase {
	const named = new Set(groupIds.map(ids.key));
	const people = countPeople(access, (id) => named.has(ids.key(id)));
	return { people, are: 'members of the named groups' };
}
