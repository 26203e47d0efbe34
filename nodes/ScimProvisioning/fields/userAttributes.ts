import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { composedName, isObject, looksLikeEmail } from '../../shared/util';
import { attribute, type Attributes, namesIn, putAttribute, SCHEMA } from '../../shared/scim';
import { isEmptyCell } from './emptyCells';
import {
	attributeText,
	jsonField,
	readJsonAttributes,
	type CollectedAttributes,
} from './jsonAttributes';

/** RFC 7643 section 4.3; the manager is a user of the same service. */
const enterpriseFields: INodeProperties[] = [
	{
		displayName: 'Enterprise: Cost Center',
		name: 'costCenter',
		type: 'string',
		default: '',
		placeholder: 'e.g. 4130',
		description: 'Cost center of the person',
	},
	{
		displayName: 'Enterprise: Department',
		name: 'department',
		type: 'string',
		default: '',
		placeholder: 'e.g. Marketing',
		description: 'Department of the person',
	},
	{
		displayName: 'Enterprise: Division',
		name: 'division',
		type: 'string',
		default: '',
		placeholder: 'e.g. Europe',
		description: 'Division of the person',
	},
	{
		displayName: 'Enterprise: Employee Number',
		name: 'employeeNumber',
		type: 'string',
		default: '',
		placeholder: 'e.g. 701984',
		description: 'Number that the employer has given the person',
	},
	{
		displayName: 'Enterprise: Manager ID',
		name: 'managerId',
		type: 'string',
		default: '',
		placeholder: 'e.g. user-4f2a9c',
		description: 'ID of the user who is the manager of the person',
	},
	{
		displayName: 'Enterprise: Organization',
		name: 'enterpriseOrganization',
		type: 'string',
		default: '',
		placeholder: 'e.g. Example Holding',
		description: 'Name of the organization that employs the person; it gives no access',
	},
];

/** Attributes of people who are created to be given access: those are active. */
export const newcomerFields: INodeProperties[] = [
	{
		displayName: 'Display Name',
		name: 'displayName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Ana Silva',
		description: 'Name as it is shown',
	},
	{
		displayName: 'Emails',
		name: 'emails',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Email',
		default: {},
		description:
			'Email addresses of the person. Not taken from People, unless Match Users By is Email.',
		options: [
			{
				displayName: 'Email',
				name: 'email',
				values: [
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
						description:
							'What the address is for. Without one, the main address of a new user is Work.',
					},
				],
			},
		],
	},
	...enterpriseFields,
	{
		displayName: 'External ID',
		name: 'externalId',
		type: 'string',
		default: '',
		placeholder: 'e.g. HR-1042',
		description: 'Your own ID of the person, e.g. from HR',
	},
	{
		displayName: 'Family Name',
		name: 'familyName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Silva',
		description: 'Last name of the person',
	},
	{
		displayName: 'Given Name',
		name: 'givenName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Ana',
		description: 'First name of the person',
	},
	jsonField('{"title": "Engineer"}; extensions under their URN'),
];

/** Where the value of a text field goes. */
const PATHS: Record<string, string> = {
	costCenter: `${SCHEMA.enterpriseUser}:costCenter`,
	department: `${SCHEMA.enterpriseUser}:department`,
	displayName: 'displayName',
	division: `${SCHEMA.enterpriseUser}:division`,
	employeeNumber: `${SCHEMA.enterpriseUser}:employeeNumber`,
	enterpriseOrganization: `${SCHEMA.enterpriseUser}:organization`,
	externalId: 'externalId',
	familyName: 'name.familyName',
	givenName: 'name.givenName',
	managerId: `${SCHEMA.enterpriseUser}:manager.value`,
};

/**
 * SCIM attributes out of the collection's values. Fields that are not set are left out; JSON comes first, fields win.
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
	const texts = Object.entries(PATHS).flatMap(([field, path]) => {
		const value = fields[field];
		return value === undefined || isEmptyCell(value) ? [] : [[path, attributeText(field, value)]];
	});
	const emails = readEmails(fields.emails);
	const given = { ...Object.fromEntries(texts), ...(emails.length > 0 && { emails }) };
	return { attributes: withPaths(attributes, given), warnings };
}

/**
 * Attributes with more of them, which win, as a service wants to have them.
 * @param given values by path, such as `name.givenName`
 * @throws InputError for a character in a user name or email that nobody sees or that no email has
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
	return (Array.isArray(rows) ? rows : []).flatMap((row: IDataObject) => {
		const address = attributeText('email', row.value ?? '').trim();
		if (address === '') return [];
		return [
			{
				value: address,
				...(Boolean(row.type) && { type: row.type }),
				...(row.primary === true && { primary: true }),
			},
		];
	});
}

/** Of one email alone, text included, nobody needs to say that it is the primary one, but some services want to hear it. */
function withFirstEmail(attributes: Attributes): Attributes {
	const { emails: given } = attributes;
	const isText = typeof given === 'string' && given.trim() !== '';
	const emails: unknown = isText ? [{ value: given }] : given;
	if (!Array.isArray(emails)) return attributes;
	const [only] = emails.length === 1 ? emails : [];
	if (!isObject(only) || attribute(only, 'primary') !== undefined) return attributes;
	return { ...attributes, emails: [{ ...only, primary: true }] };
}
