import { createHash } from 'node:crypto';

import { attempt, shown, type Attempt } from '../../util';
import { type Answer, hasStatus, RequestError, type Send, sideBySide } from '../../http';
import { readListPage, type ListPage } from '../protocol/intake';
import { resourcePath } from '../protocol/requests';
import { isRound } from '../facts/members';
import { attribute, readText, type Resource, type ResourceType } from '../protocol/resource';
import type { ServiceProfile } from '../protocol/service';
import type { Traits } from '../protocol/traits';

/** Resources that the first page of a run is asked for: as many as most services give on one page. */
export const FIRST_PAGE = 100;

/** The page that is tried once a full one is not the last. */
export const LARGE_PAGE = 1_000;

/** Guards against a service that answers with new ids for ever. */
export interface ListLimits {
	mostPages: number;
	mostResources: number;
	/** Whether pages by index are read side by side, once they have shown to be regular. */
	readsAhead?: boolean;
}

/** What a run has learned of the lists of one type. */
export class ListHabits implements AheadHabits {
	/** Whether a total was above what its page was asked for: then totals are of whole lists, else perhaps of the page. */
	totalsAreOfLists = false;

	/** Resources per page; undefined where the service decides. */
	pageSize: number | undefined;

	/** The size that may still be tried. */
	largePage: number | undefined;

	/** Requests of a whole list, once it is known; before, it takes more than so many. */
	pages: number | undefined;

	morePagesThan = 0;

	pagesAhead = 0;

	isIrregular = false;

	/** @param most resources on any page; 0 where the service is not asked for pages */
	constructor(most: number) {
		if (most === 0) return;
		this.pageSize = Math.min(FIRST_PAGE, most);
		const large = Math.min(LARGE_PAGE, most);
		if (large > this.pageSize) this.largePage = large;
	}

	/** Estimates how many requests a list of so many resources takes at the least. */
	leastPages(resources: number): number {
		const { pageSize = resources, largePage = pageSize } = this;
		const more = resources <= pageSize ? 0 : Math.ceil((resources - pageSize) / largePage);
		return this.pages ?? Math.max(this.morePagesThan, 1 + more);
	}
}

/** What a run has learned of the filters by one attribute. */
export interface FilterHabits {
	/** It finds none, or all. */
	isUnusable?: boolean;
	/** Seen to find a user only in the case of the key. */
	mindsCase?: boolean;
	findsAnyCase?: boolean;
}

/** RFC 7644 section 3.4.2: what a list request may say. */
export interface ListQuery {
	filter?: string;
	attributes?: string;
	excludedAttributes?: string;
	/** From 1. */
	startIndex?: number;
	/** Of the page before; empty for the first page (RFC 9865 section 2). */
	cursor?: string;
	/** Page size, where it is not the one that was learned. */
	count?: number;
	/** Stop when so many resources were received. */
	limit?: number;
	/** Whether these will do: then what fits one page is not asked for another page, which may be there. */
	isEnough?: (resources: readonly Resource[]) => boolean;
	/** Do not take more requests than this; a list that turns out to be longer is left after its first page. */
	mostPages?: number;
}

/** Resources of a list, each id once, in the order in which they came. */
export interface Listing<R extends Resource> {
	resources: R[];
	/** Why resources may be missing from the list; undefined when it is whole. */
	incomplete?: string;
	/** Whether that is an entry without ID: the list was read to its end. */
	lacksId?: boolean;
	/** Requests that it took. */
	pages: number;
	/** Whether it was left because these will do (`isEnough`), and others may follow. */
	isOpen?: boolean;
}

/** Reads one kind of resource out of a list entry; undefined for an entry without id. */
export type Reader<R extends Resource> = (entry: unknown) => R | undefined;

/** Sends one list request. @throws RequestError, also when the answer is no list */
export async function readPage(
	{ send, profile }: { send: Send; profile: Traits },
	type: ResourceType,
	query: ListQuery,
	repeat: 'always' | 'ifRefused' = 'always',
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
			cursor: query.cursor,
			count: query.count && Math.min(query.count, profile.entriesPerPage),
		},
		repeat,
		purpose,
	});
	return listPageIn(answer, purpose);
}

