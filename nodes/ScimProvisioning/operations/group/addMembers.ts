import { groupFields } from '../../fields/group';
import { safetyLimitsOption } from '../../fields/guards';
import { changeOfMembers, peopleField } from '../../fields/members';
import {
	type Operation,
	optionsField,
	previewField,
	requestsOption,
	showFor,
} from '../../../shared/run';
import { runScimWrite } from '../../runWrite';

/** Adds people to groups: PATCH with `add` on `members` (RFC 7644 section 3.5.2.1), one request for many items. */
export const addMembers: Operation = {
	fields: showFor('group', 'addMembers', [
		...groupFields,
		peopleField,
		previewField,
		optionsField([safetyLimitsOption(), requestsOption('concurrency', 'pageSize', 'verifyTime')]),
	]),

	execute: async (context) => await runScimWrite(context, changeOfMembers(context, 'hold')),
};
