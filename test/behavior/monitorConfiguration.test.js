'use strict';

require('../support/noWaiting');
const { Alerting, errorsIn, idOf, locator, play, table } = require('../support/alertBehavior');
const { document, monitor } = require('../support/configurations');

const M = { model: locator('m') };
const on = (models, more) => () => new Alerting(models, more);
const TWO = { m: { drift: 'email' }, n: { churn: '' } };
const noList = 'This service does not list its models';

describe('Monitor: Get Many', () => {
	const simple = (word, more) => ({
		...{ model: 'm', id: idOf(word), displayName: idOf(word), disabled: false, tags: [] },
		...more,
	});
	const odd = {
		m: {
			drift: { has: 'email pager', disabled: true, severity: 1 },
			volume: { has: 'chat', tags: ['Churn', 'daily'], displayName: 'Volume on Mondays' },
			schema: { has: '', tags: ['churn'], disabled: true },
		},
	};
	const by = (it, filters, words) => ({
		...{ it: `by ${it}`, on: on(odd), wish: { ...M, filters }, reads: ['GET m'] },
		items: words
			.split(' ')
			.filter(Boolean)
			.map((word) => ({ id: idOf(word) })),
	});
	table('monitor', 'getAll', [
		{
			it: 'one request, one item each',
			wish: M,
			items: [
				simple('drift', { severity: 2, actions: ['email'] }),
				simple('volume', { severity: 4, tags: ['Volume', 'churn'], actions: ['pager', 'email'] }),
				simple('schema', { actions: [] }),
			].map((one) => expect.objectContaining(one)),
			reads: ['GET m'],
		},
		{
			it: 'not simplified: as the service has them',
			...{ on: on(TWO), wish: { ...M, simplify: false } },
			items: [{ model: 'm', ...monitor(idOf('drift'), ['email']) }],
		},
		by('an action', { actionId: ' pager ' }, 'drift'),
		by('the default target', { actionId: 'email' }, 'drift'),
		by('disabled', { disabled: true }, 'drift schema'),
		by('not disabled', { disabled: false }, 'volume'),
		by('a name', { namePattern: '*ON mon*' }, 'volume'),
		by('a severity', { severity: 1 }, 'drift'),
		by('a tag', { tag: 'CHURN' }, 'volume schema'),
		by('several at once', { tag: 'churn', disabled: true }, 'schema'),
		by('what none has', { actionId: 'hook' }, ''),
		{
			it: 'of several models, each once',
			on: on(TWO),
			wish: { models: 'ids', modelIds: 'n, m, n' },
			...{ items: [{ model: 'n' }, { model: 'm' }], reads: 2 },
		},
		{
			it: 'of all models, as many as the limit',
			...{ on: on({ ...TWO, empty: undefined }), wish: { models: 'all', limit: 1 } },
			items: [{ model: 'm' }],
		},
		{
			it: 'a service that does not list its models',
			...{ on: on(TWO, { documentedOnly: true }), wish: { models: 'all' }, fails: [noList] },
		},
		{
			it: 'items share what is read, and a model that is not there fails its item alone',
			on: on(TWO),
			wish: {
				models: 'ids',
				items: ['m,n', 'nowhere', ' ', 'n'].map((modelIds) => ({ modelIds })),
			},
			fails: ['model nowhere: the service answered 404', 'No models specified'],
			...{ from: [0, 0, 1, 2, 3], reads: 3 },
		},
	]);

	test('many items with models of their own: no more requests at once than one item has', async () => {
		const names = Array.from({ length: 20 }, (_, at) => `m${at}`);
		const world = new Alerting(Object.fromEntries(names.map((name) => [name, { drift: '' }])));
		const send = world.exchange.bind(world);
		let [now, most] = [0, 0];
		world.exchange = async (request) => {
			most = Math.max(most, ++now);
			return await send(request).finally(() => now--);
		};
		const items = names.map((name, at) => ({ modelIds: `${name},${names[(at + 10) % 20]}` }));
		const read = await play(world, ['monitor', 'getAll'], { models: 'ids' }, items);
		expect(read).toHaveLength(40);
		expect(most).toBe(5);
	});
});

