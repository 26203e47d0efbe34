'use strict';

const { existsSync, readFileSync } = require('node:fs');
const path = require('node:path');

/** The version of an installed package, also of one that does not export its package.json. */
function versionOf(name) {
	const file = require.resolve
		.paths(name)
		.map((folder) => path.join(folder, name, 'package.json'))
		.find(existsSync);
	return JSON.parse(readFileSync(file, 'utf8')).version;
}

module.exports = { versionOf };
