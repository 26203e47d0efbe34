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