describe('Monitor Configuration: Get', () => {
	const text = JSON.stringify(document([monitor('the-monitor', [], { weight: 1 })])).replace(
		'"weight":1',
		'"weight":1.0',
	);
	const counts = { model: 'm', version: 10, monitors: 1, analyzers: 1 };
	table('monitorConfiguration', 'get', [
		{
			...{ it: 'as JSON', on: on({ m: text }), wish: M, reads: ['GET m'] },
			items: [{ ...counts, configuration: JSON.parse(text) }],
		},
		{
			...{ it: 'as the exact text', on: on({ m: text }), wish: { ...M, returnAs: 'text' } },
			items: [{ ...counts, configuration: text }],
		},
		{
			...{ it: 'of a model that was never configured', on: on({ m: undefined }), wish: M },
			items: [expect.objectContaining({ monitors: 0, analyzers: 0 })],
		},
	]);

	test.each([
		['a list', '[1]', 'The monitor configuration is not a JSON object'],
		[
			'monitors that are no list',
			'{"monitors":{}}',
			'monitors in the monitor configuration is not',
		],
		['a web page', '<html><title>Sign in</title></html>', 'not JSON ("Sign in")'],
		['half a document', '{"monitors":[', 'not JSON'],
		// RFC 9457 section 3.1.3; gateways send them with 200, too.
		['an error that says its status', '{"status":"503","detail":"Later"}', 'Later'],
	])('%s instead of it is an error', async (_, body, message) => {
		const faults = [{ kind: 'status', status: 200, body }];
		const items = await play(new Alerting(TWO, { faults }), ['monitorConfiguration', 'get'], M);
		expect(errorsIn(items)).toEqual([expect.stringContaining(message)]);
	});
});

