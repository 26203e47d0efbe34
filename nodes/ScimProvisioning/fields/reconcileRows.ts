import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { attemptSync, InputError, isObject } from '../../shared/util';
import { parameterJson, parameterText } from '../../shared/run';
import { attribute, type Attributes } from '../../shared/scim';
import type { ScimConnection } from '../../shared/access';
import { checkRole } from './group';
import { readPerson, type PersonReference } from './person';
import { newcomerFields, readUserAttributes } from './userAttributes';

const items = { show: { wantedFrom: ['items'] } };
const list = { show: { wantedFrom: ['json'] } };

/** Where the wanted list comes from, and what its fields are called. */
export const rowFields: INodeProperties[] = [
	{
		displayName: 'Wanted List From',
		name: 'wantedFrom',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Items',
				value: 'items',
				description: 'Each item is one row: person, organization, role',
			},
			{
				name: 'List in a Field (JSON)',
				value: 'json',
				description:
					'One list with all rows; the only way to tell an empty list from no run at all',
			},
		],
		default: 'items',
		description: 'Where the list of who should have what comes from',
	},
	{
		displayName: 'Person',
		name: 'person',
		type: 'string',
		default: '={{ $json.email }}',
		required: true,
		displayOptions: items,
		description: 'E-mail or ID of the person in this row',
	},
	{
		displayName: 'Organization',
		name: 'wantedOrganization',
		type: 'string',
		default: '={{ $json.organization }}',
		required: true,
		displayOptions: items,
		description: 'Name or ID of the organization in this row',
	},
	{
		displayName: 'Role',
		name: 'wantedRole',
		type: 'string',
		default: '={{ $json.role }}',
		required: true,
		displayOptions: items,
		description: 'Role in this row: admin, member or viewer',
	},
	{
		displayName: 'Wanted List (JSON)',
		name: 'wantedJson',
		type: 'json',
		default: '[]',
		displayOptions: list,
		description:
			'All rows, e.g. [{"email": "name@email.com", "organization": "Marketing", "role": "member"}]; a row may have "attributes", an object with SCIM attributes for a new user',
	},
	{
		displayName: 'Person Field',
		name: 'personField',
		type: 'string',
		noDataExpression: true,
		default: 'email',
		displayOptions: list,
		description: 'What the field with the e-mail or ID is called in the list',
	},
	{
		displayName: 'Organization Field',
		name: 'organizationField',
		type: 'string',
		noDataExpression: true,
		default: 'organization',
		displayOptions: list,
		description: 'What the field with the organization is called in the list',
	},
	{
		displayName: 'Role Field',
		name: 'roleField',
		type: 'string',
		noDataExpression: true,
		default: 'role',
		displayOptions: list,
		description: 'What the field with the role is called in the list',
	},
];

/** Who is in no list of the service yet. */
export const newcomersFields: INodeProperties[] = [
	{
		displayName: 'Create Missing Users',
		name: 'createMissing',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description:
			'Whether to create a user for an e-mail that nobody has yet; otherwise the row fails',
	},
	{
		displayName: 'Attributes of New Users',
		name: 'newUserFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: { show: { createMissing: [true], wantedFrom: ['items'] } },
		options: newcomerFields,
	},
];

/** One row of the wanted list, read. */
export interface WantedRow {
	item: number;
	/** What to call the row in messages. */
	row: string;
	reference: PersonReference;
	groupId: string;
	attributes: Attributes;
	warnings: string[];
}

/** The values of a row before they are looked at. */
export interface RawRow {
	item: number;
	row: string;
	person: unknown;
	organization: unknown;
	role: unknown;
	attributes: IDataObject;
	/** All that the row has, whatever its fields are called: the entry of the list, or the input item. */
	whole: unknown;
}

/** Google Sheets puts the number of the line into every item, also into that of a blank line. */
const LINE_NUMBER = 'row_number';

/**
 * A row that says nothing at all: n8n gives such when a source is empty. What has a value that was not understood is no
 * such row: somebody may be meant by it.
 */
export function isBlankRow({ person, organization, role, whole }: RawRow): boolean {
	return isObject(whole) && [person, organization, role, whole].every(isBlank);
}

function isBlank(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isBlank);
	if (isObject(value)) {
		return Object.entries(value).every(([name, entry]) => name === LINE_NUMBER || isBlank(entry));
	}
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
}

