'use strict';

const { NodeOperationError } = require('n8n-workflow');

const { ScimProvisioning } = require('../../dist/nodes/ScimProvisioning/ScimProvisioning.node');
const { byId } = require('../support/node');
const { defaultsOf, email } = require('../support/modelGroupsPlay');

// An expression that n8n cannot evaluate makes it throw where a parameter is read: the items fail, with every field.

const NODE = { id: 'node', name: 'SCIM', type: 'scim', typeVersion: 1, position: [0, 0] };

/** Runs an operation of two items, with On Error set to continue, one of whose parameters cannot be evaluated. */
async function run(resource, operation, parameters, broken) {
	const own = { ...defaultsOf(resource, operation), ...parameters, resource, operation };
	const context = {
		getNode: () => NODE,
		getInputData: () => [{ json: {} }, { json: {} }],
		continueOnFail: () => true,
		getNodeParameter(name, _item, fallback) {
			if (name === broken) throw new NodeOperationError(NODE, 'Paired item data is unavailable');
			return own[name] ?? fallback;
		},
		getCredentials: async () => ({
			...{ baseUrl: 'http://scim.test', accountApiToken: 'key:org', serviceProfile: 'generic' },
		}),
		getExecutionCancelSignal: () => undefined,
		addExecutionHints: () => undefined,
		helpers: {
			async httpRequestWithAuthentication() {
				throw new Error('nothing may be sent');
			},
		},
	};
	const [items] = await new ScimProvisioning().execute.call(context);
	return items.map(({ json }) => json);
}

const HEAD = { change: 'none', userName: null, group: null };
const CHANGE = { ...HEAD, userId: null, groupId: null };
const LEAVER = {
	...{ ...HEAD, userId: null, active: null, accessRemoved: null, accessRemaining: null },
	...{ provenAt: null, requests: null },
};
const USER = { ...HEAD, userId: null };
const GROUP = { ...HEAD, id: null, displayName: null };
const ANA = { people: email('ana'), accessBy: 'group', group: byId('g-1') };
const OPERATIONS = [
	['access', 'assign', ANA, CHANGE],
	['access', 'revoke', ANA, CHANGE],
	['access', 'set', { ...ANA, managedGroups: ['*'] }, CHANGE],
	['access', 'changeEmail', { user: byId('1'), newEmail: email('ana') }, CHANGE],
	['access', 'offboard', ANA, LEAVER],
	['access', 'offboard', { ...ANA, method: 'delete' }, { ...LEAVER, deleted: false }],
	['access', 'reconcile', { scopeGroups: ['VPN'], accessBy: 'group' }, CHANGE],
	['access', 'applyPlan', { plan: {} }, CHANGE],
	['group', 'addMembers', ANA, CHANGE],
	['group', 'setMembers', ANA, CHANGE],
	['group', 'create', { displayName: 'VPN' }, GROUP],
	['user', 'create', { userName: email('ana') }, USER],
	['user', 'upsert', { userName: email('ana') }, USER],
	['user', 'update', { user: byId('1') }, USER],
	['user', 'delete', { user: byId('1') }, { ...USER, deleted: false }],
	['group', 'delete', { chooseGroupBy: 'group', group: byId('1') }, { ...GROUP, deleted: false }],
];

test.each(OPERATIONS)('%s %s', async (resource, operation, parameters, shape) => {
	const reason = 'Paired item data is unavailable';
	const told = { status: 'failed', reason, text: `${reason}.`, error: reason };
	const failed = { ...shape, ...told };
	expect(await run(resource, operation, parameters, 'options')).toEqual([failed, failed]);
});
