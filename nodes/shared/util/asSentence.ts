/** A text with one full stop at its end. */
export function asSentence(text: string): string {
	return /[.!?]$/.test(text) ? text : `${text}.`;
}
