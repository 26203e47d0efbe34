'use strict';

require('../support/noWaiting');

// Get and Get Matrix of Access: on account organizations, and on services whose groups are plain, with opaque ids.

const { byEmail, byId } = require('../support/node');
const { countsOf, withService } = require('../support/service');
const { withServer } = require('../wild/play');

const UNKNOWN = expect.stringContaining('so access is unknown');

/** Ana and Ben are active; Cid is in groups and in no list of users, Dan is in none. */
const USERS = [
	{ id: '0a', userName: 'ana@example.com' },
	{ id: '0b', userName: 'ben@example.com', active: false },
	{ id: '0d', userName: 'dan@example.com' },
];
const GROUPS = [
	{ id: '8f14', displayName: 'Engineering', members: ['0a', '0b'] },
	{ id: 'c9f0', displayName: 'Engineering', members: ['0a'] },
	{ id: '45c4', displayName: 'VPN', members: ['0a', '0c'] },
	{ id: 'd3d9', displayName: 'Empty' },
];
const plain = async (switches, work) =>
	await withServer({ users: USERS, groups: GROUPS, ...switches }, work);
const inGroup = (group, groupId) => ({ group, groupId, via: null });
const NO_ORGANIZATION = { organization: null, organizationName: null, role: null };
const OF_ANA = [
	inGroup('Engineering', '8f14'),
	inGroup('Engineering', 'c9f0'),
	inGroup('VPN', '45c4'),
];
const sameGroups = (assignments) =>
	expect(new Set(assignments.map((entry) => JSON.stringify(entry)))).toEqual(
		new Set(OF_ANA.map((entry) => JSON.stringify(entry))),
	);

/** Paths that were read; a list once, however many pages it took to see that there is no more of it. */
const readOf = (server) =>
	server.requests.filter(({ query }) => (query.startIndex ?? '1') === '1').map(({ path }) => path);

