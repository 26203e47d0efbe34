'use strict';

require('../support/noWaiting');

const mockWaits = [];
jest.mock('n8n-workflow', () => ({
	...jest.requireActual('n8n-workflow'),
	sleep: async (ms) => void mockWaits.push(ms),
}));

const { byEmail, mapped } = require('../support/node');
const { PROFILES, people, person, withServer } = require('./play');

// Rows of "Finding a user" of what real SCIM servers do to a client.

beforeEach(() => {
	mockWaits.length = 0;
});

const listings = (server) =>
	server.requests.filter(
		({ method, path, query }) => method === 'GET' && path !== '/Schemas' && !('filter' in query),
	);
const filters = (server) => server.requests.filter(({ query }) => 'filter' in query);

describe.each(PROFILES)('finding a user, profile %s', (profile) => {
	describe("no `filter` at all (400, 403, 501, ignored with all users returned): check each hit's own userName; fall back to listing once per execution, not once per item", () => {
		test.each([400, 403, 501, 'ignored'])('filter %s: two items', async (filter) => {
			await withServer({ users: people(5), filter }, async (server, scim) => {
				const { json, error } = await scim(
					'user',
					'get',
					{ user: byEmail('={{ $json.email }}') },
					{
						profile,
						items: [{ email: 'PERSON4@example.com' }, { email: 'person2@example.com' }],
					},
				);
				expect(error).toBeUndefined();
				expect(json.map(({ userId }) => userId)).toEqual(['user-4', 'user-2']);
				expect(filters(server).length).toBeLessThanOrEqual(2);
				// One listing, whatever pages it has.
				expect(listings(server).filter(({ query }) => query.startIndex === '1')).toHaveLength(1);
			});
		});

		test.each([400, 403, 501, 'ignored'])('filter %s: twelve items', async (filter) => {
			await withServer({ users: people(12), filter }, async (server, scim) => {
				const { json } = await scim(
					'user',
					'get',
					{ user: byEmail('={{ $json.userName }}') },
					{ profile, items: people(12) },
				);
				expect(json.map(({ userId }) => userId)).toEqual(people(12).map(({ id }) => id));
				expect(server.requests.length).toBeLessThanOrEqual(3);
			});
		});

		test('a filter that is ignored on a page of one gives nobody else', async () => {
			await withServer({ users: people(3), filter: 'ignored', pageCap: 1 }, async (_, scim) => {
				const found = await scim(
					'user',
					'get',
					{ user: byEmail('person3@example.com') },
					{ profile },
				);
				expect(found.json).toMatchObject([{ userId: 'user-3' }]);
				const absent = await scim(
					'user',
					'get',
					{ user: byEmail('nobody@example.com') },
					{ profile },
				);
				// A list does not show the logins by which the account knows people.
				const said = /account/.test(profile) ? /^Could not find out who has/ : /^No user has/;
				expect(absent.error.message).toMatch(said);
			});
		});

		test('Create or Update does not make anybody twice', async () => {
			await withServer({ users: people(3), filter: 'ignored' }, async (server, scim) => {
				const { json } = await scim(
					'user',
					'upsert',
					{ userName: '={{ $json.userName }}' },
					{ profile, items: people(4) },
				);
				expect(json.map(({ status }) => status)).toEqual([...Array(3).fill('unchanged'), 'done']);
				expect(server.written()).toEqual(['POST /Users 201']);
			});
		});
	});

	describe("filter finds nothing for `o'neil+x@...`, unicode, other case, yet POST answers 409: 409 and not found by filter -> list, then decide", () => {
		const CASES = [
			["o'neil+x@example.com", "o'neil+x@example.com"],
			['zoë@example.com', 'zoë@example.com'],
			['Ana.Silva@example.com', 'ana.silva@EXAMPLE.com'],
		];

		test.each(CASES)('%s, asked for as %s', async (userName, asked) => {
			const switches = {
				users: [person(1, { userName })],
				groups: [{ id: 'org-1:admin' }],
				filterMisses: () => true,
			};
			await withServer(switches, async (server, scim) => {
				const got = await scim('user', 'get', { user: byEmail(asked) }, { profile });
				expect(got.json).toMatchObject([{ userId: 'user-1', userName }]);

				const failed = await scim('user', 'create', { userName: asked }, { profile });
				expect(failed.error.message).toContain('exists already (ID user-1)');
				expect(failed.error.description).toContain('Use Create or Update');

				const kept = await scim(
					'user',
					'create',
					{ userName: asked },
					{ profile, options: { ifUserExists: 'return' } },
				);
				expect(kept.json).toMatchObject([{ userId: 'user-1', status: 'unchanged' }]);

				const updated = await scim(
					'user',
					'upsert',
					{ userName: asked, additionalFields: { active: false } },
					{ profile },
				);
				expect(updated.json).toMatchObject([{ userId: 'user-1', status: 'done' }]);
				expect(server.users.size).toBe(1);
				expect(server.users.get('user-1')).toMatchObject({ userName, active: false });
			});
		});

		test('the name leaves in a way that no server can misread', async () => {
			await withServer({ users: people(1) }, async (server, scim) => {
				await scim('user', 'get', { user: byEmail("o'neil+x@example.com") }, { profile });
				const [{ search, query }] = filters(server);
				expect(search).not.toMatch(/[+ ]/);
				expect(query.filter).toBe('userName eq "o\'neil+x@example.com"');
			});
		});

		test('409, and nobody of that name to be seen', async () => {
			const faults = [{ on: 'POST', status: 409, body: 'taken' }];
			await withServer({ users: people(2), faults }, async (server, scim) => {
				const { error } = await scim(
					'user',
					'create',
					{ userName: 'far@example.com' },
					{ profile },
				);
				expect(error.message).toBe(
					'User far@example.com exists already, but belongs to another account: this credential cannot see that user',
				);
				expect(server.users.size).toBe(2);
			});
		});

		test('of somebody inactive: said once, with the way out, and not once active is wanted', async () => {
			const userName = 'person1@example.com';
			const users = [person(1, { active: false })];
			await withServer({ users, filterMisses: () => true }, async (_, scim) => {
				const failed = await scim('user', 'create', { userName }, { profile });
				expect(failed.error.message).toBe(
					`User ${userName} exists already (ID user-1 and inactive)`,
				);
				expect(failed.error.description).toContain('Use Activate');
				const options = { ifUserExists: 'return' };
				const kept = await scim('user', 'create', { userName }, { profile, options });
				const left = await scim('user', 'upsert', { userName }, { profile });
				for (const { json } of [kept, left]) {
					const warnings = [expect.stringContaining('The user is inactive')];
					expect(json).toMatchObject([{ active: false, status: 'unchanged', warnings }]);
				}
				const wanted = { userName, additionalFields: { active: true } };
				const back = await scim('user', 'upsert', wanted, { profile });
				expect(back.json).toMatchObject([{ active: true, status: 'done' }]);
				expect(JSON.stringify(back.json)).not.toContain('The user is inactive');
			});
		});

		test('many such items are one listing', async () => {
			const users = people(6);
			await withServer({ users, filterMisses: () => true }, async (server, scim) => {
				const { json } = await scim(
					'user',
					'create',
					{ userName: '={{ $json.userName }}' },
					{ profile, items: people(6), options: { ifUserExists: 'return' } },
				);
				expect(json.map(({ userId }) => userId)).toEqual(users.map(({ id }) => id));
				expect(listings(server).filter(({ query }) => query.startIndex === '1')).toHaveLength(1);
			});
		});
	});

	describe('two accounts that differ only in case: prefer the exact match; refuse when still ambiguous, naming both ids', () => {
		const TWINS = [
			person(1, { userName: 'Ana@example.com' }),
			person(2, { userName: 'ana@example.com' }),
		];

		test.each(['on', 403])('filter %s', async (filter) => {
			await withServer(
				{ users: TWINS, filter, namesMayDifferInCase: true },
				async (server, scim) => {
					for (const { id, userName } of TWINS) {
						const { json } = await scim('user', 'get', { user: byEmail(userName) }, { profile });
						expect(json).toMatchObject([{ userId: id, userName }]);
					}
					const user = byEmail('ANA@example.com');
					for (const operation of ['get', 'deactivate', 'delete']) {
						const { error } = await scim('user', operation, { user }, { profile });
						expect(error.message).toBe(
							'More than one user has the user name ANA@example.com (IDs user-1, user-2)',
						);
					}
					expect(server.written()).toStrictEqual([]);
				},
			);
		});

		test('a filter in exact case finds the other one alone: nobody is taken for another', async () => {
			await withServer(
				{ users: TWINS, filter: 'exactCase', namesMayDifferInCase: true },
				async (server, scim) => {
					const user = byEmail('ANA@example.com');
					const { error } = await scim('user', 'deactivate', { user }, { profile });
					expect(error.message).toContain('(IDs user-1, user-2)');
					expect(server.written()).toStrictEqual([]);
				},
			);
		});
	});

	describe('POST timed out or answered 429/5xx, but the user was stored: look up before posting again', () => {
		const NAMED = mapped({ externalId: 'HR-1' });
		const STORED = [
			['timed out', { hang: true }],
			['429', { status: 429, headers: { 'Retry-After': '1' } }],
			['500', { status: 500, body: 'oops' }],
			['502', { status: 502, body: '<html><title>Bad Gateway</title></html>' }],
			['503', { status: 503 }],
			['504', { status: 504 }],
			['reset', { reset: true }],
		];

		test.each(STORED)('%s', async (_, fault) => {
			const faults = [{ on: 'POST', times: 1, stored: true, ...fault }];
			await withServer({ users: people(2), faults }, async (server, scim) => {
				const { json, error } = await scim(
					'user',
					'create',
					{ userName: 'New@example.com', ...NAMED },
					{ profile, options: { timeout: 1 } },
				);
				expect(error).toBeUndefined();
				expect(json).toMatchObject([
					{ userId: 'user-3', userName: 'New@example.com', status: 'done' },
				]);
				expect(server.came('POST')).toHaveLength(1);
				expect(server.users.size).toBe(3);
			});
		});

		test.each(STORED.filter(([name]) => name !== 'timed out'))(
			'%s, and not stored after all: posted again, once',
			async (_, fault) => {
				const faults = [{ on: 'POST', times: 1, ...fault }];
				await withServer({ users: people(2), faults }, async (server, scim) => {
					const { json } = await scim(
						'user',
						'create',
						{ userName: 'new@example.com' },
						{ profile },
					);
					expect(json).toMatchObject([{ userId: 'user-3', status: 'done' }]);
					expect(server.came('POST')).toHaveLength(2);
					const firstPost = server.requests.findIndex(({ method }) => method === 'POST');
					expect(server.requests[firstPost + 1].method).toBe('GET');
					expect(server.users.size).toBe(3);
				});
			},
		);

		test('stored, shown late and without a unique name: still one user', async () => {
			const faults = [{ on: 'POST', times: 1, stored: true, status: 504 }];
			await withServer({ faults, lagReads: 1 }, async (server, scim) => {
				const { json } = await scim(
					'user',
					'create',
					{ userName: 'new@example.com', ...NAMED },
					{ profile },
				);
				expect(server.users.size).toBe(1);
				expect(json).toMatchObject([{ userId: 'user-1', status: 'done' }]);
			});
		});

		test('nothing can be looked up: not posted again', async () => {
			const faults = [
				{ on: 'POST', times: 1, stored: true, status: 504 },
				{ on: 'GET', status: 500 },
			];
			await withServer({ faults }, async (server, scim) => {
				const { error } = await scim(
					'user',
					'create',
					{ userName: 'new@example.com' },
					{ profile },
				);
				expect(error.message).toMatch(/Could not (confirm: )?create user/);
				expect(server.came('POST')).toHaveLength(1);
			});
		});
	});

	describe('201 without `id`, or found only a moment later: look up by userName with back-off', () => {
		test.each(['withoutId', 'empty'])('answer %s, found later', async (createAnswer) => {
			await withServer({ createAnswer, lagReads: 3 }, async (server, scim) => {
				const { json, error } = await scim(
					'user',
					'create',
					{ userName: 'new@example.com' },
					{ profile },
				);
				expect(error).toBeUndefined();
				expect(json).toMatchObject([{ userId: 'user-1', status: 'done' }]);
				expect(server.came('POST')).toHaveLength(1);
				// Growing pauses.
				expect(mockWaits.length).toBeGreaterThanOrEqual(2);
				expect(mockWaits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(10_000);
			});
		});

		test('never found: the item fails as unverified, and no second one is made', async () => {
			await withServer({ createAnswer: 'empty', lagReads: 1000 }, async (server, scim) => {
				const { error } = await scim(
					'user',
					'create',
					{ userName: 'new@example.com' },
					{ profile },
				);
				expect(error.message).toBe(
					'Could not confirm: create user new@example.com: the service took the request but does not show the user',
				);
				expect(server.came('POST')).toHaveLength(1);
			});
		});
	});
});

describe('Create where a filter tells cases apart', () => {
	const TOLD = { filter: 'exactCase' };

	test('a twin in lower case is found by filter, and no list is read', async () => {
		const users = [person(1, { userName: 'ana.silva@example.com' })];
		await withServer({ users, ...TOLD }, async (server, scim) => {
			const { error } = await scim('user', 'create', { userName: 'Ana.Silva@Example.com' });
			expect(error.message).toContain('exists already (ID user-1)');
			expect(server.written()).toStrictEqual([]);
			expect(filters(server).map(({ query }) => query.filter)).toEqual([
				'userName eq "Ana.Silva@Example.com"',
				'userName eq "ana.silva@example.com"',
			]);
			expect(listings(server)).toStrictEqual([]);
		});
	});

	test('nobody is there: two look-ups, the schemas and the create; none for a name in lower case', async () => {
		await withServer({ users: [], ...TOLD }, async (server, scim) => {
			const { json } = await scim(
				'user',
				'create',
				{ userName: '={{ $json.email }}' },
				{ items: [{ email: 'Ana@Example.com' }, { email: 'bob@example.com' }] },
			);
			expect(json.map(({ status }) => status)).toEqual(['done', 'done']);
			expect(server.requests.map(({ method }) => method).sort()).toEqual([
				'GET',
				'GET',
				'GET',
				'POST',
				'POST',
			]);
		});
	});

	test('without a filter that works the create goes at once', async () => {
		await withServer({ users: people(3), filter: 501 }, async (server, scim) => {
			const { json } = await scim('user', 'create', { userName: 'New@Example.com' });
			expect(json).toMatchObject([{ status: 'done' }]);
			expect(listings(server)).toStrictEqual([]);
			expect(server.written()).toEqual(['POST /Users 201']);
		});
	});
});
