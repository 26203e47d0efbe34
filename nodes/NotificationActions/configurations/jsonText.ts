// Parsing loses numbers beyond 2^53, long decimals, duplicate keys and the order of keys such as "10", so texts are edited in place.

/** A piece of a text: from `start` up to but not including `end`. */
export interface Span {
	start: number;
	end: number;
}

/** A member of an object: the span of its value, its name, and where the name begins. */
export interface MemberSpan extends Span {
	name: string;
	nameStart: number;
}

/** Replaces the span by `text`; an empty span is an insertion. */
export interface TextEdit extends Span {
	text: string;
}

const SPACE = /[\t\n\r ]*/y;
const LITERAL = /[^\s,\]}]+/y;
const SIGN = /["[\]{}]/g;

/**
 * The members of an object in a JSON text, in their order. The text has to be valid JSON (`JSON.parse` says so) and the
 * span has to be that of an object. Looks at one level only and never calls itself, so depth costs nothing.
 */
export function membersOf(text: string, { start }: Span): MemberSpan[] {
	const members: MemberSpan[] = [];
	let at = after(SPACE, text, start + 1);
	while (text[at] !== '}') {
		const nameStart = at;
		const nameEnd = endOfString(text, at);
		// Past the whitespace and the colon.
		const valueStart = after(SPACE, text, after(SPACE, text, nameEnd) + 1);
		const end = endOfValue(text, valueStart);
		const name = JSON.parse(text.slice(nameStart, nameEnd)) as string;
		members.push({ name, nameStart, start: valueStart, end });
		at = next(text, end);
	}
	return members;
}

/** The elements of an array in a JSON text, under the same conditions. */
export function elementsOf(text: string, { start }: Span): Span[] {
	const elements: Span[] = [];
	let at = after(SPACE, text, start + 1);
	while (text[at] !== ']') {
		const end = endOfValue(text, at);
		elements.push({ start: at, end });
		at = next(text, end);
	}
	return elements;
}

/** The span of the whole value in a JSON text, without the whitespace around it. */
export function wholeOf(text: string): Span {
	const start = after(SPACE, text, 0);
	return { start, end: endOfValue(text, start) };
}

/** The member that counts when a name comes twice: the last, as for JSON.parse. */
export function memberNamed(members: readonly MemberSpan[], name: string): MemberSpan | undefined {
	return members.filter((member) => member.name === name).at(-1);
}

/** The text with the edits made, everything else as it was. Edits must not overlap; their order does not matter. */
export function editText(text: string, edits: readonly TextEdit[]): string {
	const pieces: string[] = [];
	let at = 0;
	for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
		pieces.push(text.slice(at, edit.start), edit.text);
		at = edit.end;
	}
	pieces.push(text.slice(at));
	return pieces.join('');
}

/** Where the value that begins at `start` ends. */
function endOfValue(text: string, start: number): number {
	if (text[start] === '"') return endOfString(text, start);
	if (text[start] !== '{' && text[start] !== '[') return after(LITERAL, text, start);
	let depth = 0;
	let at = start;
	do {
		at = signFrom(text, at);
		if (text[at] === '"') {
			at = endOfString(text, at);
			continue;
		}
		depth += text[at] === '{' || text[at] === '[' ? 1 : -1;
		at += 1;
	} while (depth > 0);
	return at;
}

/** Where the string that begins at `start` ends: at a quote with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
	for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
		let slashes = 0;
		while (text[at - 1 - slashes] === '\\') slashes += 1;
		if (slashes % 2 === 0) return at + 1;
	}
}

/** The next place where a string, an object or an array begins or ends. */
function signFrom(text: string, at: number): number {
	SIGN.lastIndex = at;
	return SIGN.exec(text)?.index ?? text.length;
}

/** Past the whitespace and the comma behind a value. */
function next(text: string, end: number): number {
	const at = after(SPACE, text, end);
	return text[at] === ',' ? after(SPACE, text, at + 1) : at;
}

/** Where the match of the pattern that begins at `at` ends. */
function after(pattern: RegExp, text: string, at: number): number {
	pattern.lastIndex = at;
	pattern.test(text);
	return pattern.lastIndex;
}
