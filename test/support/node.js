'use strict';

const { listSearch, resourceMapping, runNode } = require('../harness');
const { inCollections } = require('./options');
const { ScimProvisioning, ScimProvisioningApi } = require('./built');

const TOKEN = 'key-of-the-account:org-acct1';

/** The credential of the tests: nock stands at this address. */
const credential = (changes = {}) => ({
	baseUrl: 'http://scim.test',
	accountApiToken: TOKEN,
	serviceProfile: 'accountOrganizations',
	...changes,
});

/** How access is chosen on an account, unless a test says otherwise. */
const ON_ACCOUNT = { accessBy: 'organizationAndRole', chooseGroupBy: 'organizationAndRole' };

/**
 * Runs the built node in n8n-core.
 * @param resource `user` or `group`
 * @param operation value of the Operation field
 * @param parameters the other fields
 * @param more items, onError, credential changes and whatever else the harness takes
 */
async function run(resource, operation, parameters = {}, more = {}) {
	const { credential: changes, ...options } = more;
	return await runNode(new ScimProvisioning(), {
		parameters: inCollections({ ...ON_ACCOUNT, resource, operation, ...parameters }),
		credentials: { scimProvisioningApi: credential(changes) },
		credentialTypes: [new ScimProvisioningApi()],
		...options,
	});
}

async function search(method, options = {}, changes = {}) {
	return await listSearch(new ScimProvisioning(), method, {
		credentials: { scimProvisioningApi: credential(changes) },
		credentialTypes: [new ScimProvisioningApi()],
		parameters: { resource: 'user', operation: 'get' },
		...options,
	});
}

/** The fields that the editor's mapper shows for an operation on users. @param changes null: without a credential */
async function fieldsOf(operation, parameters = {}, changes = {}) {
	const node = new ScimProvisioning();
	const { typeOptions } = node.description.properties.find(
		({ name, displayOptions }) =>
			(name === 'attributes' || name === 'columns') &&
			displayOptions.show.resource.includes('user') &&
			displayOptions.show.operation.includes(operation),
	);
	const { fields } = await resourceMapping(node, typeOptions.resourceMapper.resourceMapperMethod, {
		credentials: changes === null ? {} : { scimProvisioningApi: credential(changes) },
		credentialTypes: [new ScimProvisioningApi()],
		parameters: { resource: 'user', operation, ...parameters },
	});
	return fields;
}

/** A user picked by email or by id. */
const byEmail = (value) => ({ __rl: true, mode: 'email', value });
const byId = (value) => ({ __rl: true, mode: 'id', value });

/** Attributes as a workflow has them that was not made in the editor, by path. */
const mapped = (value) => ({ attributes: { mappingMode: 'defineBelow', value } });

module.exports = { TOKEN, byEmail, byId, credential, fieldsOf, mapped, run, search };
