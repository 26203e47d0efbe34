'use strict';

/** The form of a plan with a line for each change, as n8n shows it in a browser to whoever a mail asks. */

const { textOfForm } = require('./approval');

/** Out: the address of the form that a mail asks to fill in. */
function addressIn({ text }) {
	return /href="([^"]*waiting[^"]*)"/.exec(text)[1].replaceAll('&amp;', '&');
}

const QUESTION =
	/<label class='form-label[^>]*>([^<]*)<\/label>\s*<div\s+class='multiselect[^>]*?id='(field-\d+)'(.*?)<p class/gs;

/** Out: `{ address, text, questions, hidden }`: what is above the form, its questions with their lines, and what nobody sees. */
async function openLines(address) {
	const page = await (await fetch(address)).text();
	const questions = [...page.matchAll(QUESTION)].map(([, label, id, boxes]) => ({
		...{ id, label: decoded(label) },
		lines: [...boxes.matchAll(/value='([^']*)'/g)].map(([, value]) => decoded(value)),
	}));
	const hidden = page.matchAll(/type="hidden" id="field-\d+" name="(field-\d+)" value="([^"]*)"/g);
	const [, description = ''] = /<p style="white-space: pre-line">(.*?)<\/p>/s.exec(page) ?? [];
	return { address, questions, hidden: [...hidden], text: textOfForm(description) };
}

/** In: a form; which of its lines are ticked, by their words and those of their question. */
async function submitLines({ address, questions, hidden }, isTicked) {
	const body = new FormData();
	for (const { id, label, lines } of questions)
		body.append(id, JSON.stringify(lines.filter((line) => isTicked(line, label))));
	for (const [, name, value] of hidden) body.append(name, value);
	const response = await fetch(address, { method: 'POST', body });
	if (!response.ok) throw new Error(`The form was answered ${response.status}`);
}

function decoded(text) {
	const entities = { amp: '&', lt: '<', gt: '>', quot: '"' };
	return text
		.replace(/&#x([\dA-F]+);/gi, (_, code) => String.fromCodePoint(parseInt(code, 16)))
		.replace(/&(\w+);/g, (_, name) => entities[name]);
}

module.exports = { addressIn, openLines, submitLines };
