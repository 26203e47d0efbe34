/** Most names are, and they are compared often. */
const ASCII = /^[\0-\x7f]*$/;

/**
 * Folds the spellings of one user name or email into one: services tell neither cases nor composed characters from combined
 * ones, and neither must code that compares names here.
 */
export function nameKey(name: string): string {
	const lower = name.toLowerCase();
	return isSpelledOneWay(lower) ? lower : lower.normalize('NFC');
}

/** Tells whether a name has no other spelling with its characters composed or combined otherwise. */
export function isSpelledOneWay(name: string): boolean {
	return ASCII.test(name);
}

/** Tests texts against a pattern in which `*` stands for any characters, ignoring case. */
export function wildcard(pattern: string): (text: string) => boolean {
	const [first, ...others] = nameKey(pattern).split('*');
	const last = others.pop();
	return (text) => {
		const lower = nameKey(text);
		if (last === undefined) return lower === first;
		if (!lower.startsWith(first)) return false;
		// The first place where a part fits leaves most to the parts behind it: nothing is ever tried twice.
		let at = first.length;
		for (const part of others) {
			const found = lower.indexOf(part, at);
			if (found < 0) return false;
			at = found + part.length;
		}
		return lower.length - last.length >= at && lower.endsWith(last);
	};
}

/** One letter in so many may be wrong. */
const LETTERS_PER_ERROR = 4;

/** Of more names nothing is said: each unknown name of a list would take too long. */
const MOST_NAMES = 2_000;

/**
 * Finds the names that a text that is none of them most likely means: one letter in four may be another one, missing or too
 * many; case, spaces and hyphens do not count, and digits never differ.
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

/** Makes names that differ: the ID stands behind each name that occurs more than once. */
export function disambiguated(all: ReadonlyArray<{ id: string; name: string }>): string[] {
	const times = new Map<string, number>();
	for (const { name } of all) times.set(name, (times.get(name) ?? 0) + 1);
	const used = new Set<string>();
	return all.map(({ id, name }) => {
		let label = (times.get(name) ?? 0) > 1 ? `${name} (${id})` : name;
		while (used.has(label)) label = `${label} (${id})`;
		used.add(label);
		return label;
	});
}
