'use strict';

require('../support/noWaiting');
const {
	Alerting,
	errorsIn,
	global,
	idOf,
	locator,
	play,
	run,
	table,
	writesOf,
} = require('../support/alertBehavior');
const { document, monitor } = require('../support/configurations');

const DOCUMENTED = { documentedOnly: true };
const on = (models, more) => () => new Alerting(models, more);
/** What an expression gave: n8n itself refuses what is typed and no ID. */
const given = (value) => ({ ...locator(value), typed: '={{ $json.value }}' });
const ALL = { model: locator('m'), monitors: 'all' };
const only = (...words) => ({ monitors: 'ids', monitorIds: words.map(idOf).join(', ') });
const models = (...names) => ({ models: 'ids', modelIds: names.join(', ') });
const doing = (action, ...more) => Object.assign({ ...ALL, action: locator(action) }, ...more);
const TWO = { m: { drift: 'email' }, n: { churn: '' } };
const HOOKED = { 'm:drift': 'email hook', 'm:volume': 'pager email hook', 'm:schema': 'hook' };
const DONE = ['m:drift done', 'm:volume done', 'm:schema done'];

describe('Attach', () => {
	const both = doing('hook', models('m', 'n'));
	const hooked = { ends: { 'm:drift': 'email hook', 'n:churn': 'hook' } };
	const many = Array.from({ length: 101 }, (_, index) => `action-${index}`);
	const mail = { type: 'EMAIL', payload: { email: 'a@example.com' } };
	const crowd = on(
		{ m: { full: many.slice(1).join(' '), almost: many.slice(2).join(' ') } },
		{ actions: Object.fromEntries(many.map((id) => [id, mail])) },
	);
	table('monitor', 'attach', [
		{
			it: 'to all monitors: list, read, write, read back',
			wish: doing('hook'),
			items: [
				{
					...{ model: 'm', id: 'drift-monitor', displayName: null, actions: ['email', 'hook'] },
					...{ status: 'done', reason: null },
					text: 'Attached hook to monitor drift-monitor of model m.',
				},
				...DONE.slice(1),
			],
			...{ reads: ['GET actions', 'GET m', 'GET m'], ends: HOOKED },
		},
		{
			it: 'a merge sends the touched monitors alone, and the flag that it would delete',
			wish: doing('hook', only('volume')),
			bodies: [
				{
					monitors: [expect.objectContaining({ id: 'volume-monitor' })],
					allowPartialTargetBatches: true,
				},
			],
			ends: { 'm:volume': HOOKED['m:volume'] },
		},
		{
			it: 'who does not merge is found out once for all models, and gets the whole document',
			...{ on: on(TWO, DOCUMENTED), wish: both, ...hooked, reads: 5 },
			sends: ['PATCH m 404', 'PUT m', 'PUT n'],
			once: true,
		},
		{
			it: 'two models: each is read, written and read back',
			...{ on: on(TWO), wish: both, ...hooked, sends: ['PATCH m', 'PATCH n'], reads: 5 },
		},
		{
			it: 'all models: one list of them more',
			on: on({ ...TWO, empty: undefined }),
			wish: doing('hook', { models: 'all' }),
			...{ ...hooked, sends: ['PATCH m', 'PATCH n'], reads: 7 },
		},
		{
			it: 'all models of a service that does not list them',
			...{ on: on(TWO, DOCUMENTED), wish: doing('hook', { models: 'all' }) },
			...{ fails: ['This service does not list its models'] },
			advises: ['Enter the IDs of the models instead.'],
		},
		{
			it: 'many items on one model are one write; two of one monitor keep their order',
			wish: {
				items: [
					...[doing('hook', only('drift')), doing('mail', only('drift', 'schema'))],
					doing('hook', only('drift')),
				],
			},
			items: ['m:drift done', 'm:drift done', 'm:schema done', 'm:drift done'],
			...{ from: [0, 1, 1, 2], sends: ['PATCH m'], reads: 3 },
			ends: { 'm:drift': 'email hook mail', 'm:schema': 'mail' },
		},
		{
			it: 'the default target is in no list, and is not there twice',
			...{ wish: doing('email'), ends: { 'm:schema': 'email' } },
			items: ['m:drift unchanged', 'm:volume unchanged', 'm:schema done'],
		},
		{
			it: 'an action that the monitor has already is no write, and is not read back',
			...{ wish: doing('pager', only('volume')), reads: ['GET actions', 'GET m'] },
			items: ['m:volume unchanged'],
		},
		// test/contract/interface.md 2.4, 2.5: newer versions of the open-source service need the action "email" to be stored.
		{
			it: 'the default target where the service does not have it: the error names the way out',
			...{ on: on({ m: { schema: '' } }, { defaultEmail: false }), wish: doing('email') },
			...{ fails: ['Action email does not exist'], sends: ['PATCH m 400'] },
			advises: ['Create or Update with Allow Default Email'],
		},
		{
			it: 'an action that is not there: those there are listed',
			...{ wish: doing('nobody'), fails: ['There is no action nobody'], reads: 2 },
			advises: ['Create it first. The organization has: pager, chat, mail, hook, email.'],
		},
		{
			it: 'at most 100 actions: one that would have more fails alone',
			...{ on: crowd, wish: doing('action-0'), items: ['m:full failed', 'm:almost done'] },
			fails: ['Monitor full-monitor would have 101 actions'],
			ends: { 'm:almost': [...many.slice(2), 'action-0'].join(' ') },
		},
		{
			it: 'a monitor and a model that are not there fail alone, with what there is',
			wish: {
				items: [
					doing('hook', models('m'), { monitors: 'ids', monitorIds: 'nothing, drift-monitor' }),
					doing('hook', models('m', 'nowhere'), only('schema')),
				],
			},
			fails: [
				'There is no monitor nothing in model m',
				'Could not read the monitor configuration of model nowhere: the service answered 404',
			],
			advises: ['It has: drift-monitor, volume-monitor, schema-monitor.', /./],
			ends: { 'm:drift': 'email hook', 'm:schema': 'hook' },
		},
	]);
});

