'use strict';

/**
 * Wall-clock time of each job as ratios of one run: the whole job through the node in n8n-core, beside its requests
 * alone through n8n's HTTP helper and through a bare pool of connections, all with the same number at once. The three
 * take turns, so that a busy moment of the machine meets all of them.
 */

const { median, table, timed } = require('./support/figures');
const { jobs } = require('./support/jobs');
const { record, sendByHelper, sendByPool } = require('./support/replay');
const { serviceProcess } = require('./support/serviceProcess');

// The node's default.
const CONCURRENCY = 5;
const LATENCIES = [0, 20];
const REPETITIONS = 7;
const WARM_UPS = 2;

async function measure(job, phases, latencyMs, service) {
	const ways = {
		node: (address) => job.node.run(job, address),
		helper: (address) => sendByHelper(phases, CONCURRENCY, job.node, address),
		pool: (address) => sendByPool(phases, CONCURRENCY, job.node, address),
	};
	const taken = { node: [], helper: [], pool: [] };
	for (let repetition = -WARM_UPS; repetition < REPETITIONS; repetition++) {
		for (const [way, send] of Object.entries(ways)) {
			const address = await service.start({ ...job.service, latencyMs });
			const milliseconds = await timed(() => send(address));
			if (repetition >= 0) taken[way].push(milliseconds);
		}
	}
	const [node, helper, pool] = Object.values(taken).map(median);
	const times = (a, b) => `${(a / b).toFixed(2)}x`;
	return [
		job.name,
		String(latencyMs),
		String(phases.flat().length),
		node.toFixed(0),
		helper.toFixed(0),
		pool.toFixed(0),
		times(node, helper),
		times(helper, pool),
		times(node, pool),
	];
}

async function main() {
	const service = serviceProcess();
	const rows = [];
	try {
		for (const job of jobs()) {
			const phases = await record(job);
			for (const latencyMs of LATENCIES) {
				rows.push(await measure(job, phases, latencyMs, service));
			}
		}
	} finally {
		await service.stop();
	}
	const titles =
		'job|latency ms|requests|node ms|helper ms|pool ms|node/helper|helper/pool|node/pool';
	console.log(
		`Wall-clock, median of ${REPETITIONS}, ${CONCURRENCY} requests at once. node/helper is what this package adds, helper/pool what\n` +
			"n8n's HTTP helper adds, which opens a connection per request.\n",
	);
	console.log(table(titles.split('|'), rows));
}

main().then(
	() => process.exit(0),
	(problem) => {
		console.error(problem);
		process.exit(1);
	},
);
