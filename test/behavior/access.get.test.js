'use strict';

// Get and Get Matrix of Access; who shows memberships where is in access.shown.

const { Account, Groups, email, play, rows, table } = require('../support/behavior');

/** Ana is in two groups of one name; who is unlisted is in a group and in no list of users. */
const ENGINEERS = ['g1', 'g2'].map((id) => ({ id, displayName: 'Engineering' }));
const inGroup = (groupId, group = groupId) => ({ group, groupId, via: null });
const on =
	({ groups = ENGINEERS, unlisted, people, ...more } = {}) =>
	() => {
		const all = people ?? { ana: 'g1 g2 vpn', ben: 'inactive g1', dan: '' };
		const world = new Groups(all, { groups: [...groups, 'empty'], ...more });
		if (unlisted) world.service.groups.get('vpn').push('0c');
		return world;
	};
const named = { organizationNames: { organization: [{ name: '<b>A</b>', id: 'org-a' }] } };
const account = () => new Account({ ana: 'a:viewer', ben: '' }, { credential: named });
const each =
	(...names) =>
	(w) => ({ items: names.map((name) => ({ user: w.user(name) })) });

describe('Get', () => {
	const OF_ANA = [inGroup('g1', 'Engineering'), inGroup('g2', 'Engineering'), inGroup('vpn')];
	const byEmail = (name) => () => ({ user: { __rl: true, mode: 'email', value: email(name) } });
	table('access', 'get', [
		{
			it: 'on the account: one list of groups, and the user',
			on: account,
			wish: byEmail('ana'),
			items: [
				{
					...{ userId: expect.any(String), userName: email('ana'), active: true },
					assignments: [
						{
							...{ ...inGroup('whylabs-org-a:viewer'), organization: 'org-a' },
							...{ organizationName: '<b>A</b>', role: 'viewer' },
						},
					],
				},
			],
			gets: ['GET Groups', 'GET ana'],
		},
		{
			it: 'on the account: no role is an empty list',
			on: account,
			wish: byEmail('ben'),
			items: [{ assignments: [] }],
		},
		{
			it: 'users show their groups: the user, and one list for the names',
			on: on(),
			wish: each('ana'),
			items: [{ active: true, assignments: OF_ANA, values: [] }],
			gets: ['GET ana', 'GET Groups'],
		},
		{
			it: 'in one group: that group is asked for, and no list',
			on: on(),
			wish: each('ben'),
			items: [{ active: false, assignments: [inGroup('g1', 'Engineering')] }],
			gets: ['GET ben', 'GET g1'],
		},
		{
			it: 'several people: nobody is asked for twice',
			on: on(),
			wish: each('ana', 'ben', 'dan', 'ana'),
			gets: ['GET Users', 'GET Groups'],
		},
		{
			it: 'an unknown user fails alone',
			on: on(),
			wish: each('ben', 'typo'),
			items: [{ userName: email('ben'), assignments: [expect.anything()] }, {}],
			fails: [/No user has the ID user-/],
		},
		{
			it: 'an unknown user alone costs one request',
			on: on(),
			wish: each('typo'),
			...{ fails: [/No user has the ID user-/], reads: 1 },
		},
	]);

	describe('with a pattern on display names', () => {
		const groups = ['app-sales-admin', 'app-sales-read-only'].map((displayName, at) => ({
			...{ id: `g${at}`, displayName },
		}));
		const credential = {
			...{ groupsStandFor: 'organizationAndRole', groupPatternOn: 'displayName' },
			groupPattern: 'app-{organization}-{role}',
		};
		const get = (it, more, assignments, warnings) => ({
			...{
				it,
				on: on({ groups, people: { ana: 'g0 g1 vpn' }, credential: { ...credential, ...more } }),
			},
			wish: each('ana'),
			items: [{ assignments: assignments.map((one) => expect.objectContaining(one)), ...warnings }],
		});
		const plain = { organization: null, organizationName: null, role: null };
		const sales = { organization: 'sales', organizationName: 'sales' };
		table('access', 'get', [
			get(
				'a name of two readings stays plain, with a warning',
				{},
				[
					{ ...inGroup('g1', 'app-sales-read-only'), ...plain },
					{ ...inGroup('vpn'), ...plain },
					{ ...inGroup('g0', 'app-sales-admin'), ...sales, role: 'admin' },
				],
				{ warnings: [expect.stringContaining('read-only in sales or only in sales-read')] },
			),
			get('Roles decide', { groupRoles: { role: [{ name: 'read-only' }] } }, [
				{ ...inGroup('vpn'), ...plain },
				{ groupId: 'g0', ...sales, role: 'admin' },
				{ groupId: 'g1', ...sales, role: 'read-only' },
			]),
		]);
	});
});

