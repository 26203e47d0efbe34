'use strict';

const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const { ROOT } = require('./round');

test('tests of a source and of what is built of it are related to it', async () => {
	const args = ['--findRelatedTests', 'nodes/shared/util/names.ts', '--listTests'];
	const { stdout } = await promisify(execFile)(
		process.execPath,
		[require.resolve('jest/bin/jest'), ...args],
		{ cwd: ROOT },
	);
	const found = stdout.replaceAll('\\', '/');
	expect(found).toContain('/test/shared/util/wildcard.test.ts');
	expect(found).toContain('/test/property/wishes.test.js');
	expect(found).not.toContain('/test/architecture.test.js');
});
