'use strict';

/** Prints what was promised and whether it holds. */

const { say } = require('../../../demo/progress');

const SHOWN = 8;

/** Out: `{ scene(title), check(promise, complaints), verdict() }`. */
function judge() {
	const broken = [];
	let scene = '';
	return {
		/** What follows belongs to it. */
		scene(title) {
			scene = title;
			say(`\n${title}`);
		},

		/** In: what has to be so, the sentences that say where it is not. */
		check(promise, complaints) {
			const lines = linesOf(promise, complaints);
			if (complaints.length > 0) broken.push(...(scene ? [`  ${scene}`] : []), ...lines);
			for (const line of lines) say(line);
		},

		/** Says once more, at the end where it is looked for, what did not hold. Out: the exit code. */
		verdict() {
			say(broken.length > 0 ? '\nWRONG:' : '\nAll right');
			for (const line of broken) say(line);
			return broken.length > 0 ? 1 : 0;
		},
	};
}

const linesOf = (promise, complaints) => [
	`  ${complaints.length === 0 ? 'right' : 'WRONG'}  ${promise}`,
	...complaints.slice(0, SHOWN).map((complaint) => `         - ${complaint}`),
	...(complaints.length > SHOWN ? [`         and ${complaints.length - SHOWN} more`] : []),
];

module.exports = { judge };
