'use strict';

/**
 * The SCIM side of the local service: test/contract/interface.md 1.1-1.5, 1.7, 2.1-2.3, where the recording in test/contract
 * says nothing.
 */

const { startService, seedOf } = require('../../demo/service');
const { userIdOf } = require('../../demo/service/scim/directory');

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const [ADA, BEN, CLEO, GONE, NEW] = ['ada', 'ben', 'cleo', 'gone', 'new'].map((name) =>
	userIdOf(`${name}@example.com`),
);
const [OUT, TAKEN] = ['out@example.org', 'taken@example.net'].map(userIdOf);
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
		{ userName: 'gone@example.com', organization: 'org-b', role: 'viewer' },
		{ userName: 'out@example.org', organization: 'org-b', role: 'viewer' },
	],
	foreignUsers: ['taken@example.net'],
};

const started = [];
afterEach(() => Promise.all(started.splice(0).map((one) => one.close())));

/** Asks a service: `METHOD /path`. */
async function serve(options) {
	const service = await startService({ seed: SEED, ...options });
	started.push(service);
	const ask = async (line, body, headers) => {
		const [method, path] = line.split(/ (.*)/);
		const answer = await fetch(`${service.url}/scim${path}`, {
			method,
			headers: {
				authorization: `Bearer ${service.accountToken}`,
				'content-type': 'application/scim+json',
				...headers,
			},
			body: typeof body === 'object' ? JSON.stringify(body) : body,
		});
		const [text, type] = [await answer.text(), answer.headers.get('content-type') ?? ''];
		const isJson = type.includes('json') && text !== '';
		return { status: answer.status, type, ...(isJson && { body: JSON.parse(text) }) };
	};
	return { service, ask };
}

/** As much of an answer as is said of it; what is said to be undefined may not be there. */
function told(seen, wanted) {
	if (typeof wanted !== 'object' || !wanted || !seen || wanted.asymmetricMatch) return seen;
	if (Array.isArray(wanted)) return seen.map((one, at) => told(one, wanted[at]));
	return Object.fromEntries(Object.keys(wanted).map((key) => [key, told(seen[key], wanted[key])]));
}

const where = (filter) => `?filter=${encodeURIComponent(filter)}`;
const total = (totalResults) => ({ status: 200, body: { totalResults } });
const error = (status, scimType) => ({ status, body: { scimType } });
const text = (status) => ({ status, type: expect.stringMatching(/^text\/plain/) });
const patch = (...Operations) => ({ Operations });
const replace = (path, value) => ({ op: 'replace', path, value });
const ids = (...names) => names.map((value) => ({ value }));
const add = (...names) => ({ op: 'add', path: 'members', value: ids(...names) });
const remove = (...names) => ({ op: 'remove', path: 'members', value: ids(...names) });
const by = (name) => ({ op: 'remove', path: `members[value eq "${name}"]` });
const empty = replace('members', []);
const OFF = patch(replace('active', false));
/** What is not there. */
const NONE = undefined;
const LOGIN = { type: 'work', primary: true, value: 'ada@example.com' };
const WORK = { value: 'ada@work.example', type: 'work' };
const HOME = { value: 'ada@home.example', type: 'home' };
const shows = (...names) => ({
	status: 200,
	body: { members: names.length > 0 ? names.map((display) => ({ display })) : NONE },
});
const inGroups = (...names) => ({
	body: { groups: names.length > 0 ? names.map((name) => ({ value: `whylabs-${name}` })) : NONE },
});
const asAdmin = { schemas: [USER], groups: ids('whylabs-org-a:admin', 'whylabs-org-x:admin') };
const named = (userName, more) => ({ schemas: [USER], userName, ...more });
const MEMBERS = '/Groups/org-a:member';

