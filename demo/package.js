'use strict';

/** Makes the tarball of this package as it would be published. */

const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const { temporaryFolder } = require('./cleanup');
const { npm, ROOT } = require('./npm');

/**
 * Out: the path of the tarball, in a temporary folder.
 * Throws: when installing, building or packing fails, with the tail of npm's log.
 */
async function packPackage() {
	const folder = temporaryFolder('scim-provisioning-package');
	const step = (what, ...args) =>
		npm(args, { cwd: ROOT, what, logFile: join(folder, `${args.join('-').slice(0, 20)}.log`) });

	// npm writes this file last: without it an install was interrupted.
	if (!existsSync(join(ROOT, 'node_modules', '.package-lock.json'))) {
		await step("Installing the package's development dependencies", 'ci');
	}
	await step('Building the package', 'run', 'build');
	await step('Packing it', 'pack', '--pack-destination', folder);

	const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
	if (!tarball) throw new Error('npm pack made no tarball.');
	return join(folder, tarball);
}

module.exports = { packPackage };
