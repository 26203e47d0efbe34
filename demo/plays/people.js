'use strict';

/**
 * The people: `examples/people-sync.json` gets the whole list of contractors from HR, and a person approves the plan: one
 * has another name, one is new, one has left.
 */

const { checkApproval, checkStopped, fill, playWithApproval } = require('./approval');
const { readExample, unlikeAccount } = require('./hr');
const { copySnapshot } = require('../snapshot');
const { wrapped } = require('../table');

const [RENAMED, NEW, GONE] = ['one', 'three', 'two'].map(
	(name) => `contractor.${name}@partner.example.org`,
);

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function people(stage) {
	const { service } = stage;
	const workflow = readExample('people-sync.json');
	let latest;

	return {
		title: 'HR says which contractors work here, and how they are called',
		asked: () => [`  ${NEW} is new, ${RENAMED} has another name,`, `  and ${GONE} has left.`],
		prepare: () => stage.add(workflow),
		play: async () => (latest = await playWithApproval(stage, workflow)),
		concerned: () => [RENAMED, NEW, GONE],

		/** What must be there afterwards, worked out without the node. */
		wanted(before) {
			const wanted = copySnapshot(before);
			wanted.people.set(NEW, { active: true, roles: {} });
			wanted.people.set(GONE, { active: false, roles: {} });
			return wanted;
		},

		checks: (played) => [
			checkApproval(played),
			[
				'Names and external IDs are those of the list',
				[
					[RENAMED, 'Quentin', 'Roux-Martin', 'hr-1038'],
					[NEW, 'Ida', 'Lund', 'hr-9001'],
				].flatMap(([userName, givenName, familyName, externalId]) =>
					unlikeAccount(service.state, { userName, givenName, familyName, externalId }),
				),
			],
			// By now the same list has been sent once more (see verdict.js).
			[
				'The same list once more: a quiet end',
				latest.status === 'success' ? [] : [`It ended otherwise: ${latest.status}`],
			],
		],

		/** A list that is empty must be stopped. Out: `{ title, lines, checks }`. */
		async afterwards() {
			fill(workflow, []);
			const played = await playWithApproval(stage, workflow);
			return {
				title: 'The source is broken: the list is empty',
				lines: wrapped(played.status),
				checks: [checkStopped('An empty list is blocked', played, /./)],
			};
		},
	};
}

module.exports = { people };
