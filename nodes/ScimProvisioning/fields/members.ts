import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { GroupReference } from '../../shared/access';
import type { ScimWrite } from '../runWrite';
import { changedAccess, NO_CHANGE } from './accessItem';
import { membersOf, planNamed, rulesFor } from './accessPlan';
import { accessExtras } from './accessPreview';
import { readGroupFields } from './group';
import { treatsAsGone } from './ifNotFound';
import { readPeopleField, type PersonReference } from './person';
import { readState } from './state';

export const peopleField: INodeProperties = {
	displayName: 'People',
	name: 'people',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. name@email.com',
	description:
		'Emails, compared with user names, or IDs. Text without @ is an ID. Match Users By changes this.',
	hint: 'Separate several with commas, or use an expression that returns a list',
};

/** A person whom an item wants in or out of a group. */
export interface NamedMember {
	item: number;
	group: GroupReference;
	reference: PersonReference;
}

/** Add Members and Remove Members, which differ in the direction alone. */
export function changeOfMembers(
	context: IExecuteFunctions,
	direction: 'hold' | 'drop',
): ScimWrite<NamedMember> {
	return {
		collect(item, operation) {
			const group = readGroupFields(context, item, operation);
			const people = context.getNodeParameter('people', item);
			return readPeopleField(people, operation).map((reference) => ({
				...{ item, group, reference },
			}));
		},
		async plan(wanted, operation) {
			const groups = wanted.map(({ group }) => group);
			const people = wanted.map(({ reference }) => reference);
			const removes = direction === 'drop';
			const options = context.getNodeParameter('options', 0, {}) as IDataObject;
			const state = await readState({ groups, people, removes }, operation);
			const { access } = state;
			const planned = planNamed(
				wanted.map(({ item, reference, group }) => ({
					...{ item, reference, hold: [], drop: [], skipsOtherRole: true },
					[direction]: [group],
				})),
				state,
				rulesFor(access, operation, { reactivate: options.reactivate === true, membersOnly: true }),
				{ asGone: treatsAsGone(options), itemByItem: true },
			);
			const groupIds = groups.map(state.group).flatMap((group) => (group.ok ? group.value : []));
			return accessExtras(
				removes ? 'removeMembers' : 'addMembers',
				{ ...planned, among: membersOf(groupIds, access, operation) },
				operation,
			);
		},
		blank: NO_CHANGE,
		output: changedAccess,
	};
}
