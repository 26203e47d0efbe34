'use strict';

/**
 * A server in front of the local service that fails in every way we know and, whenever it says something,
 * says back what it was given: the token, the key, the body.
 */

const { createServer, request: forward } = require('node:http');
const { once } = require('node:events');
const { onCleanup } = require('../../../demo/cleanup');

const SCIM_ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

/**
 * How to fail. An answer that is none of these, with the token among the data that it gives, is not here: data
 * comes out as the service gives it.
 *
 * In: `{ res, given, elsewhere, real() }`: the answer to write, what was sent as one text,
 * a host that is none of its business, what the service answers as `{ status, headers, body }`.
 */
const FAILURES = {
	'401 in HTML': ({ res, given }) => html(res, 401, given),
	'403 in JSON': ({ res, given }) => scimError(res, 403, given),
	'404 in plain text': ({ res, given }) => plain(res, 404, given),
	'409 in JSON': ({ res, given }) => scimError(res, 409, given),
	'429 in plain text': ({ res, given }) => plain(res, 429, given),
	'429 that asks for hours': ({ res, given }) => plain(res, 429, given, { 'retry-after': '7200' }),
	'500 in HTML': ({ res, given }) => html(res, 500, given),
	'500 in JSON': ({ res, given }) =>
		json(res, 500, { message: given, error: given, type: given, title: given }),
	'400 of the alerting kind': ({ res, given }) => json(res, 400, { type: given, message: given }),
	'a status line that talks': ({ res, given }) => {
		res.statusMessage = given.replace(/[^\x20-\x7e]/g, ' ').slice(0, 2_000);
		res.writeHead(502, { 'www-authenticate': header(given), 'set-cookie': header(given) }).end();
	},
	'200 with a web page': ({ res, given }) => html(res, 200, given),
	'200 with an error': ({ res, given }) => scimError(res, 200, given),
	'301 to another host': ({ res, given, elsewhere }) => redirect(res, 301, given, elsewhere),
	'302 to another host': ({ res, given, elsewhere }) => redirect(res, 302, given, elsewhere),
	'307 to another host': ({ res, given, elsewhere }) => redirect(res, 307, given, elsewhere),
	'308 to another host': ({ res, given, elsewhere }) => redirect(res, 308, given, elsewhere),
	'a Location that is none': ({ res, given }) =>
		res.writeHead(302, { location: `http://${header(given)}/` }).end(),
	'an answer cut off, as it says': async ({ res, real }) => {
		const { status, body } = await real();
		const half = body.subarray(0, Math.floor(body.length / 2));
		res.writeHead(status, { 'content-type': 'application/json' }).end(half);
	},
	'an answer that breaks off': async ({ res, real }) => {
		const { status, body } = await real();
		res.writeHead(status, { 'content-length': body.length + 10 });
		res.write(body.subarray(0, Math.floor(body.length / 2)), () => res.destroy());
	},
	'an echo that breaks off': ({ res, given }) => {
		const body = JSON.stringify({ Resources: [{ id: given }] });
		res.writeHead(200, { 'content-type': 'application/json' }).end(body.slice(0, -4));
	},
	'no HTTP at all': ({ res, given }) => res.socket.end(`${given}\r\n\r\n`),
	'a connection that is cut': ({ res }) => res.socket.resetAndDestroy(),
	'no answer': () => {},
};

const header = (text) => encodeURIComponent(text).replaceAll('%3A', ':').slice(0, 2_000);
const write = (res, status, type, text, more) =>
	res.writeHead(status, { 'content-type': type, ...more }).end(text);
const plain = (res, status, given, more) => write(res, status, 'text/plain', given, more);
const json = (res, status, body) => write(res, status, 'application/json', JSON.stringify(body));
const scimError = (res, status, given) =>
	json(res, status, {
		schemas: [SCIM_ERROR],
		status: '500',
		scimType: given,
		detail: `Not with ${given}`,
	});
const html = (res, status, given) =>
	write(
		res,
		status,
		'text/html',
		`<html><head><title>No: ${given}</title></head><body data-x="${given}"><h1>${given}</h1></body></html>`,
	);
const redirect = (res, status, given, elsewhere) =>
	res.writeHead(status, { location: `${elsewhere}/moved?given=${header(given)}` }).end(given);

/**
 * In: the address of the service, the address of a host that is none of its business.
 * Out: `{ url, mode, count }`; `mode` is set to `{ name, writesOnly }` or to nothing; `count` is how many
 * requests have met a failure so far, by its name.
 */
async function startHostile(serviceUrl, elsewhere) {
	const hostile = { mode: undefined, count: {} };
	const server = createServer(async (req, res) => {
		const body = await bodyOf(req);
		const real = () => ask(serviceUrl, req, body);
		const { name, writesOnly } = hostile.mode ?? {};
		if (!name || (writesOnly && req.method === 'GET')) {
			const { status, headers, body: answer } = await real();
			res.writeHead(status, headers).end(answer);
			return;
		}
		hostile.count[name] = (hostile.count[name] ?? 0) + 1;
		const { authorization = '', 'x-api-key': key = '' } = req.headers;
		const given = [authorization, key, body.toString('utf8')].filter(Boolean).join(' ');
		await FAILURES[name]({ res, given, elsewhere, real });
	});
	hostile.url = `http://127.0.0.1:${await listen(server, '127.0.0.1')}`;
	return hostile;
}

/** Out: `{ url, seen }`, a host that only writes down what it gets: each request, and each connection. */
async function startRecorder(host) {
	const seen = [];
	const server = createServer(async (req, res) => {
		const body = await bodyOf(req);
		seen.push(`${req.method} ${req.url} ${req.rawHeaders.join(' ')} ${body}`);
		res.writeHead(200, { 'content-type': 'application/json' }).end('{"Resources":[]}');
	});
	server.on('connection', () => seen.push('a connection'));
	return { url: `http://${host}:${await listen(server, host)}`, seen };
}

async function listen(server, host) {
	server.listen(0, host);
	await once(server, 'listening');
	onCleanup(() => {
		server.close();
		server.closeAllConnections();
	});
	return server.address().port;
}

async function bodyOf(stream) {
	const pieces = [];
	for await (const piece of stream) pieces.push(piece);
	return Buffer.concat(pieces);
}

function ask(serviceUrl, { method, url, headers }, body) {
	return new Promise((resolve, reject) => {
		const options = { method, headers: { ...headers, connection: 'close' } };
		const asked = forward(`${serviceUrl}${url}`, options, async (res) => {
			const { 'transfer-encoding': chunked, connection, ...rest } = res.headers;
			resolve({ status: res.statusCode, headers: rest, body: await bodyOf(res) });
		});
		asked.once('error', reject);
		asked.end(body);
	});
}

module.exports = { startHostile, startRecorder, FAILURES: Object.keys(FAILURES) };