describe('which monitors', () => {
	const named = {
		m: {
			...{ drift: { has: '', severity: 2 }, schema: '' },
			volume: { has: '', severity: 4, tags: ['Volume', 'churn'], displayName: 'Volume of the day' },
		},
	};
	const chosen = (it, choice, words) => ({
		...{ it, on: on(named), wish: doing('hook', choice) },
		ends: Object.fromEntries(words.split(' ').map((word) => [`m:${word}`, 'hook'])),
	});
	const none = { monitors: 'name', namePattern: 'nothing*' };
	table('monitor', 'attach', [
		chosen('one', { monitors: 'one', monitor: locator('drift-monitor') }, 'drift'),
		chosen('IDs', only('drift', 'schema'), 'drift schema'),
		chosen('a list of IDs', { monitors: 'ids', monitorIds: ['drift-monitor'] }, 'drift'),
		chosen('a name, in any case', { monitors: 'name', namePattern: 'SCH*a-*' }, 'schema'),
		chosen(
			'the display name where there is one',
			{ monitors: 'name', namePattern: '*o*' },
			'drift schema volume',
		),
		chosen(
			'the display name instead of the ID',
			{ monitors: 'name', namePattern: '*of the*' },
			'volume',
		),
		chosen('severities', { monitors: 'severity', severities: [1, 2] }, 'drift'),
		chosen('severities as text', { monitors: 'severity', severities: '2,4' }, 'drift volume'),
		chosen('tags, in any case', { monitors: 'tag', tags: 'other, VOLUME' }, 'volume'),
		chosen('all', {}, 'drift schema volume'),
		{
			...{ it: 'none that matches', wish: doing('hook', none), reads: 2 },
			fails: ['No monitor of model m matches'],
			advises: ['If None Match'],
		},
		{
			it: 'none that matches, which may be',
			wish: doing('hook', none, { options: { ifNoneMatch: 'continue' } }),
			items: [
				{
					...{ model: null, id: null, displayName: null, actions: null },
					...{ status: 'skipped', reason: 'no monitor matches' },
					text: 'Did not attach hook to monitors: no monitor matches.',
				},
			],
		},
	]);

	const ids = (monitorIds) => ({ monitors: 'ids', monitorIds });
	table(
		...['monitor', 'attach'],
		[
			['no model', { model: given(' ') }, 'No model specified'],
			['a model that leads elsewhere', { model: given('..') }, '".." is not an ID'],
			['no models', models(' '), 'No models specified'],
			['a hole among models', models('m,,n'), 'Entry 2 of Model IDs is empty'],
			['no monitor', { monitors: 'one', monitor: given(' ') }, 'No monitors specified'],
			[
				'no choice, which is never all',
				{ monitors: undefined, monitor: locator('') },
				'No monitors specified',
			],
			['no IDs', ids(' '), 'No monitors specified'],
			['a hole among IDs', ids(['drift', null]), 'Entry 2 of Monitor IDs is empty'],
			[
				'no ID but an object',
				ids([{ id: 'drift' }]),
				'Entry 1 of Monitor IDs is neither text nor a number',
			],
			['no tags', { monitors: 'tag', tags: ' ' }, 'No tags specified'],
			['a hole among tags', { monitors: 'tag', tags: ',' }, 'Entry 1 of Tags is empty'],
			...[' ', null, ['a']].map((namePattern) => [
				...[`the pattern ${JSON.stringify(namePattern)}`, { monitors: 'name', namePattern }],
				'The name pattern is empty',
			]),
			['no severities', { monitors: 'severity', severities: 'high' }, 'No severities specified'],
			['no action', { action: given(' ') }, 'No action specified'],
			['a bad action', { action: given('a b') }, '"a b" is not an ID of an action'],
			[
				'a wait out of range',
				{ options: { maxWait: -1 } },
				'Max Wait (Seconds) is not a number from 0 to 86400',
			],
		].map(([it, fields, message]) => ({
			...{ it: `${it}: nothing is sent`, wish: doing('hook', fields), fails: [message], reads: 0 },
		})),
	);
});

