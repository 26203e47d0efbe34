'use strict';

const POLL_MS = 200;
/** How an execution of n8n may have ended. */
const ENDED = ['success', 'error', 'crashed', 'canceled'];

/**
 * Waits until `look` gives something true, and gives that.
 *
 * In: what is waited for, in words; an async function; how long at most.
 * Throws: when it did not come in time, with what `look` said last when it threw.
 */
async function untilTrue(what, look, withinMs) {
	const giveUpAt = Date.now() + withinMs;
	let reason = '';
	for (;;) {
		try {
			const seen = await look();
			if (seen) return seen;
		} catch (problem) {
			reason = `: ${problem.message}`;
		}
		if (Date.now() > giveUpAt) {
			throw new Error(`Waited ${Math.round(withinMs / 1000)} s for ${what}, in vain${reason}`);
		}
		await new Promise((done) => setTimeout(done, POLL_MS));
	}
}

/** Out: an execution of n8n, once it has ended. */
const endOf = async (rest, id, withinMs) =>
	await untilTrue(
		`the end of execution ${id}`,
		async () => {
			const execution = await rest.execution(id);
			return ENDED.includes(execution.status) && execution;
		},
		withinMs,
	);

module.exports = { ENDED, endOf, untilTrue };
