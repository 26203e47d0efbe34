import { attemptSync, InputError } from '../util';

const HOW_TO_MEND = 'Enter it in the credential as for example https://api.example.com.';

/** A base URL that was checked: `href` without a trailing slash, `host` with its port. */
export interface BaseUrl {
	href: string;
	host: string;
}

/**
 * Checks a base URL as typed by a person; blanks around it and trailing slashes are tolerated.
 * @throws InputError for anything but an http(s) URL without user info, query and fragment.
 */
export function parseBaseUrl(typed: unknown): BaseUrl {
	const text = typeof typed === 'string' ? typed.trim() : '';
	if (text === '') throw new InputError('The Base URL is missing', HOW_TO_MEND);
	if (!/^https?:\/\//i.test(text)) {
		throw new InputError('The Base URL does not start with http:// or https://', HOW_TO_MEND);
	}
	const url = parseUrl(text);
	if (url === undefined) throw new InputError('The Base URL is not a valid URL', HOW_TO_MEND);
	if (url.username !== '' || url.password !== '') {
		throw new InputError(
			'The Base URL contains a user name or password',
			'Remove the part before the @: the token goes into its own field of the credential.',
		);
	}
	if (url.search !== '' || url.hash !== '') {
		throw new InputError('The Base URL contains a query or a fragment', HOW_TO_MEND);
	}
	return { href: `${url.origin}${url.pathname}`.replace(/\/+$/, ''), host: url.host };
}

/** Parses a URL; undefined for other text. (URL.canParse refuses umlauts once Node.js 20 has compiled it.) */
export function parseUrl(text: string, base?: string): URL | undefined {
	return attemptSync(() => new URL(text, base));
}

/**
 * Builds the URL of a request. Segments are encoded one by one, so that an id with `/`, `?`, `:` or `..` in it
 * stays inside its own segment; `+` in a query value is encoded, because servers read a bare one as a blank
 * (test/contract/interface.md 2.1).
 * @throws InputError for an empty, `.` or `..` segment: no request could be meant by it.
 */
export function buildUrl(
	base: BaseUrl,
	segments: readonly string[],
	query: Readonly<Record<string, string | number | undefined>> = {},
): string {
	const path = segments.map(encodeSegment).join('/');
	const pairs = Object.entries(query)
		.filter((pair): pair is [string, string | number] => pair[1] !== undefined)
		.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`);
	return `${base.href}/${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}

/**
 * Checks an ID that becomes a segment of a path.
 * @throws InputError for an id that no request could be meant by: empty, `.` or `..`, or no valid text
 */
export function checkSegment(segment: string): void {
	if (segment.trim() === '') {
		throw new InputError('An ID is empty', 'Enter the ID of the resource.');
	}
	if (segment === '.' || segment === '..') {
		throw new InputError(`"${segment}" is not an ID`, 'Enter the ID of the resource.');
	}
	if (/\p{Surrogate}/u.test(segment)) {
		throw new InputError('An ID is no valid text', 'Enter the ID of the resource.');
	}
}

function encodeSegment(segment: string): string {
	checkSegment(segment);
	return encodeURIComponent(segment);
}
