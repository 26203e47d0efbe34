'use strict';

require('../support/noWaiting');

const mockWaits = [];
jest.mock('n8n-workflow', () => ({
	...jest.requireActual('n8n-workflow'),
	sleep: async (ms) => void mockWaits.push(ms),
}));

const { byId } = require('../support/node');
const { people, person, withServer } = require('./play');
const { oneRole } = require('../support/accessRows');

const profile = 'generic';
const users = [person(1, { userName: 'breakglass' }), ...people(3).slice(1)];
const groups = [{ id: 'staff', members: ['user-1', 'user-2', 'user-3'] }];
const staff = { chooseGroupBy: 'group', group: byId('staff') };
const options = { protectedUsers: 'BreakGlass', maxPeopleAffected: 9, allowEmptying: true };

// The display of a member need not be the user name, so only the user says who is protected.
describe('a protected user name without @, of a person who is given by ID', () => {
	test.each([
		['user', 'update', { user: byId('user-1'), updateFields: { active: false } }],
		['user', 'deactivate', { user: byId('user-1') }],
		['user', 'delete', { user: byId('user-1') }],
		['group', 'removeMembers', { ...staff, people: 'user-1' }],
		['group', 'delete', staff],
	])('%s %s: refused by Preview and by the run', async (resource, operation, fields) => {
		await withServer({ users, groups }, async (server, scim) => {
			const planned = await scim(
				resource,
				operation,
				{ ...fields, preview: true },
				{ profile, options },
			);
			expect(JSON.stringify(planned.json)).toContain('is protected');
			const { error, json } = await scim(resource, operation, fields, { profile, options });
			expect(json).toStrictEqual([]);
			expect(error.message).toContain('is protected');
			expect(server.written()).toStrictEqual([]);
		});
	});

	test('Set Members leaves whoever is protected in the group', async () => {
		await withServer({ users, groups }, async (server, scim) => {
			const { error } = await scim(
				'group',
				'setMembers',
				{ ...staff, people: 'user-2' },
				{ profile, options },
			);
			expect(error).toBeUndefined();
			expect(server.membersOf('staff')).toEqual(['user-1', 'user-2']);
		});
	});

	test('who cannot be read might be protected: nothing is sent', async () => {
		const faults = [{ on: 'GET', path: '/Users/user-1', status: 403 }];
		await withServer({ users, groups, faults, filter: 'ignored' }, async (server, scim) => {
			const { error } = await scim(
				'user',
				'delete',
				{ user: byId('user-1') },
				{ profile, options },
			);
			expect(error).toBeDefined();
			expect(server.written()).toStrictEqual([]);
		});
	});
});

describe('an entry of Protected Users that can match nobody is an error of the run', () => {
	test.each([
		['"eve@example.com"', 'generic'],
		["'eve@example.com'", 'generic'],
		['Eve Miller <eve@example.com>', 'generic'],
		['={{ $json.owner }}', 'generic'],
		['\u201Ceve@example.com\u201D', 'accountOrganizations'],
		['Eve Miller', 'accountOrganizations'],
		['eve\u200B@example.com', 'accountOrganizations'],
	])('%s, profile %s', async (protectedUsers, profile) => {
		await withServer({ users, groups }, async (server, scim) => {
			const { error, json } = await scim(
				'user',
				'deactivate',
				{ user: byId('user-2') },
				{ profile, options: { protectedUsers } },
			);
			expect(json).toStrictEqual([]);
			expect(error.message).toMatch(/^Protected Users: /);
			expect(server.requests).toStrictEqual([]);
		});
	});

	test('a blank inside is fine where user names may have one', async () => {
		const named = [person(1, { userName: 'Eve Miller' })];
		await withServer({ users: named, groups: [] }, async (server, scim) => {
			const { error } = await scim(
				'user',
				'deactivate',
				{ user: byId('user-1') },
				{ profile, options: { protectedUsers: "eve miller, o'neil@example.com" } },
			);
			expect(error.message).toContain('is protected');
			expect(server.written()).toStrictEqual([]);
		});
	});
});

test.each(['assign', 'reconcile'])(
	'%s: whoever is protected by ID and turns up only with the 409 of a create is left alone',
	async (operation) => {
		const groupId = 'org1:member';
		const is = {
			users: people(60),
			groups: [{ id: groupId, members: ['user-1'] }],
			pageCap: 1,
			filterMisses: (value) => value === 'person6@example.com',
		};
		const credential = {
			groupsStandFor: 'organizationAndRole',
			groupPattern: '{organization}:{role}',
		};
		await withServer(is, async (server, scim) => {
			const wish = {
				assign: {
					people: 'person6@example.com',
					...oneRole(byId('org1'), 'member'),
				},
				reconcile: {
					preview: false,
					unwanted: 'keep',
					scopeOrganizations: 'org1',
					wantedFrom: 'json',
					wantedJson: '[{"email":"person6@example.com","organization":"org1","role":"member"}]',
				},
			}[operation];
			const { error } = await scim(
				'access',
				operation,
				{ ...wish, createMissing: true },
				{ profile, credential, options: { protectedUsers: 'user-6' } },
			);
			expect(error.message).toContain('is protected');
			expect(server.membersOf(groupId)).toEqual(['user-1']);
		});
	},
);

test.each([
	'[ana@example.com, bob@example.com]',
	'(bob@example.com)',
	'mailto:bob@example.com',
	'bob@example.com.',
	'bob@example',
])(
	'an entry that is no email where user names are emails stops the run: %s',
	async (protectedUsers) => {
		await withServer({ users, groups }, async (server, scim) => {
			const { error } = await scim(
				'user',
				'deactivate',
				{ user: byId('user-2') },
				{ profile: 'accountOrganizations', options: { protectedUsers } },
			);
			expect(error.message).toContain('Protected Users');
			expect(server.written()).toStrictEqual([]);
		});
	},
);
