/** The unit tests of the pure parts: each mutant runs those that touch it, and ends at the first that fails. */
const base = require('../../jest.config');

module.exports = {
	...base,
	rootDir: '../..',
	testEnvironment: require.resolve('../environment'),
	testRunner: require.resolve('./jest-circus'),
	roots: [
		'<rootDir>/test/shared',
		'<rootDir>/test/nodes/ScimProvisioning/fields',
		'<rootDir>/test/nodes/NotificationActions/configurations',
	],
};
