'use strict';

/** Runs npm in a folder, for steps that take minutes: says every few seconds that it is still going. */

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { runToEnd } = require('./processes');
const { withProgress } = require('./progress');

const ROOT = join(__dirname, '..');

/**
 * In: npm's arguments, `{ cwd, logFile, what, env? }`; `what` is shown: "Installing n8n".
 * Throws: when npm fails, with the tail of its log.
 */
async function npm(args, { cwd, logFile, what, env = {} }) {
	await withProgress(what, () =>
		runToEnd('npm', args, {
			cwd,
			logFile,
			env: { ...npmEnvironment(), ...env },
			failure: `${what} did not work`,
			// npm would take a minute to remove half an install; stopping it does that anyway.
			graceMs: 2_000,
		}),
	);
}

/**
 * The environment without what `npm run` put in. npm hands the root's `.npmrc` to its children as
 * variables, which go before the `.npmrc` of the folder where a child works: with the root's
 * `ignore-scripts` n8n's database driver would silently stay uncompiled.
 */
function npmEnvironment() {
	const env = { ...process.env };
	for (const key of [...rootSettings(), 'local_prefix']) delete env[`npm_config_${key}`];
	for (const key of Object.keys(env)) {
		if (/^npm_(package|lifecycle)_/.test(key) || key === 'INIT_CWD') delete env[key];
	}
	return env;
}

function rootSettings() {
	const lines = readFileSync(join(ROOT, '.npmrc'), 'utf8').split('\n');
	return lines
		.map((line) => line.split('=')[0].trim().replaceAll('-', '_'))
		.filter((key) => /^\w+$/.test(key));
}

module.exports = { npm, ROOT };
