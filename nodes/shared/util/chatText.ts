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
