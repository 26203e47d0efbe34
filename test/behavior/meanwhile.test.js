'use strict';

// What has become of people, groups and accounts between the plan and the moment when a request leaves, or an approved plan is applied.

const {
	Account,
	Groups,
	UNDOABLE,
	email,
	emails,
	errorsIn,
	listed,
	locator,
	play,
	put,
	table,
} = require('../support/behavior');
const { later, meanwhile } = require('../support/secondWriter');

const FIXED = { ...UNDOABLE, userNameCanChange: 'no' };
const NAME = { givenName: 'Ana', familyName: 'Silva' };
const NEW = email('ana.silva');
const byEmail = { user: locator('email', email('ana')), newEmail: NEW };

describe('a new account gets no role that the old one has lost, or whose owner was shut out', () => {
	const ROLES = [{ value: 'editor' }, { value: 'lab' }];
	const ACTS = {
		'has lost one': (scim, w) => {
			const user = scim.users.get(w.userId('ana'));
			scim.store({ ...user, attributes: { ...user.attributes, roles: ROLES.slice(0, 1) } });
		},
		'is inactive': (scim, w) => scim.setActive(w.userId('ana'), false),
		'is gone': (scim, w) => scim.delete(w.userId('ana')),
	};
	const cases = ['late', 'again'].flatMap((how) => Object.keys(ACTS).map((what) => [how, what]));
	test.each(cases)('%s: it %s', async (how, what) => {
		const world = new Groups(
			{ ana: { has: 'eng', name: NAME, roles: ROLES }, ben: 'eng' },
			{ credential: FIXED },
		);
		const { service } = world;
		const exchange = service.exchange.bind(service);
		// The service is slow to answer the last read of the plan, or answers the create with 503.
		service.exchange = async (request) => {
			if (how === 'again' && request.method === 'POST') {
				service.exchange = exchange;
				ACTS[what](service, world);
				return { status: 503, headers: {}, text: '' };
			}
			const answer = await exchange(request);
			if (how === 'late' && /Schemas/.test(request.url)) {
				later(6_000);
				ACTS[what](service, world);
			}
			return answer;
		};
		await play(world, ['access', 'changeEmail'], byEmail);
		const roles = world.attributes()['ana.silva']?.roles ?? [];
		expect(roles.map(({ value }) => value)).not.toContain('lab');
	});
});

describe('a plan of Change Email copies nothing of an account that is another one by then', () => {
	const ACTS = {
		'has lost the group': put({ ana: '' }),
		'has another group as well': put({ ana: 'eng sales' }),
		'is inactive': (scim, w) => scim.setActive(w.userId('ana'), false),
		'is gone': (scim, w) => scim.delete(w.userId('ana')),
	};
	const cases = Object.keys(ACTS).flatMap((what) => [
		[what, 'a new account'],
		[what, 'one that is there'],
	]);
	test.each(cases)('it %s: %s', async (what, which) => {
		const theirs = which === 'one that is there' && { 'ana.silva': { has: '', name: NAME } };
		const world = new Groups(
			{ ana: { has: 'eng', name: NAME }, ...theirs, ben: 'eng sales' },
			{ credential: FIXED },
		);
		const [{ plan }] = await play(world, ['access', 'changeEmail'], { ...byEmail, preview: true });
		ACTS[what](world.service, world);
		const before = world.shape();
		const items = await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
		expect(errorsIn(items).length).toBeGreaterThan(0);
		expect(world.shape()['ana.silva'] ?? '').toBe('');
		expect(world.shape().ana).toBe(before.ana);
	});
});

