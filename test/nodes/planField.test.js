'use strict';

// Apply Plan finds its plan where the default of Plan names something else: behind an approval, and for the undo of a run.

const { locator, rows } = require('../support/behavior');
const { withServer } = require('../support/serverPlay');

const APPROVED = [{ data: { approved: true } }];
const IN_FORM = [{ 'Approve these changes?': 'Yes', submittedAt: 'now', formMode: 'test' }];
const fieldsOf = (group) => ({
	...{ people: 'ana@example.com', accessBy: 'group', createMissing: false },
	groups: rows(locator('name', group)),
});

/** @param work gets `play(operation, fields, more)`, `preview(group)`, and who is in the group VPN */
async function withAna(work) {
	const users = [{ id: 'ana', userName: 'ana@example.com' }];
	const groups = [
		{ id: 'g', displayName: 'VPN', members: [] },
		{ id: 'h', displayName: 'Eng', members: [] },
	];
	await withServer({ users, groups }, async (server, scim) => {
		const play = async (operation, fields, more) => await scim('access', operation, fields, more);
		const preview = async (group) =>
			(await play('assign', { ...fieldsOf(group), preview: true })).json[0];
		await work({ play, preview, inVpn: () => server.membersOf('g') });
	});
}

test.each([
	['behind an approval', APPROVED, 'approved'],
	['behind a question of a form', IN_FORM, 'approved'],
	['where a node between changed the item', [{ note: 'seen' }], 'all'],
])('%s the plan comes from the node before', async (_, between, changes) => {
	await withAna(async ({ play, preview, inVpn }) => {
		const items = [await preview('VPN')];
		const { json } = await play('applyPlan', { changes }, { items, between: [between] });
		expect(json).toMatchObject([{ change: 'granted', group: 'VPN', status: 'done' }]);
		expect(inVpn()).toEqual(['ana']);
	});
});

test.each([
	['no node before has one', [{}], {}, 'This is not a plan'],
	[
		'the field names something else',
		undefined,
		{ plan: '={{ $json.data }}' },
		'This is not a plan',
	],
])('nothing is sent where %s', async (_, items, fields, message) => {
	await withAna(async ({ play, preview, inVpn }) => {
		const given = items ?? [await preview('VPN')];
		const { error } = await play('applyPlan', fields, { items: given, between: [APPROVED] });
		expect(error.message).toContain(message);
		expect(inVpn()).toEqual([]);
	});
});

test('where two nodes before have one, the error names the expression of each', async () => {
	await withAna(async ({ play, preview, inVpn }) => {
		const [items, other] = [[await preview('VPN')], [await preview('Eng')]];
		const { error } = await play('applyPlan', {}, { items, between: [other, APPROVED] });
		expect(error.message).toContain('More than one node before has a plan');
		for (const name of ['Start', 'Between 1'])
			expect(error.description).toContain(`{{ $('${name}').first().json.plan }}`);
		expect(inVpn()).toEqual([]);
	});
});

test.each([
	['right behind it', [], 'all'],
	['behind an approval', [APPROVED], 'approved'],
])('a run is undone %s', async (_, between, changes) => {
	await withAna(async ({ play, preview, inVpn }) => {
		const options = { undoHours: 24, return: 'perRun' };
		const items = [await preview('VPN')];
		const more = { items, options, onError: 'continueErrorOutput' };
		const run = await play('applyPlan', { changes: 'all' }, more);
		expect(inVpn()).toEqual(['ana']);
		const { json } = await play('applyPlan', { changes }, { items: run.json, between });
		expect(json).toMatchObject([{ change: 'revoked', group: 'VPN', status: 'done' }]);
		expect(inVpn()).toEqual([]);
	});
});
