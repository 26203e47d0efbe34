import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { attempt, isObject, parseJson } from '../shared/util';
import { EDITOR_LIMITS, toListError } from '../shared/run';
import {
	afterPage,
	attribute,
	contains,
	type CursorPlace,
	FIRST_CURSOR,
	goesByIndex,
	type Group,
	incompleteList,
	isRound,
	type ListPage,
	type ListQuery,
	markOf,
	missing,
	readGroup,
	readUser,
	refusesCursor,
	totalAfter,
	type ServiceProfile,
	wholeList,
} from '../shared/scim';
import { connect, type ScimConnection } from '../shared/connection';
import { placeOfOrganization } from '../shared/access/facts';

const PAGE_SIZE = 100;

/** So many pages are searched for a text before the editor is given an empty one to go on from. */
const PAGES_PER_SEARCH = 5;

/** Runs a search; whatever goes wrong becomes an error that the editor can show. */
async function search(
	context: ILoadOptionsFunctions,
	work: (connection: ScimConnection) => Promise<INodeListSearchResult>,
): Promise<INodeListSearchResult> {
	const tried = await attempt(async () => await work(await connect(context, EDITOR_LIMITS)));
	if (!tried.ok) throw toListError(context.getNode(), tried.error);
	return tried.value;
}

/** Users whose name or id contains the text. */
export async function searchUsers(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await search(this, async ({ client }) => {
		const text = (filter ?? '').trim();
		// A whole email is asked for directly, so that no user of the editor pages through thousands to find one.
		if (text.includes('@') && paginationToken === undefined) {
			const exact = await client.findUsersByFilter(text);
			if (exact.usable && exact.users.length > 0) return { results: exact.users.map(userEntry) };
		}
		return await searchList(
			{
				what: 'users',
				profile: client.profile,
				readPage: async (query) => await client.readUsersPage(query),
				read(entry) {
					const user = readUser(entry);
					return user === undefined ? [] : [userEntry(user)];
				},
				filtered: 'userName',
			},
			text,
			paginationToken,
		);
	});
}

/** Groups whose name or id contains the text, with the names of organizations from the credential. */
export async function searchGroups(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await search(this, async (connection) => {
		const { client } = connection;
		return await searchList(
			{
				what: 'groups',
				profile: client.profile,
				readPage: async (query) => await client.readGroupsPage(query),
				read(entry) {
					const group = readGroup(entry);
					return group === undefined
						? []
						: [{ name: groupName(group, connection), value: group.id }];
				},
				filtered: 'displayName',
			},
			(filter ?? '').trim(),
			paginationToken,
		);
	});
}

/** Organizations that have groups, by the names that the credential gives them. */
export async function searchOrganizations(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await search(this, async ({ client, ids, organizations }) => {
		ids.requirePattern();
		const groups = wholeList(await client.listGroupNames({ count: PAGE_SIZE }), 'groups');
		const known = new Map(
			[
				...groups.flatMap((group) => ids.parse(group.id, group.displayName)?.organization ?? []),
				// As the credential writes them, where it does.
				...organizations.named.map(({ id }) => id),
			].map((id) => [placeOfOrganization(id, ids), id]),
		);
		return {
			results: [...known.values()]
				.map((id) => {
					const name = organizations.nameOf(id);
					return { name: name === id ? id : `${name} (${id})`, value: id };
				})
				.filter(matching((filter ?? '').trim()))
				.sort((a, b) => a.name.localeCompare(b.name)),
		};
	});
}

/** A list that is searched. */
interface SearchedList {
	what: 'groups' | 'users';
	profile: ServiceProfile;
	readPage(query: ListQuery): Promise<ListPage>;
	/** The entry of the editor's list, if it is one. */
	read(entry: unknown): INodeListSearchItems[];
	/** The attribute that a service may be asked for by a part of it. */
	filtered: string;
}

/** Where a page begins, and the ID that the page before it began with: the same again is the same page. */
interface IndexPlace {
	startIndex: number;
	first?: string;
	/** As in `CursorPlace`. */
	total: number;
}

