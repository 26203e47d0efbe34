'use strict';

require('../support/noWaiting');

// Actions on monitors, over real sockets. Pauses between tries pass at once, and are written down.
const mockPauses = [];
jest.mock('n8n-workflow', () => ({
	...jest.requireActual('n8n-workflow'),
	sleep: async (ms) => {
		mockPauses.push(ms);
	},
}));

const { parseExact, stringifyExact } = require('../../demo/service/exactJson');
const {
	ORG,
	alertingSeed,
	document,
	global,
	monitor,
	tally,
	targetsIn,
} = require('../support/configurations');
const { byId } = require('../support/node');
const { countsOf, requestsOf, withService } = require('../support/service');

const SMALL = { model: byId('model-2') };
const BIG = { model: byId('model-1') };
const ALL = { monitors: 'all' };
const DOCUMENTED = { documentedOnly: true };
const CONFIG = (model) => `/v0/organizations/${ORG}/models/${model}/monitor-config/v3`;

const textOf = (service, model = 'model-2') => service.state.configurationText(ORG, model);
const monitorsOf = (service, model) => JSON.parse(textOf(service, model)).monitors;
const targetsOf = (service, model) => targetsIn(JSON.parse(textOf(service, model)));
const withoutMetadata = (text) => text.replace(/"metadata":\{[^}]*\}/g, '"metadata":{}');
const linesOf = (service) =>
	requestsOf(service).map((line) => line.replace('/v0/notification-settings/', ''));
const bodiesOf = (service, method) =>
	service.log.requests.filter((request) => request.method === method);

beforeEach(() => {
	mockPauses.length = 0;
});

