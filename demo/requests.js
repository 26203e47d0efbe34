'use strict';

/** The requests that reached the service: reads are counted, writes have a line each. */

const { cut, shortened, WIDTH } = require('./table');

const SHOWN = 8;

/** In: entries of the service's log; what to show for the id of a user. Out: lines. */
function requestLines(entries, nameOf = (id) => id) {
	const writes = entries.filter(({ method }) => method !== 'GET');
	const lines = writes.map((entry) => {
		const what = `  ${entry.method.padEnd(6)} ${entry.status ?? '---'}  ${address(entry)}`;
		return cut(what + payload(entry, nameOf), WIDTH);
	});
	return [
		...shortened(lines, SHOWN),
		`  ${entries.length - writes.length} reads, ${writes.length} writes`,
	];
}

function address({ path, query = {} }) {
	const text = Object.entries(query).map(([name, value]) => `${name}=${value}`);
	return [decoded(path), text.join('&')].filter(Boolean).join('?');
}

function decoded(path) {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}

/** The part of a body that tells people what the request is for. */
function payload({ body }, nameOf) {
	const document = typeof body === 'string' ? parsed(body) : body;
	if (document?.userName) return `  ${document.userName}`;
	if (document?.monitors) return `  ${document.monitors.length} monitors`;
	const operations = document?.Operations ?? [];
	return operations
		.map(({ op, path, value }) => `  ${op} ${described(path, value, nameOf)}`)
		.join('');
}

function described(path, value, nameOf) {
	if (!Array.isArray(value)) return `${path} ${value ?? ''}`.trimEnd();
	return value.length === 1 ? nameOf(value[0].value) : `${value.length} ${path}`;
}

function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

module.exports = { requestLines };