describe('Get Matrix', () => {
	const matrix = (it, world, items, more) => ({ it, on: world, wish: () => ({}), items, ...more });
	const COLUMNS = ['empty', 'Engineering (g1)', 'Engineering (g2)', 'vpn'];
	const row = (name, active, ...values) => ({
		...{ userName: name.includes('0') ? name : email(name), active },
		access: Object.fromEntries(COLUMNS.map((column, at) => [column, values[at] ? 'member' : ''])),
	});
	const LISTED = [row('ana', true, 0, 1, 1, 1), row('ben', false, 0, 1), row('dan', true)];
	const UNLISTED = row('0c', null, 0, 0, 0, 1);
	/** One list each, and what shows whether the list of groups tells of members. */
	const once = (...ids) => ({ gets: ['Users', 'Groups', ...ids].map((one) => `GET ${one}`) });
	const pattern = {
		...{ groupsStandFor: 'organizationAndRole', groupPatternOn: 'displayName' },
		groupPattern: 'app-{organization}-{role}',
	};
	const app = ['app-Sales-admin', 'app-sales-member', 'Sales'];
	const cells = (values) => ({
		access: { 'Sales (Sales)': values[0], 'Sales (g2)': values[1] },
	});
	table('access', 'getMatrix', [
		matrix(
			'on the account: everybody, and a column for each organization',
			account,
			[{ access: { '<b>A</b>': 'viewer' } }, { access: { '<b>A</b>': '' } }],
			{ reads: 2 },
		),
		...[
			[{}, 'g1'],
			[{ usersShowGroups: 'absent' }, 'g1'],
			[{ showsMembers: 'whenAny' }, 'empty', 'g1'],
			[{ showsMembers: 'absent' }, 'empty', 'g1', 'g2', 'vpn'],
		].map(([switches, ...asked]) =>
			matrix(
				`a column for each group, two of one name told apart: ${JSON.stringify(switches)}`,
				on({ unlisted: true, ...switches }),
				switches.showsMembers === 'absent' ? LISTED : [UNLISTED, ...LISTED],
				once(...asked),
			),
		),
		matrix(
			'organizations by display name, in any case, before plain groups',
			on({
				groups: app.map((displayName, at) => ({ id: `g${at}`, displayName })),
				people: { ana: 'g0 g2', ben: 'g1', dan: '' },
				credential: pattern,
			}),
			[cells(['admin', 'member']), cells(['member', '']), cells(['', ''])].map(({ access }) => ({
				access: { ...access, empty: '' },
			})),
		),
	]);

	const two = on({ people: { ana: 'g1 vpn', ben: 'inactive g1', dan: '' } });
	const chosen = (options) => ({ wish: () => ({ options }), on: two });
	const inOne = (name, group, groupId) => ({
		...{ userName: email(name), group, groupId, via: null, attribute: null, value: null },
	});
	table('access', 'getMatrix', [
		{
			it: 'of one group: its members, and no other column',
			...chosen({ onlyGroups: rows('vpn') }),
			items: [{ userName: email('ana'), access: { vpn: 'member' } }],
		},
		{
			it: 'of one user, by name in any case, with all columns',
			...chosen({ onlyUsers: email('BEN') }),
			items: [row('ben', false, 0, 1)],
		},
		{
			it: 'of a group that is not there, which would read as nobody',
			...chosen({ onlyGroups: rows('vpm') }),
			fails: [/There is no group "?vpm/],
		},
		{
			it: 'of a user who is not there, who would read as one without access',
			...chosen({ onlyUsers: `${email('ana')}, ${email('bem')}` }),
			fails: ['No user matches bem@example.com in Only These Users'],
		},
		{
			it: 'of groups that show no members: nobody is left out, as it is not known',
			...chosen({ onlyGroups: rows('vpn') }),
			on: on({ ...{ usersShowGroups: 'absent', showsMembers: 'absent' }, people: { ana: 'vpn' } }),
			items: [{ userName: email('ana') }],
		},
		{
			it: 'long: a row for each membership, with the same columns, and nobody is missing',
			...chosen({ return: 'perMembership' }),
			items: [
				inOne('ana', 'Engineering', 'g1'),
				inOne('ana', 'vpn', 'vpn'),
				inOne('ben', 'Engineering', 'g1'),
				{ ...inOne('dan', null, null) },
			],
		},
		{
			it: 'long, of roles: with organizations',
			...{ on: account, wish: () => ({ options: { return: 'perMembership' } }) },
			items: [
				{ role: 'viewer', organizationName: '<b>A</b>' },
				{ role: null, organization: null },
			],
		},
	]);

	test.each([[{}], [{ onlyGroups: rows('eng') }], [{ onlyUsers: email('zoe') }]])(
		'who is in a group in the group, by an entry that cannot be read, is not one without access: %j',
		async (options) => {
			const groups = ['eng', 'inner'];
			const world = new Groups({ ana: 'eng', zoe: '' }, { usersShowGroups: 'absent', groups });
			world.service.groups.get('eng').push('inner');
			const truly = world.service.truly.bind(world.service);
			world.service.truly = (request, how) => {
				const answer = truly(request, how);
				if (!/Groups/.test(request.url)) return answer;
				const body = JSON.parse(answer.text);
				for (const { id, members = [] } of body.Resources ?? [body])
					if (id === 'inner') members.push({ value: null, display: 'zoe' });
				return { ...answer, text: JSON.stringify(body) };
			};
			const items = await play(world, ['access', 'getMatrix'], { options });
			expect(items.find(({ userName }) => userName === email('zoe'))).toMatchObject({
				...{ access: null, warnings: [expect.stringContaining('Access is unknown')] },
			});
		},
	);

	test('names that could hide one another all have a column, organizations first', async () => {
		const groups = ['A', 'A', 'A (2)', '__proto__', 'app-Z-admin'].map((displayName, at) => ({
			...{ id: `g${at}`, displayName },
		}));
		const world = on({ groups, people: { ana: 'g0 g1 g2 g3 g4' }, credential: pattern })();
		const [{ access }] = await play(world, ['access', 'getMatrix'], {});
		expect(Object.keys(access)).toHaveLength(6);
		expect(Object.keys(access)[0]).toBe('Z');
		expect(Object.values(access).sort()).toEqual(['', 'admin', ...Array(4).fill('member')]);
	});
});
