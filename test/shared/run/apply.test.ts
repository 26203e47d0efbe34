import { applySteps, type Applied } from '../../../nodes/shared/run/apply';
import type { Step } from '../../../nodes/shared/run/plan';

/** A step whose parts all need the part of the same name of the steps before. */
const step = (id: string, after: string[] = [], items = [0]): Step => ({
	id,
	action: `do ${id}`,
	parts: items.map((item) => ({
		item,
		subject: id,
		...(after.length > 0 && { needs: after.map((name) => ({ step: name, subject: name })) }),
	})),
	warnings: [],
	request: { method: 'PATCH', path: [id] },
});

const done = ({ parts, action }: Step): Array<Applied<undefined>> =>
	parts.map((part) => ({ ...part, outcome: { status: 'done', action } }));

const never = () => undefined;

const asTheyAre = async (applied: Array<Applied<undefined>>) => applied;

/** Carries the steps out with the given outcome of some, and says what was performed in which order. */
async function run(
	steps: Step[],
	fail: string[] = [],
	stopped: () => string | undefined = never,
	concurrency = 5,
) {
	const performed: string[] = [];
	const applied = await applySteps(
		steps,
		concurrency,
		stopped,
		async (current) => {
			performed.push(current.id);
			await Promise.resolve();
			if (fail.includes(current.id)) throw new Error(`${current.id} failed`);
			return done(current);
		},
		asTheyAre,
	);
	return {
		performed,
		statuses: applied.map(({ subject, outcome }) => `${subject} ${outcome.status}`),
		reasons: applied.map(({ outcome }) => outcome.reason),
		applied,
	};
}

