'use strict';

const { blockNetwork, listSearch, runNode, testCredential } = require('./harness');
const http = require('http');
const nock = require('nock');
const { NodeApiError, NodeOperationError, sleep } = require('n8n-workflow');

const HOST = 'https://directory.example.com';

class DirectoryApi {
	name = 'directoryApi';
	displayName = 'Directory API';
	properties = [
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: HOST },
		{ displayName: 'Token', name: 'token', type: 'string', default: '' },
		{ displayName: 'Prefix', name: 'prefix', type: 'string', default: 'tok' },
	];
	authenticate = {
		type: 'generic',
		properties: {
			headers: {
				Authorization: '=Bearer {{ $credentials.prefix }}-{{ $credentials.token }}',
				'={{ "X-" + $credentials.prefix }}': 'plain',
			},
			qs: { tenant: '={{ $credentials.prefix }}' },
		},
	};
	test = {
		request: {
			baseURL: '={{ $credentials.baseUrl }}',
			url: '/me',
			headers: { Accept: 'application/scim+json' },
			disableFollowRedirect: true,
		},
		rules: [
			{ type: 'responseCode', properties: { value: 403, message: 'The token may not read' } },
		],
	};
}

class BasicApi {
	name = 'directoryApi';
	displayName = 'Basic API';
	properties = [
		{ displayName: 'User', name: 'user', type: 'string', default: '' },
		{ displayName: 'Password', name: 'password', type: 'string', default: '' },
		{ displayName: 'Realm', name: 'realm', type: 'string', default: '' },
	];
	authenticate = {
		type: 'generic',
		properties: {
			auth: { username: '={{ $credentials.user }}', password: '={{ $credentials.password }}' },
			body: { realm: '={{ $credentials.realm }}' },
		},
	};
}

class Directory {
	description = {
		...{ displayName: 'Directory', name: 'directory', description: '', group: ['transform'] },
		...{ version: 1, defaults: { name: 'Directory' }, inputs: ['main'], outputs: ['main'] },
		credentials: [{ name: 'directoryApi', required: true }],
		properties: [
			{
				...{ displayName: 'Operation', name: 'operation', type: 'options', default: 'get' },
				options: ['get', 'post', 'refuse', 'wait', 'many', 'mutate'].map((value) => ({
					...{ name: value, value },
				})),
			},
			{
				...{ displayName: 'Email', name: 'email', type: 'string', default: '', required: true },
				displayOptions: { show: { operation: ['get'] } },
			},
			{ displayName: 'Path', name: 'path', type: 'string', default: 'Users' },
		],
	};

	methods = {
		listSearch: {
			async searchUsers() {
				const { baseUrl } = await this.getCredentials('directoryApi');
				const { Resources } = await this.helpers.httpRequestWithAuthentication.call(
					this,
					'directoryApi',
					{
						baseURL: baseUrl,
						url: `/${this.getCurrentNodeParameter('path')}`,
						json: true,
					},
				);
				return { results: Resources.map(({ id }) => ({ name: id, value: id })) };
			},
		},
	};

	async execute() {
		const output = [];
		const items = this.getInputData();
		const operation = this.getNodeParameter('operation', 0);
		if (operation === 'many') return [[0, 1].map((item) => ({ json: {}, pairedItem: [item, 2] }))];
		if (operation === 'mutate') {
			items[0].json.spoilt = true;
			return [[]];
		}
		if (operation === 'wait') {
			const signal = this.getExecutionCancelSignal();
			for (let slice = 0; slice < 200 && !signal.aborted; slice++) await sleep(5);
			return [[{ json: { aborted: signal.aborted } }]];
		}
		if (operation === 'refuse') throw new NodeOperationError(this.getNode(), 'No such thing');
		for (let itemIndex = 0; itemIndex < items.length; itemIndex++) {
			try {
				output.push({
					json: await this.helpers.httpRequestWithAuthentication.call(this, 'directoryApi', {
						baseURL: HOST,
						url: `/${this.getNodeParameter('path', itemIndex)}`,
						...(operation === 'post'
							? { method: 'POST', body: { kind: 'user' } }
							: { qs: { email: this.getNodeParameter('email', itemIndex) } }),
						json: true,
					}),
					pairedItem: { item: itemIndex },
				});
			} catch (error) {
				error.context.itemIndex = itemIndex;
				if (!this.continueOnFail()) throw error;
				output.push({ json: {}, error, pairedItem: { item: itemIndex } });
			}
		}
		return [output];
	}
}

const setup = {
	credentials: { directoryApi: { token: 'secret' } },
	credentialTypes: [new DirectoryApi()],
};
const run = (options) => runNode(new Directory(), { ...setup, ...options });
const byEmail = { email: '={{ $json.email }}' };

