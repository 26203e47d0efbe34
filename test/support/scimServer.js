'use strict';

const http = require('http');
const { startService } = require('../../demo/service');
const { DEFAULTS } = require('../../demo/service/scim/switches');

/**
 * Starts the local service, well-behaved but for its switches (demo/service/scim/switches.js).
 * @param options `token`, `users` and `groups` (with `members` as ids) to begin with, switches, and `faults`: the first
 *   whose `on` begins `METHOD /path` is taken, `times` times. `stored` carries the request out all the same. Then one of:
 *   `reset`, `hang`, `status` with `body` and `headers`, `nothing` (answers as if all was well and changes nothing),
 *   `wire` (a form of demo/service/wire.js: the usual answer in that form), `delayMs`.
 */
async function startServer({ token, users, groups, faults = [], ...switches }) {
	const server = new WildServer();
	server.service = await startService({
		...DEFAULTS,
		ids: 'numbered',
		...switches,
		seed: { organizations: [], users, groups },
		faults: faults.map(ruleOf),
	});
	// Without a token, anybody may do anything.
	server.is.token = token;
	return server;
}

/** A fault of the tests as a rule of demo/service/faults.js. */
function ruleOf({ stored, reset, hang, nothing, wire, ...rule }) {
	if (reset) return { ...rule, kind: 'reset-before', write: stored };
	if (hang) return { ...rule, kind: 'timeout-after', write: stored === true };
	if (rule.status !== undefined) return { ...rule, kind: 'status', write: stored };
	return { ...rule, kind: nothing ? 'dropped' : (wire ?? 'usual') };
}

/** What the tests ask of it. */
class WildServer {
	get url() {
		return this.service.url;
	}

	/** Everything that came, in order. */
	get requests() {
		return this.service.log.requests;
	}

	/** The SCIM side itself, for somebody else who writes. */
	get scim() {
		return this.service.state.directory;
	}

	/** The switches, which may be changed while it runs. */
	get is() {
		return this.service.options;
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
			.map(({ method, path, status = 'unanswered' }) => `${method} ${path} ${status}`);
	}

	/** What came and was no GET. */
	written() {
		return this.came('POST', 'PUT', 'PATCH', 'DELETE');
	}

	async close() {
		await this.service.close();
		const [failure] = this.service.log.failures;
		if (failure) throw failure;
	}
}

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
