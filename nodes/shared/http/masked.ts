import { attemptSync } from '../util';

/** A shorter run of a secret may stand in ordinary words. */
const SHORTEST_RUN = 8;

/** What must appear in no message. */
export interface Hidden {
	/** Of the credential: every run of them, as a service may repeat a part alone, or in another form. */
	secrets: readonly string[];
	/** Of one request: each as a whole, as there are URLs and words among them. */
	values?: readonly string[];
}

/** A shorter secret is hidden where it stands alone: anywhere else it is rather a part of an ordinary word. */
const SHORTEST_ANYWHERE = 4;

/**
 * Replaces what is hidden by ***: ignoring case, in Base64, and with characters that are written out for HTML, JSON or a URL. Of
 * a secret, runs of eight characters and more are hidden, which ordinary text does not share with it. A shorter one that may be
 * a word or a number is hidden where it stands alone.
 */
export function masked(text: string, { secrets, values = [] }: Hidden): string {
	const isHidden = new Uint8Array(text.length);
	const forms = new Set([...values, ...secrets].flatMap(formsOf));
	const runs = new Set(secrets.flatMap((secret) => formsOf(keyOf(secret)).flatMap(runsIn)));
	for (const { plain, starts } of readingsOf(text)) {
		const hide = (at: number, length: number) => isHidden.fill(1, starts[at], starts[at + length]);
		for (const form of forms) {
			for (let at = plain.indexOf(form); at >= 0; at = plain.indexOf(form, at + 1))
				if (isLong(form) || standsAlone(plain, at, form.length)) hide(at, form.length);
		}
		for (const [at, run] of runsIn(plain).entries()) if (runs.has(run)) hide(at, SHORTEST_RUN);
	}
	let shown = '';
	for (let at = 0; at < text.length; at++) {
		if (isHidden[at] === 0) shown += text[at];
		else if (at === 0 || isHidden[at - 1] === 0) shown += '***';
	}
	return shown;
}

/** A text in lower case, and where each of its characters begins in that which was given; the end, too. */
interface Reading {
	plain: string;
	starts: number[];
}

/** A character written out in HTML, in JSON, or in a URL. */
const WRITTEN_OUT =
	/&(?:#(?<decimal>\d{1,7})|#x(?<hex>[\da-f]{1,6})|(?<name>amp|lt|gt|quot|apos));|\\u(?<unit>[\da-f]{4})|\\(?<quoted>["\\/bfnrt])|%(?<byte>[0-7][\da-f])/g;

const NAMED: Readonly<Record<string, string>> = {
	...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
	...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
};

/** A page may hold what was written out for JSON before, and that for a URL. */
const MOST_READINGS = 4;

/** The text as it is, and as it reads where characters of it are written out, once or several times over. */
function readingsOf(text: string): Reading[] {
	const starts = Array.from({ length: text.length + 1 }, (_, at) => at);
	const readings = [{ plain: lowerCase(text), starts }];
	for (let last = readings[0]; readings.length < MOST_READINGS; readings.push(last)) {
		const next = readOut(last);
		if (next.plain === last.plain) break;
		last = next;
	}
	return readings;
}

function readOut({ plain, starts }: Reading): Reading {
	const parts: string[] = [];
	const begins: number[] = [];
	const add = (part: string, beginsAt: (at: number) => number) => {
		parts.push(part);
		for (let at = 0; at < part.length; at++) begins.push(starts[beginsAt(at)]);
	};
	let from = 0;
	for (const { 0: written, index, groups = {} } of plain.matchAll(WRITTEN_OUT)) {
		const before = from;
		add(plain.slice(before, index), (at) => before + at);
		add(lowerCase(characterOf(groups) ?? written), () => index);
		from = index + written.length;
	}
	add(plain.slice(from), (at) => from + at);
	return { plain: parts.join(''), starts: [...begins, starts[plain.length]] };
}

function characterOf(groups: Readonly<Record<string, string | undefined>>): string | undefined {
	const { decimal, hex, name, unit, quoted, byte } = groups;
	const one = name ?? quoted;
	if (one !== undefined) return NAMED[one] ?? one;
	const digits = hex ?? unit ?? byte;
	const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
	return attemptSync(() => String.fromCodePoint(code));
}

/** Whether a form of a secret is too long, or too odd, to stand in ordinary text by chance. */
function isLong(form: string): boolean {
	return (
		form.length >= SHORTEST_RUN ||
		(form.length >= SHORTEST_ANYWHERE && !/^(?:\p{L}+|\p{N}+)$/u.test(form))
	);
}

const PART_OF_WORD = /[\p{L}\p{N}]/u;

/** Whether no letter or digit goes on where that which stands there begins and ends with one. */
function standsAlone(text: string, at: number, length: number): boolean {
	const goesOn = (inside: number, outside: number) =>
		PART_OF_WORD.test(text.charAt(inside)) && PART_OF_WORD.test(text.charAt(outside));
	return !goesOn(at, at - 1) && !goesOn(at + length - 1, at + length);
}

/** What is secret of a token: behind a colon stands an organization (test/contract/interface.md 2.1), which messages name. */
function keyOf(secret: string): string {
	const [key] = secret.split(':', 1);
	return key.length < SHORTEST_RUN ? secret : key;
}

/** How a secret may be written, in lower case. */
function formsOf(secret: string): string[] {
	const bytes = Buffer.from(secret);
	// Where it begins within three bytes decides how it looks in Base64; what its neighbors decide is left off.
	const inside = [0, 1, 2].map((offset) =>
		Buffer.concat([Buffer.alloc(offset), bytes])
			.toString('base64')
			.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6)),
	);
	const whole = bytes.toString('base64').replace(/=+$/, '');
	const inBase64 = [whole, ...inside.filter((form) => form.length >= SHORTEST_RUN)];
	const forURLs = inBase64.map((form) => form.replace(/\+/g, '-').replace(/\//g, '_'));
	const forms = [secret, encodeURIComponent(bytes.toString()), ...inBase64, ...forURLs];
	return [...new Set(forms.map(lowerCase))].filter((form) => form !== '');
}

function runsIn(text: string): string[] {
	const runs = Math.max(0, text.length - SHORTEST_RUN + 1);
	return Array.from({ length: runs }, (_, at) => text.slice(at, at + SHORTEST_RUN));
}

/** Of ASCII alone, so that every character stays in its place. */
function lowerCase(text: string): string {
	return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
