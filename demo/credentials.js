'use strict';

/** The credentials that the example workflows refer to by name, filled in for the local service. */

const { randomBytes } = require('node:crypto');

/** In: a running service. Organizations can then be given by name, as HR does. */
function scimCredential({ url, accountToken, state }) {
	return {
		name: 'SCIM Provisioning account',
		type: 'scimProvisioningApi',
		data: {
			baseUrl: url,
			accountApiToken: accountToken,
			// Without it nothing keeps Set Access from taking the account's admins away.
			accountOrganizationId: state.account,
			organizationNames: {
				organization: state.organizations.map(({ id, name }) => ({ name, id })),
			},
		},
	};
}

/** What the HR system proves itself with; `data` holds the header and its secret. */
function hrCredential() {
	return {
		name: 'HR system',
		type: 'httpHeaderAuth',
		data: { name: 'X-HR-Secret', value: randomBytes(18).toString('hex') },
	};
}

/** Out: the headers of a request that carries a Header Auth credential. */
function headersOf({ data }) {
	return { [data.name]: data.value };
}

module.exports = { scimCredential, hrCredential, headersOf };
