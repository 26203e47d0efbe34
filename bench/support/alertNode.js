'use strict';

/** The Notification Actions node as the jobs use it: built, in n8n-core, against a local service. */

const { startService } = require('../../demo/service');
const { runNode } = require('../../test/harness');
const {
	NotificationActions,
} = require('../../dist/nodes/NotificationActions/NotificationActions.node.js');
const {
	NotificationActionsApi,
} = require('../../dist/credentials/NotificationActionsApi.credentials.js');

const credentialType = new NotificationActionsApi();

/** The part of `runNode`'s options that makes a node talk to this service. */
const credentialsFor = ({ url, apiKey }) => ({
	credentials: {
		[credentialType.name]: {
			baseUrl: url,
			apiKey,
			organizationId: apiKey.slice(apiKey.lastIndexOf(':') + 1),
		},
	},
	credentialTypes: [credentialType],
});

/** Throws: when the node failed, so that no figure is ever that of a job that was not done. */
async function run({ parameters, items }, service) {
	const node = new NotificationActions();
	const result = await runNode(node, { parameters, items, ...credentialsFor(service) });
	if (result.error) throw result.error;
	return result;
}

/** What a program without n8n has to send along. */
const headersFor = ({ apiKey }) => ({
	'x-api-key': apiKey,
	accept: 'application/json',
	'content-type': 'application/json',
});

module.exports = {
	credentialName: credentialType.name,
	credentialsFor,
	headersFor,
	run,
	start: startService,
};
