import { createPace } from '../../../nodes/shared/http/pace';
import { estimateOf, tooLong } from '../../../nodes/shared/run/preview';
import { fakeTransport, LIMITS } from '../../support/fakeTransport';

beforeEach(() => jest.spyOn(performance, 'now').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

/** So many requests in a minute, of a run that ends after so many minutes. */
const paceOf = (readsPerMinute: number, writesPerMinute: number, minutes = 1) =>
	createPace(
		{ readsPerMinute, writesPerMinute },
		{ ...LIMITS, operationMs: minutes * 60_000 },
		fakeTransport(() => ({})),
	);

it.each([
	['the slower ones count', { reads: 11, writes: 16 }, { requests: 27, minutes: 1.5 }],
	['tenths are rounded up', { reads: 1, writes: 2 }, { requests: 3, minutes: 0.1 }],
	['the first leaves at once', { reads: 1, writes: 1 }, { requests: 2, minutes: 0 }],
])('an estimate: %s', (_, least, estimate) => {
	expect(estimateOf(least, paceOf(10, 10))).toEqual(estimate);
});

it('a plan that ends in time is begun, up to the last moment', () => {
	expect(tooLong({ reads: 11, writes: 11 }, paceOf(10, 10))).toStrictEqual([]);
});

it.each([
	[10, 0, 'Reads per Minute 10'],
	[0, 10, 'Writes per Minute 10'],
	[10, 10, 'Reads per Minute 10 and Writes per Minute 10'],
])(
	'a plan that takes too long is not begun, with %i reads and %i writes',
	(reads, writes, words) => {
		expect(tooLong({ reads: 12, writes: 12 }, paceOf(reads, writes))).toEqual([
			`24 requests take at least 1.1 min with ${words}, and Timeout Workflow leaves 1 min. Raise it in the settings of the workflow, or send fewer items.`,
		]);
	},
);
