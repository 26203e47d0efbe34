/**
 * The unit tests of the pure parts, and the behavior tests of what these leave to them: each mutant runs those that touch
 * it, and ends at the first that fails. Behavior tests run what is built, which Stryker builds with its mutants.
 */
const base = require('../../jest.config');
const { heldBy } = require('./held');

module.exports = {
	...base,
	rootDir: '../..',
	testEnvironment: require.resolve('../environment'),
	testRunner: require.resolve('./jest-circus'),
	testSequencer: require.resolve('./sequencer'),
	roots: ['<rootDir>/test/shared', '<rootDir>/test/nodes', '<rootDir>/test/behavior'],
	testMatch: [
		'shared/**/*.test.ts',
		'nodes/ScimProvisioning/fields/**/*.test.ts',
		'nodes/NotificationActions/configurations/**/*.test.ts',
		...heldBy.keys(),
	].map((file) => `<rootDir>/test/${file}`),
};
