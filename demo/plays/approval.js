'use strict';

/** Workflows that wait for an approval: a list is there, a person reads the plan in a form and decides. */

const { wrapped } = require('../table');

const WAIT = 'Wait for Approval';
const QUESTION = 'Approve these changes?';
/** What is entered where a form asks for the name. */
const APPROVER = 'Ada Approver';

/** In: a workflow of examples/, the rows that the code of its source gives from now on. */
function fill({ nodes }, rows) {
	const { parameters } = nodes.find(({ alwaysOutputData }) => alwaysOutputData);
	parameters.jsCode = `return ${JSON.stringify(rows)};`;
}

/** Addresses carry signs without width, for readers that would make links of them. */
const withoutBreaks = (text) => text.replaceAll('\u200B', '').trim();

/** In: the description of a form, as HTML. Out: what its reader sees. */
function textOfForm(html) {
	const entities = { amp: '&', lt: '<', gt: '>', quot: '"' };
	return withoutBreaks(
		html
			.replace(/<br( \/)?>/g, '\n')
			.replace(/<[^>]*>/g, '')
			.replace(/&(\w+);/g, (_, name) => entities[name]),
	);
}

/**
 * In: a stage, a workflow of examples/, the decision.
 * Out: `{ status, planned, requests, form?, end?, applied?, execution }`: "waiting", or how the workflow ended before that,
 * the requests that had left by then and in all, what the approver saw, how it ended after the decision, what *Apply Plan*
 * returned.
 */
async function playWithApproval(stage, workflow, decision = 'Yes') {
	const { log } = stage.service;
	const from = log.requests.length;
	const execution = await stage.run(workflow);
	const planned = log.requests.slice(from);
	if (execution.status !== 'waiting') {
		return { status: endOf(execution), planned, requests: planned, execution };
	}
	const form = await stage.form(execution);
	const decided = await stage.answer(execution, form, decision);
	return {
		...{ status: 'waiting', planned, form, end: endOf(decided), execution: decided },
		requests: log.requests.slice(from),
		applied: outputOf(decided, 'Apply Plan').flatMap((item) => item.changes ?? item),
	};
}

/** Out: "success", or why it did not end with that. */
function endOf(execution) {
	return execution.status === 'success' ? 'success' : problemOf(execution);
}

/** Out: the items that a node gave first, `json` only; none when it was not reached. */
function outputOf({ data }, node) {
	const [run] = data.resultData.runData[node] ?? [];
	return (run?.data?.main[0] ?? []).map(({ json }) => json);
}

function problemOf({ data, status }) {
	return data.resultData.error?.message ?? `it ended with "${status}" and gave no reason`;
}

/** What the approver reads, as lines that fit. */
function formLines({ text }) {
	return text.split('\n').flatMap((line) => wrapped(line));
}

/** Out: a sentence for each line that is said and should not be, or the other way round. */
function unlike(said, should) {
	return [
		...should.filter((line) => !said.includes(line)).map((line) => `It does not say: ${line}`),
		...said.filter((line) => !should.includes(line)).map((line) => `It says too much: ${line}`),
	];
}

const writesIn = (requests) => requests.filter(({ method }) => method !== 'GET');

const sentTooMuch = ({ method, path }) => `It sent ${method} ${path}.`;

/** Out: the check of every workflow with an approval, as `[promise, complaints]`. */
function checkApproval({ status, planned, end }) {
	return [
		'The workflow waited for the form, sent no write before it, and ended well after it',
		[
			...(status === 'waiting' ? [] : [`It did not wait: ${status}`]),
			...writesIn(planned).map(sentTooMuch),
			...(end === 'success' ? [] : [`It ended otherwise: ${end}`]),
		],
	];
}

/** Out: the check of a run whose plan was declined. */
function checkDeclined({ end, requests, applied = [] }) {
	const others = applied.filter(({ reason }) => reason !== 'declined');
	return [
		'A no ends the run well, each change is told as declined, and no write is sent',
		[
			...(end === 'success' && applied.length > 0 ? [] : [`It ended otherwise: ${end}`]),
			...others.map(({ text }) => `It did something: ${text}`),
			...writesIn(requests).map(sentTooMuch),
		],
	];
}

/** Out: the check of a run that had to end with an error, as `[promise, complaints]`. */
function checkEnded(promise, { status, end, execution }, pattern) {
	const problem = end ?? status;
	const isRight = execution.status === 'error' && pattern.test(problem);
	return [promise, isRight ? [] : [`The execution says "${execution.status}": ${problem}`]];
}

/** As `checkEnded`, of a run that must not have changed anything. */
function checkStopped(promise, played, pattern) {
	const [, complaints] = checkEnded(promise, played, pattern);
	return [
		`${promise}, visibly, and without a write`,
		[...complaints, ...writesIn(played.requests).map(sentTooMuch)],
	];
}

module.exports = {
	WAIT,
	QUESTION,
	APPROVER,
	fill,
	withoutBreaks,
	textOfForm,
	playWithApproval,
	outputOf,
	formLines,
	problemOf,
	writesIn,
	sentTooMuch,
	checkApproval,
	checkDeclined,
	checkEnded,
	checkStopped,
	unlike,
};
