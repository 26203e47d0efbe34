import { RequestError } from '../../request/requestError';
import type { Send } from '../../request/send';
import { readListPage, type ListPage } from '../protocol/listPage';
import { resourcePath } from '../protocol/paths';
import type { ServiceProfile } from '../protocol/profile';
import { attribute, type Resource, type ResourceType } from '../protocol/resource';

/** Guards against a service that answers with new ids for ever. */
const MOST_PAGES = 10_000;

/** RFC 7644 section 3.4.2: what a list request may say. */
export interface ListQuery {
	filter?: string;
	attributes?: string;
	excludedAttributes?: string;
	/** From 1. */
	startIndex?: number;
	/** Page size; without it the service decides. */
	count?: number;
	/** Stop when so many resources were received. */
	limit?: number;
	/** Do not take more requests than this; a list that turns out to be longer is left after its first page. */
	mostPages?: number;
}

/** Resources of a list, each id once, in the order in which they came. */
export interface Listing<R extends Resource> {
	resources: R[];
	/** Why resources may be missing from the list; undefined when it is whole. */
	incomplete?: string;
	/** Requests that it took. */
	pages: number;
}

/** Reads one kind of resource out of a list entry; undefined for an entry without id. */
export type Reader<R extends Resource> = (entry: unknown) => R | undefined;

/** Sends one list request. @throws RequestError, also when the answer is no list */
export async function readPage(
	send: Send,
	profile: ServiceProfile,
	type: ResourceType,
	query: ListQuery,
): Promise<ListPage> {
	const purpose = `list ${type.toLowerCase()}`;
	const answer = await send({
		method: 'GET',
		path: resourcePath(profile.prefix, type),
		query: {
			filter: query.filter,
			attributes: query.attributes,
			excludedAttributes: query.excludedAttributes,
			startIndex: query.startIndex,
			count: query.count,
		},
		repeat: 'always',
		purpose,
	});
	const page = readListPage(answer.body);
	if (page === undefined) {
		throw new RequestError(
			`Could not ${purpose}: the service answered with something that is not a SCIM list`,
			'Check the Base URL and where the /scim prefix goes.',
			{ kind: 'unreadable', method: 'GET', status: answer.status, mayHaveWorked: false },
		);
	}
	return page;
}

/**
 * Pages through a list, surviving every way of paging in docs/interface.md and in the wild: it goes on by the number
 * of entries received, drops ids seen before, ends when a page brings nothing new, and believes `totalResults` only
 * together with the size of the page. When the total drops on the way (somebody was deleted, and one entry slipped
 * out of view) it goes through once more.
 * @throws RequestError when a page cannot be read
 */
export async function listAll<R extends Resource>(
	send: Send,
	profile: ServiceProfile,
	type: ResourceType,
	read: Reader<R>,
	query: ListQuery = {},
): Promise<Listing<R>> {
	const found = new Map<string, R>();
	const first = await onePass(send, profile, type, read, query, found);
	if (!first.totalDropped) return { ...first.end, resources: [...found.values()] };
	const second = await onePass(send, profile, type, read, query, found);
	return {
		resources: [...found.values()],
		pages: first.end.pages + second.end.pages,
		...(second.totalDropped && { incomplete: 'people were removed while it was read' }),
		...(second.end.incomplete !== undefined && { incomplete: second.end.incomplete }),
	};
}

interface Pass {
	end: { pages: number; incomplete?: string };
	totalDropped: boolean;
}

async function onePass<R extends Resource>(
	send: Send,
	profile: ServiceProfile,
	type: ResourceType,
	read: Reader<R>,
	query: ListQuery,
	found: Map<string, R>,
): Promise<Pass> {
	const { limit = Number.POSITIVE_INFINITY, mostPages = MOST_PAGES, count } = query;
	const start = query.startIndex ?? 1;
	const seen = new Set<string>();
	let received = 0;
	let total: number | undefined;
	let totalDropped = false;
	let nameless: string | undefined;

	const end = (pages: number, incomplete?: string): Pass => ({
		end: { pages, ...definedIncomplete(nameless ?? incomplete) },
		totalDropped,
	});

	for (let pages = 1; pages <= mostPages; pages++) {
		// Without a page size the first request says nothing of paging: account organizations then send everything at once.
		const startIndex = start + received;
		const asksForPages = count !== undefined || query.startIndex !== undefined || pages > 1;
		const wantedNow = Math.min(count ?? Number.POSITIVE_INFINITY, limit - seen.size);
		const page = await readPage(send, profile, type, {
			...query,
			startIndex: asksForPages ? startIndex : undefined,
			count: Number.isFinite(wantedNow) && asksForPages ? wantedNow : undefined,
		});
		totalDropped ||= total !== undefined && (page.totalResults ?? total) < total;
		total = page.totalResults ?? total;
		received += page.entries.length;

		const seenBefore = seen.size;
		for (const entry of page.entries) {
			const resource = read(entry);
			if (resource === undefined) {
				nameless ??= `it has an entry without ID (${String(attribute(entry, 'userName') ?? attribute(entry, 'displayName') ?? 'no name')})`;
				continue;
			}
			seen.add(resource.id);
			if (!found.has(resource.id) && found.size < limit) found.set(resource.id, resource);
		}
		if (seen.size >= limit) return end(pages);
		const collected = start - 1 + received;
		const lastPage = page.entries.length < (count ?? Number.POSITIVE_INFINITY);

		if (seen.size === seenBefore) {
			const short =
				total === undefined ? !lastPage && pages > 1 : collected < total && nameless === undefined;
			return end(pages, short ? missing(seen.size, total) : undefined);
		}
		const totalIsOfAllPages =
			profile.totalsCountAllPages &&
			total !== undefined &&
			(lastPage || total > page.entries.length);
		if (totalIsOfAllPages && total !== undefined && collected >= total) return end(pages);
		if (pages === 1 && Math.min(total ?? 0, limit) > mostPages * page.entries.length) break;
	}
	return end(mostPages, `it has more than ${mostPages} pages`);
}

function missing(seen: number, total: number | undefined): string {
	return total === undefined
		? `the service repeats its first ${seen} entries`
		: `the service showed ${seen} of ${total} entries`;
}

function definedIncomplete(incomplete: string | undefined): { incomplete?: string } {
	return incomplete === undefined ? {} : { incomplete };
}
