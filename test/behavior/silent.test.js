'use strict';

// What one kind of request leaves out, and another one shows: lists without `active`, groups and users that no GET by ID finds.

const {
	Groups,
	UNDOABLE,
	email,
	emails,
	errorsIn,
	locator,
	play,
	rows,
	table,
} = require('../support/behavior');
const { userIdOf } = require('../support/memoryService');
const { mapped } = require('../support/node');
const { asks, each, leaves, members, on, reconciled, takes } = require('../support/honest');
const { later } = require('../support/secondWriter');

afterEach(() => jest.restoreAllMocks());

const isListOfUsers = ({ method, url }) =>
	method === 'GET' && /\/Users(\?(?!.*filter)|$)/.test(url);
const without = ({ active, ...one }) => one;
/** Lists of users say nothing of `active`; reads by ID and filters do. */
const mute = (body, request) =>
	isListOfUsers(request) ? { ...body, Resources: body.Resources.map(without) } : body;
/** A world in which some requests are answered otherwise, and not carried out. */
function answering(world, answerTo) {
	const exchange = world.service.exchange.bind(world.service);
	world.service.exchange = async (request) => answerTo(request) ?? (await exchange(request));
	return world;
}
const refusal = (status) => ({ status, headers: {}, text: '{"detail":"no"}' });
const four = { ana: '', ben: 'inactive', cyd: '', dan: '', eve: 'eng' };

describe('lists leave out who is active', () => {
	table('access', 'assign', [
		{
			it: 'those who gain are asked by ID',
			...{ on: on(four, { answers: mute }), wish: takes('ana ben cyd dan', 'eng') },
			fails: [/ben@example.com is inactive/],
			ends: each(['ana', 'cyd', 'dan'], 'eng'),
			reads: asks(/^GET ben$/),
		},
	]);
	table('access', 'offboard', [
		{
			it: 'a deactivation that was not kept is not proven by what lists leave out',
			on: () => {
				const world = on(each(['ana', 'ben', 'cyd', 'dan'], 'eng'), { answers: mute })();
				return answering(world, ({ method, url }) =>
					/PATCH|PUT/.test(method) && /Users/.test(url)
						? {
								status: 200,
								headers: {},
								text: JSON.stringify({ id: url.split('/').at(-1), userName: 'x', active: true }),
							}
						: undefined,
				);
			},
			wish: leaves('ana ben cyd dan'),
			items: Array(4).fill({ status: 'unverified', provenAt: null }),
			fails: Array(4).fill(/active/),
			ends: each(['ana', 'ben', 'cyd', 'dan'], ''),
		},
		{
			it: 'one that was kept is seen by ID',
			on: on(each(['ana', 'ben', 'cyd', 'dan'], 'eng'), { answers: mute }),
			...{ wish: leaves('ana ben cyd'), once: true },
			items: Array(3).fill({ status: 'done', provenAt: expect.any(String) }),
			ends: each(['ana', 'ben', 'cyd'], 'inactive'),
		},
	]);
});

