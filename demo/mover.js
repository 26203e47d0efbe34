'use strict';

/** The mover demo: HR sends `examples/mover.json` what access people have from now on. */

const {
	accessText,
	giveRole,
	isComplete,
	organizationIds,
	readExample,
	sendListForRows,
	unlikeResults,
	userNameIn,
} = require('./hr');
const { rowLines, who } = require('./rows');
const { copySnapshot } = require('./snapshot');

/** In: what `setStage` gives. Out: the demo, in steps (see joiner.js). */
function mover(stage) {
	const { service, n8n } = stage;
	const moves = readExample('movers.json');
	const { account } = service.state;

	return {
		title: 'HR says what access people have from now on, and nothing else',
		asked: () => moves.map(askedLine),

		async prepare() {
			await n8n.activate(await n8n.importWorkflow(readExample('mover.json')));
		},

		play: () => sendListForRows(stage, 'moves', moves),
		answered: rowLines,
		concerned: (before) => moves.map(({ email }) => userNameIn(before, email) ?? email),
		wanted: (before) => wantedAfter(before, moves, account),

		checks: (rows, before) => [
			[
				'The answer says of every row what became of it',
				unlikeResults(resultsFor(before, moves, account), rows, who),
			],
		],
	};
}

function askedLine({ email, access }) {
	return `  ${email.padEnd(36)} ${accessText(access) || '(no access)'}`;
}

/** Only what was asked for, beside the role in the account organization, which is not HR's matter. */
function rolesAfter({ roles }, access, idOf, account) {
	const kept = roles[account] ? { [account]: roles[account] } : {};
	const given = access.map(({ organization, role }) => [idOf.get(organization), role]);
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

function resultsFor(before, moves, account) {
	const idOf = organizationIds(before);
	const text = (roles) => Object.entries(roles).sort().join();
	return moves.map((move) => {
		if (!isComplete(move)) return [who(move), 'rejected'];
		const person = before.people.get(userNameIn(before, move.email));
		if (!person) return [move.email, 'not done'];
		const same = text(person.roles) === text(rolesAfter(person, move.access, idOf, account));
		return [move.email, same ? 'was so already' : 'done'];
	});
}

module.exports = { mover };
