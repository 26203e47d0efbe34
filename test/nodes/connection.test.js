'use strict';

// What leaves with the credential, in n8n's own HTTP library. How addresses and secrets are read is in shared/http.

const { testCredential } = require('../harness');
const { accessDenied, ANA, created, QUICK, user } = require('../support/answers');
const { Groups, emails, locator, play } = require('../support/behavior');
const { NotificationActions, ScimProvisioning, ScimProvisioningApi } = require('../support/built');
const { KEY } = require('../support/alertNode');
const { defaultsIn } = require('../support/fieldDefaults');
const { contextOf } = require('../support/modelNode');
const { byId, TOKEN } = require('../support/node');
const { withSecureServer, withUnreachedServer } = require('../support/secureServer');
const { triggerAt } = require('../support/triggerPlay');
const { alertChecked, HOST, runChecked, wire } = require('../support/wire');

const api = wire();
const QUIET = { options: { maxWait: 0 } };
const ACTIONS = '/v0/notification-settings/org-3454/actions';
const MAIL = { id: 'mail', type: 'EMAIL', payload: { email: 'ops@example.com' } };

const ONE = { user: byId('user-1'), ...QUIET };
const NODES = {
	'SCIM Provisioning': {
		...{ secret: 'accountApiToken', named: 'The API Token', media: 'application/scim+json' },
		...{ sign: { authorization: `Bearer ${TOKEN}` }, doing: 'get user user-1' },
		read: async (credential, more) => await runChecked('user', 'get', ONE, { credential, ...more }),
		answer: user('user-1', ANA),
		write: async (credential, more) =>
			await runChecked(
				'user',
				'create',
				{ userName: ANA, options: QUICK },
				{ credential, ...more },
			),
		answers: () => api.answer('POST /scim/Users', created('user-1', ANA)),
	},
	'Notification Actions': {
		...{ secret: 'apiKey', named: 'The API Key', media: 'application/json' },
		...{ sign: { 'x-api-key': KEY }, doing: 'list the actions' },
		read: async (credential, more) =>
			await alertChecked('action', 'getAll', QUIET, { credential, ...more }),
		answer: [MAIL],
		async write(credential, more) {
			const wish = { actionId: 'mail', kind: 'email', email: 'ops@example.com', ...QUIET };
			return await alertChecked('action', 'upsert', wish, { credential, ...more });
		},
		answers() {
			api.answer(`GET ${ACTIONS}`, [200, []], [200, [MAIL]]);
			api.answer(`PUT ${ACTIONS}/EMAIL/mail`, [200]);
		},
	},
};

