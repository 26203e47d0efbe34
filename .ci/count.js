'use strict';

// Prints jest's own counts in the one line that every reader of a CI log understands.
const { existsSync, readFileSync } = require('node:fs');

const files = process.argv.slice(2);
const all = files.filter(existsSync).map((file) => JSON.parse(readFileSync(file, 'utf8')));
const sum = (count) => all.reduce((before, results) => before + count(results), 0);

// A part that wrote no results has failed.
const failed =
	files.length -
	all.length +
	sum(({ numFailedTests, numFailedTestSuites }) =>
		Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0),
	);
const passed = sum(({ numPassedTests }) => numPassedTests);
const pending = sum(({ numPendingTests }) => numPendingTests);
console.log(`${passed} passed, ${failed} failed${pending > 0 ? `, ${pending} skipped` : ''}`);
