'use strict';

// The tests of the credentials, and what the editor shows of them.

const { once } = require('node:events');
const http = require('node:http');
const path = require('node:path');
const { CustomDirectoryLoader, PackageDirectoryLoader } = require('n8n-core');
const { testCredential } = require('../harness');
const { accessDenied, list } = require('../support/answers');
const {
	NotificationActionsApi,
	ScimProvisioning,
	ScimProvisioningApi,
	ScimProvisioningOAuth2Api,
	ScimProvisioningTrigger,
} = require('../support/built');
const { hasFile } = require('../support/files');
const { withSecureServer, withUnreachedServer } = require('../support/secureServer');
const { HOST, wire } = require('../support/wire');

const api = wire();

const SECRET = 'key-of-the-account:org-acct1';
const OK = { status: 'OK', message: 'Connection successful!' };
const EMAIL = { id: 'a-1', type: 'EMAIL', payload: { email: 'ops@example.com' } };
const ACTIONS = '/v0/notification-settings/org-1/actions';

const scim = {
	...{ type: new ScimProvisioningApi(), node: new ScimProvisioning() },
	values: { accountApiToken: SECRET, serviceProfile: 'accountOrganizations' },
	...{ route: '/scim/Users', query: '?count=1', answer: list([]) },
	headers: { authorization: `Bearer ${SECRET}`, accept: 'application/scim+json' },
	...{ named: ['scimProvisioningApi', 'SCIM Provisioning API'] },
	hidden: ['accountApiToken', 'password', 'headerSecret'],
	required: [
		...['baseUrl', 'accountApiToken', 'password', 'headerName', 'headerSecret', 'groupPattern'],
	],
};
const notification = {
	...{ type: new NotificationActionsApi(), values: { apiKey: SECRET, organizationId: 'org-1' } },
	...{ route: ACTIONS, query: '', answer: [EMAIL] },
	headers: { 'x-api-key': SECRET, accept: 'application/json' },
	...{ named: ['notificationActionsApi', 'Notification Actions API'], hidden: ['apiKey'] },
	required: ['baseUrl', 'apiKey', 'organizationId'],
};
const outcomeOf = async ({ type, node, values }, changes = {}) =>
	await testCredential(type, { baseUrl: HOST, ...values, ...changes }, node);

describe.each([
	['SCIM Provisioning API', scim],
	['Notification Actions API', notification],
])('%s', (_, own) => {
	const { type, route, query, answer, headers, named, hidden, required } = own;
	const run = async (changes) => await outcomeOf(own, changes);

	test.each([
		['as it is', HOST, ''],
		['with slashes and blanks', ` ${HOST}// `, ''],
	])('one request with the key, to the Base URL %s', async (_what, baseUrl) => {
		api.answer(`GET ${route}`, [200, answer]);
		expect(await run({ baseUrl })).toEqual(OK);
		expect(api.sent()).toEqual([`GET ${route}${query}`]);
		expect(api.requests[0].headers).toMatchObject(headers);
	});

	test('a redirect is not followed with the key', async () => {
		api.answer(`GET ${route}`, [302, '', { Location: `${HOST}/elsewhere` }]);
		expect(await run()).toMatchObject({ status: 'Error' });
		expect(api.requests).toHaveLength(1);
	});

	test('a self-signed certificate is refused, unless it is accepted', async () => {
		await withSecureServer(answer, async (baseUrl, requests) => {
			const { status, message } = await run({ baseUrl });
			expect(status).toBe('Error');
			if (own === scim) expect(message).toMatch(/is self-signed.*Ignore SSL Issues/);
			expect(requests).toStrictEqual([]);
			expect(await run({ baseUrl, ignoreSslIssues: true })).toEqual(OK);
			expect(requests).toEqual([`GET ${route}${query}`]);
		});
	});

	test('has a name, documentation and icons, hides secrets, and needs what it sends', () => {
		const [name, displayName] = named;
		const documentationUrl = expect.stringMatching(/^https:/);
		expect(type).toMatchObject({ name, displayName, documentationUrl });
		for (const icon of [type.icon.light, type.icon.dark])
			expect(hasFile('dist/credentials', icon.slice('file:'.length))).toBe(true);
		const namesOf = (which) => type.properties.filter(which).map((property) => property.name);
		expect(namesOf(({ typeOptions }) => typeOptions?.password)).toEqual(hidden);
		expect(namesOf((property) => property.required)).toEqual(required);
		for (const { description = '' } of type.properties)
			expect(description.length).toBeLessThanOrEqual(100);
	});
});