// Which entries a change touches is in test/property/monitors.
describe('Detach, Set Actions, Replace Action', () => {
	const detached = { 'm:drift': '', 'm:volume': 'pager' };
	table('monitor', 'detach', [
		{
			it: 'from those that have it; no list of actions, because it may be gone already',
			...{ wish: doing('email'), reads: ['GET m', 'GET m'], ends: detached },
			items: ['m:schema unchanged', 'm:drift done', 'm:volume done'],
		},
		{
			...{ it: 'one that is gone', wish: doing('nobody') },
			items: ['m:drift unchanged', 'm:volume unchanged', 'm:schema unchanged'],
		},
	]);

	const set = (it, actionIds, more) => ({
		...{ it, wish: { ...ALL, ...only('volume'), actionIds, ...more?.wish } },
		...(more?.ends !== undefined && { ends: { 'm:volume': more.ends } }),
		...more?.row,
	});
	const allowNone = { allowNone: true };
	const hole = (it, actionIds, place) =>
		set(`${it}: a hole would be an action that is detached by mistake`, actionIds, {
			wish: allowNone,
			row: { fails: [`Entry ${place} of Action IDs is `], reads: 0 },
		});
	table('monitor', 'setActions', [
		set('these alone, in the order they stood', ['chat', 'email', 'chat'], { ends: 'email chat' }),
		set('the same in another order', 'email,\npager;\n\n'),
		set('none is an error', ' ', { row: { fails: ['No actions specified'] } }),
		set('none that is allowed', '', { wish: allowNone, ends: '' }),
		hole('between commas', 'email,,hook', 2),
		hole('an empty text', ['email', ''], 2),
		hole('a list', [[], 'email'], 1),
		hole('null in JSON', '["email", null]', 2),
		hole('a comma alone', ',', 1),
		set(
			'more than 100',
			Array.from({ length: 101 }, (_, at) => `a-${at}`),
			{
				row: { fails: ['101 actions are specified'] },
			},
		),
		{
			it: 'items that want different things both fail',
			wish: { items: ['email', 'hook'].map((actionIds) => ({ ...ALL, actionIds })) },
			...{ fails: Array(6).fill('Items want different actions'), from: [0, 0, 0, 1, 1, 1] },
		},
	]);

	const replaced = (it, from, to, more) => ({
		...{ it, wish: doing(from, { replaceBy: locator(to) }), ...more },
	});
	table('monitor', 'replaceAction', [
		replaced('where it is, at its place', 'pager', 'hook', {
			...{ ends: { 'm:volume': 'hook email' }, reads: 3 },
			items: ['m:drift unchanged', 'm:schema unchanged', 'm:volume done'],
		}),
		replaced('by one that is there already', 'pager', 'email', {
			ends: { 'm:volume': 'email' },
		}),
		replaced('by one that there is not', 'pager', 'nobody', {
			fails: ['There is no action nobody'],
		}),
		replaced('by itself', 'pager', 'pager', {
			fails: ['Action pager would be replaced with itself'],
		}),
	]);
});

