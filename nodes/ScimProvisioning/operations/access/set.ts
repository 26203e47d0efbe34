import type { IExecuteFunctions } from 'n8n-workflow';

import {
	countLosing,
	findClashes,
	lossesIn,
	membershipsOf,
	nameOf,
	type Change,
	type GroupReference,
} from '../../../shared/access';
import { optionsField, previewField } from '../../../shared/run';
import { attemptSync, InputError } from '../../../shared/util';
import { accessItems } from '../../fields/accessItem';
import { idsOf, planNamed, readNamed, type NamedWish } from '../../fields/accessPlan';
import { assignmentFields, isByGroup, readAssignments } from '../../fields/assignments';
import { safetyLimitsOption } from '../../fields/guards';
import { managedGroupsField, readManagedGroups } from '../../fields/managedGroups';
import { matchUsersByOption } from '../../fields/matchUsers';
import { peopleField } from '../../fields/members';
import type { Person } from '../../fields/people';
import { readPeopleField, type PersonReference } from '../../fields/person';
import { reactivateOption } from '../../fields/reactivate';
import type { State } from '../../fields/state';
import { writeOptions } from '../../fields/writeOptions';
import type { OperationContext } from '../../context';
import { scimWrite } from '../../runWrite';

/** A wish for all that a person has to have. */
type WantedExactly = NamedWish & { hold: GroupReference[] };

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
		return references.map((reference) => ({
			...{ item, reference, hold },
			drop: ({ id = '' }, state) => surplus(hold, id, state, operation),
		}));
	},
	async plan(wanted, operation, refused) {
		const { context, ids } = operation;
		if (!isByGroup(context)) ids.requirePattern();
		const bad = [...refused.keys()].map((item) => ({ item, people: peopleOf(item, operation) }));
		const managed = isByGroup(context) ? managedOf(context) : undefined;
		const people = bad.flatMap((one) => one.people);
		const state = await readNamed(wanted, operation, { people, managed, readsUsers: true });
		const planned = planNamed(wanted, state, operation, {
			faultOf: clashingLists(wanted, state, operation),
			heldBack: heldBackBy(bad, state),
		});
		return {
			...planned,
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

/** Two items that want different access for one person fail both. */
function clashingLists(
	wanted: readonly WantedExactly[],
	state: State,
	{ ids }: OperationContext,
): (want: WantedExactly, person: Person) => InputError | undefined {
	const claims = wanted.flatMap(({ item, reference, hold }) => {
		const found = state.person(reference);
		const groups = new Set(hold.map(state.group).map((one) => (one.ok ? ids.key(one.value) : '')));
		return found.ok ? [{ item, person: found.value, groups }] : [];
	});
	const clashes = findClashes(
		claims,
		({ person }) => [person.key],
		(one, other) =>
			one.groups.size !== other.groups.size ||
			[...one.groups].some((key) => !other.groups.has(key)),
		(one, other) => differentLists(one.item, other.item, nameOf(one.person)),
	);
	return (_want, { key }) => clashes.get(key);
}

/** An item that cannot be used blocks every removal from the people it names, or from everybody when it names nobody. */
function heldBackBy(
	bad: ReadonlyArray<{ item: number; people: readonly PersonReference[] }>,
	state: State,
): (person: Person) => string | undefined {
	const items = new Map<string, number>();
	let ofAll: number | undefined;
	for (const { item, people } of bad) {
		if (people.length === 0) ofAll ??= item;
		for (const reference of people) {
			const found = state.person(reference);
			if (found.ok) items.set(found.value.key, item);
			else ofAll ??= item;
		}
	}
	return ({ key }) => {
		const item = items.get(key) ?? ofAll;
		return item === undefined ? undefined : `nothing is removed while item ${item} cannot be used`;
	};
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
	state: State,
	{ context, ids, accountOrganization }: OperationContext,
): string[] {
	const { access, managed } = state;
	const byGroup = isByGroup(context);
	const wanted = idsOf(hold, state);
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

/** The people whom an item names that cannot be used, as far as they can be read. */
function peopleOf(item: number, operation: OperationContext): PersonReference[] {
	const read = () => readPeopleField(operation.context.getNodeParameter('people', item), operation);
	return attemptSync(read) ?? [];
}
