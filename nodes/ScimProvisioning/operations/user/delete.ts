import type { IDataObject } from 'n8n-workflow';

import { planDeletions } from '../../../shared/access';
import { safetyLimitsOption } from '../../fields/guards';
import { ifNotFoundOption, treatsAsGone } from '../../fields/ifNotFound';
import {
	type Operation,
	optionsField,
	previewField,
	requestsOption,
	showFor,
} from '../../../shared/run';
import { userField } from '../../fields/person';
import { runScimWrite } from '../../runWrite';
import { changeOfUsers } from './changeOfUser';

/** DELETE /Users/{id} and the look that proves it (RFC 7644 section 3.6). */
export const deleteUser: Operation = {
	fields: showFor('user', 'delete', [
		userField,
		previewField,
		optionsField([
			ifNotFoundOption,
			safetyLimitsOption(),
			requestsOption('concurrency', 'pageSize', 'verifyTime'),
		]),
	]),

	async execute(context) {
		const options = context.getNodeParameter('options', 0, {}) as IDataObject;
		return await runScimWrite(
			context,
			changeOfUsers(context, (wanted, { client }) => planDeletions(wanted, client.profile), {
				asGone: treatsAsGone(options),
			}),
		);
	},
};
