import type { Endpoint, ServiceRequest } from './send';
import { parseJson } from '../util';
import { httpError, redirectError, unreadableError } from './failures';

/** A 2xx answer. */
export interface Answer {
	status: number;
	/** The parsed JSON body; undefined when a write was answered with nothing or with something else. */
	body: unknown;
	/** The body exactly as it came. */
	text: string;
}

/**
 * Reads what came back. The HTTP status decides first, whatever the body says; then a body that has to be JSON is
 * parsed (a byte order mark in front is tolerated). A write that was answered with 2xx and no readable body has
 * happened as far as HTTP goes: whoever sent it reads back.
 * @throws RequestError for a redirect, any status outside 2xx, a SCIM Error inside a 2xx, and a read without JSON
 */
export function readAnswer(
	raw: { status: number; headers: Record<string, unknown>; text: string },
	request: ServiceRequest,
	endpoint: Endpoint,
): Answer {
	const text = raw.text.replace(/^\uFEFF/, '');
	if (raw.status >= 300 && raw.status < 400) throw redirectError(raw, request, endpoint);
	const parsed = jsonIn(text);
	if (raw.status < 200 || raw.status >= 300) {
		throw httpError({ ...raw, text }, parsed, request, endpoint);
	}
	if (parsed === undefined && request.method === 'GET') {
		throw unreadableError({ ...raw, text }, request, endpoint);
	}
	if (isScimError(parsed)) throw httpError({ ...raw, text }, parsed, request, endpoint);
	return { status: raw.status, body: parsed, text };
}

function jsonIn(text: string): unknown {
	return /^\s*[[{"]/.test(text) ? parseJson(text) : undefined;
}

/** RFC 7644 section 3.12; the URN in any case. */
function isScimError(body: unknown): boolean {
	if (typeof body !== 'object' || body === null) return false;
	const schemas = Object.entries(body).find(([key]) => key.toLowerCase() === 'schemas')?.[1];
	return (
		Array.isArray(schemas) &&
		schemas.some(
			(urn) =>
				typeof urn === 'string' &&
				urn.toLowerCase() === 'urn:ietf:params:scim:api:messages:2.0:error',
		)
	);
}
