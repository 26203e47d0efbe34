import { alertSearch, KEY } from '../../support/alertNode';
import { byId } from '../../support/node';
import { wire } from '../../support/wire';

const api = wire();

const ACTIONS = 'GET /v0/notification-settings/org-3454/actions';
const MODELS = 'GET /v0/organizations/org-3454/models';
const CONFIGURATION = 'GET /v0/organizations/org-3454/models/model-61/monitor-config/v3';
const DEFAULT = { name: 'email (default address of the organization)', value: 'email' };

const forbidden = { message: 'API key is not valid', requestId: 'r-1', type: 'Forbidden' };

describe('actions', () => {
	const all = [
		{ id: 'pager', type: 'PAGER_DUTY', payload: { pagerDutyKey: 'secret-key' }, enabled: false },
		{ id: 'chat', type: 'SLACK', payload: { slackWebhook: 'https://chat.example.com/secret' } },
		{ type: 'EMAIL' },
	];
	const own = [
		{ name: 'chat (SLACK)', value: 'chat' },
		{ name: 'pager (PAGER_DUTY, disabled)', value: 'pager' },
	];

	it('come by name, with their kind, and nothing of their payload', async () => {
		api.answer(ACTIONS, [200, all]);

		const { results } = await alertSearch('searchActions', {
			parameters: { resource: 'action', operation: 'get' },
		});

		expect(results).toEqual(own);
	});

	it.each(['attach', 'detach', 'replaceAction'])(
		'with the default one first where monitors are changed: %s',
		async (operation) => {
			api.answer(ACTIONS, [200, all]);

			const parameters = { resource: 'monitor', operation };
			const { results } = await alertSearch('searchActions', { parameters });

			expect(results).toEqual([DEFAULT, ...own]);
		},
	);

	it('with a stored one named email once', async () => {
		const stored = { id: 'email', type: 'EMAIL', payload: { email: 'ops@example.com' } };
		api.answer(ACTIONS, [200, [stored]]);

		const parameters = { resource: 'monitor', operation: 'attach' };
		const { results } = await alertSearch('searchActions', { parameters });

		expect(results).toEqual([{ name: 'email (EMAIL)', value: 'email' }]);
	});

	it('are found by a part of name or kind, in any case', async () => {
		api.always(ACTIONS, [200, all]);

		const found = async (filter: string) =>
			(await alertSearch('searchActions', { filter })).results.map(({ value }) => value);

		expect(await found(' PAG ')).toEqual(['pager']);
		expect(await found('slack')).toEqual(['chat']);
		expect(await found('email')).toEqual(['email']);
		expect(await found('nothing')).toStrictEqual([]);
	});

	it('of another organization', async () => {
		api.answer('GET /v0/notification-settings/org-7788/actions', [200, []]);

		const { results } = await alertSearch('searchActions', {
			parameters: {
				resource: 'monitor',
				operation: 'attach',
				options: { organizationId: ' org-7788 ' },
			},
		});

		expect(results).toEqual([DEFAULT]);
	});
});

describe('models', () => {
	const items = [
		{ id: 'model-62', name: 'Uplift' },
		{ id: 'model-61', name: 'Churn' },
		{ id: 'model-60' },
		{ name: 'Nameless' },
	];

	it.each([
		['in an envelope', { items }],
		['as a list', items],
	])('come by name, %s', async (_what, body) => {
		api.answer(MODELS, [200, body]);

		const { results } = await alertSearch('searchModels');

		expect(results).toEqual([
			{ name: 'Churn (model-61)', value: 'model-61' },
			{ name: 'model-60', value: 'model-60' },
			{ name: 'Uplift (model-62)', value: 'model-62' },
		]);
	});

	it.each([404, 405, 501])('a service without a list of them says so (%s)', async (status) => {
		api.answer(MODELS, [status, { message: 'Not Found' }]);

		await expect(alertSearch('searchModels')).rejects.toMatchObject({
			message: 'This service does not list its models',
			description: 'Enter the IDs of the models instead.',
		});
	});
});

describe('monitors', () => {
	const document = {
		monitors: [
			{ id: 'drift-monitor-1', displayName: 'Drift' },
			{ id: 'missing-monitor-2' },
			{ displayName: 'without id' },
		],
		analyzers: [],
	};
	const search = async (model: object, filter?: string) =>
		await alertSearch('searchMonitors', {
			parameters: { resource: 'monitor', operation: 'attach', monitors: 'one', ...model },
			filter,
		});

	it('are those of the chosen model', async () => {
		api.always(CONFIGURATION, [200, document]);

		expect((await search({ model: byId('model-61') })).results).toEqual([
			{ name: 'Drift (drift-monitor-1)', value: 'drift-monitor-1' },
			{ name: 'missing-monitor-2', value: 'missing-monitor-2' },
		]);
		expect((await search({ model: byId(' model-61 ') }, 'drift')).results).toHaveLength(1);
		expect((await search({ models: 'ids', modelIds: 'model-61' })).results).toHaveLength(2);
	});

	it.each([
		['none is chosen', {}],
		['several are meant', { models: 'ids', modelIds: 'model-61, model-62' }],
		['all are meant', { models: 'all' }],
	])('when %s, ask to choose one', async (_what, model) => {
		await expect(search(model)).rejects.toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining('Select one model'),
		});
		expect(api.sent()).toStrictEqual([]);
	});

	it.each([
		['an empty one', byId('')],
		['none at all', { __rl: true, mode: 'id' }],
	])('when the expression of the model has no value yet (%s), say so', async (_what, model) => {
		await expect(search({ models: 'one', model })).rejects.toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining('The model has no value yet: execute the previous nodes'),
		});
		expect(api.sent()).toStrictEqual([]);
	});

	it('of a model that is not there: the service is quoted', async () => {
		api.answer(CONFIGURATION, [404, { message: 'Model model-61 not found', type: 'NotFound' }]);

		await expect(search({ model: byId('model-61') })).rejects.toMatchObject({
			message: expect.stringContaining('Model model-61 not found'),
			description: expect.stringContaining('Check the ID of the model'),
		});
	});
});

describe.each([
	['searchActions', ACTIONS],
	['searchModels', MODELS],
	['searchMonitors', CONFIGURATION],
])('%s', (method, route) => {
	const parameters = { resource: 'monitor', operation: 'attach', model: byId('model-61') };

	it('says what is wrong with the key, without the key', async () => {
		api.answer(route, [403, { ...forbidden, message: `API key ${KEY} is not valid` }]);

		const error = await alertSearch(method, { parameters }).catch((thrown: Error) => thrown);

		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining('API key *** is not valid'),
			description: expect.stringContaining('access-token settings'),
			httpCode: '403',
		});
		expect(JSON.stringify(error)).not.toContain(KEY);
	});

	it('says what is wrong with the credential before anything is sent', async () => {
		await expect(
			alertSearch(method, { parameters }, { baseUrl: 'scim.test' }),
		).rejects.toMatchObject({
			name: 'NodeApiError',
			message: 'The Base URL does not start with http:// or https://',
		});
		expect(api.sent()).toStrictEqual([]);
	});

	it('does not keep somebody waiting who sits in front of the screen', async () => {
		api.answer(route, [429, 'Too Many Requests', { 'Retry-After': '60' }]);

		await expect(alertSearch(method, { parameters })).rejects.toMatchObject({ httpCode: '429' });
	});
});
