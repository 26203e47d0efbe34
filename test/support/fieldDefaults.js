'use strict';

const known = new WeakMap();

/** The fields of an operation with their defaults, as n8n gives them. */
function defaultsIn(description, resource, operation) {
	if (!known.has(description)) known.set(description, new Map());
	const own = known.get(description);
	const key = `${resource} ${operation}`;
	const isShown = ({ displayOptions: { show } = {} }) =>
		show?.resource?.includes(resource) && show.operation?.includes(operation);
	if (!own.has(key)) own.set(key, description.properties.filter(isShown));
	return Object.fromEntries(own.get(key).map(({ name, default: value }) => [name, value]));
}

module.exports = { defaultsIn };
