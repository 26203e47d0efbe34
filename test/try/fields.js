'use strict';

// The fields of an operation, from the description of the node, as they are written on a command line.

const { shownFor } = require('../support/shownFor');

const fieldsOf = ({ properties }, resource, operation) => [
	...shownFor(properties, resource, operation),
	...properties.filter(({ isNodeSetting }) => isNodeSetting),
];

/** @throws {Error} that says what had to be JSON */
function jsonOf(name, text) {
	try {
		return JSON.parse(text);
	} catch {
		throw new Error(`${name} has to be JSON, and this is none: ${text}`);
	}
}

/** What a field has in a workflow for an email or a name, `id:…`, names with commas between them, JSON, or any text. */
function valueOf({ name, type, modes, options }, text) {
	if (['boolean', 'number', 'collection'].includes(type)) return jsonOf(name, text);
	if (type === 'resourceMapper') return { mappingMode: 'defineBelow', value: jsonOf(name, text) };
	if (type === 'resourceLocator') {
		const named = modes.find((mode) => ['email', 'name'].includes(mode.name)).name;
		const [, id] = /^id:(.*)/.exec(text) ?? [];
		return { __rl: true, mode: id ? 'id' : named, value: id ?? text };
	}
	if (type !== 'fixedCollection') return text;
	if (text.startsWith('{')) return jsonOf(name, text);
	const [{ name: rows, values }] = options;
	const rowOf = (one) => ({ [values[0].name]: one.trim() });
	return { [rows]: text.startsWith('[') ? jsonOf(name, text) : text.split(',').map(rowOf) };
}

/** @returns `[field, names of what it is inside of]` */
function find(fields, name) {
	for (const field of fields) {
		if (field.name === name) return [field, []];
		for (const inside of field.type === 'collection' ? field.options : []) {
			if (inside.name === name) return [inside, [field.name]];
		}
	}
	const names = [...new Set(fields.map((field) => field.name))].join(', ');
	throw new Error(`There is no field ${name}, but: ${names}`);
}

/**
 * @param {Array<[string, string]>} given texts by field
 * @returns parameters of the node; what a field is shown for is chosen with it, unless that is given, too
 */
function parametersOf(fields, given) {
	const isGiven = new Set(given.map(([name]) => name));
	const parameters = {};
	for (const [name, text] of given) {
		const [field, path] = find(fields, name);
		let into = parameters;
		for (const step of path) into = into[step] ??= {};
		into[name] = valueOf(field, text);
		const { resource, operation, ...choices } = field.displayOptions?.show ?? {};
		for (const [choice, values] of Object.entries(choices)) {
			if (!isGiven.has(choice)) parameters[choice] = values[0];
		}
	}
	return parameters;
}

/** A line for each field. */
const linesOf = (fields) =>
	fields.map(({ name, type, options = [], default: value }) => {
		const inside = options.map((one) => one.value ?? one.name).join(', ');
		return `  ${name}, ${type}${inside && ` (${inside})`}: ${JSON.stringify(value)}`;
	});

module.exports = { fieldsOf, jsonOf, linesOf, parametersOf };
