import type { IHttpRequestMethods } from 'n8n-workflow';

import { attemptSync, InputError } from '../util';
import type { Hidden } from './masked';

/** One request, before it has a host, headers or a token. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** Path below the base URL, one entry per segment, not encoded. */
	path: readonly string[];
	query?: Readonly<Record<string, string | number | undefined>>;
	/** Sent as JSON. */
	body?: object;
	/**
	 * What is done when the answer is lost or a passing fault. `always`: sent again, repeating it is harmless.
	 * `ifRefused`: only after a 429, for which there was no room, and when no connection came about; otherwise it may
	 * have worked, and the caller has to look. `never`: the caller has to look whatever happened. A function: it looks
	 * what happened to the first one before it is sent again; with `ifRefused`, only where that would be sent again.
	 */
	repeat: 'always' | 'ifRefused' | 'never' | Look | { ifRefused: Look };
	/** The tag of the resource that it was made from: it is refused with 412 where the resource is another (RFC 9110). */
	ifMatch?: string;
	/** Whether it has waited for its place already, where requests are paced: a look came in between. */
	hasSlot?: boolean;
	/** Values of this request that must not appear in any message, beside those of the endpoint. */
	secrets?: readonly string[];
	/** What the request was for, in words that finish the sentence "could not …". */
	purpose: string;
}

type Look = (failure: FailureFacts) => Promise<Looked>;

/** What a look before a repeat says: an answer, so that nothing is sent; the body to send now; or nothing: the same again. */
type Looked = { answer: object } | { body: object } | undefined;

/** The text of a body; `against`: why it is not what was sent. */
export interface Decoded {
	text: string;
	against?: string;
}

/** What came back, before it is read. */
export interface RawAnswer extends Decoded {
	status: number;
	headers: Record<string, unknown>;
}

/** A 2xx answer. */
export interface Answer {
	status: number;
	/** The parsed JSON body; undefined when a write was answered with nothing or with something else. */
	body: unknown;
	/** The body exactly as it came. */
	text: string;
	/** Of the resource in the body, where the service has ETags. */
	etag?: string;
	/** When the service answered, by its own clock in milliseconds. */
	date?: number;
}

/** Sends a request and gives the answer of the service; anything but a 2xx answer rejects with a RequestError. */
export type Send = (request: ServiceRequest) => Promise<Answer>;

/** The service a Send talks to, as the credential says. Tokens join the secrets when they are first sent. */
export interface Endpoint extends Hidden {
	base: BaseUrl;
	/** Of what is sent and of what is accepted. */
	mediaType: string;
	/** What to do about a failure, where the caller knows more than HTTP says. */
	advise(failure: FailureFacts, request: ServiceRequest): string | undefined;
	/** The name of the field in which the body of an error has its type. */
	errorTypeField: string;
	/** Whether the body of a 2xx answer is an error anyway. */
	isError?(body: unknown): boolean;
}

export interface Limits {
	/** Longest time for one request and its answer, in milliseconds. */
	timeoutMs: number;
	/** Longest time without an accepted request, and longest time that one waits between its tries (`WaitBudget`), in milliseconds. */
	maxWaitMs: number;
	/** Longest answer that is read, in bytes. */
	mostBytes: number;
	/** Longest time for all requests together, in milliseconds. */
	operationMs: number;
}

/** A request on its way. */
export interface Exchanged {
	method: IHttpRequestMethods;
	url: string;
	headers: Record<string, string>;
	body?: string;
	signal: AbortSignal;
	/** Told whether the request waits for a token: it has not left then, or was refused for its token. */
	waitsForToken(waits: boolean): void;
}

/** What the outside world has to give; everything else here is the same in n8n and in a test. */
export interface Transport {
	/** Sends once, with authentication, follows nothing, and resolves for every HTTP status; gives up with the signal. */
	exchange(request: Exchanged): Promise<RawAnswer>;
	/** Waits; resolves early when the execution was cancelled. */
	wait(ms: number): Promise<void>;
	cancelled(): boolean;
}

/** Why a request has no usable answer. */
type FailureKind =
	| 'http'
	| 'redirect'
	| 'unreadable'
	| 'truncated'
	| 'network'
	| 'certificate'
	| 'timeout'
	| 'token'
	| 'cancelled'
	| 'incomplete'
	| 'tooLarge'
	| 'deadline'
	| 'ended';

export interface FailureFacts {
	kind: FailureKind;
	method: IHttpRequestMethods;
	/** The HTTP status, when there was an answer. */
	status?: number;
	/** What kind of error the body names, without secrets. */
	errorType?: string;
	/** What the service says of it, without secrets. */
	detail?: string;
	/** Time that the service asked us to wait, in milliseconds. */
	retryAfterMs?: number;
	/** True when the service may have done what the request asked for. */
	mayHaveWorked: boolean;
}

/**
 * A request that did not get a usable answer. `message` says what happened, `description` what to do.
 * Neither holds a secret. It becomes a NodeApiError where an item or an execution is told of it.
 */
export class RequestError extends Error {
	constructor(
		message: string,
		readonly description: string,
		readonly facts: FailureFacts,
	) {
		super(message);
		this.name = 'RequestError';
	}

	get status(): number | undefined {
		return this.facts.status;
	}
}

/** A message with what the service says of it. */
export function withDetail(message: string, { detail }: Pick<FailureFacts, 'detail'>): string {
	return detail ? `${message}: ${detail}` : message;
}

/** Tells whether the error is an HTTP answer with one of these statuses. */
export function hasStatus(error: unknown, ...statuses: number[]): error is RequestError {
	return error instanceof RequestError && statuses.includes(error.status ?? 0);
}

/** Tells whether the service refuses the request itself, and not that it was asked too often or without a credential. */
export function isRefusal(error: unknown): boolean {
	const status = error instanceof RequestError ? (error.status ?? 0) : 0;
	return status >= 400 && status < 500 && status !== 401 && status !== 429;
}

/** Tells whether the service may have done what was asked for, although no answer says so. */
export function mayHaveWorked(error: unknown): boolean {
	return error instanceof RequestError && error.facts.mayHaveWorked;
}

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
