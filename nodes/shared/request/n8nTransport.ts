import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
} from 'n8n-workflow';

import type { Limits, Transport } from './send';
import type { BaseUrl } from './url';

/** The n8n contexts that requests are sent from. */
export type RequestContext = IExecuteFunctions | ILoadOptionsFunctions;

// Newer versions of n8n refuse hosts that are not listed here; older ones ignore it.
type PinnedRequest = IHttpRequestOptions & { allowedDomains: string };

/** How long a wait may go on after the execution was cancelled, in milliseconds. */
const SLICE_MS = 250;

/**
 * Sends through n8n's own HTTP helper, which adds the credential and honors n8n's proxy settings.
 * Statuses are not turned into errors there (the details in the body would be lost), redirects are not followed
 * (the token would go along), and the body stays text (parsing would change number literals).
 */
export function n8nTransport(
	context: RequestContext,
	credentialType: string,
	base: BaseUrl,
	ignoreSslIssues: boolean,
	limits: Limits,
): Transport {
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const cancelled = () => signal?.aborted === true;
	return {
		cancelled,
		async exchange({ method, url, headers, body }) {
			const options: PinnedRequest = {
				method,
				url,
				headers,
				...(body !== undefined && { body }),
				encoding: 'text',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				sendCredentialsOnCrossOriginRedirect: false,
				skipSslCertificateValidation: ignoreSslIssues,
				allowedDomains: new URL(base.href).hostname,
				timeout: limits.timeoutMs,
			};
			const response = (await context.helpers.httpRequestWithAuthentication.call(
				context,
				credentialType,
				options,
			)) as { statusCode: number; headers: IDataObject; body: unknown };
			return {
				status: response.statusCode,
				headers: response.headers,
				text: textOf(response.body),
			};
		},
		async wait(ms) {
			for (let left = ms; left > 0 && !cancelled(); left -= SLICE_MS) {
				await sleep(Math.min(left, SLICE_MS));
			}
		},
	};
}

function textOf(body: unknown): string {
	if (body === undefined || body === null) return '';
	return typeof body === 'string' ? body : JSON.stringify(body);
}
