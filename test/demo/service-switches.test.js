'use strict';

require('../support/noWaiting');

/** What can be switched on in the local service: lag, faults, limits; its log, its seed, its command. */

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const http = require('node:http');
const path = require('node:path');
const { startService, seedOf } = require('../../demo/service');

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const ADA = 'margaret.osei@example.com';

let service;
const started = [];

async function start(options) {
	service = await startService(options);
	started.push(service);
	return service;
}

afterEach(() => Promise.all(started.splice(0).map((one) => one.close())));

const headers = () => ({
	Authorization: `Bearer ${service.accountToken}`,
	'Content-Type': 'application/scim+json',
});

const send = (method, route, body, more) =>
	fetch(service.url + route, {
		method,
		headers: headers(),
		body: body === undefined ? undefined : JSON.stringify(body),
		...more,
	});

const create = (userName) => send('POST', '/scim/Users', { schemas: [USER], userName });
const setActive = (value) =>
	send('PATCH', `/scim/Users/${service.state.userByName(ADA).id}`, {
		schemas: [PATCH_OP],
		Operations: [{ op: 'replace', path: 'active', value }],
	});
const find = async (userName) => {
	const filter = encodeURIComponent(`userName eq "${userName}"`);
	return (await (await send('GET', `/scim/Users?filter=${filter}`)).json()).Resources;
};

describe('eventual consistency (2.1)', () => {
	test('lagReads: POST answers 201 without id, and the next n reads do not show the user', async () => {
		await start({ lagReads: 2 });
		const answer = await create('new@example.com');
		expect(answer.status).toBe(201);
		expect(await answer.json()).not.toHaveProperty('id');
		expect(await find('new@example.com')).toHaveLength(0);
		expect(await find('new@example.com')).toHaveLength(0);
		expect(await find('new@example.com')).toHaveLength(1);
		expect((await create('new@example.com')).status).toBe(409);
	});

	test('lagMs: a write is seen when its time has come', async () => {
		let now = 1000;
		await start({ lagMs: 50, now: () => now });
		await setActive(false);
		now += 30;
		await create('new@example.com');
		expect((await find(ADA))[0].active).toBe(true);
		now += 25;
		expect((await find(ADA))[0].active).toBe(false);
		expect(await find('new@example.com')).toHaveLength(0);
		now += 30;
		expect(await find('new@example.com')).toHaveLength(1);
	});

	test('indexLagMs: a user just created is missing in lists and filters, but not by id', async () => {
		let now = 1000;
		await start({ indexLagMs: 1500, now: () => now });
		const { id } = await (await create('new@example.com')).json();
		const listed = async () => (await (await send('GET', '/scim/Users')).json()).totalResults;
		expect(await find('new@example.com')).toHaveLength(0);
		expect(await listed()).toBe(40);
		expect((await send('GET', `/scim/Users/${id}`)).status).toBe(200);
		expect((await create('new@example.com')).status).toBe(409);
		now += 1500;
		expect(await find('new@example.com')).toHaveLength(1);
		expect(await listed()).toBe(41);
	});

	test('patchAnswers stale: the answer still shows the old state', async () => {
		await start({ patchAnswers: 'stale' });
		expect((await (await setActive(false)).json()).active).toBe(true);
		expect((await find(ADA))[0].active).toBe(false);
	});

	test('patchAnswers 204: there is no body', async () => {
		await start({ patchAnswers: '204' });
		const answer = await setActive(false);
		expect([answer.status, await answer.text()]).toEqual([204, '']);
		expect(service.state.userByName(ADA).active).toBe(false);
	});
});

describe('limits', () => {
	test('pageCap: a page is never longer, and nobody says so', async () => {
		await start({ pageCap: 7 });
		const page = await (await send('GET', '/scim/Users?startIndex=1&count=100')).json();
		expect(page).toMatchObject({ totalResults: 40, itemsPerPage: 7 });
		expect((await (await send('GET', '/scim/Groups')).json()).Resources).toHaveLength(7);
	});

	test('rateLimit: 429 in plain text without Retry-After, refilled per minute, per organization', async () => {
		let now = 0;
		await start({ rateLimit: { capacity: 2, refillPerMinute: 5 }, now: () => now });
		const status = async () => (await send('GET', '/scim/Users?count=1')).status;
		expect([await status(), await status()]).toEqual([200, 200]);
		const refused = await send('GET', '/scim/Users?count=1');
		expect(refused.status).toBe(429);
		expect(refused.headers.get('retry-after')).toBeNull();
		expect(refused.headers.get('content-type')).toContain('text/plain');
		const other = await fetch(`${service.url}/v1/api-key/validate`, {
			headers: { 'X-API-Key': service.apiKey },
		});
		expect(other.status).toBe(200);
		now += 12_000;
		expect([await status(), await status()]).toEqual([200, 429]);
	});

	test('rateLimit with varied costs: a write costs more', async () => {
		await start({ rateLimit: { capacity: 4, refillPerMinute: 0, costs: 'varied' } });
		expect((await create('new@example.com')).status).toBe(201);
		expect((await send('GET', '/scim/Users?count=1')).status).toBe(429);
	});

	test('latencyMs holds every answer', async () => {
		await start({ latencyMs: 30 });
		const from = Date.now();
		await send('GET', '/scim/Users?count=1');
		expect(Date.now() - from).toBeGreaterThanOrEqual(29);
	});
});

