'use strict';

/** The review: `examples/access-review.json` asks the managers by email; one of them ticks a person. */

const { readExample } = require('./hr');
const { addressIn, openLines, submitLines } = require('./lineByLine');

/** A name that would be a program if n8n or the form did not escape it. */
const HOSTILE = '<script>alert(1)</script>@example.com';
const SHOWN = HOSTILE.replaceAll('<', '‹').replaceAll('>', '›');
const LOOKED = 'I have looked at everybody';
const ANSWERED_WITHIN_MS = 180_000;
const POLL_MS = 250;
const OPEN = ['new', 'running', 'waiting'];

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function review(stage) {
	const { service, mailbox } = stage;
	const workflow = readExample('access-review.json');

	/** Answers each mail of the reviews that a run has started, until all of them have ended. */
	async function answerAll(started) {
		const forms = [];
		const giveUpAt = Date.now() + ANSWERED_WITHIN_MS;
		for (let read = 0; Date.now() < giveUpAt;) {
			const mail = mailbox.mails[read];
			const all = await stage.n8n.executions();
			const own = all.filter(({ workflowId }) => workflowId === workflow.id);
			if (mail !== undefined) {
				forms.push(await answerForm(addressIn(mail)));
				read += 1;
			} else if (read === started && own.every(({ status }) => !OPEN.includes(status)))
				return { forms, ends: own.map(({ status }) => status) };
			else await new Promise((done) => setTimeout(done, POLL_MS));
		}
		throw new Error('The reviews did not come to an end');
	}

	return {
		title: 'a review of access, in a form for each group',
		asked: () => [`  ${HOSTILE} leaves, everybody else stays.`],

		async prepare() {
			await stage.add(workflow);
			const { directory } = service.state;
			const { id } = directory.create(HOSTILE);
			directory.setRole(id, stage.organization, 'viewer');
		},

		/** Out: `{ forms, ends }`: the lines of each form, how each execution ended. */
		async play() {
			mailbox.mails.length = 0;
			const { data } = await stage.run(workflow);
			const [{ data: reviews }] = data.resultData.runData['Start a Review'];
			return await answerAll(reviews.main[0].length);
		},

		concerned: () => [HOSTILE],
		wanted(before) {
			const people = new Map(before.people);
			people.set(HOSTILE, { ...people.get(HOSTILE), roles: {} });
			return { ...before, people };
		},

		checks: ({ forms, ends }) => [
			[
				'Every form names people as text, and the workflow ended well',
				[
					...(forms.flat().some((line) => line.includes(SHOWN)) ? [] : ['Nobody was asked of.']),
					...forms.flat().filter((line) => line.includes('<')),
					...ends.filter((end) => end !== 'success').map((end) => `It ended with ${end}.`),
				],
			],
		],
	};
}

/** Ticks one person, and that everybody was looked at. Out: the lines of the form. */
async function answerForm(address) {
	const form = await openLines(address);
	await submitLines(form, (line) => line.includes(SHOWN) || line === LOOKED);
	return form.questions.flatMap(({ lines }) => lines);
}

module.exports = { review };
