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

const where = (filter) => `filter=${encodeURIComponent(filter)}`;
const patch = (...Operations) => ({ Operations });
const members = (...ids) => ids.map((value) => ({ value }));
const sets = (path, value) => patch({ op: 'replace', path, value });
const OFF = sets('active', false);
const adds = (...ids) => patch({ op: 'add', path: 'members', value: members(...ids) });
const removes = (...ids) => patch({ op: 'remove', path: 'members', value: members(...ids) });
const removesEach = (...ids) =>
	patch(...ids.map((id) => ({ op: 'remove', path: `members[value eq "${id}"]` })));
const idsIn = ({ body }) => body.Resources.map(({ id }) => id);

describe('aws', () => {
	const GROUP = { id: 'g', members: ['u0', 'u1'] };

	test('a list goes on by cursor alone', async () => {
		const ask = await dialect('aws', { users: 230 });
		expect((await ask('GET /Users')).body).toMatchObject({ totalResults: 100, startIndex: 1 });
		const seen = [];
		let cursor = '';
		do {
			const page = await ask(`GET /Users?cursor=${cursor}`);
			expect(page.body).not.toHaveProperty('totalResults');
			seen.push(...idsIn(page));
			cursor = page.body.nextCursor;
		} while (cursor);
		expect(new Set(seen).size).toBe(230);
	});

	test.each([
		['startIndex=1', 'invalidValue'],
		['attributes=id', 'invalidValue'],
		['count=101', 'invalidCount'],
		['cursor=none', 'invalidCursor'],
		[where('userName sw "u"'), 'invalidFilter'],
		[where('emails.value eq "u"'), 'invalidFilter'],
	])('%s is refused', async (query, scimType) => {
		const ask = await dialect('aws', { users: 3 });
		expect(await ask(`GET /Users?${query}`)).toMatchObject({ status: 400, body: { scimType } });
	});

	test('a cursor is good for its own filter, and as long as it lives', async () => {
		let now = 0;
		const ask = await dialect('aws', { users: 3, cursorMs: 10, now: () => now });
		const { body } = await ask('GET /Users?cursor&count=2');
		const next = `GET /Users?cursor=${body.nextCursor}`;
		const other = await ask(`${next}&${where('userName eq "u0"')}`);
		expect(other.body.scimType).toBe('invalidCursor');
		now = 11;
		expect((await ask(next)).body.scimType).toBe('expiredCursor');
	});

	test('memberships are found by filter alone', async () => {
		const ask = await dialect('aws', { users: 3, groups: [GROUP, { id: 'h' }] });
		expect((await ask('GET /Groups/g')).body.members).toStrictEqual([]);
		expect((await ask('GET /Users/u0')).body).not.toHaveProperty('groups');
		const found = async (line) => idsIn(await ask(line));
		expect(await found(`GET /Users?${where('groups.value eq "g"')}`)).toEqual(['u0', 'u1']);
		expect(await found(`GET /Groups?${where('members.value eq "u1"')}`)).toEqual(['g']);
		const both = (group, user) =>
			`GET /Groups?${where(`id eq "${group}" and members eq "${user}"`)}`;
		expect(await found(both('g', 'u0'))).toEqual(['g']);
		expect(await found(both('h', 'u0'))).toStrictEqual([]);
		expect((await ask(both('g', 'nobody'))).status).toBe(404);
	});

	test('members go in lists of values, 100 at a time, and never all at once', async () => {
		const ask = await dialect('aws', { users: 101, groups: [GROUP] });
		const change = async (...operations) => await ask('PATCH /Groups/g', patch(...operations));
		const ids = Array.from({ length: 101 }, (_, at) => `u${at}`);
		expect(await change({ op: 'remove', path: 'members', value: members('u0') })).toEqual({
			status: 204,
			body: undefined,
		});
		for (const refused of [
			{ op: 'add', path: 'members', value: members(...ids) },
			{ op: 'replace', path: 'members', value: members('u2') },
			{ op: 'remove', path: 'members' },
			{ op: 'remove', path: 'members[value eq "u1"]' },
		]) {
			expect([refused.op, (await change(refused)).status]).toEqual([refused.op, 400]);
		}
		expect((await ask('PUT /Groups/g', { members: [] })).status).toBe(405);
		expect(idsIn(await ask(`GET /Users?${where('groups.value eq "g"')}`))).toEqual(['u1']);
	});

	test('a user has to have names, and one email at most', async () => {
		const ask = await dialect('aws');
		const { displayName, ...nameless } = PERSON;
		const missing = await ask('POST /Users', nameless);
		expect(missing).toMatchObject({ status: 400, body: { detail: 'Required: displayName' } });
		const emails = [...PERSON.emails, { value: 'a@example.com' }];
		expect((await ask('POST /Users', { ...PERSON, emails })).status).toBe(400);
		expect((await ask('POST /Users', PERSON)).status).toBe(201);
	});
});

