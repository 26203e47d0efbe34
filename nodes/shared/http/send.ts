import type { IHttpRequestMethods } from 'n8n-workflow';

import { attempt, attemptSync, InputError } from '../util';
import { readAnswer, type Answer } from './answer';
import { cancelledError, deadlineError, transportError } from './failures';
import { RequestError, type FailureFacts } from './requestError';
import { pauseBeforeRepeat } from './retry';
import { buildUrl, type BaseUrl } from './url';

/** One request, before it has a host, headers or a token. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** Path below the base URL, one entry per segment, not encoded. */
	path: readonly string[];
	query?: Readonly<Record<string, string | number | undefined>>;
	/** Sent as JSON; a text goes out exactly as it is. */
	body?: object | string;
	/**
	 * What is done when the answer is lost or a passing fault. `always`: sent again, repeating it is harmless.
	 * `ifRefused`: only after a 429, for which there was no room, and when no connection came about; otherwise it may
	 * have worked, and the caller has to look. `never`: the caller has to look whatever happened. A function: it looks
	 * what became of the first one before it is sent again.
	 */
	repeat: 'always' | 'ifRefused' | 'never' | ((failure: FailureFacts) => Promise<Looked>);
	/** Values of this request that must not appear in any message, beside those of the endpoint. */
	secrets?: readonly string[];
	/** What the request was for, in words that finish the sentence "could not …". */
	purpose: string;
}

/** What a look before a repeat says: an answer, so that nothing is sent; the body to send now; or nothing: the same again. */
export type Looked = { answer: object } | { body: object } | undefined;

/** Sends a request and gives the answer of the service; anything but a 2xx answer rejects with a RequestError. */
export type Send = (request: ServiceRequest) => Promise<Answer>;

/** The service a Send talks to, as the credential says. */
export interface Endpoint {
	base: BaseUrl;
	/** `application/scim+json` or `application/json`. */
	mediaType: string;
	/** Values that must not appear in any message. */
	secrets: readonly string[];
	/** What the credential has to be, told with a 401 or 403. */
	credentialAdvice: string;
	/** What to do about other statuses, where that is not the same as for a SCIM service. */
	advice?: Readonly<Record<number, string>>;
}

export interface Limits {
	/** Longest time for one request and its answer, in milliseconds. */
	timeoutMs: number;
	/** Longest time that one request waits between its tries, all together, in milliseconds. */
	maxWaitMs: number;
	/** Longest answer that is read, in bytes. */
	mostBytes: number;
	/** Longest time for all requests together, in milliseconds. */
	operationMs: number;
}

/** What the outside world has to give; everything else here is the same in n8n and in a test. */
export interface Transport {
	/** Sends once, with authentication, follows nothing, and resolves for every HTTP status; gives up with the signal. */
	exchange(request: {
		method: IHttpRequestMethods;
		url: string;
		headers: Record<string, string>;
		body?: string;
		signal: AbortSignal;
	}): Promise<{ status: number; headers: Record<string, unknown>; text: string }>;
	/** Waits; resolves early when the execution was cancelled. */
	wait(ms: number): Promise<void>;
	cancelled(): boolean;
}

/** Names the package to the service: some refuse requests without a User-Agent (docs/interface.md 2.1). */
export const USER_AGENT = 'n8n-nodes-scim-provisioning/0.1.0';

/**
 * Makes the one function through which every request leaves: URL, headers, time limit, retries, and an error that
 * says what happened. Secrets appear in none of them.
 */
export function createSend(endpoint: Endpoint, limits: Limits, transport: Transport): Send {
	const deadline = Date.now() + limits.operationMs;

	return async (given) => {
		let request = given;
		const url = buildUrl(endpoint.base, request.path, request.query);
		let waitedMs = 0;
		for (let repeats = 0; ; repeats++) {
			if (transport.cancelled()) throw cancelledError(request);
			if (Date.now() > deadline) throw deadlineError(request, limits);
			const tried = await attempt(async () => await sendOnce(request, url));
			if (tried.ok) return tried.value;
			if (!(tried.error instanceof RequestError) || !mayRepeat(request, tried.error))
				throw tried.error;

			const pause = pauseBeforeRepeat(
				tried.error,
				repeats,
				waitedMs,
				limits.maxWaitMs,
				Math.random(),
			);
			if (pause !== undefined) {
				await transport.wait(pause);
				waitedMs += pause;
			}
			if (transport.cancelled()) throw tried.error;
			const { repeat } = request;
			const { facts } = tried.error;
			if (typeof repeat === 'function' && (pause !== undefined || facts.mayHaveWorked)) {
				const looked = await attempt(async () => await repeat(facts));
				// Without a look nobody knows whether the first one worked, so there is no second.
				if (!looked.ok) throw tried.error;
				if (looked.value !== undefined && 'answer' in looked.value) {
					return { status: 200, body: looked.value.answer, text: '' };
				}
				if (looked.value !== undefined) request = { ...request, body: looked.value.body };
			}
			if (pause === undefined) throw tried.error;
		}
	};

	async function sendOnce(request: ServiceRequest, url: string): Promise<Answer> {
		const { secrets = [], body } = request;
		const told = { ...endpoint, secrets: [...endpoint.secrets, ...secrets] };
		const headers: Record<string, string> = {
			Accept: endpoint.mediaType,
			'User-Agent': USER_AGENT,
		};
		if (body !== undefined) headers['Content-Type'] = endpoint.mediaType;
		const text = body === undefined ? undefined : textOf(body, request);
		const limit = AbortSignal.timeout(limits.timeoutMs);
		let giveUp = () => {};
		// The HTTP helper's own limit is for silence only: a service that drips a byte now and then would hold us forever.
		const tooLong = new Promise<never>((_, reject) => {
			giveUp = () => reject(limit.reason);
			limit.addEventListener('abort', giveUp);
		});
		const exchanged = await attempt(
			async () =>
				await Promise.race([
					transport.exchange({
						method: request.method,
						url,
						headers,
						signal: limit,
						...(text !== undefined && { body: text }),
					}),
					tooLong,
				]),
		);
		// Node.js keeps a signal that somebody listens to, and with it everything here, until its time has come.
		limit.removeEventListener('abort', giveUp);
		if (!exchanged.ok)
			throw transportError(exchanged.error, request, told, limits, transport.cancelled());
		return readAnswer(exchanged.value, request, told);
	}
}

/** @throws InputError for a body that no JSON text can be made of: a service may nest what it shows without end */
function textOf(body: object | string, { purpose }: ServiceRequest): string {
	const text = typeof body === 'string' ? body : attemptSync(() => JSON.stringify(body));
	if (text !== undefined) return text;
	throw new InputError(
		`Could not ${purpose}: what is to be sent is nested too deeply`,
		'Nothing was sent for this. Look at what the service shows of it.',
	);
}

function mayRepeat({ repeat }: ServiceRequest, { facts }: RequestError): boolean {
	if (repeat === 'ifRefused') return facts.status === 429 || neverArrived(facts);
	return repeat !== 'never';
}

/** No connection came about, so there is nothing that may have worked. */
function neverArrived({ kind, mayHaveWorked }: FailureFacts): boolean {
	return kind === 'network' && !mayHaveWorked;
}
