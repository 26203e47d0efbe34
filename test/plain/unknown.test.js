'use strict';

require('../support/noWaiting');
const {
	GROUPS,
	ID,
	email,
	emails,
	errorsIn,
	idOf,
	listed,
	locator,
	membersIn,
	person,
	play,
	rows,
	serviceWith,
} = require('../support/modelGroupsPlay');

// Where a service shows memberships on one side only, and where it shows them nowhere.

const setVpn = async (service, people, options) =>
	await play(
		service,
		'setMembers',
		{ chooseGroupBy: 'group', group: locator('id', ID.vpn), people, options },
		[{}],
		{ resource: 'group' },
	);

describe.each([
	['both', {}],
	['groups only', { membersShownOn: 'groups' }],
	[
		'groups only, and users show none whatever they are in',
		{ membersShownOn: 'groups', emptyUserGroups: true },
	],
	[
		'groups only, an empty one without members',
		{ membersShownOn: 'groups', omitsEmptyMembers: true },
	],
	['users only', { membersShownOn: 'users' }],
])('members are shown on %s', (_name, switches) => {
	test('Get Access shows every group of a person', async () => {
		const service = serviceWith(switches);
		const [item] = await play(service, 'get', { user: locator('email', email('ben')) });
		expect(item).toMatchObject({ userId: idOf('ben'), userName: email('ben'), active: true });
		expect(item.assignments.map(({ groupId }) => groupId).sort()).toEqual(
			[ID.vpn, ID.sales, ID.everyone].sort(),
		);
		expect(item.assignments).toContainEqual({
			group: 'Sales, EMEA',
			groupId: ID.sales,
			via: null,
		});
		expect(service.written()).toStrictEqual([]);
	});

	test('Get Access of somebody in no group is an empty list', async () => {
		const service = serviceWith(switches);
		const [item] = await play(service, 'get', { user: locator('id', idOf('dan')) });
		// That users show groups is only known once one of them was seen with some.
		if (switches.membersShownOn === 'users' && item.assignments === null)
			expect(item.warnings.length).toBeGreaterThan(0);
		else expect(item.assignments).toStrictEqual([]);
	});

	test('the matrix has a column per group', async () => {
		const service = serviceWith(switches);
		const items = await play(service, 'getMatrix');
		const row = items.find(({ userName }) => userName === email('ben'));
		expect(row).toMatchObject({ userId: idOf('ben'), active: true });
		const held = Object.entries(row.access).filter(([, value]) => value !== '');
		expect(held.map(([, value]) => value)).toEqual(['member', 'member', 'member']);
		expect(held.map(([column]) => column.replace(/ \(.*\)$/, '')).sort()).toEqual(
			['Everyone', 'Sales, EMEA', 'VPN'].sort(),
		);
	});

	test('Assign is done where it is seen, and unchanged where it is so', async () => {
		const service = serviceWith(switches);
		const assign = async (name) =>
			await play(service, 'assign', { people: email(name), ...listed('Engineering') });
		expect(await assign('dan')).toMatchObject([{ change: 'granted', status: 'done' }]);
		expect(await assign('dan')).toMatchObject([{ change: 'none', status: 'unchanged' }]);
		expect(service.written()).toHaveLength(1);
	});

	test.each(['difference', 'wholeList'])(
		'Set Members (%s) leaves in who is on the list',
		async (replaceWith) => {
			const service = serviceWith(switches);
			const items = await setVpn(service, emails('ben', 'dan'), { replaceWith });
			expect(Object.fromEntries(items.map(({ userId, status }) => [userId, status]))).toEqual({
				[idOf('ben')]: 'unchanged',
				[idOf('dan')]: 'done',
				[idOf('eve')]: 'done',
			});
			expect(membersIn(service).vpn).toEqual(['ben', 'dan']);
		},
	);

	test.each([
		['VPN', 'done', 2],
		['Sales, EMEA', 'done', 1],
		['Engineering', 'unchanged', 1],
	])('Set Members with an empty list, for %s twice: each item says %s', async (name, status, n) => {
		const service = serviceWith({
			...switches,
			people: [person('ben', ['vpn', 'sales']), person('eve', ['vpn'])],
		});
		const group = locator('name', name);
		const parameters = { chooseGroupBy: 'group', group, people: '' };
		const options = { allowEmptying: true };
		const items = await play(service, 'setMembers', { ...parameters, options }, [{}, {}], {
			resource: 'group',
		});
		expect(items.map((item) => [item.group, item.status])).toEqual(
			Array.from({ length: 2 * n }, () => [name, status]),
		);
		expect(service.membersOf(items[0].groupId)).toStrictEqual([]);
	});

	test('Set and Offboard take away what is there', async () => {
		const service = serviceWith(switches);
		const managedGroups = rows('*');
		await play(service, 'set', { people: email('ben'), ...listed('Engineering'), managedGroups });
		await play(service, 'offboard', { people: email('ana') });
		expect(membersIn(service)).toEqual({
			eng: ['ben'],
			vpn: ['eve'],
			everyone: ['cleo', 'eve'],
		});
	});
});

