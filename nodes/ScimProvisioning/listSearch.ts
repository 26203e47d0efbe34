import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { attempt } from '../shared/util';
import { EDITOR_LIMITS, toNodeError } from '../shared/run';
import {
	attribute,
	contains,
	type Group,
	incompleteList,
	isRound,
	type ListPage,
	type ListQuery,
	readGroup,
	readUser,
	refusesCursor,
	type Traits,
	wholeList,
} from '../shared/scim';
import { connect, placeOfOrganization, type ScimConnection } from '../shared/access';

const PAGE_SIZE = 100;

/** So many pages are searched for a text before the editor is given an empty one to go on from. */
const PAGES_PER_SEARCH = 5;

/** Runs a search; whatever goes wrong becomes an error that the editor can show. */
async function search(
	context: ILoadOptionsFunctions,
	work: (connection: ScimConnection) => Promise<INodeListSearchResult>,
): Promise<INodeListSearchResult> {
	const tried = await attempt(async () => await work(await connect(context, EDITOR_LIMITS)));
	if (!tried.ok) throw toNodeError(context.getNode(), tried.error);
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
		// A whole email is asked for directly, so that nobody has to page through thousands to find one.
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
				...(client.profile.filtersByPart && { filtered: 'userName' }),
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
				...(client.profile.filtersByPart && { filtered: 'displayName' }),
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
	profile: Traits;
	readPage(query: ListQuery): Promise<ListPage>;
	/** The entry of the editor's list, if it is one. */
	read(entry: unknown): INodeListSearchItems[];
	/** The attribute that the service can be asked for by a part of it. */
	filtered?: string;
}

/** Where a page begins, and the ID that the page before it began with: the same again is the same page. */
interface IndexPosition {
	startIndex: number;
	first?: string;
}

/** The cursor of a page, empty for the first, and how many entries come before it. */
interface CursorPosition {
	cursor: string;
	shown: number;
}

type Position = IndexPosition | CursorPosition;

function beginningOf({ profile }: SearchedList): Position {
	return profile.paging === 'cursor' ? { cursor: '', shown: 0 } : { startIndex: 1 };
}

/** Before the position in the token of a search that the service does itself. */
const BY_SERVICE = 'by service ';

/** Before the position in the token of a list that goes on by cursor. */
const BY_CURSOR = 'by cursor ';

function tokenOf(position: Position): string {
	if ('cursor' in position) return `${BY_CURSOR}${position.shown} ${position.cursor}`;
	const { startIndex, first = '' } = position;
	return `${startIndex} ${first}`;
}

function readToken(token: string): Position {
	const isByCursor = token.startsWith(BY_CURSOR);
	const [number, ...words] = (isByCursor ? token.slice(BY_CURSOR.length) : token).split(' ');
	const rest = words.join(' ');
	return isByCursor
		? { cursor: rest, shown: Number(number) }
		: { startIndex: Number(number), first: rest };
}

/** Has the service search where it can, and else looks through the list. */
async function searchList(
	list: SearchedList,
	text: string,
	paginationToken: string | undefined,
): Promise<INodeListSearchResult> {
	const filter = contains(list.filtered ?? '', text);
	if (paginationToken?.startsWith(BY_SERVICE)) {
		const position = readToken(paginationToken.slice(BY_SERVICE.length));
		return hitsIn(await pageAt(list, position, filter), list, text) ?? { results: [] };
	}
	if (list.filtered !== undefined && text !== '' && paginationToken === undefined) {
		// The service may not know such a filter.
		const tried = await attempt(async () => await pageAt(list, beginningOf(list), filter));
		const found = tried.ok ? hitsIn(tried.value, list, text) : undefined;
		if (found !== undefined) return found;
	}
	return await searchPages(list, text, paginationToken);
}

/** The hits of a page by filter; undefined when there are none, or the filter was ignored. */
function hitsIn(
	{ entries, next }: Page,
	{ read }: SearchedList,
	text: string,
): INodeListSearchResult | undefined {
	const results = entries.flatMap(read);
	if (results.length === 0 || !results.every(matching(text))) return undefined;
	return { results, ...(next && { paginationToken: `${BY_SERVICE}${tokenOf(next)}` }) };
}

