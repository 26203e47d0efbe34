import { checkDepth, InputError, isObject, parseJson } from '../util';

/** Reads the text of a parameter, without blanks around it; empty for what is neither text nor number. */
export function parameterText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** What n8n makes of an object where there is text beside its expression. */
const OBJECT_IN_TEXT = /^\s*\[object Object\]/;

/**
 * Reads the value of a JSON parameter: the text parsed, or what an expression gave. Undefined for text that is no JSON.
 * @param name of the field, for the error
 * @throws InputError for what is nested too deeply, and for an expression with text beside it
 */
export function parameterJson(value: unknown, name: string): unknown {
	if (typeof value === 'string' && OBJECT_IN_TEXT.test(value)) {
		throw new InputError(
			`${name} has a text beside its expression`,
			'It may be a blank, or another expression. Clear the field, and drag in what it needs. Nothing was sent.',
		);
	}
	return checkDepth(typeof value === 'string' ? parseJson(value) : value, name);
}

/**
 * Reads the value of a resource locator, or the bare one that an agent or an expression may give. A locator whose expression
 * has no value comes from the editor without one.
 */
export function locatorValue(value: unknown): unknown {
	return isObject(value) ? value.value : value;
}

/** Reads the number of an option. @throws InputError for anything else than a number from `least` to `most` */
export function optionNumber(name: string, value: unknown, least: number, most?: number): number {
	const number = Number(value);
	if (Number.isFinite(number) && number >= least && number <= (most ?? number)) return number;
	const upTo = most === undefined ? '' : ` to ${most}`;
	throw new InputError(`${name} is not a number from ${least}${upTo}`, 'Correct it in the node.');
}

/** Reads the whole number of a field. @throws InputError for anything else than a whole number from `least` */
export function wholeNumber(name: string, value: unknown, least: number): number {
	const number = Number(value);
	if (Number.isInteger(number) && number >= least) return number;
	throw new InputError(`${name} is not a whole number from ${least}`, 'Correct it in the node.');
}
