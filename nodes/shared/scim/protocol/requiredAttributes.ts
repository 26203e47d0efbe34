import { nameIn } from './knownAttributes';
import { attribute, readText, SCHEMA } from './resource';
import { extensionTest, NAME } from './userSchema';

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
	const core = pathsIn(schemas.find(isCore)).filter(
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
	return schemas.some((schema) => !isCore(schema) && pathsIn(schema).length > 0);
}

function isCore(schema: unknown): boolean {
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
