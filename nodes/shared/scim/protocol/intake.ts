import type { Answer } from '../../http';
import { isObject, shown, numberOf } from '../../util';
import type { GroupMeaning } from './groupMeaning';
import { attribute, readText, type Resource, type ResourceType, versionOf } from './resource';

/** One resource that a request is about; one that it makes has no ID yet. */
interface AskedFor<R extends Resource> {
	type: ResourceType;
	id?: string;
	/** Reads it from a body; undefined where that shows none. */
	read(body: unknown): R | undefined;
}

/** What an answer shows of that resource, or why it says nothing of it. */
type Observation<R extends Resource> =
	{ shows: R; against?: undefined } | { shows?: undefined; against: string; isOther: boolean };

/**
 * What a 2xx answer says of the resource that was asked for, with the ETag that its header alone may have. A body with the ID of
 * another one says nothing: a cache or a gateway may mix up answers, and a database may read `7of9` as 7.
 * @param key equal for two IDs of one group, which answers may write with a prefix (test/contract/interface.md 2.3)
 */
export function intake<R extends Resource>(
	{ type, id, read }: AskedFor<R>,
	answer: Pick<Answer, 'status' | 'body' | 'etag'>,
	key: GroupMeaning['key'],
): Observation<R> {
	const said = readText(attribute(answer.body, 'id'));
	if (id !== undefined && said !== undefined && !isSame(type, said, id, key))
		return { against: `the service answered with another one (ID ${shown(said)})`, isOther: true };
	const shows = read(withVersion(answer));
	if (shows !== undefined) return { shows };
	const against = `the service answered ${answer.status} without a resource that has an ID`;
	return { against, isOther: false };
}

function isSame(type: ResourceType, said: string, id: string, key: GroupMeaning['key']): boolean {
	if (said === id) return true;
	return type === 'Groups' ? key(said) === key(id) : said.trim() === id.trim();
}

function withVersion({ body, etag }: Pick<Answer, 'body' | 'etag'>): unknown {
	const meta = attribute(body, 'meta');
	if (etag === undefined || !isObject(body) || versionOf({ attributes: body }) !== undefined)
		return body;
	return { ...body, meta: { ...(isObject(meta) && meta), version: etag } };
}

/** One answer to a list request (RFC 7644 section 3.4.2), read tolerantly. */
export interface ListPage {
	/** Entries as they came, whatever they are; empty when `Resources` is absent or null. */
	entries: unknown[];
	/** Undefined when the service does not say, or says something that is no count. */
	totalResults?: number;
	/** Where the page begins, as pages by index say (RFC 7644 section 3.4.2.4). */
	startIndex?: number;
	/** What to ask for the next page with (RFC 9865); undefined on the last one. */
	nextCursor?: string;
	/** Characters of the answer. */
	size?: number;
}

/**
 * Reads the body of a list answer; a bare array is taken as the list.
 * @returns undefined when the body is no list at all
 */
export function readListPage(body: unknown): ListPage | undefined {
	if (Array.isArray(body)) return { entries: body };
	const resources = attribute(body, 'Resources');
	const said = attribute(body, 'totalResults');
	const isCount = typeof said === 'number' || (typeof said === 'string' && /^\d+$/.test(said));
	const total = isCount ? Number(said) : Number.NaN;
	const known = Number.isInteger(total) && total >= 0;
	if (resources === undefined && !known && attribute(body, 'schemas') === undefined)
		return undefined;
	const entries = Array.isArray(resources) ? resources : isObject(resources) ? [resources] : [];
	const startIndex = numberOf(attribute(body, 'startIndex'));
	const nextCursor = attribute(body, 'nextCursor');
	const goesOn =
		(typeof nextCursor === 'string' && nextCursor !== '') || typeof nextCursor === 'number';
	return {
		entries,
		...(known && { totalResults: total }),
		...(startIndex > 0 && { startIndex }),
		...(goesOn && { nextCursor: String(nextCursor) }),
	};
}
