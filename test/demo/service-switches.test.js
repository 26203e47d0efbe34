'use strict';

require('../support/noWaiting');

/** What can be switched on in the local service: lag, faults, limits; its log, its seed, its command. */

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const http = require('node:http');
const path = require('node:path');
const { startService } = require('../../demo/service');

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

const listed = async () => await (await send('GET', '/scim/Users')).json();
const ACTIONS = '/v0/notification-settings/org-3454/actions';
const actions = () =>
	fetch(service.url + ACTIONS, { headers: { 'X-API-Key': service.apiKeys['org-3454'] } });

describe('eventual consistency (2.1)', () => {
	let now;
	beforeEach(() => {
		now = 1000;
	});
	const at = (options) => start({ now: () => now, ...options });
	const NEW = 'new@example.com';

	test('lagReads: POST answers 201 without id, and the next n reads do not show the user', async () => {
		await start({ lagReads: 2 });
		const answer = await create(NEW);
		expect([answer.status, (await answer.json()).id]).toEqual([201, undefined]);
		const shown = [await find(NEW), await find(NEW), await find(NEW)];
		expect(shown.map(({ length }) => length)).toEqual([0, 0, 1]);
		expect((await create(NEW)).status).toBe(409);
	});

	test('lagMs: a write is seen when its time has come', async () => {
		await at({ lagMs: 50 });
		const shown = async () => [(await find(ADA))[0].active, (await find(NEW)).length];
		await setActive(false);
		now += 30;
		await create(NEW);
		expect(await shown()).toEqual([true, 0]);
		now += 25;
		expect(await shown()).toEqual([false, 0]);
		now += 30;
		expect(await shown()).toEqual([false, 1]);
	});

	test('indexLagMs: a user just created is missing in lists and filters, but not by id', async () => {
		await at({ indexLagMs: 1500 });
		const { id } = await (await create(NEW)).json();
		const shown = async () => [(await find(NEW)).length, (await listed()).totalResults];
		expect(await shown()).toEqual([0, 40]);
		expect((await send('GET', `/scim/Users/${id}`)).status).toBe(200);
		expect((await create(NEW)).status).toBe(409);
		now += 1500;
		expect(await shown()).toEqual([1, 41]);
	});

	test.each([
		['stale', 200, true],
		['204', 204, undefined],
	])('patchAnswers %s', async (patchAnswers, status, active) => {
		await start({ patchAnswers });
		const answer = await setActive(false);
		const text = await answer.text();
		expect([answer.status, text && JSON.parse(text).active]).toEqual([status, active ?? '']);
		expect((await find(ADA))[0].active).toBe(false);
	});
});

describe('limits', () => {
	const users = () => send('GET', '/scim/Users?count=1');

	test('pageCap: a page is never longer, and nobody says so', async () => {
		await start({ pageCap: 7 });
		const page = await (await send('GET', '/scim/Users?startIndex=1&count=100')).json();
		expect(page).toMatchObject({ totalResults: 40, itemsPerPage: 7 });
		expect((await (await send('GET', '/scim/Groups')).json()).Resources).toHaveLength(7);
	});

	test('rateLimit: 429 in plain text without Retry-After, refilled per minute, per organization', async () => {
		let now = 0;
		await start({ rateLimit: { capacity: 2, refillPerMinute: 5 }, now: () => now });
		const [, , refused] = [await users(), await users(), await users()];
		const type = refused.headers.get('content-type');
		expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, null]);
		expect(type).toContain('text/plain');
		expect((await actions()).status).toBe(200);
		now += 12_000;
		expect([(await users()).status, (await users()).status]).toEqual([200, 429]);
	});

	test('rateLimit with varied costs: a write costs more', async () => {
		await start({ rateLimit: { capacity: 4, refillPerMinute: 0, costs: 'varied' } });
		expect((await create('new@example.com')).status).toBe(201);
		expect((await users()).status).toBe(429);
	});

	test('latencyMs holds every answer', async () => {
		await start({ latencyMs: 30 });
		const from = Date.now();
		await users();
		expect(Date.now() - from).toBeGreaterThanOrEqual(29);
	});
});

