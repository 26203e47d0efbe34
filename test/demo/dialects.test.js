'use strict';

/** What the page of each dialect says, asked of the local service over HTTP. */

const { startService } = require('../../demo/service');
const { DIALECTS } = require('../../demo/service/scim/dialects');

const PERSON = {
	userName: 'ana@example.com',
	displayName: 'Ana Silva',
	name: { givenName: 'Ana', familyName: 'Silva' },
	emails: [{ value: 'ana@example.com', primary: true }],
	externalId: 'e-1',
};

const started = [];
afterEach(() => Promise.all(started.splice(0).map((one) => one.close())));

/** @returns asks the dialect: `METHOD /path` and a body to `{ status, body }` */
async function dialect(name, { users = 0, groups = [], ...options } = {}) {
	const people = Array.from({ length: users }, (_, at) => ({
		id: `u${at}`,
		userName: `u${at}@example.com`,
	}));
	const service = await startService({
		dialect: name,
		seed: { organizations: [], users: people, groups },
		...options,
	});
	started.push(service);
	const { token, scheme } = service.options;
	const secret = scheme === 'Basic' ? Buffer.from(token).toString('base64') : token;
	return async (line, body, headers) => {
		const [, method, path] = /^(\w+) (.*)$/.exec(line);
		const answer = await fetch(service.url + path, {
			method,
			headers: {
				authorization: `${scheme} ${secret}`,
				'content-type': 'application/scim+json',
				...headers,
			},
			body: body && JSON.stringify(body),
		});
		const text = await answer.text();
		return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : undefined };
	};
}

const find = (type, filter) => `GET /${type}?filter=${encodeURIComponent(filter)}`;
const list = (...ids) => ({ Resources: ids.map((id) => ({ id })) });
const lacks = (name) => expect.not.objectContaining({ [name]: expect.anything() });
const idsOf = (from, to) => Array.from({ length: to - from }, (_, at) => `u${from + at}`);
const patch = (...Operations) => ({ Operations });
const members = (...ids) => ids.map((value) => ({ value }));
const sets = (path, value) => patch({ op: 'replace', path, value });
const OFF = sets('active', false);
const adds = (...ids) => patch({ op: 'add', path: 'members', value: members(...ids) });
const removes = (...ids) => patch({ op: 'remove', path: 'members', value: members(...ids) });
const removesEach = (...ids) =>
	patch(...ids.map((id) => ({ op: 'remove', path: `members[value eq "${id}"]` })));