describe('preview', () => {
	const touched = (...monitors) => [
		{
			configurations: [
				{ model: 'm', touched: { monitors: monitors.map((one) => expect.objectContaining(one)) } },
			],
			requests: [
				expect.objectContaining({
					method: 'PATCH',
					path: '/v0/organizations/org-3454/models/m/monitor-config/v3',
				}),
			],
		},
	];
	const [DRIFT, VOLUME, SCHEMA] = ['drift', 'volume', 'schema'].map((word) => ({ id: idOf(word) }));
	table('monitor', 'attach', [
		{
			it: 'names what is attached, and what is so already',
			wish: doing('email', { preview: true }),
			items: touched({ ...SCHEMA, attach: ['email'] }).map((one) => ({
				...one,
				settled: ['drift', 'volume'].map(() => expect.objectContaining({ status: 'unchanged' })),
			})),
			reads: 2,
		},
	]);
	table('monitor', 'detach', [
		{
			it: 'names what is detached',
			wish: doing('email', { preview: true }),
			items: touched({ ...DRIFT, detach: ['email'] }, { ...VOLUME, detach: ['email'] }),
		},
	]);
	table('monitor', 'replaceAction', [
		{
			it: 'names what is replaced',
			wish: doing('pager', { replaceBy: locator('hook'), preview: true }),
			items: touched({ ...VOLUME, attach: ['hook'], detach: ['pager'] }),
		},
	]);
	table('monitor', 'setActions', [
		{
			it: 'names what cannot be, too',
			wish: {
				preview: true,
				items: [idOf('drift'), 'nothing', ''].map((monitorIds) => ({
					...{ ...ALL, monitors: 'ids', monitorIds, actionIds: 'hook' },
				})),
			},
			warns: [/item 2: No monitors specified/, 'There is no monitor nothing in model m'],
			items: touched({ ...DRIFT, attach: ['hook'], detach: ['email'] }).map((one) => ({
				...{ ...one, preview: true, blockedBy: [] },
				settled: [
					expect.objectContaining({
						...{ item: 1, status: 'failed', reason: 'There is no monitor nothing in model m' },
					}),
				],
				invalid: [expect.objectContaining({ item: 2, reason: 'No monitors specified' })],
			})),
		},
	]);
});

