'use strict';

const { ExternalSecretsProxy } = require('./core');
const { NodeConnectionTypes, Workflow, deepCopy } = require('n8n-workflow');
const { name: packageName } = require('../../package.json');

const BASE_URL = 'http://127.0.0.1:5678';
const NODE_NAME = 'Node Under Test';

/**
 * The INode that an editor would have saved for `nodeType`.
 * @param setup `parameters`, where defaults may be left out; `credentials` that a user entered, by type; `onError`; `node`,
 *   further fields of the node, such as `retryOnFail`
 */
function nodeFor(nodeType, { parameters = {}, credentials = {}, onError, node = {} } = {}) {
	const { description } = nodeType;
	refuseUnknownParameters(description, parameters);
	const names = Object.keys(credentials);
	return {
		id: 'b6e1d1a4-0000-4000-8000-000000000001',
		name: NODE_NAME,
		type: `${packageName}.${description.name}`,
		typeVersion: description.version,
		position: [220, 0],
		parameters: deepCopy(parameters),
		...(names.length && {
			credentials: Object.fromEntries(names.map((name) => [name, { id: name, name }])),
		}),
		...(onError && { onError }),
		...node,
	};
}

/** What stands beside the node under test. */
const helperNode = (name, type) => ({
	...{ id: name, name, type, typeVersion: 1, position: [0, 0], parameters: {} },
});

const helperDescription = (name, inputs) => ({
	...{ displayName: name, name, group: ['transform'], version: 1, defaults: { name } },
	description: 'Stands beside the node under test',
	...{ inputs, outputs: [NodeConnectionTypes.Main], properties: [] },
});

/** A misspelt parameter would be dropped without a word, and the test would pass on the default. */
function refuseUnknownParameters(description, parameters) {
	const known = new Set(description.properties.map(({ name }) => name));
	const unknown = Object.keys(parameters).filter((name) => !known.has(name));
	if (unknown.length) {
		throw new Error(`The node ${description.name} has no parameter ${unknown.join(', ')}`);
	}
}

function createWorkflow({ nodes, nodeTypes, connections = {}, staticData, ...settings }) {
	return new Workflow({
		id: 'test-workflow',
		name: 'Test workflow',
		nodes,
		connections,
		active: false,
		nodeTypes: nodeTypesFrom(nodeTypes),
		settings: { executionOrder: 'v1', ...settings },
		staticData,
	});
}

function nodeTypesFrom(typesByName) {
	const find = (name) => {
		if (!(name in typesByName)) throw new Error(`Unknown node type "${name}"`);
		return typesByName[name];
	};
	return {
		getByName: find,
		getByNameAndVersion: find,
		getKnownTypes: () => ({}),
	};
}

/** The services and addresses that n8n's server hands to the core. */
function createAdditionalData({ credentialsHelper, hooks, currentNodeParameters }) {
	return {
		credentialsHelper,
		hooks,
		currentNodeParameters,
		currentNodeExecutionIndex: 0,
		executionId: '1',
		userId: 'test-user',
		variables: {},
		restApiUrl: `${BASE_URL}/rest`,
		instanceBaseUrl: `${BASE_URL}/`,
		formWaitingBaseUrl: `${BASE_URL}/form-waiting`,
		webhookBaseUrl: `${BASE_URL}/webhook`,
		webhookTestBaseUrl: `${BASE_URL}/webhook-test`,
		webhookWaitingBaseUrl: `${BASE_URL}/webhook-waiting`,
		externalSecretsProxy: new ExternalSecretsProxy(),
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
		logAiEvent: () => {},
		getRunExecutionData: async () => undefined,
		executeWorkflow: async () => {
			throw new Error('The test harness runs no sub-workflows');
		},
	};
}

/** Newer versions of n8n evaluate expressions in an isolate that somebody has to hold. */
async function withExpressions(workflow, task) {
	const acquired = await workflow.expression.acquireIsolate?.();
	try {
		return await task();
	} finally {
		if (acquired) await workflow.expression.releaseIsolate();
	}
}

module.exports = {
	NODE_NAME,
	createAdditionalData,
	createWorkflow,
	helperDescription,
	helperNode,
	nodeFor,
	withExpressions,
};
