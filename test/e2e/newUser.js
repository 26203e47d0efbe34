'use strict';

/** Jobs of a new user in n8n's editor: what each costs from an empty workflow to its first green run. */

const assert = require('node:assert/strict');
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { temporaryFolder } = require('../../demo/cleanup');
const { outputOf } = require('../../demo/plays/approval');
const { readExample } = require('../../demo/plays/hr');
const { grid } = require('../../demo/table');
const { takePictures } = require('./pictures');
const { untilTrue } = require('./support/untilTrue');

const SCIM = 'SCIM Provisioning';
const ALERTS = 'Notification Actions';
const EXAMPLES = join(__dirname, '..', '..', 'examples');
const [MARKETING, RESEARCH] = ['org-3454', 'org-7788'];
const MODEL = 'model-2';
const JOINER = 'noor.bakker@example.com';
/** Of the rows in the example. */
const LEAVER = 'contractor.one@partner.example.org';
const MOVER = 'emil.novak@example.com';
/** In no row of the table, and without the role that a row gives. */
const UNLISTED = 'kofi.annan.mensah@example.com';
const LISTED = 'ingrid.solberg@ops.example.com';
const COLLEAGUE = 'dan@example.com';
const ACTION = 'growth-chat';
const FAILED = ['error', 'crashed', 'canceled'];
/** n8n asks the trigger once a minute. */
const REPORTED_WITHIN_MS = 150_000;

/** Of pictures. */
const LEAVERS = [
	['mia.larsen@example.com', 'Mia Larsen'],
	['jonas.weber@example.com', 'Jonas Weber'],
];

/** A plain SCIM server, without organizations. */
const PLAIN = {
	dialect: 'databricks',
	seed: {
		organizations: [],
		users: [
			{ userName: COLLEAGUE, emails: [{ value: COLLEAGUE }] },
			...LEAVERS.map(([userName, displayName]) => ({
				...{ id: userName, userName, displayName, emails: [{ value: userName }] },
			})),
		],
		groups: [
			{ id: 'g1', displayName: 'VPN', members: LEAVERS.map(([id]) => id) },
			{ id: 'g2', displayName: 'Wiki', members: LEAVERS.slice(1).map(([id]) => id) },
		],
	},
};

/**
 * In: the editor, n8n, what counts (effort.js), an account with organizations, a service as `PLAIN`.
 * Out: `steps`, each a job that asserts what the service is like in the end; `lines()`, the table of what they cost.
 */
