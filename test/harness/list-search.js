'use strict';

const { LoadOptionsContext } = require('./core');
const { TestCredentialsHelper } = require('./credentials-helper');
const { createAdditionalData, createWorkflow, nodeFor, withExpressions } = require('./workflow');

/** Calls a method of a node as the editor does. @param kind `listSearch` or `resourceMapping` */
async function callMethod(kind, nodeType, methodName, options) {
	const { credentials, credentialTypes } = options;
	const node = nodeFor(nodeType, options);
	// Creating the workflow fills in the defaults of the node's parameters.
	const workflow = createWorkflow({ nodes: [node], nodeTypes: { [node.type]: nodeType } });
	const additionalData = createAdditionalData({
		credentialsHelper: new TestCredentialsHelper(credentialTypes, credentials),
		currentNodeParameters: node.parameters,
	});
	const context = new LoadOptionsContext(workflow, node, additionalData, '');
	const method = nodeType.methods[kind][methodName];
	return await withExpressions(workflow, async () => await method.call(context));
}

/** What the editor does when a user opens the list of a resource locator. */
const listSearch = async (...given) => await callMethod('listSearch', ...given);

/** What the editor does when it shows a resource mapper. */
const resourceMapping = async (...given) => await callMethod('resourceMapping', ...given);

module.exports = { listSearch, resourceMapping };
