'use strict';

const path = require('node:path');

/** SCIM servers from npm, which only these tests need. */
module.exports = {
	...require('../../jest.config'),
	rootDir: path.join(__dirname, '../..'),
	roots: ['<rootDir>/test/servers'],
	testPathIgnorePatterns: ['/node_modules/'],
};
