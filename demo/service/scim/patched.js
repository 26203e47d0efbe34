'use strict';

/**
 * A user after the operations of a PATCH. Paths: a name, a part of one, either below the URN of an extension, and entries
 * of a list by a filter; names in any case (RFC 7643 section 2.1). Without a path, the value names attributes itself.
 * @param {{ userName?: string, active?: boolean, attributes: object }} user
 * @param {Array<{ op: string, path?: string, value?: unknown }>} operations
 * @param {boolean} [dottedAreNames] whether a path with a dot names an attribute of its own
 * @returns the user changed, and never the record itself
 */
function patched(user, operations, dottedAreNames = false) {
	const { attributes, ...own } = user;
	let next = { ...attributes, ...own };
	for (const { op = 'replace', path, value } of operations) {
		const given = typeof path === 'string' ? [[path, value]] : Object.entries(Object(value));
		for (const [one, to] of given) {
			const isName = dottedAreNames && /^\w+\.\w+$/.test(one);
			next = isName ? { ...next, [one]: to } : withPath(next, one, to, op.toLowerCase());
		}
	}
	const owned = Object.keys(own);
	const rest = Object.entries(next).filter(([name]) => !owned.includes(name));
	return {
		...Object.fromEntries(owned.map((name) => [name, next[name]])),
		attributes: Object.fromEntries(rest),
	};
}

function withPath(object, path, value, op) {
	const [, list, by, quoted, part] = FILTERED.exec(path) ?? [];
	if (list !== undefined) {
		const text = String(JSON.parse(quoted)).toLowerCase();
		const isMeant = (entry) => String(entry?.[by]).toLowerCase() === text;
		const change = (entry) =>
			part === undefined
				? { ...entry, ...Object(value) }
				: { ...entry, [part]: op === 'remove' ? undefined : value };
		return withValue(object, namesIn(list), (before) => {
			const entries = [before ?? []].flat();
			if (op === 'remove' && part === undefined) return entries.filter((entry) => !isMeant(entry));
			return entries.map((entry) => (isMeant(entry) ? change(entry) : entry));
		});
	}
	return withValue(object, namesIn(path), (before) => {
		if (op === 'remove') return undefined;
		// RFC 7644 section 3.5.2.1: a list keeps what it has.
		const isMore = op === 'add' && Array.isArray(before);
		return isMore ? [...before, ...newIn(before, [value].flat())] : value;
	});
}

const FILTERED = /^([\w:.-]+)\[(\w+) eq ("(?:[^"\\]|\\.)*"|true|false)\](?:\.(\w+))?$/;

const newIn = (list, added) =>
	added.filter((entry) => !list.some((one) => (one?.value ?? one) === (entry?.value ?? entry)));

/** The names on the way to an attribute, the URN of an extension first. */
function namesIn(path) {
	const [, urn, rest] = /^(urn:.*):([^:]+)$/i.exec(path) ?? [undefined, undefined, path];
	return [...(urn === undefined ? [] : [urn]), ...rest.split('.')];
}

/** Own keys only, so that no name reaches a prototype. @param change what is to be of what is there */
function withValue(object, [name, ...inner], change) {
	const own = Object.entries(Object(object));
	const [key, before] = own.find(([one]) => one.toLowerCase() === name.toLowerCase()) ?? [name];
	const next = inner.length === 0 ? change(before) : withValue(before, inner, change);
	return Object.fromEntries([...own, [key, next]]);
}

module.exports = { patched };
