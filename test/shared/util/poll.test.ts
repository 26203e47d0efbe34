import { poll, type Stop, type Timing } from '../../../nodes/shared/util/timing';
import { fakePatience } from '../../support/fakeTransport';

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

describe('poll', () => {
	it('does not wait for what is there at once', async () => {
		const timing = fakePatience(10_000);
		expect(await poll(timing, async () => 'seen')).toBe('seen');
		expect(timing.waits).toStrictEqual([]);
	});

	it('looks with growing pauses', async () => {
		const timing = fakePatience(60_000);
		let looks = 0;
		const seen = await poll(timing, async () => (++looks === 8 ? 'seen' : undefined));
		expect(seen).toBe('seen');
		expect(timing.waits).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
	});

	it('waits no longer than the limit, and looks once more at the end of it', async () => {
		const timing = fakePatience(10_000);
		let looks = 0;
		const seen = await poll(timing, async () => {
			looks++;
			return undefined;
		});
		expect(seen).toBeUndefined();
		expect(sum(timing.waits)).toBe(10_000);
		expect(looks).toBe(timing.waits.length + 1);
	});

	it('looks once when there is no time', async () => {
		const timing = fakePatience(0);
		const look = jest.fn(async () => undefined);
		await poll(timing, look);
		expect(look).toHaveBeenCalledTimes(1);
		expect(timing.waits).toStrictEqual([]);
	});

	it('takes false and null for something seen', async () => {
		expect(await poll(fakePatience(), async () => false)).toBe(false);
		expect(await poll(fakePatience(), async () => null)).toBeNull();
	});

	it('ends when nothing more is sent', async () => {
		let stopped: Stop | undefined;
		const waits: number[] = [];
		const timing: Timing = {
			limitMs: 60_000,
			stopped: () => stopped,
			async wait(ms) {
				waits.push(ms);
				stopped = { reason: 'cancelled' };
			},
		};
		await poll(timing, async () => undefined);
		expect(waits).toEqual([250]);
	});

	it('passes the error of a look on', async () => {
		const failing = poll(fakePatience(), async () => {
			throw new Error('no');
		});
		await expect(failing).rejects.toThrow('no');
	});
});
