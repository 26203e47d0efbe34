import type { INodeProperties } from 'n8n-workflow';

import { parameterText } from '../../shared/run';
import { attribute } from '../../shared/scim';
import { InputError, parseJson } from '../../shared/util';

/** A field with one row per group: names may hold commas, so a list is never one text. */
export function groupRowsField(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description'> & Partial<INodeProperties>,
	placeholder: string,
): INodeProperties {
	return {
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Group',
		default: {},
		options: [
			{
				displayName: 'Group',
				name: 'group',
				values: [
					{
						displayName: 'Group',
						name: 'group',
						type: 'string',
						default: '',
						placeholder,
						description: 'A name or ID, or an expression that gives a list of them',
					},
				],
			},
		],
		...field,
	};
}

/**
 * The entries of such a field, or of a list that an expression or agent gave in its place.
 * @param name of the field, for the error
 * @throws InputError for a row that is empty, or neither text nor a list
 */
export function readGroupRows(value: unknown, name: string): string[] {
	const rows = Array.isArray(value) ? (value as unknown[]) : (attribute(value, 'group') ?? []);
	return (Array.isArray(rows) ? rows : [rows]).flatMap((row: unknown, index) => {
		const entry = attribute(row, 'group') ?? row;
		const list =
			typeof entry === 'string' && entry.trim().startsWith('[') ? parseJson(entry) : entry;
		const texts = (Array.isArray(list) ? (list as unknown[]) : [entry]).map(parameterText);
		if (!texts.includes('') && texts.length > 0) return texts;
		throw new InputError(
			`Row ${index + 1} of ${name} is empty`,
			'Give the name or ID of a group, or remove the row. Nothing was sent.',
		);
	});
}
