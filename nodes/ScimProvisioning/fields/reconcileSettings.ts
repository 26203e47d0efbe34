import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { selectGroups, type Access, noSuchGroup } from '../../shared/access/facts';
import type { ScimConnection } from '../../shared/connection';
import { InputError, memoized, nameKey, textList, wildcard } from '../../shared/util';
import { scopeOf, type Scope } from '../../shared/access/plans';
import type { User } from '../../shared/scim';
import { hiddenMembers } from '../../shared/access/guards';
import type { OperationContext } from '../context';
import { isByGroup } from './assignments';
import { checkRole } from './group';
import { groupRowsField, readRunRows } from './groupRows';
import { createsMissing } from './people';
import { reactivateOption } from './options';

/** What Reconcile manages and what it may do; read once, from the first item. */
export interface ReconcileSettings {
	scope: ScopeNames;
	unwanted: 'revoke' | 'keep' | 'report';
	createMissing: boolean;
	reactivate: boolean;
	deactivatesEmpty: boolean;
	/** Names, IDs and patterns of groups that are no access. */
	ignored: string[];
	/** Whether all may be removed where no row wants access. */
	allowsEmpty: boolean;
}

/** What is to be managed, as the fields name it; without roles every role. */
type ScopeNames =
	| { by: 'organizations'; organizations: string[]; roles: string[] }
	| { by: 'groups'; entries: string[] };

/** What is to be managed, with the groups that it means. */
export interface ReconcileScope extends Scope {
	/** Each organization, group or pattern that the fields name. */
	parts: Array<{ label: string; includes(groupId: string): boolean }>;
	/** Patterns that match no group. */
	unmatched: string[];
}

const whenOrganizations = { show: { accessBy: ['organizationAndRole'] } };
const scopeGroups = {
	displayName: 'Groups in Scope',
	name: 'scopeGroups',
	description: 'Groups to manage: names, IDs or patterns with *. Other groups are never touched.',
};
const ignoreGroups = {
	displayName: 'Ignore Groups',
	name: 'ignoreGroups',
	description:
		'Groups that do not count as access when users are deactivated: names, IDs or patterns with *',
};

export const scopeFields: INodeProperties[] = [
	{
		displayName: 'Organizations in Scope',
		name: 'scopeOrganizations',
		type: 'string',
		noDataExpression: true,
		default: '',
		required: true,
		placeholder: 'e.g. Marketing, org-9120',
		displayOptions: whenOrganizations,
		description: 'Organizations to manage. Access elsewhere is never touched.',
		hint: 'Names or IDs, separated by commas. The account organization is managed only if named.',
	},
	{
		displayName: 'Roles in Scope',
		name: 'scopeRoles',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. member, viewer',
		displayOptions: whenOrganizations,
		description: 'Roles to manage; empty for all. Other roles are never changed.',
		hint: 'Separate several with commas',
	},
	groupRowsField(
		{ ...scopeGroups, required: true, displayOptions: { show: { accessBy: ['group'] } } },
		'e.g. app-*',
	),
	{
		displayName: 'Access Not in the List',
		name: 'unwanted',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Keep', value: 'keep', description: 'Leave it alone' },
			{ name: 'Report', value: 'report', description: 'Leave it alone, and list it' },
			{ name: 'Revoke', value: 'revoke', description: 'Remove it' },
		],
		default: 'revoke',
		description: 'What to do with access in scope that no row names',
	},
	{
		displayName: 'Create Missing Users',
		name: 'createMissing',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description: 'Whether to create a user for an email that no user has; otherwise the row fails',
	},
];

/** Among the safety limits of Reconcile. */
export const allowEmpty: INodeProperties[] = [
	{
		displayName: 'Allow Empty Groups',
		name: 'allowEmptyGroups',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		displayOptions: { show: { '/accessBy': ['group'] } },
		description: 'Whether to allow removing everybody from a group or pattern that has no rows',
	},
	{
		displayName: 'Allow Empty Organizations',
		name: 'allowEmptyOrganizations',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		displayOptions: { show: { '/accessBy': ['organizationAndRole'] } },
		description: 'Whether to allow removing all access in an organization that has no rows',
	},
];

export const reconcileOptions: INodeProperties[] = [
	{
		displayName: 'Deactivate Users Without Access',
		name: 'deactivatesEmpty',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description: 'Whether to deactivate users whose last access this run removes',
	},
	groupRowsField(ignoreGroups, 'e.g. Everyone'),
	reactivateOption,
];

