import type { FailureFacts } from './requestError';

/** What to do about an HTTP answer, as far as status and method say it; a client of the service may know better. */
export function adviceFor({ status = 0, method, retryAfterMs }: FailureFacts): string {
	if (status === 429 && retryAfterMs !== undefined) {
		return `The service asks to wait ${Math.ceil(retryAfterMs / 1000)} seconds. Raise Max Wait under Settings > Requests, or run again later.`;
	}
	if (status >= 500 && status !== 501) {
		const lost = method === 'GET' ? '' : ' The request may still have worked.';
		return `The service had an internal error. Safe requests were retried; run again later.${lost}`;
	}
	return ADVICE[status] ?? '';
}

const ADVICE: Readonly<Record<number, string>> = {
	400: 'The service does not accept a value that was sent. Check the fields of this item.',
	401: 'Check the credential.',
	403: 'Check the credential and what it gives access to.',
	404: 'Check the ID and the Base URL. It may have been deleted.',
	405: 'The service does not offer this operation.',
	409: 'It exists already, or someone else has changed it.',
	412: 'Someone else changed it in the meantime. Run again.',
	413: 'The request is too large for the service.',
	415: 'The service does not accept the media type of the request. Check the Base URL.',
	429: 'The service receives too many requests. Raise Max Wait under Settings > Requests, set Reads per Minute and Writes per Minute in the credential, or run again later.',
	501: 'The service does not offer this operation.',
};
