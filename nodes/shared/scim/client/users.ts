import { attempt, nameKey, poll, shown as inMessage } from '../../util';
import { hasStatus, RequestError, type ServiceRequest } from '../../http';
import type { Asked } from '../facts/facts';
import type { FilterAnswer } from '../facts/told';
import { equals } from '../protocol/paths';
import { intake } from '../protocol/intake';
import { matchingBy, type Matching } from '../protocol/matching';
import type { PatchBody } from '../protocol/patch';
import * as requests from '../protocol/requests';
import {
	readUser,
	wasThereBefore,
	type Attributes,
	type User,
	secretsIn,
} from '../protocol/resource';
import { readPage, type Listing, type ListQuery } from './listing';
import {
	userOfAnswer,
	userReader,
	deleteResource,
	filteredPage,
	getResource,
	listResources,
	putResource,
} from './resources';
import { ASKED, type Wire } from './wire';

/** What no user has: a hit shows that filters are ignored. */
const NOBODY = 'nobody.of.this.name@example.invalid';

/** What shows a user who is active, if anything does. */
const ACTIVE_QUERIES: ReadonlyArray<readonly [Asked, ListQuery]> = [
	['filter', { filter: 'active eq true', count: 1 }],
	['list', { startIndex: 1, count: 10 }],
];

/** Gets a user by ID (RFC 7644 section 3.4.1). */
export async function getUser(wire: Wire, id: string): Promise<User> {
	const { facts } = wire;
	const left = facts.leaving();
	const read = userReader(wire, 'id');
	const tried = await attempt(async () => await getResource(wire, 'Users', id, read));
	if (tried.ok) {
		facts.seeUser(tried.value.id, tried, left);
		return tried.value;
	}
	// That no user is shown by ID does not say yet that there is none.
	if (!hasStatus(tried.error, 404, 410)) facts.seeUser(id, tried, left);
	throw tried.error;
}

/** Lists users, as many pages as it takes (RFC 7644 section 3.4.2). */
export async function listUsers(wire: Wire, query?: ListQuery): Promise<Listing<User>> {
	const { facts } = wire;
	const left = facts.leaving();
	const listing = await listResources(wire, 'Users', userReader(wire, 'list'), query);
	for (const user of listing.resources)
		facts.seeUser(user.id, { ok: true, value: user }, left, 'list');
	return listing;
}

/**
 * Finds by filter (RFC 7644 section 3.4.2.2) the users with the user name, email or external ID, ignoring case; also those who
 * have the email among others.
 */
export async function findUsersByFilter(
	wire: Wire,
	key: string,
	matching: Matching = matchingBy('userName'),
): Promise<FilterAnswer> {
	const { by, keysOf, path } = matching;
	const { facts } = wire;
	const left = facts.leaving();
	const query = { filter: equals(path, key) };
	const answer = await filteredPage(key, async () => await readPage(wire, 'Users', query));
	if (answer === undefined) return { usable: false };
	const wanted = nameKey(key);
	const read = userReader(wire, 'filter');
	const users = answer.entries.flatMap((entry) => read(entry) ?? []);
	for (const user of users) facts.seeUser(user.id, { ok: true, value: user }, left, 'filter');
	const hits = users.filter((user) => keysOf(user).some((one) => nameKey(one) === wanted));
	const { entries, totalResults = 0, nextCursor } = answer;
	// User names are unique at the service; two may have the same email, and have to be seen both.
	const isOnePage = by === 'userName' || totalResults <= entries.length;
	const ignored = hits.length < entries.length || !isOnePage || nextCursor !== undefined;
	if (!ignored) return { usable: true, users: hits };
	const isOne = users.length === 1 && totalResults <= 1 && nextCursor === undefined;
	const finds = isOne && hits.length === 0 && !(await ignoresFilters(wire, matching));
	return finds ? { usable: true, users: [], other: users[0] } : { usable: false };
}

/** Asks whether a filter for users has hits whatever is asked for. */
async function ignoresFilters(wire: Wire, { path }: Matching): Promise<boolean> {
	const query = { filter: equals(path, NOBODY) };
	const answer = await filteredPage(NOBODY, async () => await readPage(wire, 'Users', query));
	return answer === undefined || answer.entries.length > 0;
}