/** One page with hits, or as many pages as a search may read at once; the token goes on from there. */
async function searchPages(
	list: SearchedList,
	text: string,
	paginationToken: string | undefined,
): Promise<INodeListSearchResult> {
	const results: INodeListSearchItems[] = [];
	let position = paginationToken === undefined ? beginningOf(list) : readToken(paginationToken);
	for (let page = 0; page < PAGES_PER_SEARCH && results.length === 0; page++) {
		const { entries, next } = await pageAt(list, position);
		results.push(...entries.flatMap(list.read).filter(matching(text)));
		if (next === undefined) return { results };
		position = next;
	}
	return { results, paginationToken: tokenOf(position) };
}

interface Page {
	entries: unknown[];
	/** Undefined on the last page. */
	next?: Position;
}

/**
 * Reads one page. A service that ignores where it is to begin shows its first page again: it is then asked for a larger
 * one, of which the entries that are new are the page.
 * @throws RequestError when the list cannot be read to its end
 */
async function pageAt(list: SearchedList, position: Position, filter?: string): Promise<Page> {
	if ('cursor' in position) {
		const tried = await attempt(async () => await pageByCursor(list, position, filter));
		if (tried.ok) return tried.value;
		if (position.cursor === '' || !refusesCursor(tried.error)) throw tried.error;
		return await pageAfter(list, position.shown, filter);
	}
	const { startIndex, first } = position;
	const {
		entries,
		totalResults = 0,
		nextCursor,
	} = await list.readPage({
		startIndex,
		count: PAGE_SIZE,
		filter,
	});
	if (nextCursor !== undefined) {
		return { entries, next: { cursor: nextCursor, shown: startIndex - 1 + entries.length } };
	}
	const begins = idOf(entries[0]);
	if (first !== undefined && first !== '' && begins === first) {
		return await largerPage(list, position, filter);
	}
	const end = startIndex + entries.length;
	// A total may be missing, or be the size of the page: a full page, or one of a round length, may have another behind it.
	const isCounted = list.profile.totalsCountAllPages || totalResults > entries.length;
	const isShort = entries.length < PAGE_SIZE && (isCounted || !isRound(entries.length));
	const isLast = entries.length === 0 || (isShort && end > totalResults);
	return { entries, ...(!isLast && { next: { startIndex: end, first: begins } }) };
}

/** @throws RequestError when the cursor is refused, or names its own page as the next one */
async function pageByCursor(
	list: SearchedList,
	{ cursor, shown }: CursorPosition,
	filter?: string,
): Promise<Page> {
	const { entries, nextCursor } = await list.readPage({ cursor, count: PAGE_SIZE, filter });
	const end = shown + entries.length;
	if (nextCursor === undefined) return { entries };
	if (nextCursor === cursor || end > EDITOR_LIMITS.mostResources) {
		throw incompleteList(list.what, 'the service names the same next page again and again', end);
	}
	return { entries, next: { cursor: nextCursor, shown: end } };
}

/** Goes through the list from its beginning, after a cursor was refused, up to what was not shown yet. */
async function pageAfter(list: SearchedList, shown: number, filter?: string): Promise<Page> {
	let page = await pageAt(list, beginningOf(list), filter);
	let seen = page.entries.length;
	while (seen <= shown && page.next !== undefined && 'cursor' in page.next) {
		page = await pageByCursor(list, page.next, filter);
		seen += page.entries.length;
	}
	return { ...page, entries: seen > shown ? page.entries.slice(shown - seen) : [] };
}

async function largerPage(
	list: SearchedList,
	position: IndexPosition,
	filter?: string,
): Promise<Page> {
	const shown = position.startIndex - 1;
	let count = shown + PAGE_SIZE;
	for (let tries = 0; tries < 2 && count <= EDITOR_LIMITS.mostResources; tries++, count *= 2) {
		const { entries } = await list.readPage({ startIndex: 1, count, filter });
		if (entries.length > shown) {
			const next = { ...position, startIndex: entries.length + 1 };
			return { entries: entries.slice(shown), next };
		}
		if (!isRound(shown)) return { entries: [] };
	}
	throw incompleteList(list.what, `the service repeats its first ${shown} entries`, shown);
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
