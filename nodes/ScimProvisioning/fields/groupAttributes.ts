import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { changeOf, type AppliedPart, type Change } from '../../shared/access/changes';
import type { Output } from '../../shared/run';
import { InputError } from '../../shared/util';
import type { OperationContext } from '../context';
import type { Guarded, ItemForm } from '../planned';
import { groupName, simpleGroup } from './group';
import { HEAD, isMade, kindOfPart, sentenceOf, statusOf, WORDS, worstPart } from './item';
import {
	attributeText,
	jsonField,
	readJsonAttributes,
	type CollectedAttributes,
} from './jsonAttributes';

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
	plan: Guarded,
): Array<Output<AppliedPart>> {
	const part = worstPart(parts);
	if (part === undefined) return [];
	const { outcome, result } = part;
	const change = changeOf(part, plan);
	const kind = kindOfPart(part, change);
	const shown = result?.group
		? simpleGroup(result.group, operation)
		: groupBefore(change, operation, plan);
	const who = shown && `Group ${String(shown.displayName)}`;
	const words = kind === 'none' ? undefined : WORDS[kind];
	const head = {
		...{ change: isMade(outcome) ? kind : 'none', group: shown?.displayName ?? null },
		...{ ...statusOf(outcome), text: sentenceOf(who, words, outcome) },
	};
	return [{ parts, json: { ...NO_GROUP, ...shown, ...head } }];
}

/** A group that is deleted, or was not seen again, as it was called. */
function groupBefore(
	change: Change | undefined,
	operation: OperationContext,
	{ access }: Guarded,
): IDataObject | undefined {
	const { groupId = undefined } = change?.about === 'group' ? change : {};
	const group = groupId === undefined ? undefined : access?.groups.get(operation.ids.key(groupId));
	return group && groupName(group, operation);
}

/** The fields of an item whose group is not known. */
const NO_GROUP: IDataObject = { ...HEAD, id: null, displayName: null };

export function groupItems(): ItemForm {
	return { blank: () => NO_GROUP, output: changedGroup };
}

/** The same of Delete, with n8n's sign of a deletion. */
export function deletedGroupItems(): ItemForm {
	return {
		blank: () => ({ ...NO_GROUP, deleted: false }),
		output: (parts, operation, plan) =>
			changedGroup(parts, operation, plan).map(({ json, parts: own }) => ({
				parts: own,
				json: { ...json, deleted: own.some(isGone) },
			})),
	};
}

function isGone({ outcome: { status }, result }: AppliedPart): boolean {
	return result?.intent === 'deleted' && (status === 'done' || status === 'unchanged');
}
