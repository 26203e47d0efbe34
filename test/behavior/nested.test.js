'use strict';

// Groups that are members of groups (RFC 7643 section 4.2) are left alone.

const {
	Groups,
	email,
	emails,
	expression,
	listed,
	locator,
	play,
	rows,
	table,
} = require('../support/behavior');

const PATTERN = { groupsStandFor: 'organizationAndRole', groupPattern: '{organization}:{role}' };
const wordsIn = (text) => text.split(' ').filter(Boolean);
/** `within`: which groups are in which, as `{ eng: 'interns' }`. */
const on =
	(people, within = {}, { groups = [], ...switches } = {}) =>
	() => {
		const world = new Groups(people, {
			groups: [...groups, ...Object.keys(within), ...wordsIn(Object.values(within).join(' '))],
			...switches,
			credential: {
				...PATTERN,
				overrideProfile: true,
				deletionIsFinal: 'no',
				...switches.credential,
			},
		});
		for (const [group, inner] of Object.entries(within))
			world.service.groups.get(group).push(...wordsIn(inner));
		return world;
	};
const IN_ENG = { 'eng:member': 'interns' };
const PEOPLE = { ana: 'eng:member', ben: 'eng:member', cid: 'interns' };
const inEng = (w) => ({ chooseGroupBy: 'group', group: w.group('eng:member') });
const membersOf = ({ service }, id) => [...service.groups.get(id)];

test.each(['difference', 'wholeList'])('Set Members (%s) leaves them in', async (replaceWith) => {
	const world = on(PEOPLE, IN_ENG)();
	const wish = { ...inEng(world), people: emails('ana cid'), options: { replaceWith } };
	const items = await play(world, ['group', 'setMembers'], wish);
	expect(items.map(({ change }) => change).sort()).toEqual(['granted', 'none', 'revoked']);
	const ids = ['ana', 'cid'].map((name) => world.user(name).value);
	expect(membersOf(world, 'eng:member').sort()).toEqual(['interns', ...ids].sort());
	const [put] = world.service.requests.filter(({ method }) => method === 'PUT');
	if (put) {
		const nested = expect.objectContaining({ value: 'interns', type: 'Group' });
		expect(JSON.parse(put.body).members).toContainEqual(nested);
	}
});

table('access', 'reconcile', {
	it: 'takes nothing from them',
	on: on(PEOPLE, IN_ENG),
	wish: () => ({
		...{ accessBy: 'organizationAndRole', preview: false, scopeOrganizations: 'eng' },
		...{ wantedFrom: 'json' },
		wantedJson: [{ email: email('ana'), organization: 'eng', role: 'member' }],
	}),
	items: ['revoked ben eng:member done'],
	...{ sends: ['PATCH eng:member'], ends: { ben: '' } },
});

table('group', 'removeMembers', {
	it: 'a service that empties a group: they are named, too',
	on: on(PEOPLE, IN_ENG, { removesEverybody: ['filterPath'], storesTwice: true }),
	wish: (w) => ({ ...inEng(w), people: emails('ana') }),
	fails: ['lost 2 more than this run removed (ben@example.com, group interns)'],
	ends: { ana: '', ben: '' },
});

table('group', 'delete', {
	it: 'everybody in them counts, and they are named',
	on: on(PEOPLE, IN_ENG),
	wish: (w) => ({ ...inEng(w), preview: true, options: { maxPeopleAffected: 2 } }),
	items: [
		{
			blockedBy: [expect.stringContaining('3 people would lose access, more than the limit of 2')],
			warnings: ['Groups in it lose what it gives, too: interns.'],
		},
	],
});

// ---- Access by way of them ----

const onGroups = { usersShowGroups: 'absent' };
const waysIn = (memberships) =>
	memberships.map(({ groupId, via }) => (via === null ? groupId : `${groupId} via ${via}`));