/** Reads the page of a list. @throws RequestError for a body that is no list */
export function listPageIn({ body, status, text }: Answer, purpose: string): ListPage {
	const page = readListPage(body);
	if (page !== undefined) return { ...page, size: text.length };
	throw new RequestError(
		`Could not ${purpose}: the service answered with something that is not a SCIM list`,
		'Check the Service Profile, the Base URL and where the /scim prefix goes.',
		{ kind: 'unreadable', method: 'GET', status, mayHaveWorked: false },
	);
}

/**
 * Pages through a list, by cursors where the service has them. Otherwise by startIndex, surviving every way of paging in
 * test/contract/interface.md and in the wild: it goes on by the number of entries received, drops ids seen before, ends when a
 * page brings nothing new, and believes `totalResults` only once one was above what the page was asked for. It is whole when its
 * different entries reach the total, or when as many came and each as often as the others, as from a join. Where page two is page
 * one again it asks for larger pages; where it is empty after a full one, `startIndex=2` tells whether pages are counted. When the
 * total drops on the way (a user was deleted, and one entry slipped out of view) it goes through once more.
 * @throws RequestError when a page cannot be read
 */
export async function listAll<R extends Resource>(
	send: Send,
	profile: ServiceProfile,
	type: ResourceType,
	read: Reader<R>,
	limits: ListLimits,
	given: ListQuery = {},
	habits?: ListHabits,
): Promise<Listing<R>> {
	const asksByCursor = profile.paging === 'cursor';
	// There is no way into the middle of a list by cursor.
	const skipped = asksByCursor ? (given.startIndex ?? 1) - 1 : 0;
	const { limit = Number.POSITIVE_INFINITY, startIndex, ...others } = given;
	const query = {
		...{ count: habits?.pageSize, ...others },
		...(!asksByCursor && { startIndex }),
		limit: limit + skipped,
	};
	const ask: Work<R>['ask'] = async (page, repeat) =>
		await readPage({ send, profile }, type, { ...query, ...page }, repeat);
	const begin = async () => {
		if (asksByCursor) return await ask({ cursor: '', count: countOf(query) });
		// Without a page size the first request says nothing of paging: account organizations then send everything at once.
		const asksForPages = countOf(query) !== undefined || query.startIndex !== undefined;
		return await ask(asksForPages ? { startIndex: startOf(query), count: countOf(query) } : {});
	};
	const size = given.count === undefined ? habits : undefined;
	const work: Work<R> = { begin, ask, read, profile, limits, habits, size, query };
	const page = await begin();
	const isByCursor = asksByCursor
		? !goesByIndex(page, query.count ?? Number.POSITIVE_INFINITY, profile)
		: page.nextCursor !== undefined;
	const listing = isByCursor ? await listByCursor(page, work) : await listByIndex(page, work);
	return { ...listing, resources: listing.resources.slice(skipped) };
}

/** One list that is read. */
interface Work<R extends Resource> {
	/** Reads the first page. */
	begin(): Promise<ListPage>;
	/** Reads another one. */
	ask(page: ListQuery, repeat?: 'ifRefused'): Promise<ListPage>;
	read: Reader<R>;
	profile: ServiceProfile;
	limits: ListLimits;
	habits: ListHabits | undefined;
	/** The habits, where the size of pages is to be learned. */
	size: ListHabits | undefined;
	query: ListQuery & { limit: number };
}

function startOf({ startIndex = 1 }: ListQuery): number {
	return startIndex;
}

/** Returns the size of the first page; undefined where the service decides. */
function countOf({
	count = Number.POSITIVE_INFINITY,
	limit = count,
}: ListQuery): number | undefined {
	const wanted = Math.min(count, limit);
	return Number.isFinite(wanted) ? wanted : undefined;
}

function mostPagesOf({ query, limits }: Pick<Work<Resource>, 'query' | 'limits'>): number {
	return Math.min(query.mostPages ?? limits.mostPages, limits.mostPages);
}

