import { attempt } from '../attempt';
import { mapInOrder } from '../request/pool';
import { isFailure, notDone, type Outcome } from './outcome';
import type { Part, Step } from './plan';

/** What came of one part of a step. */
export interface Applied<R> extends Part {
	outcome: Outcome;
	result?: R;
}

/**
 * Carries out the steps, those whose forerunners succeeded side by side, and gives an outcome for every part of
 * every step in the order of the steps. Nothing here throws: a step that fails leaves the independent ones alone, and
 * those that stand on it are not done.
 *
 * @param perform sends one step and says what became of each of its parts
 */
export async function applySteps<S extends Step, R>(
	steps: readonly S[],
	concurrency: number,
	cancelled: () => boolean,
	perform: (step: S) => Promise<Array<Applied<R>>>,
): Promise<Array<Applied<R>>> {
	const applied = new Map<string, Array<Applied<R>>>();
	let waiting = [...steps];
	while (waiting.length > 0) {
		const ready = waiting.filter(({ after }) => after.every((id) => applied.has(id)));
		// A plan whose steps wait for each other or for a step that is not there cannot begin.
		const wave = ready.length > 0 ? ready : waiting;
		const results = await mapInOrder(wave, concurrency, async (step) => {
			if (cancelled()) return refuse<S, R>(step, 'the execution was cancelled before it was sent');
			const broken = step.after.find((id) => !succeeded(applied.get(id)));
			if (broken !== undefined) {
				const forerunner = steps.find(({ id }) => id === broken)?.action ?? broken;
				return refuse<S, R>(step, `it needs a step that was not done: ${forerunner}`);
			}
			const tried = await attempt(async () => await perform(step));
			return tried.ok
				? tried.value
				: step.parts.map((part) => ({ ...part, outcome: notDone(step.action, tried.error) }));
		});
		wave.forEach((step, index) => applied.set(step.id, results[index]));
		waiting = waiting.filter(({ id }) => !applied.has(id));
	}
	return steps.flatMap(({ id }) => applied.get(id) ?? []);
}

function succeeded<R>(parts: Array<Applied<R>> | undefined): boolean {
	return parts !== undefined && parts.every(({ outcome }) => !isFailure(outcome));
}

function refuse<S extends Step, R>(step: S, reason: string): Array<Applied<R>> {
	return step.parts.map((part) => ({
		...part,
		outcome: { status: 'notDone', action: step.action, reason },
	}));
}
