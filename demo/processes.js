'use strict';

/** Child processes that leave nothing behind: each is stopped by its id, with all it started. */

const { spawn } = require('node:child_process');
const { createWriteStream, readFileSync } = require('node:fs');
const { onCleanup } = require('./cleanup');

const TAIL_LINES = 20;
const TAIL_WIDTH = 200;
const NPM_NOISE = /npm warn /i;
const alive = new Set();

// The last resort when this process ends without a clean-up: nothing asynchronous works any more.
process.on('exit', () => {
	for (const child of alive) signalGroup(child, 'SIGKILL');
});

/**
 * Starts a program whose output goes to a file.
 *
 * In: the program, its arguments, `{ cwd, env, logFile, owner }`; `owner` is whose it is to be, as
 * `{ uid, gid }`, where it must not be root's.
 * Out: `{ pid, exited, kill(), stop() }`; `exited` resolves to `{ code, signal }`, and rejects only when
 * the program could not be started; `stop()` asks with SIGTERM, insists with SIGKILL after `graceMs`;
 * `kill()` does not ask.
 */
function startProcess(program, args, { cwd, env, logFile, owner = {}, graceMs = 10_000 }) {
	const log = createWriteStream(logFile, { flags: 'a' });
	// A process group of its own, so that stopping it stops the compilers and task runners below it.
	const child = spawn(program, args, {
		...owner,
		cwd,
		env,
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	alive.add(child);
	child.stdout.pipe(log, { end: false });
	child.stderr.pipe(log, { end: false });

	const exited = new Promise((resolve, reject) => {
		child.once('error', (problem) => {
			alive.delete(child);
			reject(new Error(`Could not start ${program}: ${problem.message}`));
		});
		child.once('exit', (code, signal) => resolve({ code, signal }));
	});
	exited.catch(() => {});

	const stop = onCleanup(async () => {
		if (child.pid === undefined) return;
		signalGroup(child, 'SIGTERM');
		const insist = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
		await exited;
		clearTimeout(insist);
		// What the child started and did not stop itself.
		signalGroup(child, 'SIGKILL');
		alive.delete(child);
		log.end();
	});
	const kill = () => signalGroup(child, 'SIGKILL');
	return { pid: child.pid, exited, kill, stop };
}

function signalGroup(child, signal) {
	try {
		process.kill(-child.pid, signal);
	} catch (problem) {
		if (problem.code !== 'ESRCH') throw problem;
	}
}

/**
 * Runs a program to its end.
 *
 * In: as `startProcess`, and `failure`: what to say when it does not end well.
 * Throws: with the tail of its output.
 */
async function runToEnd(program, args, { failure, ...options }) {
	const running = startProcess(program, args, options);
	const { code, signal } = await running.exited;
	await running.stop();
	if (code === 0) return;
	const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
	throw new Error(
		`${failure}: \`${[program, ...args].join(' ')}\` ${how}.\n${tailOf(options.logFile)}`,
	);
}

/** Out: the last lines of a text file, indented, without those that only fill it. */
function tailOf(file, { lines = TAIL_LINES, noise = NPM_NOISE } = {}) {
	const useful = linesOf(file).filter((line) => !noise.test(line));
	return quoted(useful.slice(-lines));
}

/** Out: some lines of a text file from the first that matches, indented; '' when none does. */
function excerptOf(file, pattern, lines) {
	const all = linesOf(file);
	const first = all.findIndex((line) => pattern.test(line));
	return first < 0 ? '' : quoted(all.slice(first, first + lines));
}

function linesOf(file) {
	try {
		return readFileSync(file, 'utf8')
			.split('\n')
			.filter((line) => line.trim());
	} catch {
		return ['(no output)'];
	}
}

function quoted(lines) {
	return lines.map((line) => `  | ${line.slice(0, TAIL_WIDTH)}`).join('\n');
}

module.exports = { startProcess, runToEnd, tailOf, excerptOf };
