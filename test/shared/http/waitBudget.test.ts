import { RequestError, type FailureFacts } from '../../../nodes/shared/http/request';
import { WaitBudget } from '../../../nodes/shared/http/limits';

// How long a run waits, by a clock that only the rows move. What comes of it in a run: test/behavior/down.test.js.

let now: number;
beforeEach(() => {
	now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => jest.restoreAllMocks());

const MOST = 120_000;
const ENDED = {
	reason: 'not sent: the service accepts no writes',
	why: 'Nothing more was sent: the service accepts no writes, for the whole of Max Wait (120 seconds).',
};

const failure = (facts: Partial<FailureFacts> = {}) =>
	new RequestError('Could not', '', {
		...{ kind: 'http', method: 'PATCH', status: 503, mayHaveWorked: true },
		...facts,
	});

const budgetOf = (maxWaitMs = MOST) => new WaitBudget(maxWaitMs, () => false);

/** Tries a request for so long, which is then refused. */
async function refused(
	budget: WaitBudget,
	ms: number,
	facts: Partial<FailureFacts> = {},
	waitedMs = 0,
	method: 'PATCH' | 'GET' = 'PATCH',
) {
	return await budget.during(method, async () => {
		now += ms;
		return budget.pauseAfter(method, failure(facts), 0, waitedMs);
	});
}

describe('a wait that was asked for', () => {
	it.each([
		['fits, to the millisecond', 100_000, 20_000, 20_000],
		['is longer than what is left', 100_000, 20_001, undefined],
		['is absurd', 0, 1e21, undefined],
	])('%s', async (_, waited, retryAfterMs, expected) => {
		for (const spent of [0, waited])
			expect(await refused(budgetOf(), spent, { retryAfterMs }, waited)).toBe(expected);
	});

	it('is not begun with Max Wait 0', async () => {
		expect(await refused(budgetOf(0), 0)).toBeUndefined();
	});
});

describe('the run', () => {
	it('ends when two in a row find no time left, and not with one', async () => {
		const budget = budgetOf();
		await refused(budget, MOST);
		expect(budget.stopped()).toBeUndefined();
		await refused(budget, 0);
		expect(budget.stopped()).toEqual(ENDED);
	});

	it('goes on after one request that waited Max Wait beside others that were accepted', async () => {
		const budget = budgetOf();
		for (let nth = 0; nth < 5; nth++) {
			await refused(budget, 0, {}, MOST);
			budget.accepted('PATCH');
		}
		expect(budget.stopped()).toBeUndefined();
	});

	it('has all its time again after an accepted request, for all that wait', async () => {
		const budget = budgetOf();
		await budget.during('PATCH', async () => {
			await refused(budget, MOST);
			budget.accepted('PATCH');
			expect(await refused(budget, 119_000)).toBe(250);
			expect(await refused(budget, 1_000)).toBeUndefined();
		});
	});

	it('counts the time of those side by side once', async () => {
		const budget = budgetOf();
		await budget.during('PATCH', async () => {
			expect(await refused(budget, 60_000)).toBe(250);
			expect(await refused(budget, 59_000)).toBe(250);
		});
	});

	it('counts no time in which nothing was tried', async () => {
		const budget = budgetOf();
		await refused(budget, 1_000);
		now += 10 * MOST;
		expect(await refused(budget, 0)).toBe(250);
	});

	it('gives reads no time for writes, nor writes for reads', async () => {
		const budget = budgetOf();
		await refused(budget, MOST);
		budget.accepted('GET');
		await refused(budget, 0, {}, 0, 'GET');
		expect(await refused(budget, 0)).toBeUndefined();
		expect(budget.stopped()).toEqual(ENDED);
	});

	const GET = { method: 'GET', purpose: 'list users' } as const;
	const PATCH = { method: 'PATCH', purpose: 'update user user-1' } as const;

	it('looks once at what it has sent, after the last write', async () => {
		const budget = budgetOf(0);
		for (let nth = 0; nth < 2; nth++) await refused(budget, 0);
		expect(() => budget.require(PATCH)).toThrow(/^Could not update user user-1: not sent: /);
		expect(() => budget.require(GET)).not.toThrow();
		expect(await refused(budget, 0, {}, 0, 'GET')).toBeUndefined();
		expect(() => budget.require(GET)).not.toThrow();
	});

	it('sends no write where nothing can be read', async () => {
		const budget = budgetOf();
		for (let nth = 0; nth < 2; nth++) await refused(budget, MOST, {}, 0, 'GET');
		for (const request of [GET, PATCH])
			expect(() => budget.require(request)).toThrow(/: not sent: the service accepts no reads$/);
	});

	it.each([
		['what it is refused for itself', { status: 400 }],
		['an answer that says what is not there', { status: 404 }],
		['a certificate', { kind: 'certificate' }],
	] as const)('does not end for %s', async (_, facts) => {
		const budget = budgetOf();
		for (let nth = 0; nth < 5; nth++) await refused(budget, MOST, facts);
		expect(budget.stopped()).toBeUndefined();
	});

	it.each([
		[
			'a wait that is longer than Max Wait',
			{ retryAfterMs: 300_000 },
			2,
			'the service asks to wait',
			/ for 300 seconds, longer than Max Wait \(120 seconds\)\.$/,
		],
		[
			'no token',
			{ kind: 'token', status: undefined },
			2,
			'n8n gets no access token',
			/n8n gets no access token\.$/,
		],
		[
			'401',
			{ status: 401 },
			1,
			'the service does not accept the credential',
			/ \(it answered 401\)\.$/,
		],
	] as const)('says why: %s', async (_, facts, times, reason, why) => {
		const budget = budgetOf();
		for (let nth = 0; nth < times; nth++) {
			expect(budget.stopped()).toBeUndefined();
			await refused(budget, 0, facts);
		}
		expect(budget.stopped()).toEqual({
			reason: `not sent: ${reason}`,
			why: expect.stringMatching(why) as string,
		});
	});

	it('does not end for a read that is 401: each resource may have its own rights', async () => {
		const budget = budgetOf();
		for (let nth = 0; nth < 5; nth++) await refused(budget, 0, { status: 401 }, 0, 'GET');
		expect(budget.stopped()).toBeUndefined();
	});

	it('ends with the execution', () => {
		const budget = new WaitBudget(MOST, () => true);
		expect(budget.stopped()).toEqual({ reason: 'the execution was cancelled before it was sent' });
	});
});
