import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { GroupReference, ScimConnection } from '../../shared/access';
import { checkSegment } from '../../shared/http';
import { parameterJson, parameterText } from '../../shared/run';
import {
	attribute,
	namesIn,
	putAttribute,
	SCHEMA,
	withCanonicalNames,
	type Attributes,
	type ServiceProfile,
} from '../../shared/scim';
import { attemptSync, InputError, isObject, looksLikeEmail, shown } from '../../shared/util';
import { NO_CHANGE } from './accessItem';
import { readEntry } from './assignments';
import type { CollectedAttributes } from './jsonAttributes';
import { checkUserName, readPerson, type PersonReference } from './person';
import { readUserAttributes } from './userAttributes';

const EXAMPLE = '{"email": "name@email.com", "group": "Engineering"}';

/** Where the rows of who should have what come from. */
export const rowFields: INodeProperties[] = [
	{
		displayName: 'Desired Access From',
		name: 'wantedFrom',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Input Items', value: 'items', description: 'Each input item is one row' },
			{
				name: 'JSON',
				value: 'json',
				description:
					'One list with all rows; the only way to tell an empty list from no run at all',
			},
		],
		default: 'items',
		description:
			'Where the rows come from: each names a person, and a group or an organization and role',
		hint: 'Keys: person (ID or email), or one of id, userName, email; group or groupId, or organization and role. Other keys are attributes of a new user, but not those of items of this node, such as status and reason.',
	},
	{
		displayName: 'Desired Access (JSON)',
		name: 'wantedJson',
		type: 'json',
		default: '[]',
		displayOptions: { show: { wantedFrom: ['json'] } },
		description: `All rows, e.g. [${EXAMPLE}]`,
	},
];

/** One row of Desired Access, read. */
export interface WantedRow extends CollectedAttributes {
	item: number;
	/** What to call the row in messages. */
	row: string;
	reference: PersonReference;
	group: GroupReference;
}

/** A row before it is looked at: the entry of the list, or the input item. */
export interface RawRow {
	item: number;
	row: string;
	values: unknown;
	/** Whether the row says nothing at all: n8n gives such when a source is empty. */
	isBlank: boolean;
}

/** Who a row is about, beside `email`, which is an attribute where one of these is there. */
const PERSON_KEYS = ['person', 'id', 'userName'] as const;
const GROUP_KEYS = ['group', 'groupId', 'organization', 'role'];
/** Google Sheets puts the number of the line into every item, also into that of a blank line. */
const LINE_NUMBER = 'row_number';
/** What items of this package say beside person and group: they may be rows, and no user has such attributes in SCIM. */
const OWN_FIELDS = [...Object.keys(NO_CHANGE), 'assignments', 'warnings', 'error'];
const NO_ATTRIBUTES = new Set(
	[...PERSON_KEYS, 'email', ...GROUP_KEYS, ...OWN_FIELDS, 'attributes', LINE_NUMBER].map((key) =>
		key.toLowerCase(),
	),
);

/** The rows of an item: itself, or the entries of a list. @throws InputError when a list is none */
export function rawRows(context: IExecuteFunctions, item: number): RawRow[] {
	const inputs = context.getInputData();
	if (!isFromList(context)) {
		const { json, binary } = inputs[item];
		const isBlank = isBlankValue(json) && binary === undefined;
		return [{ item, row: String(item), values: json, isBlank }];
	}
	const list = parameterJson(context.getNodeParameter('wantedJson', item));
	if (!Array.isArray(list)) {
		throw new InputError(
			'Desired Access (JSON) is not a list',
			`Give a list of objects, e.g. [${EXAMPLE}].`,
		);
	}
	const ofItem = inputs.length > 1 ? ` of item ${item}` : '';
	// Array.from also shows what a sparse array leaves out.
	return Array.from(list as unknown[]).map((values, row) => ({
		item,
		row: `${row}${ofItem}`,
		values,
		isBlank: isObject(values) && isBlankValue(values),
	}));
}

export function isFromList(context: IExecuteFunctions): boolean {
	return context.getNodeParameter('wantedFrom', 0, 'items') === 'json';
}

/** What has a value that was not understood is not blank: somebody may be meant by it. */
function isBlankValue(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isBlankValue);
	if (isObject(value)) {
		return Object.entries(value).every(
			([name, entry]) => name === LINE_NUMBER || isBlankValue(entry),
		);
	}
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
}

/**
 * @param creates whether somebody may be created by it; otherwise nobody looks at attributes
 * @throws InputError for a row without exactly one person or without a group, for a malformed email, an unknown
 * organization name, a role that is none, and attributes that cannot be sent
 */
export function readRow(
	{ item, row, values }: RawRow,
	connection: ScimConnection,
	creates: boolean,
): WantedRow {
	if (!isObject(values)) {
		throw new InputError(
			`Row ${row} is not an object with fields`,
			`Give rows such as ${EXAMPLE}.`,
		);
	}
	const keys = personKeysOf(values);
	if (keys.length === 0) {
		const hasGroup = GROUP_KEYS.some((key) => !isBlankValue(attribute(values, key)));
		throw new InputError(
			hasGroup
				? `Row ${row} names no person`
				: `Row ${row} has values, but none for person and group`,
			'Rename the fields of the source: person, or one of id, userName and email; group or groupId, or organization and role.',
		);
	}
	if (keys.length > 1) {
		throw new InputError(
			`Row ${row} names the person more than once (${keys.join(', ')})`,
			'Keep one of these fields. Only email may stand beside another one, as an attribute.',
		);
	}
	return {
		...{ item, row },
		reference: readReference(keys[0], values, connection.client.profile),
		group: readEntry(values, connection, `Row ${row}`),
		...(creates ? attributesOf(values, keys[0] !== 'email') : { attributes: {}, warnings: [] }),
	};
}

