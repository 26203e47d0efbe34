import type { ResourceType, Attributes } from './resource';
import type { ScimPrefix, Traits } from './traits';
import { withEmailTypes } from './matching';
import {
	changeMembers as membersPatch,
	type KeptOfGroup,
	type MemberEntry,
	type PatchBody,
	wholeGroup,
} from './patch';
import type { Service } from './service';

const PREFIX = 'scim';

/** Path segments of a collection, or of one resource when an id is given (test/contract/interface.md 1.5, both forms). */
export function resourcePath(
	prefix: ScimPrefix,
	type: ResourceType | 'Schemas' | 'ResourceTypes',
	id?: string,
): string[] {
	const prefixed = prefix === 'everyRequest' || (prefix === 'collectionsOnly' && id === undefined);
	return [...(prefixed ? [PREFIX] : []), type, ...(id === undefined ? [] : [id])];
}

/** A request that changes something, as it is sent and as Preview shows it (RFC 7644 sections 3.3, 3.5, 3.6). */
export interface WriteRequest {
	method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** One entry per segment, not encoded. */
	path: string[];
	body?: Attributes | PatchBody;
}

type WithBody<B> = WriteRequest & { body: B };

type Place = Pick<Traits, 'prefix'>;

/** Where what is written goes, and whether how it is written is known. */
type Writes = Place & Pick<Service, 'formsAreKnown'>;

/** A whole resource has its ID: RFC 7644 section 3.5.1 ignores it, and some services refuse one without it. */
function withId({ formsAreKnown }: Writes, id: string, attributes: Attributes): Attributes {
	const { schemas, ...own } = attributes;
	return formsAreKnown ? attributes : { schemas, id, ...own };
}

/** Where it is known that IDs are enough, members go by them alone. */
function entriesFor({ formsAreKnown }: Writes, members: readonly MemberEntry[]): MemberEntry[] {
	return formsAreKnown ? members.map(({ value }) => ({ value })) : [...members];
}

export function createUser({ prefix }: Place, attributes: Attributes): WithBody<Attributes> {
	return { method: 'POST', path: resourcePath(prefix, 'Users'), body: withEmailTypes(attributes) };
}

export function patchUser({ prefix }: Place, id: string, body: PatchBody): WithBody<PatchBody> {
	return { method: 'PATCH', path: resourcePath(prefix, 'Users', id), body };
}

export function replaceUser(
	profile: Writes,
	id: string,
	attributes: Attributes,
): WithBody<Attributes> {
	const body = withId(profile, id, attributes);
	return { method: 'PUT', path: resourcePath(profile.prefix, 'Users', id), body };
}

export function deleteUser({ prefix }: Place, id: string): WriteRequest {
	return { method: 'DELETE', path: resourcePath(prefix, 'Users', id) };
}

/** Adds first, so that no user is without a group in between. */
export function changeMembers(
	profile: Writes & Pick<Traits, 'memberRemoval'>,
	groupId: string,
	add: readonly MemberEntry[],
	remove: readonly string[],
): WithBody<PatchBody> {
	const body = membersPatch(entriesFor(profile, add), remove, profile.memberRemoval);
	return { method: 'PATCH', path: resourcePath(profile.prefix, 'Groups', groupId), body };
}

/** @param kept what the group has beside its people, which a PUT without it would clear */
export function replaceMembers(
	profile: Writes,
	groupId: string,
	members: readonly MemberEntry[],
	kept: Pick<KeptOfGroup, 'attributes' | 'nested' | 'others'>,
): WithBody<Attributes> {
	const body = withId(profile, groupId, wholeGroup(kept, entriesFor(profile, members)));
	return { method: 'PUT', path: resourcePath(profile.prefix, 'Groups', groupId), body };
}

export function createGroup({ prefix }: Place, attributes: Attributes): WithBody<Attributes> {
	return { method: 'POST', path: resourcePath(prefix, 'Groups'), body: attributes };
}

export function patchGroup({ prefix }: Place, id: string, body: PatchBody): WithBody<PatchBody> {
	return { method: 'PATCH', path: resourcePath(prefix, 'Groups', id), body };
}

export function deleteGroup({ prefix }: Place, id: string): WriteRequest {
	return { method: 'DELETE', path: resourcePath(prefix, 'Groups', id) };
}
