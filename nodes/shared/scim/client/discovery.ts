import { attempt, type Attempt } from '../../util';
import { hasStatus } from '../../http';
import {
	knownAttributes as knownIn,
	type KnownAttributes,
	requiredAttributes as requiredIn,
	someExtensionRequires,
	type RequiredAttribute,
	allowsSameNames,
	userAttributes as attributesIn,
	type UserAttribute,
} from '../protocol/schema';
import { readListPage } from '../protocol/intake';
import { resourcePath } from '../protocol/requests';
import type { DiscoveryType, Wire } from './wire';

/** Answers of a service that has no schemas. */
const NO_SCHEMAS = [404, 501];

async function readEntries(
	{ send, profile }: Wire,
	type: DiscoveryType,
): Promise<readonly unknown[]> {
	const path = resourcePath(profile.prefix, type);
	const purpose = type === 'Schemas' ? 'read the schemas' : 'read the resource types';
	const { body } = await send({ method: 'GET', path, repeat: 'never', purpose });
	return readListPage(body)?.entries ?? [];
}

async function readOnce(wire: Wire, type: DiscoveryType): Promise<Attempt<readonly unknown[]>> {
	const known = wire.discovery.get(type) ?? attempt(async () => await readEntries(wire, type));
	wire.discovery.set(type, known);
	return await known;
}

/**
 * Reads once what the service says of itself (RFC 7644 section 4): its schemas or its resource types; none where they cannot be
 * read. Never rejects.
 */
export async function discover(wire: Wire, type: DiscoveryType): Promise<readonly unknown[]> {
	const tried = await readOnce(wire, type);
	return tried.ok ? tried.value : [];
}

/**
 * Tells whether a create may leave it to the service to refuse a second user of one name. Not where `/Schemas`, which is read
 * before every create anyway, says otherwise (RFC 7643 section 7, `uniqueness`), or where the run has seen two. Never rejects.
 */
export async function refusesSameNames(wire: Wire): Promise<boolean> {
	if (wire.facts.hasTwins) return false;
	if (wire.profile.requiredAttributes !== undefined) return true;
	return !allowsSameNames(await discover(wire, 'Schemas'));
}

/**
 * Tells which attributes are kept: as the profile knows, else as `/Schemas` says (RFC 7643 section 7); a service without it
 * counts as knowing every attribute. Never rejects.
 */
export async function knownAttributes(wire: Wire): Promise<KnownAttributes> {
	const { keeps } = wire.profile;
	if (keeps === undefined) return knownIn(await discover(wire, 'Schemas'));
	return { knows: keeps, hides: () => false };
}

/**
 * Lists what new users must have: as is known of the service, else as `/Schemas` says, and where an extension requires
 * something `/ResourceTypes` (RFC 7643 sections 6 and 7). Never rejects.
 */
export async function requiredAttributes(wire: Wire): Promise<readonly RequiredAttribute[]> {
	const known = wire.profile.requiredAttributes;
	if (known !== undefined) return known.map((path) => ({ path }));
	const all = await discover(wire, 'Schemas');
	return requiredIn(all, someExtensionRequires(all) ? await discover(wire, 'ResourceTypes') : []);
}

/**
 * Lists what can be set of users, by `/Schemas`, or by RFC 7643 where the service has none.
 * @throws RequestError when it cannot be known whether it has
 */
export async function userAttributes(wire: Wire): Promise<UserAttribute[]> {
	const schemas = await readOnce(wire, 'Schemas');
	if (!schemas.ok && !hasStatus(schemas.error, ...NO_SCHEMAS)) throw schemas.error;
	return attributesIn(await discover(wire, 'Schemas'), await discover(wire, 'ResourceTypes'));
}
