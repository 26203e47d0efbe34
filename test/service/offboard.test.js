'use strict';

require('../support/noWaiting');
const { person, withServer } = require('../wild/play');
const { fromExpression } = require('../support/accessRows');

// Offboard where groups stand for themselves and memberships outlive the account (RFC 7644 section 3.5.2, RFC 7643
// section 4.2): ids are opaque, names are display names.

const GROUPS = [
	{ id: 'g-1', displayName: 'Everyone', members: ['user-1', 'user-2'] },
	{ id: 'g-2', displayName: 'VPN', members: ['user-1'] },
	{ id: 'g-3', displayName: 'Engineering', members: ['user-2'] },
];
const USERS = [person(1), person(2)];
const LEAVER = { people: 'person1@example.com' };
const KEYS = [
	...['change', 'status', 'reason', 'userName', 'group', 'text'],
	...['userId', 'active', 'accessRemoved', 'accessRemaining', 'provenAt', 'requests'],
	...['valuesRemoved', 'valuesRemaining'],
];
const INACTIVE_REFUSES = { serviceProfile: 'launchDarkly', deletionIsFinal: 'no' };
const entry = (groupId, group) => ({ group, groupId, via: null });
const EVERYONE = entry('g-1', 'Everyone');
const VPN = entry('g-2', 'VPN');
const row = (...groups) => ({ group: groups.map((group) => ({ group })) });

async function offboard(switches, parameters, check, more = {}) {
	const { groups = GROUPS, users = USERS } = switches;
	await withServer({ ...switches, groups, users }, async (server, scim) => {
		const run = async (own = parameters) =>
			await scim('access', 'offboard', { ...LEAVER, ...own }, more);
		await check(await run(), server, { run, scim });
	});
}

const refusesVpn = {
	faults: [{ on: 'PATCH /Groups/g-2', status: 403, body: 'managed elsewhere' }],
};

describe.each([
	['groups and users show memberships', {}],
	['only groups do', { usersShowGroups: 'absent' }],
	['only users do', { showsMembers: 'absent' }],
	['users alone, groups with an empty list', { showsMembers: 'empty' }],
])('%s', (_, switches) => {
	test('deactivated first, then out of every group, and proven', async () => {
		await offboard(switches, {}, ({ json, error }, server) => {
			expect(error).toBeUndefined();
			expect(Object.keys(json[0])).toEqual(KEYS);
			expect(json).toEqual([
				{
					...{ userId: 'user-1', userName: 'person1@example.com', active: false },
					...{ change: 'deactivated', group: null, text: 'person1@example.com was offboarded.' },
					...{ accessRemoved: [EVERYONE, VPN], accessRemaining: [] },
					...{ valuesRemoved: [], valuesRemaining: [] },
					...{ provenAt: expect.any(String), requests: server.came().length },
					...{ status: 'done', reason: null },
				},
			]);
			const [first, ...others] = server.written();
			expect(first).toBe('PATCH /Users/user-1 200');
			expect(others.sort()).toEqual(['PATCH /Groups/g-1 200', 'PATCH /Groups/g-2 200']);
			expect(server.membersOf('g-1')).toEqual(['user-2']);
			expect(server.users.get('user-1').active).toBe(false);
		});
	});

	test('run again: nothing is sent', async () => {
		await offboard(switches, {}, async (_result, server, { run }) => {
			server.requests.length = 0;
			const { json } = await run();
			expect(json[0]).toMatchObject({ status: 'unchanged', active: false, accessRemaining: [] });
			expect(server.written()).toStrictEqual([]);
		});
	});

	test('Delete: deactivated, out of every group, then deleted', async () => {
		await offboard(switches, { method: 'delete' }, ({ json, error }, server) => {
			expect(error).toBeUndefined();
			expect(json[0]).toMatchObject({
				...{ userId: 'user-1', active: null, deleted: true, status: 'done' },
				...{ accessRemoved: [EVERYONE, VPN], accessRemaining: [] },
			});
			const written = server.written();
			expect(written[0]).toBe('PATCH /Users/user-1 200');
			expect(written.at(-1)).toBe('DELETE /Users/user-1 204');
			expect(written).toHaveLength(4);
		});
	});

	test('what was removed can be given back by Assign', async () => {
		await offboard(switches, {}, async ({ json }, server, { scim }) => {
			const { error } = await scim('access', 'assign', {
				...{ ...LEAVER, accessBy: 'group', ...fromExpression(json[0].accessRemoved) },
				options: { reactivate: true },
			});
			expect(error).toBeUndefined();
			expect(server.membersOf('g-1')).toEqual(['user-2', 'user-1']);
			expect(server.membersOf('g-2')).toEqual(['user-1']);
			expect(server.users.get('user-1').active).toBe(true);
		});
	});

	test('a refused removal stops nothing else, remains, and fails the proof', async () => {
		await offboard({ ...switches, ...refusesVpn }, {}, ({ json, error }, server) => {
			expect(json).toStrictEqual([]);
			expect(error.message).toContain('403');
			expect(server.users.get('user-1').active).toBe(false);
			expect(server.membersOf('g-1')).toEqual(['user-2']);
		});
	});

	test('the error item of it is flat, too', async () => {
		await withServer(
			{ users: USERS, groups: GROUPS, ...switches, ...refusesVpn },
			async (_s, scim) => {
				const more = { onError: 'continueErrorOutput' };
				const { returned, errorJson } = await scim('access', 'offboard', LEAVER, more);
				expect(errorJson).toHaveLength(1);
				expect(Object.keys(returned[0]).sort()).toEqual([...KEYS, 'error'].sort());
				expect(returned[0]).toMatchObject({
					...{ userId: 'user-1', active: false, status: 'failed' },
					...{ accessRemoved: [EVERYONE], accessRemaining: [VPN] },
					provenAt: null,
				});
			},
		);
	});
});

