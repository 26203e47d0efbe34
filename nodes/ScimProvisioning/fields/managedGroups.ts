import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { groupRowsField, readRunRows } from './groupRows';

const managed = {
	displayName: 'Managed Groups',
	name: 'managedGroups',
	description:
		'Groups that may be changed: names, IDs or patterns with *. All others are left alone.',
};

/** Which groups may be given and taken. */
export const managedGroupsOption: INodeProperties = groupRowsField(managed, 'e.g. app-*');

/** The same where it has to be said: everything else in these groups is taken away. */
export const managedGroupsField: INodeProperties = {
	...managedGroupsOption,
	description:
		'Groups that Set may change: name the assigned ones, too. Names, IDs or patterns; * means all.',
	required: true,
	displayOptions: { show: { accessBy: ['group'] } },
};

/** Undefined where none are named, so that all may be changed. @throws InputError as `readRunRows` does */
export function readManagedGroups(
	context: IExecuteFunctions,
	isOption: boolean,
): string[] | undefined {
	const entries = readRunRows(context, { ...managed, isOption });
	return entries.length === 0 ? undefined : entries;
}
