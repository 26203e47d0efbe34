'use strict';

const SHOWN_HEADERS = ['user-agent', 'content-type', 'accept'];

/**
 * The requests in the order of arrival. Header values other than three harmless ones are never kept,
 * so no token can be found here.
 */
class RequestLog {
	constructor(now = Date.now) {
		this.requests = [];
		/** Mistakes of the service itself, which must not pass for a fault. */
		this.failures = [];
		this.now = now;
		this.arrived = 0;
	}

	/**
	 * @param {import('express').Request} req
	 * @returns {object} the entry; body, status and fault are filled in as they become known
	 */
	open(req) {
		const entry = {
			n: ++this.arrived,
			at: this.now(),
			method: req.method,
			path: req.path,
			query: { ...req.query },
			search: req.originalUrl.split('?')[1] ?? '',
			body: undefined,
			status: undefined,
			headersSeen: headersSeen(req.headers),
		};
		this.requests.push(entry);
		return entry;
	}

	/** Forgets everything; numbering starts again at 1. */
	clear() {
		this.requests.length = 0;
		this.arrived = 0;
	}
}

function headersSeen(headers) {
	const seen = { names: Object.keys(headers) };
	for (const name of SHOWN_HEADERS) if (headers[name] !== undefined) seen[name] = headers[name];
	return seen;
}

module.exports = { RequestLog };