describe('faults', () => {
	const exists = (userName) => service.state.userByName(userName) !== undefined;
	const struck = (kind, more) => start({ faults: [{ kind, ...more }] });
	const NEW = 'new@example.com';

	test('reset-before cuts before the write, reset-after after it', async () => {
		await struck('reset-before');
		await expect(create(NEW)).rejects.toThrow();
		expect(exists(NEW)).toBe(false);
		await struck('reset-after');
		await expect(create(NEW)).rejects.toThrow();
		expect(exists(NEW)).toBe(true);
	});

	test('500-after has written', async () => {
		await struck('500-after');
		expect((await create(NEW)).status).toBe(500);
		expect(exists(NEW)).toBe(true);
	});

	test('timeout-after has written and never answers', async () => {
		await struck('timeout-after');
		const controller = new AbortController();
		const { signal } = controller;
		const sent = send('POST', '/scim/Users', { schemas: [USER], userName: NEW }, { signal });
		while (!exists(NEW)) await new Promise(setImmediate);
		setTimeout(() => controller.abort(), 60);
		await expect(sent).rejects.toThrow();
	});

	test('429 with a Retry-After of any kind', async () => {
		await struck('429', { retryAfter: 'Wed, 21 Oct 2015 07:28:00 GMT' });
		const answer = await create(NEW);
		expect(answer.status).toBe(429);
		expect(answer.headers.get('retry-after')).toContain('2015');
		expect(exists(NEW)).toBe(false);
	});

	test('429-after has written', async () => {
		await struck('429-after', { method: 'PATCH' });
		const answer = await setActive(false);
		expect([answer.status, (await answer.json()).status]).toEqual([429, '429']);
		expect(service.state.userByName(ADA).active).toBe(false);
	});

	describe('behind-plugin: what the plugin makes of a failure behind it', () => {
		const answerTo = async (...request) => {
			const answer = await send(...request);
			return [answer.status, (await answer.json()).scimType];
		};
		const members = [{ value: 'user-none' }];

		beforeEach(() => struck('behind-plugin'));

		test('400 for the list of groups, but not for the groups of a person', async () => {
			expect(await answerTo('GET', '/scim/Groups')).toEqual([400, 'invalidSyntax']);
			const filter = encodeURIComponent(`members.value eq "${service.state.userByName(ADA).id}"`);
			expect((await send('GET', `/scim/Groups?filter=${filter}`)).status).toBe(200);
		});

		test('404 for an empty group, but not for one with members', async () => {
			expect(await answerTo('GET', '/scim/Groups/org-acct1:viewer')).toEqual([
				404,
				'invalidSyntax',
			]);
			expect((await send('GET', '/scim/Groups/org-acct1:admin')).status).toBe(200);
		});

		test('500 for a PUT of a group, and nothing was carried out', async () => {
			const put = ['PUT', '/scim/Groups/org-3454:admin', { members }];
			expect(await answerTo(...put)).toEqual([500, 'invalidSyntax']);
			expect(service.state.roleOf(ADA, 'org-3454')).toBe('admin');
		});

		test('the rest goes on', async () => {
			expect((await send('GET', '/scim/Users')).status).toBe(200);
			expect((await setActive(false)).status).toBe(200);
		});
	});

	test.each([
		['500-html', 500],
		['html-403', 403],
	])('%s is a page', async (kind, status) => {
		await struck(kind);
		const answer = await create(NEW);
		expect(answer.status).toBe(status);
		expect(await answer.text()).toContain('<html>');
		expect(exists(NEW)).toBe(false);
	});

	test('truncated is half a JSON text', async () => {
		await struck('truncated');
		const answer = await create(NEW);
		await expect(answer.json()).rejects.toThrow();
		expect(exists(NEW)).toBe(true);
	});

	test('error-in-200 and empty-200 have written nothing, unless they are told to', async () => {
		await struck('error-in-200');
		expect(await (await create(NEW)).json()).toMatchObject({ status: '500' });
		await struck('empty-200');
		expect(await (await create(NEW)).json()).toEqual({});
		expect(exists(NEW)).toBe(false);
		await struck('empty-200', { write: true });
		await create(NEW);
		expect(exists(NEW)).toBe(true);
	});

	test('dropped is a 200 that kept nothing', async () => {
		await struck('dropped', { method: 'PATCH' });
		const answer = await setActive(false);
		expect(answer.status).toBe(200);
		expect((await answer.json()).active).toBe(true);
		expect(service.state.userByName(ADA).active).toBe(true);
		expect(service.state.roleOf(ADA, 'org-3454')).toBe('admin');
	});

	test('redirect points to another host, or where it is told to', async () => {
		await struck('redirect', { location: 'http://127.0.0.1:9/elsewhere' });
		const answer = await send('GET', '/scim/Users', undefined, { redirect: 'manual' });
		expect(answer.status).toBe(302);
		expect(answer.headers.get('location')).toBe('http://127.0.0.1:9/elsewhere');
		await struck('redirect');
		const other = await send('GET', '/scim/Users?count=1', undefined, { redirect: 'manual' });
		expect(other.headers.get('location')).toBe(
			`http://localhost:${service.port}/scim/Users?count=1`,
		);
	});

	test('a rule strikes by method, path, nth, every and times', async () => {
		await start({
			faults: [
				{ kind: '429', method: 'GET', path: '/scim/Users', nth: 2 },
				{ kind: '500-html', path: /Groups/g, every: 2, times: 1 },
			],
		});
		const status = async (route) => (await send('GET', route)).status;
		const each = async (...routes) => {
			const seen = [];
			for (const route of routes) seen.push(await status(route));
			return seen;
		};
		expect(await each('/scim/Users', '/scim/Users', '/scim/Users')).toEqual([200, 429, 200]);
		const group = '/scim/Groups/org-3454:admin';
		expect(await each(group, group, group, group)).toEqual([200, 500, 200, 200]);
		expect(service.log.requests.map(({ fault }) => fault).filter(Boolean)).toEqual([
			'429',
			'500-html',
		]);
	});

	test('rate strikes by chance, and the same seed strikes the same requests', async () => {
		const run = async (randomSeed) => {
			await start({ randomSeed, faults: [{ kind: '429', rate: 0.3 }] });
			const seen = [];
			for (let i = 0; i < 40; i++) seen.push((await send('GET', '/scim/Users?count=1')).status);
			return seen;
		};
		const first = await run(7);
		expect(await run(7)).toEqual(first);
		expect(await run(8)).not.toEqual(first);
		const struckTimes = first.filter((status) => status === 429).length;
		expect(struckTimes).toBeGreaterThan(4);
		expect(struckTimes).toBeLessThan(24);
	});

	test('rules can be added and taken away while it runs; an unknown kind is refused', async () => {
		await start();
		service.faults.add({ kind: '429', times: 1 });
		expect((await send('GET', '/scim/Users')).status).toBe(429);
		service.faults.add({ kind: '429' });
		service.faults.clear();
		expect((await send('GET', '/scim/Users')).status).toBe(200);
		await expect(startService({ faults: [{ kind: 'gremlin' }] })).rejects.toThrow('gremlin');
	});
});

