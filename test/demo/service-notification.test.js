'use strict';

/** Actions and monitor configurations of the local service: docs/interface.md 1.6, 2.4, 2.5. */

const { startService } = require('../../demo/service');

const ORG = 'org-3454';
const ACTIONS = `/v0/notification-settings/${ORG}/actions`;
const configOf = (model) => `/v0/organizations/${ORG}/models/${model}/monitor-config`;
const CONFIG = `${configOf('model-2')}/v3`;

let service;
const started = [];

async function start(options) {
	service = await startService(options);
	started.push(service);
}

beforeEach(() => start());

afterEach(() => Promise.all(started.splice(0).map((one) => one.close())));

async function send(method, path, body, headers = {}) {
	const answer = await fetch(service.url + path, {
		method,
		headers: { 'X-API-Key': service.apiKey, accept: 'application/json', ...headers },
		body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
	});
	const text = await answer.text();
	const isJson = (answer.headers.get('content-type') ?? '').includes('json');
	return { status: answer.status, text, body: isJson ? JSON.parse(text) : undefined };
}

const get = async (path) => (await send('GET', path)).body;
const put = (path, body) => send('PUT', path, body);

describe('keys (1.7, 2.4)', () => {
	test.each([
		['a wrong key', () => 'nonsense'],
		['the account token', () => service.accountToken],
		['the key of another organization', () => service.apiKeys['org-7788']],
	])('%s is 403', async (_, key) => {
		const answer = await send('GET', ACTIONS, undefined, { 'X-API-Key': key() });
		expect(answer.status).toBe(403);
		expect(Object.keys(answer.body).sort()).toEqual(['message', 'requestId', 'type']);
	});

	test('GET /v1/api-key/validate tells a good key from a bad one', async () => {
		expect((await send('GET', '/v1/api-key/validate')).status).toBe(200);
		const bad = await send('GET', '/v1/api-key/validate', undefined, { 'X-API-Key': 'x' });
		expect(bad.status).toBe(403);
	});
});

describe('actions (1.6, 2.4)', () => {
	test('a list item has its secrets in clear and names the monitors that use it', async () => {
		const [pager] = await get(ACTIONS);
		expect(Object.keys(pager).sort()).toEqual(
			['creationTime', 'enabled', 'id', 'lastUpdate', 'payload', 'references', 'type'].sort(),
		);
		expect(pager.payload.pagerDutyKey).toBe('demo-service-key-3454');
		expect(pager.references[0]).toEqual({
			datasetId: 'model-1',
			monitorId: 'checkout-page-unique-values-monitor',
		});
	});

	test('the default e-mail action is not in the list', async () => {
		expect((await get(ACTIONS)).map(({ id }) => id)).not.toContain('email');
	});

	test.each([
		['EMAIL', { email: 'a@example.com' }],
		['SLACK', { slackWebhook: 'not a url' }],
		['PAGER_DUTY', { pagerDutyKey: 'k' }],
		['TEAMS', { webhook: 'https://x.example.com' }],
		['WEBHOOK', { url: 'https://x.example.com', method: 'POST', headers: { a: 'b' }, body: '{}' }],
	])('PUT %s answers 200 with an empty body and stores the payload', async (kind, payload) => {
		expect(await put(`${ACTIONS}/${kind}/my-action`, payload)).toMatchObject({
			status: 200,
			text: '',
		});
		expect(await get(`${ACTIONS}/my-action`)).toMatchObject({ type: kind, payload, enabled: true });
	});

	test('a missing field is stored as PLACEHOLDER, except for EMAIL', async () => {
		expect((await put(`${ACTIONS}/SLACK/s-1`, { webhook: 'x' })).status).toBe(200);
		expect((await get(`${ACTIONS}/s-1`)).payload).toEqual({ slackWebhook: 'PLACEHOLDER' });
		const refused = await put(`${ACTIONS}/EMAIL/e-1`, {});
		expect(refused).toMatchObject({ status: 400, body: { parameter: 'email' } });
	});

	test('an unknown kind and an invalid id are 400', async () => {
		expect((await put(`${ACTIONS}/PIGEON/p-1`, {})).status).toBe(400);
		expect((await put(`${ACTIONS}/SLACK/not%20ok`, {})).status).toBe(400);
	});

	test('PUT with another kind changes the kind', async () => {
		await put(`${ACTIONS}/EMAIL/marketing-chat`, { email: 'a@example.com' });
		expect(await get(`${ACTIONS}/marketing-chat`)).toMatchObject({
			type: 'EMAIL',
			payload: { email: 'a@example.com' },
		});
	});

	test('the id of a deleted action cannot be used again', async () => {
		expect(await send('DELETE', `${ACTIONS}/old-hook`)).toMatchObject({ status: 200, text: '' });
		expect((await put(`${ACTIONS}/SLACK/old-hook`, { slackWebhook: 'x' })).status).toBe(404);
		const posted = await send('POST', `${ACTIONS}/SLACK/old-hook`, { slackWebhook: 'x' });
		expect(posted.status).toBe(409);
	});

	test('POST of an action that exists is 409', async () => {
		const answer = await send('POST', `${ACTIONS}/EMAIL/marketing-mail`, {
			email: 'a@example.com',
		});
		expect(answer.status).toBe(409);
	});

	test('DELETE of an action in use is 404 ResourceConstraint', async () => {
		const answer = await send('DELETE', `${ACTIONS}/oncall-pager`);
		expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceConstraint' } });
		expect(answer.body.requestId).toEqual(expect.any(String));
	});

	test('enable and disable', async () => {
		await put(`${ACTIONS}/marketing-mail/disable`);
		expect((await get(`${ACTIONS}/marketing-mail`)).enabled).toBe(false);
		await put(`${ACTIONS}/marketing-mail/enable`);
		expect((await get(`${ACTIONS}/marketing-mail`)).enabled).toBe(true);
	});

	test('a test is written down and sent to nobody', async () => {
		expect((await send('POST', `${ACTIONS}/marketing-chat/test`)).status).toBe(200);
		expect(service.state.testsSent).toMatchObject([{ actionId: 'marketing-chat' }]);
	});

	test.each([
		['GET', ''],
		['DELETE', ''],
		['PUT', '/enable'],
		['PUT', '/disable'],
		['POST', '/test'],
	])('%s .../actions/{unknown}%s is 404', async (method, rest) => {
		expect((await send(method, `${ACTIONS}/nothing-here${rest}`)).status).toBe(404);
	});
});