/** Tells whether a service whose first page was asked for by cursor knows none, and goes on as RFC 7644 has it. */
function goesByIndex(page: ListPage, count: number, { entriesPerPage }: Traits): boolean {
	const { entries, nextCursor, startIndex, totalResults = 0 } = page;
	const mayGoOn =
		entries.length >= Math.min(count, entriesPerPage) || totalResults > entries.length;
	return nextCursor === undefined && startIndex !== undefined && mayGoOn;
}

/** Empty pages in a row, of which each names another one, before a list counts as broken. */
const MOST_EMPTY_PAGES = 10;

/** How far a list by cursor was read. */
interface CursorPlace {
	/** Of the page that comes next; empty for the first. */
	cursor: string;
	/** Entries so far. */
	shown: number;
	/** The size of the list, as was last told and believed; 0 where it never was. */
	total: number;
	/** Empty pages in a row. */
	empty: number;
	/** Marks of what came before. */
	seen: readonly string[];
}

const FIRST_CURSOR: CursorPlace = { cursor: '', shown: 0, total: 0, empty: 0, seen: [] };

/** Marks a text by a short one, which is another one for every other text. */
function markOf(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}

/** Returns the size of the list after one more page: a total that is no more than its own page may be the size of the page. */
function totalAfter(before: number, page: ListPage, profile: ServiceProfile): number {
	const { entries, totalResults = before } = page;
	const ofAllPages = profile.listsAreExact && entries.length > 0;
	return ofAllPages || totalResults > entries.length ? totalResults : before;
}

/**
 * Finds what comes after a page of a list by cursor (RFC 9865): the place of the next page, or why the list broke off; neither
 * at its end.
 * @param place of this page
 * @param fresh how many of its entries did not come before
 */
function afterPage(
	place: CursorPlace,
	page: ListPage,
	fresh: number,
	profile: ServiceProfile,
): { next?: CursorPlace; broken?: string } {
	const { entries, nextCursor } = page;
	const shown = place.shown + fresh;
	const total = totalAfter(place.total, page, profile);
	const empty = entries.length === 0 ? place.empty + 1 : 0;
	const mark = markOf(nextCursor ?? '');
	if (nextCursor !== undefined && place.seen.includes(mark)) {
		return { broken: 'the service names the same next page twice' };
	}
	if (fresh === 0 && entries.length > 0) {
		return { broken: 'the service shows the same entries on another page' };
	}
	if (empty > MOST_EMPTY_PAGES) {
		return { broken: `the service names another page after ${empty} empty ones` };
	}
	if (nextCursor !== undefined) {
		return { next: { cursor: nextCursor, shown, total, empty, seen: [...place.seen, mark] } };
	}
	return shown < total ? { broken: missing(shown, total) } : {};
}

/**
 * Pages through a list by cursors (RFC 9865): every page names the next one, and one that names none is the last. One that
 * breaks off, or whose cursor is refused: once more from the beginning, then it is incomplete.
 */
async function listByCursor<R extends Resource>(
	page: ListPage,
	work: Work<R>,
): Promise<Listing<R>> {
	const first = await cursorPass(page, work);
	if (first.broken === undefined) return first.listing;
	const second = await cursorPass(await work.begin(), work);
	return {
		...second.listing,
		pages: first.listing.pages + second.listing.pages,
		...definedIncomplete(second.broken ?? second.listing.incomplete),
	};
}

/** Tells whether the service refuses a cursor that it has named itself: RFC 9865 section 2.1, or as something that is gone. */
function refusesCursor(error: unknown): error is RequestError {
	return hasStatus(error, 400, 404, 410);
}

