import {
	parseJson,
	withAllDigits,
	attemptSync,
	isObject,
	numberOf,
	shown,
	type Stop,
	visible,
} from '../util';
import {
	type Answer,
	type Endpoint,
	type RawAnswer,
	type ServiceRequest,
	type Decoded,
	type FailureFacts,
	RequestError,
	type Limits,
	type BaseUrl,
	parseUrl,
} from './request';
import { type Hidden, masked } from './masked';
import { isForNow, readPause } from './retry';

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

const LONGEST_DETAIL = 300;

/** Makes the error of an answer with a status outside 2xx, or of an error that came with a 2xx. */
function httpError(
	raw: RawAnswer,
	parsed: unknown,
	request: ServiceRequest,
	endpoint: Endpoint,
): RequestError {
	const { detail, errorType, status } = readErrorBody(raw, parsed, endpoint);
	const own = status === 304 ? 'not modified' : detail;
	const said = [own, errorType && `(${errorType})`].filter(Boolean).join(' ');
	const facts: FailureFacts = {
		kind: 'http',
		method: request.method,
		status,
		errorType,
		detail,
		retryAfterMs: readPause(raw.headers, status, Date.now()),
		// A proxy in front gives up with 5xx though the write goes on, and 429 was seen after a stored one (test/contract/interface.md 2.1).
		mayHaveWorked:
			request.method !== 'GET' &&
			((status >= 500 && status !== 501) || status === 429 || status === 408),
	};
	return new RequestError(
		`Could not ${request.purpose}: the service answered ${status}${said ? `, ${said}` : ''}`,
		adviceToWait(facts) ?? endpoint.advise(facts, request) ?? adviceFor(facts),
		facts,
	);
}

/** Makes the error of an answer that points elsewhere; it is never followed, so that the token stays with its host. */
function redirectError(raw: RawAnswer, request: ServiceRequest, endpoint: Endpoint): RequestError {
	const { location = '' } = raw.headers;
	const base = `${endpoint.base.href}/`;
	const moved =
		typeof location === 'string' && location !== '' ? parseUrl(location, base) : undefined;
	const target = moved?.host ?? 'no valid address';
	const facts: FailureFacts = {
		...{ kind: 'redirect', status: raw.status, mayHaveWorked: false },
		method: request.method,
	};
	const isSameHost = moved?.hostname === parseUrl(base)?.hostname;
	if (isSameHost && moved?.protocol === 'https:' && base.startsWith('http:')) {
		return new RequestError(
			`Could not ${request.purpose}: the service redirects from http to https`,
			'Enter the Base URL with https:// in the credential. The credential was sent unencrypted: replace it if somebody may have read it.',
			facts,
		);
	}
	return new RequestError(
		`Could not ${request.purpose}: the service redirects to ${shown(masked(target, endpoint))}`,
		`Redirects are not followed, because the credential belongs to ${endpoint.base.host} alone. If the service has moved, change the Base URL in the credential.`,
		facts,
	);
}

