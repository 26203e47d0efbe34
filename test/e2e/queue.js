'use strict';

/**
 * `npm run test:queue`: n8n in queue mode with two workers, 500 executions by webhook that each provision a
 * person, against a service that takes its time and refuses one request in twenty; then a job in two parts at once.
 */

const { runMain } = require('../../demo/cleanup');
const { scimCredential } = require('../../demo/credentials');
const { say } = require('../../demo/progress');
const { copySnapshot, differences, readSnapshot } = require('../../demo/snapshot');
const { judge } = require('./support/judge');
const { setQueueStage } = require('./support/queueStage');
const { playScopes } = require('./support/scopes');
const { startLocalService } = require('./support/start');
const { endOf } = require('./support/untilTrue');
const { scimWorkflow } = require('./support/workflows');
const { fromExpression } = require('../support/accessRows');

const PEOPLE = 500;
const AT_ONCE = 20;
const LATENCY_MS = 20;
const REFUSED = 0.05;
/** No worker may have less than this of all executions. */
const LEAST_SHARE = 0.25;
const ENDED_WITHIN_MS = 60_000;
const ROLES = ['member', 'viewer', 'admin'];

async function main() {
	const stage = await setQueueStage();
	const { n8n, workers } = stage;
	const service = await startLocalService({
		latencyMs: LATENCY_MS,
		faults: [{ kind: '429', rate: REFUSED }],
	});
	const credential = scimCredential(service);
	const [id] = await n8n.importCredentials([credential]);
	const workflow = scimWorkflow({
		name: 'provision',
		credential: { id, name: credential.name },
		parameters: {
			resource: 'access',
			operation: 'assign',
			people: '={{ $json.body.email }}',
			...fromExpression('={{ $json.body.access }}'),
			createMissing: true,
			newUserFields: { externalId: '={{ $json.body.externalId }}' },
		},
	});
	await n8n.activate(await n8n.importWorkflow(workflow));

	const wishes = wishesFor(service);
	const before = await readSnapshot(service);
	say(`\n${PEOPLE} executions, ${AT_ONCE} at once ...`);
	const start = Date.now();
	const answers = await sendAll(n8n, wishes);
	const seconds = (Date.now() - start) / 1000;

	const after = await readSnapshot(service);
	const begun = workers.map((worker) => [worker.name, worker.started()]);
	const shares = begun.map(([name, ids]) => [name, ids.length]);
	// One by one: the list comes in pages, between which executions move while they end.
	const executions = [];
	for (const id of new Set(begun.flatMap(([, ids]) => ids)))
		executions.push(await endOf(n8n.rest, id, ENDED_WITHIN_MS));
	const requests = service.log.requests;

	const { check, verdict } = judge();
	say();
	check('Each webhook was answered with what was done', answers.flatMap(complaintAbout));
	check('n8n holds one execution for each, all of them well', [
		...(executions.length === PEOPLE ? [] : [`It holds ${executions.length}.`]),
		...executions
			.filter(({ status }) => status !== 'success')
			.map((execution) => `Execution ${execution.id} says "${execution.status}".`),
	]);
	check(
		'The service holds what was wished for, nobody else changed, one email each',
		differences(wantedAfter(before, wishes), after),
	);
	check('Each person was created once', unlikeOnce(requests, wishes));
	check('Both workers worked', [
		...shares
			.filter(([, count]) => count < PEOPLE * LEAST_SHARE)
			.map(([name, count]) => `${name} began ${count} executions only.`),
		...(shares.reduce((sum, [, count]) => sum + count, 0) === PEOPLE
			? []
			: ['Executions were begun by more than one worker, or by none.']),
	]);
	sayFigures({ seconds, shares, requests });
	say('\nTwo organizations at once ...\n');
	for (const [promise, complaints] of await playScopes(stage)) check(promise, complaints);
	return verdict();
}

/** Out: `{ email, externalId, access }` for each person, in three organizations in turn. */
function wishesFor({ state }) {
	const organizations = state.organizations.filter(({ id }) => id !== state.account);
	return Array.from({ length: PEOPLE }, (_, index) => ({
		email: `joiner.${index + 1}@example.com`,
		externalId: `hr-queue-${index + 1}`,
		access: [
			{
				organization: organizations[index % organizations.length].name,
				role: ROLES[Math.floor(index / organizations.length) % ROLES.length],
			},
		],
	}));
}

/** Out: an answer for each wish, in their order, at most `AT_ONCE` open at any time. */
async function sendAll(n8n, wishes) {
	const answers = [];
	let next = 0;
	const sender = async () => {
		while (next < wishes.length) {
			const index = next++;
			answers[index] = await n8n.webhook('provision', wishes[index]);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, sender));
	return answers;
}

function complaintAbout({ status, body }, index) {
	// The account and the role.
	const right =
		Array.isArray(body) && body.length === 2 && body.every((item) => item.status === 'done');
	if (status === 200 && right) return [];
	return [`Number ${index + 1} was answered ${status}: ${JSON.stringify(body).slice(0, 200)}`];
}

/** Worked out without the node. */
function wantedAfter(before, wishes) {
	const wanted = copySnapshot(before);
	const idOf = new Map(before.organizations.map(({ id, name }) => [name, id]));
	for (const { email, access } of wishes) {
		const roles = {};
		for (const { organization, role } of access) {
			roles[idOf.get(organization)] = role;
			wanted.mails.push({ to: email, organizationId: idOf.get(organization) });
		}
		wanted.people.set(email, { active: true, roles });
	}
	return wanted;
}

/** Out: whom the service created more or less than once, by its own log. */
function unlikeOnce(requests, wishes) {
	const made = new Map(wishes.map(({ email }) => [email, 0]));
	const creates = requests.filter(({ method, path }) => method === 'POST' && /\/Users$/.test(path));
	for (const { body, status } of creates) {
		if (status === 201) made.set(body.userName, (made.get(body.userName) ?? 0) + 1);
	}
	return [
		...[...made]
			.filter(([, count]) => count !== 1)
			.map(([email, count]) => `${email} was created ${count} times.`),
		...creates
			.filter(({ status }) => status === 409)
			.map(({ body }) => `A second create was sent for ${body.userName}.`),
	];
}

function sayFigures({ seconds, shares, requests }) {
	const refused = requests.filter(({ status }) => status === 429).length;
	say(`\n  ${PEOPLE} executions in ${seconds.toFixed(1)} s: ${rate(PEOPLE, seconds)} per second`);
	for (const [name, count] of shares) {
		say(`  ${name}: ${count} executions, ${rate(count, seconds)} per second`);
	}
	say(`  ${requests.length} requests, ${refused} of them refused with 429 and sent again`);
}

const rate = (count, seconds) => (count / seconds).toFixed(1);

void runMain(main);
