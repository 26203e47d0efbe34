import { groupFields } from '../../fields/group';
import { safetyLimitsOption } from '../../fields/guards';
import { ifNotFoundOption } from '../../fields/ifNotFound';
import { changeOfMembers, peopleField } from '../../fields/members';
import {
	type Operation,
	optionsField,
	previewField,
	requestsOption,
	showFor,
} from '../../../shared/run';
import { runScimWrite } from '../../runWrite';

/** Removes people from groups, if they are in that very group (docs/interface.md 2.3: removal is role-blind). */
export const removeMembers: Operation = {
	fields: showFor('group', 'removeMembers', [
		...groupFields,
		peopleField,
		previewField,
		optionsField([
			ifNotFoundOption,
			safetyLimitsOption(),
			requestsOption('concurrency', 'pageSize', 'verifyTime'),
		]),
	]),

	execute: async (context) => await runScimWrite(context, changeOfMembers(context, 'drop')),
};
