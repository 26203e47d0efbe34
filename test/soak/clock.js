'use strict';

const { seededRandom } = require('../../demo/service/random');

// Time passes only in waits. Required before the package, which waits by `sleep` of n8n-workflow.

let now = Date.UTC(2031, 0, 1);
let isTurning = false;
/** Who waits, `{ at, wake }`. */
const waiting = [];

/** Wakes the wait that ends first. */
function turn() {
	const next = waiting.reduce((one, other) => (other.at < one.at ? other : one));
	waiting.splice(waiting.indexOf(next), 1);
	now = Math.max(now, next.at);
	next.wake();
	isTurning = waiting.length > 0;
	if (isTurning) setImmediate(turn);
}

async function sleep(ms) {
	await new Promise((wake) => {
		waiting.push({ at: now + ms, wake });
		if (!isTurning) setImmediate(turn);
		isTurning = true;
	});
}

// Its exports are getters, which cannot be replaced one by one.
const path = require.resolve('n8n-workflow');
const real = require(path);
require.cache[path].exports = { ...real, sleep };
const started = performance.now();
const realNow = performance.now.bind(performance);
Date.now = () => now;
performance.now = () => now;
// Pauses before a repeated request are jittered.
Math.random = seededRandom(1);

/** Seconds that the soak has really taken. */
const secondsTaken = () => Math.round((realNow() - started) / 1000);

module.exports = { secondsTaken, sleep };
