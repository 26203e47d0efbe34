'use strict';

require('../support/noWaiting');

// Pauses pass at once, and are written down.
const mockPauses = [];
jest.mock('n8n-workflow', () => ({
	...jest.requireActual('n8n-workflow'),
	sleep: async (ms) => {
		mockPauses.push(ms);
	},
}));

const { byEmail, byId, search } = require('../support/node');
const { requestsOf, rolesOf, withService } = require('../support/service');
const { withServer } = require('../wild/play');
const { oneRole } = require('../support/accessRows');

// Groups of account organizations come and go with their organization alone. Where the service cannot reach what is
// behind it, it answers 400 to the list, 404 to a group without members, or shows none: that is never "no groups".

const LIST = '/scim/Groups';
/** An empty group of the demo account. */
const EMPTY = 'org-acct1:viewer';
const PERSON = 'dmitri.volkov@example.com';
const behind = (more) => ({ kind: 'behind-plugin', method: 'GET', ...more });
const writesOf = (service) => requestsOf(service).filter((line) => !line.startsWith('GET'));
/** How long three pauses take, in milliseconds. */
const PAUSES = 250 + 500 + 1000;
const waited = () => mockPauses.reduce((sum, ms) => sum + ms, 0);

beforeEach(() => mockPauses.splice(0));

const OPERATIONS = [
	['access', 'get', { user: byEmail(PERSON) }],
	['access', 'getMatrix', {}],
	['group', 'getAll', {}],
	['access', 'assign', { people: PERSON, ...oneRole(byId('org-3454'), 'viewer') }],
	['access', 'revoke', { people: PERSON, revokeIn: 'all' }],
	['access', 'offboard', { people: PERSON }],
];

describe('400 to the list of groups', () => {
	test.each(OPERATIONS)(
		'%s %s: three more tries, and it goes on',
		async (resource, name, given) => {
			await withService({ faults: [behind({ path: LIST, times: 3 })] }, async (service, scim) => {
				const { error } = await scim(resource, name, given);
				expect(error).toBeUndefined();
				expect(waited()).toBe(PAUSES);
				expect(requestsOf(service).filter((line) => line === `GET ${LIST} 400`)).toHaveLength(3);
			});
		},
	);

	test.each(OPERATIONS)(
		'%s %s: then an error, and nothing is sent',
		async (resource, name, given) => {
			await withService({ faults: [behind({ path: LIST })] }, async (service, scim) => {
				const before = rolesOf(service, PERSON);
				const { error, json } = await scim(resource, name, given);
				expect(json).toStrictEqual([]);
				expect(error.message).toMatch(
					/^Could not list groups: the service answered 400.*, 4 times$/,
				);
				expect(error.description).toContain('cannot reach its own data');
				expect(requestsOf(service).filter((line) => line === `GET ${LIST} 400`)).toHaveLength(4);
				expect(writesOf(service)).toStrictEqual([]);
				expect(rolesOf(service, PERSON)).toEqual(before);
			});
		},
	);

	test('a filter that the service refuses is not tried again', async () => {
		await withService({}, async (service, scim) => {
			const filters = { filter: 'displayName sw "org"' };
			const { error } = await scim('group', 'getAll', { filters });
			expect(error.message).toContain('invalidFilter');
			expect(service.log.requests).toHaveLength(1);
		});
	});

	test.each(['searchGroups', 'searchOrganizations'])(
		'%s of the editor waits as shortly',
		async (method) => {
			await withService({ faults: [behind({ path: LIST, times: 3 })] }, async (service) => {
				const credential = { baseUrl: service.url, accountApiToken: service.accountToken };
				const { results } = await search(method, {}, credential);
				expect(results.length).toBeGreaterThan(2);
				service.faults.add(behind({ path: LIST }));
				await expect(search(method, {}, credential)).rejects.toThrow(/400.*, 4 times$/);
				expect(waited()).toBe(2 * PAUSES);
			});
		},
	);
});

describe('an empty list of groups', () => {
	const seed = { organizations: [], users: [{ userName: PERSON }] };

	test.each(OPERATIONS)(
		'%s %s: tried again three times, then an error',
		async (resource, name, given) => {
			await withService({ seed }, async (service, scim) => {
				const { error, json } = await scim(resource, name, given);
				expect(json).toStrictEqual([]);
				expect(error.message).toBe('Could not list groups: the service showed no group, 4 times');
				expect(requestsOf(service).filter((line) => line === `GET ${LIST} 200`)).toHaveLength(4);
				expect(writesOf(service)).toStrictEqual([]);
			});
		},
	);

	test('is an answer to a filter', async () => {
		await withService({}, async (_, scim) => {
			const filters = { filter: 'members.value eq "user-nobody"' };
			const { error, json } = await scim('group', 'getAll', { filters });
			expect([error, json]).toEqual([undefined, []]);
			expect(waited()).toBe(0);
		});
	});

	test('is one to a generic service', async () => {
		await withServer({}, async (_, scim) => {
			const { error, json } = await scim('group', 'getAll');
			expect([error, json]).toEqual([undefined, []]);
		});
	});
});

describe('404 to a group that the list shows', () => {
	const group = { __rl: true, mode: 'id', value: EMPTY };

	test('Get: three more tries, and it is there', async () => {
		await withService({ faults: [behind({ path: /Groups\/./, times: 3 })] }, async (_, scim) => {
			const { json, error } = await scim('group', 'get', { chooseGroupBy: 'group', group });
			expect(error).toBeUndefined();
			expect(json[0].members).toStrictEqual([]);
			expect(waited()).toBe(PAUSES);
		});
	});

	test('Get: then an error', async () => {
		await withService({ faults: [behind({ path: /Groups\/./ })] }, async (_, scim) => {
			const { error } = await scim('group', 'get', { chooseGroupBy: 'group', group });
			expect(error.message).toMatch(
				/^Could not get group .*: the service answered 404.*, 4 times$/,
			);
		});
	});

	test('after a write it proves nothing: unverified, never gone', async () => {
		// The last member of the group leaves, and no answer shows it.
		await withService({ patchAnswers: '204' }, async (service, scim) => {
			const { directory } = service.state;
			const { id } = directory.byName(PERSON);
			directory.setRole(id, 'org-acct1', 'viewer');
			service.faults.add(behind({ path: /Groups\/./ }));
			const { json, error } = await scim('group', 'removeMembers', {
				chooseGroupBy: 'organizationAndRole',
				organization: byId('org-acct1'),
				role: 'viewer',
				people: PERSON,
			});
			expect(json).toStrictEqual([]);
			expect(error.message).toContain('Could not confirm');
			expect(error.message).toContain('404');
			expect(rolesOf(service, PERSON)['org-acct1']).toBeUndefined();
		});
	});
});
