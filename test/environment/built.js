'use strict';

/**
 * What is built, and the local service, are loaded by Node.js, once in a process for all test files (`loaded once` of
 * index.js): by itself jest compiles their 330 files anew for each of them.
 */
module.exports = {
	process: (_source, file) => ({
		code: `module.exports = globalThis[Symbol.for('loaded once')](${JSON.stringify(file)});`,
	}),
	/** Jest keeps what it was given; another text here makes it ask again. */
	getCacheKey: (_source, file) => `loaded once: ${file}`,
};
