'use strict';

const { randomBytes } = require('node:crypto');
const { once } = require('node:events');
const express = require('express');
const { exchanges } = require('./exchange');
const { Faults } = require('./faults');
const { RequestLog } = require('./log');
const { alertingService } = require('./notification/service');
const { servePage } = require('./page');
const { RateLimit } = require('./rateLimit');
const { dialectOf } = require('./scim/dialects');
const { DEFAULTS: WELL_BEHAVED } = require('./scim/switches');
const { defaultSeed, seedOf } = require('./state/seed');
const { State } = require('./state/state');

/** Switches of what stands in front of it; those of SCIM are in scim/switches.js. */
const DEFAULTS = {
	port: 0,
	merges: true,
	patchReplaces: false,
	keepsText: false,
	// test/contract/interface.md 2.1: over 1 MB is refused.
	bodyLimit: '1mb',
	latencyMs: 0,
	rateLimit: undefined,
	faults: [],
	randomSeed: 1,
	onRequest: undefined,
	onAnswer: undefined,
};

/** test/contract/interface.md 2.1: `<key>:<orgId>`; the part before the dot names the key and is no secret. */
const newKey = (organizationId) =>
	`${randomBytes(5).toString('hex')}.${randomBytes(24).toString('hex')}:${organizationId}`;

/**
 * Starts the local service on 127.0.0.1. It speaks test/contract/interface.md parts 1 and 2 and contacts no other host.
 * @param {Partial<typeof DEFAULTS & typeof import('./scim/switches').DEFAULTS> & { seed?: import('./state/seed').Seed, accountToken?: string, apiKeys?: Record<string, string>, dialect?: string }} [options]
 *   `now` is the clock; `dialect` names one of scim/dialects.js, which other switches may change;
 *   `onRequest(entry, state)` runs before each request is carried out, `onAnswer(entry, state)` before its answer leaves
 * @returns {Promise<{ url: string, page: string, port: number, accountToken: string, apiKey: string, apiKeys: Record<string, string>, state: State, log: RequestLog, faults: Faults, options: object, close: () => Promise<void> }>}
 *   `options` may be changed while it runs; `apiKey` is that of the first managed organization
 * @throws {Error} on a seed that does not fit together, a switch that does not exist or a port that is taken
 */
async function startService({
	seed = defaultSeed(),
	accountToken,
	apiKeys,
	dialect,
	...given
} = {}) {
	if (dialect !== undefined) {
		const { path: prefix, switches } = dialectOf(dialect);
		given = { ...WELL_BEHAVED, prefix, ids: 'numbered', ...switches, ...given };
	}
	const isOfScim = ([name]) => !(name in DEFAULTS);
	const state = new State(seed, Object.fromEntries(Object.entries(given).filter(isOfScim)));
	const { switches } = state.directory;
	// One object, so that all of them can be changed while it runs.
	const options = Object.assign(switches, { ...DEFAULTS, ...given });
	switches.token = accountToken ?? newKey(state.account);
	const service = {
		options,
		state,
		log: new RequestLog(options.now),
		faults: new Faults(options.faults ?? [], options.randomSeed),
		rateLimit: new RateLimit(options.rateLimit, options.now),
		apiKeys: Object.fromEntries(
			state.organizations.map(({ id }) => [id, apiKeys?.[id] ?? newKey(id)]),
		),
	};
	const app = appOf(service);
	const server = app.listen(options.port, '127.0.0.1');
	await once(server, 'listening');
	service.port = server.address().port;
	state.directory.url = `http://127.0.0.1:${service.port}`;

	let closed;
	const managed =
		state.organizations.find(({ id }) => id !== state.account) ?? state.organizations[0];
	return {
		url: state.directory.url + (dialect === undefined ? '' : options.prefix),
		page: `${state.directory.url}/__page`,
		port: service.port,
		accountToken: switches.token,
		apiKey: service.apiKeys[managed?.id],
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
	app.use(scimFront(service, carry));
	app.use(carry(alertingOver(service)));
	app.use(failed);
	return app;
}

/** Hands what is SCIM to the service in memory. */
function scimFront({ state }, carry) {
	const carried = carry(({ method, originalUrl: url, headers, exchange: { text, fault } }) =>
		state.directory.answer(
			{ method, url, headers, body: text },
			{ keeps: fault?.kind !== 'dropped' },
		),
	);
	const { speaker } = state.directory;
	return (req, res, next) => (speaker.speaksOf(req.path) ? carried(req, res) : next());
}

/** Hands what comes over HTTP to the alerting service. */
function alertingOver(service) {
	const answer = alertingService(service);
	return ({ method, path, headers, exchange: { text, tick } }) =>
		answer({ method, path, key: headers['x-api-key'], text, tick });
}

/** For people, tests and demos in another process; not part of the service and not in its log. */
function looks(app, { log, state }) {
	servePage(app, { log, state });
	app.get('/__log', (req, res) => res.json(log.requests));
	app.get('/__table', (req, res) => res.json(state.table()));
}

module.exports = { startService, seedOf, defaultSeed };
