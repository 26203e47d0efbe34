import { attribute, readText, SCHEMA } from './resource';

/**
 * No schema names what all resources have (RFC 7643 section 3.1), and `active` is decided by none of it. In
 * lower case.
 */
const ALWAYS_KNOWN = ['externalid', 'active'];

/** Whether a service knows an attribute of users, by its name or, for an extension, its URN. */
export type KnowsAttribute = (name: string) => boolean;

/** What a service says of its attributes of users. */
export interface KnownAttributes {
	knows: KnowsAttribute;
	/** Whether it takes an attribute that it never shows. */
	hides: KnowsAttribute;
}

/**
 * Reads the schemas of a service (RFC 7643 section 7).
 * @param schemas entries of `/Schemas`; without one of users every attribute counts as known
 */
export function knownAttributes(schemas: readonly unknown[]): KnownAttributes {
	const hidden = new Set(schemas.flatMap(hiddenIn));
	const hides = (name: string) => hidden.has(name.toLowerCase());
	return { knows: namedIn(schemas), hides };
}

/** Core attributes by their names, those of extensions below their URNs. */
function hiddenIn(schema: unknown): string[] {
	const urn = nameIn(schema, 'id');
	const entries = attribute(schema, 'attributes');
	const hidden = (Array.isArray(entries) ? entries : []).filter(
		(entry) => nameIn(entry, 'mutability') === 'writeonly' || nameIn(entry, 'returned') === 'never',
	);
	const prefix = urn === SCHEMA.user.toLowerCase() ? '' : `${urn}:`;
	return hidden.map((entry) => prefix + nameIn(entry, 'name'));
}

