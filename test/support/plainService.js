'use strict';

const http = require('http');

/**
 * A server on loopback that keeps what arrives sign for sign, for what the local service normalizes or never says.
 * @param answer gets `{ method, path, text }` and gives `[status, text, headers]`; objects go out as JSON
 * @param work gets the address and the list of requests
 */
async function withPlainService(answer, work) {
	const requests = [];
	const server = http.createServer(async (request, response) => {
		const pieces = [];
		for await (const piece of request) pieces.push(piece);
		const { method, headers } = request;
		const seen = { method, path: request.url, headers, text: Buffer.concat(pieces).toString() };
		requests.push(seen);
		const [status, content = '', more] = answer(seen);
		const isText = typeof content === 'string';
		response.writeHead(status, {
			'Content-Type': isText ? 'text/plain' : 'application/json',
			...more,
		});
		response.end(isText ? content : JSON.stringify(content));
	});
	await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
	try {
		await work(`http://127.0.0.1:${server.address().port}`, requests);
	} finally {
		server.closeAllConnections();
		await new Promise((closed) => server.close(closed));
	}
}

/**
 * Answers as a service with one configuration does: it keeps the text of a PUT, and merges the monitors of a PATCH.
 * @param text the stored text, at first
 * @param more `actions`, the list of them
 */
function oneConfiguration(text, { actions = [{ id: 'chat', type: 'SLACK', payload: {} }] } = {}) {
	const stored = { text };
	return {
		stored,
		answer({ method, path, text: sent }) {
			if (path.endsWith('/actions')) return [200, actions];
			if (method === 'PUT') stored.text = sent;
			if (method === 'PATCH') {
				const document = JSON.parse(stored.text);
				for (const monitor of JSON.parse(sent).monitors) {
					const at = document.monitors.findIndex(({ id }) => id === monitor.id);
					document.monitors[at] = monitor;
				}
				stored.text = JSON.stringify(document);
			}
			return method === 'GET'
				? [200, stored.text, { 'Content-Type': 'application/json' }]
				: [200, { requestId: 'r-1' }];
		},
	};
}

module.exports = { oneConfiguration, withPlainService };