describe('the account with the new email is somebody else by then', () => {
	const change = (attributes) => (scim, w) => {
		const user = scim.users.get(w.userId('ana.silva'));
		scim.store({ ...user, attributes: { ...user.attributes, ...attributes } });
	};
	const ACTS = {
		'another name': change({ name: { givenName: 'Eva', familyName: 'Silva' } }),
		'another external ID': change({ externalId: 'hr-2' }),
		'a group of its own': (scim, w) => scim.add('sales', w.userId('ana.silva')),
		'a role of its own': change({ roles: [{ value: 'owner' }] }),
	};
	const on = () =>
		new Groups(
			{
				ana: { has: 'eng', name: NAME, externalId: 'hr-1' },
				'ana.silva': { has: '', name: NAME, externalId: 'hr-1' },
				ben: 'eng sales',
			},
			{ credential: FIXED },
		);
	test.each(Object.keys(ACTS))('%s, when the plan is applied', async (what) => {
		const world = on();
		const [{ plan }] = await play(world, ['access', 'changeEmail'], { ...byEmail, preview: true });
		ACTS[what](world.service, world);
		const before = world.shape();
		const items = await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
		expect(errorsIn(items).length).toBeGreaterThan(0);
		expect(world.shape()).toEqual(before);
	});
	for (const moment of ['late', 'again'])
		table(
			...['access', 'changeEmail'],
			Object.entries(ACTS).map(([what, act]) => ({
				it: `${what}, ${moment}`,
				...{ on, wish: byEmail, [moment]: act, fails: expect.arrayContaining([expect.anything()]) },
				ends: what === 'a group of its own' ? { 'ana.silva': 'sales' } : {},
				sets: {
					'another name': { 'ana.silva': { name: { givenName: 'Eva', familyName: 'Silva' } } },
					'another external ID': { 'ana.silva': { externalId: 'hr-2' } },
					'a role of its own': { 'ana.silva': { roles: [{ value: 'owner' }] } },
				}[what],
			})),
		);
});

test('a user name that another user has by then is not given', async () => {
	const world = new Groups({ ana: 'eng', ben: 'eng' }, { credential: UNDOABLE });
	const [{ plan }] = await play(world, ['access', 'changeEmail'], { ...byEmail, preview: true });
	const ben = world.service.users.get(world.userId('ben'));
	world.service.store({ ...ben, userName: NEW });
	const items = await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
	const error = `The user name ${NEW} belongs to another user (ID ${ben.id})`;
	expect(items).toMatchObject([{ status: 'failed', error }]);
	expect(world.service.written()).toStrictEqual([]);
});

describe('an account that cannot be read when a plan of removals is applied fails alone', () => {
	const both = (w) => ({ people: ['ana', 'ben'].map((name) => w.userId(name)).join() });
	const WAYS = {
		'access revoke': (w) => ({ ...both(w), ...listed('vpn') }),
		'group removeMembers': (w) => ({
			...both(w),
			chooseGroupBy: 'group',
			group: locator('id', 'vpn'),
		}),
	};
	test.each(Object.keys(WAYS))('%s', async (way) => {
		const world = new Groups(
			{ ana: 'eng vpn', ben: 'eng vpn', cid: 'eng vpn' },
			{ credential: UNDOABLE },
		);
		const [{ plan }] = await play(world, way.split(' '), { ...WAYS[way](world), preview: true });
		world.service.faults.add({
			method: 'GET',
			path: new RegExp(`Users/${world.userId('ana')}`),
			kind: '500-html',
		});
		const items = await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
		expect(items.map(({ userId }) => userId).sort()).toEqual(
			['ana', 'ben'].map((name) => world.userId(name)).sort(),
		);
		expect(world.shape().ben).toBe('eng');
	});
});

