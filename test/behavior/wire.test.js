'use strict';

// What goes over a real connection, as servers were seen to break it: what is sent again, and what is never claimed.

const { waited } = require('../support/noWaiting');

const { byEmail, byId, mapped, TOKEN } = require('../support/node');
const { idsOf, inGroup, people, person, withServer } = require('../support/serverPlay');
const { startSink } = require('../support/scimServer');

const GROUP = 'org-1:staff';
const FEW = {
	users: people(3),
	groups: [{ id: GROUP, members: ['user-1'] }, { id: 'org-1:admin' }],
};
const get = async (scim, options) =>
	await scim('user', 'get', { user: byId('user-1') }, { options });
const CHANGING = ['PATCH', 'POST', 'PUT', 'DELETE'];
const CREATE = [
	'user',
	'create',
	{ userName: 'new@example.com', ...mapped({ externalId: 'HR-1' }) },
];

/** What each of these is seen by. */
const WRITES = {
	deactivation: [
		['user', 'deactivate', { user: byId('user-1') }],
		({ users }) => users.get('user-1').active === false,
	],
	add: [
		['group', 'addMembers', { ...inGroup(GROUP), people: 'user-2' }],
		(server) => server.membersOf(GROUP).join() === 'user-1,user-2',
	],
	removal: [
		['group', 'removeMembers', { ...inGroup(GROUP), people: 'user-1' }],
		(server) => server.membersOf(GROUP).length === 0,
	],
	delete: [['user', 'delete', { user: byId('user-3') }], ({ users }) => !users.has('user-3')],
	create: [CREATE, (server) => server.named('new@example.com').length === 1],
};
/** Never repeated automatically: another client may have written since. */
const WHOLE = {
	'whole list': [
		[
			...['group', 'setMembers'],
			{ ...{ ...inGroup(GROUP), people: 'user-2, user-3' }, options: { replaceWith: 'wholeList' } },
		],
		(server) => server.membersOf(GROUP).join() === 'user-2,user-3',
	],
	'whole user': [
		[
			...['user', 'update'],
			{ user: byId('user-1'), ...mapped({ displayName: 'One' }), options: { updateWith: 'put' } },
		],
		({ users }) => users.get('user-1').displayName === 'One',
	],
};
const EVERY = Object.entries({ ...WRITES, ...WHOLE });

describe('5xx bursts, connection reset before and after the write, truncated JSON, gzip, BOM: bounded retries; never retry a create blindly', () => {
	const FAULTS = [
		['500', { status: 500 }],
		['502 with a page', { status: 502, body: '<html><title>Bad Gateway</title></html>' }],
		['reset', { reset: true }],
		['truncated JSON', { wire: 'truncated' }],
		['an answer that is cut off', { wire: 'cut-off' }],
		['half a gzip', { wire: 'half-gzip' }],
	];

	test.each(FAULTS)('%s: reads are repeated, four times', async (_, fault) => {
		for (const times of [3, Infinity]) {
			await withServer(
				{ ...FEW, faults: [{ on: 'GET', times, ...fault }] },
				async (server, scim) => {
					const { json, error } = await get(scim);
					if (times === 3) expect(json).toMatchObject([{ userId: 'user-1' }]);
					else expect(error.message).toMatch(/^Could not get user user-1: /);
					expect(server.requests).toHaveLength(Math.min(times, 4) + 1);
				},
			);
		}
	});

	test.each(EVERY)(
		'the %s, cut off before or after it was carried out',
		async (name, [run, isSo]) => {
			for (const stored of [true, false]) {
				const faults = CHANGING.map((on) => ({ on, times: 1, reset: true, stored }));
				await withServer({ ...FEW, faults }, async (server, scim) => {
					const { error } = await scim(...run);
					// A list is sent again after a look; a whole user could be another by then.
					if (name === 'whole user' && !stored) {
						expect(error.message).toContain('Could not confirm: ');
						expect(server.came('PUT')).toHaveLength(1);
						expect((await scim(...run)).error).toBeUndefined();
					} else expect(error).toBeUndefined();
					expect(isSo(server)).toBe(true);
				});
			}
		},
	);

	test.each(EVERY)('the %s, whose answer is broken, is sent once', async (name, [run, isSo]) => {
		for (const wire of ['truncated', 'cut-off', 'half-gzip']) {
			const faults = CHANGING.map((on) => ({ on, times: 1, wire }));
			await withServer({ ...FEW, faults }, async (server, scim) => {
				const { error } = await scim(...run);
				expect(error).toBeUndefined();
				expect(isSo(server)).toBe(true);
				if (name === 'create' || wire === 'truncated') expect(server.written()).toHaveLength(1);
			});
		}
	});

	test.each(EVERY)('the %s, refused by 500 for ever: not claimed, bounded', async (_, [run]) => {
		const faults = CHANGING.map((on) => ({ on, status: 500 }));
		await withServer({ ...FEW, faults }, async (server, scim) => {
			const { error } = await scim(...run);
			expect(error.message).toContain('Could not ');
			expect(server.written().length).toBeLessThanOrEqual(15);
			expect(server.users.size).toBe(3);
		});
	});

	test.each(['gzip', 'bom'])('%s', async (wire) => {
		await withServer({ ...FEW, faults: [{ on: '', wire }] }, async (server, scim) => {
			const { json } = await scim('user', 'getAll', { returnAll: true });
			expect(json.map(({ userId }) => userId)).toEqual(idsOf(3));
			expect((await scim(...CREATE)).json).toMatchObject([{ userId: 'user-4', status: 'done' }]);
		});
	});
});

