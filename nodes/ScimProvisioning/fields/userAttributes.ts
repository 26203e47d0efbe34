import type { IDataObject, INodeProperties, IExecuteFunctions } from 'n8n-workflow';

import { composedName, isObject, looksLikeEmail, InputError } from '../../shared/util';
import {
	attribute,
	type Attributes,
	namesIn,
	putAttribute,
	SCHEMA,
	accessReachedInPart,
	userAttributes,
	valuesByFilter,
	type Traits,
} from '../../shared/scim';
import { parameterJson, parameterText } from '../../shared/run';
import {
	isEmptyCell,
	attributeText,
	jsonField,
	readJsonAttributes,
	type CollectedAttributes,
	withoutClearedAccount,
	type EmptyCells,
	sendable,
	wrongValue,
} from './attributes';
import { rowsField } from './rows';

const ENTERPRISE = `${SCHEMA.enterpriseUser}:`;

/** Attributes that are one text: name of the field, path of the attribute (RFC 7643 section 4), name, example, description. */
const TEXTS = [
	['displayName', 'displayName', 'Display Name', 'Ana Silva', 'Name as it is shown'],
	[
		'costCenter',
		`${ENTERPRISE}costCenter`,
		'Enterprise: Cost Center',
		'4130',
		'Cost center of the person',
	],
	[
		'department',
		`${ENTERPRISE}department`,
		'Enterprise: Department',
		'Marketing',
		'Department of the person',
	],
	['division', `${ENTERPRISE}division`, 'Enterprise: Division', 'Europe', 'Division of the person'],
	[
		'employeeNumber',
		`${ENTERPRISE}employeeNumber`,
		'Enterprise: Employee Number',
		'701984',
		'Number that the employer has given the person',
	],
	[
		'enterpriseOrganization',
		`${ENTERPRISE}organization`,
		'Enterprise: Organization',
		'Example Holding',
		'Name of the organization that employs the person; it gives no access',
	],
	['externalId', 'externalId', 'External ID', 'HR-1042', 'Your own ID of the person, e.g. from HR'],
	['familyName', 'name.familyName', 'Family Name', 'Silva', 'Last name of the person'],
	['givenName', 'name.givenName', 'Given Name', 'Ana', 'First name of the person'],
	[
		'managerId',
		`${ENTERPRISE}manager.value`,
		'Manager',
		'name@email.com',
		'Manager of the person: an ID, what users are matched by, or an email',
	],
] as const;

const emailsField = rowsField(
	'Email',
	[
		{
			displayName: 'Email',
			name: 'value',
			type: 'string',
			default: '',
			placeholder: 'name@email.com',
			description: 'The address',
		},
		{
			displayName: 'Primary',
			name: 'primary',
			type: 'boolean',
			default: false,
			description: 'Whether this is the main address',
		},
		{
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: [
				{ name: 'Home', value: 'home' },
				{ name: 'None', value: '' },
				{ name: 'Other', value: 'other' },
				{ name: 'Work', value: 'work' },
			],
			default: '',
			description: 'What the address is for. Without one, the main address of a new user is Work.',
		},
	],
	{
		displayName: 'Emails',
		name: 'emails',
		description:
			'Emails of the person. Taken from People if matched by email, or if one is required.',
	},
);

const [displayNameField, ...otherTextFields] = TEXTS.map(
	([name, , displayName, example, description]): INodeProperties => ({
		...{ displayName, name, type: 'string', default: '' },
		...{ placeholder: `e.g. ${example}`, description },
	}),
);

/** Attributes of people who are created to be given access: those are active. */
export const newcomerFields: INodeProperties[] = [
	displayNameField,
	emailsField,
	...otherTextFields,
	jsonField('{"title": "Engineer"}; extensions under their URN'),
];

/**
 * Reads SCIM attributes from the values of a collection. Fields that are not set are left out; JSON comes first, fields win.
 * @throws InputError for JSON that does not parse or is no object, and for a field that is no text
 */
export function readUserAttributes(
	fields: IDataObject,
	ignored: readonly string[],
): CollectedAttributes {
	const { attributes, warnings } = readJsonAttributes(fields.attributesJson, [
		'groups',
		...ignored,
	]);
	const texts = TEXTS.flatMap(([field, path]) => {
		const value = fields[field];
		return value === undefined || isEmptyCell(value) ? [] : [[path, attributeText(field, value)]];
	});
	const emails = readEmails(fields.emails);
	const given = { ...Object.fromEntries(texts), ...(emails.length > 0 && { emails }) };
	return { attributes: withPaths(attributes, given), warnings };
}

/**
 * Adds attributes, which win, in the form that the service wants.
 * @param given values by path, such as `name.givenName`
 * @throws InputError for a character in a user name or email that is invisible or that no email has
 */
export function withPaths(attributes: Attributes, given: Attributes): Attributes {
	const all = Object.entries(given).reduce(
		(whole, [path, value]) => putAttribute(whole, namesIn(path), value),
		attributes,
	);
	return withComposedNames(withFirstEmail(all));
}