function newUserJobs({ editor, n8n, effort, service, plain }) {
	const costs = [];

	/** Does a job, and counts it. @throws AssertionError when a run of it fails, or it costs more than `most` */
	async function counted(job, perform, most = {}) {
		const before = new Set((await n8n.executions()).map(({ id }) => id));
		effort.restart();
		await perform();
		const { clicks, fields } = effort.spent();
		const failed = (await n8n.executions()).filter(
			({ id, status }) => !before.has(id) && FAILED.includes(status),
		);
		costs.push([job, clicks, fields, failed.length].map(String));
		assert.deepEqual(failed, [], job);
		assert.ok(clicks > 0, 'Nothing was counted');
		const isWithin = clicks <= (most.clicks ?? Infinity) && fields <= (most.fields ?? Infinity);
		assert.ok(isWithin, `${job}: ${clicks} clicks, ${fields} fields`);
	}

	async function run(button, meanwhile) {
		assert.match(await editor.run(button, meanwhile), /executed successfully/);
	}

	const runNode = () => run('node-execute-button');

	/** Imports a workflow, runs it, and approves its plan once the form names who loses access. */
	async function approve(path, loser, look = async () => {}) {
		await editor.page.goto(`${editor.url}/workflow/new`);
		await editor.importFile(path);
		const opened = editor.page.waitForEvent('popup');
		await run('execute-workflow-button', async () => {
			const form = await opened;
			// The editor opens the form at once, now and then before n8n has saved that it waits.
			const shown = form.locator('form').waitFor({ timeout: 5_000 });
			await shown.catch(async () => await form.reload());
			// Invisible signs keep names from becoming links.
			const plan = (await form.locator('form').innerText()).replaceAll('\u200B', '');
			assert.ok(plan.includes(loser), `The form does not name who loses access: ${plan}`);
			await look(form);
			await form.locator('select').first().selectOption('Yes');
			for (const name of await form.locator('input.form-required').all())
				await name.fill('Olga Owner');
			await form.getByRole('button', { name: 'Submit' }).click();
		});
	}

	async function approved(job, example, loser) {
		assert.notEqual(service.state.roleOf(loser, MARKETING), undefined);
		await counted(job, async () => await approve(join(EXAMPLES, example), loser));
	}

	async function addNode(searched, node, operation) {
		await editor.newWorkflow();
		await editor.search(searched);
		await editor.addNode(node, operation);
	}

	async function pickFrom(list, entry) {
		await editor.openList(list, entry);
		await editor.pick(entry);
	}

	/** As in an n8n where nobody has been yet. */
	async function forgetCredentials() {
		for (const { id } of await n8n.rest.call('GET', '/rest/credentials')) {
			await n8n.rest.call('DELETE', `/rest/credentials/${id}`);
		}
	}

	async function saveCredential(job, values, profile) {
		await counted(
			job,
			async () => {
				await editor.newCredential();
				const dialog = editor.marked('editCredential-modal');
				if (profile) await editor.choose('serviceProfile', profile, dialog);
				await editor.fillCredential(values);
				await editor.saveAccepted();
			},
			{ fields: 3 },
		);
	}

	const steps = {
		'New user: two groups on a plain SCIM server': async () => {
			await n8n.login();
			await forgetCredentials();
			await addNode('onboard', SCIM, 'Assign access to users');
			const values = { baseUrl: plain.url, accountApiToken: plain.accountToken };
			await saveCredential('Credential, any SCIM service', values);
			await counted('Two groups, any SCIM service', async () => {
				await addNode('onboard', SCIM, 'Assign access to users');
				await editor.fill('people', COLLEAGUE);
				await pickFrom('group', 'VPN (g1)');
				await editor.addRow();
				await pickFrom('group', 'Wiki (g2)');
				await runNode();
			});
			const { directory } = plain.state;
			const { id } = directory.byName(COLLEAGUE);
			assert.deepEqual(directory.heldBy(id), ['g1', 'g2']);
		},

		'Pictures of a leaver on a plain SCIM server': async () => {
			const example = readExample('leaver.json');
			const people = LEAVERS.map(([email]) => ({ email, lastDay: '2026-01-30' }));
			const source = example.nodes.find(({ name }) => name.startsWith('People From HR'));
			source.parameters.jsCode = `return ${JSON.stringify(people)};`;
			const path = join(temporaryFolder('leaver'), 'leaver.json');
			writeFileSync(path, JSON.stringify(example));
			await approve(path, LEAVERS[0][0], async (form) => {
				await takePictures(form, 'leaver-form', await form.locator('form').boundingBox());
			});
			await editor.settled(() => editor.canvasArea());
			await takePictures(editor.page, 'leaver-canvas', await editor.nodesArea());
			await editor.openNode('Apply Plan');
			await takePictures(editor.page, 'leaver-outcome', await editor.outputArea(420));
			await editor.closeNode();
			const { directory } = plain.state;
			for (const [id] of LEAVERS) {
				assert.deepEqual([directory.heldBy(id), directory.users.get(id).active], [[], false]);
			}
		},

		'New user: onboard somebody': async () => {
			await forgetCredentials();
			await addNode('onboard', SCIM, 'Assign access to users');
			const values = { baseUrl: service.url, accountApiToken: service.accountToken };
			const profile = 'Account with Organizations';
			await saveCredential('Credential, account with organizations', values, profile);
			await counted(
				'Onboard one person',
				async () => {
					await addNode('onboard', SCIM, 'Assign access to users');
					await editor.fill('people', JOINER);
					await pickFrom('group', `${MARKETING}: member`);
					await runNode();
				},
				{ clicks: 8, fields: 3 },
			);
			assert.equal(service.state.roleOf(JOINER, MARKETING), 'member');
		},

		'New user: the nightly list from a data table, approved': async () => {
			const csvOf = (name) => readFileSync(join(EXAMPLES, name), 'utf8');
			await n8n.rest.importTable('Desired Access', csvOf('desired-access.csv'));
			await n8n.rest.importTable('Access Record', csvOf('access-record.csv'));
			await approved('Nightly list from a data table', 'nightly-reconcile.json', UNLISTED);
			assert.equal(service.state.roleOf(UNLISTED, MARKETING), undefined);
			assert.equal(service.state.roleOf(LISTED, RESEARCH), 'viewer');
		},

		'New user: a leaver, approved': async () => {
			assert.equal(service.state.roleOf(LEAVER, MARKETING), 'viewer');
			await approved('Leavers with approval (leaver.json)', 'leaver.json', LEAVER);
			assert.equal(service.state.roleOf(LEAVER, MARKETING), undefined);
			assert.equal(service.state.userByName(LEAVER).active, false);
		},

		'New user: alerts of a model to Slack': async () => {
			await addNode('alert', ALERTS, 'Create or update action');
			await saveCredential('Credential, alerts', {
				baseUrl: service.url,
				apiKey: service.apiKeys[MARKETING],
				organizationId: MARKETING,
			});
			await counted('Alerts of a model to Slack', async () => {
				await addNode('alert', ALERTS, 'Create or update action');
				await editor.fill('actionId', ACTION);
				await editor.choose('kind', 'Chat Webhook (e.g. Slack)');
				await editor.fill('webhookUrl', 'https://hooks.example.com/growth');
				await runNode();
				await editor.closeNode();
				await editor.searchNext('alert');
				await editor.addNode(ALERTS, 'Attach action to monitors');
				await pickFrom('action', `${ACTION} (SLACK)`);
				await pickFrom('model', `Campaign uplift (${MODEL})`);
				await editor.choose('monitors', 'All');
				await runNode();
			});
			const { monitors } = JSON.parse(service.state.configurationText(MARKETING, MODEL));
			assert.ok(monitors.length > 1);
			for (const { id, actions } of monitors) {
				assert.ok(
					actions.some(({ target }) => target === ACTION),
					`${id} has not the action`,
				);
			}
		},

		'New user: a change starts a workflow': async () => {
			await counted('Trigger, to its test event', async () => {
				await addNode('scim', SCIM, 'On any access change');
				await runNode();
			});
			const { directory } = service.state;
			await counted('Trigger, from there to a real change', async () => {
				await editor.closeNode();
				await editor.publish();
				directory.setRole(directory.byName(MOVER).id, MARKETING, 'viewer');
				const { id } = await untilTrue(
					'the trigger to report the change',
					async () =>
						(await n8n.executions()).find(
							({ mode, status, workflowId }) =>
								mode === 'trigger' &&
								editor.page.url().includes(workflowId) &&
								['success', ...FAILED].includes(status),
						),
					REPORTED_WITHIN_MS,
				);
				const reported = outputOf(await n8n.rest.execution(id), 'SCIM Provisioning Trigger');
				assert.deepEqual(
					reported.map(({ event, userName, role }) => [event, userName, role]),
					[['accessGranted', MOVER, 'viewer']],
				);
			});
		},
	};

	return {
		steps,
		lines: () => grid(['Job', 'Clicks', 'Fields', 'Failed runs'], costs),
	};
}

module.exports = { PLAIN, newUserJobs };
