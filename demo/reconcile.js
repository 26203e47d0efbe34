'use strict';

/**
 * The reconcile demo: `examples/nightly-reconcile.json` gets the whole list of who should have what, and
 * somebody approves the differences.
 *
 * `examples/wanted-access.json` differs a little from what the service starts with. Other demos may have
 * changed that by now, so the list that is sent is what is there, with the same differences.
 */

const {
	APPROVER,
	approve,
	outputOf,
	problemOf,
	sendAndWait,
	sentTooMuch,
	writesIn,
} = require('./approval');
const { giveRole, organizationIds, readExample, userNameIn } = require('./hr');
const { copySnapshot, readSnapshot } = require('./snapshot');
const { wrapped } = require('./table');

const WORKFLOW = 'nightly-reconcile.json';

/** In: what `setStage` gives. Out: the demo, in steps (see joiner.js). */
function reconcile(stage) {
	const { service, n8n } = stage;
	const workflow = readExample(WORKFLOW);
	const scope = scopeOf(workflow);
	const changes = changesOf(readExample('wanted-access.json'), seedRows(scope));
	let workflowId;
	let list;
	let latest;

	const send = (rows) => sendAndWait(stage, workflowId, 'wanted-access', rows);

	/**
	 * Out: `{ status, plan, differs, planned, report }`: "waiting", or how the workflow ended before
	 * that, what the approver saw, whether the node found a difference, the requests that had left by
	 * then, what approving gave.
	 */
	async function play() {
		const execution = await send(list);
		const { status } = execution;
		const [plan] = outputOf(execution, 'Plan to Approve');
		const [found] = outputOf(execution, 'Plan');
		latest = { status, plan, differs: found?.differs, planned: [...service.log.requests] };
		if (status === 'error') latest.status = problemOf(execution);
		if (status === 'waiting') [latest.report] = await approve(plan.approveUrl);
		return latest;
	}

	return {
		title: `the list of who should have what in ${scope.join(' and ')}, the whole of it`,
		asked: () => [
			`  ${list.length} rows. They are what is there already, but for these:`,
			...changes.map(changeLine),
		],

		async prepare() {
			list = listAfter(changes, rowsIn(await readSnapshot(service), scope));
			workflowId = await n8n.importWorkflow(workflow);
			await n8n.activate(workflowId);
		},

		play,
		answered: ({ report, status }) => (report ? reportLines(report) : wrapped(status)),
		concerned: () => changes.map(({ email }) => email),
		wanted: (before) => wantedAfter(before, list, scope),

		/** What happened on the way, as `[title, lines]`. */
		meanwhile: ({ plan }) =>
			plan
				? [
						[
							`The message that ${APPROVER} approved`,
							plan.message.split('\n').flatMap((line) => (line === '' ? [''] : wrapped(line))),
						],
					]
				: [],

		events: ({ planned }) => [[planned.length, 'approved']],

		checks: ({ status, plan, planned, report }, before) => [
			[
				'The workflow waited for the approval, and sent no write before it',
				[
					...(status === 'waiting' ? [] : [`It did not wait: ${status}`]),
					...writesIn(planned).map(sentTooMuch),
				],
			],
			['The message names every difference, and nothing else', checkMessage(plan, changes, before)],
			['The new account carries the name and the id of its row', checkAccounts(changes, service)],
			['The report says what was done, and who approved', checkReport(report, changes)],
			// By now the same list has been sent once more (see verdict.js).
			['The same list once more: no difference, no message, a quiet end', checkQuiet(latest)],
		],

		/** A list that is empty must be stopped by a guard. Out: `{ title, lines, checks }`. */
		async afterwards() {
			service.log.clear();
			const execution = await send([]);
			const problem = problemOf(execution);
			const stopped = execution.status === 'error' && /wanted list is empty/.test(problem);
			return {
				title: 'The source is broken: the list is empty',
				lines: wrapped(problem),
				checks: [
					[
						'An empty list is blocked, visibly, and sends no write',
						[
							...(stopped ? [] : [`The execution says "${execution.status}": ${problem}`]),
							...writesIn(service.log.requests).map(sentTooMuch),
						],
					],
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
	const { organizations, memberships } = require('./service').defaultSeed();
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
	const person = row?.attributes?.name;
	const name = person ? ` (new: ${person.givenName} ${person.familyName})` : '';
	return `  ${email.padEnd(36)} ${organization}: ${what}${name}`;
}

function reportLines({ done, wasSoAlready, leftAlone, approvedBy, finishedAt }) {
	return [
		...done.map((action) => `  done: ${action}`),
		...wasSoAlready.map((action) => `  was so already: ${action}`),
		...leftAlone.map((action) => `  left alone: ${action}`),
		`  approved by ${approvedBy}, finished ${finishedAt}`,
	];
}

/** The message has one line for each difference, and one more for each account that is made. */
function checkMessage(plan, changes, { people }) {
	const lines = (plan?.message ?? '').split('\n').filter((line) => line.startsWith('- '));
	const sentence = ({ email, organization, before, row }) => {
		const to = row ? `becomes ${row.role}` : `loses ${before}`;
		const from = row && before ? `${before} ` : '';
		return `- **${email}**: ${from}${to} in ${organization}`;
	};
	const accounts = changes.filter(({ email, row }) => row && !people.has(email));
	const wanted = [
		...changes.map(sentence),
		...accounts.map(({ email }) => `- **${email}**: new account`),
	];
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
		.filter(({ row }) => row?.attributes)
		.filter(({ email, row: { attributes } }) => {
			const { name, externalId } = state.userByName(email)?.attributes ?? {};
			const has = [name?.givenName, name?.familyName, externalId];
			const wanted = [attributes.name.givenName, attributes.name.familyName, attributes.externalId];
			return has.join() !== wanted.join();
		})
		.map(({ email }) => `${email} has another name or externalId.`);
}

function checkReport(report, changes) {
	if (!report) return ['There is none.'];
	const { done, approvedBy } = report;
	return [
		...changes
			.filter(({ email }) => !done.some((action) => action.includes(email)))
			.map(({ email }) => `It does not say what was done for ${email}.`),
		...(approvedBy === APPROVER ? [] : [`It says that ${approvedBy} approved.`]),
	];
}

function checkQuiet({ status, plan, differs }) {
	if (status !== 'success') return [`It did not end quietly: ${status}`];
	return [
		...(differs === false ? [] : ['It found a difference.']),
		...(plan ? [`It asked for an approval of: ${plan.message}`] : []),
	];
}

module.exports = { reconcile };
