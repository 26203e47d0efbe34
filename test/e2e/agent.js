'use strict';

/**
 * `npm run test:agent`: examples/access-agent.json in a real n8n, with n8n's own agent and its OpenAI model node, which
 * talks to a scripted model that knows the names of groups and the emails of people, and no ID. A person approves by email
 * what the example asks in Slack. Beside its tools there is one that takes access away, for the limits over all calls.
 */

const { onCleanup, runMain } = require('../../demo/cleanup');
const { genericCredential, mailCredential, modelCredential } = require('../../demo/credentials');
const { startMailbox } = require('../../demo/mailbox');
const { startModel } = require('../../demo/model');
const { say } = require('../../demo/progress');
const example = require('../../examples/access-agent.json');
const { judge } = require('./support/judge');
const { startLocalService, startPackedN8n } = require('./support/start');
const { untilTrue } = require('./support/untilTrue');

const TIME_LIMIT_MS = 60_000;
const PEOPLE = {
	organizations: [],
	users: [
		{ userName: 'ana@example.com', id: '7' },
		{ userName: 'ben@example.com', id: '8' },
		{ userName: 'cid@example.com', id: '9' },
		{ userName: 'dan@example.com', id: '10' },
	],
	groups: [{ id: '21', displayName: 'Engineering', members: ['8'] }],
};
const ENGINEERING = { Group: 'Engineering', People: 'ana@example.com' };
const offboard = (name) => ({ tool: 'Offboard', args: { People: `${name}@example.com` } });
/** What the model says, turn by turn. What a person reviews has the values of the tool in `toolParameters`. */
const TURNS = [
	{ tool: 'Get_Access', args: { User: 'ben@example.com' } },
	{ tool: 'Preview_Adding', args: ENGINEERING },
	{ tool: 'Add_to_Group', args: { toolParameters: ENGINEERING, hitlParameters: {} } },
	offboard('cid'),
	offboard('dan'),
	'That is all.',
];
/** Beside the tools of the example: one person may lose access. */
const OFFBOARD = {
	name: 'Offboard',
	type: 'n8n-nodes-scim-provisioning.scimProvisioningTool',
	parameters: {
		...{ resource: 'access', operation: 'offboard', method: 'deactivate' },
		people: "={{ $fromAI('People', `The emails of the people`, 'string') }}",
		safetyLimits: { maxPeopleAffected: 1, allowPermanentRemoval: true },
	},
};
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
	const mailbox = await startMailbox();
	onCleanup(() => mailbox.close());
	const { n8n } = await startPackedN8n();

	const credentials = [
		...[genericCredential(service), modelCredential(model.url)],
		mailCredential(mailbox),
	];
	const ids = await n8n.importCredentials(credentials);
	const idOf = Object.fromEntries(credentials.map(({ name }, index) => [name, ids[index]]));
	await n8n.activate(await n8n.importWorkflow(underTest(example, idOf)));
	const writes = () =>
		service.log.requests
			.filter(({ method }) => method !== 'GET')
			.map(({ method, path }) => `${method} ${path}`);
	const membersOf = () => [...service.state.directory.groups.get('21')].sort().join();

	void n8n.webhook('agent', { text: 'Add ana to Engineering' }).catch(() => undefined);
	const { text } = await untilTrue('the review', () => mailbox.mails[0], TIME_LIMIT_MS);
	check('The review names the tool and its values', [
		...['Add_to_Group', 'Engineering', 'ana@example.com']
			.filter((said) => !text.includes(said))
			.map((said) => `${said} is missing in ${text.slice(0, 2000)}`),
	]);
	check('Nothing is sent before it', writes());
	await approve(text);
	const isOver = () => model.isOver || model.problems.length > 0;
	await untilTrue('the end', isOver, TIME_LIMIT_MS).catch(async ({ message }) => {
		model.problems.push(message, await n8n.rest.lastProblem());
	});

	check('The model was asked as often as it had something to say', model.problems);
	check('Its tools have descriptions, and each field has one', [
		...Object.entries(TOLD).flatMap(([name, fields]) => untold(name, fields, model.tools)),
	]);
	const [, , added = '', first = '', second = ''] = model.answers;
	check('The model gave names: the item says so, in a sentence', [
		...[
			'"matchedBy":"name"',
			'"status":"done"',
			'"text":"ana@example.com was added to Engineering."',
		].filter((said) => !added.includes(said)),
	]);
	check('The group has both', membersOf() === '7,8' ? [] : [`It has ${membersOf()}`]);
	check('One person may lose access in all calls together', [
		...(first.includes('"status":"done"') ? [] : [`The first call: ${first}`]),
		...(/more than the limit of 1 /.test(second) ? [] : [`The second call: ${second}`]),
		...['cid', 'dan'].flatMap((name, at) => {
			const { active } = service.state.userByName(`${name}@example.com`);
			return active === (at === 1) ? [] : [`${name} is ${active ? '' : 'in'}active`];
		}),
	]);
	return verdict();
}

