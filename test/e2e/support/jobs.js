'use strict';

/** Jobs of both nodes, reading and writing, for a server that may fail at any of them. */

const { locator, oneRole } = require('../../support/accessRows');

/** So that a failure is over soon. In seconds. */
const PATIENCE = { maxWait: 0, timeout: 1 };

const reading = (resource, operation, more) => ({
	resource,
	operation,
	...more,
	options: PATIENCE,
});
const writing = (resource, operation, more) => ({
	...{ resource, operation, ...more, options: { maxWait: 1, timeout: 1, verifyTime: 1 } },
});

const ANA = 'margaret.osei@example.com';
const NEW = 'new.person@example.com';

/** Out: parameters of the node SCIM Provisioning, by title. */
const scimJobs = () => ({
	'get user': reading('user', 'get', { user: locator('email', ANA) }),
	'get users': reading('user', 'getAll', { returnAll: true }),
	'get groups': reading('group', 'getAll', { returnAll: true }),
	'get capabilities': reading('service', 'getCapabilities'),
	'get matrix': reading('access', 'getMatrix'),
	'create user': writing('user', 'create', { userName: NEW }),
	'upsert user': writing('user', 'upsert', {
		userName: ANA,
		attributes: { mappingMode: 'defineBelow', value: { 'name.givenName': 'Maggie' } },
	}),
	'assign role': writing('access', 'assign', {
		...{ people: NEW, createMissing: true },
		...oneRole(locator('id', 'org-3454'), 'member'),
	}),
	reconcile: writing('access', 'reconcile', {
		...{ preview: false, unwanted: 'keep' },
		wantedFrom: 'json',
		wantedJson: JSON.stringify([{ email: ANA, organization: 'org-7788', role: 'admin' }]),
		...{ accessBy: 'organizationAndRole', scopeOrganizations: 'org-7788' },
	}),
});

/**
 * In: secrets by what they are for. Out: parameters of the node Notification Actions, by title. Each secret
 * is two halves that an expression puts together.
 */
function alertingJobs(secrets) {
	const half = (text) => Math.floor(text.length / 2);
	const halves = (text) => `'${text.slice(0, half(text))}' + '${text.slice(half(text))}'`;
	const together = (start, secret, end = '') => `={{ '${start}' + ${halves(secret)} + '${end}' }}`;
	const pager = { action: locator('id', 'oncall-pager') };
	const model = { model: locator('id', 'model-1') };
	const upsert = (actionId, kind, more) => writing('action', 'upsert', { actionId, kind, ...more });
	return {
		'get action': reading('action', 'get', pager),
		'get actions': reading('action', 'getAll', { returnAll: true }),
		'get monitors': reading('monitor', 'getAll', { returnAll: true, models: 'one', ...model }),
		'get configuration': reading('monitorConfiguration', 'get', model),
		'upsert chat': upsert('secret-chat', 'chatWebhook', {
			webhookUrl: together('https://chat.example.com/services/', secrets.chat),
		}),
		'upsert pager': upsert('secret-pager', 'incidentPaging', {
			serviceKey: together('', secrets.pager),
		}),
		'upsert hook': upsert('secret-hook', 'webhook', {
			url: together('https://hooks.example.com/', secrets.hookPath),
			headers: { header: [{ name: 'X-Key', value: together('Bearer ', secrets.hookHeader) }] },
			body: together('{"key":"', secrets.hookBody, '"}'),
		}),
		'upsert other': upsert('secret-other', 'other', {
			otherKind: 'PAGER_DUTY',
			payload: together('{"pagerDutyKey":"', secrets.other, '"}'),
		}),
		'disable action': writing('action', 'disable', pager),
		'attach action': writing('monitor', 'attach', {
			...{ ...pager, ...model, models: 'one', monitors: 'all' },
		}),
	};
}

module.exports = { scimJobs, alertingJobs, PATIENCE };
