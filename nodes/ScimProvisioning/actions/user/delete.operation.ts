import type { IDataObject } from 'n8n-workflow';

import { planDeletions } from '../../../shared/provisioning/planUsers';
import { guardOptions } from '../../fields/guards';
import { ifNotFoundOption, treatsAsGone } from '../../fields/ifNotFound';
import {
	optionsField,
	previewField,
	showFor,
	type Operation,
} from '../../../shared/node/operation';
import { userField } from '../../fields/person';
import { runChange } from '../../road';
import { executionOptions } from '../../../shared/node/settings';
import { changeOfUsers } from './changeOfUser';

/** DELETE /Users/{id} and the look that proves it (RFC 7644 section 3.6). */
export const deleteUser: Operation = {
	fields: showFor('user', 'delete', [
		userField,
		previewField,
		optionsField([
			ifNotFoundOption,
			...guardOptions,
			...executionOptions('concurrency', 'maxWait', 'pageSize', 'timeout', 'verifyTime'),
		]),
	]),

	async execute(context) {
		const options = context.getNodeParameter('options', 0, {}) as IDataObject;
		return await runChange(
			context,
			changeOfUsers(context, (wanted, { client }) => planDeletions(wanted, client.profile), {
				asGone: treatsAsGone(options),
			}),
		);
	},
};
