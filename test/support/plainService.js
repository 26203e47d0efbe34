'use strict';

const http = require('http');

/**
 * A server on loopback that answers as a test says, for what the local service never says.
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

module.exports = { withPlainService };
