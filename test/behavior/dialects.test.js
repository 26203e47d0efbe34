'use strict';

// What services do to a client as they are documented (demo/service/scim/dialects.js), beyond docs/servers.md: each of
// these looks like a success, or is one that has to be asked for again.

const { DIALECTS } = require('../../demo/service/scim/dialects');
const { Groups, email, emails, locator, play, table } = require('../support/behavior');
const { withService } = require('../support/service');

/** A service that speaks a dialect. @param more switches, and `credential` */
function speaking(dialect, people, { credential, ...more } = {}) {
	const { rateLimit, ...switches } = DIALECTS[dialect].switches;
	return new Groups(people, { ...switches, scheme: 'Bearer', credential, ...more });
}
const removes = (memberRemoval) => ({ credential: { overrideProfile: true, memberRemoval } });
const inG = (people, options) => (w) => ({ group: w.group('g'), people: emails(people), options });
const WHOLE = { replaceWith: 'wholeList' };
const LOOKS = { maxWait: 0, verifyTime: 1 };
const messagesIn = (items) =>
	items.flatMap(({ error }) => (error === undefined ? [] : String(error)));
const byName = (name) => locator('email', email(name));

const TWO = { ana: '', ben: 'g' };
table('group', 'removeMembers', [
	...[
		['activepieces', 'filterPath', { ends: { ben: '' } }],
		['authentik', 'valueList', { ends: { ben: '' } }],
		['activepieces', 'valueList', { fails: [/^Could not confirm: remove ben@example.com/] }],
		['authentik', 'filterPath', { fails: [/^Could not confirm: remove ben@example.com/] }],
	].map(([dialect, form, comes]) => ({
		it: `${dialect}: a removal by ${form} ${comes.fails ? 'is none, and no success' : 'is one'}`,
		on: () => speaking(dialect, TWO, removes(form)),
		wish: inG('ben', LOOKS),
		sends: ['PATCH g'],
		...comes,
	})),
	{
		it: 'wso2: a removal by a list of values is one of everybody: told, and no further one is sent',
		on: () => speaking('wso2', { ana: 'g', ben: 'g', cleo: 'g' }, removes('valueList')),
		wish: inG('ana', LOOKS),
		fails: ['Group g lost 2 more than this run removed'],
		sends: ['PATCH g'],
		ends: { ana: '', ben: '', cleo: '' },
	},
]);

const AWS = { credential: { serviceProfile: 'awsIdentityCenter' } };
table('group', 'setMembers', [
	{
		it: 'aws, which shows nobody: who stays is spared',
		on: () => speaking('aws', { ana: 'g', ben: 'g', cleo: 'g' }, AWS),
		wish: inG('ben cleo', LOOKS),
		ends: { ana: '' },
	},
	{
		it: 'aws: who is taken along is named',
		on: () =>
			speaking(
				'aws',
				{ ana: 'g', ben: 'g', cleo: 'g' },
				{ ...AWS, alsoRemoves: [new Groups({ cleo: '' }).user('cleo').value] },
			),
		wish: inG('ben cleo', LOOKS),
		items: [
			'none ben g unchanged',
			'none cleo g unchanged',
			{ change: 'revoked', status: 'done', warnings: [expect.stringContaining('lost 1 more')] },
		],
		ends: { ana: '', cleo: '' },
		once: true,
	},
	{
		it: 'authentik: a PUT without anybody empties no group, and is no success',
		on: () => speaking('authentik', TWO),
		wish: (w) => ({ ...inG('', { ...WHOLE, ...LOOKS, allowEmptying: true })(w), people: '' }),
		fails: [/^Could not confirm: remove/],
		sends: ['PUT g'],
	},
	{
		it: 'django-scim2: a PUT takes nobody out, and is no success',
		on: () => speaking('djangoScim2', { ana: 'g', ben: 'g' }),
		wish: inG('ana', { ...WHOLE, ...LOOKS }),
		fails: [/^Could not confirm: remove/],
		sends: ['PUT g'],
	},
]);

