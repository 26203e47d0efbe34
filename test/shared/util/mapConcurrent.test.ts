import { mapConcurrent } from '../../../nodes/shared/util/timing';

/** Lets everything that can go on go on. */
async function settle() {
	for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

describe('mapConcurrent', () => {
	it('gives results in the order of the entries, whichever ends first', async () => {
		const open: Array<() => void> = [];
		const all = mapConcurrent(['a', 'b', 'c'], 3, async (entry, index) => {
			await new Promise<void>((resolve) => {
				open[index] = resolve;
			});
			return `${entry}${index}`;
		});
		await settle();
		for (const index of [2, 0, 1]) open[index]();
		expect(await all).toEqual(['a0', 'b1', 'c2']);
	});

	it.each([1, 2, 5, 50])('has at most %i under way, and that many when it can', async (most) => {
		let now = 0;
		let highest = 0;
		await mapConcurrent(
			Array.from({ length: 20 }, (_, index) => index),
			most,
			async () => {
				highest = Math.max(highest, ++now);
				await settle();
				now--;
			},
		);
		expect(highest).toBe(Math.min(most, 20));
	});

	it('rejects with the first rejection and begins nothing more', async () => {
		const begun: number[] = [];
		const all = mapConcurrent([0, 1, 2, 3, 4, 5], 2, async (entry) => {
			begun.push(entry);
			await settle();
			if (entry === 1) throw new Error('entry 1');
		});
		await expect(all).rejects.toThrow('entry 1');
		await settle();
		await settle();
		expect(begun.length).toBeLessThan(4);
	});

	it('keeps results that are undefined apart from failures', async () => {
		expect(await mapConcurrent([1, 2, 3], 1, async () => undefined)).toEqual([
			undefined,
			undefined,
			undefined,
		]);
	});

	it('has nothing to do for no entries', async () => {
		const work = jest.fn();
		expect(await mapConcurrent([], 5, work)).toStrictEqual([]);
		expect(work).not.toHaveBeenCalled();
	});
});
