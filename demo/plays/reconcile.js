'use strict';

/**
 * The reconcile demo: `examples/nightly-reconcile.json` gets the whole list of who should have what, and
 * somebody approves the differences.
 *
 * `examples/wanted-access.json` differs a little from what the service starts with. Other demos may have
 * changed that by now, so the list that is sent is what is there, with the same differences.
 */

const { checkApproval, checkStopped, outputOf, playWithApproval } = require('./approval');
const { giveRole, organizationIds, readExample, userNameIn } = require('./hr');
const { copySnapshot, readSnapshot } = require('../snapshot');
const { wrapped } = require('../table');

const WORKFLOW = 'nightly-reconcile.json';

/** In: what `setStage` gives. Out: the demo, in steps (see joiner.js). */
function reconcile(stage) {
	const { service } = stage;
	const workflow = readExample(WORKFLOW);
	const scope = scopeOf(workflow);
	const changes = changesOf(readExample('wanted-access.json'), seedRows(scope));
	let list;
	let latest;

	const send = (rows) => playWithApproval(stage, workflow, { rows });

	return {
		title: `the list of who should have what in ${scope.join(' and ')}, the whole of it`,
		asked: () => [
			`  ${list.length} rows. They are what is there already, but for these:`,
			...changes.map(changeLine),
		],

		async prepare() {
			list = listAfter(changes, rowsIn(await readSnapshot(service), scope));
			await stage.add(workflow);
		},

		play: async () => (latest = await send(list)),
		concerned: () => changes.map(({ email }) => email),
		wanted: (before) => wantedAfter(before, list, scope),

		checks: (played, before) => [
			checkApproval(played),
			['The form names every difference, and nothing else', checkForm(played, changes, before)],
			['The new account carries the name and the id of its row', checkAccounts(changes, service)],
			[
				'The report says what was done, and when it was approved',
				checkReport(played, changes, before),
			],
			// By now the same list has been sent once more (see verdict.js).
			['The same list once more: no difference, no form, a quiet end', checkQuiet(latest)],
		],

		/** A list that is empty must be stopped by a guard. Out: `{ title, lines, checks }`. */
		async afterwards() {
			service.log.clear();
			const played = await send([]);
			return {
				title: 'The source is broken: the list is empty',
				lines: wrapped(played.status),
				checks: [
					checkStopped(
						'An empty list is blocked, visibly, and sends no write',
						played,
						/Desired Access is empty/,
						service.log.requests,
					),
				],
			};
		},
	};
}

/** Out: the names of the organizations that the workflow manages. */
function scopeOf({ nodes }) {
	const { parameters } = nodes.find(({ name }) => name === 'Plan');
	return parameters.scopeOrganizations.split(', ');
}

/** Out: what the service starts with, as rows of a wanted list. */
function seedRows(scope) {
	// Only now: what it needs may have just been installed.
	const { organizations, memberships } = require('../service').defaultSeed();
	const nameOf = new Map(organizations.map(({ id, name }) => [id, name]));
	return memberships
		.map(({ userName, organization, role }) => ({
			email: userName,
			organization: nameOf.get(organization),
			role,
		}))
		.filter(({ organization }) => scope.includes(organization));
}

/** Out: who has what in the scope now, as rows of a wanted list. */
function rowsIn({ organizations, people }, scope) {
	const managed = organizations.filter(({ name }) => scope.includes(name));
	return [...people].flatMap(([email, { roles }]) =>
		managed
			.filter(({ id }) => roles[id])
			.map(({ id, name }) => ({ email, organization: name, role: roles[id] })),
	);
}

const placeOf = ({ email, organization }) => `${email} in ${organization}`;

/** Out: `{ email, organization, before?, row? }` where two lists differ; `row` is what is wanted. */
function changesOf(wanted, present) {
	const roleAt = new Map(present.map((row) => [placeOf(row), row.role]));
	const wantedAt = new Set(wanted.map(placeOf));
	const change = (row) => ({ email: row.email, organization: row.organization });
	return [
		...wanted
			.filter((row) => roleAt.get(placeOf(row)) !== row.role)
			.map((row) => ({ ...change(row), before: roleAt.get(placeOf(row)), row })),
		...present
			.filter((row) => !wantedAt.has(placeOf(row)))
			.map((row) => ({ ...change(row), before: row.role })),
	];
}

