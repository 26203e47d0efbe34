import { parseJson, withAllDigits, attemptSync } from '../util';
import { httpError, redirectError, unreadableError } from './failures';
import type { Answer, Endpoint, RawAnswer, ServiceRequest, Decoded } from './types';

/**
 * Reads what came back. The HTTP status decides first, whatever the body says; then a body that has to be JSON is
 * parsed (a byte order mark in front is tolerated). A write that was answered with 2xx and no readable body has
 * happened as far as HTTP goes: the sender reads back. What is not understood is no answer.
 * @throws RequestError for a redirect, any status outside 2xx, an error inside a 2xx, and a read without JSON
 */
export function readAnswer(raw: RawAnswer, request: ServiceRequest, endpoint: Endpoint): Answer {
	const text = raw.text.replace(/^\uFEFF/, '');
	if (raw.status >= 300 && raw.status < 400 && raw.status !== 304)
		throw redirectError(raw, request, endpoint);
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

const LATIN_1 = /^(?:iso-?8859-1|latin-?1)$/i;
const UTF_8 = /^(?:utf-?8|us-ascii)$/i;

/**
 * Reads bytes in the charset that `Content-Type` names; JSON is UTF-8 (RFC 8259 section 8.1). Bytes that are no
 * text in it would become other names without a word.
 */
export function decode(bytes: Uint8Array, contentType: unknown): Decoded {
	const [, named = 'utf-8'] = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(String(contentType)) ?? [];
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const text = attemptSync(() =>
		new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
	);
	const isKnown = UTF_8.test(named);
	const isLatin1 = LATIN_1.test(named);
	// Some frameworks name ISO-8859-1 by themselves and send UTF-8, which names in ISO-8859-1 never look like.
	if (text !== undefined && (isKnown || isLatin1)) return { text };
	if (isLatin1) return { text: buffer.toString('latin1') };
	const against = isKnown
		? 'bytes that are not UTF-8'
		: `the charset ${named}, which is not supported`;
	return { text: buffer.toString('utf8'), against };
}
