'use strict';

/** The mover: HR sends `examples/mover.json` what access people have from now on. */

const {
	accessText,
	giveRole,
	isComplete,
	organizationIds,
	pinnedBody,
	planForPinned,
	readExample,
	sendListForRows,
	unlikeAnswer,
	userNameIn,
} = require('./hr');
const { copySnapshot } = require('../snapshot');

/** What became of each row. */
const ANSWER = {
	'mei-ling.chen@example.com': 'granted Operations, moved Research, revoked Marketing',
	'grace.nakamura@example.com': 'moved Marketing, revoked Operations, revoked Research',
	'paul.smith@example.com': 'granted Research, revoked Marketing',
	'siobhan.murphy@example.com': 'moved Marketing',
	'tobias.lindqvist@example.com': 'moved Research',
	'kwame.boateng@example.com': 'was so already Operations',
	'lucia.moreno@example.com': 'not done',
	'contractor.two@partner.example.org': 'rejected',
};

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function mover(stage) {
	const workflow = readExample('mover.json');
	const moves = pinnedBody(workflow);
	const { account } = stage.service.state;

	return {
		title: 'HR says what access people have from now on, and nothing else',
		asked: () => moves.map(askedLine),

		prepare: () => stage.add(workflow),
		plan: () => planForPinned(stage, workflow, 'Set'),

		play: () => sendListForRows(stage, workflow, moves),
		concerned: (before) => moves.map(({ email }) => userNameIn(before, email) ?? email),
		wanted: (before) => wantedAfter(before, moves, account),

		checks: (rows) => [
			['The answer says of every row what became of it', unlikeAnswer(ANSWER, rows)],
		],
	};
}

function askedLine({ email, access }) {
	return `  ${email.padEnd(36)} ${accessText(access) || '(no access)'}`;
}

/** Only what was asked for, beside the role in the account organization, which is not HR's matter. */
function rolesAfter({ roles }, access, idOf, account) {
	const kept = roles[account] ? { [account]: roles[account] } : {};
	const given = access.map(({ organization, role }) => [
		idOf.get(organization) ?? organization,
		role,
	]);
	return { ...kept, ...Object.fromEntries(given) };
}

/** What must be there afterwards, worked out without the node: everybody else stays as they are. */
function wantedAfter(before, moves, account) {
	const wanted = copySnapshot(before);
	const idOf = organizationIds(before);
	for (const { email, access } of moves.filter(isComplete)) {
		const person = wanted.people.get(userNameIn(before, email));
		if (!person) continue;
		const roles = rolesAfter(person, access, idOf, account);
		for (const wish of access) giveRole(wanted, idOf, { email, person, ...wish });
		person.roles = roles;
	}
	return wanted;
}

module.exports = { mover };
