'use strict';

// Waits pass at once, and move the clock.
let mockClock = 0;
jest.mock('n8n-workflow', () => ({
	...jest.requireActual('n8n-workflow'),
	sleep: async (ms) => {
		mockClock += ms;
	},
}));

const { inGroup, people, withServer } = require('./play');
const { mapped } = require('../support/node');

// Reads per Minute and Writes per Minute of the credential.

beforeEach(() => {
	mockClock = Date.parse('2026-03-01T12:00:00Z');
	jest.spyOn(Date, 'now').mockImplementation(() => mockClock);
});
afterEach(() => jest.restoreAllMocks());

/** Runs against a server, and gives what left when, in seconds from the beginning. */
async function withPace(switches, credential, work) {
	const begin = mockClock;
	const left = [];
	const onRequest = ({ method, path }) =>
		left.push(`${method} ${path} ${Math.round((mockClock - begin) / 1000)}`);
	await withServer({ onRequest, ...switches }, async (server, scim) => {
		const paced = async (resource, operation, parameters, more = {}) =>
			await scim(resource, operation, parameters, { credential, ...more });
		await work(server, paced, left);
	});
}

const NEWCOMERS = ['ana', 'ben', 'cid'].map((name) => ({ userName: `${name}@example.com` }));
const creates = async (scim, { parameters, ...more } = {}) =>
	await scim(
		'user',
		'create',
		{ userName: '={{ $json.userName }}', ...parameters },
		{ items: NEWCOMERS, ...more },
	);

describe('writes', () => {
	test('are evenly spaced, and so are the reads', async () => {
		const pace = { readsPerMinute: 6, writesPerMinute: 2 };
		await withPace({}, pace, async (server, scim, left) => {
			const { error } = await creates(scim);
			expect(error).toBeUndefined();
			const at = (method) =>
				left.filter((line) => line.startsWith(method)).map((line) => Number(line.split(' ')[2]));
			const gaps = (times) => times.slice(1).map((time, index) => time - times[index]);
			expect(at('POST')).toHaveLength(3);
			expect(gaps(at('POST')).every((gap) => gap >= 30)).toBe(true);
			expect(gaps(at('GET')).every((gap) => gap >= 10)).toBe(true);
		});
	});

	test('Preview says how many requests there are, and how many minutes they take at least', async () => {
		await withPace({}, { writesPerMinute: 2 }, async (server, scim) => {
			const { json } = await creates(scim, { parameters: { preview: true } });
			expect(json[0]).toMatchObject({ estimate: { requests: 3, minutes: 1 }, blockedBy: [] });
		});
		await withPace({}, {}, async (server, scim) => {
			const { json } = await creates(scim, { parameters: { preview: true } });
			expect(json[0].estimate).toBeUndefined();
		});
	});

	test('that cannot all leave before the workflow times out: none does', async () => {
		await withPace({}, { writesPerMinute: 1 }, async (server, scim) => {
			const more = { executionTimeout: 60 };
			const { json, error } = await creates(scim, more);
			expect(json).toStrictEqual([]);
			expect(error.message).toBe(
				'3 of 3 items failed: Nothing was sent: 3 requests take at least 2 min with Writes per Minute 1, and Timeout Workflow leaves 1 min. Raise it in the settings of the workflow, or send fewer items.',
			);
			expect(server.written()).toStrictEqual([]);
			const preview = await creates(scim, { ...more, parameters: { preview: true } });
			expect(preview.json[0]).toMatchObject({
				estimate: { requests: 3, minutes: 2 },
				blockedBy: [expect.stringContaining('3 requests take at least 2 min')],
			});
		});
	});

	test('nor where the looks that they need cannot: nobody is offboarded by half', async () => {
		const users = people(4).map((user) => ({ ...user, active: true }));
		const members = users.map(({ id }) => id);
		const groups = ['g1', 'g2', 'g3'].map((id) => ({ id, members }));
		await withPace({ users, groups }, { readsPerMinute: 2 }, async (server, scim) => {
			const leavers = { people: users.map(({ id }) => id).join(', ') };
			// Two items that name the same people are one plan.
			const more = {
				...{ items: [{}, {}], options: { maxPeopleAffected: 4 } },
				executionTimeout: 240,
			};
			const preview = await scim('access', 'offboard', { ...leavers, preview: true }, more);
			const read = server.requests.length;
			// 7 writes, a look at each group before its removal, and the proof: 2 pages of users and 3 groups.
			expect(preview.json[0].estimate.requests).toBe(15);
			const tooLong = expect.stringMatching(/requests take at least .* with Reads per Minute 2/);
			expect(preview.json[0].blockedBy).toEqual([tooLong]);
			const { error } = await scim('access', 'offboard', leavers, more);
			expect(error.message).toContain('Nothing was sent');
			expect(server.written()).toStrictEqual([]);
			const before = server.requests.length;
			const unhurried = { ...more, executionTimeout: -1 };
			expect((await scim('access', 'offboard', leavers, unhurried)).error).toBeUndefined();
			expect(server.requests.length - before).toBe(read + 15);
		});
	});

	test('the pace that the service profile documents', async () => {
		await withPace({}, { serviceProfile: 'slack' }, async (server, scim) => {
			const emails = '={{ [{ value: $json.userName }] }}';
			const parameters = { preview: true, ...mapped({ emails }) };
			const { json } = await creates(scim, { parameters, options: { matchUsersBy: 'email' } });
			expect(json[0].estimate).toEqual({ requests: 3, minutes: 0.1 });
		});
	});
});

