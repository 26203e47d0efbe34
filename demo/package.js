'use strict';

/** Builds this package, and makes the tarball of it as it would be published. */

const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const { temporaryFolder } = require('./cleanup');
const { npm, ROOT } = require('./npm');

/** Throws: when installing or building fails, with the tail of npm's log. */
async function buildPackage() {
	// npm writes this file last: without it an install was interrupted.
	if (!existsSync(join(ROOT, 'node_modules', '.package-lock.json'))) {
		await step("Installing the package's development dependencies", 'ci');
	}
	await step('Building the package', 'run', 'build');
}

/** Out: the path of the tarball, in a temporary folder. Throws: as `buildPackage`. */
async function packPackage() {
	await buildPackage();
	const folder = temporaryFolder('scim-provisioning-package');
	await step('Packing it', 'pack', '--pack-destination', folder);
	const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
	if (!tarball) throw new Error('npm pack made no tarball.');
	return join(folder, tarball);
}

async function step(what, ...args) {
	const logFile = join(temporaryFolder('scim-provisioning-npm'), 'npm.log');
	await npm(args, { cwd: ROOT, what, logFile });
}

module.exports = { buildPackage, packPackage };
