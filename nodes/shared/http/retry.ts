import { numberOf } from '../util';
import type { FailureFacts, RequestError } from './request';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const MOST_REPEATS_AFTER_A_FAULT = 4;

/**
 * Computes the time to wait before the request may be sent again, in milliseconds, or undefined when it must not be: the
 * failure is no passing one, or the repeats are used up. A wait that the service asked for is honored to the second; otherwise
 * the pause doubles, with jitter. Whether there is time for it says `WaitBudget`.
 * @param repeats how often this request was sent again already
 * @param random a number in [0, 1)
 */
export function pauseBeforeRepeat(
	error: RequestError,
	repeats: number,
	random: number,
): number | undefined {
	if (!isPassing(error)) return undefined;
	// A busy service is waited for as long as Max Wait allows; a fault is not.
	if (!asksToWait(error) && repeats >= MOST_REPEATS_AFTER_A_FAULT) return undefined;
	return (
		atLeastFirstPause(error.facts.retryAfterMs) ??
		Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** repeats) * (0.5 + random / 2)
	);
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

/** Tells whether a service is too busy to answer. */
export function asksToWait({ status }: RequestError): boolean {
	return status === 429 || status === 503;
}

/** Refusals that the headers of a limit may be the reason of; a 429 says so itself. */
const OF_A_LIMIT = new Set([403, 503]);

/** Headers with what remains of a limit and its end; the last is how Okta spells them. */
const LIMIT_HEADERS = ['ratelimit-', 'x-ratelimit-', 'x-rate-limit-'];

/**
 * Reads when a service that has refused for now wants to be asked again: Retry-After, else the end of the limit that is used
 * up, the longest of several (draft-ietf-httpapi-ratelimit-headers: the field `RateLimit`, and those of before).
 * @param now by the clock of the machine; that of the service counts where the answer has one
 * @returns milliseconds from now; undefined where nothing is said
 */
export function readPause(
	headers: Readonly<Record<string, unknown>>,
	status: number,
	now: number,
): number | undefined {
	const said = Date.parse(String(headers.date));
	const present = Number.isNaN(said) ? now : said;
	const asked = readRetryAfter(headers['retry-after'], present);
	if (asked !== undefined || !(status === 429 || OF_A_LIMIT.has(status))) return asked;
	const pauses = limitsIn(headers).flatMap(({ remaining, reset }) => {
		const isUsedUp = remaining === 0 || (status === 429 && Number.isNaN(remaining));
		return (isUsedUp ? readRetryAfter(reset, present) : undefined) ?? [];
	});
	return pauses.length > 0 ? Math.max(...pauses) : undefined;
}

/** Reads the limits that headers tell of; what remains is NaN where that is not told. */
function limitsIn(
	headers: Readonly<Record<string, unknown>>,
): Array<{ remaining: number; reset: unknown }> {
	// A name may have any character in it.
	const field = String(headers.ratelimit ?? '').replace(/"[^"]*"/g, '');
	const isOld = /\bremaining\s*=/i.test(field);
	return [
		...(isOld ? [field] : field.split(',')).map((limit) => ({
			remaining: Number(/\b(?:r|remaining)\s*=\s*(\d+)/i.exec(limit)?.[1]),
			reset: /\b(?:t|reset)\s*=\s*(\d+)/i.exec(limit)?.[1],
		})),
		...LIMIT_HEADERS.map((name) => ({
			remaining: numberOf(headers[`${name}remaining`]),
			reset: headers[`${name}reset`],
		})),
	];
}

/** Numbers above these are times since 1970: in seconds, and in milliseconds. */
const [EPOCH_S, EPOCH_MS] = [1e9, 1e11];

/**
 * Reads a Retry-After header, or the end of a limit: seconds, or a date (RFC 9110 section 10.2.3); also a time since 1970,
 * which some services give.
 * @returns milliseconds from now; undefined when there is none, when it cannot be read, or when it lies in the
 * past, so that the usual pause is taken instead of none
 */
export function readRetryAfter(header: unknown, now: number): number | undefined {
	if (typeof header !== 'string' && typeof header !== 'number') return undefined;
	const text = String(header).trim();
	const at = /^\d+(\.\d+)?$/.test(text) ? momentOfNumber(Number(text), now) : Date.parse(text);
	return at > now ? at - now : undefined;
}

function momentOfNumber(number: number, now: number): number {
	if (number < EPOCH_S) return now + number * 1000;
	return number < EPOCH_MS ? number * 1000 : number;
}
