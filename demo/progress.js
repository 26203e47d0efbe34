'use strict';

/** Shows what a demo is doing and how long it takes. */

const EVERY_MS = 10_000;

/** Prints a line of the demo. */
function say(text = '') {
	process.stdout.write(`${text}\n`);
}

/**
 * Prints `what`, a line every ten seconds while `work` runs, and the time it took.
 *
 * In: a text, an async function. Out: what the function gives. Throws: what the function throws.
 */
async function withProgress(what, work) {
	const start = Date.now();
	const seconds = () => Math.round((Date.now() - start) / 1000);
	say(`- ${what} ...`);
	const timer = setInterval(() => say(`  ${what}: ${seconds()} s`), EVERY_MS);
	try {
		const outcome = await work();
		if (seconds() > 0) say(`  done in ${seconds()} s`);
		return outcome;
	} finally {
		clearInterval(timer);
	}
}

module.exports = { say, withProgress };
