'use strict';

const { Account, Groups, email, locator, play, table } = require('../support/behavior');

const FULL = {
	...{ displayName: 'Ana Silva', name: { givenName: 'Ana', familyName: 'Silva' } },
	...{ emails: [{ value: 'o@b.co' }, { value: email('ana'), primary: true }], externalId: 'HR-1' },
	'urn:example:params:2.0:Badge': { level: 1 },
};
const EXTRA = { colour: 'green', profileUrl: '', photos: [{ value: '' }], nothing: null };
const on =
	(more, has = 'eng') =>
	() =>
		new Groups({ ana: { has, ...FULL }, eve: 'inactive' }, more);
const byId = (w) => ({ user: w.user('ana') });
const byName = { user: locator('email', email('ANA')) };
const ERROR = (status) => ({
	schemas: ['URN:IETF:PARAMS:SCIM:API:MESSAGES:2.0:ERROR'],
	...{ STATUS: status, DETAIL: 'No such thing', SCIMTYPE: 'invalidValue' },
});
const at = (fault) => ({ faults: [{ method: 'GET', kind: 'status', ...fault }] });

describe('Get', () => {
	const simple = {
		...{ userName: email('ana'), active: true, displayName: 'Ana Silva', groups: ['eng'] },
		...{ givenName: 'Ana', familyName: 'Silva', email: email('ana'), externalId: 'HR-1' },
	};
	table('user', 'get', [
		...[{ active: 'text' }, { names: 'upper' }, { names: 'lower' }, { extra: EXTRA }].map(
			(switches) => ({
				it: `attribute names in other case, extra attributes, \`active\` as text: ${JSON.stringify(switches)}`,
				...{ on: on(switches), wish: byId, items: [{ ...simple, userId: expect.any(String) }] },
				reads: ['GET ana'],
			}),
		),
		{
			it: 'as it came without Simplify',
			on: on({ extra: EXTRA, active: 'text' }),
			wish: (w) => ({ ...byId(w), simplify: false }),
			items: [{ ...FULL, ...EXTRA, active: 'True' }],
		},
		{
			it: 'by user name, which takes one filter',
			...{ on: on(), wish: byName, items: [simple], reads: ['GET Users'] },
		},
		{
			it: 'what cannot be got fails alone',
			on: on(),
			wish: (w) => ({ items: [{ user: locator('id', 'user-2') }, byId(w), { user: '' }] }),
			items: [expect.anything(), { userName: email('ana') }, expect.anything()],
			fails: [/404/, /^No user specified$/],
		},
		...[
			['by ID', byId, ['GET ana']],
			['by name', () => byName, ['GET Users', 'GET ana']],
		].map(([how, wish, reads]) => ({
			it: `a collection with the prefix, a single user without, ${how}`,
			on: () =>
				new Account(
					{ ana: 'a:admin' },
					{ itemPrefix: '', credential: { scimPrefix: 'collectionsOnly' } },
				),
			wish,
			items: [{ userName: email('ana') }],
			reads,
		})),
		...['scim', 'statusNumber', 'withoutStatus', 'withoutType', 'text', 'html'].map((errors) => ({
			it: `an error as ${errors} is told by its HTTP status, and its detail`,
			...{ on: on({ errors }), wish: { user: locator('id', 'user-9') } },
			fails: [/^Could not get user user-9: the service answered 404, (404 )?No resource user-9$/],
		})),
		{
			it: 'a SCIM Error within a 200 is one, in any case',
			...{ on: on(at({ on: 'GET /Users/', status: 200, body: ERROR(404) })), wish: byId },
			fails: [/the service answered 404, No such thing \(invalidValue\)$/],
		},
		{
			it: '200 {} is no user',
			...{ on: on(at({ on: 'GET /Users/', status: 200, body: {} })), wish: byId },
			fails: [/: the service answered 200 without a resource that has an ID$/],
		},
	]);
});