type PersonKey = (typeof PERSON_KEYS)[number] | 'email';

function personKeysOf(values: Attributes): PersonKey[] {
	const isGiven = (key: PersonKey) => !isBlankValue(attribute(values, key));
	const own = PERSON_KEYS.filter(isGiven);
	return own.length === 0 && isGiven('email') ? ['email'] : own;
}

function readReference(
	key: PersonKey,
	values: Attributes,
	profile: ServiceProfile,
): PersonReference {
	const text = parameterText(attribute(values, key));
	if (key === 'person') return readPerson(text, profile);
	if (key === 'id') {
		checkSegment(text);
		return { by: 'id', id: text };
	}
	if (key === 'email' && !looksLikeEmail(text)) {
		throw new InputError(`"${shown(text)}" is not an email`, 'Give an ID as id or person.');
	}
	return { by: 'userName', userName: checkUserName(text, profile) };
}

/** Everything that names neither person nor group: what a new user is created with. */
function attributesOf(values: Attributes, hasEmail: boolean): CollectedAttributes {
	const given = parameterJson(attribute(values, 'attributes'));
	if (!isBlankValue(attribute(values, 'attributes')) && !isObject(given)) {
		throw new InputError('attributes is not an object', 'Give e.g. {"title": "Engineer"}.');
	}
	const email = hasEmail ? attribute(values, 'email') : undefined;
	const own = Object.entries(values).filter(
		([name, value]) => !NO_ATTRIBUTES.has(name.toLowerCase()) && !isBlankValue(value),
	);
	const { attributes, warnings } = readUserAttributes(
		{
			attributesJson: {
				...(!isBlankValue(email) && { emails: [{ value: parameterText(email) }] }),
				...(isObject(given) && given),
				...Object.fromEntries(own),
			},
		},
		['userName', 'active'],
	);
	return { attributes: nested(attributes), warnings };
}

/** Keys such as `name.givenName` as the objects that they lead into. */
function nested(attributes: Attributes): Attributes {
	return Object.entries(attributes).reduce<Attributes>(
		(whole, [key, value]) => putAttribute(whole, pathOf(key, value), value),
		{},
	);
}

/** The URN of an extension ends at its last colon, which nothing tells from the colons in it (RFC 7644 section 3.10). */
function pathOf(key: string, value: unknown): string[] {
	const { enterpriseUser } = SCHEMA;
	if (key.toLowerCase().startsWith(enterpriseUser.toLowerCase())) {
		return [enterpriseUser, ...key.slice(enterpriseUser.length).split(/[:.]/).filter(Boolean)];
	}
	if (/^urn:/i.test(key)) return isObject(value) ? [key] : namesIn(key);
	const [first, ...parts] = namesIn(key);
	return [...Object.keys(withCanonicalNames({ [first]: value })), ...parts];
}

/** The group that a row that cannot be read is about, as far as that can be told. */
export function groupOfBadRow(
	{ row, values }: RawRow,
	connection: ScimConnection,
): GroupReference | undefined {
	return isObject(values) ? attemptSync(() => readEntry(values, connection, row)) : undefined;
}

/** The organization that it is about, where it names no group. */
export function organizationOfBadRow(
	{ values }: RawRow,
	{ organizations }: ScimConnection,
): string | undefined {
	const namesGroup = ['group', 'groupId'].some((key) => !isBlankValue(attribute(values, key)));
	return namesGroup
		? undefined
		: attemptSync(() => organizations.idOf(parameterText(attribute(values, 'organization'))));
}

/** What stands between a person and something else in one text, such as a line of a table. */
const BETWEEN = /[\s,;|<>()"']+/;

/**
 * Everybody whom a row that cannot be read may mean: its person, and every email and known id in it.
 * @returns undefined when that cannot be told
 */
export function peopleOfBadRow(
	{ values }: RawRow,
	isKnown: (id: string) => boolean,
	{ client }: ScimConnection,
): PersonReference[] | undefined {
	const own = [...PERSON_KEYS, 'email']
		.map((key) => parameterText(attribute(values, key)))
		.filter((text) => text !== '');
	const words = textsIn(values).flatMap((text) => [text, ...text.split(BETWEEN)]);
	const known = words.filter(isKnown);
	const emails = words.filter((word) => word.includes('@') && !BETWEEN.test(word));
	const named = [...new Set([...own, ...emails, ...known])];
	// Without a person of its own, a name in another field may be somebody else's, such as the manager's.
	if (named.length === 0 || (own.length === 0 && isObject(values))) return undefined;
	return attemptSync(() => named.map((text) => readPerson(text, client.profile)));
}

function textsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [parameterText(value)];
	return Array.isArray(value) ? value.flatMap(textsIn) : Object.entries(value).flatMap(textsIn);
}
