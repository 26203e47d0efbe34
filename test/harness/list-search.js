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

/** Calls a method of a node as the editor does. @param kind `listSearch` or `resourceMapping` */
async function callMethod(kind, nodeType, methodName, options, ...more) {
	const { credentials, credentialTypes, path = '' } = options;
	const node = nodeFor(nodeType, options);
	const method = typeOfVersion(nodeType, node.typeVersion).methods?.[kind]?.[methodName];
	if (!method) throw new Error(`The node has no ${kind} method "${methodName}"`);

	// Creating the workflow fills in the defaults of the node's parameters.
	const workflow = createWorkflow({ nodes: [node], nodeTypes: { [node.type]: nodeType } });
	const additionalData = createAdditionalData({
		credentialsHelper: new TestCredentialsHelper(credentialTypes, credentials),
		currentNodeParameters: node.parameters,
	});
	const context = new LoadOptionsContext(workflow, node, additionalData, path);
	return await withExpressions(workflow, async () => await method.call(context, ...more));
}

/** What the editor does when a user opens the list of a resource locator. */
async function listSearch(nodeType, methodName, options = {}) {
	const { filter, paginationToken } = options;
	return await callMethod('listSearch', nodeType, methodName, options, filter, paginationToken);
}

/** What the editor does when it shows a resource mapper. */
async function resourceMapping(nodeType, methodName, options = {}) {
	return await callMethod('resourceMapping', nodeType, methodName, options);
}

module.exports = { listSearch, resourceMapping };