function listAfter(changes, present) {
	const changed = new Set(changes.map(placeOf));
	return [
		...present.filter((row) => !changed.has(placeOf(row))),
		...changes.flatMap(({ row }) => row ?? []),
	];
}

/** What must be there afterwards, worked out without the node: in the scope the list, elsewhere no change. */
function wantedAfter(before, list, scope) {
	const wanted = copySnapshot(before);
	const idOf = organizationIds(before);
	const held = new Map(rowsIn(before, scope).map((row) => [placeOf(row), row.role]));
	for (const { email, organization, role } of list) {
		const userName = userNameIn(before, email) ?? email;
		const person = wanted.people.get(userName) ?? { active: true, roles: {} };
		if (held.get(placeOf({ email: userName, organization })) !== role) {
			giveRole(wanted, idOf, { email, person, organization, role });
		}
		wanted.people.set(userName, person);
	}
	const inList = new Set(list.map(placeOf));
	for (const row of rowsIn(before, scope)) {
		if (!inList.has(placeOf(row))) {
			delete wanted.people.get(row.email).roles[idOf.get(row.organization)];
		}
	}
	return wanted;
}

function changeLine({ email, organization, before, row }) {
	const after = row?.role ?? 'no row';
	const what = before ? `${after}, was ${before}` : `${after}, had no role`;
	const givenName = row?.['name.givenName'];
	const name = givenName ? ` (new: ${givenName} ${row['name.familyName']})` : '';
	return `  ${email.padEnd(36)} ${organization}: ${what}${name}`;
}

/** What a change is called in a plan, with the sentence that says it, and one more for each new account. */
function wordsOf(changes, { people }) {
	const words = ({ email, organization, before, row }) => {
		const place = { email, organization };
		if (!row) return { ...place, change: 'revoked', words: `loses ${before} in ${organization}` };
		const at = `${row.role} in ${organization}`;
		return before
			? { ...place, change: 'moved', words: `moves from ${before} to ${at}` }
			: { ...place, change: 'granted', words: `gets ${at}` };
	};
	const accounts = changes.filter(({ email, row }) => row && !people.has(email));
	return [
		...changes.map(words),
		...accounts.map(({ email }) => ({
			email,
			organization: '',
			change: 'created',
			words: 'new user',
		})),
	];
}

/** The form has one line for each difference, and one more for each account that is made. */
function checkForm({ form }, changes, before) {
	const lines = (form?.text ?? '').split('\n').filter((line) => line.startsWith('- '));
	const wanted = wordsOf(changes, before).map(({ email, words }) => `- ${email}: ${words}`);
	const says = (start) => lines.some((line) => line.startsWith(start));
	const isWanted = (line) => wanted.some((start) => line.startsWith(start));
	return [
		...wanted.filter((start) => !says(start)).map((start) => `It does not say: ${start}`),
		...lines.filter((line) => !isWanted(line)).map((line) => `It says too much: ${line}`),
	];
}

/** The plan went through an approval in between, and what a new account is made with with it. */
function checkAccounts(changes, { state }) {
	return changes
		.filter(({ row }) => row?.externalId)
		.filter(({ email, row }) => {
			const { name, externalId } = state.userByName(email)?.attributes ?? {};
			const has = [name?.givenName, name?.familyName, externalId];
			return has.join() !== [row['name.givenName'], row['name.familyName'], row.externalId].join();
		})
		.map(({ email }) => `${email} has another name or externalId.`);
}

/** One row for each change, done, and nothing else. */
function checkReport({ report }, changes, before) {
	if (!report) return ['There is none.'];
	const keyOf = ({ change, email, organization, status }) =>
		[email, change, organization, status].join(' ');
	const wanted = wordsOf(changes, before).map((entry) => keyOf({ ...entry, status: 'done' }));
	const found = report.map(keyOf);
	return [
		...wanted.filter((key) => !found.includes(key)).map((key) => `It does not say: ${key}`),
		...found.filter((key) => !wanted.includes(key)).map((key) => `It says too much: ${key}`),
		...report
			.filter(({ approvedAt }) => !Date.parse(approvedAt))
			.map(({ email }) => `It does not say when the change of ${email} was approved.`),
	];
}

function checkQuiet({ status, execution }) {
	if (status !== 'success') return [`It did not end quietly: ${status}`];
	const [{ plan }] = outputOf(execution, 'Plan');
	return plan.changes.length === 0 ? [] : ['It found a difference.'];
}

module.exports = { reconcile };
