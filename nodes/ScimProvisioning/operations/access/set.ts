import type { IExecuteFunctions } from 'n8n-workflow';

import { lossesIn, type Change } from '../../../shared/access/changes';
import { membershipsOf, type GroupReference } from '../../../shared/access/facts';
import { optionsField, previewField } from '../../../shared/run';
import { attemptSync, InputError } from '../../../shared/util';
import { accessItems } from '../../fields/accessItem';
import { idsOf, planNamed, readNamed, type NamedWish } from '../../fields/accessPlan';
import { assignmentFields, isByGroup, readAssignments } from '../../fields/assignments';
import {
	safetyLimitsFields,
	matchUsersByOption,
	peopleField,
	reactivateOption,
} from '../../fields/options';
import { managedGroupsField, readManagedGroups } from '../../fields/groupRows';
import { labelOf, readPeopleField, type Lookup } from '../../fields/person';
import type { State } from '../../fields/state';
import { clashingLists, heldBackBy } from '../../fields/wholeLists';
import { returnOption } from '../../fields/item';
import type { OperationContext } from '../../context';
import { scimWrite } from '../../runWrite';

/** A wish for all that a person has to have. */
type WantedExactly = NamedWish & { hold: GroupReference[] };

/** Makes a person's access exactly a list (mover); the account organization is left alone unless the list names it. */
export const setAccess = scimWrite<WantedExactly>({
	name: 'Set',
	action: 'Set access of users',
	description:
		'Give users exactly these groups or roles. Others are removed, groups only within Only These Groups.',
	fields: [
		peopleField,
		...assignmentFields,
		managedGroupsField,
		previewField,
		...safetyLimitsFields(),
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
			returnOption,
		]),
	],

	items: accessItems,
	plans: { operation: 'set' },
	collect(item, operation) {
		const references = readPeopleField(operation, item);
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
		const bad = new Map([...refused.keys()].map((item) => [item, peopleOf(item, operation)]));
		const managed = isByGroup(context) ? managedOf(context) : undefined;
		const people = [...bad.values()].flat();
		const state = await readNamed(wanted, operation, { people, managed, readsUsers: true });
		const keyOf = (reference: Lookup) => {
			const found = state.person(reference);
			return found.ok ? found.value.key : undefined;
		};
		const unusable = [...bad].flatMap(([item, named]) =>
			named.length === 0 ? { item } : named.map((one) => ({ item, key: keyOf(one) })),
		);
		const heldBack = heldBackBy(unusable, 'nothing');
		const wishes = wanted.map((want) => ({
			...want,
			dropsHeldBack: heldBack(keyOf(want.reference)),
		}));
		const lists = wanted.map(({ item, reference, hold }) => ({
			...{ item, reference, key: keyOf(reference) ?? labelOf(reference) },
			entries: new Set(idsOf(hold, state).map(ids.key)),
		}));
		const clashes = clashingLists(lists, (one, other) =>
			differentLists(one.item, other.item, labelOf(one.reference)),
		);
		const planned = planNamed(wishes, state, operation, {
			faultOf: (_want, { key }) => clashes.get(key),
		});
		return {
			...planned,
			basis: { ...planned.basis, compares: { includes: state.managed.includes, managed } },
			words: { ...planned.words, blockedBy: accountUnknown(planned.changes, operation) },
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
		'Only These Groups is empty',
		'Name the groups that the list is about: names, IDs or patterns with *. Use * for all of them.',
	);
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
	const takes = lossesIn(changes, () => []).some(({ newRole }) => newRole === undefined);
	return takes && accountOrganization === '' && client.profile.groupsAreFixed
		? [
				'The account organization is unknown, so its roles could be removed. Enter the Account Organization ID in the credential.',
			]
		: [];
}

/** The people of an item that cannot be used, as far as they can be read. */
function peopleOf(item: number, operation: OperationContext): Lookup[] {
	return attemptSync(() => readPeopleField(operation, item)) ?? [];
}
