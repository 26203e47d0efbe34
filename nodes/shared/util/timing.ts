/**
 * Reads a clock in milliseconds that setting the clock of the machine does not move. Every wait, every pace and every age of a
 * read is measured by it; when something was seen, and on which day, is told by `Date`.
 */
export function monotonicNow(): number {
	return performance.now();
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;

/** How to wait for a service whose reads lag behind its writes. */
export interface Timing {
	/** Waits; returns early when the execution was cancelled. */
	wait(ms: number): Promise<void>;
	/** Tells why nothing more is sent of what is planned, if so: then one look is the last. */
	stopped(): Stop | undefined;
	/** Longest time to wait for a write to be seen, in milliseconds. */
	limitMs: number;
	/** How often the run has paused so far, for this or before a repeated request. */
	pauses?(): number;
	/**
	 * Waits for the place of a write that a look comes before, where writes are paced.
	 * @param purpose words that finish the sentence "could not …"
	 */
	slotOfWrite?(purpose: string): Promise<void>;
}

/** Why nothing more is sent of what is planned. */
export interface Stop {
	/** What each change is said to have failed for. */
	reason: string;
	/** The whole of it in a sentence, which is said once. */
	why?: string;
}

/** When something was read. */
export interface Moment {
	/** In milliseconds, as `monotonicNow` gives it. */
	at: number;
	pauses: number;
}

/** A read that is older says too little about the users a removal would hit. */
const FRESH_MS = 5_000;

/** Returns the present moment. */
export function momentOf({ pauses }: Timing): Moment {
	return { at: monotonicNow(), pauses: pauses?.() ?? 0 };
}

/**
 * Tells whether what was read at that moment may be another now: it is older than 5 seconds, or the run has paused since, or
 * nothing was read.
 */
export function isLate(read: Moment | undefined, timing: Timing): boolean {
	if (read === undefined) return true;
	const { at, pauses } = read;
	const now = momentOf(timing);
	return now.at - at > FRESH_MS || now.pauses !== pauses;
}

/**
 * Looks until there is something to see, with growing pauses, for at most `timing.limitMs`.
 * @returns what `look` returned at last; undefined when it never saw anything
 */
export async function poll<T>(
	timing: Timing,
	look: () => Promise<T | undefined>,
): Promise<T | undefined> {
	let waitedMs = 0;
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
		const seen = await look();
		if (seen !== undefined || waitedMs >= timing.limitMs || timing.stopped() !== undefined)
			return seen;
		const ms = Math.min(pause, timing.limitMs - waitedMs);
		await timing.wait(ms);
		waitedMs += ms;
	}
}

/**
 * Runs `work` for every entry, at most `concurrency` at a time, and gives the results in the order of the entries.
 * The first rejection rejects the whole; entries not yet begun are then left alone.
 */
export async function mapConcurrent<T, R>(
	entries: readonly T[],
	concurrency: number,
	work: (entry: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results = new Array<R>(entries.length);
	let next = 0;
	let failed = false;
	const worker = async () => {
		while (next < entries.length && !failed) {
			const index = next++;
			try {
				results[index] = await work(entries[index], index);
			} finally {
				failed ||= !(index in results);
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(concurrency, entries.length) }, worker));
	return results;
}

/** What is done one after the other. */
export interface Turns {
	queue: Promise<unknown>;
}

/** Runs `work` after all that came before, whether that succeeded or failed. */
export async function serially<T>(turns: Turns, work: () => Promise<T>): Promise<T> {
	const turn = turns.queue.then(work);
	turns.queue = turn.catch(() => {});
	return await turn;
}
