'use strict';

/** The request: somebody asks `examples/access-request.json` for a group, and the owner answers by email. */

const { outputOf, problemOf } = require('./approval');
const { membersView } = require('./groups');
const { readExample } = require('./hr');
const { addressIn } = require('./lineByLine');
const { fillTables, tableOf } = require('./tables');

const TABLE = 'Requested Access';
const [ANA, OLGA] = ['ana.example@example.com', 'olga.other@example.com'];
const THERE_WITHIN_MS = 30_000;
const POLL_MS = 250;
const day = (offset) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function request(stage) {
	const { plain, mailbox, n8n } = stage;
	const workflow = readExample('access-request.json');
	const nodeOf = (name) => workflow.nodes.find((node) => node.name === name);
	const address = () => `${n8n.url}/form/${nodeOf('Request Access').webhookId}`;
	const view = membersView(plain);

	/** In: what is entered in the form, the answer of the owner. Out: `{ message, execution }`. */
	async function asked(fields, answer) {
		mailbox.mails.length = 0;
		const { id } = await stage.executionOf(workflow.id, () => sendForm(address(), fields));
		const [mail] = mailbox.mails;
		await sendForm(addressIn(mail), [answer]);
		return { message: mail.text, execution: await stage.ended(id) };
	}

	return {
		service: plain,
		title: `${OLGA} asks for VPN, for 7 days`,
		asked: () => ['  The owner says No, and Yes when asked again.'],

		/** As the note says, once the plan is right. */
		async prepare() {
			nodeOf('Take Back What Ended').parameters.preview = false;
			await stage.add(workflow);
			await fillTables(stage, [TABLE]);
			await n8n.activate(workflow.id);
			await untilThere(address());
		},

		/** Out: `{ declined, approved, hourly }`. */
		async play() {
			const fields = [OLGA, 'VPN', '7', 'The <b>gateway</b> is mine &lt;i>this week'];
			const declined = await asked(fields, 'No');
			const approved = await asked(fields, 'Yes');
			return { declined, approved, hourly: await stage.run(workflow) };
		},

		view,
		wanted: (before) => ({ ...before, VPN: [ANA, OLGA] }),

		checks: ({ declined, approved, hourly }) => [
			[
				'All runs ended well, and a No goes no further than the question',
				[
					...[declined.execution, approved.execution, hourly].flatMap((execution) =>
						execution.status === 'success' ? [] : [problemOf(execution)],
					),
					...outputOf(declined.execution, 'Approved?').map(() => 'The No was taken for a Yes.'),
				],
			],
			[
				'The mail says who asks for what and why, as text',
				[OLGA, 'VPN', '7 days', '‹b›gateway', '&lt;i›'].flatMap((part) =>
					approved.message.includes(part)
						? []
						: [
								`It lacks "${part}": …${approved.message.slice(approved.message.indexOf(OLGA)).slice(0, 200)}`,
							],
				),
			],
			[
				'The table has the last day, counted from the approval',
				outputOf(approved.execution, 'Keep Until').flatMap(({ email, endsOn }) =>
					email === OLGA && [day(6), day(7), day(8)].includes(endsOn) ? [] : [`${email} ${endsOn}`],
				),
			],
		],

		/** Out: `{ title, lines, checks }`. */
		async afterwards(after) {
			const restore = plain.state.remember();
			const ended = `${OLGA},VPN,${day(-2)},Is over`;
			await stage.fillTable(TABLE, tableOf(TABLE) + ended);
			await stage.run(workflow);
			const found = await view.read();
			restore();
			return {
				title: 'Days later, the next hour',
				lines: [`  ${ended}`],
				checks: [['What ended is taken back', view.differences({ ...after, VPN: [ANA] }, found)]],
			};
		},
	};
}

/** n8n registers the form of a newly activated workflow a moment after it has said yes. */
async function untilThere(address) {
	const giveUpAt = Date.now() + THERE_WITHIN_MS;
	while (Date.now() < giveUpAt) {
		if ((await fetch(address)).ok) return;
		await new Promise((done) => setTimeout(done, POLL_MS));
	}
	throw new Error('The form did not open');
}

/** Fills in a form in the order of its fields, as a browser does. */
async function sendForm(address, values) {
	const body = new FormData();
	for (const [at, value] of values.entries()) body.append(`field-${at}`, value);
	const response = await fetch(address, { method: 'POST', body });
	if (!response.ok) throw new Error(`The form was answered ${response.status}`);
}

module.exports = { request };
