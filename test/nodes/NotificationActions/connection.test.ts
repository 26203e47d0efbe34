import { KEY } from '../../support/alertNode';
import { byId } from '../../support/node';
import { withSecureServer, withUnreachedServer } from '../../support/secureServer';
import { alertChecked, HOST, wire } from '../../support/wire';

const api = wire();

const PATH = '/v0/notification-settings/org-3454/actions';
const LIST = `GET ${PATH}`;
const CHAT = { id: 'chat', type: 'SLACK', payload: {} };

const list = async (credential = {}, more = {}) =>
	await alertChecked('action', 'getAll', { options: { maxWait: 0 } }, { credential, ...more });

const save = async (credential = {}, more = {}) =>
	await alertChecked(
		'action',
		'upsert',
		{ actionId: 'mail', kind: 'email', email: 'ops@example.com', options: { maxWait: 0 } },
		{ credential, ...more },
	);

describe('headers', () => {
	it('of a read: key, media type, name of the package; nothing about a body', async () => {
		api.answer(LIST, [200, [CHAT]]);

		await list();

		const [{ headers }] = api.requests;
		expect(headers).toMatchObject({
			'x-api-key': KEY,
			accept: 'application/json',
			'user-agent': expect.stringMatching(/^n8n-nodes-scim-provisioning\//),
		});
		expect(headers).not.toHaveProperty('content-type');
		expect(headers).not.toHaveProperty('authorization');
	});

	it('of a write: the media type of the body too', async () => {
		const saved = { id: 'mail', type: 'EMAIL', payload: { email: 'ops@example.com' } };
		api.answer(LIST, [200, []], [200, [saved]]);
		api.answer(`PUT ${PATH}/EMAIL/mail`, [200]);

		await save();

		expect(api.requests[1].headers).toMatchObject({
			'x-api-key': KEY,
			'content-type': 'application/json',
		});
	});

	it('of a write without body: nothing of one', async () => {
		const action = (enabled: boolean) => [{ ...CHAT, enabled }];
		api.answer(LIST, [200, action(true)], [200, action(false)]);
		api.answer(`PUT ${PATH}/chat/disable`, [200]);

		const { json } = await alertChecked('action', 'disable', { action: byId('chat') });

		expect(json).toMatchObject([{ enabled: false, status: 'done' }]);
		expect(api.requests[1].body).toBeUndefined();
	});
});

describe('the Base URL', () => {
	it.each([`${HOST}/`, ` ${HOST}// `])('may be written "%s"', async (baseUrl) => {
		api.answer(LIST, [200, [CHAT]]);

		expect((await list({ baseUrl })).json).toMatchObject([{ id: 'chat' }]);
	});

	it('may have a path', async () => {
		api.answer(`GET /gate/way${PATH}`, [200, [CHAT]]);

		expect((await list({ baseUrl: `${HOST}/gate/way/` })).json).toMatchObject([{ id: 'chat' }]);
	});

	it.each([
		['without a scheme', 'scim.test', 'does not start with http:// or https://'],
		['with another scheme', 'ftp://scim.test', 'does not start with http:// or https://'],
		['with a password', 'http://me:hunter2-secret@scim.test', 'contains a user name or password'],
		['with a query', `${HOST}?tenant=1`, 'contains a query'],
		['that is none', 'http://', 'is not a valid URL'],
		['that is empty', ' ', 'is missing'],
	])('%s is refused', async (_what, baseUrl, message) => {
		const results = [
			await list({ baseUrl }, { secrets: ['hunter2-secret'] }),
			await save({ baseUrl }, { secrets: ['hunter2-secret'] }),
		];

		expect(api.sent()).toStrictEqual([]);
		for (const { error } of results) {
			expect(error).toMatchObject({
				name: 'NodeOperationError',
				message: expect.stringContaining(message),
			});
			expect(error?.description).toBeTruthy();
		}
	});
});

describe('the key', () => {
	it.each([
		['a line break at the end', `${KEY}\n`],
		['a line break inside', 'secret-one\r\nX-Evil: secret-two'],
		['a blank', 'secret-one secret-two'],
		['a letter that no header takes', 'secret-öne'],
	])('with %s is refused, and shown nowhere', async (_what, apiKey) => {
		const secrets = ['secret-one', 'secret-two', 'secret-öne'];
		const results = [await list({ apiKey }, { secrets }), await save({ apiKey }, { secrets })];

		expect(api.sent()).toStrictEqual([]);
		for (const { error } of results) {
			expect(error).toMatchObject({
				name: 'NodeOperationError',
				message: expect.stringContaining('The API Key contains whitespace or invalid characters'),
			});
		}
	});

	it('that is empty is refused', async () => {
		const { error } = await list({ apiKey: ' ' });

		expect(api.sent()).toStrictEqual([]);
		expect(error?.message).toBe('The API Key is missing');
	});

	it('that cannot be used fails every item, with Continue On Fail too', async () => {
		const { errorPairedItems, json } = await save(
			{ apiKey: 'a b' },
			{ items: [{}, {}], onError: 'continueErrorOutput' },
		);

		expect(json).toStrictEqual([]);
		expect(errorPairedItems).toEqual([[0], [1]]);
	});
});

describe('the organization', () => {
	it('is that of the credential, or another one of the options', async () => {
		api.answer(LIST, [200, []]);
		api.answer('GET /v0/notification-settings/org-7788/actions', [200, []]);

		await list();
		await alertChecked('action', 'getAll', { options: { organizationId: ' org-7788 ' } });

		expect(api.sent()).toHaveLength(2);
	});

	it('stays inside its own segment of the path', async () => {
		api.answer('GET /v0/notification-settings/org-1%2F..%2Fx%3Fy/actions', [200, []]);

		expect((await list({ organizationId: 'org-1/../x?y' })).error).toBeUndefined();
	});

	it.each([
		['missing', ' ', 'The Organization ID is missing'],
		['no id', '..', '".." is not an ID'],
	])('that is %s is refused', async (_what, organizationId, message) => {
		const { error } = await list({ organizationId });

		expect(api.sent()).toStrictEqual([]);
		expect(error?.message).toBe(message);
	});
});

describe('a redirect', () => {
	it.each([
		[301, 'http://elsewhere.test/v0'],
		[302, 'http://127.0.0.1:9/v0'],
		[307, '/v0/elsewhere'],
		[308, 'http://elsewhere.test/v0'],
	])('%s to %s is refused: the key goes nowhere else', async (status, location) => {
		api.always(LIST, [status, '', { Location: location }]);

		const results = [await list(), await save()];

		// Each its first request, and no other.
		expect(api.sent()).toEqual([LIST, LIST]);
		for (const { error } of results) {
			expect(error).toMatchObject({
				message: expect.stringContaining('the service redirects to'),
				description: expect.stringContaining('Redirects are not followed'),
			});
		}
	});

	it('of a write is refused, too, and the write is not taken for done', async () => {
		api.answer(LIST, [200, []]);
		api.answer(`PUT ${PATH}/EMAIL/mail`, [308, '', { Location: `http://elsewhere.test${PATH}` }]);

		const { error } = await save();

		expect(error?.message).toBe(
			'Could not create action mail: the service redirects to elsewhere.test',
		);
	});
});

describe('a self-signed certificate', () => {
	it('is refused, and the way out is said', async () => {
		await withSecureServer([CHAT], async (baseUrl, requests) => {
			const { error } = await list({ baseUrl });

			expect(requests).toStrictEqual([]);
			expect(error).toMatchObject({
				message: 'Could not list the actions: the certificate of the service is self-signed',
				description: expect.stringContaining('Ignore SSL Issues'),
			});
		});
	});

	it('is accepted with Ignore SSL Issues', async () => {
		await withSecureServer([CHAT], async (baseUrl) => {
			expect((await list({ baseUrl, ignoreSslIssues: true })).json).toMatchObject([{ id: 'chat' }]);
		});
	});
});

it.each([
	['http', 'the service does not speak https on this port', 'Check the port of the Base URL ('],
	['oldTls', 'the service broke off the https handshake', 'Check the Base URL ('],
] as const)('says why https fails on a server of %s', async (kind, happened, remedy) => {
	await withUnreachedServer(kind, async (baseUrl) => {
		const { error } = await list({ baseUrl });

		expect(error).toMatchObject({
			message: `Could not list the actions: ${happened}`,
			description: expect.stringContaining(remedy + baseUrl.slice('https://'.length)),
		});
	});
});

it('says that the connection was refused', async () => {
	const { error } = await list({ baseUrl: 'http://127.0.0.1:9' });

	expect(error).toMatchObject({
		message: 'Could not list the actions: the connection was refused',
		description: expect.stringContaining('127.0.0.1:9'),
	});
});

it('a status that is neither number nor text is no error, and no reason to fail in other words', async () => {
	api.answer(LIST, [200, { status: { toString: 1, valueOf: 2 } }]);

	const { error } = await list();
	expect(error?.message).toBe(
		'Could not list the actions: the service answered 200 without a list',
	);
});
