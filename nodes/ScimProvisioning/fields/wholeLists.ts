import { findClashes, type Settled } from '../../shared/access/changes';
import { failureOf } from '../../shared/run';
import type { InputError } from '../../shared/util';
import type { State } from './state';
import { hiddenMembers, unknownGroup } from '../../shared/access/guards';

/** What an item wants something to be as a whole: the access of a person, the members of a group. */
interface WholeList {
	item: number;
	/** What it is about. */
	key: string;
	entries: ReadonlySet<string>;
}

/** Makes an error, by what the lists are about, for lists that differ: none of them is sent. @param errorOf of the first two */
export function clashingLists<L extends WholeList>(
	lists: readonly L[],
	errorOf: (one: L, other: L) => InputError,
): Map<string, InputError> {
	return findClashes(
		lists,
		({ key }) => [key],
		({ entries }, other) =>
			entries.size !== other.entries.size || [...entries].some((one) => !other.entries.has(one)),
		errorOf,
	);
}

/**
 * Tells why nothing is removed while an item cannot be used: it may want what would be removed.
 * @param unusable what the items are about; undefined where that is not known, so that it may be anything
 */
export function heldBackBy(
	unusable: ReadonlyArray<{ item: number; key?: string }>,
	removed: 'nothing' | 'nobody',
): (key: string | undefined) => string | undefined {
	const items = new Map(unusable.map(({ item, key }) => [key, item]));
	return (key) => {
		const item = items.get(key) ?? items.get(undefined);
		return item === undefined
			? undefined
			: `${removed} is removed while item ${item} cannot be used`;
	};
}

/** Makes the outcome of a group in which nobody is seen: it has no members, does not show them, or there is none. */
export function withoutMembers(
	{ item, groupId, key }: { item: number; groupId: string; key: string },
	action: string,
	{ access }: Pick<State, 'access'>,
): Settled {
	const group = access.groups.get(key);
	const told = access.everyMember(groupId);
	const outcome =
		told.told === 'all'
			? ({ status: 'unchanged', action } as const)
			: failureOf(action, group ? hiddenMembers(groupId, told) : unknownGroup(groupId, { access }));
	return { item, subject: key, outcome, result: { intent: 'none', ...(group && { group }) } };
}
