'use strict';

const { namesIn } = require('./names');

const isBehavior = ({ path }) => path.endsWith('.js');

/** The names of tests in Stryker's pattern, `(one)|(another)`. */
const inPattern = (pattern) =>
	new Set(
		pattern
			.slice(1, -1)
			.split(')|(')
			.map((name) => name.replaceAll(/\\(.)/g, '$1')),
	);

/**
 * Leaves out the files without a test that came upon the mutant: Stryker 9.6 names the tests, and Jest by itself loads each
 * file to find them. Unit tests come first, since they take less time.
 */
module.exports = class {
	constructor({ globalConfig: { testNamePattern } }) {
		if (testNamePattern !== undefined) this.asked = inPattern(testNamePattern);
	}

	sort(tests) {
		const tells = ({ path, context }) =>
			namesIn(context.config, path).some((name) => this.asked.has(name));
		const telling = this.asked === undefined ? [...tests] : tests.filter(tells);
		return telling.sort((a, b) => isBehavior(a) - isBehavior(b));
	}

	cacheResults() {}
};
