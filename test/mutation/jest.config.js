/** The tests of the pure parts alone: each mutant runs those that touch it. */
module.exports = {
	...require('../../jest.config'),
	rootDir: '../..',
	testEnvironment: require.resolve('../environment'),
	roots: ['<rootDir>/test/shared', '<rootDir>/test/nodes/NotificationActions/configurations'],
};
