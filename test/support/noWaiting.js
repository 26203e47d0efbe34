'use strict';

// Nobody waits here: the pauses of the package pass at once, and are written down.

const n8n = require('n8n-workflow');

/** The pauses, in milliseconds, and what happens during each. */
const waiting = { pauses: [], during: undefined };

const { sleep } = n8n;
n8n.sleep = async (ms) => {
	waiting.pauses.push(ms);
	await waiting.during?.(ms);
};

beforeEach(() => {
	Object.assign(waiting, { pauses: [], during: undefined });
});
afterAll(() => {
	n8n.sleep = sleep;
});

/** How long the package has waited in this test, in milliseconds. */
const waited = () => waiting.pauses.reduce((sum, ms) => sum + ms, 0);

module.exports = { waited, waiting };
