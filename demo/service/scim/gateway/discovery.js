'use strict';

const { Messages, Schemas } = require('scimmy');
const { scim, notFound, USER, GROUP } = require('./messages');

const CONFIG = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
const RESOURCE_TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';

/**
 * The three discovery documents (test/contract/interface.md 2.1): they answer to any token, and they say that
 * there is no filter although there is.
 * @param {import('../service').ScimService} service
 * @returns {Record<string, object>} routes by name in lower case
 */
function discovery(service) {
	const described = [Schemas.User, Schemas.Group].map(({ definition }) => definition.describe());
	const type = (name, schema) => ({
		schemas: [RESOURCE_TYPE],
		id: name,
		name,
		endpoint: `/${name}s`,
		schema,
	});
	const config = {
		collection: {
			GET: ({ path }) => scim(200, { ...CONFIGURATION, meta: { location: service.url + path } }),
		},
	};
	const types = { collection: { GET: () => list([type('User', USER), type('Group', GROUP)]) } };
	const schemas = {
		collection: { GET: () => list(described) },
		item: {
			GET({ id }) {
				const schema = described.find(({ name }) => name === id.replace(/s$/, ''));
				if (!schema) throw notFound(id);
				return scim(200, schema);
			},
		},
	};
	return {
		serviceproviderconfig: config,
		serviceproviderconfigs: config,
		schemas,
		resourcetype: types,
		resourcetypes: types,
	};
}

const list = (resources) =>
	scim(200, {
		schemas: [Messages.ListResponse.id],
		totalResults: resources.length,
		itemsPerPage: resources.length,
		startIndex: 1,
		Resources: resources,
	});

const CONFIGURATION = {
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
};

module.exports = { discovery };
