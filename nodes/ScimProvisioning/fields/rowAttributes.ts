import { parameterJson } from '../../shared/run';
import {
	attribute,
	namesIn,
	putAttribute,
	SCHEMA,
	userAttributes,
	withCanonicalNames,
	type Attributes,
} from '../../shared/scim';
import { InputError, isObject, parseJson, shown } from '../../shared/util';
import { ACCESS_KEYS, noLeaver } from './accessItem';
import {
	withEmptyCells,
	wrongValue,
	type EmptyCells,
	type CollectedAttributes,
} from './attributes';
import { HEAD } from './item';
import { PERSON_COLUMNS } from './person';
import { isBlankValue, isTableField } from './rows';
import { readUserAttributes } from './userAttributes';

const GROUP_KEYS = ['group', 'groupId', 'organization', 'role'];
/** What items of this package say beside person and group: they may be rows, and no user has such attributes in SCIM. */
const OWN_FIELDS = [
	...[...Object.keys(HEAD), ...ACCESS_KEYS],
	...Object.keys(noLeaver(true)).filter((key) => key !== 'active'),
	...[
		'accessChanges',
		'valuesRemoved',
		'valuesRemaining',
		'values',
		'assignments',
		'access',
		'via',
	],
	...['event', 'seenAt', 'isSample', 'changedAttributes', 'matchedBy', 'warnings', 'error'],
];
/** Parts of a name as items of users have them. */
const NAME_PARTS = new Map([
	['givenname', 'name.givenName'],
	['familyname', 'name.familyName'],
]);
/** Other names of attributes. */
const PATHS = new Map([...NAME_PARTS, ['manager', `${SCHEMA.enterpriseUser}:manager.value`]]);
const NO_ATTRIBUTES = new Set(
	[...PERSON_COLUMNS, ...GROUP_KEYS, ...OWN_FIELDS, 'attributes'].map((key) => key.toLowerCase()),
);

/** Tells whether a field of a row is no attribute: the table's own, or one of the items of this package. */
export function isOwnField(name: string): boolean {
	return NO_ATTRIBUTES.has(name.toLowerCase()) || isTableField(name);
}

/** One of these is in all items of this package. */
const MARKS = ['change', 'event', 'userId', 'groupId'];

/** Lists the columns that only resemble fields of items of this package, such as the `status` of an HR system. */
export function foreignFields(columns: readonly string[]): string[] {
	const isIn = (names: readonly string[]) => {
		const lower = new Set(names.map((name) => name.toLowerCase()));
		return (column: string) => lower.has(column.toLowerCase());
	};
	const isPerson = isIn(PERSON_COLUMNS);
	if (columns.some(isIn(MARKS))) return [];
	return columns
		.filter(isIn([...OWN_FIELDS, 'role', 'group']))
		.filter((column) => !isPerson(column));
}

/** Attributes of every user, those of extensions apart. */
const CORE_ATTRIBUTES = new Set([
	...userAttributes([]).map(({ path }) => namesIn(path)[0].toLowerCase()),
	...['active', 'groups', 'meta', 'password', 'schemas', ...NAME_PARTS.keys()],
]);

