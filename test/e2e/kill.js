'use strict';

/**
 * `npm run test:kill`: a Reconcile of 1,000 people in n8n's queue mode is cut off in the middle: by a worker
 * that is killed, a service that is killed, somebody who cancels. It is run again, and must end as wanted.
 */

const { runMain } = require('../../demo/cleanup');
const { scimCredential } = require('../../demo/credentials');
const { say } = require('../../demo/progress');
const { differences, readSnapshot } = require('../../demo/snapshot');
const { judge } = require('./support/judge');
const { MOMENTS, isCreate } = require('./support/moments');
const { setQueueStage } = require('./support/queueStage');
const { reconcileCase, strayed } = require('./support/reconcileCase');
const { startServiceProcess } = require('./support/serviceProcess');
const { endOf, untilTrue } = require('./support/untilTrue');
const { scimWorkflow } = require('./support/workflows');

const LATENCY_MS = 20;
/** From the cut on, so that it falls into the middle and not behind the last request. */
const SLOW_MS = 1_000;
const RUN_WITHIN_MS = 180_000;
const SILENT_AFTER_MS = 2_000;
/** The request that it died of was carried out in the one, in the other it was not. */
const SHORT_OUTAGE = { ms: 1_000, dies: 'before it is answered' };
const LONG_OUTAGE = { ms: 25_000, dies: 'before it is carried out' };

