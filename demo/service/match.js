'use strict';

/**
 * Whether a request is one that a rule or a count means. A string path is that path exactly, as sent
 * or decoded; a RegExp is tested against the path as sent.
 * @param {{ method: string, path: string }} request
 * `on` begins `METHOD /path` as sent.
 * @param {{ on?: string, method?: string, path?: string | RegExp }} wanted
 * @returns {boolean}
 */
function matches(request, { on = '', method, path } = {}) {
	if (!`${request.method} ${request.path}`.startsWith(on)) return false;
	if (method !== undefined && method.toUpperCase() !== request.method) return false;
	if (path === undefined) return true;
	// A global or sticky RegExp remembers where it stopped; search() does not.
	if (path instanceof RegExp) return request.path.search(path) !== -1;
	return path === request.path || path === decoded(request.path);
}

function decoded(path) {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}

module.exports = { matches };
