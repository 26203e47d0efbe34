import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { attempt, isObject, parseJson } from '../shared/util';
import { EDITOR_LIMITS, toListError } from '../shared/run';
import {
	contains,
	type Group,
	type Listing,
	type ListQuery,
	type User,
	wholeList,
	shownActivity,
} from '../shared/scim';
import { connect, type ScimConnection } from '../shared/connection';
import { placeOfOrganization } from '../shared/access/facts';

const PAGE_SIZE = 100;

/** So many more entries are searched for a text that none of the next page has. */
const SEARCH_SIZE = 500;

/** Runs a search; whatever goes wrong becomes an error that the editor can show. */
async function search(
	context: ILoadOptionsFunctions,
	work: (connection: ScimConnection) => Promise<INodeListSearchResult>,
): Promise<INodeListSearchResult> {
	const tried = await attempt(async () => await work(await connect(context, EDITOR_LIMITS)));
	if (!tried.ok) throw toListError(context.getNode(), tried.error);
	return tried.value;
}

/** Lists users whose name or ID contains the text. */
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
				filtered: client.profile.listsTakeOptions ? 'userName' : undefined,
				read: async (query) => await client.listUsers(query),
				entry: userEntry,
			},
			text,
			paginationToken,
		);
	});
}

/** Lists groups whose name or ID contains the text, with the names of organizations from the credential. */
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
				filtered: client.profile.listsTakeOptions ? 'displayName' : undefined,
				read: async (query) => await client.listGroupNames(query),
				entry: (group) => ({ name: groupName(group, connection), value: group.id }),
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
interface SearchedList<R extends Group | User> {
	what: 'groups' | 'users';
	/** The attribute that the service may be asked for by a part of it. */
	filtered: string | undefined;
	/** Reads from the beginning up to a limit, as a run does: only so is a page known to be no other one again. */
	read(query: ListQuery): Promise<Listing<R>>;
	/** The entry of the editor's list. */
	entry(resource: R): INodeListSearchItems;
}

/** What the editor gives back for the next page. */
interface Token {
	/** How many entries came before. */
	after: number;
	/** Whether the service does the search. */
	isByService: boolean;
}

/** The beginning for none, and for one of another version, which an editor that was open meanwhile may send. */
function readToken(text = ''): Token {
	const token = parseJson(text);
	const isToken = isObject(token) && Number.isInteger(token.after);
	return isToken ? (token as unknown as Token) : { after: 0, isByService: false };
}

/** Has the service search where it can, and else looks through the list. */
async function searchList<R extends Group | User>(
	list: SearchedList<R>,
	text: string,
	paginationToken: string | undefined,
): Promise<INodeListSearchResult> {
	const { after, isByService } = readToken(paginationToken);
	const matches = matching(text);
	const hitsOf = ({ entries, next }: Page, byService = false): INodeListSearchResult => ({
		results: entries.filter(matches),
		...(next !== undefined && {
			paginationToken: JSON.stringify({ after: next, isByService: byService } satisfies Token),
		}),
	});
	const filter = list.filtered && contains(list.filtered, text);
	if (isByService) return hitsOf(await readPage(list, after, PAGE_SIZE, filter), true);
	if (filter !== undefined && text !== '' && after === 0) {
		// The service may not know such a filter.
		const tried = await attempt(async () => await readPage(list, 0, PAGE_SIZE, filter));
		const { entries } = tried.ok ? tried.value : { entries: [] };
		if (tried.ok && entries.length > 0 && entries.every(matches)) return hitsOf(tried.value, true);
	}
	const page = hitsOf(await readPage(list, after, PAGE_SIZE));
	if (page.results.length > 0 || page.paginationToken === undefined) return page;
	// Twice as far each time: every look goes through the list from its beginning.
	return hitsOf(await readPage(list, after, after + SEARCH_SIZE));
}

interface Page {
	entries: INodeListSearchItems[];
	/** How many entries came up to here; undefined at the end of the list. */
	next?: number;
}

/**
 * The entries after so many. Of a list that breaks off, what was received is shown, and why it broke off is what comes next.
 * @throws RequestError when the list cannot be read
 */
async function readPage<R extends Group | User>(
	{ what, read, entry }: SearchedList<R>,
	after: number,
	size: number,
	filter?: string,
): Promise<Page> {
	const limit = after + size;
	const listing = await read({ filter, limit });
	const { incomplete, lacksId, resources } = listing;
	const isCutOff = incomplete !== undefined && lacksId !== true;
	const entries = resources.slice(after).map(entry);
	if (isCutOff && entries.length === 0) wholeList(listing, what);
	const goesOn = isCutOff || resources.length >= limit;
	return { entries, ...(goesOn && { next: resources.length }) };
}

function groupName(group: Group, { ids, organizations }: ScimConnection): string {
	const { id, displayName } = group;
	const parsed = ids.parse(id, displayName);
	if (parsed !== undefined) return `${organizations.nameOf(parsed.organization)}: ${parsed.role}`;
	// Groups may share a name.
	return displayName === id ? id : `${displayName} (${id})`;
}

function userEntry(user: User): INodeListSearchItems {
	const name = user.userName || user.id;
	return { name: shownActivity(user) === 'inactive' ? `${name} (inactive)` : name, value: user.id };
}

function matching(text: string): (entry: INodeListSearchItems) => boolean {
	const wanted = text.toLowerCase();
	return ({ name, value }) =>
		name.toLowerCase().includes(wanted) || String(value).toLowerCase().includes(wanted);
}
