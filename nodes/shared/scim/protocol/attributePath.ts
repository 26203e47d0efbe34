import { isObject } from '../../util';
import type { Attributes } from './resource';

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