table('group', 'addMembers', [
	{
		it: 'activepieces: an inactive user, who would silently not be added, is refused',
		on: () => speaking('activepieces', { ana: 'inactive', ben: 'g' }),
		wish: inG('ana'),
		fails: ['is inactive'],
	},
]);

table('access', 'offboard', [
	{
		it: 'sentry: the last owner cannot be deactivated, and the service says so',
		on: () => speaking('sentry', { ana: { has: '', sentryOrgRole: 'owner' }, ben: '' }),
		wish: () => ({ people: emails('ana') }),
		fails: ['403, The last owner'],
		sends: ['PATCH ana 403'],
	},
]);

test('activepieces: 250 users that look like a whole list of 100 are an incomplete list', async () => {
	const many = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`p${at}`, '']));
	const w = speaking('activepieces', many);
	expect(messagesIn(await play(w, ['user', 'getAll'], { returnAll: true }))).toEqual([
		'The list of users is incomplete: the service repeats its first 100 entries',
	]);
	const [{ seen }] = await play(w, ['service', 'getCapabilities'], {});
	expect(seen).toMatchObject({ paging: 'startIndexIgnored' });
	expect(seen).not.toHaveProperty('users');
});

test.each([
	['user', 'getAll', { returnAll: true }],
	['group', 'getAll', { returnAll: true }],
	['access', 'get', { user: byName('p44') }],
	['access', 'offboard', { people: email('p44') }],
])(
	'authentik: of 45 users and 25 groups the lists are incomplete, and nothing is sent: %s %s',
	async (resource, operation, fields) => {
		const groups = Array.from({ length: 25 }, (_, at) => `g${at}`);
		const many = Array.from({ length: 45 }, (_, at) => [`p${at}`, at < 44 ? '' : groups.join(' ')]);
		const w = speaking('authentik', Object.fromEntries(many));
		expect(messagesIn(await play(w, [resource, operation], fields))).toEqual([
			expect.stringMatching(/list of (users|groups) is incomplete: the service showed 20 of/),
		]);
		expect(w.service.written()).toStrictEqual([]);
	},
);

test.each([
	['zitadel', 'group', 'getAll', { returnAll: true }, 'members', 'Groups Show Members'],
	['authentik', 'user', 'get', { user: byName('ana') }, 'groups', 'Users Show Groups'],
])(
	'%s, %s, %s: what is not shown is null',
	async (dialect, resource, operation, fields, name, setting) => {
		const [item] = await play(speaking(dialect, { ana: 'g' }), [resource, operation], fields);
		expect(item[name]).toBeNull();
		expect(item.warnings).toEqual([expect.stringContaining(setting)]);
	},
);

// Keycloak shows memberships on request alone, and a subgroup by its ID or as `GET /Users/ID?attributes=groups`.
const TREE = [
	{ id: 'g', displayName: 'Top' },
	{ id: 's', displayName: 'Sub', parent: 'g' },
];
const IN_TREE = { ana: 'g', ben: 's', cleo: '' };