describe('`active` is left out where it is false', () => {
	table('access', 'assign', [
		...['on', 'refused'].map((filter) => ({
			it: `one alone who shows none gains nothing, since others show it: filters ${filter}`,
			on: on({ ana: 'inactive', bob: 'eng' }, { active: 'whenTrue', filter }),
			...{ wish: takes('ana', 'eng'), fails: [/whether ana@example.com is active/], sends: [] },
		})),
		{
			it: 'one alone who shows none is activated first, as Reactivate says',
			on: on({ ana: 'inactive', bob: 'eng' }, { active: 'whenTrue' }),
			wish: (w) => ({ ...takes('ana', 'eng')(w), options: { reactivate: true } }),
			sends: ['PATCH ana', 'PATCH eng'],
			ends: { ana: 'eng' },
		},
		{
			it: 'who shows it gains, and nobody else is asked for',
			on: on({ ana: '', bob: 'eng' }, { active: 'whenTrue' }),
			...{ wish: takes('ana', 'eng'), reads: ['GET eng', 'GET Users by userName', 'GET eng'] },
			ends: { ana: 'eng' },
		},
	]);
	table('access', 'changeEmail', [
		{
			it: 'a new account that shows none is given nothing',
			on: on(
				{ ana: 'eng', anna: 'inactive', bob: 'eng' },
				{
					active: 'whenTrue',
					credential: { overrideProfile: true, deletionIsFinal: 'no', userNameCanChange: 'no' },
				},
			),
			wish: () => ({ user: locator('email', email('ana')), newEmail: email('anna') }),
			...{ fails: [/whether anna@example.com is active/], sends: [] },
		},
	]);
	table('access', 'revoke', [
		{
			it: 'an admin who shows none is no admin who is left',
			on: on(
				{ ana: 'a:admin', bob: 'inactive a:admin' },
				{
					active: 'whenTrue',
					credential: {
						groupsStandFor: 'organizationAndRole',
						...{ overrideProfile: true, groupPattern: '{organization}:{role}' },
					},
				},
			),
			wish: () => ({
				...{ people: email('ana'), accessBy: 'organizationAndRole', revokeIn: 'one' },
				organization: locator('id', 'a'),
			}),
			...{ fails: [/without an active admin/], sends: [] },
		},
	]);
	const ANA = userIdOf(email('ana'));
	const start = () => on({ ana: '', ben: '', eve: 'eng' }, { active: 'whenTrue' })();
	const shutOut = (world) => world.service.setActive(ANA, false);
	const gives = (world) => takes('ana ben', 'eng')(world);

	test('who was shut out after the plan was made is given nothing by it', async () => {
		const world = start();
		const [{ plan }] = await play(world, ['access', 'assign'], { ...gives(world), preview: true });
		shutOut(world);
		const items = await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
		expect(errorsIn(items)).toEqual([expect.stringContaining('ana@example.com')]);
		expect(world.shape()).toMatchObject({ ana: 'inactive', ben: 'eng' });
	});

	test.each([1, 2])(
		'who was shut out before the request leaves (again) is given nothing: %s',
		async (nth) => {
			const world = start();
			const { service } = world;
			if (nth === 2) service.faults.add({ method: 'PATCH', nth: 1, kind: '429' });
			const turn = () => {
				if (!service.users.get(ANA).active) return;
				shutOut(world);
				later(6_000);
			};
			const exchange = service.exchange.bind(service);
			service.exchange = async (request) => {
				const isTurn = request.method === (nth === 2 ? 'PATCH' : 'GET');
				if (isTurn && nth === 2) turn();
				const answer = await exchange(request);
				if (isTurn) turn();
				return answer;
			};
			const items = await play(world, ['access', 'assign'], gives(world));
			expect(errorsIn(items)).toEqual([expect.stringContaining('ana@example.com')]);
			expect(world.shape()).toMatchObject({ ana: 'inactive', ben: 'eng' });
		},
	);
});

