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
import { InputError, isObject, shown } from '../../shared/util';
import { ACCESS_KEYS } from './accessItem';
import { withEmptyCells, type EmptyCells, type CollectedAttributes } from './attributes';
import { HEAD } from './item';
import { noLeaver } from './leaverItem';
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
const NO_ATTRIBUTES = new Set(
	[...PERSON_COLUMNS, ...GROUP_KEYS, ...OWN_FIELDS, 'attributes'].map((key) => key.toLowerCase()),
);

/** Tells whether a field of a row is no attribute: the table's own, or one of the items of this package. */
export function isOwnField(name: string): boolean {
	return NO_ATTRIBUTES.has(name.toLowerCase()) || isTableField(name);
}

/** Own fields that lists of other systems have as well. */
const ALSO_OF_OTHERS = new Set(['status', 'role', 'group']);
/** Fields that only items of this package have: one of them stands beside each of the above. */
const ONLY_OURS = ['change', 'groupid', 'event'];

/** Tells whether a column is called as a field of this package's items, in a list that is none of them. */
export function isFieldOfOthers(name: string, columns: readonly string[]): boolean {
	return (
		ALSO_OF_OTHERS.has(name.toLowerCase()) &&
		!columns.some((column) => ONLY_OURS.includes(column.toLowerCase()))
	);
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

/** Usual names of columns in HR systems, without anything but letters. */
const USUAL_NAMES = new Map([
	...['firstname', 'forename'].map((name) => [name, 'name.givenName'] as const),
	...['lastname', 'surname'].map((name) => [name, 'name.familyName'] as const),
	...['name', 'fullname'].map((name) => [name, 'displayName'] as const),
	...['jobtitle', 'position'].map((name) => [name, 'title'] as const),
	...['mail', 'emailaddress'].map((name) => [name, 'email'] as const),
	...['phone', 'mobile', 'telephone', 'phonenumber'].map((name) => [name, 'phoneNumbers'] as const),
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
		isOwnField(name) ? [] : [[NAME_PARTS.get(name.toLowerCase()) ?? name, value]],
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
	return { attributes: nested(attributes), warnings };
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