describe('Get', () => {
	const seed = {
		account: 'org-acct',
		organizations: ['org-acct', 'org-a'].map((id) => ({ id, name: id })),
		users: [{ userName: 'ana@example.com' }, { userName: 'ben@example.com' }],
		memberships: [{ userName: 'ana@example.com', organization: 'org-a', role: 'viewer' }],
	};

	test('on account organizations: one list of groups, and the user', async () => {
		await withService({ seed }, async (service, scim) => {
			const credential = {
				organizationNames: { organization: [{ name: 'Marketing', id: 'org-a' }] },
			};
			const get = async (user) => (await scim('access', 'get', { user }, { credential })).json;
			expect(await get(byEmail('ana@example.com'))).toEqual([
				{
					...{ userId: expect.any(String), userName: 'ana@example.com', active: true },
					assignments: [
						{
							...{ group: 'whylabs-org-a:viewer', groupId: 'whylabs-org-a:viewer', via: null },
							...{ organization: 'org-a', organizationName: 'Marketing', role: 'viewer' },
						},
					],
				},
			]);
			expect(countsOf(service)).toEqual({ GET: 2 });
			expect(await get(byEmail('ben@example.com'))).toMatchObject([{ assignments: [] }]);
		});
	});

	test('users who show their groups: the user, and the names of these groups from one list', async () => {
		await plain({}, async (server, scim) => {
			const { json } = await scim('access', 'get', { user: byId('0a') });
			expect(json).toEqual([
				{
					...{ userId: '0a', userName: 'ana@example.com', active: true },
					assignments: expect.any(Array),
					values: [],
				},
			]);
			sameGroups(json[0].assignments);
			expect(readOf(server)).toEqual(['/Users/0a', '/Groups']);
			expect(server.requests[1].query.excludedAttributes).toBe('members');
		});
	});

	test('in one group: that group is asked for, and no list', async () => {
		await plain({}, async (server, scim) => {
			const { json } = await scim('access', 'get', { user: byId('0b') });
			expect(json).toEqual([
				{
					...{ userId: '0b', userName: 'ben@example.com', active: false },
					assignments: [inGroup('Engineering', '8f14')],
					values: [],
				},
			]);
			expect(readOf(server)).toEqual(['/Users/0b', '/Groups/8f14']);
		});
	});

	test('several people: nobody is asked for twice', async () => {
		await plain({}, async (server, scim) => {
			const items = [{ id: '0a' }, { id: '0b' }, { id: '0d' }, { id: '0a' }];
			const user = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
			const { json } = await scim('access', 'get', { user }, { items });
			expect(json.map(({ assignments }) => assignments.length)).toEqual([3, 1, 0, 3]);
			expect(readOf(server)).toEqual(['/Users', '/Groups']);
		});
	});

	test.each([
		['members on groups only', { usersShowGroups: 'absent' }],
		[
			'the same, empty groups without the attribute',
			{ usersShowGroups: 'absent', showsMembers: 'whenAny' },
		],
		['groups on users only', { showsMembers: 'absent' }],
		['groups on users only, members always empty', { showsMembers: 'empty' }],
	])('%s', async (_what, switches) => {
		await plain(switches, async (server, scim) => {
			for (const user of [byId('0a'), byEmail('ana@example.com')]) {
				const { json } = await scim('access', 'get', { user });
				sameGroups(json[0].assignments);
			}
			// Who is in no group: the groups of others have to be seen to know it.
			const { json } = await scim('access', 'get', { user: byId('0d') });
			expect(json).toEqual([
				{ userId: '0d', userName: 'dan@example.com', active: true, assignments: [], values: [] },
			]);
		});
	});

	test.each(['absent', 'empty'])(
		'memberships nowhere (%s): unknown, and never an empty list',
		async (showsMembers) => {
			await plain({ showsMembers, usersShowGroups: 'absent' }, async (server, scim) => {
				const { json, error } = await scim('access', 'get', { user: byId('0a') });
				expect(error).toBeUndefined();
				expect(json).toEqual([
					{
						...{ userId: '0a', userName: 'ana@example.com', active: true },
						...{ assignments: null, values: [], warnings: [UNKNOWN] },
					},
				]);
			});
		},
	);

	test('somebody who is not there fails alone', async () => {
		await plain({}, async (server, scim) => {
			const user = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
			const more = { items: [{ id: '0b' }, { id: '0x' }], onError: 'continueErrorOutput' };
			const { json, errorJson } = await scim('access', 'get', { user }, more);
			expect(json).toMatchObject([{ userId: '0b', assignments: [{ groupId: '8f14' }] }]);
			expect(errorJson).toMatchObject([{ error: 'No user has the ID 0x' }]);
			server.requests.splice(0);
			await scim('access', 'get', { user: byId('0x') });
			expect(readOf(server)).toEqual(['/Users/0x']);
		});
	});

	describe('with a pattern on display names', () => {
		const credential = {
			groupsStandFor: 'organizationAndRole',
			groupPattern: 'app-{organization}-{role}',
			groupPatternOn: 'displayName',
		};
		const groups = [
			{ id: '8f14', displayName: 'app-sales-admin', members: ['0a'] },
			{ id: 'c9f0', displayName: 'app-sales-read-only', members: ['0a'] },
			{ id: '45c4', displayName: 'VPN', members: ['0a'] },
		];
		const get = async (scim, more) =>
			(
				await scim(
					'access',
					'get',
					{ user: byId('0a') },
					{ credential: { ...credential, ...more } },
				)
			).json[0];

		test('organizations and plain groups; a name of two readings stays plain, with a warning', async () => {
			await plain({ groups }, async (server, scim) => {
				const item = await get(scim);
				expect(item.assignments).toEqual([
					{ ...inGroup('app-sales-read-only', 'c9f0'), ...NO_ORGANIZATION },
					{ ...inGroup('VPN', '45c4'), ...NO_ORGANIZATION },
					{
						...{ group: 'app-sales-admin', groupId: '8f14' },
						...{ organization: 'sales', organizationName: 'sales', role: 'admin', via: null },
					},
				]);
				expect(item.warnings).toEqual([
					expect.stringContaining('read-only in sales or only in sales-read'),
				]);
			});
		});

		test('Roles decide', async () => {
			await plain({ groups }, async (server, scim) => {
				const item = await get(scim, { groupRoles: { role: [{ name: 'read-only' }] } });
				expect(item.assignments.map(({ organization, role }) => [organization, role])).toEqual([
					[null, null],
					['sales', 'admin'],
					['sales', 'read-only'],
				]);
				expect(item.warnings).toBeUndefined();
			});
		});
	});
});

