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
const stored = (id) => get(ACTIONS).find((action) => action.id === id);
const put = (path, body, key) => send('PUT', path, body, key);
const statusOf = (line, body) => send(...line.split(' '), body).status;

test.each([
	['a wrong key', 'nonsense'],
	['a key with a wrong secret', KEYS[ORG].replace('secret', 'other')],
	['the key of another organization', KEYS['org-7788']],
])('%s is 403 (1.7, 2.4)', (_, key) => {
	const refused = send('GET', ACTIONS, undefined, key);
	expect(refused.status).toBe(403);
	expect(Object.keys(refused.body).sort()).toEqual(['message', 'requestId', 'type']);
});

describe('actions (1.6, 2.4)', () => {
	const [URL, EMAIL] = ['https://x.example.com', { email: 'a@example.com' }];

	test('a list item has its secrets in clear and names the monitors that use it', () => {
		const [pager] = get(ACTIONS);
		expect(Object.keys(pager).sort()).toEqual(
			['creationTime', 'enabled', 'id', 'lastUpdate', 'payload', 'references', 'type'].sort(),
		);
		expect(pager.payload.pagerDutyKey).toBe('demo-service-key-3454');
		expect(pager.references).toHaveLength(6);
		const monitor = { datasetId: 'model-1', type: 'MONITOR' };
		expect(pager.references[0]).toEqual({
			...monitor,
			itemId: 'checkout-page-unique-values-monitor',
		});
		expect(pager.references.find(({ itemDisplayName }) => itemDisplayName)).toEqual({
			...monitor,
			itemId: 'affiliates-unique-values-monitor',
			itemDisplayName: 'unique values on affiliates',
		});
	});

	test('the default email action is not in the list; a stored one of that name is', () => {
		const listed = () => get(ACTIONS).map(({ id }) => id);
		expect(listed()).not.toContain('email');
		put(`${ACTIONS}/EMAIL/email`, EMAIL);
		expect(listed()).toContain('email');
		const { references } = stored('email');
		expect(references[0].itemId).toBe('checkout-page-missing-values-monitor');
		expect(send('DELETE', `${ACTIONS}/email`).body.type).toBe('ResourceConstraint');
	});

	test.each([
		['EMAIL', EMAIL],
		['SLACK', { slackWebhook: 'not a url' }],
		// What is missing, except for EMAIL.
		['SLACK', {}, { slackWebhook: 'PLACEHOLDER' }],
		['PAGER_DUTY', { pagerDutyKey: 'k' }],
		['TEAMS', { webhook: URL }],
		['WEBHOOK', { url: URL, method: 'POST', headers: { a: 'b' }, body: '{}' }],
		['WEBHOOK', { url: URL, body: null }, { url: URL, method: 'POST', headers: {} }],
	])('PUT %s %j answers 200 with an empty body and stores it', (...row) => {
		const [type, payload, kept = payload] = row;
		for (const id of ['my-action', 'marketing-chat']) {
			expect(put(`${ACTIONS}/${type}/${id}`, payload)).toMatchObject({ status: 200, text: '' });
			expect(stored(id)).toMatchObject({ type, enabled: true });
			expect(stored(id).payload).toEqual(kept);
		}
	});

	test.each([
		['an unknown field', 'SLACK', { slackWebhook: 'x', webhook: 'x' }],
		['only an unknown field', 'SLACK', { webhook: 'x' }],
		['blank text', 'PAGER_DUTY', { pagerDutyKey: ' ' }],
		['null', 'TEAMS', { webhook: null }],
		['an object', 'WEBHOOK', { url: {} }],
		['headers that are a list', 'WEBHOOK', { url: URL, headers: [] }],
		['a header that is no text', 'WEBHOOK', { url: URL, headers: { a: {} } }],
		['no email', 'EMAIL', {}],
		['an email without a domain', 'EMAIL', { email: 'ana@' }],
		['two emails', 'EMAIL', { email: 'a@example.com, b@example.com' }],
		['a list', 'SLACK', ['x']],
		['an unknown kind', 'PIGEON', {}],
	])('%s is 400, and nothing is stored', (what, kind, payload) => {
		const refused = put(`${ACTIONS}/${kind}/bad-one`, payload);
		const type = what === 'an unknown kind' ? refused.body.type : 'IllegalArgument';
		expect(refused).toMatchObject({ status: 400, body: { type } });
		expect(stored('bad-one')).toBeUndefined();
		// A used-up id makes no difference: the payload is looked at first.
		send('DELETE', `${ACTIONS}/old-hook`);
		expect(put(`${ACTIONS}/${kind}/old-hook`, payload).status).toBe(400);
	});

	/** What is asked for, the status, and what is sent; of an action that is not there as of one in use. */
	test.each([
		['an invalid id', [[`PUT ${ACTIONS}/SLACK/not%20ok`, 400, {}]]],
		[
			'the id of a deleted action cannot be used again',
			[
				[`DELETE ${ACTIONS}/old-hook`, 200],
				[`PUT ${ACTIONS}/SLACK/old-hook`, 404, { slackWebhook: 'x' }],
			],
		],
		[
			'an unknown action',
			['DELETE /x', 'PUT /x/enable', 'PUT /x/disable', 'POST /x/test'].map((line) => [
				line.replace(' ', ` ${ACTIONS}`),
				404,
			]),
		],
	])('%s', (_, steps) => {
		for (const [line, status, body] of steps)
			expect([line, statusOf(line, body)]).toEqual([line, status]);
	});

	test('what is missing, or in use, is said', () => {
		expect(put(`${ACTIONS}/EMAIL/e-1`, {}).body.parameter).toBe('email');
		const used = send('DELETE', `${ACTIONS}/oncall-pager`);
		expect(used).toMatchObject({
			...{ status: 404, body: { type: 'ResourceConstraint', requestId: expect.any(String) } },
		});
		expect(send('DELETE', `${ACTIONS}/old-hook`).text).toBe('');
	});

	test('enable and disable', () => {
		for (const [word, enabled] of Object.entries({ disable: false, enable: true })) {
			put(`${ACTIONS}/marketing-mail/${word}`);
			expect(stored('marketing-mail').enabled).toBe(enabled);
		}
	});

	test('a test is written down and sent to nobody', () => {
		expect(statusOf(`POST ${ACTIONS}/marketing-chat/test`)).toBe(200);
		expect(state.testsSent).toMatchObject([{ actionId: 'marketing-chat' }]);
	});
});