async function cursorPass<R extends Resource>(
	first: ListPage,
	{ ask, read, profile, limits, query }: Work<R>,
): Promise<{ listing: Listing<R>; broken?: string }> {
	const mostPages = mostPagesOf({ query, limits });
	const found = new Map<string, R>();
	let place = { ...FIRST_CURSOR, shown: startOf(query) - 1 };
	let nameless: string | undefined;
	const end = (pages: number, incomplete?: string) => ({
		listing: {
			resources: [...found.values()],
			pages,
			...definedIncomplete(incomplete, nameless),
		},
	});

	let page = first;
	for (let pages = 1; ; pages++) {
		const { entries } = page;
		const foundBefore = found.size;
		for (const entry of entries) {
			const resource = read(entry);
			if (resource === undefined) nameless ??= `it has an entry without ID (${nameIn(entry)})`;
			else if (!found.has(resource.id)) found.set(resource.id, resource);
			if (found.size >= query.limit) return end(pages);
		}
		if (found.size > limits.mostResources) {
			return end(pages, `it has more than ${limits.mostResources} entries`);
		}
		const { next, broken } = afterPage(place, page, found.size - foundBefore, profile);
		// Reading it again does not give an entry its ID.
		if (next === undefined) return { ...end(pages), ...(nameless === undefined && { broken }) };
		const isTooLong = pages === 1 && Math.min(next.total, query.limit) > mostPages * entries.length;
		if (pages >= mostPages || (isTooLong && entries.length > 0)) {
			return end(pages, `it has more than ${mostPages} pages`);
		}
		const { cursor } = next;
		const tried = await attempt(
			async () => await ask({ startIndex: undefined, cursor, count: countOf(query) }),
		);
		if (!tried.ok) {
			if (!refusesCursor(tried.error)) throw tried.error;
			return {
				...end(pages + 1),
				broken: `the service does not accept its own cursor. ${tried.error.message}`,
			};
		}
		[page, place] = [tried.value, next];
	}
}

async function listByIndex<R extends Resource>(
	page: ListPage,
	given: Work<R>,
): Promise<Listing<R>> {
	const { habits = new ListHabits(0) } = given;
	const work = { ...given, habits };
	const found = new Map<string, R>();
	const first = await onePass(page, work, found);
	const { totalDropped, unevenOf = Number.POSITIVE_INFINITY } = first;
	if (!totalDropped && first.unevenOf === undefined)
		return { ...first.end, resources: [...found.values()] };
	const again = new Map<string, R>();
	const second = await onePass(await work.begin(), work, again);
	const both = new Map([...found, ...again]);
	// What one pass shows twice and another never, two may show together.
	const isWhole = startOf(work.query) - 1 + both.size >= unevenOf;
	const incomplete = isWhole
		? undefined
		: (second.end.incomplete ??
			(second.totalDropped ? 'entries were removed while it was read' : first.end.incomplete));
	// A whole second pass is the list as it is; otherwise what only the first one saw stays.
	const isTheList = totalDropped && incomplete === undefined && second.end.incomplete === undefined;
	return {
		resources: [...(isTheList ? again : both).values()],
		pages: first.end.pages + second.end.pages,
		...definedIncomplete(incomplete),
	};
}

interface Pass {
	end: Omit<Listing<Resource>, 'resources'>;
	totalDropped: boolean;
	/** The total of a list of which as many entries came, some of them more often than others. */
	unevenOf?: number;
}

async function onePass<R extends Resource>(
	firstPage: ListPage,
	work: Work<R> & { habits: ListHabits },
	found: Map<string, R>,
): Promise<Pass> {
	const { ask, limits, profile, habits } = work;
	const ahead = new PagesAhead(
		async (place) => await ask({ ...place, count: countOf(place) }, 'ifRefused'),
		habits,
		limits.readsAhead === true ? sideBySide(profile) : 0,
	);
	try {
		return await passInTurn(firstPage, work, found, ahead);
	} finally {
		await ahead.drop();
	}
}