/** Requests in order: what is sent, if anything, and what is answered; `user-1` is the first who is created. */
const SAID = {
	slack: [
		['POST /Users', { userName: 'ana' }, 400],
		['POST /Users', { ...PERSON, userName: `${'a'.repeat(22)}@example.com` }, 400],
		['POST /Users', PERSON, 201, { userName: 'ana' }],
		['PATCH /Users/user-1', sets('userName', 'bo@x.org'), 200],
		[find('Users', 'userName eq "bo"'), 200, { totalResults: 1 }],
		['DELETE /Users/user-1', 204],
		['GET /Users/user-1', 200, { active: false }],
	],
	github: [
		['POST /Users', { ...PERSON, externalId: undefined }, 400],
		['POST /Users', { ...PERSON, emails: [] }, 400],
		['POST /Users', PERSON, 201, { id: 'user-1' }],
		['DELETE /Users/user-1', 204],
		['POST /Users', PERSON, 201, { id: 'user-2' }],
		['GET /users/user-2', 404],
	],
	gitlab: [
		['POST /Users', PERSON, 201, { id: 'e-1' }],
		['GET /Users', 200, { totalResults: 0 }],
		[find('Users', 'userName eq "ana@example.com"'), 400],
		[find('Users', 'id eq "e-1"'), 200, { totalResults: 1 }],
		['GET /Groups', 404],
	],
	gitlabInstance: [
		['POST /Users', PERSON, 201, { id: 'e-1' }],
		['GET /Users', 200, { totalResults: 0 }],
		['POST /Groups', { displayName: 'no SAML group link' }, 400],
		['GET /Groups', 200, { totalResults: 0 }],
	],
	wandb: [
		[
			'POST /Users',
			PERSON,
			201,
			{ emails: { Value: 'ana@example.com', Primary: true }, organizationRole: 'member' },
		],
		[find('Users', 'userName eq "ana@example.com"'), 400],
		[find('Users', 'emails.value eq "ana@example.com"'), 200],
		['PATCH /Users/user-1', sets('organizationRole', 'admin'), 200],
		['GET /Users/user-1', 200, { organizationRole: 'admin' }],
		['PATCH /Users/user-1', OFF, 200],
		['GET /Users/user-1', 404],
	],
	langfuse: [
		['GET /Groups', 404],
		['POST /Users', { ...PERSON, roles: ['OWNER'] }, 201, { roles: ['OWNER'] }],
		['PATCH /Users/user-1', OFF, 403],
		['DELETE /Users/user-1', 403],
		['POST /Users', { ...PERSON, userName: 'bo', roles: ['OWNER'] }, 201],
		['PATCH /Users/user-1', OFF, 200],
		['GET /Users/user-1', 404],
	],
	databricks: [
		['POST /Users', { ...PERSON, entitlements: [{ value: 'allow-cluster-create' }] }, 201],
		[find('Users', Array(101).fill('id eq "1"').join(' and ')), 400],
		[find('Users', Array(100).fill('id eq "user-1"').join(' and ')), 200],
		['POST /Users', PERSON, 415, {}, { 'content-type': 'application/json' }],
	],
	sentry: [
		['POST /Users', { ...PERSON, sentryOrgRole: 'owner' }, 201],
		['PATCH /Users/user-1', patch({ op: 'replace', value: { displayName: 'A' } }), 400],
		['PATCH /Users/user-1', OFF, 403],
		['POST /Users', { ...PERSON, userName: 'bo', sentryOrgRole: 'owner' }, 201],
		['PATCH /Users/user-1', patch({ op: 'replace', value: { active: false } }), 200],
		['GET /Users/user-1', 404],
		['POST /Groups', { displayName: 'A' }, 201],
		['PUT /Groups/group-1', { members: [] }, 405],
		[
			'PATCH /Groups/group-1',
			patch(...Array(101).fill({ op: 'add', path: 'members', value: members('user-2') })),
			400,
		],
	],
	activepieces: [
		['POST /Users', PERSON, 201],
		['POST /Groups', { displayName: 'A', members: members('user-1') }, 201],
		['PATCH /Groups/group-1', removes('user-1'), 200, { members: [{ value: 'user-1' }] }],
		['DELETE /Users/user-1', 204],
		['GET /Users/user-1', 200, { active: false }],
		['PATCH /Groups/group-1', adds('user-1'), 200, { members: [] }],
	],
	miro: [
		['POST /Groups', { displayName: 'A' }, 201],
		...Array(5).fill(['GET /Groups', 200]),
		['GET /Groups', 429],
		['GET /Groups/group-1', 200],
		[
			'PATCH /Groups/group-1',
			patch({ op: 'add', path: 'members', value: Array(8001).fill({ value: '1' }) }),
			413,
		],
	],
	keycloak: [
		['POST /Users', PERSON, 201, { emails: [{ value: 'ana@example.com', primary: true }] }],
		['POST /Groups', { displayName: 'A', members: members('user-1') }, 400],
		['POST /Groups', { displayName: 'A' }, 201],
		['PATCH /Groups/group-1', adds('user-1'), 200],
		['PATCH /Groups/group-1', adds('no'), 400],
		['PUT /Groups/group-1', { id: 'group-1', displayName: 'A', members: members('user-1') }, 400],
		['PUT /Groups/group-1', { id: 'group-1', displayName: 'B' }, 200, { displayName: 'B' }],
		['PUT /Groups/group-1', { displayName: 'B' }, 400],
		['GET /Groups/group-1?attributes=members', 200, { members: members('user-1') }],
		['PATCH /Users/user-1', OFF, 200],
		['GET /Users/user-1?attributes=groups', 200, { groups: members('group-1') }],
	],
	wso2: [
		['POST /Users', PERSON, 201],
		['POST /Users', { ...PERSON, userName: 'bo' }, 201],
		['POST /Groups', { displayName: 'A' }, 201],
		['PATCH /Groups/group-1', adds('user-1'), 400],
		[
			'PATCH /Groups/group-1',
			patch({ op: 'add', path: 'members', value: [{ value: 'user-1', display: 'Ana Silva' }] }),
			400,
		],
		[
			'PATCH /Groups/group-1',
			patch({ op: 'add', path: 'members', value: [{ value: 'user-1', display: PERSON.userName }] }),
			200,
		],
		['PUT /Groups/group-1', { displayName: 'A', members: members('user-1', 'user-2') }, 200],
		['PATCH /Groups/group-1', removesEach('user-2'), 200],
		['GET /Groups/group-1', 200, { members: members('user-1') }],
		['PATCH /Groups/group-1', removes('no'), 200],
		['GET /Groups/group-1', 200, { members: [] }],
	],
	scimitar: [
		['POST /Users', PERSON, 201, { emails: [{ value: null, type: 'work', primary: true }] }],
		[
			'PUT /Users/user-1',
			{ ...PERSON, emails: [{ value: 'a@example.com', type: 'work' }] },
			200,
			{ emails: [{ value: 'a@example.com', type: 'work', primary: true }] },
		],
		['PUT /Users/user-1', PERSON, 200, { emails: [{ value: 'a@example.com', type: 'work' }] }],
	],
	authentik: [
		['POST /Users', PERSON, 201],
		['POST /Groups', { displayName: 'A', members: members('user-1') }, 201],
		[find('Users', 'emails.value eq "ana@example.com"'), 400],
		[find('Groups', 'members eq "user-1"'), 200, { totalResults: 1 }],
		[find('Groups', 'members.value eq "user-1"'), 400],
		...[
			['PATCH', removesEach('user-1')],
			['PATCH', sets('members', [])],
			['PUT', { displayName: 'A', members: [] }],
		].map(([method, body]) => [
			`${method} /Groups/group-1`,
			body,
			200,
			{ members: members('user-1') },
		]),
		['PATCH /Groups/group-1', removes('user-1'), 200, { members: [] }],
	],
	authentik2024: [
		['POST /Users', PERSON, 201],
		['POST /Groups', { displayName: 'A' }, 201],
		['PATCH /Users/user-1', OFF, 405],
		['PATCH /Groups/group-1', adds('user-1'), 405],
		['PUT /Groups/group-1', { displayName: 'A', members: members('user-1') }, 200],
		['PUT /Groups/group-1', { displayName: 'A', members: [] }, 200, { members: [] }],
		['PUT /Users/user-1', { ...PERSON, active: false }, 200, { active: false }],
	],
	zitadel: [
		['POST /Users', { ...PERSON, name: undefined }, 400],
		['POST /Users', PERSON, 201, { emails: [{ value: 'ana@example.com', primary: true }] }],
		['POST /Groups', { displayName: 'A', members: members('user-1') }, 201],
		['GET /Users?count=101', 400],
		[find('Groups', 'displayName eq "A"'), 501],
		['PATCH /Groups/group-1', removesEach('user-1'), 501],
		['PATCH /Users/user-1', OFF, 204],
		['GET /Groups/group-1', 200, { members: members('user-1') }],
		['PUT /Groups/group-1', { members: [] }, 400],
		['PUT /Groups/group-1', { displayName: 'A', members: members('no') }, 400],
		['PUT /Groups/group-1', { displayName: 'A', members: [] }, 200, { displayName: 'A' }],
	],
	djangoScim2: [
		['POST /Users', PERSON, 201],
		['POST /Groups', { displayName: 'A', members: members('user-1') }, 201],
		['PATCH /Users/user-1', OFF, 501],
		['PATCH /Users/user-1', patch({ op: 'replace', value: { active: false } }), 200],
		['PUT /Groups/group-1', { displayName: 'A' }, 200, { members: members('user-1') }],
		['PATCH /Groups/group-1', removesEach('user-1'), 501],
		['PATCH /Groups/group-1', removes('user-1'), 200, { members: [] }],
	],
	pranems: [
		['POST /Users', PERSON, 201],
		[
			'PATCH /Users/user-1',
			sets('name.givenName', 'Bo'),
			200,
			{ name: { givenName: 'Ana' }, 'name.givenName': 'Bo' },
		],
		['PATCH /Users/user-1', sets('name', { givenName: 'Bo' }), 200, { name: { givenName: 'Bo' } }],
	],
	infisical: [
		['GET /ServiceProviderConfig', 404],
		['POST /Users', { ...PERSON, emails: [{ value: 'ana@example.com' }] }, 400],
		['POST /Users', PERSON, 201],
		['POST /Groups', { displayName: 'A', members: members('user-1') }, 400],
		['POST /Groups', { displayName: 'A' }, 201],
		['PUT /Groups/group-1', { displayName: 'A', members: [] }, 400],
		['PUT /Groups/group-1', { id: 'group-1', displayName: 'A', members: members('user-1') }, 400],
		[
			'PUT /Groups/group-1',
			{ id: 'group-1', displayName: 'A', members: [{ value: 'user-1', display: 'Ana' }] },
			200,
		],
		['DELETE /Users/user-1', 200],
	],
};

