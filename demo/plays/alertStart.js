'use strict';

/** The alert-start: `examples/alert-to-n8n.json` wires the monitors of a model to n8n, and takes an alert. */

const {
	alertingDifferences,
	attachIn,
	changedMonitors,
	monitorTable,
	readAlerting,
	untouchedTextOf,
} = require('./alerting');
const { outputOf, problemOf, runWith } = require('./approval');
const { headersOf } = require('../credentials');
const { readExample } = require('./hr');

/** Nobody is sent there: the local service delivers nothing. */
const ADDRESS = 'https://n8n.example.com';
const MODEL = 'model-2';
const ACTION = 'n8n-alerts';
const ALERT = { monitor: 'uplift-drift-monitor', severity: 1 };

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function alertStart(stage) {
	const { service, n8n, organization, alerts } = stage;
	const workflow = readExample('alert-to-n8n.json');
	const [[header, key]] = Object.entries(headersOf(alerts));
	const settings = { address: ADDRESS, key, model: MODEL, action: ACTION };
	const idsIn = ({ monitors }) => monitors.get(MODEL).map(({ id }) => id);
	let unfilled;

	const wire = (more) => runWith(stage, workflow, { ...settings, ...more });

	return {
		title: `alerts of the model ${MODEL} are to start a workflow`,
		asked: () => [`  action  ${ACTION}, a webhook that points at n8n`],

		async prepare() {
			await stage.add(workflow);
			service.log.clear();
			unfilled = { problem: problemOf(await wire({ key: '' })), sent: service.log.requests.length };
		},

		async play() {
			const execution = await wire();
			const [wired] = outputOf(execution, 'Wired');
			if (!wired) throw new Error(`The workflow did not wire: ${problemOf(execution)}`);
			return wired;
		},

		view: {
			read: () => readAlerting(service, organization),
			differences: alertingDifferences,
			table(before, after) {
				const ids = changedMonitors(before, after, MODEL).map(({ id }) => id);
				return ['Which monitors tell whom', monitorTable({ before, after, model: MODEL, ids })];
			},
		},

		wanted(before) {
			const wanted = attachIn(before, MODEL, idsIn(before), ACTION);
			wanted.actions.set(ACTION, {
				type: 'WEBHOOK',
				enabled: true,
				payload: {
					url: `${ADDRESS}/webhook/monitor-alerts`,
					method: 'POST',
					headers: { [header]: key },
					body: undefined,
				},
			});
			return wanted;
		},

		checks: ({ attached }, before, after) => [
			[
				'Without a key nothing is sent, and the run says what to fill in',
				unfilled.sent === 0 && /fill in a key/.test(unfilled.problem)
					? []
					: [`${unfilled.sent} requests were sent. ${unfilled.problem}`],
			],
			[
				'Every monitor of the model is wired, and the rest is the same, sign for sign',
				[
					...(attached.join() === idsIn(before).join() ? [] : [`Attached: ${attached.join()}`]),
					...(untouchedTextOf(after, before, { model: MODEL, ids: attached, action: ACTION }) ===
					before.texts.get(MODEL)
						? []
						: [`The configuration of ${MODEL} differs elsewhere.`]),
				],
			],
		],

		/** What the service would do. Out: `{ title, lines, checks }`. */
		async afterwards() {
			const { execution } = await stage.post(workflow, ALERT, headersOf(alerts));
			const [arrived] = outputOf(execution, 'Alert');
			const { status } = await n8n.webhook('monitor-alerts', ALERT, { [header]: 'wrong' });
			return {
				title: 'An alert arrives',
				lines: [`  ${JSON.stringify(arrived)}`],
				checks: [
					[
						'An alert starts the workflow, and without the key it does not',
						JSON.stringify(arrived?.alert) === JSON.stringify(ALERT) && status === 403
							? []
							: [`It gave ${JSON.stringify(arrived)}; with a wrong key the answer was ${status}.`],
					],
				],
			};
		},
	};
}

module.exports = { alertStart };
