'use strict';

// Builds and tests on the newer Node.js that the demo brings for its n8n (demo/n8n). Arguments go to jest.

const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { installN8n } = require('../../demo/n8n/install');

async function main() {
	const { node } = await installN8n();
	const { version } = process;
	if (node === process.execPath) {
		console.log(`Left out: the demo brings no Node.js here, and this is ${version} already.`);
		return;
	}
	const PATH = [path.dirname(node), process.env.PATH].join(path.delimiter);
	const { status } = spawnSync('npm', ['test', '--', ...process.argv.slice(2)], {
		stdio: 'inherit',
		env: { ...process.env, PATH },
	});
	process.exitCode = status ?? 1;
}

main().catch((error) => {
	console.error(error.message);
	process.exitCode = 1;
});