type Place = IndexPlace | CursorPlace;

function beginningOf({ profile }: SearchedList): Place {
	return profile.paging === 'cursor' ? FIRST_CURSOR : { startIndex: 1, total: 0 };
}

/** What the editor gives back for the next page. */
interface Token {
	place: Place;
	/** Whether the service does the search. */
	isByService: boolean;
}

function tokenOf(place: Place | undefined, isByService: boolean): { paginationToken?: string } {
	if (place === undefined) return {};
	return { paginationToken: JSON.stringify({ place, isByService } satisfies Token) };
}

/** Undefined for none, and for one of another version, which an editor that was open meanwhile may send: the list starts over. */
function readToken(text = ''): Token | undefined {
	const token = parseJson(text);
	return isObject(token) && isObject(token.place) ? (token as unknown as Token) : undefined;
}

/** Has the service search where it can, and else looks through the list. */
async function searchList(
	list: SearchedList,
	text: string,
	paginationToken: string | undefined,
): Promise<INodeListSearchResult> {
	const token = readToken(paginationToken);
	const filter = contains(list.filtered, text);
	if (token?.isByService) {
		const { entries, next } = await pageAt(list, token.place, filter);
		const results = entries.flatMap(list.read).filter(matching(text));
		return { results, ...tokenOf(next, true) };
	}
	if (list.profile.listsTakeOptions && text !== '' && token === undefined) {
		// The service may not know such a filter.
		const tried = await attempt(async () => await pageAt(list, beginningOf(list), filter));
		const results = tried.ok ? tried.value.entries.flatMap(list.read) : [];
		if (tried.ok && results.length > 0 && results.every(matching(text))) {
			return { results, ...tokenOf(tried.value.next, true) };
		}
	}
	return await searchPages(list, text, token?.place ?? beginningOf(list));
}

/** One page with hits, or as many pages as a search may read at once; the token goes on from there. */
async function searchPages(
	list: SearchedList,
	text: string,
	from: Place,
): Promise<INodeListSearchResult> {
	let results: INodeListSearchItems[] = [];
	let place: Place | undefined = from;
	for (let pages = 0; pages < PAGES_PER_SEARCH && results.length === 0 && place; pages++) {
		const { entries, next }: Page = await pageAt(list, place);
		results = entries.flatMap(list.read).filter(matching(text));
		place = next;
	}
	return { results, ...tokenOf(place, false) };
}

interface Page {
	entries: unknown[];
	/** Undefined on the last page. */
	next?: Place;
	/** Why a list by cursor broke off here. */
	broken?: string;
}

/**
 * Reads one page. Where a list by cursor breaks off, it is gone through once from its beginning, up to what was not shown
 * yet.
 * @throws RequestError when the list cannot be read to its end
 */
async function pageAt(list: SearchedList, place: Place, filter?: string): Promise<Page> {
	const tried = await attempt(async () => await readPage(list, place, filter));
	if (tried.ok && tried.value.broken === undefined) return tried.value;
	const isRefused = 'cursor' in place && place.cursor !== '';
	if (!tried.ok && !(isRefused && refusesCursor(tried.error))) throw tried.error;

	const shown = 'cursor' in place ? place.shown : place.startIndex - 1;
	let page = await readPage(list, beginningOf(list), filter);
	let seen = page.entries.length;
	while (seen <= shown && page.next !== undefined) {
		page = await readPage(list, page.next, filter);
		seen += page.entries.length;
	}
	if (page.broken !== undefined) throw incompleteList(list.what, page.broken, seen);
	return { ...page, entries: seen > shown ? page.entries.slice(shown - seen) : [] };
}

