import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { groupReferenceKey, type GroupReference, type ScimConnection } from '../../shared/access';
import { locatorValue, parameterJson, parameterText } from '../../shared/run';
import { attribute } from '../../shared/scim';
import { InputError, isObject, madeOnce, memoized } from '../../shared/util';
import {
	checkRole,
	groupField,
	organizationField,
	readGroupField,
	roleField,
	ROLES,
} from './group';
import { groupRowsField, readGroupRows } from './groupRows';

/** Whether access is chosen by group, or by what groups stand for. */
export const accessByField: INodeProperties = {
	displayName: 'Choose Access By',
	name: 'accessBy',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Group',
			value: 'group',
			description: 'Groups of any SCIM service, from the list, by ID or by name',
		},
		{
			name: 'Organization and Role',
			value: 'organizationAndRole',
			description: 'Only for services whose groups stand for a role in an organization',
		},
	],
	default: 'organizationAndRole',
	description: 'How to choose the access',
};

const FROM_GROUPS: INodeProperties = {
	displayName: 'Assignments',
	name: 'assignmentsFrom',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { accessBy: ['group'] } },
	options: [
		{ name: 'From JSON', value: 'json', description: 'A JSON list, e.g. from an expression' },
		{
			name: 'Multiple Groups',
			value: 'list',
			description: 'Several for each input item, one per row',
		},
		{ name: 'One Group', value: 'one', description: 'One group for each input item' },
	],
	default: 'one',
	description: 'How much to enter, and how',
};

const FROM_ROLES: INodeProperties = {
	displayName: 'Assignments',
	name: 'assignmentsFrom',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { accessBy: ['organizationAndRole'] } },
	options: [
		{ name: 'From JSON', value: 'json', description: 'A JSON list, e.g. from an expression' },
		{
			name: 'Multiple Roles',
			value: 'list',
			description: 'Several for each input item, one per row',
		},
		{ name: 'One Role', value: 'one', description: 'One role for each input item' },
	],
	default: 'one',
	description: 'How much to enter, and how',
};

const whenRoles = (from: string) => ({
	show: { accessBy: ['organizationAndRole'], assignmentsFrom: [from] },
});
const whenGroups = (from: string) => ({ show: { accessBy: ['group'], assignmentsFrom: [from] } });

/** Groups: one, several, or a list. */
export const groupAssignmentFields: INodeProperties[] = [
	{ ...groupField, displayOptions: whenGroups('one') },
	groupRowsField(
		{
			displayName: 'Groups',
			name: 'groupList',
			description: 'The groups, each by name or ID',
			displayOptions: whenGroups('list'),
		},
		'e.g. Engineering',
	),
];

const assignmentListField: INodeProperties = {
	displayName: 'Organizations and Roles',
	name: 'assignmentList',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Assignment',
	default: {},
	displayOptions: whenRoles('list'),
	description: 'The organizations, and the role in each',
	options: [
		{
			displayName: 'Assignment',
			name: 'assignment',
			values: [
				{
					displayName: 'Organization Name or ID',
					name: 'organization',
					type: 'string',
					default: '',
					placeholder: 'e.g. Marketing',
					description: 'A name from the credential, or the ID of the organization',
				},
				{
					displayName: 'Role',
					name: 'role',
					type: 'options',
					options: ROLES,
					default: 'member',
					description:
						'The role in the organization. For a role that is not listed, use an expression.',
				},
			],
		},
	],
};

export const assignmentsJsonField: INodeProperties = {
	displayName: 'Assignments (JSON)',
	name: 'assignmentsJson',
	type: 'json',
	default: '[]',
	displayOptions: { show: { assignmentsFrom: ['json'] } },
	description: 'The groups, or the organizations and roles, as one list',
	hint: 'A list, e.g. ["Engineering", {"groupId": "..."}] or [{"organization": "Marketing", "role": "member"}]',
};

/** What people are to have: groups, or roles in organizations. */
export const assignmentFields: INodeProperties[] = [
	accessByField,
	FROM_ROLES,
	FROM_GROUPS,
	{ ...organizationField, displayOptions: whenRoles('one') },
	{ ...roleField, displayOptions: whenRoles('one') },
	assignmentListField,
	...groupAssignmentFields,
	assignmentsJsonField,
];

