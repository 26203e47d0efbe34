import type { IHttpRequestMethods } from 'n8n-workflow';

import type { Hidden } from './masked';
import type { FailureFacts } from './requestError';
import type { BaseUrl } from './url';

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
