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
			serviceProfile: 'accountOrganizations',
			// Without it nothing keeps Set from taking the account's admins away.
			accountOrganizationId: state.account,
			organizationNames: {
				organization: state.organizations.map(({ id, name }) => ({ name, id })),
			},
		},
	};
}

/** In: a running service of another kind, of which only the address and the token are known. */
function genericCredential({ url, accountToken }) {
	return {
		name: 'Generic SCIM account',
		type: 'scimProvisioningApi',
		data: { baseUrl: url, accountApiToken: accountToken, serviceProfile: 'generic' },
	};
}

/** In: a running service, one of its organizations, whose key this is. */
function alertingCredential({ url, apiKeys }, organizationId) {
	return {
		name: 'Notification Actions account',
		type: 'notificationActionsApi',
		data: { baseUrl: url, apiKey: apiKeys[organizationId], organizationId },
	};
}

/** In: a running mail server of this machine. */
function mailCredential({ port }) {
	const data = { user: '', password: '', host: '127.0.0.1', port, secure: false };
	return { name: 'SMTP account', type: 'smtp', data: { ...data, disableStartTls: true } };
}

/** In: the address of a model of this machine. */
function modelCredential(url) {
	return { name: 'OpenAI account', type: 'openAiApi', data: { apiKey: 'stand-in', url } };
}

/** What n8n/vendors.js takes: nothing is sent to Google, Slack or BambooHR. */
function vendorCredentials() {
	const google = { clientId: 'stand-in', clientSecret: 'stand-in' };
	const oauthTokenData = { access_token: 'stand-in', token_type: 'Bearer' };
	return [
		{
			name: 'Google Sheets account',
			type: 'googleSheetsOAuth2Api',
			data: { ...google, oauthTokenData },
		},
		{ name: 'Slack account', type: 'slackApi', data: { accessToken: 'stand-in' } },
		{
			name: 'BambooHR account',
			type: 'bambooHrApi',
			data: { subdomain: 'example', apiKey: 'stand-in' },
		},
	];
}

/** What a system that sends something proves itself with; `data` holds the header and its secret. */
function senderCredential(name, header) {
	return {
		name,
		type: 'httpHeaderAuth',
		data: { name: header, value: randomBytes(18).toString('hex') },
	};
}

/** Out: the headers of a request that carries a Header Auth credential. */
function headersOf({ data }) {
	return { [data.name]: data.value };
}

module.exports = {
	scimCredential,
	genericCredential,
	alertingCredential,
	mailCredential,
	modelCredential,
	senderCredential,
	vendorCredentials,
	headersOf,
};
