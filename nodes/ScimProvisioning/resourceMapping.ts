import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { connect } from '../shared/connection';
import { EDITOR_LIMITS } from '../shared/run';
import {
	attribute,
	inWords,
	namesIn,
	SCHEMA,
	userAttributes,
	type UserAttribute,
} from '../shared/scim';
import { attempt } from '../shared/util';

const ENTERPRISE = `${SCHEMA.enterpriseUser}:`;

/** Offered first, in this order: what most people have. */
const COMMON = [
	...[
		'userName',
		'name.givenName',
		'name.familyName',
		'displayName',
		'emails',
		'externalId',
		'title',
	],
	...['department', 'manager.value', 'employeeNumber'].map((name) => ENTERPRISE + name),
	...['phoneNumbers', 'preferredLanguage', 'locale', 'timezone'],
].map((path) => path.toLowerCase());

/** Only in Other Attributes (JSON), unless the service requires them, or a saved workflow maps them. */
const RARE = ['ims', 'photos', 'profileurl', 'x509certificates'];

/** Lists the attributes of a new or existing user, without the user name, which has its own field. */
export async function getNewUserAttributes(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	return { fields: await attributesBeside(this, ['userName']) };
}

/** Lists the attributes of a new user, without those that have fields of their own; one that a workflow maps stays. */
export async function getMoreUserAttributes(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const mapped = Object.keys(attribute(this.getCurrentNodeParameter('attributes'), 'value') ?? {});
	const own = OWN_FIELDS.filter((path) => !mapped.includes(path));
	return { fields: await attributesBeside(this, ['userName', ...own]) };
}

const OWN_FIELDS = ['name.givenName', 'name.familyName', 'emails'];

async function attributesBeside(
	context: ILoadOptionsFunctions,
	left: readonly string[],
): Promise<ResourceMapperField[]> {
	const { attributes, required, saved } = await readAttributes(context);
	const isLeft = ({ path }: UserAttribute) =>
		left.some((one) => one.toLowerCase() === path.toLowerCase());
	const isRequired = ({ path }: UserAttribute) => isIn(required, path);
	const offered = attributes.filter((one) => !isLeft(one));
	const ordered = [...offered.filter(isRequired), ...offered.filter((one) => !isRequired(one))];
	return saved ?? fieldsOf(ordered, isRequired);
}

/** Lists the attributes of a user who is there, none of which has to be given, and whether the user is active. */
export async function getUserAttributes(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const { attributes, saved } = await readAttributes(this);
	return { fields: saved ?? [...fieldsOf(attributes, () => false), ACTIVE] };
}

/** Lists the attributes that a list of users may have: first what identifies a user. */
export async function getListedUserAttributes(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const { attributes, saved } = await readAttributes(this, 'columns');
	const names = new Set(IDENTIFYING.map(({ id }) => id));
	const others = attributes.filter(({ path }) => !names.has(path));
	return { fields: saved ?? [...IDENTIFYING, ...fieldsOf(others, () => false)] };
}

/** A choice starts empty. Of `boolean` the editor makes false, which would deactivate everybody in a list. */
const TRUTH: Pick<ResourceMapperField, 'type' | 'options'> = {
	type: 'options',
	options: [true, false].map((value) => ({ name: value ? 'True' : 'False', value })),
};

const COLUMN = {
	...{ required: false, removed: true, defaultMatch: false },
	...{ canBeUsedToMatch: true, display: true },
};

const ACTIVE: ResourceMapperField = {
	...{ ...COLUMN, id: 'active', displayName: 'Active', ...TRUTH },
	canBeUsedToMatch: false,
};

