import { attempt, isDeepEqual } from '../../util';
import { type Answer, hasStatus, RequestError, type ServiceRequest } from '../../http';
import { intake, type ListPage } from '../protocol/intake';
import { resourcePath } from '../protocol/requests';
import {
	versionOf,
	type Resource,
	type ResourceType,
	readGroup,
	readUser,
	type Group,
	type User,
} from '../protocol/resource';
import type { Asked, Leaving } from '../facts/facts';
import { listAll, type Listing, type ListQuery, type Reader } from './listing';
import { FILTER_REFUSALS } from './memberFilters';
import type { Wire } from './wire';

/** How many times a whole resource is sent again that others change meanwhile. */
const MOST_PUTS = 4;

/** Lists resources in the pages that the run has learned (RFC 7644 section 3.4.2). */
export async function listResources<R extends Resource>(
	{ send, profile, limits, habits }: Wire,
	type: ResourceType,
	read: Reader<R>,
	query?: ListQuery,
): Promise<Listing<R>> {
	return await listAll(send, profile, type, read, limits, query, habits[type]);
}

/**
 * Reads the answer to a filter for a value; undefined when the service refuses it, or fails at a quote in it, which some put
 * into a query as it is (RFC 7644 section 3.4.2.2).
 * @throws RequestError for any other failure
 */
