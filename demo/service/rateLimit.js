'use strict';

const { plain } = require('./answer');

/**
 * Token buckets, one per limit and organization. test/contract/interface.md 2.1: 429 in plain text without Retry-After;
 * one call costs 1 to 7 tokens.
 * @typedef {object} Limit
 * @property {number} capacity
 * @property {number} refillPerMinute
 * @property {'flat' | 'varied'} [costs]
 * @property {RegExp} [on] which requests it counts, as `METHOD /path`; all when left out
 * @property {number} [above] counts only those with a longer body
 * @property {number} [retryAfter] seconds that the refusal names
 */
class RateLimit {
	/**
	 * @param {Limit | Limit[]} [limits] none: no limit
	 * @param {() => number} now
	 */
	constructor(limits, now) {
		this.limits = [limits ?? []].flat();
		this.now = now;
		this.buckets = new Map();
	}

	/**
	 * @param {string} organization whose bucket pays
	 * @param {{ method: string, path: string, text?: string }} request
	 * @returns {import('./answer').Answer | undefined} the refusal, or nothing when there were tokens
	 */
	take(organization, request) {
		const { method, path, text = '' } = request;
		const counts = ({ on, above = -1 }) =>
			(on?.test(`${method} ${path}`) ?? true) && text.length > above;
		const short = this.limits
			.filter(counts)
			.find((limit) => !this.takeFrom(limit, organization, request));
		if (short === undefined) return undefined;
		const { retryAfter } = short;
		const headers = retryAfter === undefined ? undefined : { 'Retry-After': String(retryAfter) };
		return plain(429, 'Too Many Requests', { headers });
	}

	/** @returns {boolean} whether there were tokens */
	takeFrom(limit, organization, request) {
		const { capacity, refillPerMinute, costs = 'flat' } = limit;
		const at = this.now();
		const key = `${this.limits.indexOf(limit)} ${organization}`;
		const bucket = this.buckets.get(key) ?? { tokens: capacity, at };
		const refill = ((at - bucket.at) / 60_000) * refillPerMinute;
		const tokens = Math.min(capacity, bucket.tokens + refill);
		const cost = costs === 'varied' ? costOf(request) : 1;
		const enough = tokens >= cost;
		this.buckets.set(key, { tokens: enough ? tokens - cost : tokens, at });
		return enough;
	}
}

function costOf({ method, path }) {
	if (method === 'GET') return 1;
	if (/\/Groups\//.test(path)) return 7;
	return { POST: 4, PUT: 6, PATCH: 3, DELETE: 5 }[method] ?? 1;
}

module.exports = { RateLimit };