describe.each(['generic', 'keycloak'])('keycloak as %s: ben is in a subgroup', (serviceProfile) => {
	const isKnown = serviceProfile === 'keycloak';
	const there = (more) =>
		speaking('keycloak', IN_TREE, { groups: TREE, credential: { serviceProfile }, ...more });

	table('access', 'offboard', [
		{
			it: 'Offboard removes the person from it, and proves it',
			on: there,
			wish: () => ({ people: emails('ben') }),
			items: [
				{
					status: 'done',
					accessRemoved: [expect.objectContaining({ groupId: 's' })],
					accessRemaining: [],
				},
			],
			ends: { ben: 'inactive' },
		},
		{
			it: 'Offboard that keeps it says what is left by way of it',
			on: there,
			wish: () => ({
				people: emails('ben'),
				options: { keepMembershipsIn: { group: [{ group: 's' }] } },
			}),
			items: [
				{
					accessRemaining: expect.arrayContaining([
						expect.objectContaining({ groupId: 's', via: null }),
						expect.objectContaining({ groupId: 'g', via: 'Sub' }),
					]),
				},
			],
			ends: { ben: 'inactive s' },
		},
	]);

	table('group', 'addMembers', [
		{
			it: 'who is in the group is not added again, and who is not is',
			on: there,
			wish: inG('ana ben'),
			items: ['none ana g unchanged', 'granted ben g done'],
			ends: { ben: 'g s' },
		},
	]);

	test('Offboard costs as little as it can', async () => {
		const w = there();
		await play(w, ['access', 'offboard'], { people: emails('ben') });
		expect(w.service.requests.length).toBeLessThanOrEqual(isKnown ? 12 : 18);
	});

	test('Get Many of users shows groups, or null with the reason', async () => {
		const items = await play(there(), ['user', 'getAll'], { returnAll: true });
		expect(items.map(({ groups }) => groups)).toEqual(
			isKnown ? [['g'], ['s'], []] : [null, null, null],
		);
		expect(items[0].warnings ?? []).toHaveLength(isKnown ? 0 : 1);
	});

	test('Get and Get Matrix name it, and the group above by way of it', async () => {
		const [{ assignments }] = await play(there(), ['access', 'get'], { user: byName('ben') });
		expect(assignments).toMatchObject([
			{ group: 'Sub', via: null },
			{ group: 'Top', via: 'Sub' },
		]);
		const rows = await play(there(), ['access', 'getMatrix'], {});
		const { access } = rows.find(({ userName }) => userName === email('ben'));
		expect(access).toEqual({ Sub: 'member', Top: 'member (via Sub)' });
	});

	test.each([
		['group', 'get', { group: locator('id', 'g') }, 'members', [{ userId: expect.any(String) }]],
		['group', 'getAll', { returnAll: true }, 'members', [{ userId: expect.any(String) }]],
		['user', 'get', { user: byName('ana') }, 'groups', ['g']],
	])('%s, %s shows memberships', async (resource, operation, fields, name, shown) => {
		const [item] = await play(there(), [resource, operation], fields);
		expect(item[name]).toMatchObject(shown);
		expect(item).not.toHaveProperty('warnings');
		const [raw] = await play(there(), [resource, operation], { ...fields, simplify: false });
		expect(raw[name]).toHaveLength(1);
		expect(raw).toHaveProperty('meta');
	});
});

describe('keycloak: an answer by name that cannot be used ends the asking', () => {
	test('where it is refused', async () => {
		const w = speaking(
			'keycloak',
			{ ana: 'g', ben: '', cleo: '' },
			{ groups: ['h'], refusesQuery: ['attributes'], membershipFilter: 'off' },
		);
		const rows = await play(w, ['access', 'getMatrix'], {});
		expect(rows.map(({ access }) => access)).toEqual([null, null, null]);
		expect(w.service.requests.filter(({ query }) => query.attributes)).toHaveLength(1);
	});

	table('access', 'offboard', [
		{
			it: 'and an answer without an email, which was not asked for, changes none',
			on: () => speaking('keycloak', { ana: 'g', ben: '' }, { groups: ['h'] }),
			wish: () => ({ people: emails('ana'), options: { matchUsersBy: 'email' } }),
			items: [{ status: 'done', accessRemaining: [] }],
			ends: { ana: 'inactive' },
		},
	]);
});

