import type { INodeProperties } from 'n8n-workflow';

import { optionsField, previewField, showFor, type Operation } from '../../../shared/run';
import { groupFields } from '../../fields/group';
import { safetyLimitsOption } from '../../fields/guards';
import { changeOfMembers, peopleField } from '../../fields/members';
import { matchUsersByOption } from '../../fields/matchUsers';
import { writeOptions } from '../../fields/writeOptions';
import { runScimWrite } from '../../runWrite';

/** Add Members and Remove Members, which differ in the direction. @param options those of one alone */
export function membersOperation(
	name: 'addMembers' | 'removeMembers',
	direction: 'hold' | 'drop',
	options: INodeProperties[] = [],
): Operation {
	return {
		fields: showFor('group', name, [
			...groupFields,
			peopleField,
			previewField,
			optionsField([...options, matchUsersByOption, safetyLimitsOption(), ...writeOptions]),
		]),
		execute: async (context) => await runScimWrite(context, changeOfMembers(context, direction)),
	};
}