describe('monitor configuration (1.6, 2.5)', () => {
	const FIRST = `${configOf('model-1')}/v3`;
	const ids = (document) => document.monitors.map(({ id }) => id);
	const to = (target, type = 'global') => ({ type, target });

	test('a model that was never configured has a default document, an unknown one none', () => {
		expect(get(`${configOf('model-3')}/v3`)).toEqual({
			...{ orgId: ORG, datasetId: 'model-3', granularity: 'daily', analyzers: [], monitors: [] },
		});
		expect(statusOf(`GET ${configOf('model-99')}/v3`)).toBe(404);
	});

	test('every literal comes back as it was written', () => {
		const { text } = send('GET', FIRST);
		const changed = text.replace(
			'"monitors":[{',
			'"monitors":[{"x-odd":[1.0,-0,1E5,12345678901234567890,"\\u00e9\\"",{"10":1,"2":2}],',
		);
		expect(put(FIRST, changed).body).toEqual({ requestId: expect.any(String) });
		const after = send('GET', FIRST).text;
		expect(after).toContain('"x-odd":[1.0,-0,1E5,12345678901234567890,"é\\"",{"10":1,"2":2}]');
		const unstamped = (json) =>
			json.replace(/"metadata":\{[^}]*\}/g, '"metadata":{}').replace('\\u00e9', 'é');
		expect(unstamped(after)).toBe(unstamped(changed));
	});

	test('metadata is the service’s own; version goes up by one per write', () => {
		const before = get(CONFIG);
		put(CONFIG, { ...before, metadata: { version: 900, author: 'me' } });
		const after = get(CONFIG);
		expect(after.metadata).toEqual({
			...{ schemaVersion: 1, author: `author-of-${ORG}`, updatedTimestamp: expect.any(Number) },
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
		const before = get(FIRST);
		const others = { granularity: 'hourly', weightConfig: {}, entitySchema: null, orgId: 'org-1' };
		const flag = { allowPartialTargetBatches: false };
		expect(put(FIRST, { ...before, ...others, ...flag, 'x-odd': 1 }).status).toBe(200);
		send('PATCH', FIRST, { ...others, ...flag, monitors: [] });
		const after = get(FIRST);
		const own = { analyzers: 0, monitors: 0, metadata: 0 };
		expect({ ...after, ...own }).toEqual({ ...before, ...flag, ...own });
		expect(ids(after)).toEqual(ids(before));
	});

	const withActions = (actions) => (monitors) => (monitors[0].actions = actions);
	const withValue = (name, value) => (monitors) => (monitors[0][name] = value);
	const twice = (count) => Array(count).fill(to('marketing-mail'));
	const named = (displayName, count) => (monitors) =>
		monitors.slice(0, count).forEach((monitor) => (monitor.displayName = displayName));

	/** What is changed in the monitors of a document, and whether it is refused. */
	test.each([
		['an id too short', withValue('id', 'short'), 400],
		['an unknown mode', withValue('mode', { type: 'SOMETIMES' }), 400],
		['no schedule', withValue('schedule', undefined), 400],
		['a severity that is no number', withValue('severity', 'high'), 400],
		['tags that are no list', withValue('tags', 'one'), 400],
		['no analyzers', withValue('analyzerIds', undefined), 400],
		[
			'two analyzers',
			withValue('analyzerIds', ['uplift-drift-analyzer', 'uplift-volume-analyzer']),
			400,
		],
		['no actions', withActions(undefined), 400],
		['actions of null', withActions(null), 400],
		['a target of another type', withActions([to('marketing-mail', 'email')]), 400],
		['a target that does not exist', withActions([to('nowhere')]), 400],
		['no target', withActions([{ type: 'global' }]), 400],
		['a target of 101 characters', withActions([to('a'.repeat(101))]), 400],
		['101 actions', withActions(twice(101)), 400],
		['the same target twice', withActions(twice(2)), 200],
		['the email of the organization', withActions([to('email')]), 200],
		['a name too short', named('too short', 1), 400],
		['the shortest name', named('ten signs.', 1), 200],
		['the longest name', named('x'.repeat(256), 1), 200],
		['a name too long', named('x'.repeat(257), 1), 400],
		['two of one name', named('ten signs.', 2), 400],
		['two of one id', (monitors) => monitors.push(monitors[0]), 400],
	])('a document with %s', (_, change, status) => {
		// It can be made, but never attached.
		expect(put(`${ACTIONS}/SLACK/${'a'.repeat(101)}`, { slackWebhook: 'x' }).status).toBe(200);
		const document = get(CONFIG);
		const { version } = document.metadata;
		change(document.monitors);
		expect(put(CONFIG, document).status).toBe(status);
		expect(get(CONFIG).metadata.version).toBe(status === 200 ? version + 1 : version);
	});

	test('a refusal names the place', () => {
		const document = get(CONFIG);
		document.monitors[2].actions = [to('nowhere')];
		expect(put(CONFIG, document).body.parameter).toContain('monitors[2].actions[0]');
	});

	test('the target email needs the organization’s address', () => {
		const path = '/v0/organizations/org-7788/models/model-1/monitor-config/v3';
		const key = KEYS['org-7788'];
		const document = send('GET', path, undefined, key).body;
		document.monitors[0].actions = [to('email')];
		expect(put(path, document, key).status).toBe(400);
		const email = '/v0/notification-settings/org-7788/actions/EMAIL/email';
		put(email, { email: 'research@example.com' }, key);
		expect(put(path, document, key).status).toBe(200);
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

	test('PATCH merges by id: listed monitors are replaced or added at the end, the others kept', () => {
		const { text: before, body } = send('GET', FIRST);
		const { monitors } = body;
		const changed = { ...monitors[1], actions: [] };
		const added = { ...monitors[1], id: 'a-monitor-of-our-own' };
		const patch = { monitors: [changed, added], allowPartialTargetBatches: true };
		expect(send('PATCH', FIRST, patch).status).toBe(200);
		const { text: after, body: document } = send('GET', FIRST);
		const [replaced, last] = document.monitors.slice(-2);
		expect(document.monitors.slice(0, -2)).toEqual(monitors.filter(({ id }) => id !== changed.id));
		expect([replaced.id, last.id]).toEqual([changed.id, added.id]);
		expect(replaced.actions).toStrictEqual([]);
		expect(replaced.metadata.version).toBe(monitors[1].metadata.version + 1);
		const analyzers = (text) => text.slice(text.indexOf('"analyzers"'), text.indexOf('"monitors"'));
		expect(analyzers(after)).toBe(analyzers(before));
		expect(after).toContain('2.50E-1');
	});

	test('PATCH without allowPartialTargetBatches deletes that flag', () => {
		expect(get(FIRST).allowPartialTargetBatches).toBe(true);
		send('PATCH', FIRST, { monitors: [] });
		expect(get(FIRST)).not.toHaveProperty('allowPartialTargetBatches');
		expect(get(FIRST).monitors).toHaveLength(30);
	});

	test('PATCH validates the merged document', () => {
		const [first] = get(CONFIG).monitors;
		for (const monitors of [[{ ...first, actions: [to('nowhere')] }], {}])
			expect(send('PATCH', CONFIG, { monitors }).status).toBe(400);
	});

	test('one monitor: PUT and DELETE', () => {
		const path = `${configOf('model-2')}/monitor/uplift-drift-monitor`;
		const [monitor] = get(CONFIG).monitors;
		expect(put(path, { ...monitor, id: 'another-monitor' }).status).toBe(400);
		expect(put(path, { ...monitor, severity: 3 }).status).toBe(200);
		const { monitors } = get(CONFIG);
		const changed = monitors.find(({ id }) => id === monitor.id);
		expect(changed).toMatchObject({ severity: 3, metadata: { version: 2 } });
		expect(monitors.map(({ metadata }) => metadata.version).sort()).toEqual([1, 1, 2]);
		expect([statusOf(`DELETE ${path}`), statusOf(`DELETE ${path}`)]).toEqual([200, 404]);
	});

	test('models are listed', () => {
		const { items } = get(`/v0/organizations/${ORG}/models`);
		expect(items.map(({ id, name }) => [id, name])).toContainEqual(['model-1', 'Churn prediction']);
	});
});

test('the seed passes the checks of the service', () => {
	for (const [org, key] of Object.entries(KEYS)) {
		const actions = `/v0/notification-settings/${org}/actions`;
		for (const { id, type, payload } of send('GET', actions, undefined, key).body)
			expect([id, put(`${actions}/${type}/${id}`, payload, key).status]).toEqual([id, 200]);
		const models = `/v0/organizations/${org}/models`;
		for (const { id } of send('GET', models, undefined, key).body.items) {
			const path = `${models}/${id}/monitor-config/v3`;
			const { text } = send('GET', path, undefined, key);
			expect([org, id, put(path, text, key).status]).toEqual([org, id, 200]);
		}
	}
});

describe('documentedOnly', () => {
	beforeEach(() => start({ documentedOnly: true }));

	test.each([
		`DELETE ${ACTIONS}/old-hook`,
		`PUT ${ACTIONS}/oncall-pager/enable`,
		`PUT ${ACTIONS}/oncall-pager/disable`,
		`POST ${ACTIONS}/oncall-pager/test`,
		`PATCH ${CONFIG}`,
		`GET /v0/organizations/${ORG}/models`,
	])('%s is 404', (line) => {
		expect(statusOf(line)).toBe(404);
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
	expect(put(CONFIG, get(CONFIG)).status).toBe(200);
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