/** Asks for an active user, once, so that it is known whether the service shows it of anybody. Never rejects. */
export async function findActive(wire: Wire): Promise<void> {
	wire.activeSearch ??= searchActive(wire);
	await wire.activeSearch;
}

/** Asks by filter, and where that shows nobody's `active` by a page of users. */
async function searchActive(wire: Wire): Promise<void> {
	for (const [asked, query] of ACTIVE_QUERIES) {
		if (wire.facts.saysActivity) return;
		const page = await attempt(async () => await readPage(wire, 'Users', query));
		const read = userReader(wire, asked);
		for (const entry of page.ok ? page.value.entries : []) read(entry);
	}
}

/** Tells whether memberships are asked for by name, since the service shows them on request alone. */
export function asksForMemberships(wire: Wire): boolean {
	return mayAskForGroups(wire) && wire.onRequest.asks;
}

/** Tells likewise, decided by this user, who shows no groups, where nothing has decided it yet. */
export async function findOutByUser(wire: Wire, id: string): Promise<boolean> {
	if (!mayAskForGroups(wire)) return false;
	return await wire.onRequest.decide(async () => {
		const asked = await askUser(wire, id);
		return asked && (asked.groupIds ?? []).length > 0;
	});
}

function mayAskForGroups({ profile }: Wire): boolean {
	return profile.usersShowGroups === 'unknown';
}

/**
 * Gets a user with the groups that are shown on request, and little else (RFC 7644 section 3.9); undefined where that is
 * refused.
 */
export async function askUser(wire: Wire, id: string): Promise<User | undefined> {
	const read = userReader(wire, 'write');
	return await wire.onRequest.ask(
		async () => await getResource(wire, 'Users', id, read, ASKED.Users),
	);
}

/** Lists users likewise. */
export async function askUsers(wire: Wire, query?: ListQuery): Promise<Listing<User> | undefined> {
	const asking = { ...query, attributes: ASKED.Users };
	const read = userReader(wire, 'write');
	return await wire.onRequest.ask(async () => await listResources(wire, 'Users', read, asking));
}

/** Ends asking for memberships in this run: an answer shows fewer than are there. */
export function stopAsking({ onRequest }: Wire): void {
	onRequest.end();
}

/** Ways of looking whether a user is there. */
export interface UserLookUps {
	/** The quick one, for looking again and again. */
	quick(): Promise<User | undefined>;
	/** The one that does not trust a filter alone, for looking once at the end. */
	thorough(): Promise<User | undefined>;
	/** Looks before the request leaves again, and throws where it must not. */
	again?(mayBeMade: boolean): Promise<void>;
	/** Another one, where the quick one finds no user and the request would be sent again. */
	beforeRepeat?(): Promise<User | undefined>;
}

/**
 * Creates a user (RFC 7644 section 3.3). Never leaves two users behind: after a lost answer it looks whether the user is there
 * before it sends again, and an answer without id is looked up until `timing` ends.
 * @returns the user, if seen; `found` when not the answer showed it but a look, so that it may have been there before
 */
export async function createUser(
	wire: Wire,
	body: Attributes,
	lookUps: UserLookUps,
): Promise<{ user?: User; found: boolean }> {
	let sentBefore = false;
	let lookedUp: User | undefined;
	const tried = await attempt(
		async () =>
			await wire.send({
				...requests.createUser(wire.profile, body),
				secrets: secretsIn(body),
				purpose: `create user ${inMessage(String(body.userName))}`,
				repeat: async ({ mayHaveWorked }) => {
					sentBefore ||= mayHaveWorked;
					// A look that fails says nothing, and nothing is sent again without one.
					const seen = mayHaveWorked
						? ((await lookUps.quick()) ?? (await lookUps.beforeRepeat?.()))
						: undefined;
					if (seen === undefined) await lookUps.again?.(sentBefore);
					lookedUp = seen;
					return seen && { answer: seen.attributes };
				},
			}),
	);
	if (!tried.ok) return await ourUser(wire, tried.error, sentBefore, lookUps);
	const shown = lookedUp ?? intake({ type: 'Users', read: readUser }, tried.value, wire.key).shows;
	if (shown === undefined) return { user: await lookPatiently(wire, lookUps), found: false };
	wire.facts.noteUser(shown, 'write');
	return { user: shown, found: lookedUp !== undefined };
}

