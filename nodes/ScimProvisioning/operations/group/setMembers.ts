import { type AppliedPart, type Settled } from '../../../shared/access/changes';
import { peopleIn, type GroupReference } from '../../../shared/access/facts';
import { failureOf, isFailure, optionsField, previewField } from '../../../shared/run';
import { attempt, attemptSync, InputError, shown } from '../../../shared/util';
import { accessItems } from '../../fields/accessItem';
import { membersOf, planNamed, resolveNamed, type NamedWish } from '../../fields/accessPlan';
import { groupFields, readGroupFields } from '../../fields/group';
import {
	safetyLimitsFields,
	peopleField,
	matchUsersByOption,
	reactivateOption,
} from '../../fields/options';
import { readPeopleField, type Lookup } from '../../fields/person';
import { readState, type State } from '../../fields/state';
import { clashingLists, heldBackBy, withoutMembers } from '../../fields/wholeLists';
import { returnOption } from '../../fields/item';
import type { OperationContext } from '../../context';
import { scimWrite } from '../../runWrite';
import { hiddenMembers } from '../../../shared/access/guards';

/** The list that an item wants a group to be. */
interface NamedList {
	item: number;
	group: GroupReference;
	people: Lookup[];
}

/** A list, and what is known of its group. */
interface WantedList extends NamedList {
	groupId: string;
	key: string;
	/** Keys of the people on the list who were found. */
	entries: ReadonlySet<string>;
	/** IDs of the members who are not on it. */
	others: string[];
}

/** Makes the members of a group exactly a list: the difference as PATCH, or the whole list as PUT (RFC 7644 section 3.5.1). */
export const setMembers = scimWrite<NamedList>({
	name: 'Set Members',
	action: 'Set members of group',
	description: 'Set the exact members of a group. Everybody else is removed.',
	fields: [
		...groupFields,
		{
			...peopleField,
			required: false,
			description: 'Emails or IDs of all members. Everybody else is removed.',
		},
		previewField,
		...safetyLimitsFields(),
		optionsField([
			{
				displayName: 'Allow Emptying the Group',
				name: 'allowEmptying',
				type: 'boolean',
				noDataExpression: true,
				default: false,
				description: 'Whether to remove everybody if the list is empty',
			},
			matchUsersByOption,
			returnOption,
			{
				displayName: 'Replace With',
				name: 'replaceWith',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'Difference (PATCH)',
						value: 'difference',
						description: 'Send only additions and removals',
					},
					{
						name: 'Whole List (PUT)',
						value: 'wholeList',
						description: 'Send all members. What others change in the meantime is undone.',
					},
				],
				default: 'difference',
				description: 'How to send the change',
			},
			reactivateOption,
		]),
	],

	items: accessItems,
	plans: { operation: 'setMembers' },
	collect: (item, operation) => [
		{
			item,
			group: readGroupFields(operation.context, item, operation),
			people: readList(item, operation),
		},
	],
	async plan(wanted, operation, refused) {
		const unusable = [...refused.keys()].map((item) => ({
			item,
			group: attemptSync(() => readGroupFields(operation.context, item, operation)),
		}));
		const state = await readState(
			{
				groups: [...wanted, ...unusable].flatMap(({ group }) => group ?? []),
				people: wanted.flatMap(({ people }) => people),
				everyMember: true,
			},
			operation,
		);
		const { named, settled } = resolveNamed(wanted, state, 'set the members of');
		const lists = named.map((list) => listOf(list, state, operation));
		const ended = settledLists(lists, state);
		const endedItems = new Set(ended.map(({ item }) => item));
		const bad = unusable.map(({ item, group }) => {
			const found = group && state.group(group);
			return { item, key: found?.ok ? operation.ids.key(found.value) : undefined };
		});
		// Someone on a list who is not found may be a member.
		const unclear = lists.filter(({ people }) => people.some((one) => !state.person(one).ok));
		const heldBack = heldBackBy([...bad, ...unclear], 'nobody');
		const wishes = lists
			.filter(({ item }) => !endedItems.has(item))
			.flatMap((list) => wishesOf(list, heldBack(list.key)));
		const planned = planNamed(wishes, state, operation, { membersOnly: true });
		const groupIds = named.map(({ groupId }) => groupId);
		return {
			...planned,
			settled: [...settled, ...ended, ...planned.settled],
			basis: { ...planned.basis, among: membersOf(groupIds, state.access, operation) },
			...(operation.options.replaceWith === 'wholeList' && {
				// A list drops whoever joined since, and that may be the person of the entry that cannot be used.
				sendsWholeList: (key: string) => heldBack(key) === undefined,
			}),
			conclude: async (applied) => [
				...applied,
				...(await othersIn(lists, state, applied, operation)),
			],
		};
	},
});

