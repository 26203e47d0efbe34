'use strict';

/**
 * The alerts: a project system sends a new project to `examples/alert-wiring.json`, whose alerts are to
 * go to its chat channel.
 */

const {
	alertingDifferences,
	attachIn,
	changedMonitors,
	monitorTable,
	readAlerting,
	targetsOf,
	untouchedTextOf,
} = require('./alerting');
const { problemOf, sentTooMuch, writesIn } = require('./approval');
const { headersOf } = require('../credentials');
const { readExample } = require('./hr');
const { wrapped } = require('../table');

const HIGH = 1;
/** docs/interface.md 2.4: what the service calls a chat webhook. */
const CHAT = { type: 'SLACK', field: 'slackWebhook' };
/** A model of the local service that has no monitor of high severity. */
const CALM_MODEL = 'model-2';

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function alerts(stage) {
	const { service, organization, projects } = stage;
	const workflow = readExample('alert-wiring.json');
	const project = readExample('new-project.json');
	const { model, action } = project;
	let latest;

	const send = (what) => stage.post(workflow, what, headersOf(projects));

	const isHigh = ({ severity }) => Number(severity) === HIGH;
	const highIn = ({ monitors }) => monitors.get(model).filter(isHigh);

	return {
		title: `alerts of high severity of the model ${model} go to the chat channel of its project`,

		asked: () => [
			`  model   ${model}, in the organization ${organization}`,
			`  action  ${action}, a chat webhook`,
			`  for     every monitor of severity ${HIGH}, beside what it tells already`,
		],

		prepare: () => stage.add(workflow),

		/** Out: the report. Throws: when the workflow did not answer with one. */
		async play() {
			const { status, body, execution } = await send(project);
			if (!Array.isArray(body?.attached)) {
				const reason = problemOf(execution);
				throw new Error(`The workflow answered ${status}: ${JSON.stringify(body)}\n${reason}`);
			}
			latest = { status, ...body };
			return latest;
		},

		view: {
			read: () => readAlerting(service, organization),
			differences: alertingDifferences,
			/** As `[title, lines]`. */
			table(before, after) {
				const monitors = [...highIn(before), ...changedMonitors(before, after, model)];
				const ids = [...new Set(monitors.map(({ id }) => id))];
				const title = 'Which monitors tell whom, before → after';
				return [title, monitorTable({ before, after, model, ids })];
			},
		},

		/** What must be there afterwards, worked out without the node. */
		wanted(before) {
			const { type, field } = CHAT;
			const ids = highIn(before).map(({ id }) => id);
			const wanted = attachIn(before, model, ids, action);
			wanted.actions.set(action, {
				type,
				enabled: true,
				payload: { [field]: project.chatWebhook },
			});
			return wanted;
		},

		checks: (report, before, after) => [
			[
				'The rest of the configuration is the same, sign for sign',
				untouchedTextOf(after, before, {
					model,
					ids: idsWithout(highIn(before), action),
					action,
				}) === before.texts.get(model)
					? []
					: [`The configuration of ${model} differs elsewhere.`],
			],
			['The report says what was attached, and nothing failed', checkReport(report, before)],
			// By now the same project has been sent once more (see verdict.js).
			[
				'The report of the second time says that everything is there already',
				checkReport(latest, after),
			],
		],

		/** A model that nobody would hear of must not pass for done. Out: `{ title, lines, checks }`. */
		async afterwards() {
			service.log.clear();
			const { status, body, execution } = await send({ ...project, model: CALM_MODEL });
			const problem = problemOf(execution);
			const writes = writesIn(service.log.requests);
			return {
				title: `A model without monitors of high severity: ${CALM_MODEL}`,
				lines: wrapped(`The answer was ${status}. ${problem}`),
				checks: [
					[
						'A model without any such monitor ends the run with an error, and sends no write',
						[
							...(execution.status === 'error' && status === 500 && body?.failed?.length === 1
								? []
								: [`The execution says "${execution.status}", the answer was ${status}.`]),
							...writes.map(sentTooMuch),
						],
					],
				],
			};
		},
	};

	/** In: a report, what was there before it was made. */
	function checkReport({ attached, alreadyThere, failed, status }, before) {
		const lacking = idsWithout(highIn(before), action);
		const having = highIn(before)
			.map(({ id }) => id)
			.filter((id) => !lacking.includes(id));
		return [
			...(status === 200 ? [] : [`The answer was ${status}.`]),
			...unlike('attached', lacking, attached),
			...unlike('there already', having, alreadyThere),
			...unlike('failed', [], failed),
		];
	}
}

function idsWithout(monitors, action) {
	return monitors.filter((monitor) => !targetsOf(monitor).includes(action)).map(({ id }) => id);
}

function unlike(what, wanted, said) {
	const [should, is] = [wanted, said].map((ids) => [...ids].sort().join(', ') || 'nothing');
	return should === is ? [] : [`As ${what} it names ${is} instead of ${should}.`];
}

module.exports = { alerts };