/** Makes the error of a read that was answered with 2xx and a body that is no JSON. */
function unreadableError(
	raw: RawAnswer,
	request: ServiceRequest,
	endpoint: Endpoint,
): RequestError {
	if (raw.against !== undefined) return undecodedError(raw.against, raw.status, request);
	const isCutOff = /^\s*[[{]/.test(raw.text);
	// What is cut off are the resources themselves: people, or actions with their webhook URLs and keys.
	const text = isCutOff ? '' : shortText(raw.text, endpoint);
	const facts: FailureFacts = {
		kind: isCutOff ? 'truncated' : 'unreadable',
		method: request.method,
		status: raw.status,
		mayHaveWorked: false,
	};
	return new RequestError(
		`Could not ${request.purpose}: the service answered ${raw.status} with something that is not JSON${text ? ` ("${text}")` : ''}`,
		endpoint.advise(facts, request) ??
			'Check the Base URL: a web page answered instead of the service, or the answer was cut off.',
		facts,
	);
}

/** A read that was answered in bytes that are no text as far as we know. */
function undecodedError(against: string, status: number, request: ServiceRequest): RequestError {
	return new RequestError(
		`Could not ${request.purpose}: the service answered ${status} with ${against}`,
		'Nothing was concluded from that answer. Have the service, or the proxy in front of it, answer in UTF-8.',
		{ kind: 'unreadable', method: request.method, status, mayHaveWorked: false },
	);
}

/** Makes the error of a request without an answer: the connection broke, was refused, or took too long. */
export function transportError(
	cause: unknown,
	request: ServiceRequest,
	endpoint: Endpoint,
	limits: Limits,
): RequestError {
	if (cause instanceof AnswerTooLarge) return tooLargeError(cause, request);
	const code = networkCode(cause);
	const certificate = CERTIFICATE.test(code);
	const mayHaveWorked = request.method !== 'GET' && !certificate && !NEVER_ARRIVED.has(code);
	const unseen = mayHaveWorked ? ' The request may still have worked.' : '';
	if (code === 'TIMEOUT') {
		return new RequestError(
			`Could not ${request.purpose}: no answer within ${limits.timeoutMs / 1000} seconds`,
			`Raise Timeout under Settings > Requests, or check that ${endpoint.base.host} is available.${unseen}`,
			{ kind: 'timeout', method: request.method, mayHaveWorked },
		);
	}
	// Without a code it is no error of the network, but of n8n: the credential, for one.
	const own = code === '' ? messageOf(cause, endpoint) : '';
	const { happened = own || 'the connection broke off', remedy } = networkFault(
		cause,
		endpoint.base,
	);
	return new RequestError(`Could not ${request.purpose}: ${happened}`, `${remedy}${unseen}`, {
		kind: certificate ? 'certificate' : 'network',
		method: request.method,
		mayHaveWorked,
	});
}

/** Describes what broke a connection, and what to do about it. @returns `happened` only for what has a name of its own */
export function networkFault(
	cause: unknown,
	{ host }: BaseUrl,
): { happened?: string; remedy: string } {
	const code = networkCode(cause);
	const said = systemWords(cause);
	// An alert is an answer in TLS, so the service speaks it.
	if (NO_HTTPS.test(code) && !/\balert\b/.test(said)) {
		return {
			happened: NETWORK_WORDS.EPROTO,
			remedy: `Check the port of the Base URL (${host}). If the service has no https there, enter the Base URL with http://.`,
		};
	}
	const isHandshake = code === 'EPROTO' || code.startsWith('ERR_SSL_');
	if (CERTIFICATE.test(code) && !isHandshake) return certificateFault(code, said);
	// Of a proxy or of the Access Token URL it may be the host that there is not.
	const missing = code === 'ENOTFOUND' && /ENOTFOUND (\S+)/.exec(said)?.[1];
	return {
		happened: missing
			? `there is no host ${missing}`
			: isHandshake
				? 'the service broke off the https handshake'
				: NETWORK_WORDS[code],
		remedy: `Check the Base URL (${host}) and that n8n can reach it.`,
	};
}

/** The check is turned off last: what is wrong with a certificate has its own cure. */
function certificateFault(code: string, said: string): { happened: string; remedy: string } {
	const [, names] =
		/is not (?:in the )?cert's (?:altnames|list|CN): ([\w.*:, -]+)/.exec(said) ?? [];
	const named = names
		? ` (${names
				.replace(/DNS:|IP Address:/g, '')
				.trim()
				.slice(0, LONGEST_DETAIL)})`
		: '';
	const happened = NETWORK_WORDS[code];
	return {
		happened: happened
			? `${happened}${named}`
			: `the certificate of the service cannot be verified (${code})`,
		remedy: ADVICE_BY_CERTIFICATE[code] ?? 'Check the certificate of the service.',
	};
}

/** What the system said, which n8n replaces by words of its own for some codes and keeps among `messages`. */
function systemWords(cause: unknown): string {
	const { message, messages } = (cause ?? {}) as Record<string, unknown>;
	return [message, messages].flat().join(' ');
}

/** Makes the error of a request for which n8n got no token: it has not left, or was refused before anything was done. */
export function tokenError(
	cause: unknown,
	request: ServiceRequest,
	endpoint: Endpoint,
	{ timeoutMs }: Limits,
): RequestError {
	const code = networkCode(cause);
	const fault = networkFault(cause, endpoint.base);
	const happened =
		code === 'TIMEOUT'
			? `none came within ${timeoutMs / 1000} seconds`
			: (fault.happened ?? messageOf(cause, endpoint));
	const cure = CERTIFICATE.test(code) ? fault.remedy : undefined;
	const facts: FailureFacts = { kind: 'token', method: request.method, mayHaveWorked: false };
	return new RequestError(
		`Could not ${request.purpose}: n8n got no access token (${happened})`,
		`${cure ?? endpoint.advise(facts, request) ?? 'Check the credential.'} Nothing was changed by this.`,
		facts,
	);
}

function messageOf(cause: unknown, endpoint: Endpoint): string {
	return cause instanceof Error ? shortText(cause.message, endpoint) : '';
}

/** An answer that is larger than the limit; it is left where the limit is. */
export class AnswerTooLarge extends Error {
	constructor(readonly mostBytes: number) {
		super(`more than ${mostBytes} bytes`);
	}
}

function tooLargeError({ mostBytes }: AnswerTooLarge, request: ServiceRequest): RequestError {
	return new RequestError(
		`Could not ${request.purpose}: the answer is larger than ${Math.round(mostBytes / 1_000_000)} MB`,
		'Ask for less.',
		{ kind: 'tooLarge', method: request.method, mayHaveWorked: request.method !== 'GET' },
	);
}

/** Makes the error of a request that has not left because all requests together have taken longer than they may. */
export function deadlineError(
	request: Pick<ServiceRequest, 'method' | 'purpose'>,
	{ operationMs }: Limits,
): RequestError {
	return new RequestError(
		`Could not ${request.purpose}: the node has worked for ${Math.round(operationMs / 60_000)} minutes, which is its limit`,
		'Nothing was sent for this. Run again to complete.',
		{ kind: 'deadline', method: request.method, mayHaveWorked: false },
	);
}

/** Makes the error of a request that has not left because the run sends nothing more. */
export function endedError(
	{ method, purpose }: Pick<ServiceRequest, 'method' | 'purpose'>,
	{ reason, why }: Required<Stop>,
): RequestError {
	const facts: FailureFacts = { kind: 'ended', method, mayHaveWorked: false };
	return new RequestError(
		`Could not ${purpose}: ${reason}`,
		`${why} Run again to complete.`,
		facts,
	);
}

/** Makes the error of a request after the execution was cancelled; `sent` when it had left already. */
export function cancelledError(request: ServiceRequest, sent = false): RequestError {
	return new RequestError(
		`Could not ${request.purpose}: the execution was cancelled`,
		sent
			? 'The request had left already and may have worked. Run again to complete.'
			: 'Nothing was sent for this. Run again to complete.',
		{ kind: 'cancelled', method: request.method, mayHaveWorked: sent },
	);
}

const NEVER_ARRIVED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);
const TIMEOUTS = new Set(['ETIMEDOUT', 'ECONNABORTED']);
const CERTIFICATE = /CERT|SSL|TLS|SELF_SIGNED|SIGNATURE/;
/** Newer versions of Node.js have the reason in the code. */
const NO_HTTPS = /^(?:EPROTO|ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG))$/;
const UNKNOWN_AUTHORITY =
	'the certificate of the service comes from an authority that n8n does not know';
