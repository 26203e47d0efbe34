'use strict';

require('../support/noWaiting');
const { startService } = require('../../demo/service');
const { ONE_AT_A_TIME } = require('../support/options');
const { setTimeout: sleep } = require('node:timers/promises');
const { inspect } = require('node:util');
const { pollNode, testCredential } = require('../harness');
const {
	ScimProvisioningApi,
	ScimProvisioningOAuth2Api,
	ScimProvisioningTrigger,
} = require('../support/built');
const { startGate } = require('../support/gate');
const { run: runNode, search } = require('../support/node');
const { withSecureServer } = require('../support/secureServer');

// Every way for requests to say whose they are; a gate before the local service lets pass only who proves it.

const tester = new ScimProvisioningTrigger();
const types = [new ScimProvisioningApi(), new ScimProvisioningOAuth2Api()];
const ACCOUNT = 'org-acct1';
const OK = { status: 'OK', message: 'Connection successful!' };

let gate;
let service;
beforeEach(async () => {
	service = await startService({ seed: { organizations: [{ id: ACCOUNT, name: 'Account' }] } });
	gate = await startGate(service);
});
afterEach(async () => {
	await gate.close();
	await service.close();
});

/** Runs an operation on users with the OAuth2 credential, and with its pace. What comes of it may not show a secret. */
async function run(operation, parameters, { resource = 'user', pace, ...more } = {}) {
	const result = await runNode(
		resource,
		operation,
		{ authentication: 'oAuth2', ...parameters },
		{
			credentials: { scimProvisioningOAuth2Api: { ...oauth2(), ...pace } },
			...{ credentialTypes: types, ...more },
		},
	);
	const { json, errorJson, error, storedError } = result;
	const shown = inspect([json, errorJson, error, storedError], { depth: 30 });
	const { id, secret } = gate.client;
	const pair = Buffer.from(`${id}:${secret}`).toString('base64');
	for (const one of [secret, pair, ...gate.issued]) expect(shown).not.toContain(one);
	return result;
}

const account = () => ({
	baseUrl: gate.url,
	serviceProfile: 'accountOrganizations',
	accountOrganizationId: ACCOUNT,
});
const oauth2 = () => ({
	...account(),
	accessTokenUrl: gate.tokenUrl,
	clientId: gate.client.id,
	clientSecret: gate.client.secret,
});

/** So many new people, one item each. */
const newcomers = (count) => ({
	items: Array.from({ length: count }, (_, number) => ({ email: `p${number}@example.com` })),
	onError: 'continueRegularOutput',
});
const create = (options = {}) => ({
	userName: '={{ $json.email }}',
	options: { verifyTime: 0, ...options },
});
const created = () => service.state.table().people.length;
const failed = (json) => json.filter(({ error }) => error !== undefined);