test.each([
	['one group', [ID.everyone]],
	['every group', Object.values(ID)],
])(
	'the matrix shows what users say where the list leaves out %s',
	async (_name, unlistedGroups) => {
		const items = await play(serviceWith({ unlistedGroups }), 'getMatrix');
		const { access } = items.find(({ userName }) => userName === email('ben'));
		const held = Object.entries(access).filter(([, value]) => value === 'member');
		const named = ({ id, displayName }) => (unlistedGroups.includes(id) ? id : displayName);
		expect(held.map(([column]) => column).sort()).toEqual(
			[GROUPS.vpn, GROUPS.sales, GROUPS.everyone].map(named).sort(),
		);
	},
);

test('Set Members with different lists for one group: each item is an error, a repeated list too', async () => {
	const service = serviceWith();
	const items = await play(
		service,
		'setMembers',
		{ chooseGroupBy: 'group', group: locator('id', ID.vpn) },
		['ana', 'ben', 'ana'].map((name) => ({ people: email(name) })),
		{ resource: 'group' },
	);
	expect(errorsIn(items).map((error) => error.includes('want different members'))).toEqual(
		Array.from({ length: 3 }, () => true),
	);
	expect(service.written()).toStrictEqual([]);
});

describe.each([
	['groups show members: [], users show no groups', { membersShownOn: 'nowhere' }],
	['users show groups: [] as well', { membersShownOn: 'nowhere', emptyUserGroups: true }],
	[
		'groups without anybody show no members',
		{ membersShownOn: 'nowhere', omitsEmptyMembers: true },
	],
])('memberships are shown nowhere: %s', (_name, switches) => {
	test('Get Access says that it is not known, never an empty list', async () => {
		const [item] = await play(serviceWith(switches), 'get', { user: locator('id', idOf('ben')) });
		expect(item.assignments).toBeNull();
		expect(item.warnings.length).toBeGreaterThan(0);
	});

	test('the matrix says so, too', async () => {
		const items = await play(serviceWith(switches), 'getMatrix');
		expect(JSON.stringify(items)).toMatch(/not known|unknown|cannot be seen|shows? no/i);
	});

	test.each(['dan', 'ana'])(
		'a grant to %s is sent and unverified, never unchanged',
		async (name) => {
			const service = serviceWith(switches);
			const [item] = await play(service, 'assign', {
				people: email(name),
				...listed('Engineering'),
			});
			expect(item).toMatchObject({ change: 'granted', status: 'unverified', groupId: ID.eng });
			expect(item.error).toBeDefined();
			expect(service.written()).toEqual([`PATCH /Groups/${ID.eng}`]);
			expect(membersIn(service).eng).toContain(name);
		},
	);

	test.each([
		['revoke', { revokeIn: 'one', ...listed('VPN') }],
		['revoke', { revokeIn: 'all' }],
		['set', { ...listed('Engineering'), managedGroups: rows('*') }],
	])('%s removes nothing and does not say unchanged', async (operation, parameters) => {
		const service = serviceWith(switches);
		const items = await play(service, operation, { people: email('ben'), ...parameters });
		expect(items.filter(({ status }) => ['unchanged', 'done'].includes(status))).toStrictEqual([]);
		expect(errorsIn(items).length).toBeGreaterThan(0);
		expect(membersIn(service)).toMatchObject({ vpn: ['ben', 'eve'], sales: ['ben'] });
	});

	test.each(['difference', 'wholeList'])(
		'Set Members (%s) adds, and drops nobody unseen',
		async (replaceWith) => {
			const service = serviceWith(switches);
			const items = await setVpn(service, emails('dan'), { replaceWith });
			expect(errorsIn(items).length).toBeGreaterThan(0);
			expect(membersIn(service).vpn).toEqual(['ben', 'dan', 'eve']);
		},
	);

	test('Offboard deactivates, and is not done', async () => {
		const service = serviceWith(switches);
		const [item] = await play(service, 'offboard', { people: email('ben') });
		expect(item.status).toBe('unverified');
		expect(item.accessRemaining).not.toStrictEqual([]);
		expect(service.users.get(idOf('ben')).active).toBe(false);
	});

	test('Deactivate Users Without Access is refused', async () => {
		const service = serviceWith(switches);
		const items = await play(service, 'reconcile', {
			preview: false,
			wantedFrom: 'json',
			wantedJson: [{ email: email('ana'), group: 'Engineering' }],
			scopeGroups: rows('Engineering', 'VPN'),
			unwanted: 'revoke',
			options: { deactivatesEmpty: true },
		});
		expect(errorsIn(items).length).toBeGreaterThan(0);
		expect([...service.users.values()].filter(({ active }) => !active)).toHaveLength(2);
		expect(membersIn(service)).toMatchObject({ vpn: ['ben', 'eve'] });
	});
});

test('nobody in any group, and no trait says that groups show members: not known', async () => {
	const service = serviceWith({ people: [person('dan', [])] });
	const [item] = await play(service, 'get', { user: locator('id', idOf('dan')) });
	expect(item.assignments).toBeNull();
});

test('nobody in any group, and the credential says that groups show members: none', async () => {
	const service = serviceWith({ people: [person('dan', [])] });
	const credential = { serviceProfile: 'generic', overrideProfile: true, groupsShowMembers: 'yes' };
	const [item] = await play(service, 'get', { user: locator('id', idOf('dan')) }, [{}], {
		credential,
	});
	expect(item.assignments).toStrictEqual([]);
});
