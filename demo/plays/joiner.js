'use strict';

/** The joiner: HR sends new hires to `examples/joiner.json`. */

const {
	accessText,
	giveRole,
	isComplete,
	organizationIds,
	pinnedBody,
	planForPinned,
	readExample,
	sendListForRows,
	unlikeAccount,
	unlikeAnswer,
} = require('./hr');
const { copySnapshot } = require('../snapshot');

/** What became of each row. */
const ANSWER = {
	'amara.diallo@example.com': 'created, granted Marketing',
	'jonas.keller@example.com': 'created, granted Operations, granted Research',
	'sofia.marin+hr@example.com': 'created, granted Marketing',
	"conor.o'brien@ops.example.com": 'created, granted Operations',
	'wei.zhang@example.com': 'created, granted Marketing, granted Research',
	'leila.hosseini@example.com': 'had it already Research, moved Marketing',
	'beatriz.costa@example.com': 'activated, granted Research',
	'hr-2006': 'rejected',
};

/** In: a stage (see n8n/stage.js). Out: the play, in steps that are called in this order. */
function joiner(stage) {
	const { service } = stage;
	const workflow = readExample('joiner.json');
	const hires = pinnedBody(workflow);

	return {
		title: 'HR sends the new hires of the day',

		/** What was asked, as lines. */
		asked: () => hires.map(askedLine),

		prepare: () => stage.add(workflow),
		plan: () => planForPinned(stage, workflow, 'Assign'),

		/** Out: the rows that HR gets back. Throws: when the workflow did not answer with rows. */
		play: () => sendListForRows(stage, workflow, hires),

		/** The people whose rows are shown. */
		concerned: () => hires.map(({ email }) => email).filter(Boolean),

		wanted: (before) => wantedAfter(before, hires),

		/** Out: what the table does not show, as `[promise, complaints]`. */
		checks: (rows) => [
			[
				'The accounts carry the names and ids that were sent',
				hires
					.filter(isComplete)
					.flatMap((hire) => unlikeAccount(service.state, { ...hire, userName: hire.email })),
			],
			['The answer says of every row what became of it', unlikeAnswer(ANSWER, rows)],
		],
	};
}

function askedLine({ givenName, familyName, email, access }) {
	const name = `${givenName} ${familyName}`;
	return `  ${name.padEnd(16)} ${(email ?? '(no email)').padEnd(30)} ${accessText(access)}`;
}

/** What must be there afterwards, worked out without the node: everybody else stays as they are. */
function wantedAfter(before, hires) {
	const wanted = copySnapshot(before);
	const idOf = organizationIds(before);
	for (const { email, access } of hires.filter(isComplete)) {
		const person = { roles: {}, ...wanted.people.get(email), active: true };
		for (const wish of access) giveRole(wanted, idOf, { email, person, ...wish });
		wanted.people.set(email, person);
	}
	return wanted;
}

module.exports = { joiner };
