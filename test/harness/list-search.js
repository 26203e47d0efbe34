'use strict';

const { LoadOptionsContext } = require('n8n-core');
const { TestCredentialsHelper } = require('./credentials-helper');
const {
	createAdditionalData,
	createWorkflow,
	nodeFor,
	typeOfVersion,
	withExpressions,
} = require('./workflow');

/** What the editor does when a user opens the list of a resource locator. */
async function listSearch(nodeType, methodName, options = {}) {
	const { credentials, credentialTypes, filter, paginationToken, path = '' } = options;
	const node = nodeFor(nodeType, options);
	const method = typeOfVersion(nodeType, node.typeVersion).methods?.listSearch?.[methodName];
	if (!method) throw new Error(`The node has no list search method "${methodName}"`);

	// Creating the workflow fills in the defaults of the node's parameters.
	const workflow = createWorkflow({ nodes: [node], nodeTypes: { [node.type]: nodeType } });
	const additionalData = createAdditionalData({
		credentialsHelper: new TestCredentialsHelper(credentialTypes, credentials),
		currentNodeParameters: node.parameters,
	});
	const context = new LoadOptionsContext(workflow, node, additionalData, path);
	return await withExpressions(
		workflow,
		async () => await method.call(context, filter, paginationToken),
	);
}

module.exports = { listSearch };
