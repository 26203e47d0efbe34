#!/usr/bin/env node
'use strict';

/**
 * Approvals in n8n's own forms, as approvers see them: line by line in a Form page, and by email with Send and Wait; and the
 * whole round of examples/access-review.json. Part of `npm run test:e2e`; alone: `node test/e2e/approval.js`.
 */

const assert = require('node:assert/strict');
const { onCleanup, runMain } = require('../../demo/cleanup');
const { mailCredential, scimCredential } = require('../../demo/credentials');
const { outputOf } = require('../../demo/plays/approval');
const { readExample } = require('../../demo/plays/hr');
const { say } = require('../../demo/progress');
const { startMailbox } = require('../../demo/mailbox');
const { oneRole } = require('../support/accessRows');
const { openPage } = require('./chromium');
const { takePictures } = require('./pictures');
const { findPrograms } = require('./support/programs');
const { startLocalService, startPackedN8n } = require('./support/start');
const { ENDED, untilTrue } = require('./support/untilTrue');
const { inRow } = require('./support/workflows');

const SCIM = 'n8n-nodes-scim-provisioning.scimProvisioning';
const MARKETING = 'org-3454';
const [PAUL, EMIL] = ['paul.smith@example.com', 'emil.novak@example.com'];
const WITHIN_MS = 60_000;

const APPLY = {
	...{ resource: 'access', operation: 'applyPlan', changes: 'approved' },
	...{ plan: '={{ $json }}', approvedChanges: '={{ $json }}' },
};
const [MARKETING_VIEWER, MARKETING_MEMBER] = ['viewer', 'member'].map((role) =>
	oneRole({ __rl: true, mode: 'id', value: MARKETING }, role),
);

