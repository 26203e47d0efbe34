'use strict';

/**
 * The leavers of BambooHR: `examples/leaver-bamboohr.json` reads a report with last days, and a person approves line by line,
 * in a form that a mail asks for.
 */

const {
	checkApproval,
	checkEnded,
	checkStopped,
	formLines,
	playWithApproval,
	unlike,
} = require('./approval');
const { readExample } = require('./hr');
const { GONE, lineOf, provenIn, REMOVED, STAY, UNKNOWN } = require('./leaver');
const { addressIn, openLines, submitLines } = require('./lineByLine');
const { copySnapshot } = require('../snapshot');

/** Has left, and is not approved. */
const [KEPT, ...APPROVED] = Object.keys(REMOVED);
/** A date in another form. */
const UNREADABLE = '12/31/2026';
const PROTECTED = 'svc-backup@example.com';

/** As BambooHR writes a date in the zone of this machine. */
const day = (offset) => new Date(Date.now() + offset * 86_400_000).toLocaleDateString('sv-SE');
const row = (workEmail, terminationDate) => ({ id: '1', workEmail, terminationDate });

/** The report as it is at first: BambooHR writes 0000-00-00 for no date. */
function reportRows() {
	return [
		...[...Object.keys(REMOVED), GONE, UNKNOWN].map((email) => row(email, day(-1))),
		row(STAY[0], day(0)),
		row(STAY[1], '0000-00-00'),
	];
}

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function bamboohr(stage) {
	const { service, mailbox, vendors } = stage;
	const workflow = readExample('leaver-bamboohr.json');
	const byEmail = {
		...stage,
		form: async () => await openLines(addressIn(mailbox.mails.at(-1))),
		async answer({ id }, form, isTicked) {
			await submitLines(form, isTicked);
			return await stage.ended(id);
		},
	};
	let refused;

	async function playReport(rows, isTicked) {
		const { report } = vendors;
		vendors.report = rows;
		const played = await playWithApproval(byEmail, workflow, isTicked);
		vendors.report = report;
		return played;
	}
	const approve = () => playReport(reportRows(), (line, label) => !label.includes(KEPT));

	return {
		title: 'The report of BambooHR has the last days of people',
		asked: () => reportRows().map((one) => `  ${one.workEmail.padEnd(36)} ${one.terminationDate}`),

		async prepare() {
			await stage.add(workflow);
			refused = await playReport(reportRows(), () => false);
		},

		play: approve,
		answered: ({ applied = [] }) => applied.map(({ text }) => `  ${text}`),
		concerned: () => [...Object.keys(REMOVED), GONE, ...STAY],

		/** What must be there afterwards, worked out without the node. */
		wanted(before) {
			const wanted = copySnapshot(before);
			for (const email of APPROVED)
				Object.assign(wanted.people.get(email), { active: false, roles: {} });
			return wanted;
		},

		checks: (played) => [
			checkStopped('A form without a tick is said', refused, /No change was approved/),
			checkApproval(played),
			[
				'The form has a line for everybody who loses access, and names who is not found',
				[
					...unlike(
						(played.form?.questions ?? []).map(({ label }) => label.match(/[^\s(]+@[^\s)]+/)[0]),
						Object.keys(REMOVED),
					),
					...unlike((played.form?.text ?? '').match(/Not found.*/g) ?? [], [
						`Not found, check the spelling: ${UNKNOWN}`,
					]),
				],
			],
			['Who was not ticked is told', notApproved(played, [KEPT])],
			[
				'Apply Plan proves what was removed',
				unlike(
					provenIn(played),
					APPROVED.map((email) => lineOf([email, REMOVED[email]])),
				),
			],
		],

		/** Rows that are wrong must be said. Out: `{ title, lines, checks }`. */
		async afterwards() {
			const checks = [];
			for (const [promise, report, pattern] of [
				['A report without rows is said', [], /no email/],
				['A row without a last day is said', [{ id: '1', workEmail: STAY[0] }], /dmitri/],
				['A leaver without an email is said', [row(null, day(-1))], /no email/],
			]) {
				checks.push(checkStopped(promise, await playReport(report, () => true), pattern));
			}
			const restore = service.state.remember();
			service.state.directory.create(PROTECTED);
			const rows = [row(KEPT, day(-1)), row(PROTECTED, day(-1)), row(STAY[0], UNREADABLE)];
			const odd = await playReport(rows, () => true);
			restore();
			const { text = odd.status } = odd.form ?? {};
			return {
				title: 'A row has a date that cannot be read, and another a user who is protected',
				lines: formLines({ text }),
				checks: [
					...checks,
					['The form names the row', text.includes(UNREADABLE) ? [] : [text]],
					checkEnded(
						'Both are named after the others were made',
						odd,
						/^The approved changes were made\. .*svc-backup.*12\/31\/2026/,
					),
				],
			};
		},
	};
}

/** Out: a sentence for everybody who is told as not approved and should not be, or the other way round. */
function notApproved({ applied = [] }, emails) {
	const told = applied.filter(({ reason }) => reason === 'not approved');
	return unlike([...new Set(told.map(({ userName }) => userName))], emails);
}

module.exports = { bamboohr, reportRows };