/** A user who holds access by these attributes, the rows that change it, and what is there then. */
const TEAM = { teamName: 't2', roleName: 'viewer' };
test.each([
	[
		'wandb: one role in place of another',
		{ organizationRole: 'member' },
		'remove organizationRole member, add organizationRole admin',
		{ organizationRole: 'admin' },
		{ op: 'replace', path: 'organizationRole', value: 'admin' },
	],
	[
		'wandb: a role in a team',
		{ teamRoles: [{ teamName: 't1', roleName: 'admin' }, TEAM] },
		'remove teamRoles t1: admin',
		{ teamRoles: [TEAM] },
		{ op: 'replace', path: 'teamRoles', value: [TEAM] },
	],
	[
		'databricks: an entitlement',
		{ entitlements: [{ value: 'allow-cluster-create' }, { value: 'workspace-access' }] },
		'remove entitlements allow-cluster-create',
		{ entitlements: [{ value: 'workspace-access' }] },
		{ op: 'remove', path: 'entitlements[value eq "allow-cluster-create"]' },
	],
	[
		'langfuse: one plain text in place of another',
		{ roles: ['VIEWER'] },
		'remove roles VIEWER, add roles ADMIN',
		{ roles: ['ADMIN'] },
		{ op: 'replace', path: 'roles', value: ['ADMIN'] },
	],
])('%s', async (name, held, rows, after, operation) => {
	const [dialect] = name.split(':');
	const credential = { serviceProfile: DIALECTS[dialect].preset };
	const w = speaking(dialect, { ana: '', ben: '' }, { credential });
	for (const user of [...w.service.users.values()])
		w.service.store({ ...user, attributes: { ...user.attributes, ...held } });
	const before = w.attributes();
	const value = rows.split(', ').map((row) => {
		const [, action, attribute, text] = /^(\w+) (\w+) (.*)/.exec(row);
		return { action, attribute, value: text };
	});
	const items = await play(w, ['user', 'update'], { user: w.user('ana'), accessValues: { value } });
	expect(items).toMatchObject([{ userName: email('ana'), status: 'done' }]);
	expect(w.attributes()).toEqual({ ...before, ana: { ...before.ana, ...after } });
	const { body } = w.service.requests.find(({ method }) => method === 'PATCH');
	expect(JSON.parse(body).Operations).toEqual([operation]);
});

describe('gitlab', () => {
	const THREE = { ana: '', ben: '', cleo: '' };
	const wanted = ['ana', 'ben', 'cleo'].map(email);
	const there = (more, people = THREE) => speaking('gitlab', people, { ids: 'fromName', ...more });
	const reconcile = async (w, names, more) =>
		await play(w, ['user', 'reconcile'], {
			preview: true,
			usersFrom: 'json',
			usersJson: names.map((userName) => ({ userName, externalId: `e-${userName}` })),
			...more,
		});

	test('by ID, everything but a search works', async () => {
		const w = there();
		const user = w.user('ana');
		expect(await play(w, ['user', 'get'], { user })).toMatchObject([{ userName: email('ana') }]);
		expect(await play(w, ['user', 'deactivate'], { user })).toMatchObject([{ status: 'done' }]);
		expect(w.shape()).toEqual({ ...THREE, ana: 'inactive' });
		const found = await play(w, ['user', 'get'], { user: byName('ben') });
		expect(messagesIn(found)).toEqual([expect.stringContaining('Could not find out who has')]);
	});

	test.each([
		[
			'where it has no filter',
			{},
			wanted,
			'incomplete: the service lists nobody, and has no filter',
		],
		[
			'where a filter finds one of them',
			{ filterBy: {} },
			['new@example.com', ...wanted],
			`lists nobody, but finds ${wanted[0]} by filter`,
		],
	])(
		'a list without anybody is no proof that nobody is there: %s, User: Reconcile plans nobody as new',
		async (_, more, names, why) => {
			const w = there(more);
			const [{ plan, summary }] = await reconcile(w, names);
			expect(plan.changes).toStrictEqual([]);
			expect(summary.replaceAll('\u200b', '')).toContain(why);
			expect(messagesIn(await reconcile(w, names, { preview: false }))).not.toStrictEqual([]);
			expect(w.service.written()).toStrictEqual([]);
		},
	);

	test('where filters find none of them, the service is empty, and they are created', async () => {
		const w = there({ filterBy: {} }, {});
		const items = await reconcile(w, wanted, { preview: false });
		expect(items.map(({ change }) => change)).toEqual(['created', 'created', 'created']);
		expect(w.shape()).toEqual(THREE);
	});

	table('user', 'deactivate', [
		{
			it: 'three people are found by filter, as one is',
			on: () => there({ filterBy: {} }),
			wish: () => ({ items: ['ana', 'ben', 'cleo'].map((name) => ({ user: byName(name) })) }),
			ends: { ana: 'inactive', ben: 'inactive', cleo: 'inactive' },
		},
	]);

	table('user', 'delete', [
		{
			it: 'nobody is gone already',
			on: () => there({ credential: { overrideProfile: true, deletionIsFinal: 'no' } }),
			wish: () => ({ user: byName('ana'), options: { ifNotFound: 'alreadyGone' } }),
			fails: ['Could not find out who has'],
		},
	]);
});

