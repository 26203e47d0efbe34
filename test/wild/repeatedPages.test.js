'use strict';

require('../support/noWaiting');
const constants = require('../../dist/nodes/shared/run/constants');
const { search, TOKEN } = require('../support/node');
const { inPagesOf } = require('../support/pages');
const { pollNode } = require('../harness');
const { ScimProvisioningApi, ScimProvisioningTrigger } = require('../support/built');
const { idsOf, people, withServer } = require('./play');

// A service that answers every page with its first one, and gives the size of the page as the total. Nothing in one
// answer tells that there are more people.

const REPEATS = { ignoresStart: true, total: 'page' };
const ALL = { returnAll: true };
const countsOf = (server) => server.requests.map(({ query }) => Number(query.count));

async function listed(switches, pageSize, check) {
	inPagesOf(pageSize);
	await withServer({ ...REPEATS, ...switches }, async (server, scim) => {
		const { json, error } = await scim('user', 'getAll', ALL);
		check({ ids: json.map(({ userId }) => userId), error, counts: countsOf(server) });
	});
}

afterEach(() => jest.restoreAllMocks());

describe('Get Many asks again with a larger count', () => {
	test('after a full page: everybody comes', async () => {
		await listed({ users: people(7) }, 2, ({ ids, error, counts }) => {
			expect(error).toBeUndefined();
			expect(ids).toEqual(idsOf(7));
			expect(counts).toEqual([2, 2, 4, 8, 16]);
		});
	});

	test.each([50, 100, 200])('after a page of %s, whatever was asked for', async (pageCap) => {
		const onList = (nth, server) => {
			server.is.pageCap = nth > 2 ? Infinity : pageCap;
		};
		await listed({ users: people(pageCap + 30), onList }, 500, ({ ids, error, counts }) => {
			expect(error).toBeUndefined();
			expect(ids).toEqual(idsOf(pageCap + 30));
			expect(counts).toEqual([500, 500, 1000, 2000]);
		});
	});

	test('as many, and fewer than asked: the list is whole', async () => {
		await listed({ users: people(3) }, 3, ({ ids, error, counts }) => {
			expect(error).toBeUndefined();
			expect(ids).toEqual(idsOf(3));
			expect(counts).toEqual([3, 3, 6]);
		});
	});

	test.each([
		[50, 20],
		[100, 100],
		[200, 500],
	])('%s for two larger counts is an error, with page size %s', async (pageCap, pageSize) => {
		await listed({ users: people(450), pageCap }, pageSize, ({ ids, error }) => {
			expect(ids).toStrictEqual([]);
			expect(error.message).toBe(
				`The list of users is incomplete: the service repeats its first ${pageCap} entries`,
			);
		});
	});

	test('no further than a list may have entries', async () => {
		await withServer({ ...REPEATS, users: people(40) }, async (server, scim) => {
			jest.replaceProperty(constants, 'MAX_RESOURCES_PER_LIST', 9);
			inPagesOf(2);
			const { error } = await scim('user', 'getAll', ALL);
			expect(error.message).toContain('The list of users is incomplete');
			expect(Math.max(...countsOf(server))).toBe(9);
		});
	});

	test('a service that pages well is asked no more than before', async () => {
		await withServer({ users: people(50), total: 'page' }, async (server, scim) => {
			inPagesOf(50);
			const { json } = await scim('user', 'getAll', ALL);
			expect(json).toHaveLength(50);
			expect(countsOf(server)).toEqual([50, 50]);
		});
	});

	test('groups likewise', async () => {
		const groups = Array.from({ length: 5 }, (_, index) => ({ id: `g-${index + 1}` }));
		await withServer({ ...REPEATS, groups }, async (_, scim) => {
			inPagesOf(2);
			const { json } = await scim('group', 'getAll', ALL);
			expect(json).toHaveLength(5);
		});
	});
});

test('whoever is on a later page is found, not created twice', async () => {
	inPagesOf(2);
	await withServer({ ...REPEATS, users: people(7), filter: 403 }, async (server, scim) => {
		const { json, error } = await scim('user', 'deactivate', {
			user: { __rl: true, mode: 'email', value: 'person7@example.com' },
		});
		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
		expect(server.users.get('user-7').active).toBe(false);
	});
});

