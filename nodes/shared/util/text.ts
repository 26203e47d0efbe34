import { checkDepth, parseJson } from './json';
import { InputError } from './errors';

/** A name is told from others by so much of it. */
const LONGEST_QUOTE = 200;

/** Line breaks, letters that run backwards, and what is invisible. */
const SCRAMBLING = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Replaces in a text what would scramble a message. */
export function visible(text: string): string {
	return text.replace(SCRAMBLING, '\uFFFD');
}

/** Quotes a text of the service, or of an item, in a message: it may be of any length, and have anything in it. */
export function shown(text: string): string {
	return text.length > LONGEST_QUOTE ? `${visible(text.slice(0, LONGEST_QUOTE))}…` : visible(text);
}

/** Invisible; beside a sign it ends what a chat would make a mention or a link of. */
export const BREAK = '\u200B';
const ALIKE: Readonly<Record<string, string>> = { '<': '‹', '>': '›' };
/** Line breaks, and what makes letters run backwards. */
const UNRULY = /[\p{Zl}\p{Zp}\n\r\u202A-\u202E\u2066-\u2069]+/gu;

/**
 * Makes a text that may go to a chat unchanged. Slack takes `<!channel>`, `<@U1>` and `<https://…|text>` for what they say
 * wherever they stand in a message; others have mentions without brackets. Addresses stay as they are.
 */
export function chatText(text: string): string {
	return text
		.replace(UNRULY, ' ')
		.replace(/[<>]/g, (sign) => ALIKE[sign])
		.replace(/(?<![\p{L}\p{N}.+_'-])@(?=[\p{L}\p{N}])|:(?=\/\/)/gu, `$&${BREAK}`);
}

/** Makes a sentence for people: with one full stop at its end, and harmless in a chat. */
export function asSentence(text: string): string {
	const harmless = chatText(text);
	return /[.!?]$/.test(harmless) ? harmless : `${harmless}.`;
}

/** Takes out of a text what was put in for chats: somebody may have copied a name from there. */
export function withoutBreaks(text: string): string {
	return text.replaceAll(BREAK, '');
}

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

/** What only a secret is called, as a word of a name, at the end of one, or as all of it. */
const SECRET =
	/passw(?:or)?d|passphrase|passcode|(?:access|api|private)key|(?:backup|recovery)code|(?:pwd|secret|token)s?$|^(?:t?otp|pin|pw)s?$/;
/** In each of them: names are asked for by the hundred thousand, and most have none. */
const MAYBE = /pass|key|code|pw|secret|token|otp|pin/i;
/** Between the words of `apiKey`, `API_Key`, `api-key` and `key2`. */
const BETWEEN_WORDS = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z]+/;
/** No path is longer. Of what is, it is not asked where it begins and ends. */
const LONGEST_PATH = 1_000;
/** What chooses among values: `emails[type eq "work"]`. */
const CHOICE = /\[(?:"(?:[^"\\]|\\.)*"|[^\]"])*\]/g;

/**
 * Tells whether the name of an attribute, or its path, says that it holds a secret: the words in it do, so that `apiKey` and
 * `password2` are, and `shipping` and `tokenizer` are not.
 */
export function isSecretName(path: string): boolean {
	if (!MAYBE.test(path)) return false;
	if (path.length > LONGEST_PATH) return true;
	const own = path.replace(CHOICE, '');
	return own
		.slice(own.lastIndexOf(':') + 1)
		.split('.')
		.some((name) => {
			const words = name.split(BETWEEN_WORDS).map((word) => word.toLowerCase());
			return [words.join(''), ...words].some((word) => SECRET.test(word));
		});
}

/** Tells whether an attribute with this value is secret: that a password must be changed, or that there is none, is not. */
export function isSecret(path: string, value: unknown): boolean {
	return value !== undefined && value !== null && typeof value !== 'boolean' && isSecretName(path);
}
