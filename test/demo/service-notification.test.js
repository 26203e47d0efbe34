'use strict';

/** Actions and monitor configurations of the local service: test/contract/interface.md 1.6, 2.4, 2.5. */

const { alertingService } = require('../../demo/service/notification/service');
const { defaultSeed } = require('../../demo/service/state/seed');
const { State } = require('../../demo/service/state/state');

const ORG = 'org-3454';
const KEYS = Object.fromEntries(
	defaultSeed().organizations.map(({ id }) => [id, `author-of-${id}.secret:${id}`]),
);
const ACTIONS = `/v0/notification-settings/${ORG}/actions`;
const configOf = (model) => `/v0/organizations/${ORG}/models/${model}/monitor-config`;
const CONFIG = `${configOf('model-2')}/v3`;

let state;
let answer;

// Without sockets: what comes over HTTP is handed to the same function.
function start(options = {}) {
	const { lagReads = 0 } = options;
	state = new State(defaultSeed(), { lagReads });
	answer = alertingService({ state, options, apiKeys: KEYS });
}

beforeEach(() => start());

function send(method, path, body, key = KEYS[ORG], more = {}) {
	const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
	const answered = answer({ method, path, key, text, ...more });
	const isJson = answered.type?.includes('json');
	return { text: '', ...answered, body: isJson ? JSON.parse(answered.text) : undefined };
}

const get = (path) => send('GET', path).body;
const put = (path, body, key) => send('PUT', path, body, key);

describe('keys (1.7, 2.4)', () => {
	test.each([
		['a wrong key', 'nonsense'],
		['a key with a wrong secret', KEYS[ORG].replace('secret', 'other')],
		['the key of another organization', KEYS['org-7788']],
	])('%s is 403', (_, key) => {
		const refused = send('GET', ACTIONS, undefined, key);
		expect(refused.status).toBe(403);
		expect(Object.keys(refused.body).sort()).toEqual(['message', 'requestId', 'type']);
	});

	test('GET /v1/api-key/validate tells a good key from a bad one', () => {
		expect(send('GET', '/v1/api-key/validate').status).toBe(200);
		const bad = send('GET', '/v1/api-key/validate', undefined, 'x');
		expect(bad.status).toBe(403);
	});
});