describe('OAuth2', () => {
	test('one token is got, kept, and used again', async () => {
		const { json } = await run('create', create(), { ...newcomers(5), pace: ONE_AT_A_TIME });
		expect(failed(json)).toStrictEqual([]);
		expect(created()).toBe(5);
		expect(gate.issued).toHaveLength(1);
	});

	test('a token that expires in the middle of 100 writes is renewed, and none is made twice', async () => {
		gate.beforeRequest = (nth) => nth === 50 && gate.expire();
		const { json } = await run('create', create(), newcomers(100));
		expect(failed(json)).toStrictEqual([]);
		expect(created()).toBe(100);
		const posts = service.log.requests.filter(({ method }) => method === 'POST');
		expect(posts.map(({ status }) => status)).toEqual(Array(100).fill(201));
		expect(gate.issued.length).toBeGreaterThan(1);
	});

	test('ten requests at once on an expired token', async () => {
		await run('create', create(), newcomers(1));
		gate.expire();
		const ten = { ...newcomers(11), items: newcomers(11).items.slice(1) };
		const { json } = await run('create', create(), {
			...ten,
			pace: { writesPerMinute: 120_000 },
		});
		expect(failed(json)).toStrictEqual([]);
		expect(created()).toBe(11);
	});

	test('a 401 that stays is told as the answer of the service, without the token', async () => {
		gate.accepts = () => false;
		const { error } = await run('create', create(), { items: [{ email: 'a@example.com' }] });
		expect(error.message).toContain('the service answered 401, Not accepted: Bearer ***');
		expect(error.description).toMatch(/Access Token URL, Client ID, Client Secret and Scope/);
		expect(gate.issued).toHaveLength(2);
	});

	test('a 401 that stays with a new token, in the middle of a run: nothing more is sent', async () => {
		const { accepts } = gate;
		gate.accepts = (headers) => gate.requests.length <= 3 && accepts(headers);
		const many = { ...newcomers(30), pace: ONE_AT_A_TIME };
		const { json } = await run('create', create(), many);
		expect(created()).toBe(3);
		expect(gate.issued).toHaveLength(2);
		const reasons = failed(json).map(({ reason }) => reason);
		expect(reasons).toEqual([
			expect.stringContaining('the service answered 401, Not accepted: Bearer ***'),
			...Array(26).fill('not sent: the service does not accept the credential'),
		]);
	});

	test.each([
		['refuses the client', [401, { error: 'invalid_client' }]],
		['says something else', [400, { error: 'odd', error_description: 'no client here' }]],
		['is broken', [503, 'gone']],
		['answers with a page', [200, '<html>']],
		['answers without a token', [200, {}]],
		['breaks off', 'broken'],
	])('a token endpoint that %s: nothing was sent, and nothing is looked for', async (_, fault) => {
		gate.fault = fault;
		const { json } = await run('create', create(), newcomers(3));
		expect(failed(json)).toHaveLength(3);
		expect(JSON.stringify(json)).toContain('n8n got no access token (');
		expect(JSON.stringify(json)).not.toContain('may still have worked');
		expect(gate.requests).toStrictEqual([]);
		expect(created()).toBe(0);
	});

	test('a token endpoint that is down when a token expires: what was refused was not done', async () => {
		gate.beforeRequest = (nth) => {
			if (nth !== 4) return;
			gate.expire();
			gate.fault = 'broken';
		};
		const { json } = await run('create', create(), {
			...{ ...newcomers(6), pace: ONE_AT_A_TIME },
		});
		expect(failed(json)).toHaveLength(3);
		expect(JSON.stringify(failed(json))).not.toContain('may still have worked');
		expect(created()).toBe(3);
		// Two that got no token, after which no other is sent, and no look at what became of them.
		expect(gate.requests.map(({ method }) => method)).toEqual(Array(5).fill('POST'));
		expect(json[5].reason).toBe('not sent: n8n gets no access token');
	});

	test('a token that comes after the time limit sends nothing any more', async () => {
		let answer;
		gate.held = new Promise((resolve) => (answer = resolve));
		const { error } = await run('create', create({ timeout: 1 }), {
			items: [{ email: 'a@example.com' }],
		});
		expect(error.message).toContain('n8n got no access token (none came within 1 seconds)');
		expect(error.description).toContain('Nothing was changed by this.');
		answer();
		await sleep(300);
		expect(gate.issued).toHaveLength(1);
		expect(gate.requests).toStrictEqual([]);
	});

	test.each([
		['by default', {}, false],
		['Header', { authentication: 'header' }, false],
		['Body, as SECURITY.md says', { authentication: 'body' }, true],
	])('a token endpoint that redirects gets the secret elsewhere: %s', async (_, set, isLeaked) => {
		const other = await startGate(service);
		try {
			const got = [];
			other.sees = (headers, body) => got.push(JSON.stringify(headers) + body);
			gate.fault = [307, '', { location: other.tokenUrl }];
			const credentials = { scimProvisioningOAuth2Api: { ...oauth2(), ...set } };
			await run('create', create(), { ...newcomers(1), credentials });
			const { id, secret } = gate.client;
			const basic = Buffer.from(`${id}:${secret}`).toString('base64');
			expect(got).toHaveLength(1);
			expect(got.some((one) => one.includes(secret) || one.includes(basic))).toBe(isLeaked);
		} finally {
			await other.close();
		}
	});

	test.each([
		[false, 'the certificate of the service is self-signed'],
		[true, undefined],
	])('Ignore SSL Issues: %s', async (ignoreSSLIssues, problem) => {
		await withSecureServer({ totalResults: 0, Resources: [] }, async (baseUrl) => {
			const data = { ...oauth2(), baseUrl, ignoreSSLIssues };
			const credentials = { scimProvisioningOAuth2Api: data };
			const { error } = await run('getAll', { options: { maxWait: 0 } }, { credentials });
			if (problem === undefined) expect(error).toBeUndefined();
			else expect(error.message).toContain(problem);
		});
	});

	test('a certificate of the token endpoint is told with its cure', async () => {
		await withSecureServer({}, async (url, requests) => {
			const data = { ...oauth2(), accessTokenUrl: `${url}/token` };
			const credentials = { scimProvisioningOAuth2Api: data };
			const { error } = await run('getAll', { options: { maxWait: 0 } }, { credentials });
			expect(error.message).toContain('(the certificate of the service is self-signed)');
			expect(error.description).toMatch(/^Set NODE_EXTRA_CA_CERTS/);
			expect(requests).toStrictEqual([]);
		});
	});

	test('the lists of the editor use it too', async () => {
		await run('create', create(), newcomers(1));
		const { results } = await search('searchUsers', {
			parameters: { authentication: 'oAuth2', resource: 'user', operation: 'get' },
			credentials: { scimProvisioningOAuth2Api: oauth2() },
			credentialTypes: types,
		});
		expect(results.map(({ name }) => name)).toEqual(['p0@example.com']);
	});
});

