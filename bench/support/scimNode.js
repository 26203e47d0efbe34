'use strict';

const { inCollections } = require('../../test/support/options');

/** The SCIM Provisioning node as the jobs use it: built, in n8n-core, against a local service. */

const { startService } = require('../../demo/service');
const { runNode } = require('../../test/harness');
const { ScimProvisioning } = require('../../dist/nodes/ScimProvisioning/ScimProvisioning.node.js');
const {
	ScimProvisioningApi,
} = require('../../dist/credentials/ScimProvisioningApi.credentials.js');

const credentialType = new ScimProvisioningApi();

/** The part of `runNode`'s options that makes a node talk to this service. */
const credentialsFor = ({ url, accountToken }, more = {}) => ({
	credentials: {
		[credentialType.name]: {
			baseUrl: url,
			accountApiToken: accountToken,
			serviceProfile: 'accountOrganizations',
			...more,
		},
	},
	credentialTypes: [credentialType],
});

/** Throws: when the node failed, so that no figure is ever that of a job that was not done. */
async function run({ parameters, items }, service, credential) {
	const node = new ScimProvisioning();
	const result = await runNode(node, {
		...{ parameters: inCollections(parameters), items },
		...credentialsFor(service, credential),
	});
	if (result.error) throw result.error;
	return result;
}

/** What a program without n8n has to send along. */
const headersFor = ({ accountToken }) => ({
	authorization: `Bearer ${accountToken}`,
	accept: 'application/scim+json',
	'content-type': 'application/scim+json',
});

module.exports = {
	credentialName: credentialType.name,
	credentialsFor,
	headersFor,
	run,
	start: startService,
};
