'use strict';

/** The trial: `examples/try-a-service.json` has a user and a group live a whole life on a plain SCIM server. */

const { isDeepStrictEqual } = require('node:util');
const { outputOf, writesIn } = require('./approval');
const { membersIn } = require('./groups');
const { readExample } = require('./hr');

const STEPS = [
	'Create User',
	'Create Group',
	'Join',
	'Leave',
	'Offboard',
	'Delete User',
	'Delete Group',
];
const SENT = [
	'POST Users',
	'POST Groups',
	'PATCH Groups',
	'PATCH Groups',
	'PATCH Users',
	'DELETE Users',
	'DELETE Groups',
];

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function trial(stage) {
	const { plain } = stage;
	const workflow = readExample('try-a-service.json');
	const runs = [];

	return {
		service: plain,
		title: 'what a service does to a user and a group',
		asked: () => ['  Both get random names, and are gone in the end.'],
		prepare: () => stage.add(workflow),
		// Each run makes a user and a group of its own.
		sendsAgain: true,

		async play() {
			const from = plain.log.requests.length;
			const items = outputOf(await stage.run(workflow), 'Report');
			runs.push({ items, writes: writesIn(plain.log.requests.slice(from)) });
			return items;
		},

		view: {
			read: () => everythingIn(plain),
			differences: (wanted, found) =>
				isDeepStrictEqual(wanted, found) ? [] : [`Something is left: ${JSON.stringify(found)}`],
			table: (before, after) => [
				'Users and groups, before → after',
				[before, after].map(
					({ users, members }) => `  ${users.length} users, ${Object.keys(members).length} groups`,
				),
			],
		},
		wanted: (before) => before,

		answered: (items) =>
			items.map(({ step, status, text }) => `  ${step.padEnd(13)} ${status.padEnd(6)} ${text}`),

		checks: () => [
			[
				'The report has an item for each step, and each is done',
				runs.flatMap(({ items }) => wrongIn(items)),
			],
			[
				'Each step was sent, once',
				runs.flatMap(({ writes }) => {
					const sent = writes.map(
						({ method, path }) => `${method} ${/(Users|Groups)/.exec(path)[1]}`,
					);
					return isDeepStrictEqual(sent, SENT) ? [] : [`It sent ${sent.join(', ')}.`];
				}),
			],
			[
				'Every run has names of its own',
				new Set(runs.map(({ items }) => items[0].text)).size === runs.length
					? []
					: ['They are the same.'],
			],
		],
	};
}

/** Out: what is wrong with a report, as sentences. */
function wrongIn(items) {
	const steps = items.map(({ step }) => step);
	return [
		...(isDeepStrictEqual(steps, STEPS) ? [] : [`Its steps are ${steps.join(', ')}.`]),
		...items
			.filter(({ status, warnings }) => status !== 'done' || warnings.length > 0)
			.map(({ step, text, warnings }) => [`${step}: ${text}`, ...warnings].join(' ')),
	];
}

function everythingIn(service) {
	const users = [...service.state.directory.users.values()].map(({ userName }) => userName);
	return { users: users.sort(), members: membersIn(service) };
}

module.exports = { trial };
