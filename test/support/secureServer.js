'use strict';

const fs = require('fs');
const http = require('http');
const https = require('https');
const path = require('path');

const read = (name) => fs.readFileSync(path.join(__dirname, 'tls', name));

/**
 * An https server on loopback with a certificate of `tls`, self-signed if not named, for as long as `work` takes.
 * @param work gets the address and the requests that came, as `METHOD path`
 */
async function withSecureServer(body, work, certificate = 'test-only') {
	const requests = [];
	const server = https.createServer(
		{ key: read('test-only.key.pem'), cert: read(`${certificate}.cert.pem`) },
		(request, response) => {
			requests.push(`${request.method} ${request.url}`);
			response.setHeader('Content-Type', 'application/json');
			response.end(JSON.stringify(body));
		},
	);
	await during(server, async (url) => await work(url, requests));
}

/** Servers that no https request reaches: one that speaks http, one whose versions of TLS are too old. */
const UNREACHED = {
	http: () => http.createServer(),
	oldTls: () =>
		https.createServer({
			key: read('test-only.key.pem'),
			cert: read('test-only.cert.pem'),
			minVersion: 'TLSv1',
			maxVersion: 'TLSv1.1',
		}),
};

async function withUnreachedServer(kind, work) {
	await during(UNREACHED[kind](), work);
}

async function during(server, work) {
	await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
	try {
		await work(`https://127.0.0.1:${server.address().port}`);
	} finally {
		server.closeAllConnections();
		await new Promise((closed) => server.close(closed));
	}
}

module.exports = { withSecureServer, withUnreachedServer };
