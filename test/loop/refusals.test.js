'use strict';

// What a refusal says, and about which user.

const {
	ACCOUNT,
	ID,
	MemoryService,
	email,
	emails,
	errorsIn,
	idOf,
	inGroup,
	later,
	locator,
	meanwhile,
	membersIn,
	person,
	play,
	serviceWith,
	strip,
	wait,
} = require('./play');
const { oneRole } = require('../support/accessRows');

afterEach(() => jest.restoreAllMocks());

/** A service that refuses a whole request that adds a member. */
function refusing(service, id, status = 400, detail = 'Bad request') {
	const send = service.exchange.bind(service);
	service.exchange = async (request) => {
		const adds =
			request.method === 'PATCH' &&
			/Groups/.test(request.url) &&
			JSON.parse(request.body).Operations.some(
				({ op, value }) => /add/i.test(op) && value?.some((one) => one.value === id),
			);
		if (!adds) return await send(request);
		service.requests.push({
			nth: service.requests.length + 1,
			method: request.method,
			path: new URL(request.url).pathname,
			status,
			body: request.body,
		});
		return {
			status,
			headers: { 'content-type': 'application/scim+json' },
			text: JSON.stringify({
				schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
				status: String(status),
				detail,
			}),
		};
	};
}

test('who was added before a look breaks off is not failed', async () => {
	const service = serviceWith({
		people: [person('ana', ['vpn']), person('ben', ['vpn']), person('dan', []), person('cleo', [])],
		patchAnswers: 204,
	});
	refusing(service, idOf('cleo'));
	let added = false;
	meanwhile(service, /^PATCH/, () => {
		added = true;
		later(6_000);
		service.faults.add({ method: 'GET', path: /Groups/, nth: 1, kind: '500-html' });
	});
	const items = await play(
		service,
		'setMembers',
		{
			options: { maxWait: 0, verifyTime: 20 },
			...inGroup('vpn'),
			people: emails('ben', 'dan', 'cleo'),
		},
		[{}],
		{ resource: 'group' },
	);
	expect(added).toBe(true);
	expect(membersIn(service).vpn).toContain('dan');
	expect(items.find(({ userName }) => userName === email('dan')).status).toBe('done');
});

test('a number in a text names nobody', async () => {
	const people = ['ana', 'ben', 'cleo', 'dan'].map((name, index) =>
		person(name, [], { id: String(index + 1) }),
	);
	const service = serviceWith({ people, mostMembers: 3 });
	const items = await play(
		service,
		'addMembers',
		{ ...inGroup('vpn'), people: emails('ana', 'ben', 'cleo', 'dan') },
		[{}],
		{ resource: 'group' },
	);
	expect(errorsIn(items)).toEqual([]);
});

test('the same of a refused value whose text has a number', async () => {
	const people = ['ana', 'ben', 'cleo', 'dan'].map((name, index) =>
		person(name, [], { id: String(index + 1) }),
	);
	const service = serviceWith({ people });
	refusing(service, '3', 400, 'Request failed: 1 invalid member');
	const items = await play(
		service,
		'addMembers',
		{ ...inGroup('vpn'), people: emails('ana', 'ben', 'cleo', 'dan') },
		[{}],
		{ resource: 'group' },
	);
	expect(membersIn(service).vpn).toEqual(['ana', 'ben', 'dan']);
});

test.each([
	[400, 'Bad request'],
	[400, `No user ${idOf('p05')}`],
	[403, 'Forbidden'],
	[404, 'Not found'],
	[409, 'Conflict'],
	[422, 'Unprocessable'],
])(
	'%s for a request with one of 16 who is refused (%s): the others get in',
	async (status, words) => {
		const names = Array.from({ length: 16 }, (_, at) => `p${String(at).padStart(2, '0')}`);
		const service = serviceWith({ people: names.map((name) => person(name, [])) });
		refusing(service, idOf('p05'), status, words);
		const items = await play(
			service,
			'addMembers',
			{ ...inGroup('vpn'), people: emails(...names), options: wait },
			[{}],
			{ resource: 'group' },
		);
		expect(membersIn(service).vpn).toEqual(names.filter((name) => name !== 'p05'));
		const failed = items.filter(({ error }) => error !== undefined);
		expect(failed.map(({ userName }) => userName)).toEqual([email('p05')]);
	},
);

test('404 for everybody: the group is not looked at for each', async () => {
	const names = Array.from({ length: 16 }, (_, at) => `p${String(at).padStart(2, '0')}`);
	const service = serviceWith({
		people: names.map((name) => person(name, [])),
		faults: [{ method: 'PATCH', kind: 'missing' }],
	});
	const items = await play(
		service,
		'addMembers',
		{ ...inGroup('vpn'), people: emails(...names), options: wait },
		[{}],
		{ resource: 'group' },
	);
	expect(errorsIn(items)).toHaveLength(16);
	const isLook = ({ method, path }) => method === 'GET' && path.endsWith(ID.vpn);
	expect(service.requests.filter(isLook).length).toBeLessThan(10);
});

