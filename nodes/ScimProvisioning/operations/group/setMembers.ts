import type { IExecuteFunctions } from 'n8n-workflow';

import { attempt, attemptSync, InputError } from '../../../shared/util';
import { failureOf, isFailure, optionsField, partKey, previewField } from '../../../shared/run';
import {
	diff,
	findClashes,
	groupOf,
	hiddenMembers,
	knowsPeopleIn,
	missingMembers,
	peopleIn,
	subjectOf,
	unknownGroup,
	type Access,
	type AppliedPart,
	type Diff,
	type GroupReference,
	type Member,
	type Settled,
	type WantedMember,
	type Wish,
} from '../../../shared/access';
import { accessItems } from '../../fields/accessItem';
import { membersOf, resolveNamed, rulesFor } from '../../fields/accessPlan';
import { groupFields, readGroupFields } from '../../fields/group';
import { safetyLimitsOption } from '../../fields/guards';
import { notFound } from '../../fields/ifNotFound';
import { peopleField } from '../../fields/members';
import { findPeople, type FoundPerson } from '../../fields/people';
import { matchUsersByOption } from '../../fields/matchUsers';
import { readPeopleField, type PersonReference } from '../../fields/person';
import { reactivateOption } from '../../fields/reactivate';
import { findGroupIds, readState, wholeState, type State } from '../../fields/state';
import { writeOptions } from '../../fields/writeOptions';
import type { OperationContext } from '../../context';
import type { Guarded } from '../../planned';
import { scimWrite } from '../../runWrite';

/** The list that an item wants a group to be. */
interface WantedList {
	item: number;
	groupId: string;
	people: PersonReference[];
}

type NamedList = Omit<WantedList, 'groupId'> & { group: GroupReference };

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
						description: 'Send all members. Members that others added in the meantime are removed.',
					},
				],
				default: 'difference',
				description: 'How to send the change',
			},
			reactivateOption,
			safetyLimitsOption(),
			...writeOptions,
		]),
	],

	items: accessItems,
	plans: { operation: 'setMembers' },
	collect: (item, operation) => [
		{
			item,
			group: readGroupFields(operation.context, item, operation),
			people: readList(
				operation.context,
				item,
				operation.options.allowEmptying === true,
				operation,
			),
		},
	],
	async plan(wanted, operation, refused) {
		const state = await readState(
			{
				groups: wanted.map(({ group }) => group),
				people: wanted.flatMap(({ people }) => people),
				everyMember: true,
			},
			operation,
		);
		const { named, settled } = resolveNamed(wanted, state, 'set the members of');
		const bad = await badScope(operation.context, refused, state.access, operation);
		const plan = await planLists(named, bad, state, operation);
		const groupIds = named.map(({ groupId }) => groupId);
		const unseen = named.filter(
			({ groupId, people }) => people.length > 0 && !knowsPeopleIn(state.access, groupId),
		);
		return {
			...plan,
			settled: [...settled, ...plan.settled],
			access: state.access,
			among: membersOf(groupIds, state.access, operation),
			sendsWholeLists: operation.options.replaceWith === 'wholeList',
			conclude: async (applied, made) => [
				...(await lookAgain(applied, wantedInTheEnd(made, operation), operation)),
				...(await lookForOthers(unseen, state.access, applied, operation)),
			],
		};
	},
});

/** An empty list is taken for a wish only where that is allowed; a missing one never. */
function readList(
	context: IExecuteFunctions,
	item: number,
	allowEmptying: boolean,
	operation: OperationContext,
): PersonReference[] {
	const value = context.getNodeParameter('people', item);
	const isEmpty = (Array.isArray(value) && value.length === 0) || value === '';
	if (!isEmpty) return readPeopleField(value, operation);
	if (allowEmptying) return [];
	throw new InputError(
		'The list of people is empty, which would remove everybody',
		'If this is intended, turn on Allow Emptying the Group under Options.',
	);
}

