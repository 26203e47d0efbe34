'use strict';

/** A package as Node.js loads it: once in a process, for all test files. A second argument is the file that it is loaded for. */
module.exports = { loadOnce: globalThis[Symbol.for('loaded once')] };
