'use strict';

/** An answer as a client sees it: equal strings for answers that are the same. `paged`: compare pages by their counts. */
function canonical(answer, paged) {
	const { status, contentType = '', location, json, text } = answer;
	return JSON.stringify([
		status,
		contentType.split(';')[0],
		location !== undefined,
		json === undefined ? (text ? 'text' : 'nothing') : sorted(json, paged),
	]);
}

function sorted(value, paged, key) {
	if (Array.isArray(value)) {
		if (paged && key === 'Resources') return value.length;
		return value
			.map((entry) => sorted(entry, paged))
			.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
	}
	if (typeof value !== 'object' || value === null) return key === 'detail' ? '(text)' : value;
	return Object.fromEntries(
		Object.keys(value)
			.sort()
			.map((name) => [name, sorted(value[name], paged, name)]),
	);
}

/** Whether a request asks for a page of a list. */
const isPaged = ({ path }) => /[?&](startIndex|count)=/.test(path);

module.exports = { canonical, isPaged };
