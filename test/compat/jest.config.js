'use strict';

const path = require('node:path');

/** The folder that holds the n8n-core and n8n-workflow to test with; run.js sets it. */
const modules = process.env.N8N_MODULES;

/** The tests that run the nodes, on another n8n than that of the development dependencies. */
module.exports = {
	...require('../../jest.config'),
	rootDir: path.join(__dirname, '../..'),
	testMatch: ['nodes', 'service', 'credentials'].flatMap((folder) => [
		`**/test/${folder}/**/*.test.ts`,
		`**/test/${folder}/**/*.test.js`,
	]),
	moduleNameMapper: { '^(n8n-core|n8n-workflow)(/.*)?$': `${modules}/$1$2` },
};