describe('what attributes that give access hold', () => {
	const roles = (...texts) => texts.map((value) => ({ value }));
	const remove = (value) => ({
		accessValues: { value: [{ action: 'remove', attribute: 'roles', value }] },
	});
	/** Only a read by ID shows roles. */
	const byIdAlone = (body, { method, url }) =>
		method === 'GET' && /\/Users(\?|$)/.test(url)
			? { ...body, Resources: body.Resources.map(({ roles: _, ...one }) => one) }
			: body;
	const holding = (people, held, more) => () => {
		const world = on(people, more)();
		for (const [name, own] of Object.entries(held)) {
			const user = [...world.service.users.values()].find(
				({ userName }) => userName === email(name),
			);
			world.service.store({ ...user, attributes: { ...user.attributes, ...own } });
		}
		world.attributesBefore = world.attributes();
		return world;
	};
	const userOf = (name) => ({ user: { __rl: true, mode: 'email', value: email(name) } });
	const ana = userOf('ana');
	const yes = { credential: { overrideProfile: true, usersShowAccessAttributes: 'yes' } };
	table('user', 'update', [
		{
			it: 'what no user shows is not taken for none',
			...{ on: on({ ana: '' }), wish: () => ({ ...ana, ...remove('x') }), sends: [] },
			fails: [/no read of this run has shown roles/],
		},
		{
			it: 'each who loses one by name is asked by ID',
			on: holding(
				each(['ana', 'ben', 'cyd'], ''),
				{ cyd: { roles: roles('x') } },
				{ answers: byIdAlone },
			),
			wish: () => ({
				items: ['ana', 'ben', 'cyd'].map((name) => ({ ...userOf(name), ...remove('x') })),
			}),
			items: ['unchanged', 'unchanged', 'done'].map((status) => ({
				accessChanges: [expect.objectContaining({ status })],
			})),
			sets: { cyd: { roles: [] } },
		},
		...[[{ $ref: 'https://scim.test/Roles/5' }], [{ value: 'y' }, { primary: true }]].map(
			(shape) => ({
				it: `what is no value is not taken for none: ${JSON.stringify(shape)}`,
				on: holding({ ana: '' }, { ana: { roles: shape } }),
				...{ wish: () => ({ ...ana, ...remove('x') }), sends: [] },
				fails: [/shows something else than values in roles/],
			}),
		),
		{
			it: 'where users always show it, it is none',
			...{ on: on({ ana: '' }, yes), wish: () => ({ ...ana, ...remove('x') }), sends: [] },
			items: [{ text: 'ana (ana@example.com) was already up to date.' }],
		},
		{
			it: 'an empty list is none',
			on: holding({ ana: '' }, { ana: { roles: [] } }),
			...{ wish: () => ({ ...ana, ...remove('x') }), sends: [] },
			items: [{ text: 'ana (ana@example.com) was already up to date.' }],
		},
		{
			it: 'one that only a read by ID shows is taken',
			on: holding({ ana: '' }, { ana: { roles: roles('x', 'y') } }, { answers: byIdAlone }),
			wish: () => ({ ...ana, ...remove('x') }),
			sets: { ana: { roles: roles('y') } },
		},
	]);
	table('access', 'reconcile', [
		{
			it: 'who shows what is no value is not deactivated for having nothing else',
			on: holding(
				{ ana: 'eng', bob: 'eng', cyd: 'eng' },
				{ ana: { roles: [{ $ref: 'https://scim.test/Roles/5' }] } },
			),
			wish: {
				...{ ...reconciled('eng', ['cyd']), unwanted: 'revoke' },
				options: { ...reconciled('eng', []).options, deactivatesEmpty: true },
			},
			ends: { ana: '', bob: 'inactive' },
		},
	]);
	table('access', 'offboard', [
		{
			it: 'what is no value is no proof that there is none',
			on: holding({ ana: 'eng' }, { ana: { roles: [{ $ref: 'https://scim.test/Roles/5' }] } }),
			...{ wish: leaves('ana'), fails: [/shows something else than values in roles/] },
			...{ items: [{ status: 'unverified', provenAt: null }], ends: { ana: 'inactive' } },
		},
		{
			it: 'of one leaver it is found, and taken',
			on: holding({ ana: 'eng' }, { ana: { roles: roles('x') } }, { answers: byIdAlone }),
			wish: leaves('ana'),
			items: [{ status: 'done', valuesRemaining: [] }],
			...{ ends: { ana: 'inactive' }, sets: { ana: { roles: [] } } },
		},
		{
			it: 'of many, it is found by the first one, and taken from all',
			on: holding(
				each(['ana', 'ben', 'cyd', 'dan'], 'eng'),
				{ ana: { roles: roles('x') }, cyd: { roles: roles('x') } },
				{ answers: byIdAlone },
			),
			wish: leaves('ana ben cyd dan'),
			items: Array(4).fill({ status: 'done', valuesRemaining: [] }),
			sets: { ana: { roles: [] }, cyd: { roles: [] } },
			ends: each(['ana', 'ben', 'cyd', 'dan'], 'inactive'),
		},
	]);
});

