'use strict';

require('../support/noWaiting');
const { ORG } = require('../support/configurations');
const { byId } = require('../support/node');
const { countsOf, meddle, requestsOf, withService, writeElsewhere } = require('../support/service');

const SMALL = { model: byId('model-2') };
const CONFIG = `/v0/organizations/${ORG}/models/model-2/monitor-config/v3`;
const DOCUMENTED = { documentedOnly: true };

const textOf = (service, model = 'model-2') => service.state.configurationText(ORG, model);
const withoutMetadata = (text) => text.replace(/"metadata":\{[^}]*\}/g, '"metadata":{}');

describe('Monitor: Get Many', () => {
	const found = async (alert, parameters) => {
		const { json, error } = await alert('monitor', 'getAll', { returnAll: true, ...parameters });
		expect(error).toBeUndefined();
		return json;
	};
	const BIG = { model: byId('model-1') };

	test('of one model: one request, one entry each', async () => {
		await withService({}, async (service, _scim, alert) => {
			expect(await found(alert, SMALL)).toEqual([
				{
					model: 'model-2',
					id: 'uplift-drift-monitor',
					displayName: 'uplift-drift-monitor',
					disabled: false,
					severity: 2,
					tags: [],
					actions: ['email'],
				},
				{
					model: 'model-2',
					id: 'uplift-volume-monitor',
					displayName: 'uplift-volume-monitor',
					disabled: false,
					severity: 4,
					tags: ['volume'],
					actions: [],
				},
				{
					model: 'model-2',
					id: 'uplift-schema-monitor',
					displayName: 'uplift-schema-monitor',
					disabled: false,
					tags: [],
					actions: [],
				},
			]);
			expect(countsOf(service)).toEqual({ GET: 1 });
		});
	});

	test('not simplified: as the service has them', async () => {
		await withService({}, async (service, _scim, alert) => {
			const raw = JSON.parse(textOf(service)).monitors;
			expect(await found(alert, { ...SMALL, simplify: false })).toEqual(
				raw.map((monitor) => ({ model: 'model-2', ...monitor })),
			);
		});
	});

	test.each([
		['an action', { actionId: ' oncall-pager ' }, 6],
		['the default target', { actionId: 'email' }, 12],
		['disabled', { disabled: true }, 4],
		['not disabled', { disabled: false }, 26],
		['a name', { namePattern: '*Drift ON*' }, 3],
		['a severity', { severity: 1 }, 8],
		['a tag', { tag: 'CHURN' }, 10],
		['several at once', { tag: 'churn', disabled: true }, 2],
		['what nobody has', { actionId: 'old-hook' }, 0],
	])('by %s', async (_what, filters, count) => {
		await withService({}, async (service, _scim, alert) => {
			expect(await found(alert, { ...BIG, filters })).toHaveLength(count);
			expect(countsOf(service)).toEqual({ GET: 1 });
		});
	});

	test('of several and of all models, with a limit', async () => {
		await withService({}, async (service, _scim, alert) => {
			const several = { models: 'ids', modelIds: 'model-2, model-1, model-2' };
			const two = await found(alert, several);
			expect(two.map(({ model }) => model)).toEqual([
				...Array(3).fill('model-2'),
				...Array(30).fill('model-1'),
			]);
			expect(countsOf(service)).toEqual({ GET: 2 });
			service.log.clear();
			expect(await found(alert, { models: 'all' })).toHaveLength(33);
			expect(countsOf(service)).toEqual({ GET: 4 });
			expect(await found(alert, { models: 'all', returnAll: false, limit: 5 })).toHaveLength(5);
			expect(await found(alert, { model: byId('model-3') })).toStrictEqual([]);
		});
	});

	test('a service without a list of models: one model, or an error that says so', async () => {
		await withService(DOCUMENTED, async (_service, _scim, alert) => {
			expect(await found(alert, SMALL)).toHaveLength(3);
			const { error } = await alert('monitor', 'getAll', { models: 'all' });
			expect(error.message).toBe('This service does not list its models');
		});
	});

	test('many items with models of their own: no more requests at once than one item has', async () => {
		await withService({}, async (service, _scim, alert) => {
			let [now, most] = [0, 0];
			service.options.onRequest = async () => {
				now += 1;
				most = Math.max(most, now);
				await new Promise((passed) => setTimeout(passed, 20));
			};
			service.options.onAnswer = () => {
				now -= 1;
			};
			const items = ['model-1, model-2', 'model-3, nothing', ' ', 'model-2, model-3'];
			const { json, errorPairedItems } = await alert(
				'monitor',
				'getAll',
				{
					models: 'ids',
					modelIds: '={{ $json.ids }}',
					returnAll: true,
				},
				{ items: items.map((ids) => ({ ids })), onError: 'continueErrorOutput' },
			);
			expect(json).toHaveLength(36);
			expect(errorPairedItems).toEqual([[1], [2]]);
			expect(countsOf(service)).toEqual({ GET: 4 });
			expect(most).toBeLessThanOrEqual(5);
		});
	});

	test('a model that is not there fails its item alone', async () => {
		await withService({}, async (_service, _scim, alert) => {
			const { json, pairedItems, errorJson, errorPairedItems } = await alert(
				'monitor',
				'getAll',
				{ model: byId('={{ $json.model }}') },
				{ items: [{ model: 'nothing' }, { model: 'model-2' }], onError: 'continueErrorOutput' },
			);
			expect(json).toHaveLength(3);
			expect(pairedItems).toEqual([[1], [1], [1]]);
			expect(errorPairedItems).toEqual([[0]]);
			expect(errorJson[0].error).toContain('model nothing: the service answered 404');
		});
	});
});

