import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import {
	ALL_GROUPS,
	selectGroups,
	type Access,
	type GroupSelection,
} from '../../shared/access/facts';
import type { OperationContext } from '../context';
import { groupRowsField, readRunRows } from './groupRows';

const field = {
	displayName: 'Keep Memberships In',
	name: 'keepMembershipsIn',
	description: 'Groups that people stay in: names, IDs or patterns with *',
};

/** Which memberships of a leaver stay. */
export const keepMembershipsOption: INodeProperties = groupRowsField(field, 'e.g. archive-*');

/** @throws InputError as `readRunRows` does */
export function readKeepMembershipsIn(context: IExecuteFunctions): string[] {
	return readRunRows(context, { ...field, isOption: true });
}

/** @throws InputError as `selectGroups` does: a mistyped name would take what was to be kept */
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
