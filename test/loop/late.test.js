'use strict';

// What leaves late, or again, is looked at first.

const {
	ACCOUNT,
	MemoryService,
	credentialOf,
	email,
	emails,
	idOf,
	inGroup,
	later,
	listed,
	locator,
	meanwhile,
	membersIn,
	person,
	play,
	serviceWith,
	strip,
	wait,
} = require('./play');

afterEach(() => jest.restoreAllMocks());

test.each(['late', '429'].flatMap((how) => [false, true].map((omits) => [how, omits])))(
	'a value is not given to a user deactivated meanwhile: %s, active left out where it is false: %s',
	async (how, omits) => {
		const service = serviceWith({
			...(omits && { active: 'whenTrue' }),
			people: [person('ana', ['eng']), person('ben', ['vpn']), person('cleo', ['vpn'])],
			faults: how === '429' ? [{ method: 'PATCH', nth: 1, kind: '429' }] : [],
		});
		const user = service.users.get(idOf('ana'));
		service.store({ ...user, attributes: { ...user.attributes, roles: [{ value: 'reader' }] } });
		const act = (scim) => scim.setActive(idOf('ana'), false);
		if (how === '429') meanwhile(service, /^PATCH/, act);
		else {
			// The plan is made of the first read; by the next one six seconds have passed.
			meanwhile(service, /^GET/, () => later(6_000));
			meanwhile(service, /^GET .Users/, act, { nth: 2 });
		}
		const items = await play(
			service,
			'update',
			{
				user: locator('email', email('ana')),
				accessValues: { value: [{ action: 'add', attribute: 'roles', value: 'editor' }] },
				options: wait,
			},
			[{}],
			{ resource: 'user', credential: credentialOf() },
		);
		expect(service.users.get(idOf('ana')).active).toBe(false);
		expect(service.users.get(idOf('ana')).attributes.roles).toEqual([{ value: 'reader' }]);
	},
);

test('a group of which 100 are shown proves nobody out', async () => {
	const names = Array.from({ length: 101 }, (_, index) => `p${String(index).padStart(3, '0')}`);
	const service = serviceWith({
		people: names.map((name) => person(name, ['vpn'])),
		faults: [{ method: 'PATCH', kind: 'dropped' }],
		patchAnswers: 204,
	});
	strip(
		service,
		({ method, url }) => method === 'GET' && /Groups/.test(url),
		(body) => {
			for (const group of body.Resources ?? [body])
				if (group.members?.length > 100) group.members = group.members.slice(0, 100);
		},
	);
	const items = await play(service, 'revoke', {
		people: email('p100'),
		revokeIn: 'all',
		options: wait,
	});
	expect(membersIn(service).vpn).toContain('p100');
	expect(items.map(({ status }) => status)).not.toContain('done');
	expect(items.map(({ status }) => status)).not.toContain('unchanged');
});

test.each([false, true])(
	'a GET that never shows groups proves no removal, groups without members: %s',
	async (omitsEmptyMembers) => {
		const names = ['ana', 'ben', 'cleo'];
		const service = serviceWith({
			people: names.map((name) => person(name, ['vpn', 'eng'])),
			membersShownOn: 'users',
			omitsEmptyMembers,
			membershipFilter: 'off',
			faults: [{ method: 'PATCH', kind: 'dropped' }],
		});
		strip(
			service,
			({ method, url }) => method === 'GET' && /Users\/./.test(url),
			(body) => {
				delete body.groups;
			},
		);
		const items = await play(service, 'revoke', {
			people: email('ana'),
			revokeIn: 'all',
			options: wait,
		});
		expect(membersIn(service).vpn).toContain('ana');
		expect(items.filter(({ status }) => status === 'done')).toEqual([]);
	},
);

test.each(['activated', 'created'])(
	'a user %s by this run and deactivated since gets nothing',
	async (how) => {
		const service = serviceWith({
			faults: [{ method: 'PATCH', path: /Groups/, nth: 1, kind: '429', retryAfter: 30 }],
		});
		const who = how === 'created' ? 'gus' : 'finn';
		meanwhile(service, /^PATCH .Groups/, (scim) => scim.setActive(idOf(who), false));
		const items = await play(service, 'assign', {
			people: email(who),
			createMissing: true,
			...listed('VPN'),
			options: { ...wait, reactivate: true },
		});
		expect(membersIn(service).vpn).not.toContain(who);
	},
);