describe('Monitor Configuration: Get', () => {
	test('as JSON, and as the exact text', async () => {
		await withService({}, async (service, _scim, alert) => {
			const get = async (more) =>
				(await alert('monitorConfiguration', 'get', { model: byId('model-1'), ...more })).json;
			const counts = { model: 'model-1', version: 57, monitors: 30, analyzers: 30 };
			const text = textOf(service, 'model-1');
			expect(await get({})).toEqual([{ ...counts, configuration: JSON.parse(text) }]);
			expect(await get({ returnAs: 'text' })).toEqual([{ ...counts, configuration: text }]);
			expect(countsOf(service)).toEqual({ GET: 2 });
		});
	});

	test('of a model that was never configured', async () => {
		await withService({}, async (_service, _scim, alert) => {
			const { json } = await alert('monitorConfiguration', 'get', { model: byId('model-3') });
			expect(json[0]).toMatchObject({ monitors: 0, analyzers: 0 });
			expect(json[0].version).toBeUndefined();
		});
	});

	test.each([
		['a list', '[1]', 'The monitor configuration is not a JSON object'],
		[
			'monitors that are no list',
			'{"monitors":{}}',
			'monitors in the monitor configuration is not a list',
		],
		['a web page', '<html><title>Sign in</title></html>', 'not JSON ("Sign in")'],
		['half a document', '{"monitors":[', 'not JSON'],
		// RFC 9457 section 3.1.3; gateways send them with 200, too.
		['an error that says its status', '{"status":"503","detail":"Later"}', 'Later'],
	])('%s instead of it is an error', async (_what, text, message) => {
		await withService({}, async (service, _scim, alert) => {
			service.state.storeConfiguration(ORG, 'model-2', text);
			const { error } = await alert('monitorConfiguration', 'get', SMALL);
			expect(error.message).toContain(message);
		});
	});
});

