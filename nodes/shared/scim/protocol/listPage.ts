import { isObject, numberOf } from '../../util';
import { attribute } from './resource';

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
