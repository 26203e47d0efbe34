'use strict';

/**
 * Installs what a lock file says once, and finds it again ever after.
 *
 * It lives in a cache outside the clone: `N8N_DEMO_CACHE`, or the user's cache folder. The name of an install holds a
 * hash of what it is made from, so a changed lock gives a new one.
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
const { homedir } = require('node:os');
const { join } = require('node:path');
const { onCleanup, removeFolder } = require('../cleanup');
const { npm } = require('../npm');

const INGREDIENTS = ['package.json', 'package-lock.json', '.npmrc'];
const HALF_DONE = '.installing-';
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/**
 * In: `name`, for people; `source`: the folder with the lock; `before(folder)` runs before an install, `after(halfDone,
 * logFile)` at its end, where something is left to do.
 * Out: the folder. Throws: when the install fails, with the tail of npm's log.
 *
 * Works in a folder beside the target and renames it when all is done: an interrupted install never looks like a finished
 * one, and of two that run at the same time both have a whole one.
 */
async function installed({ name, source, before, after }) {
	const cache = cacheFolder();
	const folder = join(cache, `${name}-${hashOf(source)}`);
	if (existsSync(folder)) return folder;
	await before?.(folder);
	mkdirSync(cache, { recursive: true });
	removeAbandoned(cache);

	const halfDone = `${folder}${HALF_DONE}${process.pid}-${randomBytes(3).toString('hex')}`;
	mkdirSync(halfDone);
	const giveUp = onCleanup(() => removeFolder(halfDone));
	for (const file of INGREDIENTS) copyFileSync(join(source, file), join(halfDone, file));
	const logFile = join(halfDone, 'install.log');
	// Most install scripts fail without a network or on Node 20, and hardly one is needed.
	await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
		cwd: halfDone,
		logFile,
		what: `Installing ${name}`,
	});
	await after?.(halfDone, logFile);

	try {
		renameSync(halfDone, folder);
	} catch (problem) {
		// Another run was quicker: use that install.
		if (!['ENOTEMPTY', 'EEXIST'].includes(problem.code)) throw problem;
	}
	await giveUp();
	return folder;
}

function cacheFolder() {
	if (process.env.N8N_DEMO_CACHE) return process.env.N8N_DEMO_CACHE;
	return join(
		process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
		'n8n-nodes-scim-provisioning',
	);
}

/** Compiled parts may be inside, so the platform belongs to it. */
function hashOf(source) {
	const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
	for (const file of INGREDIENTS) hash.update(readFileSync(join(source, file)));
	return hash.digest('hex').slice(0, 16);
}

/** What runs that were killed left behind. The age guards against process ids of another machine. */
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

module.exports = { installed };
