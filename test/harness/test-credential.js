'use strict';

const { STATUS_CODES } = require('http');
const { CredentialTestContext, ExecuteContext, RoutingNode } = require('./core');
const { NodeConnectionTypes, createRunExecutionData } = require('n8n-workflow');
const { TestCredentialsHelper } = require('./credentials-helper');
const {
	createAdditionalData,
	createWorkflow,
	helperDescription,
	helperNode,
	withExpressions,
} = require('./workflow');

const NO_OP = 'n8n-nodes-base.noOp';

/**
 * The "Test" of the credential dialog: n8n sends the `test` request from a declarative node. Where the credential has none, it
 * calls the method of a node that `testedBy` names.
 */
async function testCredential(credentialType, data = {}, nodeType = undefined) {
	const { name, test } = credentialType;
	const tester = nodeType?.description.credentials.find((one) => one.name === name)?.testedBy;
	if (test === undefined && tester !== undefined) {
		const helper = new TestCredentialsHelper([credentialType], { [name]: data });
		const decrypted = await helper.getDecrypted({}, {}, name, 'internal');
		const method = nodeType.methods.credentialTest[tester];
		return await method.call(new CredentialTestContext(), {
			id: name,
			name,
			type: name,
			data: decrypted,
		});
	}

	const node = { ...helperNode('Temp-Node', NO_OP), credentials: { [name]: { id: name, name } } };
	const declarative = probe(name, test.request);
	const workflow = createWorkflow({ nodes: [node], nodeTypes: { [NO_OP]: declarative } });
	const credentialsHelper = new TestCredentialsHelper([credentialType], { [name]: data });
	const additionalData = createAdditionalData({
		credentialsHelper,
		currentNodeParameters: node.parameters,
	});

	return await withExpressions(workflow, async () => {
		const decrypted = await credentialsHelper.getDecrypted(additionalData, {}, name, 'internal');
		const context = executeContext(workflow, node, additionalData);
		const routing = new RoutingNode(context, declarative, {
			id: name,
			name,
			type: name,
			data: decrypted,
		});
		try {
			await routing.runNode();
			return { status: 'OK', message: 'Connection successful!' };
		} catch (error) {
			return judgeError(error, test.rules);
		}
	});
}

/** A node whose only property carries the request. */
function probe(credentialName, request) {
	const property = { displayName: 'Temp', name: 'temp', type: 'string', default: '' };
	return {
		description: {
			...helperDescription('No Operation', [NodeConnectionTypes.Main]),
			credentials: [{ name: credentialName, required: true }],
			properties: [{ ...property, routing: { request } }],
		},
	};
}

function executeContext(workflow, node, additionalData) {
	return new ExecuteContext(
		workflow,
		node,
		additionalData,
		'internal',
		createRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
}

/**
 * n8n 2.41 looks at `error.cause`, which n8n-workflow 2.11 loses: there a rule for a status is never
 * found. `httpCode` holds the same status, or the code of a network error, in both versions.
 */
function judgeError(error, rules = []) {
	const code = error.cause?.response?.status ?? error.httpCode;
	const status = Number(code);
	if (!status) return { status: 'Error', message: String(code ?? error.message) };

	const rule = rules.find(
		({ type, properties }) => type === 'responseCode' && properties.value === status,
	);
	const statusText = error.cause?.response?.statusText || STATUS_CODES[status];
	const message = rule?.properties.message ?? statusText;
	return { status: 'Error', message: message || `Received HTTP status code: ${status}` };
}

module.exports = { testCredential };
