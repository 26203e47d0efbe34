'use strict';

/** The rules: `examples/rules.json` gives people the groups of their department. */

const { checkEnded, outputOf, problemOf, sentTooMuch, writesIn } = require('./approval');
const { membersView } = require('./groups');
const { readExample } = require('./hr');
const { fillTables } = require('./tables');

const [ANA, OLGA] = ['ana.example@example.com', 'olga.other@example.com'];

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function rules(stage) {
	const { plain } = stage;
	const workflow = readExample('rules.json');
	const nodeOf = (name) => workflow.nodes.find((node) => node.name === name);
	const view = membersView(plain);
	let planned;

	/** In: the departments of the two. Out: `{ execution, status, found }` of a run, after which all is as before. */
	async function tried(...departments) {
		const restore = plain.state.remember();
		const people = [ANA, OLGA].map((email, at) => ({ email, department: departments[at] }));
		nodeOf('People From HR (Replace Me)').parameters.jsCode = `return ${JSON.stringify(people)};`;
		const execution = await stage.run(workflow);
		const found = await view.read();
		restore();
		return { execution, status: problemOf(execution), found };
	}

	return {
		service: plain,
		title: 'departments and the groups that each gives',
		asked: () => [`  ${ANA} is in Engineering, ${OLGA} in Accounting`],

		/** As shipped it only plans. */
		async prepare() {
			await stage.add(workflow);
			await fillTables(stage, ['Groups of Departments']);
			plain.log.clear();
			const [plan] = outputOf(await stage.run(workflow), 'Reconcile');
			planned = { plan, requests: [...plain.log.requests] };
			nodeOf('Reconcile').parameters.preview = false;
		},

		play: () => stage.run(workflow),
		view,
		wanted: (before) => ({
			...before,
			...{ Engineering: [ANA], VPN: [ANA, OLGA], Finance: [OLGA] },
		}),

		checks: (execution) => [
			[
				'As shipped it shows the plan and sends no write',
				[
					...(planned.plan?.plan.changes.length > 0 ? [] : ['There was no plan.']),
					...writesIn(planned.requests).map(sentTooMuch),
				],
			],
			[
				'The run ended well',
				execution.status === 'success' ? [] : [`It ended otherwise: ${problemOf(execution)}`],
			],
		],

		/** Out: `{ title, lines, checks }`. */
		async afterwards(after) {
			const mistyped = await tried('Enginering', 'Engineering');
			const none = await tried('Management', '');
			const lost = await tried('', '');
			return {
				title: 'HR sends a department that no rule knows, and one that is empty',
				lines: [`  ${mistyped.status}`],
				checks: [
					checkEnded('A department that is not in the table is told', mistyped, /group/i),
					[
						'Nobody loses anything meanwhile, and what others gain is given',
						view.differences({ ...after, Engineering: [ANA, OLGA] }, mistyped.found),
					],
					[
						'Who has no department loses what departments give',
						view.differences({ Engineering: [ANA], VPN: [ANA], Finance: [ANA] }, none.found),
					],
					checkEnded('A list in which nobody has a department is blocked', lost, /empty/),
					['Nobody loses anything by it', view.differences(after, lost.found)],
				],
			};
		},
	};
}

module.exports = { rules };