describe('Attach', () => {
	const attach = (more) => ({ action: byId('marketing-mail'), ...more });

	test('to the 30 monitors of a configuration: listing, read, write, read-back', async () => {
		await withService({}, async (service, _scim, alert) => {
			const before = textOf(service, 'model-1');
			const { json, error } = await alert('monitor', 'attach', attach({ ...BIG, ...ALL }));
			expect(error).toBeUndefined();
			expect(tally(json)).toMatchObject({ changed: 30, unchanged: 0, failed: 0 });
			expect(json[1]).toEqual({
				model: 'model-1',
				id: 'checkout-page-unique-values-monitor',
				displayName: null,
				actions: ['oncall-pager', 'email', 'marketing-mail'],
				status: 'done',
				reason: null,
				text: 'Attached marketing-mail to monitor checkout-page-unique-values-monitor of model model-1.',
			});
			expect(linesOf(service)).toEqual([
				`GET ${ORG}/actions 200`,
				`GET ${CONFIG('model-1')} 200`,
				`PATCH ${CONFIG('model-1')} 200`,
				`GET ${CONFIG('model-1')} 200`,
			]);

			// Everything else is as it was: numbers, keys nobody knows, the order of all.
			const wanted = parseExact(before);
			for (const one of wanted.get('monitors'))
				one.set('actions', [...(one.get('actions') ?? []), ...global('marketing-mail')]);
			const after = textOf(service, 'model-1');
			expect(withoutMetadata(after)).toBe(withoutMetadata(stringifyExact(wanted)));
			for (const literal of [
				'1.0',
				'2.50E-1',
				'12345678901234567890',
				'"allowPartialTargetBatches":true',
			])
				expect(after).toContain(literal);

			service.log.clear();
			const again = await alert('monitor', 'attach', attach({ ...BIG, ...ALL }));
			expect(tally(again.json)).toMatchObject({ changed: 0, unchanged: 30, failed: 0 });
			expect(linesOf(service)).toEqual([`GET ${ORG}/actions 200`, `GET ${CONFIG('model-1')} 200`]);
			expect(textOf(service, 'model-1')).toBe(after);
		});
	});

	test('the whole document as PUT: exact outside of what is added, too', async () => {
		for (const options of [{ merges: false }, DOCUMENTED]) {
			await withService(options, async (service, _scim, alert) => {
				const before = textOf(service, 'model-1');
				const { json } = await alert('monitor', 'attach', attach({ ...BIG, ...ALL }));
				expect(tally(json)).toMatchObject({ changed: 30 });
				expect(countsOf(service)).toEqual({ GET: 3, PATCH: 1, PUT: 1 });
				const wanted = parseExact(before);
				for (const one of wanted.get('monitors'))
					one.set('actions', [...(one.get('actions') ?? []), ...global('marketing-mail')]);
				expect(withoutMetadata(textOf(service, 'model-1'))).toBe(
					withoutMetadata(stringifyExact(wanted)),
				);
			});
		}
	});

	test('a service that does not merge is found out once for all models', async () => {
		await withService(DOCUMENTED, async (service, _scim, alert) => {
			const both = { models: 'ids', modelIds: 'model-1, model-2', ...ALL };
			const { json } = await alert('monitor', 'attach', attach(both));
			expect(tally(json)).toMatchObject({ changed: 33 });
			expect(countsOf(service)).toEqual({ GET: 5, PATCH: 1, PUT: 2 });
		});
	});

	test('a merge sends the touched monitors alone, and the flag as it is', async () => {
		await withService({}, async (service, _scim, alert) => {
			const one = { monitors: 'one', monitor: byId('newsletter-data-type-monitor') };
			await alert('monitor', 'attach', attach({ ...BIG, ...one }));
			const { body } = service.log.requests.find(({ method }) => method === 'PATCH');
			expect(Object.keys(body)).toEqual(['monitors', 'allowPartialTargetBatches']);
			expect(body.monitors.map(({ id }) => id)).toEqual(['newsletter-data-type-monitor']);
			expect(body.allowPartialTargetBatches).toBe(true);
			expect(JSON.parse(textOf(service, 'model-1')).allowPartialTargetBatches).toBe(true);

			await alert('monitor', 'attach', attach({ ...SMALL, ...ALL }));
			const { body: other } = service.log.requests.filter(({ method }) => method === 'PATCH')[1];
			expect(Object.keys(other)).toEqual(['monitors']);
		});
	});

	test('c configurations are 1 + 3c requests', async () => {
		const names = ['m-1', 'm-2', 'm-3', 'm-4', 'm-5', 'm-6'];
		const models = Object.fromEntries(
			names.map((name) => [name, document([monitor('one-monitor'), monitor('other-monitor')])]),
		);
		await withService({ seed: alertingSeed(models) }, async (service, _scim, alert) => {
			const { json } = await alert('monitor', 'attach', {
				action: byId('chat'),
				models: 'ids',
				modelIds: names.join(', '),
				...ALL,
			});
			expect(tally(json)).toMatchObject({ changed: 12 });
			expect(countsOf(service)).toEqual({ GET: 13, PATCH: 6 });

			service.log.clear();
			await alert('monitor', 'attach', { action: byId('pager'), models: 'all', ...ALL });
			expect(countsOf(service)).toEqual({ GET: 14, PATCH: 6 });
		});
	});

	test('many items on one model are one read, one write and one read-back', async () => {
		await withService({}, async (service, _scim, alert) => {
			const items = monitorsOf(service, 'model-1').map(({ id }) => ({ id }));
			const { json, pairedItems } = await alert(
				'monitor',
				'attach',
				attach({ ...BIG, monitors: 'one', monitor: byId('={{ $json.id }}') }),
				{ items },
			);
			expect(countsOf(service)).toEqual({ GET: 3, PATCH: 1 });
			expect(pairedItems).toEqual(items.map((_, index) => [index]));
			json.forEach((item, index) => {
				expect(item).toMatchObject({ status: 'done', id: items[index].id });
			});
		});
	});

	test('two items that attach different actions to one monitor: both, in their order', async () => {
		await withService({}, async (service, _scim, alert) => {
			const items = [{ id: 'old-hook' }, { id: 'marketing-mail' }, { id: 'old-hook' }];
			const { json, pairedItems } = await alert(
				'monitor',
				'attach',
				{ ...SMALL, ...ALL, action: byId('={{ $json.id }}') },
				{ items },
			);
			expect(tally(json)).toMatchObject({ changed: 9 });
			expect(pairedItems).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2].map((item) => [item]));
			expect(targetsOf(service)['uplift-drift-monitor']).toEqual([
				'email',
				'old-hook',
				'marketing-mail',
			]);
			expect(countsOf(service)).toEqual({ GET: 3, PATCH: 1 });
		});
	});

	test('the default target needs no listing to exist, and is not there twice', async () => {
		await withService({}, async (service, _scim, alert) => {
			const parameters = { ...SMALL, ...ALL, action: byId('email') };
			const { json } = await alert('monitor', 'attach', parameters);
			expect(tally(json)).toMatchObject({ changed: 2, unchanged: 1 });
			expect(Object.values(targetsOf(service))).toEqual(Array(3).fill(['email']));
		});
	});

	// test/contract/interface.md 2.4, 2.5: newer versions of the open-source service need the action "email" to be stored.
	test('the default target where the service does not have it: refused, and the error names the way out', async () => {
		const { organizations, ...rest } = alertingSeed({ 'm-1': document([monitor('one-monitor')]) });
		const seed = { ...rest, organizations: organizations.map(({ id, name }) => ({ id, name })) };
		await withService({ seed }, async (service, _scim, alert) => {
			const attachEmail = async () =>
				await alert('monitor', 'attach', { model: byId('m-1'), ...ALL, action: byId('email') });
			const { error } = await attachEmail();
			expect(error.message).toContain('Action email does not exist');
			expect(error.description).toContain('Create or Update with Allow Default Email');
			const parameters = { actionId: 'email', kind: 'email', email: 'ops@example.com' };
			const refused = await alert('action', 'upsert', parameters);
			expect(refused.error.description).toContain('create it with Allow Default Email');
			const options = { allowDefaultEmail: true };
			const made = await alert('action', 'upsert', { ...parameters, options });
			expect(made.json).toMatchObject([{ id: 'email', type: 'EMAIL', status: 'done' }]);
			expect((await attachEmail()).json).toMatchObject([{ actions: ['email'], status: 'done' }]);
			expect(targetsOf(service, 'm-1')).toEqual({ 'one-monitor': ['email'] });
		});
	});

	test('an action that is not there: the known are listed, no configuration is written', async () => {
		await withService({}, async (service, _scim, alert) => {
			const parameters = { ...SMALL, ...ALL, action: byId('nobody') };
			const { error } = await alert('monitor', 'attach', parameters);
			expect(error).toMatchObject({
				message: 'There is no action nobody',
				description:
					'Create it first. The organization has: oncall-pager, marketing-chat, marketing-mail, old-hook, email.',
			});
			expect(countsOf(service)).toEqual({ GET: 2 });
		});
	});

	test('at most 100 actions: who would have more fails, the others go on', async () => {
		const actions = Array.from({ length: 101 }, (_, index) => `action-${index}`);
		const models = {
			'm-1': document([
				monitor('full-monitor', actions.slice(0, 100)),
				monitor('almost-full', actions.slice(0, 99)),
			]),
		};
		await withService({ seed: alertingSeed(models, actions) }, async (service, _scim, alert) => {
			const parameters = { model: byId('m-1'), ...ALL, action: byId('action-100') };
			const { json, errorJson } = await alert('monitor', 'attach', parameters, {
				onError: 'continueErrorOutput',
			});
			expect(errorJson.map(({ error }) => error)).toEqual([
				'Monitor full-monitor would have 101 actions',
			]);
			expect(json.map(({ text }) => text)).toEqual([
				'Attached action-100 to monitor almost-full of model m-1.',
			]);
			const targets = targetsOf(service, 'm-1');
			expect(targets['full-monitor']).toHaveLength(100);
			expect(targets['almost-full']).toHaveLength(100);
			const { error } = await alert('monitor', 'setActions', {
				model: byId('m-1'),
				...ALL,
				actionIds: actions.join(),
			});
			expect(error.message).toBe('101 actions are specified');
		});
	});
});

