'use strict';

const { startService } = require('../../demo/service');
const { alertingService } = require('../../demo/service/notification/service');
const { alert: runAlert } = require('./alertNode');
const { ORG } = require('./configurations');
const { run } = require('./node');

/**
 * Runs a test against the local service over real sockets.
 * @param options switches of the service
 * @param work gets the service, and `scim(resource, operation, parameters, more)` and `alert(…)`: the two nodes with
 *   their credentials, that of alert for org-3454
 */
async function withService(options, work) {
	const service = await startService(options);
	const scim = async (resource, operation, parameters, { credential, ...more } = {}) =>
		await run(resource, operation, parameters, {
			credential: { baseUrl: service.url, accountApiToken: service.accountToken, ...credential },
			...more,
		});
	const alert = async (resource, operation, parameters, { credential, ...more } = {}) =>
		await runAlert(resource, operation, parameters, {
			credential: { baseUrl: service.url, apiKey: service.apiKeys[ORG], ...credential },
			...more,
		});
	try {
		await work(service, scim, alert);
	} finally {
		await service.close();
	}
}

/** What left, in order, as `METHOD path status`. */
const requestsOf = (service) =>
	service.log.requests.map(({ method, path, status }) => `${method} ${path} ${status}`);

/** How many requests left, by method. */
const countsOf = (service) => {
	const counts = {};
	for (const { method } of service.log.requests) counts[method] = (counts[method] ?? 0) + 1;
	return counts;
};

/** The roles of a person by organization, as the service has them. */
const rolesOf = (service, userName) =>
	service.state.table().people.find((person) => person.userName === userName)?.roles;

/**
 * Somebody else writes a monitor of org-3454, as the service lets them; it is in no log.
 * @param edit gets the monitor, which it may change; false from it removes the monitor
 */
function writeElsewhere({ state, apiKeys }, model, id, edit) {
	const path = `/v0/organizations/${ORG}/models/${model}/monitor-config/monitor/${id}`;
	const answer = alertingService({ state, apiKeys, options: {} });
	const key = apiKeys[ORG];
	const monitor = JSON.parse(answer({ method: 'GET', path, key }).text);
	const method = edit(monitor) === false ? 'DELETE' : 'PUT';
	expect(answer({ method, path, key, text: JSON.stringify(monitor) }).status).toBe(200);
}

/**
 * Has somebody else write once: `between` our read of a configuration and our write, so that we do not know of it;
 * `during` our write, which the service then drops with 200 because it came first and is done later; or `after` it,
 * before it is answered.
 */
function meddle({ options }, when, write) {
	const hook = when === 'during' ? 'onRequest' : 'onAnswer';
	options[hook] = ({ method, path }) => {
		const writes = options.merges === false ? ['PUT'] : ['PUT', 'PATCH'];
		if (!path.endsWith('/v3') || !(when === 'between' ? ['GET'] : writes).includes(method)) return;
		options[hook] = undefined;
		write();
	};
}

module.exports = { countsOf, meddle, requestsOf, rolesOf, withService, writeElsewhere };
