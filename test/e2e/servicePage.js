#!/usr/bin/env node
'use strict';

/**
 * The page of the local service in a browser: it shows by itself what a request has changed. Part of `npm run test:e2e`;
 * alone: `node test/e2e/servicePage.js`.
 */

const assert = require('node:assert/strict');
const { runMain } = require('../../demo/cleanup');
const { say } = require('../../demo/progress');
const { openPage } = require('./chromium');
const { takePictures } = require('./pictures');
const { findPrograms } = require('./support/programs');
const { startLocalService } = require('./support/start');

const PAUL = 'paul.smith@example.com';
/** A name that would be a program if the page did not make text of it. */
const HOSTILE = '<img src=x onerror="document.title=1">@example.com';
const [VIEWERS, MEMBERS] = ['viewer', 'member'].map((role) => `/scim/Groups/org-3454:${role}`);

/** In: a browser's page, a local service. Out: steps, each of which asserts what is on the screen. */
function servicePageSteps({ page, service }) {
	async function send(method, path, body) {
		const response = await fetch(service.url + path, {
			...{ method, body: JSON.stringify(body) },
			headers: {
				authorization: `Bearer ${service.accountToken}`,
				'content-type': 'application/scim+json',
			},
		});
		assert.ok(response.ok, `${method} ${path} was answered ${response.status}`);
		return await response.text();
	}
	const patch = (path, op, userName) =>
		send('PATCH', path, {
			schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
			Operations: [
				{ op, path: 'members', value: [{ value: service.state.userByName(userName).id }] },
			],
		});
	const card = (name) => page.locator('section', { hasText: name });
	const line = (group, classes, text) => card(group).locator(`li.${classes}`, { hasText: text });

	return {
		'The page of the service shows who is in which group': async () => {
			await page.goto(service.page);
			await card('Marketing: member').getByText(PAUL).waitFor();
			const shown = await page.locator('main').innerText();
			for (const { userName } of service.state.table().people)
				assert.ok(shown.includes(userName), `${userName} is not on the page`);
		},

		'It shows by itself what a request has changed, and the request': async () => {
			await patch(VIEWERS, 'add', PAUL);
			await line('Marketing: viewer', 'added', PAUL).waitFor();
			await line('Marketing: member', 'gone', PAUL).waitFor();
			const requests = page.locator('#requests');
			await requests.getByText(`add members ${PAUL}`).waitFor();
			await send('POST', '/scim/Users', { userName: HOSTILE });
			await line('No group', 'added', HOSTILE).waitFor();
			assert.deepEqual(await page.title(), 'Who has what');
			await takePictures(page, 'service-page');
		},

		'No token, and nothing that a body holds but names, leaves with it': async () => {
			const { id } = service.state.userByName(PAUL);
			await send('PATCH', `/scim/Users/${id}`, {
				schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
				Operations: [
					{ op: 'replace', path: 'password', value: 'secret-1' },
					{ op: 'replace', value: { active: false, nickName: 'secret-2' } },
				],
			});
			await page.locator('#requests').getByText('active: false').waitFor();
			const look = await (await fetch(`${new URL(service.url).origin}/__look`)).text();
			for (const secret of [service.accountToken, 'secret-1', 'secret-2'])
				assert.ok(!look.includes(secret), `${secret} is in what the page gets`);
		},
	};
}

async function main() {
	const { chromium } = findPrograms(['chromium']);
	const service = await startLocalService();
	const page = await openPage(chromium, { width: 1280, height: 900 });
	for (const [what, step] of Object.entries(servicePageSteps({ page, service }))) {
		try {
			await step();
		} catch (problem) {
			problem.message = `FAILED: ${what}\n${problem.message}`;
			throw problem;
		}
		say(`ok  ${what}`);
	}
}

if (require.main === module) void runMain(main);

module.exports = { servicePageSteps };