describe.each(Object.entries(NODES))('%s', (_, node) => {
	const { read, write, answer, secret, named, media, sign, doing } = node;

	test('a write has the key, and the media type for its body and its answer', async () => {
		node.answers();
		await write();
		const { headers } = api.requests.find(({ method }) => method !== 'GET');
		expect(headers).toMatchObject({ ...sign, accept: media, 'content-type': media });
	});

	test.each([
		[
			'a Base URL with a password',
			{ baseUrl: 'http://me:secret-one@x.test' },
			'The Base URL contains a',
		],
		['no Base URL', { baseUrl: ' ' }, 'The Base URL is missing'],
		[
			'a key with a line break',
			{ [secret]: 'secret-one\r\nX: secret-two' },
			`${named} contains whitespace`,
		],
		['a key with a letter that no header takes', { [secret]: 'secret-öne' }, `${named} contains`],
		['no key', { [secret]: ' ' }, `${named} is missing`],
	])('%s is refused, and shown nowhere', async (_what, credential, message) => {
		const more = { secrets: ['secret-one', 'secret-two', 'secret-öne'] };
		for (const { error } of [await read(credential, more), await write(credential, more)]) {
			expect(error).toMatchObject({ name: 'NodeOperationError', description: expect.anything() });
			expect(error.message).toContain(message);
		}
		const items = { items: [{}, {}], onError: 'continueErrorOutput' };
		expect((await write(credential, items)).errorPairedItems).toEqual([[0], [1]]);
		expect(api.sent()).toStrictEqual([]);
	});

	test('a self-signed certificate is refused, unless it is accepted', async () => {
		await withSecureServer(answer, async (baseUrl, requests) => {
			expect((await read({ baseUrl })).error).toMatchObject({
				message: `Could not ${doing}: the certificate of the service is self-signed`,
				description: expect.stringContaining('Ignore SSL Issues'),
			});
			expect(requests).toStrictEqual([]);
			expect((await read({ baseUrl, ignoreSslIssues: true })).error).toBeUndefined();
		});
	});

	test.each([
		['test-only', 'is self-signed', /^Set NODE_EXTRA_CA_CERTS .* Ignore SSL Issues/],
		[
			'unknown-authority',
			'comes from an authority that n8n does not know',
			/^Set NODE_EXTRA_CA_CERTS/,
		],
		['expired', 'has expired', /^Renew it on the server(?!.*Ignore SSL)/],
	])('says what is wrong with a certificate, and the cure: %s', async (certificate, is, cure) => {
		const seen = async (baseUrl) => (await read({ baseUrl })).error;
		const error = await new Promise((resolve, reject) => {
			withSecureServer(answer, async (url) => resolve(await seen(url)), certificate).catch(reject);
		});
		expect(error).toMatchObject({
			message: `Could not ${doing}: the certificate of the service ${is}`,
			description: expect.stringMatching(cure),
		});
	});

	test.each([
		['http', 'the service does not speak https on this port', 'Check the port of the Base URL ('],
		['oldTls', 'the service broke off the https handshake', 'Check the Base URL ('],
	])('says why https fails on a server of %s', async (kind, happened, remedy) => {
		await withUnreachedServer(kind, async (baseUrl) => {
			expect((await read({ baseUrl })).error).toMatchObject({
				message: `Could not ${doing}: ${happened}`,
				description: expect.stringContaining(remedy + baseUrl.slice('https://'.length)),
			});
		});
	});

	test('says that the connection was refused', async () => {
		expect((await read({ baseUrl: 'http://127.0.0.1:9' })).error).toMatchObject({
			message: `Could not ${doing}: the connection was refused`,
			description: expect.stringContaining('127.0.0.1:9'),
		});
	});
});

describe('a credential with an expression that differs by item', () => {
	const TENANTS = { items: [{ tenant: HOST }, { tenant: 'http://other.test' }] };
	const NOT_ONE = /credential is not the same for all items: its Base URL .* item 0 and item 1/;

	test.each(Object.entries(NODES))('sends nothing, and shows no value: %s', async (_, node) => {
		const byItem = { baseUrl: '={{ $json.tenant }}' };
		for (const run of [node.read, node.write]) {
			const { error } = await run(byItem, TENANTS);
			expect(error.message).toMatch(NOT_ONE);
			expect(error.description).toMatch(/sub-workflow.*Loop Over Items/);
			expect(JSON.stringify(error)).not.toContain('other.test');
		}
		const keys = { items: [{}, {}], secrets: ['key-of-'] };
		const ofItem = '={{ "key-of-" + $itemIndex }}';
		const { error } = await node.write({ [node.secret]: ofItem }, keys);
		expect(error.message).toMatch(/not the same for all items: one of its fields differs/);
		expect(api.sent()).toStrictEqual([]);
	});

	test.each(Object.entries(NODES))(
		'fails each item with On Error: Continue: %s',
		async (_, node) => {
			const more = { ...TENANTS, onError: 'continueErrorOutput' };
			const { errorPairedItems } = await node.write({ baseUrl: '={{ $json.tenant }}' }, more);
			expect(errorPairedItems).toEqual([[0], [1]]);
			expect(api.sent()).toStrictEqual([]);
		},
	);

	const operationsOf = (node) =>
		node.description.properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ displayOptions, options }) =>
				options.map(({ value }) => [displayOptions.show.resource[0], value]),
			);
	test.each([
		...operationsOf(new ScimProvisioning()).map((what) => [ScimProvisioning, ...what]),
		...operationsOf(new NotificationActions()).map((what) => [NotificationActions, ...what]),
	])('is refused before anything is sent: %p %s %s', async (Node, resource, operation) => {
		const send = jest.fn();
		const defaults = defaultsIn(new Node().description, resource, operation);
		const context = contextOf({
			...{ items: [{}, {}], continueOnFail: false, send },
			parameters: { ...defaults, resource, operation },
		});
		const credential = { apiKey: KEY, organizationId: 'org-1', accountApiToken: TOKEN };
		context.getCredentials = async (_type, item = 0) => ({
			...{ ...credential, baseUrl: `http://tenant-${item}.test` },
		});
		await expect(new Node().execute.call(context)).rejects.toThrow(NOT_ONE);
		expect(send).not.toHaveBeenCalled();
	});

	test('that gives every item the same is used', async () => {
		api.always('GET /scim/Users/user-1', [200, user('user-1', ANA)]);
		const items = [{ tenant: HOST }, { tenant: ` ${HOST}/ ` }];
		const { read } = NODES['SCIM Provisioning'];
		expect((await read({ baseUrl: '={{ $json.tenant }}' }, { items })).error).toBeUndefined();
	});
});

