'use strict';

/**
 * Late reads (test/contract/interface.md 2.1). Every write is hidden for `lagMs` milliseconds, or from the next `lagReads` reads;
 * while the oldest hidden write is hidden, reads see the state from before it.
 */
class Lag {
	/** @param {{ lagMs: number, lagReads: number, now: () => number }} switches may change while it runs */
	constructor(switches) {
		this.switches = switches;
		this.hidden = [];
		this.reads = 0;
	}

	/** @returns {boolean} whether reads can be late at all */
	get isOn() {
		return this.switches.lagMs > 0 || this.switches.lagReads > 0;
	}

	/** @param before the state as it was before the write */
	hide(before) {
		const { lagMs, lagReads, now } = this.switches;
		this.hidden.push({ before, until: now() + lagMs, reads: this.reads + lagReads });
	}

	/** Counts as one read. @returns what the reader sees: `current`, or a state from before */
	read(current) {
		this.reads += 1;
		const isHidden = ({ until, reads }) => this.reads <= reads || this.switches.now() < until;
		this.hidden = this.hidden.filter(isHidden);
		return this.hidden.length > 0 ? this.hidden[0].before : current;
	}
}

module.exports = { Lag };
