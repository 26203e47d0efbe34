import { isObject, parseJson } from '../../util';
import { type Attributes, attribute, valueAt } from './resource';

/**
 * The names that a path leads through, outermost first: `name.givenName`, or an attribute of an extension behind its URN,
 * which ends at the last colon (RFC 7644 section 3.10). One name where the path chooses among values.
 */
export function namesIn(path: string): string[] {
	if (path.includes('[')) return [path];
	const end = /^urn:/i.test(path) ? path.lastIndexOf(':') : -1;
	const names = path
		.slice(end + 1)
		.split('.')
		.filter((name) => name !== '');
	if (end > 0) names.unshift(path.slice(0, end));
	return names.length > 0 ? names : [path];
}

/** A name as fields show it: `Given Name`, `Manager ID`. */
export function inWords(name: string): string {
	const spaced = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/\bId\b/g, 'ID');
	return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/**
 * The attributes with a value at the end of some names; what is beside it stays. Names ignore case (RFC 7643
 * section 2.1), so one that is there already keeps its own.
 */
export function putAttribute(
	target: Attributes,
	[name, ...inner]: readonly string[],
	value: unknown,
): Attributes {
	const same = (key: string) => key.toLowerCase() === name.toLowerCase();
	const key = Object.keys(target).find(same) ?? name;
	const own = Object.hasOwn(target, key) ? target[key] : undefined;
	const inside = isObject(own) ? own : {};
	if (inner.length > 0) return { ...target, [key]: putAttribute(inside, inner, value) };
	return { ...target, [key]: isObject(value) ? { ...inside, ...value } : value };
}

/** `attribute co "text"`: the attribute contains the text (RFC 7644 section 3.4.2.2). */
export function contains(attribute: string, text: string): string {
	return `${attribute} co ${JSON.stringify(text)}`;
}

/** `attribute eq "value"` with the value quoted as JSON (RFC 7644 section 3.4.2.2). */
export function equals(attribute: string, value: string): string {
	return `${attribute} eq ${JSON.stringify(value)}`;
}

/** Texts, also one that does not end, brackets, and words. No token begins in another one, which keeps it linear. */
const TOKENS = /"(?:[^"\\]|\\.)*"?|[()[\]]|[^\s()[\]"]+/g;
const OPERATOR = /^(?:eq|ne|co|sw|ew|gt|ge|lt|le|pr)\b/i;

/** The attributes that a filter compares, as written; `members[value eq "x"]` compares `members.value`. */
export function comparedAttributes(filter: string): string[] {
	const compared: string[] = [];
	let list = '';
	let word: string | undefined;
	for (const [token] of filter.matchAll(TOKENS)) {
		if (word !== undefined && OPERATOR.test(token)) {
			compared.push(list + word);
			word = undefined;
		} else if (token === '[' || token === ']') {
			list = token === '[' && word !== undefined ? `${word}.` : '';
			word = undefined;
		} else {
			word = /["()]/.test(token) ? undefined : token;
		}
	}
	return compared;
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
	const wanted = parseJson(compared.startsWith('"') ? compared : compared.toLowerCase());
	if (wanted === undefined) return undefined;
	return [valueAt(holder, list) ?? []]
		.flat()
		.filter((entry) => textOf(attribute(entry, by)) === textOf(wanted))
		.map((entry) => (part === undefined ? entry : attribute(entry, part)))
		.filter((value) => value !== undefined && value !== null);
}
