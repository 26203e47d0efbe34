import type { IExecuteFunctions } from 'n8n-workflow';

import {
	countLosing,
	findClashes,
	lossesIn,
	membershipsOf,
	nameOf,
	whoIs,
	type Change,
	type GroupReference,
	type Settled,
} from '../../../shared/access';
import { failureOf, optionsField, previewField } from '../../../shared/run';
import { attemptSync, InputError } from '../../../shared/util';
import { accessItems } from '../../fields/accessItem';
import { planNamed, type NamedWish } from '../../fields/accessPlan';
import { assignmentFields, isByGroup, readAssignments } from '../../fields/assignments';
import { safetyLimitsOption } from '../../fields/guards';
import { managedGroupsField, readManagedGroups } from '../../fields/managedGroups';
import { matchUsersByOption } from '../../fields/matchUsers';
import { peopleField } from '../../fields/members';
import { readPeopleField, type PersonReference } from '../../fields/person';
import { reactivateOption } from '../../fields/reactivate';
import { readState, type State } from '../../fields/state';
import { writeOptions } from '../../fields/writeOptions';
import type { OperationContext } from '../../context';
import { scimWrite } from '../../runWrite';

/** All that a person has to have. */
interface WantedExactly {
	item: number;
	reference: PersonReference;
	hold: GroupReference[];
}

/** Makes a person's access exactly a list (mover); the account organization is left alone unless the list names it. */
export const setAccess = scimWrite<WantedExactly>({
	name: 'Set',
	action: 'Set access of users',
	description:
		'Give users exactly these groups or roles. Others are removed, groups only within Managed Groups.',
	fields: [
		peopleField,
		...assignmentFields,
		managedGroupsField,
		previewField,
		optionsField([
			{
				displayName: 'Allow Empty',
				name: 'allowEmpty',
				type: 'boolean',
				noDataExpression: true,
				default: false,
				description: 'Whether to allow an expression that returns [], which removes all access',
			},
			matchUsersByOption,
			reactivateOption,
			safetyLimitsOption(),
			...writeOptions,
		]),
	],

	items: accessItems,
	plans: { operation: 'set' },
	collect(item, operation) {
		const people = operation.context.getNodeParameter('people', item);
		const references = readPeopleField(people, operation);
		const whenEmpty = operation.options.allowEmpty === true ? undefined : removesAll;
		const hold = readAssignments(operation.context, item, operation, whenEmpty);
		return references.map((reference) => ({ item, reference, hold }));
	},
	async plan(wanted, operation, refused) {
		if (!isByGroup(operation.context)) operation.ids.requirePattern();
		const bad = [...refused.keys()].map((item) => ({
			item,
			people: peopleOf(operation.context, item, operation),
		}));
		const managed = isByGroup(operation.context) ? managedOf(operation.context) : undefined;
		const state = await readState(
			{
				people: [wanted, ...bad.map(({ people }) => people)].flatMap((list) =>
					list.map((one) => ('reference' in one ? one.reference : one)),
				),
				groups: wanted.flatMap(({ hold }) => hold),
				managed,
				everything: true,
				removes: true,
				readsUsers: true,
			},
			operation,
		);
		const { wishes, settled } = exactly(
			wanted,
			bad,
			state,
			operation,
			isByGroup(operation.context),
		);
		const planned = planNamed(wishes, state, operation);
		return {
			...planned,
			settled: [...settled, ...planned.settled],
			blockedBy: accountUnknown(planned.changes, operation),
			compares: { includes: state.managed.includes, managed },
		};
	},
});

function removesAll(): InputError {
	return new InputError(
		'The list of assignments is empty, which would remove all access',
		'If this is intended, turn on Allow Empty under Options.',
	);
}

/** @throws InputError when none are named: a group such as Everyone must not be taken by accident */
function managedOf(context: IExecuteFunctions): string[] {
	const managed = readManagedGroups(context, false);
	if (managed !== undefined) return managed;
	throw new InputError(
		'Managed Groups is empty',
		'Name the groups that the list is about: names, IDs or patterns with *. Use * for all of them.',
	);
}

/**
 * What everybody has to have and to lose. Two items that want different access for one person fail both. An item that
 * cannot be used blocks every removal from the people it names, or from everybody when it names nobody.
 */
