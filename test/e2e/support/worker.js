'use strict';

/** A worker of n8n's queue mode: a process that takes executions from the queue. */

const { mkdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { temporaryFolder } = require('../../../demo/cleanup');
const { freePorts, n8nEnvironment } = require('../../../demo/n8n/environment');
const { installNodes } = require('../../../demo/n8n/instance');
const { startProcess, tailOf } = require('../../../demo/processes');
const { withProgress } = require('../../../demo/progress');
const { untilTrue } = require('./untilTrue');

const READY_WITHIN_MS = 120_000;
const STARTED = /Worker started execution (\d+)/g;

/**
 * In: `name`, `install` (from `installN8n`), `tarball`, `env`: the queue and the database, as main has them.
 * Out: `{ name, started(), kill() }`; `started()` are the ids of the executions that it began.
 * Throws: when it does not get ready, with the end of its log.
 */
async function startWorker({ name, install, tarball, env }) {
	// A folder of its own, as on another machine: the package has to be installed there, too.
	const folder = temporaryFolder(`scim-provisioning-${name}`);
	mkdirSync(join(folder, 'tmp'));
	await installNodes(folder, tarball);
	const [port, brokerPort, healthPort] = await freePorts(3);
	const logFile = join(folder, 'worker.log');
	const args = [install.cli, 'worker', '--concurrency=5'];
	const worker = startProcess(install.node, args, {
		cwd: folder,
		env: {
			...n8nEnvironment({ node: install.node, userFolder: folder, port, brokerPort }),
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(healthPort),
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
			...env,
		},
		logFile,
	});
	const ready = async () =>
		(await fetch(`http://127.0.0.1:${healthPort}/healthz/readiness`)).status === 200;
	try {
		await withProgress(`Starting ${name}`, () =>
			Promise.race([
				untilTrue(name, ready, READY_WITHIN_MS),
				worker.exited.then(() => Promise.reject(new Error(`${name} ended by itself.`))),
			]),
		);
	} catch (problem) {
		throw new Error(`${problem.message}\n${tailOf(logFile)}`);
	}
	return {
		name,
		kill: worker.kill,
		started: () => [...readFileSync(logFile, 'utf8').matchAll(STARTED)].map(([, id]) => id),
	};
}

module.exports = { startWorker };
