'use strict';

require('../support/noWaiting');

const mockWaits = [];
jest.mock('n8n-workflow', () => ({
	...jest.requireActual('n8n-workflow'),
	sleep: async (ms) => void mockWaits.push(ms),
}));

const { byEmail, byId, mapped, TOKEN } = require('../support/node');
const { PROFILES, idsOf, inGroup, people, person, withServer } = require('./play');
const { startSink } = require('./server');

// Rows of "Values, errors, transport" of what real SCIM servers do to a client.

beforeEach(() => {
	mockWaits.length = 0;
});

const waited = () => mockWaits.reduce((sum, ms) => sum + ms, 0);
const GROUP = 'org-1:staff';
const FEW = {
	users: people(3),
	groups: [{ id: GROUP, members: ['user-1'] }, { id: 'org-1:admin' }],
};

describe.each(PROFILES)('values, errors, transport, profile %s', (profile) => {
	describe('`active` as "True", "False", "undefined", or absent after create: read tolerantly, write real booleans', () => {
		test('"True" and "False"', async () => {
			const users = [person(1), person(2, { active: false })];
			const groups = [{ id: GROUP }];
			await withServer({ users, groups, active: 'text' }, async (server, scim) => {
				const { json } = await scim('user', 'getAll', { returnAll: true }, { profile });
				expect(json.map(({ active }) => active)).toEqual([true, false]);
				const left = await scim(
					'user',
					'deactivate',
					{ user: byEmail('person2@example.com') },
					{ profile },
				);
				expect(left.json).toMatchObject([{ status: 'unchanged' }]);
				const done = await scim(
					'user',
					'deactivate',
					{ user: byEmail('person1@example.com') },
					{ profile },
				);
				expect(done.json).toMatchObject([{ active: false, status: 'done' }]);
				expect(server.users.get('user-1').active).toBe(false);
			});
		});

		test.each(['undefined', 'absent'])('%s after create', async (active) => {
			await withServer({ active }, async (server, scim) => {
				const { json } = await scim('user', 'create', { userName: 'new@example.com' }, { profile });
				expect(json).toMatchObject([{ userId: 'user-1', status: 'done' }]);
				expect(json[0].active).toBeUndefined();
				expect(server.users.get('user-1').active).toBe(true);
			});
		});

		test.each(['undefined', 'absent'])(
			'%s: a deactivation that cannot be seen is not claimed',
			async (active) => {
				await withServer({ ...FEW, active }, async (server, scim) => {
					const { error } = await scim('user', 'deactivate', { user: byId('user-1') }, { profile });
					expect(error.message).toBe(
						'Could not confirm: deactivate user person1@example.com: the service shows active undefined',
					);
					expect(server.users.get('user-1').active).toBe(false);
				});
			},
		);

		test('a whole user that is sent back has a real boolean', async () => {
			await withServer({ ...FEW, active: 'text' }, async (server, scim) => {
				await scim(
					'user',
					'update',
					{ user: byId('user-1'), ...mapped({ displayName: 'One' }) },
					{ profile, options: { updateWith: 'put' } },
				);
				expect(server.users.get('user-1')).toMatchObject({ active: true, displayName: 'One' });
			});
		});
	});

	describe('attribute names and schema URNs in other case; extra attributes; empty URIs: case-insensitive read, keep unknown attributes', () => {
		const EXTRA = { colour: 'green', profileUrl: '', photos: [{ value: '' }], nothing: null };

		test.each(['upper', 'lower'])('names in %s case', async (names) => {
			await withServer({ ...FEW, names, extra: EXTRA }, async (server, scim) => {
				const { json } = await scim('user', 'getAll', { returnAll: true }, { profile });
				expect(json).toMatchObject(
					people(3).map(({ id, ...one }) => ({ userId: id, ...one, active: true })),
				);
				const group = await scim('group', 'get', inGroup(GROUP), { profile });
				expect(group.json).toMatchObject([{ id: GROUP, members: [{ userId: 'user-1' }] }]);
				const added = await scim(
					'group',
					'addMembers',
					{ ...inGroup(GROUP), people: 'user-2' },
					{ profile },
				);
				expect(added.json[0].status).toBe('done');
				const changed = await scim(
					'user',
					'upsert',
					{ userName: 'person1@example.com', additionalFields: { active: false } },
					{ profile },
				);
				expect(changed.json).toMatchObject([{ userId: 'user-1', active: false, status: 'done' }]);
				const created = await scim('user', 'create', { userName: 'new@example.com' }, { profile });
				expect(created.json).toMatchObject([{ userId: 'user-4', status: 'done' }]);
				expect(server.users.size).toBe(4);
			});
		});

		test('extra attributes stay, also when the whole user is sent back', async () => {
			await withServer({ ...FEW, extra: EXTRA }, async (server, scim) => {
				const raw = await scim(
					'user',
					'get',
					{ user: byId('user-1'), simplify: false },
					{ profile },
				);
				expect(raw.json).toMatchObject([EXTRA]);
				await scim(
					'user',
					'update',
					{ user: byId('user-1'), ...mapped({ displayName: 'One' }) },
					{ profile, options: { updateWith: 'put' } },
				);
				const { nothing, ...kept } = EXTRA;
				expect(nothing).toBeNull();
				expect(server.users.get('user-1')).toMatchObject(kept);
				expect(server.users.get('user-1')).not.toHaveProperty('nothing');
			});
		});

		test('a SCIM Error with its names and URN in upper case, within a 200, is one', async () => {
			const body = {
				SCHEMAS: ['URN:IETF:PARAMS:SCIM:API:MESSAGES:2.0:ERROR'],
				STATUS: 404,
				DETAIL: 'gone',
			};
			const faults = [{ on: 'GET /Users/user-1', status: 200, body }];
			await withServer({ ...FEW, faults }, async (_, scim) => {
				const { error } = await scim('user', 'get', { user: byId('user-1') }, { profile });
				expect(error.message).toBe('Could not get user user-1: the service answered 404, gone');
			});
		});
	});

	describe('`status` as number or string or absent; 409 without `scimType`; text/plain and HTML error pages; HTML 403 when User-Agent is missing: decide by HTTP status first; show `detail` when there is one, else a short plain text; send a User-Agent', () => {
		test.each(['scim', 'statusNumber', 'withoutStatus', 'withoutType', 'text', 'html'])(
			'errors as %s',
			async (errors) => {
				await withServer({ ...FEW, errors }, async (server, scim) => {
					const absent = await scim('user', 'get', { user: byId('user-9') }, { profile });
					expect(absent.error.message).toMatch(
						/^Could not get user user-9: the service answered 404, (404 )?No resource user-9$/,
					);
					expect(absent.error.httpCode).toBe('404');
					const again = await scim(
						'user',
						'create',
						{ userName: 'person1@example.com' },
						{ profile, options: { ifUserExists: 'return' } },
					);
					expect(again.json).toMatchObject([{ userId: 'user-1', status: 'unchanged' }]);
					expect(server.users.size).toBe(3);
				});
			},
		);

		test('a page of error is cut short, and shows no token', async () => {
			const body = `<html><style>b{}</style><body>${'much '.repeat(2000)} ${TOKEN}</body></html>`;
			await withServer({ faults: [{ on: 'GET', status: 400, body }] }, async (_, scim) => {
				const { error } = await scim('user', 'get', { user: byId('user-9') }, { profile });
				expect(error.message.length).toBeLessThan(420);
				expect(error.message).not.toContain('<');
			});
			const echo = `You sent ${TOKEN}`;
			await withServer({ faults: [{ on: 'GET', status: 400, body: echo }] }, async (_, scim) => {
				const { error } = await scim('user', 'get', { user: byId('user-9') }, { profile });
				expect(error.message).toContain('You sent ***');
			});
		});

		test('HTML 403 when User-Agent is missing', async () => {
			await withServer({ ...FEW, needsUserAgent: true }, async (server, scim) => {
				const { json } = await scim('user', 'get', { user: byId('user-1') }, { profile });
				expect(json).toMatchObject([{ userId: 'user-1' }]);
				expect(server.requests[0].headersSeen['user-agent']).toMatch(
					/^n8n-nodes-scim-provisioning/,
				);
			});
		});
	});

	describe('429 with seconds, with a date, a date in the past, an absurd number, or nothing: honor it within a cap; exponential back-off with jitter otherwise', () => {
		const busy = (retryAfter, times = 1) => ({
			...FEW,
			faults: [
				{
					on: 'GET /Users/',
					times,
					status: 429,
					...(retryAfter !== undefined && { headers: { 'Retry-After': retryAfter } }),
				},
			],
		});
		const get = { user: byId('user-1') };
		const inSeconds = (seconds) => new Date(Date.now() + seconds * 1000).toUTCString();

		test('seconds', async () => {
			await withServer(busy('7'), async (_, scim) => {
				expect((await scim('user', 'get', get, { profile })).json).toMatchObject([
					{ userId: 'user-1' },
				]);
				expect(waited()).toBe(7_000);
			});
		});

		test('a date', async () => {
			await withServer(busy(inSeconds(20)), async (_, scim) => {
				expect((await scim('user', 'get', get, { profile })).json).toMatchObject([
					{ userId: 'user-1' },
				]);
				expect(waited()).toBeGreaterThan(15_000);
				expect(waited()).toBeLessThanOrEqual(20_000);
			});
		});

		test.each([
			['a date in the past', inSeconds(-3600)],
			['nothing', undefined],
			['zero', '0'],
			['less than nothing', '-5'],
			['no number at all', 'soon'],
		])('%s: exponential, with jitter', async (_, retryAfter) => {
			await withServer(busy(retryAfter, 6), async (server, scim) => {
				expect((await scim('user', 'get', get, { profile })).json).toMatchObject([
					{ userId: 'user-1' },
				]);
				expect(server.requests).toHaveLength(7);
				// 0.5 s doubled six times is 31.5 s, the jitter takes up to half of it.
				expect(waited()).toBeGreaterThan(15_000);
				expect(waited()).toBeLessThanOrEqual(31_500);
			});
		});

		test.each(['1000000', '99999999999999999999', inSeconds(1e7)])(
			'an absurd number, %s',
			async (retryAfter) => {
				await withServer(busy(retryAfter), async (server, scim) => {
					const { error } = await scim('user', 'get', get, { profile });
					expect(error.message).toBe('Could not get user user-1: the service answered 429');
					expect(error.description).toContain('Raise Max Wait under Settings > Requests');
					expect(server.requests).toHaveLength(1);
					expect(waited()).toBe(0);
				});
			},
		);

		test('for ever: within the cap', async () => {
			await withServer(busy('10', Infinity), async (server, scim) => {
				const { error } = await scim('user', 'get', get, { profile, options: { maxWait: 35 } });
				expect(error.message).toContain('429');
				expect(waited()).toBe(30_000);
				expect(server.requests).toHaveLength(4);
			});
		});
	});

	describe('5xx bursts, connection reset before and after the write, truncated JSON, gzip, BOM, slow drip: bounded retries; never retry a create blindly', () => {
		const FAULTS = [
			['500', { status: 500 }],
			['502 with a page', { status: 502, body: '<html><title>Bad Gateway</title></html>' }],
			['reset', { reset: true }],
			['truncated JSON', { wire: 'truncated' }],
			['an answer that is cut off', { wire: 'cut-off' }],
			['half a gzip', { wire: 'half-gzip' }],
		];

		test.each(FAULTS)('a burst of %s on reads', async (_, fault) => {
			await withServer(
				{ ...FEW, faults: [{ on: 'GET', times: 3, ...fault }] },
				async (server, scim) => {
					const { json } = await scim('user', 'get', { user: byId('user-1') }, { profile });
					expect(json).toMatchObject([{ userId: 'user-1' }]);
					expect(server.requests).toHaveLength(4);
				},
			);
		});

		test.each(FAULTS)('%s for ever: the retries are bounded', async (_, fault) => {
			await withServer({ ...FEW, faults: [{ on: 'GET', ...fault }] }, async (server, scim) => {
				const { error } = await scim('user', 'get', { user: byId('user-1') }, { profile });
				expect(error.message).toMatch(/^Could not get user user-1: /);
				expect(server.requests).toHaveLength(5);
			});
		});

		const CHANGING = ['PATCH', 'POST', 'PUT', 'DELETE'];
		const WRITES = [
			[
				'deactivation',
				'user',
				'deactivate',
				{ user: byId('user-1') },
				(server) => expect(server.users.get('user-1').active).toBe(false),
			],
			[
				'add',
				'group',
				'addMembers',
				{ ...inGroup(GROUP), people: 'user-2' },
				(server) => expect(server.membersOf(GROUP)).toEqual(['user-1', 'user-2']),
			],
			[
				'removal',
				'group',
				'removeMembers',
				{ ...inGroup(GROUP), people: 'user-1' },
				(server) => expect(server.membersOf(GROUP)).toStrictEqual([]),
			],
			[
				'delete',
				'user',
				'delete',
				{ user: byId('user-3') },
				(server) => expect(server.users.has('user-3')).toBe(false),
			],
			[
				'create',
				'user',
				'create',
				{ userName: 'new@example.com', ...mapped({ externalId: 'HR-1' }) },
				(server) => expect(server.named('new@example.com')).toHaveLength(1),
			],
		];
		/** Never sent again by themselves: what is there by then may be somebody else's. */
		const WHOLE = [
			[
				'whole list',
				'group',
				'setMembers',
				{
					...inGroup(GROUP),
					people: 'user-2, user-3',
					options: { replaceWith: 'wholeList' },
				},
				(server) => expect(server.membersOf(GROUP)).toEqual(['user-2', 'user-3']),
			],
			[
				'whole user',
				'user',
				'update',
				{
					user: byId('user-1'),
					...mapped({ displayName: 'One' }),
					options: { updateWith: 'put' },
				},
				(server) => expect(server.users.get('user-1').displayName).toBe('One'),
			],
		];
		const EVERY = [...WRITES, ...WHOLE];

		test.each(WHOLE)('reset before and after the %s', async (...row) => {
			const [, resource, operation, parameters, check] = row;
			for (const stored of [true, false]) {
				const faults = [{ on: 'PUT', times: 1, reset: true, stored }];
				await withServer({ ...FEW, faults }, async (server, scim) => {
					const { error } = await scim(resource, operation, parameters, { profile });
					// A list is sent again after a look; a whole user could be another by then.
					const isSentAgain = !stored && resource === 'group';
					expect(server.came('PUT')).toHaveLength(isSentAgain ? 2 : 1);
					if (stored || isSentAgain) expect(error).toBeUndefined();
					else expect(error.message).toContain('Could not confirm: ');
					const again = await scim(resource, operation, parameters, { profile });
					expect(again.error).toBeUndefined();
					check(server);
				});
			}
		});

		test.each(WRITES)(
			'reset before and after the %s',
			async (_, resource, operation, parameters, check) => {
				for (const stored of [false, true]) {
					const faults = CHANGING.map((on) => ({
						on,
						times: 1,
						reset: true,
						stored,
					}));
					await withServer({ ...FEW, faults, storesTwice: false }, async (server, scim) => {
						const { error } = await scim(resource, operation, parameters, { profile });
						expect(error).toBeUndefined();
						check(server);
					});
				}
			},
		);

		test.each(EVERY)(
			'truncated answer to the %s',
			async (_, resource, operation, parameters, check) => {
				const faults = CHANGING.map((on) => ({ on, wire: 'truncated' }));
				await withServer({ ...FEW, faults }, async (server, scim) => {
					const { error } = await scim(resource, operation, parameters, { profile });
					expect(error).toBeUndefined();
					check(server);
					expect(server.written()).toHaveLength(1);
				});
			},
		);

		test.each(EVERY)(
			'an answer to the %s that is cut off, or half a gzip',
			async (_, resource, operation, parameters, check) => {
				for (const wire of ['cut-off', 'half-gzip']) {
					const faults = CHANGING.map((on) => ({ on, times: 1, wire }));
					await withServer({ ...FEW, faults }, async (server, scim) => {
						const { error } = await scim(resource, operation, parameters, { profile });
						expect(error).toBeUndefined();
						check(server);
						if (operation === 'create') expect(server.came('POST')).toHaveLength(1);
					});
				}
			},
		);

		test.each(EVERY)(
			'the %s is refused by 500 for ever: not claimed, bounded',
			async (_, resource, operation, parameters) => {
				const faults = CHANGING.map((on) => ({ on, status: 500 }));
				await withServer({ ...FEW, faults }, async (server, scim) => {
					const { error } = await scim(resource, operation, parameters, { profile });
					expect(error.message).toContain('Could not ');
					expect(server.written().length).toBeLessThanOrEqual(15);
					expect(server.users.size).toBe(3);
				});
			},
		);

		test.each(['gzip', 'bom'])('%s', async (wire) => {
			await withServer({ ...FEW, faults: [{ on: '', wire }] }, async (server, scim) => {
				const { json } = await scim('user', 'getAll', { returnAll: true }, { profile });
				expect(json.map(({ userId }) => userId)).toEqual(idsOf(3));
				const created = await scim('user', 'create', { userName: 'new@example.com' }, { profile });
				expect(created.json).toMatchObject([{ userId: 'user-4', status: 'done' }]);
				expect(server.users.size).toBe(4);
			});
		});

		test('slow drip: the time limit holds for the whole answer', async () => {
			await withServer({ ...FEW, faults: [{ on: 'GET', wire: 'drip' }] }, async (server, scim) => {
				const { error } = await scim(
					'user',
					'get',
					{ user: byId('user-1') },
					{ profile, options: { timeout: 1, maxWait: 0 } },
				);
				expect(error.message).toBe('Could not get user user-1: no answer within 1 seconds');
				expect(server.requests).toHaveLength(1);
			});
		});
	});

	describe('redirect to another host: never follow with the token', () => {
		test.each([301, 302, 303, 307, 308])('%i', async (status) => {
			const sink = await startSink();
			const headers = { Location: `${sink.url}/Users` };
			await withServer({ ...FEW, faults: [{ on: '', status, headers }] }, async (server, scim) => {
				const runs = [
					['user', 'get', { user: byId('user-1') }],
					['user', 'create', { userName: 'new@example.com' }],
					['user', 'deactivate', { user: byId('user-1') }],
					['user', 'delete', { user: byId('user-1') }],
					['user', 'getAll', {}],
				];
				for (const [resource, operation, parameters] of runs) {
					const { error } = await scim(resource, operation, parameters, { profile });
					expect(error.message).toContain(`the service redirects to ${new URL(sink.url).host}`);
				}
				expect(sink.got).toStrictEqual([]);
				const schemas = profile === 'generic' ? ['/Schemas'] : [];
				expect(server.requests).toHaveLength(runs.length + schemas.length);
			});
			await sink.close();
		});
	});

	describe('`Location` and `meta.location` missing, relative, or with another prefix: build URLs from base URL and encoded id only', () => {
		test.each(['missing', 'relative', 'otherPrefix'])('%s', async (location) => {
			const faults = [{ on: 'GET /elsewhere', status: 500 }];
			await withServer({ ...FEW, location, patchAnswers: 204, faults }, async (server, scim) => {
				const created = await scim('user', 'create', { userName: 'new@example.com' }, { profile });
				expect(created.json).toMatchObject([{ userId: 'user-4' }]);
				const changed = await scim(
					'user',
					'deactivate',
					{ user: byEmail('new@example.com') },
					{ profile },
				);
				expect(changed.json).toMatchObject([{ userId: 'user-4', status: 'done' }]);
				const gone = await scim(
					'user',
					'delete',
					{ user: byEmail('new@example.com') },
					{ profile },
				);
				expect(gone.json).toMatchObject([{ deleted: true }]);
				for (const { path } of server.requests)
					expect(path).toMatch(/^\/(Users(\/user-4)?|Groups|Schemas)$/);
			});
		});

		test('on another host: nothing goes there', async () => {
			const sink = await startSink();
			const extra = { meta: { location: `${sink.url}/Users/user-1` }, $ref: `${sink.url}/x` };
			const faults = [
				{
					on: 'POST',
					times: 1,
					status: 201,
					body: { id: 'user-1', userName: 'new@example.com', ...extra },
					headers: { Location: `${sink.url}/Users/user-1` },
					stored: true,
				},
			];
			await withServer({ extra, faults }, async (_, scim) => {
				await scim('user', 'create', { userName: 'new@example.com' }, { profile });
				await scim('user', 'deactivate', { user: byEmail('new@example.com') }, { profile });
				expect(sink.got).toStrictEqual([]);
			});
			await sink.close();
		});
	});

	describe('ids with `:` `/` `?` `#` `%` `@` and spaces, `..`: encode each path segment; reject dot segments', () => {
		const ODD = [
			'a:b',
			'a/b',
			'a?b=c',
			'a#b',
			'a%2Fb',
			'100%',
			'a@b',
			'a b',
			'../Groups/g',
			'a\\b',
			'ünï',
			'%2e%2e',
		];

		test.each(ODD)('%s', async (id) => {
			const switches = {
				users: [{ id, userName: 'odd@example.com' }, person(2)],
				groups: [{ id: GROUP }],
				patchAnswers: 204,
			};
			await withServer(switches, async (server, scim) => {
				const got = await scim('user', 'get', { user: byId(id) }, { profile });
				expect(got.json).toMatchObject([{ userId: id }]);
				const changed = await scim(
					'user',
					'deactivate',
					{ user: byEmail('odd@example.com') },
					{ profile },
				);
				expect(changed.json).toMatchObject([{ userId: id, status: 'done' }]);
				expect(server.users.get(id).active).toBe(false);
				expect(server.users.get('user-2').active).toBe(true);
				const gone = await scim('user', 'delete', { user: byId(id) }, { profile });
				expect(gone.json).toMatchObject([{ deleted: true }]);
				expect([...server.users.keys()]).toEqual(['user-2']);
			});
		});

		test.each(ODD)('%s as a member and as a group', async (id) => {
			const group = profile === 'generic' ? id : GROUP;
			const switches = {
				users: [{ id, userName: 'odd@example.com' }, person(2)],
				groups: [{ id: group, members: ['user-2'] }, { id: 'org-1:admin' }],
			};
			await withServer(switches, async (server, scim) => {
				const people = 'odd@example.com';
				const added = await scim('group', 'addMembers', { ...inGroup(group), people }, { profile });
				expect(added.json[0].status).toBe('done');
				expect(server.membersOf(group)).toEqual(['user-2', id]);
				const gone = await scim(
					'group',
					'removeMembers',
					{ ...inGroup(group), people },
					{ profile },
				);
				expect(gone.json[0].status).toBe('done');
				expect(server.membersOf(group)).toEqual(['user-2']);
			});
		});

		test.each(['..', '.', ' .. '])('dot segment %j: nothing leaves', async (id) => {
			await withServer(FEW, async (server, scim) => {
				for (const operation of ['get', 'deactivate', 'delete']) {
					const { error } = await scim('user', operation, { user: byId(id) }, { profile });
					expect(error.message).toBe(`"${id.trim()}" is not an ID`);
				}
				expect(server.requests).toStrictEqual([]);
			});
		});

		test('a service whose user has the ID ".."', async () => {
			const users = [{ id: '..', userName: 'evil@example.com' }, person(2)];
			await withServer({ users, groups: [{ id: GROUP }] }, async (server, scim) => {
				const user = byEmail('evil@example.com');
				const { error } = await scim('user', 'delete', { user }, { profile });
				expect(error.message).toBe('".." is not an ID');
				expect(server.written()).toStrictEqual([]);
			});
		});
	});
});
