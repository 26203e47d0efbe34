import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { parameterText } from '../../shared/run';
import { attribute } from '../../shared/scim';
import { InputError, isDeepEqual, listIn, shown } from '../../shared/util';
import {
	ALL_GROUPS,
	selectGroups,
	type Access,
	type GroupSelection,
} from '../../shared/access/facts';
import type { OperationContext } from '../context';
import { rowsField, rowsOfField } from './rows';

/** Makes a field with one row per group: names may hold commas, so a list is never one text. */
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
 * Reads the entries of a field with one row per group.
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
 * Reads the entries of a field with one row per group that counts for the whole run.
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

const managed = {
	displayName: 'Managed Groups',
	name: 'managedGroups',
	description:
		'Groups that may be changed: names, IDs or patterns with *. All others are left alone.',
};

/** Which groups may be given and taken. */
export const managedGroupsOption: INodeProperties = groupRowsField(managed, 'e.g. app-*');

/** The groups that may be changed, required where everything else in them is taken away. */
export const managedGroupsField: INodeProperties = {
	...managedGroupsOption,
	description:
		'Groups that Set may change: name the assigned ones, too. Names, IDs or patterns; * means all.',
	required: true,
	displayOptions: { show: { accessBy: ['group'] } },
};

/** Reads which groups may be changed; undefined for all. @throws InputError as `readRunRows` does */
export function readManagedGroups(
	context: IExecuteFunctions,
	isOption: boolean,
): string[] | undefined {
	const entries = readRunRows(context, { ...managed, isOption });
	return entries.length === 0 ? undefined : entries;
}

const kept = {
	displayName: 'Keep Memberships In',
	name: 'keepMembershipsIn',
	description: 'Groups that people stay in: names, IDs or patterns with *',
};

/** Which memberships of a leaver stay. */
export const keepMembershipsOption: INodeProperties = groupRowsField(kept, 'e.g. archive-*');

/** Reads the groups that people stay in. @throws InputError as `readRunRows` does */
export function readKeepMembershipsIn(context: IExecuteFunctions): string[] {
	return readRunRows(context, { ...kept, isOption: true });
}

/**
 * Finds the groups that people stay in.
 * @throws InputError as `selectGroups` does: a mistyped name would take what was to be kept
 */
export async function readKeptGroups(
	entries: readonly string[],
	access: Access,
	{ reader, ids }: OperationContext,
): Promise<GroupSelection> {
	if (entries.includes('*')) return ALL_GROUPS;
	const listed =
		entries.length === 0 || access.isWhole ? [] : await reader.memberships.groupNames();
	// A subgroup may be in no list, and known from the person alone.
	const groups = new Map([
		...listed.map((group) => [ids.key(group.id), group] as const),
		...access.groups,
	]);
	return selectGroups(entries, groups.values(), ids.key);
}
