import { attempt, mapConcurrent } from '../util';
import { failureOf, holdsBack, type Outcome } from './outcome';
import { forerunners, stepKey, type Part, type Step } from './plan';

/** What came of one part of a step. */
export interface Applied<R> extends Part {
	outcome: Outcome;
	result?: R;
	/** The step that it was a part of; missing for what needed none. */
	step?: string;
}

/**
 * Carries out the steps, those that wait for nothing side by side, and gives an outcome for every part of every step
 * in the order of the steps. Nothing here throws: a part whose forerunner failed is not done, everything independent
 * of it goes on.
 *
 * @param stopped why nothing more may be sent, if so
 * @param perform sends one step, for the given parts of it only, and says what happened to each
 * @param verify looks at what the answers did not show, before anything that builds on it
 */
export async function applySteps<S extends Step, R>(
	steps: readonly S[],
	concurrency: number,
	stopped: () => string | undefined,
	perform: (step: S) => Promise<Array<Applied<R>>>,
	verify: (applied: Array<Applied<R>>) => Promise<Array<Applied<R>>>,
): Promise<Array<Applied<R>>> {
	const applied = new Map<string, Array<Applied<R>>>();
	const known = new Map(steps.map((step) => [step.id, step]));
	const before = new Map(steps.map((step) => [step.id, forerunners(step)]));
	const succeeded = new Set<string>();
	let waiting = [...steps];
	while (waiting.length > 0) {
		const over = (id: string) => applied.has(id) || !known.has(id);
		const possible = waiting.filter(({ id }) => before.get(id)?.every(over));
		const ready = possible.filter(({ after = [] }) => after.every(over));
		// An order that cannot be kept is given up for one step; steps that need each other can never begin, and fail.
		const wave = [ready, possible.slice(0, 1), waiting].find((steps) => steps.length > 0) ?? [];
		const results = await mapConcurrent(wave, concurrency, async (step) => {
			const missing = (part: Part) =>
				part.needs?.find((need) => !succeeded.has(stepKey(need.step, need.subject)));
			const held = step.parts.filter(missing);
			const free = step.parts.filter((part) => missing(part) === undefined);
			const refused = held.map((part) => refuse<R>(part, step, whyNot(missing(part), known)));
			if (free.length === 0) return refused;
			const reason = stopped();
			if (reason !== undefined) {
				return [...refused, ...free.map((part) => refuse<R>(part, step, reason))];
			}
			const tried = await attempt(async () => await perform({ ...step, parts: free }));
			const sent = tried.ok
				? tried.value
				: free.map((part) => ({ ...part, outcome: failureOf(step.action, tried.error) }));
			return [...refused, ...sent].map((part) => ({ ...part, step: step.id }));
		});
		const verified = await verify(results.flat());
		let at = 0;
		wave.forEach((step, index) => {
			const parts = verified.slice(at, at + results[index].length);
			applied.set(step.id, parts);
			// Several parts may be about one person: then all of them have to be made.
			const failed = new Set(
				parts.flatMap(({ subject, outcome }) => (holdsBack(outcome) ? subject : [])),
			);
			for (const { subject } of parts) {
				if (!failed.has(subject)) succeeded.add(stepKey(step.id, subject));
			}
			at += results[index].length;
		});
		waiting = waiting.filter(({ id }) => !applied.has(id));
	}
	return steps.flatMap(({ id }) => applied.get(id) ?? []);
}

function whyNot(need: { step: string } | undefined, steps: ReadonlyMap<string, Step>): string {
	const forerunner = steps.get(need?.step ?? '')?.action ?? 'an earlier step';
	return `it needs a step that did not succeed: ${forerunner}`;
}

function refuse<R>(part: Part, step: Step, reason: string): Applied<R> {
	return { ...part, step: step.id, outcome: { status: 'failed', action: step.action, reason } };
}
