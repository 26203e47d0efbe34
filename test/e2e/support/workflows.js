'use strict';

/** Small workflows: a webhook, and one node of this package behind it. */

/**
 * In: `name`, `path` of the webhook; `answer`: when the webhook answers, `lastNode` or `onReceived`;
 * `credential` as `{ id, name }`; `parameters` of the node, and what else stands beside them (`node`); `webhook`: more parameters of the webhook.
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
	{ name, path = name, answer = 'lastNode', credential, parameters, node = {}, webhook = {} },
	type,
	credentialType,
) {
	return {
		name,
		nodes: [
			{
				name: 'Webhook',
				id: `${path}-webhook`,
				webhookId: path,
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2.1,
				position: [0, 0],
				parameters: {
					httpMethod: 'POST',
					path,
					responseMode: answer,
					...(answer === 'lastNode' && { responseData: 'allEntries' }),
					...webhook,
					options: {},
				},
			},
			{
				name: 'Node',
				id: `${path}-node`,
				type: `n8n-nodes-scim-provisioning.${type}`,
				typeVersion: 1,
				position: [240, 0],
				parameters,
				credentials: { [credentialType]: credential },
				...node,
			},
		],
		connections: { Webhook: { main: [[{ node: 'Node', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}

module.exports = { scimWorkflow, alertingWorkflow };
