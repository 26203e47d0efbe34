'use strict';

// What a run may never end with, seen from outside: judged by what the service holds afterwards, and by the items.
// Another client of the service acts at a named request (support/secondWriter).

require('./support/noWaiting');
const { matchOn } = require('./support/columns');
const { mapped } = require('./support/node');
const { later, meanwhile, oldReads } = require('./support/secondWriter');
const { ACCOUNT, MemoryService } = require('./support/memoryService');
const {
	ID,
	credentialOf,
	PEOPLE,
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
} = require('./support/modelGroupsPlay');
const { triggerAt } = require('./support/triggerPlay');
const { sealPlan } = require('../dist/nodes/shared/access/plans');
const { rolesOf, withService } = require('./support/service');
const { fromExpression, oneRole, someGroups } = require('./support/accessRows');

afterEach(() => jest.restoreAllMocks());

// ---- 1 ----
describe('1. Two runs at once: nobody who was removed by the other comes back', () => {
	const THREE = ['eng', 'vpn', 'sales'];
	const names = ['Engineering', 'VPN', 'Sales, EMEA'];
	const inGroup = (id) => ({ group: locator('id', id) });
	const remove = (...groups) => [
		'removeMembers',
		{ chooseGroupBy: 'group' },
		groups.map(inGroup),
		{ resource: 'group' },
	];
	const WAYS = {
		Revoke: ['revoke', { revokeIn: 'one', ...listed(...names) }],
		Set: ['set', { ...listed('Everyone'), managedGroups: rows('*') }],
		'Remove Members': remove(...THREE.map((word) => ID[word])),
	};
	const run = (service, way, name) => {
		const [operation, parameters, ...more] = WAYS[way] ?? way;
		return play(service, operation, { ...parameters, people: email(name) }, ...more);
	};
	/** All of them are in three groups, and in one that nobody is taken out of. */
	const world = (others, switches) =>
		serviceWith({
			people: ['ana', 'ben', ...others].map((name) => person(name, [...THREE, 'everyone'])),
			...switches,
		});
	const held = (service, name) =>
		membersIn(service).everyone.includes(name) &&
		THREE.filter((word) => membersIn(service)[word]?.includes(name));
	const dropBen = (scim) => THREE.forEach((word) => scim.drop(ID[word], idOf('ben')));

	const CASES = ['groups', 'users', 'both'].flatMap((shownOn) =>
		Object.keys(WAYS).map((way) => [way, shownOn]),
	);

	test.each(CASES)('%s, members shown on %s: one of several is told', async (way, shownOn) => {
		const service = world(['cleo', 'dan'], { membersShownOn: shownOn });
		const writer = meanwhile(service, /^PATCH \/Groups/, dropBen);
		const items = await run(service, way, 'ana');
		expect(writer.acted).toBe(true);
		expect([held(service, 'ana'), held(service, 'ben')]).toEqual([[], []]);
		expect(errorsIn(items)).toStrictEqual([]);
		const revoked = items.filter(({ change }) => change === 'revoked');
		expect(revoked.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
		// A group that shows nobody is not watched.
		if (shownOn !== 'users') expect(revoked[0].warnings.join()).toContain(email('ben'));
	});

	test.each(CASES)('%s, members shown on %s: another whole run', async (way, shownOn) => {
		const service = world(['cleo', 'dan'], { membersShownOn: shownOn });
		const send = service.exchange.bind(service);
		const items = [];
		service.exchange = async (request) => {
			if (request.method === 'PATCH') {
				service.exchange = send;
				items.push(...(await run(service, way, 'ben')));
			}
			return await send(request);
		};
		items.push(...(await run(service, way, 'ana')));
		expect([held(service, 'ana'), held(service, 'ben')]).toEqual([[], []]);
		expect(errorsIn(items)).toStrictEqual([]);
		expect(held(service, 'cleo')).toEqual(THREE);
	});

	const WATCHED = CASES.filter(([, shownOn]) => shownOn !== 'users');
	test.each(WATCHED)(
		'%s, members shown on %s: all others gone is an alarm',
		async (way, shownOn) => {
			const service = world([], { membersShownOn: shownOn });
			meanwhile(service, /^PATCH \/Groups/, dropBen);
			const items = await run(service, way, 'ana');
			expect(held(service, 'ben')).toStrictEqual([]);
			expect(service.written()).toHaveLength(1);
			expect(held(service, 'ana')).toHaveLength(2);
			const errors = errorsIn(items);
			expect(errors).toHaveLength(3);
			expect(errors.filter((error) => error.includes(email('ben')))).toHaveLength(1);
			expect(errors.join()).toMatch(/Another run may have removed them/);
		},
	);

	test('a whole list brings nobody back', async () => {
		const people = ['ana', 'ben', 'cleo'].map((name) => person(name, ['vpn']));
		const service = serviceWith({ people, faults: [{ method: 'PUT', nth: 1, kind: '429' }] });
		meanwhile(service, /^PUT/, (scim) => scim.drop(ID.vpn, idOf('ben')));
		const items = await play(
			...[service, 'setMembers'],
			{
				...{ chooseGroupBy: 'group', group: locator('id', ID.vpn), people: emails('ben', 'cleo') },
				options: { replaceWith: 'wholeList', maxWait: 60, verifyTime: 0 },
			},
			...[[{}], { resource: 'group' }],
		);
		expect(membersIn(service).vpn).toEqual(['ana', 'cleo']);
		expect(errorsIn(items)).toEqual([expect.stringContaining(`${idOf('ben')} left it meanwhile`)]);
	});

	test('a removal that is refused: nobody is put back or blamed', async () => {
		const service = world([], { refusesRemovalFrom: [ID.vpn] });
		meanwhile(service, `PATCH /Groups/${ID.vpn}`, dropBen);
		const [{ status, error }] = await run(service, remove(ID.vpn), 'ana');
		expect(held(service, 'ben')).toStrictEqual([]);
		expect(service.written()).toEqual([`PATCH /Groups/${ID.vpn}`]);
		expect([status, String(error)]).toEqual(['failed', expect.not.stringContaining('ben')]);
	});

	test('a service that empties groups is met in the smallest one, and no other is touched', async () => {
		const people = [
			person('ana', ['eng', 'vpn']),
			person('ben', ['eng', 'vpn']),
			person('cleo', ['eng', 'vpn']),
			person('dan', ['eng']),
		];
		const service = serviceWith({ people, removesEverybody: ['filterPath'] });
		const items = await run(service, remove(ID.eng, ID.vpn), 'ana');
		expect(service.written()).toEqual([`PATCH /Groups/${ID.vpn}`]);
		expect(membersIn(service)).toEqual({ eng: ['ana', 'ben', 'cleo', 'dan'] });
		expect(items.map(({ status }) => status)).toEqual(['failed', 'unverified']);
		expect(errorsIn(items)[1]).toContain(`(${email('ben')}, ${email('cleo')})`);
	});
});

// ---- 2 ----
describe('2. 404 by ID is not gone while the service shows the user', () => {
	const user = { user: locator('email', email('ana')) };
	const limits = {};
	const WAYS = {
		'User: Deactivate': ['user', 'deactivate', user],
		'User: Delete': ['user', 'delete', user],
		'User: Update': ['user', 'update', { ...user, ...mapped({ active: false }) }],
		'Access: Offboard, deactivate': ['access', 'offboard', { people: email('ana') }],
		'Access: Offboard, delete': ['access', 'offboard', { people: email('ana'), method: 'delete' }],
		'User: Reconcile': [
			'user',
			'reconcile',
			{
				...{ preview: false, usersFrom: 'json', usersJson: [{ userName: email('ben') }] },
				...{ absentUsers: 'deactivate', scopeBy: 'userNames', scopeUserNames: 'ana@*' },
			},
		],
		'Access: Reconcile': [
			'access',
			'reconcile',
			{
				...{ preview: false, wantedFrom: 'json', unwanted: 'revoke', scopeGroups: rows('VPN') },
				wantedJson: [{ email: email('ben'), group: 'VPN' }],
				options: { deactivatesEmpty: true },
			},
		],
	};
	const HIDDEN = {
		'an ID that is hidden': [idOf('ana'), { hidesById: [idOf('ana')] }],
		'an ID with a slash': ['hr/4711', { refusesEncodedSlash: true }],
	};
	const worldOf = (id, switches) =>
		serviceWith({
			people: [person('ana', ['vpn'], { id }), person('ben', ['vpn']), person('cleo', ['vpn'])],
			...switches,
		});
	const run = (service, [resource, operation, parameters], credential) =>
		play(
			service,
			operation,
			{ ...parameters, options: { ...limits, ifNotFound: 'alreadyGone', ...parameters.options } },
			[{}],
			{ resource, ...(credential && { credential }) },
		);
	const expectNotGone = (service, id, items) => {
		expect(service.users.get(id)).toMatchObject({ active: true });
		expect(errorsIn(items).length).toBeGreaterThan(0);
		const own = items.filter((item) => item.userName === email('ana') || item.userId === id);
		for (const { change, status, provenAt, deleted } of own) {
			// Another change than that of the account may have been made.
			if (change !== 'revoked') expect(status).toMatch(/failed|unverified/);
			expect([provenAt ?? null, deleted ?? false]).toEqual([null, false]);
		}
	};

	describe.each(Object.keys(HIDDEN))('%s', (how) => {
		const [id, switches] = HIDDEN[how];
		describe.each(['on', 'off'])('filter %s', (filter) => {
			test.each(Object.keys(WAYS))('%s', async (way) => {
				const service = worldOf(id, { ...switches, filter });
				const items = await run(service, WAYS[way]);
				expect(items).not.toHaveLength(0);
				expectNotGone(service, id, items);
			});
		});

		test.each([
			['user', 'deactivate', { user: locator('id', id) }],
			['user', 'delete', { user: locator('id', id) }],
			['access', 'offboard', { people: id }],
			['access', 'offboard', { people: id, method: 'delete' }],
		])('%s %s by ID, with Treat as Already Gone', async (...way) => {
			const service = worldOf(id, switches);
			expectNotGone(service, id, await run(service, way));
		});
	});

	const ON_ACCOUNT = Object.keys(WAYS).filter((way) => !way.includes('Reconcile'));
	test.each(ON_ACCOUNT)('on the account, which answers 204 to what it hides: %s', async (way) => {
		const organizations = [{ id: 'org-1', name: 'One' }];
		const people = [
			{ userName: email('ana'), roles: { 'org-1': 'member' } },
			{ userName: email('ben'), roles: { 'org-1': 'admin' } },
		];
		const switches = { ...ACCOUNT, hidesById: [idOf('ana')] };
		const service = new MemoryService({ organizations, people }, switches);
		const credential = { serviceProfile: 'accountOrganizations' };
		expectNotGone(service, idOf('ana'), await run(service, WAYS[way], credential));
	});

	test.each(['deactivate', 'delete'])(
		'Apply Plan of Offboard, which knows the user by ID alone: %s',
		async (method) => {
			const service = worldOf(undefined);
			const parameters = { people: email('ana'), method, preview: true };
			const [plan] = await run(service, ['access', 'offboard', parameters]);
			service.switches.hidesById = [idOf('ana')];
			const items = await play(service, 'applyPlan', { changes: 'all', plan });
			expectNotGone(service, idOf('ana'), items);
		},
	);

	test('Offboard, where filters alone tell of members, proves no removal that was refused', async () => {
		const ways = { membersShownOn: 'nowhere', membershipFilter: 'on' };
		const service = serviceWith({ ...ways, refusesRemovalFrom: [ID.vpn] });
		const [item] = await run(service, ['access', 'offboard', { people: email('ben') }]);
		expect(membersIn(service).vpn).toContain('ben');
		expect(item).toMatchObject({ status: 'failed', provenAt: null });
		expect(item.accessRemaining).toMatchObject([{ group: 'VPN' }]);
	});

	test.each(['id', 'name'])('Group: Delete by %s', async (mode) => {
		const groups = [{ id: 'apps/vpn', displayName: 'VPN' }];
		const service = serviceWith({ groups, people: [], refusesEncodedSlash: true });
		const group = locator(mode, mode === 'id' ? 'apps/vpn' : 'VPN');
		const items = await run(service, ['group', 'delete', { chooseGroupBy: 'group', group }]);
		expect(service.groups.has('apps/vpn')).toBe(true);
		expect(items).toMatchObject([{ status: expect.stringMatching(/failed|unverified/) }]);
	});

	test.each(Object.keys(WAYS))('%s of a user who is gone is not held up', async (way) => {
		const service = worldOf(undefined);
		meanwhile(service, /^(PATCH|DELETE) \/Users/, (scim) => scim.delete(idOf('ana')));
		const items = await run(service, WAYS[way]);
		expect(errorsIn(items)).toStrictEqual([]);
	});
});

// ---- 3 ----
describe('3. A deactivation that removes the account is done', () => {
	const user = { user: locator('email', email('ana')) };
	const WAYS = {
		'User: Deactivate': ['user', 'deactivate', user],
		'User: Update': ['user', 'update', { ...user, ...mapped({ active: false }) }],
		'Access: Offboard': ['access', 'offboard', { people: email('ana') }],
	};
	const CREDENTIALS = {
		'Generic SCIM 2.0': { serviceProfile: 'generic' },
		'the trait': { serviceProfile: 'generic', overrideProfile: true, deactivation: 'removes' },
		'Weights & Biases': { serviceProfile: 'weightsAndBiases' },
	};
	const options = {
		matchUsersBy: 'email',
		allowPermanentRemoval: true,
	};

	describe.each(Object.keys(CREDENTIALS))('%s', (profile) => {
		const credential = { ...CREDENTIALS[profile], scimPrefix: 'nowhere' };
		test.each(Object.keys(WAYS))('%s', async (way) => {
			const [resource, operation, parameters] = WAYS[way];
			const people = [person('ana', []), person('ben', [])];
			const service = serviceWith({ people, deactivationDeletes: true, patchAnswers: 204 });
			const more = { resource, credential };
			const items = await play(service, operation, { ...parameters, options }, [{}], more);
			expect(service.users.has(idOf('ana'))).toBe(false);
			expect(errorsIn(items)).toStrictEqual([]);
			expect(items).toMatchObject([
				{
					...{ status: 'done', userId: idOf('ana'), userName: email('ana') },
					warnings: [
						'ana@example.com is not there any more: after the deactivation, the service or another client removed the account.',
					],
				},
			]);
		});
	});

	test.each(Object.keys(WAYS))('%s: reads that are late do not make it active', async (way) => {
		const [resource, operation, parameters] = WAYS[way];
		const service = serviceWith({ deactivationDeletes: true, patchAnswers: 204, lagReads: 2 });
		const requests = { verifyTime: 30 };
		const all = { ...parameters, options: { ...options, ...requests } };
		const [item] = await play(service, operation, all, [{}], { resource });
		expect(item).toMatchObject({ status: 'done', userId: idOf('ana') });
		expect(item.active ?? null).toBeNull();
	});
});

// ---- 4 ----
describe('4. userId names a user in a row, and a bare id means nothing', () => {
	const TABLE = { id: 11, createdAt: '2026-01-31T08:00:00Z', updatedAt: '2026-01-31T08:00:00Z' };
	const dora = person('dora', ['everyone'], { id: '11' });
	const world = () => serviceWith({ people: [...PEOPLE, dora] });
	const shown = (name) => email(name) + ' (ID ' + (name === 'dora' ? '11' : idOf(name)) + ')';

	/** Access: Reconcile of rows for VPN. */
	const give = async (service, list, { options, ...more } = {}) =>
		await play(
			service,
			'reconcile',
			{
				...{ preview: false, wantedFrom: 'items', unwanted: 'keep', scopeGroups: rows('VPN') },
				...{ ...more, options },
			},
			list.map((row) => ({ json: { group: 'VPN', ...row } })),
		);
	/** User: Reconcile of rows. */
	const describeUsers = async (service, list, matchUsersBy = 'userName') =>
		await play(
			service,
			'reconcile',
			{ preview: false, usersFrom: 'items', ...matchOn(matchUsersBy) },
			list.map((json) => ({ json })),
			{ resource: 'user' },
		);

	test.each([
		['email', { email: email('ana') }],
		['userName', { userName: email('ana') }],
		['person', { person: idOf('ana') }],
		['userId', { userId: idOf('ana') }],
		['userId and an email that nobody has', { userId: idOf('ana'), email: email('nobody') }],
		[
			'userId, userName and email',
			{ userId: idOf('ana'), userName: email('ANA'), email: email('ana') },
		],
		['all, by email', { userId: idOf('ana'), userName: 'a', email: email('ana') }, 'email'],
	])(
		'a row of a Data Table gives the person of its %s access',
		async (_name, who, by = 'userName') => {
			const service = world();
			const options = { matchUsersBy: by };
			expect(errorsIn(await give(service, [{ ...TABLE, ...who }], { options }))).toStrictEqual([]);
			expect(membersIn(service).vpn).toEqual(['ana', 'ben', 'eve']);
		},
	);

	test('a bare id, and what else tables add, neither name a person nor fill a blank row', async () => {
		const service = world();
		const blank = { ...TABLE, row_number: 2, group: '' };
		const items = await give(service, [TABLE, blank]);
		expect(items).toMatchObject([{ status: 'failed' }, { status: 'skipped' }]);
		expect(errorsIn(items)).toEqual(['Row 1 has no person']);
		const users = await describeUsers(service, [
			...[{ userName: email('ana') }, TABLE, { ...TABLE, title: 'Boss' }],
		]);
		expect(users.map(({ status }) => status)).toEqual(['unchanged', 'skipped', 'failed']);
		expect(service.written()).toStrictEqual([]);
	});

	test.each([
		['userId and email', { userId: '11', email: email('ana') }, ['dora', 'ana']],
		['userId and userName', { userId: '11', userName: email('ana') }, ['dora', 'ana']],
		['person and userName', { person: '11', userName: email('ana') }, ['dora', 'ana']],
		[
			'person, an email, and userName',
			{ person: email('dan'), userName: email('ana') },
			['dan', 'ana'],
		],
		['userName and email', { userName: email('dan'), email: email('ana') }, ['dan', 'ana']],
		['email and person', { email: email('dan'), person: idOf('ana') }, ['ana', 'dan'], 'email'],
		[
			'email and userName',
			{ email: email('dan'), userName: email('ana') },
			['dan', 'ana'],
			'email',
		],
	])(
		'%s of two people: nobody gets anything, and both are named',
		async (_name, who, two, by = 'userName') => {
			const service = world();
			const options = { matchUsersBy: by };
			const [error] = errorsIn(await give(service, [who], { options }));
			for (const name of two) expect(error).toContain(shown(name));
			expect(service.written()).toStrictEqual([]);
		},
	);

	test.each([
		['no filter', { filter: 'off' }],
		['a filter for user names alone', { filterBy: { Users: ['userName'] } }],
	])('an email of another person counts on a service with %s', async (_name, ways) => {
		const service = serviceWith({
			people: [person('ana', [], { userName: 'asilva' }), dora],
			...ways,
		});
		const [error] = errorsIn(await give(service, [{ userId: '11', email: email('ana') }]));
		expect(error).toContain(shown('dora'));
		expect(service.written()).toStrictEqual([]);
	});

	test('a new user name beside the email of somebody who is there makes no second account', async () => {
		const service = world();
		const items = await give(service, [{ userName: 'ana2', email: email('ana') }], {
			createMissing: true,
		});
		expect(errorsIn(items)[0]).toContain(shown('ana'));
		expect(service.written()).toStrictEqual([]);
	});

	test('an ID that is gone, beside the email of somebody: nobody is gone', async () => {
		const service = world();
		const items = await play(service, 'offboard', {
			people: [{ userId: 'user-0', email: email('ana') }],
			options: { ifNotFound: 'alreadyGone' },
		});
		expect(errorsIn(items)[0]).toContain(shown('ana'));
		expect(service.written()).toStrictEqual([]);
	});

	test('User: Reconcile: rows of a Data Table', async () => {
		const service = world();
		await describeUsers(service, [{ ...TABLE, email: email('ana'), title: 'Boss' }]);
		expect(service.users.get(idOf('ana')).attributes).toMatchObject({ title: 'Boss' });
		expect(service.users.get('11').attributes).toEqual({ emails: dora.emails });
		expect(Object.keys(service.users.get(idOf('ana')).attributes)).toEqual(['emails', 'title']);
	});

	test('User: Reconcile: beside userId, all other keys are wanted', async () => {
		const service = world();
		const row = { userId: idOf('ana'), userName: email('anna'), email: email('anna') };
		expect(errorsIn(await describeUsers(service, [row]))).toStrictEqual([]);
		const { userName, attributes } = service.users.get(idOf('ana'));
		expect([userName, attributes.emails[0].value]).toEqual([email('anna'), email('anna')]);
	});

	test.each([
		['user name', { userName: email('ben') }],
		['email, by which users are matched', { email: email('ben') }, 'email'],
		['user name, beside a free email', { email: email('x'), userName: email('ben') }, 'email'],
	])('User: Reconcile: not the %s of somebody else', async (_name, key, by = 'userName') => {
		const service = world();
		const items = await describeUsers(service, [{ userId: idOf('ana'), ...key }], by);
		expect(errorsIn(items)[0]).toContain(idOf('ana') + ' is ' + email('ana'));
		expect(errorsIn(items)[0]).toContain(shown('ben'));
		expect(service.written()).toStrictEqual([]);
	});

	test('lists of people take objects, such as the members of a group', async () => {
		const service = world();
		const group = { chooseGroupBy: 'group', group: locator('name', 'VPN') };
		const set = async (people) =>
			await play(service, 'setMembers', { ...group, people }, [{}], { resource: 'group' });
		const two = { userId: idOf('dan'), email: email('ana') };
		expect(errorsIn(await set([{ userId: idOf('ben') }, two]))[0]).toContain(shown('ana'));
		expect(errorsIn(await set([{ id: idOf('ben') }]))[0]).toContain('names no person');
		expect(membersIn(service).vpn).toEqual(['ben', 'eve']);
		const [{ members }] = await play(service, 'get', group, [{}], { resource: 'group' });
		await set([...members, { userName: email('dan') }]);
		expect(membersIn(service).vpn).toEqual(['ben', 'dan', 'eve']);
	});

	test('items of one operation are rows for another', async () => {
		const name = { givenName: 'Ana', familyName: 'Silva' };
		const people = [person('ana', ['eng'], { name }), dora];
		const service = serviceWith({ people });
		const [granted] = await play(service, 'assign', { people: email('ana'), ...listed('VPN') });
		expect(granted).toMatchObject({ userId: idOf('ana'), userName: email('ana') });
		expect(granted).not.toHaveProperty('id');
		expect(await give(service, [granted])).toMatchObject([{ status: 'unchanged' }]);
		const user = { user: locator('email', email('ana')), simplify: true };
		const [shownUser] = await play(service, 'get', user, [{}], { resource: 'user' });
		const [review] = (await play(service, 'getMatrix')).filter(
			({ userId }) => userId === idOf('ana'),
		);
		const [left] = await play(service, 'offboard', { people: [granted] });
		expect(left).toMatchObject({ userId: idOf('ana'), status: 'done' });
		const rowsOfUsers = [{ ...shownUser, active: false }];
		for (const row of [...rowsOfUsers, { ...review, active: false }, left]) {
			expect(await describeUsers(service, [row])).toMatchObject([{ status: 'unchanged' }]);
		}
	});
});

// ---- 5 ----
describe('5. A row out of scope activates and creates nobody', () => {
	const outOfScope = async (service, ...wanted) =>
		await play(service, 'reconcile', {
			...{ preview: false, wantedFrom: 'json', wantedJson: wanted, unwanted: 'keep' },
			...{ scopeGroups: rows('Engineering'), createMissing: true, options: { reactivate: true } },
		});

	test.each([
		['inactive, in the group already', { email: email('eve'), group: 'VPN' }],
		['inactive', { email: email('finn'), group: 'VPN' }],
		['new', { email: email('gus'), group: 'VPN' }],
	])('somebody %s', async (_, row) => {
		const service = serviceWith();
		const items = await outOfScope(service, row);
		expect(errorsIn(items)).toEqual(['member of group VPN is not in scope']);
		expect(service.written()).toStrictEqual([]);
	});

	test('a row in scope for the same person activates', async () => {
		const service = serviceWith();
		const eve = ['VPN', 'Engineering'].map((group) => ({ email: email('eve'), group }));
		const items = await outOfScope(service, ...eve);
		expect(errorsIn(items)).toEqual(['member of group VPN is not in scope']);
		expect(service.byName(email('eve')).active).toBe(true);
		expect(membersIn(service).eng).toEqual(['ana', 'eve']);
	});
});

// ---- 6 ----
describe('6. Active is never read off a membership', () => {
	/** Everything that gives access, with how it is told to give a group to one person who has others. */
	const GIVING = {
		assign: (who, group) => ({ people: who, ...group }),
		set: (who, group) => ({ people: who, ...group, managedGroups: rows('*') }),
		reconcile: (who, _, row) => ({
			...{ preview: false, wantedFrom: 'json', wantedJson: [{ email: who, ...row }] },
			...{ unwanted: 'keep', scopeGroups: rows('*'), scopeOrganizations: 'org-a, org-b' },
		}),
		addMembers: (who, group) => ({ people: who, ...group }),
		setMembers: (who, group) => ({ people: who, ...group }),
	};
	const resourceOf = (operation) => (operation.endsWith('Members') ? 'group' : 'access');

	describe.each(Object.keys(GIVING))('%s on plain groups', (operation) => {
		const give = async (switches, options = {}) => {
			const service = serviceWith({
				people: [person('eve', ['vpn'], { active: false })],
				...switches,
			});
			const eng = locator('id', ID.eng);
			const group = { chooseGroupBy: 'group', group: eng, ...someGroups(eng) };
			const parameters = GIVING[operation](email('eve'), group, { group: ID.eng });
			const resource = resourceOf(operation);
			const items = await play(service, operation, { ...parameters, options }, [{}], { resource });
			return { items, isIn: membersIn(service).eng !== undefined, ...service.byName(email('eve')) };
		};

		test('an inactive person gets nothing', async () => {
			const { items, isIn, active } = await give({});
			const said = expect.stringContaining('is inactive, and Reactivate is off');
			// A nightly list that still names somebody who is inactive is no failure.
			if (operation !== 'reconcile') expect(errorsIn(items)).toEqual([said]);
			else {
				expect(items).toMatchObject([{ status: 'skipped', reason: 'inactive', warnings: [said] }]);
				expect(errorsIn(items)).toStrictEqual([]);
			}
			expect([isIn, active]).toEqual([false, false]);
		});

		test('Reactivate lets the person in', async () => {
			const { items, isIn, active } = await give({}, { reactivate: true });
			expect(errorsIn(items)).toStrictEqual([]);
			expect([isIn, active]).toEqual([true, true]);
		});

		test('a service that never shows active stops nothing', async () => {
			const { items, isIn } = await give({ active: 'absent' });
			expect(errorsIn(items)).toStrictEqual([]);
			expect(isIn).toBe(true);
		});
	});

	const EVE = 'eve@example.com';
	const seed = (role, active = false) => ({
		...{ account: 'org-acct', organizations: ['org-acct', 'org-a', 'org-b'] },
		users: [{ userName: EVE, active }],
		memberships: [{ userName: EVE, organization: 'org-a', role }],
	});
	const giveRole = async (scim, operation, organization, role, options = {}) => {
		const place = { organization: locator('id', organization), role };
		const group = {
			...{ chooseGroupBy: 'organizationAndRole', ...place },
			...oneRole(place.organization, role),
		};
		const parameters = GIVING[operation](EVE, group, { organization, role });
		const more = { onError: 'continueErrorOutput' };
		return await scim(resourceOf(operation), operation, { ...parameters, options }, more);
	};

	describe.each(Object.keys(GIVING))('%s on an account', (operation) => {
		test.each([
			['org-a', 'admin'],
			['org-b', 'viewer'],
		])('a viewer who is inactive does not get %s %s', async (organization, role) => {
			await withService({ seed: seed('viewer') }, async (service, scim) => {
				const { json, errorJson } = await giveRole(scim, operation, organization, role);
				expect(rolesOf(service, EVE)).toEqual({ 'org-a': 'viewer' });
				if (operation === 'reconcile')
					expect(json).toMatchObject([{ status: 'skipped', reason: 'inactive' }]);
				else
					expect(errorJson).toEqual([
						expect.objectContaining({ error: expect.stringContaining('is inactive') }),
					]);
			});
		});

		test('Reactivate lets the person in', async () => {
			await withService({ seed: seed('viewer') }, async (service, scim) => {
				const { errorJson } = await giveRole(scim, operation, 'org-a', 'member', {
					reactivate: true,
				});
				expect(errorJson ?? []).toStrictEqual([]);
				expect(rolesOf(service, EVE)).toEqual({ 'org-a': 'member' });
				expect(service.state.userByName(EVE).active).toBe(true);
			});
		});

		test('a lower role is no gain', async () => {
			await withService({ seed: seed('member') }, async (service, scim) => {
				const { errorJson } = await giveRole(scim, operation, 'org-a', 'viewer');
				expect(errorJson ?? []).toStrictEqual([]);
				expect(rolesOf(service, EVE)).toEqual({ 'org-a': 'viewer' });
			});
		});

		test('an account that cannot be read gets nothing', async () => {
			const faults = [{ method: 'GET', path: /Users.user/, kind: '500-html' }];
			await withService({ seed: seed('viewer', true), faults }, async (service, scim) => {
				const { error, errorJson = [] } = await giveRole(scim, operation, 'org-a', 'admin');
				expect(rolesOf(service, EVE)).toEqual({ 'org-a': 'viewer' });
				expect([error, ...errorJson].filter(Boolean)).toHaveLength(1);
			});
		});
	});

	test.each([false, true])(
		'Apply Plan, with Reactivate %s, lets nobody back',
		async (reactivate) => {
			await withService({ seed: seed('viewer', true) }, async (service, scim) => {
				const parameters = { ...GIVING.assign(EVE, {}), preview: true };
				const place = oneRole(locator('id', 'org-a'), 'admin');
				const options = { reactivate };
				const planned = await scim('access', 'assign', { ...parameters, ...place, options });
				const { id } = service.state.userByName(EVE);
				service.state.directory.setActive(id, false);
				service.state.directory.setRole(id, 'org-a', 'viewer');
				await scim('access', 'applyPlan', { changes: 'all', plan: planned.json[0] });
				expect(rolesOf(service, EVE)).toEqual({ 'org-a': 'viewer' });
				expect(service.state.userByName(EVE).active).toBe(false);
			});
		},
	);

	test.each([
		['at once, the role is the wanted one', 0, 'viewer', []],
		['and 6 seconds pass, the role stays', 6_000, 'admin', ['is admin in org-a now']],
	])(
		'Assign with Reactivate, while another client makes the person admin: %s',
		async (_, ms, role, said) => {
			const people = [{ userName: email('eve'), active: false }];
			const service = new MemoryService({ people, organizations: ['org-acct', 'org-a'] }, ACCOUNT);
			const writer = meanwhile(service, 'POST /scim/Users', (scim) => {
				scim.add('org-a:admin', idOf('eve'));
				if (ms > 0) later(ms);
			});
			const given = {
				people: email('eve'),
				...oneRole('org-a', 'viewer'),
				options: { reactivate: true },
			};
			const items = await play(
				...[service, 'assign', { ...given, accessBy: 'organizationAndRole' }],
				...[[{}], { credential: {} }],
			);
			expect(writer.acted).toBe(true);
			expect(errorsIn(items)).toEqual(said.map((words) => expect.stringContaining(words)));
			expect(service.users.get(idOf('eve')).active).toBe(true);
			expect(service.rolesOf(idOf('eve'))).toStrictEqual([['org-a', role]]);
		},
	);

	describe('on the account, an inactive person who holds the wanted role', () => {
		/** @returns whether the person is active in the end, and how many errors there are */
		async function want(operation, reactivate, held = 'viewer') {
			const people = [{ userName: email('eve'), active: false, roles: { 'org-a': held } }];
			const service = new MemoryService({ people, organizations: ['org-acct', 'org-a'] }, ACCOUNT);
			const row = { organization: 'org-a', role: 'viewer' };
			const wanted = {
				assign: { people: email('eve'), ...oneRole('org-a', 'viewer') },
				reconcile: {
					...{ preview: false, wantedFrom: 'json', wantedJson: [{ person: email('eve'), ...row }] },
					...{ scopeOrganizations: 'org-a', scopeRoles: 'viewer', unwanted: 'keep' },
				},
			}[operation];
			const given = { accessBy: 'organizationAndRole', ...wanted, options: { reactivate } };
			const items = await play(service, operation, given, [{}], { credential: {} });
			return [service.users.get(idOf('eve')).active, errorsIn(items).length];
		}

		test('Reconcile with Reactivate activates', async () => {
			expect(await want('reconcile', true)).toEqual([true, 0]);
		});

		test('Assign with Reactivate activates', async () => {
			expect(await want('assign', true)).toEqual([true, 0]);
		});

		test('Assign of a lower role with Reactivate activates', async () => {
			expect(await want('assign', true, 'member')).toEqual([true, 0]);
		});

		test.each([
			['assign', 1],
			['reconcile', 0],
		])('%s gives nothing', async (operation, errors) => {
			expect(await want(operation, false)).toEqual([false, errors]);
		});
	});
});

// ---- 7 ----
describe('7. A renamed account is not gone', () => {
	const options = { ifNotFound: 'alreadyGone' };
	const endings = [
		['Offboard', 'access', 'offboard', { people: email('ben') }],
		['Offboard by Delete', 'access', 'offboard', { people: email('ben'), method: 'delete' }],
		['Revoke', 'access', 'revoke', { people: email('ben'), revokeIn: 'all' }],
		['Deactivate', 'user', 'deactivate', { user: locator('email', email('ben')) }],
		['Delete', 'user', 'delete', { user: locator('email', email('ben')) }],
	];
	const makings = [
		['Assign', 'access', 'assign', { people: email('ben'), createMissing: true, ...listed('VPN') }],
		['Create', 'user', 'create', { userName: email('ben') }],
		['Create or Update', 'user', 'upsert', { userName: email('ben') }],
	];
	const OTHER = 'b.miller@example.com';
	const rename = (service) => service.store({ ...service.users.get(idOf('ben')), userName: OTHER });
	/** The account, whose filters and members go by the login. */
	const accountWith = (roles, switches) =>
		new MemoryService(
			{
				organizations: ['org-acct', 'org-a'],
				people: [
					{ userName: email('ana'), roles: { 'org-acct': 'admin', 'org-a': 'admin' } },
					{ userName: email('ben'), roles },
				],
			},
			{ ...ACCOUNT, ...switches },
		);
	const onAccount = { credential: {} };

	test.each([...endings, ...makings])(
		'%s elsewhere: an error with the ID',
		async (_, resource, operation, parameters) => {
			const service = serviceWith({ userNames: 'shown' });
			rename(service);
			const before = membersIn(service);
			const items = await play(service, operation, { ...parameters, options }, [{}], { resource });
			expect(errorsIn(items)).toEqual([expect.stringContaining(idOf('ben'))]);
			// Create leaves it to the service to say who is there.
			expect(service.written()).toStrictEqual(operation === 'create' ? ['POST /Users'] : []);
			expect(membersIn(service)).toEqual(before);
			expect(service.users.size).toBe(6);
		},
	);

	test.each([
		['Offboard', 'access', 'offboard', {}],
		['Revoke', 'access', 'revoke', { revokeIn: 'all' }],
		[
			...['Remove Members', 'group', 'removeMembers'],
			{ chooseGroupBy: 'group', group: locator('id', ID.vpn) },
		],
	])(
		'%s of several elsewhere, who are read as a list: an error with the ID',
		async (_, resource, operation, parameters) => {
			const service = serviceWith({ userNames: 'shown' });
			rename(service);
			const people = emails('ben', 'cleo', 'dan');
			const all = { ...parameters, people, options };
			const items = await play(service, operation, all, [{}], { resource });
			expect(errorsIn(items)).toEqual([expect.stringContaining(idOf('ben'))]);
		},
	);

	describe.each([
		['with a role', { 'org-a': 'member' }],
		['without a role', {}],
	])('on the account, %s', (held, roles) => {
		test.each(endings)('%s: it is that person', async (_, resource, operation, parameters) => {
			const service = accountWith(roles);
			rename(service);
			const more = { ...onAccount, resource };
			const items = await play(service, operation, { ...parameters, options }, [{}], more);
			expect(errorsIn(items)).toEqual([]);
			expect(service.heldBy(idOf('ben'))).toStrictEqual([]);
			if (operation !== 'revoke')
				expect(service.users.get(idOf('ben'))?.active ?? false).toBe(false);
			// Groups tell who is a member, and then nobody has to read the user.
			const isRead = held === 'without a role' || service.users.has(idOf('ben'));
			if (isRead && operation !== 'revoke')
				expect(items[0].warnings).toContainEqual(expect.stringContaining(`shows ${OTHER}`));
		});

		test.each(makings.slice(1))('%s: no second account', async (_, resource, operation, wanted) => {
			const service = accountWith(roles);
			rename(service);
			const [item] = await play(service, operation, wanted, [{}], { ...onAccount, resource });
			expect(service.users.size).toBe(2);
			if (operation === 'create') expect(item.error).toContain(idOf('ben'));
			else expect(item).toMatchObject({ userId: idOf('ben'), status: 'unchanged' });
		});

		test('Assign: it is that person', async () => {
			const service = accountWith(roles);
			rename(service);
			const parameters = {
				people: email('ben'),
				createMissing: true,
				accessBy: 'organizationAndRole',
				...oneRole(locator('id', 'org-a'), 'viewer'),
			};
			const items = await play(service, 'assign', parameters, [{}], onAccount);
			expect(errorsIn(items)).toEqual([]);
			expect(service.users.size).toBe(2);
			expect(service.rolesOf(idOf('ben'))).toStrictEqual([['org-a', 'viewer']]);
		});
	});

	test('on the account, Apply Plan gives what Preview planned', async () => {
		const service = accountWith({});
		rename(service);
		const [plan] = await play(
			service,
			'reconcile',
			{
				...{ preview: true, wantedFrom: 'json', accessBy: 'organizationAndRole' },
				wantedJson: [{ person: email('ben'), organization: 'org-a', role: 'viewer' }],
				...{ scopeOrganizations: 'org-a', scopeRoles: 'viewer', unwanted: 'keep' },
			},
			[{}],
			onAccount,
		);
		expect(plan.plan.changes).toMatchObject([
			{ change: 'granted', person: { userName: email('ben') } },
		]);
		await play(service, 'applyPlan', { changes: 'all', plan }, [{}], onAccount);
		expect(service.rolesOf(idOf('ben'))).toStrictEqual([['org-a', 'viewer']]);
	});

	test.each(endings.filter(([name]) => name !== 'Revoke'))(
		'%s on the account, whose filters are refused: the person is not gone',
		async (_, resource, operation, parameters) => {
			const service = accountWith({}, { filter: 'off' });
			rename(service);
			const items = await play(service, operation, { ...parameters, options }, [{}], {
				...onAccount,
				resource,
			});
			const user = service.users.get(idOf('ben'));
			expect(user?.active !== true || errorsIn(items).length > 0).toBe(true);
		},
	);

	test('on the account, somebody else who shows the name is another person', async () => {
		const service = accountWith({});
		for (const name of ['cleo', 'dan', 'eve']) service.create(email(name));
		service.store({ ...service.users.get(idOf('cleo')), userName: email('ben') });
		rename(service);
		const people = emails('ben', 'dan', 'eve');
		const items = await play(service, 'offboard', { people, options }, [{}], onAccount);
		expect(errorsIn(items)).toEqual([]);
		const active = (name) => service.users.get(idOf(name)).active;
		expect(['ben', 'cleo', 'dan', 'eve'].map(active)).toEqual([false, true, false, false]);
	});

	describe('a Reconcile does not take the person for absent', () => {
		const allRows = (more) => ['ana', 'ben', 'cleo', 'dan'].map((name) => more(email(name)));
		const allUsers = {
			...{ preview: false, usersFrom: 'json', usersJson: allRows((userName) => ({ userName })) },
			...{ absentUsers: 'deactivate', scopeBy: 'userNames', scopeUserNames: '*@example.com' },
		};

		test('User: Reconcile on the account', async () => {
			const service = accountWith({ 'org-a': 'member' });
			rename(service);
			await play(service, 'reconcile', allUsers, [{}], { ...onAccount, resource: 'user' });
			expect(service.rolesOf(idOf('ben'))).toStrictEqual([['org-a', 'member']]);
		});

		test('User: Reconcile names a person whom no answer tells', async () => {
			const service = serviceWith({ userNames: 'shown' });
			rename(service);
			const send = service.exchange.bind(service);
			service.exchange = async (request) =>
				/filter=/.test(request.url)
					? { status: 200, headers: { 'content-type': 'text/html' }, text: 'Sign in' }
					: await send(request);
			const items = await play(service, 'reconcile', allUsers, [{}], { resource: 'user' });
			expect(errorsIn(items)).toContainEqual(expect.stringContaining(email('ben')));
			expect(service.users.get(idOf('ben')).active).toBe(true);
		});

		test('User: Reconcile elsewhere', async () => {
			const service = serviceWith({ userNames: 'shown' });
			rename(service);
			await play(service, 'reconcile', allUsers, [{}], { resource: 'user' });
			expect(service.users.get(idOf('ben')).active).toBe(true);
		});

		const reconcileAccess = async (createMissing) => {
			const service = serviceWith({ userNames: 'shown' });
			rename(service);
			const items = await play(service, 'reconcile', {
				...{ preview: false, createMissing, unwanted: 'revoke', scopeGroups: rows('VPN') },
				...{ wantedFrom: 'json', wantedJson: allRows((userName) => ({ userName, group: 'VPN' })) },
				options: { maxPercentAffected: 100 },
			});
			expect(errorsIn(items)).toContainEqual(expect.stringContaining(idOf('ben')));
			expect(membersIn(service).vpn).toContain(OTHER.split('@')[0]);
		};
		test('Access: Reconcile elsewhere', async () => await reconcileAccess(false));
		test('Access: Reconcile elsewhere, with Create Missing Users', async () =>
			await reconcileAccess(true));
	});

	test('on the account, Assign whose create got no answer gives the role', async () => {
		const faults = [{ method: 'POST', nth: 1, kind: 'reset-before' }];
		const seed = { people: [{ userName: email('ben') }], organizations: ['org-a'] };
		const service = new MemoryService(seed, { ...ACCOUNT, showsNames: false, faults });
		const [[id, user]] = service.users;
		service.users.set(id, { ...user, userName: email('benedict') });
		const given = { people: email('ben'), ...oneRole(locator('id', 'org-a'), 'member') };
		const more = { credential: { serviceProfile: 'accountOrganizations' } };
		const by = { accessBy: 'organizationAndRole' };
		await play(service, 'assign', { ...given, ...by }, [{}], more);
		expect(service.written().filter((line) => line.startsWith('PATCH'))).toHaveLength(1);
	});
});

// ---- 8 ----
describe('8. What leaves late, or again, is looked at first: grants and moves too', () => {
	const [ANA, BOB, NEW] = ['ana', 'bob', 'new'].map(email);
	const org = (people) => ({
		...{ account: 'org-acct', organizations: ['org-acct', 'org-a', 'org-b'] },
		users: Object.keys(people).map((userName) => ({ userName })),
		memberships: Object.entries(people).flatMap(([userName, role]) => [
			{ userName, organization: 'org-b', role: 'viewer' },
			...(role === '' ? [] : [{ userName, organization: 'org-a', role }]),
		]),
	});
	const setRole = (userName, role) => (directory) =>
		directory.setRole(directory.byName(userName).id, 'org-a', role);
	const deactivate = (userName) => (directory) =>
		directory.setActive(directory.byName(userName).id, false);
	const inOrgA = (role) => oneRole(locator('id', 'org-a'), role);

	/** Another client acts before our grant of a role leaves, which a slow create or a 429 keeps from leaving at once. */
	async function assignLate(how, people, act, role = 'member') {
		const isSlow = how === 'a slow create';
		const faults = isSlow ? [] : [{ method: 'PATCH', nth: 1, kind: '429', retryAfter: 1 }];
		let outcome;
		await withService({ seed: org(people), faults }, async (service, scim) => {
			const request = isSlow ? /^POST .*Users$/ : /^PATCH .*Groups/;
			const writer = meanwhile(service, request, (directory) => {
				if (isSlow) later(6_000);
				act(directory);
			});
			const { errorJson = [] } = await scim(
				...['access', 'assign'],
				{ people: isSlow ? [ANA, NEW] : ANA, ...inOrgA(role) },
				{ onError: 'continueErrorOutput' },
			);
			expect(writer.acted).toBe(true);
			const isIn = rolesOf(service, NEW)?.['org-a'] === role;
			expect(isIn).toBe(isSlow);
			outcome = { role: rolesOf(service, ANA)?.['org-a'], errors: errorsIn(errorJson) };
		});
		return outcome;
	}

	describe.each(['a slow create', 'a 429'])('a role after %s', (how) => {
		test.each([
			['is made admin', 'viewer', setRole(ANA, 'admin'), 'admin', 'is admin in org-a'],
			['loses the role', 'viewer', setRole(ANA, ''), undefined, 'is not viewer in org-a'],
			['is given one', '', setRole(ANA, 'viewer'), 'viewer', 'is viewer in org-a'],
			['is deactivated', '', deactivate(ANA), undefined, 'is inactive'],
			['is offboarded', 'viewer', deactivate(ANA), undefined, 'is not viewer in org-a'],
			['is deleted', '', (directory) => directory.delete(directory.byName(ANA).id), undefined, ANA],
		])('whoever %s meanwhile gets nothing', async (_, before, act, after, said) => {
			const { role, errors } = await assignLate(how, { [BOB]: 'admin', [ANA]: before }, act);
			expect(role).toBe(after);
			expect(errors).toEqual([expect.stringContaining(said)]);
		});

		test('the last admin stays', async () => {
			const people = { [BOB]: 'admin', [ANA]: 'admin' };
			const { role, errors } = await assignLate(how, people, setRole(BOB, ''));
			expect(role).toBe('admin');
			expect(errors).toEqual([expect.stringContaining('left without an active admin')]);
		});

		test('nothing changed: it is given', async () => {
			const { role, errors } = await assignLate(how, { [ANA]: 'viewer' }, () => {});
			expect(errors).toStrictEqual([]);
			expect(role).toBe('member');
		});
	});

	/** So that a 429 is waited for. */
	const requests = { maxWait: 60, verifyTime: 0 };

	test.each(['assign', 'addMembers'])('%s on plain groups after a 429', async (operation) => {
		const service = serviceWith({ faults: [{ method: 'PATCH', nth: 1, kind: '429' }] });
		meanwhile(service, `PATCH /Groups/${ID.vpn}`, deactivate(email('dan')));
		const vpn = locator('id', ID.vpn);
		const group = { ...someGroups(vpn), chooseGroupBy: 'group', group: vpn };
		const given = { people: email('dan'), ...group, options: requests };
		const more = { resource: operation === 'assign' ? 'access' : 'group' };
		const items = await play(service, operation, given, [{}], more);
		expect(errorsIn(items)).toEqual([expect.stringContaining('is inactive')]);
		expect(membersIn(service).vpn).toEqual(['ben', 'eve']);
	});

	describe('though reads lag behind', () => {
		const values = { maxWait: 60, verifyTime: 20 };
		const options = { ...values, allowRemovingLastAdmin: true };
		const more = { credential: { accountOrganizationId: 'org-acct' } };
		const lagging = (ways) => {
			const people = [{ userName: ANA, roles: { 'org-a': 'admin' } }];
			const seed = { people, organizations: ['org-a'] };
			return new MemoryService(seed, { ...ACCOUNT, lagReads: 1, ...ways });
		};

		test('a move whose answer was lost is blamed on nobody else', async () => {
			const service = lagging({ faults: [{ method: 'PATCH', nth: 1, kind: 'reset-after' }] });
			const given = { people: ANA, ...inOrgA('member'), accessBy: 'organizationAndRole', options };
			const items = await play(service, 'assign', given, [{}], more);
			expect(items).toMatchObject([{ change: 'moved', status: 'done' }]);
			expect(membersIn(service)).toEqual({ 'org-a:member': ['ana'] });
		});

		test('an admin leaves for the new one', async () => {
			const service = lagging({ createAnswer: 'whole' });
			const given = {
				...{ preview: false, wantedFrom: 'json', accessBy: 'organizationAndRole' },
				wantedJson: [{ person: NEW, organization: 'org-a', role: 'admin' }],
				...{ createMissing: true, scopeOrganizations: 'org-a', scopeRoles: 'admin' },
				options: { ...values, allowEmptyOrganizations: true },
			};
			const items = await play(service, 'reconcile', given, [{}], more);
			expect(errorsIn(items)).toStrictEqual([]);
			expect(membersIn(service)).toEqual({ 'org-a:admin': ['new'] });
		});
	});

	test('a whole list after a 429', async () => {
		const service = serviceWith({ faults: [{ method: 'PUT', nth: 1, kind: '429' }] });
		const writer = meanwhile(service, `PUT /Groups/${ID.vpn}`, deactivate(email('dan')));
		const group = { chooseGroupBy: 'group', group: locator('id', ID.vpn) };
		const people = ['ben', 'eve', 'dan'].map(email).join();
		const options = { replaceWith: 'wholeList', ...requests };
		const more = { resource: 'group' };
		const items = await play(service, 'setMembers', { ...group, people, options }, [{}], more);
		expect([writer.acted, errorsIn(items).length]).toEqual([true, 1]);
		expect(membersIn(service).vpn).toEqual(['ben', 'eve']);
	});

	test('somebody deactivated while a request is refused for another is not let in', async () => {
		const service = serviceWith({ unknownMembers: 'refused' });
		meanwhile(service, `PATCH /Groups/${ID.vpn}`, (scim) => {
			scim.delete(idOf('cleo'));
			scim.setActive(idOf('dan'), false);
		});
		const group = someGroups(locator('id', ID.vpn));
		const items = await play(service, 'assign', { people: emails('cleo', 'dan', 'ana'), ...group });
		expect(membersIn(service).vpn).toEqual(['ana', 'ben', 'eve']);
		expect(errorsIn(items)).toContainEqual(expect.stringContaining('is inactive now'));
	});

	/** Ana is one of two admins, and the other one is deactivated before our request leaves again. */
	async function endAdmin(resource, operation, parameters, method = 'PATCH') {
		const people = ['ana', 'bob', 'cleo'].map((name, index) => ({
			...{ userName: email(name), roles: { 'org-a': index < 2 ? 'admin' : 'viewer' } },
		}));
		const faults = [{ method, nth: 1, kind: '429' }];
		const service = new MemoryService(
			{ organizations: ['org-acct', 'org-a'], people },
			{ ...ACCOUNT, faults, deactivationDrops: false },
		);
		const writer = meanwhile(service, new RegExp(`^${method} `), deactivate(BOB));
		const credential = {
			serviceProfile: 'accountOrganizations',
			accountOrganizationId: 'org-acct',
		};
		const safetyLimits = { maxPercentAffected: 100 };
		const all = {
			...{ ...parameters, options: { ...parameters.options, ...requests, ...safetyLimits } },
		};
		const items = await play(service, operation, all, [{}], { resource, credential });
		expect(writer.acted).toBe(true);
		expect(service.rolesOf(idOf('ana'))).toStrictEqual([['org-a', 'admin']]);
		expect(errorsIn(items)).toEqual([expect.stringContaining('left without an active admin')]);
	}
	const inA = { organization: locator('id', 'org-a'), accessBy: 'organizationAndRole' };
	const groupInA = { ...inA, chooseGroupBy: 'organizationAndRole' };

	test.each([
		[...['Set', 'access', 'set'], { people: ANA, ...inA, ...oneRole(inA.organization, 'member') }],
		[
			...['Reconcile', 'access', 'reconcile'],
			{
				...{
					preview: false,
					accessBy: 'organizationAndRole',
					wantedFrom: 'json',
					unwanted: 'keep',
				},
				scopeOrganizations: 'org-a',
				wantedJson: [{ email: ANA, organization: 'org-a', role: 'member' }],
			},
		],
		['Add Members', 'group', 'addMembers', { people: ANA, ...groupInA, role: 'member' }],
		['Set Members', 'group', 'setMembers', { people: BOB, ...groupInA, role: 'admin' }],
		[
			...['Set Members, whole list', 'group', 'setMembers'],
			{ people: BOB, ...groupInA, role: 'admin', options: { replaceWith: 'wholeList' } },
			'PUT',
		],
		['Remove Members', 'group', 'removeMembers', { people: ANA, ...groupInA, role: 'admin' }],
	])('%s: the last admin stays', async (_name, ...way) => await endAdmin(...way));

	test.each([
		['Offboard', 'access', 'offboard', { people: ANA }],
		['Offboard by Delete', 'access', 'offboard', { people: ANA, method: 'delete' }, 'DELETE'],
		['Deactivate', 'user', 'deactivate', { user: locator('email', ANA) }],
		[
			...['Update', 'user', 'update'],
			{ user: locator('email', ANA), ...mapped({ active: false }) },
		],
		['Delete', 'user', 'delete', { user: locator('email', ANA) }, 'DELETE'],
	])('%s: the last admin stays', async (_name, ...way) => await endAdmin(...way));
});

// ---- 9 ----
describe('9. Change Email over a pause keeps to what is so by then', () => {
	const OLD = email('old');
	const seed = {
		...{ account: 'org-acct', organizations: ['org-acct', 'org-a', 'org-b'] },
		users: [{ userName: OLD, name: { givenName: 'Ana' } }, { userName: email('boss') }],
		memberships: [
			{ userName: OLD, organization: 'org-a', role: 'admin' },
			{ userName: email('boss'), organization: 'org-a', role: 'admin' },
		],
	};
	/** Another client acts on the old account while the new one is created. */
	async function changeEmail(act) {
		let outcome;
		await withService({ seed }, async (service, scim) => {
			const writer = meanwhile(service, /^POST .*Users$/, (directory) => {
				later(6_000);
				act(directory, directory.byName(OLD).id);
			});
			const { error } = await scim('access', 'changeEmail', {
				...{ user: locator('email', OLD), newEmail: email('new') },
			});
			expect(writer.acted).toBe(true);
			const roles = [OLD, email('new')].map((userName) => rolesOf(service, userName));
			outcome = { roles, error };
		});
		return outcome;
	}

	test('nothing changed: the access moves', async () => {
		const { roles, error } = await changeEmail(() => {});
		expect(error).toBeUndefined();
		expect(roles).toEqual([{}, { 'org-a': 'admin' }]);
	});

	test('a role given to the old account meanwhile is not lost', async () => {
		const { roles, error } = await changeEmail((directory, id) =>
			directory.setRole(id, 'org-b', 'member'),
		);
		expect(roles.flatMap((held) => held['org-b'] ?? [])).toEqual(['member']);
		expect(error).toBeDefined();
	});

	test('an admin role taken from the old account is not given to the new one', async () => {
		const { roles, error } = await changeEmail((directory, id) =>
			directory.setRole(id, 'org-a', 'viewer'),
		);
		expect(roles[1]['org-a']).not.toBe('admin');
		expect(error).toBeDefined();
	});

	test('an old account offboarded meanwhile does not come back as the new one', async () => {
		const { roles, error } = await changeEmail((directory, id) => directory.setActive(id, false));
		expect(roles).toEqual([{}, {}]);
		expect(error).toBeDefined();
	});
});

// ---- 10 ----
describe("10. A PUT overwrites nobody's change", () => {
	const BEN = `/Users/${idOf('ben')}`;
	const VPN = `/Groups/${ID.vpn}`;
	const TAGS = ['strong', 'header', 'weak', 'changing'];
	const WARNING = expect.stringMatching(/PUT may overwrite a change of the same moment/);
	const options = { updateWith: 'put', replaceWith: 'wholeList' };
	const title = { attributes: { mappingMode: 'defineBelow', value: { title: 'Lead' } } };
	const byId = locator('id', idOf('ben'));
	const update = async (service, user = byId) =>
		await play(service, 'update', { user, ...title, options }, [{}], { resource: 'user' });
	const setMembers = async (service, people) =>
		await play(service, 'setMembers', { ...theGroup, people, options }, [{}], {
			resource: 'group',
		});
	const theGroup = { chooseGroupBy: 'group', group: locator('id', ID.vpn) };
	const attributesOf = (service) => service.users.get(idOf('ben')).attributes;
	const rename = (scim) => {
		const ben = scim.users.get(idOf('ben'));
		scim.store({ ...ben, attributes: { ...ben.attributes, nickName: 'B' } });
	};
	const puts = (service) => service.written().filter((request) => request.startsWith('PUT'));

	test.each(['off', ...TAGS])(
		'of a user, ETags %s: a write before the last GET stays',
		async (etags) => {
			const service = serviceWith({ etags });
			meanwhile(service, `GET ${BEN}`, rename);
			const items = await update(service);
			expect(errorsIn(items)).toEqual([]);
			expect(attributesOf(service)).toMatchObject({ nickName: 'B', title: 'Lead' });
			expect(puts(service)).toHaveLength({ off: 1, strong: 1, header: 1 }[etags] ?? 3);
			const isSafe = ['strong', 'header'].includes(etags);
			expect(items[0].warnings).toEqual(isSafe ? undefined : [WARNING]);
		},
	);

	test.each(
		TAGS.flatMap((etags) => [byId, locator('email', email('ben'))].map((by) => [etags, by])),
	)('of a user, ETags %s, found by %j: a write after it stays', async (etags, user) => {
		const service = serviceWith({ etags });
		const writer = meanwhile(service, `PUT ${BEN}`, rename);
		const items = await update(service, user);
		expect(errorsIn(items)).toEqual([]);
		expect(writer.acted).toBe(true);
		expect(attributesOf(service)).toMatchObject({ nickName: 'B', title: 'Lead' });
		if (etags === 'header') expect(items[0].warnings).toBeUndefined();
	});

	test.each([
		['user', update, BEN],
		['member list', async (service) => await setMembers(service, emails('ben', 'dan')), VPN],
	])(
		'of a %s, whose ETags are of no use: one that leaves without any warns',
		async (_, run, path) => {
			for (const etags of ['weak', 'changing']) {
				const service = serviceWith({ etags });
				const writer = meanwhile(service, `PUT ${path}`, rename, { nth: 3 });
				const items = (await run(service)).filter(({ change }) => change !== 'none');
				expect(writer.acted).toBe(true);
				for (const { warnings } of items) expect(warnings).toEqual([WARNING]);
			}
		},
	);

	test('of a user, ETags strong: whoever was shut out meanwhile stays out', async () => {
		const service = serviceWith({ etags: 'strong' });
		meanwhile(service, `PUT ${BEN}`, (scim) => scim.setActive(idOf('ben'), false));
		await update(service);
		expect(service.users.get(idOf('ben'))).toMatchObject({
			active: false,
			attributes: { title: 'Lead' },
		});
	});

	test.each([
		['user', 'update', { user: locator('id', idOf('ben')), ...title }],
		['group', 'setMembers', { ...theGroup, people: emails('ben', 'dan') }],
	])('Preview of %s: %s warns, too', async (resource, operation, given) => {
		const parameters = { ...given, options, preview: true };
		const items = await play(serviceWith(), operation, parameters, [{}], { resource });
		expect(JSON.stringify(items)).toContain('may overwrite a change of the same moment');
	});

	test('of a member list, ETags strong: whoever joined after the last GET stays', async () => {
		const service = serviceWith({ etags: 'strong' });
		const writer = meanwhile(service, `PUT ${VPN}`, (scim) => scim.add(ID.vpn, idOf('cleo')));
		const items = await setMembers(service, emails('ben', 'dan'));
		expect(writer.acted).toBe(true);
		expect(errorsIn(items)).toContainEqual(expect.stringContaining('joined it meanwhile'));
		expect(membersIn(service).vpn).toEqual(['ben', 'cleo', 'eve']);
	});

	test.each(['weak', 'changing'])('of a member list, ETags %s: it goes through', async (etags) => {
		const service = serviceWith({ etags });
		expect(errorsIn(await setMembers(service, emails('ben', 'dan')))).toEqual([]);
		expect(membersIn(service).vpn).toEqual(['ben', 'dan']);
		expect(puts(service)).toHaveLength(3);
	});

	test('of a member list without ETags: whoever joined before the last GET stays, and it warns', async () => {
		const service = serviceWith();
		meanwhile(service, 'GET /Users', () => later(6_000));
		meanwhile(service, `GET ${VPN}`, (scim) => scim.add(ID.vpn, idOf('cleo')), { nth: 2 });
		const items = await setMembers(service, emails('ben', 'dan'));
		expect(errorsIn(items)).toContainEqual(expect.stringContaining('joined it meanwhile'));
		expect(membersIn(service).vpn).toEqual(['ben', 'cleo', 'eve']);
		const made = await setMembers(serviceWith(), emails('ben', 'dan'));
		const changed = made.filter(({ change }) => change !== 'none');
		expect(changed.map(({ warnings }) => warnings)).toEqual([[WARNING], [WARNING]]);
	});

	test.each([email('nobody'), 'user-none', email('ben') + '\u200B'])(
		'a whole list with the entry %j removes nobody',
		async (entry) => {
			const service = serviceWith();
			const items = await setMembers(service, [email('ana'), entry].join(', '));
			expect(errorsIn(items)).not.toEqual([]);
			expect(membersIn(service).vpn).toEqual(expect.arrayContaining(['ben', 'eve']));
		},
	);
});

// ---- 11 ----
describe('11. Limits by volume count each risky kind apart', () => {
	const nameOf = (number) => `p${number}@example.com`;
	const range = (from, to) => Array.from({ length: to - from }, (_, index) => from + index);
	const names = (from, to) => range(from, to).map(nameOf);
	const inOrg = (role) => ({ organization: 'org-a', role });
	const roleRows = (from, to, role) =>
		names(from, to).map((each) => ({ email: each, ...inOrg(role) }));

	/** Members of org-a, and one admin who is the first. */
	const staff = (count) => ({
		account: 'org-acct',
		organizations: ['org-acct', 'org-a', 'org-b'].map((id) => ({ id, name: id })),
		users: names(0, count).map((userName) => ({ userName, active: true })),
		memberships: names(0, count).map((userName, index) => ({
			...{ userName, organization: 'org-a' },
			role: index === 0 ? 'admin' : 'member',
		})),
	});
	const credential = { accountOrganizationId: 'org-acct' };
	const adminsOf = (service) =>
		service.state.table().people.filter(({ roles }) => roles['org-a'] === 'admin');
	const writes = ({ log }) => log.requests.filter(({ method }) => method !== 'GET');

	test.each([
		[
			'reconcile',
			{
				...{ preview: false, scopeOrganizations: 'org-a', wantedFrom: 'json' },
				wantedJson: JSON.stringify(roleRows(0, 200, 'admin')),
			},
			[{}],
		],
		[
			'set',
			{
				people: '={{ $json.email }}',
				...fromExpression([inOrg('admin')]),
			},
			roleRows(0, 200, 'admin'),
		],
	])('one wrong column makes 199 of 200 people admin: %s', async (operation, parameters, items) => {
		await withService({ seed: staff(200) }, async (service, scim) => {
			const { error } = await scim('access', operation, parameters, { credential, items });
			expect(error?.message).toContain('199 people would become admin, more than the limit of 20');
			expect(error?.description).toContain('199 people would change roles');
			expect(writes(service)).toStrictEqual([]);
			expect(adminsOf(service)).toHaveLength(1);
		});
	});

	const hr = (number) => ({
		...{ userName: nameOf(number), externalId: `HR-${number}`, active: true },
		emails: [{ value: nameOf(number), type: 'work', primary: true }],
	});
	/** The items, also of a run that is blocked. */
	async function whole(service, operation, parameters, resource = 'access') {
		try {
			return await play(service, operation, parameters, [{}], { resource });
		} catch ({ message }) {
			return [{ error: message }];
		}
	}
	const reconciled = async (service, users, more) =>
		await whole(
			service,
			'reconcile',
			{ preview: false, usersFrom: 'json', usersJson: JSON.stringify(users), ...more },
			'user',
		);

	test('200 accounts get the email of the next row: nothing is sent', async () => {
		const service = serviceWith({ people: range(0, 200).map(hr), groups: [] });
		const shifted = range(0, 200).map((number) => ({
			...{ externalId: `HR-${number}`, email: nameOf((number + 1) % 200) },
		}));
		const items = await reconciled(service, shifted, matchOn('externalId'));
		expect(errorsIn(items).join()).toContain(
			'200 people would get another user name, email or external ID, more than the limit of 20',
		);
		expect(service.written()).toStrictEqual([]);
	});

	const access = (operation, parameters) => async (scim, people) =>
		await scim('access', operation, { people: people.join(), ...parameters }, { credential });
	const user = (operation, parameters) => async (scim, people) =>
		await scim('user', operation, parameters, { items: people.map((u) => ({ u })) });
	const byName = { user: { __rl: true, mode: 'email', value: '={{ $json.u }}' } };
	const assigned = (role, organization) => oneRole(organization, role);
	const [here, gone] = [staff(20), { ...staff(20), memberships: staff(1).memberships }];
	gone.users = gone.users.map((one, index) => ({ ...one, active: index === 0 }));

	test.each([
		['would lose access', here, access('revoke', { revokeIn: 'all', roleHeld: 'any' })],
		['would lose access', here, user('delete', byName)],
		['would change roles', here, access('assign', assigned('viewer', 'org-a'))],
		['would become admin', here, access('assign', assigned('admin', 'org-b'))],
		['would be deactivated', here, access('offboard', {})],
		['would be deactivated', here, user('update', { ...byName, ...mapped({ active: false }) })],
		['would be reactivated', gone, user('activate', byName)],
		[
			'would be reactivated',
			gone,
			user('upsert', { userName: '={{ $json.u }}', additionalFields: { active: true } }),
		],
		[
			'would get another user name, email or external ID',
			here,
			user('update', {
				...byName,
				options: { attributesJson: '={{ JSON.stringify({ externalId: $json.u }) }}' },
			}),
		],
	])('six people %s, and five may', async (words, seed, run) => {
		await withService({ seed }, async (service, scim) => {
			const { error } = await run(scim, names(1, 7));
			expect(error?.message).toContain(`6 people ${words}, more than the limit of 5`);
			expect(writes(service)).toStrictEqual([]);
			const few = await run(scim, names(1, 6));
			expect(few.error).toBeUndefined();
			expect(writes(service)).not.toHaveLength(0);
		});
	});

	const unlinked = (number) => ({ ...hr(number), externalId: '' });
	const other = (number) => `other${number}@example.com`;
	test.each([
		['a first external ID', 'userName', (n) => ({ externalId: `HR-${n}` }), unlinked],
		['another external ID', 'userName', (n) => ({ externalId: `X-${n}` })],
		['no external ID any more', 'userName', () => ({ externalId: null })],
		['another main email', 'externalId', (n) => ({ email: other(n) })],
		['a second email', 'externalId', (n) => ({ emails: [...hr(n).emails, { value: other(n) }] })],
		['another user name', 'externalId', (n) => ({ userName: other(n) })],
		[
			'another case, and a title',
			'externalId',
			(n) => ({ title: 'X', email: nameOf(n).toUpperCase() }),
			hr,
			0,
		],
	])('who people are: %s', async (_, matchUsersBy, row, is = hr, blocked = 6) => {
		const people = range(0, 6).map((n) => is(n));
		const service = serviceWith({ people, groups: [] });
		const key = ({ userName, externalId }) =>
			matchUsersBy === 'userName' ? { userName } : { externalId };
		const usersRows = people.map((one, n) => ({ ...key(one), ...row(n) }));
		const items = await reconciled(service, usersRows, {
			...matchOn(matchUsersBy),
			options: { emptyCells: 'clear' },
		});
		const words = `${blocked} people would get another user name, email or external ID`;
		if (blocked > 0) expect(errorsIn(items).join()).toContain(words);
		else expect(errorsIn(items)).toStrictEqual([]);
		expect(service.written()).toHaveLength(6 - blocked);
	});

	test.each([
		['twelve to eleven, which more than doubles', 11, 12, true],
		['eleven to eleven', 11, 11, false],
		['twenty to ten', 10, 20, true],
		['ten to one', 1, 10, false],
		['twenty to none, which is new', 0, 20, false],
	])('members of a group: %s', async (_, before, added, isBlocked) => {
		const people = range(0, before + added).map((number) =>
			person(`p${number}`, number < before ? ['sales'] : []),
		);
		const service = serviceWith({ people });
		const wanted = names(before, before + added).join();
		const items = await whole(service, 'assign', { people: wanted, ...listed(ID.sales) });
		const words = `${added} people would be added to groups that more than double, more than the limit of 5`;
		if (isBlocked) expect(errorsIn(items).join()).toContain(words);
		else expect(errorsIn(items)).toStrictEqual([]);
		expect(membersIn(service).sales).toHaveLength(isBlocked ? before : before + added);
	});

	test.each([
		['assign', 'access', listed(ID.sales)],
		['addMembers', 'group', { chooseGroupBy: 'group', group: locator('id', ID.sales) }],
	])('members of a group that users alone show: %s', async (operation, resource, parameters) => {
		const people = range(0, 23).map((number) => person(`p${number}`, number < 11 ? ['sales'] : []));
		const service = serviceWith({ people, membersShownOn: 'users' });
		const wanted = { people: names(11, 23).join(), ...parameters };
		const items = await whole(service, operation, wanted, resource);
		expect(errorsIn(items).join()).toContain(
			'12 people would be added to groups that more than double',
		);
		expect(service.written()).toStrictEqual([]);
	});

	test('five of each kind are judged apart', async () => {
		await withService({ seed: staff(40) }, async (_service, scim) => {
			const rows = [
				{ email: nameOf(0), ...inOrg('admin') },
				...roleRows(1, 6, 'viewer'),
				...roleRows(11, 40, 'member'),
			];
			const { error } = await scim(
				'access',
				'reconcile',
				{
					...{ preview: false, scopeOrganizations: 'org-a', wantedFrom: 'json' },
					wantedJson: JSON.stringify(rows),
				},
				{ credential },
			);
			expect(error).toBeUndefined();
		});
	});

	test('people who are created count as such, and where they become admin', async () => {
		const newcomers = (role) => ({
			...{ people: names(20, 32).join(), createMissing: true },
			...fromExpression([inOrg(role)]),
		});
		await withService({ seed: staff(12) }, async (service, scim) => {
			const { error } = await scim('access', 'assign', newcomers('admin'), { credential });
			expect(error?.message).toContain('12 people would become admin');
			const options = { maxCreates: 11 };
			const few = await scim(
				'access',
				'assign',
				{ ...newcomers('member'), options },
				{ credential },
			);
			expect(few.error?.message).toContain(
				'12 people would be created, more than the limit of 11 (Max Creates)',
			);
			expect(writes(service)).toStrictEqual([]);
			const { error: none } = await scim('access', 'assign', newcomers('member'), { credential });
			expect(none).toBeUndefined();
		});
	});

	test.each([
		['create', { userName: '={{ $json.u }}' }],
		['upsert', { userName: '={{ $json.u }}' }],
	])('a hundred may be created: User: %s', async (operation, parameters) => {
		await withService({ seed: staff(1) }, async (service, scim) => {
			const items = names(1, 102).map((u) => ({ u }));
			const { error } = await scim('user', operation, parameters, { items });
			expect(error?.message).toContain('101 people would be created, more than the limit of 100');
			expect(writes(service)).toStrictEqual([]);
		});
	});

	describe('one big run: Preview, then Apply Plan', () => {
		const wanted = {
			...{ scopeOrganizations: 'org-a', wantedFrom: 'json' },
			wantedJson: JSON.stringify([...roleRows(0, 8, 'admin'), ...roleRows(8, 20, 'member')]),
		};
		const EXCESS = [
			{ kind: 'gainsOfAdmin', people: 7, limit: 5 },
			{ kind: 'roleChanges', people: 7, limit: 5 },
		];
		const planned = async (scim) =>
			(await scim('access', 'reconcile', { ...wanted, preview: true }, { credential })).json[0];
		const applied = async (scim, item, approvedExcess, more = {}) =>
			await scim(...['access', 'applyPlan', { changes: 'all', approvedExcess, ...more }], {
				credential,
				items: [item],
			});

		test('the plan and its summary name the excess, and nothing blocks it', async () => {
			await withService({ seed: staff(20) }, async (_service, scim) => {
				const { plan, summary, blockedBy } = await planned(scim);
				expect(blockedBy).toStrictEqual([]);
				expect(plan.excess).toEqual(EXCESS);
				expect(summary).toContain('Beyond the limit of 5: 7 people would become admin.');
				expect(summary).toContain('Gains of Admin');
			});
		});

		test.each([
			[[], '7 people would become admin, more than the limit of 5', 1],
			[['gainsOfAdmin'], '7 people would change roles, more than the limit of 5', 1],
			[['gainsOfAdmin', 'roleChanges'], undefined, 8],
			[['Gains of Admin', 'Role Changes'], undefined, 8],
		])('with %j approved', async (kinds, reason, admins) => {
			await withService({ seed: staff(20) }, async (service, scim) => {
				const item = await planned(scim);
				const { error } = await applied(scim, item, kinds);
				if (reason === undefined) expect(error).toBeUndefined();
				else expect(error?.message).toContain(reason);
				expect(adminsOf(service)).toHaveLength(admins);
			});
		});

		test('an approval is of as many as the plan says', async () => {
			await withService({ seed: staff(20) }, async (service, scim) => {
				const item = await planned(scim);
				const kinds = EXCESS.map(({ kind }) => kind);
				const plan = { ...item.plan, excess: EXCESS.map((one) => ({ ...one, people: 6 })) };
				const fewer = { plan: sealPlan(plan, service.accountToken) };
				const { error } = await applied(scim, fewer, kinds);
				expect(error?.message).toContain(
					'7 people would become admin, more than the 6 of the plan',
				);
				expect(adminsOf(service)).toHaveLength(1);
			});
		});

		test('a preview of Apply Plan makes a plan that says the same', async () => {
			await withService({ seed: staff(20) }, async (_service, scim) => {
				const kinds = EXCESS.map(({ kind }) => kind);
				const { json } = await applied(scim, await planned(scim), kinds, { preview: true });
				expect(json[0]).toMatchObject({ blockedBy: [], plan: { excess: EXCESS } });
			});
		});

		test('kinds that are none are refused', async () => {
			await withService({ seed: staff(20) }, async (service, scim) => {
				const { error } = await applied(scim, await planned(scim), ['admins']);
				expect(error?.message).toContain(
					'Allow More Than the Limit For has admins, which is no kind',
				);
				expect(adminsOf(service)).toHaveLength(1);
			});
		});
	});
});

// ---- 12 ----
describe('12. Keep Memberships In that matches no group stops the run', () => {
	test.each([
		['Everyone', 'VPM'],
		[ID.everyone, 'g-none'],
	])('%s and %s', async (...kept) => {
		const service = serviceWith();
		const options = { keepMembershipsIn: rows(...kept) };
		const items = await play(service, 'offboard', { people: email('ben'), options });
		expect(errorsIn(items)).toEqual([`There is no group "${kept[1]}"`]);
		expect(service.written()).toStrictEqual([]);
		expect(membersIn(service)).toMatchObject({ everyone: expect.arrayContaining(['ben']) });
	});
});

// ---- 13 ----
describe('13. An attribute that was not taken is unverified, and holds nothing else back', () => {
	/** A service that keeps an attribute as `kept` makes it of what was sent, or under another name. */
	const keeping = (attribute, kept) => ({
		onWrite({ body }) {
			if (body?.[attribute] !== undefined) {
				if (kept) body[attribute] = kept(body[attribute]);
				else delete body[attribute];
			}
			for (const operation of body?.Operations ?? []) {
				if (operation.path !== attribute) continue;
				if (kept) operation.value = kept(operation.value);
				else operation.path = 'elsewhere';
			}
		},
	});
	const inRows = (userName, value) => ({
		usersFrom: 'json',
		usersJson: JSON.stringify([{ userName, ...value }]),
	});
	/** What wants these attributes of somebody, new or not. */
	const WAYS = {
		Create: ['user', 'create', (userName, value) => ({ userName, ...mapped(value) })],
		'Create or Update, new': [
			'user',
			'upsert',
			(userName, value) => ({ userName, ...mapped(value) }),
		],
		'User: Reconcile, new': ['user', 'reconcile', inRows],
		'Create or Update': [
			'user',
			'upsert',
			(_, value) => ({ userName: email('ben'), ...mapped(value) }),
		],
		'User: Reconcile': ['user', 'reconcile', (_, value) => inRows(email('ben'), value)],
		Update: [
			'user',
			'update',
			(_, value) => ({ user: locator('email', email('ben')), ...mapped(value) }),
		],
		'Update with PUT': [
			'user',
			'update',
			(_, value) => ({
				user: locator('email', email('ben')),
				...mapped(value),
				options: { updateWith: 'put' },
			}),
		],
	};
	const NEW = email('new');
	const run = async (service, way, value, more = {}) => {
		const [resource, operation, parametersFor] = WAYS[way];
		const { credential, ...given } = more;
		const parameters = { ...parametersFor(NEW, value), preview: false, ...given };
		return await play(service, operation, parameters, [{}], {
			resource,
			...(credential && { credential }),
		});
	};
	const ways = Object.keys(WAYS);
	const TITLE = { title: 'Lead', displayName: 'N. N.' };
	const NEVER = 'The service never shows title';
	const NOT_KEPT = 'The service does not keep title';

	test.each(ways)('%s: never done, each night again', async (way) => {
		const service = serviceWith(keeping('title'));
		const [item] = await run(service, way, TITLE);
		expect(item).toMatchObject({ status: 'unverified', reason: expect.stringContaining('title') });
		expect(item.reason).not.toContain('displayName');
		const again = way === 'Create' ? 'Create or Update, new' : way;
		const [second] = await run(service, again, TITLE);
		expect(second).toMatchObject({
			status: 'unverified',
			reason: expect.stringContaining('title'),
		});
	});

	test.each(ways)('%s: Accept Unverified takes what is never shown for no error', async (way) => {
		const { options } = WAYS[way][2](NEW, TITLE);
		const more = { options: { ...options, acceptUnverified: true } };
		const [item] = await run(serviceWith(keeping('title')), way, TITLE, more);
		expect(item).toMatchObject({ status: 'unverified' });
		expect(item.error).toBeUndefined();
	});

	test.each(ways)('%s: a part of an attribute goes by its name', async (way) => {
		const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
		const value = {
			'name.givenName': 'N',
			'name.familyName': 'X',
			[`${ENTERPRISE}:department`]: 'D',
		};
		const takesNoFamilyName = {
			onWrite({ body }) {
				const all = [body, ...(body?.Operations ?? []).map((one) => one.value)];
				for (const { name } of all.filter(Boolean)) delete name?.familyName;
				for (const one of body?.Operations ?? []) {
					if (/familyName$/.test(one.path)) one.path = 'elsewhere';
					if (one.path === 'name') delete one.value.familyName;
				}
			},
		};
		const [item] = await run(serviceWith(takesNoFamilyName), way, value);
		expect(item).toMatchObject({ status: 'unverified' });
		expect(item.reason).toMatch(/ the wanted name\.familyName$/);
	});

	test('Assign: never done, and the person gets the groups all the same', async () => {
		const service = serviceWith(keeping('title'));
		const parameters = {
			people: NEW,
			createMissing: true,
			newUserFields: { attributesJson: JSON.stringify(TITLE) },
			...listed('VPN'),
		};
		const items = await play(service, 'assign', parameters);
		expect(items.map(({ change, status }) => [change, status])).toEqual([
			['created', 'unverified'],
			['granted', 'done'],
		]);
		expect(items[0].reason).toContain('title');
		expect(membersIn(service).vpn).toContain('new');
	});

	test.each([
		['title', 'Team Lead', (text) => text.toUpperCase()],
		['title', 'Team  Lead', () => 'Team Lead'],
		['phoneNumbers', [{ value: '+1 (555) 010-99' }], () => [{ value: 'tel:+155501099' }]],
		['phoneNumbers', [{ value: '1' }, { value: '2' }], (list) => [...list].reverse()],
	])('%s %j in another spelling is the value', async (name, value, kept) => {
		for (const way of ways) {
			const [item] = await run(serviceWith(keeping(name, kept)), way, { [name]: value });
			expect([way, item.status, item.warnings]).toEqual([
				way,
				'done',
				way === 'Update with PUT' ? [expect.stringContaining('ETag')] : undefined,
			]);
		}
	});

	test.each(ways)('%s: what the service makes of it is a warning with both', async (way) => {
		const [item] = await run(serviceWith(keeping('title', () => 'Clerk')), way, TITLE);
		expect(item).toMatchObject({
			status: 'done',
			warnings: expect.arrayContaining([
				expect.stringMatching(
					/^The service shows title "Clerk" instead of "Lead" for (?:new|ben)@example\.com\.$/,
				),
			]),
		});
	});

	test.each(ways.filter((way) => !/Create$|new$/.test(way)))(
		'%s: the value of before is not the value',
		async (way) => {
			const service = serviceWith(keeping('title', () => 'Clerk'));
			const ben = service.users.get(idOf('ben'));
			service.store({ ...ben, attributes: { ...ben.attributes, title: 'Clerk' } });
			const [item] = await run(service, way, TITLE);
			expect(item).toMatchObject({
				status: 'unverified',
				reason: expect.stringContaining('title'),
			});
		},
	);

	test.each([
		['externalId', 'hr-7', 'hr-8'],
		['emails', [{ value: email('other') }], [{ value: email('third') }]],
		['roles', [{ value: 'editor' }], [{ value: 'owner' }]],
		['nickName', ['N', 'M'], ['O']],
	])('%s: another value is not the value', async (name, value, kept) => {
		for (const way of ways) {
			const [item] = await run(serviceWith(keeping(name, () => kept)), way, { [name]: value });
			expect([way, item.status]).toEqual([way, expect.stringMatching(/unverified|failed/)]);
		}
	});

	test('a value whose name is that of a secret is not in the warning', async () => {
		const service = serviceWith(keeping('apiKey', () => 'k-2'));
		const attributesJson = JSON.stringify({ apiKey: 'k-1' });
		const fields = { user: locator('email', email('ben')), attributesJson };
		const [item] = await play(service, 'update', fields, [{}], { resource: 'user' });
		expect(JSON.stringify(item)).not.toMatch(/k-[12]/);
	});

	test.each(
		ways.flatMap((way) => [
			[way, { mutability: 'writeOnly' }],
			[way, { returned: 'never' }],
		]),
	)('%s: what is %j is warned of, in Preview too', async (way, hidden) => {
		const attributes = [
			...['userName', 'displayName'].map((name) => ({ name })),
			{ name: 'title', ...hidden },
		];
		const Schemas = {
			Resources: [{ id: 'urn:ietf:params:scim:schemas:core:2.0:User', attributes }],
		};
		const service = serviceWith({ ...keeping('title'), discovery: { Schemas } });
		expect(JSON.stringify(await run(service, way, TITLE, { preview: true }))).toContain(NEVER);
		const [item] = await run(service, way, TITLE);
		expect(item).toMatchObject({
			status: 'done',
			warnings: expect.arrayContaining([expect.stringContaining(NEVER)]),
		});
	});

	test.each(ways)(
		'%s: what the profile does not keep is warned of, in Preview too',
		async (way) => {
			const people = [
				{ userName: email('ana'), roles: { 'org-acct': 'admin' } },
				{ userName: email('ben'), roles: {} },
			];
			const service = new MemoryService({ organizations: ['org-acct'], people }, ACCOUNT);
			const value = { title: 'Lead' };
			const preview = await run(service, way, value, { preview: true, credential: {} });
			expect(JSON.stringify(preview)).toContain(NOT_KEPT);
			const [item] = await run(service, way, value, { credential: {} });
			expect(item.warnings).toContainEqual(expect.stringContaining(NOT_KEPT));
			expect(['done', 'unchanged']).toContain(item.status);
		},
	);
});

// ---- 14 ----
describe('14. Names that differ in composition only are two people', () => {
	const [COMPOSED, APART, UPPER] = ['zo\u00EB', 'zoe\u0308', 'ZO\u00CB'];
	const groups = ['vpn'];
	const both = [person('ana', ['eng']), person(COMPOSED, groups), person(APART, groups)];
	const without = (name) => both.filter(({ userName }) => userName !== email(name));
	const isActive = (service, name) => service.users.get(idOf(name))?.active ?? false;
	const offboard = async (service, more = {}, given = {}) =>
		await play(service, 'offboard', { people: email(APART), ...given }, [{}], more);

	describe.each([
		['by filter', {}],
		['by the list', { filter: 'off' }],
	])('plain groups, %s', (_, how) => {
		test.each([
			['the one', COMPOSED, APART],
			['the other', APART, COMPOSED],
		])('the exact spelling wins: %s', async (__, leaver, stays) => {
			const service = serviceWith({ people: both, ...how });
			const items = await offboard(service, {}, { people: email(leaver) });
			expect(errorsIn(items)).toEqual([]);
			expect([leaver, stays].map((name) => isActive(service, name))).toEqual([false, true]);
			expect(service.heldBy(idOf(leaver))).toStrictEqual([]);
			expect(service.heldBy(idOf(stays))).toStrictEqual([ID.vpn]);
		});

		test('both leave, each once', async () => {
			const service = serviceWith({ people: both, ...how });
			const items = await offboard(service, {}, { people: emails(COMPOSED, APART) });
			expect(items.map(({ userId }) => userId)).toEqual([idOf(COMPOSED), idOf(APART)]);
			expect(isActive(service, COMPOSED) || isActive(service, APART)).toBe(false);
		});

		test.each([COMPOSED, APART])('only one is there: both spellings find %s', async (there) => {
			const absent = there === APART ? COMPOSED : APART;
			const service = serviceWith({ people: without(absent), ...how });
			const items = await offboard(service, {}, { people: email(absent) });
			expect(items).toMatchObject([{ userId: idOf(there), status: 'done' }]);
			expect(isActive(service, there)).toBe(false);
		});

		test('neither is exact: an error with both IDs', async () => {
			const service = serviceWith({ people: both, ...how });
			const [said] = errorsIn(await offboard(service, {}, { people: email(UPPER) }));
			expect(said).toContain(idOf(COMPOSED));
			expect(said).toContain(idOf(APART));
			expect(service.written()).toStrictEqual([]);
		});

		test('Create or Update changes each of them', async () => {
			const service = serviceWith({ people: both, ...how });
			const title = (value) => ({
				attributes: { mappingMode: 'defineBelow', value: { title: value } },
			});
			const items = [COMPOSED, APART].map((name) => ({ userName: email(name), ...title(name) }));
			const more = { resource: 'user' };
			expect(errorsIn(await play(service, 'upsert', {}, items, more))).toEqual([]);
			const titles = [COMPOSED, APART].map(
				(name) => service.users.get(idOf(name)).attributes.title,
			);
			expect(titles).toEqual([COMPOSED, APART]);
		});
	});

	test.each([
		['both', both.slice(1)],
		['the other', [person(COMPOSED, [])]],
		['the one', [person(APART, [])]],
	])('on the account, where %s holds a role', async (_, holders) => {
		const holds = new Set(holders.map(({ userName }) => userName));
		const people = [COMPOSED, APART].map((name) => ({
			userName: email(name),
			roles: holds.has(email(name)) ? { 'org-a': 'member' } : {},
		}));
		const admin = { userName: email('ana'), roles: { 'org-acct': 'admin', 'org-a': 'admin' } };
		const organizations = ['org-acct', 'org-a'];
		const service = new MemoryService({ organizations, people: [admin, ...people] }, ACCOUNT);
		expect(errorsIn(await offboard(service, { credential: {} }))).toEqual([]);
		expect([COMPOSED, APART].map((name) => isActive(service, name))).toEqual([true, false]);
		expect(service.heldBy(idOf(COMPOSED))).toHaveLength(holds.has(email(COMPOSED)) ? 1 : 0);
	});
});

// ---- 15 ----
describe('15. Create is safe to run again', () => {
	const named = (name, fields) => ({
		userName: email(name),
		additionalFields: { attributesJson: JSON.stringify(fields) },
	});
	const recordOf = (service, name) =>
		[...service.users.values()].find(({ userName }) => userName === email(name));

	/** Gil is created and Hal is not; then the whole node runs again, as Retry On Fail has it. */
	async function runTwice(gil, options = {}, since = {}) {
		const service = serviceWith({
			faults: [{ method: 'POST', nth: 2, kind: 'status', status: 400 }],
		});
		const items = [named('gil', gil), named('hal', { externalId: 'hr-2' })];
		const run = async () => await play(service, 'create', { options }, items, { resource: 'user' });
		const first = await run();
		expect(first.map(({ status }) => status)).toEqual(['done', 'failed']);
		const { id, attributes, ...user } = recordOf(service, 'gil');
		const { active = user.active, ...changed } = since;
		service.store({ ...user, id, active, attributes: { ...attributes, ...changed } });
		return { second: await run(), users: [...service.users.values()], id };
	}

	test.each([
		['external ID', { externalId: 'hr-1' }, {}],
		['name', { name: { givenName: 'Gil' } }, {}],
		['external ID, as users are matched', { externalId: 'hr-1' }, { matchUsersBy: 'externalId' }],
	])('whom the try before created is unchanged: known by %s', async (_, gil, options) => {
		const { second, users, id } = await runTwice(gil, options);
		expect(errorsIn(second)).toEqual([]);
		expect(second).toMatchObject([{ userId: id, status: 'unchanged' }, { status: 'done' }]);
		expect(users.filter(({ userName }) => /^(?:gil|hal)@/.test(userName))).toHaveLength(2);
	});

	test.each([
		['nothing but the user name', {}, {}],
		['an email that is the user name', { emails: [{ value: email('gil') }] }, {}],
		['another name since', { name: { givenName: 'Gil' } }, { name: { givenName: 'Gus' } }],
		['another external ID since', { externalId: 'hr-1' }, { externalId: 'hr-9' }],
		['deactivated since', { externalId: 'hr-1' }, { active: false }],
	])('%s proves nothing: that is an error', async (_, gil, since) => {
		const { second, users } = await runTwice(gil, {}, since);
		expect(errorsIn(second)[0]).toContain(`User ${email('gil')} exists already`);
		expect(second[1]).toMatchObject({ status: 'done' });
		expect(users.filter(({ userName }) => userName === email('gil'))).toHaveLength(1);
	});
});

// ---- 16 ----
describe('16. The trigger reports no loss that only old reads show', () => {
	const GROUP = `GET /Groups/${ID.sales}`;
	const USER = `GET /Users/${idOf('dan')}`;

	// Whoever has just come to a group is in no older state of the service.
	test.each([
		['the lists', 'both', 'GET /Groups', 4],
		['the lists and the group', 'both', GROUP, 1],
		['the lists, the group and the user', 'both', USER, 1],
		['the lists, where groups alone show it', 'groups', 'GET /Groups', 4],
		['the lists and the group, where groups alone show it', 'groups', GROUP, 1],
		[
			'the lists, the group and a third list, where groups alone show it',
			'groups',
			'GET /Groups',
			5,
		],
		['the lists, where users alone show it', 'users', 'GET /Users', 8],
		['the lists and the user, where users alone show it', 'users', USER, 1],
	])('old: %s', async (_, membersShownOn, last, nth) => {
		const service = serviceWith({ membersShownOn });
		const look = triggerAt(service, { credential: credentialOf() });
		await look();
		const before = service.now();
		service.add(ID.sales, idOf('dan'));
		expect(await look()).toMatchObject([{ event: 'accessGranted', userName: email('dan') }]);

		const reads = oldReads(service, before, last, nth);
		expect(await look()).toEqual([]);
		expect(reads.isOver).toBe(true);
		expect(await look()).toEqual([]);
	});

	test('a loss that is there is reported in the same check', async () => {
		const service = serviceWith();
		const look = triggerAt(service, { credential: credentialOf() });
		await look();
		service.take(ID.vpn, idOf('ben'));
		expect(await look()).toMatchObject([{ event: 'accessRevoked', userName: email('ben') }]);
		expect(await look()).toEqual([]);
	});
});

// ---- 17 ----
describe('17. The account reached as Generic is refused before the first write', () => {
	const seed = {
		account: 'org-acct',
		organizations: ['org-acct', 'org-a'].map((id) => ({ id, name: id })),
		users: ['ana', 'ben'].map((name) => ({ userName: email(name), active: true })),
		memberships: [
			{ userName: email('ana'), organization: 'org-a', role: 'admin' },
			{ userName: email('ben'), organization: 'org-a', role: 'member' },
		],
	};
	const credential = { serviceProfile: 'generic', scimPrefix: 'everyRequest' };
	const byGroup = { accessBy: 'group' };
	const members = { chooseGroupBy: 'group', group: locator('id', 'org-a:admin') };
	const MESSAGE = 'These groups are roles in organizations';

	test.each([
		['assign', 'access', { ...byGroup, people: email('ben'), ...listed('org-a:admin') }],
		['revoke', 'access', { ...byGroup, people: email('ana'), ...listed('org-a:admin') }],
		[
			'set',
			'access',
			{
				...{ ...byGroup, people: email('ana'), ...listed('org-a:member') },
				managedGroups: rows('*'),
			},
		],
		[
			'reconcile',
			'access',
			{
				...{ ...byGroup, scopeGroups: rows('*'), wantedFrom: 'json' },
				wantedJson: JSON.stringify([{ email: email('ben'), group: 'org-a:admin' }]),
			},
		],
		['offboard', 'access', { people: email('ana') }],
		['setMembers', 'group', { ...members, people: email('ben') }],
		['addMembers', 'group', { ...members, people: email('ben') }],
		['removeMembers', 'group', { ...members, people: email('ana') }],
	])('%s', async (operation, resource, parameters) => {
		await withService({ seed }, async (service, scim) => {
			for (const preview of [true, false]) {
				const more = { credential };
				const { error } = await scim(resource, operation, { ...parameters, preview }, more);
				expect(`${error?.message} ${error?.description}`).toContain(MESSAGE);
				expect(`${error?.description}`).toContain(
					'Set Service Profile to Account with Organizations',
				);
			}
			expect(service.log.requests.every(({ method }) => method === 'GET')).toBe(true);
			expect(rolesOf(service, email('ana'))).toEqual({ 'org-a': 'admin' });
		});
	});

	test.each([
		['deactivate', {}],
		['delete', {}],
		['update', { ...mapped({ active: false }) }],
	])('User: %s of somebody who shows such groups', async (operation, fields) => {
		await withService({ seed }, async (service, scim) => {
			const user = locator('email', email('ana'));
			const own = { ...credential, overrideProfile: true, deletionIsFinal: 'no' };
			const { error } = await scim('user', operation, { user, ...fields }, { credential: own });
			expect(`${error?.message} ${error?.description}`).toContain(MESSAGE);
			expect(rolesOf(service, email('ana'))).toEqual({ 'org-a': 'admin' });
		});
	});

	test('a run that reads no groups goes on', async () => {
		await withService({ seed }, async (_service, scim) => {
			const { error } = await scim('user', 'create', { userName: email('cleo') }, { credential });
			expect(error).toBeUndefined();
		});
	});

	test('one ordinary group among them, and it goes on', async () => {
		const ids = ['org-a:admin', 'org-a:member', 'VPN'];
		const groups = ids.map((id) => ({ id, displayName: id }));
		const people = [{ ...person('ana', []), groups: ['org-a:admin'] }, person('ben', [])];
		const wanted = { people: email('ana'), ...listed('org-a:member') };
		const service = serviceWith({ groups, people });
		const items = await play(service, 'set', { ...wanted, managedGroups: rows('*') });
		expect(errorsIn(items)).toStrictEqual([]);
		expect(membersIn(service)).toEqual({ 'org-a:member': ['ana'] });
	});
});

// ---- 18 ----
describe('18. Empty cells mean one thing, however a source writes them', () => {
	const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
	const full = {
		...{ title: 'Clerk', externalId: 'HR-1', name: { givenName: 'Ana', familyName: 'Silva' } },
		[ENTERPRISE]: { department: 'Sales', costCenter: '1' },
	};
	const world = () => serviceWith({ people: [person('ana', [], full), person('ben', [])] });
	const attributesOf = (service) => service.users.get(idOf('ana')).attributes;
	const emails = [{ value: email('ana'), type: 'work', primary: true }];
	/** Ana with these cells empty, and a new display name. */
	const cells = (empty) => ({
		...{ title: empty, externalId: empty, 'name.familyName': empty, displayName: 'Ana S.' },
		[`${ENTERPRISE}:department`]: empty,
	});
	const LEFT = { ...full, emails, displayName: 'Ana S.' };
	const CLEARED = {
		...{ emails, displayName: 'Ana S.', name: { givenName: 'Ana' } },
		[ENTERPRISE]: { costCenter: '1' },
	};
	const user = { resource: 'user' };
	const RUNS = {
		'User: Reconcile, items': async (service, values, options) =>
			await play(
				service,
				'reconcile',
				{ preview: false, usersFrom: 'items', options },
				[{ json: { userName: email('ana'), active: values.title, ...values } }],
				user,
			),
		'User: Reconcile, JSON': async (service, values, options) =>
			await play(
				service,
				'reconcile',
				{
					...{ preview: false, usersFrom: 'json', options },
					usersJson: JSON.stringify([{ userId: idOf('ana'), userName: values.title, ...values }]),
				},
				[{}],
				user,
			),
		'User: Update': async (service, values, options) =>
			await play(
				service,
				'update',
				{
					...{ user: locator('email', email('ana')), options },
					attributes: { mappingMode: 'defineBelow', value: { active: values.title, ...values } },
				},
				[{}],
				user,
			),
		'User: Create or Update': async (service, values, options) =>
			await play(
				service,
				'upsert',
				{
					...{ userName: email('ana'), options },
					attributes: { mappingMode: 'defineBelow', value: values },
				},
				[{}],
				user,
			),
	};

	describe.each(Object.keys(RUNS))('%s', (name) => {
		describe.each([
			['null', null],
			['an empty text', ''],
			['blanks', ' \t'],
		])('%s', (_name, empty) => {
			test.each([
				['left, unless said otherwise', {}, LEFT],
				['left', { emptyCells: 'leave' }, LEFT],
				['cleared', { emptyCells: 'clear' }, CLEARED],
			])('%s', async (_way, options, wanted) => {
				const service = world();
				expect(errorsIn(await RUNS[name](service, cells(empty), options))).toStrictEqual([]);
				expect(attributesOf(service)).toEqual(wanted);
				const { active, userName } = service.users.get(idOf('ana'));
				expect([active, userName]).toEqual([true, email('ana')]);
			});
		});
	});

	test.each([
		['leave', emails, undefined],
		['clear', [], []],
	])(
		'%s of the main email is a change of emails in the plan',
		async (emptyCells, left, planned) => {
			const run = async (service, preview) =>
				await play(
					service,
					'reconcile',
					{ preview, usersFrom: 'items', options: { emptyCells } },
					[{ json: { userName: email('ana'), email: '', displayName: 'Ana S.' } }],
					user,
				);
			const [{ plan }] = await run(world(), true);
			expect(plan.changes[0].attributes.emails).toEqual(planned);
			const service = world();
			expect(errorsIn(await run(service, false))).toStrictEqual([]);
			expect(attributesOf(service).emails).toEqual(left);
		},
	);

	test.each(['leave', 'clear'])('%s: an empty key is not given', async (emptyCells) => {
		const service = world();
		const given = [
			{ userId: idOf('ana'), externalId: '', title: 'Boss' },
			{ userId: null, externalId: ' ', title: 'Boss' },
		];
		const items = await play(
			service,
			'reconcile',
			{ preview: false, usersFrom: 'items', ...matchOn('externalId'), options: { emptyCells } },
			given.map((json) => ({ json })),
			user,
		);
		expect(items.map(({ status }) => status)).toEqual(['done', 'failed']);
		expect(attributesOf(service)).toMatchObject({ externalId: 'HR-1', title: 'Boss' });
	});

	test.each([null, '', ' '])(
		'whoever is new has no attribute of an empty cell (%j)',
		async (empty) => {
			const service = world();
			const more = { 'name.givenName': 'Gil', title: empty, attributes: { nickName: empty } };
			await play(
				service,
				'reconcile',
				{
					...{ preview: false, wantedFrom: 'items', unwanted: 'keep', createMissing: true },
					scopeGroups: rows('VPN'),
					accessColumns: { attributes: 'name.givenName, title, attributes' },
				},
				[{ json: { userId: empty, person: empty, userName: email('gil'), group: 'VPN', ...more } }],
			);
			const value = { 'name.givenName': 'Gil', title: empty };
			const attributes = { mappingMode: 'defineBelow', value };
			await play(service, 'create', { userName: email('hal'), attributes }, [{}], user);
			const newUserFields = { givenName: 'Gil', familyName: empty };
			await play(service, 'assign', {
				...{ people: email('ida'), createMissing: true, newUserFields, ...listed('VPN') },
			});
			for (const name of ['gil', 'hal', 'ida']) {
				const made = service.users.get(idOf(name)).attributes;
				expect(made).toEqual({ name: { givenName: 'Gil' } });
			}
		},
	);
});

// ---- 19 ----
describe('19. A plan proves of no leaver that an account has ended which has not', () => {
	const planned = { people: emails('dan', 'finn') };
	/** Ana and Ben are in a group, so that it is known what groups show. */
	const world = () => serviceWith({ membersShownOn: 'groups' });
	const applied = async (service, plan) =>
		await play(service, 'applyPlan', {
			changes: 'all',
			plan,
			safetyLimits: { protectedUsers: '' },
		});

	test('one who is protected', async () => {
		const service = world();
		const options = { protectedUsers: email('dan') };
		const [preview] = await play(service, 'offboard', { ...planned, preview: true, options });
		const items = await applied(service, preview.plan);
		expect(preview.summaryText).toContain(`${email('dan')} is protected`);
		expect(items).toMatchObject([{ userName: email('finn'), status: 'unchanged' }]);
		expect(service.written()).toStrictEqual([]);
	});

	test('one who is let in again after the plan', async () => {
		const service = world();
		const [preview] = await play(service, 'offboard', { ...planned, preview: true });
		service.setActive(idOf('finn'), true);
		const items = await applied(service, preview.plan);
		const finn = items.find(({ userName }) => userName === email('finn'));
		expect(finn).toMatchObject({ status: 'failed', provenAt: null });
		expect(errorsIn(items)[0]).toContain('is active, and the plan does not change that');
		expect(service.users.get(idOf('finn')).active).toBe(true);
	});
});