describe.each(['late', 'again'])('what is another one by then, %s', (moment) => {
	const on = () =>
		new Groups(
			{ ana: { has: 'eng vpn', externalId: 'hr-1' }, ben: 'eng vpn sales' },
			{ credential: UNDOABLE },
		);
	const another = (scim, w) => {
		const user = scim.users.get(w.userId('ana'));
		const attributes = {
			emails: [{ value: email('boss') }],
			externalId: 'hr-9',
			displayName: 'Boss',
		};
		scim.store({ ...user, userName: email('boss'), attributes });
	};
	const rename = (scim) =>
		['sales', 'vpn'].forEach((id) => scim.about.set(id, { displayName: `${id} 2` }));
	const breakDown = ({ faults }, w) =>
		faults.add({ method: 'GET', path: new RegExp(`Users/${w.userId('ana')}`), kind: '500-html' });
	const ana = { people: email('ana') };
	const fails = expect.arrayContaining([expect.stringMatching(/boss|is named/)]);
	const row = (it, act, wish, ends) => ({ it, on, wish, [moment]: act, fails, ends });
	const SET = {
		boss: { emails: [{ value: email('boss') }], externalId: 'hr-9', displayName: 'Boss' },
	};
	const person = (it, wish) => ({
		...row(it, another, wish, { ana: undefined, boss: 'eng vpn' }),
		sets: SET,
	});
	table('access', 'assign', [
		person('an ID that is another person’s is given nothing', { ...ana, ...listed('sales') }),
		row('a group that was renamed gets nobody', rename, { ...ana, ...listed('sales') }, {}),
	]);
	table('user', 'delete', [
		person('an ID that is another person’s is not deleted', (w) => ({ user: w.user('ana') })),
		{
			...row('nor one that cannot be read', breakDown, (w) => ({ user: w.user('ana') }), {}),
			fails: [/the service answered 500/],
		},
	]);
	table('access', 'revoke', [
		row(
			'nobody is taken out of a group that was renamed',
			rename,
			{ ...ana, ...listed('vpn') },
			{},
		),
		person('an ID that is another person’s loses nothing', { ...ana, ...listed('vpn') }),
		{
			...row('one that cannot be read loses it', breakDown, { ...ana, ...listed('vpn') }, {}),
			...{ fails: [], ends: { ana: 'eng' } },
		},
	]);
	const theGroup = { chooseGroupBy: 'group', group: locator('id', 'vpn') };
	const wholeList = { people: email('ben'), options: { replaceWith: 'wholeList' } };
	table('group', 'setMembers', [
		row(
			'nor does a group get its old name back by a list',
			rename,
			{ ...theGroup, ...wholeList },
			{},
		),
	]);
	table('group', 'delete', [row('a group that was renamed is not deleted', rename, theGroup, {})]);
	const inactive = () =>
		new Groups(
			{ ana: { has: 'eng vpn', active: false, externalId: 'hr-1' }, ben: 'eng vpn sales' },
			{ credential: UNDOABLE },
		);
	table('user', 'activate', [
		{
			...person('an ID that is another person’s is not activated', (w) => ({
				user: w.user('ana'),
			})),
			...{ on: inactive, ends: { ana: undefined, boss: 'inactive eng vpn' } },
		},
	]);
});

test('after a refusal nobody is sent alone to a group that was renamed', async () => {
	const world = new Groups({ ana: '', ben: '', cid: 'sales' }, { credential: UNDOABLE });
	const { service } = world;
	service.faults.add({ method: 'PATCH', nth: 1, kind: 'status', status: 400 });
	meanwhile(service, /^PATCH/, () => service.about.set('sales', { displayName: 'board' }));
	const wish = { people: [email('ana'), email('ben')].join(), ...listed('sales') };
	const items = await play(world, ['access', 'assign'], wish);
	expect(errorsIn(items)).toEqual(Array(2).fill(expect.stringContaining('is named "board"')));
	expect(world.shape()).toEqual({ ana: '', ben: '', cid: 'sales' });
});

describe('an approved deactivation that leaves late or again', () => {
	const becomesBoss = (service, id) => {
		const user = service.users.get(id);
		service.store({ ...user, userName: email('boss') });
	};
	test.each(['late', 'again'])('%s: is not of another person with that ID', async (moment) => {
		const world = new Groups({ ana: 'eng', ben: 'eng' }, { credential: UNDOABLE });
		const { service } = world;
		const wish = { people: email('ana') };
		const [{ plan }] = await play(world, ['access', 'offboard'], { ...wish, preview: true });
		const exchange = service.exchange.bind(service);
		const id = world.userId('ana');
		service.exchange = async (request) => {
			if (moment === 'again' && request.method === 'PATCH' && /Users/.test(request.url)) {
				service.exchange = exchange;
				becomesBoss(service, id);
				return { status: 503, headers: {}, text: '' };
			}
			const answer = await exchange(request);
			if (moment === 'late' && /Groups/.test(request.url)) {
				service.exchange = exchange;
				later(6_000);
				becomesBoss(service, id);
			}
			return answer;
		};
		const items = await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
		expect(errorsIn(items).join()).toContain('boss@example.com');
		expect(world.shape().boss).toBe('eng');
	});
});

test.each(['late', 'again'])(
	'a role that comes between the looks at the groups and at the person is not replaced: %s',
	async (moment) => {
		const again = { faults: [{ method: 'PATCH', nth: 1, kind: 'status', status: 503 }] };
		const world = new Account({ ana: '', ben: 'a:admin' }, moment === 'again' ? again : {});
		const { service } = world;
		const id = world.userId('ana');
		const exchange = service.exchange.bind(service);
		const [asked, looked] = [[], []];
		service.exchange = async (request) => {
			const path = `${request.method} ${new URL(request.url).pathname}`;
			asked.push(path);
			if (/viewer$/.test(path) || (asked.length > 4 && /Groups$/.test(path))) looked.push(path);
			if (looked.length > 0 && path.endsWith(id)) service.setRole(id, 'org-a', 'viewer');
			const answer = await exchange(request);
			// What the plan was made of is old by then.
			if (moment === 'late' && asked.length === 4) later(6_000);
			return answer;
		};
		const wish = { people: email('ana'), ...world.roles('a:member') };
		const items = await play(world, ['access', 'assign'], wish);
		expect(looked).not.toStrictEqual([]);
		expect(errorsIn(items)).toEqual([expect.stringMatching(/is viewer/)]);
		expect(world.shape().ana).toBe('a:viewer');
	},
);

