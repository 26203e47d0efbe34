'use strict';

const { blockNetwork, runNode, testCredential } = require('./harness');
const { execFileSync } = require('node:child_process');
const { mkdtempSync, readdirSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { dirname, join } = require('node:path');
const http = require('http');
const nock = require('nock');
const { NodeApiError } = require('n8n-workflow');

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
			headers: { Authorization: '=Bearer {{ $credentials.prefix }}-{{ $credentials.token }}' },
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

class Directory {
	description = {
		...{ displayName: 'Directory', name: 'directory', description: '', group: ['transform'] },
		...{ version: 1, defaults: { name: 'Directory' }, inputs: ['main'], outputs: ['main'] },
		credentials: [{ name: 'directoryApi', required: true }],
		properties: [
			{
				...{ displayName: 'Operation', name: 'operation', type: 'options', default: 'get' },
				options: ['get', 'many', 'mutate'].map((value) => ({
					...{ name: value, value },
				})),
			},
			{
				...{ displayName: 'Email', name: 'email', type: 'string', default: '', required: true },
				displayOptions: { show: { operation: ['get'] } },
			},
		],
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
		for (let item = 0; item < items.length; item++) {
			const json = await this.helpers.httpRequestWithAuthentication.call(this, 'directoryApi', {
				...{ baseURL: HOST, url: '/Users', json: true },
				qs: { email: this.getNodeParameter('email', item) },
			});
			output.push({ json, pairedItem: { item } });
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
		const api = nock(HOST, { reqheaders: { authorization: 'Bearer tok-secret' } });
		api.get('/Users').query({ email: 'a@x.org' }).reply(200, { id: 'A' });
		api.get('/Users').query({ email: 'b@x.org' }).reply(200, { id: 'B' });
		const items = [{ email: 'a@x.org' }, { email: 'b@x.org' }];
		const result = await run({ parameters: byEmail, items });
		expect(result).toMatchObject({ status: 'success', executed: true, error: undefined });
		expect(result.json).toEqual([{ id: 'A' }, { id: 'B' }]);
		expect(result.pairedItems).toEqual([[0], [1]]);
		expect(result.errorOutput).toStrictEqual([]);
		expect(result.input.map(({ json }) => json)).toEqual(items);
	});

	it('fails with the very error that the node threw', async () => {
		nock(HOST).get('/Users').query(true).reply(404, { detail: 'gone' });
		const { error, storedError, output, status } = await run({
			parameters: byEmail,
			items: [{ email: 'a@x.org' }],
		});
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({ httpCode: '404' });
		expect(storedError).not.toBeInstanceOf(Error);
		expect(storedError).toMatchObject({ name: 'NodeApiError', message: error.message });
		expect({ output, status }).toEqual({ output: [], status: 'error' });
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
		const { error } = await run({ parameters: byEmail, items: [{ email: 'a' }], credentials: {} });
		expect(error.message).toBe('Node does not have any credentials set');
	});
});

describe('testCredential', () => {
	const test = async (status, body = {}, times = 1) => {
		nock(HOST, {
			reqheaders: { authorization: 'Bearer tok-secret', accept: 'application/scim+json' },
		})
			.get('/me')
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

describe('n8n-core is loaded', () => {
	test('by programs in a folder of its own, which is gone afterwards: nothing is written to a home', () => {
		const home = mkdtempSync(join(tmpdir(), 'home-'));
		try {
			const { N8N_ENCRYPTION_KEY, ...env } = process.env;
			const program = `require('./bench/support/scimNode');
				require('n8n-core');
				console.log(process.env.N8N_USER_FOLDER);`;
			const folder = execFileSync(process.execPath, ['-e', program], {
				env: { ...env, HOME: home, N8N_USER_FOLDER: home, TMPDIR: home },
				...{ cwd: join(__dirname, '..'), encoding: 'utf8' },
			}).trim();
			expect(N8N_ENCRYPTION_KEY).toBeDefined();
			expect(dirname(folder)).toBe(home);
			expect(readdirSync(home)).toStrictEqual([]);
		} finally {
			rmSync(home, { recursive: true });
		}
	});

	test('in one place by the programs of bench, demo and test', () => {
		const ROOT = join(__dirname, '..');
		const loading = ['bench', 'demo', 'test']
			.flatMap((folder) =>
				readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, name)),
			)
			.filter((name) => name.endsWith('.js') && !/node_modules|\.test\.js$/.test(name))
			.filter((name) => readFileSync(join(ROOT, name), 'utf8').includes("require('n8n-core')"));
		expect(loading).toEqual(['test/harness/core.js']);
	});
});
