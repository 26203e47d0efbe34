import { nameKey } from './nameKey';

/** One letter in so many may be wrong. */
const LETTERS_PER_ERROR = 4;

/** Of more names nothing is said: each unknown name of a list would take too long. */
const MOST_NAMES = 2_000;

/**
 * The names that a text most likely means that is none of them: one letter in four may be another one, missing or too many;
 * case, spaces and hyphens do not count, and digits never differ.
 * @returns the nearest, several where they are equally near; none where nothing is near
 */
export function nearNames(text: string, names: Iterable<string>): string[] {
	const wanted = plain(text);
	const all = [...new Set(names)];
	if (wanted === '' || all.length > MOST_NAMES) return [];
	const number = digits(wanted);
	let most = Math.floor(wanted.length / LETTERS_PER_ERROR);
	let nearest: string[] = [];
	for (const name of all) {
		const letters = plain(name);
		if (Math.abs(letters.length - wanted.length) > most || digits(letters) !== number) continue;
		const errors = errorsBetween(...withoutCommonEnds(wanted, letters), most);
		if (errors > most) continue;
		if (errors < most) nearest = [];
		most = errors;
		nearest.push(name);
	}
	return nearest;
}

function plain(name: string): string {
	return nameKey(name).replace(/[\s_-]/g, '');
}

function digits(name: string): string {
	return name.replace(/\D/g, '');
}

/** Names of groups often begin and end alike, and only what is between them can have errors. */
function withoutCommonEnds(one: string, other: string): [string, string] {
	const shorter = Math.min(one.length, other.length);
	let first = 0;
	while (first < shorter && one[first] === other[first]) first++;
	let last = 0;
	while (last < shorter - first && one.at(-1 - last) === other.at(-1 - last)) last++;
	return [one.slice(first, one.length - last), other.slice(first, other.length - last)];
}

/** Letters to change, add or leave out (Levenshtein), counted no further than it takes to see that they are more than `most`. */
function errorsBetween(one: string, other: string, most: number): number {
	const row: number[] = [];
	for (let j = 0; j <= other.length; j++) row.push(j);
	for (let i = 1; i <= one.length; i++) {
		let diagonal = row[0];
		let fewest = i;
		row[0] = i;
		for (let j = 1; j <= other.length; j++) {
			const replaced = diagonal + (one[i - 1] === other[j - 1] ? 0 : 1);
			diagonal = row[j];
			row[j] = Math.min(replaced, row[j] + 1, row[j - 1] + 1);
			fewest = Math.min(fewest, row[j]);
		}
		if (fewest > most) return fewest;
	}
	return row[other.length];
}