describe('applySteps', () => {
	it('gives an outcome for every part, in the order of the steps, whichever ends first', async () => {
		const open = new Map<string, () => void>();
		const all = applySteps(
			[step('a'), step('b'), step('c')],
			3,
			never,
			async (current) => {
				await new Promise<void>((resolve) => open.set(current.id, resolve));
				return done(current);
			},
			asTheyAre,
		);
		for (let turn = 0; turn < 20; turn++) await Promise.resolve();
		for (const id of ['c', 'a', 'b']) open.get(id)?.();
		expect((await all).map(({ subject }) => subject)).toEqual(['a', 'b', 'c']);
	});

	it('has no more under way than it may', async () => {
		let now = 0;
		let highest = 0;
		await applySteps(
			Array.from({ length: 12 }, (_, index) => step(String(index))),
			3,
			never,
			async (current) => {
				highest = Math.max(highest, ++now);
				for (let turn = 0; turn < 5; turn++) await Promise.resolve();
				now--;
				return done(current);
			},
			asTheyAre,
		);
		expect(highest).toBe(3);
	});

	it('a step waits for those that it needs, wherever they stand', async () => {
		const { performed, statuses } = await run([
			step('last', ['middle']),
			step('middle', ['first']),
			step('first'),
		]);
		expect(performed).toEqual(['first', 'middle', 'last']);
		expect(statuses).toEqual(['last done', 'middle done', 'first done']);
	});

	it('what stands on a failed step is not done, and says on which; the others are', async () => {
		const { performed, statuses, reasons } = await run(
			[step('a'), step('b', ['a']), step('c', ['b']), step('d'), step('e', ['d'])],
			['a'],
		);
		expect(performed).toEqual(['a', 'd', 'e']);
		expect(statuses).toEqual(['a failed', 'b failed', 'c failed', 'd done', 'e done']);
		expect(reasons).toEqual([
			'a failed',
			'it needs a step that did not succeed: do a',
			'it needs a step that did not succeed: do b',
			undefined,
			undefined,
		]);
	});

	it('a step that was not verified holds up those that need it', async () => {
		const performed: string[] = [];
		const applied = await applySteps(
			[step('a'), step('b', ['a'])],
			1,
			never,
			async (current) => {
				performed.push(current.id);
				return current.parts.map((part) => ({
					...part,
					outcome: { status: 'unverified', action: current.action, reason: 'not seen' },
				}));
			},
			asTheyAre,
		);
		expect(performed).toEqual(['a']);
		expect(applied.map(({ outcome }) => outcome.status)).toEqual(['unverified', 'failed']);
	});

	it('an error is kept, for every part of its step', async () => {
		const { applied } = await run([step('a', [], [0, 3])], ['a']);
		expect(applied).toMatchObject([
			{ item: 0, outcome: { status: 'failed', action: 'do a', error: new Error('a failed') } },
			{ item: 3, outcome: { status: 'failed', action: 'do a', error: new Error('a failed') } },
		]);
	});

	it('steps that wait for each other, or for one that is not there, are not done', async () => {
		const { performed, statuses } = await run([
			step('a', ['b']),
			step('b', ['a']),
			step('c', ['nowhere']),
			step('d'),
		]);
		expect(performed).toEqual(['d']);
		expect(statuses).toEqual(['a failed', 'b failed', 'c failed', 'd done']);
	});

	it('cancelled: what is under way ends, nothing more begins', async () => {
		let stopped: string | undefined;
		const performed: string[] = [];
		const applied = await applySteps(
			[step('a'), step('b'), step('c', ['a'])],
			1,
			() => stopped,
			async (current) => {
				performed.push(current.id);
				stopped = 'the execution was cancelled before it was sent';
				return done(current);
			},
			asTheyAre,
		);
		expect(performed).toEqual(['a']);
		expect(applied.map(({ outcome }) => outcome.status)).toEqual(['done', 'failed', 'failed']);
		expect(applied[1].outcome.reason).toBe('the execution was cancelled before it was sent');
	});

	it('no steps', async () => {
		expect((await run([])).statuses).toStrictEqual([]);
	});

	it('only the parts whose own forerunner failed are left out; the step goes on for the others', async () => {
		const create = (name: string): Step => ({ ...step(`create ${name}`), parts: [part(name)] });
		const part = (name: string, needs: string[] = []) => ({
			item: 0,
			subject: name,
			...(needs.length > 0 && { needs: needs.map((id) => ({ step: id, subject: name })) }),
		});
		const members: Step = {
			...step('members'),
			parts: [part('ana', ['create ana']), part('ben', ['create ben']), part('cai')],
		};
		const asked: string[][] = [];
		const applied = await applySteps(
			[create('ana'), create('ben'), members],
			5,
			never,
			async (current) => {
				if (current.id === 'create ben') throw new Error('refused');
				if (current.id === 'members') asked.push(current.parts.map(({ subject }) => subject));
				return done(current);
			},
			asTheyAre,
		);
		expect(asked).toEqual([['ana', 'cai']]);
		expect(
			applied.slice(2).map(({ subject, outcome }) => [subject, outcome.status, outcome.reason]),
		).toEqual(
			expect.arrayContaining([
				['ana', 'done', undefined],
				['ben', 'failed', 'it needs a step that did not succeed: do create ben'],
				['cai', 'done', undefined],
			]),
		);
	});

	it('a part that needs several steps waits for all of them', async () => {
		const { performed, statuses } = await run(
			[step('c', ['a', 'b']), step('a'), step('b'), step('d', ['a'])],
			['b'],
		);
		expect(performed).toEqual(['a', 'b', 'd']);
		expect(statuses).toEqual(['c failed', 'a done', 'b failed', 'd done']);
	});

	it('a person has what is needed once all parts about that person are made', async () => {
		const values = step('values', [], [0, 1]);
		const applied = await applySteps(
			[values, step('after', ['values'])],
			5,
			never,
			async (current) =>
				done(current).map((part) =>
					part.subject === 'values' && part.item === 0
						? { ...part, outcome: { status: 'unverified', action: 'give', reason: 'not shown' } }
						: part,
				),
			asTheyAre,
		);
		expect(applied.map(({ outcome }) => outcome.status)).toEqual(['unverified', 'done', 'failed']);
	});

	it('looks once per wave, before anything that builds on it', async () => {
		const events: string[] = [];
		await applySteps(
			[step('a'), step('b'), step('c', ['a'])],
			5,
			never,
			async (current) => {
				events.push(`perform ${current.id}`);
				return done(current);
			},
			async (applied) => {
				events.push(`verify ${applied.map(({ subject }) => subject).join()}`);
				return applied;
			},
		);
		expect(events).toEqual(['perform a', 'perform b', 'verify a,b', 'perform c', 'verify c']);
	});

	it('what the look says counts, for the outcome and for what waits', async () => {
		const performed: string[] = [];
		const applied = await applySteps(
			[step('a'), step('b', ['a']), step('c'), step('d', ['c'])],
			5,
			never,
			async (current) => {
				performed.push(current.id);
				return current.parts.map((part) => ({
					...part,
					outcome: { status: 'unverified', action: current.action, reason: 'not seen' },
				}));
			},
			async (parts) =>
				parts.map((part) =>
					part.subject === 'a' ? { ...part, outcome: { ...part.outcome, status: 'done' } } : part,
				),
		);
		expect(performed).toEqual(['a', 'c', 'b']);
		expect(applied.map(({ subject, outcome }) => `${subject} ${outcome.status}`)).toEqual([
			'a done',
			'b unverified',
			'c unverified',
			'd failed',
		]);
	});
});
