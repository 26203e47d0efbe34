import { InputError } from './errors';
import { shown } from './text';
import { addTo } from './maps';

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

// A form that a mail server could accept; the service itself does not check (test/contract/interface.md 2.2).
const EMAIL = /^[^\s@<>()[\]\\,;:"]+@[^\s@.<>()[\]\\,;:"]+(\.[^\s@.<>()[\]\\,;:"]+)+$/;
const LONGEST = 320;

// RFC 5321 section 4.1.2 with RFC 6531, unquoted; domains of directories have underscores.
const ATOM = /^(?:[\w!#$%&'*+/=?^`{|}~-]|[^\p{ASCII}\p{Pi}\p{Pf}\uFFFD])+$/u;
const DOMAIN_LABEL = /^(?!-)[-\w\p{L}\p{M}\p{N}]+(?<!-)$/u;

/** Invisible, so a name with one of them looks like another user's. */
const HIDDEN: ReadonlyArray<readonly [RegExp, string]> = [
	[/\p{Cc}/u, 'a control character'],
	[/[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u, 'an invisible character'],
	[/\p{Cs}/u, 'half a character'],
];

const ODD_IN_EMAILS: typeof HIDDEN = [
	...HIDDEN,
	[/[\uFF01-\uFF5E\uFFE0-\uFFE6]/u, 'a full-width character'],
	[/\s/u, 'a blank'],
];

/** Tells whether the text has the form of an email address. */
export function isEmailAddress(text: string): boolean {
	return text.length <= LONGEST && EMAIL.test(text) && oddCharacter(text, true) === undefined;
}

/** Finds the address in a text such as `Carl <carl@example.com>`; returns any other text unchanged. */
export function addressIn(text: string): string {
	return /^[^<>]*<([^<>\s@]+@[^<>\s@]+)>$/.exec(text.trim())?.[1] ?? text;
}

/** Tells whether the text looks like an email: a full-width @ is one that was typed wrong. */
export function looksLikeEmail(text: string): boolean {
	return /[@\uFF20]/.test(text);
}

/** Tells whether a text with an @ is no address, such as two of them, or one in quotes or with a period at its end. */
export function isMistypedAddress(text: string): boolean {
	if (!looksLikeEmail(text)) return false;
	const [local, domain = '', ...more] = text.split('@');
	const isOne = more.length === 0 && text.length <= LONGEST;
	// Spreadsheets put an apostrophe before what is text.
	const isLocal = !local.startsWith("'") && local.split('.').every((one) => ATOM.test(one));
	return !(isOne && isLocal && domain.split('.').every((one) => DOMAIN_LABEL.test(one)));
}

/**
 * Composes a user name or email (NFC) that is to be sent, so that the service keeps one spelling of it.
 * @throws InputError for a character that `oddCharacter` finds
 */
export function composedName(text: string, isEmail: boolean): string {
	const odd = oddCharacter(text, isEmail);
	if (odd === undefined) return text.normalize('NFC');
	throw new InputError(
		`${isEmail ? 'Email' : 'User name'} "${shown(text)}" has ${odd}`,
		'Remove the character at the source. Nothing was sent for it.',
	);
}

/**
 * Finds the first character that is invisible or that no email has, and its position; undefined when there is none.
 * @param isEmail other user names may have blanks and full-width characters in them
 */
export function oddCharacter(text: string, isEmail: boolean): string | undefined {
	return firstOf(isEmail ? ODD_IN_EMAILS : HIDDEN, text);
}

/** Most names are nothing else, and nothing of it is odd. */
const VISIBLE_ASCII = /^[!-~]*$/;

/** The first such character, its code and its position. */
function firstOf(kinds: typeof HIDDEN, text: string): string | undefined {
	if (VISIBLE_ASCII.test(text) || !kinds.some((kind) => kind[0].test(text))) return undefined;
	for (const [index, character] of [...text].entries()) {
		const kind = kinds.find(([pattern]) => pattern.test(character))?.[1];
		if (kind === undefined) continue;
		const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
		return `${kind} (U+${code}) at position ${index + 1}`;
	}
	return undefined;
}

/** Of fewer letters, such as initials, two people differ as often as by a typo. */
const FEWEST_LETTERS = 4;

const OTHER_LETTER = /^\p{L}$/u;

/**
 * Finds known addresses that differ from a wanted one by one typing error: a letter of the local part is missing, too many, or
 * swapped with its neighbor. Digits never differ: they tell numbered users apart. Linear in all addresses.
 * @param wanted folded by `nameKey`, as those known are
 * @returns by wanted address those near it
 */
export function typosIn(
	wanted: ReadonlySet<string>,
	known: ReadonlySet<string>,
): Map<string, string[]> {
	const near = new Map<string, string[]>();
	for (const address of known) {
		for (const one of [...shorter(address), ...swapped(address)])
			if (wanted.has(one)) addTo(near, one, address);
	}
	for (const address of wanted)
		for (const one of shorter(address)) if (known.has(one)) addTo(near, address, one);
	return near;
}

/** The address with each of its letters left out. */
function shorter(address: string): Set<string> {
	const letters = lettersIn(address);
	const all = letters.length > FEWEST_LETTERS ? letters : [];
	return new Set(all.map((at) => address.slice(0, at) + address.slice(at + 1)));
}

/** The address with each two neighboring letters swapped. */
function swapped(address: string): string[] {
	const letters = lettersIn(address);
	if (letters.length < FEWEST_LETTERS) return [];
	return letters.flatMap((at, index) => {
		const [one, other] = [address[at], address[at + 1]];
		const isPair = letters[index + 1] === at + 1 && one !== other;
		return isPair ? address.slice(0, at) + other + one + address.slice(at + 2) : [];
	});
}

/** The places of the letters in the local part; none where it is no address. */
function lettersIn(address: string): number[] {
	const letters: number[] = [];
	const end = address.lastIndexOf('@');
	for (let at = 0; at < end; at++) if (isLetter(address[at])) letters.push(at);
	return letters;
}

function isLetter(character: string): boolean {
	return (character >= 'a' && character <= 'z') || OTHER_LETTER.test(character);
}
