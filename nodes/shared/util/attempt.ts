/** The value of a promise or the error that it ended with, so that both can be told apart by looking. */
export type Attempt<T> = { ok: true; value: T } | { ok: false; error: unknown };

/** Runs `work` and never rejects. */
export async function attempt<T>(work: () => Promise<T> | T): Promise<Attempt<T>> {
	try {
		return { ok: true, value: await work() };
	} catch (error) {
		return { ok: false, error };
	}
}

/** The value of `work`, undefined when it throws: for asking whether something can be read at all. */
export function attemptSync<T>(work: () => T): T | undefined {
	try {
		return work();
	} catch {
		return undefined;
	}
}