describe('which monitors', () => {
	const CHOICES = [
		['One', { monitors: 'one', monitor: byId('uplift-drift-monitor') }, ['drift']],
		[
			'By ID',
			{ monitors: 'ids', monitorIds: 'uplift-drift-monitor, uplift-schema-monitor' },
			['drift', 'schema'],
		],
		[
			'By ID, a list',
			{ monitors: 'ids', monitorIds: "={{ ['uplift-drift-monitor'] }}" },
			['drift'],
		],
		['By Name', { monitors: 'name', namePattern: 'UPLIFT-*a-monitor' }, ['schema']],
		['By Severity', { monitors: 'severity', severities: [1, 2] }, ['drift']],
		[
			'By Severity, a text',
			{ monitors: 'severity', severities: "={{ '2,4' }}" },
			['drift', 'volume'],
		],
		['By Tag', { monitors: 'tag', tags: 'other, VOLUME' }, ['volume']],
		['All', ALL, ['drift', 'volume', 'schema']],
	];

	test.each(CHOICES)('%s', async (_what, choice, found) => {
		await withService({}, async (service, _scim, alert) => {
			const { json } = await alert('monitor', 'attach', {
				...SMALL,
				...choice,
				action: byId('old-hook'),
			});
			expect(json.map(({ id }) => id)).toEqual(found.map((name) => `uplift-${name}-monitor`));
			const having = Object.entries(targetsOf(service)).filter(([, all]) =>
				all?.includes('old-hook'),
			);
			expect(having).toHaveLength(found.length);
		});
	});

	test('By Name takes the display name where there is one', async () => {
		await withService({}, async (_service, _scim, alert) => {
			const names = { monitors: 'name', namePattern: '*drift on*' };
			const { json } = await alert('monitor', 'attach', {
				...BIG,
				...names,
				action: byId('old-hook'),
			});
			expect(json.map(({ displayName }) => displayName)).toEqual([
				'category drift on newsletter',
				'numeric drift on mobile app',
				'category drift on all traffic',
			]);
		});
	});

	test('of several models, one of which does not exist: the others are done, the item fails', async () => {
		await withService({}, async (service, _scim, alert) => {
			const { json, errorJson } = await alert(
				'monitor',
				'attach',
				{ models: 'ids', modelIds: 'model-2, nothing', ...ALL, action: byId('old-hook') },
				{ onError: 'continueErrorOutput' },
			);
			expect(errorJson.map(({ error }) => error)).toEqual([
				expect.stringContaining(
					'Could not read the monitor configuration of model nothing: the service answered 404',
				),
			]);
			expect(tally(json)).toMatchObject({ changed: 3 });
			expect(targetsOf(service)['uplift-schema-monitor']).toEqual(['old-hook']);
		});
	});

	test('a monitor that is not there: those there are listed, the others are done', async () => {
		await withService({}, async (service, _scim, alert) => {
			const run = async (monitorIds) =>
				await alert('monitor', 'attach', {
					...SMALL,
					monitors: 'ids',
					monitorIds,
					action: byId('old-hook'),
				});
			const alone = await run('nothing-here');
			expect(alone.error).toMatchObject({
				message: 'There is no monitor nothing-here in model model-2',
				description: 'It has: uplift-drift-monitor, uplift-volume-monitor, uplift-schema-monitor.',
			});
			expect(countsOf(service)).toEqual({ GET: 2 });
			const two = await run('nothing-here, uplift-drift-monitor');
			expect(two.error.message).toBe('There is no monitor nothing-here in model model-2');
			expect(two.error.description).toContain(
				'Done: item 0 (attach old-hook to monitor uplift-drift-monitor of model model-2: done)',
			);
		});
	});

	test('none that matches: an error, or an item without monitors', async () => {
		await withService({}, async (service, _scim, alert) => {
			const choice = { monitors: 'name', namePattern: 'nothing*' };
			const parameters = { ...SMALL, ...choice, action: byId('old-hook') };
			const { error } = await alert('monitor', 'attach', parameters);
			expect(error.message).toBe('No monitor of model model-2 matches');
			expect(error.description).toContain('If None Match');
			const options = { ifNoneMatch: 'continue' };
			const { json } = await alert('monitor', 'attach', { ...parameters, options });
			expect(json).toEqual([
				{
					...{ model: null, id: null, displayName: null, actions: null },
					...{ status: 'skipped', reason: 'no monitor matches' },
					text: 'Did not attach old-hook to monitors: no monitor matches.',
				},
			]);
			expect(countsOf(service)).toEqual({ GET: 4 });
		});
	});

	test('all models of the organization; a service that does not list them says so', async () => {
		const parameters = { models: 'all', ...ALL, action: byId('old-hook') };
		await withService({}, async (service, _scim, alert) => {
			const { json } = await alert('monitor', 'attach', parameters);
			expect(tally(json)).toMatchObject({ changed: 33 });
			// Listings of actions and models, three reads, two that have monitors are written and read back.
			expect(countsOf(service)).toEqual({ GET: 7, PATCH: 2 });
		});
		await withService(DOCUMENTED, async (_service, _scim, alert) => {
			const { error } = await alert('monitor', 'attach', parameters);
			expect(error).toMatchObject({
				message: 'This service does not list its models',
				description: 'Enter the IDs of the models instead.',
			});
		});
	});

	// As expressions, because the editor itself refuses most of these as plain values.
	const BAD = [
		['no model', { model: byId("={{ ' ' }}") }, 'No model specified'],
		['a model that leads elsewhere', { model: byId("={{ '..' }}") }, '".." is not an ID'],
		['no models', { models: 'ids', modelIds: "={{ ' ' }}" }, 'No models specified'],
		[
			'a hole among models',
			{ models: 'ids', modelIds: 'model-1,,model-2' },
			'Entry 2 of Model IDs is empty',
		],
		['no monitor', { monitors: 'one', monitor: byId("={{ ' ' }}") }, 'No monitors specified'],
		[
			'no choice of monitors, which is never all of them',
			{ monitors: undefined, monitor: byId("={{ '' }}") },
			'No monitors specified',
		],
		['no monitors', { monitors: 'ids', monitorIds: "={{ ' ' }}" }, 'No monitors specified'],
		[
			'a hole among monitors',
			{ monitors: 'ids', monitorIds: "={{ ['uplift-drift-monitor', null] }}" },
			'Entry 2 of Monitor IDs is empty',
		],
		[
			'no monitor but an object',
			{ monitors: 'ids', monitorIds: "={{ [{ id: 'uplift-drift-monitor' }] }}" },
			'Entry 1 of Monitor IDs is neither text nor a number',
		],
		['no tags', { monitors: 'tag', tags: "={{ ' ' }}" }, 'No tags specified'],
		['a hole among tags', { monitors: 'tag', tags: ',' }, 'Entry 1 of Tags is empty'],
		['no pattern', { monitors: 'name', namePattern: ' ' }, 'The name pattern is empty'],
		...['undefined', 'null', '["a"]'].map((value) => [
			`the pattern ${value}`,
			{ monitors: 'name', namePattern: `={{ ${value} }}` },
			'The name pattern is empty',
		]),
		[
			'no severities',
			{ monitors: 'severity', severities: "={{ 'high' }}" },
			'No severities specified',
		],
		['no action', { action: byId("={{ ' ' }}") }, 'No action specified'],
		['a bad action', { action: byId("={{ 'a b' }}") }, '"a b" is not an ID of an action'],
	];

	test('what cannot be used: nothing is sent', async () => {
		await withService({}, async (service, _scim, alert) => {
			for (const [what, fields, message] of BAD) {
				const parameters = { ...SMALL, ...ALL, action: byId('old-hook'), ...fields };
				const { error } = await alert('monitor', 'attach', parameters);
				expect([what, error?.message]).toEqual([what, message]);
			}
			expect(service.log.requests).toStrictEqual([]);
		});
	});
});

