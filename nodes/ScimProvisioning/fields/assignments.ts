import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import {
	groupReferenceKey,
	type AlsoOfGroup,
	type GroupReference,
} from '../../shared/access/facts';
import type { ScimConnection } from '../../shared/connection';
import { locatorValue, parameterText } from '../../shared/run';
import { attribute } from '../../shared/scim';
import {
	attemptSync,
	InputError,
	isObject,
	listIn,
	cachedPerObject,
	memoized,
} from '../../shared/util';
import {
	checkRole,
	groupField,
	groupOrRole,
	organizationField,
	placeNamed,
	readGroupField,
	roleField,
	type Naming,
} from './group';
import { isBlankValue, rowsField, rowsOfField } from './rows';

/** Whether access is chosen by group, or by what groups stand for. */
export const accessByField: INodeProperties = {
	displayName: 'Access By',
	name: 'accessBy',
	type: 'options',
	noDataExpression: true,
	options: groupOrRole,
	default: 'group',
	description: 'How to choose the access',
};

/** Groups, one row each. */
export const groupsField = rowsField(
	'Group',
	[{ ...groupField, description: 'The group, or an expression that returns a list' }],
	{
		displayName: 'Groups',
		name: 'groups',
		default: { group: [{ group: groupField.default }] },
		displayOptions: { show: { accessBy: ['group'] } },
		description: 'The groups. An expression in a row may return a list of them.',
	},
);

const rolesField = rowsField(
	'Role',
	[
		{
			...organizationField,
			description: 'The organization, or an expression that returns a list',
		},
		roleField,
	],
	{
		displayName: 'Roles',
		name: 'roles',
		default: { role: [{ organization: organizationField.default, role: roleField.default }] },
		displayOptions: { show: { accessBy: ['organizationAndRole'] } },
		description: 'The organizations, and the role in each',
	},
);

/** What people are to have: groups, or roles in organizations. */
export const assignmentFields: INodeProperties[] = [accessByField, rolesField, groupsField];

/** Tells whether access is chosen by group. */
export const isByGroup = cachedPerObject(
	(context: IExecuteFunctions): boolean =>
		context.getNodeParameter('accessBy', 0, 'group') === 'group',
);

/**
 * Reads the groups that an item names in rows.
 * @param whenEmpty the error of an empty list; undefined where a list may be empty
 * @throws InputError for a row without a value, an entry that names no group, and a role that is none
 */
export function readAssignments(
	context: IExecuteFunctions,
	item: number,
	connection: Naming,
	whenEmpty: (() => InputError) | undefined,
): GroupReference[] {
	const { name, displayName } = isByGroup(context) ? groupsField : rolesField;
	const rowName = isByGroup(context) ? 'group' : 'role';
	const given = context.getNodeParameter(name, item);
	const typed: unknown = context.getNodeParameter(name, item, undefined, { rawExpressions: true });
	const typedRows = attribute(typed, rowName);
	const references = rowsOfField(given, rowName).map((row, index) => {
		const cell: unknown = Array.isArray(typedRows) ? attribute(typedRows[index], 'group') : '';
		const isExpression = String(locatorValue(cell)).startsWith('=');
		return readRow(row, isExpression, connection, `Row ${index + 1} of ${displayName}`);
	});
	const isEmpty = references.length === 0 || references.some((some) => some.length === 0);
	if (whenEmpty !== undefined && isEmpty) throw whenEmpty();
	return [...new Map(references.flat().map((one) => [groupReferenceKey(one), one])).values()];
}

/** Makes the error of an empty list, for an operation for which that means nothing. */
export function noAssignments(): InputError {
	return new InputError(
		'There are no assignments',
		'Enter at least one group, or organization and role. Check that the list of the item is not empty.',
	);
}

/**
 * The one group of a row, or those of the list that its expression gave.
 * @param isExpression n8n sets By ID for every expression, so its text may be a name
 */
function readRow(
	row: unknown,
	isExpression: boolean,
	connection: Naming,
	label: string,
): GroupReference[] {
	const organization = attribute(row, 'organization');
	const cell = organization ?? attribute(row, 'group');
	const value = locatorValue(cell);
	const inPlace = (entry: unknown) =>
		organization === undefined ? entry : { organization: entry, role: attribute(row, 'role') };
	const list = listIn(value, label);
	if (list !== undefined) {
		return list.map((entry, index) =>
			readEntry(
				isObject(entry) ? entry : inPlace(entry),
				connection,
				`${label}, entry ${index + 1}`,
			),
		);
	}
	if (!isObject(cell)) return [readEntry(row, connection, label)];
	const isChosen = organization === undefined && parameterText(value) !== '';
	if (isChosen && (cell.mode === 'name' || !isExpression))
		return [readGroupField(cell, connection)];
	return [readEntry(isObject(value) ? value : inPlace(value), connection, label)];
}

