'use strict';

require('../support/noWaiting');

// Groups that are members of groups (RFC 7643 section 4.2): nobody asked for anything to be done to them.

const { itemsOf } = require('../support/items');
const { byId } = require('../support/node');
const { inGroup, withServer } = require('../wild/play');
const { fromExpression, oneRole } = require('../support/accessRows');

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
		expect(json.map(({ userId }) => userId).sort()).toEqual(['u-ana', 'u-ben', 'u-cid']);
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
			preview: false,
			wantedFrom: 'json',
			wantedJson: [{ email: 'ana@example.com', organization: 'eng', role: 'member' }],
			scopeOrganizations: 'eng',
		});
		expect(error).toBeUndefined();
		expect(itemsOf(json)).toEqual(['revoked ben@example.com eng member> done']);
		expect(ids()).toEqual(['interns', 'u-ana']);
	});
});

test('a service that empties a group at a removal: they are named, too', async () => {
	await withGroup(
		async (scim, ids) => {
			const { error } = await scim('group', 'removeMembers', {
				...inGroup('eng:member'),
				people: 'ana@example.com',
			});
			expect(error.message).toContain(
				'Group eng:member lost 2 more than this run removed (ben@example.com, group interns)',
			);
			expect(ids()).toStrictEqual([]);
		},
		{ removesEverybody: ['filterPath'], storesTwice: true },
	);
});

test('Delete Group counts everybody in them, and says so', async () => {
	await withGroup(async (scim) => {
		const options = { maxPeopleAffected: 2 };
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
		expect(json.map(({ userId }) => userId)).toEqual(['u-ana', 'u-ben', 'u-cid']);
	});
});

