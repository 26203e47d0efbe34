import type { FailureFacts, RequestError } from './requestError';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const MOST_REPEATS_AFTER_A_FAULT = 4;

/**
 * Computes the time to wait before the request may be sent again, in milliseconds, or undefined when it must not be: the
 * failure is no passing one, the repeats are used up, or the wait would go beyond what is left of `maxWaitMs`. A wait that
 * the service asked for is honored to the second; otherwise the pause doubles, with jitter.
 * @param repeats how often this request was sent again already
 * @param waitedMs how long it has waited already
 * @param random a number in [0, 1)
 */
export function pauseBeforeRepeat(
	error: RequestError,
	repeats: number,
	waitedMs: number,
	maxWaitMs: number,
	random: number,
): number | undefined {
	if (!isPassing(error)) return undefined;
	// A busy service is waited for as long as the budget lasts; a fault is not.
	if (!asksToWait(error) && repeats >= MOST_REPEATS_AFTER_A_FAULT) return undefined;
	const pause =
		atLeastFirstPause(error.facts.retryAfterMs) ??
		Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** repeats) * (0.5 + random / 2);
	return waitedMs + pause <= maxWaitMs ? pause : undefined;
}

/** A service that asks for no time to speak of is not asked without end. */
function atLeastFirstPause(ms: number | undefined): number | undefined {
	return ms === undefined ? undefined : Math.max(ms, FIRST_PAUSE_MS / 2);
}

/** Too many requests, a fault of the server, or a connection that broke: the next try may well succeed. */
function isPassing(error: RequestError): boolean {
	const { kind, status = 0 } = error.facts;
	if (kind === 'network' || kind === 'timeout' || kind === 'truncated') return true;
	return kind === 'http' && (isForNow(error.facts) || (status >= 500 && status !== 501));
}

/** Refusals that are for now alone where the answer says when to come again: secondary limits of GitHub are 403. */
const FOR_NOW_IF_TOLD = new Set([403, 409, 413, 423]);

/** Tells whether a request was refused for now, and not for what it asks. */
export function isForNow({ status = 0, retryAfterMs }: FailureFacts): boolean {
	if (status === 408 || status === 425 || status === 429) return true;
	return FOR_NOW_IF_TOLD.has(status) && retryAfterMs !== undefined;
}

function asksToWait(error: RequestError): boolean {
	return error.status === 429 || error.status === 503;
}

/** A number above this is a time since 1970, in seconds. */
const EPOCH_S = 1_000_000_000;

/**
 * Reads when a service that has refused for now wants to be asked again: Retry-After, else the end of its limit
 * (draft-ietf-httpapi-ratelimit-headers, and `X-RateLimit-Reset` in seconds, from now or since 1970), where that is used up.
 * @returns milliseconds from now; undefined where nothing is said
 */
export function readPause(
	headers: Readonly<Record<string, unknown>>,
	status: number,
	now: number,
): number | undefined {
	const asked = readRetryAfter(headers['retry-after'], now);
	const isUsedUp = ['ratelimit-remaining', 'x-ratelimit-remaining'].some(
		(name) => String(headers[name]).trim() === '0',
	);
	if (asked !== undefined || !(status === 429 || (status === 403 && isUsedUp))) return asked;
	const names = ['ratelimit-reset', 'x-ratelimit-reset'];
	const [reset] = names.flatMap((name) => Number(headers[name] ?? Number.NaN) || []);
	if (reset === undefined || reset < 0) return undefined;
	const ms = reset > EPOCH_S ? reset * 1000 - now : reset * 1000;
	return ms > 0 ? ms : undefined;
}

/**
 * Reads a Retry-After header: seconds, or an HTTP date (RFC 9110 section 10.2.3).
 * @returns milliseconds from now; undefined when there is none, when it cannot be read, or when it lies in the
 * past, so that the usual pause is taken instead of none
 */
export function readRetryAfter(header: unknown, now: number): number | undefined {
	if (typeof header !== 'string' && typeof header !== 'number') return undefined;
	const text = String(header).trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) > 0 ? Number(text) * 1000 : undefined;
	const at = Date.parse(text);
	return Number.isNaN(at) || at <= now ? undefined : at - now;
}
