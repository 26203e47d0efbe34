'use strict';

/** The plays of demo/plays on a real n8n: what its users, its senders and its approvers do there. */

const { packPackage } = require('../package');
const { APPROVER, QUESTION, textOfForm, WAIT } = require('../plays/approval');
const { startServices } = require('../services');
const { installN8n } = require('./install');
const { startN8n } = require('./instance');
const { refuse, startVendors } = require('./vendors');

const TIME_LIMIT_MS = 180_000;
const POLL_MS = 250;
const ENDED = ['success', 'error', 'crashed', 'canceled'];
const STOPPED = ['waiting', ...ENDED];

/**
 * In: what is done where n8n goes to another host (see vendors.js).
 * Out: the local services (see services.js), and what a play does with a workflow:
 * `add(workflow)` saves it; `fillTable(name, csv)` imports a table that it reads; `run(workflow)` starts it as *Execute
 * workflow* does, and gives the execution once it waits or has ended; `form(execution)` opens the form that it waits for,
 * as the approver's browser does; `answer(execution, form, "Yes" or "No")` gives it once it has ended; `post(workflow, body,
 * headers)` sends to its webhook, and gives `{ status, body, execution }`. Plays that only a whole n8n can do have `n8n`,
 * `vendors` (see vendors.js), `executionOf`, and `ended(id)`, which gives an execution once it has ended.
 * Throws: when one of the steps fails, with what can be known about the reason.
 */
async function n8nStage(elsewhere = refuse) {
	const tarball = await packPackage();
	const install = await installN8n();
	const services = await startServices();
	const vendors = await startVendors(elsewhere);
	const n8n = await startN8n({ install, tarball, env: vendors.env });
	await n8n.importCredentials(services.credentials);
	const { rest } = n8n;
	const active = new Set();

	async function untilOver(id, statuses = ENDED) {
		const giveUpAt = Date.now() + TIME_LIMIT_MS;
		while (Date.now() < giveUpAt) {
			const execution = await rest.execution(id);
			if (statuses.includes(execution.status)) return execution;
			await pause();
		}
		throw new Error(`The execution ${id} did not come to an end: ${await rest.lastProblem()}`);
	}

	/** In: a workflow's id, what makes it start. Out: the execution that was started: n8n may answer before that. */
	async function executionOf(workflowId, start) {
		const executions = async () =>
			(await n8n.executions()).filter((execution) => execution.workflowId === workflowId);
		const known = new Set((await executions()).map(({ id }) => id));
		await start();
		const giveUpAt = Date.now() + TIME_LIMIT_MS;
		while (Date.now() < giveUpAt) {
			const started = (await executions()).find(({ id }) => !known.has(id));
			if (started) return await untilOver(started.id, STOPPED);
			await pause();
		}
		throw new Error(`The workflow ${workflowId} did not start: ${await rest.lastProblem()}`);
	}

	return {
		...services,
		...{ n8n, vendors },
		executionOf,
		ended: (id) => untilOver(id),

		async add(workflow) {
			workflow.id = await n8n.importWorkflow(workflow);
		},

		fillTable: rest.importTable,

		async run({ id, nodes }) {
			const trigger = nodes.find(({ type }) =>
				/((schedule|manual|chat|Provisioning)Trigger|\.webhook)$/.test(type),
			);
			await rest.updateWorkflow(id, { nodes });
			return await untilOver(await rest.run(id, trigger.name), STOPPED);
		},

		form: openForm,

		async answer({ id }, { address, field, texts }, decision) {
			const body = new FormData();
			body.append(field, decision);
			for (const text of texts) body.append(text, APPROVER);
			const signal = AbortSignal.timeout(TIME_LIMIT_MS);
			const response = await fetch(address, { method: 'POST', body, signal });
			if (!response.ok) {
				throw new Error(`The form was answered ${response.status}: ${await response.text()}`);
			}
			return await untilOver(id);
		},

		async post({ id, nodes }, body, headers) {
			if (!active.has(id)) await n8n.activate(id);
			active.add(id);
			const { path } = nodes.find(({ type }) => type.endsWith('.webhook')).parameters;
			let answer;
			const execution = await executionOf(id, async () => {
				answer = await n8n.webhook(path, body, headers);
			});
			return { ...answer, execution };
		},
	};
}

/** Throws: when the page is not as it must be, such as with an answer that is chosen already. */
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
	const texts = [...page.matchAll(/type='text'\s+id='(field-\d+)'/g)].map(([, name]) => name);
	return { address, field, texts, text: textOfForm(description) };
}

const pause = () => new Promise((done) => setTimeout(done, POLL_MS));

module.exports = { n8nStage };
