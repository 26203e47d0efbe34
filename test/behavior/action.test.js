'use strict';

require('../support/noWaiting');
const { inspect } = require('util');
const {
	ACTIONS,
	Alerting,
	errorsIn,
	locator,
	play,
	run,
	table,
	writesOf,
} = require('../support/alertBehavior');

const CHAT = 'https://chat.example.com/services/T1/B1/secret-of-the-hook';
const HOOK = 'https://n8n.example.com/webhook/alerts';
const DOCUMENTED = { documentedOnly: true };
const on = (more, models) => () => new Alerting(models, more);
const named = (id, more) => ({ action: locator(id), ...more });
const chat = (actionId, more) => ({ actionId, kind: 'chatWebhook', webhookUrl: CHAT, ...more });
const mail = (actionId, email = 'ops@example.com', more = {}) => ({
	...{ actionId, kind: 'email', email },
	...more,
});
const ofAnotherModel = {
	...{ path: /m\/monitor-config/, kind: 'status', status: 200 },
	body: '{"datasetId":"n","monitors":[],"analyzers":[]}',
};
const webhook = (more) => ({
	actionId: 'new',
	kind: 'webhook',
	url: HOOK,
	method: 'POST',
	...more,
});
const other = (otherKind, payload) => ({ actionId: 'new', kind: 'other', otherKind, payload });
const header = (...rows) => ({ header: rows.map(([name, value]) => ({ name, value })) });
/** What is stored of an action. */
const is = (type, payload, enabled = true) => ({ type, payload, enabled });
const plain = { method: 'POST', headers: {} };

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe('Create or Update', () => {
	const made = (it, wish, type, payload) => ({
		...{ it, wish, stores: { new: is(type, payload) } },
		items: [
			{
				...{ id: 'new', type, change: 'created', status: 'done', text: 'Created action new.' },
				...{ creationTime: ISO, lastUpdate: ISO },
			},
		],
		reads: 2,
	});
	const body = (it, given, sent) =>
		made(`the body of a webhook from ${it}`, webhook({ body: given }), 'WEBHOOK', {
			...{ url: HOOK, ...plain },
			...(sent && { body: sent }),
		});
	table('action', 'upsert', [
		made('an email', mail('new'), 'EMAIL', { email: 'ops@example.com' }),
		made('a chat', chat('new'), 'SLACK', { slackWebhook: CHAT }),
		made('a pager', { actionId: 'new', kind: 'incidentPaging', serviceKey: 'a-1' }, 'PAGER_DUTY', {
			pagerDutyKey: 'a-1',
		}),
		made('Teams', { ...chat('new'), kind: 'teams' }, 'TEAMS', { webhook: CHAT }),
		made(
			'a webhook',
			webhook({ method: 'put', headers: header(['X-Key', 'v'], ['', 'w']), body: '{"a":1}' }),
			...['WEBHOOK', { url: HOOK, method: 'PUT', headers: { 'X-Key': 'v' }, body: '{"a":1}' }],
		),
		made('another kind', other('WEBHOOK', `{"url":"${HOOK}"}`), 'WEBHOOK', { url: HOOK, ...plain }),
		made(
			'a number is stored as text',
			other('PAGER_DUTY', { pagerDutyKey: 20250101999 }),
			'PAGER_DUTY',
			{
				pagerDutyKey: '20250101999',
			},
		),
		body('no value', undefined),
		body('null', null),
		body('a number', 5, '5'),
		body('an object', { text: 'down' }, '{"text":"down"}'),
		body('a list', [1, 2], '[1,2]'),
		{
			...made('the documented routes are enough', mail('new'), 'EMAIL', {
				email: 'ops@example.com',
			}),
			...{ on: on(DOCUMENTED), items: ['new done'] },
		},
		{
			it: 'headers and a body are taken away, and that is seen',
			wish: { actionId: 'hook', kind: 'webhook', url: ACTIONS.hook.payload.url, method: 'POST' },
			items: ['hook done'],
			stores: { hook: is('WEBHOOK', { url: ACTIONS.hook.payload.url, ...plain }, false) },
		},
		{
			it: 'what is so already is no write; all items share the two lists',
			wish: { items: ['mail', 'one', 'two'].map((id) => mail(id, 'mail@example.com')) },
			items: ['mail unchanged', 'one done', 'two done'],
			...{ from: [0, 1, 2], reads: 2 },
			stores: Object.fromEntries(
				['one', 'two'].map((id) => [id, is('EMAIL', { email: 'mail@example.com' })]),
			),
		},
		{
			it: 'an item that wants something else than one that is so already fails',
			wish: { items: ['mail@example.com', 'b@example.com'].map((to) => mail('mail', to)) },
			...{ items: ['mail unchanged', 'mail failed'] },
			fails: ['Items 0 and 1 want different things of action mail'],
		},
		{
			it: 'items that agree are one write, and one that wants something else fails',
			wish: {
				items: ['a@example.com', 'a@example.com', 'b@example.com'].map((to) => mail('one', to)),
			},
			fails: ['Items 0 and 2 want different things of action one'],
			...{
				sends: ['PUT EMAIL one'],
				items: ['one done', 'one done', 'one failed'],
				from: [0, 1, 2],
			},
			stores: { one: is('EMAIL', { email: 'a@example.com' }) },
		},
		{
			it: 'what the service refuses is told in its words, without the payload',
			wish: other('SLACK', '{"webhookUrl":"https://chat.example.com/secret"}'),
			fails: [/the service answered 400, Unknown field webhookUrl(?!.*secret)/],
			sends: ['PUT SLACK new 400'],
		},
		{
			it: 'another kind is refused',
			wish: chat('mail'),
			fails: ['Action mail is of kind EMAIL, not SLACK'],
			advises: ['Allow Changing Kind'],
		},
		{
			it: 'another kind with Allow Changing Kind',
			wish: chat('mail', { options: { allowChangingKind: true } }),
			items: ['mail done'],
			stores: { mail: is('SLACK', { slackWebhook: CHAT }) },
		},
		...[
			['new', 404, 'The ID new cannot be used: an action with it was deleted before'],
			['new', 409, 'The ID new cannot be used: an action with it was deleted before'],
			['mail', 404, 'Could not update action mail: the service answered 404, Not Found'],
		].map(([actionId, status, message]) => ({
			it: `${actionId} of a kind that the service does not know (${status}): that is named`,
			on: on({ faults: [{ method: 'PUT', kind: 'missing', status }] }),
			wish: {
				...{ ...other('MAIL', '{"email":"ops@example.com"}'), actionId },
				options: { allowChangingKind: true },
			},
			fails: [message],
			...{ advises: ['does not know the kind MAIL'], sends: [`PUT MAIL ${actionId}`] },
		})),
		{
			it: 'the default email action of a service that has it',
			wish: mail('email'),
			fails: ['"email" is the default email action of the organization'],
			advises: ['create it with Allow Default Email'],
		},
		{
			it: 'the same where the service has none, with Allow Default Email',
			on: on({ defaultEmail: false }),
			wish: mail('email', undefined, { options: { allowDefaultEmail: true } }),
			items: ['email done'],
			stores: { email: is('EMAIL', { email: 'ops@example.com' }) },
		},
		{
			it: 'the secrets of a preview are masked',
			wish: chat('new', { preview: true }),
			items: [
				{
					preview: true,
					requests: [
						expect.objectContaining({
							...{ action: 'create action new', method: 'PUT' },
							path: '/v0/notification-settings/org-3454/actions/SLACK/new',
							body: { slackWebhook: 'https://chat.example.com/***' },
						}),
					],
				},
			],
		},
	]);

	const WARNING = 'drop the port 5678 and the query of the URL and go to port 443';
	const odd = 'https://n8n.example.com:5678/hook?key=secret';
	const stored = { new: is('WEBHOOK', { url: odd, ...plain }) };
	table(
		...['action', 'upsert'],
		[
			{ it: 'a preview', wish: webhook({ url: odd, preview: true }) },
			{
				it: 'a new action',
				wish: webhook({ url: odd }),
				stores: stored,
			},
			{ it: 'one that is so', on: on({ actions: stored }), wish: webhook({ url: odd }) },
		].map((row) => ({ ...row, it: `a port and a query are dropped: ${row.it} warns` })),
		{ warns: [WARNING] },
	);

	// The checks themselves are tested with actions/actionKinds.
	const payload = 'The payload is not a JSON object with fields';
	table(
		...['action', 'upsert'],
		[
			['an ID with a slash', mail('a/../b'), 'is not an ID of an action'],
			['a channel', chat('#alerts'), '"#alerts" is a channel, not an ID of an action'],
			['101 characters', mail('x'.repeat(101)), 'has 101 characters'],
			['a URL without TLS', chat('a', { webhookUrl: 'http://secret' }), 'https://'],
			[
				'a URL that is none',
				{ ...chat('a', { webhookUrl: 'secret' }), kind: 'teams' },
				'not valid',
			],
			['no URL of a webhook', webhook({ url: ' ' }), 'The URL is missing'],
			['two emails', mail('a', 'a@example.com,b@example.com'), 'is not an email address'],
			[
				'a key with a blank',
				{ actionId: 'a', kind: 'incidentPaging', serviceKey: 'secret x' },
				'key',
			],
			[
				'a header without a proper name',
				webhook({ headers: header(['X Key', 'secret']) }),
				'"X Key" is not the name',
			],
			[
				'a header twice',
				webhook({ headers: header(['X', 'secret'], ['X', 'v']) }),
				'X is specified twice',
			],
			[
				'a header that is no text',
				webhook({ headers: header(['X', { a: 'secret' }]) }),
				'The value of header X is not text',
			],
			['a method that is none', webhook({ method: 'FETCH' }), '"FETCH" is not a method'],
			['no method', webhook({ method: null }), '"" is not a method'],
			['a kind that is none', { actionId: 'a', kind: 'fax' }, 'Kind is none of its options'],
			['a kind with a slash', other('A/B', '{"a":1}'), '"A/B" is not a kind of action'],
			[
				'a payload without end',
				other('X', '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000)),
				'more than 50 levels deep',
			],
			...['', '{', '[]', '"text"', '{}', 'null'].map((text) => [
				`the payload ${text}`,
				other('X', text),
				payload,
			]),
		].map(([it, wish, message]) => ({
			...{ it: `${it}: nothing is sent`, wish, fails: [message] },
			...{ advises: [/^(?!.*secret)./], reads: 0 },
		})),
	);

	const NOT_SHOWN = 'Could not confirm: create action new: the list of actions does not show it';
	const faulty = (it, fault, more) => ({
		...{ it, wish: mail('new', undefined, more), on: on({ faults: [fault] }) },
		sends: ['PUT EMAIL new'],
	});
	const patient = { options: { maxWait: 0 } };
	const written = { stores: { new: is('EMAIL', { email: 'ops@example.com' }) } };
	table('action', 'upsert', [
		{
			...faulty('a write of which the service keeps nothing', { method: 'PUT', kind: 'dropped' }),
			...{ fails: [NOT_SHOWN], waits: 10_000 },
		},
		{
			...faulty(
				'an answer lost to the end: it is there',
				{ method: 'PUT', kind: 'reset-after' },
				patient,
			),
			...written,
		},
		{
			...faulty(
				'an answer lost to the end: it is not there',
				{ method: 'PUT', kind: 'reset-before' },
				patient,
			),
			fails: [NOT_SHOWN],
		},
		{
			...faulty(
				'a list that cannot be read again',
				{ method: 'GET', from: 2, kind: '500-html' },
				patient,
			),
			...{
				fails: ['Could not confirm: create action new: Could not list the actions'],
				...written,
			},
		},
		...['reset-after', 'reset-before', '500-after', '429'].map((kind) => ({
			...faulty(`${kind}: written again, which does no harm`, { method: 'PUT', nth: 1, kind }),
			...{ sends: Array(2).fill('PUT EMAIL new'), reads: 2, ...written },
		})),
	]);
});

describe('secrets', () => {
	const SECRETS = ['secret-of', '20250101999', 'key-of-the-pager', 'secret-part', '/T0/demo'];
	const WRITES = [
		chat('new'),
		{ ...chat('new'), kind: 'teams' },
		{ actionId: 'new', kind: 'incidentPaging', serviceKey: 'secret-of-the-pager' },
		webhook({
			url: CHAT,
			headers: header(['X-Key', 'secret-of-the-header']),
			body: '"secret-of-the-body"',
		}),
		other('SLACK', { slackWebhook: CHAT }),
		other('SLACK', { slackWebhook: 20250101999 }),
		other('SLACK', { slackWebhook: { deep: ['secret-of-the-depth'] } }),
	];
	/** Everything that comes out of a run, errors too. */
	async function outOf(world, operation, wish) {
		const output = await run(world, ['action', operation], wish);
		const stop = await run(world, ['action', operation], wish, [{}], {
			continueOnFail: false,
		}).catch((error) => error);
		// n8n keeps the node beside its errors, with what was typed into it.
		for (const error of [stop, ...output.map((item) => item.error)]) {
			if (error?.node) error.node = undefined;
		}
		return inspect([output, stop], {
			...{ depth: 30, maxStringLength: null, maxArrayLength: null },
		});
	}
	const hides = (text) => {
		for (const secret of SECRETS) expect(text).not.toContain(secret);
	};

	test.each(WRITES)('come out nowhere of what is written: %j', async (fields) => {
		for (const more of [{ preview: true }, {}, { actionId: 'mail' }])
			hides(await outOf(new Alerting(), 'upsert', { ...fields, ...more }));
	});

	test.each([
		['getAll', { returnAll: true }],
		['get', named('chat')],
		['disable', named('chat')],
		['sendTest', named('chat')],
		['delete', named('chat')],
		['delete', named('chat', { preview: true })],
	])('come out nowhere of what is there: %s %j', async (operation, wish) => {
		hides(await outOf(new Alerting(), operation, wish));
	});

	test.each([
		['the body as text', 400, ({ text }) => `Cannot store ${text}`],
		['the body in JSON', 400, ({ text }) => ({ message: `Cannot store ${text}`, type: 'X' })],
		['the body as a web page', 500, ({ text }) => `<html>${text.replaceAll('"', '&quot;')}</html>`],
		[
			'the path of the URL',
			400,
			({ text }) => ({ message: `No ${/services[^"]*/.exec(text)?.[0]}` }),
		],
		['the key', 403, () => ({ message: 'The key key-of-marketing.secret-part:org-3454 is wrong' })],
	])('are hidden when the service echoes %s', async (_, status, body) => {
		const world = new Alerting(undefined, {
			faults: [{ method: 'PUT', kind: 'status', status, body }],
		});
		for (const fields of WRITES) {
			const text = await outOf(world, 'upsert', fields);
			expect(text).toMatch(/answered [45]|could not verify/i);
			hides(text);
		}
	});

	test('are hidden when the list of actions is cut off', async () => {
		const text = await outOf(
			new Alerting(undefined, { faults: [{ kind: 'truncated' }] }),
			'getAll',
			{},
		);
		expect(text).toContain('not JSON');
		hides(text);
	});

	const options = { showSecrets: true };
	const { payload } = ACTIONS.chat;
	table('action', 'get', [
		{
			it: 'come out of Get with Show Secrets',
			wish: named('chat', { options }),
			items: [{ payload }],
		},
	]);
	table('action', 'upsert', [
		{
			it: 'come out of Create or Update with Show Secrets',
			wish: chat('new', { options }),
			items: [{ payload: { slackWebhook: CHAT } }],
			stores: { new: is('SLACK', { slackWebhook: CHAT }) },
		},
	]);
});

describe('Get and Get Many', () => {
	table('action', 'get', [
		{
			it: 'one list for all items',
			wish: { items: ['pager', 'mail'].map((id) => named(id)) },
			items: [
				expect.objectContaining({
					...{ id: 'pager', type: 'PAGER_DUTY', enabled: true, payload: { pagerDutyKey: '***' } },
					usedBy: [{ model: 'm', monitor: 'volume-monitor' }],
				}),
				{ id: 'mail', payload: { email: 'mail@example.com' } },
			],
			reads: ['GET actions'],
		},
		{
			it: 'an action that is not there: those there are listed',
			wish: named('nobody'),
			fails: ['There is no action nobody'],
			advises: ['The organization has: pager, chat, mail, hook.'],
		},
	]);
	const found = (it, fields, ids, more) => ({
		...{ it, wish: fields, reads: ['GET actions'] },
		items: ids.split(' ').map((id) => ({ id })),
		...more,
	});
	const by = (it, filters, ids) => found(`by ${it}`, { filters }, ids);
	/** The list of actions, without who uses them. */
	const unsaid = {
		...{ path: /\/actions$/, kind: 'status', status: 200 },
		body: Object.entries(ACTIONS).map(([id, own]) => ({ id, ...own })),
	};
	const fails = (it, filters, message, reads) => ({
		...{ it, wish: { filters }, fails: [message], on: on(DOCUMENTED), reads },
	});
	table('action', 'getAll', [
		found('all', { returnAll: true }, 'pager chat mail hook'),
		found('as many as the limit', { limit: 2 }, 'pager chat'),
		by('kind', { kind: 'slack' }, 'chat'),
		by('text in the ID', { idContains: 'CHA' }, 'chat'),
		by('enabled', { enabled: true }, 'pager chat mail'),
		by('disabled', { enabled: false }, 'hook'),
		by('used', { used: true }, 'pager'),
		by('unused', { used: false }, 'chat mail hook'),
		by('several at once', { used: false, enabled: true }, 'chat mail'),
		{
			it: 'a limit that is none',
			wish: { limit: 'x' },
			fails: ['Limit is not a whole number from 1'],
		},
		found('of another organization', { options: { organizationId: 'org-1' } }, '', {
			...{ items: [{}], fails: ['403'], reads: 1 },
			advises: ['access-token settings'],
		}),
		found('a service that tells less', {}, 'pager chat mail hook', { on: on(DOCUMENTED) }),
		found('uses are not told, but the models', { filters: { used: true } }, 'pager', {
			...{ on: on({ faults: [unsaid] }), reads: ['GET actions', 'GET models', 'GET m'] },
		}),
		{
			it: 'the same where one of them cannot be read',
			on: on({ faults: [unsaid, { path: /monitor-config/, kind: 'html-403' }] }),
			...{ wish: { filters: { used: true } }, fails: ['model m: the service answered 403'] },
		},
		{
			it: 'the same where one of them is answered with that of another model',
			on: on({ faults: [unsaid, ofAnotherModel] }),
			...{ wish: { filters: { used: true } }, fails: ['its datasetId is n, not m'] },
		},
		fails('enabled is not told', { enabled: true }, 'does not say which actions are enabled', 1),
		fails('uses are not told, nor the models', { used: true }, 'does not list its models', 2),
		{
			it: '429 is waited for',
			wish: {},
			on: on({ faults: [{ kind: '429', times: 3 }] }),
			reads: 4,
			once: true,
		},
		{
			it: '429 is not waited for longer than Max Wait',
			...{ wish: { options: { maxWait: 0 } }, on: on({ faults: [{ kind: '429' }] }) },
			...{ fails: ['429'], waits: 0 },
		},
		...[
			['html-200', 'the service answered 200 with something that is not JSON ("Sign in")'],
			['empty-200', 'the service answered 200 without a list'],
		].map(([kind, message]) => ({
			...{ it: `${kind} instead of the list`, wish: {}, on: on({ faults: [{ kind }] }) },
			fails: [`Could not list the actions: ${message}`],
		})),
	]);
});

describe('Delete', () => {
	const detachFirst = { options: { detachFirst: true } };
	const TWO = { m: { drift: 'email pager', volume: 'pager' }, n: { churn: 'pager' } };
	const gone = (id) => ({ stores: { [id]: undefined } });
	const detached = {
		...{ on: on({}, TWO), wish: named('pager', detachFirst), stores: { pager: undefined } },
		ends: { 'm:drift': 'email', 'm:volume': '', 'n:churn': '' },
	};
	const kept = (it, fault, sends, message, more) => ({
		...{ it: `Detach First: ${it}, so it stays`, wish: named('pager', detachFirst) },
		...{ on: on({ faults: [fault] }), sends, fails: [message, /detached|needs/], ...more },
	});
	table('action', 'delete', [
		{
			it: 'one that nobody uses',
			wish: named('mail'),
			items: [{ id: 'mail', deleted: true, status: 'done', text: 'Deleted action mail.' }],
			...{ ...gone('mail'), reads: ['GET actions', 'GET actions'] },
		},
		{
			it: 'one delete for two items',
			wish: { items: [named('mail'), named('mail')] },
			...{ ...gone('mail'), items: ['mail done', 'mail done'] },
		},
		{
			it: 'one that is gone already',
			wish: named('nobody'),
			items: [{ id: 'nobody', deleted: true, status: 'unchanged' }],
			reads: 1,
		},
		{
			it: 'one in use is kept, and the monitors are named',
			wish: named('pager'),
			fails: ['Action pager is used by a monitor: volume-monitor (model m)'],
			...{ advises: ['turn on Detach First'], reads: 1 },
		},
		{
			it: 'one that came into use meanwhile is kept',
			...{ wish: named('hook'), ends: { 'm:schema': 'hook' } },
			meanwhile: [
				'during DELETE hook',
				(w) => w.write('m', 'schema', { actions: [{ type: 'global', target: 'hook' }] }),
			],
			fails: ['Action hook is used by a monitor: schema-monitor (model m)'],
			sends: ['DELETE hook 404'],
		},
		{
			...{ it: 'one that another client deletes just now', wish: named('hook') },
			meanwhile: [
				'during DELETE hook',
				({ state }) => state.alerting.deleteAction('org-3454', 'hook'),
			],
			...{ sends: ['DELETE hook 404'], stores: { hook: undefined }, items: ['hook done'] },
		},
		...['reset-after', '500-after'].map((kind) => ({
			...{ it: `a lost answer (${kind}): looked after`, wish: named('mail'), items: ['mail done'] },
			...{ on: on({ faults: [{ method: 'DELETE', nth: 1, kind }] }), ...gone('mail') },
			sends: ['DELETE mail', 'DELETE mail 404'],
		})),
		{
			...{ ...detached, it: 'Detach First: from all monitors of all models, then deleted' },
			items: [
				{ id: 'pager', deleted: false, model: 'm', monitor: 'drift-monitor', status: 'done' },
				...['m:volume done', 'n:churn done'],
				{ id: 'pager', deleted: true, model: null, monitor: null, status: 'done' },
			],
		},
		{
			...{
				it: 'Detach First: the preview',
				wish: named('pager', { ...detachFirst, preview: true }),
			},
			on: on({}, TWO),
			items: [
				{
					configurations: ['m', 'n'].map((model) => expect.objectContaining({ model })),
					requests: [{}, {}, { after: [0, 1] }].map((one) => expect.objectContaining(one)),
				},
			],
		},
		kept('refused', { method: 'PATCH', kind: 'html-403' }, ['PATCH m'], '403'),
		kept(
			'dropped',
			{ method: 'PATCH', kind: 'dropped' },
			Array(5).fill('PATCH m'),
			'did not show it',
		),
		kept('unreadable', { path: /m\/monitor-config/, kind: 'html-403' }, [], '403', {
			items: Array(2).fill(expect.objectContaining({ id: 'pager', deleted: false })),
		}),
		kept('of another model', ofAnotherModel, [], 'its datasetId is n, not m', {
			items: Array(2).fill(expect.objectContaining({ id: 'pager', deleted: false })),
		}),
		{
			it: 'Detach First where the models cannot be listed',
			...{ on: on(DOCUMENTED), wish: named('pager', detachFirst) },
			...{ fails: ['This service does not list its models'], reads: 2 },
		},
	]);

	// An action named email that the list shows is one like any other.
	const email = is('EMAIL', { email: 'old@example.com' });
	const own = on({ actions: { ...ACTIONS, email } });
	table('action', 'delete', [
		{
			it: 'an email action of its own in use',
			on: own,
			wish: named('email'),
			fails: [/used by 2 monitors/],
		},
		{
			...{ it: 'the same, detached first', on: own, wish: named('email', detachFirst) },
			...{ sends: ['PATCH m', 'DELETE email'], stores: { email: undefined } },
			ends: { 'm:drift': '', 'm:volume': 'pager' },
		},
	]);
	table('action', 'upsert', [
		{
			...{ it: 'the same, changed', on: own, wish: mail('email') },
			stores: { email: is('EMAIL', { email: 'ops@example.com' }) },
		},
	]);
	table('action', 'disable', [
		{
			...{ it: 'the same, disabled', on: own, wish: named('email') },
			stores: { email: { ...email, enabled: false } },
		},
	]);
});

describe('Enable, Disable and Send Test', () => {
	const set = (it, id, enabled, operation) => ({
		...{ it, wish: named(id), reads: 2 },
		...{ items: [{ id, enabled, status: 'done' }] },
		stores: { [id]: { ...ACTIONS[id], enabled } },
	});
	table('action', 'enable', [
		set('one that is disabled', 'hook', true, 'enable'),
		{ it: 'one that is enabled', wish: named('chat'), items: ['chat unchanged'], reads: 1 },
		{ it: 'one that there is not', wish: named('nobody'), fails: ['There is no action nobody'] },
	]);
	table('action', 'disable', [
		set('one that is enabled', 'chat', false, 'disable'),
		{
			it: 'a preview',
			wish: named('chat', { preview: true }),
			items: [
				{
					requests: [
						{
							...{ action: 'disable action chat', items: [0], method: 'PUT' },
							path: '/v0/notification-settings/org-3454/actions/chat/disable',
						},
					],
				},
			],
		},
	]);
	const test = (it, more) => ({
		it,
		wish: named('chat'),
		sends: ['POST chat test'],
		once: true,
		...more,
	});
	table('action', 'sendTest', [
		test('once, however many items name the action', {
			wish: { items: Array(3).fill(named('chat')) },
			items: Array(3).fill({
				...{ status: 'done', reason: 'the service accepted it' },
				text: 'Sent a test to action chat: the service accepted it.',
			}),
			reads: 1,
		}),
		...['reset-after', '500-after', '429', '500-html', 'reset-before'].map((kind) =>
			test(`${kind}: not again, and it is not claimed that it arrived`, {
				...{ on: on({ faults: [{ method: 'POST', kind }] }) },
				fails: ['Could not confirm: send a test to action'],
			}),
		),
		{ it: 'a preview sends none', wish: named('chat', { preview: true }) },
	]);
});

// What the list of actions does not show is not done; a route that is missing is said to be.
describe('an operation that is not offered', () => {
	const on404 = (status) => on({ faults: [{ path: /hook/, kind: 'missing', status }] });
	const dropped = on({ faults: [{ path: /hook/, kind: 'dropped' }] });
	const unsaid = { enable: 'PUT hook enable', delete: 'DELETE hook', sendTest: 'POST hook test' };
	test.each([
		['delete', dropped, 'Could not confirm: delete action hook'],
		['enable', dropped, 'Could not confirm: enable action hook'],
		['delete', on404(404), 'This service cannot delete action hook'],
		['delete', on404(405), 'This service cannot delete action hook'],
		['enable', on404(404), 'This service cannot enable action hook'],
		['sendTest', on404(404), 'This service cannot send tests'],
		['delete', on(DOCUMENTED), 'This service cannot delete action hook'],
		['enable', on(DOCUMENTED), 'This service cannot enable actions', []],
		['disable', on(DOCUMENTED), 'This service cannot disable actions', []],
		['sendTest', on(DOCUMENTED), 'This service cannot send tests'],
	])('%s %#: %s', async (operation, service, message, sends = [unsaid[operation]]) => {
		const world = service();
		const before = world.stored();
		expect(errorsIn(await play(world, ['action', operation], named('hook')))).toEqual([
			expect.stringContaining(message),
		]);
		expect(writesOf(world).map((line) => line.replace(/ 40\d$/, ''))).toEqual(sends);
		expect(world.stored()).toEqual(before);
	});

	test.each(['delete', 'disable', 'enable', 'get', 'sendTest'])(
		'%s of the default email',
		async (operation) => {
			const world = new Alerting();
			const [error] = errorsIn(await play(world, ['action', operation], named('email')));
			expect(error).toBe('"email" is the default email action of the organization');
			expect(writesOf(world)).toStrictEqual([]);
		},
	);
});

test('stopped: the error says what is done and what is not', async () => {
	const items = [mail('one'), mail('not an id'), mail('two')];
	const stop = run(new Alerting(), ['action', 'upsert'], {}, items, { continueOnFail: false });
	const { description } = await stop.catch((error) => error);
	expect(description).toContain('Failed: item 1 ("not an id" is not an ID of an action)');
	expect(description.split('\n')).toEqual(
		expect.arrayContaining(['Done: create action one.', 'Done: create action two.']),
	);
});