describe('429 with seconds, with a date, a date in the past, an absurd number, or nothing: honor it within a cap; exponential back-off with jitter otherwise', () => {
	const inSeconds = (seconds) => new Date(Date.now() + seconds * 1000).toUTCString();
	const GIVES_UP = 'Raise Max Wait under Settings > Requests';

	/** A number is that many seconds from now, as a date. */
	test.each([
		['7', 1, [7_000, 7_000]],
		[20, 1, [15_000, 20_000]],
		// 0.5 s doubled six times is 31.5 s, the jitter takes up to half of it.
		...[-3600, undefined, '0', '-5', 'soon'].map((after) => [after, 6, [15e3, 31_500]]),
		...['1000000', '9'.repeat(20), 1e7].map((after) => [after, 1, [0, 0], GIVES_UP]),
		['10', Infinity, [30_000, 30_000], '', { maxWait: 35 }],
	])('Retry-After %s, %d times', async (...row) => {
		const [after, times, [least, most], failsWith, options] = row;
		const value = typeof after === 'number' ? inSeconds(after) : after;
		const headers = value === undefined ? {} : { 'Retry-After': value };
		const faults = [{ on: 'GET /Users/', times, status: 429, headers }];
		await withServer({ ...FEW, faults }, async (_, scim) => {
			const { json, error } = await get(scim, options);
			if (failsWith === undefined) expect(json).toMatchObject([{ userId: 'user-1' }]);
			else {
				expect(error.message).toContain('the service answered 429');
				expect(error.description).toContain(failsWith);
			}
			expect(waited()).toBeGreaterThanOrEqual(least);
			expect(waited()).toBeLessThanOrEqual(most);
		});
	});

	test.each([
		[429, { RateLimit: '"default";r=0;t=30' }],
		[503, { RateLimit: 'limit=100, remaining=0, reset=30' }],
		[403, { 'X-Rate-Limit-Remaining': '0', 'X-Rate-Limit-Reset': '30' }],
	])('the end of a limit that is used up: %i', async (status, headers) => {
		const faults = [{ on: 'GET /Users/', times: 1, status, headers }];
		await withServer({ ...FEW, faults }, async (_, scim) => {
			expect((await get(scim)).json).toMatchObject([{ userId: 'user-1' }]);
			expect(waited()).toBe(30_000);
		});
	});
});

describe('`status` as number or string or absent; 409 without `scimType`; text/plain and HTML error pages; HTML 403 when User-Agent is missing: decide by HTTP status first; show `detail` when there is one, else a short plain text; send a User-Agent', () => {
	test('a page of error is cut short, and shows no token', async () => {
		const page = `<html><style>b{}</style><body>${'much '.repeat(2000)} ${TOKEN}</body></html>`;
		for (const body of [page, `You sent ${TOKEN}`]) {
			await withServer({ faults: [{ on: 'GET', status: 400, body }] }, async (_, scim) => {
				const { message } = (await get(scim)).error;
				expect(message.length).toBeLessThan(420);
				expect(message).not.toContain('<');
				expect(message).not.toContain(TOKEN);
				if (body !== page) expect(message).toContain('You sent ***');
			});
		}
	});

	test('HTML 403 when User-Agent is missing', async () => {
		await withServer({ ...FEW, needsUserAgent: true }, async (server, scim) => {
			expect((await get(scim)).json).toMatchObject([{ userId: 'user-1' }]);
			const agent = server.requests[0].headersSeen['user-agent'];
			expect(agent).toMatch(/^n8n-nodes-scim-provisioning/);
		});
	});

	test('a wrong token says what to check, and nothing of the token', async () => {
		await withServer({ token: 'another' }, async (_, scim) => {
			const { error } = await scim('user', 'getAll', {}, { profile: 'accountOrganizations' });
			expect(error.httpCode).toMatch(/^40[13]$/);
			expect(error.description).toContain('account-management scope');
			expect(JSON.stringify(error)).not.toContain(TOKEN);
		});
	});
});

