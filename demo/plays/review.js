'use strict';

/** The review: `examples/access-review.json` asks the managers by email; one of them ticks a person. */

const { readExample } = require('./hr');

/** A name that would be a program if n8n or the form did not escape it. */
const HOSTILE = '<script>alert(1)</script>@example.com';
const SHOWN = HOSTILE.replaceAll('<', '‹').replaceAll('>', '›');
const ANSWERED_WITHIN_MS = 180_000;
const POLL_MS = 250;

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function review(stage) {
	const { service, mailbox } = stage;
	const workflow = readExample('access-review.json');

	/** Answers the mails of a run, one after the other, until it has ended. */
	async function answerAll(execution) {
		const forms = [];
		const giveUpAt = Date.now() + ANSWERED_WITHIN_MS;
		for (let read = 0; Date.now() < giveUpAt;) {
			const mail = mailbox.mails[read];
			const now = await stage.n8n.rest.execution(execution.id);
			if (mail !== undefined) {
				forms.push(await answerForm(addressIn(mail)));
				read += 1;
			} else if (now.status !== 'waiting' && now.status !== 'running')
				return { forms, execution: now };
			else await new Promise((done) => setTimeout(done, POLL_MS));
		}
		throw new Error('The review did not come to an end');
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

		/** Out: `{ forms, execution }`: the lines of each form, the execution in the end. */
		async play() {
			mailbox.mails.length = 0;
			return await answerAll(await stage.run(workflow));
		},

		concerned: () => [HOSTILE],
		wanted(before) {
			const people = new Map(before.people);
			people.set(HOSTILE, { ...people.get(HOSTILE), roles: {} });
			return { ...before, people };
		},

		checks: ({ forms, execution }) => [
			[
				'Every form names people as text, and the workflow ended well',
				[
					...(forms.flat().some((line) => line.includes(SHOWN)) ? [] : ['Nobody was asked of.']),
					...forms.flat().filter((line) => line.includes('<')),
					...(execution.status === 'success' ? [] : [`It ended with ${execution.status}.`]),
				],
			],
		],
	};
}

function addressIn({ text }) {
	return /href="([^"]*waiting[^"]*)"/.exec(text)[1].replaceAll('&amp;', '&');
}

/** Ticks one person. Out: the lines of the form. */
async function answerForm(address) {
	const page = await (await fetch(address)).text();
	const body = new FormData();
	const lines = [];
	for (const [, id, boxes] of page.matchAll(
		/class='multiselect[^>]*?id='(field-\d+)'(.*?)<p class/gs,
	)) {
		const all = [...boxes.matchAll(/value='([^']*)'/g)].map(([, value]) => decoded(value));
		lines.push(...all);
		body.append(id, JSON.stringify(all.filter((line) => line.includes(SHOWN))));
	}
	const [, name, value] = /type="hidden" id="field-\d+" name="(field-\d+)" value="([^"]*)"/.exec(
		page,
	);
	body.append(name, value);
	const response = await fetch(address, { method: 'POST', body });
	if (!response.ok) throw new Error(`The form was answered ${response.status}`);
	return lines;
}

function decoded(text) {
	const entities = { amp: '&', lt: '<', gt: '>', quot: '"' };
	return text
		.replace(/&#x([\dA-F]+);/gi, (_, code) => String.fromCodePoint(parseInt(code, 16)))
		.replace(/&(\w+);/g, (_, name) => entities[name]);
}

module.exports = { review };
