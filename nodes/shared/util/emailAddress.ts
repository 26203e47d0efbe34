import { InputError } from './errors';
import { shown } from './foreignText';

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