function withComposedNames(attributes: Attributes): Attributes {
	const { userName, emails } = attributes;
	const composed = (entry: unknown) =>
		isObject(entry) && typeof entry.value === 'string'
			? { ...entry, value: composedName(entry.value, true) }
			: entry;
	return {
		...attributes,
		...(typeof userName === 'string' && {
			userName: composedName(userName, looksLikeEmail(userName)),
		}),
		...(Array.isArray(emails) && { emails: emails.map(composed) }),
	};
}

function readEmails(value: unknown): Attributes[] {
	const rows = isObject(value) ? value.email : undefined;
	return (Array.isArray(rows) ? rows : []).flatMap((row: unknown) => {
		const address = attributeText('email', attribute(row, 'value') ?? '').trim();
		if (address === '' || !isObject(row)) return [];
		return [
			{
				value: address,
				...(Boolean(row.type) && { type: row.type }),
				...(row.primary === true && { primary: true }),
			},
		];
	});
}

/** Of one email alone, text included, it is clear that it is the primary one, but some services want to hear it. */
function withFirstEmail(attributes: Attributes): Attributes {
	const { emails: given } = attributes;
	const isText = typeof given === 'string' && given.trim() !== '';
	const emails: unknown = isText ? [{ value: given }] : given;
	if (!Array.isArray(emails)) return attributes;
	const [only] = emails.length === 1 ? emails : [];
	if (!isObject(only) || attribute(only, 'primary') !== undefined) return attributes;
	return { ...attributes, emails: [{ ...only, primary: true }] };
}

/**
 * Makes the field for attributes of a user, each under its path (RFC 7644 section 3.10), as the service describes them.
 * @param method of resource mapping
 */
export function attributesField(method: string): INodeProperties {
	return {
		displayName: 'Attributes',
		name: 'attributes',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		description: 'Attributes of the user, as the service describes them',
		typeOptions: {
			resourceMapper: {
				resourceMapperMethod: method,
				// With `add`, n8n would not start a workflow that has what is required in Other Attributes.
				mode: 'map',
				valuesLabel: 'Attributes',
				fieldWords: { singular: 'attribute', plural: 'attributes' },
				addAllFields: false,
				supportAutoMap: false,
			},
		},
	};
}

/** The columns of a list of users: as they come, or each as an attribute. */
export const userColumnsField: INodeProperties = {
	displayName: 'Columns',
	name: 'columns',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'autoMapInputData', value: null },
	description: 'The columns of the list, and the one that identifies a user',
	typeOptions: {
		resourceMapper: {
			resourceMapperMethod: 'getListedUserAttributes',
			mode: 'upsert',
			valuesLabel: 'Values',
			fieldWords: { singular: 'column', plural: 'columns' },
			multiKeyMatch: false,
			supportAutoMap: true,
		},
	},
};

/** Reads how the columns of a list of users are taken, once, from the first item. */
export function readColumnMode(context: IExecuteFunctions): {
	isMapped: boolean;
	/** Whether the editor has shown that attribute. */
	isOffered(name: string): boolean;
} {
	const mapper: unknown = context.getNodeParameter('columns', 0, {});
	const schema = attribute(mapper, 'schema');
	const offered = (Array.isArray(schema) ? schema : []).map((entry) =>
		parameterText(attribute(entry, 'id')).toLowerCase(),
	);
	return {
		isMapped: attribute(mapper, 'mappingMode') === 'defineBelow',
		isOffered: (name) => offered.includes(name.toLowerCase()),
	};
}

/** Reads a row of a list in which each column is mapped. @throws InputError for a value of a wrong type */
export function readMappedRow(
	context: IExecuteFunctions,
	item: number,
	emptyCells: EmptyCells,
): Record<string, unknown> {
	const mapped = Object.entries(readMapper(context, 'columns', item, emptyCells));
	return Object.fromEntries(mapped.map(([id, value]) => ofItsType(id, value)));
}

/** Whether a new user may come in. */
export const activeField: INodeProperties = {
	displayName: 'Active',
	name: 'active',
	type: 'boolean',
	default: true,
	description: 'Whether the person may use the service',
};

/** What the mapper does not cover. */
export const OTHER_EXAMPLE = '{"title": "Engineer"}; extensions under their URN';

/**
 * Reads SCIM attributes from the mapper and the collection beside it: JSON comes first, fields win.
 * @param others what stands beside the mapper
 * @param emptyCells what a field without a value means; one whose expression finds nothing is not given
 * @throws InputError for JSON that does not parse or is no object, for values of a wrong type, for parts of what is
 *   access, and for a filter whose values cannot be told
 */
