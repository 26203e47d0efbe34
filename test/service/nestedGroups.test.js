'use strict';

require('../support/noWaiting');

// Groups that are members of groups (RFC 7643 section 4.2): nobody asked for anything to be done to them.

const { itemsOf } = require('../support/items');
const { inGroup, withServer } = require('../wild/play');

const users = ['ana', 'ben', 'cid'].map((name) => ({
	id: `u-${name}`,
	userName: `${name}@example.com`,
}));
/** In one are Ana, Ben and the other. */
const groups = [
	{ id: 'eng:member', displayName: 'Engineers', members: ['u-ana', 'interns', 'u-ben'] },
	{ id: 'interns', displayName: 'Interns', members: ['u-cid'] },
];
const credential = {
	groupsStandFor: 'organizationAndRole',
	groupPattern: '{organization}:{role}',
};

async function withGroup(work, switches = {}) {
	await withServer({ users, groups, ...switches }, async (server, scim) => {
		const run = async (...what) => await scim(...what, { credential });
		await work(run, () => [...server.membersOf('eng:member')].sort(), server);
	});
}

test.each(['difference', 'wholeList'])('Set Members (%s) leaves them in', async (replaceWith) => {
	await withGroup(async (scim, ids, { requests }) => {
		const { json, error } = await scim('group', 'setMembers', {
			...inGroup('eng:member'),
			people: 'ana@example.com, cid@example.com',
			options: { replaceWith },
		});
		expect(error).toBeUndefined();
		expect(json.map(({ id }) => id).sort()).toEqual(['u-ana', 'u-ben', 'u-cid']);
		expect(ids()).toEqual(['interns', 'u-ana', 'u-cid']);
		const lists = requests.flatMap(({ method, body }) => (method === 'PUT' ? [body.members] : []));
		expect(lists).toHaveLength(replaceWith === 'wholeList' ? 1 : 0);
		for (const list of lists)
			expect(list).toContainEqual(expect.objectContaining({ value: 'interns', type: 'Group' }));
	});
});

test('Reconcile takes nothing from them', async () => {
	await withGroup(async (scim, ids) => {
		const { json, error } = await scim('access', 'reconcile', {
			mode: 'apply',
			wantedFrom: 'json',
			wantedJson: [{ email: 'ana@example.com', organization: 'eng', role: 'member' }],
			scopeOrganizations: 'eng',
		});
		expect(error).toBeUndefined();
		expect(itemsOf(json)).toEqual(['revoked ben@example.com eng member> done']);
		expect(ids()).toEqual(['interns', 'u-ana']);
	});
});

test('a service that empties a group at a removal: they are put back, too', async () => {
	await withGroup(
		async (scim, ids) => {
			const { error } = await scim('group', 'removeMembers', {
				...inGroup('eng:member'),
				people: 'ana@example.com',
			});
			expect(error.message).toContain(
				'The service removed 2 more from group eng:member than it was asked to (ben@example.com, group interns); they were put back',
			);
			expect(ids()).toEqual(['interns', 'u-ben']);
		},
		{ removesEverybody: ['filterPath'], storesTwice: true },
	);
});

test('Delete Group counts everybody in them, and says so', async () => {
	await withGroup(async (scim) => {
		const options = { maxUsersLosingAccess: 2 };
		const { json } = await scim('group', 'delete', {
			...inGroup('eng:member'),
			...{ preview: true, options },
		});
		expect(json[0].blockedBy).toEqual([
			expect.stringContaining('3 people would lose access, more than the limit of 2'),
		]);
		expect(json[0].warnings).toEqual(['Groups in it lose what it gives, too: interns.']);
	});
});

test('Get Matrix does not take them for people', async () => {
	await withGroup(async (scim) => {
		const { json } = await scim('access', 'getMatrix', {});
		expect(json.map(({ id }) => id)).toEqual(['u-ana', 'u-ben', 'u-cid']);
	});
});
