'use strict';

/**
 * As much of Google Sheets, Slack and BambooHR as the examples need. n8n's nodes have fixed addresses for them, so n8n goes
 * through a proxy of this machine, which answers for them. The key of its certificate protects nothing: it is public.
 */

const { readFileSync } = require('node:fs');
const { createServer } = require('node:http');
const https = require('node:https');
const { connect } = require('node:net');
const { join } = require('node:path');
const { onCleanup } = require('../cleanup');
const { reportRows } = require('../plays/bamboohr');
const { tableOf } = require('../plays/tables');

const TLS = join(__dirname, 'tls');
const CERTIFICATE = join(TLS, 'vendors.cert.pem');
const SHEET = 'Desired Access';
/** Slack's documentation: the text of a section block has at most so many characters. */
const LONGEST_SECTION = 3000;
const CONNECTED = 'HTTP/1.1 200 OK\r\n\r\n';
const NOT_FOUND = [404, { error: 'There is no such thing here' }];

/**
 * In: what to do with a connection to another host. Out: `{ env, sheet, report, messages }` until the clean-up: what n8n needs
 * in its environment to come here; the rows of the one sheet, titles first; the employees of the one report; the messages
 * in Slack, each `{ channel, text, buttons }`. The last three may be changed.
 */
async function startVendors(elsewhere) {
	const vendors = {
		sheet: tableOf(SHEET)
			.trim()
			.split('\n')
			.map((line) => line.split(',')),
		report: reportRows(),
		messages: [],
	};
	const speakers = {
		'sheets.googleapis.com': ({ path }) => answerSheets(vendors, path),
		'slack.com': ({ path, body }) => answerSlack(vendors, path, body),
		'api.bamboohr.com': ({ path }) => answerBambooHr(vendors, path),
	};
	const secure = https.createServer(
		{ key: readFileSync(join(TLS, 'vendors.key.pem')), cert: readFileSync(CERTIFICATE) },
		async (request, response) => {
			const pieces = [];
			for await (const piece of request) pieces.push(piece);
			const { pathname } = new URL(request.url, 'https://vendor');
			const body = pieces.length > 0 ? JSON.parse(Buffer.concat(pieces).toString()) : undefined;
			const [status, json] = request.headers.authorization
				? speakers[request.headers.host]({ path: decodeURIComponent(pathname), body })
				: [401, { error: 'No credential came' }];
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(json));
		},
	);
	const proxy = createServer((_, response) => response.writeHead(403).end());
	proxy.on('connect', ({ url }, socket) => {
		socket.on('error', () => socket.destroy());
		if (!(url.replace(/:443$/, '') in speakers)) return elsewhere(url, socket);
		socket.write(CONNECTED);
		return secure.emit('connection', socket);
	});
	await new Promise((listening) => proxy.listen(0, '127.0.0.1', listening));
	onCleanup(() => {
		proxy.close();
		proxy.closeAllConnections();
	});
	vendors.env = {
		HTTPS_PROXY: `http://127.0.0.1:${proxy.address().port}`,
		NODE_EXTRA_CA_CERTS: CERTIFICATE,
	};
	return vendors;
}

/** Nothing else is there. */
function refuse(url, socket) {
	socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
}

/** For people, who may have a service of their own. */
function tunnel(url, socket) {
	const { hostname, port } = new URL(`https://${url}`);
	const other = connect(Number(port) || 443, hostname, () => {
		socket.write(CONNECTED);
		socket.pipe(other).pipe(socket);
	});
	other.on('error', () => socket.destroy());
	socket.on('close', () => other.destroy());
}

function answerSheets({ sheet }, path) {
	const [, range] = /^\/v4\/spreadsheets\/[^/]+(?:\/values\/(.+))?$/.exec(path) ?? [];
	if (range === `'${SHEET}'`) return [200, { range, majorDimension: 'ROWS', values: sheet }];
	if (range !== undefined) return NOT_FOUND;
	return [200, { sheets: [{ properties: { sheetId: 0, title: SHEET } }] }];
}

function answerSlack({ messages }, path, body) {
	if (path !== '/api/chat.postMessage') return NOT_FOUND;
	const { channel, blocks } = body;
	const texts = blocks.flatMap(({ type, text }) => (type === 'section' ? [text.text] : []));
	if (texts.some((text) => text.length > LONGEST_SECTION))
		return [200, { ok: false, error: 'invalid_blocks' }];
	const buttons = blocks.flatMap(({ elements = [] }) => elements);
	messages.push({
		channel,
		text: texts[0],
		buttons: Object.fromEntries(buttons.map(({ text, url }) => [text.text, url])),
	});
	return [200, { ok: true, channel, ts: `${messages.length}.0` }];
}

function answerBambooHr({ report }, path) {
	if (!/^\/api\/gateway\.php\/[^/]+\/v1\/reports\/\d+\/$/.test(path)) return NOT_FOUND;
	return [200, { title: 'Leavers', fields: [], employees: report }];
}

module.exports = { refuse, startVendors, tunnel };
