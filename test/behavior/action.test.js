'use strict';

require('../support/noWaiting');

// The actions of Notification Actions, over real sockets. Pauses between tries pass at once, and are written down.
const mockPauses = [];
jest.mock('n8n-workflow', () => ({
	...jest.requireActual('n8n-workflow'),
	sleep: async (ms) => {
		mockPauses.push(ms);
	},
}));

const { inspect } = require('util');
const { byId } = require('../support/node');
const { countsOf, requestsOf, withService } = require('../support/service');

const LIST = '/v0/notification-settings/org-3454/actions';
const DOCUMENTED = { documentedOnly: true };

const CHAT = 'https://chat.example.com/services/T1/B1/secret-of-the-hook';
const PAGER = 'secret-service-key-0001';

const chat = (id, more = {}) => ({
	actionId: id,
	kind: 'chatWebhook',
	webhookUrl: CHAT,
	...more,
});
const mail = (id, email = 'ops@example.com', more = {}) => ({
	actionId: id,
	kind: 'email',
	email,
	...more,
});

const storedAction = (service, id) => service.state.alerting.action('org-3454', id);
const linesOf = (service) => requestsOf(service).map((line) => line.replace(LIST, ''));

/** Everything that comes out of a run, errors too; what went in is not asked after. */
const outOf = ({ input: _input, ...result }) =>
	inspect(result, { depth: 30, maxStringLength: null, maxArrayLength: null });

beforeEach(() => {
	mockPauses.length = 0;
});