const onRequest = (name) => ({
	attributes: expect.arrayContaining([expect.objectContaining({ name, returned: 'request' })]),
});

/** The same of services where there are people: their number, their groups. */
const SHOWN = [
	[
		'aws',
		[
			...[
				['GET /Users?startIndex=1', 'invalidValue'],
				['GET /Users?attributes=id', 'invalidValue'],
				['GET /Users?count=101', 'invalidCount'],
				['GET /Users?cursor=none', 'invalidCursor'],
				[find('Users', 'userName sw "u"'), 'invalidFilter'],
				[find('Users', 'emails.value eq "u"'), 'invalidFilter'],
			].map(([line, scimType]) => [line, 400, { scimType }]),
			['GET /Groups/g', 200, { members: [] }],
			['GET /Users/u0', 200, lacks('groups')],
			[find('Users', 'groups.value eq "g"'), 200, list('u0', 'u1')],
			[find('Groups', 'members.value eq "u1"'), 200, list('g')],
			[find('Groups', 'id eq "g" and members eq "u0"'), 200, list('g')],
			[find('Groups', 'id eq "h" and members eq "u0"'), 200, list()],
			[find('Groups', 'id eq "g" and members eq "nobody"'), 404],
			['PATCH /Groups/g', removes('u0'), 204],
			...[
				adds(...idsOf(0, 101)),
				sets('members', members('u2')),
				patch({ op: 'remove', path: 'members' }),
				removesEach('u1'),
			].map((body) => ['PATCH /Groups/g', body, 400]),
			['PUT /Groups/g', { members: [] }, 405],
			[find('Users', 'groups.value eq "g"'), 200, list('u1')],
			['POST /Users', { ...PERSON, displayName: '' }, 400, { detail: 'Required: displayName' }],
			['POST /Users', { ...PERSON, emails: [{ value: 'a' }, { value: 'b' }] }, 400],
			['POST /Users', PERSON, 201],
		],
		{ users: 101, groups: [{ id: 'g', members: ['u0', 'u1'] }, { id: 'h' }] },
	],
	[
		'activepieces',
		[
			['GET /Users', 200, { totalResults: 100, startIndex: 1, ...list(...idsOf(0, 100)) }],
			['GET /Users?startIndex=101', 200, list(...idsOf(0, 100))],
		],
		{ users: 250 },
	],
	[
		'keycloak',
		[
			['GET /Schemas', 200, { Resources: [onRequest('groups'), onRequest('members')] }],
			['GET /Groups', 200, { totalResults: 1, ...list('g') }],
			['GET /Groups', 200, { Resources: [lacks('members')] }],
			[find('Groups', 'members.value eq "u0"'), 200, { Resources: [lacks('members')] }],
			[find('Groups', 'members.value eq "u1"'), 200, list()],
			['GET /Groups?attributes=members', 200, { Resources: [{ id: 'g', members: members('u0') }] }],
			['GET /Groups?attributes=members', 200, { Resources: [lacks('displayName')] }],
			[find('Users', 'groups.value eq "s"'), 200, list('u0', 'u1')],
			['GET /Groups/s', 200, { id: 's', displayName: 'Sub' }],
			['GET /Users/u1', 200, lacks('groups')],
			[
				'GET /Users/u1?attributes=userName,groups',
				200,
				{
					userName: 'u1@example.com',
					groups: [
						{ value: 's', type: 'direct' },
						{ value: 'g', type: 'indirect' },
					],
				},
			],
			['GET /Users/u0?attributes=groups', 200, { groups: [{}, {}] }],
			['GET /Users/u2?attributes=groups', 200, lacks('groups')],
		],
		{
			users: 3,
			groups: [
				{ id: 'g', displayName: 'Top', members: ['u0'] },
				{ id: 's', displayName: 'Sub', parent: 'g', members: ['u0', 'u1'] },
			],
		},
	],
	[
		// The second page is the first again, and the third the second.
		'authentik',
		[
			['GET /Users?count=100&startIndex=1', 200, list(...idsOf(0, 20))],
			['GET /Users?count=100&startIndex=21', 200, list(...idsOf(0, 20))],
			['GET /Users?count=100&startIndex=41', 200, list(...idsOf(20, 40))],
		],
		{ users: 45 },
	],
	[
		'zitadel',
		[
			['GET /Groups/h', 200, lacks('members')],
			['GET /Groups', 200, { Resources: [lacks('members'), lacks('members')] }],
			['GET /Groups/g', 200, { members: members('u0') }],
		],
		{ users: 1, groups: [{ id: 'g', displayName: 'Top', members: ['u0'] }, { id: 'h' }] },
	],
	[
		// The join is over the groups of each.
		'infisical2026',
		[
			['GET /Users', 200, { totalResults: 3, ...list('u0', 'u0', 'u1') }],
			['GET /Groups', 200, { totalResults: 2 }],
		],
		{
			users: 2,
			groups: ['g', 'h'].map((id) => ({ id, members: ['u0'] })),
		},
	],
	[
		'nodeScim',
		[
			['GET /Users?count=2', 200, { totalResults: 2, ...list('u0', 'u1') }],
			['GET /Users?count=2&startIndex=2', 200, { totalResults: 2, ...list('u2', 'u3') }],
			['GET /Users?count=2&startIndex=3', 200, { totalResults: 1, ...list('u4') }],
			[`${find('Users', 'userName eq "u1@example.com"')}&count=2`, 200, list('u1')],
			[`${find('Users', 'userName eq "u2@example.com"')}&count=2`, 200, { Resources: [] }],
			['PATCH /Users/u0', sets('title', 'Boss'), 200, { title: 'Boss' }],
			['GET /Users/u0', 200, lacks('title')],
			['PATCH /Users/u0', OFF, 200, { active: false }],
			['GET /Users/u0', 200, { active: false }],
			['PATCH /Groups/g', removesEach('u0'), 400],
			['PATCH /Groups/g', removes('u0'), 200, { members: [] }],
		],
		{ users: 5, groups: [{ id: 'g', members: ['u0', 'u1'] }] },
	],
	[
		'keystone',
		[
			['PATCH /Users/u0', OFF, 200, { active: true, Operations: OFF.Operations }],
			['GET /Users/u0', 200, { active: true, Operations: OFF.Operations }],
			['PUT /Users/u0', { active: false }, 200, { active: false, userName: 'u0@example.com' }],
			['POST /Users', { userName: 'u0@example.com' }, 201, { id: 'user-2' }],
			[find('Users', 'userName eq "u0@example.com"'), 200, { totalResults: 2 }],
		],
		{ users: 1 },
	],
	[
		'fusionAuth',
		[
			['GET /Groups/g', 200, { members: members(...idsOf(0, 100)) }],
			['PATCH /Groups/g', adds('u119'), 200],
			[find('Groups', 'members.value eq "u110"'), 400],
			['PATCH /Groups/g', removes('u0'), 200, { members: members(...idsOf(1, 100)) }],
		],
		{ users: 120, groups: [{ id: 'g', members: idsOf(0, 110) }] },
	],
	[
		'snipeIt',
		[
			['GET /Users/7of9', 200, { id: '7', userName: 'seven@example.com', active: 1 }],
			['GET /Users/of7', 404],
			['POST /Users', { ...PERSON, userName: 'seven@example.com' }, 201, { id: '7' }],
		],
		{ seed: { organizations: [], users: [{ id: '7', userName: 'seven@example.com' }] } },
	],
	[
		// 20 writes of users at once.
		'slack',
		[
			...idsOf(0, 20).map((userName) => ['POST /Users', { ...PERSON, userName }, 201]),
			['POST /Users', PERSON, 429],
			['GET /Users', 200, { totalResults: 20 }],
		],
		{ now: () => 0 },
	],
];