describe('log and table', () => {
	test('every request is written down, and no token', async () => {
		await start();
		await create('new@example.com');
		await send('GET', '/scim/Users?count=1');
		await fetch(`${service.url}/v1/api-key/validate`, { headers: { 'X-API-Key': service.apiKey } });
		expect(service.log.requests).toMatchObject([
			{
				n: 1,
				method: 'POST',
				path: '/scim/Users',
				body: { userName: 'new@example.com' },
				status: 201,
			},
			{ n: 2, method: 'GET', path: '/scim/Users', query: { count: '1' }, status: 200 },
			{ n: 3, path: '/v1/api-key/validate', status: 200 },
		]);
		const [first] = service.log.requests;
		expect(first.headersSeen['content-type']).toBe('application/scim+json');
		expect(first.headersSeen.names).toContain('authorization');
		const text = JSON.stringify(service.log.requests);
		expect(text).not.toContain(service.accountToken);
		expect(text).not.toContain(service.apiKey);
	});

	test('count and clear', async () => {
		await start();
		await send('GET', '/scim/Users');
		await send('GET', '/scim/Groups/org-3454%3Aadmin');
		expect(service.log.count()).toBe(2);
		expect(service.log.count({ method: 'get', path: /Groups/ })).toBe(1);
		expect(service.log.count({ path: '/scim/Groups/org-3454:admin' })).toBe(1);
		expect(service.log.count({ method: 'POST' })).toBe(0);
		service.log.clear();
		expect(service.log.requests).toStrictEqual([]);
	});

	test('from another process: /__log and /__table, which are not in the log', async () => {
		await start();
		await create('new@example.com');
		const look = async (route) => (await fetch(service.url + route)).json();
		expect(await look('/__log')).toMatchObject([{ method: 'POST' }]);
		const { organizations, people } = await look('/__table');
		expect(organizations[1]).toEqual({ id: 'org-3454', name: 'Marketing' });
		expect(people[0]).toEqual({
			userName: ADA,
			active: true,
			roles: {
				'org-acct1': 'admin',
				'org-3454': 'admin',
				'org-7788': 'admin',
				'org-9120': 'admin',
			},
		});
		expect((await fetch(`${service.url}/__log`, { method: 'DELETE' })).status).toBe(204);
		expect(await look('/__log')).toStrictEqual([]);
	});

	test('onRequest comes between arrival and the handler', async () => {
		await start({
			onRequest: (entry, state) => {
				if (entry.method === 'GET') state.directory.create('meanwhile@example.com');
			},
		});
		expect(await find('meanwhile@example.com')).toHaveLength(1);
	});
});

