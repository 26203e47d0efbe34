'use strict';

/**
 * What is built is loaded by Node.js, once in a process for all test files (`loaded once` of index.js): by itself jest
 * compiles its 280 files anew for each of them.
 */
module.exports = {
	process: (_source, file) => ({
		code: `module.exports = globalThis[Symbol.for('loaded once')](${JSON.stringify(file)});`,
	}),
	/** Jest keeps what it was given; another text here makes it ask again. */
	getCacheKey: (_source, file) => `loaded once: ${file}`,
};