test('a user deactivated while the service cannot be reached gets nothing', async () => {
	const service = serviceWith({ people: [person('dan', [])] });
	const send = service.exchange.bind(service);
	service.exchange = async (request) => {
		if (request.method !== 'PATCH') return await send(request);
		service.exchange = send;
		service.setActive(idOf('dan'), false);
		throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
	};
	const items = await play(service, 'assign', {
		...{ people: emails('dan'), ...listed('VPN'), options: wait },
	});
	expect(membersIn(service).vpn).toBeUndefined();
	expect(items.map(({ status }) => status)).toEqual(['failed']);
});

test('an add that worked behind a 500 and that reads show late is not failed', async () => {
	const service = serviceWith({
		...{ people: [person('dan', [])], lagReads: 3 },
		faults: [{ method: 'PATCH', nth: 1, kind: '500-after' }],
	});
	const items = await play(service, 'assign', {
		...{ people: emails('dan'), ...listed('VPN'), options: { ...wait, maxWait: 0 } },
	});
	expect(items.map(({ status }) => status)).toEqual(['done']);
	expect(service.written()).toHaveLength(1);
});

/** Gives the ID of Ana to another person, as services do that reuse an account. */
const giveAway = (scim) => {
	const user = scim.users.get(idOf('ana'));
	scim.store({
		...user,
		userName: email('zoe'),
		attributes: { ...user.attributes, userName: email('zoe') },
	});
};

test.each([
	['late', 'ana', 'delete'],
	['late', 'ana ben cleo', 'delete'],
	['429', 'ana', 'delete'],
	['late', 'ana', 'deactivate'],
])(
	'an account that belongs to another person by now is not removed: %s, %s, %s',
	async (how, who, operation) => {
		const service = serviceWith({
			people: ['ana', 'ben', 'cleo'].map((name) => person(name, ['vpn'])),
			faults: how === '429' ? [{ method: 'DELETE', nth: 1, kind: '429' }] : [],
		});
		if (how === '429') meanwhile(service, /^DELETE/, giveAway);
		else {
			// The plan is made of the first reads; by the next one six seconds have passed.
			meanwhile(service, /^GET/, () => later(6_000));
			meanwhile(service, /^GET/, giveAway, { nth: 2 });
		}
		const isFinal = operation === 'deactivate' && {
			overrideProfile: true,
			deactivation: 'removes',
		};
		const items = await play(
			service,
			operation,
			{
				user: '={{ $json.user }}',
				options: { ...wait, allowPermanentRemoval: true },
			},
			who.split(' ').map((name) => ({ user: locator('email', email(name)) })),
			{ resource: 'user', credential: { ...credentialOf(), ...isFinal } },
		);
		expect(service.users.get(idOf('ana'))).toMatchObject({ active: true, userName: email('zoe') });
		expect(items[0]).toMatchObject({
			...{ status: 'failed', userName: email('ana') },
			reason: expect.stringContaining('is zoe'),
		});
		expect(service.written().some((request) => request.includes(idOf('ana')))).toBe(how === '429');
	},
);

test('a delete that worked behind a 500 is not failed because a look breaks off', async () => {
	const people = [
		{ userName: email('ana'), roles: { 'org-a': 'admin' } },
		{ userName: email('bob'), roles: { 'org-a': 'admin' } },
	];
	const service = new MemoryService(
		{ people, organizations: ['org-acct', 'org-a'] },
		{ ...ACCOUNT, faults: [{ method: 'DELETE', nth: 1, kind: '500-after' }] },
	);
	meanwhile(service, /^DELETE/, () =>
		service.faults.add({ method: 'GET', path: /Groups/, nth: [1, 2, 3, 4, 5], kind: '500-html' }),
	);
	const items = await play(
		service,
		'delete',
		{
			user: locator('email', email('ana')),
			options: {
				...wait,
				allowPermanentRemoval: true,
				maxPercentAffected: 100,
			},
		},
		[{}],
		{ resource: 'user', credential: { accountOrganizationId: 'org-acct' } },
	);
	expect(service.users.has(idOf('ana'))).toBe(false);
	expect(items.map(({ status }) => status)).toEqual(['done']);
});

