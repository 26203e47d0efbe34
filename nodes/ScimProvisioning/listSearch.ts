import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { attempt } from '../shared/attempt';
import { toNodeError } from '../shared/change/report';
import type { ListQuery } from '../shared/scim/client/listing';
import { contains } from '../shared/scim/protocol/filter';
import type { ListPage } from '../shared/scim/protocol/listPage';
import { readGroup, readUser, type Group } from '../shared/scim/protocol/resource';
import { connect, type ScimConnection } from '../shared/node/scimConnection';
import { EDITOR_LIMITS } from '../shared/node/settings';

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
		// A whole e-mail is asked for directly, so that nobody has to page through thousands to find one.
		if (text.includes('@') && paginationToken === undefined) {
			const exact = await client.findUsersByFilter(text);
			if (exact.usable && exact.users.length > 0) return { results: exact.users.map(userEntry) };
		}
		return await searchList(
			{
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
		const listing = await client.listGroups({ count: PAGE_SIZE });
		const known = new Set(organizations.named.map(({ id }) => id));
		for (const { id } of listing.resources) {
			const parsed = ids.parse(id);
			if (parsed !== undefined) known.add(parsed.organization);
		}
		return {
			results: [...known]
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
	readPage(query: ListQuery): Promise<ListPage>;
	/** The entry of the editor's list, if it is one. */
	read(entry: unknown): INodeListSearchItems[];
	/** The attribute that the service can be asked for by a part of it. */
	filtered?: string;
}

/** Before the start index in the token of a search that the service does itself. */
const BY_SERVICE = 'by service ';

/** Has the service search where it can, and else looks through the list. */
async function searchList(
	list: SearchedList,
	text: string,
	paginationToken: string | undefined,
): Promise<INodeListSearchResult> {
	const query = (startIndex: number) => ({
		startIndex,
		count: PAGE_SIZE,
		filter: contains(list.filtered ?? '', text),
	});
	if (paginationToken?.startsWith(BY_SERVICE)) {
		const start = Number(paginationToken.slice(BY_SERVICE.length));
		return hitsIn(await list.readPage(query(start)), list, text, start) ?? { results: [] };
	}
	if (list.filtered !== undefined && text !== '' && paginationToken === undefined) {
		// The service may not know such a filter.
		const tried = await attempt(async () => await list.readPage(query(1)));
		const found = tried.ok ? hitsIn(tried.value, list, text, 1) : undefined;
		if (found !== undefined) return found;
	}
	return await searchPages(list, text, paginationToken);
}

/** The hits of a page by filter; undefined when there are none, or the filter was ignored. */
function hitsIn(
	{ entries, totalResults = 0 }: ListPage,
	{ read }: SearchedList,
	text: string,
	startIndex: number,
): INodeListSearchResult | undefined {
	const results = entries.flatMap(read);
	if (results.length === 0 || !results.every(matching(text))) return undefined;
	const next = startIndex + entries.length;
	const isLast = entries.length < PAGE_SIZE && next > totalResults;
	return { results, ...(!isLast && { paginationToken: `${BY_SERVICE}${next}` }) };
}

/** One page with hits, or as many pages as a search may read at once; the token goes on from there. */
async function searchPages(
	{ readPage, read }: SearchedList,
	text: string,
	paginationToken: string | undefined,
): Promise<INodeListSearchResult> {
	const results: INodeListSearchItems[] = [];
	let startIndex = Number(paginationToken ?? 1);
	for (let page = 0; page < PAGES_PER_SEARCH && results.length === 0; page++) {
		const { entries, totalResults = 0 } = await readPage({ startIndex, count: PAGE_SIZE });
		startIndex += entries.length;
		results.push(...entries.flatMap(read).filter(matching(text)));
		// A total may be missing, or be the size of the page: a full page then has another one behind it.
		const isLast = entries.length < PAGE_SIZE && startIndex > totalResults;
		if (entries.length === 0 || isLast) return { results };
	}
	return { results, paginationToken: String(startIndex) };
}

function groupName(group: Group, { ids, organizations }: ScimConnection): string {
	const parsed = ids.parse(group.id);
	if (parsed === undefined) return group.displayName;
	return `${organizations.nameOf(parsed.organization)}: ${parsed.role}`;
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
