'use strict';

// Prints jest's own count in the one line that every reader of a CI log understands.
const { readFileSync } = require('node:fs');

const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests } = JSON.parse(
	readFileSync(process.argv[2], 'utf8'),
);
const failed = Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0);
console.log(
	`${numPassedTests} passed, ${failed} failed${numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''}`,
);
