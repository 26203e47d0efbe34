'use strict';

/**
 * `npm run test:secrets`: both nodes in a real n8n, against a server that fails in every way and says back
 * whatever it was given. Afterwards tokens, keys and the secrets of action payloads are looked for by
 * value: in everything that n8n wrote to disk, and in everything that it answered.
 *
 * The secrets of payloads stand in no workflow in one piece (an expression puts them together when the node
 * runs), so that the workflows themselves need not be left out of the search: whatever is found was written
 * by a run.
 */

const { randomBytes } = require('node:crypto');
const { join } = require('node:path');
const { runMain, temporaryFolder } = require('../../demo/cleanup');
const { alertingCredential, scimCredential } = require('../../demo/credentials');
const { say, withProgress } = require('../../demo/progress');
const { playMethods, playTokens, setGate } = require('./support/authentication');
const { FAILURES, startHostile, startRecorder } = require('./support/hostile');
const { alertingJobs, scimJobs } = require('./support/jobs');
const { judge } = require('./support/judge');
const { searchDatabase, searcher, searchFolder } = require('./support/search');
const { startLocalService, startPackedN8n } = require('./support/start');
const { alertingWorkflow, scimWorkflow } = require('./support/workflows');

const ORGANIZATION = 'org-3454';
const SAVE_ALL = {
	EXECUTIONS_DATA_SAVE_ON_ERROR: 'all',
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
	EXECUTIONS_DATA_SAVE_ON_PROGRESS: 'true',
	EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS: 'true',
	N8N_LOG_LEVEL: 'debug',
};

async function main() {
	const { check, verdict } = judge();
	const stage = await setStage();
	await playFailures(stage, check);
	await playAuthentication(stage, check);
	await searchEverywhere(stage, check);
	return verdict();
}

const randomSecret = () => randomBytes(16).toString('hex');

async function setStage() {
	const service = await startLocalService();
	const recorder = await startRecorder('127.0.0.2');
	const hostile = await startHostile(service.url, recorder.url);

	const folder = temporaryFolder('scim-provisioning-secrets');
	const { n8n, install } = await startPackedN8n({ userFolder: folder, env: SAVE_ALL });
	const payload = Object.fromEntries(
		['chat', 'pager', 'hookPath', 'hookHeader', 'hookBody', 'other'].map((what) => [
			what,
			randomSecret(),
		]),
	);
	const wrongToken = `${randomSecret()}:${service.state.account}`;
	const wrongKey = `${randomSecret()}:${ORGANIZATION}`;
	const canary = randomSecret();
	const answers = [];

	const viaHostile = { ...service, url: hostile.url };
	const credentials = {
		right: {
			scim: scimCredential(viaHostile),
			alerting: alertingCredential(viaHostile, ORGANIZATION),
		},
		wrong: {
			scim: scimCredential({ ...viaHostile, accountToken: wrongToken }),
			alerting: alertingCredential(
				{ ...viaHostile, apiKeys: { [ORGANIZATION]: wrongKey } },
				ORGANIZATION,
			),
		},
	};
	for (const [which, pair] of Object.entries(credentials)) {
		for (const credential of Object.values(pair)) {
			credential.name = `${credential.type} ${which}`;
			[credential.id] = await n8n.importCredentials([credential]);
		}
	}

	/** Imports a workflow of one node, and gives a function that runs it once. */
	async function workflowOf(kind, { id, name }, title, parameters, more = {}) {
		const make = kind === 'scim' ? scimWorkflow : alertingWorkflow;
		const path = title.replace(/\W+/g, '-').toLowerCase();
		const workflow = make({ name: path, credential: { id, name }, parameters, ...more });
		await n8n.activate(await n8n.importWorkflow(workflow));
		return async (body = {}) => {
			const { status, body: answer } = await n8n.webhook(path, { canary, ...body });
			answers.push([`the answer of ${path}`, JSON.stringify(answer)]);
			return { status, answer };
		};
	}

	return {
		install,
		service,
		recorder,
		hostile,
		folder,
		n8n,
		payload,
		canary,
		answers,
		credentials,
		workflowOf,
		secrets: [
			['the account token', service.accountToken],
			['the key part of the account token', service.accountToken.split(':')[0]],
			['the API key', service.apiKeys[ORGANIZATION]],
			['the key part of the API key', service.apiKeys[ORGANIZATION].split(':')[0]],
			['the wrong token', wrongToken.split(':')[0]],
			['the wrong key', wrongKey.split(':')[0]],
			...Object.entries(payload).map(([what, value]) => [`the payload secret ${what}`, value]),
			...seededSecrets(service),
		],
	};
}

/** What the actions hold that are there from the beginning: reads bring these along. */
function seededSecrets({ state }) {
	return [...state.alerting.actions.get(ORGANIZATION).values()]
		.map(({ id, payload }) => [id, payload.pagerDutyKey ?? payload.slackWebhook])
		.filter(([, value]) => value)
		.map(([id, value]) => [`the secret of ${id}`, value]);
}

