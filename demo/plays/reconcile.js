'use strict';

/**
 * The comparison of the night: `examples/nightly-reconcile.json` reads the whole table of who should have what,
 * `examples/desired-access.csv`, and a person approves the differences.
 */

const {
	APPROVER,
	checkApproval,
	checkEnded,
	checkStopped,
	outputOf,
	playWithApproval,
	unlike,
} = require('./approval');
const { giveRole, organizationIds, readExample, rowsIn, unlikeAccount } = require('./hr');
const { copySnapshot } = require('../snapshot');
const { fillTables, tableOf } = require('./tables');
const { wrapped } = require('../table');

const TABLE = 'Desired Access';
/** Where the list is another than the account, as a plan says it. */
const DIFFERENCES = [
	{ email: 'nora.eriksen@example.com', words: 'moves from viewer to member in Research' },
	{ email: 'ingrid.solberg@ops.example.com', words: 'gets viewer in Research' },
	{ email: 'ines.carvalho@example.com', words: 'new user' },
	{ email: 'ines.carvalho@example.com', words: 'gets member in Marketing' },
	{ email: 'kofi.annan.mensah@example.com', words: 'loses member in Marketing' },
];
const CHANGES = { moves: 'moved', gets: 'granted', new: 'created', loses: 'revoked' };

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function reconcile(stage) {
	const { service } = stage;
	const workflow = readExample('nightly-reconcile.json');
	const csv = tableOf(TABLE);
	const list = rowsIn(csv);
	let latest;

	return {
		title: 'the list of who should have what in Marketing and Research, the whole of it',
		asked: () => [
			`  ${list.length} rows. They are what is there already, but for these:`,
			...DIFFERENCES.map(({ email, words }) => `  ${email.padEnd(36)} ${words}`),
		],

		async prepare() {
			await stage.add(workflow);
			await fillTables(stage, [TABLE, 'Access Record']);
		},

		play: async () => (latest = await playWithApproval(stage, workflow)),
		concerned: () => DIFFERENCES.map(({ email }) => email),
		wanted: wantedAfter,

		checks: (played) => [
			checkApproval(played),
			['The form names every difference, and nothing else', checkForm(played)],
			[
				'The new account carries the name and the ID of its row',
				list
					.filter(({ externalId }) => externalId)
					.flatMap((row) =>
						unlikeAccount(service.state, {
							...{ userName: row.email, externalId: row.externalId },
							...{ givenName: row.givenName, familyName: row.familyName },
						}),
					),
			],
			['Apply Plan says what was done', checkApplied(played)],
			[
				'The record has who, what, why, when, by which plan, and who approved it',
				checkRecord(played),
			],
			// By now the same list has been sent once more (see verdict.js).
			['The same list once more: no difference, no form, a quiet end', checkQuiet(latest)],
		],

		/** A list that is empty must be stopped by a guard, and a refused change is told. Out: `{ title, lines, checks }`. */
		async afterwards() {
			await stage.fillTable(TABLE, csv.split('\n')[0]);
			const played = await playWithApproval(stage, workflow);
			const [{ email }] = DIFFERENCES;
			const others = csv.split('\n').filter((line) => !line.startsWith(email));
			await stage.fillTable(TABLE, others.join('\n'));
			service.faults.add({ method: 'PATCH', kind: 'html-403' });
			const failed = await playWithApproval(stage, workflow);
			service.faults.clear();
			return {
				title: 'The source is broken: the table is empty',
				lines: wrapped(played.status),
				checks: [
					checkStopped('An empty table is blocked', played, /Desired Access is empty/),
					checkEnded('A change that the service refuses ends the run with an error', failed, /403/),
					[
						'The record has it, too, and why it failed',
						unlike(
							outputOf(failed.execution, 'Access Record').map(
								({ who, what, why }) =>
									`${who} ${/ was not removed.*403/.test(what)} ${/403/.test(why)}`,
							),
							[`${email} true true`],
						),
					],
				],
			};
		},
	};
}

/** Out: `{ change, role?, organization }` of what a plan says. */
function partsOf(words) {
	const [, organization = ''] = / in (.+)$/.exec(words) ?? [];
	const [, role] = /(\w+) in /.exec(words) ?? [];
	return { change: CHANGES[words.split(' ')[0]], role, organization };
}

/** What must be there afterwards, worked out without the node: nothing else than the differences. */
function wantedAfter(before) {
	const wanted = copySnapshot(before);
	const idOf = organizationIds(before);
	for (const { email, words } of DIFFERENCES) {
		const { change, role, organization } = partsOf(words);
		const person = wanted.people.get(email) ?? { active: true, roles: {} };
		wanted.people.set(email, person);
		if (change === 'revoked') delete person.roles[idOf.get(organization)];
		if (change === 'moved' || change === 'granted') {
			giveRole(wanted, idOf, { email, person, organization, role });
		}
	}
	return wanted;
}

function checkForm({ form }) {
	const [changes] = (form?.text ?? '').split('\nWarnings\n');
	const lines = changes.split('\n').filter((line) => line.startsWith('- '));
	// A line such as `- Ana Silva (ana@example.com): gets viewer in Research (a row wants it)`.
	const said = lines.map((line) =>
		line.replace(/^- (?:.* \()?([^\s()]+@[^\s()]+)\)?: (.*?)(?: \(.*\))?$/, '- $1: $2'),
	);
	return unlike(
		said,
		DIFFERENCES.map(({ email, words }) => `- ${email}: ${words}`),
	);
}

/** One item for each change, done, and nothing else. */
function checkApplied({ applied = [] }) {
	const said = applied.map(({ userName, change, organizationName = '', status }) =>
		[userName, change, organizationName, status].join(' '),
	);
	const should = DIFFERENCES.map(({ email, words }) => {
		const { change, organization } = partsOf(words);
		return [email, change, organization, 'done'].join(' ');
	});
	return unlike(said, should);
}

/** A row for each change, as the table has it. */
function checkRecord({ execution, applied = [] }) {
	const rows = outputOf(execution, 'Access Record');
	const [{ planId }] = outputOf(execution, 'Plan');
	const said = rows.map(({ who, what, why, decidedBy, at, planId: plan }) =>
		[who, what, why, decidedBy, Date.parse(at) > 0, plan].join(' | '),
	);
	const should = applied.map(({ userName, text, change }) => {
		const why = change === 'revoked' ? 'not in Desired Access' : 'in Desired Access';
		return [userName, text, why, APPROVER, true, planId].join(' | ');
	});
	return rows.length > 0 ? unlike(said, should) : ['It is empty.'];
}

function checkQuiet({ status, execution }) {
	if (status !== 'success') return [`It did not end quietly: ${status}`];
	const [{ plan }] = outputOf(execution, 'Plan');
	return plan.changes.length === 0 ? [] : ['It found a difference.'];
}

module.exports = { DIFFERENCES, checkApplied, checkForm, checkQuiet, reconcile, wantedAfter };
