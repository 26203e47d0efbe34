import { InputError } from '../../../shared/util';
import { deactivates } from '../../../shared/access/changes';
import { planNamed, type NamedWish } from '../../fields/accessPlan';
import {
	attributesField,
	otherAttributeFields,
	readMappedAttributes,
} from '../../fields/attributeMapper';
import { emptyCellsOption, readEmptyCells } from '../../fields/emptyCells';
import { allowPermanentRemoval, safetyLimitsField } from '../../fields/safetyLimits';
import { type Attributes, replaceAttributes } from '../../../shared/scim';
import { optionsField, previewField } from '../../../shared/run';
import { matchUsersByOption } from '../../fields/matchUsers';
import {
	accessValuesField,
	changedUserAndValues,
	hasValues,
	readAccessValues,
} from '../../fields/accessValues';
import { readUserField, userField } from '../../fields/person';
import { readPeople } from '../../fields/state';
import { noUser } from '../../fields/userItem';
import type { OperationContext } from '../../context';
import { scimWrite } from '../../runWrite';

/** PATCH (RFC 7644 section 3.5.2) or PUT (section 3.5.1) of the attributes that are given. */
export const update = scimWrite<NamedWish>({
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
		safetyLimitsField(allowPermanentRemoval),
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
		]),
	],
	items: () => ({ blank: noUser, output: changedUserAndValues }),
	collect(item, operation) {
		const { context, client, requireUndoable } = operation;
		const { profile } = client;
		const emptyCells = readEmptyCells(context);
		const collected = readMappedAttributes(context, item, 'updateFields', profile, emptyCells);
		const { attributes, warnings } = collected;
		const values = readAccessValues(context, item, attributes, profile);
		if (!hasAttributes(attributes) && !hasValues(values)) {
			throw new InputError(
				'There is nothing to update',
				'Enter at least one value under Attributes, a field under Update Fields, or one under Access Values.',
			);
		}
		const path = Object.keys(attributes).find((name) => name.includes('['));
		if (sendsWhole(operation) && path !== undefined) {
			throw new InputError(
				`${path} chooses among values, which Whole User (PUT) cannot`,
				'Set Update With to Changed Fields (PATCH), or give the whole list.',
			);
		}
		requireUndoable(deactivates(attributes) ? 'deactivate' : undefined);
		const reference = readUserField(context, item, operation);
		return [
			{ item, reference, values, warnings, ...(hasAttributes(attributes) && { attributes }) },
		];
	},
	async plan(wanted, operation) {
		const references = wanted.map(({ reference }) => reference);
		const taken = new Map(
			wanted.map(({ reference, values }) => [
				reference,
				(values?.remove ?? []).map((one) => one.attribute),
			]),
		);
		const state = await readPeople(references, operation, {
			isWhole: true,
			takesFrom: (reference) => taken.get(reference) ?? [],
		});
		const { readAt } = state.access;
		return {
			...planNamed(wanted, state, operation, {
				...{ verb: 'change user', membersOnly: true },
				...(sendsWhole(operation) && { replacesAsRead: readAt }),
			}),
			access: undefined,
		};
	},
});

function sendsWhole({ options }: OperationContext): boolean {
	return options.updateWith === 'put';
}

function hasAttributes(attributes: Attributes): boolean {
	return replaceAttributes(attributes).length > 0;
}
