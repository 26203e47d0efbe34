'use strict';

const { randomBytes } = require('node:crypto');
const { once } = require('node:events');
const http = require('node:http');

/** As the token endpoint of RFC 6749 sections 4.4 and 5. */
const TOKEN_PATH = '/oauth/token';

/**
 * Stands before a local service, issues tokens to its client (RFC 6749 section 4.4), and lets those pass who show one; or
 * whoever `accepts` takes. What passes goes on with the token of the service.
 *
 * @returns the gate: `url`, `tokenUrl`, `client` (`id` and `secret`); what may be changed while it runs: `accepts(headers)`,
 *   what it `says(headers)` to the others, `fault` of the token endpoint (`broken`, or an answer `[status, body, headers]`), `held` (a promise that it
 *   waits for), `beforeRequest(nth)`, `sees(headers, body)` of the token endpoint; and what it saw: `requests`, `issued`. `expire()` ends all tokens.
 */
async function startGate({ url: target, accountToken }) {
	const live = new Set();
	const gate = {
		client: { id: 'client-1', secret: randomBytes(16).toString('hex') },
		accepts: ({ authorization = '' }) => live.has(authorization.replace(/^Bearer /, '')),
		says: ({ authorization }) => `Not accepted: ${authorization}`,
		fault: undefined,
		held: undefined,
		beforeRequest: () => {},
		sees: () => {},
		requests: [],
		issued: [],
		expire: () => live.clear(),
	};

	async function issue(req, res, body) {
		const { id, secret } = gate.client;
		const given = new URLSearchParams(body);
		const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
		const isClient =
			req.headers.authorization === basic ||
			(given.get('client_id') === id && given.get('client_secret') === secret);
		gate.sees(req.headers, body);
		await gate.held;
		if (gate.fault === 'broken') return void req.socket.destroy();
		if (gate.fault !== undefined) return void json(res, ...gate.fault);
		if (!isClient || given.get('grant_type') !== 'client_credentials')
			return void json(res, 401, { error: 'invalid_client' });
		const token = randomBytes(16).toString('hex');
		gate.issued.push(token);
		live.add(token);
		json(res, 200, { access_token: token, token_type: 'Bearer', expires_in: 3600 });
	}

	function pass(req, res, body) {
		const entry = { method: req.method, path: req.url.split('?')[0], headers: req.headers };
		gate.requests.push(entry);
		gate.beforeRequest(gate.requests.length);
		res.once('finish', () => (entry.status = res.statusCode));
		if (!gate.accepts(req.headers)) {
			const detail = gate.says(req.headers);
			return void json(res, 401, { status: '401', detail });
		}
		const headers = { ...req.headers, authorization: `Bearer ${accountToken}` };
		const on = http.request(`${target}${req.url}`, { method: req.method, headers }, (answer) => {
			res.writeHead(answer.statusCode, answer.headers);
			answer.pipe(res);
		});
		on.once('error', () => res.destroy());
		on.end(body);
	}

	const server = http.createServer(async (req, res) => {
		const pieces = [];
		for await (const piece of req) pieces.push(piece);
		const body = Buffer.concat(pieces);
		(req.url === TOKEN_PATH ? issue : pass)(req, res, body.toString());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	gate.url = `http://127.0.0.1:${server.address().port}`;
	gate.tokenUrl = `${gate.url}${TOKEN_PATH}`;
	gate.close = async () => {
		server.close();
		server.closeAllConnections();
		await once(server, 'close');
	};
	return gate;
}

function json(res, status, body, headers = {}) {
	res.writeHead(status, { 'content-type': 'application/json', ...headers });
	res.end(typeof body === 'string' ? body : JSON.stringify(body));
}

module.exports = { startGate };
