import { withEmailTypes } from './matching';
import {
	changeMembers as membersPatch,
	type KeptOfGroup,
	type PatchBody,
	wholeGroup,
} from './patch';
import { resourcePath } from './paths';
import type { Attributes } from './resource';
import type { Traits } from './traits';

/** A request that changes something, as it is sent and as Preview shows it (RFC 7644 sections 3.3, 3.5, 3.6). */
export interface WriteRequest {
	method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** One entry per segment, not encoded. */
	path: string[];
	body?: Attributes | PatchBody;
}

type WithBody<B> = WriteRequest & { body: B };

type Place = Pick<Traits, 'prefix'>;

export function createUser({ prefix }: Place, attributes: Attributes): WithBody<Attributes> {
	return { method: 'POST', path: resourcePath(prefix, 'Users'), body: withEmailTypes(attributes) };
}

export function patchUser({ prefix }: Place, id: string, body: PatchBody): WithBody<PatchBody> {
	return { method: 'PATCH', path: resourcePath(prefix, 'Users', id), body };
}

export function replaceUser(
	{ prefix }: Place,
	id: string,
	attributes: Attributes,
): WithBody<Attributes> {
	return { method: 'PUT', path: resourcePath(prefix, 'Users', id), body: attributes };
}

export function deleteUser({ prefix }: Place, id: string): WriteRequest {
	return { method: 'DELETE', path: resourcePath(prefix, 'Users', id) };
}

/** Adds first, so that nobody is without a group in between. */
export function changeMembers(
	{ prefix, memberRemoval }: Pick<Traits, 'prefix' | 'memberRemoval'>,
	groupId: string,
	add: readonly string[],
	remove: readonly string[],
): WithBody<PatchBody> {
	const body = membersPatch(add, remove, memberRemoval);
	return { method: 'PATCH', path: resourcePath(prefix, 'Groups', groupId), body };
}

/** @param kept what the group has beside its people, which a PUT without it would clear */
export function replaceMembers(
	{ prefix }: Place,
	groupId: string,
	userIds: readonly string[],
	kept: KeptOfGroup,
): WithBody<Attributes> {
	const body = wholeGroup(kept, userIds);
	return { method: 'PUT', path: resourcePath(prefix, 'Groups', groupId), body };
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