/** Reads the settings of Reconcile. @throws InputError for an empty scope, an unknown name, or a role that is none */
export function readReconcileSettings(
	context: IExecuteFunctions,
	connection: ScimConnection,
): ReconcileSettings {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const limits = context.getNodeParameter('safetyLimits', 0, {}) as IDataObject;
	const unwanted = context.getNodeParameter('unwanted', 0);
	return {
		scope: isByGroup(context)
			? readGroupsInScope(context)
			: readOrganizationsInScope(context, connection),
		unwanted: unwanted === 'keep' || unwanted === 'report' ? unwanted : 'revoke',
		createMissing: createsMissing(context),
		reactivate: options.reactivate === true,
		deactivatesEmpty: deactivatesEmpty(context),
		ignored: readRunRows(context, { ...ignoreGroups, isOption: true }),
		allowsEmpty:
			limits[isByGroup(context) ? 'allowEmptyGroups' : 'allowEmptyOrganizations'] === true,
	};
}

/** Tells whether users whose last access this run removes are deactivated. */
export function deactivatesEmpty(context: IExecuteFunctions): boolean {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	return (
		options.deactivatesEmpty === true &&
		context.getNodeParameter('unwanted', 0, 'revoke') === 'revoke'
	);
}

function readGroupsInScope(context: IExecuteFunctions): ScopeNames {
	const entries = readRunRows(context, { ...scopeGroups, isOption: false });
	if (entries.length > 0) return { by: 'groups', entries };
	throw new InputError(
		'No group is in scope',
		'Name the groups to manage under Groups in Scope: names, IDs or patterns with *.',
	);
}

function readOrganizationsInScope(
	context: IExecuteFunctions,
	connection: ScimConnection,
): ScopeNames {
	connection.ids.requirePattern();
	const named = textList(
		context.getNodeParameter('scopeOrganizations', 0),
		'Organizations in Scope',
	);
	if (named.length === 0) {
		throw new InputError(
			'No organization is in scope',
			'Name the organizations to manage under Organizations in Scope.',
		);
	}
	const roles = textList(context.getNodeParameter('scopeRoles', 0, ''), 'Roles in Scope');
	return {
		by: 'organizations',
		organizations: [...new Set(named.map((entry) => connection.organizations.idOf(entry)))],
		roles: roles.map((role) => checkRole(role, connection)),
	};
}

/**
 * Reads which groups are in scope.
 * @throws InputError for an organization without groups, and for a name or ID that no group has, or more than one
 */
export function readScope(
	names: ScopeNames,
	access: Access,
	{ ids, organizations }: ScimConnection,
): ReconcileScope {
	if (names.by === 'groups') {
		const groups = [...access.groups.values()];
		const all = selectGroups(names.entries, groups, ids.key);
		const parts = names.entries.map((label) => {
			const { includes } = selectGroups([label], groups, ids.key);
			return { label, includes };
		});
		return { ...scopeOf(access, all.includes), parts, unmatched: all.unmatched };
	}
	const organizationKey = (organization: string) => ids.placeKey({ organization, role: '' });
	const keyOf = (groupId: string) => {
		const place = access.placeOf(groupId);
		return place === undefined ? undefined : organizationKey(place.organization);
	};
	const known = new Set([...access.groups.values()].map(({ id }) => keyOf(id)));
	const unknown = names.organizations.find((id) => !known.has(organizationKey(id)));
	if (unknown !== undefined) {
		throw new InputError(
			`There is no organization ${organizations.nameOf(unknown)}`,
			'Check Organizations in Scope. Nothing was sent.',
		);
	}
	const keys = new Set<string | undefined>(names.organizations.map(organizationKey));
	const roles = new Set(names.roles.map(nameKey));
	const isRole = (groupId: string) =>
		roles.size === 0 || roles.has(nameKey(access.placeOf(groupId)?.role ?? ''));
	return {
		...scopeOf(
			access,
			memoized((groupId) => keys.has(keyOf(groupId)) && isRole(groupId)),
		),
		parts: names.organizations.map((organization) => ({
			label: organizations.nameOf(organization),
			includes: (groupId) => keyOf(groupId) === organizationKey(organization),
		})),
		unmatched: [],
	};
}

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
interface AbsentSettings {
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
