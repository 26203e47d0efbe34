import { checkDepth, parseJson } from './json';
import { InputError } from './errors';

/** Reads the entries of a list, or of the JSON text of one. @throws InputError for what is nested too deeply */
export function listIn(value: unknown, field: string): unknown[] | undefined {
	const list = typeof value === 'string' && value.trim().startsWith('[') ? parseJson(value) : value;
	// Array.from also shows what a sparse array leaves out.
	return Array.isArray(list) ? Array.from(checkDepth(list, field) as unknown[]) : undefined;
}

/**
 * Reads a list of names, IDs or patterns: an array, the JSON text of one, or text with commas, semicolons or line breaks
 * between the entries. A line break together with a comma or semicolon is one separator; blank lines and a separator at
 * the end are no entries. No value and blank text give an empty list.
 * @param field name of the field, for the error
 * @throws InputError for a hole, naming its position: an entry that is empty, or neither text nor a number
 */
export function textList(value: unknown, field: string): string[] {
	const list = listIn(value, field);
	if (list === undefined) return entriesOf(value, (before) => before + 1, field);
	return list.flatMap((entry, index) => {
		const entries = entriesOf(entry, () => index + 1, field);
		if (entries.length === 0) throw hole(index + 1, field, 'is empty');
		return entries;
	});
}

/** The entries of one text. @param position of a hole, by the number of entries before it */
function entriesOf(value: unknown, position: (before: number) => number, field: string): string[] {
	const text = value ?? '';
	if (typeof text !== 'string' && !Number.isFinite(text)) {
		throw hole(position(0), field, 'is neither text nor a number');
	}
	const pieces = String(text).split(/[,;]/);
	return pieces.reduce<string[]>((entries, piece, index) => {
		const lines = piece
			.split(/[\r\n]/)
			.map((line) => line.trim())
			.filter((line) => line !== '');
		if (lines.length === 0 && index < pieces.length - 1) {
			throw hole(position(entries.length), field, 'is empty');
		}
		for (const line of lines) entries.push(line);
		return entries;
	}, []);
}

function hole(position: number, field: string, what: string): InputError {
	return new InputError(
		`Entry ${position} of ${field} ${what}`,
		'Fill it in, or remove it from the list. Nothing was sent for it.',
	);
}
