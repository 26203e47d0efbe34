import { worstOf, type Outcome, type OutcomeStatus } from '../../../nodes/shared/run/plan';

const outcomes = (...statuses: OutcomeStatus[]): Outcome[] =>
	statuses.map((status) => ({ status, action: `action that is ${status}`, reason: 'why' }));

it('the worst of several: failed, unverified, skipped, done, unchanged', () => {
	const all = outcomes('unchanged', 'done', 'skipped', 'unverified', 'failed');
	for (const length of [1, 2, 3, 4, 5]) {
		expect(worstOf(all.slice(0, length))).toBe(all[length - 1]);
		expect(worstOf(all.slice(0, length).reverse())).toBe(all[length - 1]);
	}
});

it('the first of two that are as bad, and nothing for nothing', () => {
	const [first, second] = outcomes('skipped', 'skipped');
	expect(worstOf([first, second])).toBe(first);
	expect(worstOf([])).toBeUndefined();
});
