import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { AppliedPart } from '../../shared/access';
import type { Output } from '../../shared/run';
import { InputError } from '../../shared/util';
import type { OperationContext } from '../context';
import type { ItemForm } from '../planned';
import { simpleGroup } from './group';
import {
	attributeText,
	jsonField,
	readJsonAttributes,
	type CollectedAttributes,
} from './jsonAttributes';
import { statusOf, worstPart } from './userItem';

export const displayNameField: INodeProperties = {
	displayName: 'Display Name',
	name: 'displayName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Designers',
	description: 'Name of the group',
};

/** Attributes of a group beside its name (RFC 7643 section 4.2). */
export const groupAttributeFields: INodeProperties[] = [
	{
		displayName: 'External ID',
		name: 'externalId',
		type: 'string',
		default: '',
		placeholder: 'e.g. HR-DESIGN',
		description: 'Your own ID of the group',
	},
	jsonField('{"description": "Everybody who draws"}'),
];

/** @throws InputError for JSON that does not parse or is no object, for a field that is no text, and for an empty name */
export function readGroupAttributes(fields: IDataObject): CollectedAttributes {
	const { attributes, warnings } = readJsonAttributes(fields.attributesJson, ['members']);
	for (const name of ['displayName', 'externalId']) {
		const value = fields[name];
		if (value !== undefined && value !== null) attributes[name] = attributeText(name, value);
	}
	if ('displayName' in attributes) {
		attributes.displayName = attributeText('displayName', attributes.displayName).trim();
		if (attributes.displayName === '') {
			throw new InputError('The display name is missing', 'Enter the name of the group.');
		}
	}
	return { attributes, warnings };
}

/** The items of an operation that changes groups: one for each input item. */
function changedGroup(
	parts: readonly AppliedPart[],
	operation: OperationContext,
): Array<Output<AppliedPart>> {
	const part = worstPart(parts);
	if (part === undefined) return [];
	const { outcome, result } = part;
	const seen = outcome.status === 'done' || outcome.status === 'unchanged';
	return [
		{
			parts,
			json: {
				...(result?.group && simpleGroup(result.group, operation)),
				...(result?.intent === 'deleted' && seen && { deleted: true }),
				...statusOf(outcome),
			},
		},
	];
}

/** The fields of an item whose group is not known. */
const NO_GROUP: IDataObject = { id: null, displayName: null };

export function groupItems(): ItemForm {
	return { blank: NO_GROUP, output: changedGroup };
}
