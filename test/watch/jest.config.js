'use strict';

const path = require('node:path');

/** `npm run watch`: every round of tests waits for the compiler. */
module.exports = {
	...require('../../jest.config'),
	rootDir: path.join(__dirname, '../..'),
	globalSetup: require.resolve('./setup'),
	globalTeardown: require.resolve('./teardown'),
};
