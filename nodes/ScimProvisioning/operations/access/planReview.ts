import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import {
	membershipsOf,
	peopleIn,
	type Access,
	type GroupReference,
} from '../../../shared/access/facts';
import { optionsField } from '../../../shared/run';
import { accessItems } from '../../fields/accessItem';
import {
	membersOf,
	planNamed,
	readNamed,
	resolveNamed,
	type NamedWish,
} from '../../fields/accessPlan';
import { groupFields, readGroupFields } from '../../fields/group';
import { matchUsersByOption, safetyLimitsFields } from '../../fields/options';
import type { KnownPerson } from '../../fields/people';
import { readUserField, userField, type Lookup } from '../../fields/person';
import { readState } from '../../fields/state';
import { withoutMembers } from '../../fields/wholeLists';
import type { OperationContext } from '../../context';
import type { Planned } from '../../../shared/access/write';
import { scimWrite } from '../../runWrite';

/** What one item asks about. */
type Reviewed = { item: number } & (
	{ by: 'group'; group: GroupReference } | { by: 'user'; reference: Lookup }
);

/** Plans the removal of everybody in a group, or of all that a user has, of which Apply Plan makes what is ticked in its form. */
export const planReview = scimWrite<Reviewed>({
	name: 'Plan Review',
	action: 'Plan access review',
	description: 'Make a form that asks who should leave a group, or what a user should lose',
	onlyPlans: true,
	fields: [
		{
			displayName: 'Review',
			name: 'reviewOf',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Group', value: 'group', description: 'Who is in a group' },
				{ name: 'User', value: 'user', description: 'What a user has, in groups and of its own' },
			],
			default: 'group',
			description: 'What is reviewed',
		},
		...groupFields.map((field) => shownFor('group', field)),
		shownFor('user', userField),
		...safetyLimitsFields(),
		optionsField([matchUsersByOption]),
	],

	items: accessItems,
	plans: { operation: 'planReview' },
	collect: (item, operation) => [
		isOfUser(operation.context)
			? { item, by: 'user', reference: readUserField(operation.context, item, operation) }
			: { item, by: 'group', group: readGroupFields(operation.context, item, operation) },
	],
	async plan(wanted, operation) {
		const planned = isOfUser(operation.context)
			? await planUsers(wanted, operation)
			: await planGroups(wanted, operation);
		const { words } = planned;
		const summary = { unusable: [], ...words?.summary, said: [ONLY_TICKED] };
		return { ...planned, words: { ...words, summary }, settings: { review: true } };
	},
});

const ONLY_TICKED = 'Only what is ticked in the form is removed.';

function shownFor(of: string, field: INodeProperties): INodeProperties {
	const show = { reviewOf: [of], ...field.displayOptions?.show };
	return { ...field, displayOptions: { show } };
}

function isOfUser(context: IExecuteFunctions): boolean {
	return context.getNodeParameter('reviewOf', 0) === 'user';
}

/** Everybody leaves. */
async function planGroups(
	wanted: readonly Reviewed[],
	operation: OperationContext,
): Promise<Planned> {
	const asked = wanted.flatMap((want) => (want.by === 'group' ? [want] : []));
	const groups = asked.map(({ group }) => group);
	const state = await readState({ groups, people: [], everyMember: true }, operation);
	const { access } = state;
	const { named, settled } = resolveNamed(asked, state, 'review');
	const lists = named.map(({ item, group, groupId }) => {
		const key = operation.ids.key(groupId);
		return { item, group, groupId, key, members: peopleIn(access, key) };
	});
	const wishes = lists.flatMap(({ item, group, members }) =>
		members.map((id): NamedWish => {
			const reference = { by: 'id' as const, id };
			return { item, reference, drop: [group], unlisted: true, skipsOtherRole: true };
		}),
	);
	const planned = planNamed(wishes, state, operation, { membersOnly: true });
	const empty = lists.flatMap(({ members, ...list }) =>
		members.length > 0 ? [] : withoutMembers(list, `review group ${list.groupId}`, state),
	);
	const groupIds = named.map(({ groupId }) => groupId);
	return {
		...planned,
		settled: [...settled, ...empty, ...planned.settled],
		basis: { ...planned.basis, among: membersOf(groupIds, access, operation) },
	};
}

/** All that users have goes, values included. */
async function planUsers(
	wanted: readonly Reviewed[],
	operation: OperationContext,
): Promise<Planned> {
	const wishes = wanted.flatMap((want): NamedWish[] =>
		want.by === 'user' ? [{ item: want.item, reference: want.reference, drop: allOf }] : [],
	);
	const state = await readNamed(wishes, operation, { readsUsers: true });
	return planNamed(wishes, state, operation, { verb: 'review' });
}

function allOf({ id = '' }: KnownPerson, { access }: { access: Access }) {
	const held = membershipsOf(access, id).map(({ groupId }) => groupId);
	return [...held, ...(access.values.get(id) ?? [])];
}
