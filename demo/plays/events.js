'use strict';

/**
 * The events: HR sends `examples/hr-events.json` who starts, is on leave and ends when, and every hour access follows the
 * dates.
 */

const { outputOf, problemOf, sentTooMuch, unlike, writesIn } = require('./approval');
const { membersView } = require('./groups');
const { readExample, sendListForRows } = require('./hr');
const { fillTables } = require('./tables');

const TABLE = 'Access by Date';
const [ANA, OLGA] = ['ana.example@example.com', 'olga.other@example.com'];
const [NEW, LATER] = ['ida.new@example.com', 'nia.later@example.com'];
const day = (offset) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
/** Two days off, so that they are the past and the future in every time zone. */
const [PAST, FUTURE] = [day(-2), day(2)];

const EVENTS = [
	{ email: ANA, group: 'Engineering', startsOn: PAST },
	{ email: ANA, group: 'Finance', endsOn: PAST },
	{ email: NEW, group: 'VPN', startsOn: PAST, givenName: 'Ida', familyName: 'New' },
	{ email: LATER, group: 'VPN', startsOn: FUTURE },
	// A contract that is extended, and one that would have ended during a leave.
	{ email: OLGA, group: 'Finance', endsOn: PAST },
	{ email: OLGA, group: 'Finance', endsOn: FUTURE },
	{ email: OLGA, group: 'Engineering', endsOn: PAST, hold: true },
];
/** Who is where after them, worked out without the node. */
const AFTER = { Engineering: [ANA, OLGA], VPN: [ANA, NEW], Finance: [OLGA] };
const BACK = { email: OLGA, group: 'Engineering', hold: false };

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function events(stage) {
	const { plain } = stage;
	const workflow = readExample('hr-events.json');
	const { parameters } = workflow.nodes.find(({ name }) => name === 'Reconcile');
	const view = membersView(plain);
	let planned;

	return {
		service: plain,
		title: 'HR says who starts, is on leave and ends when',
		asked: () => EVENTS.map(askedLine),

		/** As shipped it only plans. */
		async prepare() {
			await stage.add(workflow);
			await fillTables(stage, [TABLE]);
			plain.log.clear();
			await stage.run(workflow);
			planned = [...plain.log.requests];
			parameters.preview = false;
		},

		/** Out: `{ rows, execution }`: the answer to HR, the run of the hour after that. */
		async play() {
			const rows = await sendListForRows(stage, workflow, EVENTS);
			return { rows, execution: await stage.run(workflow) };
		},

		view,
		wanted: (before) => ({ ...before, ...AFTER }),

		checks: ({ rows, execution }) => [
			['As shipped it shows the plan and sends no write', writesIn(planned).map(sentTooMuch)],
			[
				'HR gets a row for each event, and the hourly run ends well',
				[
					...(rows.length === EVENTS.length ? [] : [`HR got ${rows.length} rows.`]),
					...(execution.status === 'success' ? [] : [problemOf(execution)]),
				],
			],
			[
				'The table has one row for each person and group',
				unlike(
					outputOf(execution, TABLE).map(({ email, group }) => `${email} ${group}`),
					[
						...[`${ANA} VPN`, `${ANA} Finance`, `${ANA} Engineering`, `${NEW} VPN`],
						...[`${LATER} VPN`, `${OLGA} Engineering`, `${OLGA} Finance`],
					],
				),
			],
			[
				'Who starts later and who is on leave is left alone, and told',
				unlike(
					outputOf(execution, 'Reconcile')
						.filter(({ status }) => status === 'skipped')
						.map(({ group, reason }) => `${group}: ${reason}`)
						.sort(),
					['Engineering: on hold', 'Finance: on hold', `VPN: starts on ${FUTURE}`],
				),
			],
		],

		/** The leave is over, and so is the contract. Out: `{ title, lines, checks }`. */
		async afterwards() {
			const restore = plain.state.remember();
			await sendListForRows(stage, workflow, [BACK]);
			await stage.run(workflow);
			const found = await view.read();
			restore();
			return {
				title: 'The leave is over',
				lines: [askedLine(BACK)],
				checks: [
					[
						'The end that passed in the meantime counts then',
						view.differences({ ...found, ...AFTER, Engineering: [ANA] }, found),
					],
				],
			};
		},
	};
}

function askedLine({ email, group, startsOn, endsOn, hold }) {
	const said = [
		...(startsOn ? [`starts on ${startsOn}`] : []),
		...(endsOn ? [`ends on ${endsOn}`] : []),
		...(hold === undefined ? [] : [hold ? 'on leave' : 'back']),
	];
	return `  ${email.padEnd(26)} ${group.padEnd(12)} ${said.join(', ')}`;
}

module.exports = { events };