/** Requests in order: the line, what is answered (a number is the status), what is sent, and headers. */
const SAID = {
	// 1.7, 2.1
	'the token is taken after whatever scheme': [
		['GET /Users', 200, NONE, { authorization: 'Token {token}' }],
	],
	'the key of an organization is 403': [
		[
			'GET /Users',
			{ status: 403, body: { error: 'Access denied' } },
			NONE,
			{ authorization: 'Bearer {key}' },
		],
	],
	'a scheme alone is 401, also where nothing is': [
		['GET /Users', 401, NONE, { authorization: 'Bearer' }],
		['GET /Nothing', 401, NONE, { authorization: 'Bearer' }],
	],
	'discovery needs any token': [
		...['ServiceProviderConfig', 'ServiceProviderConfigs', 'Schemas', 'Schemas/User']
			.concat('ResourceTypes', 'Schemas/Nothing')
			.flatMap((name) => [
				[`GET /${name}`, name.includes('Nothing') ? 404 : 200, NONE, { authorization: 'Bearer x' }],
				[`GET /${name}`, 401, NONE, { authorization: '' }],
			]),
	],
	'discovery says that filter is unsupported': [
		['GET /ServiceProviderConfig', { status: 200, body: { filter: { supported: false } } }],
		[`GET /Users${where('userName eq "ada@example.com"')}`, total(1)],
	],

	// 1.4, 1.5, 2.1
	'a trailing slash, or another case, is 500': [
		...['/Users/', '/Groups/', '/Groups/org-a:admin/', '/USERS'].map((path) => [
			`GET ${path}`,
			text(500),
		]),
	],
	'attributes and excludedAttributes name parts with a dot': [
		[
			`GET /Users/${ADA}?attributes=name.givenName,emails.value,none`,
			{
				body: {
					...{ name: { givenName: 'Ada' }, emails: [{ value: 'ada@example.com' }] },
					...{ schemas: [USER] },
					meta: { resourceType: 'User', location: expect.stringMatching(/^http.*\/user-/) },
				},
			},
		],
		[
			`GET /Users/${ADA}?excludedAttributes=emails.type,groups,name`,
			{
				body: {
					emails: [{ primary: true, value: 'ada@example.com', type: NONE }],
					...{ active: true, externalId: 'hr-1', groups: NONE, name: NONE },
				},
			},
		],
	],

	// 2.1
	'filters of users: quotes, blanks, and empty values': Object.entries({
		'userName EQ "ada@example.com"': 1,
		'  userName eq "ada@example.com"  ': 1,
		// From the first quote to the last it is one value.
		'userName eq "a" or userName eq "b"': 0,
		'userName eq 12': 0,
		// An empty value is no filter.
		'userName eq ""': 6,
		'id eq ""': 6,
		'id eq "user-none"': 0,
	}).map(([filter, found]) => [`GET /Users${where(filter)}`, total(found)]),
	'filters of users: anything else is refused': [
		...['userName pr', 'userName ne "a"', 'emails[type eq "work"]', 'USERNAME eq "a"'].map(
			(filter) => [`GET /Users${where(filter)}`, error(400, 'invalidFilter')],
		),
	],
	'filters of groups': Object.entries({
		'displayName eq "org-a:ADMIN"': 1,
		'id eq ""': 9,
		'displayname eq "org-a:admin"': 9,
		'members.value eq "user-none"': 0,
	}).map(([filter, found]) => [`GET /Groups${where(filter)}`, total(found)]),
	'users of other accounts are found by userName only': [
		[`GET /Users${where('userName eq "TAKEN@example.net"')}`, total(1)],
		[`GET /Users${where(`id eq "${TAKEN}"`)}`, total(0)],
		['GET /Users', total(6)],
		[`PUT /Users/${TAKEN}`, 404, { schemas: [USER], active: false }],
		[`PATCH /Users/${TAKEN}`, 204, OFF],
		[`DELETE /Users/${TAKEN}`, 204],
		[`GET /Users${where('userName eq "taken@example.net"')}`, total(1)],
	],

	// 2.1
	'bodies that cannot be used': [
		['POST /Users', text(413), `"${'x'.repeat(1024 * 1024)}"`],
		// Before the token is looked at.
		['POST /Users', text(400), '"text"', { authorization: 'Bearer no:org-x' }],
		['POST /Users', 500],
		['POST /Users', 415, named('new@example.com'), { 'content-type': 'text/xml' }],
	],
	'both documented content types are taken': [
		['POST /Users', 201, named('new@example.com'), { 'content-type': 'application/json' }],
		[
			'POST /Users',
			409,
			named('new@example.com'),
			{ 'content-type': 'application/scim+json; charset=utf-8' },
		],
	],

	// 1.2, 2.2
	'what is created with attributes keeps those that the service has; a password is not echoed': [
		[
			'POST /Users',
			{ status: 201, body: { userName: 'New@Example.com', active: false, password: NONE } },
			named('New@Example.com', {
				...{ externalId: 'hr-9', displayName: 'New', active: 'False', password: 'x' },
			}),
		],
		[
			`GET /Users/${NEW}`,
			{
				body: {
					...{ userName: 'New@Example.com', externalId: 'hr-9', active: false, password: NONE },
					emails: [{ ...LOGIN, value: 'new@example.com' }],
					displayName: NONE,
				},
			},
		],
	],
	'the email is not checked': [['POST /Users', 201, named('not an email')]],
	'a changed userName is only shown: the first one finds the user, and stays taken': [
		[`PUT /Users/${ADA}`, 200, named('lovelace@example.com')],
		[`GET /Users${where('userName eq "lovelace@example.com"')}`, total(0)],
		[`GET /Users${where('userName eq "ada@example.com"')}`, total(1)],
		['POST /Users', 409, named('ada@example.com')],
	],
	'PATCH: parts of a name are merged, "" and remove clear, null and schema URNs do nothing': [
		[
			`PATCH /Users/${ADA}`,
			{
				body: {
					...{ active: true, externalId: NONE },
					name: { givenName: 'Ada', familyName: 'Lovelace' },
				},
			},
			patch(
				replace('name', { familyName: 'Lovelace' }),
				{ op: 'Remove', path: 'externalId' },
				replace('active', null),
				replace(`${USER}:active`, false),
			),
		],
		[
			`PATCH /Users/${ADA}`,
			{ body: { name: NONE } },
			patch(replace(NONE, { 'name.givenName': '', name: { familyName: '' } })),
		],
	],
	'PATCH: emails are added, and taken out by their value': [
		[
			`PATCH /Users/${ADA}`,
			{ body: { emails: [LOGIN, HOME] } },
			patch({ op: 'add', path: 'emails', value: [HOME] }),
		],
		[
			`PATCH /Users/${ADA}`,
			{ body: { emails: [LOGIN] } },
			patch({ op: 'remove', path: 'emails[value eq "ada@home.example"]' }),
		],
	],
	'a list where none belongs is 500': [
		[
			`PATCH /Users/${ADA}`,
			{ status: 500, type: expect.stringContaining('scim+json') },
			patch(replace('active', [{ value: 'False' }])),
		],
	],
	'any write to an inactive user takes memberships away': [
		[`PATCH /Users/${GONE}`, 200, patch(replace('externalId', 'hr-7'))],
		[`GET /Users/${GONE}`, inGroups()],
	],
	'PUT: an email takes the place of the one with the same type': [
		[
			`PUT /Users/${ADA}`,
			{ body: { emails: [LOGIN, WORK, HOME].map(({ value }) => ({ value })) } },
			{ schemas: [USER], emails: [WORK, HOME] },
		],
	],
	'PUT with groups: who stays in one loses the others, although a group is unknown': [
		[`PUT /Users/${ADA}`, 500, asAdmin],
		[`GET /Users/${ADA}`, inGroups('org-a:admin')],
	],

	// 1.3, 2.3
	'a group of an unknown organization is 400 for members, 204 for nothing': [
		['PATCH /Groups/org-x:admin', error(400, 'invalidValue'), patch(add(ADA))],
		['PATCH /Groups/org-x:admin', 204, patch()],
	],
	'the email domain is not checked on a move': [
		['PATCH /Groups/org-b:admin', shows('out@example.org'), patch(add(OUT))],
	],
	'an unknown id, and then a removal of who is no member: 404, the others were added': [
		['PATCH /Groups/org-a:viewer', 404, patch(add('user-none', CLEO), remove(GONE))],
		[`GET /Users/${CLEO}`, inGroups('org-a:viewer')],
	],
	'replace with [] forgets what stood before it, and is forgotten for what follows': [
		[`PATCH ${MEMBERS}`, shows(), patch(add(CLEO), empty)],
		[`GET /Users/${CLEO}`, inGroups()],
		[`PATCH ${MEMBERS}`, 200, patch(add(BEN))],
		[`PATCH ${MEMBERS}`, shows('ben@example.com', 'cleo@example.com'), patch(empty, add(CLEO))],
	],
	'several filters in paths: each is a removal': [
		[`PATCH ${MEMBERS}`, 200, patch(add(CLEO))],
		[`PATCH ${MEMBERS}`, shows(), patch(by(BEN), by(CLEO))],
	],
	'members that are no list are 400': [
		...['text', { other: 1 }].map((value) => [
			`PATCH ${MEMBERS}`,
			error(400, 'invalidSyntax'),
			patch({ op: 'add', path: 'members', value }),
		]),
	],
	'PUT: bare ids are nobody': [[`PUT ${MEMBERS}`, shows(), { members: [BEN] }]],
	'groups cannot be created': [['POST /Groups', error(400, 'mutability'), { displayName: 'new' }]],
};

