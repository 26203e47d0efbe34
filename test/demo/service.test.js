'use strict';

/**
 * The SCIM side of the local service: test/contract/interface.md 1.1-1.5, 1.7, 2.1-2.3, where the recording in test/contract
 * says nothing.
 */

const { startService, seedOf } = require('../../demo/service');

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const SEED = {
	account: 'org-acct1',
	organizations: [
		{ id: 'org-acct1', name: 'Account' },
		{ id: 'org-a', name: 'Alpha' },
		{ id: 'org-b', name: 'Beta', allowedDomains: ['example.com'] },
	],
	users: [
		{ userName: 'ada@example.com', name: { givenName: 'Ada' }, externalId: 'hr-1' },
		{ userName: 'ben@example.com' },
		{ userName: 'Cleo@Example.com' },
		{ userName: "o'neil+x@example.com" },
		{ userName: 'out@example.org' },
		{ userName: 'gone@example.com', active: false },
	],
	memberships: [
		{ userName: 'ada@example.com', organization: 'org-a', role: 'admin' },
		{ userName: 'ada@example.com', organization: 'org-b', role: 'viewer' },
		{ userName: 'ben@example.com', organization: 'org-a', role: 'member' },
	],
	foreignUsers: ['taken@example.net'],
};

let service;
const started = [];

async function start(options) {
	service = await startService({ seed: SEED, ...options });
	started.push(service);
	return service;
}

beforeEach(() => start());

afterEach(() => Promise.all(started.splice(0).map((one) => one.close())));

async function send(method, path, body, headers = {}) {
	const answer = await fetch(service.url + path, {
		method,
		headers: {
			Authorization: `Bearer ${service.accountToken}`,
			'Content-Type': 'application/scim+json',
			...headers,
		},
		body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
	});
	const text = await answer.text();
	const type = answer.headers.get('content-type') ?? '';
	return {
		status: answer.status,
		headers: answer.headers,
		type,
		text,
		body: type.includes('json') && text !== '' ? JSON.parse(text) : undefined,
	};
}

const idOf = (userName) => service.state.userByName(userName).id;
const roleOf = (userName, organization) => service.state.roleOf(userName, organization);
const patch = (...Operations) => ({ schemas: [PATCH_OP], Operations });
const members = (...names) =>
	names.map((name) => ({ value: name.includes('@') ? idOf(name) : name }));
const namesIn = ({ body }) => (body.members ?? []).map(({ display }) => display);
const filtered = (resource, filter) =>
	send('GET', `/scim/${resource}?filter=${encodeURIComponent(filter)}`);
const total = (answer) => answer.body.totalResults;

describe('access (1.7, 2.1)', () => {
	test('the key of an organization is 403', async () => {
		const answer = await send('GET', '/scim/Users', undefined, {
			Authorization: `Bearer ${service.apiKey}`,
		});
		expect(answer).toMatchObject({ status: 403, body: { error: 'Access denied' } });
	});

	test('the token has the form <key>:<orgId>, after whatever scheme', async () => {
		expect(service.accountToken).toMatch(/^[^:]+:org-acct1$/);
		const answer = await send('GET', '/scim/Users', undefined, {
			Authorization: `Token ${service.accountToken}`,
		});
		expect(answer.status).toBe(200);
	});

	test('a scheme alone is 401, also where nothing is', async () => {
		const headers = { Authorization: 'Bearer' };
		expect((await send('GET', '/scim/Users', undefined, headers)).status).toBe(401);
		expect((await send('GET', '/scim/Nothing', undefined, headers)).status).toBe(401);
	});

	test.each([
		['ServiceProviderConfig', 200],
		['ServiceProviderConfigs', 200],
		['Schemas', 200],
		['Schemas/User', 200],
		['Schemas/Nothing', 404],
		['ResourceTypes', 200],
	])('%s answers %d to any token, and 401 to none', async (name, status) => {
		const answer = await send('GET', `/scim/${name}`, undefined, { Authorization: 'Bearer x' });
		expect(answer.status).toBe(status);
		expect((await fetch(`${service.url}/scim/${name}`)).status).toBe(401);
	});

	test('discovery says that filter is unsupported', async () => {
		const { body } = await send('GET', '/scim/ServiceProviderConfig');
		expect(body.filter.supported).toBe(false);
		expect(total(await filtered('Users', 'userName eq "ada@example.com"'))).toBe(1);
	});
});

