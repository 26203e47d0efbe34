'use strict';

// Pauses of the package pass at once, and the time is later by them. To be required before the package.

const pauses = { ms: 0 };

// Its exports are getters, which cannot be replaced one by one.
const path = require.resolve('n8n-workflow');
const real = require(path);
const sleep = async (ms) => {
	pauses.ms += ms;
	await new Promise(setImmediate);
};
require.cache[path].exports = { ...real, sleep };

for (const clock of [Date, performance]) {
	const now = clock.now.bind(clock);
	clock.now = () => now() + pauses.ms;
}

module.exports = pauses;
