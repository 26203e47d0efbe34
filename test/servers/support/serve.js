'use strict';

const { once } = require('node:events');
const express = require('express');

/**
 * Serves an express app on a free port of this machine and notes what it is asked. Bodies come to the app as JSON.
 * @param mount gets the app before it listens
 * @returns {Promise<{ url: string, heard: Array<{ method: string, path: string, body?: object }>, close: () => Promise<void> }>}
 */
async function serve(mount) {
	const heard = [];
	const app = express();
	app.disable('x-powered-by').disable('etag');
	app.use(express.json({ type: ['application/json', 'application/scim+json'], limit: '10mb' }));
	app.use((request, response, next) => {
		const { method, path, body } = request;
		heard.push({ method, path, ...(body && { body: structuredClone(body) }) });
		next();
	});
	await mount(app);
	const server = app.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${server.address().port}`,
		heard,
		async close() {
			const closed = once(server, 'close');
			server.close();
			server.closeAllConnections();
			await closed;
		},
	};
}

module.exports = { serve };