/** Requests in order: what is sent, if anything, and what is answered; `user-1` is the first who is created. */
const SAID = {
	slack: [
		['POST /Users', { userName: 'ana' }, 400],
		['POST /Users', { ...PERSON, userName: `${'a'.repeat(22)}@example.com` }, 400],
		['POST /Users', PERSON, 201, { userName: 'ana' }],
		['PATCH /Users/user-1', sets('userName', 'bo@x.org'), 200],
		[`GET /Users?${where('userName eq "bo"')}`, 200, { totalResults: 1 }],
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
		[`GET /Users?${where('userName eq "ana@example.com"')}`, 400],
		[`GET /Users?${where('id eq "e-1"')}`, 200, { totalResults: 1 }],
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
		[`GET /Users?${where('userName eq "ana@example.com"')}`, 400],
		[`GET /Users?${where('emails.value eq "ana@example.com"')}`, 200],
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
		[`GET /Users?${where(Array(101).fill('id eq "1"').join(' and '))}`, 400],
		[`GET /Users?${where(Array(100).fill('id eq "user-1"').join(' and '))}`, 200],
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
		[`GET /Users?${where('emails.value eq "ana@example.com"')}`, 400],
		[`GET /Groups?${where('members eq "user-1"')}`, 200, { totalResults: 1 }],
		[`GET /Groups?${where('members.value eq "user-1"')}`, 400],
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
		[`GET /Groups?${where('displayName eq "A"')}`, 501],
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

test.each(Object.entries(SAID))('%s', async (name, steps) => {
	const ask = await dialect(name);
	for (const [line, ...said] of steps) {
		const body = typeof said[0] === 'object' ? said.shift() : undefined;
		const [status, holds = {}, headers] = said;
		const answer = await ask(line, body, headers);
		expect([line, answer]).toMatchObject([line, { status, ...(answer.body && { body: holds }) }]);
	}
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

test('activepieces: a list of 250 looks like a whole one of 100', async () => {
	const ask = await dialect('activepieces', { users: 250 });
	const first = await ask('GET /Users');
	expect(first.body).toMatchObject({ totalResults: 100, startIndex: 1 });
	expect(idsIn(await ask('GET /Users?startIndex=101'))).toEqual(idsIn(first));
});

test('keycloak: memberships on request, and a subgroup by its ID alone', async () => {
	const groups = [
		{ id: 'g', displayName: 'Top', members: ['u0'] },
		{ id: 's', displayName: 'Sub', parent: 'g', members: ['u0', 'u1'] },
	];
	const ask = await dialect('keycloak', { users: 3, groups });
	const { body: schemas } = await ask('GET /Schemas');
	const [user, group] = schemas.Resources.map(({ attributes }) => attributes);
	expect(user.find(({ name }) => name === 'groups').returned).toBe('request');
	expect(group.find(({ name }) => name === 'members').returned).toBe('request');

	for (const line of ['GET /Groups', `GET /Groups?${where('members.value eq "u1"')}`]) {
		const { body } = await ask(line);
		expect(body.Resources.every((one) => one.id === 'g' && !('members' in one))).toBe(true);
	}
	expect((await ask('GET /Groups')).body.totalResults).toBe(1);
	const asked = (await ask('GET /Groups?attributes=members')).body.Resources;
	expect(asked).toMatchObject([{ id: 'g', members: members('u0') }]);
	expect(asked[0]).not.toHaveProperty('displayName');
	expect(idsIn(await ask(`GET /Users?${where('groups.value eq "s"')}`))).toEqual(['u0', 'u1']);
	expect((await ask('GET /Groups/s')).body).toMatchObject({ id: 's', displayName: 'Sub' });
	expect((await ask('GET /Users/u1')).body).not.toHaveProperty('groups');
	expect((await ask('GET /Users/u1?attributes=userName,groups')).body).toMatchObject({
		userName: 'u1@example.com',
		groups: [
			{ value: 's', type: 'direct' },
			{ value: 'g', type: 'indirect' },
		],
	});
	expect((await ask('GET /Users/u0?attributes=groups')).body.groups).toHaveLength(2);
	expect((await ask('GET /Users/u2?attributes=groups')).body).not.toHaveProperty('groups');
});

test('authentik: the second page is the first again, and the third the second', async () => {
	const ask = await dialect('authentik', { users: 45 });
	const idsAt = async (start) => idsIn(await ask(`GET /Users?count=100&startIndex=${start}`));
	const first = await idsAt(1);
	expect(first).toHaveLength(20);
	expect(await idsAt(21)).toEqual(first);
	expect((await idsAt(41))[0]).toBe('u20');
});

test('zitadel: a list of groups shows no members, nor does a group without any', async () => {
	const groups = [{ id: 'g', displayName: 'Top', members: ['u0'] }, { id: 'h' }];
	const ask = await dialect('zitadel', { users: 1, groups });
	expect((await ask('GET /Groups/h')).body).not.toHaveProperty('members');
	expect((await ask('GET /Groups')).body.Resources[0]).not.toHaveProperty('members');
	expect((await ask('GET /Groups/g')).body.members).toMatchObject(members('u0'));
});

test('slack: 20 writes of users at once', async () => {
	const ask = await dialect('slack', { now: () => 0 });
	for (let nth = 1; nth <= 20; nth++) await ask('POST /Users', { ...PERSON, userName: `u${nth}` });
	expect((await ask('POST /Users', PERSON)).status).toBe(429);
	expect((await ask('GET /Users')).body.totalResults).toBe(20);
});

test('every dialect is here', () => {
	expect(['aws', ...Object.keys(SAID)].sort()).toEqual(Object.keys(DIALECTS).sort());
});
