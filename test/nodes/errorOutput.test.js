'use strict';

// What n8n makes of a run that failed in part, in its own engine: the error output, and the error that an error workflow gets.

const { rows, locator } = require('../support/behavior');
const { withServer } = require('../support/serverPlay');
const { alertChecked, wire } = require('../support/wire');

const api = wire();
const ACTIONS = '/v0/notification-settings/org-3454/actions';
const MAIL = { id: 'mail', type: 'EMAIL', enabled: false, payload: { email: 'ops@example.com' } };

/** Two people join a group that takes one of them. @param work gets what came of it */
async function twoJoin({ more, ...settings }, work) {
	const users = ['ana', 'ben'].map((id) => ({ id, userName: `${id}@example.com` }));
	const groups = [
		{ id: 'g', displayName: 'VPN', members: [] },
		{ id: 'h', displayName: 'Eng', members: [] },
	];
	const faults = [{ on: 'PATCH /Groups/h', times: 9, status: 403, body: '{"detail":"no"}' }];
	await withServer({ users, groups, faults }, async (_server, scim) => {
		const parameters = {
			...{ people: '={{ $json.email }}', accessBy: 'group', createMissing: false },
			groups: rows(locator('name', '={{ $json.group }}')),
		};
		const items = [
			{ email: 'ana@example.com', group: 'VPN', reason: 'hired' },
			{ email: 'ben@example.com', group: 'Eng', reason: 'hired' },
		];
		const options = { maxWait: 0, verifyTime: 0, ...more };
		await work(await scim('access', 'assign', parameters, { items, options, ...settings }));
	});
}

test('a failed change leaves by the error output, and says which it is', async () => {
	await twoJoin({ onError: 'continueErrorOutput' }, ({ json, errorJson, errorPairedItems }) => {
		expect(json).toEqual([
			expect.objectContaining({ userName: 'ana@example.com', status: 'done' }),
		]);
		expect(errorJson).toEqual([
			{
				// n8n adds the input item.
				...{ email: 'ben@example.com', group: 'Eng', reason: 'hired' },
				error: expect.stringContaining('403'),
				message: expect.objectContaining({
					...{ change: 'granted', status: 'failed', reason: expect.stringContaining('403') },
					...{ userName: 'ben@example.com', group: 'Eng', groupId: 'h' },
					advice: expect.stringContaining('Check the credential'),
				}),
			},
		]);
		expect(errorPairedItems).toEqual([[1]]);
	});
});

test('it is where the workflow goes on that its fields stand beside the error', async () => {
	await twoJoin({ onError: 'continueRegularOutput' }, ({ json }) => {
		expect(json[1]).toMatchObject({ change: 'granted', group: 'Eng', error: expect.any(String) });
	});
});

describe('One Item per Run', () => {
	const perRun = async (onError, work) =>
		await twoJoin({ onError, more: { return: 'perRun' } }, work);
	const changes = [
		expect.objectContaining({
			userName: 'ana@example.com',
			status: 'done',
			at: expect.any(String),
		}),
		expect.objectContaining({ userName: 'ben@example.com', status: 'failed', at: null }),
	];
	const counts = { failed: 1, unverified: 0, done: 1, skipped: 0, unchanged: 0 };
	const RECORD = expect.objectContaining({ counts, undo: null });

	test('goes on, and what failed leaves by the error output besides', async () => {
		await perRun('continueErrorOutput', ({ json, pairedItems, errorJson, errorPairedItems }) => {
			expect(json).toEqual([RECORD]);
			expect(json[0].changes).toEqual(changes);
			expect(pairedItems).toEqual([[0, 1]]);
			expect(errorJson.map(({ message }) => message.userName)).toEqual(['ben@example.com']);
			expect(errorPairedItems).toEqual([[1]]);
		});
	});

	test('is all there is where there is no error output', async () => {
		await perRun('continueRegularOutput', ({ json }) => {
			expect(json).toEqual([RECORD]);
			expect(json[0]).not.toHaveProperty('error');
		});
	});

	test('is lost where the node stops', async () => {
		await perRun(undefined, ({ json, workflowError }) => {
			expect(json ?? []).toStrictEqual([]);
			expect(workflowError.message).toContain('403');
		});
	});
});

test('an error that stops the workflow has a line per change', async () => {
	await twoJoin({}, ({ storedError, workflowError }) => {
		const lines = workflowError.description.split('\n');
		expect(lines).toContain('Done: make ana@example.com member of group VPN.');
		expect(lines).toContainEqual(
			expect.stringMatching(/^Failed: make ben@example.com member of group Eng \(.*403/),
		);
		expect(storedError.description).toBe(workflowError.description);
	});
});

describe('Notification Actions', () => {
	const enable = async (onError) =>
		await alertChecked(
			...[
				'action',
				'enable',
				{ action: locator('id', '={{ $json.id }}'), options: { maxWait: 0 } },
			],
			{ items: [{ id: 'mail' }, { id: 'none' }], onError },
		);
	const answers = () => {
		api.answer(`GET ${ACTIONS}`, [200, [MAIL]], [200, [{ ...MAIL, enabled: true }]]);
		api.always(`PUT ${ACTIONS}/mail/enable`, [200]);
	};

	test('a failed change leaves by the error output likewise', async () => {
		answers();
		const { json, errorJson } = await enable('continueErrorOutput');
		expect(json).toEqual([expect.objectContaining({ status: 'done' })]);
		expect(errorJson).toEqual([
			{
				...{ id: 'none', error: expect.any(String) },
				message: expect.objectContaining({ status: 'failed', reason: expect.any(String) }),
			},
		]);
	});

	test('and its error has a line for each', async () => {
		answers();
		const { workflowError } = await enable();
		expect(workflowError.description).toMatch(/^Failed: .*none/m);
		expect(workflowError.description).toMatch(/^Done: enable .*mail/m);
	});
});