const ACCOUNT =
	'Check the API Token, or what else the Authentication Method asks for, then the Service Profile. An account with organizations takes an account token: made in the account organization, with account-management scope, and not expired.';
const OTHERS =
	/^The .*\. Check the API Token, or what else the Authentication Method asks for, then the Service Profile\.$/;
test.each([
	[scim, 401, `The service does not accept the credential. ${ACCOUNT}`],
	[scim, 403, `The credential gives no access to provisioning. ${ACCOUNT}`],
	[
		...[scim, 404],
		'Could not list users: the service answered 404, Internal Server Error. There is no /scim/Users. Check the Service Profile, the Base URL, which ends before /Users, and the Path Before /Users. Account with Organizations adds /scim to the Base URL, the other profiles add nothing.',
	],
	[
		...[scim, 500],
		'Could not list users: the service answered 500, Internal Server Error. Try again later.',
	],
	[scim, 401, OTHERS, 'generic'],
	[scim, 403, OTHERS, 'generic'],
	[notification, 401, /does not accept the API key\. Copy it again/],
	[
		notification,
		403,
		/no access to this organization\. Check the Organization ID, and copy the key/,
	],
	[notification, 404, /Organization ID, the Base URL, .* whether the API key belongs to another/],
])('says what to check (%#)', async (own, status, message, serviceProfile = undefined) => {
	const route = serviceProfile === undefined ? own.route : '/Users';
	const body = status < 404 ? accessDenied(status)[1] : 'Internal Server Error';
	api.always(`GET ${route}`, [status, body]);
	expect(await outcomeOf(own, serviceProfile && { serviceProfile })).toEqual({
		...{ status: 'Error' },
		message: typeof message === 'string' ? message : expect.stringMatching(message),
	});
});

test('the organization of Notification Actions stays inside its segment', async () => {
	api.answer('GET /v0/notification-settings/org%2F1%3Fx/actions', [200, []]);
	expect(await outcomeOf(notification, { organizationId: 'org/1?x' })).toEqual(OK);
});

test.each([
	['http', /^The service does not speak https on this port\. Check the port of the Base URL/],
	['oldTls', /^The service broke off the https handshake\. Check the Base URL/],
])('says why https fails on a server of %s', async (kind, message) => {
	await withUnreachedServer(kind, async (baseUrl) => {
		const result = await outcomeOf(scim, { baseUrl });
		expect(result).toEqual({ status: 'Error', message: expect.stringMatching(message) });
	});
});

