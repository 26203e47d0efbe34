'use strict';

/** The leaver: `examples/leaver.json` gets the list of HR with last days, and somebody approves the plan. */

const { checkApproval, checkEnded, checkStopped, playWithApproval } = require('./approval');
const { readExample, today, yesterday } = require('./hr');
const { copySnapshot } = require('../snapshot');
const { wrapped } = require('../table');

/** *Preview Offboarding* protects the first of them. */
const PARTLY = ['svc-backup@example.com', 'temp.worker@example.com'];

/** Whom the list takes something from; who has gone before; who was never there. */
const REMOVED = {
	'joão.gonçalves@example.com': 'admin in Marketing, viewer in Research',
	'fatima.zahra.benali@example.com': 'member in Marketing, member in Research',
	'yara.haddad@ops.example.com': 'viewer in Operations',
	'contractor.one@partner.example.org': 'viewer in Marketing',
};
const GONE = ['chidi.okafor@example.com'];
const UNKNOWN = ['pedro.alves@example.com'];

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function leaver(stage) {
	const { service } = stage;
	const people = readExample('leavers.json');
	const leavers = people.filter(({ lastDay }) => lastDay === yesterday());
	const workflow = readExample('leaver.json');
	let refused;
	let partly;

	const play = (list = people, decision) =>
		playWithApproval(stage, workflow, { people: list }, decision);

	return {
		title:
			'The list of HR has the last days of people: for some it was yesterday, for one it is today',
		asked: () => people.map(askedLine),

		async prepare() {
			await stage.add(workflow);
			refused = await play(people, 'No');
			for (const name of PARTLY) service.state.directory.create(name);
			partly = await play(PARTLY.map((email) => ({ email, lastDay: yesterday() })));
		},

		play: () => play(),
		answered: ({ report }) => reportLines(report),
		concerned: () => people.map(({ email }) => email),
		wanted: (before) => wantedAfter(before, leavers),

		checks: (played) => [
			checkStopped('A no stops the run', refused, /^Nothing was changed: the answer was no/),
			checkEnded(
				'Who cannot be planned ends the run with an error that names them, after the report of the others',
				partly,
				/^The approved changes were made \(see Report\)\. Could not be planned: .*svc-backup/,
			),
			[
				'That report has the others',
				unlike(
					'removed',
					(partly.report?.[0]?.removed ?? []).map(({ email }) => email),
					PARTLY.slice(1),
				),
			],
			[
				'The form of that run names who cannot be planned',
				/^Not planned\n[^]*svc-backup/m.test(partly.form?.text) ? [] : ['It does not.'],
			],
			checkApproval(played),
			['The form names everybody who loses access', unplanned(played)],
			[
				'The report proves what was removed, and lists who was gone already apart from that',
				checkReport(played),
			],
		],

		/** Lists that are wrong must be stopped. Out: `{ title, lines, checks }`. */
		async afterwards(after) {
			const everybody = [...after.people.keys()].map((email) => ({ email, lastDay: yesterday() }));
			const unreadable = { email: everybody[0].email, lastDay: '31.12.2026' };
			const broken = await play(everybody);
			const checks = [
				checkStopped('A list in which everybody leaves is blocked', broken, /plan is blocked/),
			];
			for (const [promise, list, pattern] of [
				['A last day that cannot be read stops the run', [...people, unreadable], /"31\.12\.2026"/],
				['A row without a last day stops the run', [{ email: 'a@b.example' }], /"a@b\.example"/],
				['A list without rows stops the run', [], /\{"people":\[\]\}/],
			]) {
				checks.push(checkStopped(promise, await play(list), pattern));
			}
			const nobody = await play(people.filter((person) => !leavers.includes(person)));
			service.faults.add({ method: 'PATCH', kind: 'html-403' });
			const { email } = people.find(({ lastDay }) => lastDay === null);
			const failed = await play([{ email, lastDay: yesterday() }]);
			service.faults.clear();
			return {
				title: `HR's export is broken: yesterday was the last day of all ${everybody.length} people`,
				lines: wrapped(broken.status),
				checks: [
					...checks,
					checkEnded(
						'A change that the service refuses ends the run with an error that names it',
						failed,
						/^Not every change was made\. First reason: Could not .*403/,
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
	const day = { [today()]: ', today', [yesterday()]: ', yesterday' }[lastDay] ?? '';
	const when = lastDay ? `${lastDay}${day}` : '-';
	return `  ${email.padEnd(36)} last day ${when}`;
}

function reportLines([report] = []) {
	if (!report) return ['  none: nothing was to be approved'];
	const { removed, alreadyGone, notFound, notRemoved, approvedAt } = report;
	return [
		...removed.flatMap(({ email, accessRemoved, accessRemaining, provenAt }) => [
			`  ${email}: access removed`,
			`      removed: ${textOf(accessRemoved)}`,
			`      remaining: ${textOf(accessRemaining)}, seen ${provenAt}`,
		]),
		`  gone already: ${alreadyGone.join(', ') || 'nobody'}`,
		`  not found: ${notFound.join(', ') || 'nobody'}`,
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

function unplanned({ form }) {
	const lines = (form?.text ?? '').split('\n');
	return Object.keys(REMOVED)
		.filter((email) => !lines.some((line) => line.startsWith(`- ${email}: is deactivated`)))
		.map((email) => `The form does not say that ${email} is deactivated.`);
}

function checkReport({ report: [report] = [] }) {
	if (!report) return ['There is none.'];
	const { removed, alreadyGone, notFound, notRemoved, approvedAt } = report;
	const found = removed.map(
		({ email, accessRemoved, accessRemaining, provenAt }) =>
			`${email}: ${textOf(accessRemoved)}, then ${textOf(accessRemaining)}, ${Date.parse(provenAt) > 0}`,
	);
	const wanted = Object.entries(REMOVED).map(
		([email, access]) => `${email}: ${access}, then nothing, true`,
	);
	return [
		...unlike('removed', found, wanted),
		...unlike('already gone', alreadyGone, GONE),
		...unlike('not found', notFound, UNKNOWN),
		...unlike('not removed', notRemoved, []),
		...(Date.parse(approvedAt) ? [] : ['It does not say when somebody approved.']),
	];
}

function unlike(what, found, wanted) {
	const [is, should] = [found, wanted].map((list) => [...list].sort().join(', ') || 'nothing');
	return is === should ? [] : [`As ${what} it says: ${is}, not: ${should}.`];
}

module.exports = { leaver };
