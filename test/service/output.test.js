'use strict';

// What items say: the head first, the same keys on every item of a run, and one sentence.

const { inGroup, person, withServer } = require('../wild/play');
const { oneRole } = require('../support/accessRows');
const { byEmail, byId } = require('../support/node');
const { withService } = require('../support/service');

const HEAD = ['change', 'status', 'reason', 'userName', 'group', 'text'];
const ON_ERROR = { onError: 'continueRegularOutput' };
const keysOf = (item) => Object.keys(item).filter((key) => key !== 'error');
const textsOf = (json) => json.map(({ text }) => text);

/** Every item begins alike and has what the others have. */
function expectSameKeys(json) {
	expect(keysOf(json[0]).slice(0, HEAD.length)).toEqual(HEAD);
	for (const item of json) expect(keysOf(item)).toEqual(keysOf(json[0]));
}

const ana = { id: 'user-1', userName: 'ana@example.com', displayName: 'Ana Silva' };
const ben = {
	...{ id: 'user-2', userName: 'ben@example.com' },
	name: { givenName: 'Ben', familyName: 'Okafor' },
};
const users = [ana, ben, person(3, { active: false })];
const groups = [
	{ id: 'g-1', displayName: 'Engineering', members: ['user-2'] },
	{ id: 'g-2', displayName: 'VPN', members: ['user-3'] },
];
const plain = async (work) => await withServer({ users, groups }, work);

const each = (names, parameters) => [
	{ ...parameters, people: '={{ $json.who }}' },
	{ items: names.map((who) => ({ who })), ...ON_ERROR },
];

test('Add Members: who was added, who was there, who is not there, and who cannot be meant', async () => {
	await plain(async (_server, scim) => {
		const people = ['ana@example.com', 'ben@example.com', 'cid@example.com', ''];
		const { json } = await scim('group', 'addMembers', ...each(people, inGroup('g-1')));
		expectSameKeys(json);
		expect(textsOf(json)).toEqual([
			'Ana Silva was added to Engineering.',
			'Ben Okafor was already in Engineering.',
			'Could not find cid@example.com: No user has the user name cid@example.com.',
			'No users specified.',
		]);
		const [first] = json;
		expect(Object.entries(first).slice(0, HEAD.length - 1)).toEqual([
			...[
				['change', 'granted'],
				['status', 'done'],
				['reason', null],
			],
			...[
				['userName', 'ana@example.com'],
				['group', 'Engineering'],
			],
		]);
		expect(first).toMatchObject({ userId: 'user-1', groupId: 'g-1' });
		for (const key of ['organization', 'organizationName']) expect(first).not.toHaveProperty(key);
	});
});

test('a membership that cannot be given: the sentence says why', async () => {
	await plain(async (_server, scim) => {
		const people = ['person3@example.com'];
		const { json } = await scim('group', 'addMembers', ...each(people, inGroup('g-1')));
		expect(json).toMatchObject([{ change: 'granted', status: 'failed', group: 'Engineering' }]);
		expect(json[0].text).toMatch(/^person3@example\.com was not added to Engineering: .*\.$/);
	});
});

test('Remove Members, Revoke and Offboard', async () => {
	await plain(async (_server, scim) => {
		const people = ['ben@example.com', 'ana@example.com'];
		const { json } = await scim('group', 'removeMembers', ...each(people, inGroup('g-1')));
		expect(textsOf(json)).toEqual([
			'Ben Okafor was removed from Engineering.',
			'Ana Silva was not in Engineering.',
		]);
		const left = await scim('access', 'offboard', ...each([...people, 'nobody@example.com']));
		expectSameKeys(left.json);
		expect(left.json.map(({ change, status }) => `${change} ${status}`)).toEqual([
			...['deactivated done', 'deactivated done', 'none failed'],
		]);
		expect(textsOf(left.json).slice(0, 2)).toEqual([
			'Ben Okafor was offboarded.',
			'Ana Silva was offboarded.',
		]);
	});
});

test('users: created, updated, deactivated; an item without a name has the same keys', async () => {
	await plain(async (_server, scim) => {
		const items = ['dan@example.com', 'ana@example.com', ''].map((who) => ({ who }));
		const { json } = await scim(
			'user',
			'upsert',
			{ userName: '={{ $json.who }}' },
			{ items, ...ON_ERROR },
		);
		expectSameKeys(json);
		expect(json.map(({ change, status }) => `${change} ${status}`)).toEqual([
			...['created done', 'none unchanged', 'none failed'],
		]);
		expect(textsOf(json).slice(0, 2)).toEqual([
			'dan@example.com was created.',
			'Ana Silva was not changed.',
		]);
		const off = await scim('user', 'deactivate', { user: byEmail('ana@example.com') });
		expect(textsOf(off.json)).toEqual(['Ana Silva was deactivated.']);
	});
});

describe('Delete says on every item whether it deleted', () => {
	test('users', async () => {
		await plain(async (_server, scim) => {
			const { json } = await scim(
				'user',
				'delete',
				{ user: byId('={{ $json.id }}') },
				{ items: ['user-1', 'user-9', ''].map((id) => ({ id })), ...ON_ERROR },
			);
			expectSameKeys(json);
			expect(json.map(({ deleted }) => deleted)).toEqual([true, false, false]);
			expect(json[0].text).toBe('Ana Silva was deleted.');
		});
	});

	test('groups', async () => {
		await plain(async (_server, scim) => {
			const { json } = await scim('group', 'delete', inGroup('={{ $json.id }}'), {
				items: ['g-1', 'g-9', ''].map((id) => ({ id })),
				...ON_ERROR,
				options: { maxPercentAffected: 100 },
			});
			expectSameKeys(json);
			expect(json.map(({ deleted }) => deleted)).toEqual([true, false, false]);
			expect(json[0].text).toBe('Group Engineering was deleted.');
		});
	});

	test('nothing that a guard has stopped was deleted', async () => {
		const options = { protectedUsers: 'ana@example.com' };
		await plain(async (_server, scim) => {
			const user = byEmail('ana@example.com');
			const { json } = await scim('user', 'delete', { user }, { options, ...ON_ERROR });
			expect(json).toMatchObject([{ deleted: false, status: 'failed' }]);
		});
	});
});

test('on the account every item has the organization', async () => {
	await withService({}, async (service, scim) => {
		const people = ['ahmed.el-sayed@example.com', 'nobody', ''];
		const { json } = await scim(
			'access',
			'assign',
			{ people: '={{ $json.who }}', ...oneRole(byId('org-7788'), 'member') },
			{ items: people.map((who) => ({ who })), ...ON_ERROR },
		);
		expectSameKeys(json);
		expect(json[0]).toMatchObject({ organization: 'org-7788', role: 'member' });
		expect(json[2]).toMatchObject({ organization: null, organizationName: null, role: null });
		expect(json[0].text).toMatch(/ was added to .*7788 as member\.$/);
	});
});
