'use strict';

const { inCollections } = require('../../support/options');

/** Small workflows: a webhook and one node of this package behind it, or the trigger and nothing behind it. */

/** Nodes in a row. In: `[name, type, version, parameters, more]` of each. */
function inRow(name, rows) {
	const nodes = rows.map(([own, type, typeVersion, parameters, more], index) => ({
		...{ id: `${index}`, name: own, type, typeVersion, parameters },
		...{ position: [index * 200, 0], ...more },
	}));
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name: node }, index) => [
				nodes[index].name,
				{ main: [[{ node, type: 'main', index: 0 }]] },
			]),
	);
	return { name, nodes, connections, settings: { executionOrder: 'v1' } };
}

/**
 * In: `name`, also the path of the webhook; `answer`: when the webhook answers, `lastNode` or `onReceived`;
 * `credential` as `{ id, name }`, its `credentialType` where it is another than usual; `parameters` of the node, and what else stands beside them (`node`).
 * Out: the workflow.
 */
const scimWorkflow = (options) => behindWebhook(options, 'scimProvisioning', 'scimProvisioningApi');

/** As `scimWorkflow`, with the other node. */
const alertingWorkflow = (options) =>
	behindWebhook(options, 'notificationActions', 'notificationActionsApi');

function behindWebhook(options, type, usualType) {
	const { name, answer = 'lastNode', credential, credentialType = usualType } = options;
	const webhook = {
		...{ httpMethod: 'POST', path: name, responseMode: answer, options: {} },
		...(answer === 'lastNode' && { responseData: 'allEntries' }),
	};
	return inRow(name, [
		['Webhook', 'n8n-nodes-base.webhook', 2.1, webhook, { webhookId: name }],
		[
			...['Node', `n8n-nodes-scim-provisioning.${type}`, 1, inCollections(options.parameters)],
			{ credentials: { [credentialType]: credential }, ...options.node },
		],
	]);
}

/**
 * The trigger, which looks once a minute, and a node that does nothing behind it.
 * In: `name`, `credential` as `{ id, name }`, `parameters` of the trigger. Out: the workflow.
 */
function triggerWorkflow({ name, credential, parameters }) {
	const given = inCollections({ pollTimes: { item: [{ mode: 'everyMinute' }] }, ...parameters });
	return inRow(name, [
		[
			...['Trigger', 'n8n-nodes-scim-provisioning.scimProvisioningTrigger', 1, given],
			{ credentials: { scimProvisioningApi: credential } },
		],
		['Nothing', 'n8n-nodes-base.noOp', 1, {}],
	]);
}

module.exports = { alertingWorkflow, inRow, scimWorkflow, triggerWorkflow };