describe('faults', () => {
	const NEW = 'new@example.com';
	const exists = () => service.state.userByName(NEW) !== undefined;
	const struck = (kind, more) => start({ faults: [{ kind, ...more }] });
	const PAGE = expect.stringContaining('<html>');

	/** What a create is answered, and whether there is a user then. */
	test.each([
		['reset-before', undefined, undefined, false],
		['reset-after', undefined, undefined, true],
		['500-after', 500, expect.any(String), true],
		['500-html', 500, PAGE, false],
		['html-403', 403, PAGE, false],
		['truncated', 201, expect.stringMatching(/^\{[^}]*$/), true],
		['error-in-200', 200, expect.stringMatching(/"status":"500"/), false],
		['empty-200', 200, '{}', false],
		['empty-200', 200, '{}', true, { write: true }],
		['429', 429, expect.any(String), false, { retryAfter: 'Wed, 21 Oct 2015 07:28:00 GMT' }],
		['429-after', 429, expect.stringMatching(/"status":"429"/), true],
	])('%s: %s', async (...[kind, status, text, stored, more]) => {
		await struck(kind, more);
		const answer = await create(NEW).catch(() => undefined);
		expect([answer?.status, await answer?.text()]).toEqual([status, text]);
		expect(exists()).toBe(stored);
		if (more?.retryAfter) expect(answer.headers.get('retry-after')).toBe(more.retryAfter);
	});

	test('timeout-after has written and never answers', async () => {
		await struck('timeout-after');
		const controller = new AbortController();
		const { signal } = controller;
		const sent = send('POST', '/scim/Users', { schemas: [USER], userName: NEW }, { signal });
		while (!exists()) await new Promise(setImmediate);
		setTimeout(() => controller.abort(), 60);
		await expect(sent).rejects.toThrow();
	});

	test('dropped is a 200 that kept nothing', async () => {
		await struck('dropped', { method: 'PATCH' });
		const answer = await setActive(false);
		expect([answer.status, (await answer.json()).active]).toEqual([200, true]);
		expect(service.state.userByName(ADA).active).toBe(true);
		expect(service.state.roleOf(ADA, 'org-3454')).toBe('admin');
	});

	test.each(['http://127.0.0.1:9/elsewhere', undefined])('redirect to %s', async (location) => {
		await struck('redirect', { location });
		const answer = await send('GET', '/scim/Users?count=1', undefined, { redirect: 'manual' });
		const other = `http://localhost:${service.port}/scim/Users?count=1`;
		expect([answer.status, answer.headers.get('location')]).toEqual([302, location ?? other]);
	});

	test('behind-plugin: what the plugin makes of a failure behind it', async () => {
		await struck('behind-plugin');
		const { id } = service.state.userByName(ADA);
		for (const [method, route, status, body] of [
			['GET', '/Groups', 400],
			[`GET`, `/Groups?filter=${encodeURIComponent(`members.value eq "${id}"`)}`, 200],
			['GET', '/Groups/org-acct1:viewer', 404],
			['GET', '/Groups/org-acct1:admin', 200],
			['PUT', '/Groups/org-3454:admin', 500, { members: [{ value: 'user-none' }] }],
			['GET', '/Users', 200],
		]) {
			const answer = await send(method, `/scim${route}`, body);
			const { scimType } = await answer.json();
			const type = status === 200 ? undefined : 'invalidSyntax';
			expect([route, answer.status, scimType]).toEqual([route, status, type]);
		}
		expect(service.state.roleOf(ADA, 'org-3454')).toBe('admin');
		expect((await setActive(false)).status).toBe(200);
	});

	test('a rule strikes by method, path, nth, every and times', async () => {
		await start({
			faults: [
				{ kind: '429', method: 'GET', path: '/scim/Users', nth: 2 },
				{ kind: '500-html', path: /Groups/g, every: 2, times: 1 },
			],
		});
		const [users, group] = ['/scim/Users', '/scim/Groups/org-3454:admin'];
		const seen = [];
		for (const route of [users, users, users, group, group, group, group])
			seen.push((await send('GET', route)).status);
		expect(seen).toEqual([200, 429, 200, 200, 500, 200, 200]);
		const faults = service.log.requests.flatMap(({ fault }) => fault ?? []);
		expect(faults).toEqual(['429', '500-html']);
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
		await actions();
		expect(service.log.requests).toMatchObject([
			{
				n: 1,
				method: 'POST',
				path: '/scim/Users',
				body: { userName: 'new@example.com' },
				status: 201,
			},
			{ n: 2, method: 'GET', path: '/scim/Users', query: { count: '1' }, status: 200 },
			{ n: 3, path: ACTIONS, status: 200 },
		]);
		const [first] = service.log.requests;
		expect(first.headersSeen['content-type']).toBe('application/scim+json');
		expect(first.headersSeen.names).toContain('authorization');
		const text = JSON.stringify(service.log.requests);
		expect(text).not.toContain(service.accountToken);
		expect(text).not.toContain(service.apiKeys['org-3454']);
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
	});

	test('the page gets names, and no value of a request whatever its form', async () => {
		await start();
		const { id } = service.state.userByName(ADA);
		const step = (path, value) => ({ op: 'replace', path, value });
		for (const Operations of [
			[step('password', 'secret-1'), step(undefined, { active: false, nickName: 'secret-2' })],
			[{ op: 'remove', path: `members[value eq "${id}"]` }, step('members', [{ value: id }, null])],
			[null, step(7, 'secret-3'), step(undefined, 'secret-4')],
			'secret-5',
		]) {
			await send('PATCH', `/scim/Users/${id}`, { Operations });
		}
		const text = await (await fetch(`${service.url}/__look`)).text();
		expect(text).not.toContain('secret');
		expect(text).not.toContain(service.accountToken);
		expect(JSON.parse(text)).toMatchObject({
			groups: expect.arrayContaining([
				{ name: 'Example Holding: admin', members: ['tobias.lindqvist@example.com'] },
			]),
			users: expect.arrayContaining([{ userName: ADA, active: false }]),
			requests: [
				{
					path: `/scim/Users/${ADA}`,
					details: ['replace password', 'replace active: false nickName'],
				},
				{ details: [`remove members[value eq ${ADA}]`, `replace members ${ADA}, `] },
				{ details: ['', 'replace 7', 'replace'] },
				{ details: [] },
			],
		});
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

	test('prints one line when ready, serves with its switches, and ends on SIGTERM', async () => {
		const child = run('--port', '0', '--page-cap', '5', '--filter', 'off', '--html-403-every', '3');
		const [line] = await once(child.stdout, 'data');
		const { url, accountToken, apiKey, pid } = JSON.parse(line);
		expect([pid, typeof apiKey]).toEqual([child.pid, 'string']);
		const get = (query) =>
			fetch(`${url}/scim/Users${query}`, { headers: { Authorization: `Bearer ${accountToken}` } });
		expect((await (await get('')).json()).itemsPerPage).toBe(5);
		expect((await get('?filter=x')).status).toBe(400);
		expect((await get('')).status).toBe(403);
		child.kill('SIGTERM');
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
