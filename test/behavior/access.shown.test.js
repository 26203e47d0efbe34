'use strict';

// Services show memberships on groups, on users, on both, to a filter, or nowhere: the same runs on each. Where nothing
// shows them, nothing is claimed, and no one loses access.

const {
	Groups,
	SHOWN,
	emails,
	listed,
	locator,
	play,
	rows,
	table,
	tablesOn,
} = require('../support/behavior');

const { nowhere, ...SOMEWHERE } = SHOWN;
const KINDS = {
	...SOMEWHERE,
	'on groups, while users show an empty list': { usersShowGroups: 'empty' },
	'on groups that have any': { showsMembers: 'whenAny', usersShowGroups: 'absent' },
	'on users, while groups show an empty list': { showsMembers: 'empty' },
	'on groups, and answers to writes show nothing': {
		patchAnswers: '204',
		usersShowGroups: 'absent',
	},
};
const PATTERN = { groupsStandFor: 'organizationAndRole', groupPattern: '{organization}:{role}' };
const PEOPLE = { ana: 'eng', ben: 'eng sales vpn', cleo: '', eve: 'inactive vpn' };
const on =
	(people, { credential, ...switches } = {}) =>
	() =>
		new Groups(people, {
			groups: ['eng', 'sales', 'vpn'],
			...switches,
			credential: { overrideProfile: true, deletionIsFinal: 'no', ...credential },
		});
const vpn = (w) => ({ chooseGroupBy: 'group', group: w.group('vpn') });
const held = (...ids) => ids.map((id) => expect.objectContaining({ groupId: id, via: null }));

describe.each(Object.entries(KINDS))('members are shown %s', (kind, switches) => {
	const check = tablesOn(on(PEOPLE, switches));

	check('access', 'get', {
		it: 'every group of each person, and an empty list for none',
		wish: (w) => ({ items: ['ben', 'cleo'].map((name) => ({ user: w.user(name) })) }),
		items: [
			{ userName: emails('ben'), active: true, assignments: held('eng', 'sales', 'vpn') },
			{ assignments: [] },
		],
	});

	check('access', 'getMatrix', {
		it: 'a column for each group',
		wish: () => ({}),
		items: [
			{ access: { eng: 'member', sales: '', vpn: '' }, active: true },
			{ access: { eng: 'member', sales: 'member', vpn: 'member' } },
			{ access: { eng: '', sales: '', vpn: '' } },
			{ access: { eng: '', sales: '', vpn: 'member' }, active: false },
		],
	});

	check('access', 'set', {
		it: 'what is not in the list goes',
		wish: () => ({ people: emails('ben'), ...listed('eng'), managedGroups: rows('*') }),
		ends: { ben: 'eng' },
	});

	check('access', 'offboard', {
		it: 'all goes, and it is proven',
		wish: () => ({ people: emails('ben') }),
		items: [{ status: 'done', accessRemaining: [], accessRemoved: held('eng', 'sales', 'vpn') }],
		ends: { ben: 'inactive' },
	});

	check('access', 'reconcile', {
		it: 'who has what without a row loses it',
		wish: () => ({
			...{ preview: false, wantedFrom: 'json', scopeGroups: rows('eng') },
			wantedJson: [{ email: emails('ana'), group: 'eng' }],
		}),
		ends: { ben: 'sales vpn' },
	});

	const list = (replaceWith, more) => ({
		it: `${replaceWith}: who is on the list stays in`,
		wish: (w) => ({ ...vpn(w), people: emails('ben cleo'), options: { replaceWith } }),
		items: [
			'none ben vpn unchanged',
			'granted cleo vpn done',
			{ change: 'revoked', status: 'done' },
		],
		ends: { cleo: 'vpn', eve: 'inactive' },
		...more,
	});
	check(
		'group',
		'setMembers',
		list('difference'),
		...(kind === 'by filter' ? [] : [list('wholeList', { sends: ['PUT vpn'] })]),
		{
			it: 'an empty list, for two items',
			wish: (w) => ({ ...vpn(w), people: '', options: { allowEmptying: true }, items: [{}, {}] }),
			ends: { ben: 'eng sales', eve: 'inactive' },
		},
	);
});

describe.each(Object.entries(SOMEWHERE).filter(([name]) => name !== 'by filter'))(
	'roles, members are shown %s',
	(_, switches) => {
		const roles = { a: 'a:admin', m: 'a:member', n: 'a:member', v: 'a:viewer' };
		const credential = { ...PATTERN, oneRolePerOrganization: 'yes' };
		const world = (more, people = roles) =>
			on(people, { groups: [], ...switches, credential, ...more });
		const moves = {
			it: 'a move: the new role first, then the old one goes',
			on: world(),
			wish: () => ({
				...{ people: emails('m'), accessBy: 'organizationAndRole' },
				roles: { role: [{ organization: locator('id', 'a'), role: 'viewer' }] },
			}),
			...{ sends: ['PATCH a:viewer', 'PATCH a:member'], inOrder: true, ends: { m: 'a:viewer' } },
			items: [{ change: 'moved', roleBefore: 'member', role: 'viewer', status: 'done' }],
		};
		const incomplete = {
			...{ ...moves, it: 'a list of users that is incomplete is no ground for anything' },
			on: world({ pageCap: 4, ignoresStart: true }, { ...roles, x: '', y: '' }),
			...{ items: undefined, sends: [], ends: {} },
			fails: [/^The list of (users|groups) is incomplete: /],
		};
		table('access', 'set', [
			moves,
			{
				...{ ...moves, it: 'a service that moves by itself: no removal leaves' },
				...{ on: world({ addMoves: true }), sends: ['PATCH a:viewer'] },
			},
			{
				...{ ...moves, it: 'a removal that changes nothing is not claimed' },
				on: world({ faults: [{ method: 'PATCH', path: '/Groups/a:member', kind: 'dropped' }] }),
				...{ items: undefined, fails: [/Could not confirm: remove m@/] },
				ends: { m: 'a:member a:viewer' },
			},
			...(switches.showsMembers === 'absent' ? [incomplete] : []),
		]);
	},
);