describe('Detach, Set Actions, Replace Action', () => {
	test('Detach: from those that have it; no listing, because it may be gone already', async () => {
		await withService({}, async (service, _scim, alert) => {
			const parameters = { ...BIG, ...ALL, action: byId('email') };
			const { json } = await alert('monitor', 'detach', parameters);
			expect(tally(json)).toMatchObject({ changed: 12, unchanged: 18, failed: 0 });
			expect(textOf(service, 'model-1')).not.toContain('"target":"email"');
			expect(targetsOf(service, 'model-1')['checkout-page-unique-values-monitor']).toEqual([
				'oncall-pager',
			]);
			expect(countsOf(service)).toEqual({ GET: 2, PATCH: 1 });
			const again = await alert('monitor', 'detach', parameters);
			expect(tally(again.json)).toMatchObject({ changed: 0, unchanged: 30 });
			expect(countsOf(service)).toEqual({ GET: 3, PATCH: 1 });
			const gone = await alert('monitor', 'detach', { ...parameters, action: byId('nobody') });
			expect(tally(gone.json)).toMatchObject({ changed: 0, unchanged: 30 });
		});
	});

	test('Set Actions: exactly these, in the order they stood', async () => {
		await withService({}, async (service, _scim, alert) => {
			const one = { monitors: 'one', monitor: byId('checkout-page-unique-values-monitor') };
			const set = async (actionIds, more = {}) =>
				await alert('monitor', 'setActions', { ...BIG, ...one, actionIds, ...more });
			await set("={{ ['marketing-chat', 'email', 'marketing-chat'] }}");
			const targets = () => targetsOf(service, 'model-1')['checkout-page-unique-values-monitor'];
			expect(targets()).toEqual(['email', 'marketing-chat']);
			const again = await set('marketing-chat, email');
			expect(tally(again.json)).toMatchObject({ changed: 0, unchanged: 1 });

			const { error } = await set(' ');
			expect(error.message).toBe('No actions specified');
			// A hole would be an action that is detached by mistake.
			for (const [actionIds, place] of [
				['email,,old-hook', 2],
				["={{ ['email', ''] }}", 2],
				['={{ [[], "email"] }}', 1],
				['["email", null]', 2],
				[',', 1],
			]) {
				const sent = service.log.requests.length;
				const { error: hole } = await set(actionIds, { allowNone: true });
				expect(hole.message).toContain(`Entry ${place} of Action IDs is `);
				expect(service.log.requests).toHaveLength(sent);
			}
			expect(targets()).toEqual(['email', 'marketing-chat']);
			const lines = await set('email,\nmarketing-chat;\n\n');
			expect(tally(lines.json)).toMatchObject({ changed: 0, unchanged: 1 });
			const none = await set('', { allowNone: true });
			expect(none.json[0]).toMatchObject({ actions: [], status: 'done' });
			expect(targets()).toStrictEqual([]);
		});
	});

	test('Set Actions: items that want different things of one monitor both fail', async () => {
		await withService({}, async (service, _scim, alert) => {
			const items = [{ ids: 'email' }, { ids: 'old-hook' }];
			const { errorJson, errorPairedItems } = await alert(
				'monitor',
				'setActions',
				{ ...SMALL, ...ALL, actionIds: '={{ $json.ids }}' },
				{ items, onError: 'continueErrorOutput' },
			);
			expect(errorPairedItems).toEqual([[0], [0], [0], [1], [1], [1]]);
			for (const { error } of errorJson) expect(error).toContain('Items want different actions');
			expect(countsOf(service)).toEqual({ GET: 2 });
		});
	});

	test('Replace Action: where it is, at its place; an action that is there already stays once', async () => {
		await withService({}, async (service, _scim, alert) => {
			const parameters = {
				...BIG,
				...ALL,
				action: byId('oncall-pager'),
				replaceBy: byId('marketing-mail'),
			};
			const { json } = await alert('monitor', 'replaceAction', parameters);
			expect(tally(json)).toMatchObject({ changed: 6, unchanged: 24 });
			const targets = () => targetsOf(service, 'model-1')['checkout-page-unique-values-monitor'];
			expect(targets()).toEqual(['marketing-mail', 'email']);
			await alert('monitor', 'replaceAction', {
				...BIG,
				...ALL,
				action: byId('marketing-mail'),
				replaceBy: byId('email'),
			});
			expect(targets()).toEqual(['email']);

			const unknown = { ...parameters, replaceBy: byId('nobody') };
			expect((await alert('monitor', 'replaceAction', unknown)).error.message).toBe(
				'There is no action nobody',
			);
			const itself = { ...parameters, replaceBy: byId('oncall-pager') };
			expect((await alert('monitor', 'replaceAction', itself)).error.message).toBe(
				'Action oncall-pager would be replaced with itself',
			);
		});
	});
});

