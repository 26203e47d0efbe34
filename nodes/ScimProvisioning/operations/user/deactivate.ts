import type { IDataObject } from 'n8n-workflow';

import { planActive } from '../../../shared/access';
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

/** Sets `active` to false, which on account organizations drops all memberships (docs/interface.md 1.2). */
export const deactivate: Operation = {
	fields: showFor('user', 'deactivate', [
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
			changeOfUsers(context, (wanted, { client }) => planActive(wanted, false, client.profile), {
				asGone: treatsAsGone(options),
			}),
		);
	},
};
