'use strict';

const { PollContext } = require('./core');
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
 * @param options as for runNode; `staticData` is what n8n kept for the node, and is changed by the look; `activation` is how
 *   the workflow became active; `recordError` gets what is recorded instead of thrown; `logger` stands in for n8n's log;
 *   `together`: so many looks are under way at once, each with items of its own
 * @returns the items; undefined when the workflow does not start
 */
async function pollNode(nodeType, options = {}) {
	const { credentials, credentialTypes, staticData = {}, mode = 'trigger' } = options;
	const { activation = 'activate', recordError, logger, together } = options;
	const node = nodeFor(nodeType, options);
	const workflow = createWorkflow({
		nodes: [node],
		nodeTypes: { [node.type]: nodeType },
		staticData: { [`node:${NODE_NAME}`]: staticData },
	});
	const additionalData = createAdditionalData({
		credentialsHelper: new TestCredentialsHelper(credentialTypes, credentials),
	});
	const context = new PollContext(
		...[workflow, node, additionalData, mode, activation],
		...[undefined, recordError],
	);
	if (logger !== undefined) Object.defineProperty(context, 'logger', { value: logger });
	const poll = async () => {
		const output = await nodeType.poll.call(context);
		return output?.[0].map(({ json }) => json);
	};
	if (together === undefined) return await withExpressions(workflow, poll);
	return await Promise.all(Array.from({ length: together }, poll));
}

module.exports = { pollNode };