export function readMappedAttributes(
	context: IExecuteFunctions,
	item: number,
	{ active, attributesJson }: IDataObject,
	profile: Traits,
	emptyCells: EmptyCells,
	ignored: readonly string[] = [],
): CollectedAttributes {
	const never = ['groups', ...ignored];
	const json = readJsonAttributes(attributesJson, never);
	const mapped = sendable(
		readMapper(context, 'attributes', item, emptyCells),
		[...never, 'password'],
		'Attributes',
	);
	const given = withoutClearedAccount(
		Object.fromEntries(
			Object.entries(mapped.attributes).map(([id, value]) => ofItsType(id, value)),
		),
	);
	const access =
		accessReachedInPart(json.attributes, profile) ?? accessReachedInPart(given, profile);
	if (access !== undefined) {
		throw new InputError(
			`${access} is access, and part of it would change, or what it is in would be cleared`,
			`Give ${access} as a whole, or use Access Values of User: Update for single values.`,
		);
	}
	const unseen = Object.keys(json.attributes).find(
		(name) =>
			json.attributes[name] === null &&
			name.includes('[') &&
			valuesByFilter({}, name) === undefined,
	);
	if (unseen !== undefined) {
		throw new InputError(
			`${unseen} cannot be cleared, because nothing would show whether it is gone`,
			'Use one comparison with eq, such as emails[type eq "work"], or give the whole list.',
		);
	}
	const attributes = withPaths(json.attributes, {
		...given,
		...(active !== undefined && { active }),
	});
	if (attributes.active !== undefined) attributes.active = readTruth('Active', attributes.active);
	return { attributes, warnings: [...json.warnings, ...mapped.warnings] };
}

/** A value as it was given, and the type that the editor has saved with it. */
interface Mapped {
	value: unknown;
	type: unknown;
}

/** What the mapper has, by the ids of its fields, without fields that are removed or not set. */
function readMapper(
	context: IExecuteFunctions,
	parameter: 'attributes' | 'columns',
	item: number,
	emptyCells: EmptyCells,
): Record<string, Mapped> {
	// Whole: of attributes.value, n8n itself makes what the types say, and 0 of an empty number.
	const mapper: unknown = context.getNodeParameter(parameter, item, {}) ?? {};
	const values = attribute(mapper, 'value') ?? {};
	const mode = attribute(mapper, 'mappingMode') ?? 'defineBelow';
	if (!isObject(mapper) || !isObject(values) || mode !== 'defineBelow') {
		throw new InputError(
			'Attributes are not mapped one by one',
			'Enter mappingMode "defineBelow", and as value an object such as {"name.givenName": "Ana"}.',
		);
	}
	const fields: unknown[] = Array.isArray(mapper.schema) ? mapper.schema : [];
	return Object.fromEntries(
		Object.entries(values).flatMap(([id, value]) => {
			const field = fields.find((entry) => attribute(entry, 'id') === id);
			if (value === undefined || attribute(field, 'removed') === true) return [];
			const isEmpty = isEmptyCell(value);
			if (isEmpty && emptyCells === 'leave') return [];
			return [[id, { value: isEmpty ? null : value, type: typeOf(field) }]];
		}),
	);
}

/** The type that the editor has saved; a choice between true and false is one of them. */
function typeOf(field: unknown): unknown {
	const options = attribute(field, 'options');
	const isTruth =
		Array.isArray(options) &&
		options.length > 0 &&
		options.every((option) => typeof attribute(option, 'value') === 'boolean');
	return isTruth ? 'boolean' : attribute(field, 'type');
}

const KNOWN = new Map(userAttributes([]).map((entry) => [entry.path.toLowerCase(), entry]));

/** Without a saved type, as in a workflow that was not made in the editor, RFC 7643 says it, else it is as it is given. */
function ofItsType(id: string, mapped: unknown): [string, unknown] {
	const { value, type } = mapped as Mapped;
	const known = KNOWN.get(id.toLowerCase());
	if (value === null) return [known?.path ?? id, null];
	const wanted = type ?? known?.type;
	if (wanted === undefined) return [id, value];
	return [known?.path ?? id, (READERS[String(wanted)] ?? attributeText)(id, value)];
}

/** By the type that n8n has for it; any other is text. Values come out of any table, so what does not fit is not guessed. */
const READERS: Record<string, (name: string, value: unknown) => unknown> = {
	array(name, value) {
		const list = parameterJson(value, name);
		if (Array.isArray(list)) return list;
		throw wrongValue(name, value, 'a list', 'Enter JSON such as [{"value": "name@email.com"}].');
	},
	boolean: readTruth,
	dateTime(name, value) {
		const text = parameterText(value);
		if (/^-?\d{4,}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text))) return text;
		throw wrongValue(name, value, 'a date and time', 'Enter it as in 2026-01-31T08:00:00Z.');
	},
	number(name, value) {
		const text = parameterText(value);
		const isExact = Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER;
		if (text !== '' && isExact) return Number(text);
		throw wrongValue(
			name,
			value,
			'a number',
			'Enter a number, or null to leave the attribute as it is.',
		);
	},
	object(name, value) {
		const object = parameterJson(value, name);
		if (isObject(object)) return object;
		throw wrongValue(name, value, 'an object', 'Enter JSON such as {"value": "A"}.');
	},
};

/**
 * Reads true or false. HR systems send "true" and "no": a value that is not plainly one or the other must not decide about
 * access.
 * @throws InputError for anything but true and false, and their texts
 */
export function readTruth(name: string, value: unknown): boolean {
	const text = typeof value === 'object' ? '' : String(value).trim().toLowerCase();
	if (text === 'true' || text === 'false') return text === 'true';
	throw wrongValue(name, value, 'true or false', 'Enter true or false.');
}
