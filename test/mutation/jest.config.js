/** The tests of the pure parts, against the sources: each mutant runs those that touch it, and ends at the first that fails. */
process.env.PROPERTY_RUNS ??= '4';

const base = require('../../jest.config');

module.exports = {
	...base,
	rootDir: '../..',
	testEnvironment: require.resolve('../environment'),
	testRunner: require.resolve('./jest-circus'),
	testSequencer: require.resolve('./sequencer'),
	roots: [
		'<rootDir>/test/shared',
		'<rootDir>/test/nodes/NotificationActions/configurations',
		'<rootDir>/test/property',
	],
	// Runs that end in the middle take half of the time, and writers beside us many runs to come upon anything.
	testPathIgnorePatterns: ['rash\\.test\\.js$', 'monitorWriters\\.test\\.js$'],
	moduleNameMapper: {
		...base.moduleNameMapper,
		// Elsewhere these tests run on what was built.
		'^.*/dist/(nodes|credentials)/(.*?)(\\.js)?$': '<rootDir>/$1/$2',
	},
};
