'use strict';

// Runs the tests of the nodes, and those of operations and of the trigger in its engine, on other versions of n8n-core:
// the newest one that was seen to run here, which is that of the whole n8n, and the newest 1.x. `npm test` runs those of
// the nodes on the oldest 2.x that the README claims.

const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { runMain } = require('../../demo/cleanup');
const { installed } = require('../../demo/n8n/cache');
const { installN8n } = require('../../demo/n8n/install');

const TARGETS = {
	newest: async () => (await installN8n()).folder,
	'1.x': () => installed({ name: 'n8n-core-1', source: path.join(__dirname, 'n8n-core-1') }),
};

/** In: the name of a target, arguments for jest. Out: jest's exit code. */
async function testOn(target, args) {
	const modules = path.join(await TARGETS[target](), 'node_modules');
	const { version } = require(path.join(modules, 'n8n-core', 'package.json'));
	console.log(`n8n-core ${version} on Node.js ${process.version}`);
	const config = path.join(__dirname, 'jest.config.js');
	const { status } = spawnSync(
		process.execPath,
		[require.resolve('jest/bin/jest'), '--config', config, ...args],
		{ stdio: 'inherit', env: { ...process.env, N8N_MODULES: modules, BEHAVIOR: 'engine' } },
	);
	return status ?? 1;
}

/** `node test/compat/run.js [newest | 1.x] [arguments for jest]`; both without a name. */
void runMain(async () => {
	const [first, ...rest] = process.argv.slice(2);
	const isNamed = Object.hasOwn(TARGETS, first ?? '');
	const args = isNamed ? rest : process.argv.slice(2);
	const codes = [];
	for (const target of isNamed ? [first] : Object.keys(TARGETS)) {
		codes.push(await testOn(target, args));
	}
	return Math.max(...codes);
});
