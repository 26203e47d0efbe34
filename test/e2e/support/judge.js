'use strict';

/** Prints what was promised and whether it holds. */

const { say } = require('../../../demo/progress');

const SHOWN = 8;

/** Out: `{ check(promise, complaints), wrong() }`; `wrong()` is how many promises did not hold. */
function judge() {
	let broken = 0;
	return {
		/** In: what has to be so, the sentences that say where it is not. */
		check(promise, complaints) {
			if (complaints.length > 0) broken++;
			say(`  ${complaints.length === 0 ? 'right' : 'WRONG'}  ${promise}`);
			for (const complaint of complaints.slice(0, SHOWN)) say(`         - ${complaint}`);
			if (complaints.length > SHOWN) say(`         and ${complaints.length - SHOWN} more`);
		},
		wrong: () => broken,
	};
}

module.exports = { judge };
