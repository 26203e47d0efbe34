'use strict';

/**
 * The alerts: a project system sends a new project to `examples/alert-wiring.json`, whose alerts are to
 * go to its chat channel.
 */

const { wiring } = require('./alerting');
const { checkStopped, problemOf } = require('./approval');
const { headersOf } = require('../credentials');
const { pinnedBody, readExample } = require('./hr');
const { wrapped } = require('../table');

const HIGH = 1;
/** A model of the local service that has no monitor of high severity. */
const CALM_MODEL = 'model-2';

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function alerts(stage) {
	const { service, organization, projects } = stage;
	const workflow = readExample('alert-wiring.json');
	const project = pinnedBody(workflow);
	const { model, action } = project;
	const idsIn = ({ monitors }) =>
		monitors.get(model).flatMap(({ id, severity }) => (Number(severity) === HIGH ? [id] : []));
	const { view, wanted, checkRest } = wiring(stage, {
		...{ model, action, idsIn },
		// test/contract/interface.md 2.4: what the service calls a chat webhook.
		stored: { type: 'SLACK', payload: { slackWebhook: project.chatWebhook } },
	});
	let latest;

	const send = (what) => stage.post(workflow, what, headersOf(projects));

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

		...{ view, wanted },

		checks: (report, before, after) => [
			checkRest(before, after),
			[
				'The report says what was attached, and nothing failed',
				unlikeReport(report, { attached: idsIn(before) }),
			],
			// By now the same project has been sent once more (see verdict.js).
			[
				'The report of the second time says that everything is there already',
				unlikeReport(latest, { alreadyThere: idsIn(before) }),
			],
		],

		/** A model without a wired monitor must not pass for done. Out: `{ title, lines, checks }`. */
		async afterwards() {
			const executed = await stage.run(workflow);
			const from = service.log.requests.length;
			const { status, execution } = await send({ ...project, model: CALM_MODEL });
			const end = problemOf(execution);
			const requests = service.log.requests.slice(from);
			return {
				title: `A model without monitors of high severity: ${CALM_MODEL}`,
				lines: wrapped(`The answer was ${status}. ${end}`),
				checks: [
					[
						'Execute workflow ends well with the project that is pinned',
						executed.status === 'success' ? [] : [problemOf(executed)],
					],
					checkStopped(
						'A model without any such monitor stops the run',
						{ end, execution, requests },
						/No monitor of model model-2 matches/,
					),
				],
			};
		},
	};
}

function unlikeReport(report, { attached = [], alreadyThere = [] }) {
	const text = (lists) => lists.map((list) => [...list].sort().join(', ') || 'none').join('; ');
	const is = text([report.attached, report.alreadyThere, report.failed]);
	const should = text([attached, alreadyThere, []]);
	return is === should && report.status === 200
		? []
		: [`It says (${report.status}): ${is}`, `instead of: ${should}`];
}

module.exports = { alerts };
