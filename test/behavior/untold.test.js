'use strict';

// What the service does not tell, at each moment: who is in a group, and an account that cannot be read. What gives goes on as
// far as it is told who is active; what takes fails. Memberships that are never shown: access.shown.

const {
	Groups,
	UNDOABLE,
	email,
	letActLate,
	listed,
	locator,
	play,
	rows,
	wanted,
} = require('../support/behavior');

const start = () =>
	new Groups({ ana: 'eng vpn', ben: 'eng vpn', cid: 'eng sales vpn' }, { credential: UNDOABLE });
const options = { maxPeopleAffected: 9 };
/** By ID, so that who it is needs no look-up. */
const both = (w) => ({ people: ['ana', 'ben'].map((name) => w.userId(name)).join(), options });
const inGroup = (word) => ({ chooseGroupBy: 'group', group: locator('id', word) });
const listOf = (more) => () => ({
	...{ preview: false, scopeGroups: rows('eng', 'vpn'), options: { ...options, ...more } },
	...wanted(['eng', 'vpn'].map((group) => ({ email: email('cid'), group }))),
});
/** Each does the same to Ana and Ben. */
const WAYS = {
	Assign: ['access assign', (w) => ({ ...both(w), ...listed('sales') })],
	'Add Members': ['group addMembers', (w) => ({ ...both(w), ...inGroup('sales') })],
	Set: ['access set', (w) => ({ ...both(w), ...listed('vpn', 'sales'), managedGroups: rows('*') })],
	Revoke: ['access revoke', (w) => ({ ...both(w), ...listed('vpn') })],
	'Revoke all': ['access revoke', (w) => ({ ...both(w), accessBy: 'group', revokeIn: 'all' })],
	'Remove Members': ['group removeMembers', (w) => ({ ...both(w), ...inGroup('vpn') })],
	Offboard: ['access offboard', both],
	'Offboard by Delete': ['access offboard', (w) => ({ ...both(w), method: 'delete' })],
	Reconcile: ['access reconcile', listOf()],
	'Reconcile with deactivation': ['access reconcile', listOf({ deactivatesEmpty: true })],
};

/** Runs an operation of a service that stops to tell something at a moment. @returns the world and the items */
async function run(way, moment, stopTelling) {
	const world = start();
	const { service } = world;
	const [name, wishFor] = WAYS[way];
	const [what, wish] = [name.split(' '), wishFor(world)];
	const stop = () => stopTelling(service, world);
	if (moment === 'at Apply Plan') {
		const [{ plan }] = await play(world, what, { ...wish, preview: true });
		stop();
		const apply = { changes: 'all', plan, options };
		return { world, items: await play(world, ['access', 'applyPlan'], apply) };
	}
	if (moment === 'late')
		await letActLate(world, what, { on: start, wish: wishFor, late: stopTelling });
	else stop();
	return { world, items: await play(world, what, wish) };
}

const line = ({ change, groupId, status }) => [change, groupId, status].filter(Boolean).join(' ');
const of = (name, { world, items }) => items.filter(({ userId }) => userId === world.userId(name));
const SAME = 'eng vpn';

describe('groups and users that show no members', () => {
	const hide = ({ switches }) =>
		Object.assign(switches, {
			...{ showsMembers: 'absent', usersShowGroups: 'absent', membershipFilter: 'nobody' },
		});
	const UNKNOWN =
		/The members of group \w+ are unknown|The groups of .* are unknown|memberships are unknown|no longer shows in which groups/;
	const NEITHER = /neither the group nor the user shows it/;
	const given = [['granted sales unverified'], 'eng sales vpn', NEITHER];
	const PLAN = 'when it is planned';
	const APPLY = 'at Apply Plan';
	test.each([
		['Assign', PLAN, ...given],
		['Assign', APPLY, ...given],
		['Assign', 'late', ...given],
		['Add Members', PLAN, ...given],
		['Add Members', APPLY, ...given],
		['Add Members', 'late', ...given],
		[
			...['Set', PLAN],
			['granted sales unverified', 'granted vpn unverified', 'none failed'],
			...['eng sales vpn', /are unknown|shows it/],
		],
		['Set', APPLY, ['granted sales failed', 'revoked eng failed'], SAME, UNKNOWN],
		['Revoke', PLAN, ['revoked vpn failed'], SAME, UNKNOWN],
		['Revoke', APPLY, ['revoked vpn failed'], SAME, UNKNOWN],
		['Revoke all', PLAN, ['none failed'], SAME, UNKNOWN],
		['Revoke all', APPLY, ['revoked eng failed', 'revoked vpn failed'], SAME, UNKNOWN],
		['Remove Members', PLAN, ['revoked vpn failed'], SAME, UNKNOWN],
		['Remove Members', APPLY, ['revoked vpn failed'], SAME, UNKNOWN],
		['Offboard', PLAN, ['deactivated unverified'], `inactive ${SAME}`, UNKNOWN],
		['Offboard', APPLY, ['deactivated failed'], SAME, UNKNOWN],
		['Offboard by Delete', PLAN, ['deleted done'], undefined, /never/],
		['Offboard by Delete', APPLY, ['deleted failed'], SAME, UNKNOWN],
		['Reconcile', PLAN, [], SAME, UNKNOWN],
		['Reconcile', APPLY, ['revoked eng failed', 'revoked vpn failed'], SAME, UNKNOWN],
		['Reconcile with deactivation', PLAN, [], SAME, UNKNOWN],
		[
			...['Reconcile with deactivation', APPLY],
			['deactivated failed', 'revoked eng failed', 'revoked vpn failed'],
			...[SAME, UNKNOWN],
		],
	])('%s, %s', async (way, moment, lines, has, says) => {
		const done = await run(way, moment, hide);
		for (const name of ['ana', 'ben']) {
			const items = of(name, done);
			expect(items.map(line).sort()).toEqual(lines);
			for (const { error, status } of items) if (status !== 'done') expect(error).toMatch(says);
			expect(done.world.shape()[name]).toBe(has);
		}
		const statuses = done.items.map(({ status }) => status);
		expect(statuses).not.toContain('unchanged');
	});
});