/** Every job with every failure: once where items that fail come out, once where the workflow stops. */
async function playFailures(stage, check) {
	const { credentials, hostile, payload, workflowOf, n8n } = stage;
	const jobs = [
		...Object.entries(scimJobs()).map((job) => ['scim', ...job]),
		...Object.entries(alertingJobs(payload)).map((job) => ['alerting', ...job]),
	];
	const runs = { right: [], wrong: [] };
	await withProgress(`Importing ${jobs.length * 4} workflows`, async () => {
		for (const which of Object.keys(runs)) {
			for (const [kind, title, parameters] of jobs) {
				for (const onError of ['stopWorkflow', 'continueRegularOutput']) {
					const name = `${kind} ${title} ${which} ${onError}`;
					const node = { onError };
					const run = await workflowOf(kind, credentials[which][kind], name, parameters, { node });
					runs[which].push({ run, writes: !title.startsWith('get ') });
				}
			}
		}
	});
	/** Each job once, half of them where an error stops the workflow; which half alternates. */
	const play = async (which, { writesOnly = false, turn = 0 } = {}) => {
		const chosen = runs[which].filter((_, index) => (index + (index >> 1) + turn) % 2 === 0);
		const wanted = chosen.filter(({ writes }) => writes || !writesOnly);
		return await Promise.all(wanted.map(async ({ run }) => await run()));
	};

	const rounds = FAILURES.flatMap((name, index) => [
		{ name, writesOnly: false, turn: index },
		{ name, writesOnly: true, turn: index + 1 },
	]);
	let failed = 0;
	let executions = 0;
	const count = (results) => {
		executions += results.length;
		failed += results.filter(
			({ status, answer }) => status !== 200 || JSON.stringify(answer).includes('"error"'),
		).length;
	};
	await withProgress(`Failing in ${FAILURES.length} ways`, async () => {
		count(await play('wrong'));
		count(await play('wrong', { turn: 1 }));
		for (const mode of rounds) {
			hostile.mode = mode;
			const [results] = await Promise.all([
				play('right', mode),
				// Nobody waits half a minute for each list here.
				!mode.writesOnly && mode.name !== 'no answer' && askLikeTheEditor(stage),
			]);
			count(results);
		}
		hostile.mode = undefined;
		count(await play('right'));
	});
	say(`  ${executions} executions, ${failed} of them with failures`);
	const met = FAILURES.filter((name) => hostile.count[name] > 0);
	check(
		'Every failure was met',
		FAILURES.filter((name) => !met.includes(name)),
	);
	check('n8n went on after all that', (await n8n.executions()).length > 0 ? [] : ['It did not.']);
}

/**
 * The test of the credential, and the lists that the editor offers to choose from. What the test says is not
 * looked at: it is n8n's own, shows whoever typed the token what the server says, and is not saved. That is
 * looked for.
 */
async function askLikeTheEditor({ n8n, credentials, answers }) {
	const lists = {
		scim: ['searchUsers', 'searchGroups', 'searchOrganizations'],
		alerting: ['searchActions', 'searchModels', 'searchMonitors'],
	};
	const types = { scim: 'scimProvisioning', alerting: 'notificationActions' };
	const ask = async (what, path, body, kept = answers) => {
		let answer;
		try {
			answer = JSON.stringify(await n8n.rest.call('POST', path, body));
		} catch (problem) {
			answer = problem.message;
		}
		kept.push([what, answer]);
	};
	const asked = Object.entries(credentials.right).flatMap(([kind, { id, name, type, data }]) => [
		ask(
			`the test of ${type}`,
			'/rest/credentials/test',
			{ credentials: { id, name, type, data } },
			[],
		),
		...lists[kind].map((methodName) =>
			ask(`the list ${methodName}`, '/rest/dynamic-node-parameters/resource-locator-results', {
				path: 'parameters.x',
				methodName,
				nodeTypeAndVersion: { name: `n8n-nodes-scim-provisioning.${types[kind]}`, version: 1 },
				currentNodeParameters: { model: { __rl: true, mode: 'id', value: 'model-1' } },
				credentials: { [type]: { id, name } },
			}),
		),
	]);
	await Promise.all(asked);
}

async function playAuthentication(stage, check) {
	const { workflowOf, secrets } = stage;
	const gate = await setGate(stage, randomSecret);
	await withProgress('Other ways to authenticate', async () => {
		say(`  ${await playMethods(gate, workflowOf)} executions with them`);
	});
	for (const [what, wrong] of Object.entries(await playTokens(gate, stage))) check(what, wrong);
	secrets.push(...gate.secrets());
}

async function searchEverywhere(
	{ install, folder, n8n, recorder, secrets, canary, answers },
	check,
) {
	const findIn = searcher(secrets);
	const findCanary = searcher([['the canary', canary]]);
	const file = join(folder, '.n8n', 'database.sqlite');
	// What was installed is npm's, and what is cached are the pages of the editor.
	const leftOut = ['node_modules', '.cache'];
	const running = searchFolder(findIn, folder, leftOut);
	await n8n.stop();
	const stopped = searchFolder(findIn, folder, leftOut);
	const cells = searchDatabase(findIn, install.node, file);
	const canaries = searchDatabase(findCanary, install.node, file).found;

	say(`\n  ${secrets.length} secrets, each in several forms, looked for in`);
	say(
		`    ${running.files.length} files of a running n8n, ${(running.bytes / 1e6).toFixed(1)} MB:`,
	);
	say(`    ${running.files.join(', ')}`.slice(0, 400));
	say(`    ${cells.cells} cells of its database, ${answers.length} answers of its interface`);
	check(
		'What n8n saves can be found (something harmless that was sent along)',
		canaries.length > 0 ? [] : ['It was not found: the search sees nothing.'],
	);
	check('No secret in the files of n8n, database and logs', [...running.found, ...stopped.found]);
	check('No secret in any cell of the database', cells.found);
	check(
		'No secret in what n8n answered',
		answers.flatMap(([what, text]) => findIn(what, text ?? '')),
	);
	check('The host that the redirects name has got nothing, not even a connection', recorder.seen);
}

void runMain(main);
