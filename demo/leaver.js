'use strict';

/** The leaver demo: `examples/leaver.json` gets the list of HR with last days, and somebody approves the plan. */

const { checkApproval, checkStopped, formLines, playWithApproval } = require('./approval');
const { readExample, today } = require('./hr');
const { copySnapshot } = require('./snapshot');
const { wrapped } = require('./table');

/** In: what `setStage` gives. Out: the demo, in steps (see joiner.js). */
function leaver(stage) {
	const { service, n8n } = stage;
	const people = readExample('leavers.json');
	const leavers = people.filter(({ lastDay }) => lastDay === today());
	const workflow = readExample('leaver.json');
	let refused;

	const play = (list = people, decision) =>
		playWithApproval(stage, workflow, { people: list }, decision);

	return {
		title: 'The list of HR has the last days of people, some of them today',
		asked: () => people.map(askedLine),

		async prepare() {
			workflow.id = await n8n.importWorkflow(workflow);
			service.log.clear();
			refused = { ...(await play(people, 'No')), requests: [...service.log.requests] };
		},

		play: () => play(),
		answered: ({ report }) => reportLines(report),
		concerned: () => people.map(({ email }) => email),
		wanted: (before) => wantedAfter(before, leavers),

		/** What happened on the way, as `[title, lines]`. */
		meanwhile: ({ form }) => (form ? [['The form that was approved', formLines(form)]] : []),

		events: ({ planned }) => [[planned.length, 'approved']],

		checks: (played, before) => [
			checkStopped(
				'A no ends the run with an error, and sends no write',
				refused,
				/^Nothing was changed: the answer was no/,
				refused.requests,
			),
			checkApproval(played),
			['The form names everybody who loses access', unplanned(played, before, leavers)],
			[
				'The report proves what was removed, and lists who was gone already apart from that',
				checkReport(played, before, leavers),
			],
		],

		/** Lists that are wrong must be stopped. Out: `{ title, lines, checks }`. */
		async afterwards(after) {
			const everybody = [...after.people.keys()].map((email) => ({ email, lastDay: today() }));
			const unreadable = { email: everybody[0].email, lastDay: '31.12.2026' };
			const runs = [];
			for (const list of [everybody, [...people, unreadable], [{ email: 'a@b.example' }], []]) {
				service.log.clear();
				runs.push({ ...(await play(list)), requests: [...service.log.requests] });
			}
			const [broken, badDay, noDay, nobody] = runs;
			const { email } = people.find(({ lastDay }) => lastDay === null);
			service.faults.add({ method: 'PATCH', kind: 'html-403' });
			const failed = await play([{ email, lastDay: today() }]);
			service.faults.clear();
			return {
				title: `HR's export is broken: today is the last day of all ${everybody.length} people`,
				lines: wrapped(broken.status),
				checks: [
					checkStopped(
						'A list in which everybody leaves is blocked, visibly, and sends no write',
						broken,
						/plan is blocked/,
						broken.requests,
					),
					...[badDay, noDay].map((run) =>
						checkStopped(
							'A last day that cannot be read, or is not there, stops the run',
							run,
							/list of HR cannot be read.*"(31\.12\.2026|a@b\.example)"/,
							run.requests,
						),
					),
					checkStopped(
						'A change that the service refuses ends the run with an error that names it',
						failed,
						/^Some changes were not made\. Could not .*403/,
						[],
					),
					[
						'A list in which nobody leaves is a quiet end, without a request',
						nobody.status === 'success' && nobody.requests.length === 0
							? []
							: [`It ended otherwise: ${nobody.status}`],
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

function reportLines([report] = []) {
	if (!report) return ['  none: nothing was to be approved'];
	const { removed, alreadyGone, notRemoved, approvedAt } = report;
	return [
		...removed.flatMap(({ email, accessRemoved, accessRemaining, provenAt }) => [
			`  ${email}: access removed`,
			`      removed: ${textOf(accessRemoved)}`,
			`      remaining: ${textOf(accessRemaining)}, seen ${provenAt}`,
		]),
		`  gone already: ${alreadyGone.join(', ') || 'nobody'}`,
		`  not removed: ${notRemoved.join(', ') || 'nobody'}`,
		`  approved ${approvedAt}`,
	];
}

function textOf(access) {
	return (
		access
			.map(({ role, organizationName }) => `${role} in ${organizationName}`)
			.sort()
			.join(', ') || 'nothing'
	);
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

function unplanned({ form }, before, leavers) {
	const lines = (form?.text ?? '').split('\n');
	return leavers
		.filter(({ email }) => before.people.get(email)?.active)
		.filter(({ email }) => !lines.some((line) => line.startsWith(`- ${email}: is deactivated`)))
		.map(({ email }) => `The form does not say that ${email} is deactivated.`);
}

function checkReport({ report: [report] = [] }, before, leavers) {
	if (!report) return ['There is none.'];
	const { removed, alreadyGone, notRemoved, approvedAt } = report;
	const isActive = ({ email }) => before.people.get(email)?.active === true;
	const emails = (list) => list.map(({ email }) => email);
	const gone = leavers.filter((person) => !isActive(person));
	return [
		...unlike('removed', emails(removed), emails(leavers.filter(isActive))),
		...unlike('already gone', alreadyGone, emails(gone)),
		...unlike('not removed', notRemoved, []),
		...removed.flatMap(({ email, accessRemoved, accessRemaining, provenAt }) => [
			...unlike(`removed of ${email}`, [textOf(accessRemoved)], [heldText(before, email)]),
			...unlike(`remaining of ${email}`, accessRemaining, []),
			...(Date.parse(provenAt) ? [] : [`The proof of ${email} does not say when.`]),
		]),
		...(Date.parse(approvedAt) ? [] : ['It does not say when somebody approved.']),
	];
}

function unlike(what, found, wanted) {
	const [is, should] = [found, wanted].map((list) => [...list].sort().join(', ') || 'nothing');
	return is === should ? [] : [`As ${what} it says: ${is}, not: ${should}.`];
}

module.exports = { leaver };