describe('the trigger', () => {
	const look = async (server, staticData) =>
		await pollNode(new ScimProvisioningTrigger(), {
			parameters: {
				events: ['userCreated'],
				options: { confirmAfter: 0 },
			},
			credentials: {
				scimProvisioningApi: {
					baseUrl: server.url,
					accountApiToken: TOKEN,
					serviceProfile: 'generic',
				},
			},
			credentialTypes: [new ScimProvisioningApi()],
			staticData,
		});

	test('sees who comes after the first page', async () => {
		await withServer({ ...REPEATS, users: people(5) }, async (server) => {
			inPagesOf(2);
			const memory = {};
			await look(server, memory);
			const [newcomer] = people(6).slice(5);
			server.scim.create(newcomer.userName);
			const items = await look(server, memory);
			expect(items.map(({ event, userId }) => [event, userId])).toEqual([
				['userCreated', 'user-6'],
			]);
		});
	});

	test('says so when the list is cut off', async () => {
		await withServer({ ...REPEATS, users: people(70), pageCap: 50 }, async (server) => {
			await expect(look(server, {})).rejects.toThrow(
				'The list of users is incomplete: the service repeats its first 50 entries',
			);
		});
	});
});

describe('lists of the editor', () => {
	const open = async (server, options, method = 'searchUsers') =>
		await search(method, options, {
			baseUrl: server.url,
			serviceProfile: 'generic',
			...(method === 'searchOrganizations' && {
				groupsStandFor: 'organizationAndRole',
				groupPattern: '{organization}:{role}',
			}),
		});

	/** Scrolls to the end, as a user would. */
	async function scroll(server, filter, method) {
		const pages = [];
		let paginationToken;
		do {
			const page = await open(server, { filter, paginationToken }, method);
			pages.push(page.results.map(({ value }) => value));
			paginationToken = page.paginationToken;
		} while (paginationToken !== undefined && pages.length < 20);
		return pages;
	}

	test.each(['page', 'true', 'missing'])(
		'go on behind the first page, and show everybody once: totalResults %s',
		async (total) => {
			const switches = { ignoresStart: true, total, users: people(330) };
			await withServer(switches, async (server) => {
				const pages = await scroll(server);
				expect(pages.flat()).toEqual(idsOf(330));
				expect(pages.length).toBeLessThan(6);
			});
		},
	);

	test('find by a part of a name who is behind the first page', async () => {
		await withServer({ ...REPEATS, users: people(330), filter: 403 }, async (server) => {
			const pages = await scroll(server, 'person33');
			// person33, person330.
			expect(pages.flat()).toEqual(['user-33', 'user-330']);
		});
	});

	test('pages that the service has filtered are not repeated', async () => {
		await withServer({ ...REPEATS, users: people(130) }, async (server) => {
			server.is.filter = 'ignored';
			const pages = await scroll(server, 'person');
			expect(pages.flat()).toEqual(idsOf(130));
		});
	});

	test('a list that is cut off: an error, not the same people again', async () => {
		await withServer({ ...REPEATS, users: people(330), pageCap: 100 }, async (server) => {
			const { results, paginationToken } = await open(server, {});
			expect(results).toHaveLength(100);
			await expect(open(server, { paginationToken })).rejects.toThrow(
				'The list of users is incomplete: the service repeats its first 100 entries',
			);
		});
	});

	test('a page of 50 may not be all either', async () => {
		await withServer({ ...REPEATS, users: people(70), pageCap: 50 }, async (server) => {
			const { paginationToken } = await open(server, {});
			server.is.pageCap = Infinity;
			const { results } = await open(server, { paginationToken });
			expect(results.map(({ value }) => value)).toEqual(idsOf(70).slice(50));
		});
	});

	test('organizations: an incomplete list of groups is an error', async () => {
		const groups = Array.from({ length: 130 }, (_, index) => ({ id: `org-${index}:admin` }));
		await withServer({ ...REPEATS, groups }, async (server) => {
			const { results } = await open(server, {}, 'searchOrganizations');
			expect(results).toHaveLength(130);
			server.is.pageCap = 100;
			await expect(open(server, {}, 'searchOrganizations')).rejects.toThrow(
				'The list of groups is incomplete',
			);
		});
	});
});
