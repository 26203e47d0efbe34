import { attempt, InputError, momentOf } from '../../../shared/util';
import {
	deactivates,
	planPatches,
	planReplacements,
	protectedPerson,
	type Settled,
} from '../../../shared/access';
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
	type WantedValues,
} from '../../fields/accessValues';
import { notFound } from '../../fields/ifNotFound';
import type { CollectedAttributes } from '../../fields/jsonAttributes';
import { lookUp } from '../../fields/people';
import { labelOf, readUserField, userField, type PersonReference } from '../../fields/person';
import { noUser } from '../../fields/userItem';
import { writeOptions } from '../../fields/writeOptions';
import type { OperationContext } from '../../context';
import { scimWrite } from '../../runWrite';

/** What an item wants of a user who is there. */
interface NamedUpdate extends CollectedAttributes, Pick<WantedValues, 'values'> {
	item: number;
	reference: PersonReference;
}

/** PATCH (RFC 7644 section 3.5.2) or PUT (section 3.5.1) of the attributes that are given. */
export const update = scimWrite<NamedUpdate>({
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
	items: () => ({ blank: noUser, output: changedUserAndValues }),
	collect(item, operation) {
		const { context, client, requireUndoable } = operation;
		const { profile } = client;
		const emptyCells = readEmptyCells(context);
		const collected = readMappedAttributes(context, item, 'updateFields', profile, emptyCells);
		const { attributes } = collected;
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
		return [{ item, reference: readUserField(context, item, operation), ...collected, values }];
	},
	async plan(wanted, operation) {
		const { profile, patience } = operation.client;
		const readAt = momentOf(patience);
		const { known, unknown } = await findUsers(wanted, operation);
		const { clear, settled } = withoutContradictions(known, profile);
		const updated = clear.filter(({ attributes }) => hasAttributes(attributes));
		const made = sendsWhole(operation)
			? planReplacements(updated, profile, readAt)
			: planPatches(updated, profile);
		const all = await withValues(made, clear, operation, readAt);
		return { ...all, settled: [...unknown, ...settled, ...all.settled] };
	},
});

/** The users of items, whole, as a list may not show them; an item whose user cannot be found fails alone. */
async function findUsers(
	wanted: readonly NamedUpdate[],
	operation: OperationContext,
): Promise<{ known: WantedValues[]; unknown: Settled[] }> {
	const references = wanted.map(({ reference }) => reference);
	const find = await lookUp(references, operation, true);
	const known: WantedValues[] = [];
	const unknown: Settled[] = [];
	for (const change of wanted) {
		const label = labelOf(change.reference);
		const user = await attempt(() => {
			const current = find(change.reference);
			const { id, userName } = current;
			if (operation.isProtected({ key: id, id, userName })) throw protectedPerson(label);
			return { person: { id, userName }, current };
		});
		if (user.ok) known.push({ ...change, label, ...user.value });
		else unknown.push(notFound(change.item, change.reference, user.error, `change user ${label}`));
	}
	return { known, unknown };
}

function sendsWhole({ options }: OperationContext): boolean {
	return options.updateWith === 'put';
}

function hasAttributes(attributes: Attributes): boolean {
	return replaceAttributes(attributes).length > 0;
}
