import { RequestError, type Send } from '../../http';
import { readListPage, type ListPage } from '../protocol/listPage';
import { resourcePath } from '../protocol/paths';
import { attribute, type Resource, type ResourceType } from '../protocol/resource';
import type { Traits } from '../protocol/traits';

/** Guards against a service that answers with new ids for ever. */
export interface ListLimits {
	mostPages: number;
	mostResources: number;
}

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
	profile: Traits,
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
 * together with the size of the page. Where page two is page one again it asks for larger pages. When the total drops on the way (somebody was deleted, and one entry slipped
 * out of view) it goes through once more.
 * @throws RequestError when a page cannot be read
 */
export async function listAll<R extends Resource>(
	send: Send,
	profile: Traits,
	type: ResourceType,
	read: Reader<R>,
	limits: ListLimits,
	query: ListQuery = {},
): Promise<Listing<R>> {
	const found = new Map<string, R>();
	const first = await onePass(send, profile, type, read, limits, query, found);
	if (!first.totalDropped) return { ...first.end, resources: [...found.values()] };
	const again = new Map<string, R>();
	const second = await onePass(send, profile, type, read, limits, query, again);
	const incomplete =
		second.end.incomplete ??
		(second.totalDropped ? 'entries were removed while it was read' : undefined);
	// A whole second pass is the list as it is; otherwise what only the first one saw stays.
	const resources = incomplete === undefined ? again : new Map([...found, ...again]);
	return {
		resources: [...resources.values()],
		pages: first.end.pages + second.end.pages,
		...definedIncomplete(incomplete),
	};
}

interface Pass {
	end: { pages: number; incomplete?: string };
	totalDropped: boolean;
}

