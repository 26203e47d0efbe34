import { WaitBudget } from '../../../nodes/shared/http/limits';
import { createPace, type PaceLimits } from '../../../nodes/shared/http/pace';
import { createSend } from '../../../nodes/shared/http/send';
import type { ServiceRequest } from '../../../nodes/shared/http/request';
import {
	ENDPOINT,
	fakeTransport,
	inTurn,
	LIMITS,
	scimError,
	type Answerer,
} from '../../support/fakeTransport';

// What test/behavior/pace.test.js does not hold, on a fake clock.
let now: number;
let timers: Array<{ at: number; ring(): void }>;

beforeEach(() => {
	[now, timers] = [0, []];
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => jest.restoreAllMocks());

const wait = async (ms: number) =>
	await new Promise<void>((ring) => timers.push({ at: now + ms, ring }));

async function pass(ms: number) {
	const end = now + ms;
	const settle = async () => {
		for (let turns = 0; turns < 100; turns++) await Promise.resolve();
	};
	for (await settle(); ; await settle()) {
		const [next] = timers.sort((one, other) => one.at - other.at);
		if (next === undefined || next.at > end) break;
		timers.shift();
		now = next.at;
		next.ring();
	}
	now = end;
}

const GET: ServiceRequest = { method: 'GET', path: ['Users'], repeat: 'always', purpose: 'list' };
const PATCH: ServiceRequest = { ...GET, method: 'PATCH', path: ['Groups', 'g'], body: {} };
const OK: Answerer = () => ({ json: {} });

/** Sends at a pace, and says what left when, in milliseconds. */
function paced(perMinute: Partial<PaceLimits>, answer = OK, limits: Partial<typeof LIMITS> = {}) {
	const left: string[] = [];
	const transport = fakeTransport((request, nth) => {
		left.push(`${request.method} ${now}`);
		return answer(request, nth);
	});
	transport.wait = wait;
	const all = { ...LIMITS, ...limits };
	const pace = createPace({ readsPerMinute: 0, writesPerMinute: 0, ...perMinute }, all, transport);
	const budget = new WaitBudget(all.maxWaitMs, transport.cancelled);
	return { left, transport, pace, send: createSend(ENDPOINT, all, transport, budget, pace) };
}

test('what is not paced does not wait', async () => {
	const { left, send } = paced({ writesPerMinute: 1 });
	await Promise.all([send(GET), send(GET), send(PATCH)]);
	expect(left).toEqual(['GET 0', 'GET 0', 'PATCH 0']);
});

test('every try takes a place', async () => {
	const { left, send } = paced({ writesPerMinute: 30 }, inTurn({ status: 429 }, { json: {} }));
	const all = [PATCH, PATCH].map(async (request) => await send(request));
	await pass(4_000);
	await Promise.all(all);
	expect(left).toEqual(['PATCH 0', 'PATCH 2000', 'PATCH 4000']);
});

test('a request that has its place does not take another one', async () => {
	const { left, send } = paced({ writesPerMinute: 1 });
	await send(PATCH);
	await send({ ...PATCH, hasSlot: true });
	expect(left).toEqual(['PATCH 0', 'PATCH 0']);
});

test('a place after Max Run Time is an error at once', async () => {
	const { left, send } = paced({ writesPerMinute: 1 }, OK, { operationMs: 59_000 });
	await send(PATCH);
	await expect(send(PATCH)).rejects.toMatchObject({ facts: { kind: 'deadline' } });
	expect(left).toEqual(['PATCH 0']);
});

test('no place for another try: what the first one was answered', async () => {
	const refused: Answerer = () => scimError(503, 'busy');
	const { left, send } = paced({ writesPerMinute: 1 }, refused, { operationMs: 59_000 });
	const sent = expect(send(PATCH)).rejects.toThrow('the service answered 503, busy');
	await pass(10_000);
	await sent;
	expect(left).toEqual(['PATCH 0']);
});

test('no place for another try of what may have worked: a last look all the same', async () => {
	const { left, send } = paced({ writesPerMinute: 1 }, inTurn({ status: 500 }), {
		operationMs: 59_000,
	});
	const sent = send({ ...PATCH, repeat: async () => ({ answer: { id: 'g' } }) });
	await pass(10_000);
	expect((await sent).body).toEqual({ id: 'g' });
	expect(left).toEqual(['PATCH 0']);
});

test('nothing leaves after a cancel while it waits', async () => {
	const { left, send, transport } = paced({ readsPerMinute: 60 });
	await send(GET);
	const sent = expect(send(GET)).rejects.toMatchObject({ facts: { kind: 'cancelled' } });
	transport.cancel();
	await pass(1_000);
	await sent;
	expect(left).toEqual(['GET 0']);
});

test('the time of requests begins with the next free place', async () => {
	const { pace, send } = paced({ readsPerMinute: 60, writesPerMinute: 6 });
	expect(pace.timeOf({ reads: 0, writes: 1 })).toBe(0);
	expect(pace.timeOf({ reads: 11, writes: 2 })).toBe(10_000);
	await send(PATCH);
	await pass(4_000);
	expect(pace.timeOf({ reads: 0, writes: 2 })).toBe(16_000);
	expect(pace.timeLeft()).toBe(LIMITS.operationMs - 4_000);
});
