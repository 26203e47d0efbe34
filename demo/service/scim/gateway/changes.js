'use strict';

/**
 * What a PATCH asks for, in the way of the gateway: the operations are first made into one object of
 * attributes, so their order counts only within one list, and what is removed is removed last.
 *
 * In it, '' clears an attribute, and the entries of a list are added, or taken out where their `operation`
 * is `delete`. Attributes that are not kept are left out.
 */

const KEPT = ['userName', 'externalId', 'active', 'name', 'emails', 'members'];
const FILTERED = /^(.*)\[(type|value) eq (.*?)\](?:\.(.*))?$/;

/**
 * @param {{ Operations?: Array<{ op?: string, path?: string, value?: unknown }> }} body of SCIM 2.0, or the
 *   attributes themselves as in SCIM 1.1
 * @returns {Record<string, unknown>}
 */
function changesOf(body) {
	return attributesIn(body.Operations ? fromOperations(body.Operations) : body);
}

/**
 * @param {object} body attributes; `meta.attributes` names those to clear
 * @returns {Record<string, unknown>}
 */
function attributesIn(body) {
	const changes = {};
	for (const name of KEPT) if (body[name] !== undefined) changes[name] = body[name];
	if (Array.isArray(changes.members)) changes.members = changes.members.map(decoded);
	if (/^(true|false)$/i.test(changes.active)) changes.active = /^true$/i.test(changes.active);
	for (const path of body.meta?.attributes ?? []) setIn(changes, path, '');
	return changes;
}

const decoded = (entry) =>
	entry.value ? { ...entry, value: decodeURIComponent(entry.value) } : entry;

function fromOperations(operations) {
	const changes = {};
	const cleared = [];
	const queue = [...operations];
	for (const { op, path, value } of queue) {
		const kind = op?.toLowerCase();
		const marked = (entry) =>
			kind === 'remove' && typeof entry === 'object' ? { ...entry, operation: 'delete' } : entry;
		const extend = (name, entries) => {
			if (!KEPT.includes(name)) return;
			if (kind === 'replace' && entries.length === 0) changes[name] = [];
			if (entries.length > 0) changes[name] = [...(changes[name] ?? []), ...entries.map(marked)];
		};
		const filtered = FILTERED.exec(path ?? '');
		if (filtered) {
			const [, name, by, text, part] = filtered;
			const wanted = text.replaceAll('"', '');
			if (by === 'value') extend(name, [{ value: wanted }]);
			else extendTyped(changes, name, wanted, part, value, marked);
		} else if (path) {
			const entries = typeof value?.value === 'string' ? [{ value: value.value }] : value;
			if (Array.isArray(entries)) extend(path, entries);
			else queue.push({ op, value: { [path]: value } });
		} else {
			for (const [name, given] of Object.entries(value ?? {})) {
				if (Array.isArray(given)) extend(name, given);
				else if (kind === 'remove') cleared.push(name);
				else for (const [part, one] of partsOf(name, given)) setIn(changes, part, one);
			}
		}
	}
	return { ...changes, meta: { attributes: cleared } };
}

/** `emails[type eq "work"].value`: parts of the same type make one entry; it is added, not replaced. */
function extendTyped(changes, name, type, part, value, marked) {
	const list = (changes[name] ??= []);
	const there = list.find((entry) => entry.type === type);
	if (part === undefined) list.push(...[].concat(value).map(marked));
	else if (!there || (part === 'value' && there.value)) list.push(marked({ type, [part]: value }));
	else Object.assign(there, marked({ [part]: value }));
}

const partsOf = (name, value) =>
	typeof value === 'object'
		? Object.entries(value ?? {}).map(([part, one]) => [`${name}.${part}`, one])
		: [[name, value]];

function setIn(changes, path, value) {
	const [name, part] = path.split('.');
	if (!KEPT.includes(name)) return;
	changes[name] = part === undefined ? value : { ...changes[name], [part]: value };
}

module.exports = { changesOf, attributesIn };