describe('actions (1.6, 2.4)', () => {
	test('a list item has its secrets in clear and names the monitors that use it', () => {
		const [pager] = get(ACTIONS);
		expect(Object.keys(pager).sort()).toEqual(
			['creationTime', 'enabled', 'id', 'lastUpdate', 'payload', 'references', 'type'].sort(),
		);
		expect(pager.payload.pagerDutyKey).toBe('demo-service-key-3454');
		expect(pager.references).toHaveLength(6);
		expect(pager.references[0]).toEqual({
			datasetId: 'model-1',
			itemId: 'checkout-page-unique-values-monitor',
			type: 'MONITOR',
		});
		expect(pager.references.find(({ itemDisplayName }) => itemDisplayName)).toEqual({
			datasetId: 'model-1',
			itemId: 'affiliates-unique-values-monitor',
			itemDisplayName: 'unique values on affiliates',
			type: 'MONITOR',
		});
	});

	test('the default email action is not in the list; a stored one of that name is', () => {
		const listed = () => get(ACTIONS).map(({ id }) => id);
		expect(listed()).not.toContain('email');
		expect(send('GET', `${ACTIONS}/email`).status).toBe(404);
		put(`${ACTIONS}/EMAIL/email`, { email: 'a@example.com' });
		expect(listed()).toContain('email');
		const { references } = get(`${ACTIONS}/email`);
		expect(references[0].itemId).toBe('checkout-page-missing-values-monitor');
		expect(send('DELETE', `${ACTIONS}/email`).body.type).toBe('ResourceConstraint');
	});

	test.each([
		['EMAIL', { email: 'a@example.com' }],
		['SLACK', { slackWebhook: 'not a url' }],
		['PAGER_DUTY', { pagerDutyKey: 'k' }],
		['TEAMS', { webhook: 'https://x.example.com' }],
		['WEBHOOK', { url: 'https://x.example.com', method: 'POST', headers: { a: 'b' }, body: '{}' }],
	])('PUT %s answers 200 with an empty body and stores the payload', (kind, payload) => {
		expect(put(`${ACTIONS}/${kind}/my-action`, payload)).toMatchObject({
			status: 200,
			text: '',
		});
		expect(get(`${ACTIONS}/my-action`)).toMatchObject({ type: kind, payload, enabled: true });
	});

	test('a WEBHOOK comes back with headers and a method when they were not sent', () => {
		const url = 'https://x.example.com';
		put(`${ACTIONS}/WEBHOOK/hook-1`, { url, body: null });
		expect(get(`${ACTIONS}/hook-1`).payload).toEqual({ url, method: 'POST', headers: {} });
	});

	test.each([
		['an unknown field', 'SLACK', { slackWebhook: 'x', webhook: 'x' }],
		['only an unknown field', 'SLACK', { webhook: 'x' }],
		['blank text', 'PAGER_DUTY', { pagerDutyKey: ' ' }],
		['null', 'TEAMS', { webhook: null }],
		['an object', 'WEBHOOK', { url: {} }],
		['headers that are a list', 'WEBHOOK', { url: 'https://x.example.com', headers: [] }],
		['a header that is no text', 'WEBHOOK', { url: 'https://x.example.com', headers: { a: {} } }],
		['an email without a domain', 'EMAIL', { email: 'ana@' }],
		['two emails', 'EMAIL', { email: 'a@example.com, b@example.com' }],
		['a list', 'SLACK', ['x']],
	])('%s is 400, and nothing is stored', (_, kind, payload) => {
		const answer = put(`${ACTIONS}/${kind}/bad-one`, payload);
		expect(answer.status).toBe(400);
		expect(answer.body.type).toBe('IllegalArgument');
		expect(send('GET', `${ACTIONS}/bad-one`).status).toBe(404);
		// A used-up id makes no difference: the payload is looked at first.
		send('DELETE', `${ACTIONS}/old-hook`);
		expect(put(`${ACTIONS}/${kind}/old-hook`, payload).status).toBe(400);
	});

	test('a missing field is stored as PLACEHOLDER, except for EMAIL', () => {
		expect(put(`${ACTIONS}/SLACK/s-1`, {}).status).toBe(200);
		expect(get(`${ACTIONS}/s-1`).payload).toEqual({ slackWebhook: 'PLACEHOLDER' });
		const refused = put(`${ACTIONS}/EMAIL/e-1`, {});
		expect(refused).toMatchObject({ status: 400, body: { parameter: 'email' } });
	});

	test('an unknown kind and an invalid id are 400', () => {
		expect(put(`${ACTIONS}/PIGEON/p-1`, {}).status).toBe(400);
		expect(put(`${ACTIONS}/SLACK/not%20ok`, {}).status).toBe(400);
	});

	test('PUT with another kind changes the kind', () => {
		put(`${ACTIONS}/EMAIL/marketing-chat`, { email: 'a@example.com' });
		expect(get(`${ACTIONS}/marketing-chat`)).toMatchObject({
			type: 'EMAIL',
			payload: { email: 'a@example.com' },
		});
	});

	test('the id of a deleted action cannot be used again', () => {
		expect(send('DELETE', `${ACTIONS}/old-hook`)).toMatchObject({ status: 200, text: '' });
		expect(put(`${ACTIONS}/SLACK/old-hook`, { slackWebhook: 'x' }).status).toBe(404);
		const posted = send('POST', `${ACTIONS}/SLACK/old-hook`, { slackWebhook: 'x' });
		expect(posted.status).toBe(409);
	});

	test('POST of an action that exists is 409', () => {
		const answer = send('POST', `${ACTIONS}/EMAIL/marketing-mail`, {
			email: 'a@example.com',
		});
		expect(answer.status).toBe(409);
	});

	test('DELETE of an action in use is 404 ResourceConstraint', () => {
		const answer = send('DELETE', `${ACTIONS}/oncall-pager`);
		expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceConstraint' } });
		expect(answer.body.requestId).toEqual(expect.any(String));
	});

	test('enable and disable', () => {
		put(`${ACTIONS}/marketing-mail/disable`);
		expect(get(`${ACTIONS}/marketing-mail`).enabled).toBe(false);
		put(`${ACTIONS}/marketing-mail/enable`);
		expect(get(`${ACTIONS}/marketing-mail`).enabled).toBe(true);
	});

	test('a test is written down and sent to nobody', () => {
		expect(send('POST', `${ACTIONS}/marketing-chat/test`).status).toBe(200);
		expect(state.testsSent).toMatchObject([{ actionId: 'marketing-chat' }]);
	});

	test.each([
		['GET', ''],
		['DELETE', ''],
		['PUT', '/enable'],
		['PUT', '/disable'],
		['POST', '/test'],
	])('%s .../actions/{unknown}%s is 404', (method, rest) => {
		expect(send(method, `${ACTIONS}/nothing-here${rest}`).status).toBe(404);
	});
});