/** What a credential of each method says beside the address, and the header that has to come of it. */
const METHODS = {
	'a bearer token, saved before there were methods': [
		{ accountApiToken: 'token-of-1' },
		{ authorization: 'Bearer token-of-1' },
	],
	'Bearer Token': [
		{ authenticationMethod: 'bearerToken', accountApiToken: 'token-of-1' },
		{ authorization: 'Bearer token-of-1' },
	],
	Basic: [
		{ authenticationMethod: 'basic', user: 'jürgen', password: 'a pass:word' },
		{ authorization: 'Basic asO8cmdlbjphIHBhc3M6d29yZA==' },
	],
	'Basic without a user': [
		{ authenticationMethod: 'basic', password: 'key-1234' },
		{ authorization: 'Basic OmtleS0xMjM0' },
	],
	Header: [
		{ authenticationMethod: 'header', headerName: 'X-Yunxiao-Token', headerSecret: 'key-1234' },
		{ 'x-yunxiao-token': 'key-1234' },
	],
	'Header with a scheme': [
		{ authenticationMethod: 'header', headerName: 'Authorization', headerSecret: 'SSWS key-1234' },
		{ authorization: 'SSWS key-1234' },
	],
};

/** Creates a user with a credential that proves it so; and the test of that credential. */
const createBy = async (method, more) =>
	await run(
		'create',
		{ ...create(), authentication: 'apiCredential' },
		{
			...newcomers(1),
			credentials: { scimProvisioningApi: { ...account(), ...method } },
			...more,
		},
	);
const tested = async (method) =>
	await testCredential(types[0], { ...account(), ...method }, tester);

describe.each(Object.entries(METHODS))('%s', (_, [method, headers]) => {
	const sent = Object.entries(headers);

	test('is what is sent, by the node and by the test of the credential', async () => {
		gate.accepts = (seen) => sent.every(([name, value]) => seen[name] === value);
		const { json } = await createBy(method);
		expect(failed(json)).toStrictEqual([]);
		expect(created()).toBe(1);
		expect(await tested(method)).toEqual(OK);
	});

	test('is in no message, whatever the service says back', async () => {
		gate.accepts = () => false;
		const { json, returned } = await createBy(method);
		const { accountApiToken, password, headerSecret } = method;
		for (const secret of [accountApiToken, password, headerSecret, ...Object.values(headers)])
			if (secret) expect(JSON.stringify(returned)).not.toContain(secret);
		expect(failed(json)).toHaveLength(1);
	});
});

const basic = (more) => ({ authenticationMethod: 'basic', ...more });
const header = (headerName, headerSecret) => ({
	...{ authenticationMethod: 'header', headerName, headerSecret },
});
test.each([
	[
		basic({ user: 'svc', password: 'xk7' }),
		'login failed: svc with xk7',
		'login failed: svc with ***',
	],
	[basic({ user: 'a', password: 'the' }), 'The user is not there', '*** user is not there'],
	[basic({ user: 'a', password: 'Xk7#pQ2' }), 'no svcXK7#PQ2', 'no svc***'],
	[basic({ password: 'a&b<c' }), 'no <b>a&amp;b&lt;c</b> here', 'no *** here'],
	[header('X-Key', 'pin'), 'X-Key pin, pinned', 'X-Key ***, pinned'],
	[header('X-Key', 'Token token="k7"'), 'Token token k7, k70', 'Token token ***, k70'],
])('a short secret that the service repeats: %j, %s', async (method, says, shown) => {
	Object.assign(gate, { accepts: () => false, says: () => says });
	const { error } = await createBy(method, { onError: 'stopWorkflow' });
	expect(error.message).toBe(
		`Could not create user p0@example.com: the service answered 401, ${shown}`,
	);
});

