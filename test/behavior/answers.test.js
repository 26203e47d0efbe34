'use strict';

require('../support/noWaiting');

const constants = require('../../dist/nodes/shared/run/settings');
const { byEmail, byId } = require('../support/node');
const { inPagesOf } = require('../support/pages');
const { PROFILES, idsOf, people, withServer } = require('../support/serverPlay');

// So that no run can exhaust n8n, whatever the service answers. What ends at a limit is never a success.

beforeEach(() => inPagesOf(10));
afterEach(() => jest.restoreAllMocks());

const ALL = { returnAll: true };

describe.each(PROFILES)('limits, profile %s', (profile) => {
	test.each(['true', 'missing'])('a list without end, totalResults %s', async (total) => {
		jest.replaceProperty(constants, 'MAX_PAGES_PER_LIST', 3);
		await withServer({ endlessList: true, total }, async (server, scim) => {
			const { json, error } = await scim('user', 'getAll', ALL, {
				profile,
			});
			expect(json).toStrictEqual([]);
			expect(error.message).toBe('The list of users is incomplete: it has more than 3 pages');
			// A total that is more than the limit allows is believed at once.
			expect(server.requests).toHaveLength(total === 'true' ? 1 : 3);
		});
	});

	test('a list with too many entries', async () => {
		jest.replaceProperty(constants, 'MAX_RESOURCES_PER_LIST', 25);
		await withServer({ endlessList: true, total: 'missing' }, async (server, scim) => {
			const { json, error } = await scim('user', 'getAll', ALL, {
				profile,
			});
			expect(json).toStrictEqual([]);
			expect(error.message).toBe('The list of users is incomplete: it has more than 25 entries');
			expect(server.requests).toHaveLength(3);
		});
	});

	test('a limit of results is no incomplete list', async () => {
		jest.replaceProperty(constants, 'MAX_PAGES_PER_LIST', 3);
		await withServer({ endlessList: true }, async (server, scim) => {
			const { json, error } = await scim('user', 'getAll', { limit: 25 }, { profile });
			expect(error).toBeUndefined();
			expect(json).toHaveLength(25);
			expect(server.requests).toHaveLength(3);
		});
	});

	test('a list without end never proves that a user does not exist', async () => {
		jest.replaceProperty(constants, 'MAX_PAGES_PER_LIST', 3);
		await withServer({ endlessList: true, filter: 403 }, async (server, scim) => {
			for (const operation of ['get', 'deactivate', 'delete']) {
				const user = byEmail('ana@example.com');
				const { error } = await scim('user', operation, { user }, { profile });
				expect(error.message).toContain('the list of users is incomplete');
			}
			expect(server.written()).toStrictEqual([]);
		});
	});

	test('a list of groups without end: nobody is given or taken anything', async () => {
		jest.replaceProperty(constants, 'MAX_PAGES_PER_LIST', 3);
		await withServer({ endlessList: true }, async (server, scim) => {
			const { error } = await scim(
				'access',
				'revoke',
				{ people: 'user-1', organization: byId('org-1') },
				{
					profile,
					credential: {
						groupsStandFor: 'organizationAndRole',
						groupPattern: '{organization}:{role}',
					},
				},
			);
			expect(error.message).toMatch(/^The list of groups is incomplete: /);
			expect(server.written()).toStrictEqual([]);
		});
	});

	test('a body without end', async () => {
		jest.replaceProperty(constants, 'MAX_ANSWER_MB', 1);
		const faults = [{ on: 'GET', wire: 'endless' }];
		await withServer({ users: people(1), faults }, async (server, scim) => {
			const { json, error } = await scim('user', 'getAll', ALL, {
				profile,
			});
			expect(json).toStrictEqual([]);
			expect(error.message).toBe('Could not list users: the answer is larger than 1 MB');
			expect(error.description).toBe('Ask for less.');
			// Left at once, and not asked for again.
			expect(server.requests).toHaveLength(1);
			expect(server.requests[0].bytes).toBeLessThan(20_000_000);
		});
	});

	test('a whole answer that is larger', async () => {
		jest.replaceProperty(constants, 'MAX_ANSWER_MB', 1);
		const extra = { note: 'x'.repeat(600_000) };
		await withServer({ users: people(2), extra }, async (_, scim) => {
			const limits = { profile };
			const tooLarge = await scim('user', 'getAll', ALL, limits);
			expect(tooLarge.error.message).toContain('larger than 1 MB');
			const one = await scim('user', 'get', { user: byId('user-1') }, limits);
			expect(one.json).toMatchObject([{ userId: 'user-1' }]);
			inPagesOf(1);
			expect((await scim('user', 'getAll', ALL, limits)).json).toHaveLength(2);
		});
	});

	test('an answer to a write without end is looked after, not claimed', async () => {
		jest.replaceProperty(constants, 'MAX_ANSWER_MB', 1);
		const faults = [{ on: 'PATCH', wire: 'endless' }];
		await withServer(
			{ users: people(1), groups: [{ id: 'org-1:admin' }], faults },
			async (server, scim) => {
				const { json, error } = await scim(
					'user',
					'deactivate',
					{ user: byId('user-1') },
					{ profile },
				);
				expect(error).toBeUndefined();
				expect(json).toMatchObject([{ active: false, status: 'done' }]);
				expect(server.came('GET')).toContain('GET /Users/user-1 200');
			},
		);
	});

	test('Timeout: a slow drip without end', async () => {
		const faults = [{ on: 'GET', wire: 'drip' }];
		await withServer({ users: people(50), faults }, async (server, scim) => {
			const begun = performance.now();
			const { json, error } = await scim('user', 'getAll', ALL, {
				profile,
				options: { timeout: 1, maxWait: 0 },
			});
			expect(json).toStrictEqual([]);
			expect(error.message).toBe('Could not list users: no answer within 1 seconds');
			expect(performance.now() - begun).toBeLessThan(3_000);
			expect(server.requests).toHaveLength(1);
		});
	});

	test.each([
		['timeout', 0],
		['maxWait', 'soon'],
	])('%s of %s is refused before anything leaves', async (name, value) => {
		await withServer({ users: people(1) }, async (server, scim) => {
			const { error } = await scim('user', 'getAll', ALL, { profile, options: { [name]: value } });
			expect(error.message).toMatch(/ is not a number from /);
			expect(server.requests).toStrictEqual([]);
		});
	});
});
