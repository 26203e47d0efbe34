'use strict';

/** The leaver demo: HR sends `examples/leaver.json` the last days, and somebody approves the plan. */

const {
	APPROVER,
	approve,
	messageLines,
	outputOf,
	plainMessage,
	problemOf,
	sendAndWait,
	sentTooMuch,
	writesIn,
} = require('./approval');
const { readExample, today, unlikeResults } = require('./hr');
const { copySnapshot } = require('./snapshot');
const { wrapped } = require('./table');

/** In: what `setStage` gives. Out: the demo, in steps (see joiner.js). */
function leaver(stage) {
	const { service, n8n } = stage;
	const people = readExample('leavers.json');
	const leavers = people.filter(({ lastDay }) => lastDay === today());
	let workflowId;

	const send = (list) => sendAndWait(stage, workflowId, 'leavers', list);

	/**
	 * Out: `{ status, plan, planned, rows }`: "waiting", or why the workflow ended before that (there
	 * was nothing to approve), what the approver saw, the requests that had left by then, the proof that
	 * approving gave.
	 */
	async function play() {
		const execution = await send(people);
		const { status } = execution;
		const planned = [...service.log.requests];
		if (status !== 'waiting') return { status: problemOf(execution), planned, rows: [] };
		const [plan] = outputOf(execution, 'Plan to Approve');
		return { status, plan, planned, rows: await approve(plan.approveUrl) };
	}

	return {
		title: 'HR sends the last days of people, some of them today',
		asked: () => people.map(askedLine),

		async prepare() {
			workflowId = await n8n.importWorkflow(readExample('leaver.json'));
			await n8n.activate(workflowId);
		},

		play,
		answered: ({ rows }) => proofLines(rows),
		concerned: () => people.map(({ email }) => email),
		wanted: (before) => wantedAfter(before, leavers),

		/** What happened on the way, as `[title, lines]`. */
		meanwhile: ({ plan }) =>
			plan ? [[`The plan that ${APPROVER} approved`, messageLines(plan)]] : [],

		events: ({ planned }) => [[planned.length, 'approved']],

		checks: ({ status, plan, planned, rows }, before) => [
			[
				'The workflow waited for the approval, and sent no write before it',
				[
					...(status === 'waiting' ? [] : [`It did not wait: ${status}`]),
					...writesIn(planned).map(sentTooMuch),
				],
			],
			[
				'The plan names everybody who loses access, and who cannot be found',
				unplanned(plan, before, leavers),
			],
			[
				'The proof says of everybody in the plan what was removed',
				checkProof(rows, before, leavers),
			],
		],

		/** A list that is wrong must be stopped by a guard. Out: `{ title, lines, checks }`. */
		async afterwards(after) {
			service.log.clear();
			const list = [...after.people.keys()].map((email) => ({ email, lastDay: today() }));
			const execution = await send(list);
			const problem = problemOf(execution);
			const stopped = execution.status === 'error' && /plan is blocked/.test(problem);
			return {
				title: `HR's export is broken: today is the last day of all ${list.length} people`,
				lines: wrapped(problem),
				checks: [
					[
						'A list in which everybody leaves is blocked, visibly, and sends no write',
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

function askedLine({ email, lastDay }) {
	const when = lastDay === today() ? `${lastDay}, today` : (lastDay ?? '-');
	return `  ${email.padEnd(36)} last day ${when}`;
}

function proofLines(rows) {
	if (rows.length === 0) return [];
	const width = Math.max(...rows.map(({ email }) => email.length));
	return [
		...rows.flatMap(({ email, result, removed, remaining, seenAt, reason }) => [
			`  ${email.padEnd(width)}  ${result}`,
			...(seenAt
				? [`      removed: ${removed}`, `      remaining: ${remaining}, seen ${seenAt}`]
				: []),
			...wrapped(reason, '      '),
		]),
		`  approved by ${rows[0].approvedBy}`,
	];
}

/** What must be there afterwards, worked out without the node: everybody else stays as they are. */
function wantedAfter(before, leavers) {
	const wanted = copySnapshot(before);
	for (const { email } of leavers) {
		const person = wanted.people.get(email);
		if (person) Object.assign(person, { active: false, roles: {} });
	}
	return wanted;
}

/** What somebody has before leaving, in the words of the proof: "admin in Marketing, ...". */
function heldText(before, email) {
	const roles = before.people.get(email)?.roles ?? {};
	const held = before.organizations.filter(({ id }) => roles[id]);
	return (
		held
			.map(({ id, name }) => `${roles[id]} in ${name}`)
			.sort()
			.join(', ') || 'nothing'
	);
}

function unplanned(plan, before, leavers) {
	const lines = plainMessage(plan).split('\n');
	return leavers
		.filter(({ email }) => before.people.get(email)?.active !== false)
		.map(({ email }) => [email, before.people.has(email) ? 'is deactivated' : 'cannot be used'])
		.filter(([email, words]) => !lines.some((line) => line.includes(email) && line.includes(words)))
		.map(([email, words]) => `The plan does not say of ${email}: ${words}.`);
}

function checkProof(rows, before, leavers) {
	const known = leavers.filter(({ email }) => before.people.has(email));
	const wanted = known.map(({ email }) => [
		email,
		before.people.get(email).active ? 'access removed' : 'had left already',
	]);
	return [
		...unlikeResults(wanted, rows, ({ email }) => email),
		...rows.flatMap(({ email, removed, remaining, seenAt, approvedBy }) => [
			...unlike(email, 'removed', removed.split(', ').sort().join(', '), heldText(before, email)),
			...unlike(email, 'remaining', remaining, 'nothing'),
			...unlike(email, 'approved by', approvedBy, APPROVER),
			...(Date.parse(seenAt) ? [] : [`The proof of ${email} does not say when.`]),
		]),
	];
}

function unlike(email, what, found, wanted) {
	return found === wanted ? [] : [`The proof of ${email} says ${what}: ${found}, not: ${wanted}.`];
}

module.exports = { leaver };
