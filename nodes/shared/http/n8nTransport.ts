import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
} from 'n8n-workflow';

import { decode } from './charset';
import { AnswerTooLarge } from './failures';
import type { Decoded, Exchanged, Limits, Transport } from './types';
import type { BaseUrl } from './url';

/** The n8n contexts that requests are sent from. */
export type RequestContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

// Newer versions of n8n refuse hosts that are not listed here; older ones ignore it.
type PinnedRequest = IHttpRequestOptions & { allowedDomains: string };

export interface FullResponse {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

/** Sends one request with the credential, and resolves for every HTTP status. */
export type SendSigned = (
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
	for await (const piece of body) {
		if (signal.aborted) throw signal.reason;
		size += piece.length;
		if (size > mostBytes) throw new AnswerTooLarge(mostBytes);
		pieces.push(piece);
	}
	return decode(Buffer.concat(pieces), headers['content-type']);
}

function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