/** Goes through a list once, a page after the other. */
async function passInTurn<R extends Resource>(
	firstPage: ListPage,
	{ ask, read, profile, limits, habits, size, query }: Work<R> & { habits: ListHabits },
	found: Map<string, R>,
	ahead: PagesAhead,
): Promise<Pass> {
	const { limit } = query;
	let asked = query.count ?? Number.POSITIVE_INFINITY;
	const mostPages = mostPagesOf({ query, limits });
	const start = startOf(query);
	const seen = new Set<string>();
	/** How often each entry came in a place of its own: pages may overlap by index. */
	const times = new Map<string, number>();
	let [came, countedTo] = [0, start];
	let next = start;
	let total: number | undefined;
	let totalDropped = false;
	// A total that was never more than its own page may be the size of the page.
	let totalCounts = false;
	let nameless: string | undefined;
	let firstLength = 0;

	const readFrom = async (startIndex: number, count: number) =>
		await ask({ startIndex, count: countOf({ count }) });
	const end = (pages: number, incomplete?: string): Pass => ({
		end: { pages, ...definedIncomplete(incomplete, nameless) },
		totalDropped,
	});
	/** @returns whether an entry came that was not there before */
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
	const count = (entries: readonly unknown[], from: number) => {
		for (const [at, entry] of entries.entries()) {
			const id = readText(attribute(entry, 'id')) ?? '';
			if (from + at >= countedTo) times.set(id, (times.get(id) ?? 0) + 1);
		}
		came += entries.length;
		countedTo = Math.max(countedTo, from + entries.length);
	};
	/** Where more than a page is left, a large one is tried, once in a run; undefined where the service does not give it. */
	const readLarge = async (): Promise<ListPage | undefined> => {
		const { largePage } = size ?? {};
		const left = Math.min(total ?? 0, limit) - seen.size;
		if (size === undefined || largePage === undefined || left <= asked) return undefined;
		size.largePage = undefined;
		const count = Math.min(largePage, limit - seen.size);
		const tried = await attempt(async () => await ask({ startIndex: next, count }, 'ifRefused'));
		const { entries } = tried.ok ? tried.value : { entries: [] };
		// Some count pages instead of entries, and begin such a page before its place.
		const isElsewhere = entries.some((entry) => seen.has(String(attribute(entry, 'id'))));
		if (!tried.ok || entries.length === 0 || isElsewhere) return undefined;
		if (entries.length > asked) {
			asked = count;
			// What a limit asked for is not the size of pages.
			if (count === largePage) size.pageSize = entries.length;
		}
		return tried.value;
	};
	/** For a service that answers every page with the first one: larger and larger ones, until nothing more comes. */
	const larger = async (pagesBefore: number, countBefore: number): Promise<Pass> => {
		let [pages, count, same] = [pagesBefore, countBefore, 0];
		while (count < limits.mostResources && pages < mostPages) {
			[pages, count] = [pages + 1, Math.min(count * 2, limits.mostResources)];
			same = take((await readFrom(start, count)).entries) ? 0 : same + 1;
			const isShort = isRound(seen.size) || seen.size < (total ?? firstLength + 1);
			if (seen.size >= limit || (same > 0 && !isShort)) return end(pages);
			// Most likely the most that the service shows of any list.
			if (same === 2) break;
		}
		return end(pages, missing(seen.size, totalCounts ? total : undefined));
	};

	const readNext = async (): Promise<ListPage> => {
		const large = await readLarge();
		const count = Math.min(asked, limit - seen.size);
		return large ?? (await ahead.take(next, count, seen)) ?? (await readFrom(next, count));
	};

	for (let pages = 1; pages <= mostPages; pages++) {
		const page = pages === 1 ? firstPage : await readNext();
		const { length } = page.entries;
		const goesOn = pages > 1 && isRegular(page, { startIndex: next, length, total }, seen);
		// Past the end some say 0, which is no news.
		const pastTheEnd = page.entries.length === 0 && page.totalResults === 0 && pages > 1;
		if (page.totalResults !== undefined && !pastTheEnd) {
			totalDropped ||= totalCounts && total !== undefined && page.totalResults < total;
			totalCounts ||= page.totalResults > page.entries.length;
			const longest = Math.max(asked, page.entries.length);
			// Some say what was shown so far, which is above a page on the second one.
			const isFirst = pages === 1 && page.entries.length > 0;
			habits.totalsAreOfLists ||= isFirst && page.totalResults > longest;
			total = page.totalResults;
		}
		const from = next;
		next += distinctIn(page.entries);
		if (pages === 1) firstLength = page.entries.length;

		const isNew = take(page.entries);
		if (seen.size >= limit) return end(pages);
		if (seen.size > limits.mostResources) {
			return end(pages, `it has more than ${limits.mostResources} entries`);
		}
		const lastPage = page.entries.length < asked;

		if (!isNew) {
			const mayGoOn =
				(firstLength === asked || isRound(firstLength)) && firstLength <= (total ?? firstLength);
			const isEmpty = page.entries.length === 0;
			if (pages === 2 && !isEmpty && nameless === undefined && mayGoOn) {
				return await larger(pages, Number.isFinite(asked) ? asked : firstLength);
			}
			if (isEmpty && start === 1 && firstLength > 0 && mayGoOn && !totalCounts) {
				pages += 1;
				if (take((await readFrom(2, asked)).entries)) return end(pages, COUNTS_PAGES);
			}
			// Entries of a page that repeats others do not count towards the total.
			const stuck = pages === 2 && page.entries.length === asked;
			if (total === undefined) return end(pages, stuck ? missing(seen.size) : undefined);
			const isShort = start - 1 + seen.size < total && nameless === undefined;
			if (!isShort) return end(pages);
			// The end of a join repeats what came, but never the beginning; the same page again may be in another order.
			const [first] = seen;
			const isAgain = page.entries.some((entry) => readText(attribute(entry, 'id')) === first);
			if (!isAgain) count(page.entries, from);
			const isEnough = start - 1 + came >= total;
			if (isEnough && isEven(times)) return end(pages);
			return { ...end(pages, missing(seen.size, total)), ...(isEnough && { unevenOf: total }) };
		}
		count(page.entries, from);
		const isExact = profile.listsAreExact && (lastPage || (total ?? 0) > page.entries.length);
		const totalIsOfAllPages = isExact || habits.totalsAreOfLists;
		if (totalIsOfAllPages && total !== undefined && start - 1 + seen.size >= total) {
			return end(pages);
		}
		const mayBeAll = pages === 1 && lastPage && total === seen.size && nameless === undefined;
		if (mayBeAll && query.isEnough?.([...found.values()]) === true) {
			return { ...end(pages), end: { pages, isOpen: true } };
		}
		const left = Math.min(total ?? 0, limit) - seen.size;
		if (pages <= 2 && left > (mostPages - pages) * (size?.largePage ?? page.entries.length)) {
			return end(pages, `it has more than ${mostPages} pages`);
		}
		if (goesOn) ahead.goOn(page, { next, asked, total: total ?? 0, wanted: limit - seen.size });
	}
	return end(mostPages, `it has more than ${mostPages} pages`);
}

