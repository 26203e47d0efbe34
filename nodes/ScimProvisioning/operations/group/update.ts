import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/util';
import { planGroupUpdates, type WantedGroupChange } from '../../../shared/access';
import { groupFields, readGroupFields } from '../../fields/group';
import {
	changedGroup,
	displayNameField,
	groupAttributeFields,
	readGroupAttributes,
} from '../../fields/groupAttributes';
import {
	type Operation,
	optionsField,
	previewField,
	requestsOption,
	showFor,
} from '../../../shared/run';
import { runChange } from '../../road';

/** PATCH of the given attributes (RFC 7644 section 3.5.2); members have operations of their own. */
export const update: Operation = {
	fields: showFor('group', 'update', [
		...groupFields,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [displayNameField, ...groupAttributeFields],
		},
		previewField,
		optionsField([requestsOption('concurrency', 'verifyTime')]),
	]),

	execute: async (context) =>
		await runChange<WantedGroupChange>(context, {
			collect(item, surroundings) {
				const groupId = readGroupFields(context, item, surroundings);
				const fields = context.getNodeParameter('updateFields', item, {}) as IDataObject;
				const collected = readGroupAttributes(fields);
				if (Object.keys(collected.attributes).length === 0) {
					throw new InputError(
						'There is nothing to update',
						'Add at least one field under Update Fields.',
					);
				}
				return [{ item, groupId, ...collected }];
			},
			plan: async (wanted, { client }) => ({ plan: planGroupUpdates(wanted, client.profile) }),
			output: changedGroup,
		}),
};
