import type { RequestError } from './requestError';

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
	return kind === 'http' && (status === 429 || (status >= 500 && status !== 501));
}

function asksToWait(error: RequestError): boolean {
	return error.status === 429 || error.status === 503;
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
