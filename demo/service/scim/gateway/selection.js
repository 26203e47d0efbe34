'use strict';

/**
 * The attributes that a request asked for: those of `attributes`, or else all but `excludedAttributes`;
 * sub-attributes are named with a dot.
 * @param {object} resource
 * @param {{ attributes?: string, excludedAttributes?: string }} query
 * @returns {object} without schemas and meta, which are added to whatever is left
 */
function selected(resource, { attributes, excludedAttributes }) {
	if (attributes) return only(resource, pathsIn(attributes));
	if (excludedAttributes) return without(resource, pathsIn(excludedAttributes));
	return resource;
}

const pathsIn = (list) => list.split(',').map((path) => path.trim().split('.'));

function only(resource, paths) {
	const kept = {};
	for (const [name, part] of paths) {
		const value = resource[name];
		if (value === undefined) continue;
		if (part === undefined) kept[name] = value;
		else if (Array.isArray(value))
			kept[name] = value.map((entry, i) => ({ ...kept[name]?.[i], ...pick(entry, part) }));
		else if (part in Object(value)) kept[name] = { ...kept[name], ...pick(value, part) };
	}
	return kept;
}

const pick = (value, part) => (part in value ? { [part]: value[part] } : {});

function without(resource, paths) {
	const kept = { ...resource };
	for (const [name, part] of paths) {
		const value = kept[name];
		if (part === undefined) delete kept[name];
		else if (Array.isArray(value)) kept[name] = value.map((entry) => drop(entry, part));
		else if (value !== undefined) kept[name] = drop(value, part);
	}
	return kept;
}

function drop(value, part) {
	const { [part]: dropped, ...kept } = Object(value);
	return kept;
}

module.exports = { selected };
