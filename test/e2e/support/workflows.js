'use strict';

const { inCollections } = require('../../support/options');

/** Small workflows: a webhook and one node of this package behind it, or the trigger and nothing behind it. */

/**
 * In: `name`, also the path of the webhook; `answer`: when the webhook answers, `lastNode` or `onReceived`;
 * `credential` as `{ id, name }`, its `credentialType` where it is another than usual; `parameters` of the node, and what else stands beside them (`node`).
 * Out: the workflow.
 */
function scimWorkflow(options) {
	return behindWebhook(options, 'scimProvisioning', 'scimProvisioningApi');
}

/** As `scimWorkflow`, with the other node. */
function alertingWorkflow(options) {
	return behindWebhook(options, 'notificationActions', 'notificationActionsApi');
}

function behindWebhook(
	{ name, answer = 'lastNode', credential, credentialType, parameters, node = {} },
	type,
	usualType,
) {
	return {
		name,
		nodes: [
			{
				name: 'Webhook',
				id: `${name}-webhook`,
				webhookId: name,
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2.1,
				position: [0, 0],
				parameters: {
					httpMethod: 'POST',
					path: name,
					responseMode: answer,
					...(answer === 'lastNode' && { responseData: 'allEntries' }),
					options: {},
				},
			},
			{
				name: 'Node',
				id: `${name}-node`,
				type: `n8n-nodes-scim-provisioning.${type}`,
				typeVersion: 1,
				position: [240, 0],
				parameters: inCollections(parameters),
				credentials: { [credentialType ?? usualType]: credential },
				...node,
			},
		],
		connections: { Webhook: { main: [[{ node: 'Node', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}

/**
 * The trigger, which looks once a minute, and a node that does nothing behind it.
 * In: `name`, `credential` as `{ id, name }`, `parameters` of the trigger. Out: the workflow.
 */
function triggerWorkflow({ name, credential, parameters }) {
	return {
		name,
		nodes: [
			{
				name: 'Trigger',
				id: 'trigger',
				type: 'n8n-nodes-scim-provisioning.scimProvisioningTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: inCollections({
					pollTimes: { item: [{ mode: 'everyMinute' }] },
					...parameters,
				}),
				credentials: { scimProvisioningApi: credential },
			},
			{
				name: 'Nothing',
				id: 'nothing',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [240, 0],
				parameters: {},
			},
		],
		connections: { Trigger: { main: [[{ node: 'Nothing', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}

module.exports = { scimWorkflow, alertingWorkflow, triggerWorkflow };