describe('Monitor Configuration: Update', () => {
	/** The configuration that is there, changed. */
	const wish =
		(edit, { model = 'm', ...more } = {}) =>
		(world) => ({
			model: locator(model),
			configuration: changed(world, edit, model),
			...more,
		});
	const changed = (world, edit, model = 'm') => {
		const now = world.document(model);
		return edit(now) ?? now;
	};
	const disable = ({ monitors }) => void (monitors[0].disabled = true);
	const hourly = (now) => void (now.granularity = 'hourly');
	const both = (now) => (disable(now), hourly(now));
	const empty = (now) => Object.assign(now, { monitors: [], analyzers: [] });
	const gone = { 'm:drift': undefined, 'm:volume': undefined, 'm:schema': undefined };
	const options = (given) => ({ options: given });
	/** Of a model that was never configured, and a monitor for it. */
	const FIRST = { orgId: 'org-3454', datasetId: 'm', granularity: 'daily', analyzers: [] };
	const { actions: _, metadata: __, ...NEW } = monitor('new-monitor');
	const PUT = ['PUT m'];
	const done = { sets: { m: disable } };
	table('monitorConfiguration', 'update', [
		{
			it: 'read, write, read back',
			...{ wish: wish(disable), ...done, reads: ['GET m', 'GET m'] },
			items: [
				{
					...{ model: 'm', version: 11, monitors: 3, analyzers: 1, status: 'done', reason: null },
					text: 'Updated the monitor configuration of model m.',
				},
			],
		},
		{
			it: 'as text',
			wish: (w) => ({ ...M, configuration: JSON.stringify(changed(w, disable)) }),
			...done,
		},
		// The check itself is tested with configurations/plan.
		{
			it: 'a document without analyzers is refused, and nothing is sent',
			...{ wish: { ...M, configuration: '{"monitors":[]}' }, reads: 0 },
			...{ fails: ['has no list of analyzers'], advises: [/./] },
		},
		{
			it: 'more removals than allowed block it',
			wish: wish(empty, options({ maxRemovals: 3 })),
			fails: [
				'Nothing was sent: 4 monitors and analyzers of model m would be removed, more than Max Removals (3). Check the document, or turn on Allow Removals.',
			],
		},
		{
			it: 'the preview says what is touched, and why it is blocked',
			wish: wish(empty, { ...options({ maxRemovals: 3 }), preview: true }),
			items: [
				{
					blockedBy: [expect.stringContaining('4 monitors and analyzers')],
					configurations: [
						expect.objectContaining({
							touched: {
								monitors: {
									added: [],
									changed: [],
									removed: ['drift', 'volume', 'schema'].map(idOf),
								},
								analyzers: { added: [], changed: [], removed: ['drift-analyzer'] },
								otherKeys: [],
							},
						}),
					],
				},
			],
		},
		{
			it: 'up to five removals are allowed',
			...{ wish: wish(empty), ends: gone, sets: { m: empty } },
		},
		{
			it: 'as many as are there, with Allow Removals',
			wish: wish(empty, options({ maxRemovals: 0, allowRemovals: true })),
			...{ ends: gone, sets: { m: empty } },
		},
		{
			it: 'made from an older version: refused',
			wish: wish((now) => (disable(now), void (now.metadata.version = 9))),
			...{},
			fails: [
				'Someone has changed the configuration since: it has version 10, the provided one was made from version 9',
			],
		},
		{
			it: 'the same with Overwrite Newer',
			wish: wish(
				(now) => (disable(now), void (now.metadata.version = 9)),
				options({ overwriteNewer: true }),
			),
			...done,
		},
		{
			it: 'without a version: refused',
			wish: wish((now) => (disable(now), void delete now.metadata)),
			fails: ['The provided configuration has no version'],
		},
		{
			it: 'a model that was never configured has no version',
			on: on({ m: undefined }),
			wish: { ...M, configuration: { ...FIRST, monitors: [{ ...NEW, actions: [] }] } },
			...{ sends: PUT, items: [{ version: 1, monitors: 1, status: 'done' }] },
			ends: { 'm:new': '' },
			sets: { m: (now) => void Object.assign(now, FIRST, { monitors: [NEW] }) },
		},
		{
			it: 'other keys, which the service ignores: told beside the rest',
			...{ wish: wish(both), ...done, once: true },
			warns: ['The service ignores what was changed in granularity'],
		},
		{
			it: 'the preview of other keys',
			wish: wish(both, { preview: true }),
			warns: ['whether it accepts granularity is checked afterwards'],
		},
		{
			...{ it: 'other keys alone: not done', wish: wish(hourly), sends: PUT },
			fails: ['The service ignores what was changed in granularity'],
		},
		{
			it: 'what the service does not accept',
			wish: wish(({ monitors }) => {
				monitors[0].actions = [{ type: 'global', target: 'nobody' }];
			}),
			...{ fails: ['Action nobody does not exist'], sends: ['PUT m 400'] },
		},
		{
			it: 'a model that two items give, and one that is not there, fail alone',
			wish: (w) => ({
				configuration: changed(w, disable),
				items: ['m', 'm', 'nowhere'].map((model) => ({ model: locator(model) })),
			}),
			...{ from: [0, 1, 2], sets: { m: disable } },
			fails: [
				'Items 0 and 1 both provide the configuration of model m',
				'model nowhere: the service answered 404',
			],
		},
		...[
			['reset-after', 1],
			['500-after', 1],
			['dropped', 2],
			['reset-before', 2],
			['429', 2],
		].map(([kind, times]) => ({
			it: `an answer that is no use (${kind}): seen, or sent again`,
			on: on(undefined, { faults: [{ method: 'PUT', nth: 1, kind }] }),
			...{ wish: wish(disable), ...done, sends: Array(times).fill('PUT m') },
			items: [{ version: 11, status: 'done' }],
		})),
		// Where the lists were right before, a look at them proves nothing.
		...[
			...['dropped', 'reset-before', '500-html', '429'].map((kind) => [
				kind,
				5,
				'Could not confirm',
			]),
			[
				'html-403',
				1,
				'Could not save the monitor configuration of model m: the service answered 403',
			],
		].flatMap(([kind, times, message]) =>
			[disable, hourly].map((edit) => ({
				it: `${kind} to the end, ${edit === disable ? 'lists' : 'other keys alone'}: never done`,
				on: on(undefined, { faults: [{ method: 'PUT', kind }] }),
				...{ wish: wish(edit), sends: Array(times).fill('PUT m'), fails: [message] },
			})),
		),
		...[
			['during', { fails: [/Someone else has changed the configuration of model m meanwhile/] }],
			['after', { warns: ['Someone else wrote this configuration at the same time'] }],
		].map(([when, more]) => ({
			it: `another client writes ${when === 'during' ? 'at once: not overwritten' : 'unseen: a warning'}`,
			wish: wish(disable),
			meanwhile: [
				when === 'during' ? 'during PUT m' : 'after GET m',
				(w) => w.write('m', 'schema', { tags: ['theirs'] }),
			],
			sends: PUT,
			sets: {
				m: when === 'during' ? ({ monitors }) => void (monitors[1].tags = ['theirs']) : disable,
			},
			...more,
		})),
	]);

	/** As text, with a member in its first monitor; as an object where it is given as one. */
	const withMember = (member, more) => ({
		...{ on: on(TWO), ...more },
		wish: (w) => {
			const now = Object.assign(w.document('m'), { orgId: 'org-3454' });
			disable(now);
			const text = JSON.stringify(now).replace('"disabled"', `${member},"disabled"`);
			return { ...M, configuration: more?.asObject ? JSON.parse(text) : text };
		},
	});
	const [BIG, ROUNDED] = ['12345678901234567890', '12345678901234567000'];
	const OTHER_MODEL = 'The configuration is for another model: its datasetId is n, not m';
	const as = (datasetId, orgId = 'org-3454') =>
		wish((now) => (disable(now), void Object.assign(now, { datasetId, orgId })));
	/** With a number that this node would round. */
	const big = on({
		m: JSON.stringify(document([monitor(idOf('drift'), [], { x: 77 })])).replace('77', BIG),
	});
	table('monitorConfiguration', 'update', [
		...[
			[`"x":${BIG}`, `The number ${BIG} at monitors[0].x would be written as ${ROUNDED}`],
			['"x":[0.12345678901234567890]', 'The number 0.12345678901234567890 at monitors[0].x[0]'],
			['"tags":[],"tags":["x"]', 'The key tags at monitors[0].tags is there twice'],
			['"x":{"__proto__":1}', 'The key __proto__ at monitors[0].x.__proto__ cannot be kept'],
		].map(([member, message]) => ({
			...{ it: `text with ${member}: nothing is sent`, ...withMember(member) },
			...{ fails: [message], reads: 0 },
		})),
		{
			...{
				it: 'an object with a number beyond 2^53',
				...withMember(`"x":${BIG}`, { asObject: true }),
			},
			...{ fails: [`The number ${ROUNDED} at monitors[0].x may not be the one`], reads: 0 },
		},
		{
			it: 'numbers of the same value are written in another way',
			...withMember('"x":[1.0,1e2,-0.50,1E20,9007199254740991]'),
			sets: {
				m: (now) => (disable(now), void (now.monitors[0].x = [1, 100, -0.5, 1e20, 2 ** 53 - 1])),
			},
		},
		{
			it: 'a number that was rounded when it was got as JSON is not put in the place of the exact one',
			...{ on: big, wish: (w) => ({ ...M, configuration: JSON.stringify(changed(w, disable)) }) },
			fails: [`The number ${ROUNDED} at monitors[0].x is ${BIG} in the service`],
		},
		{
			...{ it: 'another number may take its place', on: big },
			wish: wish((now) => (disable(now), void (now.monitors[0].x = 5))),
			sets: { m: (now) => (disable(now), void (now.monitors[0].x = 5)) },
		},
		{
			...{ it: 'of another model: nothing is sent', wish: as('n'), fails: [OTHER_MODEL] },
			advises: [/^It is not written to model m\. .*change its datasetId to m, or remove datasetId/],
		},
		{
			...{ it: 'of another organization: nothing is sent', wish: as('m', 'org-2') },
			fails: ['The configuration is for another organization: its orgId is org-2, not org-3454'],
		},
		{
			it: 'the preview of another model',
			...{ wish: (w) => ({ ...as('n')(w), preview: true }), warns: [OTHER_MODEL] },
		},
		...[
			[' M', 'Org-3454'],
			['', null],
			[undefined, undefined],
		].map(([model, organization]) => ({
			it: `of ${model} and ${organization}, which is not another model`,
			...{ wish: as(model, organization), ...done, once: true },
			warns:
				model === undefined ? [] : ['The service ignores what was changed in orgId, datasetId'],
		})),
	]);
});
