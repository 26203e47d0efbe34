'use strict';

const { tailOf } = require('../../../demo/processes');

const POLL_MS = 200;
/** How an execution of n8n may have ended. */
const ENDED = ['success', 'error', 'crashed', 'canceled'];

/**
 * Waits until `look` gives something true, and gives that.
 *
 * In: what is waited for, in words; an async function; how long at most; the log of what is waited for.
 * Throws: when it did not come in time, with what `look` said last when it threw, and the end of the log.
 */
async function untilTrue(what, look, withinMs, logFile) {
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
			const log = logFile ? `\n${tailOf(logFile)}` : '';
			const seconds = Math.round(withinMs / 1000);
			throw new Error(`Waited ${seconds} s for ${what}, in vain${reason}${log}`);
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
