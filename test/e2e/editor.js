#!/usr/bin/env node
'use strict';

/**
 * `npm run test:e2e`: a new user in a browser sets up n8n, finds both nodes, makes their credentials
 * and runs them against the local service. Makes the pictures of docs/images on the way. Then a user without any
 * credential does the jobs of newUser.js, and what they cost is printed.
 */

const assert = require('node:assert/strict');
const { join } = require('node:path');
const { onCleanup, runMain } = require('../../demo/cleanup');
const { readExample } = require('../../demo/plays/hr');
const { say } = require('../../demo/progress');
const { openPage } = require('./chromium');
const { startGate } = require('../support/gate');
const { ENTERPRISE, USER_SCHEMAS, discovered } = require('../support/schemas');
const { startMailbox } = require('../../demo/mailbox');
const { approvalSteps } = require('./approval');
const { EditorPage } = require('./editorPage');
const { countEffort } = require('./effort');
const { newUserJobs, PLAIN } = require('./newUser');
const { FOLDER, saveSheet, takePictures } = require('./pictures');
const { servicePageSteps } = require('./servicePage');
const { findPrograms } = require('./support/programs');
const { startLocalService, startPackedN8n } = require('./support/start');

const SCREEN = { width: 1760, height: 1000 };
const SCIM = 'SCIM Provisioning';
const ALERTS = 'Notification Actions';
/** What people search for; the trigger is one entry with its node. */
const FOUND_BY = {
	[SCIM]: [
		...['user', 'group', 'onboard', 'offboard', 'joiner', 'leaver', 'deactivate', 'provision'],
		...['access review', 'SCIM'],
	],
	[ALERTS]: ['alert', 'Slack alert', 'webhook alert', 'monitor', 'model'],
};
const ON_THE_CANVAS = {
	'example-leaver': 'leaver.json',
	'example-reconcile': 'nightly-reconcile.json',
};
const MARKETING = 'org-3454';
const TRIGGER_EVENT = 'On access granted';
/** Operations of Access that change something, with fields that each has to show. */
const ACCESS_OPERATIONS = {
	Revoke: ['Access By'],
	Set: ['Only These Groups'],
	Offboard: ['Account Action'],
	'Change Email': ['New Email'],
	Reconcile: ['Desired Access From', 'Access Not in the List'],
	'Apply Plan': ['Plan', 'Changes', 'Approved Changes'],
};
const VIEWERS = 'Marketing: viewer';
const JOINER = 'ana.silva@example.com';
const SOMEBODY = 'paul.smith@example.com';
const MODEL = 'model-2';
const MONITOR = 'uplift-volume-monitor';
const ACTION = 'marketing-chat';

/** Every operation of SCIM Provisioning by its resource, as the editor names them. */
function operationsByResource() {
	const { ScimProvisioning } = require('../support/built');
	return new ScimProvisioning().description.properties
		.filter(({ name }) => name === 'operation')
		.map(({ displayOptions, options }) => [
			displayOptions.show.resource[0].replace(/^./, (letter) => letter.toUpperCase()),
			options.map(({ name }) => name),
		]);
}

/**
 * Steps in their order: what a user does, and what has to be on the screen then.
 *
 * In: the editor, n8n, the service (looked at from inside), another one that describes its users, the gate before the
 * first, `picture(name, area)`.
 */
