import { poll, type Patience } from '../../../nodes/shared/util/poll';
import { fakePatience } from '../../support/fakeTransport';

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

describe('poll', () => {
	it('does not wait for what is there at once', async () => {
		const patience = fakePatience(10_000);
		expect(await poll(patience, async () => 'seen')).toBe('seen');
		expect(patience.waits).toStrictEqual([]);
	});

	it('looks with growing pauses', async () => {
		const patience = fakePatience(60_000);
		let looks = 0;
		const seen = await poll(patience, async () => (++looks === 8 ? 'seen' : undefined));
		expect(seen).toBe('seen');
		expect(patience.waits).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
	});

	it('waits no longer than the limit, and looks once more at the end of it', async () => {
		const patience = fakePatience(10_000);
		let looks = 0;
		const seen = await poll(patience, async () => {
			looks++;
			return undefined;
		});
		expect(seen).toBeUndefined();
		expect(sum(patience.waits)).toBe(10_000);
		expect(looks).toBe(patience.waits.length + 1);
	});

	it('looks once when there is no time', async () => {
		const patience = fakePatience(0);
		const look = jest.fn(async () => undefined);
		await poll(patience, look);
		expect(look).toHaveBeenCalledTimes(1);
		expect(patience.waits).toStrictEqual([]);
	});

	it('takes false and null for something seen', async () => {
		expect(await poll(fakePatience(), async () => false)).toBe(false);
		expect(await poll(fakePatience(), async () => null)).toBeNull();
	});

	it('ends when the execution is cancelled', async () => {
		let cancelled = false;
		const waits: number[] = [];
		const patience: Patience = {
			limitMs: 60_000,
			cancelled: () => cancelled,
			async wait(ms) {
				waits.push(ms);
				cancelled = true;
			},
		};
		await poll(patience, async () => undefined);
		expect(waits).toEqual([250]);
	});

	it('passes the error of a look on', async () => {
		const failing = poll(fakePatience(), async () => {
			throw new Error('no');
		});
		await expect(failing).rejects.toThrow('no');
	});
});
