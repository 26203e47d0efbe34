import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { noSuchGroup, selectGroups, type Access } from '../../shared/access/facts';
import type { User } from '../../shared/scim';
import { InputError, textList, wildcard } from '../../shared/util';
import type { OperationContext } from '../context';
import { groupRowsField, readRunRows } from './groupRows';
import { hiddenMembers } from '../../shared/access/guards';

const SCOPE_GROUPS = {
	displayName: 'Groups in Scope',
	name: 'scopeGroups',
	description: 'Only direct members of these groups can be absent: names, IDs or patterns with *',
};
const whenAbsent = { absentUsers: ['report', 'deactivate'] };

/** What happens to people in no row, and who can be one of them. */
export const absentFields: INodeProperties[] = [
	{
		displayName: 'Users Not in the List',
		name: 'absentUsers',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Deactivate', value: 'deactivate', description: 'Lock them out' },
			{ name: 'Leave', value: 'leave', description: 'Leave them alone' },
			{ name: 'Report', value: 'report', description: 'Leave them alone, and list them' },
		],
		default: 'leave',
		description: 'What to do with active users in scope who are in no row',
	},
	{
		displayName: 'Scope By',
		name: 'scopeBy',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Groups', value: 'groups', description: 'Members of groups' },
			{ name: 'User Names', value: 'userNames', description: 'Patterns of user names' },
		],
		default: 'groups',
		displayOptions: { show: whenAbsent },
		description: 'Who can be absent. Nobody else is ever touched for being in no row.',
	},
	groupRowsField(
		{
			...{ ...SCOPE_GROUPS, required: true },
			displayOptions: { show: { ...whenAbsent, scopeBy: ['groups'] } },
		},
		'e.g. Employees',
	),
	{
		displayName: 'User Names in Scope',
		name: 'scopeUserNames',
		type: 'string',
		noDataExpression: true,
		default: '',
		required: true,
		placeholder: 'e.g. *@example.com',
		displayOptions: { show: { ...whenAbsent, scopeBy: ['userNames'] } },
		description: 'Users who are absent if no row names them. Nobody else can be absent.',
		hint: 'User names, or patterns with *. Separate several with commas.',
	},
];

/** What is to happen to absent people; undefined where they are left. */
export interface AbsentSettings {
	deactivates: boolean;
	scope: { by: 'groups'; entries: string[] } | { by: 'userNames'; patterns: string[] };
}

/** Reads what happens to absent users, once, from the first item. @throws InputError for an empty scope */
export function readAbsent(context: IExecuteFunctions): AbsentSettings | undefined {
	const absent = context.getNodeParameter('absentUsers', 0, 'leave');
	if (absent !== 'report' && absent !== 'deactivate') return undefined;
	const deactivates = absent === 'deactivate';
	if (context.getNodeParameter('scopeBy', 0, 'groups') === 'userNames') {
		const name = 'User Names in Scope';
		const patterns = textList(context.getNodeParameter('scopeUserNames', 0), name);
		if (patterns.length === 0) throw emptyScope(name);
		return { deactivates, scope: { by: 'userNames', patterns } };
	}
	const entries = readRunRows(context, { ...SCOPE_GROUPS, isOption: false });
	if (entries.length === 0) throw emptyScope(SCOPE_GROUPS.displayName);
	return { deactivates, scope: { by: 'groups', entries } };
}

function emptyScope(field: string): InputError {
	return new InputError('Nobody is in scope', `Say under ${field} who can be absent.`);
}

/** The users in scope, and the access that had to be read to tell. */
export interface UserScope {
	deactivates: boolean;
	includes(user: User): boolean;
	access?: Access;
}

/**
 * Reads which users are in scope.
 * @param users all of them
 * @throws InputError for a group or pattern that no group has, and a group of which it is not known who is in it
 */
export async function readUserScope(
	{ scope, deactivates }: AbsentSettings,
	users: readonly User[],
	{ reader, ids }: OperationContext,
): Promise<UserScope> {
	if (scope.by === 'userNames') {
		const tests = scope.patterns.map(wildcard);
		return {
			deactivates,
			includes: ({ userName }) => tests.some((matches) => matches(userName)),
		};
	}
	const access = await reader.memberships.read({ users });
	const groups = [...access.groups.values()];
	const { includes, unmatched } = selectGroups(scope.entries, groups, ids.key);
	if (unmatched.length > 0) throw noSuchGroup(unmatched[0]);
	const meant = groups.filter(({ id }) => includes(id));
	for (const { id, displayName } of meant) {
		const told = access.everyMember(id);
		if (told.told === 'nothing') throw hiddenMembers(displayName, told);
	}
	const keys = new Set(meant.map(({ id }) => ids.key(id)));
	return {
		...{ access, deactivates },
		includes: ({ id }) => [...(access.held.get(id) ?? [])].some((key) => keys.has(key)),
	};
}