describe('monitor configuration (1.6, 2.5)', () => {
	const ids = (document) => document.monitors.map(({ id }) => id);

	test('a model that was never configured has a default document', () => {
		expect(get(`${configOf('model-3')}/v3`)).toEqual({
			orgId: ORG,
			datasetId: 'model-3',
			granularity: 'daily',
			analyzers: [],
			monitors: [],
		});
	});

	test('an unknown model is 404', () => {
		expect(send('GET', `${configOf('model-99')}/v3`).status).toBe(404);
	});

	test('every literal comes back as it was written', () => {
		const text = send('GET', `${configOf('model-1')}/v3`).text;
		const changed = text.replace(
			'"monitors":[{',
			'"monitors":[{"x-odd":[1.0,-0,1E5,12345678901234567890,"\\u00e9\\"",{"10":1,"2":2}],',
		);
		expect(put(`${configOf('model-1')}/v3`, changed).body).toEqual({
			requestId: expect.any(String),
		});
		const after = send('GET', `${configOf('model-1')}/v3`).text;
		expect(after).toContain('"x-odd":[1.0,-0,1E5,12345678901234567890,"é\\"",{"10":1,"2":2}]');
		const unstamped = (json) =>
			json.replace(/"metadata":\{[^}]*\}/g, '"metadata":{}').replace('\\u00e9', 'é');
		expect(unstamped(after)).toBe(unstamped(changed));
	});

	test('metadata is the service’s own; version goes up by one per write', () => {
		const before = get(CONFIG);
		const forged = { ...before, metadata: { version: 900, author: 'me' } };
		put(CONFIG, forged);
		const after = get(CONFIG);
		expect(after.metadata).toEqual({
			schemaVersion: 1,
			author: `author-of-${ORG}`,
			updatedTimestamp: expect.any(Number),
			version: before.metadata.version + 1,
		});
		expect(after.monitors[0].metadata.version).toBe(before.monitors[0].metadata.version + 1);
	});

	test('PUT replaces; a body without monitors deletes all of them', () => {
		const { monitors, ...rest } = get(CONFIG);
		put(CONFIG, { ...rest, monitors: monitors.slice(1) });
		expect(ids(get(CONFIG))).toEqual(ids({ monitors: monitors.slice(1) }));
		put(CONFIG, rest);
		expect(get(CONFIG).monitors).toStrictEqual([]);
		put(CONFIG, {});
		expect(get(CONFIG).analyzers).toStrictEqual([]);
	});

	test('other keys of the document are ignored on PUT and PATCH, but for one flag', () => {
		const path = `${configOf('model-1')}/v3`;
		const before = get(path);
		const others = { granularity: 'hourly', weightConfig: {}, entitySchema: null, orgId: 'org-1' };
		const flag = { allowPartialTargetBatches: false };
		expect(put(path, { ...before, ...others, ...flag, 'x-odd': 1 }).status).toBe(200);
		send('PATCH', path, { ...others, ...flag, monitors: [] });
		const after = get(path);
		expect({ ...after, analyzers: 0, monitors: 0, metadata: 0 }).toEqual({
			...before,
			...flag,
			analyzers: 0,
			monitors: 0,
			metadata: 0,
		});
		expect(ids(after)).toEqual(ids(before));
	});

	test.each([
		['a type other than global', { type: 'email', target: 'marketing-mail' }],
		['a target that does not exist', { type: 'global', target: 'nowhere' }],
		['no target', { type: 'global' }],
	])('the whole document is validated: %s', (_, action) => {
		const document = get(CONFIG);
		document.monitors[2].actions = [action];
		const answer = put(CONFIG, document);
		expect(answer.status).toBe(400);
		expect(answer.body.parameter).toContain('monitors[2].actions[0]');
		expect(put(`${CONFIG}/validate`, document).status).toBe(400);
		expect(get(CONFIG).metadata.version).toBe(document.metadata.version);
	});

	test.each([
		['id', 'short'],
		['mode', { type: 'SOMETIMES' }],
		['schedule', undefined],
		['severity', 'high'],
		['tags', 'one'],
		['analyzerIds', undefined],
		['actions', undefined],
		['actions', null],
		['displayName', 'too short'],
		['displayName', 'x'.repeat(257)],
		['analyzerIds', ['uplift-drift-analyzer', 'uplift-volume-analyzer']],
	])('a monitor with a wrong %s is refused', (name, value) => {
		const document = get(CONFIG);
		document.monitors[0][name] = value;
		expect(put(CONFIG, document).status).toBe(400);
	});

	test('a display name has 10 to 256 characters and belongs to one monitor', () => {
		const document = get(CONFIG);
		document.monitors[0].displayName = 'x'.repeat(256);
		document.monitors[1].displayName = 'ten signs.';
		expect(put(CONFIG, document).status).toBe(200);
		document.monitors[2].displayName = 'ten signs.';
		expect(put(CONFIG, document).status).toBe(400);
	});

	test('two monitors of one id are refused', () => {
		const document = get(CONFIG);
		document.monitors.push(document.monitors[0]);
		expect(put(CONFIG, document).status).toBe(400);
	});

	test('at most 100 actions per monitor; the same target twice is let through', () => {
		const document = get(CONFIG);
		const twice = (n) => Array(n).fill({ type: 'global', target: 'marketing-mail' });
		document.monitors[0].actions = twice(101);
		expect(put(CONFIG, document).status).toBe(400);
		document.monitors[0].actions = twice(2);
		expect(put(CONFIG, document).status).toBe(200);
	});

	test('an action id of more than 100 characters can be made but never attached', () => {
		const id = 'a'.repeat(101);
		expect(put(`${ACTIONS}/SLACK/${id}`, { slackWebhook: 'x' }).status).toBe(200);
		const document = get(CONFIG);
		document.monitors[0].actions = [{ type: 'global', target: id }];
		expect(put(CONFIG, document).status).toBe(400);
	});

	test('the target email needs the organization’s address', () => {
		const path = '/v0/organizations/org-7788/models/model-1/monitor-config/v3';
		const key = KEYS['org-7788'];
		const document = send('GET', path, undefined, key).body;
		document.monitors[0].actions = [{ type: 'global', target: 'email' }];
		expect(send('PUT', path, document, key).status).toBe(400);
		send(
			'PUT',
			'/v0/notification-settings/org-7788/actions/EMAIL/email',
			{ email: 'research@example.com' },
			key,
		);
		expect(send('PUT', path, document, key).status).toBe(200);
		const marketing = get(CONFIG);
		marketing.monitors[2].actions = [{ type: 'global', target: 'email' }];
		expect(put(CONFIG, marketing).status).toBe(200);
	});

	test('JSON that cannot be parsed is 400 in plain text', () => {
		expect(put(CONFIG, '{"monitors":')).toMatchObject({ status: 400, body: undefined });
	});

	test('a writer that comes late is dropped with 200', () => {
		const document = get(CONFIG);
		const { tick } = state.alerting;
		const answers = [document, { ...document, monitors: [] }].map((body) =>
			send('PUT', CONFIG, body, undefined, { tick }),
		);
		expect(answers.map(({ status }) => status)).toEqual([200, 200]);
		const after = get(CONFIG);
		expect(after.metadata.version).toBe(document.metadata.version + 1);
		expect(ids(after)).toEqual(ids(document));
	});

	test('another writer between read and write is lost without a word, and the version jumps by two', () => {
		const document = get(CONFIG);
		put(CONFIG, { ...document, monitors: document.monitors.slice(1) });
		put(CONFIG, document);
		const after = get(CONFIG);
		expect(ids(after)).toEqual(ids(document));
		expect(after.metadata.version).toBe(document.metadata.version + 2);
	});

	test('validate writes nothing', () => {
		const document = get(CONFIG);
		const answer = put(`${CONFIG}/validate`, { ...document, monitors: [] });
		expect(answer.status).toBe(200);
		expect(get(CONFIG)).toEqual(document);
	});

	describe('PATCH', () => {
		test('merges by id: listed monitors are replaced or added, the others kept as they are', () => {
			const before = send('GET', `${configOf('model-1')}/v3`).text;
			const { monitors } = JSON.parse(before);
			const changed = { ...monitors[1], actions: [] };
			const added = { ...monitors[1], id: 'a-monitor-of-our-own' };
			const body = { monitors: [changed, added], allowPartialTargetBatches: true };
			expect(send('PATCH', `${configOf('model-1')}/v3`, body).status).toBe(200);
			const { text: after, body: document } = send('GET', `${configOf('model-1')}/v3`);
			// What is replaced comes at the end.
			const kept = monitors.filter(({ id }) => id !== changed.id);
			expect(document.monitors.slice(0, -2)).toEqual(kept);
			expect(ids({ monitors: document.monitors.slice(-2) })).toEqual([changed.id, added.id]);
			const [replaced] = document.monitors.slice(-2);
			expect(replaced.actions).toStrictEqual([]);
			expect(replaced.metadata.version).toBe(monitors[1].metadata.version + 1);
			const analyzers = (text) =>
				text.slice(text.indexOf('"analyzers"'), text.indexOf('"monitors"'));
			expect(analyzers(after)).toBe(analyzers(before));
			expect(after).toContain('12345678901234567890');
		});

		test('without allowPartialTargetBatches that flag is deleted', () => {
			expect(get(`${configOf('model-1')}/v3`).allowPartialTargetBatches).toBe(true);
			send('PATCH', `${configOf('model-1')}/v3`, { monitors: [] });
			const after = get(`${configOf('model-1')}/v3`);
			expect(after).not.toHaveProperty('allowPartialTargetBatches');
			expect(after.monitors).toHaveLength(30);
		});

		test('the merged document is validated', () => {
			const { monitors } = get(CONFIG);
			const bad = { ...monitors[0], actions: [{ type: 'global', target: 'nowhere' }] };
			expect(send('PATCH', CONFIG, { monitors: [bad] }).status).toBe(400);
			expect(send('PATCH', CONFIG, { monitors: {} }).status).toBe(400);
		});
	});

	describe('one monitor', () => {
		const path = `${configOf('model-2')}/monitor/uplift-drift-monitor`;

		test('GET, PUT and DELETE', () => {
			const monitor = get(path);
			expect(monitor.severity).toBe(2);
			expect(put(path, { ...monitor, severity: 3 }).status).toBe(200);
			expect(get(path)).toMatchObject({ severity: 3, metadata: { version: 2 } });
			expect(get(CONFIG).monitors[1].metadata.version).toBe(1);
			expect(send('DELETE', path).status).toBe(200);
			expect(send('GET', path).status).toBe(404);
			expect(send('DELETE', path).status).toBe(404);
		});

		test('the id of the body is that of the path', () => {
			expect(put(path, { ...get(path), id: 'another-monitor' }).status).toBe(400);
		});
	});

	test('the seed passes the checks of the service', () => {
		for (const [org, key] of Object.entries(KEYS)) {
			const actions = `/v0/notification-settings/${org}/actions`;
			for (const { id, type, payload } of send('GET', actions, undefined, key).body) {
				const { status } = send('PUT', `${actions}/${type}/${id}`, payload, key);
				expect([id, status]).toEqual([id, 200]);
			}
			const models = `/v0/organizations/${org}/models`;
			for (const { id } of send('GET', models, undefined, key).body.items) {
				const path = `${models}/${id}/monitor-config/v3`;
				const { text } = send('GET', path, undefined, key);
				const { status } = send('PUT', path, text, key);
				expect([org, id, status]).toEqual([org, id, 200]);
			}
		}
	});

	test('models are listed', () => {
		const { items } = get(`/v0/organizations/${ORG}/models`);
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
	])('%s %s is 404', (method, path) => {
		expect(send(method, path).status).toBe(404);
	});

	test('the documented routes are there, and list items have their three fields only', () => {
		expect(Object.keys(get(ACTIONS)[0])).toEqual(['id', 'type', 'payload']);
		expect(put(`${ACTIONS}/EMAIL/new-one`, { email: 'a@example.com' }).status).toBe(200);
		expect(put(CONFIG, get(CONFIG)).status).toBe(200);
	});
});

test('merges: false: no PATCH, all else', () => {
	start({ merges: false });
	expect(send('PATCH', CONFIG, { monitors: [] }).status).toBe(404);
	expect(put(`${CONFIG}/validate`, get(CONFIG)).status).toBe(200);
});

test('patchReplaces: a PATCH is taken for a PUT', () => {
	start({ patchReplaces: true });
	expect(send('PATCH', CONFIG, { monitors: [] }).status).toBe(200);
	expect(get(CONFIG)).toMatchObject({ monitors: [], analyzers: [] });
});

test('keepsText: sign for sign, without checks and metadata', () => {
	start({ keepsText: true });
	const text = '{ "monitors" :[{"id":"x","n":1.0}],\n"y":1}';
	expect(put(CONFIG, text).status).toBe(200);
	expect(send('GET', CONFIG).text).toBe(text);
});

test('lagReads: so many reads of configurations show what was there before a write', () => {
	start({ lagReads: 2 });
	const document = get(CONFIG);
	put(CONFIG, { ...document, monitors: [] });
	const shown = [get(CONFIG), get(CONFIG), get(CONFIG)].map(({ monitors }) => monitors.length);
	expect(shown).toEqual([3, 3, 0]);
});