describe('the organization of Notification Actions', () => {
	const { read } = NODES['Notification Actions'];

	test('is that of the credential, inside its own segment of the path', async () => {
		api.answer('GET /v0/notification-settings/org-1%2F..%2Fx%3Fy/actions', [200, []]);
		expect((await read({ organizationId: 'org-1/../x?y' })).error).toBeUndefined();
	});

	test.each([
		['missing', ' ', 'The Organization ID is missing'],
		['no ID', '..', '".." is not an ID'],
	])('that is %s is refused', async (_what, organizationId, message) => {
		expect((await read({ organizationId })).error.message).toBe(message);
		expect(api.sent()).toStrictEqual([]);
	});

	test('a status in the answer that is neither number nor text is no error in other words', async () => {
		api.answer(`GET ${ACTIONS}`, [200, { status: { toString: 1, valueOf: 2 } }]);
		expect((await read()).error.message).toContain('the service answered 200 without a list');
	});
});

describe('SCIM Provisioning alone', () => {
	const { read } = NODES['SCIM Provisioning'];

	test.each([
		['everyRequest', { prefix: '/scim' }, '/scim'],
		['collectionsOnly', { prefix: '/scim', itemPrefix: '' }, ''],
		['nowhere', { prefix: '' }, ''],
	])('with the prefix %s every request goes there', async (scimPrefix, switches, item) => {
		const w = new Groups(
			{ ana: 'eng', ben: '' },
			{ ...switches, credential: { scimPrefix, deletionIsFinal: 'no', overrideProfile: true } },
		);
		const group = { chooseGroupBy: 'group', group: w.group('eng') };
		const preview = { user: w.user('ana'), preview: true };
		const [{ requests }] = await play(w, ['user', 'delete'], preview);
		expect(requests).toMatchObject([{ path: `${item}/Users/${w.userId('ana')}` }]);
		for (const [what, wish] of [
			['user getAll', {}],
			['user create', { userName: 'new@example.com' }],
			['user get', { user: w.user('ana') }],
			['user deactivate', { user: w.user('ana') }],
			['user delete', { user: w.user('ben') }],
			['group getAll', {}],
			['group get', group],
			['group addMembers', { ...group, people: emails('new') }],
		]) {
			const items = await play(w, what.split(' '), wish);
			expect(items.flatMap(({ error }) => error ?? [])).toStrictEqual([]);
		}
	});

	const ENDINGS = ['/Users', '/groups', '/scim/v2/USERS', '/scim/v2/Groups/'];
	test.each(ENDINGS)(
		'a Base URL that ends in %s is told before anything is sent',
		async (ending) => {
			const credential = { baseUrl: `${HOST}${ending}`, serviceProfile: 'generic' };
			const end = /[^/]+(?=\/?$)/.exec(ending)[0];
			const message = `The Base URL ends in /${end}`;
			const description = `Remove /${end} from the Base URL in the credential: it is added to each request.`;
			expect((await read(credential)).error).toMatchObject({ message, description });
			const gone = { user: byId('user-1'), options: { ...QUICK, ifNotFound: 'alreadyGone' } };
			const { error } = await runChecked('user', 'delete', gone, { credential });
			expect(error).toMatchObject({ message });
			await expect(triggerAt({}, { credential })()).rejects.toMatchObject({ message, description });
			const tested = { ...credential, accountApiToken: TOKEN };
			expect(
				await testCredential(new ScimProvisioningApi(), tested, new ScimProvisioning()),
			).toEqual({ status: 'Error', message: `${message}. ${description}` });
			expect(api.sent()).toStrictEqual([]);
		},
	);

	test('a host, and a folder on the way, may be called users', async () => {
		const generic = { serviceProfile: 'generic' };
		api.always('GET /users/v2/Users/user-1', [200, user('user-1', ANA, { groups: [] })]);
		expect((await read({ baseUrl: `${HOST}/users/v2`, ...generic })).json).toHaveLength(1);
		const { error } = await read({ baseUrl: 'https://users', ...generic });
		expect(error.message).not.toContain('ends in');
	});

	test.each([
		[401, 'generic', '', false],
		[403, 'generic', '', false],
		[401, 'accountOrganizations', '/scim', true],
		[403, 'accountOrganizations', '/scim', true],
	])('a %s of the profile %s speaks of account tokens where there are some', async (...given) => {
		const [status, serviceProfile, prefix, isTold] = given;
		api.always(`GET ${prefix}/Users/user-1`, accessDenied(status));
		const { description } = (await read({ serviceProfile })).error;
		expect(description).toMatch(/^Check the credential/);
		expect(description.includes('account token')).toBe(isTold);
	});

	const pattern = {
		groupsStandFor: 'organizationAndRole',
		groupPattern: 'app-{organization}-{role}',
	};
	const readOnly = { groupRoles: { role: [{ name: ' READ-ONLY ' }, { name: '' }] } };
	test.each([
		[
			'a group ID after a pattern',
			pattern,
			'app-sales-admin',
			{ organization: 'sales', role: 'admin' },
		],
		['a name that can be read in two ways', pattern, 'app-sales-read-only', {}],
		[
			'the same with Roles',
			{ ...pattern, ...readOnly },
			'app-sales-read-only',
			{ organization: 'sales', role: 'read-only' },
		],
		[
			'while groups stand for groups',
			{ ...pattern, ...readOnly, groupsStandFor: 'groups' },
			'app-sales-read-only',
			{},
		],
		[
			'a pattern that does not count',
			{
				serviceProfile: 'accountOrganizations',
				scimPrefix: 'nowhere',
				...pattern,
				groupPattern: 'x',
			},
			'org-1:admin',
			{ organization: 'org-1', role: 'admin' },
		],
	])('settings of the profile: %s', async (_what, credential, id, place) => {
		const w = new Groups({ ana: id }, { credential });
		const [item] = await play(w, ['group', 'get'], {
			chooseGroupBy: 'group',
			group: locator('id', id),
		});
		const { organization, role } = item;
		expect({ organization, role }).toEqual({ organization: undefined, role: undefined, ...place });
	});

	test('settings that cannot be used are refused', async () => {
		const w = new Groups(
			{ ana: '' },
			{ credential: { ...pattern, groupPattern: '{organization}' } },
		);
		const [{ error }] = await play(w, ['user', 'create'], { userName: 'x@example.com' });
		expect(error).toContain('is not a group pattern');
		expect(w.service.requests).toStrictEqual([]);
	});
});
