'use strict';

/** The SCIM side of the local service: docs/interface.md 1.1-1.5, 1.7, 2.1-2.3, one test per statement. */

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
		body: type.includes('json') ? JSON.parse(text) : undefined,
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
	test('no header is 401, and the body is no SCIM error', async () => {
		const answer = await fetch(`${service.url}/scim/Users`);
		expect(answer.status).toBe(401);
		expect(await answer.json()).toEqual({ error: 'Access denied' });
	});

	test.each([
		['a wrong token', () => 'Bearer nonsense'],
		['a token without its organization', () => `Bearer ${service.accountToken.split(':')[0]}`],
		['the key of an organization', () => `Bearer ${service.apiKey}`],
	])('%s is 403 with the same body', async (_, authorization) => {
		const answer = await send('GET', '/scim/Users', undefined, { Authorization: authorization() });
		expect(answer).toMatchObject({ status: 403, body: { error: 'Access denied' } });
	});

	test('the token has the form <key>:<orgId>', () => {
		expect(service.accountToken).toMatch(/^[^:]+:org-acct1$/);
	});

	test.each(['ServiceProviderConfig', 'Schemas', 'ResourceTypes'])(
		'%s answers 200 to any token',
		async (name) => {
			const answer = await send('GET', `/scim/${name}`, undefined, { Authorization: 'Bearer x' });
			expect(answer.status).toBe(200);
		},
	);

	test('discovery says that filter is unsupported', async () => {
		const { body } = await send('GET', '/scim/ServiceProviderConfig');
		expect(body.filter.supported).toBe(false);
		expect(total(await filtered('Users', 'userName eq "ada@example.com"'))).toBe(1);
	});
});

