'use strict';

/**
 * `npm run test:agent`: examples/access-agent.json in a real n8n, with n8n's own agent and its OpenAI model node, which
 * talks to a scripted model that knows the names of groups and the emails of people, and no ID.
 */

const { runMain } = require('../../demo/cleanup');
const { genericCredential, modelCredential } = require('../../demo/credentials');
const { startModel } = require('../../demo/model');
const { say } = require('../../demo/progress');
const example = require('../../examples/access-agent.json');
const { judge } = require('./support/judge');
const { startLocalService, startPackedN8n } = require('./support/start');

const PEOPLE = {
	organizations: [],
	users: [
		{ userName: 'ana@example.com', id: '7' },
		{ userName: 'ben@example.com', id: '8' },
	],
	groups: [{ id: '21', displayName: 'Engineering', members: ['8'] }],
};
const ENGINEERING = { Group: 'Engineering', People: 'ana@example.com' };
/** What the model says, turn by turn: a call, or a function of the last tool's answer for the text. */
const TURNS = [
	{ tool: 'Get_Access', args: { User: 'ben@example.com' } },
	{ tool: 'Preview_Adding', args: ENGINEERING },
	{ tool: 'Add_to_Group', args: ENGINEERING },
	(answer) => answer,
];
/** By tool, what the model has to be told of each field. */
const TOLD = {
	Get_Access: ['User'],
	Preview_Adding: ['Group', 'People'],
	Add_to_Group: ['Group', 'People'],
};

async function main() {
	const { check, verdict } = judge();
	const service = await startLocalService({ dialect: 'databricks', seed: PEOPLE });
	const model = await startScriptedModel();
	const { n8n } = await startPackedN8n();

	const credentials = [genericCredential(service), modelCredential(model.url)];
	const ids = await n8n.importCredentials(credentials);
	const idOf = Object.fromEntries(credentials.map(({ name }, index) => [name, ids[index]]));
	await n8n.activate(await n8n.importWorkflow(behindWebhook(example, idOf)));
	const { status, body } = await n8n.webhook('agent', { text: 'Add ana to Engineering' });

	const answer = textOf(body);
	check('The agent has answered', [
		...(status === 200
			? []
			: [
					`n8n answered ${status}: ${JSON.stringify(body).slice(0, 500)}`,
					await n8n.rest.lastProblem(),
				]),
		...model.problems,
	]);
	check('Its tools have descriptions, and each field has one', [
		...Object.entries(TOLD).flatMap(([name, fields]) => untold(name, fields, model.tools)),
	]);
	check('The model gave names: the item says so, in a sentence', [
		...[
			'"matchedBy":"name"',
			'"status":"done"',
			'"text":"ana@example.com was added to Engineering."',
		]
			.filter((said) => !answer.includes(said))
			.map((said) => `${said} is missing in ${answer.slice(0, 500)}`),
	]);
	const members = [...service.state.directory.groups.get('21')].sort().join();
	check('The group has both', members === '7,8' ? [] : [`It has ${members}`]);
	const calls = service.log.requests.filter(({ method }) => method !== 'GET');
	check(
		'One write',
		calls.length === 1 ? [] : calls.map(({ method, path }) => `${method} ${path}`),
	);
	return verdict();
}

/** Out: where n8n finds the model, what it was told of the tools, and what it was asked too much. */
async function startScriptedModel() {
	const left = [...TURNS];
	const model = { tools: [], problems: [] };
	model.url = await startModel((messages, tools) => {
		model.tools = tools;
		const turn = left.shift();
		if (turn === undefined) model.problems.push('It was asked once too often.');
		if (typeof turn === 'object') return turn;
		return turn?.(String(messages.at(-1)?.content)) ?? 'Nothing more.';
	});
	return model;
}

/** The example with a webhook in place of the chat, and the credentials of this n8n. */
function behindWebhook({ name, nodes, connections, settings }, idOf) {
	const [chat] = nodes.filter(({ type }) => type.endsWith('.chatTrigger'));
	return {
		...{ name, settings },
		connections: { ...connections, Webhook: connections[chat.name], [chat.name]: undefined },
		nodes: nodes.map((node) => {
			if (node === chat) return webhookAt(node);
			const { parameters, credentials = {} } = node;
			const isAgent = node.type.endsWith('.agent');
			const prompt = { promptType: 'define', text: '={{ $json.body.text }}' };
			const known = Object.entries(credentials).map(([type, { name: credential }]) => [
				type,
				{ name: credential, id: idOf[credential] },
			]);
			return {
				...node,
				parameters: isAgent ? { ...parameters, ...prompt } : parameters,
				credentials: Object.fromEntries(known),
			};
		}),
	};
}

const webhookAt = ({ id, position }) => ({
	...{ id, position, name: 'Webhook', webhookId: 'agent', typeVersion: 2.1 },
	type: 'n8n-nodes-base.webhook',
	parameters: { httpMethod: 'POST', path: 'agent', responseMode: 'lastNode', options: {} },
});

function untold(name, fields, tools) {
	const tool = tools.find((one) => one.name === name);
	if (tool === undefined) return [`The model knows no tool ${name}`];
	const { properties = {} } = tool.parameters;
	return fields
		.filter((field) => !properties[field]?.description)
		.map((field) => `${field} of ${name} has no description`);
}

const textOf = (body) =>
	String((Array.isArray(body) ? body[0] : body)?.output ?? JSON.stringify(body));

void runMain(main);
say('An agent in a real n8n');