/** Opens the link of the first button, as the reviewer does. */
async function approve(mail) {
	const [, address] = /href="([^"]*approved=true[^"]*)"/.exec(mail) ?? [];
	if (address === undefined) throw new Error(`The mail has no button: ${mail.slice(0, 3000)}`);
	// n8n answers no program, and the mail leaves before the execution waits.
	const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
	const isTaken = async () => (await fetch(address.replaceAll('&amp;', '&'), { headers })).ok;
	await untilTrue('the approval', isTaken, TIME_LIMIT_MS);
}

/** Out: where n8n finds the model, what it was told of the tools, what they answered, and what it was asked too much. */
async function startScriptedModel() {
	const left = [...TURNS];
	const model = { tools: [], answers: [], problems: [], isOver: false };
	model.url = await startModel((messages, tools) => {
		model.tools = tools;
		if (messages.at(-1)?.role === 'tool') model.answers.push(String(messages.at(-1).content));
		const turn = left.shift();
		if (turn === undefined) model.problems.push('It was asked once too often.');
		model.isOver = left.length === 0;
		return turn ?? 'Nothing more.';
	});
	return model;
}

/** The example with a webhook in place of the chat, a mail in place of Slack, one more tool, and the credentials of this n8n. */
function underTest({ name, nodes, connections, settings }, idOf) {
	const [chat] = nodes.filter(({ type }) => type.endsWith('.chatTrigger'));
	const [tool] = nodes.filter(({ type }) => type === OFFBOARD.type);
	const offboarding = { ...tool, ...OFFBOARD, id: 'offboard', position: [704, 224] };
	return {
		...{ name, settings },
		connections: {
			...{ ...connections, Webhook: connections[chat.name], [chat.name]: undefined },
			[OFFBOARD.name]: connections[tool.name],
		},
		nodes: [...nodes, offboarding].map((node) => {
			if (node === chat) return webhookAt(node);
			const { parameters, ...one } = node.type.endsWith('.slackHitlTool') ? byMail(node) : node;
			const isAgent = node.type.endsWith('.agent');
			const prompt = { promptType: 'define', text: '={{ $json.body.text }}' };
			const known = Object.entries(one.credentials ?? {}).map(([type, { name: credential }]) => [
				type,
				{ name: credential, id: idOf[credential] },
			]);
			return {
				...one,
				parameters: isAgent ? { ...parameters, ...prompt } : parameters,
				credentials: Object.fromEntries(known),
			};
		}),
	};
}

/** The review of the example, asked by mail: what comes from Slack alone is left out. */
function byMail({ parameters: { message, approvalOptions, options }, ...node }) {
	return {
		...node,
		type: 'n8n-nodes-base.emailSendHitlTool',
		typeVersion: 2.1,
		parameters: {
			...{ operation: 'sendAndWait', fromEmail: 'n8n@example.com', toEmail: 'it@example.com' },
			...{ subject: 'Review', message, responseType: 'approval', approvalOptions, options },
		},
		credentials: { smtp: { name: 'SMTP account' } },
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
	const { toolParameters, ...plain } = tool.parameters.properties ?? {};
	const properties = toolParameters?.properties ?? plain;
	return fields
		.filter((field) => !properties[field]?.description)
		.map((field) => `${field} of ${name} has no description`);
}

void runMain(main);
say('An agent in a real n8n');
