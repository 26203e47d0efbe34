import { RequestError, type FailureFacts } from '../../../nodes/shared/http/request';
import { pauseBeforeRepeat, readPause, readRetryAfter } from '../../../nodes/shared/http/retry';

const NOW = Date.parse('2026-03-01T12:00:00Z');

function failure(facts: Partial<FailureFacts>): RequestError {
	return new RequestError('Could not', '', {
		kind: 'http',
		method: 'GET',
		mayHaveWorked: false,
		...facts,
	});
}

const pause = (facts: Partial<FailureFacts>, repeats = 0, random = 0) =>
	pauseBeforeRepeat(failure(facts), repeats, random);

describe('readRetryAfter', () => {
	it.each([
		['seconds', '7', 7_000],
		['seconds as a number', 7, 7_000],
		['seconds with blanks', ' 7 ', 7_000],
		['parts of a second', '1.5', 1_500],
		['a date', 'Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
		['a time since 1970', String(NOW / 1000 + 7), 7_000],
		['in milliseconds', String(NOW + 7_000), 7_000],
		['a date in the past', 'Sun, 01 Mar 2026 11:00:00 GMT', undefined],
		['now', 'Sun, 01 Mar 2026 12:00:00 GMT', undefined],
		['zero', '0', undefined],
		['a negative number', '-5', undefined],
		['words', 'soon', undefined],
		['nothing', '', undefined],
		['no header', undefined, undefined],
		['a list', ['7'], undefined],
	])('%s', (_, header, expected) => {
		expect(readRetryAfter(header, NOW)).toBe(expected);
	});

	it('an absurd number stays one, so that it is refused by the budget', () => {
		expect(readRetryAfter('99999999999999999999', NOW)).toBeGreaterThan(1e19);
	});
});

describe('readPause', () => {
	const inAMinute = NOW / 1000 + 60;
	it.each([
		['Retry-After, of any refusal', 403, { 'retry-after': '7' }, 7_000],
		['which counts first', 429, { 'retry-after': '7', 'ratelimit-reset': '9' }, 7_000],
		['seconds to the end of a limit', 429, { 'ratelimit-reset': '9' }, 9_000],
		['the time of its end', 429, { 'x-ratelimit-reset': String(inAMinute) }, 60_000],
		['an end in the past', 429, { 'x-ratelimit-reset': String(inAMinute - 120) }, undefined],
		['words', 429, { 'x-ratelimit-reset': 'soon' }, undefined],
		[
			'403 within a limit',
			403,
			{ 'x-ratelimit-reset': '9', 'x-ratelimit-remaining': '5' },
			undefined,
		],
		[
			'403 at the end of it',
			403,
			{ 'x-ratelimit-reset': '9', 'x-ratelimit-remaining': '0' },
			9_000,
		],
		['a fault', 500, { 'ratelimit-reset': '9' }, undefined],
		['a limit that is used up', 429, { ratelimit: '"default";r=0;t=30' }, 30_000],
		['without quotes', 429, { ratelimit: 'default; r=0; t=30' }, 30_000],
		['of one partition', 429, { ratelimit: '"a,b;r=5";r=0;t=30;pk=:cHI9NQ==:' }, 30_000],
		['one that is not', 429, { ratelimit: '"default";r=5;t=30' }, undefined],
		['which remains where others count', 429, { ratelimit: '"s";r=0;t=3, "day";r=9;t=900' }, 3_000],
		['the longer of two', 429, { ratelimit: '"s";r=0;t=3, "day";r=0;t=900' }, 900_000],
		['without its end', 429, { ratelimit: '"default";r=0' }, undefined],
		['in the older form', 429, { ratelimit: 'limit=100, remaining=0, reset=30' }, 30_000],
		['which is not used up', 429, { ratelimit: 'limit=100, remaining=1, reset=30' }, undefined],
		['of a 403', 403, { ratelimit: '"default";r=0;t=30' }, 30_000],
		['of a 503', 503, { ratelimit: '"default";r=0;t=30' }, 30_000],
		['of a 503 that is down', 503, { ratelimit: '"default";r=7;t=30' }, undefined],
		['of a conflict', 409, { ratelimit: '"default";r=0;t=30' }, undefined],
		[
			'429 for another reason',
			429,
			{ 'ratelimit-reset': '9', 'ratelimit-remaining': '5' },
			undefined,
		],
		[
			'as Okta has it',
			429,
			{ 'x-rate-limit-reset': String(inAMinute), 'x-rate-limit-remaining': '0' },
			60_000,
		],
		['milliseconds since 1970', 429, { 'x-ratelimit-reset': `${inAMinute}000` }, 60_000],
		['a date', 429, { 'x-ratelimit-reset': '2026-03-01T12:01:00Z' }, 60_000],
		['text that never ends', 429, { ratelimit: '"'.repeat(16_001) }, undefined],
	])('%s', (_, status, headers, expected) => {
		expect(readPause(headers, status, NOW)).toBe(expected);
	});

	it.each([
		['a date', 'retry-after', 'Sun, 01 Mar 2026 12:01:00 GMT'],
		['a time since 1970', 'x-ratelimit-reset', String(inAMinute)],
	])('%s is by the clock of the service, where its answer has one', (_, name, value) => {
		const headers = { [name]: value, date: 'Sun, 01 Mar 2026 12:00:00 GMT' };
		for (const off of [-3_600_000, 3_600_000])
			expect(readPause(headers, 429, NOW + off)).toBe(60_000);
	});
});

describe('pauseBeforeRepeat', () => {
	it.each([403, 409, 413, 423])('%d passes where the service says when, four times', (status) => {
		expect(pause({ status })).toBeUndefined();
		expect(pause({ status, retryAfterMs: 7_000 }, 3)).toBe(7_000);
		expect(pause({ status, retryAfterMs: 7_000 }, 4)).toBeUndefined();
	});

	it.each([
		['429', { status: 429 }],
		['500', { status: 500 }],
		['502', { status: 502 }],
		['503', { status: 503 }],
		['504', { status: 504 }],
		['a broken connection', { kind: 'network' }],
		['no answer in time', { kind: 'timeout' }],
		['an answer cut off', { kind: 'truncated' }],
		['408', { status: 408 }],
		['425', { status: 425 }],
	] as const)('%s passes', (_, facts) => {
		expect(pause(facts)).toBe(250);
	});

	it.each([
		['400', { status: 400 }],
		['401', { status: 401 }],
		['403', { status: 403 }],
		['404', { status: 404 }],
		['409', { status: 409 }],
		['413', { status: 413 }],
		['501', { status: 501 }],
		['a redirect', { kind: 'redirect', status: 302 }],
		['a web page', { kind: 'unreadable', status: 200 }],
		['a cancelled execution', { kind: 'cancelled' }],
		['an incomplete list', { kind: 'incomplete' }],
	] as const)('%s does not pass', (_, facts) => {
		expect(pause(facts)).toBeUndefined();
	});

	it('doubles, between half and whole of 0.5, 1, 2, 4 … and at most 30 seconds', () => {
		const facts = { status: 429 };
		for (const [repeats, whole] of [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000].entries()) {
			expect(pause(facts, repeats, 0)).toBe(whole / 2);
			const most = pause(facts, repeats, 0.999_999) ?? 0;
			expect(most).toBeLessThan(whole);
			expect(most).toBeGreaterThan(whole * 0.99);
		}
	});

	it('honors what the service asks for, without jitter', () => {
		expect(pause({ status: 429, retryAfterMs: 7_000 }, 3, 0.7)).toBe(7_000);
		expect(pause({ status: 503, retryAfterMs: 7_000 })).toBe(7_000);
	});

	it('repeats a fault four times', () => {
		expect(pause({ status: 500 }, 3)).toBeDefined();
		expect(pause({ status: 500 }, 4)).toBeUndefined();
		expect(pause({ kind: 'network' }, 4)).toBeUndefined();
		// A busy service is waited for as long as there is time.
		for (const status of [429, 503]) expect(pause({ status }, 4)).toBeDefined();
	});
});
