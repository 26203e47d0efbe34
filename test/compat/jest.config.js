'use strict';

const path = require('node:path');

/** The tests that run the nodes, and the examples with them, on another n8n than that of the development dependencies. */
module.exports = {
	...require('../../jest.config'),
	rootDir: path.join(__dirname, '../..'),
	testMatch: [
		...['nodes', 'credentials', 'behavior'].flatMap((folder) => [
			`**/test/${folder}/**/*.test.ts`,
			`**/test/${folder}/**/*.test.js`,
		]),
		'**/test/demo/plays.test.js',
	],
};
