'use strict';

/**
 * A user after the operations of a PATCH. Paths: a name, a part of one, either below the URN of an extension, and entries
 * of a list by a filter; names in any case (RFC 7643 section 2.1). Without a path, the value names attributes itself.
 * @param {{ userName?: string, active?: boolean, attributes: object }} user
 * @param {Array<{ op: string, path?: string, value?: unknown }>} operations
 * @returns the user changed, and never the record itself
 */
function patched(user, operations) {
	const { attributes, ...own } = user;
	let next = { ...attributes, ...own };
	for (const { op, path, value } of operations) {
		const isGone = op?.toLowerCase() === 'remove';
		const given = typeof path === 'string' ? [[path, value]] : Object.entries(Object(value));
		for (const [one, to] of given) next = withPath(next, one, isGone ? undefined : to);
	}
	const owned = Object.keys(own);
	const rest = Object.entries(next).filter(([name]) => !owned.includes(name));
	return {
		...Object.fromEntries(owned.map((name) => [name, next[name]])),
		attributes: Object.fromEntries(rest),
	};
}

function withPath(object, path, value) {
	const [, list, by, text, part] = /^(\w+)\[(\w+) eq "([^"]*)"\](?:\.(\w+))?$/.exec(path) ?? [];
	if (list !== undefined) {
		const isMeant = (entry) => String(entry?.[by]).toLowerCase() === text.toLowerCase();
		const entries = (object[list] ?? []).map((entry) => {
			if (!isMeant(entry)) return entry;
			return part === undefined ? { ...entry, ...Object(value) } : { ...entry, [part]: value };
		});
		return withValue(object, [list], entries);
	}
	const [, urn, rest] = /^(urn:.*):([^:]+)$/i.exec(path) ?? [undefined, undefined, path];
	return withValue(object, [...(urn === undefined ? [] : [urn]), ...rest.split('.')], value);
}

/** Own keys only, so that no name reaches a prototype. */
function withValue(object, [name, ...inner], value) {
	const own = Object.entries(Object(object));
	const [key, before] = own.find(([one]) => one.toLowerCase() === name.toLowerCase()) ?? [name];
	const next = inner.length === 0 ? value : withValue(before, inner, value);
	return Object.fromEntries([...own, [key, next]]);
}

module.exports = { patched };
