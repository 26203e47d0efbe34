import { ANA, BEN, listOf, user } from '../../../support/answers';
import { runChecked, wire } from '../../../support/wire';

const api = wire();

const USERS = 'GET /scim/Users';

const crowd = (count: number) =>
	Array.from({ length: count }, (_, index) => user(`user-${index + 1}`, `p${index}@example.com`));

const getAll = async (parameters = {}, more = {}) =>
	await runChecked('user', 'getAll', { options: { maxWait: 0 }, ...parameters }, more);

describe('Limit', () => {
	it('is 50 by default and asks for no more than that', async () => {
		api.always(USERS, listOf(crowd(120)));

		const { json, pairedItems } = await getAll();

		expect(api.sent()).toEqual(['GET /scim/Users?startIndex=1&count=50']);
		expect(json).toHaveLength(50);
		expect(pairedItems.every(([source]) => source === 0)).toBe(true);
	});

	it.each([0, -1, 1.5, 'many'])('%s is refused', async (limit) => {
		const { error } = await getAll({ limit: `={{ ${JSON.stringify(limit)} }}` });

		expect(api.sent()).toStrictEqual([]);
		expect(error?.message).toBe('Limit is not a whole number from 1');
	});
});

describe('the query', () => {
	it('carries filter, attributes and start', async () => {
		api.answer(USERS, listOf([user('user-1', ANA)]));

		await getAll({
			filters: { filter: `userName eq "${ANA}"` },
			options: { maxWait: 0, attributes: ' userName,active ', startIndex: 1 },
		});

		expect(api.requests[0].query).toEqual({
			filter: `userName eq "${ANA}"`,
			attributes: 'id,userName,active',
			startIndex: '1',
			count: '50',
		});
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
});

it('gives users as they came without Simplify', async () => {
	const resource = user('user-1', ANA, { title: 'Engineer', active: 'True' });
	api.answer(USERS, listOf([resource]));

	const { json } = await getAll({ simplify: false });

	expect(json).toEqual([resource]);
});
