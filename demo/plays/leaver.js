'use strict';

/** The leaver: `examples/leaver.json` gets the rows of HR with last days, and a person approves the plan. */

const {
	checkApproval,
	checkDeclined,
	checkEnded,
	checkStopped,
	fill,
	outputOf,
	playWithApproval,
	problemOf,
	unlike,
} = require('./approval');
const { readExample } = require('./hr');
const { copySnapshot, differences, readSnapshot } = require('../snapshot');
const { wrapped } = require('../table');

/** Of the rows in the example: who has left, and what is taken; who has gone before; who was never there; who stays. */
const REMOVED = {
	'joão.gonçalves@example.com': 'admin in Marketing, viewer in Research',
	'fatima.zahra.benali@example.com': 'member in Marketing, member in Research',
	'yara.haddad@ops.example.com': 'viewer in Operations',
	'contractor.one@partner.example.org': 'viewer in Marketing',
};
const GONE = 'chidi.okafor@example.com';
const UNKNOWN = 'pedro.alves@example.com';
const STAY = ['dmitri.volkov@example.com', 'julia.van.der.berg@example.com'];
/** *Preview Offboarding* protects the first of them. */
const PARTLY = ['svc-backup@example.com', 'temp.worker@example.com'];

const left = (email) => ({ email, lastDay: '2020-12-31' });

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function leaver(stage) {
	const { service } = stage;
	const workflow = readExample('leaver.json');
	const leavers = [...Object.keys(REMOVED), GONE, UNKNOWN];
	let refused;

	async function playRows(rows) {
		fill(workflow, rows);
		return await playWithApproval(stage, workflow);
	}

	/** Takes a run back by hand, as the note says. Out: the execution of that. */
	async function undo({ execution }) {
		const [{ undo: kept }] = outputOf(execution, 'Apply Plan');
		const node = workflow.nodes.find(({ name }) => name === 'Apply Plan');
		const { resource, operation } = node.parameters;
		const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 };
		const back = {
			...{ name: 'Undo', pinData: {}, settings: {} },
			nodes: [
				{ ...start, id: 'start', parameters: {}, position: [0, 0] },
				{
					...{ ...node, onError: 'stopWorkflow' },
					parameters: { resource, operation, plan: JSON.stringify(kept), changes: 'all' },
				},
			],
			connections: { Start: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
		};
		await stage.add(back);
		return await stage.run(back);
	}

	return {
		title: 'The rows of HR have the last days of people',
		asked: () => [
			...leavers.map((email) => `  ${email.padEnd(36)} yesterday`),
			...STAY.map((email, index) => `  ${email.padEnd(36)} ${index === 0 ? 'today' : '-'}`),
		],

		async prepare() {
			await stage.add(workflow);
			refused = await playWithApproval(stage, workflow, 'No');
		},

		play: () => playWithApproval(stage, workflow),
		answered: ({ applied = [] }) => applied.map(({ text }) => `  ${text}`),
		concerned: () => [...leavers, ...STAY],

		/** What must be there afterwards, worked out without the node: everybody else stays as they are. */
		wanted(before) {
			const wanted = copySnapshot(before);
			for (const email of leavers) {
				const person = wanted.people.get(email);
				if (person) Object.assign(person, { active: false, roles: {} });
			}
			return wanted;
		},

		checks: (played) => [
			checkDeclined(refused),
			checkApproval(played),
			[
				'The form names everybody who loses access, and who is not found',
				unlike(
					(played.form?.text ?? '').match(/[^\s(]+@[^\s)]+(?=\)?: is deactivated)|Not found.*/g) ??
						[],
					[...Object.keys(REMOVED), `Not found, check the spelling: ${UNKNOWN}`],
				),
			],
			[
				'Apply Plan proves what was removed',
				unlike(provenIn(played), Object.entries(REMOVED).map(lineOf)),
			],
		],

		/** Rows that are wrong must be said. Out: `{ title, lines, checks }`. */
		async afterwards(after) {
			const everybody = [...after.people.keys()];
			const broken = await playRows(everybody.map(left));
			const checks = [checkStopped('A list in which everybody leaves is blocked', broken, /would/)];
			const [email] = STAY;
			for (const [promise, rows, pattern] of [
				[
					'A last day that cannot be read is said',
					[{ email, lastDay: '31.12.26' }],
					/"31\.12\.26"/,
				],
				['A row without a last day is said', [{ email }], /dmitri/],
				['A last day without an email is said', [left('')], /2020-12-31/],
				['A list without rows is said', [], /\{\}/],
			]) {
				checks.push(checkStopped(promise, await playRows(rows), pattern));
			}
			const nobody = await playRows([null, ''].map((lastDay) => ({ email, lastDay })));

			const restore = service.state.remember();
			for (const name of PARTLY) service.state.directory.create(name);
			const partly = await playRows([...PARTLY.map(left), { email, lastDay: 'soon' }]);
			restore();

			// The mail of an access that comes back stays sent.
			const { adds } = service.state.directory;
			const known = adds.length;
			const gone = await playRows([left(email)]);
			const taken = differences(after, await readSnapshot(service)).length;
			const undone = await undo(gone);
			const { people } = await readSnapshot(service);
			restore();
			adds.splice(known);

			service.faults.add({ method: 'PATCH', kind: 'html-403' });
			const failed = await playRows([left(email)]);
			service.faults.clear();
			return {
				title: `HR's export is broken: all ${everybody.length} people have left`,
				lines: wrapped(broken.status),
				checks: [
					...checks,
					[
						'A list in which nobody leaves is a quiet end, without a request',
						nobody.status === 'success' && nobody.requests.length === 0
							? []
							: [`It ended otherwise: ${nobody.status}`],
					],
					checkEnded(
						'Who cannot be planned, and a row that cannot be read, are named after the others were made',
						partly,
						/^The approved changes were made\. .*svc-backup.*"soon"/,
					),
					[
						'The form of that run names both, and the others are made',
						unlike(
							[
								...(partly.form?.text.match(/svc-backup|"soon"/g) ?? []),
								...(partly.applied ?? []).filter(isDone).map(({ userName }) => userName),
							],
							['svc-backup', '"soon"', PARTLY[1]],
						),
					],
					[
						'What the execution keeps takes the run back, account and access',
						[
							...(taken > 0 ? [] : ['Nobody had left.']),
							...(undone.status === 'success' ? [] : [problemOf(undone)]),
							...differences({ ...after, people }, after),
						],
					],
					checkEnded(
						'A change that the service refuses ends the run with an error that names it',
						failed,
						/^Apply Plan: Could not .*403/,
					),
				],
			};
		},
	};
}

const lineOf = ([email, removed]) => `${email}: ${removed}`;

/** Out: what is proven to be removed, a line for each person. */
function provenIn({ applied = [] }) {
	const text = ({ role, organizationName }) => `${role} in ${organizationName}`;
	return applied
		.filter((item) => isDone(item) && Date.parse(item.provenAt) > 0)
		.filter(({ accessRemaining }) => accessRemaining.length === 0)
		.map(({ userName, accessRemoved }) =>
			lineOf([userName, accessRemoved.map(text).sort().join(', ')]),
		);
}

const isDone = ({ status }) => status === 'done';

module.exports = { GONE, lineOf, leaver, provenIn, REMOVED, STAY, UNKNOWN };