describe('an account that cannot be read, beside one that can', () => {
	const breakDown = ({ faults }, w) =>
		faults.add({ method: 'GET', path: new RegExp(`Users/${w.userId('ana')}`), kind: '500-html' });
	const BROKEN =
		/Could not get user \S+: the service answered 500|needs a step|could not be read back/;
	const PLAN = 'when it is planned';
	const APPLY = 'at Apply Plan';
	const sold = 'eng sales vpn';
	test.each([
		['Assign', PLAN, ['none failed'], SAME, sold],
		['Assign', APPLY, ['granted sales failed'], SAME, sold],
		['Assign', 'late', ['granted sales failed'], SAME, sold],
		['Add Members', PLAN, ['none failed'], SAME, sold],
		['Add Members', APPLY, ['granted sales failed'], SAME, sold],
		['Add Members', 'late', ['granted sales failed'], SAME, sold],
		['Set', PLAN, ['none failed'], SAME, 'sales vpn'],
		['Set', APPLY, ['granted sales failed', 'revoked eng failed'], SAME, 'sales vpn'],
		[
			...['Set', 'late'],
			['granted sales failed', 'none vpn unchanged', 'revoked eng failed'],
			...[SAME, 'sales vpn'],
		],
		['Revoke', PLAN, ['none failed'], SAME, 'eng'],
		['Revoke', APPLY, ['revoked vpn failed'], SAME, 'eng'],
		// A removal needs the group alone.
		['Revoke', 'late', ['revoked vpn done'], 'eng', 'eng'],
		['Revoke all', PLAN, ['none failed'], SAME, ''],
		['Revoke all', APPLY, ['revoked eng failed', 'revoked vpn failed'], SAME, ''],
		['Revoke all', 'late', ['revoked eng done', 'revoked vpn done'], '', ''],
		['Remove Members', PLAN, ['revoked vpn done'], 'eng', 'eng'],
		['Remove Members', APPLY, ['revoked vpn failed'], SAME, 'eng'],
		['Remove Members', 'late', ['revoked vpn done'], 'eng', 'eng'],
		['Offboard', PLAN, ['none failed'], SAME, 'inactive'],
		['Offboard', APPLY, ['deactivated failed'], SAME, 'inactive'],
		['Offboard', 'late', ['deactivated unverified'], 'inactive', 'inactive'],
		['Offboard by Delete', PLAN, ['none failed'], SAME, undefined],
		['Offboard by Delete', APPLY, ['deleted failed'], SAME, undefined],
		['Offboard by Delete', 'late', ['deleted unverified'], undefined, undefined],
		['Reconcile', PLAN, ['revoked eng failed', 'revoked vpn failed'], SAME, ''],
		['Reconcile', 'late', ['revoked eng done', 'revoked vpn done'], '', ''],
		['Reconcile with deactivation', PLAN, [], SAME, SAME],
		[
			...['Reconcile with deactivation', APPLY],
			['deactivated failed', 'revoked eng failed', 'revoked vpn failed'],
			...[SAME, 'inactive'],
		],
		[
			...['Reconcile with deactivation', 'late'],
			['deactivated failed', 'revoked eng failed', 'revoked vpn failed'],
			...[SAME, 'inactive'],
		],
	])('%s, %s', async (way, moment, lines, ana, ben) => {
		const done = await run(way, moment, breakDown);
		const items = of('ana', done);
		expect(items.map(line).sort()).toEqual(lines);
		for (const { error, status } of items)
			if (/failed|unverified/.test(status)) expect(error).toMatch(BROKEN);
		const { ana: hers, ben: his, cid } = done.world.shape();
		expect([hers, his, cid]).toEqual([ana, ben, 'eng sales vpn']);
	});
});
