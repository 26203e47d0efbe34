'use strict';

/**
 * The comparison of the night with other tools: `examples/nightly-reconcile-sheets-slack.json` reads who should have what in
 * Google Sheets, and a person approves the differences with a button in Slack.
 */

const {
	checkApproval,
	checkDeclined,
	checkStopped,
	playWithApproval,
	withoutBreaks,
} = require('./approval');
const { readExample } = require('./hr');
const { checkApplied, checkForm, checkQuiet, DIFFERENCES, wantedAfter } = require('./reconcile');
const { wrapped } = require('../table');

const CHANNEL = '#access-approvals';
/** n8n passes over what looks like a robot. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0';

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function sheetsSlack(stage) {
	const { vendors } = stage;
	const workflow = readExample('nightly-reconcile-sheets-slack.json');
	const inSlack = {
		...stage,
		async form() {
			const { text, ...message } = vendors.messages.at(-1);
			return { ...message, text: withoutBreaks(text.replace(/[*`]/g, '')) };
		},
		async answer({ id }, { buttons }, button) {
			const headers = { 'user-agent': BROWSER };
			const { status } = await fetch(buttons[button], { headers });
			if (status !== 200) throw new Error(`The button was answered ${status}`);
			return await stage.ended(id);
		},
	};
	const playIn = (button) => playWithApproval(inSlack, workflow, button);
	let refused;
	let latest;

	return {
		title: 'the sheet of who should have what in Marketing and Research, the whole of it',
		asked: () => DIFFERENCES.map(({ email, words }) => `  ${email.padEnd(36)} ${words}`),

		async prepare() {
			await stage.add(workflow);
			refused = await playIn('Decline');
		},

		play: async () => (latest = await playIn('Approve')),
		concerned: () => DIFFERENCES.map(({ email }) => email),
		wanted: wantedAfter,

		checks: (played) => [
			checkDeclined(refused),
			checkApproval(played),
			[`It asked in ${CHANNEL}`, played.form?.channel === CHANNEL ? [] : ['It did not.']],
			['The message names every difference, and nothing else', checkForm(played)],
			['Apply Plan says what was done', checkApplied(played)],
			// By now the same list has been sent once more (see verdict.js).
			['The same sheet once more: no difference, no message, a quiet end', checkQuiet(latest)],
		],

		/** A sheet that is empty, and a plan that is no message, must be stopped. Out: `{ title, lines, checks }`. */
		async afterwards() {
			const { sheet } = vendors;
			vendors.sheet = sheet.slice(0, 1);
			const empty = await playIn('Approve');
			const name = 'x'.repeat(60);
			const many = Array.from({ length: 30 }, (_, at) => [
				...[`${name}${at}@example.com`, 'Marketing', 'viewer', name, name],
			]);
			vendors.sheet = [...sheet, ...many];
			const long = await playIn('Approve');
			vendors.sheet = sheet;
			return {
				title: 'The source is broken: the sheet is empty',
				lines: wrapped(empty.status),
				checks: [
					checkStopped('An empty sheet is blocked', empty, /Desired Access is empty/),
					checkStopped(
						'A plan that is too long for Slack',
						long,
						/beyond a limit|3,000 characters/,
					),
				],
			};
		},
	};
}

module.exports = { sheetsSlack };
