'use strict';

const { runNode } = require('../harness');
const { KEY } = require('./alertingInMemory');
const { inCollections } = require('./options');
const { NotificationActions, NotificationActionsApi } = require('./built');

/** The credential of the tests: nock stands at this address. */
const alertCredential = (changes = {}) => ({
	baseUrl: 'http://scim.test',
	apiKey: KEY,
	organizationId: 'org-3454',
	...changes,
});

/**
 * Runs the built node in n8n-core.
 * @param resource `action`, `monitor` or `monitorConfiguration`
 * @param operation value of the Operation field
 * @param parameters the other fields
 * @param more items, onError, credential changes and whatever else the harness takes
 */
async function alert(resource, operation, parameters = {}, more = {}) {
	const { credential: changes, ...options } = more;
	return await runNode(new NotificationActions(), {
		parameters: inCollections({ resource, operation, ...parameters }),
		credentials: { notificationActionsApi: alertCredential(changes) },
		credentialTypes: [new NotificationActionsApi()],
		...options,
	});
}

module.exports = { KEY, alert };
