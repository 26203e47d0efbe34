'use strict';

const fs = require('fs');
const https = require('https');
const path = require('path');

const read = (name) => fs.readFileSync(path.join(__dirname, 'tls', name));

/**
 * An https server on loopback with a self-signed certificate, for as long as `work` takes.
 * @param work gets the address and the requests that came, as `METHOD path`
 */
async function withSecureServer(body, work) {
	const requests = [];
	const server = https.createServer(
		{ key: read('test-only.key.pem'), cert: read('test-only.cert.pem') },
		(request, response) => {
			requests.push(`${request.method} ${request.url}`);
			response.setHeader('Content-Type', 'application/json');
			response.end(JSON.stringify(body));
		},
	);
	await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
	try {
		await work(`https://127.0.0.1:${server.address().port}`, requests);
	} finally {
		server.closeAllConnections();
		await new Promise((closed) => server.close(closed));
	}
}

module.exports = { withSecureServer };
