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