describe('lists and paths (1.4, 1.5, 2.1)', () => {
	test('the envelope has five fields', async () => {
		const { body } = await send('GET', '/scim/Users?startIndex=2&count=2');
		expect(body).toMatchObject({ totalResults: 6, itemsPerPage: 2, startIndex: 2 });
		expect(body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:ListResponse']);
		expect(body.Resources.map(({ userName }) => userName)).toEqual([
			'ben@example.com',
			'Cleo@Example.com',
		]);
	});

	test('without startIndex and count everything comes; startIndex alone means 200; count has no maximum', async () => {
		await start({ seed: seedOf({ users: 450, organizations: 3 }) });
		const pageOf = async (query) =>
			(await send('GET', `/scim/Users${query}`)).body.Resources.length;
		expect(await pageOf('')).toBe(450);
		expect(await pageOf('?startIndex=1')).toBe(200);
		expect(await pageOf('?startIndex=401')).toBe(50);
		expect(await pageOf('?startIndex=1&count=9999')).toBe(450);
		expect(await pageOf('?count=0')).toBe(0);
		expect(await pageOf('?startIndex=451')).toBe(0);
	});

	test('groups page too, and empty ones are listed', async () => {
		const { body } = await send('GET', '/scim/Groups?startIndex=8&count=5');
		expect(body).toMatchObject({ totalResults: 9, itemsPerPage: 2, startIndex: 8 });
	});

	test('67 organizations have 201 groups', async () => {
		await start({ seed: seedOf({ users: 100, organizations: 67, rolesPerUser: 3 }) });
		expect(total(await send('GET', '/scim/Groups'))).toBe(201);
	});

	test.each(['/scim/Users/', '/scim/Groups/', '/scim/Groups/org-a:admin/'])(
		'a trailing slash is 500: %s',
		async (path) => {
			expect((await send('GET', path)).status).toBe(500);
		},
	);

	test('items without the prefix are answered only with barePaths', async () => {
		const path = `/Users/${idOf('ada@example.com')}`;
		expect((await send('GET', path)).status).toBe(404);
		await start({ barePaths: true });
		expect((await send('GET', path)).body.userName).toBe('ada@example.com');
		expect((await send('GET', `/scim${path}`)).status).toBe(200);
		expect((await send('GET', '/Groups/org-a:admin')).status).toBe(200);
		expect((await send('GET', '/Users')).status).toBe(404);
	});

	test('documentedOnly takes discovery away', async () => {
		await start({ documentedOnly: true });
		expect((await send('GET', '/scim/ServiceProviderConfig')).status).toBe(404);
		expect((await send('GET', '/scim/Users')).status).toBe(200);
	});
});

describe('filters (2.1)', () => {
	test('users: userName eq, whatever the case, and id eq', async () => {
		expect(total(await filtered('Users', 'userName eq "ADA@example.COM"'))).toBe(1);
		expect(total(await filtered('Users', 'userName eq "cleo@example.com"'))).toBe(1);
		expect(total(await filtered('Users', `id eq "${idOf('ben@example.com')}"`))).toBe(1);
		expect(total(await filtered('Users', 'userName eq "nobody@example.com"'))).toBe(0);
	});

	test.each([
		'active eq true',
		'userName sw "a"',
		'userName pr',
		'userName eq "a" or userName eq "b"',
		'userName eq 12',
		'not a filter at all',
		'',
	])('users: anything else is 400 invalidFilter: %s', async (filter) => {
		const answer = await filtered('Users', filter);
		expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } });
	});

	test('a + that is not URL-encoded becomes a space', async () => {
		const asItIs = `/scim/Users?filter=userName eq "o'neil+x@example.com"`;
		expect(total(await send('GET', asItIs))).toBe(0);
		expect(total(await filtered('Users', `userName eq "o'neil+x@example.com"`))).toBe(1);
	});

	test('groups: id and displayName in both forms, and members.value', async () => {
		expect(total(await filtered('Groups', 'id eq "whylabs-org-a:admin"'))).toBe(1);
		expect(total(await filtered('Groups', 'displayName eq "org-a:ADMIN"'))).toBe(1);
		expect(total(await filtered('Groups', 'id eq "org-x:admin"'))).toBe(0);
		const { body } = await filtered('Groups', `members.value eq "${idOf('ada@example.com')}"`);
		expect(body.Resources.map(({ id }) => id)).toEqual([
			'whylabs-org-a:admin',
			'whylabs-org-b:viewer',
		]);
	});

	test('groups: any other attribute returns all groups', async () => {
		expect(total(await filtered('Groups', 'externalId eq "x"'))).toBe(9);
	});

	test('the switch turns filters off, or makes them ignored', async () => {
		await start({ filter: 'off' });
		const off = await filtered('Users', 'userName eq "ada@example.com"');
		expect(off).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } });
		await start({ filter: 'ignored' });
		expect(total(await filtered('Users', 'userName eq "ada@example.com"'))).toBe(6);
	});
});