/** Page 101 is empty where a list of 200 has two. */
const COUNTS_PAGES = 'the service counts pages in place of entries';

/** Tells whether each stands as often as the others. */
function isEven(times: ReadonlyMap<string, number>): boolean {
	return new Set(times.values()).size === 1;
}

/** Counts the entries of a page: one that comes twice on it is one, or the next page would begin too late. */
function distinctIn(entries: readonly unknown[]): number {
	return new Set(entries.map((entry) => attribute(entry, 'id') ?? entry)).size;
}

/** Reads what an entry calls itself, if it does so in words. */
function nameIn(entry: unknown): string {
	const names = [attribute(entry, 'userName'), attribute(entry, 'displayName')];
	return shown(names.find((name) => typeof name === 'string') ?? 'no name');
}

/** Says why a list is incomplete that ended after so many entries. */
function missing(seen: number, total?: number): string {
	return total === undefined
		? `the service repeats its first ${seen} entries`
		: `the service showed ${seen} of ${total} entries`;
}

/** Says why a list is incomplete. @param nameless what was said of an entry without ID, which comes first */
function definedIncomplete(
	incomplete: string | undefined,
	nameless?: string,
): Pick<Listing<Resource>, 'incomplete' | 'lacksId'> {
	if (nameless !== undefined) return { incomplete: nameless, lacksId: true };
	return incomplete === undefined ? {} : { incomplete };
}

/** Returns the resources of a list that may be shown as the answer. @throws RequestError when some may be missing */
export function wholeList<R extends Resource>(listing: Listing<R>, what: string): R[] {
	const { incomplete, resources } = listing;
	if (incomplete === undefined) return resources;
	throw incompleteList(what, incomplete, resources.length);
}

/** Makes the error of an incomplete list. @param what the resources, e.g. "users". @param received how many of them came */
export function incompleteList(what: string, why: string, received: number): RequestError {
	return new RequestError(
		`The list of ${what} is incomplete: ${why}`,
		`${received} ${what} were received. Use a filter, or check the service.`,
		{ kind: 'incomplete', method: 'GET', mayHaveWorked: false },
	);
}

