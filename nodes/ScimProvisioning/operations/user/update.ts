import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/util';
import { planPatches, planReplacements } from '../../../shared/access';
import { allowPermanentRemoval, safetyLimitsOption } from '../../fields/guards';
import { replaceAttributes } from '../../../shared/scim';
import { type Operation, optionsField, previewField, showFor } from '../../../shared/run';
import { matchUsersByOption } from '../../fields/matchUsers';
import { userField } from '../../fields/person';
import { readUserAttributes, userAttributeFields } from '../../fields/userAttributes';
import { NO_USER } from '../../fields/userItem';
import { writeOptions } from '../../fields/writeOptions';
import { runScimWrite } from '../../runWrite';
import { changeOfUsers } from './changeOfUser';

/** PATCH (RFC 7644 section 3.5.2) or PUT (section 3.5.1) of the attributes that are given. */
export const update: Operation = {
	fields: showFor('user', 'update', [
		userField,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: userAttributeFields,
		},
		previewField,
		optionsField([
			{
				displayName: 'Update With',
				name: 'updateWith',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'Given Fields (PATCH)',
						value: 'patch',
						description: 'Only the given fields are sent',
					},
					{
						name: 'Whole User (PUT)',
						value: 'put',
						description:
							'The whole user is sent. Attributes that the service does not show are cleared.',
					},
				],
				default: 'patch',
				description: 'How the change is sent',
			},
			matchUsersByOption,
			safetyLimitsOption(allowPermanentRemoval),
			...writeOptions,
		]),
	]),

	blank: () => NO_USER,

	async execute(context) {
		const options = context.getNodeParameter('options', 0, {}) as IDataObject;
		const whole = options.updateWith === 'put';
		return await runScimWrite(
			context,
			changeOfUsers(
				context,
				(wanted, { client: { profile } }, readAt) =>
					whole ? planReplacements(wanted, profile, readAt) : planPatches(wanted, profile),
				{
					collectAttributes(item) {
						const collected = readUserAttributes(
							context.getNodeParameter('updateFields', item, {}) as IDataObject,
						);
						if (replaceAttributes(collected.attributes).length === 0) {
							throw new InputError(
								'There is nothing to update',
								'Add at least one field under Update Fields.',
							);
						}
						return collected;
					},
					needsWhole: true,
				},
			),
		);
	},
};
