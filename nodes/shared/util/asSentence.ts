import { chatText } from './chatText';

/** What happened, for people: a text with one full stop at its end, that a chat takes for nothing else. */
export function asSentence(text: string): string {
	const harmless = chatText(text);
	return /[.!?]$/.test(harmless) ? harmless : `${harmless}.`;
}
