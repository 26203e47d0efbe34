'use strict';

// The names that a user of the nodes sees in the editor, as the built descriptions have them.

const built = require('./built');

const TYPES = Object.values(built)
	.filter((one) => typeof one === 'function')
	.map((Type) => new Type());

/** "Timeout (Seconds)" goes by "Timeout" as well. */
const formsOf = (name) => [...new Set([name, name.replace(/ \([^()]*\)$/, '')])];

const showing = ({ displayOptions }, field) => displayOptions?.show?.[field] ?? [];

/** @returns {Map<string, Set<string>>} every name, with the names right below it: options, modes, values, operations */
function ownNames() {
	const names = new Map();
	const add = (parents, name) => {
		const forms = formsOf(name);
		for (const form of forms) if (!names.has(form)) names.set(form, new Set());
		for (const parent of parents) for (const form of forms) names.get(parent).add(form);
		return forms;
	};
	const addAll = (parents, entries = []) => {
		for (const entry of entries) {
			const forms = add(parents, entry.displayName ?? entry.name);
			for (const below of [entry.options, entry.modes, entry.values]) addAll(forms, below);
		}
	};
	for (const type of TYPES) {
		const { displayName, properties } = type.description ?? type;
		const forms = add([], displayName);
		addAll(forms, properties);
		for (const one of properties) {
			if (one.isNodeSetting) addAll(add([], 'Settings'), [one]);
			// "under Override Profile": what that field shows.
			for (const name of Object.keys(one.displayOptions?.show ?? {})) {
				const shownBy = properties.find((field) => field.name === name && field.type === 'boolean');
				if (shownBy) addAll([shownBy.displayName], [one]);
			}
		}
		const [resources] = properties.filter(({ name }) => name === 'resource');
		for (const resource of resources?.options ?? []) {
			const isOfResource = (one) => showing(one, 'resource').includes(resource.value);
			for (const one of properties.filter(isOfResource)) {
				if (one.name === 'operation') addAll([resource.name], one.options);
				const operations = properties
					.find((field) => field.name === 'operation' && isOfResource(field))
					.options.filter(({ value }) => showing(one, 'operation').includes(value));
				for (const { name } of operations) add([name], one.displayName);
			}
		}
	}
	return names;
}

/** How many signs have to change to make one text of another (Levenshtein). */
function distance(a, b) {
	let row = [...Array(b.length + 1).keys()];
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const same = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
			next.push(Math.min(row[j] + 1, next[j - 1] + 1, same));
		}
		row = next;
	}
	return row[b.length];
}

module.exports = { distance, formsOf, ownNames };
