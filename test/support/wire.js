'use strict';

const nock = require('nock');
const { inspect } = require('util');
const { KEY, alert } = require('./alertNode');
const { TOKEN, run } = require('./node');

const HOST = 'http://scim.test';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * Stands at the address of the test credential, records every request and gives the answers that a test laid out.
 * Call it once in a test file: it empties itself between tests, and a test fails when a request came that it had no
 * answer for, or when an answer was left over.
 */
function wire() {
	const requests = [];
	const unexpected = [];
	const inTurn = new Map();
	const standing = new Map();

	function nextAnswer(request) {
		const route = `${request.method} ${request.path}`;
		const queue = inTurn.get(route);
		const answer = queue?.length ? queue.shift() : standing.get(route);
		if (answer !== undefined) {
			return typeof answer === 'function' ? answer(request) : answer;
		}
		unexpected.push(`${request.method} ${request.uri}`);
		return [418, 'The test has no answer for this request'];
	}

	function reply(interceptor, method) {
		interceptor.reply(function (uri, body, respond) {
			const request = readRequest(method, uri, this.req.headers, body);
			requests.push(request);
			const answer = nextAnswer(request);
			const [status, content, headers, delayMs = 0] = answer;
			const isJson = typeof content === 'object';
			const send = () =>
				respond(null, [
					status,
					isJson ? JSON.stringify(content) : (content ?? ''),
					{ 'Content-Type': isJson ? 'application/scim+json' : 'text/plain', ...headers },
				]);
			if (delayMs > 0) setTimeout(send, delayMs);
			else send();
		});
	}

	beforeEach(() => {
		for (const list of [requests, unexpected]) list.length = 0;
		for (const answers of [inTurn, standing]) answers.clear();
		const scope = nock(HOST).persist();
		for (const method of METHODS) reply(scope[method](/.*/), method.toUpperCase());
	});

	afterEach(() => {
		nock.abortPendingRequests();
		nock.cleanAll();
		const left = [...inTurn].flatMap(([route, answers]) => answers.map(() => route));
		expect({ unexpected, left }).toEqual({ unexpected: [], left: [] });
	});

	return {
		requests,
		/** Answers for the next requests of a route such as `GET /scim/Users`, one each. */
		answer(route, ...answers) {
			inTurn.set(route, [...(inTurn.get(route) ?? []), ...answers]);
		},
		/** The answer for every further request of a route. */
		always(route, answer) {
			standing.set(route, answer);
		},
		/** What left, in order, as `METHOD path?query`; the query is decoded. */
		sent: () => requests.map(inWords),
		/** How many requests left, by method. */
		counts() {
			const counts = {};
			for (const { method } of requests) counts[method] = (counts[method] ?? 0) + 1;
			return counts;
		},
	};
}

// Core modules outlive a test file, and so would nock's hold on them.
afterAll(() => nock.restore());

function readRequest(method, uri, headers, body) {
	const { pathname, searchParams } = new URL(uri, HOST);
	return {
		at: Date.now(),
		method,
		uri,
		path: pathname,
		query: Object.fromEntries(searchParams),
		headers: { ...headers },
		body: typeof body === 'string' && body !== '' ? parsed(body) : body || undefined,
	};
}

function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

function inWords({ method, path, query }) {
	const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`);
	return `${method} ${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}

/**
 * Makes of `run` a run that also checks what holds for every execution whatsoever: the token and other secrets appear
 * nowhere, the input items stay as they were, every item that comes out says where it comes from.
 */
const checked = (runNode, token) => async (resource, operation, parameters, options) => {
	const { secrets = [], ...more } = options ?? {};
	const before = JSON.stringify(asItems(more.items));
	const result = await runNode(resource, operation, parameters, more);

	const everything = inspect(result, { depth: 30, maxStringLength: null, maxArrayLength: null });
	for (const secret of [token, ...secrets]) expect(everything).not.toContain(secret);
	if (result.executed) {
		expect(JSON.stringify(result.input.map(({ json }) => json))).toBe(before);
	}
	const sources = [...result.pairedItems, ...result.errorPairedItems];
	for (const items of sources) expect(items).not.toStrictEqual([]);
	return result;
};

const runChecked = checked(run, TOKEN);
const alertChecked = checked(alert, KEY);

/** The `json` of the items that the harness makes of the `items` of a test. */
function asItems(items = [{}]) {
	return items.map((item) => (typeof item.json === 'object' ? item.json : item));
}

module.exports = { HOST, alertChecked, runChecked, wire };
