'use strict';

/** Workflows that wait for an approval: HR sends a list, somebody reads the plan and approves it. */

const { sendList } = require('./hr');
const { wrapped } = require('./table');

const APPROVER = 'margaret.osei@example.com';
const APPROVER_TIME_LIMIT_MS = 180_000;
const EXECUTION_WITHIN_MS = 120_000;
const POLL_MS = 250;
const ENDED = ['waiting', 'success', 'error', 'crashed', 'canceled'];

/**
 * Sends a list to a workflow.
 *
 * In: a stage, the workflow's id, its webhook's path, the list.
 * Out: the execution that the list started, once it waits or has ended.
 */
async function sendAndWait(stage, workflowId, path, list) {
	return await executionOf(stage, workflowId, () => sendList(stage, path, list));
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
	const giveUpAt = Date.now() + EXECUTION_WITHIN_MS;
	while (Date.now() < giveUpAt) {
		const started = (await executions()).find(({ id }) => !known.has(id));
		if (started && ENDED.includes(started.status)) return await n8n.rest.execution(started.id);
		await new Promise((done) => setTimeout(done, POLL_MS));
	}
	throw new Error(
		`The workflow ${workflowId} neither waited nor ended: ${await n8n.rest.lastProblem()}`,
	);
}

/** In: the plan's `approveUrl`. Out: the rows that whoever approves gets back. */
async function approve(address) {
	const response = await fetch(address, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ approve: true, approvedBy: APPROVER }),
		signal: AbortSignal.timeout(APPROVER_TIME_LIMIT_MS),
	});
	const text = await response.text();
	const rows = response.ok && text.startsWith('[') ? JSON.parse(text) : undefined;
	if (!rows) throw new Error(`The approval was answered ${response.status}: ${text.slice(0, 300)}`);
	return rows;
}

/** Out: the items that a node gave first, `json` only; none when it was not reached. */
function outputOf({ data }, node) {
	const [run] = data.resultData.runData[node] ?? [];
	return (run?.data.main[0] ?? []).map(({ json }) => json);
}

function problemOf({ data, status }) {
	return data.resultData.error?.message ?? `it ended with "${status}" and gave no reason`;
}

/** The message of a plan as plain text, without the invisible signs that keep names from becoming links. */
function plainMessage(plan) {
	return (plan?.message ?? '').replaceAll('\u200B', '').replaceAll('`', '');
}

/** The message of a plan, as lines that fit. */
function messageLines(plan) {
	return plainMessage(plan)
		.split('\n')
		.flatMap((line) => (line === '' ? [''] : wrapped(line)));
}

const writesIn = (requests) => requests.filter(({ method }) => method !== 'GET');

const sentTooMuch = ({ method, path }) => `It sent ${method} ${path}.`;

module.exports = {
	APPROVER,
	sendAndWait,
	executionOf,
	approve,
	outputOf,
	plainMessage,
	messageLines,
	problemOf,
	writesIn,
	sentTooMuch,
};
