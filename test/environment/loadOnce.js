'use strict';

/** A package of node_modules as Node.js loads it: once in a process, for all test files. */
module.exports = { loadOnce: globalThis[Symbol.for('loaded once')] };