async function onePass<R extends Resource>(
	send: Send,
	profile: Traits,
	type: ResourceType,
	read: Reader<R>,
	limits: ListLimits,
	query: ListQuery,
	found: Map<string, R>,
): Promise<Pass> {
	const { limit = Number.POSITIVE_INFINITY, count: asked = Number.POSITIVE_INFINITY } = query;
	const mostPages = Math.min(query.mostPages ?? limits.mostPages, limits.mostPages);
	const start = query.startIndex ?? 1;
	const seen = new Set<string>();
	let received = 0;
	let total: number | undefined;
	let totalDropped = false;
	// A total that was never more than its own page may be the size of the page.
	let totalCounts = false;
	let nameless: string | undefined;
	let firstLength = 0;

	const readFrom = async (startIndex: number | undefined, count: number) =>
		await readPage(send, profile, type, {
			...query,
			startIndex,
			count: Number.isFinite(count) ? count : undefined,
		});
	const end = (pages: number, incomplete?: string): Pass => ({
		end: { pages, ...definedIncomplete(nameless ?? incomplete) },
		totalDropped,
	});
	/** @returns whether somebody came who was not there before */
	const take = (entries: readonly unknown[]): boolean => {
		const seenBefore = seen.size;
		for (const entry of entries) {
			if (seen.size >= limit) break;
			const resource = read(entry);
			if (resource === undefined) {
				nameless ??= `it has an entry without ID (${nameIn(entry)})`;
				continue;
			}
			seen.add(resource.id);
			if (!found.has(resource.id) && found.size < limit) found.set(resource.id, resource);
		}
		return seen.size > seenBefore;
	};
	/** For a service that answers every page with the first one: larger and larger ones, until nothing more comes. */
	const larger = async (pagesBefore: number, countBefore: number): Promise<Pass> => {
		let [pages, count, same] = [pagesBefore, countBefore, 0];
		while (count < limits.mostResources && pages < mostPages) {
			[pages, count] = [pages + 1, Math.min(count * 2, limits.mostResources)];
			same = take((await readFrom(start, count)).entries) ? 0 : same + 1;
			if (seen.size >= limit || (same > 0 && !isRound(seen.size))) return end(pages);
			// Most likely the most that the service shows of any list.
			if (same === 2) break;
		}
		return end(pages, missing(seen.size));
	};

	for (let pages = 1; pages <= mostPages; pages++) {
		// Without a page size the first request says nothing of paging: account organizations then send everything at once.
		const asksForPages = query.count !== undefined || query.startIndex !== undefined || pages > 1;
		const wantedNow = Math.min(asked, limit - seen.size);
		const page = asksForPages
			? await readFrom(start + received, wantedNow)
			: await readFrom(undefined, Number.POSITIVE_INFINITY);
		// Past the end some say 0, which is no news.
		const pastTheEnd = page.entries.length === 0 && page.totalResults === 0 && pages > 1;
		if (page.totalResults !== undefined && !pastTheEnd) {
			totalDropped ||= totalCounts && total !== undefined && page.totalResults < total;
			totalCounts ||= page.totalResults > page.entries.length;
			total = page.totalResults;
		}
		received += page.entries.length;
		if (pages === 1) firstLength = page.entries.length;

		const isNew = take(page.entries);
		if (seen.size >= limit) return end(pages);
		if (seen.size > limits.mostResources) {
			return end(pages, `it has more than ${limits.mostResources} entries`);
		}
		const lastPage = page.entries.length < asked;

		if (!isNew) {
			const isRepeated = pages === 2 && page.entries.length > 0 && nameless === undefined;
			const isFull = firstLength === asked;
			const isCut = total === undefined ? isRound(firstLength) && !isFull : total === firstLength;
			if (isRepeated && isCut && (isFull || isRound(firstLength))) {
				return await larger(pages, Number.isFinite(asked) ? asked : firstLength);
			}
			// Entries of a page that repeats others do not count towards the total.
			const collected = start - 1 + received - page.entries.length;
			const stuck = pages === 2 && page.entries.length === asked;
			const short = total === undefined ? stuck : collected < total && nameless === undefined;
			return end(pages, short ? missing(seen.size, total) : undefined);
		}
		const totalIsOfAllPages =
			profile.totalsCountAllPages &&
			total !== undefined &&
			(lastPage || total > page.entries.length);
		if (totalIsOfAllPages && total !== undefined && start - 1 + seen.size >= total) {
			return end(pages);
		}
		if (pages === 1 && Math.min(total ?? 0, limit) > mostPages * page.entries.length) {
			return end(pages, `it has more than ${mostPages} pages`);
		}
	}
	return end(mostPages, `it has more than ${mostPages} pages`);
}

/** Lengths at which services cut their lists off. */
export function isRound(length: number): boolean {
	return length > 0 && length % 50 === 0;
}

/** What an entry calls itself, if it does so in words. */
function nameIn(entry: unknown): string {
	const names = [attribute(entry, 'userName'), attribute(entry, 'displayName')];
	return names.find((name) => typeof name === 'string') ?? 'no name';
}

function missing(seen: number, total?: number): string {
	return total === undefined
		? `the service repeats its first ${seen} entries`
		: `the service showed ${seen} of ${total} entries`;
}

function definedIncomplete(incomplete: string | undefined): { incomplete?: string } {
	return incomplete === undefined ? {} : { incomplete };
}

/** The resources of a list that may be shown as the answer. @throws RequestError when some may be missing */
export function wholeList<R extends Resource>(listing: Listing<R>, what: string): R[] {
	const { incomplete, resources } = listing;
	if (incomplete === undefined) return resources;
	throw incompleteList(what, incomplete, resources.length);
}

/** @param what the resources, e.g. "users". @param received how many of them came */
export function incompleteList(what: string, why: string, received: number): RequestError {
	return new RequestError(
		`The list of ${what} is incomplete: ${why}`,
		`${received} ${what} were received. Use a filter or another page size, or look at the service.`,
		{ kind: 'incomplete', method: 'GET', mayHaveWorked: false },
	);
}
