'use strict';

const { runInThisContext } = require('node:vm');

/**
 * `require` of Node itself. That of jest cannot load ES modules, and gives what it loads another set of globals than
 * the core modules have, which servers stumble over.
 */
const plainRequire = runInThisContext('process')
	.getBuiltinModule('node:module')
	.createRequire(__filename);

module.exports = { plainRequire };
