'use strict';

/**
 * Eventual consistency (docs/interface.md 2.1): what a read sees. Every write is hidden for lagMs
 * milliseconds, or for the next lagReads reads; while the oldest hidden write is hidden, reads see the
 * tables from before it. With indexLagMs, a user just created is missing in lists and filters alone.
 */
class Visibility {
	/**
	 * @param {{ lagMs?: number, lagReads?: number, indexLagMs?: number }} options
	 * @param {() => number} now
	 */
	constructor({ lagMs = 0, lagReads = 0, indexLagMs = 0 }, now) {
		this.lagMs = lagMs;
		this.lagReads = lagReads;
		this.indexLagMs = indexLagMs;
		this.indexedAt = new Map();
		this.now = now;
		this.hidden = [];
	}

	/** @returns {boolean} whether reads can be late at all */
	get lags() {
		return this.lagMs > 0 || this.lagReads > 0;
	}

	/** @param {import('./directory').Tables} before the tables as they were before the write */
	wrote(before) {
		this.hidden.push({ before, until: this.now() + this.lagMs, reads: this.lagReads });
	}

	/**
	 * Counts as one read.
	 * @param {import('./directory').Tables} current
	 * @returns {import('./directory').Tables} what the reader sees
	 */
	read(current) {
		this.hidden = this.hidden.filter(({ until, reads }) => reads > 0 || this.now() < until);
		for (const write of this.hidden) write.reads--;
		return this.hidden.length > 0 ? this.hidden[0].before : current;
	}

	/** @param {string} userId of a user who was created just now */
	created(userId) {
		this.indexedAt.set(userId, this.now() + this.indexLagMs);
	}

	/**
	 * @param {Array<{ id: string }>} users
	 * @returns {Array<{ id: string }>} those whom the index already knows
	 */
	indexed(users) {
		return users.filter(({ id }) => this.now() >= (this.indexedAt.get(id) ?? 0));
	}
}

module.exports = { Visibility };
