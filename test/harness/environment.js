'use strict';

// n8n-core reads its settings while it is being loaded: this file has to come before it.

const fs = require('fs');
const os = require('os');
const path = require('path');

const userFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'n8n-harness-'));

process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_ENCRYPTION_KEY = 'test-harness-encryption-key';
process.env.N8N_LOG_LEVEL ??= 'silent';
process.env.N8N_DIAGNOSTICS_ENABLED = 'false';

// n8n-core sends requests through these of its own accord. A test of proxies sets them again.
for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) {
	delete process.env[name];
	delete process.env[name.toLowerCase()];
}

const removeUserFolder = () => fs.rmSync(userFolder, { recursive: true, force: true });
if (typeof afterAll === 'function') afterAll(removeUserFolder);
else process.once('exit', removeUserFolder);
