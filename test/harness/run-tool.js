'use strict';

const { NodeConnectionTypes, deepCopy } = require('n8n-workflow');
const { engineFor } = require('./engine');
const { NODE_NAME, createWorkflow, nodeFor } = require('./workflow');

const AGENT_NAME = 'Agent';
const AGENT_TYPE = 'testHarness.agent';

/**
 * The node as a tool of an AI agent: n8n-core makes the tool definition and runs the node for each call.
 * Out: `{ name, description, arguments, answers }` of the definition that the model gets: the arguments by
 * name, as `{ description, type }`; for each of `calls` what the model gets back, parsed, or `{ failed: the error }`.
 */
async function runTool(nodeType, { calls = [], credentials, credentialTypes, ...options }) {
	const node = nodeFor(nodeType, { ...options, credentials });
	node.name = options.name ?? NODE_NAME;
	node.type += 'Tool';
	const seen = { answers: [] };
	const agent = {
		description: agentDescription(),
		async execute() {
			const [tool] = await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0);
			Object.assign(seen, definitionOf(tool));
			for (const args of calls) seen.answers.push(await answerOf(tool, args));
			return [[]];
		},
	};
	const workflow = createWorkflow({
		nodes: [
			{
				id: 'agent',
				name: AGENT_NAME,
				type: AGENT_TYPE,
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			node,
		],
		nodeTypes: { [AGENT_TYPE]: agent, [node.type]: asTool(nodeType) },
		connections: {
			[node.name]: {
				[NodeConnectionTypes.AiTool]: [
					[{ node: AGENT_NAME, type: NodeConnectionTypes.AiTool, index: 0 }],
				],
			},
		},
	});
	const run = await engineFor(workflow, { credentials, credentialTypes }).start(AGENT_NAME);
	const { error } = run.data.resultData;
	if (error) throw error;
	return seen;
}

/** What n8n's server makes of a node with `usableAsTool` (`convertNodeToAiTool`), as far as the core looks at it. */
function asTool(nodeType) {
	if (!nodeType.description.usableAsTool) throw new Error('The node is not usable as a tool');
	const description = deepCopy(nodeType.description);
	description.name += 'Tool';
	description.inputs = [];
	description.outputs = [NodeConnectionTypes.AiTool];
	delete description.usableAsTool;
	return Object.create(nodeType, { description: { value: description } });
}

function definitionOf({ name, description, schema }) {
	const args = Object.entries(schema.shape).map(([key, type]) => [
		key,
		{ description: type.description, type: type._def.typeName },
	]);
	return { name, description, arguments: Object.fromEntries(args) };
}

async function answerOf(tool, args) {
	try {
		return JSON.parse(await tool.invoke(args));
	} catch (error) {
		return { failed: error };
	}
}

function agentDescription() {
	return {
		displayName: AGENT_NAME,
		name: 'agent',
		group: ['transform'],
		version: 1,
		description: 'Calls the node under test as a model does',
		defaults: { name: AGENT_NAME },
		inputs: [NodeConnectionTypes.Main, { type: NodeConnectionTypes.AiTool }],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};
}

module.exports = { runTool };
