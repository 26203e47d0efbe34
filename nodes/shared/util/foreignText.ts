/** A name is told from others by so much of it. */
const LONGEST = 200;

/** Line breaks, letters that run backwards, and what is invisible. */
const UNRULY = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Replaces in a text what would scramble a message. */
export function visible(text: string): string {
	return text.replace(UNRULY, '\uFFFD');
}

/** Quotes a text of the service, or of an item, in a message: it may be of any length, and have anything in it. */
export function shown(text: string): string {
	return text.length > LONGEST ? `${visible(text.slice(0, LONGEST))}…` : visible(text);
}
