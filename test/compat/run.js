'use strict';

// Runs the tests of the nodes on the newest n8n-core that was seen to run here: the one of the demo's n8n. `npm test`
// runs them on the oldest that the README claims.

const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { installN8n } = require('../../demo/n8n/install');

async function main() {
	const { folder } = await installN8n();
	const modules = path.join(folder, 'node_modules');
	const { version } = require(path.join(modules, 'n8n-core', 'package.json'));
	console.log(`n8n-core ${version} on Node.js ${process.version}`);
	const config = path.join(__dirname, 'jest.config.js');
	const { status } = spawnSync(
		process.execPath,
		[require.resolve('jest/bin/jest'), '--config', config, ...process.argv.slice(2)],
		{ stdio: 'inherit', env: { ...process.env, N8N_MODULES: modules } },
	);
	process.exitCode = status ?? 1;
}

main().catch((error) => {
	console.error(error);
	process.exitCode = 1;
});