describe('only a SCIM list of users is success', () => {
	const HTML = { 'Content-Type': 'text/html' };
	const ERROR = ['urn:ietf:params:scim:api:messages:2.0:Error'];
	const NO_JSON = / not JSON.*Check the Service Profile, the Base URL/;
	const NO_LIST =
		/^Could not list users: the service answered with something that is not a SCIM list/;
	const page = '<html><title>Log in</title></html>';
	const users = (count) => list(Array.from({ length: count }, (_, id) => ({ id: `user-${id}` })));
	test.each([
		['a login page', [200, page, HTML], /200 with something that is not JSON \("Log in"\)/],
		['a page that is said to be JSON', [200, page], NO_JSON],
		['a line of text', [200, 'OK', { 'Content-Type': 'text/plain' }], NO_JSON],
		['nothing', [204], NO_JSON],
		['JSON of something else', [200, { status: 'UP' }], NO_LIST],
		['a text in JSON', [200, '"Resources"'], NO_LIST],
		[
			'an error with 200',
			[200, { schemas: ERROR, detail: 'bad token', status: '403' }],
			/^The .* no access/,
		],
		[
			'another refusal',
			[429, { detail: 'slow down' }],
			/answered 429, slow down\. The service receives/,
		],
		['a redirect', [302, '', { Location: 'http://login.test/' }], /redirects to login\.test/],
		['a list that is cut off', [200, '{"totalResults": 1, "Resources": ['], NO_JSON],
		['1 MB of blanks', [200, ' '.repeat(1_100_000) + JSON.stringify(users(1))], NO_JSON],
		['1 MB of a page', [200, `{${'<p>ü</p>'.repeat(140_000)}`], NO_JSON],
		['a list of text/html', [200, users(1), HTML], undefined],
		['a list without a type', [200, users(1), {}], undefined],
		['no users at all', [200, { totalResults: 0 }], undefined],
		['a service that ignores the count', [200, users(60_000)], undefined],
	])('%s', async (_, answer, message) => {
		api.answer('GET /scim/Users', answer);
		expect(await outcomeOf(scim)).toEqual(
			message ? { status: 'Error', message: expect.stringMatching(message) } : OK,
		);
		expect(api.requests).toHaveLength(1);
	});

	/** A service that goes on sending blanks. @returns what the test said, and the MB that left until then */
	async function dripping(pause) {
		let [left, closed] = [0, () => {}];
		const ended = new Promise((resolve) => (closed = resolve));
		const server = http.createServer(async (_, response) => {
			response.once('close', closed);
			for (let nth = 0; nth < 50 && !response.destroyed; nth++, left++) {
				response.write(Buffer.alloc(1_000_000, ' '));
				await Promise.race([pause(response), ended]);
			}
			response.end();
		});
		await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
		const baseUrl = `http://127.0.0.1:${server.address().port}`;
		const said = await outcomeOf(scim, { baseUrl });
		await ended;
		server.closeAllConnections();
		await new Promise((stopped) => server.close(stopped));
		return { said, left };
	}

	test('1 MB of an answer is read, and the connection is closed', async () => {
		const { said, left } = await dripping((response) => once(response, 'drain'));
		expect(said).toMatchObject({ status: 'Error', message: expect.stringMatching(NO_JSON) });
		expect(left).toBeLessThan(50);
	});

	test('an answer that does not end is left after 30 seconds', async () => {
		const clock = new AbortController();
		const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal);
		const { said } = await dripping(() => new Promise(() => setTimeout(() => clock.abort(), 50)));
		expect(timeout).toHaveBeenCalledWith(30_000);
		timeout.mockRestore();
		expect(said).toEqual({ status: 'Error', message: 'The answer did not end within 30 seconds' });
	});
});

test.each([
	['accountOrganizations', 'profile', '/scim/Users'],
	['accountOrganizations', 'everyRequest', '/scim/Users'],
	['accountOrganizations', 'collectionsOnly', '/scim/Users'],
	['accountOrganizations', 'nowhere', '/Users'],
	['generic', 'profile', '/Users'],
	['generic', 'everyRequest', '/scim/Users'],
	['generic', 'collectionsOnly', '/scim/Users'],
	['generic', 'nowhere', '/Users'],
])('profile %s, prefix %s: %s', async (serviceProfile, scimPrefix, route) => {
	api.answer(`GET ${route}`, [200, list([])]);
	api.always(`GET ${route.replace('Users', 'Groups')}`, [200, list([])]);
	expect(await outcomeOf(scim, { serviceProfile, scimPrefix })).toEqual(OK);
});

