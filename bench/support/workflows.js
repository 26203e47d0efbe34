'use strict';

const { inCollections } = require('../../test/support/options');

/** Jobs as workflows of n8n, each by a node of the package and by HTTP Request nodes that do the same as far as they can. */

const { seedOf } = require('../../demo/service');
const { alertingCredential, scimCredential } = require('../../demo/credentials');

const ROLES = { 'org-1001': 'member', 'org-1002': 'viewer', 'org-1003': 'viewer' };
const AT_ONCE = 5;
const [ORGANIZATION, MODEL, ACTION] = ['org-3454', 'model-1', 'marketing-mail'];

const range = (count, from = 0) => Array.from({ length: count }, (_, index) => from + index);

/** n8n finds credentials by name where there is no id. */
const named = ({ type, name }) => ({ [type]: { id: null, name } });

/** Of the package's node and of HTTP Request nodes, named after the job that they are for. */
const credentialsFor = (job, own, header, value) => [
	{ ...own, name: `${job}: package` },
	{ name: `${job}: HTTP Request`, type: 'httpHeaderAuth', data: { name: header, value } },
];
const scimCredentials = (job) => (service) =>
	credentialsFor(
		...[job, scimCredential(service)],
		...['Authorization', `Bearer ${service.accountToken}`],
	);
const alertingCredentials = (job) => (service) =>
	credentialsFor(
		...[job, alertingCredential(service, ORGANIZATION)],
		...['X-API-Key', service.apiKeys[ORGANIZATION]],
	);

const packageNode =
	(type, parameters) =>
	({ credentials: [own] }) => [
		{
			name: 'Package',
			type: `n8n-nodes-scim-provisioning.${type}`,
			typeVersion: 1,
			parameters,
			credentials: named(own),
		},
	];

const scim = (parameters, options = {}) =>
	packageNode('scimProvisioning', {
		...{ resource: 'access', accessBy: 'organizationAndRole' },
		...inCollections({ ...parameters, options }),
	});

function httpRequest({ url, credentials: [, header] }, name, method, path, body) {
	return {
		name,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method,
			url: path.startsWith('=') ? `=${url}${path.slice(1)}` : url + path,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			...(body && { sendBody: true, specifyBody: 'json', jsonBody: body }),
			options: { response: { response: { responseFormat: 'json' } } },
		},
		credentials: named(header),
	};
}

const to = ({ name }) => ({ node: name, type: 'main', index: 0 });

/** A workflow that takes a list from a webhook and ends with these nodes. @returns made for `{ url, credentials }` */
const inARow = (nodesFor) => (service) => {
	const path = `bench-${Math.random().toString(36).slice(2)}`;
	const beginning = [
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2.1,
			webhookId: path,
			parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', options: {} },
		},
		{
			name: 'Split Out',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'body', options: {} },
		},
	];
	const nodes = [...beginning, ...nodesFor(service)].map((node, index) => ({
		...node,
		id: `bench-${index}`,
		position: [index * 200, 0],
	}));
	const connections = {};
	nodes.slice(1).forEach((node, index) => {
		connections[nodes[index].name] = { main: [[to(node)]] };
	});
	return { name: path, nodes, connections, settings: { executionOrder: 'v1' } };
};

/** As above, in a loop that takes some items at a time. */
const inALoop = (batchSize, nodesFor) => (service) => {
	const nodes = nodesFor(service);
	const loop = {
		name: 'Loop Over Items',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { batchSize },
	};
	const workflow = inARow(() => [loop, ...nodes])(service);
	// Its first output is for the end, the second for the items of a round.
	workflow.connections[loop.name] = { main: [[], [to(nodes[0])]] };
	workflow.connections[nodes.at(-1).name] = { main: [[to(loop)]] };
	return workflow;
};

const patch = (operation) =>
	`={{ { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [${operation}] } }}`;