describe('preview', () => {
	test.each([
		['attach', { action: byId('old-hook') }],
		['detach', { action: byId('email') }],
		['setActions', { actionIds: 'old-hook, email' }],
		['replaceAction', { action: byId('email'), replaceBy: byId('old-hook') }],
	])('%s: names just what the run changes, and nothing is written', async (...given) => {
		const [operation, fields] = given;
		await withService({}, async (service, _scim, alert) => {
			const before = textOf(service, 'model-1');
			const targets = targetsOf(service, 'model-1');
			const parameters = { ...BIG, ...ALL, ...fields };
			const { json } = await alert('monitor', operation, { ...parameters, preview: true });
			expect(textOf(service, 'model-1')).toBe(before);
			expect(countsOf(service)).toEqual({ GET: operation === 'detach' ? 1 : 2 });
			const [{ configurations, requests, settled }] = json;
			expect(requests).toMatchObject([{ method: 'PATCH', path: CONFIG('model-1') }]);

			await alert('monitor', operation, parameters);
			const after = targetsOf(service, 'model-1');
			const without = (one, other = []) => (one ?? []).filter((id) => !other.includes(id));
			const changes = Object.keys(targets).flatMap((id) => {
				const attach = without(after[id], targets[id]);
				const detach = without(targets[id], after[id]);
				return attach.length + detach.length > 0 ? [{ id, attach, detach }] : [];
			});
			expect(settled.every(({ status }) => status === 'unchanged')).toBe(true);
			expect(changes).toHaveLength(30 - settled.length);
			expect(configurations.map(({ model }) => model)).toEqual(['model-1']);
			const [{ displayName }] = configurations[0].touched.monitors;
			expect(displayName).toBe('missing values on checkout page');
			const named = configurations[0].touched.monitors.map(({ id, attach = [], detach = [] }) => ({
				id,
				attach,
				detach,
			}));
			const byName = (one, other) => one.id.localeCompare(other.id);
			expect(named.sort(byName)).toEqual(changes.sort(byName));
		});
	});

	test('names what is attached and detached, what is so already, and what cannot be', async () => {
		await withService({}, async (_service, _scim, alert) => {
			const items = [{ id: 'uplift-drift-monitor' }, { id: 'nothing-here' }, { id: '' }];
			const { json, pairedItems } = await alert(
				'monitor',
				'setActions',
				{
					...SMALL,
					monitors: 'ids',
					monitorIds: '={{ $json.id }}',
					actionIds: 'old-hook',
					preview: true,
				},
				{ items },
			);
			expect(pairedItems).toEqual([[0, 1, 2]]);
			expect(json[0]).toMatchObject({
				preview: true,
				blockedBy: [],
				configurations: [
					{
						model: 'model-2',
						touched: {
							monitors: [{ id: 'uplift-drift-monitor', attach: ['old-hook'], detach: ['email'] }],
						},
					},
				],
				requests: [{ items: [0], method: 'PATCH', path: CONFIG('model-2') }],
				settled: [
					{
						item: 1,
						status: 'failed',
						reason: 'There is no monitor nothing-here in model model-2',
					},
				],
				invalid: [{ item: 2, reason: 'No monitors specified' }],
			});
		});
	});
});

