'use strict';

require('../support/noWaiting');
const {
	ID,
	emails,
	errorsIn,
	idOf,
	listed,
	locator,
	membersIn,
	play,
	rows,
	serviceWith,
} = require('../support/modelGroupsPlay');

// A Set, and a Revoke of everything, are about all that a person has within Managed Groups: where that is another by the
// time of Apply Plan, nothing of the person is changed. A single membership is about itself alone.

const BOTH = { people: emails('ana', 'ben') };
const PLANS = {
	Set: ['set', { ...listed('Engineering', 'VPN') }, (managed) => ({ managedGroups: managed })],
	'Revoke All': [
		'revoke',
		{ revokeIn: 'all' },
		(managed) => ({ options: { managedGroups: managed } }),
	],
};
/** Ana is in Engineering and Everyone, Ben in VPN, Sales and Everyone. */
const EDITS = {
	'left one and joined another': ['sales', 'support1'],
	'joined another': [undefined, 'support1'],
	'left one that was to go, and joined another': ['everyone', 'support1'],
};

/** A plan for Ana and Ben, applied after Ben has left one group and joined another. */
async function playStale([operation, parameters, managing], managed, [left, joined], switches) {
	const service = serviceWith(switches);
	const own = { ...BOTH, ...parameters, ...managing(managed) };
	const [{ plan, blockedBy }] = await play(service, operation, { ...own, preview: true });
	expect(blockedBy).toStrictEqual([]);
	if (left) service.modify(ID[left], [{ op: 'remove', ids: [idOf('ben')] }]);
	if (joined) service.modify(ID[joined], [{ op: 'add', ids: [idOf('ben')] }]);
	const before = membersIn(service);
	return { service, plan, before, items: await play(service, 'applyPlan', { plan }) };
}

const ofBen = (items) => items.filter(({ userId }) => userId === idOf('ben'));
const namesOf = (members, name) =>
	Object.keys(members)
		.filter((word) => members[word].includes(name))
		.sort();

describe.each([
	['groups and users show memberships', {}],
	['only groups do', { membersShownOn: 'groups' }],
	['only users do', { membersShownOn: 'users' }],
])('%s', (_, switches) => {
	describe.each(Object.keys(PLANS))('%s', (name) => {
		test.each(Object.keys(EDITS))('somebody %s: the person is left alone', async (edit) => {
			const { service, before, items } = await playStale(
				...[PLANS[name], rows('*'), EDITS[edit], switches],
			);
			expect(ofBen(items).length).toBeGreaterThan(0);
			for (const item of ofBen(items)) {
				expect(item.status).toBe('failed');
				expect(item.error).toContain('member of group Support, but was not');
			}
			expect(namesOf(membersIn(service), 'ben')).toEqual(namesOf(before, 'ben'));
			expect(namesOf(membersIn(service), 'ana')).toEqual(name === 'Set' ? ['eng', 'vpn'] : []);
		});
	});
});

test('who has left a group that was to stay is not given the rest of a Set', async () => {
	const managed = rows('Engineering', 'VPN', 'Sales*');
	const { service, items } = await playStale(PLANS.Set, managed, ['vpn'], {});
	expect(errorsIn(ofBen(items))[0]).toContain('is not member of group VPN, but was');
	expect(namesOf(membersIn(service), 'ben')).toEqual(['everyone', 'sales']);
});

test.each(Object.keys(PLANS))('%s: groups outside Managed Groups do not count', async (name) => {
	const managed = rows('Engineering', 'VPN', 'Sales*');
	const edit = ['everyone', 'support1'];
	const { service, plan, items } = await playStale(PLANS[name], managed, edit, {});
	expect(plan.settings.managedGroups).toEqual(['Engineering', 'VPN', 'Sales*']);
	expect(errorsIn(items)).toStrictEqual([]);
	expect(namesOf(membersIn(service), 'ben')).toEqual(
		name === 'Set' ? ['eng', 'support1', 'vpn'] : ['support1'],
	);
});

test.each(Object.keys(PLANS))('%s: what is made already is unchanged', async (name) => {
	const [operation, parameters, managing] = PLANS[name];
	const service = serviceWith();
	const own = { ...BOTH, ...parameters, ...managing(rows('*')), preview: true };
	const [{ plan }] = await play(service, operation, own);
	service.modify(ID.sales, [{ op: 'remove', ids: [idOf('ben')] }]);
	expect(errorsIn(await play(service, 'applyPlan', { plan }))).toStrictEqual([]);
	const sent = service.written().length;
	const again = await play(service, 'applyPlan', { plan });
	expect(new Set(again.map(({ status }) => status))).toEqual(new Set(['unchanged']));
	expect(service.written()).toHaveLength(sent);
});

test.each([
	['assign', 'granted', 'eng'],
	['revoke', 'revoked', 'vpn'],
])('%s of one group does not mind what else the person has', async (operation, change, word) => {
	const service = serviceWith();
	const own = { people: emails('ben'), ...listed(locator('id', ID[word])) };
	const [{ plan }] = await play(service, operation, { ...own, preview: true });
	service.modify(ID.sales, [{ op: 'remove', ids: [idOf('ben')] }]);
	service.modify(ID.support1, [{ op: 'add', ids: [idOf('ben')] }]);
	expect(await play(service, 'applyPlan', { plan })).toMatchObject([{ change, status: 'done' }]);
	expect(namesOf(membersIn(service), 'ben')).toContain('support1');
});
