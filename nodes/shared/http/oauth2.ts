import type { IHttpRequestOptions } from 'n8n-workflow';

import { attempt } from '../util';
import type { FullResponse, RequestContext, SendSigned } from './n8nTransport';

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
