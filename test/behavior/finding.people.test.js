'use strict';

// Which user is meant. The descriptions with a colon are rows of "Finding a user" of what SCIM servers do to a client.

const {
	Account,
	Groups,
	email,
	emails,
	locator,
	play,
	rows,
	table,
	wanted,
} = require('../support/behavior');
const { CORE, discovered } = require('../support/schemas');
const { userIdOf } = require('../support/memoryService');
const { mapped } = require('../support/node');
const n8n = require('n8n-workflow');

const byEmail = (name) => ({ user: locator('email', name) });
const isList = ({ method, path }) => method === 'GET' && path.endsWith('/Users');
/** Lists of all users that were begun, and look-ups by filter. */
const listings = ({ service }) =>
	service.requests.filter(
		(one) => isList(one) && !('filter' in one.query) && (one.query.startIndex ?? '1') === '1',
	);
const filters = ({ service }) => service.requests.filter(({ query }) => 'filter' in query);
const range = (count) => Array.from({ length: count }, (_, at) => `p${at + 1}`);
const crowd = (count) => Object.fromEntries(range(count).map((name) => [name, '']));
/** What passes is waited for. */
const PATIENT = { options: { maxWait: 60, verifyTime: 10 } };
const CREATE = ['user', 'create'];
const CREDENTIALS = {
	generic: { serviceProfile: 'generic', overrideProfile: true, deletionIsFinal: 'no' },
	account: { serviceProfile: 'accountOrganizations', scimPrefix: 'nowhere' },
};