describe('Monitor Configuration: Update', () => {
	const update = async (alert, configuration, more = {}, options = {}) =>
		await alert(
			'monitorConfiguration',
			'update',
			{ model: byId('model-2'), configuration: '={{ $json.document }}', ...more },
			{ items: [{ document: configuration }], ...options },
		);
	const changed = (service, edit, model) => {
		const document = JSON.parse(textOf(service, model));
		edit(document);
		return document;
	};
	const disableFirst = (document) => {
		document.monitors[0].disabled = true;
	};

	test('read, write, read-back; the same again is one read', async () => {
		await withService({}, async (service, _scim, alert) => {
			const document = changed(service, disableFirst);
			const { json } = await update(alert, document);
			expect(json).toEqual([
				{
					model: 'model-2',
					version: 7,
					monitors: 3,
					analyzers: 3,
					...{ status: 'done', reason: null },
					text: 'Updated the monitor configuration of model model-2.',
				},
			]);
			expect(requestsOf(service)).toEqual([
				`GET ${CONFIG} 200`,
				`PUT ${CONFIG} 200`,
				`GET ${CONFIG} 200`,
			]);
			expect(JSON.parse(textOf(service)).monitors[0].disabled).toBe(true);
			service.log.clear();
			const again = await update(alert, document);
			expect(again.json[0].status).toBe('unchanged');
			expect(requestsOf(service)).toEqual([`GET ${CONFIG} 200`]);
		});
	});

	test('text is sent unchanged; what is stored is that, numbers and all', async () => {
		await withService({}, async (service, _scim, alert) => {
			const text = textOf(service, 'model-1').replace('"severity":1,', '"severity":2,');
			await update(alert, text, { model: byId('model-1') });
			expect(withoutMetadata(textOf(service, 'model-1'))).toBe(withoutMetadata(text));
			expect(textOf(service, 'model-1')).toContain('"x-import-id":12345678901234567890');
		});
		// Without blanks around it: n8n's HTTP library trims those.
		const text = '{\n "monitors" : [ {"id":"first-monitor", "n": 1.0} ],\t"analyzers":[ ] }';
		await withService({ keepsText: true }, async (service, _scim, alert) => {
			service.state.storeConfiguration(ORG, 'model-2', '{"monitors":[],"analyzers":[]}');
			const { json } = await update(alert, text);
			expect(json[0].status).toBe('done');
			expect(countsOf(service)).toEqual({ GET: 2, PUT: 1 });
			expect(textOf(service)).toBe(text);
		});
	});

	// The check itself is tested with configurations/planConfigurations.
	test('a document without analyzers is refused, and nothing is sent', async () => {
		await withService({}, async (service, _scim, alert) => {
			const { error } = await update(alert, '{"monitors":[]}');
			expect(error.message).toContain('has no list of analyzers');
			expect(error.description).toBeTruthy();
			expect(service.log.requests).toStrictEqual([]);
		});
	});

	test('more removals than allowed block it; the preview says why', async () => {
		await withService({}, async (service, _scim, alert) => {
			const empty = changed(service, (document) => {
				document.monitors = [];
				document.analyzers = [];
			});
			const before = textOf(service);
			for (const onError of ['stopWorkflow', 'continueErrorOutput']) {
				const { error, errorOutput } = await update(alert, empty, {}, { onError });
				expect((error ?? errorOutput[0].error).message).toBe(
					'Nothing was sent: 6 monitors and analyzers of model model-2 would be removed, more than Max Removals (5). Check the document, or turn on Allow Removals.',
				);
			}
			const { json } = await update(alert, empty, { preview: true });
			expect(json[0]).toMatchObject({
				blockedBy: [expect.stringContaining('6 monitors and analyzers')],
				configurations: [
					{
						model: 'model-2',
						touched: {
							monitors: {
								removed: ['uplift-drift-monitor', 'uplift-volume-monitor', 'uplift-schema-monitor'],
							},
						},
					},
				],
			});
			expect(textOf(service)).toBe(before);
			expect(countsOf(service)).toEqual({ GET: 3 });

			const five = changed(service, (document) => {
				document.monitors.splice(1);
				document.analyzers = [];
			});
			expect((await update(alert, five)).json[0]).toMatchObject({ monitors: 1, analyzers: 0 });
			const options = { allowRemovals: true, maxRemovals: 0 };
			const none = changed(service, (document) => {
				document.monitors = [];
			});
			expect((await update(alert, none, { options: { maxRemovals: 0 } })).error).toBeDefined();
			expect((await update(alert, none, { options })).json[0]).toMatchObject({ monitors: 0 });
		});
	});

	test('made from an older version: refused, unless it is to be overwritten', async () => {
		await withService({}, async (service, _scim, alert) => {
			const old = changed(service, (document) => {
				document.monitors[1].disabled = true;
			});
			await update(alert, changed(service, disableFirst));
			service.log.clear();
			const { error } = await update(alert, old);
			expect(error.message).toBe(
				'Someone has changed the configuration since: it has version 7, the provided one was made from version 6',
			);
			expect(countsOf(service)).toEqual({ GET: 1 });
			const { json } = await update(alert, old, { options: { overwriteNewer: true } });
			expect(json[0].status).toBe('done');
			expect(JSON.parse(textOf(service)).monitors[0].disabled).toBeUndefined();
		});
	});

	test('without a version: refused before anything is sent, unless it is to be overwritten', async () => {
		await withService({}, async (service, _scim, alert) => {
			const document = changed(service, (wanted) => {
				wanted.monitors[1].disabled = true;
				delete wanted.metadata;
			});
			const before = textOf(service);
			for (const preview of [true, false]) {
				const { json, error } = await update(alert, document, { preview });
				const message = preview ? json[0].settled[0].reason : error.message;
				expect(message).toContain('The provided configuration has no version');
			}
			expect(countsOf(service)).toEqual({ GET: 2 });
			expect(textOf(service)).toBe(before);
			const { json } = await update(alert, document, { options: { overwriteNewer: true } });
			expect(json[0].status).toBe('done');
			expect(JSON.parse(textOf(service)).monitors[1].disabled).toBe(true);
			// A model that was never configured has no version.
			const first = { model: byId('model-3') };
			const monitors = [{ ...JSON.parse(before).monitors[0], metadata: undefined }];
			const made = await update(alert, { monitors, analyzers: [] }, first);
			expect(made.json[0]).toMatchObject({ version: 1, status: 'done' });
		});
	});

	test('of other keys, which the service ignores: told beside the rest, and not done alone', async () => {
		await withService({}, async (service, _scim, alert) => {
			const hourly = (document) => {
				document.granularity = 'hourly';
			};
			const both = changed(service, (document) => {
				disableFirst(document);
				hourly(document);
			});
			const preview = await update(alert, both, { preview: true });
			expect(preview.json[0].warnings).toEqual([
				expect.stringContaining('whether it accepts granularity is checked afterwards'),
			]);
			const { json } = await update(alert, both);
			expect(json[0]).toMatchObject({
				status: 'done',
				warnings: ['The service ignores what was changed in granularity'],
			});
			service.log.clear();
			const { error } = await update(alert, changed(service, hourly));
			expect(error.message).toBe('The service ignores what was changed in granularity');
			expect(countsOf(service).PUT).toBe(1);
			expect(JSON.parse(textOf(service)).granularity).toBe('weekly');
		});
	});

	test('preview: what is touched; nothing is written', async () => {
		await withService({}, async (service, _scim, alert) => {
			const document = changed(service, (old) => {
				disableFirst(old);
				old.monitors.splice(2, 1);
				old.monitors.push({ ...old.monitors[1], id: 'uplift-new-monitor' });
			});
			const { json } = await update(alert, document, { preview: true });
			expect(json[0]).toMatchObject({
				preview: true,
				blockedBy: [],
				requests: [{ method: 'PUT', path: CONFIG }],
			});
			expect(json[0].configurations).toEqual([
				{
					model: 'model-2',
					touched: {
						monitors: {
							added: ['uplift-new-monitor'],
							changed: ['uplift-drift-monitor'],
							removed: ['uplift-schema-monitor'],
						},
						analyzers: { added: [], changed: [], removed: [] },
						otherKeys: [],
					},
				},
			]);
			expect(countsOf(service)).toEqual({ GET: 1 });
		});
	});

	test('what the service does not accept, and a model that two items give', async () => {
		await withService({}, async (service, _scim, alert) => {
			const bad = changed(service, (document) => {
				document.monitors[0].actions = [{ type: 'global', target: 'nobody' }];
			});
			const { error } = await update(alert, bad);
			expect(error).toMatchObject({
				httpCode: '400',
				message: expect.stringContaining('Action nobody does not exist'),
			});
			const document = changed(service, disableFirst);
			const items = ['model-2', 'model-2', 'nothing'].map((model) => ({ document, model }));
			const more = { items, onError: 'continueErrorOutput' };
			const model = byId('={{ $json.model }}');
			const { json, errorJson, errorPairedItems } = await update(alert, document, { model }, more);
			expect(json).toHaveLength(1);
			expect(errorPairedItems).toEqual([[1], [2]]);
			expect(errorJson[1].error).toContain('model nothing: the service answered 404');
			expect(errorJson[0].error).toBe(
				'Items 0 and 1 both provide the configuration of model model-2',
			);
		});
	});

	test.each([
		['reset-after', 1],
		['500-after', 1],
		['dropped', 2],
		['reset-before', 2],
		['429', 2],
	])('an answer that is no use (%s): seen, or sent again', async (kind, puts) => {
		await withService({ faults: [{ method: 'PUT', nth: 1, kind }] }, async (...given) => {
			const [service, , alert] = given;
			const { json, error } = await update(alert, changed(service, disableFirst));
			expect(error).toBeUndefined();
			expect(json[0]).toMatchObject({ version: 7, status: 'done' });
			expect(countsOf(service).PUT).toBe(puts);
		});
	});

	const UNVERIFIED = 'Could not confirm: update the monitor configuration of';

	// Where the lists were right before, a look at them proves nothing.
	test.each(['lists', 'other keys alone'])(
		'to the end: given up, and never done (%s)',
		async (what) => {
			for (const [kind, puts, message] of [
				['dropped', 5, UNVERIFIED],
				['reset-before', 5, UNVERIFIED],
				['500-html', 5, UNVERIFIED],
				['429', 5, UNVERIFIED],
				[
					'html-403',
					1,
					'Could not save the monitor configuration of model model-2: the service answered 403',
				],
			]) {
				await withService({ faults: [{ method: 'PUT', kind }] }, async (service, _scim, alert) => {
					const edit =
						what === 'lists' ? disableFirst : (document) => (document.granularity = 'hourly');
					const { error } = await update(alert, changed(service, edit));
					expect([kind, error.message]).toEqual([kind, expect.stringContaining(message)]);
					expect([kind, countsOf(service).PUT]).toEqual([kind, puts]);
				});
			}
		},
	);

	const tag = (service) => () =>
		writeElsewhere(service, 'model-2', 'uplift-schema-monitor', (monitor) => {
			monitor.tags = ['theirs'];
		});

	test('somebody else wins in between: not overwritten, and the item fails', async () => {
		await withService({}, async (service, _scim, alert) => {
			meddle(service, 'during', tag(service));
			const { error } = await update(alert, changed(service, disableFirst));
			expect(error.message).toContain(
				'Someone else has changed the configuration of model model-2 meanwhile',
			);
			expect(error.message).toContain(UNVERIFIED);
			expect(countsOf(service)).toEqual({ GET: 2, PUT: 1 });
			expect(textOf(service)).toContain('theirs');
		});
	});

	test('somebody else was overwritten unseen: a warning says so', async () => {
		await withService({}, async (service, _scim, alert) => {
			meddle(service, 'between', tag(service));
			const { json } = await update(alert, changed(service, disableFirst));
			expect(json[0]).toMatchObject({
				status: 'done',
				warnings: [
					'Someone else wrote this configuration at the same time: check whether that change is still there',
				],
			});
		});
	});
});