/** So that n8n notices soon that a worker is gone; the defaults are 60, 10 and 30 s. */
const STALLED_SOON = {
	QUEUE_WORKER_LOCK_DURATION: '15000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/** `-- worker`, `cancel` or `service` plays only these. */
const chosen = process.argv.slice(2);
const plays = (name) => chosen.length === 0 || chosen.includes(name);

async function main() {
	const stage = await setQueueStage(STALLED_SOON);
	const judged = judge();
	const moments = Object.entries(MOMENTS);
	await undisturbed(stage, judged);
	for (const [when, moment] of moments) {
		if (plays('worker')) await workerKilled(stage, judged, when);
		if (plays('cancel')) await cancelled(stage, judged, when);
		if (!plays('service')) continue;
		await serviceKilled(stage, judged, when, { ...SHORT_OUTAGE, bridged: moment.bridged });
		await serviceKilled(stage, judged, when, LONG_OUTAGE);
	}
	return judged.verdict();
}

/** For comparison: what a run does that nobody cuts off. */
async function undisturbed(stage, judged) {
	const { check } = judged;
	const scene = await setScene(stage, judged, 'Nothing happens');
	const { status } = await scene.run();
	check('The run ends well', status === 'success' ? [] : [`It ended with "${status}".`]);
	check('Everything is as wanted', await scene.unlikeWanted());
	say(`  ${scene.writes()} writes among ${scene.service.log.requests.length} requests`);
	await scene.end();
}

async function workerKilled(stage, judged, when) {
	const { check } = judged;
	const scene = await setScene(stage, judged, `A worker is killed ${when}`);
	const reached = scene.service.watch({ when, slowMs: SLOW_MS });
	const first = await scene.start();
	await reached;
	const worker = stage.workers.find((one) => one.started().includes(first));
	worker.kill();
	// A request that had left is still carried out; the dead worker sends no other one.
	await pause(2 * SLOW_MS);
	const left = scene.writes();
	check('Nobody was granted or lost anything outside the plan', await scene.strayed());

	const again = await scene.run();
	check('The run again ends well', unlikeSuccess(again));
	check('Everything is as wanted', await scene.unlikeWanted());
	const sent = scene.writes();

	// n8n hands the execution of the dead worker to another one by itself, as soon as it misses it.
	const taken = await scene.ended(first);
	say(
		`  n8n ended the execution of the dead worker with "${taken.status}": ${taken.problem ?? ''}`,
	);
	check('Nothing changes when n8n comes back to the first run', [
		...(await scene.unlikeWanted()),
		...(scene.writes() === sent ? [] : [`It sent ${scene.writes() - sent} writes.`]),
	]);
	check('Nobody was created twice', scene.createdTwice());
	say(`  ${left} writes before the end of the worker, ${sent - left} in the run again`);
	stage.workers.splice(stage.workers.indexOf(worker), 1, await stage.newWorker());
	await scene.end();
}

async function cancelled(stage, judged, when) {
	const { check } = judged;
	const scene = await setScene(stage, judged, `The execution is cancelled ${when}`);
	const reached = scene.service.watch({ when, slowMs: SLOW_MS });
	const first = await scene.start();
	await reached;
	const at = Date.now();
	await stage.n8n.rest.call('POST', `/rest/executions/${first}/stop`);
	const answered = Date.now() - at;
	const { status } = await scene.ended(first);
	check('n8n says that it was cancelled', status === 'canceled' ? [] : [`It says "${status}".`]);
	await pause(SILENT_AFTER_MS * 2);
	const late = scene.service.log.requests.filter((entry) => entry.at > at + SILENT_AFTER_MS);
	check(
		'No request left later than 2 s after that',
		late.map((entry) => `${entry.method} ${entry.path} came ${entry.at - at} ms after it.`),
	);
	check('It was really cut off', (await scene.unlikeWanted()).length > 0 ? [] : ['All was done.']);
	check('Nobody was granted or lost anything outside the plan', await scene.strayed());
	const last = Math.max(...scene.service.log.requests.map((entry) => entry.at)) - at;
	const left = scene.writes();
	check('The run again ends well', unlikeSuccess(await scene.run()));
	check('Everything is as wanted', await scene.unlikeWanted());
	check('Nobody was created twice', scene.createdTwice());
	say(`  n8n answered after ${answered} ms, the last request came ${last} ms after it was asked`);
	say(`  ${left} writes before that, ${scene.writes() - left} in the run again`);
	await scene.end();
}

async function serviceKilled(stage, judged, when, { ms, dies, bridged }) {
	const title = `The service is killed ${when}, ${dies}, and started again after ${ms / 1000} s`;
	const { check } = judged;
	const scene = await setScene(stage, judged, title);
	const killed = scene.service.watch({ when, dies, slowMs: LATENCY_MS });
	const first = await scene.start();
	await killed;
	const at = Date.now();
	await pause(ms);
	await scene.service.startAgain();
	const away = ((Date.now() - at) / 1000).toFixed(1);
	const { status, problem = '' } = await scene.ended(first);
	say(`  It was away for ${away} s, and the run ended with "${status}" ${problem}`);
	check('Nobody was granted or lost anything outside the plan', await scene.strayed());
	const unlike = await scene.unlikeWanted();
	if (bridged) {
		check('A short absence is bridged', [...unlikeSuccess({ status }), ...unlike]);
	} else {
		check('It says that all is well only when it is', status === 'success' ? unlike : []);
	}
	const left = scene.writes();
	check('The run again ends well', unlikeSuccess(await scene.run()));
	check('Everything is as wanted', await scene.unlikeWanted());
	check('Nobody was created twice', scene.createdTwice());
	say(`  ${left} writes in the first run, ${scene.writes() - left} in the run again`);
	await scene.end();
}

function unlikeSuccess({ status, problem }) {
	return status === 'success' ? [] : [`It ended with "${status}". ${problem ?? ''}`.trim()];
}

/**
 * A service of its own for each cut, with the same people, and the workflow that reconciles them.
 * Out: what the cuts above do with it.
 */
async function setScene({ n8n }, judged, title) {
	judged.scene(title);
	const { seed, rows, scope, wantedAfter } = reconcileCase();
	const service = await startServiceProcess({ seed, latencyMs: LATENCY_MS });
	const path = `reconcile-${service.port}`;
	const credential = { ...scimCredential(service), name: path };
	const [id] = await n8n.importCredentials([credential]);
	const workflowId = await n8n.importWorkflow(
		scimWorkflow({
			name: path,
			answer: 'onReceived',
			credential: { id, name: path },
			parameters: {
				resource: 'access',
				operation: 'reconcile',
				preview: false,
				wantedFrom: 'json',
				wantedJson: '={{ JSON.stringify($json.body) }}',
				createMissing: true,
				accessBy: 'organizationAndRole',
				scopeOrganizations: scope.join(', '),
				options: {
					maxCreates: rows.length,
					maxPeopleAffected: rows.length,
				},
			},
		}),
	);
	await n8n.activate(workflowId);
	const before = await readSnapshot(service);
	const wanted = wantedAfter(before);
	const known = new Set();

	async function start() {
		service.setLatency(LATENCY_MS);
		await n8n.webhook(path, rows);
		const found = await untilTrue(
			'the execution',
			async () =>
				(await n8n.executions()).find(
					(execution) => execution.workflowId === workflowId && !known.has(execution.id),
				),
			RUN_WITHIN_MS,
		);
		known.add(found.id);
		return found.id;
	}

	async function ended(executionId) {
		const execution = await endOf(n8n.rest, executionId, RUN_WITHIN_MS);
		return { status: execution.status, problem: execution.data.resultData.error?.message };
	}

	return {
		service,
		start,
		ended,
		run: async () => await ended(await start()),
		/** How many writes the service has carried out; a create of somebody who is there is refused. */
		writes: () =>
			service.log.requests.filter(({ method, status }) => method !== 'GET' && status < 300).length,
		unlikeWanted: async () => differences(wanted, await readSnapshot(service)),
		strayed: async () => strayed(before, wanted, await readSnapshot(service)),
		createdTwice: () => {
			const made = service.log.requests
				.filter((entry) => isCreate(entry) && entry.status === 201)
				.map(({ body }) => body.userName);
			return [...new Set(made.filter((name, index) => made.indexOf(name) !== index))].map(
				(name) => `${name} was.`,
			);
		},
		end: () => service.close(),
	};
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

void runMain(main);
