/**
 * What became of one thing that was asked for. `done` and `alreadySo` were seen; `skipped` was left alone on purpose;
 * `notDone` did not happen; `unverified` was sent and not seen. The last two are failures.
 */
export type OutcomeStatus = 'done' | 'alreadySo' | 'skipped' | 'notDone' | 'unverified';

export interface Outcome {
	status: OutcomeStatus;
	/** What was asked for, e.g. "create user ana@example.com". */
	action: string;
	/** Why, unless it is plain. */
	reason?: string;
	warnings?: string[];
	/** What stood in the way, for a failure that has an error. */
	error?: unknown;
}

export function isFailure(outcome: Outcome): boolean {
	return outcome.status === 'notDone' || outcome.status === 'unverified';
}

/** `notDone` because of an error; its message becomes the reason. */
export function notDone(action: string, error: unknown): Outcome {
	return {
		status: 'notDone',
		action,
		reason: error instanceof Error ? error.message : String(error),
		error,
	};
}