/** The item that cannot be used by the key of its group; by `undefined` when not even its group is known. */
async function badScope(
	context: IExecuteFunctions,
	refused: ReadonlyMap<number, unknown>,
	access: Access,
	operation: OperationContext,
): Promise<Map<string | undefined, number>> {
	const scope = new Map<string | undefined, number>();
	// As the lists find theirs: by all groups where these were read, so that a role always counts.
	const groupsFor = async (reference: GroupReference) =>
		operation.ids.standsFor === 'nothing'
			? await findGroupIds([reference], operation)
			: wholeState({}, access, operation);
	for (const item of refused.keys()) {
		const reference = attemptSync(() => readGroupFields(context, item, operation));
		const found = reference && (await groupsFor(reference)).group(reference);
		scope.set(found?.ok ? operation.ids.key(found.value) : undefined, item);
	}
	return scope;
}

async function planLists(
	wanted: readonly WantedList[],
	bad: Map<string | undefined, number>,
	{ access, person }: State,
	operation: OperationContext,
): Promise<Diff> {
	const { ids } = operation;
	// Whoever is not on the list may be protected by email, so members have to be known as well as people on it.
	const membersOf = (groupId: string): PersonReference[] =>
		peopleIn(access, ids.key(groupId)).map((id) => ({ by: 'id', id }));
	const present = await findPeople(
		wanted.flatMap(({ groupId }) => membersOf(groupId)),
		access,
		operation,
	);
	const find = person;
	const settled: Settled[] = [];
	const lists = new Map<string, { list: WantedList; members: Set<string>; items: number[] }>();
	const named: Array<{ list: WantedList; key: string; members: Set<string> }> = [];
	const wants: Wish[] = [];
	for (const list of wanted) {
		const key = ids.key(list.groupId);
		const members = new Set<string>();
		for (const reference of list.people) {
			const found = find(reference);
			if (found.ok) {
				members.add(found.value.key);
				wants.push({
					item: list.item,
					person: memberOf(found.value),
					hold: [list.groupId],
					drop: [],
				});
			} else {
				// Somebody on the list who cannot be told may be a member already: nobody is removed on such a ground.
				bad.set(key, list.item);
				settled.push(notFound(list.item, reference, found.error));
			}
		}
		const same = lists.get(key);
		same?.items.push(list.item);
		if (same === undefined) lists.set(key, { list, members, items: [list.item] });
		named.push({ list, key, members });
	}
	const clashes = findClashes(
		named,
		({ key }) => [key],
		(one, other) => !sameSet(one.members, other.members),
		(one, other) => differentLists(one.list, other.list),
	);
	for (const [key, { list, members, items }] of lists) {
		const { groupId } = list;
		const action = `set the members of group ${groupId}`;
		const clash = clashes.get(key);
		if (clash !== undefined) {
			const outcome = failureOf(action, clash);
			settled.push(...items.map((item) => ({ item, subject: key, outcome })));
			continue;
		}
		const current = peopleIn(access, key);
		const group = access.groups.get(key);
		// Whoever is added or removed shows whether there is such a group, and whether it shows anybody.
		if (list.people.length + current.length === 0) {
			const isKnown = knowsPeopleIn(access, groupId);
			const fault = group ? hiddenMembers(groupId) : unknownGroup(groupId, { access });
			const outcome = isKnown
				? ({ status: 'unchanged', action } as const)
				: failureOf(action, fault);
			const result = { intent: 'none' as const, ...(group && { group }) };
			settled.push(...items.map((item) => ({ item, subject: key, outcome, result })));
			continue;
		}
		const badItem = bad.get(key) ?? bad.get(undefined);
		for (const id of current) {
			if (members.has(id)) continue;
			const found = present.person({ by: 'id', id });
			// Whoever cannot be read might be protected.
			if (!found.ok) throw found.error;
			const wish = {
				person: memberOf(found.value),
				hold: [],
				drop: [groupId],
				unlisted: true,
				skipsOtherRole: true,
				...(badItem !== undefined && {
					dropsHeldBack: `nobody is removed while item ${badItem} cannot be used`,
				}),
			};
			wants.push(...items.map((item) => ({ item, ...wish })));
		}
	}
	const plan = diff(
		wants.filter(
			({ hold }) => !hold.some((one) => typeof one === 'string' && clashes.has(ids.key(one))),
		),
		rulesFor(access, operation, { membersOnly: true }),
	);
	return { ...plan, settled: [...settled, ...plan.settled] };
}