function stepsOf({ editor, n8n, service, described, gate, picture }) {
	const wrong = 'k0.not-this-one:org-acct1';

	/** All that people see of the service in an answer has to be free of secrets. */
	const sees = (text, ...parts) => {
		for (const part of parts) {
			assert.ok(text.includes(part), `"${part}" is not on the screen, but: ${text}`);
		}
		const tokens = [gate.client.secret, ...gate.issued];
		for (const secret of [
			service.accountToken,
			described.accountToken,
			service.apiKeys[MARKETING],
			wrong,
			...tokens,
		]) {
			assert.ok(!text.includes(secret), `A secret is on the screen: ${text}`);
		}
	};
	const roleThere = (email) => service.state.roleOf(email, MARKETING);

	return {
		'Owner set-up': async () => {
			await editor.setUpOwner(n8n.owner);
			await editor.newWorkflow();
		},

		'Examples are readable at one glance': async () => {
			await n8n.login();
			for (const [name, file] of Object.entries(ON_THE_CANVAS)) {
				await editor.showWorkflow(await n8n.importWorkflow(readExample(file)));
				const labels = await editor.onCanvas().allInnerTexts();
				sees(labels.join(), 'Wait for Approval', 'Apply Plan', 'Before the first run');
				await picture(name, await editor.canvasArea());
			}
			await editor.newWorkflow();
		},

		'Both nodes are found by what people call it': async () => {
			for (const [node, texts] of Object.entries(FOUND_BY)) {
				for (const text of texts) {
					const found = await editor.search(text);
					assert.ok(found.slice(0, 5).includes(node), `"${text}" finds ${found.join(', ')}`);
					const other = node === SCIM ? ALERTS : SCIM;
					assert.ok(!found.includes(other), `"${text}" finds ${other} too`);
				}
			}
			await editor.search('onboard');
			await picture('search');
		},

		'A user picks an operation, and its panel opens': async () => {
			await editor.search('onboard');
			await editor.addNode(SCIM, 'Get user');
			sees(await editor.marked('ndv').innerText(), 'User', 'Simplify', 'Options');
		},

		'A wrong token is refused, and the dialog says why': async () => {
			await editor.newCredential();
			await picture('credential-empty', await editor.areaOf('editCredential-modal'));
			const dialog = editor.marked('editCredential-modal');
			await editor.choose('serviceProfile', 'Account with Organizations', dialog);
			await editor.fillCredential({ baseUrl: service.url, accountApiToken: wrong });
			sees(
				await editor.saveRefused(),
				'Couldn’t connect with these settings',
				'The credential gives no access to provisioning.',
				'takes an account token: made in the account organization',
			);
			await picture('credential-refused', await editor.areaOf('editCredential-modal'));
		},

		'The right token is accepted': async () => {
			await editor.fillCredential({
				accountApiToken: service.accountToken,
				accountOrganizationId: service.state.account,
			});
			await editor.nameOrganizations(service.state.organizations);
			await editor.saveAccepted();
			await editor.editCredential();
			await editor.page.getByText('Connection tested successfully').waitFor();
			await picture('credential-accepted', await editor.areaOf('editCredential-modal'));
			await editor.closeCredential();
		},

		'The list of users is filled, and can be searched': async () => {
			const inactive = 'beatriz.costa@example.com (inactive)';
			const entries = await editor.openList('user', inactive);
			assert.equal(entries.length, service.state.table().people.length);
			await picture('users', await editor.panelArea());
			assert.deepEqual(await editor.searchList('paul.smith@', SOMEBODY), [SOMEBODY]);
			await editor.pick(SOMEBODY);
		},

		'Get User shows the user': async () => {
			sees(await editor.execute(), '1 item', SOMEBODY, 'Smith', 'hr-1036');
			await picture('get-user', await editor.panelArea());
		},

		'Basic, and a header of its own, are saved and tested': async () => {
			const pair = Buffer.from('n8n:password-1').toString('base64');
			const methods = {
				Basic: [{ user: 'n8n', password: 'password-1' }, 'authorization', `Basic ${pair}`],
				Header: [{ headerName: 'X-Key', headerSecret: 'secret-1' }, 'x-key', 'secret-1'],
			};
			const dialog = editor.marked('editCredential-modal');
			const isIssued = gate.accepts;
			for (const [method, [fields, header, value]] of Object.entries(methods)) {
				gate.accepts = (headers) => headers[header] === value;
				await editor.editCredential();
				await editor.choose('authenticationMethod', method, dialog);
				await editor.fillCredential({ baseUrl: gate.url, ...fields });
				await picture(
					`credential-${method.toLowerCase()}`,
					await editor.areaOf('editCredential-modal'),
				);
				await editor.saveTested();
				assert.equal(gate.requests.at(-1).status, 200);
			}
			gate.accepts = isIssued;
			await editor.editCredential();
			await editor.choose('authenticationMethod', 'Bearer Token', dialog);
			await editor.fillCredential({
				baseUrl: service.url,
				accountApiToken: service.accountToken,
			});
			await editor.saveTested();
		},

		'OAuth2: the right client is used, a wrong one is refused': async () => {
			await editor.newCredentialBy('API Credential', 'OAuth2');
			gate.requests.length = 0;
			const dialog = editor.marked('editCredential-modal');
			await editor.choose('serviceProfile', 'Account with Organizations', dialog);
			await editor.fillCredential({
				accessTokenUrl: gate.tokenUrl,
				clientId: gate.client.id,
				clientSecret: gate.client.secret,
				baseUrl: gate.url,
				accountOrganizationId: service.state.account,
			});
			await editor.saveAccepted();
			await editor.openList('user', SOMEBODY);
			await editor.pick(SOMEBODY);
			sees(await editor.execute(), '1 item', SOMEBODY);
			assert.equal(gate.requests.at(-1).status, 200);
			gate.expire();
			sees(await editor.execute(), '1 item', SOMEBODY);
			const issued = gate.issued.length;
			await editor.editCredential();
			await editor.fillCredential({ clientSecret: wrong });
			await editor.saveUntested();
			gate.expire();
			sees(await editor.execute(), 'n8n got no access token');
			assert.equal(gate.issued.length, issued);
			await editor.pickCredential('SCIM Provisioning account');
		},

		'What is no email is said in the panel': async () => {
			await editor.pickBy('user', 'email');
			await editor.fill('user', 'paul.example.com');
			sees(
				await editor.execute(),
				'"paul.example.com" is not an email address',
				'The user name has to be an email address, e.g. name@email.com.',
			);
			await picture('wrong-email', await editor.panelArea(420));
		},

		'An email that nobody has is said in the panel': async () => {
			await editor.fill('user', JOINER);
			sees(await editor.execute(), `No user has the user name ${JOINER}`, 'Check the spelling.');
			await picture('unknown-email', await editor.panelArea(420));
		},

		'Assign: the list of organizations is filled': async () => {
			await editor.choose('resource', 'Access');
			await editor.choose('operation', 'Assign');
			await editor.fill('people', `${JOINER}, ${SOMEBODY}`);
			await editor.choose('accessBy', 'Organization and Role');
			const entries = await editor.openList('organization', `Marketing (${MARKETING})`);
			const names = service.state.organizations.map(({ id, name }) => `${name} (${id})`);
			assert.deepEqual([...entries].sort(), names.sort());
			await picture('organizations', await editor.panelArea());
			await editor.pick(`Marketing (${MARKETING})`);
			await editor.choose('role', 'Viewer');
		},

		'Preview shows what would be done, and nothing is done': async () => {
			await editor.widenOutput();
			await editor.toggle('preview');
			const writes = service.log.requests.length;
			sees(
				await editor.execute(),
				...[
					'summary',
					'plan',
					'created',
					'moved',
					'viewer',
					`create user ${JOINER}`,
					'/scim/Users',
				],
			);
			const sent = service.log.requests.slice(writes).map(({ method }) => method);
			assert.deepEqual([...new Set(sent)], ['GET']);
			assert.equal(roleThere(SOMEBODY), 'member');
			await picture('assign-role-preview', await editor.panelArea(765));
		},

		'Without Preview it is done, and the outcome says so': async () => {
			await editor.toggle('preview');
			sees(
				await editor.execute(),
				'3 items',
				...[
					'created',
					'granted',
					'moved',
					JOINER,
					SOMEBODY,
					'Marketing',
					'member',
					'viewer',
					'done',
				],
			);
			assert.equal(roleThere(JOINER), 'viewer');
			assert.equal(roleThere(SOMEBODY), 'viewer');
			await picture('assign-role-outcome', await editor.panelArea(765));
		},

		'Assign by group: the list of groups is filled, and rows can be added': async () => {
			await editor.choose('accessBy', 'Group');
			const entries = await editor.openList('group', VIEWERS);
			assert.equal(entries.length, 3 * service.state.organizations.length);
			await picture('assign-group-list', await editor.panelArea());
			await editor.pick(VIEWERS);
			await picture('assign-group', await editor.panelArea());
			await editor.addRow();
			await picture('assign-groups', await editor.panelArea());
		},

		'No operation of Access has more than seven options': async () => {
			for (const [operation, fields] of Object.entries(ACCESS_OPERATIONS)) {
				await editor.choose('operation', operation);
				const options = await editor.optionsToAdd();
				assert.ok(options.length > 0 && options.length <= 7, `${operation}: ${options}`);
				sees(await editor.marked('node-parameters').innerText(), ...fields);
				const name = operation.toLowerCase().replaceAll(' ', '-');
				await picture(`access-${name}`, await editor.panelArea());
			}
			// It has a single option, which is there at once.
			await editor.choose('operation', 'Plan Review');
			sees(await editor.marked('node-parameters').innerText(), 'Review', 'Choose Group By');
			await picture('access-plan-review', await editor.panelArea());
			await editor.choose('operation', 'Assign');
			await editor.openTab('settings');
			sees(await editor.marked('node-parameters').innerText(), 'Requests');
			assert.deepEqual(await editor.optionsToAdd(), [
				...['Accept Unverified', 'Max Memory (MB)', 'Max Wait (Seconds)', 'Timeout (Seconds)'],
				'Verification Time (Seconds)',
			]);
			await picture('settings', await editor.panelArea());
			await editor.openTab('params');
		},

		'Every operation has a panel of its own': async () => {
			const panels = [];
			for (const [resource, operations] of operationsByResource()) {
				await editor.choose('resource', resource);
				for (const operation of operations) {
					await editor.choose('operation', operation);
					panels.push({
						name: `${resource}: ${operation}`,
						image: await editor.marked('node-parameters').screenshot(),
					});
				}
			}
			await saveSheet(editor.page.context().browser(), 'panels', panels);
			await editor.choose('resource', 'Access');
			await editor.choose('operation', 'Assign');
		},

		'With a token that is no longer good the list says so': async () => {
			await editor.editCredential();
			await editor.fillCredential({ accountApiToken: wrong });
			await editor.saveRefused();
			await editor.closeCredential();
			const problem = await editor.openFailingList('group');
			sees(problem, 'Could not load list', 'Could not list groups', 'the Service Profile');
			await picture('list-refused', await editor.panelArea());
			await editor.closeList();
		},

		'Attach Action: a wrong key is refused, the right one accepted': async () => {
			await editor.newWorkflow();
			await editor.search('alert');
			await editor.addNode(ALERTS, 'Attach action to monitors');
			await editor.newCredential();
			await editor.fillCredential({
				baseUrl: service.url,
				apiKey: wrong,
				organizationId: MARKETING,
			});
			sees(await editor.saveRefused(), 'The API key gives no access to this organization.');
			await picture('key-refused', await editor.areaOf('editCredential-modal'));
			await editor.fillCredential({ apiKey: service.apiKeys[MARKETING] });
			await editor.saveAccepted();
		},

		'Action and model come from lists; monitors want a model first': async () => {
			const actions = await editor.openList('action', `${ACTION} (SLACK)`);
			assert.ok(actions.includes('email (default address of the organization)'));
			await picture('actions', await editor.panelArea());
			await editor.pick(`${ACTION} (SLACK)`);
			sees(await editor.openFailingList('monitor'), 'Select one model first', 'Or enter the ID');
			await picture('no-model', await editor.panelArea());
			await editor.closeList();
			const models = await editor.openList('model', `Campaign uplift (${MODEL})`);
			assert.deepEqual(models, [
				'Campaign uplift (model-2)',
				'Churn prediction (model-1)',
				'Lead scoring (new) (model-3)',
			]);
			await editor.pick(`Campaign uplift (${MODEL})`);
		},

		'The list of monitors is that of the model': async () => {
			const entries = await editor.openList('monitor', MONITOR);
			assert.deepEqual(entries, ['uplift-drift-monitor', MONITOR, 'uplift-schema-monitor']);
			await picture('monitors', await editor.panelArea());
			await editor.pick(MONITOR);
		},

		'Preview, then Attach Action, and the outcome says so': async () => {
			const before = service.state.configurationText(MARKETING, MODEL);
			await editor.toggle('preview');
			sees(await editor.execute(), MONITOR, ACTION);
			assert.equal(service.state.configurationText(MARKETING, MODEL), before);
			await picture('attach-action-preview', await editor.panelArea());
			await editor.toggle('preview');
			sees(await editor.execute(), MONITOR, ACTION, 'done');
			const { monitors } = JSON.parse(service.state.configurationText(MARKETING, MODEL));
			const { actions } = monitors.find(({ id }) => id === MONITOR);
			assert.deepEqual(actions, [{ type: 'global', target: ACTION }]);
			await picture('attach-action-outcome', await editor.panelArea(765));
		},

		'The list of monitors follows an expression in Model': async () => {
			await editor.express('model', '"model-" + 1');
			const entry = 'missing values on checkout page (checkout-page-missing-values-monitor)';
			const entries = await editor.openList('monitor', entry);
			// What was picked before stays in the list, first.
			assert.deepEqual(
				entries.filter((name) => name.startsWith('uplift')),
				[MONITOR],
			);
			assert.equal(entries.length, 1 + 30);
			await picture('monitors-by-expression', await editor.panelArea());
			await editor.closeList();
		},

		'An expression without a value is said in the list': async () => {
			await editor.express('model', '$json.model');
			const problem = await editor.openFailingList('monitor');
			sees(problem, 'The model has no value yet: execute the previous nodes');
			await picture('expression-without-value', await editor.panelArea());
			await editor.closeList();
		},

		'With a key that is no longer good the list says so': async () => {
			await editor.editCredential();
			await editor.fillCredential({ apiKey: wrong });
			await editor.saveRefused();
			await editor.closeCredential();
			const problem = await editor.openFailingList('action');
			sees(problem, 'Could not load list', 'Could not list the actions', 'Check the credential');
			await picture('list-refused-key', await editor.panelArea());
		},

		'The trigger is found, and a test shows what is there': async () => {
			await editor.newWorkflow();
			const found = await editor.search('scim');
			assert.ok(found.includes(SCIM), `"scim" finds ${found.join(', ')}`);
			await picture('search-scim');
			await editor.addNode(SCIM, TRIGGER_EVENT);
			await editor.editCredential();
			await editor.fillCredential({ accountApiToken: service.accountToken });
			await editor.marked('credential-save-button').click();
			await editor.page.getByText('Connection tested successfully').waitFor();
			await editor.closeCredential();
			sees(await editor.execute(), 'accessGranted', 'organizationName', 'Marketing', 'admin');
			await picture('trigger', await editor.panelArea(540, 3));
		},

		'Create: attributes are those of the service, and are sent where they belong': async () => {
			await editor.newWorkflow();
			await editor.search('onboard');
			await editor.addNode(SCIM, 'Create user');
			await editor.editCredential();
			await editor.fillCredential({
				baseUrl: described.url,
				accountApiToken: described.accountToken,
			});
			const dialog = editor.marked('editCredential-modal');
			await editor.choose('serviceProfile', 'Generic SCIM 2.0', dialog);
			await editor.saveTested();
			const offered = await editor.refreshAttributes();
			assert.ok(offered.includes('Manager'), offered.join());
			await editor.express('givenName', '"An" + "a"');
			await editor.fill('userName', JOINER);
			await editor.fill('familyName', 'Silva');
			await editor.fill('email', JOINER);
			await editor.addAttribute('Department (Enterprise)');
			await editor.fill(`${ENTERPRISE}:department`, 'Marketing');
			// Fields and values stay where the service cannot be asked.
			described.options.token = wrong;
			assert.deepEqual(await editor.refreshAttributes(), offered);
			described.options.token = described.accountToken;
			await picture('attributes', await editor.panelArea());
			sees(await editor.execute(), '1 item', JOINER, 'Ana', 'department', 'Marketing', 'done');
			assert.deepEqual(described.log.requests.find(({ method }) => method === 'POST').body, {
				schemas: [USER_SCHEMAS[0].id, ENTERPRISE],
				...{
					userName: JOINER,
					active: true,
					emails: [{ value: JOINER, type: 'work', primary: true }],
				},
				name: { givenName: 'Ana', familyName: 'Silva' },
				[ENTERPRISE]: { department: 'Marketing' },
			});
			await picture('attributes-sent', await editor.panelArea());
		},

		'Reconcile users: a list of people is matched by external ID, and only planned': async () => {
			await editor.choose('operation', 'Reconcile');
			await editor.choose('usersFrom', 'JSON');
			const zoe = { externalId: 'HR-1', email: 'zoe@example.com', 'name.familyName': 'Silva' };
			await editor
				.field('usersJson')
				.locator('.cm-content')
				.fill(JSON.stringify([zoe]));
			await editor.matchOn('External ID');
			await picture('reconcile-users', await editor.panelArea());
			const sent = described.log.requests.length;
			sees(await editor.execute(), '1 item', 'zoe', 'HR-1', 'Cannot be matched');
			const requests = described.log.requests.slice(sent);
			assert.deepEqual([...new Set(requests.map(({ method }) => method))], ['GET']);
		},

		'Execute Once with rows as items is refused before anything is read': async () => {
			await editor.choose('usersFrom', 'Input Items');
			await editor.openTab('settings');
			await editor.field('executeOnce').locator('.el-switch').click();
			await editor.openTab('params');
			const sent = described.log.requests.length;
			sees(await editor.execute(), 'Execute Once is on', 'Turn off Execute Once');
			assert.equal(described.log.requests.length, sent);
			await picture('execute-once', await editor.panelArea());
		},
	};
}

