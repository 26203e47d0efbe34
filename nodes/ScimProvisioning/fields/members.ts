import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Change } from '../road';
import { accessForGroups, membersOf, planNamed } from './accessPlan';
import { readGroupFields } from './group';
import { treatsAsGone } from './ifNotFound';
import { changedMembers } from './membersItem';
import { readPeopleField, type PersonReference } from './person';

export const peopleField: INodeProperties = {
	displayName: 'People',
	name: 'people',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. name@email.com, user-4f2a9c',
	description: 'IDs or e-mails of people, comma-separated, or an expression that gives a list',
};

/** A person whom an item wants in or out of a group. */
export interface NamedMember {
	item: number;
	groupId: string;
	reference: PersonReference;
}

/** The road of Add Members and Remove Members, which differ in the direction alone. */
export function changeOfMembers(
	context: IExecuteFunctions,
	direction: 'hold' | 'drop',
): Change<NamedMember> {
	return {
		collect(item, surroundings) {
			const groupId = readGroupFields(context, item, surroundings);
			return readPeopleField(
				context.getNodeParameter('people', item),
				surroundings.client.profile,
			).map((reference) => ({ item, groupId, reference }));
		},
		async plan(wanted, surroundings) {
			const groupIds = wanted.map(({ groupId }) => groupId);
			const access = await accessForGroups(groupIds, direction === 'drop', surroundings);
			const plan = await planNamed(
				wanted.map(({ item, reference, groupId }) => ({
					item,
					reference,
					hold: () => (direction === 'hold' ? [groupId] : []),
					drop: () => (direction === 'drop' ? [groupId] : []),
					skipsOtherRole: true,
				})),
				access,
				surroundings,
				treatsAsGone(context.getNodeParameter('options', 0, {}) as IDataObject),
			);
			return { plan, access, among: membersOf(groupIds, access, surroundings) };
		},
		output: changedMembers,
	};
}
