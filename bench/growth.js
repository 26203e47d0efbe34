'use strict';

/**
 * Time and memory of each job as it grows, through the node in n8n-core. Each size runs in a process of its own, because the
 * peak of a process never comes down again; the service runs in another. Linear means that the figures per row stay
 * about the same. A name as argument: the jobs whose name has it.
 */

const { execFileSync } = require('node:child_process');
const { subscribe } = require('node:diagnostics_channel');
const { table, timed } = require('./support/figures');
const { JOBS } = require('./support/growthJobs');

const MEGABYTE = 2 ** 20;

/**
 * One size in this process. Out: `{ ms, cpu, reading, megabytes, retained, did }`; `cpu` is what the job itself computed, in
 * ms, and `reading` what of that went by from its first request to the end of the last answer.
 */
async function measure(name, size) {
	const { serviceProcess } = require('./support/serviceProcess');
	require('../test/harness');
	const { seed, prepare, run, switches } = JOBS[name];
	const planted = seed(size);
	const service = serviceProcess();
	const address = await service.start({ seed: planted, ...switches });
	const given = await prepare?.(size, planted, address);
	globalThis.gc();
	const before = process.memoryUsage();
	const reading = readingTime();
	const cpuBefore = cpuTime();
	let did;
	const ms = await timed(async () => {
		did = await run(address, given);
	});
	const cpu = cpuTime() - cpuBefore;
	// In kilobytes, and never less than what it was at its highest.
	const peak = process.resourceUsage().maxRSS * 1024;
	globalThis.gc();
	const retained = process.memoryUsage().heapUsed - before.heapUsed;
	await service.stop();
	return {
		...{ ms, did, cpu, reading: reading() },
		megabytes: (peak - before.rss) / MEGABYTE,
		retained: retained / MEGABYTE,
	};
}

/** Milliseconds that this process has computed. */
function cpuTime() {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/** Out: a function that gives how many of them went by from the first request to the end of the last answer. */
function readingTime() {
	let [first, last, open] = [0, 0, 0];
	subscribe('http.client.request.start', () => {
		first ||= cpuTime();
		open += 1;
	});
	subscribe('http.client.response.finish', ({ response }) => {
		response.once('end', () => {
			open -= 1;
			// To ask takes a tenth of what a request takes.
			if (open === 0) last = cpuTime();
		});
	});
	return () => last - first;
}

function measureInOwnProcess(...given) {
	const args = [
		'--expose-gc',
		'--max-old-space-size=4096',
		__filename,
		'--one',
		JSON.stringify(given),
	];
	return JSON.parse(execFileSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }));
}

function row(name, size) {
	const { ms, cpu, reading, megabytes, retained, did } = measureInOwnProcess(name, size);
	const perRow = (value) => ((value * MEGABYTE) / size / 1024).toFixed(1);
	return [
		...[String(size), String(did), ms.toFixed(0), ((ms * 1000) / size).toFixed(0)],
		...[
			((cpu * 1000) / size).toFixed(1),
			((reading * 1000) / size).toFixed(1),
			megabytes.toFixed(0),
			perRow(megabytes),
			perRow(retained),
		],
	];
}

async function main([first = '', given]) {
	if (first === '--one') {
		process.stdout.write(JSON.stringify(await measure(...JSON.parse(given))));
		return;
	}
	console.log(
		'The whole job; cpu is what its process computed, requests included, and of it reading what went by from the first\n' +
			'request to the last answer. Peak is over what the process had before, kept is what is left of it while the\n' +
			'output is held.',
	);
	const titles = 'size|did|ms|us/row|cpu us/row|of it reading|peak MB|peak KB/row|kept KB/row';
	for (const name of Object.keys(JOBS).filter((one) => one.includes(first))) {
		const rows = JOBS[name].sizes.map((size) => row(name, size));
		console.log(`\n${name}\n\n${table(titles.split('|'), rows)}`);
	}
}

main(process.argv.slice(2)).then(
	() => process.exit(0),
	(problem) => {
		console.error(problem);
		process.exit(1);
	},
);