async function readPage(list: SearchedList, place: Place, filter?: string): Promise<Page> {
	if (!('cursor' in place)) return await pageByIndex(list, place, filter);
	const page = await list.readPage({ cursor: place.cursor, count: PAGE_SIZE, filter });
	const { entries } = page;
	if (place.cursor === '' && goesByIndex(page, PAGE_SIZE, list.profile)) {
		const total = totalAfter(0, page, list.profile);
		return { entries, next: { startIndex: entries.length + 1, first: idOf(entries[0]), total } };
	}
	return pageByCursor(list, place, page);
}

function pageByCursor({ what, profile }: SearchedList, place: CursorPlace, page: ListPage): Page {
	const { entries } = page;
	const mark = markOf(JSON.stringify(entries.map(idOf)));
	const fresh = place.seen.includes(mark) ? 0 : entries.length;
	const step = afterPage({ ...place, seen: [...place.seen, mark] }, page, fresh, profile);
	const most = EDITOR_LIMITS.mostResources;
	if (step.next !== undefined && step.next.shown > most) {
		throw incompleteList(what, `it has more than ${most} entries`, step.next.shown);
	}
	return { entries, ...step };
}

/**
 * Reads a page by index. A service that ignores where it is to begin shows its first page again: it is then asked for a
 * larger one, of which the entries that are new are the page.
 */
async function pageByIndex(
	list: SearchedList,
	place: IndexPlace,
	filter: string | undefined,
): Promise<Page> {
	const { startIndex, first } = place;
	const page = await list.readPage({ startIndex, count: PAGE_SIZE, filter });
	const { entries, totalResults = 0 } = page;
	if (page.nextCursor !== undefined) {
		return pageByCursor(list, { ...FIRST_CURSOR, shown: startIndex - 1 }, page);
	}
	const total = totalAfter(place.total, page, list.profile);
	const begins = idOf(entries[0]);
	if (first !== undefined && begins === first) {
		return await largerPage(list, { ...place, total }, filter);
	}
	const shown = startIndex - 1 + entries.length;
	// A total may be missing, or be the size of the page: a full page, or one of a round length, may have another behind it.
	const isCounted = list.profile.listsAreExact || totalResults > entries.length;
	const isShort = entries.length < PAGE_SIZE && (isCounted || !isRound(entries.length));
	if (entries.length > 0 && (!isShort || shown < total)) {
		return { entries, next: { startIndex: shown + 1, first: begins, total } };
	}
	if (shown < total) throw incompleteList(list.what, missing(shown, total), shown);
	return { entries };
}

async function largerPage(
	list: SearchedList,
	place: IndexPlace,
	filter: string | undefined,
): Promise<Page> {
	const shown = place.startIndex - 1;
	let count = shown + PAGE_SIZE;
	for (let tries = 0; tries < 2 && count <= EDITOR_LIMITS.mostResources; tries++, count *= 2) {
		const { entries } = await list.readPage({ startIndex: 1, count, filter });
		if (entries.length > shown) {
			const next = { ...place, startIndex: entries.length + 1 };
			return { entries: entries.slice(shown), next };
		}
		if (!isRound(shown) && shown >= place.total) return { entries: [] };
	}
	throw incompleteList(list.what, missing(shown, place.total || undefined), shown);
}

function idOf(entry: unknown): string | undefined {
	const id = attribute(entry, 'id');
	return id === undefined ? undefined : String(id);
}

function groupName(group: Group, { ids, organizations }: ScimConnection): string {
	const { id, displayName } = group;
	const parsed = ids.parse(id, displayName);
	if (parsed !== undefined) return `${organizations.nameOf(parsed.organization)}: ${parsed.role}`;
	// Groups may share a name.
	return displayName === id ? id : `${displayName} (${id})`;
}

function userEntry(user: { id: string; userName: string; active?: boolean }): INodeListSearchItems {
	const name = user.userName || user.id;
	return { name: user.active === false ? `${name} (inactive)` : name, value: user.id };
}

function matching(text: string): (entry: INodeListSearchItems) => boolean {
	const wanted = text.toLowerCase();
	return ({ name, value }) =>
		name.toLowerCase().includes(wanted) || String(value).toLowerCase().includes(wanted);
}