describe('seed', () => {
	test('40 people, 4 organizations, several admins each, one with a single active admin', async () => {
		await start();
		const { organizations, people } = service.state.table();
		expect([organizations.length, people.length]).toEqual([4, 40]);
		const admins = (id) => people.filter(({ roles }) => roles[id] === 'admin');
		for (const { id } of organizations) expect(admins(id).length).toBeGreaterThan(1);
		expect(admins('org-9120').filter(({ active }) => active)).toHaveLength(1);
		expect(people.filter(({ active }) => !active).length).toBeGreaterThan(3);
		expect(people.filter(({ roles }) => Object.keys(roles).length === 0).length).toBeGreaterThan(3);
		expect(service.state.mailsSent).toStrictEqual([]);
	});

	test('every seeded configuration passes its own validation', async () => {
		await start();
		for (const [organization, models] of service.state.alerting.models) {
			for (const model of models.keys()) {
				const route = `${service.url}/v0/organizations/${organization}/models/${model}/monitor-config/v3`;
				const key = { 'X-API-Key': service.apiKeys[organization] };
				const body = await (await fetch(route, { headers: key })).text();
				const answer = await fetch(`${route}/validate`, { method: 'PUT', headers: key, body });
				expect([organization, model, answer.status]).toEqual([organization, model, 200]);
			}
		}
	});

	test('a big one: 10,000 people in 67 organizations', async () => {
		await start({ seed: seedOf({ users: 10_000, organizations: 67, rolesPerUser: 2 }) });
		const page = await (await send('GET', '/scim/Users?startIndex=9901&count=200')).json();
		expect(page).toMatchObject({ totalResults: 10_000, itemsPerPage: 100 });
	});

	test('two services share nothing', async () => {
		const first = await start();
		await create('new@example.com');
		const second = await start();
		expect(first.state.userByName('new@example.com')).toBeDefined();
		expect(second.state.userByName('new@example.com')).toBeUndefined();
	});
});

describe('command', () => {
	const run = (...args) =>
		spawn(process.execPath, [path.join(__dirname, '../../demo/service/cli.js'), ...args]);

	async function ready(child) {
		const [line] = await once(child.stdout, 'data');
		return JSON.parse(line);
	}

	test('prints one line when ready, serves with its switches, and ends on SIGTERM', async () => {
		const child = run('--port', '0', '--page-cap', '5', '--filter', 'off', '--html-403-every', '3');
		const { url, accountToken, apiKey, pid } = await ready(child);
		expect([pid, typeof apiKey]).toEqual([child.pid, 'string']);
		const get = (query) =>
			fetch(`${url}/scim/Users${query}`, { headers: { Authorization: `Bearer ${accountToken}` } });
		expect((await (await get('')).json()).itemsPerPage).toBe(5);
		expect((await get('?filter=x')).status).toBe(400);
		expect((await get('')).status).toBe(403);
		child.kill('SIGTERM');
		expect((await once(child, 'exit'))[0]).toBe(0);
	});

	test('ends with its parent only when told to', async () => {
		const child = run('--exit-with-parent');
		await ready(child);
		child.stdin.end();
		expect((await once(child, 'exit'))[0]).toBe(0);
	});

	test('refuses what it does not know', async () => {
		const child = run('--filter', 'maybe');
		expect((await once(child, 'exit'))[0]).toBe(2);
	});
});

test('it listens on the loopback address only', async () => {
	await start();
	expect(service.url).toBe(`http://127.0.0.1:${service.port}`);
	const other = Object.values(require('node:os').networkInterfaces())
		.flat()
		.find(({ internal, family }) => !internal && family === 'IPv4');
	if (!other) return;
	const request = http.get({ host: other.address, port: service.port });
	await expect(once(request, 'response')).rejects.toThrow();
});

test('close may be called twice', async () => {
	await start();
	await service.close();
	await service.close();
});
