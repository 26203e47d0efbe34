'use strict';

const { startService } = require('../../demo/service');
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

/** The roles of a person by organization, as the service has them. */
const rolesOf = (service, userName) =>
	service.state.table().people.find((person) => person.userName === userName)?.roles;

module.exports = { rolesOf, withService };
