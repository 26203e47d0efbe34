import { RequestError } from '../http';
import { InputError, messageOf } from '../util';
import { isFailure } from './outcome';
import type { Settled } from './plan';
import { errorOfOutcome } from './report';

/** What in a text differs between rows that cannot be used for one reason. */
const ADDRESSES = /\S+@\S+/g;

/**
 * Why items and rows are not in the plan, in the words and with the advice of a run. Each reason once, with a count.
 * @param refused what items cannot be used, and why
 */
export function notPlanned(
	settled: ReadonlyArray<Settled<unknown>>,
	refused: ReadonlyMap<number, unknown>,
): string[] {
	const reasons = new Map<string, { text: string; count: number }>();
	const add = (subject: string, action: string, error: unknown) => {
		const message = messageOf(error);
		const isNamed = message.toLowerCase().includes(subject.toLowerCase());
		const isWhole = isNamed || message.startsWith('Could not ');
		const what = isWhole ? message : `Could not ${action}: ${message}`;
		const isAdvised = error instanceof InputError || error instanceof RequestError;
		const text = isAdvised ? `${what}. ${error.description}` : `${what}.`;
		const key = text.toLowerCase().replaceAll(subject.toLowerCase(), '').replace(ADDRESSES, '');
		const same = reasons.get(key) ?? { text, count: 0 };
		reasons.set(key, { ...same, count: same.count + 1 });
	};
	for (const [item, error] of refused) add(`item ${item}`, `use item ${item}`, error);
	for (const { subject, outcome } of settled) {
		if (isFailure(outcome)) add(subject, outcome.action, errorOfOutcome(outcome));
	}
	return [...reasons.values()].map(({ text, count }) =>
		count === 1 ? text : `${text} The same is true of ${count - 1} more.`,
	);
}
