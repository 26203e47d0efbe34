'use strict';

/**
 * Jobs in a real n8n, by the package's nodes and by n8n's HTTP Request nodes (bench/support/workflows.js). The HTTP Request
 * node sends the requests of all its items at once; in a loop of five items it has as many under way as the package's
 * node by default.
 */

const { cleanUp, onCleanup, runMain } = require('../demo/cleanup');
const { freePorts } = require('../demo/n8n/environment');
const { installN8n } = require('../demo/n8n/install');
const { startN8n } = require('../demo/n8n/instance');
const { packPackage } = require('../demo/package');
const { median, table } = require('./support/figures');
const { workflowJobs } = require('./support/workflows');

const LATENCIES = [0, 20];
const REPETITIONS = 5;
const WARM_UPS = 1;

/** One run on a fresh service at the same address. Out: milliseconds of the execution, and requests that came. */
async function play({ id, path }, job, items, n8n, startAgain) {
	const service = await startAgain();
	try {
		const { status, body } = await n8n.webhook(path, items);
		const [newest] = await n8n.executions();
		if (newest.workflowId !== id || newest.status !== 'success' || !job.isDone(service)) {
			const problem = (await n8n.rest.lastProblem()) || `${status} ${JSON.stringify(body)}`;
			throw new Error(`The job was not done: ${problem}`);
		}
		const ms = Date.parse(newest.stoppedAt) - Date.parse(newest.startedAt);
		return { ms, requests: service.log.requests.length };
	} finally {
		await service.close();
	}
}

/** Out: the rows of one job. */
async function measure(job, n8n, port) {
	const { startService } = require('../demo/service');
	const first = await startService({ port, seed: job.seed });
	const items = job.items(first);
	await first.close();
	const { url, accountToken, apiKeys } = first;
	const startWith = (latencyMs) => () =>
		startService({ port, seed: job.seed, latencyMs, accountToken, apiKeys });
	const credentials = job.credentials(first);
	await n8n.importCredentials(credentials);
	const ways = [];
	for (const { name, workflow } of job.ways) {
		const made = workflow({ url, credentials });
		const id = await n8n.importWorkflow(made);
		await n8n.activate(id);
		ways.push({ name, id, path: made.name });
	}
	const rows = [];
	for (const latencyMs of LATENCIES) {
		const taken = new Map(ways.map((way) => [way, []]));
		for (let repetition = -WARM_UPS; repetition < REPETITIONS; repetition++) {
			for (const way of ways) {
				const run = await play(way, job, items, n8n, startWith(latencyMs));
				if (repetition >= 0) taken.get(way).push(run);
			}
		}
		const msOf = (way) => median(taken.get(way).map(({ ms }) => ms));
		for (const way of ways) {
			rows.push([
				job.name,
				way.name,
				String(latencyMs),
				String(taken.get(way)[0].requests),
				msOf(way).toFixed(0),
				`${(msOf(way) / msOf(ways[0])).toFixed(2)}x`,
			]);
		}
	}
	return rows;
}

async function main() {
	const tarball = await packPackage();
	const install = await installN8n();
	const n8n = await startN8n({ install, tarball });
	onCleanup(() => n8n.stop());
	// The address is written in the workflows and in the credentials, so it stays.
	const [port] = await freePorts(1);
	const rows = [];
	for (const job of workflowJobs()) rows.push(...(await measure(job, n8n, port)));
	console.log(
		`\nIn n8n ${install.version}: execution time as n8n tells it, median of ${REPETITIONS}.\n`,
	);
	console.log(table(['job', 'built from', 'latency ms', 'requests', 'ms', 'ratio'], rows));
	await cleanUp();
}

void runMain(main);
