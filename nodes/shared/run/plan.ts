import type { IHttpRequestMethods } from 'n8n-workflow';

import { messageOf } from '../util';

/**
 * What happened to one thing that was asked for. `done` and `unchanged` were seen; `skipped` was left alone on purpose;
 * `failed` did not happen; `unverified` was sent and not seen. The last two are failures.
 */
export type Outcome =
	| (Asked & { status: 'done' | 'unchanged'; reason?: string })
	| (Asked & { status: 'skipped'; reason: string })
	| Failure;

interface Asked {
	/** What was asked for, e.g. "create user ana@example.com". */
	action: string;
	/** When it was seen, ISO 8601; missing where nothing was, or it is not known when. */
	at?: string;
	warnings?: string[];
}

export interface Failure extends Asked {
	status: 'failed' | 'unverified';
	reason: string;
	/** What stood in the way, where that is an error. */
	error?: unknown;
	/** True where it was taken and the service shows nothing that could tell; what it shows otherwise is never hidden. */
	hidden?: boolean;
	/** True where what builds on it may go on: the user is there, and only an attribute was not seen. */
	goesOn?: boolean;
}

export type OutcomeStatus = Outcome['status'];

/** What each is called. What has to be looked at comes first. */
export const STATUS_WORDS: Readonly<Record<OutcomeStatus, string>> = {
	failed: 'failed',
	unverified: 'not verified',
	done: 'done',
	skipped: 'skipped',
	unchanged: 'unchanged',
};

/** Tells whether an outcome is a failure. */
export function isFailure(outcome: Outcome): outcome is Failure {
	return outcome.status === 'failed' || outcome.status === 'unverified';
}

/** Tells whether the service has shown what was asked for. */
export function isSeen({ status }: Outcome): boolean {
	return status === 'done' || status === 'unchanged';
}

/** Returns when the last of several outcomes was seen, as an item shows it: null unless all of them were. */
export function seenAt(outcomes: readonly Outcome[]): string | null {
	if (!outcomes.every(isSeen)) return null;
	const times = outcomes.flatMap(({ at }) => at ?? []).sort();
	return times.at(-1) ?? null;
}

/** Tells whether nothing that builds on an outcome may be done. */
export function holdsBack(outcome: Outcome): boolean {
	return isFailure(outcome) && outcome.goesOn !== true;
}

/** What a look did not find as requested. */
export interface Missing {
	reason: string;
	/** Whether the service shows nothing that could tell. */
	hidden?: boolean;
	/** As of Failure. */
	goesOn?: boolean;
}

/** From the worst to the best. */
const FROM_WORST: readonly OutcomeStatus[] = [
	'failed',
	'unverified',
	'skipped',
	'done',
	'unchanged',
];

/** Returns the outcome with the worst status, the first of several such: what an item with several parts says of them all. */
export function worstOf(outcomes: readonly Outcome[]): Outcome | undefined {
	const rank = ({ status }: Outcome) => FROM_WORST.indexOf(status);
	return outcomes.reduce<Outcome | undefined>(
		(worst, outcome) => (worst === undefined || rank(outcome) < rank(worst) ? outcome : worst),
		undefined,
	);
}

/** Makes the outcome `failed` from an error; its message becomes the reason. */
export function failureOf(action: string, error: unknown): Failure {
	return {
		status: 'failed',
		action,
		reason: messageOf(error),
		error,
	};
}

/** Another change that has to be seen first. */
export interface WaitsForChange {
	on: 'change';
	key: string;
}

/** One difference between what is wanted and what is there, as plain data. `R`: what else a change may rest on. */
export interface ChangeBase<R extends { on: string }> {
	/** Equal for two wishes of the same change; the id of its step, or of a part of one. */
	key: string;
	/** What it does, in words that finish the sentence "could not …". */
	action: string;
	/** Why, for the reader of a plan. */
	why: string;
	/** The items that want it. */
	items: number[];
	/** Which of an item's parts it is, where what it is about does not tell. */
	subject?: string;
	/** What else has to be so for it to be made, beside what its own place shows. */
	restsOn: ReadonlyArray<WaitsForChange | R>;
	warnings: readonly string[];
}

/** What is in one place before and afterwards. */
interface Difference<E> {
	before: readonly E[];
	after: readonly E[];
}

/** Lists the entries that are there afterwards and not before. */
export function gained<E extends { key: string }>({ before, after }: Difference<E>): readonly E[] {
	return before.length === 0 ? after : after.filter(({ key }) => !has(before, key));
}

/** Lists the entries that are there before and not afterwards. */
export function lost<E extends { key: string }>({ before, after }: Difference<E>): readonly E[] {
	return after.length === 0 ? before : before.filter(({ key }) => !has(after, key));
}

function has(entries: ReadonlyArray<{ key: string }>, key: string): boolean {
	return entries.some((one) => one.key === key);
}

/** Tells what kind of change of one place it is. */
export function kindOfDifference(
	difference: Difference<{ key: string }>,
): 'granted' | 'moved' | 'revoked' {
	// Asked of each change again and again: no lists are made.
	const { before, after } = difference;
	if (after.every(({ key }) => has(before, key))) return 'revoked';
	return before.every(({ key }) => has(after, key)) ? 'granted' : 'moved';
}

/** The item of parts that belong to none: what is touched although no item names it. */
export const NO_ITEM = -1;

/** One part of an input item that a step serves; an item that names several people has one part for each. */
export interface Part {
	item: number;
	/** Which of the item's parts, e.g. the person; the same for every item that means the same one. */
	subject: string;
	/** Key of the change that it is a part of. */
	change?: string;
}

/** Makes a key that is equal for what one item wants of one subject. */
export function partKey({ item, subject }: Pick<Part, 'item' | 'subject'>): string {
	return `${item}\n${subject}`;
}

/** What came of a part. */
export interface Applied<R> extends Part {
	outcome: Outcome;
	/** What is known of the subject, for the output. */
	result?: R;
	/** The step that it was a part of; missing for what needed none. */
	step?: string;
}

/** A request as it will be sent, below the base URL. */
export interface PlannedRequest {
	method: IHttpRequestMethods;
	path: readonly string[];
	body?: object;
	/** The body as it may be shown, where it holds secrets. */
	shown?: object;
}

/** One write. Both nodes add to it what their own steps need to know. */
export interface Step {
	id: string;
	/** What the step does, in words that finish the sentence "could not …". */
	action: string;
	parts: Part[];
	warnings: string[];
	request: PlannedRequest;
	/** Steps that come first, whatever happens to them. */
	after?: readonly string[];
}

/** A part that needs no step: it is so already, it is left alone, or it cannot be done. */
export interface Settled<R> extends Applied<R> {
	/** Without whose success it is not so either. */
	needs?: ReadonlyArray<{ step: string; subject: string }>;
}

/** What will be done, decided before anything is sent. */
export interface Plan<S extends Step, R> {
	steps: S[];
	settled: Array<Settled<R>>;
	warnings: string[];
	/** Reasons of the guards; a plan with any is not applied. */
	blockedBy: string[];
}
