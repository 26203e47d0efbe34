'use strict';

/** Workflows that wait for an approval: a list is there, somebody reads the plan in a form and decides. */

const { wrapped } = require('./table');

const TIME_LIMIT_MS = 180_000;
const POLL_MS = 250;
const ENDED = ['success', 'error', 'crashed', 'canceled'];
const WAIT = 'Wait for Approval';
const QUESTION = 'Approve these changes?';

/**
 * Runs a workflow as *Execute workflow* in the editor does, instead of waiting for its schedule.
 *
 * In: a stage, a workflow of examples/ with its id in n8n. Out: the execution, once it waits or has ended.
 */
async function runNow({ n8n }, { id, nodes }) {
	const trigger = nodes.find(({ type }) => /(schedule|manual)Trigger$/.test(type));
	await n8n.rest.updateWorkflow(id, { nodes });
	return await untilOver(n8n, await n8n.rest.run(id, trigger.name), ['waiting', ...ENDED]);
}

/** As `runNow`. In: beside that, what the node to replace or to fill in gives, as the one of a user would. */
async function runWith(stage, workflow, item) {
	const source = workflow.nodes.find(({ name }) => /\((Replace Me|Fill In)\)$/.test(name));
	source.parameters.jsonOutput = JSON.stringify(item);
	return await runNow(stage, workflow);
}

async function untilOver({ rest }, id, statuses = ENDED) {
	const giveUpAt = Date.now() + TIME_LIMIT_MS;
	while (Date.now() < giveUpAt) {
		const execution = await rest.execution(id);
		if (statuses.includes(execution.status)) return execution;
		await new Promise((done) => setTimeout(done, POLL_MS));
	}
	throw new Error(`The execution ${id} did not come to an end: ${await rest.lastProblem()}`);
}

/**
 * In: a stage, a workflow's id, what makes it start. Out: the execution that was started, once it waits or
 * has ended: n8n may answer before that.
 */
async function executionOf({ n8n }, workflowId, start) {
	const executions = async () =>
		(await n8n.executions()).filter((execution) => execution.workflowId === workflowId);
	const known = new Set((await executions()).map(({ id }) => id));
	await start();
	const giveUpAt = Date.now() + TIME_LIMIT_MS;
	while (Date.now() < giveUpAt) {
		const started = (await executions()).find(({ id }) => !known.has(id));
		if (started) return await untilOver(n8n, started.id, ['waiting', ...ENDED]);
		await new Promise((done) => setTimeout(done, POLL_MS));
	}
	throw new Error(`The workflow ${workflowId} did not start: ${await n8n.rest.lastProblem()}`);
}

/**
 * Opens the form that an execution waits for, as the approver's browser does.
 * Out: `{ address, field, text }`: `field` is the name of the dropdown, `text` what is to be read above it.
 * Throws: when the page is not as it must be, such as with an answer that is chosen already.
 */
async function openForm({ data }) {
	const [{ metadata }] = data.resultData.runData[WAIT];
	const address = metadata.resumeFormUrl;
	const response = await fetch(address, { signal: AbortSignal.timeout(TIME_LIMIT_MS) });
	const page = await response.text();
	const [, field] = /<select id='(field-\d+)' name='\1'/.exec(page) ?? [];
	const [, description] = /<p style="white-space: pre-line">(.*?)<\/p>/s.exec(page) ?? [];
	const isUndecided = /<option value='' disabled selected>/.test(page);
	if (!field || !description || !isUndecided || !page.includes(QUESTION)) {
		throw new Error(`The form was answered ${response.status} and is not as wanted:\n${page}`);
	}
	return { address, field, text: textOf(description) };
}

function textOf(html) {
	const entities = { amp: '&', lt: '<', gt: '>', quot: '"' };
	return html
		.replace(/<[^>]*>/g, '')
		.replace(/&(\w+);/g, (_, name) => entities[name])
		.replaceAll('\u200B', '')
		.trim();
}

/** In: a stage, an execution that waits, its form, "Yes" or "No". Out: the execution, once it has ended. */
async function decide({ n8n }, { id }, { address, field }, decision) {
	const body = new FormData();
	body.append(field, decision);
	const signal = AbortSignal.timeout(TIME_LIMIT_MS);
	const response = await fetch(address, { method: 'POST', body, signal });
	if (!response.ok) {
		throw new Error(`The form was answered ${response.status}: ${await response.text()}`);
	}
	return await untilOver(n8n, id);
}

/**
 * In: a stage, a workflow of examples/ as `runWith` takes it, the item, the decision.
 * Out: `{ status, planned, form?, end?, report?, execution }`: "waiting", or how the workflow ended before that, the
 * requests that had left by then, what the approver saw, how it ended after the decision, the report.
 */
async function playWithApproval(stage, workflow, item, decision = 'Yes') {
	const execution = await runWith(stage, workflow, item);
	const planned = [...stage.service.log.requests];
	if (execution.status !== 'waiting') return { status: endOf(execution), planned, execution };
	const form = await openForm(execution);
	const decided = await decide(stage, execution, form, decision);
	const report = outputOf(decided, 'Report');
	return { status: 'waiting', planned, form, end: endOf(decided), report, execution: decided };
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
	return text.split('\n').flatMap((line) => (line === '' ? [''] : wrapped(line)));
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

/** Out: the check of a run that had to end with an error, before a form or after it, as `[promise, complaints]`. */
function checkStopped(promise, { status, end, execution }, pattern, requests) {
	const problem = end ?? status;
	const isRight = execution.status === 'error' && pattern.test(problem);
	return [
		promise,
		[
			...(isRight ? [] : [`The execution says "${execution.status}": ${problem}`]),
			...writesIn(requests).map(sentTooMuch),
		],
	];
}

module.exports = {
	runNow,
	runWith,
	playWithApproval,
	executionOf,
	outputOf,
	formLines,
	problemOf,
	writesIn,
	sentTooMuch,
	checkApproval,
	checkStopped,
};