test('gitlab, self-managed: by ID members are added, seen, and offboarded with proof', async () => {
	const w = speaking(
		'gitlabInstance',
		{ ana: '' },
		{ ids: 'fromName', groups: [{ id: 'g', displayName: 'Top' }] },
	);
	const people = w.user('ana').value;
	for (const status of ['done', 'unchanged'])
		expect(await play(w, ['group', 'addMembers'], { group: w.group('g'), people })).toMatchObject([
			{ status },
		]);
	expect(await play(w, ['access', 'getMatrix'], {})).toMatchObject([
		{
			userId: people,
			access: { Top: 'member' },
			warnings: ['The service lists no users: only members of groups are here'],
		},
	]);
	expect(await play(w, ['access', 'offboard'], { people })).toMatchObject([
		{ status: 'done', active: false, accessRemaining: [] },
	]);
	expect(w.shape()).toEqual({ ana: 'inactive' });
});

test('langfuse: a 409 for a concurrent update is no success', async () => {
	const faults = [{ kind: 'status', status: 409, method: 'PATCH', nth: 1, body: 'Conflict' }];
	const w = speaking('langfuse', { ana: '' }, { faults });
	const deactivate = async () =>
		messagesIn(await play(w, ['user', 'deactivate'], { user: byName('ana') }));
	expect(await deactivate()).toEqual([expect.stringContaining('409, Conflict')]);
	expect(w.shape()).toEqual({ ana: '' });
	expect(await deactivate()).toStrictEqual([]);
	expect(w.shape()).toEqual({});
});

test('miro: five lists of groups in 30 seconds, and the sixth is asked for again', async () => {
	let now = 0;
	const seed = { organizations: [], groups: [{ id: 'g' }] };
	await withService({ dialect: 'miro', seed, now: () => (now += 1000) }, async (service, scim) => {
		const credential = { serviceProfile: 'generic' };
		for (let nth = 1; nth <= 12; nth++)
			expect(
				(await scim('group', 'getAll', { returnAll: true }, { credential })).json,
			).toMatchObject([{ id: 'g' }]);
		expect(service.log.requests.map(({ status }) => status)).toContain(429);
	});
});

test.each([
	['each as often as the others: each is one', { ana: 'g h', ben: 'g h' }, ['ana', 'ben'], []],
	[
		'somebody more often: nothing tells that from somebody who is lost',
		{ ana: 'g h', ben: '' },
		[],
		['The list of users is incomplete: the service showed 2 of 3 entries'],
	],
])('infisical2026: a list has people several times, %s', async (_, people, names, errors) => {
	const w = speaking('infisical2026', people);
	const users = await play(w, ['user', 'getAll'], { returnAll: true });
	expect(messagesIn(users)).toEqual(errors);
	expect(users.flatMap(({ userName }) => userName ?? [])).toEqual(names.map(email));
});

table('access', 'offboard', [
	{
		it: 'infisical2026: a list that has somebody several times proves what it shows',
		on: () => speaking('infisical2026', { ana: 'g h', ben: 'g' }),
		wish: () => ({ people: emails('ana'), options: LOOKS }),
		items: [{ status: 'done', accessRemaining: [] }],
		ends: { ana: 'inactive' },
	},
]);

const MANY = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`p${at}`, '']));
test('node-scim: where the second page is the hundredth, a list is incomplete', async () => {
	const w = speaking('nodeScim', MANY);
	expect(messagesIn(await play(w, ['user', 'getAll'], { returnAll: true }))).toEqual([
		expect.stringContaining('The list of users is incomplete'),
	]);
});