table('access', 'assign', {
	it: 'what leaves late looks at all groups together',
	on: () =>
		new Account(
			{ ana: '', ben: '', cid: '', dan: 'a:admin b:admin' },
			{ credential: { overrideProfile: true, membersPerRequest: 1 } },
		),
	wish: (w) => ({ people: emails('ana ben cid'), ...w.roles('a:member b:member') }),
	late: () => {},
	reads: ['GET Groups', 'GET Users', 'GET Groups'],
	ends: { ana: 'a:member b:member', ben: 'a:member b:member', cid: 'a:member b:member' },
});

test('a plan of an account whose login no group had shown is not that of a stranger', async () => {
	const world = new Account({ ana: '', ben: 'a:admin' }, { groups: ['b'] });
	const { service } = world;
	const id = world.userId('ana');
	// The user name is cosmetic there (test/contract/interface.md 2.2), and members are shown by their login (2.3).
	service.store({ ...service.users.get(id), userName: email('ana.lund') });
	const wish = { people: id, ...world.roles('a:member') };
	const [{ plan }] = await play(world, ['access', 'assign'], { ...wish, preview: true });
	service.setRole(id, 'org-b', 'viewer');
	const items = await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
	expect(errorsIn(items)).toStrictEqual([]);
	expect(service.roleOf(id, 'org-a')).toBe('member');
});

describe('two roles where people have one are an old read of one of both: nothing is changed there', () => {
	const WAYS = ['assign', 'set'];
	const wish = (world) => ({ people: email('ana'), ...world.roles('a:admin') });
	const CONFLICT = /conflicting roles for ana@example.com in org-a/;
	const expectConflict = (world, items) => {
		const errors = errorsIn(items);
		expect(errors.length).toBeGreaterThan(0);
		for (const error of errors) expect(error).toMatch(CONFLICT);
		expect(world.service.written()).toStrictEqual([]);
	};
	test.each(WAYS)('%s, when it is planned', async (way) => {
		const world = new Account({ ana: 'a:member a:viewer', ben: 'a:admin' });
		expectConflict(world, await play(world, ['access', way], wish(world)));
	});
	test.each(WAYS)('%s, when its plan is applied', async (way) => {
		const before = new Account({ ana: 'a:member', ben: 'a:admin' });
		const fields = { ...wish(before), preview: true };
		const [{ plan }] = await play(before, ['access', way], fields);
		const world = new Account({ ana: 'a:member a:admin', ben: 'a:admin' });
		expectConflict(world, await play(world, ['access', 'applyPlan'], { changes: 'all', plan }));
	});
});

