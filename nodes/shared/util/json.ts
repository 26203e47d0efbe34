import { attemptSync, InputError } from './errors';

/** Tells whether a value that came from outside is an object with names and values, not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads the number that a service sends, as a number or as text; NaN for anything else, which `Number` might throw at. */
export function numberOf(said: unknown): number {
	return typeof said === 'string' || typeof said === 'number' ? Number(said) : Number.NaN;
}

/** Parses a JSON text; undefined for a text that is none. */
export function parseJson(text: string): unknown {
	return attemptSync(() => JSON.parse(text) as unknown);
}

/** A text in quotes, or a number: each is taken whole, so that no part of one passes for a number. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const LONG = /^-?\d{16,}$/;

/** Where an integer of so many digits may stand, so that most texts need no scan. */
const MAY_HAVE_ONE = /(?:^|[[:,])\s*-?\d{16}/;

/**
 * Turns integers beyond 2^53 in a JSON text into texts, so that IDs that services send as numbers keep their digits (RFC
 * 7643 section 3.1 has `id` as a text). The text has to be valid JSON: in others a text may have no end, which takes a time
 * that grows with the square of its quotes.
 */
export function withAllDigits(json: string): string {
	if (!MAY_HAVE_ONE.test(json)) return json;
	return json.replace(TEXT_OR_NUMBER, (found) =>
		LONG.test(found) && !Number.isSafeInteger(Number(found)) ? `"${found}"` : found,
	);
}

/** Tells whether two JSON values are the same; the order of names in objects does not matter. */
export function isDeepEqual(one: unknown, other: unknown): boolean {
	if (Array.isArray(one) && Array.isArray(other)) {
		return one.length === other.length && one.every((entry, at) => isDeepEqual(entry, other[at]));
	}
	if (isObject(one) && isObject(other)) {
		const names = Object.keys(one);
		return (
			names.length === Object.keys(other).length &&
			names.every((name) => Object.hasOwn(other, name) && isDeepEqual(one[name], other[name]))
		);
	}
	return Object.is(one, other);
}

/** No attribute (RFC 7643 section 2.3.8 knows two levels), payload or plan goes deeper; what does would end in the stack. */
export const DEEPEST = 50;

/**
 * Checks that a value of a field or an item is nested no deeper than `DEEPEST`.
 * @param name of the field or the value, for the error
 * @throws InputError where they lie deeper than that
 */
export function checkDepth<T>(value: T, name: string): T {
	let level: object[] = hasParts(value) ? [value] : [];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > DEEPEST) {
			throw new InputError(
				`${name} has values in values, more than ${DEEPEST} levels deep`,
				'Check where it comes from: no service keeps data like that.',
			);
		}
		level = level.flatMap((one) => Object.values(one).filter(hasParts));
	}
	return value;
}

function hasParts(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}