/** Most characters of pages that wait for their turn: they are held beside what the run may hold. */
const MOST_CHARACTERS = 10_000_000;

/** What the lists of one type share in a run. */
interface AheadHabits {
	/** Pages that were asked for before their turn. */
	pagesAhead: number;
	/** Whether one of them was not as expected: then each page is asked for in its turn. */
	isIrregular: boolean;
}

/** What a page is to be like if nothing is odd. */
interface ExpectedPage {
	startIndex: number;
	/** How many entries it has. */
	length: number;
	/** The total that the pages before it told. */
	total: number | undefined;
}

/** Where the pages after one go on, by index. */
interface Course {
	/** Where the next page begins, and what it is asked for. */
	next: number;
	asked: number;
	total: number;
	/** Entries that are still wanted from there. */
	wanted: number;
}

/**
 * Pages of a list by index that are asked for before their turn, side by side, once a page has shown where the next ones begin. Each
 * is taken in its turn, and only where it is as expected; else all that were read ahead are dropped, and it is asked for again as
 * if none had been, so that no list depends on it. So at most as many requests are lost as leave side by side.
 */
class PagesAhead {
	private readonly pages: Array<
		ExpectedPage & { count: number; answer: Promise<Attempt<ListPage>> }
	> = [];

	/** @param most requests side by side; 0 where each page is asked for in its turn */
	constructor(
		private readonly ask: (page: { startIndex: number; count: number }) => Promise<ListPage>,
		private readonly habits: AheadHabits,
		private readonly most: number,
	) {}

	/**
	 * Returns the page whose turn it is; undefined where it has to be asked for.
	 * @param seen IDs on the pages before
	 */
	async take(
		startIndex: number,
		count: number,
		seen: ReadonlySet<string>,
	): Promise<ListPage | undefined> {
		const [page] = this.pages;
		if (page === undefined) return undefined;
		const tried = await page.answer;
		const isInTurn = page.startIndex === startIndex && page.count === count;
		if (!isInTurn || !tried.ok || !isRegular(tried.value, page, seen)) {
			this.habits.isIrregular = true;
			await this.drop();
			return undefined;
		}
		this.pages.shift();
		this.habits.pagesAhead -= 1;
		return tried.value;
	}

	/** Asks for pages after one that was regular, which have as many entries as that one. */
	goOn({ entries: { length }, size = 0 }: ListPage, { next, asked, total, wanted }: Course): void {
		const most = Math.min(this.most, Math.floor(MOST_CHARACTERS / size));
		const last = this.pages.at(-1);
		let startIndex = last === undefined ? next : last.startIndex + last.length;
		const isLeft = () => startIndex <= total && startIndex - next < wanted;
		while (!this.habits.isIrregular && this.habits.pagesAhead < most && isLeft()) {
			const count = Math.min(asked, wanted - (startIndex - next));
			const place = { startIndex, count };
			const expected = { length: Math.min(length, count, total - startIndex + 1), total };
			const answer = attempt(async () => await this.ask(place));
			this.pages.push({ ...place, ...expected, answer });
			this.habits.pagesAhead += 1;
			startIndex += length;
		}
	}

	/** Drops what was not taken, once its answers have come: nothing is under way after a list was read. */
	async drop(): Promise<void> {
		const dropped = this.pages.splice(0);
		await Promise.all(dropped.map(async ({ answer }) => await answer));
		this.habits.pagesAhead -= dropped.length;
	}
}

/** Tells whether a page goes on with a list as those before it let expect: its place, its total, and new entries, each once. */
function isRegular(
	{ entries, startIndex, totalResults }: ListPage,
	expected: ExpectedPage,
	seen: ReadonlySet<string>,
): boolean {
	const ids = new Set(entries.map((entry) => readText(attribute(entry, 'id'))));
	return (
		entries.length === expected.length &&
		totalResults === expected.total &&
		(startIndex ?? expected.startIndex) === expected.startIndex &&
		ids.size === entries.length &&
		[...ids].every((id) => id !== undefined && !seen.has(id))
	);
}
