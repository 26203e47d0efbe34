'use strict';

/**
 * One job in a real n8n: 100 new people get an account and three roles each, by the package's node and by n8n's HTTP
 * Request nodes (one for the account, one for each role). The HTTP Request node sends the requests of all its items
 * at once; in a loop of five items it has as many under way as the package's node by default.
 */

const { cleanUp, onCleanup, runMain } = require('../demo/cleanup');
const { scimCredential } = require('../demo/credentials');
const { freePorts } = require('../demo/n8n/environment');
const { installN8n } = require('../demo/n8n/install');
const { startN8n } = require('../demo/n8n/instance');
const { packPackage } = require('../demo/package');
const { median, table } = require('./support/figures');

const PEOPLE = 100;
const ROLES = { 'org-1001': 'member', 'org-1002': 'viewer', 'org-1003': 'viewer' };
const AT_ONCE = 5;
// The most that the package's node takes.
const MOST_AT_ONCE = 50;
const LATENCIES = [0, 20];
const REPETITIONS = 5;
const WARM_UPS = 1;

const packageNode = (concurrency) => (service) =>
	inARow([
		{
			name: 'Assign',
			type: 'n8n-nodes-scim-provisioning.scimProvisioning',
			typeVersion: 1,
			parameters: {
				resource: 'access',
				operation: 'assign',
				people: '={{ $json.email }}',
				createMissing: true,
				assignmentsFrom: 'json',
				assignmentsJson: JSON.stringify(
					Object.entries(ROLES).map(([organization, role]) => ({ organization, role })),
				),
				options: { concurrency },
			},
			credentials: named('scimProvisioningApi', scimCredential(service)),
		},
	]);

const httpRequestNodes = (service) => inARow(requestNodes(service));

/** As above, in a loop that takes five people at a time. */
const httpRequestNodesInLoop = (service) => {
	const nodes = requestNodes(service);
	const loop = {
		name: 'Loop Over Items',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { batchSize: AT_ONCE },
	};
	const workflow = inARow([loop, ...nodes]);
	// Its first output is for the end, the second for the items of a round.
	workflow.connections[loop.name] = { main: [[], [to(nodes[0])]] };
	workflow.connections[nodes.at(-1).name] = { main: [[to(loop)]] };
	return workflow;
};

const WAYS = [
	{ name: `package's node, ${AT_ONCE} at once (default)`, workflow: packageNode(AT_ONCE) },
	{ name: `package's node, ${MOST_AT_ONCE} at once`, workflow: packageNode(MOST_AT_ONCE) },
	{ name: `HTTP Request nodes, loop of ${AT_ONCE}`, workflow: httpRequestNodesInLoop },
	{ name: `HTTP Request nodes, all ${PEOPLE} at once`, workflow: httpRequestNodes },
];

function requestNodes(service) {
	const node = (name, method, path, body) => ({
		name,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method,
			url: service.url + path,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: body,
			options: { response: { response: { responseFormat: 'json' } } },
		},
		credentials: named('httpHeaderAuth', tokenCredential(service)),
	});
	return [
		node(
			'Create User',
			'POST',
			'/scim/Users',
			"={{ { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: $json.email } }}",
		),
		...Object.entries(ROLES).map(([organization, role]) =>
			node(
				`Add to ${organization}`,
				'PATCH',
				`/scim/Groups/${organization}:${role}`,
				"={{ { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [{ op: 'add', path: 'members', value: [{ value: $('Create User').item.json.id }] }] } }}",
			),
		),
	];
}

function tokenCredential({ accountToken }) {
	return {
		name: 'Token of the service',
		type: 'httpHeaderAuth',
		data: { name: 'Authorization', value: `Bearer ${accountToken}` },
	};
}

/** n8n finds credentials by name where there is no id. */
const named = (type, { name }) => ({ [type]: { id: null, name } });

const to = ({ name }) => ({ node: name, type: 'main', index: 0 });

/** A workflow that takes a list from a webhook and ends with these nodes. */
function inARow(ending) {
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
	const nodes = [...beginning, ...ending].map((node, index) => ({
		...node,
		id: `bench-${index}`,
		position: [index * 200, 0],
	}));
	const connections = {};
	nodes.slice(1).forEach((node, index) => {
		connections[nodes[index].name] = { main: [[to(node)]] };
	});
	return { name: path, nodes, connections, settings: { executionOrder: 'v1' } };
}

/** One run on a fresh service at the same address. Out: milliseconds of the execution, and requests that came. */
async function play({ id, path }, n8n, startAgain) {
	const service = await startAgain();
	const people = Array.from({ length: PEOPLE }, (_, index) => ({
		email: `hire.${index}@example.com`,
	}));
	try {
		const { status, body } = await n8n.webhook(path, people);
		const [newest] = await n8n.executions();
		if (newest.workflowId !== id || newest.status !== 'success' || !isDone(service)) {
			const problem = (await n8n.rest.lastProblem()) || `${status} ${JSON.stringify(body)}`;
			throw new Error(`The job was not done: ${problem}`);
		}
		const ms = Date.parse(newest.stoppedAt) - Date.parse(newest.startedAt);
		return { ms, requests: service.log.requests.length };
	} finally {
		await service.close();
	}
}

function isDone({ state }) {
	const hires = state.table().people.filter(({ userName }) => userName.startsWith('hire.'));
	return (
		hires.length === PEOPLE &&
		hires.every(({ roles }) =>
			Object.entries(ROLES).every(([organization, role]) => roles[organization] === role),
		)
	);
}

async function main() {
	const tarball = await packPackage();
	const install = await installN8n();
	const { seedOf, startService } = require('../demo/service');
	// The address is written in the workflows and in the credential, so it stays.
	const [port] = await freePorts(1);
	const options = { port, seed: seedOf({ users: 1000, organizations: 4 }) };
	const first = await startService(options);
	await first.close();
	const startWith = (latencyMs) => () =>
		startService({ ...options, latencyMs, accountToken: first.accountToken });

	const n8n = await startN8n({ install, tarball });
	onCleanup(() => n8n.stop());
	await n8n.importCredentials([scimCredential(first), tokenCredential(first)]);
	const ways = [];
	for (const { name, workflow } of WAYS) {
		const made = workflow(first);
		const id = await n8n.importWorkflow(made);
		await n8n.activate(id);
		ways.push({ name, id, path: made.name });
	}

	const rows = [];
	for (const latencyMs of LATENCIES) {
		const taken = new Map(ways.map((way) => [way, []]));
		for (let repetition = -WARM_UPS; repetition < REPETITIONS; repetition++) {
			for (const way of ways) {
				const run = await play(way, n8n, startWith(latencyMs));
				if (repetition >= 0) taken.get(way).push(run);
			}
		}
		const msOf = (way) => median(taken.get(way).map(({ ms }) => ms));
		for (const way of ways) {
			rows.push([
				way.name,
				String(latencyMs),
				String(taken.get(way)[0].requests),
				msOf(way).toFixed(0),
				`${(msOf(way) / msOf(ways[0])).toFixed(2)}x`,
			]);
		}
	}
	console.log(
		`\nOnboarding ${PEOPLE} new people with 3 roles each in n8n ${install.version}: execution time as n8n tells it, median of ${REPETITIONS}.\n`,
	);
	console.log(table(['built from', 'latency ms', 'requests', 'ms', 'ratio'], rows));
	await cleanUp();
}

void runMain(main);
