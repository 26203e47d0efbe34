'use strict';

const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const KEY = 'test-harness-encryption-key';

/** n8n-core reads its settings while it is being loaded. In: a folder of its own, which may go away afterwards. */
function setUpCore(userFolder) {
	process.env.N8N_USER_FOLDER = userFolder;
	process.env.N8N_ENCRYPTION_KEY = KEY;
	process.env.N8N_LOG_LEVEL ??= 'silent';
	process.env.N8N_DIAGNOSTICS_ENABLED = 'false';
	// n8n-core sends requests through these of its own accord. A test of proxies sets them again.
	for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) {
		delete process.env[name];
		delete process.env[name.toLowerCase()];
	}
}

/** Without a folder of its own n8n-core writes its configuration into the home of whoever loads it. */
function setUpInOwnFolder() {
	if (process.env.N8N_ENCRYPTION_KEY === KEY) return;
	const folder = mkdtempSync(join(tmpdir(), 'n8n-core-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	setUpCore(folder);
}

module.exports = { setUpCore, setUpInOwnFolder };
