import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { parameterText } from '../../shared/run';
import { attribute, type NotTold } from '../../shared/scim';
import { InputError, isDeepEqual, listIn, shown } from '../../shared/util';
import {
	ALL_GROUPS,
	noSuchGroup,
	peopleIn,
	selectGroups,
	type Access,
	type GroupSelection,
} from '../../shared/access/facts';
import type { GuardSettings } from '../../shared/access/guards';
import type { WriteContext } from '../../shared/access/write';
import { rowsField, rowsOfField } from './rows';

/** Makes a field with one row per group: names may hold commas, so a list is never one text. */
export function groupRowsField(
	field: Parameters<typeof rowsField>[2],
	placeholder: string,
): INodeProperties {
	const { required = false } = field;
	const group: INodeProperties = {
		displayName: 'Group',
		name: 'group',
		type: 'string',
		default: '',
		placeholder,
		description: 'A name or ID, or an expression that returns a list of them',
		// n8n marks what is missing in a row, and not that there is none.
		...(required && { required }),
	};
	return rowsField('Group', [group], {
		noDataExpression: true,
		...(required && { default: { group: [{ group: '' }] } }),
		...field,
	});
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
 * @param field its names: of the parameter, or of the option in its collection, and as people see it
 * @throws InputError as `readGroupRows` does, for an option without entries, and where items give different ones
 */
export function readRunRows(
	context: IExecuteFunctions,
	field: { name: string; displayName: string; isOption: boolean; collection?: string },
): string[] {
	const { name, displayName, isOption, collection = 'options' } = field;
	const valueOf = (item: number) =>
		isOption
			? (context.getNodeParameter(collection, item, {}) as IDataObject)[name]
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
	displayName: 'Only These Groups',
	name: 'managedGroups',
	description:
		'Groups that may be changed: names, IDs or patterns with *. All others are left alone.',
};

/** Which groups may be given and taken. */
export const managedGroupsOption: INodeProperties = groupRowsField(managed, 'e.g. app-*');

/** The groups that may be changed, required where everything else in them is taken away. */
export const managedGroupsField: INodeProperties = groupRowsField(
	{
		...managed,
		description:
			'Groups that Set may change: name the assigned ones, too. Names, IDs or patterns; * means all.',
		required: true,
		displayOptions: { show: { accessBy: ['group'] } },
	},
	'e.g. app-*',
);

/** Reads which groups may be changed; undefined for all. @throws InputError as `readRunRows` does */
export function readManagedGroups(
	context: IExecuteFunctions,
	isOption: boolean,
): string[] | undefined {
	const entries = readRunRows(context, { ...managed, isOption });
	return entries.length === 0 ? undefined : entries;
}

const PROTECTED = {
	displayName: 'Protect Members Of',
	name: 'protectMembersOf',
	description: 'Groups whose members to never change: names, IDs or patterns with *',
};

/** Groups such as those of break-glass and service accounts. */
export const protectMembersOf: INodeProperties = groupRowsField(PROTECTED, 'e.g. break-glass');

/** Reads the groups whose members are protected; undefined for none. @throws InputError as `readRunRows` does */
export function readProtectMembersOf(context: IExecuteFunctions): string[] | undefined {
	const limits = context.getNodeParameter('safetyLimits', 0, {}) as IDataObject;
	return limits.protectMembersOf === undefined
		? undefined
		: readRunRows(context, { ...PROTECTED, isOption: true, collection: 'safetyLimits' });
}

/**
 * Adds the members of protected groups, of groups in them as well, to those who are protected.
 * @throws InputError for a group that there is not, and for one whose members are not all shown: nobody would be protected
 */
export async function withProtectedMembers<G extends GuardSettings>(
	guards: G,
	{ reader, ids }: Pick<WriteContext, 'reader' | 'ids'>,
): Promise<G> {
	const { protectMembersOf: entries = [], protectedUsers } = guards;
	if (entries.length === 0) return guards;
	const { memberships } = reader;
	const access = await memberships.withGroupsInGroups(await memberships.read());
	const { includes, unmatched } = selectGroups(entries, access.groups.values(), ids.key);
	if (unmatched.length > 0) throw noSuchGroup(unmatched[0]);
	const keys = new Set([...access.groups].flatMap(([key, { id }]) => (includes(id) ? key : [])));
	// The loop also goes over what it adds: a group may be in a group.
	for (const key of keys) {
		const group = access.groups.get(key);
		const told = access.everyMember(group?.id ?? key);
		if (told.told !== 'all') throw unprotected(group?.displayName ?? key, told);
		group?.nested?.forEach((id) => keys.add(ids.key(id)));
	}
	const members = [...keys].flatMap((key) => peopleIn(access, key));
	const inherited = [...access.inherited].flatMap(([id, own]) =>
		[...own].some((key) => keys.has(key)) ? id : [],
	);
	return { ...guards, protectedUsers: [...new Set([...protectedUsers, ...members, ...inherited])] };
}

function unprotected(group: string, { why, advice = 'Check the service.' }: NotTold): InputError {
	return new InputError(
		`The members of group ${shown(group)} are unknown: ${why}`,
		`Protect Members Of cannot protect them, so nothing was sent. Enter them under Protected Users. ${advice}`,
	);
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
	{ reader, ids }: Pick<WriteContext, 'reader' | 'ids'>,
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
