'use strict';

// `npm run watch`: the compiler and jest, both in watch mode; either ends the other. A saved source is compiled, then
// the tests run that are related to what has changed since the last commit.

const { spawn } = require('node:child_process');
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { links } = require('../../gulpfile');

const COMPILED = /Found \d+ errors?\. Watching for file changes\./;

const folder = mkdtempSync(path.join(tmpdir(), 'watch-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
/** Written after each build; test/watch/setup.js looks when. */
process.env.WATCH_BUILT = path.join(folder, 'built');

const running = new Set();
function start(script, args, stdio) {
	const child = spawn(process.execPath, [require.resolve(script), ...args], { stdio });
	running.add(child);
	child.once('exit', (code) => {
		running.delete(child);
		end(code ?? 0);
	});
	return child;
}

function end(code) {
	process.exitCode ??= code;
	for (const child of running) child.kill();
}
// Ctrl-C reaches all three, or jest alone, which takes single keys.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => end(0));

let jest;
async function built() {
	await links();
	writeFileSync(process.env.WATCH_BUILT, '');
	const config = path.join(__dirname, 'jest.config.js');
	jest ??= start(
		'jest/bin/jest',
		['--watch', '--config', config, ...process.argv.slice(2)],
		'inherit',
	);
}

const compiler = start(
	'typescript/bin/tsc',
	['--watch', '--preserveWatchOutput', '--locale', 'en'],
	['ignore', 'pipe', 'inherit'],
);
compiler.stdout.setEncoding('utf8').on('data', (text) => {
	process.stdout.write(text);
	if (COMPILED.test(text)) built();
});
