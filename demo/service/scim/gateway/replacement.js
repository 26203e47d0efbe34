'use strict';

const { attributesIn } = require('./changes');

/**
 * What a PUT asks for, in the way of the gateway: the current resource with everything cleared, and the
 * body laid over it. An entry of a list takes the place of the entry with the same type, or, without a
 * type, of the one with the same value; what nothing takes the place of is removed.
 * @param {object} current the resource as it is shown
 * @param {object} body
 * @returns {Record<string, unknown>} changes, as of changesOf
 */
function replacementOf(current, body) {
	const { id, groups, ...rest } = current;
	const { active, ...laid } = attributesIn(over(cleared(rest), body));
	const { userName, ...changes } = laid;
	return {
		...changes,
		...(userName ? { userName } : {}),
		// Without `active` the user stays as active as before (test/contract/interface.md 2.2).
		...(Object(body).active === undefined || body.active === null ? {} : { active }),
	};
}

function cleared(value) {
	if (Array.isArray(value)) return value.map((entry) => ({ ...entry, operation: 'delete' }));
	if (typeof value !== 'object' || value === null) return '';
	return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleared(one)]));
}

function over(under, value) {
	const result = { ...under };
	for (const [name, given] of Object.entries(value)) {
		if (given === null) continue;
		const there = under[name];
		if (Array.isArray(given)) result[name] = Array.isArray(there) ? listOver(there, given) : given;
		else if (typeof given !== 'object' || there === undefined) result[name] = given;
		// An object where a list belongs brings no entries.
		else if (!Array.isArray(there)) result[name] = over(Object(there), given);
	}
	return result;
}

function listOver(under, entries) {
	const list = [...under];
	for (const entry of entries) {
		const by = ['type', 'value'].find((name) => name in Object(entry));
		if (by === undefined) continue;
		const index = list.findIndex((other) => other[by] === entry[by]);
		if (index >= 0) list.splice(index, 1);
		list.push(entry);
	}
	return list;
}

module.exports = { replacementOf };
