'use strict';

const { randomBytes } = require('node:crypto');
const { once } = require('node:events');
const express = require('express');
const { exchanges } = require('./exchange');
const { Faults } = require('./faults');
const { RequestLog } = require('./log');
const { alertingService } = require('./notification/service');
const { RateLimit } = require('./rateLimit');
const { scimRouter } = require('./scim/router');
const { defaultSeed, seedOf } = require('./state/seed');
const { State } = require('./state/state');

const DEFAULTS = {
	port: 0,
	documentedOnly: false,
	merges: true,
	patchReplaces: false,
	keepsText: false,
	// docs/interface.md 2.1: over 1 MB is refused.
	bodyLimit: '1mb',
	latencyMs: 0,
	pageCap: undefined,
	filter: 'on',
	lagMs: 0,
	lagReads: 0,
	indexLagMs: 0,
	patchAnswers: 'body',
	rateLimit: undefined,
	faults: [],
	randomSeed: 1,
	now: Date.now,
	onRequest: undefined,
	onAnswer: undefined,
};

/** docs/interface.md 2.1: `<key>:<orgId>`; the part before the dot names the key and is no secret. */
const newKey = (organizationId) =>
	`${randomBytes(5).toString('hex')}.${randomBytes(24).toString('hex')}:${organizationId}`;

/**
 * Starts the local service on 127.0.0.1. It speaks docs/interface.md parts 1 and 2 and contacts nobody.
 * @param {Partial<typeof DEFAULTS> & { seed?: import('./state/seed').Seed, accountToken?: string, apiKeys?: Record<string, string> }} [options]
 *   `now` is the clock; `onRequest(entry, state)` runs before each request is carried out,
 *   `onAnswer(entry, state)` before its answer leaves
 * @returns {Promise<{ url: string, port: number, accountToken: string, apiKey: string, apiKeys: Record<string, string>, state: State, log: RequestLog, faults: Faults, options: object, close: () => Promise<void> }>}
 *   of `options`, latencyMs, pageCap, filter, patchAnswers and onRequest may be changed while it runs;
 *   `apiKey` is that of the first managed organization
 * @throws {Error} on a seed that does not fit together or a port that is taken
 */
async function startService({ seed = defaultSeed(), accountToken, apiKeys, ...given } = {}) {
	const options = { ...DEFAULTS, ...given };
	const state = new State(seed, options);
	const service = {
		options,
		state,
		log: new RequestLog(options.now),
		faults: new Faults(options.faults ?? [], options.randomSeed),
		rateLimit: new RateLimit(options.rateLimit, options.now),
		accountToken: accountToken ?? newKey(state.account),
		apiKeys: Object.fromEntries(
			state.organizations.map(({ id }) => [id, apiKeys?.[id] ?? newKey(id)]),
		),
		url: () => `http://127.0.0.1:${service.port}`,
	};
	const app = appOf(service);
	const server = app.listen(options.port, '127.0.0.1');
	await once(server, 'listening');
	service.port = server.address().port;

	let closed;
	const managed =
		state.organizations.find(({ id }) => id !== state.account) ?? state.organizations[0];
	return {
		url: service.url(),
		port: service.port,
		accountToken: service.accountToken,
		apiKey: service.apiKeys[managed.id],
		apiKeys: service.apiKeys,
		state,
		log: service.log,
		faults: service.faults,
		options,
		close: () => (closed ??= stop(server)),
	};
}

async function stop(server) {
	const closed = once(server, 'close');
	server.close();
	// Answers that a fault withholds would keep it open for ever.
	server.closeAllConnections();
	await closed;
}

function appOf(service) {
	const app = express();
	app.disable('x-powered-by').disable('etag');
	looks(app, service);
	const { before, carry, failed } = exchanges(service);
	app.use(before);
	app.use(scimRouter(service, carry));
	app.use(carry(alertingOver(service)));
	app.use(failed);
	return app;
}

/** Hands what comes over HTTP to the alerting service. */
function alertingOver(service) {
	const answer = alertingService(service);
	return ({ method, path, headers, exchange: { text, tick } }) =>
		answer({ method, path, key: headers['x-api-key'], text, tick });
}

/** For tests and demos in another process; not part of the service and not in its log. */
function looks(app, { log, state }) {
	app.get('/__log', (req, res) => res.json(log.requests));
	app.delete('/__log', (req, res) => {
		log.clear();
		res.status(204).end();
	});
	app.get('/__table', (req, res) => res.json(state.table()));
}

module.exports = { startService, seedOf, defaultSeed };