test.each([
	basic({ user: 'a:b', password: 'secret-1' }),
	basic({ user: 'a\nb', password: 'secret-1' }),
	basic({ user: 'a' }),
	...['Host', 'content-type', 'Accept', 'user-agent', 'COOKIE', 'X Key', 'X-Key:', ''].map((name) =>
		header(name, 'secret-1'),
	),
	...['__proto__', 'constructor', 'toString'].map((name) => header(name, 'secret-1')),
	...['', ' key-1234', 'key-1234 ', 'a  b', 'a\r\nX: y', 'schlüssel'].map((value) =>
		header('X-Key', value),
	),
])(
	'what cannot be sent is refused, by the node and by the test of the credential: %j',
	async (method) => {
		gate.accepts = () => true;
		const { error } = await createBy(method, { onError: 'stopWorkflow' });
		expect(error.message).toMatch(/^The (?:User|Password|Header Name|Header Value|header) /);
		expect(await tested(method)).toMatchObject({
			status: 'Error',
			message: `${error.message}. ${error.description}`,
		});
		expect(gate.requests).toStrictEqual([]);
	},
);

describe('a plan', () => {
	const API = 'scimProvisioningApi';
	const CLIENT = 'scimProvisioningOAuth2Api';

	test.each([
		['client secret', CLIENT, () => {}, { clientSecret: 'rotated' }],
		['token', API, () => ({ accountApiToken: 'token-of-1' }), { accountApiToken: 'rotated' }],
		[
			'password',
			API,
			() => basic({ user: 'n8n', password: 'password-1' }),
			{ password: 'rotated' },
		],
		['header value', API, () => header('X-Key', 'secret-1'), { headerSecret: 'rotated' }],
	])(
		'is refused after a new %s, and never for a new access token',
		async (_, type, own, change) => {
			await run('create', create(), newcomers(2));
			const data = type === CLIENT ? oauth2() : { ...account(), ...own() };
			const authentication = type === CLIENT ? 'oAuth2' : 'apiCredential';
			const access = async (operation, parameters, credential, items) =>
				await run(
					operation,
					{ authentication, ...parameters },
					{ resource: 'access', items, credentials: { [type]: credential } },
				);
			if (type !== CLIENT) gate.accepts = () => true;
			const people = 'p0@example.com, p1@example.com';
			const made = await access('offboard', { people, preview: true }, data);
			expect(made.error).toBeUndefined();

			const { secret } = gate.client;
			gate.client.secret = 'rotated';
			const late = await access('applyPlan', { changes: 'all' }, { ...data, ...change }, made.json);
			expect(late.error.message).toBe(
				"The credential's secret has changed since the plan was made",
			);

			gate.client.secret = secret;
			gate.expire();
			const applied = await access('applyPlan', { changes: 'all' }, data, made.json);
			expect(applied.error).toBeUndefined();
			expect(service.state.table().people.map(({ active }) => active)).toEqual([false, false]);
		},
	);
});

test("the trigger's memory goes on after a change to the other type, and not to another credential of its type", async () => {
	gate.accepts = () => true;
	const staticData = {};
	const look = async (type, id, credential) =>
		await pollNode(new ScimProvisioningTrigger(), {
			parameters: {
				authentication: type === 'scimProvisioningApi' ? 'apiCredential' : 'oAuth2',
				events: ['userCreated'],
			},
			node: { credentials: { [type]: { id, name: 'any' } } },
			credentials: { [type]: credential },
			credentialTypes: types,
			staticData,
		});
	const byToken = { ...account(), accountApiToken: 'token-of-1' };
	const seen = async (...given) => (await look(...given))?.map(({ userName }) => userName);
	const hire = async (number) => {
		await run('create', create(), { items: [{ email: `p${number}@example.com` }] });
	};

	await hire(0);
	await look('scimProvisioningApi', 'one', byToken);
	await hire(1);
	expect(await seen('scimProvisioningOAuth2Api', 'two', oauth2())).toEqual(['p1@example.com']);
	await hire(2);
	expect(await seen('scimProvisioningApi', 'one', byToken)).toEqual(['p2@example.com']);
	await hire(3);
	expect(await seen('scimProvisioningApi', 'three', byToken)).toBeUndefined();
});
