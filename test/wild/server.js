'use strict';

// The local service's SCIM side on loopback, in every way that real ones were seen to be in. Plain `http`, so that it can
// also break connections, drip, cut answers off, and redirect.

const http = require('http');
const zlib = require('zlib');
const { Faults, answerUnder, carriesOut, cuts } = require('../../demo/service/faults');
const { ScimService } = require('../../demo/service/scim/service');

/**
 * Starts the server.
 * @param options `users` and `groups` (with `members` as ids) to begin with, switches (demo/service/scim/switches.js),
 *   and `faults`, the first whose `on` begins `METHOD /path` is taken, `times` times. `stored` carries the request out
 *   all the same. Then one of: `reset`, `hang`, `status` with `body` and `headers`, `nothing` (answers as if all was well
 *   and changes nothing), `wire` (a form of FORMS: the usual answer in that form), `delayMs`.
 */
async function startServer(options = {}) {
	const server = new WildServer(options);
	await server.listen();
	return server;
}

/** A fault of the tests as a rule of faults.js. */
function ruleOf({ stored, reset, hang, nothing, wire, ...rule }) {
	const [kind = rule.status === undefined ? 'usual' : 'status'] = [
		reset && 'reset-before',
		hang && 'timeout-after',
		nothing && 'dropped',
	].filter(Boolean);
	const isUsual = kind === 'usual' || kind === 'dropped';
	return { ...rule, kind, wire, write: isUsual || stored === true };
}

class WildServer {
	/** Everything that came, in order; `status` once it was answered. */
	requests = [];

	endlessBytes = 0;

	constructor({ users = [], groups = [], faults = [], onWrite, onList, ...switches }) {
		this.scim = new ScimService(
			{ users, groups },
			{
				ids: 'numbered',
				onWrite: (request) => onWrite?.(request, this),
				onList: (nth) => onList?.(nth, this),
				...switches,
			},
		);
		this.faults = new Faults(faults.map(ruleOf), 1);
		this.server = http.createServer((request, response) => {
			this.meet(request, response).catch((error) => {
				this.broken = error;
				response.destroy();
			});
		});
	}

	async listen() {
		await new Promise((listening) => this.server.listen(0, '127.0.0.1', listening));
		this.url = `http://127.0.0.1:${this.server.address().port}`;
		this.scim.url = this.url;
	}

	async close() {
		this.closing = true;
		this.server.closeAllConnections();
		await new Promise((closed) => this.server.close(closed));
		if (this.broken) throw this.broken;
	}

	/** The switches, which may be changed while it runs. */
	get is() {
		return this.scim.switches;
	}

	get lists() {
		return this.scim.speaker.lists;
	}

	get writes() {
		return this.scim.writes;
	}

	/** The users by id, to look at. */
	get users() {
		const flat = ({ attributes, id, userName, active }) => ({
			...attributes,
			id,
			userName,
			active,
		});
		return new Map([...this.scim.users].map(([id, user]) => [id, flat(user)]));
	}

	/** The members of a group as stored, in order. */
	membersOf(id) {
		return this.scim.membersOf(id);
	}

	/** Users of that name, in any case. */
	named(userName) {
		return this.scim.named(userName).map(({ id }) => this.users.get(id));
	}

	/** What came, as `METHOD path status`, without the query. */
	came(...methods) {
		return this.requests
			.filter(({ method }) => methods.length === 0 || methods.includes(method))
			.map(({ method, path, status }) => `${method} ${path} ${status}`);
	}

	/** What came and was no GET. */
	written() {
		return this.came('POST', 'PUT', 'PATCH', 'DELETE');
	}

	async meet(request, response) {
		const pieces = [];
		for await (const piece of request) pieces.push(piece);
		const { method, headers, url } = request;
		const [path, rawQuery = ''] = url.split('?');
		const text = Buffer.concat(pieces).toString('utf8');
		const entry = {
			method,
			path,
			query: Object.fromEntries(new URLSearchParams(rawQuery)),
			rawQuery,
			headers,
			text,
			body: text === '' ? undefined : JSON.parse(text),
			at: Date.now(),
		};
		this.requests.push(entry);
		const fault = this.faults.pick(entry);
		if (fault?.delayMs) await new Promise((later) => setTimeout(later, fault.delayMs));
		const isDone = fault === undefined || carriesOut(fault, entry);
		const keeps = fault?.kind !== 'dropped';
		const usual = isDone
			? this.scim.answer({ method, url, headers, body: text }, { keeps })
			: undefined;
		if (fault && cuts(fault)) {
			entry.status = 'reset';
			request.socket.destroy();
			return;
		}
		const answer = fault ? answerUnder(fault, usual, '', entry) : usual;
		entry.status = answer?.status ?? 'hung';
		if (answer !== undefined) await this.send(response, answer, fault?.wire);
	}

	async send(response, { status, text = '', type, headers }, wire) {
		response.writeHead(status, {
			...(text !== '' && { 'Content-Type': type }),
			...(/gzip/i.test(wire) && { 'Content-Encoding': 'gzip' }),
			...(wire === 'cutOff' && { 'Content-Length': Buffer.byteLength(text) }),
			...headers,
		});
		await (FORMS[wire] ?? FORMS.usual)(response, text, this);
	}
}

const halfOf = (whole) => whole.slice(0, Math.floor(whole.length / 2));
const isOver = (response, server) => server.closing || response.destroyed;

/** The forms in which an answer can come. */
const FORMS = {
	usual: (response, text) => response.end(text),
	truncated: (response, text) => response.end(halfOf(text)),
	gzip: (response, text) => response.end(zlib.gzipSync(text)),
	halfGzip: (response, text) => response.end(halfOf(zlib.gzipSync(text))),
	cutOff: (response, text) => response.write(halfOf(text), () => response.destroy()),
	bom: (response, text) => response.end(`\uFEFF${text}`),
	async drip(response, text, server) {
		for (const letter of text) {
			if (isOver(response, server)) return;
			response.write(letter);
			await new Promise((later) => setTimeout(later, 50));
		}
		response.end();
	},
	async endless(response, _text, server) {
		const piece = ' '.repeat(65_536);
		while (!isOver(response, server)) {
			server.endlessBytes += piece.length;
			if (response.write(piece)) await new Promise(setImmediate);
			else {
				await new Promise((ready) => {
					const go = () => {
						response.off('drain', go).off('close', go);
						ready();
					};
					response.on('drain', go).on('close', go);
				});
			}
		}
	},
};

/** Another host: keeps what it gets, which has to be nothing. */
async function startSink() {
	const got = [];
	const server = http.createServer((request, response) => {
		got.push({ url: request.url, method: request.method, headers: request.headers });
		response.end('{}');
	});
	await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
	return {
		got,
		url: `http://127.0.0.1:${server.address().port}`,
		async close() {
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		},
	};
}

module.exports = { startServer, startSink };
