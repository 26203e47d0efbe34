'use strict';

/** The groups: `examples/generic-groups.json` puts people into groups of a plain SCIM server. */

const { outputOf, sentTooMuch, writesIn } = require('./approval');
const { readExample } = require('./hr');

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function groups(stage) {
	const { plain } = stage;
	const workflow = readExample('generic-groups.json');
	const { parameters } = workflow.nodes.find(({ name }) => name === 'Assign');
	const people = parameters.people.split(', ');
	const names = parameters.groups.group.map(({ group }) => group.value);
	let planned;

	return {
		service: plain,
		title: `${people.join(' and ')} are to be in ${names.join(' and ')}`,
		asked: () => ['  A server that knows users and groups only.'],

		/** As shipped it only plans. */
		async prepare() {
			await stage.add(workflow);
			plain.log.clear();
			const [plan] = outputOf(await stage.run(workflow), 'Assign');
			planned = { plan, requests: [...plain.log.requests] };
			parameters.preview = false;
		},

		play: async () => outputOf(await stage.run(workflow), 'Assign'),

		view: membersView(plain),

		wanted: (before) => ({
			...before,
			...Object.fromEntries(
				names.map((name) => [name, [...new Set([...before[name], ...people])].sort()]),
			),
		}),

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

/** Who is in which group: what is read, compared and shown for every play about groups (see verdict.js). */
function membersView(service) {
	return {
		read: () => membersIn(service),
		differences: (wanted, found) => {
			const [should, is] = [wanted, found].map((members) => lines(members).join('\n'));
			return should === is ? [] : [`The groups are not as wanted:\n${is}`];
		},
		table: (before, after) => [
			'Members, before → after',
			Object.keys(after).map((name) => `  ${name}: ${before[name]} → ${after[name]}`),
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

module.exports = { groups, membersIn, membersView };