describe('access by way of them', () => {
	const onGroups = { usersShowGroups: 'absent' };
	/** Team is in Area, as Club is, Area in Heads, Heads in All, and All in Team. */
	const DEEP = [
		{ id: 'team', displayName: 'Team', members: ['u-ana', 'all'] },
		{ id: 'club', displayName: 'Club', members: ['u-ana'] },
		{ id: 'area', displayName: 'Area admin', members: ['u-ben', 'club', 'team'] },
		{ id: 'eng:admin', displayName: 'Heads', members: ['area'] },
		{ id: 'all', displayName: 'All', members: ['eng:admin'] },
	];
	const waysIn = (memberships) =>
		memberships.map(({ groupId, via }) => (via === null ? groupId : `${groupId} via ${via}`));
	/** Read to its end, and one group itself to see that the list is true. */
	const GROUP_LIST = ['GET /Groups', 'GET /Groups', 'GET /Groups/team'];
	const sentTo = ({ requests }) => requests.map(({ method, path }) => `${method} ${path}`);

	test('Get names every own group that gives it, at any depth, from the same list', async () => {
		await withGroup(
			async (scim, _ids, server) => {
				const get = async (user) => (await scim('access', 'get', { user })).json[0].assignments;
				expect(waysIn(await get(byId('u-ana')))).toEqual([
					...['all via Club', 'all via Team', 'area via Club', 'area via Team', 'club', 'team'],
					...['eng:admin via Club', 'eng:admin via Team'],
				]);
				const ofBen = await get(byId('u-ben'));
				expect(waysIn(ofBen)).toEqual([
					...['all via Area admin', 'area', 'team via Area admin', 'eng:admin via Area admin'],
				]);
				expect(ofBen.at(-1)).toEqual({
					...{ group: 'Heads', groupId: 'eng:admin', via: 'Area admin' },
					...{ organization: 'eng', organizationName: 'eng', role: 'admin' },
				});
				expect(await get(byId('u-cid'))).toStrictEqual([]);
				const asked = ['u-ana', 'u-ben', 'u-cid'].map((id) => `GET /Users/${id}`);
				expect(sentTo(server)).toEqual(asked.flatMap((path) => [path, ...GROUP_LIST]));
			},
			{ groups: DEEP, ...onGroups },
		);
	});

	test('Get where users name their groups: as far as these were read', async () => {
		await withGroup(
			async (scim, _ids, server) => {
				const items = [{ id: 'u-ana' }, { id: 'u-ben' }];
				const user = byId('={{ $json.id }}');
				const { json } = await scim('access', 'get', { user }, { items });
				expect(json.map(({ assignments }) => waysIn(assignments))).toEqual([
					['interns', 'staff via Interns'],
					['staff'],
				]);
				const asked = ['Users/u-ana', 'Users/u-ben', 'Groups/interns', 'Groups/staff'];
				expect(sentTo(server)).toEqual(asked.map((path) => `GET /${path}`));
			},
			{
				groups: [
					{ id: 'interns', displayName: 'Interns', members: ['u-ana'] },
					{ id: 'staff', displayName: 'Staff', members: ['u-ben', 'interns'] },
					{ id: 'unread', displayName: 'Unread', members: ['staff', 'interns'] },
				],
			},
		);
	});

	test('Get Matrix names it', async () => {
		await withGroup(
			async (scim, _ids, server) => {
				const { json } = await scim('access', 'getMatrix', {});
				const cells = { 'Area admin': 'member', Club: '', All: 'member (via Area admin)' };
				expect(json.map(({ access }) => access)).toMatchObject([
					{ Club: 'member', All: 'member (via Club), member (via Team)' },
					{ ...cells, eng: 'admin (via Area admin)', Team: 'member (via Area admin)' },
					{ 'Area admin': '', Club: '', All: '', eng: '', Team: '' },
				]);
				expect(sentTo(server)).toEqual(['GET /Users', 'GET /Users', ...GROUP_LIST]);
			},
			{ groups: DEEP, ...onGroups },
		);
	});

	test.each([
		['a kept group keeps it', 'Interns', [], ['interns', 'eng:member via Interns']],
		['it goes with the group that gives it', 'Nothing*', ['interns'], []],
	])('Offboard: %s', async (_, group, removed, remaining) => {
		await withGroup(async (scim, ids, server) => {
			const { json, error } = await scim('access', 'offboard', {
				people: 'cid@example.com',
				options: { keepMembershipsIn: { group: [{ group }] } },
			});
			expect(error).toBeUndefined();
			expect(json[0]).toMatchObject({ status: 'done', active: false });
			expect(waysIn(json[0].accessRemoved)).toEqual(removed);
			expect(waysIn(json[0].accessRemaining)).toEqual(remaining);
			expect(ids()).toEqual(['interns', 'u-ana', 'u-ben']);
			expect(server.written()).toEqual([
				'PATCH /Users/u-cid 200',
				...removed.map((id) => `PATCH /Groups/${id} 200`),
			]);
		}, onGroups);
	});

	const cid = { people: 'cid@example.com' };
	const member = oneRole(byId('eng'), 'member');
	test.each([
		['assign', { ...cid, ...member }],
		['set', { ...cid, ...member }],
		['revoke', { ...cid, revokeIn: 'one', organization: byId('eng') }],
		['offboard', cid],
		['offboard', { people: 'ben@example.com' }],
		[
			'reconcile',
			{
				...{ wantedFrom: 'json', scopeOrganizations: 'eng' },
				wantedJson: [
					{ email: 'cid@example.com', organization: 'eng', role: 'member' },
					{ email: 'ben@example.com', organization: 'eng', role: 'admin' },
				],
			},
		],
	])('%s plans and writes the same as without them (%j)', async (operation, parameters) => {
		const admins = { id: 'eng:admin', displayName: 'Admins', members: ['u-ben', 'interns'] };
		const all = [...groups, admins];
		const flat = all.map(({ members, ...group }) => ({
			...group,
			members: members.filter((id) => id !== 'interns'),
		}));
		const play = async (theirs) => {
			let seen;
			const work = async (scim, _ids, server) => {
				const run = async (preview) =>
					await scim('access', operation, {
						...{ ...parameters, preview },
					});
				const [{ requests, summary, blockedBy }] = (await run(true)).json;
				const { json, error } = await run(false);
				const items = json.map(({ change, groupId, status }) => [change, groupId, status]);
				const sent = server.requests.map(({ method, path, body }) => [method, path, body]);
				seen = { requests, summary, blockedBy, error: error?.message, items, sent };
			};
			await withGroup(work, { groups: theirs, ...onGroups });
			return seen;
		};
		expect(await play(all)).toEqual(await play(flat));
	});

	const entry = { groupId: 'eng:member', via: 'Interns' };
	test.each([
		['assign', { ...cid, ...fromExpression([entry]) }, 'Row 1 of Roles, entry 1'],
		[
			'reconcile',
			{
				...{ preview: false, wantedFrom: 'json', scopeOrganizations: 'eng' },
				wantedJson: [{ email: 'cid@example.com', ...entry }],
			},
			'Row 1 (cid@example.com)',
		],
	])('%s does not make it a membership of its own', async (operation, parameters, name) => {
		await withGroup(async (scim, ids) => {
			const { error } = await scim('access', operation, parameters);
			expect(error.message).toContain(`${name} is access by way of group Interns`);
			expect(ids()).toEqual(['interns', 'u-ana', 'u-ben']);
		});
	});
});
