import {
	hasBegun,
	isLater,
	isOver,
	isReversed,
	readWhen,
	today,
} from '../../../nodes/shared/util/when';

const BERLIN = 'Europe/Berlin';

test.each([
	['2026-12-31', { day: '2026-12-31' }],
	[' 2026-12-31 ', { day: '2026-12-31' }],
	['9999-12-31', { day: '9999-12-31' }],
	['2028-02-29', { day: '2028-02-29' }],
	[46387, { day: '2026-12-31' }],
	['46387', { day: '2026-12-31' }],
	[20_000, { day: '1954-10-03' }],
	[80_000, { day: '2119-01-11' }],
	['2026-12-31T18:00+01:00', { at: '2026-12-31T17:00:00.000Z' }],
	['2026-12-31T18:00:00.5Z', { at: '2026-12-31T18:00:00.500Z' }],
	['2026-12-31t18:00:00z', { at: '2026-12-31T18:00:00.000Z' }],
	// A table keeps the day as a moment: midnight in UTC, or where the workflow is.
	['2026-12-31T00:00:00.000Z', { day: '2026-12-31' }],
	['2026-12-30T23:00:00.000Z', { day: '2026-12-31' }],
	['2026-12-31T00:00:00+01:00', { day: '2026-12-31' }],
	['2026-12-30T23:00:00.500Z', { at: '2026-12-30T23:00:00.500Z' }],
	['2026-07-30T22:00:00.000Z', { day: '2026-07-31' }],
])('%j is %j', (value, expected) => {
	expect(readWhen(value, BERLIN)).toEqual(expected);
});

test.each([
	...['31.12.2026', '12/31/2026', '2026-12-31T18:00', '2026-12-31 18:00', '2026-02-30', 'never'],
	...['1900-01-01', '0001-01-01', 0, 2026, 19_999, 80_001, 46387.5, true, '26-12-31', '2026-1-1'],
	...['2026-13-01T00:00:00Z', '2026-12-31T24:00:00Z', '2026-02-30T18:00:00Z', '1767139200000'],
])('%j is not a date', (value) => {
	expect(readWhen(value, BERLIN)).toBeUndefined();
});

test.each([[{ day: '2026-12-31' }], [['2026-12-31']], [null]])('%j is not a date', (value) => {
	expect(readWhen(value, BERLIN)).toBeUndefined();
});

/** When a first day begins and a last day is over, by the clock of a zone. */
test.each([
	[BERLIN, '2026-12-31', '2026-12-30T23:00:00Z', '2026-12-31T23:00:00Z'],
	['America/New_York', '2026-12-31', '2026-12-31T05:00:00Z', '2027-01-01T05:00:00Z'],
	// A day of 23 hours, and one of 25.
	[BERLIN, '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
	[BERLIN, '2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
	['America/New_York', '2026-03-08', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
	['America/New_York', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
])('in %s %s is from %s to %s', (zone, day, from, until) => {
	const [begins, ends] = [Date.parse(from), Date.parse(until)];
	expect([begins - 1, begins].map((now) => hasBegun({ day }, zone, now))).toEqual([false, true]);
	expect([ends - 1, ends].map((now) => isOver({ day }, zone, now))).toEqual([false, true]);
});

test('a moment is one everywhere', () => {
	const at = '2026-12-31T17:00:00.000Z';
	const ms = Date.parse(at);
	for (const isIt of [hasBegun, isOver])
		expect([ms - 1, ms].map((now) => isIt({ at }, BERLIN, now))).toEqual([false, true]);
	expect(today(BERLIN, Date.parse('2026-12-31T23:30:00Z'))).toBe('2027-01-01');
});

const DAY = { day: '2026-12-31' };
const NOON = { at: '2026-12-31T11:00:00.000Z' };
test.each([
	[DAY, NOON, true],
	[NOON, DAY, false],
	[DAY, DAY, false],
	[{ day: '2027-01-01' }, DAY, true],
	[{ at: '2026-12-31T23:00:00.000Z' }, DAY, true],
	[{ at: '2026-12-31T12:00:00.000Z' }, NOON, true],
])('%j ends after %j: %j', (one, other, expected) => {
	expect(isLater(one, other, BERLIN)).toBe(expected);
});

test.each([
	[DAY, DAY, false],
	[DAY, NOON, false],
	[NOON, DAY, false],
	[NOON, NOON, true],
	[DAY, { day: '2026-12-30' }, true],
	[{ at: '2026-12-31T23:30:00.000Z' }, DAY, true],
])('from %j to %j is none: %j', (from, until, expected) => {
	expect(isReversed(from, until, BERLIN)).toBe(expected);
});
