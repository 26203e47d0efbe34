'use strict';

/** The groups demo: `examples/generic-groups.json` puts people into groups of a plain SCIM server. */

const { outputOf, runNow, sentTooMuch, writesIn } = require('./approval');
const { readExample } = require('./hr');

/** In: what `setStage` gives. Out: the demo, in steps (see joiner.js). */
function groups(stage) {
	const { plain, n8n } = stage;
	const workflow = readExample('generic-groups.json');
	const { parameters } = workflow.nodes.find(({ name }) => name === 'Assign');
	const people = parameters.people.split(', ');
	const names = parameters.groupList.group.map(({ group }) => group);
	let planned;

	return {
		service: plain,
		title: `${people.join(' and ')} are to be in ${names.join(' and ')}`,
		asked: () => ['  A server that knows users and groups only.'],

		/** As shipped it only plans. */
		async prepare() {
			workflow.id = await n8n.importWorkflow(workflow);
			plain.log.clear();
			const [plan] = outputOf(await runNow(stage, workflow), 'Assign');
			planned = { plan, requests: [...plain.log.requests] };
			parameters.preview = false;
		},

		play: async () => outputOf(await runNow(stage, workflow), 'Assign'),

		view: {
			read: () => membersIn(plain),
			differences: (wanted, found) => {
				const [should, is] = [wanted, found].map((members) => lines(members).join('\n'));
				return should === is ? [] : [`The groups are not as wanted:\n${is}`];
			},
			tables: (before, after) => [
				['Members before', lines(before)],
				['Members after', lines(after)],
			],
		},

		wanted: (before) => ({
			...before,
			...Object.fromEntries(
				names.map((name) => [name, [...new Set([...before[name], ...people])].sort()]),
			),
		}),

		answered: (rows) =>
			rows.map(({ userName, change, group, status }) =>
				`  ${status}: ${userName} ${change} ${group ?? ''}`.trimEnd(),
			),

		checks: () => [
			[
				'As shipped it shows the plan and sends no write',
				[
					...(planned.plan?.plan.changes.length > 0 ? [] : ['There was no plan.']),
					...writesIn(planned.requests).map(sentTooMuch),
				],
			],
		],
	};
}

/** Out: the names of the members by the name of the group. */
function membersIn({ state: { directory } }) {
	return Object.fromEntries(
		[...directory.groups].map(([id, members]) => [
			directory.about.get(id).displayName,
			members.map((member) => directory.users.get(member).userName).sort(),
		]),
	);
}

function lines(members) {
	return Object.entries(members).map(([name, list]) => `  ${name}: ${list.join(', ')}`);
}

module.exports = { groups };
