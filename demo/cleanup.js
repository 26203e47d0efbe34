'use strict';

/**
 * What has to be undone when a demo ends, however it ends: processes to stop, folders to remove.
 *
 * `onCleanup(undo)` in: a function, may be async. Out: a function that runs it now, once, and takes
 * it off the list. `cleanUp()` runs what is left, last in first out, and never throws.
 */

const { rmSync, mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const pending = new Set();

function onCleanup(undo) {
	let running;
	const once = () => {
		pending.delete(once);
		running ??= Promise.resolve().then(undo);
		return running;
	};
	pending.add(once);
	return once;
}

async function cleanUp() {
	for (const undo of [...pending].reverse()) {
		try {
			await undo();
		} catch (problem) {
			process.stderr.write(`Cleaning up: ${problem.message}\n`);
		}
	}
}

/** In: the start of the folder's name. Out: the path of a new folder that goes away at the end. */
function temporaryFolder(name) {
	const folder = mkdtempSync(join(tmpdir(), `${name}-`));
	onCleanup(() => removeFolder(folder));
	return folder;
}

/** Retries, because a process that is just ending may still write into the folder. */
function removeFolder(folder) {
	rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** `fetch` says only that it failed; the reason is in the cause. */
function explain(problem) {
	const cause = problem?.cause?.message;
	return [problem?.message ?? String(problem), cause && `(${cause})`].filter(Boolean).join('\n');
}

/**
 * Runs the program `main` and ends this process with its exit code.
 *
 * In: an async function that gives the exit code (nothing means 0). Whatever ends it (return, throw,
 * Ctrl-C, a rejection that nothing waited for), the clean-up runs first. A second Ctrl-C does not wait.
 */
async function runMain(main) {
	let ending = false;
	const end = async (code, problem) => {
		if (ending) return;
		ending = true;
		if (problem) process.stderr.write(`\n${explain(problem)}\n`);
		if (problem && process.env.DEBUG) process.stderr.write(`${problem.stack}\n`);
		await cleanUp();
		process.exit(code);
	};
	const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
	for (const [signal, code] of Object.entries(signals)) {
		process.on(signal, () => {
			if (ending) process.exit(code);
			process.stderr.write(`\n${signal}: stopping what the demo started ...\n`);
			void end(code);
		});
	}
	process.on('uncaughtException', (problem) => void end(1, problem));
	process.on('unhandledRejection', (problem) => void end(1, problem));
	try {
		await end((await main()) ?? 0);
	} catch (problem) {
		await end(1, problem);
	}
}

module.exports = { onCleanup, cleanUp, temporaryFolder, removeFolder, runMain };
