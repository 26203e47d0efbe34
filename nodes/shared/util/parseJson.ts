import { attemptSync } from './attempt';

/** The value of a JSON text; undefined for a text that is none. */
export function parseJson(text: string): unknown {
	return attemptSync(() => JSON.parse(text) as unknown);
}