describe('the rest of a document', () => {
	const TEXT = [
		'{',
		'  "10" : 1.0,   "2":9007199254740991,',
		'  "x": {"b":1e3,"a":-0.0, "c": 0.1234567890123456, "constructor": {"toString": 2.50E-1}},',
		'  "monitors" : [',
		'    { "id" : "first-monitor", "weight": 1.50,',
		'      "actions" : [ {"type":"raw","target":"chat","keep":0.10}, { "target" : "old", "type" : "global" } ] },',
		'    { "id" : "second-monitor", "note": "a \\"monitors\\": [ { \\u00e4" },',
		'    { "id": "third-monitor", "actions": null, "z": 7.0 }',
		'  ], "analyzers":[{"id":"one","n":0.70}],"allowPartialTargetBatches" :  false',
		'}',
	].join('\n');
	const sent = async (operation, action, merges, text = TEXT) => {
		const world = new Alerting({ m: text }, { keepsText: true, merges });
		const items = await play(world, ['monitor', operation], doing(action));
		const write = world.requests.findLast(({ method }) => method !== 'GET');
		return { items, body: JSON.parse(write.body), stored: world.document('m') };
	};
	const [first, second, third] = JSON.parse(TEXT).monitors;

	test('whole: the same values, with the new entries in', async () => {
		const { body, stored } = await sent('attach', 'chat', false);
		const monitors = [
			{ ...first, actions: [...first.actions, ...global('chat')] },
			...[second, third].map((one) => ({ ...one, actions: global('chat') })),
		];
		const wanted = { ...JSON.parse(TEXT), monitors, x: { ...JSON.parse(TEXT).x, a: 0 } };
		expect([body, stored]).toEqual([wanted, wanted]);
	});

	test('merged: each touched monitor in full, and the flag', async () => {
		const { body, stored } = await sent('detach', 'old', true);
		expect(body).toEqual({
			monitors: [{ ...first, actions: [first.actions[0]] }],
			allowPartialTargetBatches: false,
		});
		expect(stored.monitors).toHaveLength(3);
	});

	test('actions that are not a list are left alone, and the others are done', async () => {
		const strange = TEXT.replace('null', '{"type":"global"}');
		const { items, stored } = await sent('attach', 'chat', false, strange);
		expect(errorsIn(items)).toEqual(['The actions of monitor third-monitor are not a list']);
		expect(items.filter(({ status }) => status === 'done')).toHaveLength(2);
		expect(stored.monitors[2].actions).toEqual({ type: 'global' });
	});

	/** In a monitor that no item names, and what is said of it. */
	const LOST = [
		['"threshold":9007199254740993', 'number 9007199254740993 at monitors[1].threshold would be'],
		['"x":{"y":[0.12345678901234567890]}', 'number 0.12345678901234567890 at monitors[1].x.y[0]'],
		['"x":1e400', 'The number 1e400 at monitors[1].x would be written as null'],
		['"note":"a","note":"b"', 'The key note at monitors[1].note is there twice'],
		['"note":"a","\\u006eote":"a"', 'The key note at monitors[1].note is there twice'],
		['"__proto__":{"x":1}', 'The key __proto__ at monitors[1].__proto__ cannot be kept'],
	];
	const CHANGES = [
		['attach', { action: locator('chat') }],
		['detach', { action: locator('email') }],
		['setActions', { actionIds: 'chat' }],
		['replaceAction', { action: locator('email'), replaceBy: locator('chat') }],
	];
	const lossy = (member, more) => () => {
		const text = JSON.stringify(document([monitor(idOf('drift'), ['email']), monitor('other')]));
		const place = '{"id":"other"';
		return new Alerting({ m: text.replace(place, `${place},${member}`) }, more);
	};
	describe.each(CHANGES)('%s is not made where a value would become another:', (operation, own) => {
		const wish = { ...ALL, ...own, ...only('drift') };
		table('monitor', operation, [
			...LOST.flatMap(([member, message]) =>
				[true, false].map((merges) => ({
					...{ it: `${member}, merges: ${merges}`, on: lossy(member, { merges }), wish },
					fails: [message],
				})),
			),
			{
				...{ it: 'the preview says so', on: lossy(LOST[0][0]), wish: { ...wish, preview: true } },
				items: [
					{ settled: [expect.objectContaining({ item: 0, status: 'failed' })], requests: [] },
				],
				warns: [LOST[0][1]],
			},
		]);
	});
	table('monitor', 'attach', [
		{
			it: 'what is so already is told of such a document, too',
			...{ on: lossy(LOST[0][0]), wish: { ...ALL, ...only('drift'), action: locator('email') } },
			items: ['m:drift unchanged'],
		},
	]);

	/** The service answers a read of m with another configuration. @param nth which one of them */
	const mixed = (nth, names = { datasetId: 'n' }, more = {}) => {
		const body = JSON.stringify(document([monitor(idOf('drift'), ['email'])], names));
		const fault = { method: 'GET', path: /models\/m\//, kind: 'status', status: 200, body };
		return () => new Alerting(undefined, { faults: [{ ...fault, nth }], ...more });
	};
	const foreign = (what) => `The configuration is for another ${what}, not`;
	const OTHER_MODEL = foreign('model: its datasetId is n');
	describe.each(CHANGES)('%s is not made in another configuration:', (operation, own) => {
		const wish = { ...ALL, ...own, ...only('drift') };
		table('monitor', operation, [
			...[true, false].map((merges) => ({
				it: `of another model, merges: ${merges}`,
				...{ on: mixed(1, undefined, { merges }), wish, fails: [OTHER_MODEL.replace(', not', '')] },
				advises: [/^It is not written to model m.*change its datasetId to m, or remove/],
			})),
			{
				...{ it: 'of another organization', on: mixed(1, { orgId: 'org-2' }), wish },
				fails: [foreign('organization: its orgId is org-2')],
			},
			{
				...{ it: 'the preview says so', on: mixed(1), wish: { ...wish, preview: true } },
				warns: [OTHER_MODEL],
			},
		]);
	});
	const DRIFT_ONLY = { ...doing('chat', only('drift')) };
	table('monitor', 'attach', [
		{
			it: 'a look at the configuration of another model proves nothing',
			...{ on: mixed(2), wish: DRIFT_ONLY, sends: ['PATCH m'], ends: { 'm:drift': 'email chat' } },
			fails: [/^Could not confirm: attach chat.*: The configuration is for another model/],
		},
		...[{ datasetId: 'M', orgId: 'ORG-3454' }, { datasetId: '' }, { datasetId: null }].map(
			(names) => ({
				it: `what ${JSON.stringify(names)} says is not another`,
				on: () => new Alerting({ m: document([monitor(idOf('drift'))], names) }),
				...{ wish: DRIFT_ONLY, ends: { 'm:drift': 'chat' } },
			}),
		),
	]);
	const large = (more, size = 4900) =>
		Array.from({ length: 1000 }, (_, index) =>
			monitor(`the-monitor-${index}`, [], { notes: `${'x'.repeat(size)} \\"{[`, ...more?.(index) }),
		);

	test.each([false, true])('1,000 monitors in 5 MB, merged: %s', async (merges) => {
		const text = JSON.stringify({
			analyzers: [],
			monitors: large(() => ({ actions: undefined })),
		});
		const { items, stored } = await sent('attach', 'chat', merges, text);
		expect(items.filter(({ status }) => status === 'done')).toHaveLength(1000);
		const actions = global('chat');
		const wanted = JSON.parse(text).monitors.map((one) => ({ ...one, actions }));
		expect(stored).toEqual({ analyzers: [], monitors: wanted });
	});

	const BIG = { m: document(large((index) => ({ severity: (index % 100) + 1 }), 900)) };
	const some = { monitors: 'severity', severities: [100] };

	test('1 MB where a request has 0.2 MB at most, as a whole: says why not', async () => {
		const world = new Alerting(BIG, { merges: false, mostBytes: 200_000 });
		const output = await run(world, ['monitor', 'attach'], doing('chat', some));
		for (const { error } of output)
			expect(error.description).toContain('The document is too large for the service.');
		expect(Object.values(world.shape()).join('')).toBe('');
	});

	test('1 MB where a request has 0.2 MB at most, merged: it goes, as many at once as have room', async () => {
		const world = new Alerting(BIG, { mostBytes: 200_000 });
		await play(world, ['monitor', 'attach'], doing('chat', some));
		expect(writesOf(world)).toEqual(['PATCH m']);
		// The rest is too much for one merge: refused with 990, 495 and 248 of them, then 124 at a time.
		const items = await play(world, ['monitor', 'attach'], doing('chat'));
		expect(items.filter(({ status }) => status === 'done')).toHaveLength(990);
		expect(new Set(Object.values(world.shape()))).toEqual(new Set(['chat']));
		expect(writesOf(world)).toHaveLength(1 + 3 + 8);
	});
});

describe('merges in pieces', () => {
	/** Attaches to monitors, two of which have room in a request. */
	async function attachAll(names, { prepare, large } = {}) {
		const notes = (name) => ({ note: 'x'.repeat(name === large ? 2_000 : 200) });
		const monitors = [...names].map((name) => monitor(`${name}-monitor`, [], notes(name)));
		const mostBytes = 2.5 * JSON.stringify(monitors.at(-1)).length + 60;
		const world = new Alerting({ m: document(monitors) }, { keepsText: true, mostBytes });
		prepare?.(world);
		const items = await play(world, ['monitor', 'attach'], doing('chat'));
		const idsOf = (text) => [...text.matchAll(/"id":"(.)-monitor"/g)].map(([, name]) => name);
		const merges = world.requests.filter(({ method }) => method === 'PATCH');
		const taken = merges.filter(({ body }) => body.length <= mostBytes);
		const done = Object.entries(world.shape()).flatMap(([id, has]) => (has ? id[2] : []));
		return {
			...{ items, failed: errorsIn(items), taken: taken.map(({ body }) => idsOf(body).join('')) },
			...{ refused: merges.length - taken.length, done: done.sort().join('') },
		};
	}

	test('one that is too large alone keeps none of the others', async () => {
		const { done, failed } = await attachAll('abcd', { large: 'b' });
		expect([done, failed]).toEqual(['acd', [expect.stringContaining('413')]]);
	});

	test('while another client undoes them each is sent, and it ends', async () => {
		const { taken, failed } = await attachAll('abcdef', {
			prepare(world) {
				world.onAnswer = ({ method, status, body }) => {
					if (method !== 'PATCH' || status !== 200) return;
					const undone = body.includes('a-monitor') ? 'c-monitor' : 'a-monitor';
					world.edit('m', ({ monitors }) => {
						for (const one of monitors) if (one.id === undone) one.actions = [];
					});
				};
			},
		});
		expect(taken.slice(0, 3)).toEqual(['ab', 'cd', 'ef']);
		// Each of the three at most five times.
		expect(taken.length).toBeLessThanOrEqual(3 + 5);
		expect(failed).toEqual([expect.stringContaining('Could not confirm')]);
	});

	test('one that is refused: says exactly which are done', async () => {
		const { done, failed, items, taken, refused } = await attachAll('abcde', {
			prepare: ({ faults }) => faults.add({ method: 'PATCH', nth: 2, kind: 'html-403' }),
		});
		expect([refused, taken, done]).toEqual([2, ['ab', 'cd'], 'ab']);
		expect(failed).toEqual(Array(3).fill(expect.stringContaining('403 Forbidden')));
		expect(items.flatMap(({ id, status }) => (status === 'done' ? id : []))).toEqual([
			...['a-monitor', 'b-monitor'],
		]);
	});
});

test('stopped: one error with a line for what was done and one for what was not', async () => {
	const items = ['m', 'nowhere'].map((model) => ({ model: locator(model) }));
	const wish = doing('hook', only('drift'));
	const stop = run(new Alerting(), ['monitor', 'attach'], wish, items, { continueOnFail: false });
	const { message, description } = await stop.catch((error) => error);
	expect(message).toContain('model nowhere: the service answered 404');
	const lines = description.split('\n');
	expect(lines).toContainEqual(
		expect.stringMatching(/^Failed: attach hook .* model nowhere \(.*404/),
	);
	expect(lines).toContain('Done: attach hook to monitor drift-monitor of model m.');
});
