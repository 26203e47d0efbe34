'use strict';

/** The start by an alert: `examples/alert-to-n8n.json` wires the monitors of a model to n8n, and takes an alert. */

const { wiring } = require('./alerting');
const { outputOf, problemOf, unlike } = require('./approval');
const { headersOf } = require('../credentials');
const { readExample } = require('./hr');

/** Nothing is sent there: the local service delivers nothing. */
const ADDRESS = 'https://n8n.example.com';
const MODEL = 'model-2';
const ACTION = 'n8n-alerts';
const ALERT = { monitor: 'uplift-drift-monitor', severity: 1 };

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function alertStart(stage) {
	const { service, n8n, alerts } = stage;
	const workflow = readExample('alert-to-n8n.json');
	const [[header, key]] = Object.entries(headersOf(alerts));
	const url = `${ADDRESS}/webhook/monitor-alerts`;
	const idsIn = ({ monitors }) => monitors.get(MODEL).map(({ id }) => id);
	const { view, wanted, checkRest } = wiring(stage, {
		...{ model: MODEL, action: ACTION, idsIn },
		stored: {
			type: 'WEBHOOK',
			payload: { url, method: 'POST', headers: { [header]: key }, body: undefined },
		},
	});
	let previewed;

	async function wire(filledIn) {
		const { parameters } = workflow.nodes.find(({ name }) => name.endsWith('(Fill In)'));
		const values = { address: ADDRESS, model: MODEL, action: ACTION };
		parameters.jsonOutput = JSON.stringify({ ...values, key: filledIn });
		return await stage.run(workflow);
	}

	return {
		title: `alerts of the model ${MODEL} are to start a workflow`,
		asked: () => [`  action  ${ACTION}, a webhook that points at n8n`],

		async prepare() {
			await stage.add(workflow);
			const from = service.log.requests.length;
			const execution = await wire('');
			const requests = service.log.requests.slice(from);
			const sent = requests.flatMap(({ method }) => (method === 'GET' ? [] : `sends ${method}`));
			const [{ requests: planned }] = outputOf(execution, 'Preview Action');
			previewed = [...planned.map(({ action }) => action), ...sent];
		},

		async play() {
			const execution = await wire(key);
			const wired = outputOf(execution, 'Attach to Monitors');
			if (wired.length === 0) throw new Error(`The workflow did not wire: ${problemOf(execution)}`);
			return wired;
		},

		...{ view, wanted },

		checks: (wired, before, after) => [
			[
				'Without a key it previews, and sends nothing',
				unlike(previewed, [`create action ${ACTION}`]),
			],
			checkRest(before, after),
			[
				'Every monitor of the model is wired',
				unlike(
					wired.flatMap(({ id, status }) => (status === 'done' ? id : [])),
					idsIn(before),
				),
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
