'use strict';

const { NodeConnectionTypes, deepCopy } = require('n8n-workflow');
const { engineFor } = require('./engine');
const { NODE_NAME, createWorkflow, helperDescription, helperNode, nodeFor } = require('./workflow');

const AGENT_NAME = 'Agent';
const AGENT_TYPE = 'testHarness.agent';

/**
 * The node as a tool of an AI agent: n8n-core makes the tool definition and runs the node for each call.
 * Out: `{ name, description, arguments, answers }` of the definition that the model gets: the arguments by
 * name, as `{ description, type }`; for each of `calls` what the model gets back, parsed, or `{ failed: the error }`. A list
 * among the calls is made at once.
 */
async function runTool(nodeType, { calls = [], credentials, credentialTypes, ...options }) {
	const node = nodeFor(nodeType, { ...options, credentials });
	node.name = options.name ?? NODE_NAME;
	node.type += 'Tool';
	const seen = { answers: [] };
	const agent = {
		description: helperDescription(AGENT_NAME, [
			NodeConnectionTypes.Main,
			NodeConnectionTypes.AiTool,
		]),
		async execute() {
			const [tool] = await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0);
			Object.assign(seen, definitionOf(tool));
			for (const call of calls) {
				const atOnce = [call].flat().map(async (args) => await answerOf(tool, args));
				seen.answers.push(...(await Promise.all(atOnce)));
			}
			return [[]];
		},
	};
	const workflow = createWorkflow({
		nodes: [helperNode(AGENT_NAME, AGENT_TYPE), node],
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

module.exports = { runTool };
