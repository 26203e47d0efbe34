/** What is done one after the other. */
export interface Turns {
	queue: Promise<unknown>;
}

/** Waits for what came before, however that has ended. */
export async function inTurn<T>(turns: Turns, work: () => Promise<T>): Promise<T> {
	const turn = turns.queue.then(work);
	turns.queue = turn.catch(() => {});
	return await turn;
}