describe('the text of a document', () => {
	const TEXT = [
		'{',
		'  "10" : 1.0,   "2":12345678901234567890,',
		'  "x": {"b":1e3,"a":-0.0},',
		'  "monitors" : [',
		'    { "id" : "first-monitor", "weight": 1.50,',
		'      "actions" : [ {"type":"raw","target":"chat","keep":0.10}, { "target" : "old", "type" : "global" } ] },',
		'    { "id" : "second-monitor", "note": "a \\"monitors\\": [ { \\u00e4" },',
		'    { "id": "third-monitor", "actions": null, "z": 7.0 }',
		'  ], "analyzers":[{"id":"one","n":0.70}],"allowPartialTargetBatches" :  false',
		'}',
	].join('\n');

	const run = async (operation, fields, merges, check, text = TEXT) => {
		const seed = alertingSeed({ m: text });
		await withService({ seed, keepsText: true, merges }, async (service, _scim, alert) => {
			const result = await alert('monitor', operation, { model: byId('m'), ...ALL, ...fields });
			const method = merges ? 'PATCH' : 'PUT';
			const write = service.log.requests.find((request) => request.method === method);
			await check(result, write?.text, textOf(service, 'm'));
		});
	};
	const chat = { action: byId('chat') };

	test('whole: unchanged, with the new entries in', async () => {
		await run('attach', chat, false, ({ json }, text) => {
			expect(tally(json)).toMatchObject({ changed: 3 });
			expect(text).toBe(
				TEXT.replace(
					'"type" : "global" } ]',
					'"type" : "global" }, {"type":"global","target":"chat"} ]',
				)
					.replace('\\u00e4"', '\\u00e4", "actions":[{"type":"global","target":"chat"}]')
					.replace('null', '[{"type":"global","target":"chat"}]'),
			);
		});
	});

	test('merged: each touched monitor sign for sign, and the flag', async () => {
		await run('detach', { action: byId('old') }, true, ({ json }, text, stored) => {
			expect(tally(json)).toMatchObject({ changed: 1, unchanged: 2 });
			expect(text).toBe(
				`{"monitors":[${[
					'{ "id" : "first-monitor", "weight": 1.50,',
					'      "actions" : [ {"type":"raw","target":"chat","keep":0.10} ] }',
				].join('\n')}],"allowPartialTargetBatches":false}`,
			);
			expect(JSON.parse(stored).monitors).toHaveLength(3);
		});
	});

	// Which entries a change touches is in test/property/monitors.
	test('actions that are not a list are left alone, and the others are done', async () => {
		const strange = TEXT.replace('null', '{"type":"global"}');
		const check = ({ error }, _text, stored) => {
			expect(error.message).toBe('The actions of monitor third-monitor are not a list');
			expect(error.description).toContain(
				'Done: item 0 (attach chat to monitor first-monitor of model m: done); item 0 (',
			);
			expect(stored).toContain('"actions": {"type":"global"}');
		};
		await run('attach', chat, false, check, strange);
	});

	/** What was read before the write is older than a second by now or not: one read more at most. */
	function expectCounts(service, { GET, PATCH }) {
		const counts = countsOf(service);
		expect(counts.PATCH).toBe(PATCH);
		expect([GET, GET + 1]).toContain(counts.GET);
	}

	test('1,000 monitors in 5 MB, whole and merged', async () => {
		const monitors = Array.from({ length: 1000 }, (_, index) =>
			monitor(`monitor-${index}`, [], {
				actions: undefined,
				severity: (index % 4) + 1,
				notes: `${'x'.repeat(4900)} \\"{[`,
			}),
		);
		const text = JSON.stringify({ analyzers: [], monitors });
		expect(text.length).toBeGreaterThan(4_900_000);
		const wanted = text.replaceAll(
			'x \\\\\\"{["}',
			'x \\\\\\"{[","actions":[{"type":"global","target":"chat"}]}',
		);
		for (const merges of [false, true]) {
			const options = {
				seed: alertingSeed({ m: text }),
				keepsText: true,
				bodyLimit: '10mb',
				merges,
			};
			await withService(options, async (service, _scim, alert) => {
				const { json } = await alert('monitor', 'attach', { model: byId('m'), ...ALL, ...chat });
				expect(tally(json)).toMatchObject({ changed: 1000, failed: 0 });
				expect(textOf(service, 'm') === wanted).toBe(true);
				// What was read before the write is older than a second by now or not: one read more at most.
				expect(service.log.requests.length).toBeLessThanOrEqual(merges ? 5 : 6);
			});
		}
	});

	const large = () =>
		Array.from({ length: 1000 }, (_, index) =>
			monitor(`the-monitor-${index}`, [], { severity: (index % 100) + 1, notes: 'x'.repeat(4900) }),
		);
	const choice = { model: byId('m-1'), monitors: 'severity', severities: '={{ [100] }}', ...chat };

	test('5 MB where a request has 1 MB at most, as a whole: says why not', async () => {
		const seed = alertingSeed({ 'm-1': document(large()) });
		await withService({ seed, merges: false }, async (service, _scim, alert) => {
			const { error } = await alert('monitor', 'attach', choice);
			expect(error).toMatchObject({
				httpCode: '413',
				description: expect.stringContaining('The document is too large for the service.'),
			});
			expect(monitorsOf(service, 'm-1').filter(({ actions }) => actions.length > 0)).toEqual([]);
		});
	});

	test('5 MB where a request has 1 MB at most, merged: it goes', async () => {
		await withService(
			{ seed: alertingSeed({ 'm-1': document(large()) }) },
			async (service, _scim, alert) => {
				const { json } = await alert('monitor', 'attach', choice);
				expect(tally(json)).toMatchObject({ changed: 10 });
				expectCounts(service, { GET: 3, PATCH: 1 });

				// The rest is too much for one merge: refused with 990, 495 and 248 of them, then 124 at a time.
				service.log.clear();
				const all = await alert('monitor', 'attach', { model: byId('m-1'), ...ALL, ...chat });
				expect(tally(all.json)).toMatchObject({ changed: 990, unchanged: 10, failed: 0 });
				expect(monitorsOf(service, 'm-1').every(({ actions }) => actions.length === 1)).toBe(true);
				expectCounts(service, { GET: 2 + 8, PATCH: 3 + 8 });
			},
		);
	});
});