test('an add that worked behind a 500 and a deactivation meanwhile: what is there is said', async () => {
	const service = serviceWith({
		people: [person('dan', [])],
		faults: [{ method: 'PATCH', nth: 1, kind: '500-after' }],
	});
	meanwhile(service, /^PATCH/, (scim) => scim.setActive(idOf('dan'), false));
	const items = await play(
		service,
		'addMembers',
		{ ...inGroup('vpn'), people: email('dan'), options: wait },
		[{}],
		{ resource: 'group' },
	);
	expect(membersIn(service).vpn).toEqual(['dan']);
	expect(errorsIn(items).join()).not.toContain('no access was given');
});

test('whole list: worked behind a 500, and a member joins: our own add is not failed', async () => {
	const service = serviceWith({
		people: [person('ben', ['vpn']), person('dan', []), person('fay', [])],
		faults: [{ method: 'PUT', nth: 1, kind: '500-after' }],
	});
	meanwhile(service, /^GET .Groups/, (scim) => scim.add(ID.vpn, idOf('fay')), { nth: 2 });
	const items = await play(
		service,
		'setMembers',
		{
			...inGroup('vpn'),
			people: emails('ben', 'dan'),
			options: { ...wait, replaceWith: 'wholeList' },
		},
		[{}],
		{ resource: 'group' },
	);
	expect(membersIn(service).vpn).toContain('dan');
	expect(items.find(({ userName }) => userName === email('dan')).status).toBe('done');
});

test('lists of users without groups prove no removal', async () => {
	const names = ['ana', 'ben', 'cleo'];
	const service = serviceWith({
		people: names.map((name) => person(name, ['vpn'])),
		membersShownOn: 'users',
		membershipFilter: 'off',
		faults: [{ method: 'PATCH', kind: 'dropped' }],
	});
	strip(
		service,
		({ method, url }) => method === 'GET' && /Users(\?|$)/.test(url),
		(body) => {
			for (const user of body.Resources ?? []) delete user.groups;
		},
	);
	for (const people of [names.map(idOf).join(), emails(...names)]) {
		const items = await play(service, 'revoke', {
			people,
			revokeIn: 'all',
			options: {
				...wait,

				maxPercentAffected: 100,
			},
		});
		expect(membersIn(service).vpn).toEqual(names);
		expect(items.filter(({ status }) => status === 'done')).toEqual([]);
	}
});

test('a user found only by a 409 is not lowered', async () => {
	const people = [{ userName: email('ana'), roles: { 'org-a': 'admin' } }];
	const service = new MemoryService(
		{ people, organizations: ['org-acct', 'org-a'] },
		{ ...ACCOUNT, showsNames: false },
	);
	const send = service.exchange.bind(service);
	let posted = false;
	service.exchange = async (request) => {
		if (request.method === 'POST') posted = true;
		const answer = await send(request);
		if (posted || request.method !== 'GET' || !/Users\?/.test(request.url)) return answer;
		const body = JSON.parse(answer.text);
		return { ...answer, text: JSON.stringify({ ...body, totalResults: 0, Resources: [] }) };
	};
	const items = await play(
		service,
		'assign',
		{
			people: email('ana'),
			createMissing: true,
			accessBy: 'organizationAndRole',
			...oneRole(locator('id', 'org-a'), 'viewer'),
			options: wait,
		},
		[{}],
		{ credential: {} },
	);
	expect(service.rolesOf(idOf('ana'))).toEqual([['org-a', 'admin']]);
});

test('who was created by the run is sent again until the groups know the person, whoever waits for that as well', async () => {
	const service = serviceWith({ people: [person('ana', ['vpn'])] });
	const sent = new Map();
	const exchange = service.exchange.bind(service);
	service.exchange = async (request) => {
		if (request.method !== 'PATCH') return await exchange(request);
		const ids = JSON.parse(request.body).Operations.flatMap(({ value }) =>
			value.map((one) => one.value),
		);
		for (const id of ids) sent.set(id, (sent.get(id) ?? 0) + 1);
		if (ids.every((id) => sent.get(id) > 2)) return await exchange(request);
		return { status: 404, headers: {}, text: '{"detail": "Not found"}' };
	};
	const names = ['cleo', 'dan', 'eve', 'finn'];
	const items = await play(
		service,
		'assign',
		{
			...{ people: emails(...names), createMissing: true, options: wait },
			...{ accessBy: 'group', groups: { group: [inGroup('vpn')] } },
		},
		[{}],
	);
	expect(errorsIn(items)).toEqual([]);
	expect(membersIn(service)).toEqual({ vpn: ['ana', ...names] });
});
