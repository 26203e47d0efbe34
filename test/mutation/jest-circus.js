'use strict';

/**
 * Jest's own runner, which for a mutant ends at the first test that notices it. Its name has to tell Stryker that this is
 * jest-circus.
 */

const { readFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const { createEmptyTestResult } = require('@jest/test-result');
const { configureGlobal } = require('fast-check');
const circus = require('jest-circus/runner').default;
const { heldBy } = require('./held');
const { addNames } = require('./names');

// Nobody reads which case it was that failed.
configureGlobal({ endOnFailure: true });

const NO_TEST = /(?!)/;

function endAtFirstFailure(environment) {
	const { handleTestEvent } = environment;
	environment.handleTestEvent = async (event, state) => {
		await handleTestEvent?.call(environment, event, state);
		if (event.name === 'test_done' && event.test.errors.length > 0) state.testNamePattern = NO_TEST;
	};
}

const strykerOf = ({ __strykerGlobalNamespace__: name }) => globalThis[name];

/** Numbers of the mutants in the sources that a behavior test holds. */
function mutantsOf(sources, rootDir) {
	const texts = sources.map((source) => readFileSync(join(rootDir, source), 'utf8'));
	return new Set(
		texts.flatMap((text) =>
			Array.from(text.matchAll(/stryMutAct_\w+\("(\d+)"\)/g), ([, id]) => id),
		),
	);
}

/** A behavior test comes upon most of the sources: for Stryker only upon those that it holds. */
function forgetOthers(sources, names, { rootDir, globals }) {
	const held = mutantsOf(sources, rootDir);
	const { perTest } = strykerOf(globals).mutantCoverage;
	for (const hits of names.map((name) => perTest[name] ?? {})) {
		for (const id of Object.keys(hits)) if (!held.has(id)) delete hits[id];
	}
}

let noticed;

module.exports = async (globalConfig, config, environment, runtime, testPath, ...rest) => {
	const run = async () =>
		await circus(globalConfig, config, environment, runtime, testPath, ...rest);
	const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
	if (mutant === undefined) {
		const result = await run();
		const names = result.testResults.map(({ fullName }) => fullName);
		addNames(config, testPath, names);
		const sources = heldBy.get(relative(join(config.rootDir, 'test'), testPath));
		if (sources !== undefined) forgetOthers(sources, names, config);
		return result;
	}
	if (noticed === mutant) {
		// Jest refuses a file without any test.
		const leftOut = { ancestorTitles: [], failureMessages: [], fullName: '', status: 'pending' };
		return { ...createEmptyTestResult(), testFilePath: testPath, testResults: [leftOut] };
	}
	// By itself Stryker says so to what is loaded from now on, and what is built stays loaded.
	strykerOf(config.globals).activeMutant = mutant;
	endAtFirstFailure(environment);
	const result = await run();
	if (result.numFailingTests > 0) noticed = mutant;
	return result;
};