test.each(Object.entries(SAID))('%s', async (_, steps) => {
	const { service, ask } = await serve();
	const secrets = { token: service.accountToken, key: service.apiKey };
	for (const [line, expected, body, { authorization, ...headers } = {}] of steps) {
		if (authorization !== undefined)
			headers.authorization = authorization.replace(/{(.*)}/, (_, name) => secrets[name]);
		const wanted = typeof expected === 'number' ? { status: expected } : expected;
		expect([line, told(await ask(line, body, headers), wanted)]).toEqual([line, wanted]);
	}
});

test('the token has the form <key>:<orgId>', async () => {
	expect((await serve()).service.accountToken).toMatch(/^[^:]+:org-acct1$/);
});

test('without startIndex and count everything comes; startIndex without a count means 200; count has no maximum', async () => {
	const { ask } = await serve({ seed: seedOf({ users: 450, organizations: 67, rolesPerUser: 3 }) });
	const asked = ['', '?startIndex=1', '?startIndex=1&count=0', '?startIndex=401']
		.concat('?startIndex=1&count=9999', '?count=-50', '?startIndex=451')
		.map(async (query) => (await ask(`GET /Users${query}`)).body.Resources.length);
	expect(await Promise.all(asked)).toEqual([450, 200, 200, 50, 450, 400, 0]);
	expect(await ask('GET /Groups')).toMatchObject(total(201));
});

test.each([
	[{ documentedOnly: true }, '/ServiceProviderConfig', { status: 404 }],
	[{ documentedOnly: true }, '/Users', { status: 200 }],
	[{ filter: 'off' }, `/Users${where('userName eq "x"')}`, error(400, 'invalidFilter')],
	[{ filter: 'ignored' }, `/Users${where('userName eq "x"')}`, total(6)],
])('%j: %s', async (options, path, answer) => {
	expect(await (await serve(options)).ask(`GET ${path}`)).toMatchObject(answer);
});

test('an email goes out only to whoever had no membership there', async () => {
	const { service, ask } = await serve();
	await ask('PATCH /Groups/org-a:viewer', patch(add(ADA, BEN, CLEO)));
	await ask('PATCH /Groups/org-a:viewer', patch(add(CLEO)));
	expect(service.state.mailsSent.map(({ to }) => to)).toEqual(['cleo@example.com']);
});
