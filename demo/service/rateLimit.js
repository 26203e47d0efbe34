'use strict';

const { plain } = require('./answer');

/**
 * Token buckets, one per organization. docs/interface.md 2.1: 429 in plain text without Retry-After;
 * one call costs 1 to 7 tokens.
 */
class RateLimit {
	/**
	 * @param {{ capacity: number, refillPerMinute: number, costs?: 'flat' | 'varied' }} [limit] none: no limit
	 * @param {() => number} now
	 */
	constructor(limit, now) {
		this.limit = limit;
		this.now = now;
		this.buckets = new Map();
	}

	/**
	 * @param {string} organization whose bucket pays
	 * @param {{ method: string, path: string }} request
	 * @returns {import('./answer').Answer | undefined} the refusal, or nothing when there were tokens
	 */
	take(organization, request) {
		if (!this.limit) return undefined;
		const { capacity, refillPerMinute, costs = 'flat' } = this.limit;
		const at = this.now();
		const bucket = this.buckets.get(organization) ?? { tokens: capacity, at };
		const refill = ((at - bucket.at) / 60_000) * refillPerMinute;
		const tokens = Math.min(capacity, bucket.tokens + refill);
		const cost = costs === 'varied' ? costOf(request) : 1;
		const enough = tokens >= cost;
		this.buckets.set(organization, { tokens: enough ? tokens - cost : tokens, at });
		return enough ? undefined : plain(429, 'Too Many Requests');
	}
}

function costOf({ method, path }) {
	if (method === 'GET') return 1;
	if (/\/Groups\//.test(path)) return 7;
	return { POST: 4, PUT: 6, PATCH: 3, DELETE: 5 }[method] ?? 1;
}

module.exports = { RateLimit };