function onboard() {
	const name = 'Onboard 100 people, 3 roles each';
	const people = range(100).map((number) => ({ email: `hire.${number}@example.com` }));
	const node = inARow(
		scim({
			operation: 'assign',
			people: '={{ $json.email }}',
			roles: {
				role: Object.entries(ROLES).map(([organization, role]) => ({ organization, role })),
			},
		}),
	);
	const byHand = (service) => [
		httpRequest(
			...[service, 'Create User', 'POST', '/scim/Users'],
			"={{ { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: $json.email } }}",
		),
		...Object.entries(ROLES).map(([organization, role]) =>
			httpRequest(
				...[service, `Add to ${organization}`, 'PATCH', `/scim/Groups/${organization}:${role}`],
				patch("{ op: 'add', path: 'members', value: [{ value: $('Create User').item.json.id }] }"),
			),
		),
	];
	return {
		name,
		seed: seedOf({ users: 1000, organizations: 4 }),
		credentials: scimCredentials(name),
		items: () => people,
		ways: [
			{ name: `package's node, ${AT_ONCE} at once (default)`, workflow: node },
			{ name: `HTTP Request nodes, loop of ${AT_ONCE}`, workflow: inALoop(AT_ONCE, byHand) },
			{ name: 'HTTP Request nodes, all at once', workflow: inARow(byHand) },
		],
		isDone: ({ state }) =>
			people.every(({ email }) =>
				Object.entries(ROLES).every(([id, role]) => state.roleOf(email, id) === role),
			),
	};
}

function offboard() {
	const name = 'Offboard 50 of 1,000 people';
	const people = range(50, 501).map((number) => ({ email: `person.${number}@example.com` }));
	const byHand = (service) => [
		httpRequest(
			...[service, 'Find User', 'GET'],
			'=/scim/Users?filter={{ encodeURIComponent(`userName eq "${$json.email}"`) }}',
		),
		httpRequest(
			...[service, 'Deactivate', 'PATCH', '=/scim/Users/{{ $json.Resources[0].id }}'],
			patch("{ op: 'replace', path: 'active', value: false }"),
		),
	];
	const node = scim(
		{ operation: 'offboard', people: '={{ $json.email }}' },
		{ maxPeopleAffected: people.length },
	);
	return {
		name,
		seed: seedOf({ users: 1000, organizations: 4 }),
		credentials: scimCredentials(name),
		items: () => people,
		ways: [
			{ name: "package's node, with proof", workflow: inARow(node) },
			{
				name: `HTTP Request nodes, loop of ${AT_ONCE}, no proof`,
				workflow: inALoop(AT_ONCE, byHand),
			},
			{ name: 'HTTP Request nodes, all at once, no proof', workflow: inARow(byHand) },
		],
		isDone: ({ state }) => people.every(({ email }) => state.userByName(email)?.active === false),
	};
}

/** One document holds all monitors, so HTTP Request nodes take one after the other. */
function attach() {
	const name = 'Attach an action to all monitors of a model';
	const config = `/v0/organizations/${ORGANIZATION}/models/${MODEL}/monitor-config/v3`;
	const monitorsIn = ({ state }) =>
		JSON.parse(state.configurationText(ORGANIZATION, MODEL)).monitors;
	const has = ({ actions = [] }) => actions.some(({ target }) => target === ACTION);
	const byHand = (service) => [
		httpRequest(service, 'Read', 'GET', config),
		httpRequest(
			...[service, 'Write', 'PUT', config],
			`={{ { ...$json, monitors: $json.monitors.map((monitor) => monitor.id === $('Loop Over Items').item.json.id ? { ...monitor, actions: [...(monitor.actions ?? []), { type: 'global', target: '${ACTION}' }] } : monitor) } }}`,
		),
	];
	const node = packageNode('notificationActions', {
		...{ resource: 'monitor', operation: 'attach', action: locator(ACTION), monitors: 'all' },
		model: locator(MODEL),
	});
	return {
		name,
		credentials: alertingCredentials(name),
		items: monitorsIn,
		ways: [
			{ name: "package's node, verified", workflow: inARow(node) },
			{ name: 'HTTP Request nodes, one by one', workflow: inALoop(1, byHand) },
		],
		isDone: (service) => monitorsIn(service).every(has),
	};
}

const locator = (value) => ({ __rl: true, mode: 'id', value });

/** Made afresh at each call. */
module.exports = { workflowJobs: () => [onboard(), offboard(), attach()] };
