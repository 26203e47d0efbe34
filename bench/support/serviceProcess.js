'use strict';

/**
 * The local service in a process of its own: beside the node in one process, the two would share one event loop, and
 * the service's own work would hide the node's.
 */

const { fork } = require('node:child_process');
const { once } = require('node:events');

/**
 * Out: `{ start(options), stop() }`. `start` ends the service that ran before and gives `{ url, accountToken, apiKey }` of a
 * new one, so that each measurement begins with the same people.
 */
function serviceProcess() {
	const child = fork(__filename, { stdio: 'inherit' });
	const ended = once(child, 'exit');
	return {
		async start(options) {
			child.send(options);
			const [answer] = await Promise.race([
				once(child, 'message'),
				ended.then(() => Promise.reject(new Error('The service ended by itself'))),
			]);
			return answer;
		},
		async stop() {
			child.disconnect();
			await ended;
		},
	};
}

function serve() {
	const { startService } = require('../../demo/service');
	let running;
	process.on('message', async (options) => {
		await running?.close();
		running = await startService(options);
		const { url, accountToken, apiKey } = running;
		process.send({ url, accountToken, apiKey });
	});
	process.on('disconnect', () => process.exit(0));
}

if (require.main === module) serve();

module.exports = { serviceProcess };
