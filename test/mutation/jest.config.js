/** Tests that open no socket, against the sources: each mutant runs those that touch it, and ends at the first that fails. */
process.env.PROPERTY_RUNS ??= '12';
process.env.FUZZ_RUNS ??= '600';

const base = require('../../jest.config');

module.exports = {
	...base,
	rootDir: '../..',
	testEnvironment: require.resolve('../environment'),
	roots: [
		'<rootDir>/test/shared',
		'<rootDir>/test/nodes/NotificationActions/configurations',
		'<rootDir>/test/property',
		'<rootDir>/test/fuzz',
	],
	// Half of their time is spent on runs that end in the middle.
	testPathIgnorePatterns: ['rash\\.test\\.js$'],
	moduleNameMapper: {
		...base.moduleNameMapper,
		// Elsewhere these tests run on what was built.
		'^.*/dist/(nodes|credentials)/(.*?)(\\.js)?$': '<rootDir>/$1/$2',
	},
};
