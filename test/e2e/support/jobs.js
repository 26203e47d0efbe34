'use strict';

const { locator, oneRole } = require('../../support/accessRows');
/** Jobs of both nodes, reading and writing, for a server that may fail at any of them. */

/** So that a failure is over soon. In seconds. */
const PATIENCE = { maxWait: 0, timeout: 1 };
const PATIENCE_OF_WRITES = { maxWait: 1, timeout: 1, verifyTime: 1 };

const byId = (value) => ({ __rl: true, mode: 'id', value });
const ANA = 'margaret.osei@example.com';

/** Out: parameters of the node SCIM Provisioning, by title. */
function scimJobs() {
	const reading = { options: PATIENCE };
	const writing = { options: PATIENCE_OF_WRITES };
	const access = {
		people: 'new.person@example.com',
		...oneRole(locator('id', 'org-3454'), 'member'),
	};
	return {
		'get user': {
			resource: 'user',
			operation: 'get',
			user: { __rl: true, mode: 'email', value: ANA },
			...reading,
		},
		'get users': { resource: 'user', operation: 'getAll', returnAll: true, ...reading },
		'get groups': { resource: 'group', operation: 'getAll', returnAll: true, ...reading },
		'get capabilities': { resource: 'service', operation: 'getCapabilities', ...reading },
		'check service': {
			resource: 'service',
			operation: 'check',
			allowTestObjects: true,
			...writing,
		},
		'get matrix': { resource: 'access', operation: 'getMatrix', ...reading },
		'create user': {
			resource: 'user',
			operation: 'create',
			userName: 'new.person@example.com',
			...writing,
		},
		'upsert user': {
			resource: 'user',
			operation: 'upsert',
			userName: ANA,
			attributes: { mappingMode: 'defineBelow', value: { 'name.givenName': 'Maggie' } },
			...writing,
		},
		'assign role': {
			resource: 'access',
			operation: 'assign',
			createMissing: true,
			...access,
			...writing,
		},
		reconcile: {
			resource: 'access',
			operation: 'reconcile',
			preview: false,
			wantedFrom: 'json',
			wantedJson: JSON.stringify([{ email: ANA, organization: 'org-7788', role: 'admin' }]),
			accessBy: 'organizationAndRole',
			scopeOrganizations: 'org-7788',
			unwanted: 'keep',
			...writing,
		},
	};
}

/**
 * In: secrets by what they are for. Out: parameters of the node Notification Actions, by title. Each secret
 * is two halves that an expression puts together.
 */
function alertingJobs(secrets) {
	const half = (text) => Math.floor(text.length / 2);
	const halves = (text) => `'${text.slice(0, half(text))}' + '${text.slice(half(text))}'`;
	const together = (start, secret, end = '') => `={{ '${start}' + ${halves(secret)} + '${end}' }}`;
	const reading = { options: PATIENCE };
	const writing = { options: PATIENCE_OF_WRITES };
	const upsert = { resource: 'action', operation: 'upsert', ...writing };
	const monitors = { model: byId('model-1'), models: 'one', monitors: 'all', ...writing };
	return {
		'get action': {
			resource: 'action',
			operation: 'get',
			action: byId('oncall-pager'),
			...reading,
		},
		'get actions': { resource: 'action', operation: 'getAll', returnAll: true, ...reading },
		'get monitors': {
			resource: 'monitor',
			operation: 'getAll',
			returnAll: true,
			models: 'one',
			model: byId('model-1'),
			...reading,
		},
		'get configuration': {
			resource: 'monitorConfiguration',
			operation: 'get',
			model: byId('model-1'),
			...reading,
		},
		'upsert chat': {
			...upsert,
			actionId: 'secret-chat',
			kind: 'chatWebhook',
			webhookUrl: together('https://chat.example.com/services/', secrets.chat),
		},
		'upsert pager': {
			...upsert,
			actionId: 'secret-pager',
			kind: 'incidentPaging',
			serviceKey: together('', secrets.pager),
		},
		'upsert hook': {
			...upsert,
			actionId: 'secret-hook',
			kind: 'webhook',
			url: together('https://hooks.example.com/', secrets.hookPath),
			headers: { header: [{ name: 'X-Key', value: together('Bearer ', secrets.hookHeader) }] },
			body: together('{"key":"', secrets.hookBody, '"}'),
		},
		'upsert other': {
			...upsert,
			actionId: 'secret-other',
			kind: 'other',
			otherKind: 'PAGER_DUTY',
			payload: together('{"pagerDutyKey":"', secrets.other, '"}'),
		},
		'disable action': {
			resource: 'action',
			operation: 'disable',
			action: byId('oncall-pager'),
			...writing,
		},
		'attach action': {
			resource: 'monitor',
			operation: 'attach',
			action: byId('oncall-pager'),
			...monitors,
		},
	};
}

module.exports = { scimJobs, alertingJobs, PATIENCE };
