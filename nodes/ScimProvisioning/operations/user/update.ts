import { InputError } from '../../../shared/util';
import { planPatches, planReplacements } from '../../../shared/access';
import {
	attributesField,
	otherAttributeFields,
	readMappedAttributes,
} from '../../fields/attributeMapper';
import { emptyCellsOption, readEmptyCells } from '../../fields/emptyCells';
import { allowPermanentRemoval, safetyLimitsOption } from '../../fields/guards';
import { type Attributes, replaceAttributes } from '../../../shared/scim';
import { optionsField, previewField } from '../../../shared/run';
import { matchUsersByOption } from '../../fields/matchUsers';
import {
	accessValuesField,
	changedUserAndValues,
	hasValues,
	readAccessValues,
	withoutContradictions,
	withValues,
} from '../../fields/accessValues';
import { userField } from '../../fields/person';
import { NO_USER } from '../../fields/userItem';
import { writeOptions } from '../../fields/writeOptions';
import type { OperationContext } from '../../context';
import { scimWrite } from '../../runWrite';
import { changeOfUsers } from './changeOfUser';

/** PATCH (RFC 7644 section 3.5.2) or PUT (section 3.5.1) of the attributes that are given. */
export const update = scimWrite({
	name: 'Update',
	action: 'Update user',
	description: 'Update the attributes of a user',
	fields: [
		userField,
		attributesField('getUserAttributes'),
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: otherAttributeFields,
		},
		accessValuesField,
		previewField,
		optionsField([
			emptyCellsOption,
			{
				displayName: 'Update With',
				name: 'updateWith',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'Changed Fields (PATCH)',
						value: 'patch',
						description: 'Send only the attributes that you set',
					},
					{
						name: 'Whole User (PUT)',
						value: 'put',
						description:
							'Send the whole user. Attributes that the service does not show are cleared.',
					},
				],
				default: 'patch',
				description: 'How to send the change',
			},
			matchUsersByOption,
			safetyLimitsOption(allowPermanentRemoval),
			...writeOptions,
		]),
	],
	items: () => ({ blank: NO_USER, output: changedUserAndValues }),
	...changeOfUsers(
		async (wanted, operation, readAt) => {
			const { profile } = operation.client;
			const { clear, settled } = withoutContradictions(wanted, profile);
			const updated = clear.filter(({ attributes }) => hasAttributes(attributes));
			const made = sendsWhole(operation)
				? planReplacements(updated, profile, readAt)
				: planPatches(updated, profile);
			const all = await withValues(made, clear, operation, readAt);
			return { ...all, settled: [...settled, ...all.settled] };
		},
		{
			collectAttributes(item, operation) {
				const { context, client } = operation;
				const { profile } = client;
				const emptyCells = readEmptyCells(context);
				const collected = readMappedAttributes(context, item, 'updateFields', profile, emptyCells);
				const values = readAccessValues(context, item, collected.attributes, profile);
				if (!hasAttributes(collected.attributes) && !hasValues(values)) {
					throw new InputError(
						'There is nothing to update',
						'Enter at least one value under Attributes, a field under Update Fields, or one under Access Values.',
					);
				}
				const path = Object.keys(collected.attributes).find((name) => name.includes('['));
				if (sendsWhole(operation) && path !== undefined) {
					throw new InputError(
						`${path} chooses among values, which Whole User (PUT) cannot`,
						'Set Update With to Changed Fields (PATCH), or give the whole list.',
					);
				}
				return { ...collected, values };
			},
			needsWhole: true,
		},
	),
});

function sendsWhole({ options }: OperationContext): boolean {
	return options.updateWith === 'put';
}

function hasAttributes(attributes: Attributes): boolean {
	return replaceAttributes(attributes).length > 0;
}