/**
 * Reads one group of a list: its name or ID, an object with one of these, or one with organization and role.
 * @param name of the entry, for the error
 * @throws InputError for an entry that names no group or is had by way of another, and for a role that is none
 */
export function readEntry(
	entry: unknown,
	connection: ScimConnection,
	name: string,
): GroupReference {
	const cell = (column: string) => groupCell(attribute(entry, column), column, name);
	const via = parameterText(attribute(entry, 'via'));
	// A copy of what Get shows would make it a membership of its own, which stays when the group that gives it is left.
	if (via !== '') {
		throw new InputError(
			`${name} is access by way of group ${via}`,
			'Leave it out: the members of that group have it. For a list from Get: {{ $json.assignments.filter(({ via }) => via === null) }}.',
		);
	}
	const id = cell('groupId');
	const text = isObject(entry) ? cell('group') : parameterText(entry);
	const organization = cell('organization');
	const role = attribute(entry, 'role');
	const { byId, byText, withAlso } = referencesOf(connection);
	const also = () => alsoOf({ text: id === '' ? '' : text, organization, role }, connection);
	if (id !== '') return withAlso(byId(id), also());
	if (text !== '') return withAlso(byText(text), also());
	if (organization !== '') return placeOf(organization, role, connection);
	throw namesNoGroup(name);
}

/** @throws InputError for what is neither text nor a number: it may mean a group */
function groupCell(value: unknown, column: string, name: string): string {
	const text = parameterText(value);
	if (text !== '' || isBlankValue(value)) return text;
	throw new InputError(`${name}: ${column} is neither text nor a number`, 'Enter one group.');
}

/** What a row says of its group beside what decides; a role alone, or a word that is none, says nothing. */
function alsoOf(
	{ text, organization, role }: { text: string; organization: string; role: unknown },
	connection: ScimConnection,
): AlsoOfGroup | undefined {
	const { ids, organizations } = connection;
	const isPlaced = organization !== '' && ids.standsFor !== 'nothing';
	const place = isPlaced ? attemptSync(() => organizations.idOf(organization)) : undefined;
	const word = place === undefined ? undefined : ids.role(parameterText(role));
	if (text === '' && place === undefined) return undefined;
	return {
		...(text !== '' && { text, ...placeNamed(text, connection) }),
		...(place !== undefined && { organization: place }),
		...(word !== undefined && { role: word }),
	};
}

/** Makes the error of an entry or row that names no group. @param name of the entry or row */
export function namesNoGroup(name: string): InputError {
	return new InputError(
		`${name} names no group`,
		'Enter the name or ID of a group, or organization and role, e.g. {"organization": "Marketing", "role": "member"}.',
	);
}

function placeOf(organization: unknown, role: unknown, connection: ScimConnection): GroupReference {
	connection.ids.requirePattern();
	return referencesOf(connection).at(parameterText(organization))(String(role ?? ''));
}

/** Each made once: a long list names the same few groups in all of its rows. */
const referencesOf = cachedPerObject((connection: ScimConnection) => ({
	withAlso: sharedWith(),
	byId: memoized((id): GroupReference => ({ by: 'id', id })),
	byText: memoized((text): GroupReference => ({
		by: 'text',
		text,
		...placeNamed(text, connection),
	})),
	at: memoized((nameOrId) => {
		const organization = connection.organizations.idOf(nameOrId);
		return memoized((role): GroupReference => ({
			by: 'place',
			organization,
			role: checkRole(role, connection),
		}));
	}),
}));

/** References with what else rows say: one object for all rows that say the same. */
function sharedWith() {
	const made = new Map<string, GroupReference>();
	return (reference: GroupReference, also: AlsoOfGroup | undefined): GroupReference => {
		if (also === undefined) return reference;
		const whole = { ...reference, also };
		const key = groupReferenceKey(whole);
		const known = made.get(key) ?? whole;
		made.set(key, known);
		return known;
	};
}
