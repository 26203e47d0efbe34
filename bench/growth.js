'use strict';

/**
 * Time and memory of each job as it grows, through the node in n8n-core. Each size runs in a process of its own, because the
 * peak of a process never comes down again; the service runs in another. Linear means that the figures per row stay
 * about the same. A name as argument: the jobs whose name has it.
 */

const { execFileSync } = require('node:child_process');
const { table, timed } = require('./support/figures');
const { JOBS } = require('./support/growthJobs');

const MEGABYTE = 2 ** 20;

/** One size in this process. Out: `{ ms, cpu, megabytes, retained, did }`; `cpu` is what the job itself computed, in ms. */
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
	const cpuBefore = process.cpuUsage();
	let did;
	const ms = await timed(async () => {
		did = await run(address, given);
	});
	const { user, system } = process.cpuUsage(cpuBefore);
	// In kilobytes, and never less than what it was at its highest.
	const peak = process.resourceUsage().maxRSS * 1024;
	globalThis.gc();
	const retained = process.memoryUsage().heapUsed - before.heapUsed;
	await service.stop();
	return {
		...{ ms, did, cpu: (user + system) / 1000 },
		megabytes: (peak - before.rss) / MEGABYTE,
		retained: retained / MEGABYTE,
	};
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
	const { ms, cpu, megabytes, retained, did } = measureInOwnProcess(name, size);
	const perRow = (value) => ((value * MEGABYTE) / size / 1024).toFixed(1);
	return [
		...[name, String(size), String(did), ms.toFixed(0), ((ms * 1000) / size).toFixed(0)],
		...[
			((cpu * 1000) / size).toFixed(0),
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
	const names = Object.keys(JOBS).filter((name) => name.includes(first));
	const rows = names.flatMap((name) => JOBS[name].sizes.map((size) => row(name, size)));
	const titles = 'job|size|did|ms|us/row|cpu us/row|peak MB|peak KB/row|kept KB/row';
	console.log(
		'The whole job; cpu is what its process computed, requests included. Peak is over what the process had before, kept\n' +
			'is what is left of it while the output is held.\n',
	);
	console.log(table(titles.split('|'), rows));
}

main(process.argv.slice(2)).then(
	() => process.exit(0),
	(problem) => {
		console.error(problem);
		process.exit(1);
	},
);