/** Tells whether a field of a row names an attribute as SCIM does. */
export function isAttributeName(name: string): boolean {
	const lower = name.trim().toLowerCase();
	return lower.startsWith('urn:') || CORE_ATTRIBUTES.has(lower.split(/[.[]/, 1)[0].trim());
}

/** Names of columns in HR systems that mean one attribute, in lower case, without blanks, hyphens and underscores. */
const PLAIN_NAMES = new Map([
	...['firstname', 'forename', 'givenname'].map((name) => [name, 'name.givenName'] as const),
	...['lastname', 'surname', 'familyname'].map((name) => [name, 'name.familyName'] as const),
	['jobtitle', 'title'],
	...['costCenter', 'department', 'division', 'employeeNumber'].map(
		(name) => [name.toLowerCase(), `${SCHEMA.enterpriseUser}:${name}`] as const,
	),
]);

/** Returns the attribute that a column means which is named as in HR systems; undefined where it may mean several. */
export function attributeOfColumn(column: string): string | undefined {
	return PLAIN_NAMES.get(column.toLowerCase().replace(/[\s_-]/g, ''));
}

/** Returns the path that a column with the name of an attribute leads to. */
export function pathOfColumn(column: string): string {
	return PATHS.get(column.toLowerCase()) ?? column;
}

/** Usual names of columns in HR systems, without anything but letters, and what they probably mean. */
const USUAL_NAMES = new Map([
	...PLAIN_NAMES,
	...['name', 'fullname'].map((name) => [name, 'displayName'] as const),
	['position', 'title'],
	...['mail', 'emailaddress'].map((name) => [name, 'email'] as const),
	...['phone', 'mobile', 'telephone', 'phonenumber'].map(
		(name) => [name, 'phoneNumbers.value'] as const,
	),
	...['employeeid', 'personnelnumber'].map(
		(name) => [name, `${SCHEMA.enterpriseUser}:employeeNumber`] as const,
	),
	['manager', `${SCHEMA.enterpriseUser}:manager.value`],
	['language', 'preferredLanguage'],
	...userAttributes([])
		.filter(({ path }) => !path.endsWith('.value'))
		.map(({ path }) => [lettersOf(path.split(/[.:]/).at(-1) ?? ''), path] as const),
]);

function lettersOf(name: string): string {
	return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** Makes one warning that names columns of which nothing is sent, and the attributes that they probably mean. */
export function notSentWarnings(columns: readonly string[], advice: string): string[] {
	if (columns.length === 0) return [];
	const named = columns.map((column) => {
		const likely = USUAL_NAMES.get(lettersOf(column));
		const isMeant = likely === undefined || likely.toLowerCase() === column.toLowerCase();
		return isMeant ? shown(column) : `${shown(column)}: did you mean ${likely}?`;
	});
	return [`Columns that are not sent: ${named.join('; ')}. ${advice}`.replace('?.', '?')];
}

/**
 * Reads the attributes of a user from a row: all that names neither person nor group, and what it has under `attributes`.
 * @param emails of the person, where the row has the email in a field of its own
 * @param emptyCells what attributes without a value mean
 * @param ignored attributes that a row cannot have
 * @throws InputError for attributes that cannot be sent
 */
export function rowAttributes(
	values: Attributes,
	emails: Attributes,
	emptyCells: EmptyCells,
	ignored: readonly string[],
): CollectedAttributes {
	const given = parameterJson(attribute(values, 'attributes'), 'attributes');
	if (!isBlankValue(attribute(values, 'attributes')) && !isObject(given)) {
		throw new InputError('attributes is not an object', 'Enter e.g. {"title": "Engineer"}.');
	}
	const own = Object.entries(values).flatMap(([name, value]) =>
		isOwnField(name) ? [] : [[pathOfColumn(name), value]],
	);
	const { attributes, warnings } = readUserAttributes(
		{
			attributesJson: {
				...emails,
				...withEmptyCells(isObject(given) ? given : {}, emptyCells),
				...withEmptyCells(Object.fromEntries(own), emptyCells),
			},
		},
		ignored,
	);
	return { attributes: withObjects(nested(attributes)), warnings };
}

/** Attributes that are objects, or lists of such (RFC 7643 section 4.1), and the columns for a text. Emails may be texts. */
const OBJECTS = new Map([
	['name', 'use displayName, or name.givenName and name.familyName'],
	['addresses', 'use addresses.formatted, or addresses.streetAddress and its other parts'],
	...['phoneNumbers', 'ims', 'photos', 'x509Certificates'].map(
		(name) => [name, `use ${name}.value`] as const,
	),
	...['entitlements', 'roles'].map(
		(name) => [name, 'it is access, which Access Values of User: Update sets'] as const,
	),
]);

/** Reads the objects that tables keep as JSON text. @throws InputError for another text where SCIM has an object */
function withObjects(attributes: Attributes): Attributes {
	const entries = Object.entries(attributes).map(([name, value]) => {
		const instead = OBJECTS.get(name);
		if (instead === undefined || isBlankValue(value)) return [name, value] as const;
		const read = typeof value === 'string' ? (parseJson(value) ?? value) : value;
		const isRight = isObject(read) || (name !== 'name' && [read].flat().every(isObject));
		const advice = 'Rename the column, or leave it out.';
		if (!isRight) throw wrongValue(name, value, `an object with parts: ${instead}`, advice);
		return [name, read] as const;
	});
	return Object.fromEntries(entries);
}

/** Keys such as `name.givenName` as the objects that they lead into. */
function nested(attributes: Attributes): Attributes {
	return Object.entries(attributes).reduce<Attributes>(
		(whole, [key, value]) => putAttribute(whole, pathOf(key, value), value),
		{},
	);
}

/**
 * The URN of an extension ends at its last colon, which nothing tells from the colons in it (RFC 7644 section 3.10). One
 * that ends with `User`, as in RFC 7643 section 4.3, is whole. Of null the account tells whether an extension is cleared, or
 * an attribute of one.
 */
function pathOf(key: string, value: unknown): string[] {
	const { enterpriseUser } = SCHEMA;
	if (key.toLowerCase().startsWith(enterpriseUser.toLowerCase())) {
		return [enterpriseUser, ...key.slice(enterpriseUser.length).split(/[:.]/).filter(Boolean)];
	}
	if (/^urn:.*:User$/.test(key)) return [key];
	if (/^urn:/i.test(key)) return isObject(value) || value === null ? [key] : namesIn(key);
	const [first, ...parts] = namesIn(key);
	return [...Object.keys(withCanonicalNames({ [first]: value })), ...parts];
}