/** An empty list is taken for a wish only where that is allowed; a missing one never. */
function readList(item: number, operation: OperationContext): Lookup[] {
	const value = operation.context.getNodeParameter('people', item);
	const isEmpty = (Array.isArray(value) && value.length === 0) || value === '';
	if (!isEmpty) return readPeopleField(operation, item);
	if (operation.options.allowEmptying === true) return [];
	throw new InputError(
		'The list of people is empty, which would remove everybody',
		'If this is intended, turn on Allow Emptying the Group under Options.',
	);
}

function listOf(
	list: NamedList & { groupId: string },
	{ access, person }: State,
	{ ids }: OperationContext,
): WantedList {
	const key = ids.key(list.groupId);
	const found = list.people.map(person).flatMap((one) => (one.ok ? one.value.key : []));
	const entries = new Set(found);
	return { ...list, key, entries, others: peopleIn(access, key).filter((id) => !entries.has(id)) };
}

/** All people on the list are members, and no others. */
function wishesOf({ item, group, people, others }: WantedList, heldBack?: string): NamedWish[] {
	return [
		...people.map((reference) => ({ item, reference, hold: [group] })),
		...others.map((id) => ({
			...{ item, reference: { by: 'id' as const, id }, drop: [group] },
			...{ unlisted: true, skipsOtherRole: true, dropsHeldBack: heldBack },
		})),
	];
}

/** Lists of which nothing is sent: two of one group that differ, and empty ones of groups without members. */
function settledLists(lists: readonly WantedList[], state: State): Settled[] {
	const clashes = clashingLists(lists, differentLists);
	return lists.flatMap((list): Settled[] => {
		const { item, groupId, key, people, others } = list;
		const action = `set the members of group ${groupId}`;
		const clash = clashes.get(key);
		if (clash !== undefined) return [{ item, subject: key, outcome: failureOf(action, clash) }];
		// An add or a removal shows whether there is such a group, and whether it shows members.
		return people.length + others.length > 0 ? [] : [withoutMembers(list, action, state)];
	});
}

/** A group that did not show its members before may show others now. */
async function othersIn(
	lists: readonly WantedList[],
	{ access }: State,
	applied: readonly AppliedPart[],
	{ client }: OperationContext,
): Promise<AppliedPart[]> {
	const found: AppliedPart[] = [];
	for (const { item, groupId, key, people } of lists) {
		const known = access.everyMember(groupId);
		if (people.length === 0 || known.told === 'all') continue;
		const own = applied.filter((part) => part.item === item);
		if (own.some(({ outcome }) => isFailure(outcome))) continue;
		const read = await attempt(async () => await client.getGroup(groupId));
		const members = (read.ok ? read.value.members : undefined) ?? [];
		const told = new Set(own.map(({ subject }) => subject));
		const other = members.find(({ id }) => !told.has(id));
		// One that showed members before showed a part of them, and may do so again.
		const isCut = peopleIn(access, key).length > 0;
		if (members.length > 0 && other === undefined && !isCut) continue;
		const error = other
			? new InputError(
					`${shown(other.display ?? other.id)} is in group ${groupId} as well, which did not show its members before`,
					'Run again: it is then removed.',
				)
			: hiddenMembers(groupId, known);
		const outcome = failureOf(`remove everybody else from group ${groupId}`, error);
		const group = access.groups.get(key);
		const result = { intent: 'revoked' as const, ...(group && { group }) };
		found.push({ item, subject: groupId, outcome, result });
	}
	return found;
}

function differentLists(first: WantedList, second: WantedList): InputError {
	return new InputError(
		`Items ${first.item} and ${second.item} want different members of group ${second.groupId}`,
		'Send one list per group. Nothing was changed in this group.',
	);
}
