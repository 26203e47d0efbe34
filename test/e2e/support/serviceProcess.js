'use strict';

/** The local service as a process of its own that can be killed and started again. */

const { fork } = require('node:child_process');
const { once } = require('node:events');
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { onCleanup, temporaryFolder } = require('../../../demo/cleanup');
const { keptIn, logIn } = require('./serviceFiles');

const PROGRAM = join(__dirname, 'serviceChild.js');

/**
 * In: as `startService` takes it. Out: as of `startService` what the callers here need, and
 * - `watch({ when, slowMs, dies })`: resolves at that moment (moments.js), from which on the service takes
 *   `slowMs` for each request; `dies`: it kills itself with SIGKILL 'before it is carried out' or 'before
 *   it is answered', and this resolves when it is gone;
 * - `setLatency(ms)`, `startAgain()`: under the same address, with all that it had carried out.
 */
async function startServiceProcess({ seed, latencyMs }) {
	const folder = temporaryFolder('scim-provisioning-service');
	let child;
	const begin = async (more) => {
		child = fork(PROGRAM, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
		const answer = Promise.race([once(child, 'message'), once(child, 'exit')]);
		child.send({ start: { folder, seed, latencyMs, ...more } });
		const [{ started }] = await answer;
		return started;
	};
	const { url, port, accountToken } = await begin({});
	const close = onCleanup(async () => {
		if (!isRunning(child)) return;
		const exited = once(child, 'exit');
		child.kill('SIGKILL');
		await exited;
	});
	return {
		url,
		port,
		accountToken,
		state: {
			account: seed.account,
			organizations: seed.organizations,
			get mailsSent() {
				return JSON.parse(readFileSync(keptIn(folder), 'utf8')).mailsSent;
			},
		},
		log: {
			get requests() {
				return existsSync(logIn(folder)) ? entriesOf(readFileSync(logIn(folder), 'utf8')) : [];
			},
		},
		async watch(what) {
			const event = once(child, what.dies ? 'exit' : 'message');
			child.send({ watch: what });
			await event;
		},
		setLatency: (ms) => child.send({ latencyMs: ms }),
		startAgain: () => begin({ port, accountToken }),
		close,
	};
}

const isRunning = ({ exitCode, signalCode }) => exitCode === null && signalCode === null;

const entriesOf = (text) =>
	text
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line));

module.exports = { startServiceProcess };