describe('of a profile without organizations one group is read', () => {
	const generic = { serviceProfile: 'generic' };
	const message =
		'These groups are roles in organizations. Set Service Profile to Account with Organizations.';
	const ROLES = { status: 'Error', message };
	const pattern = {
		groupsStandFor: 'organizationAndRole',
		groupPattern: '{organization}:{role}',
	};
	const all = (ids) => [200, list(ids.map((id) => ({ id, displayName: id })))];
	test.each([
		['a role', all(['org-1:member']), ROLES],
		['a role with a prefix', all(['whylabs-org-1:Admin']), ROLES],
		['another group', all(['g-1']), OK],
		['another group beside a role', all(['org-1:member', 'g-1']), OK],
		['no group', all([]), OK],
		['groups that cannot be read', [500, 'Internal Server Error'], OK],
		['groups that stand for something are not read', undefined, OK, pattern],
	])('%s', async (_, groups, expected, more = {}) => {
		api.answer('GET /Users', [200, list([])]);
		if (groups) api.answer('GET /Groups', groups);
		expect(await outcomeOf(scim, { ...generic, ...more })).toEqual(expected);
		expect(api.sent()).toEqual(['GET /Users?count=1', ...(groups ? ['GET /Groups?count=1'] : [])]);
	});

	test('both nodes that use the credential know the test', () => {
		for (const node of [new ScimProvisioning(), new ScimProvisioningTrigger()]) {
			const [{ name, testedBy }] = node.description.credentials;
			expect(name).toBe(scim.type.name);
			expect(Object.keys(node.methods.credentialTest)).toEqual([testedBy]);
		}
	});
});

test('the Service Profile comes first, and groups are asked for where they may stand for something', () => {
	const { properties } = scim.type;
	expect(properties.slice(0, 2).map(({ name }) => name)).toEqual(['serviceProfile', 'baseUrl']);
	const displayOf = (wanted) => properties.find(({ name }) => name === wanted).displayOptions;
	const hide = { serviceProfile: ['accountOrganizations'] };
	const show = { groupsStandFor: ['organizationAndRole'] };
	expect(displayOf('groupsStandFor')).toEqual({ hide });
	for (const name of ['groupPattern', 'groupPatternOn', 'groupRoles'])
		expect(displayOf(name)).toEqual({ hide, show });
});

describe('who may use a credential, where n8n knows restrictToSupportedNodes', () => {
	const ROOT = path.join(__dirname, '../..');
	const load = async (loader) => {
		await loader.loadAll();
		return loader;
	};
	const TYPES = ['scimProvisioningApi', 'scimProvisioningOAuth2Api', 'notificationActionsApi'];

	test.each(TYPES)('of a package, its own nodes alone: %s', async (name) => {
		const { known, nodeTypes, credentialTypes } = await load(new PackageDirectoryLoader(ROOT));
		const { type } = credentialTypes[name];
		expect(type.restrictToSupportedNodes).toBe(true);
		const users = Object.values(nodeTypes)
			.map(({ type: { description } }) => description)
			.filter(({ credentials }) => credentials.some((one) => one.name === name));
		expect(users.length).toBeGreaterThan(0);
		expect([...known.credentials[name].supportedNodes].sort()).toEqual(
			users.map((description) => description.name).sort(),
		);
		const written = new type.constructor().supportedNodes;
		expect([...written].sort()).toEqual([...known.credentials[name].supportedNodes].sort());
	});

	test.each(TYPES)(
		'of a custom folder, any: its nodes are not known to be its own: %s',
		async (name) => {
			const folder = path.join(ROOT, 'dist');
			const { known, credentialTypes } = await load(new CustomDirectoryLoader(folder));
			expect(known.credentials[name].className).toBeDefined();
			expect(credentialTypes[name].type.restrictToSupportedNodes).toBeUndefined();
		},
	);

	// n8n gets the token for such a test as a node of its own, which is none of the supported nodes.
	test('so n8n cannot test a credential whose token it gets, and is not told to', () => {
		expect(new ScimProvisioningOAuth2Api()).not.toHaveProperty('test');
	});
});