describe('a refused removal', () => {
	test('does not stop the deletion; what went with the account is done', async () => {
		await offboard(refusesVpn, { method: 'delete' }, ({ json, error }, server) => {
			expect(error).toBeUndefined();
			expect(json[0]).toMatchObject({ deleted: true, accessRemaining: [], status: 'done' });
			expect(server.written().at(-1)).toBe('DELETE /Users/user-1 204');
		});
	});

	test('of a group to keep is not even sent', async () => {
		const options = { keepMembershipsIn: row('VPN') };
		await offboard(refusesVpn, { options }, ({ json, error }, server) => {
			expect(error).toBeUndefined();
			expect(json[0]).toMatchObject({ accessRemaining: [VPN], status: 'done' });
			expect(server.written()).toEqual(['PATCH /Users/user-1 200', 'PATCH /Groups/g-1 200']);
		});
	});

	test('a removal that the service only pretends: unverified, naming the group', async () => {
		const faults = [{ on: 'PATCH /Groups/g-2', nothing: true }];
		await offboard({ faults }, {}, ({ error }) => {
			expect(error.message).toContain('the person is still member of group VPN');
		});
	});

	test('a deactivation that is refused: removals and deletion go on', async () => {
		const faults = [{ on: 'PATCH /Users', status: 403 }];
		await offboard({ faults }, {}, ({ error }, server) => {
			expect(error.message).toContain('403');
			expect(server.membersOf('g-2')).toStrictEqual([]);
		});
		await offboard({ faults }, { method: 'delete' }, ({ json }) => {
			expect(json[0]).toMatchObject({ deleted: true, status: 'done' });
		});
	});
});

describe('Keep Memberships In', () => {
	test.each([
		['a name', row('everyone'), [EVERYONE]],
		['an ID', row('g-2'), [VPN]],
		['a pattern', row('Every*', 'V*'), [EVERYONE, VPN]],
		['a list', row('["g-1", "VPN"]'), [EVERYONE, VPN]],
		['all of them', row('*'), [EVERYONE, VPN]],
	])('%s: they remain, and do not fail the proof', async (_, keepMembershipsIn, kept) => {
		await offboard({}, { options: { keepMembershipsIn } }, ({ json, error }, server) => {
			expect(error).toBeUndefined();
			expect(json[0]).toMatchObject({ accessRemaining: kept, active: false, status: 'done' });
			expect(json[0]).not.toHaveProperty('warnings');
			for (const { groupId } of kept) expect(server.membersOf(groupId)).toContain('user-1');
		});
	});

	test('a pattern that matches nothing: a warning', async () => {
		await offboard({}, { options: { keepMembershipsIn: row('nothing-*') } }, ({ json }) => {
			const warnings = ['No group matches nothing-* in Keep Memberships In.'];
			expect(json[0]).toMatchObject({ status: 'done', accessRemaining: [], warnings });
		});
	});

	test('a name that two groups have: an error that names both, and nothing is sent', async () => {
		const groups = [...GROUPS, { id: 'g-4', displayName: 'VPN' }];
		const options = { keepMembershipsIn: row('VPN') };
		await offboard({ groups }, { options }, ({ error }, server) => {
			expect(error.message).toContain('(IDs g-2, g-4)');
			expect(server.written()).toStrictEqual([]);
		});
	});
});

