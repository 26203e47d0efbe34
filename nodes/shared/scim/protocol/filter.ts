import { attribute, valueAt } from './resource';

/** `attribute co "text"`: the attribute contains the text (RFC 7644 section 3.4.2.2). */
export function contains(attribute: string, text: string): string {
	return `${attribute} co ${JSON.stringify(text)}`;
}

/** `attribute eq "value"` with the value quoted as JSON (RFC 7644 section 3.4.2.2). */
export function equals(attribute: string, value: string): string {
	return `${attribute} eq ${JSON.stringify(value)}`;
}

const COMPARISON = /([^\s()]+)\s+(?:eq|ne|co|sw|ew|gt|ge|lt|le|pr)\b/gi;

/** The attributes that a filter compares, as written; `members[value eq "x"]` compares `members.value`. */
export function comparedAttributes(filter: string): string[] {
	const unquoted = filter.replace(/"(?:[^"\\]|\\.)*"/g, '""');
	const whole = unquoted.replace(/([^\s()[\]]+)\[([^\]]*)\]/g, (_, list: string, inner: string) =>
		inner.replace(COMPARISON, `${list}.$&`),
	);
	return [...whole.matchAll(COMPARISON)].map(([, attribute]) => attribute);
}

/** A list, one comparison that chooses its entries, and a part of these. */
const BY_VALUE =
	/^([^\s[\]]+)\[\s*([\w$-]+)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false|-?\d+(?:\.\d+)?)\s*\](?:\.([\w$-]+))?$/i;

/**
 * What a path such as `emails[type eq "work"].value` leads to (RFC 7644 section 3.5.2), texts compared ignoring case.
 * @returns undefined for any other path, also one with another filter
 */
export function valuesByFilter(holder: unknown, path: string): unknown[] | undefined {
	const [, list, by, compared, part] = BY_VALUE.exec(path) ?? [];
	if (list === undefined) return undefined;
	const textOf = (value: unknown) => JSON.stringify(value)?.toLowerCase();
	const wanted = jsonIn(compared);
	if (wanted === undefined) return undefined;
	return [valueAt(holder, list) ?? []]
		.flat()
		.filter((entry) => textOf(attribute(entry, by)) === textOf(wanted))
		.map((entry) => (part === undefined ? entry : attribute(entry, part)))
		.filter((value) => value !== undefined && value !== null);
}

function jsonIn(text: string): unknown {
	try {
		return JSON.parse(text.startsWith('"') ? text : text.toLowerCase());
	} catch {
		return undefined;
	}
}