const NETWORK_WORDS: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'the connection was refused',
	ENOTFOUND: 'there is no host of this name',
	EAI_AGAIN: 'the host could not be looked up',
	EHOSTUNREACH: 'the host cannot be reached',
	EPROTO: 'the service does not speak https on this port',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the service is self-signed',
	SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
	UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
	CERT_NOT_YET_VALID: 'the certificate of the service is not valid yet',
	CERT_HAS_EXPIRED: 'the certificate of the service has expired',
	ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the service is for another host',
};

const TRUST_AUTHORITY =
	"Set NODE_EXTRA_CA_CERTS to a file with the certificate of that authority in the environment of n8n's process, and restart n8n. If the authority is a public one, have the server send its intermediate certificates. As a last resort, turn on Ignore SSL Issues in the credential.";

/** What helps, before what turns the check off. */
const ADVICE_BY_CERTIFICATE: Readonly<Record<string, string>> = {
	CERT_HAS_EXPIRED: 'Renew it on the server, or have the service renew it.',
	CERT_NOT_YET_VALID: "Check the clock of n8n's machine, then that of the server.",
	ERR_TLS_CERT_ALTNAME_INVALID:
		'In the Base URL, enter a host that the certificate names. Otherwise have the server get a certificate for this host.',
	DEPTH_ZERO_SELF_SIGNED_CERT:
		"Set NODE_EXTRA_CA_CERTS to a file with this certificate in the environment of n8n's process, and restart n8n. As a last resort, turn on Ignore SSL Issues in the credential.",
	SELF_SIGNED_CERT_IN_CHAIN: TRUST_AUTHORITY,
	UNABLE_TO_GET_ISSUER_CERT: TRUST_AUTHORITY,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: TRUST_AUTHORITY,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: TRUST_AUTHORITY,
};

/** n8n's helper keeps the code of a network error where a status would be; `cause` only in newer versions. */
function networkCode(error: unknown, depth = 0): string {
	const { name, code, httpCode, cause } = (error ?? {}) as Record<string, unknown>;
	const found = [httpCode, code].find((value): value is string => typeof value === 'string');
	if (name === 'TimeoutError' || TIMEOUTS.has(found ?? '')) return 'TIMEOUT';
	// n8n 2.41 says that it got no token, and keeps why as the cause of the cause.
	return found ?? (isObject(cause) && depth < MOST_CAUSES ? networkCode(cause, depth + 1) : '');
}

const MOST_CAUSES = 3;

