import { InputError } from '../../shared/util';

/** What becomes another value, or is lost, where a JSON text is parsed and written again. */
export interface Loss {
	/** Where it stands, such as `monitors[3].threshold`. */
	place: string;
	/** The number as the text has it, for a number. */
	literal?: string;
	error: InputError;
}

/** An object or a list that the scan is inside of. */
interface Container {
	/** The index in a list, the name in an object; undefined where a name comes next. */
	step: number | string | undefined;
	names: Set<string>;
}

/** Where a string, an object or a list begins or ends, where one of its parts ends, and numbers. */
const TOKEN = /["[\]{},]|-?\d[\d.eE+-]*/g;
const PARTS = /^(-?)(\d+)\.?(\d*)(?:e(.+))?$/i;
const PLAIN_NAME = /^[\w$-]+$/;
const MOST_SHOWN = 50;

/**
 * Finds the numbers and names that `JSON.parse` and `JSON.stringify` would not keep. It reads the text itself,
 * because a parsed number no longer shows what was written. The text has to be valid JSON.
 */
export function* lossesIn(text: string): Generator<Loss> {
	const token = new RegExp(TOKEN);
	const open: Container[] = [];
	const place = () => open.reduce((path, { step }) => placeIn(path, step), '');
	for (let found = token.exec(text); found !== null; found = token.exec(text)) {
		const [sign] = found;
		const inner = open.at(-1);
		switch (sign) {
			case '"':
				token.lastIndex = endOfString(text, found.index);
				if (inner === undefined || inner.step !== undefined) break;
				inner.step = JSON.parse(text.slice(found.index, token.lastIndex)) as string;
				if (inner.step === '__proto__' || inner.names.has(inner.step)) {
					yield lostName(inner.step, place());
				}
				inner.names.add(inner.step);
				break;
			case '{':
			case '[':
				open.push({ step: sign === '[' ? 0 : undefined, names: new Set() });
				break;
			case '}':
			case ']':
				open.pop();
				break;
			case ',':
				if (inner !== undefined) {
					inner.step = typeof inner.step === 'number' ? inner.step + 1 : undefined;
				}
				break;
			default:
				if (!isKept(sign)) yield lostNumber(sign, place());
		}
	}
}

/** The numbers of a parsed document with their places. It must not be deeper than `checkDepth` lets through. */
export function* numbersIn(value: unknown, place = ''): Generator<[string, bigint | number]> {
	if (typeof value === 'number' || typeof value === 'bigint') yield [place, value];
	if (typeof value !== 'object' || value === null) return;
	for (const [name, part] of Object.entries(value)) {
		yield* numbersIn(part, placeIn(place, Array.isArray(value) ? Number(name) : name));
	}
}

/** @param step undefined for a place before a name */
function placeIn(path: string, step: number | string | undefined): string {
	if (step === undefined) return path;
	if (typeof step === 'number') return `${path}[${step}]`;
	if (PLAIN_NAME.test(step)) return path === '' ? step : `${path}.${step}`;
	return `${path}[${JSON.stringify(step.slice(0, MOST_SHOWN))}]`;
}

/** Where the string that begins at `start` ends. */
function endOfString(text: string, start: number): number {
	let at = start + 1;
	while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
	return at + 1;
}

/** Whether a number has the same value after it was read and written, exactly. */
function isKept(literal: string): boolean {
	return (
		literal === String(Number(literal)) || decimalOf(literal) === decimalOf(String(Number(literal)))
	);
}

/** A number as its digits and a power of ten, the same for every way to write it: 1.0, 1 and 1e0. */
function decimalOf(literal: string): string {
	const [, sign, whole, fraction, power = '0'] = PARTS.exec(literal) ?? [];
	if (whole === undefined) return literal;
	const digits = `${whole}${fraction}`.replace(/^0+/, '');
	let end = digits.length;
	// A pattern for the zeros at the end would take a time that grows with the square of their number.
	while (digits[end - 1] === '0') end -= 1;
	if (end === 0) return '0';
	return `${sign}${digits.slice(0, end)}e${Number(power) - fraction.length + digits.length - end}`;
}

function lostNumber(literal: string, place: string): Loss {
	const error = new InputError(
		`The number ${shortened(literal)} at ${place} would be written as ${JSON.stringify(Number(literal))}, so the configuration is not written`,
		'n8n keeps whole numbers up to 2^53, and 17 digits of others. Write the number with fewer digits, or as text in quotes.',
	);
	return { place, literal, error };
}

function lostName(name: string, place: string): Loss {
	const key = shortened(name);
	if (name === '__proto__') {
		const error = new InputError(
			`The key ${key} at ${place} cannot be kept, so the configuration is not written`,
			'Remove it.',
		);
		return { place, error };
	}
	const error = new InputError(
		`The key ${key} at ${place} is there twice, so the configuration is not written`,
		'Only one of the two values would be kept. Remove the other.',
	);
	return { place, error };
}

function shortened(text: string): string {
	return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