export async function filteredPage(
	value: string,
	read: () => Promise<ListPage>,
): Promise<ListPage | undefined> {
	const tried = await attempt(read);
	if (tried.ok) return tried.value;
	const failures = /["'\\]/.test(value) ? [500] : [];
	if (hasStatus(tried.error, ...FILTER_REFUSALS, ...failures)) return undefined;
	throw tried.error;
}

/**
 * Gets one resource by ID (RFC 7644 section 3.4.1); an answer that is no such resource counts as none.
 * @param attributes those to ask for, where it is not the whole resource
 */
export async function getResource<R extends Resource>(
	{ send, profile, key, facts }: Wire,
	type: ResourceType,
	id: string,
	read: Reader<R>,
	attributes?: string,
): Promise<R> {
	const purpose = `get ${type === 'Users' ? 'user' : 'group'} ${id}`;
	const query = attributes === undefined ? undefined : { attributes };
	const answer = await send({
		...{ method: 'GET', path: resourcePath(profile.prefix, type, id), repeat: 'always', purpose },
		...(query && { query }),
	});
	const observed = intake({ type, id, read }, answer, key);
	const { shows, against } = observed;
	if (against !== undefined && observed.isOther) throw otherResource(purpose, against);
	const version = shows && versionOf(shows);
	// What was asked for by name may be without its ETag.
	if (query === undefined || version !== undefined) facts.noteVersion(type, id, version);
	if (shows !== undefined) return shows;
	throw new RequestError(
		`Could not ${purpose}: ${against}`,
		'Check the Service Profile, the Base URL and where the /scim prefix goes.',
		{ kind: 'unreadable', method: 'GET', status: answer.status, mayHaveWorked: false },
	);
}

function otherResource(purpose: string, against: string): RequestError {
	return new RequestError(
		`Could not ${purpose}: ${against}`,
		'Check the ID, its upper and lower case too. If it is right, check what is between n8n and the service.',
		{ kind: 'unreadable', method: 'GET', mayHaveWorked: false },
	);
}

/**
 * Sends a whole resource (RFC 7644 section 3.5.1): where the service has ETags, only while it is as it was read (section 3.14).
 * Tags that change while the resource does not are of no use, and after two such refusals it goes without.
 * @param again reads the resource and gives the request to send then
 */
export async function putResource(
	{ send, facts }: Wire,
	request: ServiceRequest,
	[type, id]: readonly [ResourceType, string],
	version: string | undefined,
	again: () => Promise<{ answer: object } | { body: object }>,
): Promise<Answer> {
	let [next, ifMatch, same] = [request, version, 0];
	for (let tries = 1; ; tries++) {
		const sent = { ...next, ...(ifMatch !== undefined && { ifMatch }) };
		if (ifMatch === undefined) facts.noteUntagged(type, id);
		const tried = await attempt(async () => await send(sent));
		if (tried.ok) return tried.value;
		if (!hasStatus(tried.error, 412) || ifMatch === undefined || tries > MOST_PUTS)
			throw tried.error;
		const looked = await again();
		if ('answer' in looked) return { status: 200, body: looked.answer, text: '' };
		same = isDeepEqual(looked.body, next.body) ? same + 1 : 0;
		ifMatch = same < 2 ? facts.versionOf(type, id) : undefined;
		next = { ...next, body: looked.body, hasSlot: false };
	}
}

/** Deletes a resource; false when it was gone before (404, 410), and not through an earlier try of this request. */
export async function deleteResource(
	{ send }: Wire,
	request: Pick<ServiceRequest, 'method' | 'path' | 'hasSlot' | 'purpose'>,
	again?: () => Promise<void>,
): Promise<boolean> {
	let mayBeOurs = false;
	const repeat = async () => {
		mayBeOurs = true;
		await again?.();
		return undefined;
	};
	const tried = await attempt(async () => await send({ ...request, repeat }));
	if (tried.ok) return true;
	if (hasStatus(tried.error, 404, 410)) return mayBeOurs;
	throw tried.error;
}

/**
 * Returns a reader that notes in the facts each user that an answer shows.
 * @param asked `write` also where attributes were asked for by name: without all others it is no user as a read shows it
 */
export function userReader(wire: Wire, asked: Asked): Reader<User> {
	const { facts, onRequest } = wire;
	return (entry) => {
		const user = keep(readUser(entry), `user ${asked === 'write'}`, wire);
		if (user === undefined) return undefined;
		facts.noteUser(user, asked);
		if (asked !== 'write' && user.groupIds !== undefined) onRequest.noteShown();
		return user;
	};
}

/** Returns a reader that notes in the facts each group that an answer shows, and tells its members apart by them. */
export function groupReader(wire: Wire): Reader<Group> {
	const { facts } = wire;
	return (entry) => {
		const group = keep(readGroup(entry), 'group', wire);
		if (group === undefined) return undefined;
		facts.noteGroup(group);
		return facts.resolved(group);
	};
}

/**
 * Keeps of a resource what the run needs.
 * @param as what tells it apart from all else that is held
 * @throws RequestError where the run cannot hold more
 */
function keep<R extends Resource>(
	resource: R | undefined,
	as: string,
	{ keeps, memory }: Wire,
): R | undefined {
	if (resource === undefined) return undefined;
	const all = Object.entries(resource.attributes);
	const needed = all.filter(([name]) => keeps(name));
	const kept =
		needed.length === all.length
			? resource
			: { ...resource, attributes: Object.fromEntries(needed) };
	memory.hold(resource.id, kept, as);
	return kept;
}

/** Takes the members from a group of a service that is known to show none. */
export function withoutMembers({ facts }: Wire, group: Group): Group {
	const shown = { ...group };
	delete shown.members;
	facts.noteNameAlone(shown);
	return shown;
}

/** Reads what the answer to a write shows of a user; undefined where it is not about that one. */
export function userOfAnswer(
	wire: Wire,
	id: string,
	answer: Answer,
	left: Leaving,
): User | undefined {
	const { facts, key } = wire;
	const { shows } = intake({ type: 'Users', id, read: userReader(wire, 'write') }, answer, key);
	if (shows !== undefined)
		facts.seeUser(id, { ok: true, value: shows }, facts.answeredTo(left), 'write');
	return shows;
}

/** Reads what the answer to a write shows of a group; undefined where it is not about that one. */
export function groupOfAnswer(wire: Wire, answer: Answer, id?: string): Group | undefined {
	const { key, profile } = wire;
	const { shows } = intake({ type: 'Groups', id, read: groupReader(wire) }, answer, key);
	return shows && profile.groupsShowMembers === 'no' ? withoutMembers(wire, shows) : shows;
}