function exactly(
	wanted: readonly WantedExactly[],
	bad: ReadonlyArray<{ item: number; people: readonly PersonReference[] }>,
	state: State,
	operation: OperationContext,
	byGroup: boolean,
): { wishes: NamedWish[]; settled: Settled[] } {
	const heldBack = new Map<string, number>();
	let allHeldBack: number | undefined;
	for (const { item, people } of bad) {
		if (people.length === 0) allHeldBack ??= item;
		for (const reference of people) {
			const found = state.person(reference);
			if (found.ok) heldBack.set(found.value.key, item);
			else allHeldBack ??= item;
		}
	}
	const personOf = ({ reference }: WantedExactly) => {
		const found = state.person(reference);
		return found.ok ? [found.value] : [];
	};
	const clashes = findClashes(
		wanted,
		(want) => personOf(want).map(({ key }) => key),
		(one, other) => !sameGroups(one, other, state, operation),
		(one, other) => differentLists(one.item, other.item, personOf(one).map(nameOf).join()),
	);
	const settled: Settled[] = [];
	const wishes = wanted.flatMap((want): NamedWish[] => {
		const found = state.person(want.reference);
		const clash = found.ok ? clashes.get(found.value.key) : undefined;
		if (found.ok && clash !== undefined) {
			const person = found.value;
			const outcome = failureOf(`set the access of ${nameOf(person)}`, clash);
			const result = { who: whoIs(person) };
			settled.push({ item: want.item, subject: person.key, outcome, result });
			return [];
		}
		const badItem = (found.ok ? heldBack.get(found.value.key) : undefined) ?? allHeldBack;
		return [
			{
				...want,
				drop: ({ id }) => surplus(want.hold, id, state, operation, byGroup),
				...(badItem !== undefined && {
					dropsHeldBack: `nothing is removed while item ${badItem} cannot be used`,
				}),
			},
		];
	});
	return { wishes, settled };
}

function differentLists(first: number, second: number, who: string): InputError {
	return new InputError(
		`Items ${first} and ${second} want different access for ${who}`,
		'Send one list per person. Nothing was changed for this person.',
	);
}

/** Groups that a person has beyond the wanted ones; the account organization only when it is wanted too. */
function surplus(
	hold: readonly GroupReference[],
	userId: string,
	{ access, group, managed }: State,
	{ ids, accountOrganization }: OperationContext,
	byGroup: boolean,
): string[] {
	const wanted = hold.map(group).flatMap((one) => (one.ok ? one.value : []));
	const keys = new Set(wanted.map(ids.key));
	const namesAccount = wanted.some(
		(id) => access.placeOf(id)?.organization === accountOrganization,
	);
	return membershipsOf(access, userId)
		.filter(({ key, groupId }) => !keys.has(key) && managed.includes(groupId))
		.filter(({ organization }) =>
			organization === undefined
				? byGroup
				: organization !== accountOrganization || namesAccount || accountOrganization === '',
		)
		.map(({ groupId }) => groupId);
}

/** Access to the account organization is only safe from being taken when it is known which one that is. */
function accountUnknown(
	changes: readonly Change[],
	{ client, accountOrganization }: OperationContext,
): string[] {
	const takes = countLosing(lossesIn(changes, () => [])) > 0;
	return takes && accountOrganization === '' && client.profile.groupsAreFixed
		? [
				'The account organization is unknown, so its roles could be removed. Enter the Account Organization ID in the credential.',
			]
		: [];
}

function peopleOf(
	context: IExecuteFunctions,
	item: number,
	operation: OperationContext,
): PersonReference[] {
	const read = () => readPeopleField(context.getNodeParameter('people', item), operation);
	return attemptSync(read) ?? [];
}

function sameGroups(
	a: WantedExactly,
	b: WantedExactly,
	{ group }: State,
	{ ids }: OperationContext,
): boolean {
	const keysOf = ({ hold }: WantedExactly) =>
		new Set(hold.map(group).map((one) => (one.ok ? ids.key(one.value) : '')));
	const [one, other] = [keysOf(a), keysOf(b)];
	return one.size === other.size && [...one].every((key) => other.has(key));
}