afterEach(() => {
	const unused = nock.pendingMocks();
	nock.cleanAll();
	expect(unused).toStrictEqual([]);
});

// Core modules outlive a test file, and so would nock's hold on them.
afterAll(() => nock.restore());

describe('runNode', () => {
	it('resolves expressions per item and signs requests from the credential', async () => {
		const headers = { authorization: 'Bearer tok-secret', 'x-tok': 'plain' };
		const api = nock(HOST, { reqheaders: headers });
		api.get('/Users').query({ email: 'a@x.org', tenant: 'tok' }).reply(200, { id: 'A' });
		api.get('/Users').query({ email: 'b@x.org', tenant: 'tok' }).reply(200, { id: 'B' });
		const items = [{ email: 'a@x.org' }, { email: 'b@x.org' }];
		const result = await run({ parameters: byEmail, items });
		expect(result).toMatchObject({ status: 'success', executed: true, error: undefined });
		expect(result.json).toEqual([{ id: 'A' }, { id: 'B' }]);
		expect(result.pairedItems).toEqual([[0], [1]]);
		expect(result.errorOutput).toStrictEqual([]);
		expect(result.input.map(({ json }) => json)).toEqual(items);
	});

	it('signs with basic authentication and into the body', async () => {
		nock(HOST)
			.post('/Users', { kind: 'user', realm: 'r' })
			.basicAuth({ user: 'u', pass: 'p' })
			.reply(201, {});
		const { status } = await run({
			parameters: { operation: 'post' },
			credentials: { directoryApi: { user: 'u', password: 'p', realm: 'r' } },
			credentialTypes: [new BasicApi()],
		});
		expect(status).toBe('success');
	});

	it('fails with the very error that the node threw', async () => {
		nock(HOST).get('/Users').query(true).reply(404, { detail: 'gone' });
		const { error, storedError, output, status } = await run({
			parameters: byEmail,
			items: [{ email: 'a@x.org' }],
		});
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({ httpCode: '404', context: { itemIndex: 0 } });
		expect(storedError).not.toBeInstanceOf(Error);
		expect(storedError).toMatchObject({ name: 'NodeApiError', message: error.message });
		expect({ output, status }).toEqual({ output: [], status: 'error' });
	});

	it('passes the items on when the node fails and the workflow continues', async () => {
		const { error, json, status } = await run({
			parameters: { operation: 'refuse' },
			items: [{ a: 1 }],
			onError: 'continueRegularOutput',
		});
		expect(error).toBeInstanceOf(NodeOperationError);
		expect({ json, status }).toEqual({ json: [{ a: 1 }], status: 'success' });
	});

	it('sends items with an error to the error output', async () => {
		nock(HOST).get('/Users').query({ email: 'a', tenant: 'tok' }).reply(200, { id: 'A' });
		nock(HOST).get('/Users').query({ email: 'b', tenant: 'tok' }).reply(500, {});
		const result = await run({
			parameters: byEmail,
			items: [{ email: 'a' }, { email: 'b' }],
			onError: 'continueErrorOutput',
		});
		expect(result.json).toEqual([{ id: 'A' }]);
		expect(result.errorJson).toEqual([{ error: result.errorOutput[0].error.message }]);
		expect(result.errorOutput[0].error).toBeInstanceOf(NodeApiError);
		expect(result.errorPairedItems).toEqual([[1]]);
		expect(result).toMatchObject({ status: 'success', error: undefined });
	});

	it('keeps items with an error on the regular output', async () => {
		nock(HOST).get('/Users').query(true).reply(500, {});
		const { output } = await run({
			parameters: byEmail,
			items: [{ email: 'a' }],
			onError: 'continueRegularOutput',
		});
		expect(output).toMatchObject([{ error: { httpCode: '500' }, pairedItem: { item: 0 } }]);
	});

	it('forgets the error of a try that a later one made good', async () => {
		nock(HOST).get('/Users').query(true).reply(500, {});
		nock(HOST).get('/Users').query(true).reply(200, { id: 'A' });
		const { error, json } = await run({
			parameters: byEmail,
			items: [{ email: 'a' }],
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect({ error, json }).toEqual({ error: undefined, json: [{ id: 'A' }] });
	});

	it('shows every source of an item that has several', async () => {
		const { pairedItems } = await run({ parameters: { operation: 'many' }, items: [{}, {}, {}] });
		expect(pairedItems).toEqual([
			[0, 2],
			[1, 2],
		]);
	});

	it('shows that a node changed its input, and leaves the items of the test alone', async () => {
		const items = [{ json: { a: 1 }, pairedItem: 0 }];
		const { input } = await run({ parameters: { operation: 'mutate' }, items });
		expect(input[0].json).toEqual({ a: 1, spoilt: true });
		expect(items[0].json).toEqual({ a: 1 });
	});

	it('does not execute a node that gets no items', async () => {
		const result = await run({ parameters: byEmail, items: [] });
		expect(result).toMatchObject({ executed: false, output: [], status: 'success' });
	});

	it('cancels after a time that counts from the start of the node', async () => {
		const result = await run({ parameters: { operation: 'wait' }, cancelAfterMs: 20 });
		expect(result).toMatchObject({ status: 'canceled', json: [{ aborted: true }] });
		expect(result.workflowError.message).toContain('cancelled');
	});

	it('cancels on a signal, which ends the request under way', async () => {
		const cancellation = new AbortController();
		nock(HOST)
			.get('/Users')
			.query(true)
			.reply(200, () => {
				cancellation.abort();
				return { id: 'too late' };
			});
		const result = await run({
			parameters: byEmail,
			items: [{ email: 'a' }, { email: 'never asked for' }],
			cancelSignal: cancellation.signal,
		});
		expect(result).toMatchObject({ status: 'canceled', output: [] });
		expect(result.error).toMatchObject({ httpCode: 'ERR_CANCELED' });
	});

	it('rejects what n8n would not start', async () => {
		await expect(run({ parameters: {} })).rejects.toThrow('Parameter "Email" is required.');
	});

	it.each([
		['a parameter', { parameters: { emial: '' } }, 'no parameter emial'],
		['a credential type', { credentialTypes: [] }, '"directoryApi" is not among'],
	])('rejects %s that does not exist', async (_what, options, message) => {
		await expect(run(options)).rejects.toThrow(message);
	});

	it('fails without the credentials that the node needs', async () => {
		const { error } = await run({ parameters: { operation: 'post' }, credentials: {} });
		expect(error.message).toBe('Node does not have any credentials set');
	});
});

describe('listSearch', () => {
	it('calls the method with credentials and parameters', async () => {
		nock(HOST, { reqheaders: { authorization: 'Bearer tok-secret' } })
			.get('/Groups')
			.query({ tenant: 'tok' })
			.reply(200, { Resources: [{ id: 'admins' }] });
		const options = { ...setup, parameters: { path: 'Groups' } };
		const result = await listSearch(new Directory(), 'searchUsers', options);
		expect(result).toEqual({ results: [{ name: 'admins', value: 'admins' }] });
	});

	it('fills in the defaults of the parameters', async () => {
		nock(HOST).get('/Users').query(true).reply(200, { Resources: [] });
		expect(await listSearch(new Directory(), 'searchUsers', setup)).toEqual({ results: [] });
	});

	it('throws what the method throws', async () => {
		nock(HOST).get('/Users').query(true).reply(503, {});
		await expect(listSearch(new Directory(), 'searchUsers', setup)).rejects.toMatchObject({
			httpCode: '503',
		});
	});
});

describe('testCredential', () => {
	const test = async (status, body = {}, times = 1) => {
		nock(HOST, {
			reqheaders: { authorization: 'Bearer tok-secret', accept: 'application/scim+json' },
		})
			.get('/me')
			.query({ tenant: 'tok' })
			.times(times)
			.reply(status, body);
		return await testCredential(new DirectoryApi(), { token: 'secret' });
	};

	it.each([
		['accepts a good answer', [200], 'OK', 'Connection successful!'],
		['gives the message of the rule for the status', [403], 'Error', 'The token may not read'],
		// n8n asks twice then.
		['names the status where there is no rule', [401, {}, 2], 'Error', 'Unauthorized'],
		['takes a redirect for a failure', [302], 'Error', expect.any(String)],
	])('%s', async (_, answer, status, message) => {
		expect(await test(...answer)).toEqual({ status, message });
	});

	it('names the code where there was no answer', async () => {
		const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
		nock(HOST).get('/me').query(true).replyWithError(refused);
		expect(await testCredential(new DirectoryApi(), { token: 'secret' })).toEqual({
			status: 'Error',
			message: 'ECONNREFUSED',
		});
	});
});

describe('the network', () => {
	it('is closed to a host that no test mocks', async () => {
		const { error } = await run({ parameters: byEmail, items: [{ email: 'a' }] });
		expect(error).toMatchObject({ httpCode: 'EBLOCKED' });
	});

	it('is closed with nock switched off, and to tools other than n8n', async () => {
		nock.restore();
		blockNetwork();
		try {
			await expect(fetch('https://example.com')).rejects.toMatchObject({
				cause: { code: 'EBLOCKED' },
			});
		} finally {
			nock.activate();
		}
	});

	it('is open to this machine', async () => {
		const server = http.createServer((_request, response) => response.end('{"id":"local"}'));
		await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
		const baseUrl = `http://127.0.0.1:${server.address().port}`;
		expect(await testCredential(new DirectoryApi(), { baseUrl })).toMatchObject({ status: 'OK' });
		await new Promise((closed) => server.close(closed));
	});
});