describe('monitor configuration (1.6, 2.5)', () => {
	const ids = (document) => document.monitors.map(({ id }) => id);

	test('a model that was never configured has a default document', async () => {
		expect(await get(`${configOf('model-3')}/v3`)).toEqual({
			orgId: ORG,
			datasetId: 'model-3',
			granularity: 'daily',
			analyzers: [],
			monitors: [],
		});
	});

	test('an unknown model is 404', async () => {
		expect((await send('GET', `${configOf('model-99')}/v3`)).status).toBe(404);
	});

	test('every literal comes back as it was written', async () => {
		const text = (await send('GET', `${configOf('model-1')}/v3`)).text;
		const changed = text.replace(
			'{',
			'{"x-odd":[1.0,-0,1E5,12345678901234567890,"\\u00e9\\"",{"10":1,"2":2}],',
		);
		expect((await put(`${configOf('model-1')}/v3`, changed)).body).toEqual({
			requestId: expect.any(String),
		});
		const after = (await send('GET', `${configOf('model-1')}/v3`)).text;
		expect(after).toContain('"x-odd":[1.0,-0,1E5,12345678901234567890,"é\\"",{"10":1,"2":2}]');
		const unstamped = (json) =>
			json.replace(/"metadata":\{[^}]*\}/g, '"metadata":{}').replace('\\u00e9', 'é');
		expect(unstamped(after)).toBe(unstamped(changed));
	});

	test('metadata is the service’s own; version goes up by one per write', async () => {
		const before = await get(CONFIG);
		const forged = { ...before, metadata: { version: 900, author: 'me' } };
		await put(CONFIG, forged);
		const after = await get(CONFIG);
		expect(after.metadata).toEqual({
			schemaVersion: 1,
			author: service.apiKey.split('.')[0],
			updatedTimestamp: expect.any(Number),
			version: before.metadata.version + 1,
		});
		expect(after.monitors[0].metadata.version).toBe(before.monitors[0].metadata.version + 1);
	});

	test('PUT replaces; a body without monitors deletes all of them', async () => {
		const { monitors, ...rest } = await get(CONFIG);
		await put(CONFIG, { ...rest, monitors: monitors.slice(1) });
		expect(ids(await get(CONFIG))).toEqual(ids({ monitors: monitors.slice(1) }));
		await put(CONFIG, rest);
		expect((await get(CONFIG)).monitors).toEqual([]);
		await put(CONFIG, {});
		expect((await get(CONFIG)).analyzers).toEqual([]);
	});

	test.each([
		['a type other than global', { type: 'email', target: 'marketing-mail' }],
		['a target that does not exist', { type: 'global', target: 'nowhere' }],
		['no target', { type: 'global' }],
	])('the whole document is validated: %s', async (_, action) => {
		const document = await get(CONFIG);
		document.monitors[2].actions = [action];
		const answer = await put(CONFIG, document);
		expect(answer.status).toBe(400);
		expect(answer.body.parameter).toContain('monitors[2].actions[0]');
		expect((await put(`${CONFIG}/validate`, document)).status).toBe(400);
		expect((await get(CONFIG)).metadata.version).toBe(document.metadata.version);
	});

	test.each([
		['id', 'short'],
		['mode', { type: 'SOMETIMES' }],
		['schedule', undefined],
		['severity', 'high'],
		['tags', 'one'],
	])('a monitor with a wrong %s is refused', async (name, value) => {
		const document = await get(CONFIG);
		document.monitors[0][name] = value;
		expect((await put(CONFIG, document)).status).toBe(400);
	});

	test('two monitors of one id are refused', async () => {
		const document = await get(CONFIG);
		document.monitors.push(document.monitors[0]);
		expect((await put(CONFIG, document)).status).toBe(400);
	});

	test('at most 100 actions per monitor; the same target twice is let through', async () => {
		const document = await get(CONFIG);
		const twice = (n) => Array(n).fill({ type: 'global', target: 'marketing-mail' });
		document.monitors[0].actions = twice(101);
		expect((await put(CONFIG, document)).status).toBe(400);
		document.monitors[0].actions = twice(2);
		expect((await put(CONFIG, document)).status).toBe(200);
	});

	test('an action id of more than 100 characters can be made but never attached', async () => {
		const id = 'a'.repeat(101);
		expect((await put(`${ACTIONS}/SLACK/${id}`, { slackWebhook: 'x' })).status).toBe(200);
		const document = await get(CONFIG);
		document.monitors[0].actions = [{ type: 'global', target: id }];
		expect((await put(CONFIG, document)).status).toBe(400);
	});

	test('the target email needs the organization’s address', async () => {
		const path = '/v0/organizations/org-7788/models/model-1/monitor-config/v3';
		const key = { 'X-API-Key': service.apiKeys['org-7788'] };
		const document = (await send('GET', path, undefined, key)).body;
		document.monitors[0].actions = [{ type: 'global', target: 'email' }];
		expect((await send('PUT', path, document, key)).status).toBe(400);
		const marketing = await get(CONFIG);
		marketing.monitors[2].actions = [{ type: 'global', target: 'email' }];
		expect((await put(CONFIG, marketing)).status).toBe(200);
	});

	test('JSON that cannot be parsed is 400 in plain text', async () => {
		expect(await put(CONFIG, '{"monitors":')).toMatchObject({ status: 400, body: undefined });
	});

	test('a writer that comes late is dropped with 200', async () => {
		const document = await get(CONFIG);
		service.options.latencyMs = 20;
		const answers = await Promise.all([
			put(CONFIG, { ...document, 'x-writer': 1 }),
			put(CONFIG, { ...document, 'x-writer': 2 }),
		]);
		expect(answers.map(({ status }) => status)).toEqual([200, 200]);
		expect((await get(CONFIG)).metadata.version).toBe(document.metadata.version + 1);
	});

	test('another writer between read and write is lost without a word, and the version jumps by two', async () => {
		const document = await get(CONFIG);
		await put(CONFIG, { ...document, 'x-other': true });
		await put(CONFIG, document);
		const after = await get(CONFIG);
		expect(after).not.toHaveProperty('x-other');
		expect(after.metadata.version).toBe(document.metadata.version + 2);
	});

	test('validate writes nothing', async () => {
		const document = await get(CONFIG);
		const answer = await put(`${CONFIG}/validate`, { ...document, monitors: [] });
		expect(answer.status).toBe(200);
		expect(await get(CONFIG)).toEqual(document);
	});

	describe('PATCH', () => {
		test('merges by id: listed monitors are replaced or added, the others kept as they are', async () => {
			const before = (await send('GET', `${configOf('model-1')}/v3`)).text;
			const { monitors } = JSON.parse(before);
			const changed = { ...monitors[1], actions: [] };
			const added = { ...monitors[0], id: 'a-monitor-of-our-own' };
			const body = { monitors: [changed, added], allowPartialTargetBatches: true };
			expect((await send('PATCH', `${configOf('model-1')}/v3`, body)).status).toBe(200);
			const { text: after, body: document } = await send('GET', `${configOf('model-1')}/v3`);
			expect(ids(document)).toEqual([...ids({ monitors }), added.id]);
			expect(document.monitors[1].actions).toEqual([]);
			expect(document.monitors[1].metadata.version).toBe(monitors[1].metadata.version + 1);
			expect(document.monitors[2]).toEqual(monitors[2]);
			const analyzers = (text) =>
				text.slice(text.indexOf('"analyzers"'), text.indexOf('"monitors"'));
			expect(analyzers(after)).toBe(analyzers(before));
			expect(after).toContain('12345678901234567890');
		});

		test('without allowPartialTargetBatches that flag is deleted', async () => {
			expect((await get(`${configOf('model-1')}/v3`)).allowPartialTargetBatches).toBe(true);
			await send('PATCH', `${configOf('model-1')}/v3`, { monitors: [] });
			const after = await get(`${configOf('model-1')}/v3`);
			expect(after).not.toHaveProperty('allowPartialTargetBatches');
			expect(after.monitors).toHaveLength(30);
		});

		test('the merged document is validated', async () => {
			const { monitors } = await get(CONFIG);
			const bad = { ...monitors[0], actions: [{ type: 'global', target: 'nowhere' }] };
			expect((await send('PATCH', CONFIG, { monitors: [bad] })).status).toBe(400);
			expect((await send('PATCH', CONFIG, { monitors: {} })).status).toBe(400);
		});
	});

	describe('one monitor', () => {
		const path = `${configOf('model-2')}/monitor/uplift-drift-monitor`;

		test('GET, PUT and DELETE', async () => {
			const monitor = await get(path);
			expect(monitor.severity).toBe(2);
			expect((await put(path, { ...monitor, severity: 3 })).status).toBe(200);
			expect(await get(path)).toMatchObject({ severity: 3, metadata: { version: 2 } });
			expect((await get(CONFIG)).monitors[1].metadata.version).toBe(1);
			expect((await send('DELETE', path)).status).toBe(200);
			expect((await send('GET', path)).status).toBe(404);
			expect((await send('DELETE', path)).status).toBe(404);
		});

		test('the id of the body is that of the path', async () => {
			expect((await put(path, { ...(await get(path)), id: 'another-monitor' })).status).toBe(400);
		});
	});

	test('models are listed', async () => {
		const { items } = await get(`/v0/organizations/${ORG}/models`);
		expect(items.map(({ id, name }) => [id, name])).toContainEqual(['model-1', 'Churn prediction']);
	});
});

describe('documentedOnly', () => {
	beforeEach(() => start({ documentedOnly: true }));

	test.each([
		['GET', `${ACTIONS}/oncall-pager`],
		['DELETE', `${ACTIONS}/old-hook`],
		['PUT', `${ACTIONS}/oncall-pager/enable`],
		['PUT', `${ACTIONS}/oncall-pager/disable`],
		['POST', `${ACTIONS}/oncall-pager/test`],
		['POST', `${ACTIONS}/EMAIL/new-one`],
		['PATCH', CONFIG],
		['PUT', `${CONFIG}/validate`],
		['GET', `${configOf('model-2')}/monitor/uplift-drift-monitor`],
		['GET', `/v0/organizations/${ORG}/models`],
		['GET', '/v1/api-key/validate'],
	])('%s %s is 404', async (method, path) => {
		expect((await send(method, path)).status).toBe(404);
	});

	test('the documented routes are there, and list items have their three fields only', async () => {
		expect(Object.keys((await get(ACTIONS))[0])).toEqual(['id', 'type', 'payload']);
		expect((await put(`${ACTIONS}/EMAIL/new-one`, { email: 'a@example.com' })).status).toBe(200);
		expect((await put(CONFIG, await get(CONFIG))).status).toBe(200);
	});
});