describe('Get Many', () => {
	const many = (count) =>
		Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, '']));
	const crowd = (more) => () => new Groups(many(120), more);
	const queryOf = async (wish) => {
		const world = on()();
		await play(world, ['user', 'getAll'], wish);
		return world.service.requests.map(({ query }) => query);
	};
	table('user', 'getAll', [
		{
			it: '50 by default, and no more is asked for',
			...{ on: crowd(), wish: {}, items: Array(50).fill(expect.anything()), reads: 1 },
		},
		{
			it: 'all, from pages shorter than asked for',
			...{ on: crowd({ pageCap: 7 }), wish: { returnAll: true } },
			items: Array(120).fill(expect.anything()),
		},
		...[0, -1, 1.5, 'many'].map((limit) => ({
			it: `Limit ${limit} is refused`,
			...{ on: crowd(), wish: { limit }, fails: [/^Limit is not a whole number from 1$/] },
			reads: 0,
		})),
		{
			it: 'each item by its own filter',
			on: on(),
			wish: {
				items: ['eve', 'ana'].map((name) => ({
					filters: { filter: `userName eq "${email(name)}"` },
				})),
			},
			items: [
				{ userName: email('eve'), active: false },
				{ userName: email('ana'), active: true },
			],
		},
		{
			it: 'as they came without Simplify',
			...{ on: on({ active: 'text' }), wish: { simplify: false } },
			items: [
				{ ...FULL, active: 'True' },
				{ userName: email('eve'), active: 'False' },
			],
		},
	]);

	test('a filter, attributes with the ID, and a start go out', async () => {
		expect(
			await queryOf({
				filters: { filter: 'userName pr' },
				options: { attributes: ' userName,active ', startIndex: 1 },
			}),
		).toEqual([
			{ filter: 'userName pr', attributes: 'id,userName,active', startIndex: '1', count: '50' },
		]);
		const [{ attributes }] = await queryOf({ options: { attributes: 'ID, userName' } });
		expect(attributes).toBe('id,ID,userName');
	});

	test.each(['user', 'group'])('attributes of %ss: the ID is always there', async (resource) => {
		for (const attributes of ['displayName,userName', 'ID, userName', 'userName']) {
			const items = await play(on()(), [resource, 'getAll'], { options: { attributes } });
			expect(items.length).toBeGreaterThan(0);
			expect(items.every(({ id, userId }) => typeof (userId ?? id) === 'string')).toBe(true);
		}
	});
});

describe('A simplified user', () => {
	const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
	const [BADGE, DESK] = ['urn:example:params:2.0:Badge', 'urn:example:params:2.0:Desk'];
	const userOf = async (attributes, switches, groups = []) => {
		const world = new Groups({ ana: { has: 'eng vpn', ...attributes } }, { groups, ...switches });
		const [item] = await play(world, ['user', 'get'], { user: world.user('ana') });
		return item;
	};

	test('has attributes of extensions under their own names, and the manager as name and ID', async () => {
		const item = await userOf({
			[ENTERPRISE]: {
				...{ department: 'Law', employeeNumber: 7, organization: 'Holding' },
				manager: { value: 'user-9', displayName: 'Bob', $ref: '../Users/user-9' },
			},
			[BADGE]: { level: 1, doors: ['a'], color: { value: 'red' } },
		});
		expect(item).toMatchObject({
			...{ department: 'Law', employeeNumber: 7, organization: 'Holding' },
			...{ manager: 'Bob', managerId: 'user-9', level: 1, doors: ['a'], color: { value: 'red' } },
		});
		expect(Object.keys(item).filter((key) => key.startsWith('urn:'))).toStrictEqual([]);
	});

	test('keeps under the URN what has the name of another attribute, whichever it is', async () => {
		const item = await userOf({
			...{ nickName: 'An', badge: 'own' },
			[ENTERPRISE]: { department: 'Law', manager: 'Bob' },
			[BADGE]: {
				department: 'Doors',
				Title: 'T',
				active: false,
				status: 'lost',
				Badge: 'B',
				level: 1,
			},
			[DESK]: { managerId: 'desk-1', level: 2, userId: 'x', floor: 3, text: 't' },
		});
		expect(item).toMatchObject({
			...{ active: true, floor: 3, managerId: 'desk-1', manager: 'Bob' },
			[ENTERPRISE]: { department: 'Law' },
			[BADGE]: {
				department: 'Doors',
				Title: 'T',
				active: false,
				status: 'lost',
				Badge: 'B',
				level: 1,
			},
			[DESK]: { level: 2, userId: 'x', text: 't' },
		});
		for (const name of ['department', 'Title', 'status', 'level', 'text', 'Badge'])
			expect(item).not.toHaveProperty(name);
	});

	const NAMED = [{ id: 'eng', displayName: 'Engineering' }];
	test.each([
		['as the user shows them', {}, ['eng', 'vpn'], ['Engineering', 'vpn']],
		['none where no groups are shown', { usersShowGroups: 'absent' }, null, null],
	])('has the names of groups: %s', async (_, switches, groups, groupNames) => {
		expect(await userOf({}, switches, NAMED)).toMatchObject({ groups, groupNames });
	});

	test('of a group without a name there is none, and no group is asked for', async () => {
		const world = on()();
		const { service } = world;
		const shows = service.exchange.bind(service);
		service.exchange = async (request) => {
			const answer = await shows(request);
			return { ...answer, text: answer.text.replaceAll('"display":"eng"', '"type":"direct"') };
		};
		const [item] = await play(world, ['user', 'get'], byId(world));
		expect(item).toMatchObject({ groups: ['eng'], groupNames: [null] });
		expect(service.requests.map(({ path }) => path).join()).not.toContain('Groups');
	});
});