const TITLE = { attributes: { mappingMode: 'defineBelow', value: { title: 'Boss' } } };
test.each(['nodeScim', 'keystone'])(
	'%s: an update that is not kept is not done',
	async (dialect) => {
		const w = speaking(dialect, { ana: '', ben: '' });
		const [{ status }] = await play(w, ['user', 'update'], { user: w.user('ana'), ...TITLE });
		expect(status).toBe('unverified');
	},
);

test('nodeScim: once a read lacks what an answer has shown, each update is read', async () => {
	const w = speaking('nodeScim', { ana: '', ben: '', cy: '' });
	const items = ['ana', 'ben', 'cy'].map((name) => ({ user: w.user(name) }));
	const updates = await play(w, ['user', 'update'], { ...TITLE, options: LOOKS }, items);
	expect(updates.map(({ status }) => status)).toEqual(['unverified', 'unverified', 'unverified']);
	const displayName = { mappingMode: 'defineBelow', value: { displayName: 'Ana' } };
	const kept = await play(w, ['user', 'update'], { attributes: displayName }, items);
	expect(kept.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
});

test('keystone: a deactivation that was only laid over the user is done by a PUT', async () => {
	const w = speaking('keystone', { ana: '', ben: '' });
	const [{ status }] = await play(w, ['user', 'deactivate'], { user: w.user('ana') });
	expect(status).toBe('done');
	expect(w.shape()).toEqual({ ana: 'inactive', ben: '' });
});

test('keystone: no second user is created beside one of that name whom a filter finds', async () => {
	const w = speaking('keystone', { ana: '', ben: 'g' });
	const [{ status }] = await play(w, ['user', 'create'], { userName: email('ANA') });
	expect(status).toBe('failed');
	expect(w.shape()).toEqual({ ana: '', ben: 'g' });
});

const FULL = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`p${at}`, 'g']));
test('fusionAuth: who is beyond the first 100 members is not said to be in no group', async () => {
	const w = speaking('fusionAuth', { ...FULL, ana: '' });
	const [revoked] = await play(w, ['group', 'removeMembers'], inG('p110', LOOKS)(w));
	expect(['failed', 'unverified']).toContain(revoked.status);
	const [gone] = await play(w, ['access', 'offboard'], { people: email('p115'), options: LOOKS });
	expect(gone.status).not.toBe('unchanged');
	expect(gone.accessRemaining).not.toEqual([]);
});

test('fusionAuth: a list of members that is cut ends nobody, and an add that loses others is told', async () => {
	const w = speaking('fusionAuth', { ...FULL, ana: '' });
	const people = emails(Object.keys(FULL).join(' '));
	const items = await play(w, ['group', 'setMembers'], {
		group: w.group('g'),
		people,
		options: LOOKS,
	});
	expect(items.filter(({ change, status }) => change === 'revoked' && status === 'done')).toEqual(
		[],
	);
	const [added] = await play(w, ['group', 'addMembers'], inG('ana', LOOKS)(w));
	expect(added.status).not.toBe('done');
});

test('snipe-it: an ID that begins with the number of another is not that user', async () => {
	const w = speaking('snipeIt', { seven: { has: 'g', id: '7' }, ben: 'g' });
	const user = locator('id', '7of9');
	expect(messagesIn(await play(w, ['user', 'get'], { user }))).toHaveLength(1);
	expect(messagesIn(await play(w, ['user', 'deactivate'], { user }))).toHaveLength(1);
	expect(w.service.written()).toStrictEqual([]);
	const seven = await play(w, ['user', 'get'], { user: locator('id', '7') });
	expect(seven).toMatchObject([{ userName: email('seven'), active: true }]);
});

test('snipe-it: a create that is answered with who was there is no success', async () => {
	const unseen = { filterMisses: () => true, listsByFilterOnly: true };
	const w = speaking('snipeIt', { ana: '' }, { ...unseen, showsCreated: true });
	const [{ status }] = await play(w, ['user', 'create'], {
		userName: email('ana'),
		options: { ifUserExists: 'fail' },
	});
	expect(status).toBe('failed');
});
