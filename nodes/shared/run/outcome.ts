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