describe.each(Object.entries(CREDENTIALS))('finding a user, %s', (kind, credential) => {
	const on = (people, switches) => () =>
		new Groups(people, { groups: ['org-1:admin'], ...switches, credential });
	const get = async (world, names) =>
		await play(
			world,
			['user', 'get'],
			{},
			names.map((name) => byEmail(email(name))),
		);

	describe("no `filter` at all: check each hit's own userName; fall back to listing once per execution, not once per item", () => {
		test.each([400, 403, 501, 'ignored'])('filter %s', async (filter) => {
			const two = on(crowd(5), { filter })();
			const found = await get(two, ['P4', 'p2']);
			expect(found.map(({ userName }) => userName)).toEqual([email('p4'), email('p2')]);
			expect(filters(two).length).toBeLessThanOrEqual(2);
			expect(listings(two)).toHaveLength(1);
			const twelve = on(crowd(12), { filter })();
			const all = await get(twelve, range(12));
			expect(all.map(({ userName }) => userName)).toEqual(range(12).map(email));
			expect(twelve.service.requests.length).toBeLessThanOrEqual(3);
		});

		// A list does not show the logins by which the account knows people.
		const said = kind === 'account' ? /^Could not find out who has/ : /^No user has/;
		table('user', 'get', {
			it: 'a filter that is ignored on a page of one gives nobody else',
			on: on(crowd(3), { filter: 'ignored', pageCap: 1 }),
			wish: () => ({ items: [byEmail(email('p3')), byEmail(email('nobody'))] }),
			items: [{ userName: email('p3') }, {}],
			fails: [said],
		});
		table('user', 'upsert', {
			it: 'Create or Update makes nobody twice',
			on: on(crowd(3), { filter: 'ignored' }),
			wish: () => ({ items: range(4).map((name) => ({ userName: email(name) })) }),
			...{ sends: ['POST Users'], ends: { p4: '' } },
		});
	});

	describe("filter finds nothing for `o'neil+x@...`, unicode, other case, yet POST answers 409: 409 and not found by filter -> list, then decide", () => {
		const missed = (userName, more) => {
			const emails = [{ value: userName, primary: true }];
			return on({ ana: { has: '', userName, emails, ...more } }, { filterMisses: () => true });
		};
		describe.each([
			["o'neil+x@example.com", "o'neil+x@example.com"],
			['zoë@example.com', 'zoë@example.com'],
			['Ana.Silva@example.com', 'ana.silva@EXAMPLE.com'],
		])('%s, asked for as %s', (userName, asked) => {
			const world = missed(userName);
			const name = userName.replace('@example.com', '');
			const refused = { on: world, sends: ['POST Users 409'], once: true };
			const returned = { userName: asked, options: { ifUserExists: 'return' } };
			const updated = { userName: asked, additionalFields: { active: false } };
			table('user', 'get', [{ it: 'Get', on: world, wish: byEmail(asked), items: [{ userName }] }]);
			table(
				...CREATE,
				[
					{ it: 'Create', wish: { userName: asked }, fails: [/exists already \(ID user-/] },
					{ it: 'Return', wish: returned, items: [{ status: 'unchanged' }] },
				],
				refused,
			);
			const sends = [...refused.sends, `PATCH ${name}`];
			const row = { it: 'Update', wish: updated, sends, ends: { [name]: 'inactive' } };
			table('user', 'upsert', [row], refused);
		});

		test('the name leaves in a way that no server can misread', async () => {
			const world = on(crowd(1))();
			await get(world, ["o'neil+x"]);
			expect(filters(world)[0].query.filter).toBe('userName eq "o\'neil+x@example.com"');
		});

		test('many such items are one listing', async () => {
			const world = on(crowd(6), { filterMisses: () => true })();
			const options = { ifUserExists: 'return' };
			const items = range(6).map((name) => ({ userName: email(name) }));
			expect(await play(world, CREATE, { options }, items)).toHaveLength(6);
			expect(listings(world)).toHaveLength(1);
		});

		const inactive = missed(email('ana'), { active: false });
		const ANA = { userName: email('ana') };
		const told = {
			active: false,
			status: 'unchanged',
			warnings: [expect.stringContaining('is inactive and cannot sign in')],
		};
		const refused = { on: inactive, wish: ANA, sends: ['POST Users 409'], once: true };
		const said = [/exists already \(ID user-\w+ and inactive\)/];
		const kept = { ...ANA, options: { ifUserExists: 'return' } };
		const taken = { method: 'POST', kind: 'status', status: 409, body: 'taken' };
		table(
			...CREATE,
			[
				{
					...{ it: '409, and nobody of that name to be seen', wish: { userName: email('far') } },
					...{ on: on(crowd(2), { faults: [taken] }), sends: ['POST Users'] },
					fails: [
						kind === 'account'
							? 'User far@example.com exists already, but belongs to another account: this credential cannot see that user (taken)'
							: 'Could not create far@example.com: the service says that the user exists already (taken), and this credential cannot see that user',
					],
				},
				{ it: 'an inactive user: said', fails: said },
				{ it: 'an inactive user: a warning', wish: kept, items: [told] },
			],
			refused,
		);
		table('user', 'upsert', [{ it: 'an inactive user: a warning', items: [told] }], refused);

		test('an inactive user: no warning once active is wanted', async () => {
			const wanted = { ...ANA, additionalFields: { active: true } };
			const [item] = await play(inactive(), ['user', 'upsert'], wanted);
			expect(item).toMatchObject({ active: true, status: 'done' });
			expect(item.warnings).toBeUndefined();
		});
	});

	describe('two accounts that differ only in case: prefer the exact match; refuse when still ambiguous, naming both ids', () => {
		const TWINS = {
			one: { has: '', id: 'u1', userName: 'Ana@example.com' },
			two: { has: '', id: 'u2', userName: 'ana@example.com' },
		};
		const both = 'More than one user has the user name ANA@example.com (IDs u1, u2)';
		const any = byEmail('ANA@example.com');
		describe.each(['on', 403, 'exactCase'])('filter %s', (filter) => {
			const world = on(TWINS, { filter, namesMayDifferInCase: true });
			const exact = [byEmail('Ana@example.com'), byEmail('ana@example.com')];
			const items = exact.map((_, at) => ({ userId: `u${at + 1}` }));
			if (filter !== 'exactCase')
				table('user', 'get', [{ it: 'exact', on: world, wish: { items: exact }, items }]);
			for (const operation of ['get', 'deactivate', 'delete'])
				table('user', operation, [{ it: operation, on: world, wish: any, fails: [both] }]);
		});
	});

	describe('POST timed out or answered 429/5xx, but the user was stored: look up before posting again', () => {
		const NEW = { userName: 'New@example.com', ...mapped({ externalId: 'HR-1' }), ...PATIENT };
		const post = (...faults) =>
			on(crowd(2), { faults: faults.map((fault) => ({ method: 'POST', times: 1, ...fault })) });
		const status = (code, more) => ({ kind: 'status', status: code, ...more });
		const stored = { ...status(504), write: true };
		const FAULTS = [
			['429', status(429, { headers: { 'Retry-After': '1' } })],
			['500', status(500, { body: 'oops' })],
			['502', status(502, { body: '<html><title>Bad Gateway</title></html>' })],
			['503', status(503)],
			['504', status(504)],
			['reset', { kind: 'reset-before' }],
		];
		const created = { wish: NEW, items: ['created New done'], ends: { New: '' }, once: true };
		table(
			...CREATE,
			[
				...[...FAULTS, ['timed out', { kind: 'timeout-after' }]].map(([it, fault]) => ({
					...{ it, on: post({ ...fault, write: true }), sends: ['POST Users'] },
				})),
				...FAULTS.map(([it, fault]) => ({
					...{ it: `${it}, and not stored`, on: post(fault), sends: ['POST Users', 'POST Users'] },
				})),
				{
					it: 'stored, shown late and without a unique name: still one user',
					on: on({}, { lagReads: 1, faults: [{ method: 'POST', times: 1, ...stored }] }),
					sends: ['POST Users', ...(kind === 'account' ? ['POST Users 409'] : [])],
				},
			],
			created,
		);
		table(...CREATE, {
			it: 'nothing can be looked up: not posted again',
			on: post(stored, { method: 'GET', times: Infinity, ...status(500) }),
			wish: { userName: email('new'), ...PATIENT },
			fails: [/Could not (confirm: )?create user/],
			...{ sends: ['POST Users'], ends: { new: '' } },
		});
	});

	describe('201 without `id`, or found only a moment later: look up by userName with back-off', () => {
		const create = async (switches) => {
			jest.spyOn(n8n, 'sleep').mockResolvedValue();
			const world = on({}, switches)();
			const options = { verifyTime: 10 };
			const [item] = await play(world, CREATE, { userName: email('new'), options });
			const waits = n8n.sleep.mock.calls.map(([ms]) => ms);
			jest.restoreAllMocks();
			expect(world.service.written()).toHaveLength(1);
			return { item, waits };
		};

		test.each(['withoutId', 'empty'])('answer %s, found later', async (createAnswer) => {
			const { item, waits } = await create({ createAnswer, lagReads: 3 });
			expect(item).toMatchObject({ status: 'done', userId: expect.stringMatching(/^user-/) });
			expect(waits.length).toBeGreaterThanOrEqual(2);
			expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(10_000);
		});

		test('never found: unverified, and no second one is made', async () => {
			const { item } = await create({ createAnswer: 'empty', lagReads: 1000 });
			expect(item.error).toBe(
				'Could not confirm: create user new@example.com: the service took the request but does not show the user',
			);
		});
	});
});

describe('Create where a filter tells cases apart', () => {
	const on = (people, filter) => () => new Groups(people, { filter });
	const bob = { userName: email('bob') };
	table(
		...CREATE,
		[
			{
				...{ it: 'a twin in lower case is found by filter, and no list is read', reads: 2 },
				...{ on: on({ 'ana.silva': '' }, 'exactCase'), fails: [/exists already \(ID user-/] },
				wish: { userName: 'Ana.Silva@Example.com' },
			},
			{
				it: 'nobody is there: two look-ups and the schemas; none for a name in lower case',
				...{ on: on({}, 'exactCase'), reads: 3 },
				wish: { items: [{ userName: 'Ana@Example.com' }, bob] },
				ends: { 'Ana@Example.com': '', bob: '' },
			},
			{
				...{ it: 'without a filter that works the create goes at once', on: on(crowd(3), 501) },
				...{ wish: { userName: email('New') }, sends: ['POST Users'], ends: { New: '' } },
			},
		],
		{ once: true },
	);
});

// ---- On the account ----

const PEOPLE = { ana: 'b:viewer', bob: '', eve: 'a:admin b:admin' };
const account =
	(faults, people = PEOPLE, more) =>
	() => {
		const world = new Account(people, { faults: faults ?? [], ...more });
		world.service.foreign = new Set(['taken@example.net']);
		return world;
	};
const FOREIGN = 'taken@example.net';
const inA = (w) => ({ chooseGroupBy: 'group', group: w.group('a:member') });
const allRoles = { accessBy: 'organizationAndRole', revokeIn: 'all' };

/** Operations on one person, given as text, as a user field, and the world. */
const ON_PERSON = [
	['user', 'update', (who, user) => ({ user, ...mapped({ externalId: 'x' }) })],
	['user', 'activate', (who, user) => ({ user })],
	['user', 'deactivate', (who, user) => ({ user })],
	['user', 'delete', (who, user) => ({ user })],
	['access', 'assign', (who, user, w) => ({ people: who, createMissing: false, ...w.roles('a') })],
	['access', 'revoke', (who) => ({ people: who, ...allRoles })],
	['access', 'set', (who, user, w) => ({ people: who, ...w.roles('a') })],
	['access', 'offboard', (who) => ({ people: who })],
	['access', 'changeEmail', (who, user) => ({ user, newEmail: email('new') })],
	['access', 'get', (who, user) => ({ user })],
	['group', 'addMembers', (who, user, w) => ({ ...inA(w), people: who })],
	['group', 'removeMembers', (who, user, w) => ({ ...inA(w), people: who })],
	['group', 'setMembers', (who, user, w) => ({ ...inA(w), people: who })],
];

describe('a user of another account, found by filter', () => {
	const belongs = `${FOREIGN} belongs to another account`;
	const user = locator('email', FOREIGN);
	for (const [resource, operation, wish] of [
		...ON_PERSON,
		['user', 'get', () => ({ user })],
		['user', 'upsert', () => ({ userName: FOREIGN })],
		['access', 'changeEmail', () => ({ ...byEmail(email('eve')), newEmail: FOREIGN })],
	]) {
		table(resource, operation, {
			it: `${resource} ${operation}: said, and nothing is sent`,
			on: account(),
			wish: (w) => wish(FOREIGN, user, w),
			fails: [belongs],
		});
	}

	table('access', 'reconcile', {
		it: 'a row fails, the others are followed',
		on: account(),
		wish: () => ({
			...{ accessBy: 'organizationAndRole', preview: false, wantedFrom: 'json' },
			scopeOrganizations: 'org-a',
			wantedJson: [
				[FOREIGN, 'member'],
				[email('bob'), 'member'],
				[email('eve'), 'admin'],
			].map(([who, role]) => ({ email: who, organization: 'org-a', role })),
		}),
		...{ fails: [belongs], ends: { bob: 'a:member' } },
	});
	table(
		...CREATE,
		['fail', 'return'].map((ifUserExists) => ({
			...{ it: ifUserExists, wish: { userName: FOREIGN, options: { ifUserExists } } },
		})),
		{ on: account(), fails: [belongs], sends: ['POST Users 409'] },
	);
	const gone = {
		...{ it: 'counts as not found', on: account() },
		items: [{ userId: null, userName: FOREIGN, status: 'unchanged' }],
	};
	const options = { ifNotFound: 'alreadyGone' };
	table('access', 'offboard', [{ ...gone, wish: { people: FOREIGN, options } }]);
	table('user', 'delete', [{ ...gone, wish: { user, options } }]);

	const bob = { ...byEmail(email('bob')), ...PATIENT };
	const look = (kind, times) => account([{ method: 'GET', path: /Users\/./, kind, times }]);
	table('access', 'get', [
		{ it: 'a user found by filter alone is looked at', on: account(), wish: bob, reads: 3 },
	]);
	table('access', 'changeEmail', {
		...{ it: 'a user in a group needs no look', on: account() },
		wish: { ...byEmail(email('eve')), newEmail: email('eve2'), preview: true },
		gets: ['GET Groups', 'GET Users', 'GET Users'],
	});
	table('user', 'deactivate', {
		...{ it: 'a look that may pass is made again', on: look('500-html', 1), wish: bob },
		ends: { bob: 'inactive' },
		sets: { bob: { displayName: undefined } },
	});
	table('user', 'get', [
		{ it: 'neither yes nor no: asked again', on: look('html-403', 2), wish: bob, items: [{}] },
	]);
});

describe('an ID that nothing shows', () => {
	const NOBODY = 'user-nobody';
	test.each(ON_PERSON)(
		'%s %s: asked for before anything is written',
		async (resource, operation, wish) => {
			const world = account()();
			const what = wish(NOBODY, locator('id', NOBODY), world);
			const items = await play(world, [resource, operation], what);
			expect(items.map(({ error }) => error).join()).toContain(`No user has the ID ${NOBODY}`);
			const paths = world.service.requests.map(({ path }) => path);
			expect(paths).toContain(`/scim/Users/${NOBODY}`);
			const bodies = world.service.requests.map(({ body = '' }) => body);
			expect(bodies.join()).not.toContain(NOBODY);
		},
	);

	const asGone = { options: { ifNotFound: 'alreadyGone' } };
	describe.each([NOBODY, email('nobody')])('%s, treated as gone', (who) => {
		const user = locator(who.includes('@') ? 'email' : 'id', who);
		const proofs = ['provenAt', 'active', 'accessRemoved', 'accessRemaining', 'deleted'];
		test.each([
			['access', 'offboard'],
			['access', 'revoke'],
			['group', 'removeMembers'],
			['user', 'deactivate'],
			['user', 'delete'],
		])('%s %s: unchanged, without proof', async (resource, operation) => {
			const world = account()();
			const [, , wish] = ON_PERSON.find(([one, other]) => one === resource && other === operation);
			const [item] = await play(world, [resource, operation], {
				...wish(who, user, world),
				...asGone,
			});
			expect(item).toMatchObject({ status: 'unchanged', reason: 'no user has this email or ID' });
			expect(item.userId ?? item.userName).toBe(who);
			for (const proof of proofs) expect(item[proof] || null).toBeNull();
			expect(world.service.written()).toStrictEqual([]);
		});
	});
	const forbidden = [{ method: 'GET', path: `/scim/Users/${NOBODY}`, kind: 'html-403' }];
	table('access', 'offboard', [
		{
			...{ it: 'a name without @ is no proof that a user is gone', on: account() },
			...{ wish: { people: 'Bob Miller' }, fails: ['No user has the ID Bob Miller'] },
		},
		{
			...{ it: 'a look-up that goes wrong is never taken for gone', on: account(forbidden) },
			...{ wish: { people: NOBODY, ...asGone }, fails: [/403/] },
		},
	]);
});

table('group', 'addMembers', {
	it: 'a look-up that fails is the error of that person alone, named by email and by ID',
	on: account([{ method: 'GET', path: `/scim/Users/${userIdOf(email('bob'))}`, kind: 'html-403' }]),
	wish: (w) => ({
		...inA(w),
		items: [email('bob'), w.user('bob').value, email('ana')].map((people) => ({ people })),
	}),
	...{ fails: [/403/, /403/], ends: { ana: 'a:member b:viewer' } },
});

const KEEPS = { credential: { overrideProfile: true, deactivation: 'keeps' } };
table('access', 'offboard', {
	// The service drops the roles with the deactivation all the same, so there is less left to do.
	it: 'the item of a person says the worst of what was done, not the last',
	on: account([], { bob: 'a:member b:member', eve: 'a:admin b:admin' }, KEEPS),
	...{ wish: { people: email('bob') }, items: [{ active: false, status: 'done' }] },
	sends: ['PATCH bob', 'PATCH a:member 404', 'PATCH b:member 404'],
	...{ ends: { bob: 'inactive' }, sets: { bob: { displayName: undefined } } },
});

// ---- Spellings ----

describe.each(Object.values(CREDENTIALS))(
	'an email that nobody can read as it is: %j',
	(credential) => {
		const on = () => new Groups({ ana: '' }, { groups: ['a:member'], credential });
		describe.each([
			['ana\u0007@example.com', 'a control character (U+0007) at position 4'],
			['ana\u200B@example.com', 'an invisible character (U+200B) at position 4'],
			['\u202Eana@example.com', 'an invisible character (U+202E) at position 1'],
			['ana@exa\uFEFFmple.com', 'an invisible character (U+FEFF) at position 8'],
			['ana@exam\u00ADple.com', 'an invisible character (U+00AD) at position 9'],
			['ana\u2800@example.com', 'an invisible character (U+2800) at position 4'],
			['ana\uD83D@example.com', 'half a character (U+D83D) at position 4'],
			['ana silva@example.com', 'a blank (U+0020) at position 4'],
			['ana\u00A0silva@example.com', 'a blank (U+00A0) at position 4'],
			['\uFF41na@example.com', 'a full-width character (U+FF41) at position 1'],
			['ana\uFF20example.com', 'a full-width character (U+FF20) at position 4'],
		])('%j', (name, said) => {
			const adds = { chooseGroupBy: 'group', group: locator('id', 'a:member'), people: name };
			const emails = { userName: email('new'), ...mapped({ emails: [{ value: name }] }) };
			for (const [resource, operation, wish] of [
				[...CREATE, { userName: name }],
				['user', 'upsert', { userName: name }],
				['user', 'deactivate', byEmail(name)],
				['group', 'addMembers', adds],
				...(name.includes('@') ? [[...CREATE, emails]] : []),
			])
				table(resource, operation, [{ it: operation, on, wish, fails: [said], reads: 0 }]);
		});
	},
);

describe('two spellings of one name', () => {
	const COMPOSED = 'zo\u00EB@example.com';
	const COMBINED = 'ZOE\u0308@example.com';
	const on = (userName) => () =>
		new Account({ [userName.replace('@example.com', '')]: 'a:member', eve: 'a:admin' });
	const apart = { on: on('ne\u0301e@example.com'), wish: { userName: 'n\u00E9e@example.com' } };
	table('user', 'upsert', [
		{
			...{
				it: 'one person: created once, and sent composed',
				on: () => new Account({ eve: 'a:admin' }),
			},
			wish: { items: [{ userName: COMBINED }, { userName: COMPOSED }] },
			...{ sends: ['POST Users'], ends: { 'ZO\u00CB': '' } },
		},
		{ ...apart, it: 'nobody new beside the one that is stored with accents apart' },
	]);
	table(...CREATE, [{ ...apart, it: 'no second account beside it', fails: [/exists already/] }]);
	table('group', 'addMembers', {
		...{ it: 'found among the members of groups', on: on(COMPOSED) },
		...{ wish: (w) => ({ ...inA(w), people: COMBINED }), items: [{ status: 'unchanged' }] },
	});
	table('access', 'offboard', {
		...{ it: 'protect the same person', on: on(COMPOSED), fails: [/is protected/] },
		wish: { people: COMPOSED, options: { protectedUsers: COMBINED } },
	});
});

describe.each(['userName', 'email'])(
	'a filter that shows a user twice (wso2 product-is issues 3563, 4181), by %s',
	(matchUsersBy) => {
		const wish = (w) => ({ people: emails('ana'), ...w.groups('eng'), options: { matchUsersBy } });
		table('access', 'assign', [
			{
				it: 'one ID is one user',
				on: () => new Groups({ ana: '', ben: 'eng' }, { listsTwice: true }),
				...{ wish, items: ['granted ana eng done'], ends: { ana: 'eng' } },
			},
		]);
	},
);

describe('a service that shows nobody at all, neither in its list nor by filter', () => {
	const MUTE = { listsByFilterOnly: true, filterMisses: () => true };
	const on =
		(people = { ana: 'eng', ben: 'eng' }, more = MUTE) =>
		() =>
			new Groups(people, { groups: ['eng'], ...more });
	const options = { ifNotFound: 'alreadyGone' };
	const fails = [
		/^Could not find out who has .*: the service shows nobody at all, neither in its list nor by filter$/,
	];
	const common = { on: on(), fails, sends: [] };
	describe.each(['userName', 'email'])('by %s', (matchUsersBy) => {
		const by = { options: { ...options, matchUsersBy } };
		table('access', 'offboard', [
			{ ...common, it: 'nobody is gone already', wish: () => ({ people: emails('ana'), ...by }) },
		]);
		table('access', 'revoke', [
			{
				...common,
				it: 'access is not gone already',
				wish: (w) => ({ people: emails('ana'), ...w.groups('eng'), ...by }),
			},
		]);
		table('user', 'deactivate', [
			{ ...common, it: 'no account is', wish: { ...byEmail(email('ana')), ...by } },
		]);
		table('user', 'delete', [
			{
				...common,
				it: 'nor one that is to be deleted',
				wish: { ...byEmail(email('ana')), options: { ...by.options, allowPermanentRemoval: true } },
			},
		]);
	});
	table('group', 'removeMembers', [
		{
			...common,
			it: 'a member is not out already',
			wish: (w) => ({ group: w.group('eng'), people: emails('ana'), options }),
		},
	]);
	table('access', 'reconcile', [
		{
			...common,
			it: 'rows whose people are not to be seen take nothing from others',
			wish: {
				...{ scopeGroups: { group: [{ group: 'eng' }] }, preview: false, wantedFrom: 'json' },
				wantedJson: [{ email: email('ana'), group: 'eng' }],
				options: { maxPeopleAffected: 100 },
			},
		},
	]);
	table('user', 'reconcile', [
		{
			...common,
			it: 'who is to be inactive is not there for sure',
			wish: {
				...{ preview: false, usersFrom: 'json' },
				usersJson: JSON.stringify([{ userName: email('ana'), active: false }]),
			},
		},
	]);
	table('access', 'offboard', [
		{
			it: 'who is gone is, where a filter finds somebody else',
			on: on({ ana: 'eng' }, { listsByFilterOnly: true }),
			wish: { people: emails('gone ana'), options },
			items: [{ userName: email('gone'), status: 'unchanged' }, { status: 'done' }],
			ends: { ana: 'inactive' },
		},
	]);
	table('access', 'assign', [
		{
			it: 'a directory in which nobody is yet is filled',
			on: on({}, {}),
			wish: (w) => ({ people: emails('ana'), ...w.groups('eng'), createMissing: true }),
			ends: { ana: 'eng' },
		},
	]);
});

describe('a list that shows nobody: ten of twenty new people are asked for by filter, evenly spread', () => {
	const twenty = range(20);
	const all = Object.fromEntries(twenty.map((name) => [name, 'eng']));
	/** The services that show nobody without a filter. */
	const HIDES = { listsByFilterOnly: true };
	const thirty = Object.fromEntries(range(30).map((name) => [`other.${name}`, '']));
	const on =
		(people = {}, more = {}) =>
		() =>
			new Groups(people, { groups: ['eng'], ids: 'numbered', ...more });
	const oneName = {
		takenNames: 'stored',
		discovery: discovered([
			{ id: CORE, attributes: [{ name: 'userName', type: 'string', uniqueness: 'none' }] },
		]),
	};
	const wish = {
		...{ preview: false, createMissing: true, scopeGroups: rows('eng') },
		...wanted(twenty.map((name) => ({ email: email(name), group: 'eng' }))),
		options: { maxPeopleAffected: 100, maxCreates: 100 },
	};
	const byEmail = { ...wish, options: { ...wish.options, matchUsersBy: 'email' } };
	const posts = (count) => Array.from({ length: count }, () => 'POST Users');
	const PATCH = 'PATCH eng';
	/** Look-ups of people by filter that the row takes. */
	const lookUps = (world) =>
		filters(world).filter(({ query }) => /^(userName|emails)/.test(query.filter)).length;
	test.each([
		['nobody is there', on(), wish, 10],
		['one of the ten is: everybody is asked for', on({ p1: '' }, HIDES), wish, 20],
		['one of the others is', on({ p2: '' }, HIDES), wish, 10],
		['a group shows a member: everybody is', on({ bob: 'eng' }, HIDES), wish, 20],
		['names that need not be unique: everybody is', on({}, oneName), wish, 20],
		['by email, which nothing keeps unique: everybody is', on(), byEmail, 40],
		['a list that shows somebody: nobody is', on({ ana: '' }), wish, 0],
	])('%s', async (_, service, fields, asked) => {
		const world = service();
		await play(world, ['access', 'reconcile'], { ...fields, preview: true });
		expect(lookUps(world)).toBe(asked);
	});
	test.each([
		['a filter that finds users of other accounts', on({}, { credential: CREDENTIALS.account })],
		['a list of more pages than people, of which one is read', on(thirty, { pageCap: 1 })],
	])('%s: everybody is', async (_, service) => {
		const world = service();
		const people = twenty.map((name) => ({ userName: email(name) }));
		await play(world, ['user', 'upsert'], {}, people);
		expect(lookUps(world)).toBe(20);
	});
	table('access', 'reconcile', [
		{
			...{ it: 'all are created', on: on(), wish, ends: all },
			sends: [...posts(20), PATCH],
		},
		{
			it: 'who is there all the same gets the access, and nobody is made twice',
			...{ on: on({ p2: '' }, HIDES), wish, ends: all },
			sends: [...posts(19), 'POST Users 409', PATCH],
		},
		{
			it: 'the same where the service answers the create with who is there',
			on: on({ p2: '' }, { ...HIDES, takenNames: 'answered', showsCreated: true }),
			...{ wish, ends: all, sends: [...posts(20), PATCH] },
		},
		{
			it: 'who is there, inactive, gains nothing',
			on: on({ p2: 'inactive' }, HIDES),
			...{ wish, ends: { ...all, p2: 'inactive' }, once: true },
		},
		{
			it: 'where names need not be unique, nobody is made twice',
			...{ on: on({ p2: '' }, { ...HIDES, ...oneName }), wish, ends: all },
			sends: [...posts(19), PATCH],
		},
		{
			it: 'where all are hidden, nobody is made twice',
			on: on(Object.fromEntries(twenty.map((name) => [name, ''])), {
				...{ ...HIDES, filterMisses: () => true },
			}),
			...{ wish, once: true, sends: Array.from({ length: 20 }, () => 'POST Users 409') },
			fails: Array.from({ length: 40 }, () => /cannot see that user|needs a step/),
		},
	]);
});

describe('a filter that fails with 500 for the quote in its value', () => {
	const userName = "o'neil@example.com";
	const failsForQuotes = () => {
		const world = new Groups({ ana: '', neil: { has: 'eng', userName } });
		const exchange = world.service.exchange.bind(world.service);
		world.service.exchange = async (request) =>
			/filter=.*('|%27)/.test(request.url)
				? { status: 500, headers: {}, text: '{"detail":"unterminated string"}' }
				: await exchange(request);
		return world;
	};
	table('user', 'get', [
		{
			it: 'a list tells who it is, and who is not there',
			on: failsForQuotes,
			wish: () => ({ items: [byEmail(userName), byEmail("o'hara@example.com")] }),
			items: [{ userName }, {}],
			fails: [/^No user has the user name o'hara/],
		},
	]);
});
