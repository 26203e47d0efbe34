import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
} from 'n8n-workflow';

import { attempt } from '../util';
import { decode, AnswerTooLarge } from './answer';
import type { Decoded, Exchanged, Limits, Transport, BaseUrl } from './request';

/** The n8n contexts that requests are sent from. */
export type RequestContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

// Newer versions of n8n refuse hosts that are not listed here; older ones ignore it.
type PinnedRequest = IHttpRequestOptions & { allowedDomains: string };

interface FullResponse {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

/** Sends one request with the credential, and resolves for every HTTP status. */
type SendSigned = (
	options: IHttpRequestOptions,
	request: Pick<Exchanged, 'signal' | 'waitsForToken'>,
) => Promise<FullResponse>;

/** How long a wait may go on after the execution was cancelled, in milliseconds. */
const SLICE_MS = 250;

/**
 * Sends through n8n's own HTTP helper, which adds the credential and honors n8n's proxy settings.
 * Statuses are not turned into errors there (the details in the body would be lost), redirects are not followed
 * (the token would go along), and the body is read as text (parsing would change number literals).
 */
export function n8nTransport(
	context: RequestContext,
	base: BaseUrl,
	ignoreSslIssues: boolean,
	limits: Limits,
	sendSigned: SendSigned,
): Transport {
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const cancelled = () => signal?.aborted === true;
	return {
		cancelled,
		async exchange({ method, url, headers, body, signal, waitsForToken }) {
			const options: PinnedRequest = {
				method,
				url,
				headers,
				...(body !== undefined && { body }),
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				sendCredentialsOnCrossOriginRedirect: false,
				skipSslCertificateValidation: ignoreSslIssues,
				allowedDomains: new URL(base.href).hostname,
				timeout: limits.timeoutMs,
			};
			const response = await sendSigned(options, { signal, waitsForToken });
			return {
				status: response.statusCode,
				headers: response.headers,
				...(await textOf(response, limits.mostBytes, signal)),
			};
		},
		async wait(ms) {
			for (let left = ms; left > 0 && !cancelled(); left -= SLICE_MS) {
				await sleep(Math.min(left, SLICE_MS));
			}
		},
	};
}

/** Sends with a credential that needs no token first. */
export function sendWith(context: RequestContext, credentialType: string): SendSigned {
	return async (options) =>
		(await context.helpers.httpRequestWithAuthentication.call(
			context,
			credentialType,
			options,
		)) as FullResponse;
}

/**
 * Reads an answer piece by piece, so that one without end is left in time; leaving the loop closes the connection.
 * @throws AnswerTooLarge, and the reason of the signal once it is aborted
 */
async function textOf(
	{ body, headers }: FullResponse,
	mostBytes: number,
	signal: AbortSignal,
): Promise<Decoded> {
	if (!isStream(body)) {
		if (body === undefined || body === null) return { text: '' };
		return { text: typeof body === 'string' ? body : JSON.stringify(body) };
	}
	const pieces: Uint8Array[] = [];
	let size = 0;
	// One that stalls gives no piece, and so no turn to leave it.
	const close = () => body.destroy?.(signal.reason);
	signal.addEventListener('abort', close);
	if (signal.aborted) close();
	try {
		for await (const piece of body) {
			if (signal.aborted) throw signal.reason;
			size += piece.length;
			if (size > mostBytes) throw new AnswerTooLarge(mostBytes);
			pieces.push(piece);
		}
	} finally {
		signal.removeEventListener('abort', close);
	}
	return decode(Buffer.concat(pieces), headers['content-type']);
}

/** What n8n gives as a stream. */
interface Stream extends AsyncIterable<Uint8Array> {
	destroy?(reason: unknown): void;
}

function isStream(body: unknown): body is Stream {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/**
 * Sends with an OAuth2 credential. n8n gets the token, renews it when a request throws with the status of an expired one,
 * and then sends the request again: that is harmless for writes too, because what was refused for its token was not
 * carried out. So the requests are watched on their way: whatever fails while none is under way has failed for the token.
 *
 * @param learnToken gets the token of every request that leaves
 */
export function sendWithOAuth2(
	context: RequestContext,
	credentialType: string,
	learnToken: (token: string) => void,
): SendSigned {
	return async (options, { signal, waitsForToken }) => {
		const refusals: FullResponse[] = [];

		async function send(signed: IHttpRequestOptions): Promise<unknown> {
			// What would leave after the time limit is no longer needed.
			signal.throwIfAborted();
			const { Authorization: header = '' } = signed.headers ?? {};
			learnToken(String(header).replace(/^\S+ /, ''));
			waitsForToken(false);
			const answer = (await context.helpers.httpRequest(signed)) as FullResponse;
			if (answer.statusCode !== 401) return answer;
			// What the first one says does not matter any more, but its body would hold the connection.
			if (refusals.length === 0) (answer.body as { destroy?(): void } | undefined)?.destroy?.();
			refusals.push(answer);
			waitsForToken(true);
			// The status that n8n renews a token for by itself: older versions know no other here.
			throw Object.assign(new Error('The token has expired'), { response: { status: 401 } });
		}

		waitsForToken(true);
		const watched = Object.create(context, {
			helpers: { value: Object.create(context.helpers, { httpRequest: { value: send } }) },
		}) as RequestContext;
		const exchanged = await attempt(
			async () =>
				(await context.helpers.httpRequestWithAuthentication.call(
					watched,
					credentialType,
					options,
				)) as FullResponse,
		);
		if (exchanged.ok) return exchanged.value;
		// Refused with a new token too: that is the answer of the service.
		if (refusals.length < 2) throw exchanged.error;
		waitsForToken(false);
		return refusals[1];
	};
}