test('a body that is too large: which setting makes it smaller', async () => {
	const [run] = WRITES.add;
	await withServer({ ...FEW, faults: [{ on: 'PATCH', status: 413 }] }, async (_, scim) => {
		const { error } = await scim(...run);
		expect(error.message).toContain('the service answered 413');
		expect(error.description).toContain('Lower Members Per Request');
	});
});

describe('redirect to another host: never follow with the token', () => {
	test.each([301, 302, 303, 307, 308])('%i', async (status) => {
		const sink = await startSink();
		const headers = { Location: `${sink.url}/Users` };
		await withServer({ ...FEW, faults: [{ on: '', status, headers }] }, async (server, scim) => {
			const user = byId('user-1');
			const runs = ['get', 'deactivate', 'delete', 'getAll'].map((one) => ['user', one, { user }]);
			for (const run of [...runs, CREATE]) {
				const { error } = await scim(...run);
				expect(error.message).toContain(`the service redirects to ${new URL(sink.url).host}`);
			}
			expect(sink.got).toStrictEqual([]);
			// The schemas are asked for once.
			expect(server.requests).toHaveLength(runs.length + 2);
		});
		await sink.close();
	});
});

describe('`Location` and `meta.location` missing, relative, or with another prefix: build URLs from base URL and encoded id only', () => {
	test.each(['missing', 'relative', 'otherPrefix', 'on another host'])('%s', async (location) => {
		const sink = await startSink();
		const elsewhere = `${sink.url}/Users/user-4`;
		const body = { id: 'user-4', userName: 'new@example.com', meta: { location: elsewhere } };
		const isSink = location === 'on another host';
		const fault = { on: 'POST', stored: true, status: 201, body, headers: { Location: elsewhere } };
		const switches = isSink ? { faults: [fault], extra: { $ref: elsewhere } } : { location };
		await withServer({ ...FEW, patchAnswers: 204, ...switches }, async (server, scim) => {
			const user = byEmail('new@example.com');
			for (const run of [CREATE, ['user', 'deactivate', { user }], ['user', 'delete', { user }]]) {
				const { json } = await scim(...run);
				expect(json).toMatchObject([{ userId: 'user-4', status: 'done' }]);
			}
			for (const { path } of server.requests)
				expect(path).toMatch(/^\/(Users(\/user-4)?|Groups|Schemas)$/);
			expect(sink.got).toStrictEqual([]);
		});
		await sink.close();
	});
});

describe('ids with `:` `/` `?` `#` `%` `@` and spaces, `..`: encode each path segment; reject dot segments', () => {
	const ODD = [
		...['a:b', 'a/b', 'a?b=c', 'a#b', 'a%2Fb', '100%', 'a@b', 'a b', '../Groups/g', 'a\\b'],
		...['ünï', '%2e%2e'],
	];

	test.each(ODD)('%s, of a user and of a group', async (id) => {
		const switches = {
			users: [{ id, userName: 'odd@example.com' }, person(2)],
			groups: [{ id, members: ['user-2'] }],
			patchAnswers: 204,
		};
		await withServer(switches, async (server, scim) => {
			const user = byEmail('odd@example.com');
			const member = { ...inGroup(id), people: 'odd@example.com' };
			expect((await scim('user', 'get', { user: byId(id) })).json).toMatchObject([{ userId: id }]);
			await scim('group', 'addMembers', member);
			expect(server.membersOf(id)).toEqual(['user-2', id]);
			await scim('group', 'removeMembers', member);
			expect(server.membersOf(id)).toEqual(['user-2']);
			await scim('user', 'deactivate', { user });
			expect([server.users.get(id).active, server.users.get('user-2').active]).toEqual([
				false,
				true,
			]);
			expect((await scim('user', 'delete', { user: byId(id) })).json).toMatchObject([
				{ deleted: true },
			]);
			expect([...server.users.keys()]).toEqual(['user-2']);
		});
	});

	test.each(['..', '.', ' .. '])('dot segment %j: nothing leaves', async (id) => {
		const users = [{ id: '..', userName: 'evil@example.com' }, person(2)];
		await withServer({ users, groups: [{ id: GROUP }] }, async (server, scim) => {
			for (const operation of ['get', 'deactivate', 'delete']) {
				const { error } = await scim('user', operation, { user: byId(id) });
				expect(error.message).toBe(`"${id.trim()}" is not an ID`);
			}
			expect(server.requests).toStrictEqual([]);
			const { error } = await scim('user', 'delete', { user: byEmail('evil@example.com') });
			expect(error.message).toBe('".." is not an ID');
			expect(server.written()).toStrictEqual([]);
		});
	});
});