describe('an account that is removed by a request that leaves again', () => {
	const FINAL = { ...UNDOABLE, overrideProfile: true, deactivation: 'removes' };
	const allowed = { safetyLimits: { allowPermanentRemoval: true } };
	/** The first write is answered 503, after another client has acted. */
	const busy = (world, method, act) => {
		const { service } = world;
		const exchange = service.exchange.bind(service);
		service.exchange = async (request) => {
			if (request.method !== method) return await exchange(request);
			service.exchange = exchange;
			act(service);
			return { status: 503, headers: {}, text: '' };
		};
	};
	const become =
		(attributes, more = {}) =>
		(world) =>
		(scim) => {
			const user = scim.users.get(world.userId('ana'));
			scim.store({ ...user, ...more, attributes: { ...user.attributes, ...attributes } });
		};
	test.each(['user deactivate', 'access offboard'])(
		'%s: not that of another person',
		async (way) => {
			const [resource, operation] = way.split(' ');
			const world = new Groups({ ana: 'eng', ben: 'eng' }, { credential: FINAL });
			busy(world, 'PATCH', become({}, { userName: email('boss') })(world));
			const who =
				resource === 'user' ? { user: locator('email', email('ana')) } : { people: email('ana') };
			const items = await play(world, [resource, operation], {
				...who,
				...allowed,
			});
			expect(errorsIn(items).join()).toContain('boss@example.com');
			expect(world.shape()).toMatchObject({ boss: expect.stringContaining('eng') });
			expect(world.shape().boss).not.toContain('inactive');
		},
	);
	test('a soft delete that renames the account is not called left alone', async () => {
		const world = new Groups({ ana: 'eng', ben: 'eng' }, { credential: UNDOABLE });
		const rename = become({ active: false }, { userName: 'deleted-1' })(world);
		const { service } = world;
		const exchange = service.exchange.bind(service);
		service.exchange = async (request) => {
			if (request.method !== 'DELETE') return await exchange(request);
			service.exchange = exchange;
			rename(service);
			service.setActive(world.userId('ana'), false);
			return { status: 503, headers: {}, text: '' };
		};
		const wish = { user: locator('email', email('ana')) };
		const [item] = await play(world, ['user', 'delete'], wish);
		expect(item).toMatchObject({ status: 'unverified' });
	});
	test.each(['late', 'again'])(
		'%s: a list without user names names nobody else',
		async (moment) => {
			const world = new Groups(
				{ ana: { has: 'eng', externalId: '' }, ben: 'eng sales' },
				{
					credential: UNDOABLE,
					...(moment === 'again' && {
						faults: [{ method: 'PATCH', nth: 1, kind: 'status', status: 503 }],
					}),
				},
			);
			const { service } = world;
			const exchange = service.exchange.bind(service);
			let isLate = false;
			service.exchange = async (request) => {
				const answer = await exchange(request);
				if (request.method !== 'GET' || !/Users(?:\?|$)/.test(request.url)) return answer;
				if (moment === 'late' && !isLate) {
					isLate = true;
					later(6_000);
				}
				return { ...answer, text: answer.text.replace(/"userName":"[^"]*",?/g, '') };
			};
			const options = { matchUsersBy: 'email' };
			const items = await play(world, ['access', 'assign'], {
				people: email('ana'),
				...listed('sales'),
				options,
			});
			expect(errorsIn(items)).toEqual([]);
			expect(world.shape().ana).toBe('eng sales');
		},
	);
});

test.each(['another person', 'inactive'])(
	'a PUT of values does not leave for who is %s by then',
	async (what) => {
		const roles = [{ value: 'a' }];
		const world = new Groups(
			{
				ana: { has: 'eng', roles, externalId: 'hr-1' },
				ben: { has: 'eng', roles: [...roles, { value: 'b' }] },
			},
			{ credential: UNDOABLE },
		);
		const { service } = world;
		const exchange = service.exchange.bind(service);
		const puts = [];
		service.exchange = async (request) => {
			if (request.method === 'PUT') puts.push(request.url);
			if (request.method !== 'PATCH') return await exchange(request);
			const user = service.users.get(world.userId('ana'));
			if (what === 'inactive') service.setActive(user.id, false);
			else
				service.store({
					...user,
					userName: email('boss'),
					attributes: { ...user.attributes, externalId: 'hr-9' },
				});
			return { status: 501, headers: {}, text: '' };
		};
		const accessValues = { value: [{ action: 'add', attribute: 'roles', value: 'b' }] };
		const items = await play(world, ['user', 'update'], {
			user: locator('email', email('ana')),
			accessValues,
		});
		expect(errorsIn(items)).toHaveLength(1);
		expect(puts).toEqual([]);
	},
);

test.each(['add', 'remove'])(
	'no value of another person is changed by a request that leaves again: %s',
	async (action) => {
		const roles = [{ value: 'a' }, { value: 'b' }];
		const world = new Groups(
			{
				ana: { has: 'eng', roles: roles.slice(0, action === 'add' ? 1 : 2) },
				ben: { has: 'eng', roles },
			},
			{ credential: UNDOABLE },
		);
		const { service } = world;
		const held = () => service.users.get(world.userId('ana')).attributes.roles;
		const before = held();
		const exchange = service.exchange.bind(service);
		service.exchange = async (request) => {
			if (request.method !== 'PATCH') return await exchange(request);
			service.exchange = exchange;
			const user = service.users.get(world.userId('ana'));
			service.store({ ...user, userName: email('boss') });
			return { status: 503, headers: {}, text: '' };
		};
		const accessValues = { value: [{ action, attribute: 'roles', value: 'b' }] };
		const user = locator('email', email('ana'));
		const items = await play(world, ['user', 'update'], { user, accessValues });
		expect(errorsIn(items)).toHaveLength(1);
		expect(held()).toEqual(before);
	},
);
