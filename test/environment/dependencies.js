'use strict';

const path = require('node:path');

const ROOT = path.join(__dirname, '../..');

/**
 * What jest takes a file to depend on: what it requires, and for what is built also its source. So the tests of the
 * built nodes are among those that `--findRelatedTests` and watch find for a source.
 */
module.exports = {
	extract(code, file, usual) {
		const found = new Set(usual(code));
		const [folder, ...rest] = path.relative(ROOT, file).split(path.sep);
		if (folder === 'dist') {
			const source = path.join(ROOT, ...rest).replace(/\.js$/, '.ts');
			found.add(path.relative(path.dirname(file), source).split(path.sep).join('/'));
		}
		return found;
	},
	/** Jest keeps what it found; another text here makes it look again. */
	getCacheKey: () => 'source of what is built',
};