describe('LaunchDarkly, where inactive users refuse changes', () => {
	const more = { credential: INACTIVE_REFUSES };

	test('memberships come first', async () => {
		await offboard(
			{},
			{ method: 'delete' },
			({ error }, server) => {
				expect(error).toBeUndefined();
				expect(server.written().slice(-2)).toEqual([
					'PATCH /Users/user-1 200',
					'DELETE /Users/user-1 204',
				]);
			},
			more,
		);
	});

	test('for whoever is inactive the item fails, naming the memberships left', async () => {
		const users = [person(1, { active: false }), person(2)];
		await withServer({ users, groups: GROUPS }, async (server, scim) => {
			const options = { onError: 'continueErrorOutput', ...more };
			const { returned } = await scim('access', 'offboard', LEAVER, options);
			expect(returned[0]).toMatchObject({
				status: 'failed',
				accessRemoved: [],
				accessRemaining: [EVERYONE, VPN],
			});
			expect(returned[0].reason).toContain('member of group Everyone');
			expect(returned[0].reason).toContain('member of group VPN');
			expect(server.written()).toStrictEqual([]);
		});
	});
});

describe('where memberships are shown nowhere', () => {
	const NOWHERE = { showsMembers: 'absent', usersShowGroups: 'absent' };

	test('deactivated, and access is unknown: unverified', async () => {
		await withServer({ users: USERS, groups: GROUPS, ...NOWHERE }, async (server, scim) => {
			const more = { onError: 'continueErrorOutput' };
			const { returned } = await scim('access', 'offboard', LEAVER, more);
			expect(returned[0]).toMatchObject({
				...{ userId: 'user-1', active: false, status: 'unverified' },
				...{ accessRemoved: null, accessRemaining: null },
			});
			expect(server.written()).toEqual(['PATCH /Users/user-1 200']);
		});
	});

	test('an empty list that every user shows says nothing', async () => {
		const groups = GROUPS.map((group) => ({ ...group, members: [] }));
		await offboard({ showsMembers: 'absent', groups }, {}, ({ error }) => {
			expect(error.message).toContain('neither the groups nor the user show memberships');
		});
	});

	test('unless a trait says that users show groups', async () => {
		const groups = GROUPS.map((group) => ({ ...group, members: [] }));
		const credential = { overrideProfile: true, usersShowGroups: 'yes' };
		const check = ({ json }) => {
			expect(json[0]).toMatchObject({ accessRemoved: [], accessRemaining: [], status: 'done' });
		};
		await offboard({ showsMembers: 'absent', groups }, {}, check, { credential });
	});
});

test('several people of one item: one item each; a protected one fails alone', async () => {
	await withServer({ users: USERS, groups: GROUPS }, async (server, scim) => {
		const { json, returned } = await scim(
			'access',
			'offboard',
			{
				people: 'person1@example.com, user-2, nobody@example.com',
				options: { protectedUsers: 'person2@*' },
			},
			{ onError: 'continueErrorOutput' },
		);
		expect(json).toMatchObject([{ userId: 'user-1', status: 'done' }]);
		expect(returned.filter(({ error }) => error)).toMatchObject([
			{ userId: null, status: 'failed', accessRemaining: null },
			{
				...{ userId: 'user-2', status: 'failed', accessRemaining: null },
				error: expect.stringMatching(/^person2@example\.com is protected/),
			},
		]);
		expect(server.membersOf('g-1')).toEqual(['user-2']);
	});
});

test('a group of an organization and one that stands for itself: both go', async () => {
	const groups = [
		{ id: 'org-a:member', members: ['user-1'] },
		{ id: 'other', displayName: 'Other', members: ['user-1'] },
	];
	const credential = {
		groupsStandFor: 'organizationAndRole',
		groupPattern: '{organization}:{role}',
	};
	await offboard(
		{ groups },
		{},
		({ json, error }) => {
			expect(error).toBeUndefined();
			expect(json[0].accessRemoved).toEqual([
				{ ...entry('other', 'Other'), organization: null, organizationName: null, role: null },
				{
					...entry('org-a:member', 'org-a:member'),
					...{ organization: 'org-a', organizationName: 'org-a', role: 'member' },
				},
			]);
		},
		{ credential },
	);
});

test('Rehire: somebody inactive is no success of Assign, who is in the group already or not', async () => {
	const users = [person(1, { active: false }), person(2)];
	const access = { accessBy: 'group', groups: row('VPN') };
	await withServer({ users, groups: GROUPS }, async (server, scim) => {
		const { error, json } = await scim('access', 'assign', { ...LEAVER, ...access });
		expect(json).toStrictEqual([]);
		expect(error.description).toContain('Reactivate');
		expect(server.written()).toStrictEqual([]);
	});
});

test('the preview names all people, and sends nothing', async () => {
	await offboard({}, { preview: true }, ({ json }, server) => {
		expect(json[0].requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
			expect.arrayContaining(['PATCH /Users/user-1', 'PATCH /Groups/g-1', 'PATCH /Groups/g-2']),
		);
		expect(server.written()).toStrictEqual([]);
	});
});