describe('merges in pieces', () => {
	/** Attaches to these monitors, two of which have room in a request. @param prepare gets the service */
	async function attachAll(monitors, prepare) {
		const seed = alertingSeed({ m: document(monitors) });
		const room = 2.5 * JSON.stringify(monitors[0]).length;
		const options = { seed, keepsText: true, bodyLimit: room + 60 };
		let run;
		await withService(options, async (service, _scim, alert) => {
			prepare?.(service);
			const parameters = { model: byId('m'), ...ALL, action: byId('chat') };
			const onError = 'continueErrorOutput';
			const { errorJson, json } = await alert('monitor', 'attach', parameters, { onError });
			const idsOf = (text) => [...text.matchAll(/"id":"(.)-monitor"/g)].map(([, name]) => name);
			run = {
				failed: errorJson.map(({ error }) => error),
				json,
				merges: bodiesOf(service, 'PATCH').map(({ text }) => text && idsOf(text).join('')),
				done: monitorsOf(service, 'm')
					.flatMap(({ id, actions }) => (actions.length > 0 ? [id[0]] : []))
					.sort()
					.join(''),
			};
		});
		return run;
	}
	const some = (names, more = {}) =>
		[...names].map((name) =>
			monitor(`${name}-monitor`, [], { note: 'x'.repeat(200), ...more[name] }),
		);

	test('one that is too large alone keeps none of the others', async () => {
		const { done, failed } = await attachAll(some('abcd', { b: { note: 'x'.repeat(2_000) } }));
		expect(done).toBe('acd');
		expect(failed).toEqual([expect.stringContaining('413')]);
	});

	test('while somebody undoes them each is sent, and it ends', async () => {
		const { merges, failed } = await attachAll(some('abcdef'), (service) => {
			service.options.onAnswer = ({ method, status, text }, state) => {
				if (method !== 'PATCH' || status !== 200) return;
				const undone = text.includes('a-monitor') ? 'c-monitor' : 'a-monitor';
				const now = JSON.parse(state.configurationText(ORG, 'm'));
				for (const one of now.monitors) if (one.id === undone) one.actions = [];
				state.storeConfiguration(ORG, 'm', now);
			};
		});
		const sent = merges.filter((ids) => ids !== undefined);
		expect(sent.slice(0, 3)).toEqual(['ab', 'cd', 'ef']);
		// Each of the three at most five times.
		expect(sent.length).toBeLessThanOrEqual(3 + 5);
		expect(failed).toEqual([expect.stringContaining('Could not confirm')]);
	});

	test('one that is refused: says exactly which are done', async () => {
		const { done, failed, json, merges } = await attachAll(some('abcde'), ({ faults }) =>
			faults.add({ method: 'PATCH', nth: 2, kind: 'html-403' }),
		);
		// The first two were too large to be read.
		expect(merges).toEqual([undefined, undefined, 'ab', 'cd']);
		expect(done).toBe('ab');
		expect(failed).toEqual(Array(3).fill(expect.stringContaining('403 Forbidden')));
		expect(json.map(({ id, status }) => [id, status])).toEqual([
			['a-monitor', 'done'],
			['b-monitor', 'done'],
		]);
	});
});

