'use strict';

/**
 * Jest's own runner, which for a mutant leaves out what cannot tell anything new: files without a test that came upon it,
 * and all of them once one has noticed it. Stryker 9.6 names the tests, and Jest by itself still loads each file to find
 * them. Its name has to tell Stryker that this is jest-circus.
 */

const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { createEmptyTestResult } = require('@jest/test-result');
const { configureGlobal } = require('fast-check');
const circus = require('jest-circus/runner').default;

// Nobody reads which case it was that failed.
configureGlobal({ endOnFailure: true });

/** The tests of each file, as the first run without a mutant came upon them; other processes read it. */
const namesFile = ({ rootDir }) => join(rootDir, '.test-names');
let known;

function namesOf(testPath, config) {
	if (known === undefined) {
		const lines = existsSync(namesFile(config)) ? readFileSync(namesFile(config), 'utf8') : '';
		known = new Map(lines.split('\n').filter(Boolean).map(JSON.parse));
	}
	return known.get(testPath);
}

let noticed;

module.exports = async (globalConfig, config, environment, runtime, testPath, ...rest) => {
	const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
	const run = async () =>
		await circus(globalConfig, config, environment, runtime, testPath, ...rest);
	if (mutant === undefined) {
		const result = await run();
		const names = result.testResults.map(({ fullName }) => fullName);
		appendFileSync(namesFile(config), `${JSON.stringify([testPath, names])}\n`);
		return result;
	}
	const asked = new RegExp(globalConfig.testNamePattern ?? '', 'i');
	const tells = namesOf(testPath, config)?.some((name) => asked.test(name)) ?? true;
	if (noticed === mutant || !tells) {
		// Jest refuses a file without any test.
		const leftOut = { ancestorTitles: [], failureMessages: [], fullName: '', status: 'pending' };
		return { ...createEmptyTestResult(), testFilePath: testPath, testResults: [leftOut] };
	}
	const result = await run();
	if (result.numFailingTests > 0) noticed = mutant;
	return result;
};
