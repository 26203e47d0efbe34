import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isSecret, messageOf, InputError } from '../util';
import { RequestError, type Pace } from '../http';
import {
	type Plan,
	type PlannedRequest,
	type Step,
	type Settled,
	isFailure,
	type OutcomeStatus,
} from './plan';
import { errorOfOutcome } from './report';

/**
 * Makes one item of the plan, paired to all inputs: how much it is and what stands in the way, the plan in words, what would be
 * sent and why, what needs nothing, and the plan itself at the end. Secrets in requests are masked, and those beyond the first
 * thousand are counted alone.
 * @param refused what items cannot be used, and why
 * @param extras what else is to be said of the plan; a summary holds the warnings of its changes
 */
export function previewItem<S extends Step, R>(
	plan: Plan<S, R>,
	refused: ReadonlyMap<number, unknown>,
	items: readonly number[],
	{ counts, blockedBy = plan.blockedBy, excess, plan: sealed, ...words }: IDataObject = {},
): INodeExecutionData {
	const isSummed = 'summary' in words;
	const warnings = warningsIn(plan);
	const indexOf = new Map(plan.steps.map(({ id }, index) => [id, index]));
	const item = {
		json: {
			preview: true,
			counts: {
				...(counts as IDataObject),
				...{ requests: plan.steps.length, ...statusesOf(plan.settled, refused) },
				warnings: warnings.length,
			},
			blockedBy,
			...(excess !== undefined && { excess }),
			...words,
			requests: plan.steps.slice(0, MOST_REQUESTS).map((step) => ({
				action: step.action,
				items: [...new Set(step.parts.map(({ item }) => item))].filter((item) => item >= 0),
				...afterOf(step, indexOf),
				method: step.request.method,
				path: `/${step.request.path.map(encodeURIComponent).join('/')}`,
				...bodyOf(step.request),
				...(!isSummed && step.warnings.length > 0 && { warnings: step.warnings }),
			})),
			warnings: [...(isSummed ? plan.warnings : warnings), ...notPlanned(plan.settled, refused)],
			settled: plan.settled.map(({ item, outcome: { status, action, reason } }) =>
				reason === undefined ? { item, status, action } : { item, status, action, reason },
			),
			invalid: [...refused].map(([item, error]) => ({
				item,
				reason: messageOf(error),
			})),
			...(sealed !== undefined && { plan: sealed }),
		},
		pairedItem: items.map((index) => ({ item: index })),
	};
	PREVIEWS.add(item);
	return item;
}

/** An attribute of a user may be called `preview`, so an item does not say it itself. */
const PREVIEWS = new WeakSet<object>();

/** Tells whether an item is what a preview returns. */
export function isPreview(item: object): boolean {
	return PREVIEWS.has(item);
}

/** Counts what needs no request, and what cannot be planned. */
function statusesOf(
	settled: Plan<Step, unknown>['settled'],
	refused: ReadonlyMap<number, unknown>,
): Record<'unchanged' | 'skipped' | 'failed', number> {
	const counts = new Map<OutcomeStatus, number>();
	for (const { outcome } of settled)
		counts.set(outcome.status, (counts.get(outcome.status) ?? 0) + 1);
	const count = (status: OutcomeStatus) => counts.get(status) ?? 0;
	return {
		...{ unchanged: count('unchanged'), skipped: count('skipped') },
		failed: count('failed') + refused.size,
	};
}

/** Lists all warnings of a plan, each once. */
export function warningsIn({ warnings, steps, settled }: Plan<Step, unknown>): string[] {
	const ofSteps = steps.flatMap((step) => step.warnings);
	const ofSettled = settled.flatMap(({ outcome }) => outcome.warnings ?? []);
	return [...new Set([...warnings, ...ofSteps, ...ofSettled])];
}

/** The positions of the requests that come first; most have none. */
function afterOf(
	{ after: ids = [] }: Pick<Step, 'after'>,
	indexOf: ReadonlyMap<string, number>,
): IDataObject {
	const after = [...new Set(ids.flatMap((id) => indexOf.get(id) ?? []))];
	return after.length > 0 ? { after } : {};
}

/** What of the body may be shown. */
function bodyOf({ body, shown }: PlannedRequest): IDataObject {
	if (shown !== undefined) return { body: shown as IDataObject };
	if (body === undefined) return {};
	// Most have none, and one may name thousands of members.
	return { body: (hasSecret(body) ? masked(body) : body) as IDataObject };
}

function hasSecret(value: unknown): boolean {
	if (Array.isArray(value)) return value.some(hasSecret);
	if (typeof value !== 'object' || value === null) return false;
	for (const key in value) {
		if (isHidden(value, key) || hasSecret(value[key as keyof typeof value])) return true;
	}
	return false;
}

function masked(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(masked);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [
			key,
			isHidden(value, key) ? '***' : masked(entry),
		]),
	);
}

/** @param holder the object that has the value, such as an operation of a PATCH */
function isHidden(holder: object, key: string): boolean {
	const value: unknown = holder[key as keyof typeof holder];
	if (isSecret(key, value)) return true;
	return key === 'value' && 'path' in holder && isSecret(String(holder.path), value);
}

/** What in a text differs between rows that cannot be used for one reason. */
const ADDRESSES = /\S+@\S+/g;

/**
 * Why items and rows are not in the plan, in the words and with the advice of a run. Each reason once, with a count.
 * @param refused what items cannot be used, and why
 */
function notPlanned(
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

/** So many requests of a plan are listed. */
const MOST_REQUESTS = 1_000;
const MINUTE = 60_000;

/**
 * Estimates how many requests are sent, and how long they take at least at that pace: what answers leave open and retries
 * come on top.
 */
export function estimateOf(
	least: { reads: number; writes: number },
	pace: Pace,
): { requests: number; minutes: number } {
	return { requests: least.writes + least.reads, minutes: tenths(pace.timeOf(least)) };
}

/** Tells why a plan is not to be begun whose requests cannot all be sent in what is left of the workflow's time. */
export function tooLong(least: { reads: number; writes: number }, pace: Pace): string[] {
	if (pace.timeOf(least) <= pace.timeLeft()) return [];
	const { requests, minutes } = estimateOf(least, pace);
	return [
		`${requests} requests take at least ${minutes} min with ${wordsOf(pace)}, and Timeout Workflow leaves ${tenths(pace.timeLeft())} min. Raise it in the settings of the workflow, or send fewer items.`,
	];
}

function wordsOf({ readsPerMinute, writesPerMinute }: Pace): string {
	const words = [
		...(readsPerMinute > 0 ? [`Reads per Minute ${readsPerMinute}`] : []),
		...(writesPerMinute > 0 ? [`Writes per Minute ${writesPerMinute}`] : []),
	];
	return words.join(' and ');
}

/** In minutes, rounded up. */
function tenths(ms: number): number {
	return Math.ceil((ms / MINUTE) * 10) / 10;
}
