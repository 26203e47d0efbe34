import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { composedName, isObject, looksLikeEmail } from '../../shared/util';
import { attribute, type Attributes, namesIn, putAttribute, SCHEMA } from '../../shared/scim';
import {
	isEmptyCell,
	attributeText,
	jsonField,
	readJsonAttributes,
	type CollectedAttributes,
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