test('after an alarm no membership is changed, by adds neither', async () => {
	const all = ['ana', 'ben', 'cleo', 'gus'];
	const service = serviceWith({
		people: [
			...all.map((name) => person(name, ['vpn'])),
			...['hal', 'ivy', 'jo', 'ken', 'leo'].map((name) => person(name, ['eng'])),
			person('ana2', ['eng']),
			person('dan', []),
		],
		removesEverybody: ['filterPath'],
	});
	const items = await play(
		service,
		'setMembers',
		{},
		[
			{ ...inGroup('vpn'), people: emails('ben', 'cleo', 'gus') },
			{ ...inGroup('eng'), people: emails('dan', 'hal', 'ivy', 'jo', 'ken', 'leo') },
		],
		{ resource: 'group' },
	);
	expect(membersIn(service).eng).toContain('ana2');
	expect(membersIn(service).eng).not.toContain('dan');
	expect(JSON.stringify(items)).toContain('No further change of members was sent');
});

test.each([
	['is there afterwards', '500-after', 'done'],
	['is not', '500-html', 'unverified'],
])('a create of a group that was cut off, and %s', async (_, kind, status) => {
	const service = serviceWith({ faults: [{ method: 'POST', kind }] });
	const items = await play(
		service,
		'create',
		{ displayName: 'New One', groupName: 'New One' },
		[{}],
		{ resource: 'group' },
	).catch((error) => [{ error }]);
	expect(items.map((item) => item.status)).toEqual([status]);
	expect(service.written()).toEqual(['POST /Groups']);
});

/** The new account is there; what the old one has goes to it late. */
async function changeEmail(act, { nth = 1, at = /^PATCH .*Groups/ } = {}) {
	const name = { givenName: 'Ana', familyName: 'Silva' };
	const people = [
		{ userName: email('old'), name, roles: { 'org-a': 'member' } },
		{ userName: email('new'), name },
		{ userName: email('boss'), roles: { 'org-a': 'admin' } },
	];
	const service = new MemoryService(
		{ people, organizations: ['org-acct', 'org-a'] },
		{ ...ACCOUNT, faults: [] },
	);
	const old = service.users.get(idOf('old'));
	service.store({ ...old, attributes: { ...old.attributes, entitlements: [{ value: 'root' }] } });
	const writer = meanwhile(service, at, (scim) => act(scim, service), { nth });
	const items = await play(
		service,
		'changeEmail',
		{ user: locator('email', email('old')), newEmail: email('new'), options: wait },
		[{}],
		{
			credential: {
				accountOrganizationId: 'org-acct',
				overrideProfile: true,
				accessAttributes: 'entitlements',
			},
		},
	);
	expect(writer.acted).toBe(true);
	return { service, items };
}

test('Change Email: a value that the old account has lost meanwhile is not given to the new one', async () => {
	const { service } = await changeEmail(
		(scim) => {
			later(6_000);
			const old = scim.users.get(idOf('old'));
			scim.store({ ...old, attributes: { ...old.attributes, entitlements: [] } });
		},
		{ at: /^GET/, nth: 3 },
	);
	expect(
		service.requests.filter(({ method, body }) => method === 'PATCH' && /add.*root/.test(body)),
	).toEqual([]);
});

test('Change Email: an old account shut out meanwhile hands no value over', async () => {
	const { service } = await changeEmail(
		(scim) => {
			later(6_000);
			scim.setActive(idOf('old'), false);
		},
		{ at: /^GET/, nth: 3 },
	);
	expect(
		service.requests.filter(({ method, body }) => method === 'PATCH' && /add.*root/.test(body)),
	).toEqual([]);
});
