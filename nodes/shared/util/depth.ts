import { InputError } from './inputError';

/** No attribute (RFC 7643 section 2.3.8 knows two levels), payload or plan goes deeper; what does would end in the stack. */
export const DEEPEST = 50;

/**
 * A value of a field or an item, whose parts can be looked at one in another.
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