/** Reads tolerantly: names ignoring case, `status` a number, a string or absent, or no JSON body at all. */
function readErrorBody(
	raw: RawAnswer,
	parsed: unknown,
	endpoint: Endpoint,
): { detail: string; errorType?: string; status: number } {
	if (typeof parsed !== 'object' || parsed === null) {
		return { detail: shortText(raw.text, endpoint), status: raw.status };
	}
	const fields = new Map(Object.entries(parsed).map(([key, value]) => [key.toLowerCase(), value]));
	const words = ['detail', 'message', 'error', 'error_description', 'title']
		.map((key) => fields.get(key))
		.find((value) => typeof value === 'string');
	const type = fields.get(endpoint.errorTypeField.toLowerCase());
	const inBody = numberOf(fields.get('status'));
	return {
		detail: shortText(words ?? '', endpoint),
		...(isName(type) && { errorType: shortText(type, endpoint) }),
		status: raw.status < 300 && inBody >= 400 && inBody < 600 ? inBody : raw.status,
	};
}

/** Elsewhere a URL stands in the field of the type, which says nothing to a reader. */
function isName(type: unknown): type is string {
	return typeof type === 'string' && /^[^\s/]+$/.test(type);
}

/** One short sentence out of plain text or a web page. */
function shortText(text: string, hidden: Hidden): string {
	const page = textOfPage(masked(text.slice(0, 20_000), hidden));
	const plain = visible(page.replace(/\s+/g, ' ').trim());
	return plain.length > LONGEST_DETAIL ? `${plain.slice(0, LONGEST_DETAIL)}…` : plain;
}

/** What a reader sees of a web page: its title, else what is no tag, no style and no script. No part of it is read twice. */
function textOfPage(page: string): string {
	const [first, ...pieces] = page.split('<');
	let [text, hides] = [first, ''];
	for (const piece of pieces) {
		const [name] = /^\/?(?:title|style|script)\b/i.exec(piece) ?? [''];
		const tag = name.toLowerCase();
		const end = piece.indexOf('>');
		if (tag === 'title' && end >= 0) return piece.slice(end + 1);
		if (hides === '') hides = tag === 'style' || tag === 'script' ? `/${tag}` : '';
		else if (tag === hides) hides = '';
		if (hides === '') text += end < 0 ? `<${piece}` : ` ${piece.slice(end + 1)}`;
	}
	return text;
}

/** What to do about a refusal that is for now, where the service says for how long. */
function adviceToWait(facts: FailureFacts): string | undefined {
	const { status, method, retryAfterMs } = facts;
	if (retryAfterMs === undefined || !(isForNow(facts) || status === 503)) return undefined;
	const lost = status === 503 ? lostWords(method) : '';
	return `The service asks to wait ${Math.ceil(retryAfterMs / 1000)} seconds. Raise Max Wait under Settings > Requests, or run again later.${lost}`;
}

/** What to do about an HTTP answer, as far as status and method say it; a client of the service may know better. */
function adviceFor({ status = 0, method }: FailureFacts): string {
	if (status >= 500 && status !== 501) {
		return `The service had an internal error. Safe requests were retried; run again later.${lostWords(method)}`;
	}
	return ADVICE[status] ?? '';
}

function lostWords(method: FailureFacts['method']): string {
	return method === 'GET' ? '' : ' The request may still have worked.';
}

const ADVICE: Readonly<Record<number, string>> = {
	304: 'A cache between n8n and the service answered, or the service says that it changed nothing. Have no cache keep its answers.',
	400: 'The service does not accept a value that was sent. Check the fields of this item.',
	401: 'Check the credential.',
	402: 'The service asks for payment. Check the plan of the account at the service.',
	403: 'Check the credential and what it gives access to.',
	404: 'Check the ID and the Base URL. It may have been deleted.',
	405: 'The service does not offer this operation.',
	406: 'The service does not answer in the media type of the request. Check the Base URL.',
	409: 'It exists already, or someone else has changed it.',
	410: 'It was deleted at the service. Check the ID.',
	412: 'Someone else changed it in the meantime. Run again.',
	413: 'The request is too large for the service.',
	415: 'The service does not accept the media type of the request. Check the Base URL.',
	421: 'The service does not answer for the host of the Base URL. Check the Base URL, and a proxy in front of the service.',
	422: 'The service does not accept a value that was sent. Check the fields of this item.',
	423: 'It is locked at the service. Unlock it there, or run again later.',
	429: 'The service receives too many requests. Raise Max Wait under Settings > Requests, set Reads per Minute and Writes per Minute in the credential, or run again later.',
	451: 'The service refuses this for legal reasons. Ask who runs the service.',
	501: 'The service does not offer this operation.',
};