test.each([...Object.entries(SAID), ...SHOWN])('%s', async (...row) => {
	const [name, steps, given] = row;
	const ask = await dialect(name, given);
	for (const [line, ...said] of steps) {
		const body = typeof said[0] === 'object' ? said.shift() : undefined;
		const [status, holds = {}, headers] = said;
		const answer = await ask(line, body, headers);
		expect([line, answer]).toMatchObject([line, { status, ...(answer.body && { body: holds }) }]);
	}
});

test('aws: a list goes on by cursor alone', async () => {
	const ask = await dialect('aws', { users: 230 });
	expect((await ask('GET /Users')).body).toMatchObject({ totalResults: 100, startIndex: 1 });
	const seen = new Set();
	let cursor = '';
	do {
		const { body } = await ask(`GET /Users?cursor=${cursor}`);
		expect(body).not.toHaveProperty('totalResults');
		for (const { id } of body.Resources) seen.add(id);
		cursor = body.nextCursor;
	} while (cursor);
	expect(seen.size).toBe(230);
});

test('aws: a cursor is good for its own filter, and as long as it lives', async () => {
	let now = 0;
	const ask = await dialect('aws', { users: 3, cursorMs: 10, now: () => now });
	const { body } = await ask('GET /Users?cursor&count=2');
	const cursor = `cursor=${body.nextCursor}`;
	const other = await ask(`${find('Users', 'userName eq "u0"')}&${cursor}`);
	expect(other.body.scimType).toBe('invalidCursor');
	now = 11;
	expect((await ask(`GET /Users?${cursor}`)).body.scimType).toBe('expiredCursor');
});

test('github: without User-Agent there is a page alone', async () => {
	const service = await startService({ dialect: 'github' });
	started.push(service);
	const answer = service.state.directory.answer({
		method: 'GET',
		url: '/scim/v2/enterprises/acme/Users',
	});
	expect(answer).toMatchObject({ status: 403, type: 'text/html' });
});

test('every dialect is here', () => {
	const here = new Set([...Object.keys(SAID), ...SHOWN.map(([name]) => name)]);
	expect([...here].sort()).toEqual(Object.keys(DIALECTS).sort());
});