describe('changes of groups that are answered, and not kept', () => {
	/** Answers to adds to these groups show what was sent; nothing is kept. */
	const echoing = (people, groups) => () => {
		const world = on(people, { usersShowGroups: 'absent', membershipFilter: 'off' })();
		return answering(world, ({ method, url, body }) => {
			const id = url.split('/').at(-1);
			if (method !== 'PATCH' || !groups.split(' ').includes(id)) return undefined;
			const [{ value }] = JSON.parse(body).Operations;
			const members = [...world.service.groups.get(id).map((one) => ({ value: one })), ...value];
			return { status: 200, headers: {}, text: JSON.stringify({ id, displayName: id, members }) };
		});
	};
	const names = 'ana ben cyd';
	/** Answers to removals show what was sent; nobody goes. */
	const keepingAll = (people) => () => {
		const world = on(people, { usersShowGroups: 'absent', membershipFilter: 'off' })();
		return answering(world, ({ method, url, body = '' }) => {
			const id = url.split('/').at(-1);
			if (method !== 'PATCH' || !body.includes('"remove"')) return undefined;
			return {
				status: 200,
				headers: {},
				text: JSON.stringify({ id, displayName: id, members: [] }),
			};
		});
	};
	table('access', 'set', [
		{
			it: 'that an add was kept does not prove a removal',
			on: keepingAll({ ana: 'eng', bob: 'vpn' }),
			wish: (w) => ({
				...{ people: email('ana'), ...w.groups('vpn'), managedGroups: rows('eng', 'vpn') },
			}),
			...{ fails: [/the service still shows it/], ends: { ana: 'eng vpn' }, sends: ['PATCH vpn'] },
		},
	]);
	table('access', 'assign', [
		{
			it: 'no answer of this service is believed then',
			on: echoing({ ana: '', dan: 'eng vpn' }, 'eng vpn'),
			...{ wish: takes('ana', 'eng vpn'), ends: { ana: '' }, sends: [] },
			items: [{ status: 'unverified' }, { status: 'unverified' }],
			fails: Array(2).fill(/neither the group nor the user shows it/),
		},
		{
			it: 'one group is read for all, also where reads lag',
			on: on(
				{ ...each(names.split(' '), ''), dan: 'eng vpn' },
				{ usersShowGroups: 'absent', lagReads: 2 },
			),
			wish: (w) => ({ ...takes(names, 'eng vpn')(w), options: { verifyTime: 30 } }),
			reads: ['GET vpn', 'GET eng', 'GET Users', 'GET eng', 'GET eng', 'GET eng'],
			ends: each(names.split(' '), 'eng vpn'),
		},
		{
			it: 'one group is read for all',
			on: on({ ...each(names.split(' '), ''), dan: 'eng vpn' }, { usersShowGroups: 'absent' }),
			wish: takes(names, 'eng vpn'),
			reads: ['GET vpn', 'GET eng', 'GET Users', 'GET eng'],
			ends: each(names.split(' '), 'eng vpn'),
		},
	]);
});

describe('groups that lists show, and a GET by ID does not', () => {
	const refusing = (people, status, more) => () =>
		answering(on(people, more)(), ({ method, url }) =>
			method === 'GET' && /\/Groups\/vpn$/.test(url) ? refusal(status) : undefined,
		);
	table('access', 'offboard', [
		{
			it: 'are left all the same',
			on: refusing({ ana: 'vpn', bob: 'vpn' }, 404),
			...{ wish: leaves('ana'), ends: { ana: 'inactive' }, sends: ['PATCH ana', 'PATCH vpn'] },
			items: [{ status: 'done' }],
		},
	]);
	const plain = (one) =>
		one.members ? { ...one, members: one.members.map(({ value }) => ({ value })) } : one;
	table(
		'group',
		'setMembers',
		[404, 403].map((status) => ({
			it: `one that is a member stays, where its GET is ${status}`,
			on: refusing({ ana: 'eng', bob: 'vpn' }, status, {
				...{ ghosts: { eng: ['vpn'] }, shows: plain, usersShowGroups: 'absent' },
			}),
			wish: members('eng', 'ana'),
			...(status === 403 && { fails: [/403/] }),
			sends: [],
		})),
	);
});

describe('a list of users that is no list', () => {
	const noList = (people, more) => () =>
		answering(on(people, more)(), (request) => (isListOfUsers(request) ? refusal(404) : undefined));
	table('group', 'setMembers', [
		{
			it: 'does not say of a member whom no GET shows that there is no such user',
			on: noList({ ana: 'eng', bob: 'eng' }, { ghosts: { eng: ['user-old'] } }),
			wish: members('eng', 'ana bob'),
			...{ fails: [/list of users is incomplete/], sends: [] },
		},
	]);
});

