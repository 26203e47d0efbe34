import { parseJson, withAllDigits } from '../util';
import { httpError, redirectError, unreadableError } from './failures';
import type { Answer, Endpoint, RawAnswer, ServiceRequest } from './types';

/**
 * Reads what came back. The HTTP status decides first, whatever the body says; then a body that has to be JSON is
 * parsed (a byte order mark in front is tolerated). A write that was answered with 2xx and no readable body has
 * happened as far as HTTP goes: the sender reads back. What is not understood is no answer.
 * @throws RequestError for a redirect, any status outside 2xx, an error inside a 2xx, and a read without JSON
 */
export function readAnswer(raw: RawAnswer, request: ServiceRequest, endpoint: Endpoint): Answer {
	const text = raw.text.replace(/^\uFEFF/, '');
	if (raw.status >= 300 && raw.status < 400) throw redirectError(raw, request, endpoint);
	const isRefused = raw.status < 200 || raw.status >= 300;
	const parsed = raw.against === undefined || isRefused ? jsonIn(text) : undefined;
	if (isRefused || endpoint.isError?.(parsed) === true) {
		throw httpError({ ...raw, text }, parsed, request, endpoint);
	}
	if (parsed === undefined && request.method === 'GET') {
		throw unreadableError({ ...raw, text }, request, endpoint);
	}
	const { etag, date } = raw.headers;
	const at = Date.parse(String(date));
	return {
		...{ status: raw.status, body: parsed, text },
		...(typeof etag === 'string' && { etag }),
		...(!Number.isNaN(at) && { date: at }),
	};
}

function jsonIn(text: string): unknown {
	const parsed = /^\s*[[{"]/.test(text) ? parseJson(text) : undefined;
	if (parsed === undefined) return undefined;
	const whole = withAllDigits(text);
	return whole === text ? parsed : parseJson(whole);
}
