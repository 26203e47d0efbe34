'use strict';

const { PollContext } = require('n8n-core');
const { TestCredentialsHelper } = require('./credentials-helper');
const {
	NODE_NAME,
	createAdditionalData,
	createWorkflow,
	nodeFor,
	withExpressions,
} = require('./workflow');

/**
 * What n8n does at each of the times that a polling trigger is set to.
 * @param options as for runNode; `staticData` is what n8n kept for the node, and is changed by the look
 * @returns the items; undefined when the workflow does not start
 */
async function pollNode(nodeType, options = {}) {
	const { credentials, credentialTypes, staticData = {} } = options;
	const node = nodeFor(nodeType, options);
	const workflow = createWorkflow({
		nodes: [node],
		nodeTypes: { [node.type]: nodeType },
		staticData: { [`node:${NODE_NAME}`]: staticData },
	});
	const additionalData = createAdditionalData({
		credentialsHelper: new TestCredentialsHelper(credentialTypes, credentials),
	});
	const context = new PollContext(workflow, node, additionalData, 'trigger', 'activate');
	const output = await withExpressions(workflow, async () => await nodeType.poll.call(context));
	return output?.[0].map(({ json }) => json);
}

module.exports = { pollNode };