describe('Continue On Fail', () => {
	test('each item carries its own error, and what was done all the same', async () => {
		await withService({}, async (service, _scim, alert) => {
			const items = [
				{ model: 'model-2', id: 'uplift-drift-monitor', action: 'old-hook' },
				{ model: 'model-2', id: 'uplift-drift-monitor,nothing-here', action: 'marketing-mail' },
				{ model: 'nothing', id: 'uplift-drift-monitor', action: 'old-hook' },
				{ model: 'model-2', id: 'uplift-drift-monitor', action: 'nobody' },
				{ model: 'model-2', id: '', action: 'old-hook' },
				{ model: 'model-2', id: 'uplift-schema-monitor', action: 'old-hook' },
			];
			const parameters = {
				model: byId('={{ $json.model }}'),
				monitors: 'ids',
				monitorIds: '={{ $json.id }}',
				action: byId('={{ $json.action }}'),
			};
			for (const onError of ['continueErrorOutput', 'continueRegularOutput']) {
				const run = await alert('monitor', 'attach', parameters, { items, onError });
				const isSplit = onError === 'continueErrorOutput';
				expect(run.pairedItems).toEqual(
					isSplit ? [[0], [1], [5]] : [[0], [1], [1], [2], [3], [4], [5]],
				);
				expect(run.errorPairedItems).toEqual(isSplit ? [[1], [2], [3], [4]] : []);
				const failed = isSplit ? run.errorOutput : run.output.filter(({ json }) => json.error);
				expect(failed.map(({ json }) => json.error)).toEqual([
					expect.stringContaining('There is no monitor nothing-here in model model-2'),
					expect.stringContaining('Could not read the monitor configuration of model nothing'),
					'There is no action nobody',
					'No monitors specified',
				]);
			}
			expect(targetsOf(service)).toEqual({
				'uplift-drift-monitor': ['email', 'old-hook', 'marketing-mail'],
				'uplift-volume-monitor': [],
				'uplift-schema-monitor': ['old-hook'],
			});
		});
	});

	test('stopped: one error that lists what was done and what was not', async () => {
		await withService({}, async (_service, _scim, alert) => {
			const items = [{ model: 'model-2' }, { model: 'nothing' }];
			const { error } = await alert(
				'monitor',
				'attach',
				{ model: byId('={{ $json.model }}'), ...ALL, action: byId('old-hook') },
				{ items },
			);
			expect(error.message).toContain('model nothing: the service answered 404');
			expect(error.description).toContain('Failed: item 1 (');
			expect(error.description).toContain(
				'Done: item 0 (attach old-hook to monitor uplift-drift-monitor of model model-2: done); item 0 (',
			);
		});
	});
});