describe('Get Matrix', () => {
	test('on account organizations: everybody, and a column per organization', async () => {
		const seed = {
			account: 'org-acct',
			organizations: ['org-acct', 'org-a'].map((id) => ({ id, name: id })),
			users: ['ana@example.com', "o'<neil>@example.com"].map((userName) => ({ userName })),
			memberships: [{ userName: 'ana@example.com', organization: 'org-a', role: 'admin' }],
		};
		await withService({ seed }, async (service, scim) => {
			const credential = {
				organizationNames: { organization: [{ name: '<b>A</b>', id: 'org-a' }] },
			};
			const { json } = await scim('access', 'getMatrix', {}, { credential });
			expect(json.map(({ userName, access }) => [userName, access['<b>A</b>']])).toEqual([
				['ana@example.com', 'admin'],
				["o'<neil>@example.com", ''],
			]);
			expect(countsOf(service)).toEqual({ GET: 2 });
		});
	});

	const COLUMNS = ['Empty', 'Engineering (8f14)', 'Engineering (c9f0)', 'VPN'];
	const row = (userId, userName, active, ...values) => ({
		...{ userId, userName, active },
		access: Object.fromEntries(COLUMNS.map((column, index) => [column, values[index] ?? ''])),
	});
	const LISTED = [
		row('0a', 'ana@example.com', true, '', 'member', 'member', 'member'),
		row('0b', 'ben@example.com', false, '', 'member'),
		row('0d', 'dan@example.com', true),
	];
	const UNLISTED = row('0c', '0c', null, '', '', '', 'member');

	test.each([
		['members and groups', {}, [UNLISTED, ...LISTED]],
		['members on groups only', { usersShowGroups: 'absent' }, [UNLISTED, ...LISTED]],
		['members of groups that have any', { showsMembers: 'whenAny' }, [UNLISTED, ...LISTED]],
		['groups on users only', { showsMembers: 'absent' }, LISTED],
	])('a column per group, two of one name told apart (%s)', async (_what, switches, rows) => {
		await plain(switches, async (server, scim) => {
			const { json } = await scim('access', 'getMatrix');
			expect(json).toEqual(rows);
			expect(readOf(server).filter((path) => path === '/Users')).toHaveLength(1);
			expect(readOf(server).filter((path) => path === '/Groups')).toHaveLength(1);
		});
	});

	test('memberships nowhere: unknown, and never an empty row', async () => {
		await plain({ showsMembers: 'absent', usersShowGroups: 'absent' }, async (server, scim) => {
			const { json } = await scim('access', 'getMatrix');
			expect(json).toHaveLength(3);
			for (const item of json) {
				expect(item).toMatchObject({ access: null, warnings: [UNKNOWN] });
			}
		});
	});

	test('organizations by display name, in any case, before plain groups', async () => {
		const groups = [
			{ id: '8f14', displayName: 'app-Sales-admin', members: ['0a'] },
			{ id: 'c9f0', displayName: 'app-sales-member', members: ['0b'] },
			{ id: '45c4', displayName: 'Sales', members: ['0a'] },
		];
		const credential = {
			groupsStandFor: 'organizationAndRole',
			groupPattern: 'app-{organization}-{role}',
			groupPatternOn: 'displayName',
		};
		await plain({ groups }, async (server, scim) => {
			const { json } = await scim('access', 'getMatrix', {}, { credential });
			expect(json.map(({ access }) => access)).toEqual([
				{ 'Sales (Sales)': 'admin', 'Sales (45c4)': 'member' },
				{ 'Sales (Sales)': 'member', 'Sales (45c4)': '' },
				{ 'Sales (Sales)': '', 'Sales (45c4)': '' },
			]);
			expect(Object.keys(json[0].access)).toEqual(['Sales (Sales)', 'Sales (45c4)']);
		});
	});

	test('names that could hide one another all have a column', async () => {
		const groups = ['A', 'A', 'A (2)', '__proto__'].map((displayName, index) => ({
			...{ id: String(index + 1), displayName, members: ['0a'] },
		}));
		await plain({ groups, users: [USERS[0]] }, async (server, scim) => {
			const { json } = await scim('access', 'getMatrix');
			expect(Object.keys(json[0].access)).toHaveLength(4);
			expect(Object.values(json[0].access)).toEqual(['member', 'member', 'member', 'member']);
		});
	});
});
