import {
	accessDenied,
	ANA,
	BEN,
	invalidFilter,
	list,
	listOf,
	user,
} from '../../../support/answers';
import { runChecked, wire, type Answer } from '../../../support/wire';

const api = wire();

const USERS = 'GET /scim/Users';

const crowd = (count: number) =>
	Array.from({ length: count }, (_, index) => user(`user-${index + 1}`, `p${index}@example.com`));

const getAll = async (parameters = {}, more = {}) =>
	await runChecked('user', 'getAll', { options: { maxWait: 0 }, ...parameters }, more);

const all = async (options = {}, more = {}) =>
	await getAll({ returnAll: true, options: { maxWait: 0, ...options } }, more);

describe('Limit', () => {
	it('is 50 by default and asks for no more than that', async () => {
		api.always(USERS, listOf(crowd(120)));

		const { json, pairedItems } = await getAll();

		expect(api.sent()).toEqual(['GET /scim/Users?startIndex=1&count=50']);
		expect(json).toHaveLength(50);
		expect(pairedItems.every(([source]) => source === 0)).toBe(true);
	});

	it('takes several pages when it is larger than the page', async () => {
		api.always(USERS, listOf(crowd(120)));

		const { json } = await getAll({ limit: 25, options: { maxWait: 0, pageSize: 10 } });

		expect(api.sent()).toEqual([
			'GET /scim/Users?startIndex=1&count=10',
			'GET /scim/Users?startIndex=11&count=10',
			'GET /scim/Users?startIndex=21&count=5',
		]);
		expect(json).toHaveLength(25);
	});

	it('holds against a service that sends more than was asked for', async () => {
		api.always(USERS, [200, list(crowd(30))]);

		const { json } = await getAll({ limit: 7 });

		expect(json).toHaveLength(7);
	});

	it('holds although an entry beyond it has no id', async () => {
		api.always(USERS, [200, list([...crowd(2), { userName: 'nobody@example.com' }])]);

		const { json } = await getAll({ limit: 2 });

		expect(json).toHaveLength(2);
	});

	it.each([0, -1, 1.5, 'many'])('%s is refused', async (limit) => {
		const { error } = await getAll({ limit: `={{ ${JSON.stringify(limit)} }}` });

		expect(api.sent()).toEqual([]);
		expect(error?.message).toBe('Limit is not a whole number from 1');
	});
});

describe('Return All', () => {
	it('pages to the end', async () => {
		api.always(USERS, listOf(crowd(250)));

		const { json } = await all();

		expect(api.sent()).toEqual([
			'GET /scim/Users?startIndex=1&count=100',
			'GET /scim/Users?startIndex=101&count=100',
			'GET /scim/Users?startIndex=201&count=100',
		]);
		expect(json.map(({ id }) => id)).toEqual(crowd(250).map(({ id }) => id));
	});

	describe.each(['accountOrganizations', 'generic'])('of a service of profile %s', (profile) => {
		const path = profile === 'generic' ? 'GET /Users' : USERS;

		it.each([
			['only Resources', () => ({})],
			['totalResults of this page', (page: object[]) => ({ totalResults: page.length })],
			['totalResults as text', () => ({ totalResults: '5' })],
		])('reaches the end with %s', async (_what, envelope) => {
			api.always(path, ({ query }) => {
				const start = Number(query.startIndex);
				const Resources = crowd(5).slice(start - 1, start + 1);
				return [200, { schemas: [], Resources, ...envelope(Resources) }];
			});

			const { error, json } = await all(
				{ pageSize: 2 },
				{ credential: { serviceProfile: profile } },
			);

			expect(error).toBeUndefined();
			expect(json).toHaveLength(5);
		});
	});

	it('reads once more when somebody was deleted meanwhile', async () => {
		const [first, second, third, fourth] = crowd(4);
		api.answer(
			USERS,
			[200, list([first, second], { totalResults: 4 })],
			[200, list([fourth], { totalResults: 3 })],
			[200, list([second, third], { totalResults: 3 })],
			[200, list([fourth], { totalResults: 3 })],
		);

		const { json } = await all({ pageSize: 2 });

		expect(json.map(({ id }) => id)).toEqual(expect.arrayContaining(['user-3', 'user-4']));
	});

	it('gives nobody twice when pages overlap', async () => {
		api.always(USERS, ({ query }) => {
			const start = Math.max(0, Number(query.startIndex) - 2);
			return [200, list(crowd(5).slice(start, start + 2), { totalResults: 5 })];
		});

		const { json } = await all({ pageSize: 2 });

		expect(json.map(({ id }) => id)).toEqual(['user-1', 'user-2', 'user-3', 'user-4', 'user-5']);
	});

	it('ends on a service that answers page one for ever', async () => {
		api.always(USERS, [200, list(crowd(2), { totalResults: 2 })]);

		const { json } = await all({ pageSize: 2 });

		expect(json).toHaveLength(2);
		// The third one asks for more than fits on a page.
		expect(api.requests.length).toBeLessThanOrEqual(3);
	});

	it('says that a list is incomplete', async () => {
		api.always(USERS, [200, list(crowd(2), { totalResults: 9 })]);

		const { error } = await all({ pageSize: 2 });

		expect(error).toMatchObject({
			message: 'The list of users is incomplete: the service showed 2 of 9 entries',
			description: expect.stringContaining('2 users were received'),
		});
	});

	it('says so for an entry without id, and names it', async () => {
		api.always(USERS, [200, list([...crowd(2), { userName: 'nobody@example.com' }])]);

		const { error } = await all();

		expect(error?.message).toContain('an entry without ID (nobody@example.com)');
	});

	it.each([
		['an empty list', [200, list([])]],
		['Resources null', [200, { schemas: [], Resources: null, totalResults: 0 }]],
		['no Resources', [200, { schemas: [], totalResults: 0 }]],
	] as Array<[string, Answer]>)('gives nothing for %s', async (_what, answer) => {
		api.always(USERS, answer);

		const { json, error } = await all();

		expect(error).toBeUndefined();
		expect(json).toEqual([]);
	});

	it.each([
		['{}', [200, {}]],
		['a user', [200, { id: 'user-1', userName: ANA }]],
	] as Array<[string, Answer]>)('takes %s for no list', async (_what, answer) => {
		api.always(USERS, answer);

		const { error } = await all();

		expect(error?.message).toContain('something that is not a SCIM list');
	});
});