describe('lists and paths (1.4, 1.5, 2.1)', () => {
	test('without startIndex and count everything comes; startIndex without a count means 200; count has no maximum', async () => {
		await start({ seed: seedOf({ users: 450, organizations: 3 }) });
		const pageOf = async (query) =>
			(await send('GET', `/scim/Users${query}`)).body.Resources.length;
		expect(await pageOf('')).toBe(450);
		expect(await pageOf('?startIndex=1')).toBe(200);
		expect(await pageOf('?startIndex=1&count=0')).toBe(200);
		expect(await pageOf('?startIndex=401')).toBe(50);
		expect(await pageOf('?startIndex=1&count=9999')).toBe(450);
		expect(await pageOf('?count=-50')).toBe(400);
		expect(await pageOf('?startIndex=451')).toBe(0);
	});

	test('67 organizations have 201 groups', async () => {
		await start({ seed: seedOf({ users: 100, organizations: 67, rolesPerUser: 3 }) });
		expect(total(await send('GET', '/scim/Groups'))).toBe(201);
	});

	test.each(['/scim/Users/', '/scim/Groups/', '/scim/Groups/org-a:admin/', '/scim/USERS'])(
		'a trailing slash, or another case, is 500: %s',
		async (path) => {
			const answer = await send('GET', path);
			expect([answer.status, answer.type]).toEqual([500, 'text/plain; charset=utf-8']);
		},
	);

	test('OPTIONS says what a path knows, HEAD answers without a body', async () => {
		const options = await send('OPTIONS', '/scim/Users');
		expect([options.status, options.headers.get('allow')]).toEqual([200, 'HEAD, GET, POST']);
		const head = await send('HEAD', '/scim/Users');
		expect([head.status, head.text]).toEqual([200, '']);
	});

	test('documentedOnly takes discovery away', async () => {
		await start({ documentedOnly: true });
		expect((await send('GET', '/scim/ServiceProviderConfig')).status).toBe(404);
		expect((await send('GET', '/scim/Users')).status).toBe(200);
	});

	test('attributes and excludedAttributes name parts with a dot', async () => {
		const path = `/scim/Users/${idOf('ada@example.com')}`;
		const { body } = await send('GET', `${path}?attributes=name.givenName,emails.value,none`);
		expect(body).toEqual({
			name: { givenName: 'Ada' },
			emails: [{ value: 'ada@example.com' }],
			schemas: [USER],
			meta: { resourceType: 'User', location: service.url + path },
		});
		const rest = (await send('GET', `${path}?excludedAttributes=emails.type,groups,name`)).body;
		expect(rest.emails).toEqual([{ primary: true, value: 'ada@example.com' }]);
		expect(Object.keys(rest).sort()).toEqual(
			['active', 'emails', 'externalId', 'id', 'meta', 'schemas', 'userName'].sort(),
		);
	});
});

describe('filters (2.1)', () => {
	test.each([
		['userName EQ "ada@example.com"', 1],
		['  userName eq "ada@example.com"  ', 1],
		// From the first quote to the last it is one value.
		['userName eq "a" or userName eq "b"', 0],
		['userName eq 12', 0],
		// An empty value is no filter.
		['userName eq ""', 6],
		['id eq ""', 6],
		['id eq "user-none"', 0],
	])('users: %s finds %d', async (filter, count) => {
		expect(total(await filtered('Users', filter))).toBe(count);
	});

	test.each(['userName pr', 'userName ne "a"', 'emails[type eq "work"]', 'USERNAME eq "a"'])(
		'users: anything else is 400 invalidFilter: %s',
		async (filter) => {
			const answer = await filtered('Users', filter);
			expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } });
		},
	);

	test('users of other accounts are found by userName only', async () => {
		const found = await filtered('Users', 'userName eq "TAKEN@example.net"');
		const [{ id }] = found.body.Resources;
		expect(total(await filtered('Users', `id eq "${id}"`))).toBe(0);
		expect(total(await send('GET', '/scim/Users'))).toBe(6);
		expect(
			(await send('PUT', `/scim/Users/${id}`, { schemas: [USER], active: false })).status,
		).toBe(404);
		const off = patch({ op: 'replace', path: 'active', value: false });
		expect((await send('PATCH', `/scim/Users/${id}`, off)).status).toBe(204);
		expect((await send('DELETE', `/scim/Users/${id}`)).status).toBe(204);
		expect(total(await filtered('Users', 'userName eq "taken@example.net"'))).toBe(1);
	});

	test.each([
		['displayName eq "org-a:ADMIN"', 1],
		['id eq ""', 9],
		['displayname eq "org-a:admin"', 9],
		['members.value eq "user-none"', 0],
	])('groups: %s finds %d', async (filter, count) => {
		expect(total(await filtered('Groups', filter))).toBe(count);
	});

	test('the switch turns filters off, or makes them ignored', async () => {
		await start({ filter: 'off' });
		const off = await filtered('Users', 'userName eq "ada@example.com"');
		expect(off).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } });
		await start({ filter: 'ignored' });
		expect(total(await filtered('Users', 'userName eq "ada@example.com"'))).toBe(6);
	});
});

