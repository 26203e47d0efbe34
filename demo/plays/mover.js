'use strict';

/** The mover demo: HR sends `examples/mover.json` what access people have from now on. */

const {
	accessText,
	giveRole,
	isComplete,
	organizationIds,
	readExample,
	roleResult,
	rowKey,
	planForList,
	sendListForRows,
	unlikeResults,
	userNameIn,
} = require('./hr');
const { copySnapshot } = require('../snapshot');

/** In: what `setStage` gives. Out: the demo, in steps (see joiner.js). */
function mover(stage) {
	const workflow = readExample('mover.json');
	const moves = readExample('movers.json');
	const { account } = stage.service.state;

	return {
		title: 'HR says what access people have from now on, and nothing else',
		asked: () => moves.map(askedLine),

		prepare: () => stage.add(workflow),
		plan: () => planForList(stage, workflow, 'Set', moves),

		play: () => sendListForRows(stage, workflow, moves),
		concerned: (before) => moves.map(({ email }) => userNameIn(before, email) ?? email),
		wanted: (before) => wantedAfter(before, moves, account),

		checks: (rows, before) => [
			[
				'The answer says of every row what became of it',
				unlikeResults(resultsFor(before, moves, account), rows),
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

/** Out: what the answer has to say to each row, one entry per change, as `[key, result]`. */
function resultsFor(before, moves, account) {
	const idOf = organizationIds(before);
	return moves.flatMap((move) => {
		const { email, access } = move;
		if (!isComplete(move)) return [[rowKey(move), 'rejected']];
		const person = before.people.get(userNameIn(before, email));
		if (!person) return [[rowKey(move), 'not done']];
		const keyAt = (organization) => rowKey({ email, organization });
		const listed = access.map(({ organization }) => organization);
		return [
			...access.map(({ organization, role }) => {
				const held = person.roles[idOf.get(organization)];
				return [keyAt(organization), roleResult(held, role, 'was so already')];
			}),
			...before.organizations
				.filter(({ id, name }) => person.roles[id] && id !== account && !listed.includes(name))
				.map(({ name }) => [keyAt(name), 'revoked']),
		];
	});
}

module.exports = { mover };
