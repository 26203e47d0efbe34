import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { parameterText } from '../../shared/run';
import { attribute } from '../../shared/scim';
import { InputError, isDeepEqual, listIn, shown } from '../../shared/util';
import { rowsField, rowsOfField } from './rows';

/** A field with one row per group: names may hold commas, so a list is never one text. */
export function groupRowsField(
	field: Parameters<typeof rowsField>[2],
	placeholder: string,
): INodeProperties {
	const group: INodeProperties = {
		displayName: 'Group',
		name: 'group',
		type: 'string',
		default: '',
		placeholder,
		description: 'A name or ID, or an expression that returns a list of them',
	};
	return rowsField('Group', [group], { noDataExpression: true, ...field });
}

/**
 * The entries of such a field.
 * @throws InputError for a row that is empty, or neither text nor a list
 */
export function readGroupRows(value: unknown, name: string): string[] {
	return rowsOfField(value, 'group').flatMap((row, index) => {
		const entry = attribute(row, 'group');
		const texts = (listIn(entry, name) ?? [entry]).map(parameterText);
		if (!texts.includes('') && texts.length > 0) return texts;
		throw new InputError(
			`Row ${index + 1} of ${name} is empty`,
			'Enter the name or ID of a group, or remove the row. Nothing was sent.',
		);
	});
}

/**
 * The entries of such a field that counts for the whole run.
 * @param field its names: of the parameter, or of the option, and as people see it
 * @throws InputError as `readGroupRows` does, for an option without entries, and where items give different ones
 */
export function readRunRows(
	context: IExecuteFunctions,
	{ name, displayName, isOption }: { name: string; displayName: string; isOption: boolean },
): string[] {
	const valueOf = (item: number) =>
		isOption
			? (context.getNodeParameter('options', item, {}) as IDataObject)[name]
			: context.getNodeParameter(name, item, {});
	const all = context.getInputData().map((_, item) => {
		const value = valueOf(item);
		const rows = readGroupRows(value ?? {}, displayName);
		if (!isOption || value === undefined || rows.length > 0) return rows;
		// n8n itself empties an option that it cannot read, and without it more would be changed.
		throw new InputError(
			`${displayName} is empty`,
			'Add a row for each group, or remove the option. Nothing was sent.',
		);
	});
	const [first = []] = all;
	const other = all.findIndex((rows) => !isDeepEqual(rows, first));
	if (other === -1) return first;
	const [one, another] = [first, all[other]].map((rows) => shown(rows.join(', ')) || 'empty');
	throw new InputError(
		`${displayName} is ${one} for item 0 and ${another} for item ${other}`,
		'It counts for all items of a run: enter the same for each, or run the node once for each. Nothing was sent.',
	);
}