/** In: a browser's page, n8n whose owner is there, a local service. Out: steps, each of which asserts what the service is like. */
function approvalSteps({ page, n8n, service, mailbox }) {
	const roleOf = (email) => service.state.roleOf(email, MARKETING);
	let credentials;

	async function prepare() {
		await n8n.login();
		const made = [
			{ ...scimCredential(service), name: 'Approvals' },
			{ ...mailCredential(mailbox), name: 'Mailbox' },
		];
		const ids = await n8n.importCredentials(made);
		credentials = Object.fromEntries(
			made.map(({ name, type }, index) => [type, { id: ids[index], name }]),
		);
	}

	const withScim = () => ({
		credentials: { scimProvisioningApi: credentials.scimProvisioningApi },
	});
	const withMail = () => ({
		...{ credentials: { smtp: credentials.smtp } },
		webhookId: '0b7b4f6e-6f0e-4c1c-8a55-000000000001',
	});
	const assign = () => ({
		...{ resource: 'access', operation: 'assign', people: `${PAUL}, ${EMIL}` },
		...{ ...MARKETING_VIEWER, preview: true },
	});

	/** Ticks and unticks lines of the form that is open, and submits it. In: `[words of the line, whether it is ticked]`. */
	async function answer(form, changes) {
		for (const [words, isTicked] of changes) {
			const box = form.locator('.multiselect-option', { hasText: words }).locator('input');
			await box.setChecked(isTicked);
		}
		// A page that is closed before that sends nothing.
		const sent = form.waitForResponse((response) => response.request().method() === 'POST');
		await form.locator('#submit-btn').click();
		await sent;
	}

	/** The mail of this number, once it is there. */
	async function nextMail(count) {
		await untilTrue(
			`mail ${count}`,
			async () => {
				if (mailbox.mails.length >= count) return true;
				const [latest] = await n8n.executions();
				const { status, data } = await n8n.rest.execution(latest.id);
				throw new Error(`${status} ${data.resultData.error?.message ?? ''}`);
			},
			WITHIN_MS,
		);
		return mailbox.mails[count - 1];
	}

	/** The same, with the form that its button opens. */
	async function openMail(count) {
		const { text } = await nextMail(count);
		const [, address] = /href="([^"]*waiting[^"]*)"/.exec(text) ?? [];
		const form = await page.context().browser().newPage();
		// The mail leaves a moment before n8n has the execution wait for its answer (409).
		await untilTrue(
			'the form of the mail',
			async () => {
				const response = await form.goto(address.replaceAll('&amp;', '&'));
				if (response.ok()) return true;
				throw new Error(`${response.status()}`);
			},
			WITHIN_MS,
		);
		return { text, form };
	}

	/** All executions of a workflow, the newest first, once all have ended. In: at least how many. */
	async function allEnded(workflowId, count = 1) {
		const own = await untilTrue(
			'the workflow to end',
			async () => {
				const all = (await n8n.executions()).filter((one) => one.workflowId === workflowId);
				return all.length >= count && all.every(({ status }) => ENDED.includes(status)) && { all };
			},
			WITHIN_MS,
		);
		return await Promise.all(own.all.map(async ({ id }) => await n8n.rest.execution(id)));
	}

	const ended = async (workflowId) => (await allEnded(workflowId))[0];

	const outcomes = (execution, node) =>
		outputOf(execution, node).map(({ userName, change, status, reason }) => [
			userName,
			status === 'skipped' ? reason : `${change} ${status}`,
		]);

	return {
		'Approval: line by line in a Form page': async () => {
			await prepare();
			const id = await n8n.importWorkflow(
				inRow('Approve in a form', [
					[
						'Start',
						'n8n-nodes-base.formTrigger',
						2.2,
						{ formTitle: 'Start', formFields: { values: [{ fieldLabel: 'Note' }] } },
						{ webhookId: 'approve-in-a-form' },
					],
					['Preview', SCIM, 1, assign(), withScim()],
					[
						'Approve',
						'n8n-nodes-base.form',
						2.3,
						{
							...{ operation: 'page', defineForm: 'json', jsonOutput: '={{ $json.approvalForm }}' },
							options: { formTitle: 'Approve', formDescription: '={{ $json.summaryHtml }}' },
						},
						{ webhookId: 'approve-page' },
					],
					['Apply', SCIM, 1, APPLY, withScim()],
				]),
			);
			await n8n.activate(id);
			const before = [PAUL, EMIL].map(roleOf);
			const form = await page.context().browser().newPage();
			// n8n registers the form a moment after it has said yes.
			await untilTrue(
				'the form',
				async () => {
					await form.goto(`${n8n.url}/form/approve-in-a-form`);
					if ((await form.locator('#submit-btn').count()) > 0) return true;
					throw new Error(await form.locator('body').innerText());
				},
				WITHIN_MS,
			);
			await form.locator('#submit-btn').click();
			await form.locator('.multiselect-option').first().waitFor({ timeout: WITHIN_MS });
			const shown = await form.locator('form').innerText();
			for (const part of [PAUL, EMIL, 'Assign: 2 changes planned.', '"viewer"'])
				assert.ok(shown.includes(part), `The form does not show ${part}: ${shown}`);
			assert.ok(!shown.includes('\u200B'), 'An address has invisible characters');
			assert.deepEqual([PAUL, EMIL].map(roleOf), before);
			const own = form.locator('.inputs-wrapper > div', { hasText: EMIL });
			await own.locator('input').setChecked(true);
			await answer(form, []);
			const execution = await ended(id);
			assert.deepEqual(Object.fromEntries(outcomes(execution, 'Apply')), {
				[PAUL]: 'not approved',
				[EMIL]: outcomes(execution, 'Apply').find(([name]) => name === EMIL)[1],
			});
			assert.deepEqual([PAUL, EMIL].map(roleOf), [before[0], 'viewer']);
			await form.close();
		},

		'Approval: line by line by email': async () => {
			const id = await n8n.importWorkflow(
				inRow('Approve by email', [
					['Start', 'n8n-nodes-base.manualTrigger', 1, {}],
					[
						'Preview',
						SCIM,
						1,
						{
							...{ resource: 'access', operation: 'offboard', people: `${PAUL}, ${EMIL}` },
							preview: true,
						},
						withScim(),
					],
					[
						'Approve',
						'n8n-nodes-base.emailSend',
						2.1,
						{
							...{ operation: 'sendAndWait', fromEmail: 'n8n@example.com' },
							...{ toEmail: 'approver@example.com', subject: 'Approve' },
							...{ message: '={{ $json.summaryText }}', responseType: 'customForm' },
							...{ defineForm: 'json', jsonOutput: '={{ $json.approvalForm }}' },
							options: { responseFormDescription: '={{ $json.summaryHtml }}' },
						},
						withMail(),
					],
					['Apply', SCIM, 1, APPLY, withScim()],
				]),
			);
			await n8n.rest.run(id, 'Start');
			const count = mailbox.mails.length + 1;
			const { text, form } = await openMail(Math.max(count, 1));
			assert.ok(text.includes(PAUL) && !text.includes('\u200B'), text);
			const labels = await form.locator('.multiselect-option').allInnerTexts();
			assert.equal(labels.length, 2, labels.join());
			const own = form.locator('.inputs-wrapper > div', { hasText: PAUL });
			for (const box of await own.locator('input').all()) await box.setChecked(true);
			await answer(form, []);
			const execution = await ended(id);
			assert.equal(execution.status, 'success');
			assert.equal(service.state.userByName(PAUL).active, false);
			assert.equal(service.state.userByName(EMIL).active, true);
			assert.equal(roleOf(EMIL), 'viewer');
			await form.close();
		},

		'Approval: the buttons of Send and Wait': async () => {
			const id = await n8n.importWorkflow(
				inRow('Approve by a button', [
					['Start', 'n8n-nodes-base.manualTrigger', 1, {}],
					['Preview', SCIM, 1, { ...assign(), people: EMIL, ...MARKETING_MEMBER }, withScim()],
					[
						'Approve',
						'n8n-nodes-base.emailSend',
						2.1,
						{
							...{ operation: 'sendAndWait', fromEmail: 'n8n@example.com' },
							...{ toEmail: 'approver@example.com', subject: 'Approve' },
							...{ message: '={{ $json.summaryText }}', responseType: 'approval' },
							approvalOptions: { values: { approvalType: 'double' } },
						},
						withMail(),
					],
					['Apply', SCIM, 1, APPLY, withScim()],
				]),
			);
			for (const [approved, role, outcome] of [
				['false', 'viewer', 'declined'],
				['true', 'member', 'moved done'],
			]) {
				const first = mailbox.mails.length;
				await n8n.rest.run(id, 'Start');
				const { text } = await nextMail(first + 1);
				const addresses = [...text.matchAll(/href="([^"]*waiting[^"]*)"/g)];
				const [, address] = addresses.find(([, one]) => one.includes(`approved=${approved}`));
				// n8n passes over what looks like a robot.
				const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };
				const answered = await fetch(address.replaceAll('&amp;', '&'), { headers });
				assert.equal(answered.status, 200);
				const execution = await ended(id);
				assert.equal(execution.status, 'success');
				const [[name, what]] = outcomes(execution, 'Apply');
				assert.deepEqual([name, what, roleOf(EMIL)], [EMIL, outcome, role]);
			}
		},

		'Access review: a form for each group, and who is ticked leaves': async () => {
			const workflow = readExample('access-review.json');
			for (const node of workflow.nodes) {
				for (const type of Object.keys(node.credentials ?? {}))
					node.credentials[type] = credentials[type];
			}
			const id = await n8n.importWorkflow(workflow);
			const first = mailbox.mails.length;
			await n8n.rest.run(id, 'Every Month');
			const groups = new Set(
				service.state.organizations.flatMap(({ id: own }) =>
					service.state
						.table()
						.people.flatMap(({ userName }) => service.state.roleOf(userName, own) ?? [])
						.map((role) => `${own}:${role}`),
				),
			);
			for (let count = 1; count <= groups.size; count += 1) {
				const { form } = await openMail(first + count);
				const shown = await form.locator('form').innerText();
				if (count === 1)
					await takePictures(form, 'review-form', await form.locator('form').boundingBox());
				const leaves = shown.includes(EMIL) && shown.includes('"Marketing"');
				await answer(form, [
					...(leaves ? [[EMIL, true]] : []),
					['I have looked at everybody', true],
				]);
				await form.close();
			}
			const executions = await allEnded(id, groups.size + 1);
			assert.deepEqual([...new Set(executions.map(({ status }) => status))], ['success']);
			assert.equal(roleOf(EMIL), undefined);
			const items = executions.flatMap((one) => outputOf(one, 'Apply Plan'));
			assert.deepEqual(
				items.filter(({ status }) => status === 'done').map(({ userName }) => userName),
				[EMIL],
			);
			const others = items.filter(({ status }) => status !== 'done');
			assert.deepEqual([...new Set(others.map(({ reason }) => reason))], ['kept']);
			assert.equal(new Set(items.map(({ groupId }) => groupId)).size, groups.size);
		},
	};
}

async function main() {
	const { chromium } = findPrograms(['chromium']);
	const service = await startLocalService();
	const mailbox = await startMailbox();
	onCleanup(() => mailbox.close());
	const { n8n } = await startPackedN8n();
	const page = await openPage(chromium, { width: 1280, height: 1000 });
	for (const [what, step] of Object.entries(approvalSteps({ page, n8n, service, mailbox }))) {
		try {
			await step();
		} catch (problem) {
			problem.message = `FAILED: ${what}\n${problem.message}\nThe end of n8n's log:\n${n8n.logTail()}`;
			throw problem;
		}
		say(`ok  ${what}`);
	}
}

if (require.main === module) void runMain(main);

module.exports = { approvalSteps };
