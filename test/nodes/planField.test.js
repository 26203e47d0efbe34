'use strict';

// Apply Plan finds its plan where the default of Plan names something else: behind an approval, and for the undo of a run.

const { locator, rows } = require('../support/behavior');
const { inCollections } = require('../support/options');
const { withServer } = require('../support/serverPlay');

const APPROVED = [{ data: { approved: true } }];
const IN_FORM = [{ 'Approve these changes?': 'Yes', submittedAt: 'now', formMode: 'test' }];
const NOT_A_PLAN = 'This is not a plan';
const SEVERAL = 'The plan may be of more than one node or run before';
const UNDOABLE = { options: { undoHours: 24 }, onError: 'continueErrorOutput' };

const assign = (group, more) => ({
	...{ people: 'ana@example.com', accessBy: 'group', createMissing: false },
	...{ groups: rows(locator('name', group)), ...more },
});
/** A node before. */
const node = (operation, fields, more) => ({
	parameters: inCollections({ resource: 'access', operation, ...fields }),
	...more,
});
const preview = (group) => node('assign', assign(group, { preview: true }));
const ofNobody = node('assign', assign('Eng', { preview: true, people: '={{ [] }}' }), {
	onError: 'continueRegularOutput',
});
const LEAVE = { people: 'ana@example.com', options: { undoHours: 24 } };

/** @param work gets `play(operation, fields, more)`, and who is in the group VPN */
async function withAna(members, work) {
	const users = [{ id: 'ana', userName: 'ana@example.com' }];
	const groups = [
		{ id: 'g', displayName: 'VPN', members },
		{ id: 'h', displayName: 'Eng', members: [] },
	];
	await withServer({ users, groups }, async (server, scim) => {
		const play = async (operation, fields, more) => await scim('access', operation, fields, more);
		await work({ play, inVpn: () => server.membersOf('g') });
	});
}

describe('behind the one preview before it', () => {
	test.each([
		['and its approval', [APPROVED], 'approved'],
		['and a question of a form', [IN_FORM], 'approved'],
		['and a node that changed the item', [[{ note: 'seen' }]], 'all'],
		['and two nodes', [APPROVED, [{ note: 'seen', data: { approved: true } }]], 'approved'],
	])('%s', async (_, between, changes) => {
		await withAna([], async ({ play, inVpn }) => {
			const earlier = [preview('VPN')];
			const { json } = await play('applyPlan', { changes }, { earlier, between });
			expect(json).toMatchObject([{ change: 'granted', group: 'VPN', status: 'done' }]);
			expect(inVpn()).toEqual(['ana']);
		});
	});

	test('a node that only reads is no other one', async () => {
		await withAna([], async ({ play, inVpn }) => {
			const earlier = [node('getMatrix', {}), preview('VPN')];
			const { json } = await play('applyPlan', {}, { earlier, between: [APPROVED] });
			expect(json).toMatchObject([{ change: 'granted', group: 'VPN', status: 'done' }]);
			expect(inVpn()).toEqual(['ana']);
		});
	});
});

/** Each of them had somebody get what nobody was asked about, where any plan before was taken. */
describe('nothing is sent', () => {
	const log = [{ planId: 'abcdef123456', summary: 'x' }];
	test.each([
		['behind no node of this kind', [], [log], {}, NOT_A_PLAN],
		[
			'where the field names something else',
			[preview('VPN')],
			[],
			{ plan: '={{ $json.data }}' },
			NOT_A_PLAN,
		],
		['behind two previews', [preview('VPN'), preview('Eng')], [], {}, SEVERAL],
		['behind a preview and one of nobody', [preview('VPN'), ofNobody], [], {}, SEVERAL],
		[
			'behind two previews and a log of one of them',
			[preview('VPN'), preview('Eng')],
			[log],
			{},
			SEVERAL,
		],
		['behind a run that was made', [node('assign', assign('Eng'))], [], {}, NOT_A_PLAN],
	])('%s', async (_, earlier, log, fields, message) => {
		await withAna([], async ({ play, inVpn }) => {
			const { error } = await play('applyPlan', fields, { earlier, between: [...log, APPROVED] });
			expect(error.message).toContain(message);
			expect(inVpn()).toEqual([]);
		});
	});

	test('where the undo of a run could be meant', async () => {
		await withAna(['ana'], async ({ play, inVpn }) => {
			const leave = node('offboard', LEAVE, { onError: 'continueErrorOutput' });
			const { error } = await play('applyPlan', {}, { earlier: [leave], between: [APPROVED] });
			expect(error.message).toContain(NOT_A_PLAN);
			expect(inVpn()).toEqual([]);
		});
	});

	test('for the second run of a preview, whose answer may be of the first one', async () => {
		await withAna([], async ({ play }) => {
			const earlier = [preview('VPN')];
			const more = { earlier, between: [APPROVED], times: 2 };
			const { workflowError } = await play('applyPlan', {}, more);
			expect(workflowError.message).toContain(SEVERAL);
		});
	});
});

test('right behind a run, its undo is the plan', async () => {
	await withAna([], async ({ play, inVpn }) => {
		const earlier = [preview('VPN')];
		const apply = await play('applyPlan', { changes: 'all' }, { earlier, ...UNDOABLE });
		expect(inVpn()).toEqual(['ana']);
		const { json } = await play('applyPlan', { changes: 'all' }, { items: apply.json });
		expect(json).toMatchObject([{ change: 'revoked', group: 'VPN', status: 'done' }]);
		expect(inVpn()).toEqual([]);
	});
});