function memberOf({ key, id, userName }: FoundPerson): Member {
	return { key, id, ...(userName !== undefined && { userName }) };
}

type WantedInTheEnd = Map<string, WantedMember>;

/** What the groups have to show in the end, where one whole list can take from another what was seen there before. */
function wantedInTheEnd(
	{ schedule, settled }: Guarded,
	{ client, ids }: OperationContext,
): WantedInTheEnd {
	const wanted: WantedInTheEnd = new Map();
	if (!client.profile.addMovesWithinOrganization) return wanted;
	const requests = schedule.rounds.flat();
	const lists = new Map<string | undefined, number>();
	for (const request of requests) {
		const organization = groupOf(request)?.organization;
		if (request.isWhole === true) lists.set(organization, (lists.get(organization) ?? 0) + 1);
	}
	const touched = new Set<string>();
	for (const request of requests) {
		const group = groupOf(request);
		if (group === undefined || (lists.get(group.organization) ?? 0) < 2) continue;
		const { groupId } = group;
		touched.add(group.key);
		for (const { change, gives = false } of request.entries) {
			const subject = subjectOf(change);
			for (const item of change.items)
				wanted.set(partKey({ item, subject }), { groupId, id: subject, gives });
		}
	}
	for (const { outcome, result, ...part } of settled) {
		const groupId = result?.group?.id ?? '';
		if (outcome.status !== 'unchanged' || !touched.has(ids.key(groupId))) continue;
		wanted.set(partKey(part), { groupId, id: part.subject, gives: true });
	}
	return wanted;
}

/** Looks at all groups once more when the last list was sent: nothing counts as done that is not so by then. */
async function lookAgain(
	applied: AppliedPart[],
	wanted: WantedInTheEnd,
	{ client, reader, ids, settings }: OperationContext,
): Promise<AppliedPart[]> {
	const isOpen = ({ outcome }: AppliedPart) => !isFailure(outcome) && outcome.status !== 'skipped';
	const looked = new Map(
		applied.filter(isOpen).flatMap((part) => {
			const one = wanted.get(partKey(part));
			return one === undefined ? [] : [[part, one] as const];
		}),
	);
	if (looked.size === 0) return applied;
	const { concurrency } = settings;
	const means = { client, reader, ids, concurrency };
	const missing = await missingMembers([...looked.values()], means);
	return applied.map((part): AppliedPart => {
		const one = looked.get(part);
		const why = one && missing.get(one);
		if (why === undefined) return part;
		return { ...part, outcome: { ...part.outcome, status: 'unverified', ...why } };
	});
}

/** Where a group did not show its members before, whoever else is in it may show now. */
async function lookForOthers(
	lists: readonly WantedList[],
	access: Access,
	applied: readonly AppliedPart[],
	{ client, ids }: OperationContext,
): Promise<AppliedPart[]> {
	const others: AppliedPart[] = [];
	for (const { item, groupId } of lists) {
		const own = applied.filter((part) => part.item === item);
		if (own.some(({ outcome }) => isFailure(outcome))) continue;
		const wanted = new Set(own.map(({ subject }) => subject));
		const read = await attempt(async () => await client.getGroup(groupId));
		const members = read.ok ? read.value.members : undefined;
		const stranger = members?.find(({ id }) => !wanted.has(id));
		if (stranger === undefined && (members ?? []).length > 0) continue;
		const error =
			stranger === undefined
				? hiddenMembers(groupId)
				: new InputError(
						`${stranger.display ?? stranger.id} is in group ${groupId} as well, which did not show its members before`,
						'Run again: it is then removed.',
					);
		const outcome = failureOf(`remove everybody else from group ${groupId}`, error);
		const group = access.groups.get(ids.key(groupId));
		const result = { intent: 'revoked' as const, ...(group && { group }) };
		others.push({ item, subject: groupId, outcome, result });
	}
	return others;
}

function differentLists(first: WantedList, second: WantedList): InputError {
	return new InputError(
		`Items ${first.item} and ${second.item} want different members of group ${second.groupId}`,
		'Send one list per group. Nothing was changed in this group.',
	);
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
	return a.size === b.size && [...a].every((entry) => b.has(entry));
}
