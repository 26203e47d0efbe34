'use strict';

const { createRequire } = require('module');

// n8n-core 2.11 starts a manager of SSH connections with every execution. Its timer of a minute would
// keep jest from ending, and its listener would pile up on the process with every test file.

const requireFromCore = createRequire(require.resolve('n8n-core'));
const { Container } = requireFromCore('@n8n/di');
const { SSHClientsManager } = requireFromCore('./execution-engine/ssh-clients-manager');

function stopCoreTimers() {
	const listenersBefore = process.listeners('exit');
	Container.get(SSHClientsManager).onShutdown();
	for (const listener of process.listeners('exit')) {
		if (!listenersBefore.includes(listener)) process.removeListener('exit', listener);
	}
}

module.exports = { stopCoreTimers };
