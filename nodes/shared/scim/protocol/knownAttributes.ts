import { attribute, readText, SCHEMA } from './resource';

/**
 * No schema names what all resources have (RFC 7643 section 3.1), and nobody is let in or out by what is not said. In
 * lower case.
 */
const ALWAYS_KNOWN = ['externalid', 'active'];

/** Set by the service or with every request. */
const NEVER_GIVEN = ['id', 'meta', 'schemas'];

/** Whether a service knows an attribute of users, by its name or, for an extension, its URN. */
export type KnowsAttribute = (name: string) => boolean;

/**
 * Reads the schemas of a service (RFC 7643 section 7).
 * @param schemas entries of `/Schemas`; without one of users every attribute counts as known
 */
export function knownAttributes(schemas: readonly unknown[]): KnowsAttribute {
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

/** The same where it is known what a service keeps. @param kept names in lower case */
export function keptOnly(kept: readonly string[]): KnowsAttribute {
	return (name) => kept.includes(name.toLowerCase().split(/[.[]/, 1)[0]);
}

/**
 * What a service requires of new users: required attributes that a client can write, and required sub-attributes of those
 * that have one value (RFC 7643 section 7).
 * @param schemas entries of `/Schemas`
 */
export function requiredAttributes(schemas: readonly unknown[]): string[] {
	const core = schemas.find((schema) => nameIn(schema, 'id') === SCHEMA.user.toLowerCase());
	return requiredIn(core).flatMap((entry) => {
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
			nameIn(entry, 'name') !== '' &&
			!NEVER_GIVEN.includes(nameIn(entry, 'name')),
	);
}

/** In lower case; empty for what is neither text nor a number. */
export function nameIn(entry: unknown, key: string): string {
	return readText(attribute(entry, key))?.toLowerCase() ?? '';
}