const NOWHERE = {
	'not at all': nowhere,
	'as empty lists': { ...nowhere, showsMembers: 'empty' },
	'as empty lists on both sides': { ...nowhere, showsMembers: 'empty', usersShowGroups: 'empty' },
	'and filters are ignored': { ...nowhere, membershipFilter: 'ignored' },
	'and filters are refused': { ...nowhere, membershipFilter: 'off' },
};
describe.each(Object.entries(NOWHERE))('members are shown nowhere, %s', (_, switches) => {
	const check = tablesOn(on(PEOPLE, switches));
	const unknown = expect.stringContaining('so access is unknown');

	check('access', 'get', {
		it: 'unknown, never an empty list',
		wish: (w) => ({ user: w.user('ben') }),
		items: [{ userName: emails('ben'), assignments: null, warnings: [unknown] }],
	});
	check('access', 'getMatrix', {
		it: 'unknown, never an empty row',
		wish: () => ({}),
		items: Array(4).fill({ access: null, warnings: [unknown] }),
	});
	check('access', 'assign', {
		it: 'sent and unverified, never unchanged',
		wish: () => ({ people: emails('cleo ben'), ...listed('vpn') }),
		items: Array(2).fill({ change: 'granted', status: 'unverified', groupId: 'vpn' }),
		...{ sends: ['PATCH vpn'], ends: { cleo: 'vpn' } },
		fails: Array(2).fill('Could not confirm'),
	});
	check(
		'access',
		'revoke',
		...[{ revokeIn: 'all', accessBy: 'group' }, listed('vpn')].map((wish) => ({
			it: `${wish.revokeIn ?? 'one'}: nothing is sent, and nothing is called unchanged`,
			wish: () => ({ people: emails('ben'), ...wish }),
			items: [{ status: 'failed' }],
			fails: [/(groups|members) of .* are unknown: /],
		})),
	);
	check('access', 'set', {
		it: 'gives what is missing, and removes nothing',
		wish: () => ({ people: emails('cleo'), ...listed('vpn'), managedGroups: rows('*') }),
		...{ sends: ['PATCH vpn'], ends: { cleo: 'vpn' } },
		fails: [/are unknown/, /Could not confirm/],
	});
	check(
		'group',
		'setMembers',
		...['difference', 'wholeList'].map((replaceWith) => ({
			it: `${replaceWith}: adds, and drops nobody unseen`,
			wish: (w) => ({ ...vpn(w), people: emails('cleo'), options: { replaceWith } }),
			ends: { cleo: 'vpn' },
			fails: [/Could not confirm/],
		})),
	);
	check(
		'access',
		'offboard',
		{
			it: 'deactivates, and is not done',
			wish: () => ({ people: emails('ben') }),
			items: [{ status: 'unverified', accessRemaining: null }],
			ends: { ben: 'inactive eng sales vpn' },
			fails: [/neither groups nor users of the service show memberships/],
		},
		{
			it: 'a deletion is done: nobody is left who could be in a group',
			wish: () => ({ people: emails('ben'), method: 'delete' }),
			// Nobody is left who could be in a group, and no group tells.
			items: [{ deleted: true, status: 'done', accessRemaining: null }],
			...{ ends: { ben: undefined }, once: true },
		},
	);
	check('access', 'reconcile', {
		it: 'Deactivate Users Without Access is refused',
		wish: () => ({
			...{ preview: false, wantedFrom: 'json', scopeGroups: rows('eng', 'vpn') },
			wantedJson: [{ email: emails('ana'), group: 'eng' }],
			options: { deactivatesEmpty: true },
		}),
		fails: ['Deactivate Users Without Access cannot be used here'],
	});
});

describe('nobody is in any group', () => {
	const get = (it, credential, assignments) => ({
		it,
		on: on({ ana: '' }, { usersShowGroups: 'absent', credential }),
		wish: (w) => ({ user: w.user('ana') }),
		items: [{ assignments }],
	});
	table('access', 'get', [
		get('unknown', {}, null),
		get(
			'none, where the credential says that groups show members',
			{ groupsShowMembers: 'yes' },
			[],
		),
	]);
});

describe.each([
	['one group', ['vpn']],
	['every group', ['eng', 'sales', 'vpn']],
])('the list of groups leaves out %s', (_, unlistedGroups) => {
	table('access', 'getMatrix', {
		it: 'what users say is shown',
		on: on({ ben: 'sales vpn' }, { unlistedGroups }),
		wish: () => ({}),
		items: [{ access: expect.objectContaining({ sales: 'member', vpn: 'member' }) }],
	});
});

test('different lists for one group: each item is an error, a repeated list too', async () => {
	const world = on(PEOPLE)();
	const items = ['ana', 'ben', 'ana'].map((name) => ({ people: emails(name) }));
	const out = await play(world, ['group', 'setMembers'], vpn(world), items);
	expect(out.map(({ error }) => /want different members/.test(error))).toEqual([true, true, true]);
	expect(world.service.written()).toStrictEqual([]);
});