describe('users who show an empty list of groups, always', () => {
	table('group', 'addMembers', [
		{
			it: 'a group that shows its last 100 members has lost nobody by an add',
			on: on(
				{
					...each(
						Array.from({ length: 130 }, (_, at) => `p${at}`),
						'vpn',
					),
					...each(['ana', 'ben', 'cyd'], ''),
				},
				{
					...{ usersShowGroups: 'absent', membershipFilter: 'off', groupPatchAnswers: '204' },
					shows: (one) => (one.members ? { ...one, members: one.members.slice(-100) } : one),
				},
			),
			wish: (w) => ({
				chooseGroupBy: 'group',
				group: w.group('vpn'),
				people: emails('ana ben cyd'),
			}),
			items: Array(3).fill({ status: 'done' }),
			...{ ends: each(['ana', 'ben', 'cyd'], 'vpn'), warns: [] },
		},
	]);
	table('group', 'removeMembers', [
		{
			it: 'it is no proof that a removal was made from a group that shows a part of its members',
			on: on(
				each(
					Array.from({ length: 101 }, (_, at) => `p${at}`),
					'vpn',
				),
				{
					...{ usersShowGroups: 'empty', membershipFilter: 'off', groupPatchAnswers: '204' },
					shows: (one) => (one.members ? { ...one, members: one.members.slice(-100) } : one),
					answers: (body) => body,
				},
			),
			wish: (w) => ({
				...{ chooseGroupBy: 'group', group: w.group('vpn'), people: emails('p50') },
			}),
			items: [{ status: 'unverified' }],
			fails: [/Could not confirm/],
			ends: { p50: '' },
		},
	]);
});

describe('memberships that go with the account', () => {
	const drops = {
		deactivationDrops: true,
		credential: { overrideProfile: true, deactivation: 'drops' },
	};
	const keeping = leaves('ana', { options: { keepMembershipsIn: rows('eng') } });
	table('access', 'offboard', [
		{
			it: 'of who was inactive before, what is kept is still there',
			on: on({ ana: 'inactive eng', bob: 'eng' }, drops),
			...{ wish: keeping, sends: [], ends: { ana: 'inactive eng' } },
			items: [
				{ status: 'unchanged', accessRemaining: [expect.objectContaining({ groupId: 'eng' })] },
			],
		},
		{
			it: 'of who is deactivated, a read that still shows what was to be kept is no proof',
			on: on({ ana: 'eng', bob: 'eng' }, { ...drops, lagReads: 50 }),
			...{ wish: keeping, sends: ['PATCH ana'], ends: { ana: 'inactive' } },
			fails: [/./],
			items: [{ status: 'unverified', provenAt: null }],
			once: true,
		},
	]);
});

describe('a write that is answered 202, and not shown, was accepted', () => {
	const accepts = (method) => () =>
		new Groups(
			{ ana: '', ben: 'eng' },
			{ credential: UNDOABLE, faults: [{ method, kind: 'status', status: 202 }] },
		);
	const inEng = (name) => (w) => ({
		...{ chooseGroupBy: 'group', group: w.group('eng'), people: emails(name) },
	});
	const ACCEPTED = 'the service accepted it (202), and has not shown it yet: ';
	test.each([
		[
			'user update',
			'PATCH',
			(w) => ({ user: w.user('ana'), ...mapped({ title: 'Lead' }) }),
			'title',
		],
		['user create', 'POST', () => ({ userName: email('new') }), 'does not show the user'],
		['user deactivate', 'PATCH', (w) => ({ user: w.user('ben') }), 'shows active true'],
		['user delete', 'DELETE', (w) => ({ user: w.user('ben') }), 'is still there'],
		['group create', 'POST', () => ({ displayName: 'New' }), 'does not show the group'],
		['group delete', 'DELETE', (w) => ({ group: w.group('eng') }), 'is still there'],
		['group addMembers', 'PATCH', inEng('ana'), 'neither the group nor the user'],
		['group removeMembers', 'PATCH', inEng('ben'), 'still shows it'],
	])('%s', async (what, method, wish, why) => {
		const w = accepts(method)();
		const [{ status, error, text }] = await play(w, what.split(' '), wish(w));
		expect(status).toBe('unverified');
		expect(error).toMatch(/^Could not confirm: /);
		expect(text).toMatch(/may have been|^Could not confirm: /);
		for (const said of [error, text]) {
			expect(said).toContain(ACCEPTED);
			expect(said).toContain(why);
		}
	});

	test('not where another user was answered so', async () => {
		const w = new Groups({ ana: '', ben: '' });
		const answers = { ana: { kind: 'status', status: 202 }, ben: { kind: 'dropped' } };
		for (const [name, fault] of Object.entries(answers))
			w.service.faults.add({ on: `PATCH /Users/${w.userId(name)}`, ...fault });
		const items = ['ana', 'ben'].map((name) => ({ user: w.user(name) }));
		const [ana, ben] = await play(w, ['user', 'update'], mapped({ title: 'Lead' }), items);
		expect([ana.error, ben.error]).toEqual([
			expect.stringContaining(ACCEPTED),
			expect.not.stringContaining('accepted'),
		]);
	});
});