/** The organization that a row is about, as far as that can be told. */
export function organizationOf(
	{ organization }: RawRow,
	{ organizations }: ScimConnection,
): string | undefined {
	return attemptSync(() => organizations.idOf(parameterText(organization)));
}

/** What stands between a person and something else in one text, such as a line of a table. */
const BETWEEN = /[\s,;|<>()"']+/;

/**
 * Everybody whom a row that cannot be read may mean: its person, and every e-mail and known id in it.
 * @returns undefined when that cannot be told
 */
export function peopleOfBadRow(
	{ person, whole }: RawRow,
	isKnown: (id: string) => boolean,
	{ client }: ScimConnection,
): PersonReference[] | undefined {
	const own = parameterText(person);
	const words = textsIn([person, whole]).flatMap((text) => [text, ...text.split(BETWEEN)]);
	const known = words.filter(isKnown);
	const emails = words.filter((word) => word.includes('@') && !BETWEEN.test(word));
	const named = [...new Set([...(own === '' ? [] : [own]), ...emails, ...known])];
	// Without a person of its own, a name in another field may be somebody else's, such as the manager's.
	if (named.length === 0 || (own === '' && isObject(whole))) return undefined;
	return attemptSync(() => named.map((text) => readPerson(text, client.profile)));
}

function textsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [parameterText(value)];
	return Array.isArray(value) ? value.flatMap(textsIn) : Object.entries(value).flatMap(textsIn);
}

/** @throws InputError for a missing or malformed e-mail, an unknown organization name, and a role that is none */
export function readRow(raw: RawRow, connection: ScimConnection): WantedRow {
	if (!isObject(raw.whole)) {
		throw new InputError(
			`Row ${raw.row} is not an object with fields`,
			'Give rows such as {"email": "name@email.com", "organization": "Marketing", "role": "member"}.',
		);
	}
	if ([raw.person, raw.organization, raw.role].every(isBlank)) {
		throw new InputError(
			`Row ${raw.row} has values, but none for person, organization and role`,
			'Check what the fields are called in the source, and map them.',
		);
	}
	const person = parameterText(raw.person);
	if (person === '')
		throw new InputError(`Row ${raw.row} names no person`, 'Map the field with the email.');
	const organization = connection.organizations.idOf(parameterText(raw.organization));
	const role = checkRole(raw.role, connection);
	return {
		item: raw.item,
		row: raw.row,
		reference: readPerson(person, connection.client.profile),
		groupId: connection.ids.format({ organization, role }),
		...readUserAttributes(raw.attributes, ['userName', 'active']),
	};
}

/** The rows of an item: itself, or the entries of a list. @throws InputError when a list is none */
export function rawRows(context: IExecuteFunctions, item: number): RawRow[] {
	const inputs = context.getInputData();
	if (context.getNodeParameter('wantedFrom', item) !== 'json') {
		const { json, binary } = inputs[item];
		return [
			{
				item,
				row: String(item),
				person: context.getNodeParameter('person', item),
				organization: context.getNodeParameter('wantedOrganization', item),
				role: context.getNodeParameter('wantedRole', item),
				attributes: context.getNodeParameter('newUserFields', item, {}) as IDataObject,
				whole: { ...json, ...(binary && { binary }) },
			},
		];
	}
	const list = parameterJson(context.getNodeParameter('wantedJson', item));
	if (!Array.isArray(list)) {
		throw new InputError(
			'The wanted list is not a JSON list',
			'Give a list of objects, e.g. [{"email": "name@email.com", "organization": "Marketing", "role": "member"}].',
		);
	}
	const field = (name: string) => String(context.getNodeParameter(name, item));
	const [person, organization, role] = [
		field('personField'),
		field('organizationField'),
		field('roleField'),
	];
	const ofItem = inputs.length > 1 ? ` of item ${item}` : '';
	return list.map((entry: unknown, row) => ({
		item,
		row: `${row}${ofItem}`,
		person: attribute(entry, person),
		organization: attribute(entry, organization),
		role: attribute(entry, role),
		attributes: {
			attributesJson: isObject(entry) ? attribute(entry, 'attributes') : undefined,
		} as IDataObject,
		whole: entry,
	}));
}
