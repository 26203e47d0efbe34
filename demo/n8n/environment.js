'use strict';

/** The environment an n8n of the demo runs in. */

const { createServer } = require('node:net');
const { dirname, delimiter, join } = require('node:path');

// Only these come from the user's own environment. With all of it, the user's N8N_*, DB_* or
// EXECUTIONS_* variables would send the demo to a database that matters.
const KEPT = ['PATH', 'LANG', 'LC_ALL', 'TZ'];

/**
 * In: `{ node, userFolder, port, brokerPort }`. Out: the variables of one n8n process. The folder
 * `tmp` in the user folder has to exist.
 * Each process beside a server (a worker, a CLI command) needs a `brokerPort` of its own.
 */
function n8nEnvironment({ node, userFolder, port, brokerPort }) {
	const env = {};
	for (const key of KEPT) if (process.env[key] !== undefined) env[key] = process.env[key];
	return {
		...env,
		// n8n's task runner is started as `node`, which must be this one.
		PATH: [dirname(node), env.PATH].filter(Boolean).join(delimiter),
		HOME: userFolder,
		// Otherwise n8n lives in New York, and its "today" is not the demo's.
		GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
		// n8n leaves folders here.
		TMPDIR: join(userFolder, 'tmp'),
		N8N_USER_FOLDER: userFolder,
		N8N_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
		N8N_EDITOR_BASE_URL: `http://127.0.0.1:${port}/`,
		N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		// The demo's n8n is reached over plain HTTP.
		N8N_SECURE_COOKIE: 'false',
		// Nothing may call home: the demo also runs without a network.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_DISABLED_MODULES: 'mcp-registry',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		// The package under development is, by its nature, not verified by n8n.
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	};
}

/** In: how many. Out: that many ports of 127.0.0.1 that were free a moment ago. */
async function freePorts(count) {
	const servers = await Promise.all(Array.from({ length: count }, listen));
	const ports = servers.map((server) => server.address().port);
	await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
	return ports;
}

function listen() {
	return new Promise((resolve, reject) => {
		const server = createServer().once('error', reject);
		server.listen(0, '127.0.0.1', () => resolve(server));
	});
}

module.exports = { n8nEnvironment, freePorts };
