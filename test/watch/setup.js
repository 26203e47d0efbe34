'use strict';

const { setTimeout: sleep } = require('node:timers/promises');
const { SOURCES, lastWritten, round, timeOf } = require('./round');

const LOOK_EVERY_MS = 50;
const PATIENCE_MS = 60_000;

/** Jest sees a saved source before it is built: until then, tests would run what was built before. Must not throw. */
module.exports = async () => {
	round.began = Date.now();
	while (lastWritten(SOURCES) > timeOf(process.env.WATCH_BUILT)) {
		if (Date.now() - round.began > PATIENCE_MS) {
			console.warn('The compiler has not answered: the tests run what was built before.');
			break;
		}
		await sleep(LOOK_EVERY_MS);
	}
	round.built = Date.now();
};
