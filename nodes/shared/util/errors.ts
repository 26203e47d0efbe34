/**
 * Something a person gave (a parameter, an item, a credential) that cannot be used. Nothing was sent for it.
 * `message` says what happened, `description` how to mend it.
 */
export class InputError extends Error {
	constructor(
		message: string,
		readonly description: string,
	) {
		super(message);
		this.name = 'InputError';
	}
}

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

/** Runs `work` and returns its value, or undefined when it throws: for asking whether something can be read at all. */
export function attemptSync<T>(work: () => T): T | undefined {
	try {
		return work();
	} catch {
		return undefined;
	}
}

/** Describes what was thrown in words. */
export function messageOf(thrown: unknown): string {
	return thrown instanceof Error ? thrown.message : String(thrown);
}
