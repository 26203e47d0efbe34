'use strict';

/** The retention: `examples/retention.json` deletes inactive accounts of people who left long ago, after an approval. */

const {
	checkApproval,
	checkDeclined,
	formLines,
	playWithApproval,
	sentTooMuch,
	unlike,
	writesIn,
} = require('./approval');
const { readExample } = require('./hr');
const { tableOf } = require('./tables');

const TABLE = 'Leavers';
const GONE = ['leo.left@example.com', 'mia.left@example.com'];
/** Has a row of an earlier contract. */
const ACTIVE = 'olga.other@example.com';
const recently = () => new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10);
/** Inactive, with days that are no reason to delete them. */
const KEPT = {
	'pia.pause@example.com': '',
	'rob.recent@example.com': recently(),
	'tom.typo@example.com': '01.02.2026',
};

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function retention(stage) {
	const { plain } = stage;
	const workflow = readExample('retention.json');
	const rows = Object.entries(KEPT).map((cells) => cells.join(','));
	const usersIn = () =>
		[...plain.state.directory.users.values()].map(({ userName }) => userName).sort();
	let refused;

	return {
		service: plain,
		title: 'who left, and when',
		asked: () => [
			...GONE.map((email) => `  ${email.padEnd(24)} months ago`),
			`  ${ACTIVE.padEnd(24)} months ago, and is active`,
			...Object.entries(KEPT).map(([email, day]) => `  ${email.padEnd(24)} ${day || '-'}`),
		],

		async prepare() {
			await stage.add(workflow);
			await stage.fillTable(TABLE, [tableOf(TABLE).trim(), ...rows].join('\n'));
			refused = await playWithApproval(stage, workflow, 'No');
		},

		play: () => playWithApproval(stage, workflow),
		answered: ({ applied = [] }) => applied.map(({ text }) => `  ${text}`),

		view: {
			read: usersIn,
			differences: (wanted, found) => unlike(found, wanted),
			table: (before, after) => [
				'Users, before → after',
				before.map((name) => `  ${name}${after.includes(name) ? '' : ' → gone'}`),
			],
		},
		wanted: (before) => before.filter((name) => !GONE.includes(name)),

		checks: (played) => [
			checkDeclined(refused),
			checkApproval(played),
			[
				'The form names who is deleted, and Apply Plan proves it',
				[
					...unlike(
						(played.form?.text ?? '').match(/[^\s(]+@[^\s)]+(?=\)?: is deleted)/g) ?? [],
						GONE,
					),
					...unlike(
						(played.applied ?? []).filter(({ provenAt }) => provenAt).map((one) => one.userName),
						GONE,
					),
				],
			],
		],

		/** Who is active comes along where the service ignores the filter. Out: `{ title, lines, checks }`. */
		async afterwards() {
			const { switches } = plain.state.directory;
			switches.filter = 'ignored';
			const played = await playWithApproval(stage, workflow);
			switches.filter = 'on';
			return {
				title: 'The service ignores the filter',
				lines: formLines(played.form ?? { text: played.status }),
				checks: [
					[
						'Whoever is active is named in the form, and no write is sent',
						[
							...unlike(played.form?.text.match(/so not deleted: .*/) ?? [], [
								`so not deleted: ${ACTIVE}`,
							]),
							...writesIn(played.requests).map(sentTooMuch),
						],
					],
				],
			};
		},
	};
}

module.exports = { retention };