async function main() {
	const { chromium } = findPrograms(['chromium']);
	const service = await startLocalService();
	const described = await startLocalService({
		dialect: 'databricks',
		seed: { organizations: [], users: [], groups: [] },
		discovery: discovered(USER_SCHEMAS),
	});
	const gate = await startGate(service);
	onCleanup(() => gate.close());
	const { n8n } = await startPackedN8n({ isNew: true });
	const page = await openPage(chromium, SCREEN);
	const editor = new EditorPage(page, n8n.url);
	const picture = (name, area) => takePictures(page, name, area);
	const newUser = newUserJobs({
		...{ editor, n8n, effort: await countEffort(page) },
		...{ service: await startLocalService(), plain: await startLocalService(PLAIN) },
	});

	const mailbox = await startMailbox();
	onCleanup(() => mailbox.close());
	const approvals = approvalSteps({ page, n8n, service: await startLocalService(), mailbox });
	const servicePage = servicePageSteps({ page, service: await startLocalService() });

	const start = Date.now();
	const parts = { editor, n8n, service, described, gate, picture };
	for (const [what, step] of Object.entries({
		...stepsOf(parts),
		...newUser.steps,
		...approvals,
		...servicePage,
	})) {
		const stepStart = Date.now();
		try {
			await step();
		} catch (problem) {
			const file = join(FOLDER, 'failed.png');
			await page.screenshot({ path: file });
			problem.message = `FAILED: ${what}\n${problem.message}\nSee ${file}. The end of n8n's log:\n${n8n.logTail()}`;
			throw problem;
		}
		say(`ok  ${what} (${seconds(stepStart)} s)`);
	}
	for (const line of newUser.lines()) say(line);
	say(`All right, ${seconds(start)} s in the editor; pictures are in docs/images`);
}

function seconds(since) {
	return ((Date.now() - since) / 1000).toFixed(1);
}

runMain(main);
