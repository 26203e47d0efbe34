import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { composedName, InputError, isObject, looksLikeEmail } from '../../shared/util';
import { attribute, type Attributes, SCHEMA } from '../../shared/scim';
import { jsonField, readJsonAttributes, type CollectedAttributes } from './jsonAttributes';

const activeField: INodeProperties = {
	displayName: 'Active',
	name: 'active',
	type: 'boolean',
	default: true,
	description:
		'Whether the person may use the service. Turning it off removes all memberships on some services.',
};

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

const textFields: INodeProperties[] = [
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
		description: 'Email addresses of the person',
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
						description: 'What the address is for',
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

/** Attributes of a user as fields (docs/interface.md 1.2), for an Additional Fields or Update Fields collection. */
export const userAttributeFields: INodeProperties[] = [activeField, ...textFields];

/** The same for people who are created to be given access: those are active. */
export const newcomerFields: INodeProperties[] = textFields;

/**
 * SCIM attributes out of the collection's values. Fields that are not set are left out; JSON comes first, fields win.
 * @throws InputError for JSON that does not parse or is no object, and for values of a wrong type
 */
export function readUserAttributes(
	fields: IDataObject,
	ignored: readonly string[] = [],
): CollectedAttributes {
	const { attributes, warnings } = readJsonAttributes(fields.attributesJson, [
		'groups',
		...ignored,
	]);
	if (attributes.active !== undefined) attributes.active = readActive(attributes.active);
	const name = partsOf(fields, ['givenName', 'familyName']);
	if (Object.keys(name).length > 0) {
		attributes.name = { ...(isObject(attributes.name) ? attributes.name : {}), ...name };
	}
	Object.assign(attributes, partsOf(fields, ['displayName', 'externalId']));
	if (fields.active !== undefined) attributes.active = readActive(fields.active);
	const enterprise = {
		...partsOf(fields, ['costCenter', 'department', 'division', 'employeeNumber']),
		...renamed(partsOf(fields, ['enterpriseOrganization']), 'organization'),
		...(fields.managerId !== undefined && { manager: { value: String(fields.managerId) } }),
	};
	if (Object.keys(enterprise).length > 0) {
		const [name, given] = extensionIn(attributes, SCHEMA.enterpriseUser);
		attributes[name] = { ...given, ...enterprise };
	}
	const emails = readEmails(fields.emails);
	if (emails.length > 0) attributes.emails = emails;
	return { attributes: withComposedNames(withFirstEmail(attributes)), warnings };
}

/** @throws InputError for a character in a user name or email that nobody sees or that no email has */
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

function renamed(parts: Attributes, name: string): Attributes {
	return Object.fromEntries(Object.values(parts).map((value) => [name, value]));
}

/** A schema extension as JSON may have given it, its URN in any case. */
function extensionIn(attributes: Attributes, urn: string): [string, Attributes] {
	const name =
		Object.keys(attributes).find((key) => key.toLowerCase() === urn.toLowerCase()) ?? urn;
	const given = attributes[name];
	return [name, isObject(given) ? given : {}];
}

/** HR systems send "true" and "no": what is not plainly one or the other must not decide about access. */
function readActive(value: unknown): boolean {
	if (typeof value === 'boolean') return value;
	const text = String(value).trim().toLowerCase();
	if (text === 'true' || text === 'false') return text === 'true';
	throw new InputError(`Active is "${String(value)}"`, 'Give true or false.');
}

function readEmails(value: unknown): Attributes[] {
	const rows = isObject(value) ? value.email : undefined;
	return (Array.isArray(rows) ? rows : []).flatMap((row: IDataObject) => {
		const address = String(row.value ?? '').trim();
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

/** Of one email alone nobody has to say that it is the primary one, but some services want to hear it. */
function withFirstEmail(attributes: Attributes): Attributes {
	const emails = Array.isArray(attributes.emails) ? attributes.emails : [];
	const [only] = emails.length === 1 ? emails : [];
	if (!isObject(only) || attribute(only, 'primary') !== undefined) return attributes;
	return { ...attributes, emails: [{ ...only, primary: true }] };
}

function partsOf(fields: IDataObject, names: readonly string[]): Attributes {
	return Object.fromEntries(
		names.flatMap((name) => {
			const value = fields[name];
			return value === undefined || value === null ? [] : [[name, String(value)]];
		}),
	);
}
