'use strict';

// Both clocks of the package move in its pauses alone, and what waits side by side waits at the same time. To be required before
// the package.

const { waiting } = require('./noWaiting');

const BEGIN = Date.parse('2026-03-01T12:00:00Z');

/** What is under way is answered before a pause ends: an answer takes up to seven turns (memoryService). */
const TURNS = 8;

let now;
let begin;
let pauses;
let isTurning = false;

async function pause(ms) {
	await new Promise((wake) => {
		pauses.push({ at: now + ms, wake });
		if (!isTurning) void turn();
	});
}

/** Ends the pauses that end first, and so on. */
async function turn() {
	isTurning = true;
	while (pauses.length > 0) {
		for (let turns = 0; turns < TURNS; turns++) await new Promise(setImmediate);
		const first = Math.min(...pauses.map(({ at }) => at));
		now = Math.max(now, first);
		const ending = pauses.filter(({ at }) => at === first);
		pauses = pauses.filter(({ at }) => at !== first);
		for (const { wake } of ending) wake();
	}
	isTurning = false;
}

beforeEach(() => {
	[now, begin, pauses, waiting.during] = [0, BEGIN, [], pause];
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	jest.spyOn(Date, 'now').mockImplementation(() => begin + now);
});
afterEach(() => jest.restoreAllMocks());

/** Tells how many seconds have passed in this test. */
const seconds = () => Math.round(now / 1000);

/** Lets time pass while a request is under way. */
const pass = (ms) => void (now += ms);

/** Sets the clock of the machine forward, or back. */
const setClockBy = (ms) => void (begin += ms);

module.exports = { pass, seconds, setClockBy };
