'use strict';

/**
 * What it costs n8n to know the nodes: it loads them as n8n does when it starts (from what the build has written of
 * them) and as it does when the package has just been installed (each file). Then the first use of a node, and how large
 * the descriptions are that the editor is sent, n8n's copies of them as tools included. Each load runs in a process of its own.
 */

const { execFileSync } = require('node:child_process');
const { join } = require('node:path');
const { median, table, timed } = require('./support/figures');

const ROOT = join(__dirname, '..');
const MEGABYTE = 2 ** 20;
const TIMES = 5;
const LOADERS = {
	'at the start': 'LazyPackageDirectoryLoader',
	'after the installation': 'PackageDirectoryLoader',
};

/** One load in this process. Out: `{ ms, megabytes, files, first }`; `first` is what a node takes when it is first used. */
async function measure(name) {
	const loaders = require('../test/harness/core');
	globalThis.gc();
	const before = process.memoryUsage().heapUsed;
	const loader = new loaders[name](ROOT);
	const ms = await timed(async () => {
		await loader.loadAll();
		// n8n adds a field to all of them.
		for (const credential of Object.keys(loader.known.credentials))
			loader.getCredential(credential);
	});
	globalThis.gc();
	const megabytes = (process.memoryUsage().heapUsed - before) / MEGABYTE;
	const built = join(ROOT, 'dist');
	const files = Object.keys(require.cache).filter((file) => file.startsWith(built)).length;
	const first = await timed(() => loader.getNode('scimProvisioning'));
	return { ms, megabytes, files, first };
}

function measureInOwnProcess(name) {
	const args = ['--expose-gc', __filename, '--one', name];
	return JSON.parse(execFileSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }));
}

function row([when, name]) {
	const runs = Array.from({ length: TIMES }, () => measureInOwnProcess(name));
	const middle = (figure) => median(runs.map((run) => run[figure]));
	return [
		...[when, middle('ms').toFixed(0), middle('megabytes').toFixed(1), String(middle('files'))],
		middle('first').toFixed(0),
	];
}

function sizes() {
	const nodes = require('../dist/types/nodes.json');
	const kilobytes = (given) => Buffer.byteLength(JSON.stringify(given)) / 1000;
	const rows = nodes.map((node) => [node.name, kilobytes(node), node.usableAsTool ? 2 : 1]);
	const all = rows.reduce((sum, [, size, copies]) => sum + size * copies, 0);
	return [...rows, ['all, with the copies as tools', all, '']].map(([name, size, copies]) => [
		...[name, size.toFixed(1), String(copies)],
	]);
}

async function main([first, name]) {
	if (first === '--one') {
		process.stdout.write(JSON.stringify(await measure(name)));
		return;
	}
	const titles = 'load|ms|MB|files|first use of a node, ms';
	console.log(table(titles.split('|'), Object.entries(LOADERS).map(row)));
	console.log(`\n${table(['description', 'kB', 'times'], sizes())}`);
}

main(process.argv.slice(2)).then(
	() => process.exit(0),
	(problem) => {
		console.error(problem);
		process.exit(1);
	},
);