describe('Create or Update', () => {
	const KINDS = [
		['email', { email: 'ops@example.com' }, 'EMAIL', { email: 'ops@example.com' }],
		['chatWebhook', { webhookUrl: CHAT }, 'SLACK', { slackWebhook: CHAT }],
		['incidentPaging', { serviceKey: PAGER }, 'PAGER_DUTY', { pagerDutyKey: PAGER }],
		['teams', { webhookUrl: CHAT }, 'TEAMS', { webhook: CHAT }],
		[
			'webhook',
			{
				url: 'https://n8n.example.com/webhook/alerts',
				method: 'PUT',
				headers: { header: [{ name: 'X-Alert-Key', value: 'secret-of-the-header' }] },
				body: '{"from":"monitor"}',
			},
			'WEBHOOK',
			{
				url: 'https://n8n.example.com/webhook/alerts',
				method: 'PUT',
				headers: { 'X-Alert-Key': 'secret-of-the-header' },
				body: '{"from":"monitor"}',
			},
		],
		[
			'other',
			{ otherKind: 'WEBHOOK', payload: '{"url":"https://a.example.com/b"}' },
			'WEBHOOK',
			{ url: 'https://a.example.com/b' },
		],
	];

	test.each(KINDS)('%s: stored as it is wanted, and left alone after', async (...given) => {
		const [kind, fields, type, payload] = given;
		for (const options of [{}, DOCUMENTED]) {
			await withService(options, async (service, _scim, alert) => {
				const parameters = { actionId: 'new-action', kind, ...fields };
				const { json, error } = await alert('action', 'upsert', parameters);
				expect(error).toBeUndefined();
				expect(json).toMatchObject([
					{
						id: 'new-action',
						type,
						status: 'done',
						text: 'Created action new-action.',
					},
				]);
				expect(storedAction(service, 'new-action')).toMatchObject({ type, payload });
				expect(linesOf(service)).toEqual(['GET  200', `PUT /${type}/new-action 200`, 'GET  200']);

				service.log.clear();
				const again = await alert('action', 'upsert', parameters);
				expect(again.json[0].status).toBe('unchanged');
				expect(linesOf(service)).toEqual(['GET  200']);
			});
		}
	});

	test.each([
		['no value', {}, undefined],
		['null', { body: null }, undefined],
		['a number', { body: 5 }, '5'],
		['an object', { body: { text: 'down' } }, '{"text":"down"}'],
		['a list', { body: [1, 2] }, '[1,2]'],
	])('the body of a webhook from an expression that gives %s', async (_, item, body) => {
		await withService({}, async (service, _scim, alert) => {
			const { error } = await alert(
				...['action', 'upsert'],
				{
					...{ actionId: 'hook', kind: 'webhook', url: 'https://a.example.com/b' },
					...{ method: '={{ "put" }}', body: '={{ $json.body }}' },
				},
				{ items: [item] },
			);
			expect(error).toBeUndefined();
			expect(storedAction(service, 'hook').payload).toMatchObject({ method: 'PUT' });
			expect(storedAction(service, 'hook').payload.body).toBe(body);
		});
	});

	test('a webhook whose headers and body are taken away: written, and seen', async () => {
		await withService({}, async (service, _scim, alert) => {
			const parameters = { actionId: 'hook', kind: 'webhook', url: 'https://a.example.com/b' };
			const headers = { header: [{ name: 'X-Key', value: 'value-of-the-header' }] };
			await alert('action', 'upsert', { ...parameters, headers, body: 'a body' });
			// The list still shows the old payload at first.
			const { alerting } = service.state;
			const put = alerting.putAction.bind(alerting);
			let late;
			alerting.putAction = (...given) => (late = given);
			service.options.onAnswer = ({ method }) => {
				if (method === 'GET' && late) put(...late);
			};
			const { json } = await alert('action', 'upsert', {
				...parameters,
				options: { showSecrets: true },
			});
			expect(json[0].payload).toEqual({
				url: 'https://a.example.com/b',
				method: 'POST',
				headers: {},
			});
			expect(json[0].status).toBe('done');
			expect((await alert('action', 'upsert', parameters)).json[0].status).toBe('unchanged');
		});
	});

	test('a number is stored as text, and is so already the second time', async () => {
		await withService({}, async (service, _scim, alert) => {
			const payload = '={{ { pagerDutyKey: 20250101999 } }}';
			const parameters = { actionId: 'pager', kind: 'other', otherKind: 'PAGER_DUTY', payload };
			const { json } = await alert('action', 'upsert', parameters);
			expect(json[0].status).toBe('done');
			expect(storedAction(service, 'pager').payload).toEqual({ pagerDutyKey: '20250101999' });
			const again = await alert('action', 'upsert', parameters);
			expect(again.json[0].status).toBe('unchanged');
		});
	});

	test('what the service refuses is told in its words, without the payload', async () => {
		await withService({}, async (service, _scim, alert) => {
			const { error } = await alert('action', 'upsert', {
				actionId: 'new-action',
				kind: 'other',
				otherKind: 'SLACK',
				payload: '{"webhookUrl":"https://chat.example.com/secret-of-the-path"}',
			});
			expect(error.message).toContain('the service answered 400, Unknown field webhookUrl');
			expect(error.httpCode).toBe('400');
			expect(error.message + error.description).not.toContain('secret-of-the-path');
			expect(storedAction(service, 'new-action')).toBeUndefined();
		});
	});

	test('N items are 1 listing, N writes and 1 listing; what is so already is no write', async () => {
		await withService({}, async (service, _scim, alert) => {
			const items = Array.from({ length: 12 }, (_, index) => ({ id: `mail-${index}` }));
			const run = async (email) =>
				await alert('action', 'upsert', mail('={{ $json.id }}', email), { items });
			const { json, pairedItems } = await run('ops@example.com');
			expect(json.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
			expect(pairedItems).toEqual(items.map((_, index) => [index]));
			expect(countsOf(service)).toEqual({ GET: 2, PUT: 12 });

			service.log.clear();
			await run("={{ $itemIndex < 3 ? 'new@example.com' : 'ops@example.com' }}");
			expect(countsOf(service)).toEqual({ GET: 2, PUT: 3 });
			expect(storedAction(service, 'mail-2').payload).toEqual({ email: 'new@example.com' });
		});
	});

	test('the same action in two items is written once; two opinions of it are an error', async () => {
		await withService({}, async (service, _scim, alert) => {
			const items = [{ to: 'a@example.com' }, { to: 'a@example.com' }, { to: 'b@example.com' }];
			const { json, errorJson } = await alert('action', 'upsert', mail('one', '={{ $json.to }}'), {
				items,
				onError: 'continueErrorOutput',
			});
			expect(json.map(({ status }) => status)).toEqual(['done', 'done']);
			expect(errorJson[0].error).toBe('Items 0 and 2 want different things of action one');
			expect(countsOf(service)).toEqual({ GET: 2, PUT: 1 });
		});
	});

	test('kinds and fields that another deployment has, as kind Other', async () => {
		const faults = [{ method: 'PUT', kind: 'status', status: 200 }];
		const onRequest = ({ method, body: payload }, { alerting }) => {
			if (method === 'PUT')
				alerting.putAction('org-3454', { id: 'here', type: 'CHAT_V2', payload });
		};
		await withService({ faults, onRequest }, async (service, _scim, alert) => {
			const payload = JSON.stringify({ hookAddress: CHAT });
			const other = { kind: 'other', otherKind: 'CHAT_V2', payload };
			const { json } = await alert('action', 'upsert', { actionId: 'here', ...other });
			expect(json[0]).toMatchObject({
				type: 'CHAT_V2',
				payload: { hookAddress: 'https://chat.example.com/***' },
				status: 'done',
			});
			const put = service.log.requests.find(({ method }) => method === 'PUT');
			expect(put).toMatchObject({ path: `${LIST}/CHAT_V2/here`, text: payload });
		});
	});

	test('another kind is refused, unless it may change', async () => {
		await withService({}, async (service, _scim, alert) => {
			const { error } = await alert('action', 'upsert', chat('marketing-mail'));
			expect(error.message).toBe('Action marketing-mail is of kind EMAIL, not SLACK');
			expect(error.description).toContain('Allow Changing Kind');
			expect(countsOf(service)).toEqual({ GET: 1 });

			const options = { allowChangingKind: true };
			const { json } = await alert('action', 'upsert', chat('marketing-mail', { options }));
			expect(json[0]).toMatchObject({ type: 'SLACK', status: 'done' });
			expect(storedAction(service, 'marketing-mail').type).toBe('SLACK');
		});
	});

	test.each(['continueErrorOutput', 'stopWorkflow'])(
		'an expression that fails is an error of its item: %s',
		async (onError) => {
			await withService({}, async (service, _scim, alert) => {
				const email = "={{ $('No Such Node').first().json.email }}";
				const result = await alert('action', 'upsert', mail('x', email), { onError });
				expect(result.json).toStrictEqual([]);
				if (onError === 'stopWorkflow') expect(result.error.name).toBe('NodeOperationError');
				else expect(result.errorJson[0].error).toContain("Referenced node doesn't exist");
				expect(service.log.requests).toStrictEqual([]);
			});
		},
	);

	test.each([
		['new-action', 404, 'The ID new-action cannot be used: an action with it was deleted before'],
		['new-action', 409, 'The ID new-action cannot be used: an action with it was deleted before'],
		// It is there, so its ID is not used up.
		[
			'marketing-mail',
			404,
			'Could not update action marketing-mail: the service answered 404, Not Found',
		],
	])('%s of a kind that the service does not know (%s): that is named, too', async (...given) => {
		const [actionId, status, message] = given;
		const faults = [{ method: 'PUT', kind: 'missing', status }];
		await withService({ faults }, async (service, _scim, alert) => {
			const payload = '{"email":"ops@example.com"}';
			const options = { allowChangingKind: true };
			const parameters = { actionId, kind: 'other', otherKind: 'MAIL', payload, options };
			const { error } = await alert('action', 'upsert', parameters);
			expect(error.message).toBe(message);
			expect(error.description).toContain('does not know the kind MAIL');
		});
	});

	test('the ID of a deleted action can never be used again, and the error says so', async () => {
		await withService({}, async (service, _scim, alert) => {
			await alert('action', 'delete', { action: byId('marketing-mail') });
			const { error } = await alert('action', 'upsert', mail('marketing-mail'));
			expect(error).toMatchObject({
				message: 'The ID marketing-mail cannot be used: an action with it was deleted before',
				description: expect.stringContaining('never accepts the ID of a deleted action again'),
				httpCode: '404',
			});
		});
	});

	// The checks themselves are tested with actions/actionKinds.
	const BAD = [
		['an ID with a slash', mail('a/../b'), 'is not an ID of an action'],
		['101 characters', mail('x'.repeat(101)), 'has 101 characters'],
		['a URL without TLS', chat('a', { webhookUrl: CHAT.replace('https', 'http') }), 'https://'],
		[
			'a URL that is none',
			{ ...chat('a'), kind: 'teams', webhookUrl: 'secret-' },
			'URL is not valid',
		],
		['no URL of a webhook', { actionId: 'a', kind: 'webhook', url: ' ' }, 'The URL is missing'],
		['two emails', mail('a', 'a@example.com,b@example.com'), 'is not an email address'],
		[
			'a key with a blank',
			{ actionId: 'a', kind: 'incidentPaging', serviceKey: `${PAGER} x` },
			'service key is not valid',
		],
		[
			'a header without a proper name',
			{
				actionId: 'a',
				kind: 'webhook',
				url: CHAT,
				headers: { header: [{ name: 'X Key', value: 'secret-of-the-header' }] },
			},
			'"X Key" is not the name of a header',
		],
		[
			'a header twice',
			{
				actionId: 'a',
				kind: 'webhook',
				url: CHAT,
				headers: { header: ['secret-1', 'secret-2'].map((value) => ({ name: 'X-Key', value })) },
			},
			'X-Key is specified twice',
		],
		[
			'a header whose value is an object',
			{
				actionId: 'a',
				kind: 'webhook',
				url: CHAT,
				headers: { header: [{ name: 'X-Key', value: '={{ ({ key: "secret-1" }) }}' }] },
			},
			'The value of header X-Key is not text',
		],
		[
			'a method that is none',
			{ actionId: 'a', kind: 'webhook', url: CHAT, method: '={{ "FETCH" }}' },
			'"FETCH" is not a method',
		],
		[
			'a method that an expression does not have',
			{ actionId: 'a', kind: 'webhook', url: CHAT, method: '={{ null }}' },
			'"" is not a method',
		],
		...['', '{', '[]', '"text"', '{}', 'null'].map((payload) => [
			`the payload ${payload}`,
			{
				actionId: 'a',
				kind: 'other',
				otherKind: 'OPSGENIE',
				payload: `={{ ${JSON.stringify(payload)} }}`,
			},
			'The payload is not a JSON object with fields',
		]),
		[
			'a payload in a payload without end',
			{
				...{ actionId: 'a', kind: 'other', otherKind: 'OPSGENIE' },
				payload: '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000),
			},
			'The payload has values in values, more than 50 levels deep',
		],
		[
			'a kind with a slash',
			{ actionId: 'a', kind: 'other', otherKind: 'A/B', payload: '{"a":1}' },
			'"A/B" is not a kind of action',
		],
	];

	test('101 characters and other input that cannot be used: nothing is sent', async () => {
		await withService({}, async (service, _scim, alert) => {
			for (const [what, parameters, message] of BAD) {
				const { error } = await alert('action', 'upsert', parameters);
				expect([what, error?.message]).toEqual([what, expect.stringContaining(message)]);
				expect(error.description).toBeTruthy();
				for (const text of [error.message, error.description]) expect(text).not.toMatch(/secret-/);
			}
			expect(service.log.requests).toStrictEqual([]);
			expect((await alert('action', 'upsert', mail('x'.repeat(100)))).error).toBeUndefined();
		});
	});

	test('an item that cannot be used fails alone', async () => {
		await withService({}, async (service, _scim, alert) => {
			const items = [{ id: 'one' }, { id: 'not an id' }, { id: 'two' }];
			const parameters = mail('={{ $json.id }}');
			const onError = 'continueErrorOutput';
			const result = await alert('action', 'upsert', parameters, { items, onError });
			expect(result.pairedItems).toEqual([[0], [2]]);
			expect(result.errorPairedItems).toEqual([[1]]);
			expect(result.errorJson[0].error).toContain('is not an ID of an action');
			expect(countsOf(service)).toEqual({ GET: 2, PUT: 2 });

			const { error } = await alert('action', 'upsert', mail('={{ $json.id }}', 'b@example.com'), {
				items,
			});
			expect(error.description).toContain('Failed: item 1 ("not an id" is not an ID of an action)');
			expect(error.description).toContain(
				'Done: item 0 (update action one: done); item 2 (update action two: done)',
			);
		});
	});

	test.each([
		['in the preview', true, 0],
		['when it is made', false, 0],
		['when it is there already', false, 1],
	])('a port and a query are dropped by the service: a warning %s', async (_, preview, before) => {
		await withService({}, async (_service, _scim, alert) => {
			const url = 'https://n8n.example.com:5678/webhook/alerts?key=secret-of-the-query';
			for (let run = 0; run < before; run++)
				await alert('action', 'upsert', { actionId: 'hook', kind: 'webhook', url });
			const result = await alert(
				'action',
				'upsert',
				{ actionId: 'hook', kind: 'webhook', url: '={{ $json.url }}', preview },
				{ items: [{ url }] },
			);
			expect(result.json[0].warnings).toEqual([
				expect.stringContaining('drop the port 5678 and the query of the URL and go to port 443'),
			]);
			expect(outOf(result)).not.toContain('secret-of-the-query');
		});
	});

	test('preview: the request with its secrets masked, nothing sent', async () => {
		await withService({}, async (service, _scim, alert) => {
			const { json } = await alert('action', 'upsert', chat('new-chat', { preview: true }));
			expect(json[0]).toMatchObject({
				preview: true,
				requests: [
					{
						action: 'create action new-chat',
						method: 'PUT',
						path: `${LIST}/SLACK/new-chat`,
						body: { slackWebhook: 'https://chat.example.com/***' },
					},
				],
			});
			expect(countsOf(service)).toEqual({ GET: 1 });
		});
	});

	const NOT_SHOWN = 'Could not confirm: create action lost: the list of actions does not show it';

	test.each([
		[
			'a write that the service keeps nothing of',
			{ method: 'PUT', kind: 'dropped' },
			{},
			NOT_SHOWN,
		],
		[
			'an answer lost to the end, and it is there',
			{ method: 'PUT', kind: 'reset-after' },
			{ maxWait: 0 },
			undefined,
		],
		[
			'an answer lost to the end, and it is not there',
			{ method: 'PUT', kind: 'reset-before' },
			{ maxWait: 0 },
			NOT_SHOWN,
		],
		[
			'a list that cannot be read again',
			{ method: 'GET', nth: [2, 3, 4], kind: '500-html' },
			{ maxWait: 0 },
			'Could not confirm: create action lost: Could not list the actions',
		],
	])('%s: done where it is seen, or unverified', async (_what, fault, options, message) => {
		await withService({ faults: [fault] }, async (service, _scim, alert) => {
			const parameters = mail('lost', undefined, { options });
			const { json, error } = await alert('action', 'upsert', parameters);
			if (message === undefined) expect(json[0].status).toBe('done');
			else expect(error.message).toContain(message);
			if (fault.kind !== 'dropped') return;
			expect(countsOf(service).PUT).toBe(1);
			expect(mockPauses.reduce((sum, ms) => sum + ms, 0)).toBe(10_000);
		});
	});

	test('a lost answer, 500 and 429: written again, which does no harm', async () => {
		for (const kind of ['reset-after', 'reset-before', '500-after', '429']) {
			mockPauses.length = 0;
			await withService({ faults: [{ method: 'PUT', nth: 1, kind }] }, async (...given) => {
				const [service, , alert] = given;
				const { json } = await alert('action', 'upsert', mail('one'));
				expect([kind, json[0]?.status]).toEqual([kind, 'done']);
				expect(countsOf(service)).toEqual({ GET: 2, PUT: 2 });
				expect(mockPauses.length).toBeGreaterThan(0);
			});
		}
	});
});

describe('secrets', () => {
	const SECRETS = [
		'20250101999',
		'secret-of-the-hook',
		PAGER,
		'secret-of-the-header',
		'secret-of-the-body',
		'demo-service-key-3454',
		'services/T0/B0',
	];
	// Values come from the item: what stands in the parameters of a node is in its saved workflow anyway.
	const items = [
		{
			url: CHAT,
			key: PAGER,
			pin: 20250101999,
			header: 'secret-of-the-header',
			body: '"secret-of-the-body"',
		},
	];
	const HEADERS = { header: [{ name: 'X-Alert-Key', value: '={{ $json.header }}' }] };
	const WRITES = [
		{ kind: 'chatWebhook', webhookUrl: '={{ $json.url }}' },
		{ kind: 'teams', webhookUrl: '={{ $json.url }}' },
		{ kind: 'incidentPaging', serviceKey: '={{ $json.key }}' },
		{ kind: 'webhook', url: '={{ $json.url }}', headers: HEADERS, body: '={{ $json.body }}' },
		{ kind: 'other', otherKind: 'SLACK', payload: '={{ { slackWebhook: $json.url } }}' },
		{ kind: 'other', otherKind: 'SLACK', payload: '={{ { slackWebhook: $json.pin } }}' },
		{
			kind: 'other',
			otherKind: 'SLACK',
			payload: '={{ { slackWebhook: { deep: [$json.key] } } }}',
		},
	].map((fields, index) => ({ actionId: `new-${index}`, ...fields }));
	const hides = (result, apiKey) => {
		const everything = outOf(result);
		for (const secret of [...SECRETS, apiKey, apiKey.split(':')[0]])
			expect(everything).not.toContain(secret);
	};

	test('come out nowhere: not of what is written, previewed, listed, read, deleted', async () => {
		await withService({}, async ({ apiKey }, _scim, alert) => {
			for (const fields of WRITES) {
				for (const preview of [true, false]) {
					const { json, ...result } = await alert(
						'action',
						'upsert',
						{ ...fields, preview },
						{ items },
					);
					hides({ json, ...result }, apiKey);
					// The service takes no objects where texts belong.
					const isRefused = !preview && String(fields.payload).includes('deep');
					if (isRefused) expect(result.error.httpCode).toBe('400');
					else expect(JSON.stringify(json)).toContain('***');
				}
				const actionId = 'marketing-mail';
				const more = { items, onError: 'continueErrorOutput' };
				const refused = await alert('action', 'upsert', { ...fields, actionId }, more);
				expect(refused.errorJson[0].error).toContain('is of kind EMAIL');
				hides(refused, apiKey);
			}
			const action = byId('marketing-chat');
			hides(await alert('action', 'getAll', { returnAll: true }), apiKey);
			hides(await alert('action', 'get', { action }), apiKey);
			hides(await alert('action', 'disable', { action }), apiKey);
			hides(await alert('action', 'sendTest', { action }), apiKey);
			const options = { detachFirst: true };
			hides(await alert('action', 'delete', { action, preview: true, options }), apiKey);
			hides(await alert('action', 'delete', { action, options }), apiKey);
		});
	});

	test('come out with Show Secrets, which a person has to turn on', async () => {
		await withService({}, async (_service, _scim, alert) => {
			const options = { showSecrets: true };
			const shown = 'https://chat.example.com/services/T0/B0/demo';
			const one = await alert('action', 'get', { action: byId('marketing-chat'), options });
			expect(one.json[0].payload).toEqual({ slackWebhook: shown });
			const many = await alert('action', 'getAll', { options });
			expect(many.json.map(({ payload }) => payload)).toContainEqual({ slackWebhook: shown });
			const { json } = await alert('action', 'upsert', chat('new-chat', { options }));
			expect(json[0].payload).toEqual({ slackWebhook: CHAT });
		});
	});

	const ECHOES = {
		'the body as text': [400, ({ text }) => `Cannot store ${text}`],
		'the body in JSON': [400, ({ text }) => ({ message: `Cannot store ${text}`, type: 'X' })],
		'the body as a web page': [
			500,
			({ text }) => `<html><body>${text.replaceAll('"', '&quot;')}</body></html>`,
		],
		'the path of the URL': [
			400,
			({ text }) => ({ message: `No host answers at ${/services[^"]*/.exec(text)?.[0]}` }),
		],
		'the key': [403, (_, key) => ({ message: `The key ${key} is not valid` })],
	};

	test.each(Object.entries(ECHOES))('are hidden when the service echoes %s', async (...given) => {
		const [, [status, echo]] = given;
		await withService({}, async ({ apiKey, faults }, _scim, alert) => {
			const body = (request) => echo(request, apiKey);
			faults.add({ method: 'PUT', kind: 'status', status, body });
			for (const fields of WRITES) {
				const more = { items, onError: 'continueErrorOutput' };
				const result = await alert('action', 'upsert', fields, more);
				expect(result.errorJson[0].error).toMatch(/answered [45]|could not verify/i);
				hides(result, apiKey);
				const stopped = await alert('action', 'upsert', fields, { items });
				expect(stopped.error.message).toMatch(/answered [45]|could not verify/i);
				hides(stopped, apiKey);
			}
		});
	});

	test('are hidden when the list of actions is cut off', async () => {
		await withService({ faults: [{ kind: 'truncated' }] }, async ({ apiKey }, _scim, alert) => {
			const result = await alert('action', 'getAll', {});
			expect(result.error.message).toContain('not JSON');
			hides(result, apiKey);
		});
	});
});

describe('Get and Get Many', () => {
	test('Get: one listing for all items; a wrong ID lists the known', async () => {
		await withService({}, async (service, _scim, alert) => {
			const items = [{ id: 'oncall-pager' }, { id: 'marketing-mail' }];
			const { json } = await alert('action', 'get', { action: byId('={{ $json.id }}') }, { items });
			expect(json).toMatchObject([
				{ id: 'oncall-pager', type: 'PAGER_DUTY', enabled: true, payload: { pagerDutyKey: '***' } },
				{ id: 'marketing-mail', payload: { email: 'marketing-alerts@example.com' } },
			]);
			expect(json[0].usedBy).toHaveLength(6);
			expect(countsOf(service)).toEqual({ GET: 1 });

			const { error } = await alert('action', 'get', { action: byId('nobody') });
			expect(error).toMatchObject({
				message: 'There is no action nobody',
				description:
					'The organization has: oncall-pager, marketing-chat, marketing-mail, old-hook.',
			});
		});
	});

	const found = async (alert, parameters) =>
		(await alert('action', 'getAll', parameters)).json.map(({ id }) => id);

	test.each([
		['kind', { kind: 'slack' }, ['marketing-chat']],
		['text in the ID', { idContains: 'Marketing' }, ['marketing-chat', 'marketing-mail']],
		['enabled', { enabled: true }, ['oncall-pager', 'marketing-chat', 'marketing-mail']],
		['disabled', { enabled: false }, ['old-hook']],
		['used', { used: true }, ['oncall-pager', 'marketing-chat']],
		['unused', { used: false }, ['marketing-mail', 'old-hook']],
		['several at once', { used: false, enabled: true }, ['marketing-mail']],
	])('Get Many by %s', async (_what, filters, ids) => {
		await withService({}, async (service, _scim, alert) => {
			expect(await found(alert, { filters })).toEqual(ids);
			expect(countsOf(service)).toEqual({ GET: 1 });
		});
	});

	test('Get Many: limit, all, and of another organization', async () => {
		await withService({}, async (service, _scim, alert) => {
			expect(await found(alert, { limit: 2 })).toEqual(['oncall-pager', 'marketing-chat']);
			expect(await found(alert, { returnAll: true })).toHaveLength(4);
			const { error } = await alert('action', 'getAll', { limit: "={{ 'x' }}" });
			expect(error.message).toBe('Limit is not a whole number from 1');
			const options = { organizationId: 'org-9120' };
			const credential = { apiKey: service.apiKeys['org-9120'] };
			const { json } = await alert('action', 'getAll', { options }, { credential });
			expect(json.map(({ id }) => id)).toEqual(['ops-pager', 'ops-chat']);
		});
	});

	test('a service that tells less: no enabled, no references, no list of models', async () => {
		await withService(DOCUMENTED, async (_service, _scim, alert) => {
			const { json } = await alert('action', 'getAll', {});
			expect(Object.keys(json[0])).toEqual(['id', 'type', 'payload']);
			const enabled = await alert('action', 'getAll', { filters: { enabled: true } });
			expect(enabled.error.message).toBe('This service does not say which actions are enabled');
			const used = await alert('action', 'getAll', { filters: { used: true } });
			expect(used.error.message).toBe('This service does not list its models');
		});
	});
});

describe('Delete', () => {
	test('an action that nobody uses: gone, and gone already the second time', async () => {
		await withService({}, async (service, _scim, alert) => {
			const parameters = { action: byId('marketing-mail') };
			const { json } = await alert('action', 'delete', parameters);
			expect(json).toMatchObject([{ id: 'marketing-mail', deleted: true, status: 'done' }]);
			expect(linesOf(service)).toEqual(['GET  200', 'DELETE /marketing-mail 200', 'GET  200']);
			service.log.clear();
			const again = await alert('action', 'delete', parameters);
			expect(again.json[0]).toMatchObject({ deleted: true, status: 'unchanged' });
			expect(linesOf(service)).toEqual(['GET  200']);
		});
	});

	test('one in use is kept, and the monitors are named', async () => {
		await withService({}, async (service, _scim, alert) => {
			const { error } = await alert('action', 'delete', { action: byId('marketing-chat') });
			expect(error.message).toContain('Action marketing-chat is used by 6 monitors: ');
			expect(error.message).toContain('(model model-1)');
			expect(error.description).toContain('turn on Detach First');
			expect(countsOf(service)).toEqual({ GET: 1 });
		});
	});

	test('one that came into use meanwhile (404 ResourceConstraint) is kept, too', async () => {
		await withService({}, async (service, _scim, alert) => {
			service.options.onRequest = ({ method }, state) => {
				if (method !== 'DELETE') return;
				const text = state.configurationText('org-3454', 'model-2');
				const used = text.replace(
					'"actions":[]',
					'"actions":[{"type":"global","target":"old-hook"}]',
				);
				state.storeConfiguration('org-3454', 'model-2', used);
			};
			const { error } = await alert('action', 'delete', { action: byId('old-hook') });
			expect(error.message).toContain(
				'Action old-hook is used by a monitor: uplift-volume-monitor',
			);
			expect(storedAction(service, 'old-hook')).toBeDefined();
		});
	});

	test('Detach First: from all monitors of all models, then deleted', async () => {
		await withService({}, async (service, _scim, alert) => {
			await alert('monitor', 'attach', {
				action: byId('oncall-pager'),
				model: byId('model-2'),
				monitors: 'all',
			});
			service.log.clear();
			const options = { detachFirst: true };
			const parameters = { action: byId('oncall-pager'), options };
			const preview = await alert('action', 'delete', { ...parameters, preview: true });
			expect(preview.json[0].configurations.map(({ model }) => model)).toEqual([
				'model-1',
				'model-2',
			]);
			expect(preview.json[0].requests.map(({ method, after }) => [method, after])).toEqual([
				['PATCH', undefined],
				['PATCH', undefined],
				['DELETE', [0, 1]],
			]);
			expect(countsOf(service)).toEqual({ GET: 3 });

			const { json, error } = await alert('action', 'delete', parameters);
			expect(error).toBeUndefined();
			expect(json).toHaveLength(10);
			expect(json[0]).toEqual({
				...{ id: 'oncall-pager', deleted: false, status: 'done', reason: null },
				...{ model: 'model-1', monitor: 'checkout-page-unique-values-monitor' },
				text: 'Detached oncall-pager from monitor checkout-page-unique-values-monitor of model model-1.',
			});
			expect(json[9]).toEqual({
				...{ id: 'oncall-pager', deleted: true, status: 'done', reason: null },
				...{ model: null, monitor: null, text: 'Deleted action oncall-pager.' },
			});
			expect(storedAction(service, 'oncall-pager')).toBeUndefined();
			expect(service.state.configurationText('org-3454', 'model-1')).not.toContain('oncall-pager');
		});
	});

	test.each([
		['refused', { method: 'PATCH', kind: 'html-403' }, '403'],
		['dropped', { method: 'PATCH', kind: 'dropped' }, 'did not show it when it was read back'],
		['unreadable', { path: /model-1\/monitor-config/, kind: 'html-403' }, '403'],
	])(
		'Detach First: what could not be detached everywhere (%s) is not deleted',
		async (...given) => {
			const [, fault, message] = given;
			await withService({ faults: [fault] }, async (service, _scim, alert) => {
				const { error } = await alert('action', 'delete', {
					action: byId('marketing-chat'),
					options: { detachFirst: true },
				});
				expect(error.message).toContain(message);
				expect(countsOf(service).DELETE).toBeUndefined();
				expect(storedAction(service, 'marketing-chat')).toBeDefined();
			});
		},
	);

	test('the default email action is none of these: nothing is written', async () => {
		await withService({}, async (service, _scim, alert) => {
			for (const operation of ['delete', 'disable', 'enable', 'get', 'sendTest', 'upsert']) {
				const own = operation === 'upsert' ? mail('email') : { action: byId('email') };
				const { error } = await alert('action', operation, own);
				expect(error.message).toBe('"email" is the default email action of the organization');
			}
			expect(countsOf(service)).toEqual({ GET: 6 });
		});
	});

	test('an action named email that the list shows is one like any other', async () => {
		await withService({}, async (service, _scim, alert) => {
			const stored = { id: 'email', type: 'EMAIL', payload: { email: 'old@example.com' } };
			service.state.alerting.putAction('org-3454', stored);
			const run = async (operation, fields = { action: byId('email') }) => {
				const { json, error } = await alert('action', operation, fields);
				return error ?? json.at(-1);
			};
			expect(await run('get')).toMatchObject({ type: 'EMAIL' });
			expect((await run('upsert', mail('email', 'new@example.com'))).status).toBe('done');
			expect(storedAction(service, 'email').payload).toEqual({ email: 'new@example.com' });
			expect((await run('disable')).status).toBe('done');
			expect((await run('enable')).status).toBe('done');
			expect((await run('sendTest')).status).toBe('done');
			service.log.clear();
			expect((await run('delete')).message).toContain('Action email is used by 13 monitors');
			expect(countsOf(service)).toEqual({ GET: 1 });
			const options = { detachFirst: true };
			expect(await run('delete', { action: byId('email'), options })).toMatchObject({
				deleted: true,
			});
			expect(storedAction(service, 'email')).toBeUndefined();
		});
	});

	test.each(['reset-after', '500-after'])(
		'a lost answer (%s): looked after, and done',
		async (kind) => {
			await withService({ faults: [{ method: 'DELETE', nth: 1, kind }] }, async (...given) => {
				const [, , alert] = given;
				const { json } = await alert('action', 'delete', { action: byId('marketing-mail') });
				expect(json[0]).toMatchObject({ deleted: true, status: 'done' });
			});
		},
	);

	test('one that somebody else has deleted just now is done', async () => {
		await withService({}, async (service, _scim, alert) => {
			service.options.onRequest = ({ method }, { alerting }) => {
				if (method === 'DELETE') alerting.deleteAction('org-3454', 'old-hook');
			};
			const { json } = await alert('action', 'delete', { action: byId('old-hook') });
			expect(json[0]).toMatchObject({ deleted: true, status: 'done' });
		});
	});
});

// What the list of actions does not show is not done; a route that is missing is said to be.
test.each([
	['delete', 'dropped', 200, 'Could not confirm: delete action old-hook'],
	['enable', 'dropped', 200, 'Could not confirm: enable action old-hook'],
	['delete', 'missing', 404, 'This service cannot delete action old-hook'],
	['delete', 'missing', 405, 'This service cannot delete action old-hook'],
	['enable', 'missing', 404, 'This service cannot enable action old-hook'],
	['sendTest', 'missing', 404, 'This service cannot send tests'],
])('%s, %s (%s): %s', async (operation, kind, status, message) => {
	const faults = ['PUT', 'POST', 'DELETE'].map((method) => ({ method, kind, status }));
	await withService({ faults }, async (service, _scim, alert) => {
		const { error } = await alert('action', operation, { action: byId('old-hook') });
		expect(error.message).toContain(message);
		expect(storedAction(service, 'old-hook').enabled).toBe(false);
	});
});

describe('Enable and Disable', () => {
	test('each once, then it is so already', async () => {
		await withService({}, async (service, _scim, alert) => {
			for (const [operation, id, enabled] of [
				['disable', 'marketing-chat', false],
				['enable', 'old-hook', true],
			]) {
				service.log.clear();
				const { json } = await alert('action', operation, { action: byId(id) });
				expect(json[0]).toMatchObject({ id, enabled, status: 'done' });
				expect(linesOf(service)).toEqual(['GET  200', `PUT /${id}/${operation} 200`, 'GET  200']);
				expect(storedAction(service, id).enabled).toBe(enabled);
				const again = await alert('action', operation, { action: byId(id) });
				expect(again.json[0].status).toBe('unchanged');
			}
		});
	});

	test('an action that is not there: the known are listed', async () => {
		await withService({}, async (_service, _scim, alert) => {
			const { error } = await alert('action', 'enable', { action: byId('nobody') });
			expect(error.description).toContain('oncall-pager');
		});
	});

	test('preview sends nothing', async () => {
		await withService({}, async (service, _scim, alert) => {
			const { json } = await alert('action', 'disable', {
				action: byId('marketing-chat'),
				preview: true,
			});
			expect(json[0].requests[0]).toEqual({
				action: 'disable action marketing-chat',
				items: [0],
				method: 'PUT',
				path: `${LIST}/marketing-chat/disable`,
			});
			expect(countsOf(service)).toEqual({ GET: 1 });
		});
	});
});

describe('Send Test', () => {
	test('is sent once, however many items name the action', async () => {
		await withService({}, async (service, _scim, alert) => {
			const parameters = { action: byId('marketing-chat') };
			const { json } = await alert('action', 'sendTest', parameters, { items: [{}, {}, {}] });
			expect(json).toMatchObject(
				Array(3).fill({
					status: 'done',
					reason: 'the service accepted it',
					text: 'Sent a test to action marketing-chat: the service accepted it.',
				}),
			);
			expect(service.state.testsSent).toHaveLength(1);
			expect(countsOf(service)).toEqual({ GET: 1, POST: 1 });
		});
	});

	test.each([
		['reset-after', 1],
		['500-after', 1],
		['429', 0],
		['500-html', 0],
		['reset-before', 0],
	])('%s: is not sent again, and nobody claims that it arrived', async (kind, arrived) => {
		await withService({ faults: [{ method: 'POST', kind }] }, async (service, _scim, alert) => {
			const { error } = await alert('action', 'sendTest', { action: byId('marketing-chat') });
			expect(error.message).toContain('Could not confirm: send a test to action');
			expect(countsOf(service).POST).toBe(1);
			expect(service.state.testsSent).toHaveLength(arrived);
		});
	});

	test('preview sends none', async () => {
		await withService({}, async (service, _scim, alert) => {
			await alert('action', 'sendTest', { action: byId('marketing-chat'), preview: true });
			expect(service.state.testsSent).toStrictEqual([]);
		});
	});
});

describe('a service with the documented routes alone', () => {
	test.each([
		['delete', 'delete action marketing-mail', { GET: 2, DELETE: 1 }],
		['disable', 'disable actions', { GET: 1 }],
		['enable', 'enable actions', { GET: 1 }],
		['sendTest', 'send tests', { GET: 1, POST: 1 }],
	])('%s: says that it is not offered', async (operation, what, counts) => {
		await withService(DOCUMENTED, async (service, _scim, alert) => {
			const { error } = await alert('action', operation, { action: byId('marketing-mail') });
			expect(error.message).toBe(`This service cannot ${what}`);
			expect(countsOf(service)).toEqual(counts);
			expect(storedAction(service, 'marketing-mail').type).toBe('EMAIL');
		});
	});

	test('Delete with Detach First: the models cannot be listed, so nothing is sent', async () => {
		await withService(DOCUMENTED, async (service, _scim, alert) => {
			const { error } = await alert('action', 'delete', {
				action: byId('marketing-chat'),
				options: { detachFirst: true },
			});
			expect(error.message).toBe('This service does not list its models');
			expect(countsOf(service)).toEqual({ GET: 2 });
		});
	});
});

describe('an answer that is no use', () => {
	test('a wrong key says what to check, and nothing of the key', async () => {
		await withService({}, async (_service, _scim, alert) => {
			const credential = { apiKey: 'wrong-key-0001:org-3454' };
			const result = await alert('action', 'getAll', {}, { credential });
			expect(result.error).toMatchObject({
				httpCode: '403',
				description: expect.stringContaining('access-token settings'),
			});
			expect(outOf(result)).not.toContain('wrong-key-0001');
		});
	});

	test('429 in plain text is waited for, up to Max Wait', async () => {
		await withService({ faults: [{ kind: '429', times: 3 }] }, async (service, _scim, alert) => {
			const { json } = await alert('action', 'getAll', {});
			expect(json).toHaveLength(4);
			expect(countsOf(service)).toEqual({ GET: 4 });
			const waited = mockPauses.reduce((sum, ms) => sum + ms, 0);
			expect(waited).toBeGreaterThan(1_500);
			expect(waited).toBeLessThan(4_000);
		});
		await withService({ faults: [{ kind: '429' }] }, async (service, _scim, alert) => {
			const { error } = await alert('action', 'getAll', { options: { maxWait: 0 } });
			expect(error).toMatchObject({ httpCode: '429', message: expect.stringContaining('429') });
			expect(countsOf(service)).toEqual({ GET: 1 });
		});
	});

	test.each([
		['html-200', 'the service answered 200 with something that is not JSON ("Sign in")'],
		['empty-200', 'the service answered 200 without a list'],
	])('%s instead of the list', async (kind, message) => {
		await withService({ faults: [{ kind }] }, async (_service, _scim, alert) => {
			const { error } = await alert('action', 'getAll', {});
			expect(error.message).toBe(`Could not list the actions: ${message}`);
		});
	});
});

test('Delete with Detach First names the action on every item, also where a model cannot be read', async () => {
	const faults = [{ path: /model-1\/monitor-config/, kind: 'html-403' }];
	await withService({ faults }, async (service, _scim, alert) => {
		await alert('monitor', 'attach', {
			...{ action: byId('oncall-pager'), model: byId('model-2'), monitors: 'all' },
		});
		const { json } = await alert(
			'action',
			'delete',
			{ action: byId('oncall-pager'), options: { detachFirst: true } },
			{ onError: 'continueRegularOutput' },
		);
		expect(json.length).toBeGreaterThan(1);
		expect(new Set(json.map(({ id }) => id))).toEqual(new Set(['oncall-pager']));
		expect(json.map(({ monitor }) => monitor)).not.toContain('');
		expect(json.some(({ deleted }) => deleted)).toBe(false);
	});
});