describe('bodies and errors (1.4, 2.1)', () => {
	test('more than 1 MB is 413 in plain text', async () => {
		const answer = await send('POST', '/scim/Users', `"${'x'.repeat(1024 * 1024)}"`);
		expect(answer.status).toBe(413);
		expect(answer.type).toContain('text/plain');
	});

	test('JSON that cannot be parsed is 400 in plain text', async () => {
		const answer = await send('POST', '/scim/Users', '{"userName":');
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

	test('status is a string in some errors and a number in others; scimType is there', async () => {
		const missing = await send('GET', '/scim/Users/user-none');
		expect(missing.body).toMatchObject({ status: '404', scimType: 'invalidSyntax' });
		expect(missing.body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
		expect((await send('POST', '/scim/Groups', {})).body.status).toBe(400);
	});

	test.each([{ Operations: [] }, { schemas: [PATCH_OP] }, { schemas: [USER], Operations: [] }, []])(
		'an envelope that is not documented is 400: %j',
		async (body) => {
			const answer = await send('PATCH', `/scim/Users/${idOf('ada@example.com')}`, body);
			expect(answer.status).toBe(400);
		},
	);
});

describe('users (1.2, 2.2)', () => {
	const create = (userName, more) =>
		send('POST', '/scim/Users', { schemas: [USER], userName, ...more });
	const user = (userName) => `/scim/Users/${idOf(userName)}`;

	test('create answers 201 with userName, id, active and meta.location', async () => {
		const { status, body, headers } = await create('new@example.com', { externalId: 'hr-9' });
		expect(status).toBe(201);
		expect(body).toMatchObject({ userName: 'new@example.com', active: true });
		expect(body.id).toMatch(/^user-/);
		expect(body.meta.location).toBe(`${service.url}/scim/Users/${body.id}`);
		expect(headers.get('location')).toBe(body.meta.location);
		expect((await send('GET', `/scim/Users/${body.id}`)).body.externalId).toBe('hr-9');
	});

	test('groups are there only when the user has memberships, with canonical ids', async () => {
		expect((await send('GET', user('ada@example.com'))).body.groups).toEqual([
			{ value: 'whylabs-org-a:admin', display: 'whylabs-org-a:admin', type: 'direct' },
			{ value: 'whylabs-org-b:viewer', display: 'whylabs-org-b:viewer', type: 'direct' },
		]);
		expect((await send('GET', user('gone@example.com'))).body).not.toHaveProperty('groups');
	});

	test('a duplicate is 409 with "already exists", in any case', async () => {
		const answer = await create('ADA@example.com');
		expect(answer.status).toBe(409);
		expect(answer.body.detail).toContain('already exists');
	});

	test('an e-mail of another account is 409 and cannot be read', async () => {
		expect((await create('taken@example.net')).status).toBe(409);
		expect(total(await filtered('Users', 'userName eq "taken@example.net"'))).toBe(0);
	});

	test('a missing userName is 500; the e-mail is not checked', async () => {
		expect((await send('POST', '/scim/Users', { schemas: [USER] })).status).toBe(500);
		expect((await create('not an e-mail')).status).toBe(201);
	});

	test('delete and create again gives the same id', async () => {
		const id = idOf('ada@example.com');
		expect((await send('DELETE', `/scim/Users/${id}`)).status).toBe(204);
		expect((await send('GET', `/scim/Users/${id}`)).status).toBe(404);
		const { body } = await create('Ada@Example.com');
		expect(body.id).toBe(id);
		expect(service.state.roleOf('ada@example.com', 'org-a')).toBeUndefined();
	});

	test('PATCH and DELETE of an unknown user are 204, GET and PUT 404', async () => {
		const path = '/scim/Users/user-none';
		const off = patch({ op: 'replace', path: 'active', value: false });
		expect((await send('PATCH', path, off)).status).toBe(204);
		expect((await send('DELETE', path)).status).toBe(204);
		expect((await send('GET', path)).status).toBe(404);
		expect((await send('PUT', path, { schemas: [USER], userName: 'x@example.com' })).status).toBe(
			404,
		);
	});

	test('deactivation removes every membership, activation brings none back', async () => {
		const active = (value) =>
			send('PATCH', user('ada@example.com'), patch({ op: 'replace', path: 'active', value }));
		const off = await active(false);
		expect(off.body.active).toBe(false);
		expect(off.body).not.toHaveProperty('groups');
		const on = await active(true);
		expect(on.body.active).toBe(true);
		expect(on.body).not.toHaveProperty('groups');
	});

	test.each([
		['an unknown path', [{ op: 'replace', path: 'title', value: 'x' }]],
		['no path', [{ op: 'replace', value: { active: false } }]],
		['no operation', []],
	])('PATCH with %s is a 200 that did nothing', async (_, operations) => {
		const answer = await send('PATCH', user('ada@example.com'), patch(...operations));
		expect(answer).toMatchObject({ status: 200, body: { active: true } });
		expect(roleOf('ada@example.com', 'org-a')).toBe('admin');
	});

	test('active must be a boolean', async () => {
		const answer = await send(
			'PATCH',
			user('ada@example.com'),
			patch({ op: 'replace', path: 'active', value: 'False' }),
		);
		expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
	});

	test('PUT clears what is not sent and keeps active', async () => {
		await send(
			'PATCH',
			user('ada@example.com'),
			patch({ op: 'replace', path: 'active', value: false }),
		);
		const { body } = await send('PUT', user('ada@example.com'), {
			schemas: [USER],
			userName: 'ada@example.com',
		});
		expect(body).not.toHaveProperty('externalId');
		expect(body).not.toHaveProperty('name');
		expect(body.active).toBe(false);
	});

	test('PUT with groups: [] removes every membership, and without groups none', async () => {
		const full = { schemas: [USER], userName: 'ada@example.com' };
		await send('PUT', user('ada@example.com'), full);
		expect(roleOf('ada@example.com', 'org-a')).toBe('admin');
		await send('PUT', user('ada@example.com'), { ...full, groups: [] });
		expect(roleOf('ada@example.com', 'org-a')).toBeUndefined();
		expect(roleOf('ada@example.com', 'org-b')).toBeUndefined();
	});

	test('PUT with groups makes the memberships that list', async () => {
		const groups = [{ value: 'org-a:VIEWER' }];
		await send('PUT', user('ada@example.com'), {
			schemas: [USER],
			userName: 'ada@example.com',
			groups,
		});
		expect(roleOf('ada@example.com', 'org-a')).toBe('viewer');
		expect(roleOf('ada@example.com', 'org-b')).toBeUndefined();
	});

	test('PUT with active: false removes every membership', async () => {
		await send('PUT', user('ada@example.com'), {
			schemas: [USER],
			userName: 'ada@example.com',
			active: false,
		});
		expect(roleOf('ada@example.com', 'org-a')).toBeUndefined();
	});

	test('a changed userName is accepted but only cosmetic', async () => {
		const path = user('ada@example.com');
		const { status, body } = await send('PUT', path, {
			schemas: [USER],
			userName: 'lovelace@example.com',
		});
		expect([status, body.userName]).toEqual([200, 'lovelace@example.com']);
		expect(total(await filtered('Users', 'userName eq "lovelace@example.com"'))).toBe(0);
		expect((await create('ada@example.com')).status).toBe(409);
	});
});

describe('groups (1.3, 2.3)', () => {
	const change = (group, ...operations) =>
		send('PATCH', `/scim/Groups/${group}`, patch(...operations));
	const add = (...names) => ({ op: 'add', path: 'members', value: members(...names) });
	const remove = (...names) => ({ op: 'remove', path: 'members', value: members(...names) });
	const put = (group, body) => send('PUT', `/scim/Groups/${group}`, { schemas: [GROUP], ...body });

	test.each(['org-a:admin', 'whylabs-org-a:admin', 'org-a:ADMIN', 'whylabs-org-a%3AAdmin'])(
		'every answer has the canonical id: %s',
		async (given) => {
			const { body } = await send('GET', `/scim/Groups/${given}`);
			expect(body).toMatchObject({
				id: 'whylabs-org-a:admin',
				displayName: 'whylabs-org-a:admin',
				members: [{ value: idOf('ada@example.com'), display: 'ada@example.com' }],
				meta: { resourceType: 'Group', location: `${service.url}/scim/Groups/whylabs-org-a:admin` },
			});
		},
	);

	test('members are absent when the group is empty; meta comes on reads only', async () => {
		expect((await send('GET', '/scim/Groups/org-a:viewer')).body).not.toHaveProperty('members');
		expect((await change('org-a:viewer', add('ada@example.com'))).body).not.toHaveProperty('meta');
	});

	test('an unknown group is 404', async () => {
		expect((await send('GET', '/scim/Groups/org-a:owner')).status).toBe(404);
		expect((await change('org-x:admin', add('ada@example.com'))).status).toBe(404);
	});

	test.each([
		['POST', '/scim/Groups'],
		['DELETE', '/scim/Groups/org-a:admin'],
	])('%s %s is 400 mutability', async (method, path) => {
		const answer = await send(method, path, method === 'POST' ? { schemas: [GROUP] } : undefined);
		expect(answer).toMatchObject({ status: 400, body: { scimType: 'mutability' } });
	});

	test('adding moves the person from the other role of that organization', async () => {
		const answer = await change('org-a:viewer', add('ada@example.com'));
		expect(namesIn(answer)).toEqual(['ada@example.com']);
		expect((await send('GET', '/scim/Groups/org-a:admin')).body).not.toHaveProperty('members');
		expect(roleOf('ada@example.com', 'org-b')).toBe('viewer');
	});

	test('inactive users can be added', async () => {
		expect(namesIn(await change('org-a:viewer', add('gone@example.com')))).toEqual([
			'gone@example.com',
		]);
	});

	test('an e-mail goes out only to whoever had no membership there', async () => {
		await change('org-a:viewer', add('ada@example.com', 'ben@example.com', 'Cleo@Example.com'));
		await change('org-a:viewer', add('Cleo@Example.com'));
		expect(service.state.mailsSent.map(({ to }) => to)).toEqual(['cleo@example.com']);
	});

	test('remove is role-blind', async () => {
		expect((await change('org-a:viewer', remove('ada@example.com'))).status).toBe(200);
		expect(roleOf('ada@example.com', 'org-a')).toBeUndefined();
	});

	test('removing who is no member is 404, after the adds and before later removes', async () => {
		const answer = await change(
			'org-a:member',
			remove('Cleo@Example.com'),
			remove('ada@example.com'),
			add('gone@example.com'),
		);
		expect(answer.status).toBe(404);
		expect(roleOf('gone@example.com', 'org-a')).toBe('member');
		expect(roleOf('ada@example.com', 'org-a')).toBe('admin');
	});

	test('adding an unknown id is 400 invalidValue, and the valid ones were added', async () => {
		const answer = await change('org-a:viewer', add('user-none', 'Cleo@Example.com'));
		expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
		expect(roleOf('Cleo@Example.com', 'org-a')).toBe('viewer');
	});

	test('an e-mail domain that the organization does not allow is 400 invalidValue', async () => {
		const answer = await change('org-b:viewer', add('out@example.org', 'ben@example.com'));
		expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
		expect(roleOf('out@example.org', 'org-b')).toBeUndefined();
		expect(roleOf('ben@example.com', 'org-b')).toBe('viewer');
	});

	test('replace with a list only adds', async () => {
		const answer = await change('org-a:member', {
			op: 'replace',
			path: 'members',
			value: members('Cleo@Example.com'),
		});
		expect(namesIn(answer)).toEqual(['ben@example.com', 'Cleo@Example.com']);
	});

	test('replace with [] empties the group', async () => {
		const answer = await change('org-a:member', { op: 'replace', path: 'members', value: [] });
		expect(answer.body).not.toHaveProperty('members');
		expect(roleOf('ada@example.com', 'org-a')).toBe('admin');
	});

	test.each([
		['remove without a value', () => ({ op: 'remove', path: 'members' })],
		[
			'remove by a filter in the path',
			() => ({ op: 'remove', path: `members[value eq "${idOf('ben@example.com')}"]` }),
		],
		['an unknown path', () => ({ op: 'replace', path: 'displayName', value: 'x' })],
		['no path', () => ({ op: 'add', value: { members: members('ada@example.com') } })],
	])('%s is 200 and does nothing', async (_, operation) => {
		const answer = await change('org-a:member', operation());
		expect(answer.status).toBe(200);
		expect(namesIn(answer)).toEqual(['ben@example.com']);
	});

	test('a single member that is no array is refused', async () => {
		const value = { value: idOf('ada@example.com') };
		expect((await change('org-a:member', { op: 'add', path: 'members', value })).status).toBe(400);
	});

	test('PUT makes the members exactly the list', async () => {
		const answer = await put('org-a:member', {
			members: members('ada@example.com', 'Cleo@Example.com'),
		});
		expect(namesIn(answer)).toEqual(['ada@example.com', 'Cleo@Example.com']);
		expect(roleOf('ben@example.com', 'org-a')).toBeUndefined();
	});

	test('PUT without members empties the group', async () => {
		expect((await put('org-a:member', {})).body).not.toHaveProperty('members');
		expect(roleOf('ben@example.com', 'org-a')).toBeUndefined();
	});
});