describe('at any depth', () => {
	/** Team is in Area, as Club is, Area in Heads, Heads in All, and All in Team. */
	const DEEP = { area: 'club team', 'eng:admin': 'area', all: 'eng:admin', team: 'all', club: '' };
	const world = on({ ana: 'team club', ben: 'area', cid: '' }, DEEP, onGroups);

	test('Get names every own group that gives it', async () => {
		const get = async (name) => {
			const service = world();
			const [item] = await play(service, ['access', 'get'], { user: service.user(name) });
			return item.assignments;
		};
		expect(waysIn(await get('ana'))).toEqual([
			...['all via club', 'all via team', 'area via club', 'area via team', 'club', 'team'],
			...['eng:admin via club', 'eng:admin via team'],
		]);
		expect(waysIn(await get('ben'))).toEqual([
			...['all via area', 'area', 'team via area', 'eng:admin via area'],
		]);
		expect((await get('ben')).at(-1)).toMatchObject({ organization: 'eng', role: 'admin' });
		expect(await get('cid')).toStrictEqual([]);
	});

	table('access', 'getMatrix', {
		it: 'they are no people, and give access',
		on: world,
		wish: () => ({}),
		items: [
			{
				access: expect.objectContaining({
					club: 'member',
					all: 'member (via club), member (via team)',
				}),
			},
			{
				access: {
					...{ eng: 'admin (via area)', all: 'member (via area)', area: 'member', club: '' },
					team: 'member (via area)',
				},
			},
			{ access: { eng: '', all: '', area: '', club: '', team: '' } },
		],
	});

	table('access', 'get', {
		it: 'where users name their groups: as far as these were read',
		on: on({ ana: 'interns', ben: 'staff' }, { staff: 'interns', unread: 'staff interns' }),
		wish: (w) => ({ items: ['ana', 'ben'].map((name) => ({ user: w.user(name) })) }),
		items: [
			{
				assignments: [{ groupId: 'interns' }, { groupId: 'staff', via: 'interns' }].map((one) =>
					expect.objectContaining(one),
				),
			},
			{ assignments: [expect.objectContaining({ groupId: 'staff', via: null })] },
		],
		gets: ['GET ana', 'GET ben', 'GET interns', 'GET staff'],
	});
});

describe('Offboard', () => {
	const row = (it, group, sends, ends, item) => ({
		...{ it, on: on(PEOPLE, IN_ENG, onGroups), ends },
		wish: () => ({ people: emails('cid'), options: { keepMembershipsIn: rows(group) } }),
		items: [{ status: 'done', active: false, ...item }],
	});
	const ways = (...given) =>
		given.map(([groupId, via]) => expect.objectContaining({ groupId, via }));
	table('access', 'offboard', [
		row(
			'a kept group keeps what it gives',
			'interns',
			[],
			{ cid: 'inactive interns' },
			{
				...{
					accessRemoved: [],
					accessRemaining: ways(['interns', null], ['eng:member', 'interns']),
				},
			},
		),
		row(
			'it goes with the group that gives it',
			'eng:*',
			['PATCH interns'],
			{ cid: 'inactive' },
			{
				...{ accessRemoved: ways(['interns', null]), accessRemaining: [] },
			},
		),
	]);
});

describe('plans and writes are the same as without them', () => {
	const cid = { people: email('cid') };
	const eng = locator('id', 'eng');
	const byRole = { accessBy: 'organizationAndRole' };
	const member = { ...byRole, roles: { role: [{ organization: eng, role: 'member' }] } };
	const wanted = [
		['cid', 'member'],
		['ben', 'admin'],
	].map(([name, role]) => ({ email: email(name), organization: 'eng', role }));
	test.each([
		['assign', { ...cid, ...member }],
		['set', { ...cid, ...member }],
		['revoke', { ...cid, ...byRole, revokeIn: 'one', organization: eng }],
		['offboard', cid],
		['offboard', { people: email('ben') }],
		['reconcile', { ...byRole, wantedFrom: 'json', scopeOrganizations: 'eng', wantedJson: wanted }],
	])('%s %j', async (operation, parameters) => {
		const seen = async (within) => {
			const people = { ana: 'eng:member', ben: 'eng:admin eng:member', cid: 'interns' };
			const world = on(people, within, {
				...onGroups,
				groups: ['eng:member', 'eng:admin', 'interns'],
			})();
			const what = ['access', operation];
			const [preview] = await play(world, what, { ...parameters, preview: true });
			const items = await play(world, what, { ...parameters, preview: false });
			const { requests, summary, blockedBy } = preview;
			const sent = world.service.requests.map(({ method, path, body }) => [method, path, body]);
			return { requests, summary, blockedBy, sent, items: items.map((one) => world.itemOf(one)) };
		};
		const flat = await seen({});
		expect(flat.sent.length).toBeGreaterThan(0);
		expect(await seen({ ...IN_ENG, 'eng:admin': 'interns' })).toEqual(flat);
	});
});

describe('access inherited from a group cannot be assigned', () => {
	const entry = { groupId: 'eng:member', via: 'Interns' };
	const row = (wish, name) => ({
		...{ it: name, on: on(PEOPLE, IN_ENG, onGroups), wish: () => wish },
		fails: [`${name} is access by way of group Interns`],
	});
	table('access', 'assign', [
		row({ people: email('cid'), ...listed(expression([entry])) }, 'Row 1 of Groups, entry 1'),
	]);
	table('access', 'reconcile', [
		row(
			{
				...{ accessBy: 'organizationAndRole', preview: false, wantedFrom: 'json' },
				...{ scopeOrganizations: 'eng', wantedJson: [{ email: email('cid'), ...entry }] },
			},
			'Row 1 (cid@example.com)',
		),
	]);
});