test('a look and the removal that needs it leave together', async () => {
	const members = people(3).map(({ id }) => id);
	const groups = ['g1', 'g2', 'g3'].map((id) => ({ id, members }));
	const pace = { readsPerMinute: 12, writesPerMinute: 4 };
	await withPace({ users: people(3), groups }, pace, async (server, scim, left) => {
		const { error } = await scim(
			'group',
			'removeMembers',
			{ ...inGroup('={{ $json.group }}'), people: 'user-1' },
			{ items: groups.map(({ id }) => ({ group: id })) },
		);
		expect(error).toBeUndefined();
		expect(left).toEqual([
			'GET /Groups/g1 0',
			'GET /Groups/g2 5',
			'GET /Groups/g3 10',
			'GET /Groups/g1 15',
			'PATCH /Groups/g1 15',
			'GET /Groups/g1 20',
			'GET /Groups/g2 25',
			'PATCH /Groups/g2 25',
			'GET /Groups/g3 40',
			'PATCH /Groups/g3 40',
		]);
	});
});

describe('a whole user is read anew, so that nobody is let in again who was deactivated meanwhile', () => {
	const users = people(2).map((user) => ({ ...user, active: true }));
	const refused = {
		on: 'PUT /Users/user-2',
		status: 429,
		headers: { 'Retry-After': '60' },
		times: 1,
	};
	test.each([
		['when its place comes late', 'PUT /Users/user-1', { writesPerMinute: 1 }, []],
		['before it is sent again', 'PUT /Users/user-2', {}, [refused]],
	])('%s', async (_, when, pace, faults) => {
		await withPace({ users, faults }, pace, async (server, scim, left) => {
			server.is.onRequest = ({ method, path }) => {
				left.push(`${method} ${path}`);
				if (left.at(-1) === when) server.scim.setActive('user-2', false);
			};
			const user = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
			const { json, error } = await scim(
				'user',
				'update',
				{ user, ...mapped({ displayName: 'New' }) },
				{ items: users, options: { updateWith: 'put' } },
			);
			expect(error).toBeUndefined();
			expect(left.slice(-2)).toEqual(['GET /Users/user-2', 'PUT /Users/user-2']);
			expect(server.users.get('user-2')).toMatchObject({ active: false, displayName: 'New' });
			expect(json[1]).toMatchObject({ active: false, displayName: 'New', status: 'done' });
		});
	});
});