describe('bodies (2.1)', () => {
	test('more than 1 MB is 413 in plain text', async () => {
		const answer = await send('POST', '/scim/Users', `"${'x'.repeat(1024 * 1024)}"`);
		expect(answer.status).toBe(413);
		expect(answer.type).toContain('text/plain');
	});

	test('JSON that is no object is 400 in plain text, before the token is looked at', async () => {
		const answer = await send('POST', '/scim/Users', '"text"', {
			Authorization: 'Bearer no:org-x',
		});
		expect(answer.status).toBe(400);
		expect(answer.type).toContain('text/plain');
	});

	test('another content type is 415; both documented ones are taken', async () => {
		const user = { schemas: [USER], userName: 'new@example.com' };
		const as = (type) => send('POST', '/scim/Users', user, { 'Content-Type': type });
		expect((await as('text/xml')).status).toBe(415);
		expect((await as('application/json')).status).toBe(201);
		expect((await as('application/scim+json; charset=utf-8')).status).toBe(409);
	});

	test('no body at all is 500', async () => {
		expect((await send('POST', '/scim/Users')).status).toBe(500);
	});
});

describe('users (1.2, 2.2)', () => {
	const user = (userName) => `/scim/Users/${idOf(userName)}`;
	const change = async (userName, ...operations) =>
		(await send('PATCH', user(userName), patch(...operations))).body;
	const put = (userName, body) => send('PUT', user(userName), { schemas: [USER], ...body });

	test('what is created with attributes keeps them; a password is not echoed', async () => {
		const given = {
			userName: 'New@Example.com',
			externalId: 'hr-9',
			active: 'False',
			password: 'x',
		};
		const { body } = await send('POST', '/scim/Users', { schemas: [USER], ...given });
		expect(body).toMatchObject({ userName: 'New@Example.com', externalId: 'hr-9', active: false });
		expect(body).not.toHaveProperty('password');
		const { meta, ...read } = (await send('GET', `/scim/Users/${body.id}`)).body;
		expect(read).toEqual({
			schemas: [USER],
			id: body.id,
			userName: 'New@Example.com',
			externalId: 'hr-9',
			active: false,
			emails: [{ type: 'work', primary: true, value: 'new@example.com' }],
		});
	});

	test('the email is not checked', async () => {
		const answer = await send('POST', '/scim/Users', { schemas: [USER], userName: 'not an email' });
		expect(answer.status).toBe(201);
	});

	test('a changed userName is only shown: the first one finds the user, and stays taken', async () => {
		await put('ada@example.com', { userName: 'lovelace@example.com' });
		expect(total(await filtered('Users', 'userName eq "lovelace@example.com"'))).toBe(0);
		expect(total(await filtered('Users', 'userName eq "ada@example.com"'))).toBe(1);
		const again = { schemas: [USER], userName: 'ada@example.com' };
		expect((await send('POST', '/scim/Users', again)).status).toBe(409);
	});

	test('PATCH: parts of a name are merged, "" and remove clear, null and schema URNs do nothing', async () => {
		const shown = await change(
			'ada@example.com',
			{ op: 'replace', path: 'name', value: { familyName: 'Lovelace' } },
			{ op: 'Remove', path: 'externalId' },
			{ op: 'replace', path: 'active', value: null },
			{ op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:active', value: false },
		);
		expect(shown).toMatchObject({
			active: true,
			name: { givenName: 'Ada', familyName: 'Lovelace' },
		});
		expect(shown).not.toHaveProperty('externalId');
		const cleared = await change('ada@example.com', {
			op: 'replace',
			value: { 'name.givenName': '', name: { familyName: '' } },
		});
		expect(cleared).not.toHaveProperty('name');
	});

	test('PATCH: emails are added, and taken out by their value', async () => {
		const home = { value: 'ada@home.example', type: 'home' };
		const login = { type: 'work', primary: true, value: 'ada@example.com' };
		const add = { op: 'add', path: 'emails', value: [home] };
		expect((await change('ada@example.com', add)).emails).toEqual([login, home]);
		const remove = { op: 'remove', path: 'emails[value eq "ada@home.example"]' };
		expect((await change('ada@example.com', remove)).emails).toEqual([login]);
	});

	test('a list where none belongs is 500', async () => {
		const operation = { op: 'replace', path: 'active', value: [{ value: 'False' }] };
		const answer = await send('PATCH', user('ada@example.com'), patch(operation));
		expect([answer.status, answer.type]).toEqual([500, expect.stringContaining('scim+json')]);
	});

	test('any write to an inactive user takes memberships away', async () => {
		service.state.directory.setRole(idOf('gone@example.com'), 'org-a', 'viewer');
		await change('gone@example.com', { op: 'replace', path: 'externalId', value: 'hr-7' });
		expect(roleOf('gone@example.com', 'org-a')).toBeUndefined();
	});

	test('PUT: an email takes the place of the one with the same type', async () => {
		const emails = [
			{ value: 'ada@work.example', type: 'work' },
			{ value: 'ada@home.example', type: 'home' },
		];
		const { body } = await put('ada@example.com', { emails });
		expect(body.emails.map(({ value }) => value)).toEqual([
			'ada@example.com',
			'ada@work.example',
			'ada@home.example',
		]);
	});

	test('PUT with groups: who stays in one loses the others, although a group is unknown', async () => {
		const groups = [{ value: 'whylabs-org-a:admin' }, { value: 'whylabs-org-x:admin' }];
		expect((await put('ada@example.com', { groups })).status).toBe(500);
		expect(roleOf('ada@example.com', 'org-a')).toBe('admin');
		expect(roleOf('ada@example.com', 'org-b')).toBeUndefined();
	});
});

describe('groups (1.3, 2.3)', () => {
	const change = (group, ...operations) =>
		send('PATCH', `/scim/Groups/${group}`, patch(...operations));
	const add = (...names) => ({ op: 'add', path: 'members', value: members(...names) });
	const remove = (...names) => ({ op: 'remove', path: 'members', value: members(...names) });
	const empty = { op: 'replace', path: 'members', value: [] };
	const put = (group, body) => send('PUT', `/scim/Groups/${group}`, { schemas: [GROUP], ...body });

	test('a group of an unknown organization is 400 for members, 204 for nothing', async () => {
		const answer = await change('org-x:admin', add('ada@example.com'));
		expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
		expect((await change('org-x:admin')).status).toBe(204);
	});

	test('an email goes out only to whoever had no membership there', async () => {
		await change('org-a:viewer', add('ada@example.com', 'ben@example.com', 'Cleo@Example.com'));
		await change('org-a:viewer', add('Cleo@Example.com'));
		expect(service.state.mailsSent.map(({ to }) => to)).toEqual(['cleo@example.com']);
	});

	test('the email domain is not checked on a move', async () => {
		service.state.directory.setRole(idOf('out@example.org'), 'org-b', 'viewer');
		const moved = await change('org-b:admin', add('out@example.org'));
		expect(namesIn(moved)).toEqual(['out@example.org']);
	});

	test('an unknown id, and then a removal of who is no member: 404, the others were added', async () => {
		const answer = await change(
			'org-a:viewer',
			add('user-none', 'Cleo@Example.com'),
			remove('gone@example.com'),
		);
		expect(answer.status).toBe(404);
		expect(roleOf('Cleo@Example.com', 'org-a')).toBe('viewer');
	});

	test('replace with [] forgets what stood before it, and is forgotten for what follows', async () => {
		const emptied = await change('org-a:member', add('Cleo@Example.com'), empty);
		expect(emptied.body).not.toHaveProperty('members');
		expect(roleOf('Cleo@Example.com', 'org-a')).toBeUndefined();
		await change('org-a:member', add('ben@example.com'));
		const added = await change('org-a:member', empty, add('Cleo@Example.com'));
		expect(namesIn(added)).toEqual(['ben@example.com', 'cleo@example.com']);
	});

	test('several filters in paths: each is a removal', async () => {
		await change('org-a:member', add('Cleo@Example.com'));
		const by = (name) => ({ op: 'remove', path: `members[value eq "${idOf(name)}"]` });
		const answer = await change('org-a:member', by('ben@example.com'), by('Cleo@Example.com'));
		expect(answer.body).not.toHaveProperty('members');
	});

	test.each(['text', { other: 1 }])('members that are no list are 400: %j', async (value) => {
		const answer = await change('org-a:member', { op: 'add', path: 'members', value });
		expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidSyntax' } });
	});

	test('PUT: bare ids are nobody', async () => {
		const answer = await put('org-a:member', { members: [idOf('ben@example.com')] });
		expect(answer.body).not.toHaveProperty('members');
	});

	test('groups cannot be created', async () => {
		const answer = await send('POST', '/scim/Groups', { schemas: [GROUP], displayName: 'new' });
		expect(answer).toMatchObject({ status: 400, body: { scimType: 'mutability' } });
	});
});
