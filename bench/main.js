'use strict';

/** Runs every measurement, or those that are named, and keeps what each prints in `bench/results`. */

const { spawn } = require('node:child_process');
const { createWriteStream } = require('node:fs');
const { once } = require('node:events');
const { join } = require('node:path');

const NAMES = ['requests', 'planning', 'growth', 'wallClock', 'httpRequestNode', 'load', 'peers'];

async function measure(name) {
	const file = createWriteStream(join(__dirname, 'results', `${name}.txt`));
	const run = spawn(process.execPath, ['--expose-gc', join(__dirname, `${name}.js`)], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	run.stdout.pipe(process.stdout, { end: false });
	run.stdout.pipe(file);
	const [code] = await once(run, 'close');
	if (code !== 0) throw new Error(`bench/${name}.js ended with ${code}`);
}

async function main() {
	const asked = process.argv.slice(2);
	for (const name of asked.length > 0 ? asked : NAMES) await measure(name);
}

main().catch((problem) => {
	console.error(problem);
	process.exitCode = 1;
});