describe('the query', () => {
	it('carries filter, attributes, excluded attributes and start', async () => {
		api.answer(USERS, listOf([user('user-1', ANA)]));

		await getAll({
			filters: { filter: `userName eq "${ANA}"` },
			options: {
				maxWait: 0,
				attributes: ' userName,active ',
				excludedAttributes: 'groups',
				startIndex: 1,
				pageSize: 10,
			},
		});

		expect(api.requests[0].query).toEqual({
			filter: `userName eq "${ANA}"`,
			attributes: 'id,userName,active',
			excludedAttributes: 'groups',
			startIndex: '1',
			count: '10',
		});
	});

	it('starts where it is told to', async () => {
		api.always(USERS, listOf(crowd(5)));

		const { json } = await all({ startIndex: 4, pageSize: 2 });

		expect(api.sent()).toEqual(['GET /scim/Users?startIndex=4&count=2']);
		expect(json.map(({ id }) => id)).toEqual(['user-4', 'user-5']);
	});

	it('encodes a plus, which the service would read as a blank', async () => {
		api.answer(USERS, listOf([]));

		await getAll({ filters: { filter: 'userName eq "a+b@example.com"' } });

		expect(api.requests[0].uri).toContain('a%2Bb%40example.com');
	});

	it('goes out for each item by itself', async () => {
		api.always(USERS, listOf([user('user-1', ANA), user('user-2', BEN)]));

		const { json, pairedItems } = await getAll(
			{ filters: { filter: '=userName eq "{{ $json.email }}"' } },
			{ items: [{ email: BEN }, { email: ANA }] },
		);

		expect(json.map(({ userName }) => userName)).toEqual([BEN, ANA]);
		expect(pairedItems).toEqual([[0], [1]]);
		expect(api.requests).toHaveLength(2);
	});

	it('that the service refuses is an error with advice', async () => {
		api.answer(USERS, invalidFilter);

		const { error } = await getAll({ filters: { filter: 'title eq "x"' } });

		expect(error).toMatchObject({
			message: expect.stringContaining('invalidFilter'),
			description: expect.stringContaining('userName eq'),
			httpCode: '400',
		});
	});
});

it('gives users as they came without Simplify', async () => {
	const resource = user('user-1', ANA, { title: 'Engineer', active: 'True' });
	api.answer(USERS, listOf([resource]));

	const { json } = await getAll({ simplify: false });

	expect(json).toEqual([resource]);
});

it('sends an item that fails to the error output', async () => {
	api.answer(USERS, listOf([user('user-1', ANA)]), accessDenied(403));

	const result = await getAll({ limit: 5 }, { items: [{}, {}], onError: 'continueErrorOutput' });

	expect(result.pairedItems).toEqual([[0]]);
	expect(result.errorPairedItems).toEqual([[1]]);
	expect(result.errorOutput[0].error).toMatchObject({ httpCode: '403' });
});