const IDENTIFYING: ResourceMapperField[] = [
	{
		...{ ...COLUMN, id: 'userName', displayName: 'User Name', type: 'string' },
		// With `addAllFields: false`, n8n would not list it.
		...{ defaultMatch: true, removed: false },
	},
	{ ...COLUMN, id: 'email', displayName: 'Email', type: 'string' },
	{ ...COLUMN, id: 'externalId', displayName: 'External ID', type: 'string' },
	{ ...COLUMN, id: 'userId', displayName: 'User ID', type: 'string', canBeUsedToMatch: false },
	ACTIVE,
];

/**
 * What the service says. Never rejects: an error would hide the fields.
 * @returns `saved` where it cannot be asked: the fields as they are, because the editor drops values of others
 */
async function readAttributes(
	context: ILoadOptionsFunctions,
	parameter = 'attributes',
): Promise<{
	attributes: UserAttribute[];
	/** In lower case. */
	required: string[];
	saved?: ResourceMapperField[];
}> {
	const connected = await attempt(async () => (await connect(context, EDITOR_LIMITS)).client);
	const client = connected.ok ? connected.value : undefined;
	const read = await attempt(async () => await client?.userAttributes());
	const required = ((await client?.requiredAttributes()) ?? []).filter(
		({ onlyWith }) => onlyWith === undefined,
	);
	const given = read.ok ? read.value : undefined;
	const mapper = context.getCurrentNodeParameter(parameter);
	const saved = attribute(mapper, 'schema');
	const mapped = Object.keys(attribute(mapper, 'value') ?? {});
	// The editor drops the values of fields that are not there any more.
	const kept = [...required.map(({ path }) => path), ...mapped].map((path) => path.toLowerCase());
	const isOffered = ({ path }: UserAttribute) =>
		!RARE.includes(path.toLowerCase()) || isIn(kept, path);
	return {
		attributes: inMenuOrder(given ?? userAttributes([])).filter(isOffered),
		required: required.map(({ path }) => path.toLowerCase()),
		...(given === undefined &&
			Array.isArray(saved) &&
			saved.length > 0 && { saved: saved as ResourceMapperField[] }),
	};
}

/** Whether an attribute, or a part of it, is among such. @param names in lower case */
function isIn(names: readonly string[], path: string): boolean {
	const lower = path.toLowerCase();
	return names.some((name) => name === lower || name.startsWith(`${lower}.`));
}

function inMenuOrder(attributes: readonly UserAttribute[]): UserAttribute[] {
	const placeOf = ({ path }: UserAttribute) => {
		const place = COMMON.indexOf(path.toLowerCase());
		return place < 0 ? COMMON.length : place;
	};
	return [...attributes].sort((one, other) => placeOf(one) - placeOf(other));
}

function fieldsOf(
	attributes: readonly UserAttribute[],
	isRequired: (one: UserAttribute) => boolean,
): ResourceMapperField[] {
	const labels = new Set<string>();
	return attributes.map((one) => {
		const { path, type, canonicalValues } = one;
		const short = labelOf(path);
		const displayName = labels.has(short) ? `${short} (${path})` : short;
		labels.add(short);
		const choices = canonicalValues.map((value) => ({ name: value, value }));
		return {
			id: path,
			displayName,
			required: isRequired(one),
			removed: !isRequired(one),
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
			type,
			...(type === 'string' && choices.length > 0 && { type: 'options', options: choices }),
			...(type === 'boolean' && TRUTH),
		};
	});
}

/**
 * `Name: Given Name`, `Department (Enterprise)`: what tells fields apart comes first, because the name that an AI model gets
 * is cut off.
 */
function labelOf(path: string): string {
	if (path.toLowerCase() === `${ENTERPRISE}manager.value`.toLowerCase()) return 'Manager';
	const names = namesIn(path);
	const urn = /^urn:/i.test(names[0]) ? names.shift() : undefined;
	const label = names.map(inWords).join(': ');
	const extension = urn
		?.split(':')
		.filter((part) => !/^(?:urn|user|v?\d.*)$/i.test(part))
		.at(-1);
	return extension === undefined ? label : `${label} (${inWords(extension)})`;
}