/**
 * Looks for a user whose create has failed, but may have worked.
 * @throws the failure where it has not
 */
async function ourUser(wire: Wire, error: unknown, sentBefore: boolean, lookUps: UserLookUps) {
	// "Exists already" after a lost answer: the one that exists is the one we made.
	const mayBeOurs =
		(sentBefore && hasStatus(error, 409)) ||
		(error instanceof RequestError && error.facts.mayHaveWorked);
	const user = mayBeOurs ? await lookPatiently(wire, lookUps) : undefined;
	if (user === undefined) throw error;
	return { user, found: true };
}

async function lookPatiently({ timing }: Wire, { quick, thorough }: UserLookUps) {
	// What goes wrong while looking says nothing of the create.
	const look = async (way: typeof quick) => {
		const seen = await attempt(way);
		return seen.ok ? seen.value : undefined;
	};
	return (await poll(timing, async () => await look(quick))) ?? (await look(thorough));
}

/**
 * Tells whether a user whom a create has met was there before: not made by an earlier try.
 * @param wasMissing whether the user was looked for before
 */
export function wasThere({ serverTime }: Wire, user: User, wasMissing?: boolean): boolean {
	return wasThereBefore(user, serverTime, wasMissing);
}

/**
 * Updates attributes of a user (RFC 7644 section 3.5.2).
 * @param again looks before a repeat; the user that it gives is the answer, and nothing is sent again; a body is sent instead
 * @param hasSlot where writes are paced: whether its place was waited for already (`timing.slotOfWrite`)
 */
export async function patchUser(
	wire: Wire,
	id: string,
	body: PatchBody,
	again?: () => Promise<User | PatchBody | undefined>,
	hasSlot?: boolean,
): Promise<User | undefined> {
	const left = wire.facts.leaving();
	const answer = await wire.send({
		...requests.patchUser(wire.profile, id, body),
		// Only values are replaced (see replaceAttributes), which gives the same however often it is done.
		repeat:
			again === undefined
				? 'always'
				: async () => {
						const next = await again();
						if (next === undefined) return undefined;
						return 'Operations' in next ? { body: next } : { answer: next.attributes };
					},
		hasSlot,
		secrets: secretsIn(body),
		purpose: `update user ${id}`,
	});
	return userOfAnswer(wire, id, answer, left);
}

/**
 * Replaces a whole user (RFC 7644 section 3.5.1).
 * @param again reads the user before a repeat, and gives the whole one to send then
 * @param version the ETag of what `body` was made from
 */
export async function replaceUser(
	wire: Wire,
	id: string,
	body: Attributes,
	again: () => Promise<Attributes>,
	hasSlot?: boolean,
	version?: string,
): Promise<User | undefined> {
	const left = wire.facts.leaving();
	const requestFor = (whole: Attributes) => requests.replaceUser(wire.profile, id, whole);
	const next = async () => requestFor(await again());
	const request: ServiceRequest = {
		...requestFor(body),
		repeat: { ifRefused: next },
		hasSlot,
		secrets: secretsIn(body),
		purpose: `replace user ${id}`,
	};
	const answer = await putResource(wire, request, ['Users', id], version, next);
	return userOfAnswer(wire, id, answer, left);
}

/**
 * Deletes a user (RFC 7644 section 3.6); false when the user was gone before.
 * @param again looks before a repeat, and throws where it is not to be sent again
 */
export async function deleteUser(
	wire: Wire,
	id: string,
	again?: () => Promise<void>,
	hasSlot?: boolean,
): Promise<boolean> {
	const request = { ...requests.deleteUser(wire.profile, id), hasSlot };
	return await deleteResource(wire, { ...request, purpose: `delete user ${id}` }, again);
}