/** Groups alone, for Revoke, which chooses organizations in its own way. */
export const groupOnlyFields: INodeProperties[] = [
	FROM_GROUPS,
	...groupAssignmentFields,
	assignmentsJsonField,
];

export function isByGroup(context: IExecuteFunctions): boolean {
	return context.getNodeParameter('accessBy', 0, 'organizationAndRole') === 'group';
}

/**
 * The groups that an item names; an empty list is returned as such.
 * @throws InputError for an absent list, an entry that names no group, and a role that is none
 */
export function readAssignments(
	context: IExecuteFunctions,
	item: number,
	connection: ScimConnection,
): GroupReference[] {
	const from = context.getNodeParameter('assignmentsFrom', item, 'one');
	const references =
		from === 'json'
			? readJson(context.getNodeParameter('assignmentsJson', item), connection)
			: isByGroup(context)
				? from === 'list'
					? readGroupRows(context.getNodeParameter('groupList', item, {}), 'Groups').map(byText)
					: [readGroupField(context.getNodeParameter('group', item))]
				: from === 'list'
					? readRows(context.getNodeParameter('assignmentList', item), connection)
					: [
							placeOf(
								locatorValue(context.getNodeParameter('organization', item)),
								context.getNodeParameter('role', item),
								connection,
							),
						];
	return [...new Map(references.map((one) => [groupReferenceKey(one), one])).values()];
}

function byText(text: string): GroupReference {
	return { by: 'text', text };
}

function readRows(value: unknown, connection: ScimConnection): GroupReference[] {
	const rows = attribute(value, 'assignment') ?? [];
	return readJson(rows, connection);
}

function readJson(value: unknown, connection: ScimConnection): GroupReference[] {
	const list = parameterJson(value, 'Assignments');
	if (!Array.isArray(list)) {
		throw new InputError(
			'Assignments is not a list',
			'Provide a list such as ["Engineering"] or [{"organization": "Marketing", "role": "member"}].',
		);
	}
	// Array.from also shows what a sparse array leaves out.
	return Array.from(list as unknown[]).map((entry, index) =>
		readEntry(entry, connection, `Assignment ${index + 1}`),
	);
}

/**
 * One group of a list: its name or ID, an object with one of these, or one with organization and role.
 * @param name of the entry, for the error
 * @throws InputError for an entry that names no group or is had by way of another, and for a role that is none
 */
export function readEntry(
	entry: unknown,
	connection: ScimConnection,
	name: string,
): GroupReference {
	const id = parameterText(attribute(entry, 'groupId'));
	const organization = parameterText(attribute(entry, 'organization'));
	const via = parameterText(attribute(entry, 'via'));
	// A copy of what Get shows would make it a membership of its own, which stays when the group that gives it is left.
	if (via !== '') {
		throw new InputError(
			`${name} is access by way of group ${via}`,
			'Leave it out: whoever is in that group has it. For a list from Get: {{ $json.assignments.filter(({ via }) => via === null) }}.',
		);
	}
	const text = parameterText(isObject(entry) ? attribute(entry, 'group') : entry);
	if (id !== '') return referencesOf(connection).byId(id);
	if (text !== '') return referencesOf(connection).byText(text);
	if (organization !== '') return placeOf(organization, attribute(entry, 'role'), connection);
	throw new InputError(
		`${name} names no group`,
		'Enter the name or ID of a group, or organization and role, e.g. {"organization": "Marketing", "role": "member"}.',
	);
}

function placeOf(organization: unknown, role: unknown, connection: ScimConnection): GroupReference {
	connection.ids.requirePattern();
	return referencesOf(connection).at(parameterText(organization))(String(role ?? ''));
}

/** Each made once: a long list names the same few groups in all of its rows. */
const referencesOf = madeOnce((connection: ScimConnection) => ({
	byId: memoized((id): GroupReference => ({ by: 'id', id })),
	byText: memoized(byText),
	at: memoized((nameOrId) => {
		const organization = connection.organizations.idOf(nameOrId);
		return memoized((role): GroupReference => ({
			by: 'place',
			organization,
			role: checkRole(role, connection),
		}));
	}),
}));