function namedIn(schemas: readonly unknown[]): KnowsAttribute {
	const byUrn = new Map(schemas.map((schema) => [nameIn(schema, 'id'), schema]));
	const core = attribute(byUrn.get(SCHEMA.user.toLowerCase()), 'attributes');
	if (!Array.isArray(core)) return () => true;
	const names = new Set([...ALWAYS_KNOWN, ...core.map((entry) => nameIn(entry, 'name'))]);
	return (name) => {
		const lower = name.toLowerCase();
		if (!lower.startsWith('urn:')) return names.has(lower.split(/[.[]/, 1)[0]);
		return [...byUrn.keys()].some((urn) => lower === urn || lower.startsWith(`${urn}:`));
	};
}

/** Tells attributes that are known to be kept from others. @param kept names in lower case */
export function keptOnly(kept: readonly string[]): KnowsAttribute {
	return (name) => kept.includes(name.toLowerCase().split(/[.[]/, 1)[0]);
}

/** In lower case; empty for what is neither text nor a number. */
export function nameIn(entry: unknown, key: string): string {
	return readText(attribute(entry, key))?.toLowerCase() ?? '';
}

/** A value of users that a client can set (RFC 7643 section 7). */
export interface UserAttribute {
	/** As RFC 7644 section 3.10 writes it: `title`, `name.givenName`, `urn:...:User:department`. */
	path: string;
	/** `array` for every attribute that has many values, `object` for a complex one whose parts are not described. */
	type: 'array' | 'boolean' | 'dateTime' | 'number' | 'object' | 'string';
	/** What the service suggests; it may take other values, too. */
	canonicalValues: string[];
}

/** By the type of RFC 7643 section 2.3, in lower case; any other is text. */
const TYPES: Record<string, UserAttribute['type']> = {
	boolean: 'boolean',
	complex: 'object',
	datetime: 'dateTime',
	decimal: 'number',
	integer: 'number',
};

/** Access, what a switch of its own decides, and what only the service sets. */
const NEVER_OFFERED = ['active', 'groups', 'id', 'meta', 'schemas'];

/** What must not be typed in a workflow, whatever schema has it. */
const SECRET = 'password';

/** Every user can have these (RFC 7643 sections 3.1 and 4.1), named by a schema or not. */
const ALWAYS = ['userName', 'externalId'];

/** A dot or colon in a name would make a path mean something else. */
const NAME = /^\$?[a-z][\w$-]*$/i;
const URN = /^urn:[^\s"'[\]]+$/i;

const texts = (...names: string[]) => names.map((name) => ({ name }));
const lists = (...names: string[]) => names.map((name) => ({ name, multiValued: true }));

/** RFC 7643 sections 4.1 and 4.3, as far as a client can write them. */
const RFC_SCHEMAS = [
	{
		id: SCHEMA.user,
		attributes: [
			...texts('userName'),
			{
				name: 'name',
				subAttributes: [
					...texts('givenName', 'familyName', 'formatted', 'middleName'),
					...texts('honorificPrefix', 'honorificSuffix'),
				],
			},
			...texts('displayName', 'nickName', 'profileUrl', 'title', 'userType'),
			...texts('preferredLanguage', 'locale', 'timezone'),
			...lists('emails', 'phoneNumbers', 'ims', 'photos', 'addresses'),
			...lists('entitlements', 'roles', 'x509Certificates'),
		],
	},
	{
		id: SCHEMA.enterpriseUser,
		attributes: [
			...texts('employeeNumber', 'costCenter', 'organization', 'division', 'department'),
			{ name: 'manager', subAttributes: texts('value') },
		],
	},
];

/**
 * What a client can set of a user: single values, parts of complex ones, and whole lists; first those of the core schema,
 * then those of extensions. What the schemas get wrong is left out.
 * @param schemas entries of `/Schemas`; without a usable one of users, RFC 7643 says what they have
 * @param resourceTypes entries of `/ResourceTypes`
 */
export function userAttributes(
	schemas: readonly unknown[],
	resourceTypes: readonly unknown[] = [],
): UserAttribute[] {
	const { isExtension } = extensionTest(resourceTypes);
	const known = schemas.some(isCore) ? schemas : [...RFC_SCHEMAS, ...schemas];
	const listed = known.filter(isCore).flatMap((schema) => entriesIn(schema, 'attributes'));
	const unlisted = ALWAYS.filter(
		(name) => !listed.some((entry) => nameIn(entry, 'name') === name.toLowerCase()),
	);
	const core = [...listed, ...texts(...unlisted)]
		.filter((entry) => !NEVER_OFFERED.includes(nameIn(entry, 'name')))
		.flatMap(settable);
	const extended = known.filter(isExtension).flatMap((schema) => {
		const urn = readText(attribute(schema, 'id'));
		const inside = entriesIn(schema, 'attributes').flatMap(settable);
		return inside.map((entry) => ({ ...entry, path: `${urn}:${entry.path}` }));
	});
	const byPath = new Map<string, UserAttribute>();
	for (const entry of [...core, ...extended]) {
		const key = entry.path.toLowerCase();
		if (!byPath.has(key)) byPath.set(key, entry);
	}
	return [...byPath.values()];
}

/** Whether schemas say that two users may have one user name, which RFC 7643 section 4.1.1 does not allow. */
export function allowsSameNames(schemas: readonly unknown[]): boolean {
	return schemas
		.filter(isCore)
		.flatMap((schema) => entriesIn(schema, 'attributes'))
		.some(
			(entry) => nameIn(entry, 'name') === 'username' && nameIn(entry, 'uniqueness') === 'none',
		);
}

function isCore(schema: unknown): boolean {
	return isOfUsers(schema) && Array.isArray(attribute(schema, 'attributes'));
}

/**
 * Whose extension a schema is, and whether every user must have it, the resource types say (RFC 7643 section 6). Without
 * them it is one of users where its URN says so, as that of the RFC does.
 */
function extensionTest(
	resourceTypes: readonly unknown[],
): Record<'isExtension' | 'isRequired', (schema: unknown) => boolean> {
	const ofUsers = resourceTypes.filter(
		(type) => nameIn(type, 'schema') === SCHEMA.user.toLowerCase(),
	);
	const named = ofUsers.flatMap((type) => entriesIn(type, 'schemaExtensions'));
	return {
		isExtension(schema) {
			const urn = nameIn(schema, 'id');
			if (urn.startsWith('urn:ietf:params:scim:schemas:core:') || !URN.test(urn)) return false;
			return ofUsers.length > 0
				? named.some((extension) => nameIn(extension, 'schema') === urn)
				: urn.split(':').includes('user');
		},
		isRequired: (schema) =>
			named.some(
				(extension) =>
					nameIn(extension, 'schema') === nameIn(schema, 'id') &&
					attribute(extension, 'required') === true,
			),
	};
}

function entriesIn(holder: unknown, key: string): unknown[] {
	const entries = attribute(holder, key);
	return Array.isArray(entries) ? entries : [];
}

/** The values of an attribute that a client can set; none where it cannot be written, or will never be shown again. */
function settable(entry: unknown): UserAttribute[] {
	const path = readText(attribute(entry, 'name')) ?? '';
	const isHidden =
		nameIn(entry, 'mutability') === 'readonly' || nameIn(entry, 'returned') === 'never';
	if (isHidden || !NAME.test(path) || path.toLowerCase() === SECRET) return [];
	if (attribute(entry, 'multiValued') === true) {
		return [{ path, type: 'array', canonicalValues: [] }];
	}
	const parts = entriesIn(entry, 'subAttributes');
	if (parts.length > 0) {
		return parts
			.flatMap((part) => settable(part))
			.map((part) => ({ ...part, path: `${path}.${part.path}` }));
	}
	const canonicalValues = entriesIn(entry, 'canonicalValues').flatMap(
		(value) => readText(value) ?? [],
	);
	return [{ path, type: TYPES[nameIn(entry, 'type')] ?? 'string', canonicalValues }];
}

/** What new users must have. */
export interface RequiredAttribute {
	/** A sub-attribute behind a dot, an attribute of an extension behind its URN. */
	path: string;
	/** The extension that it is of, where users need not have that: required of those who have something else of it. */
	onlyWith?: string;
}

/** Set by the service or with every request. */
const NEVER_GIVEN = ['id', 'meta', 'schemas'];

/**
 * What a service requires of new users: required attributes that a client can write, and required sub-attributes of those
 * that have one value (RFC 7643 section 7). An extension requires something of users who have it, and of all users where the
 * resource types require it (section 6).
 * @param schemas entries of `/Schemas`
 * @param resourceTypes entries of `/ResourceTypes`
 */
export function requiredAttributes(
	schemas: readonly unknown[],
	resourceTypes: readonly unknown[] = [],
): RequiredAttribute[] {
	const { isExtension, isRequired } = extensionTest(resourceTypes);
	const core = pathsIn(schemas.find(isOfUsers)).filter(
		(path) => !NEVER_GIVEN.includes(path.toLowerCase()),
	);
	const extended = schemas.filter(isExtension).flatMap((schema) => {
		const urn = `${readText(attribute(schema, 'id'))}`;
		const onlyWith = isRequired(schema) ? {} : { onlyWith: urn };
		return pathsIn(schema).map((path) => ({ path: `${urn}:${path}`, ...onlyWith }));
	});
	return [...core.map((path) => ({ path })), ...extended];
}

/** Whether it matters what the resource types say. */
export function someExtensionRequires(schemas: readonly unknown[]): boolean {
	return schemas.some((schema) => !isOfUsers(schema) && pathsIn(schema).length > 0);
}

function isOfUsers(schema: unknown): boolean {
	return nameIn(schema, 'id') === SCHEMA.user.toLowerCase();
}

function pathsIn(schema: unknown): string[] {
	return requiredIn(schema).flatMap((entry) => {
		const name = readText(attribute(entry, 'name'));
		const inner =
			attribute(entry, 'multiValued') === true ? [] : requiredIn(entry, 'subAttributes');
		const names = inner.map((one) => `${name}.${readText(attribute(one, 'name'))}`);
		return names.length > 0 ? names : [`${name}`];
	});
}

function requiredIn(holder: unknown, key = 'attributes'): unknown[] {
	const entries = attribute(holder, key);
	return (Array.isArray(entries) ? entries : []).filter(
		(entry) =>
			attribute(entry, 'required') === true &&
			nameIn(entry, 'mutability') !== 'readonly' &&
			NAME.test(nameIn(entry, 'name')),
	);
}
