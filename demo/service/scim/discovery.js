'use strict';

const { Messages, Schemas } = require('scimmy');
const { scim, USER, GROUP } = require('./messages');

const CONFIG = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
const RESOURCE_TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';

/**
 * The three discovery documents (docs/interface.md 2.1): they answer to any token, and they say that
 * there is no filter although there is.
 */
function discovery() {
	const list = (resources) =>
		scim(200, {
			schemas: [Messages.ListResponse.id],
			totalResults: resources.length,
			itemsPerPage: resources.length,
			startIndex: 1,
			Resources: resources,
		});
	const type = (name, schema) => ({
		schemas: [RESOURCE_TYPE],
		id: name,
		name,
		endpoint: `/${name}s`,
		schema,
	});

	return {
		serviceProviderConfig: () =>
			scim(200, {
				schemas: [CONFIG],
				patch: { supported: true },
				bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
				filter: { supported: false, maxResults: 0 },
				changePassword: { supported: false },
				sort: { supported: false },
				etag: { supported: false },
				authenticationSchemes: [
					{
						type: 'oauthbearertoken',
						name: 'OAuth Bearer Token',
						description: 'Authentication with an account token',
					},
				],
			}),
		schemas: () => list([Schemas.User, Schemas.Group].map((one) => one.definition.describe())),
		resourceTypes: () => list([type('User', USER), type('Group', GROUP)]),
	};
}

module.exports = { discovery };
