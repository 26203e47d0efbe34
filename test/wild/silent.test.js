'use strict';

require('../support/noWaiting');
const { inPagesOf } = require('../support/pages');
const { itemsOf } = require('../support/items');
const { byId } = require('../support/node');
const { people, withServer } = require('./play');
const { oneRole } = require('../support/accessRows');

// Groups that never show members, seen from the operations on access: what users say of themselves is taken instead,
// and where they say nothing either, nothing is claimed.

const CREDENTIAL = {
	overrideProfile: true,
	groupsStandFor: 'organizationAndRole',
	groupPattern: '{organization}:{role}',
	oneRolePerOrganization: 'yes',
};
const FOUR = {
	users: people(4),
	groups: [
		{ id: 'org-1:admin', members: ['user-4'] },
		{ id: 'org-1:member', members: ['user-1', 'user-2'] },
		{ id: 'org-1:viewer', members: ['user-3'] },
	],
};

async function access(switches, operation, parameters, check, options = {}) {
	await withServer({ ...FOUR, ...switches }, async (server, scim) => {
		const more = { credential: CREDENTIAL, options };
		check(await scim('access', operation, parameters, more), server);
	});
}

const viewerOnly = {
	people: 'user-1',
	...oneRole('org-1', 'viewer'),
};

describe.each(['empty', 'absent'])('members %s, users show their groups', (showsMembers) => {
	const switches = { showsMembers };

	test('Get and Get Matrix', async () => {
		await access(switches, 'get', { user: byId('user-1') }, ({ json }) => {
			expect(json).toMatchObject([{ assignments: [{ organization: 'org-1', role: 'member' }] }]);
		});
		await access(switches, 'getMatrix', {}, ({ json }) => {
			expect(json.map((row) => row.access['org-1'])).toEqual([
				'member',
				'member',
				'viewer',
				'admin',
			]);
		});
	});

	test('Revoke', async () => {
		const where = { people: 'user-1', organization: byId('org-1') };
		await access(switches, 'revoke', where, ({ error }, server) => {
			expect(error).toBeUndefined();
			expect(server.membersOf('org-1:member')).toEqual(['user-2']);
		});
	});

	test('Set moves', async () => {
		await access(switches, 'set', viewerOnly, ({ json, error }, server) => {
			expect(error).toBeUndefined();
			expect(itemsOf(json)).toEqual(['moved person1@example.com org-1 member>viewer done']);
			expect(server.membersOf('org-1:member')).toEqual(['user-2']);
			expect(server.membersOf('org-1:viewer')).toEqual(['user-3', 'user-1']);
		});
	});

	test('Set on a service that moves by itself: no removal leaves', async () => {
		await access({ ...switches, addMoves: true }, 'set', viewerOnly, ({ error }, server) => {
			expect(error).toBeUndefined();
			expect(server.written()).toEqual(['PATCH /Groups/org-1%3Aviewer 200']);
			expect(server.membersOf('org-1:viewer')).toEqual(['user-3', 'user-1']);
		});
	});

	test('a move whose removal changes nothing is not claimed', async () => {
		const faults = [{ on: 'PATCH /Groups/org-1%3Amember', nothing: true }];
		await access({ ...switches, faults }, 'set', viewerOnly, ({ error }) => {
			expect(error.message).toContain('Could not confirm: remove person1@example.com from');
		});
	});

	test('Offboard removes the roles and proves it', async () => {
		await access(switches, 'offboard', { people: 'user-1' }, ({ json, error }, server) => {
			expect(error).toBeUndefined();
			expect(json).toMatchObject([
				{
					accessRemoved: [{ organization: 'org-1', role: 'member' }],
					accessRemaining: [],
				},
			]);
			expect(server.membersOf('org-1:member')).toEqual(['user-2']);
		});
	});

	test('Reconcile sees who has what', async () => {
		const wanted = [
			{ email: 'person2@example.com', organization: 'org-1', role: 'member' },
			{ email: 'person3@example.com', organization: 'org-1', role: 'viewer' },
			{ email: 'person4@example.com', organization: 'org-1', role: 'admin' },
		];
		const parameters = {
			preview: false,
			scopeOrganizations: 'org-1',
			wantedFrom: 'json',
			wantedJson: JSON.stringify(wanted),
		};
		await access(switches, 'reconcile', parameters, ({ error }, server) => {
			expect(error).toBeUndefined();
			expect(server.written()).toEqual(['PATCH /Groups/org-1%3Amember 200']);
			expect(server.membersOf('org-1:member')).toEqual(['user-2']);
		});
	});

	test('a list of users that is incomplete is no ground for anything', async () => {
		inPagesOf(4);
		const more = { ...switches, users: people(6), ignoresStart: true };
		await access(more, 'set', viewerOnly, ({ error }, server) => {
			expect(error.message).toMatch(/^The list of (users|groups) is incomplete: /);
			expect(server.written()).toStrictEqual([]);
		});
	});
});

describe('members absent, users show no groups', () => {
	const switches = { showsMembers: 'absent', usersShowGroups: 'absent' };

	test('Offboard proves nothing', async () => {
		await access(switches, 'offboard', { people: 'user-1' }, ({ error }, server) => {
			expect(error.message).toBe(
				'Could not confirm: deactivate user person1@example.com: neither the groups nor the user show memberships',
			);
			expect(server.users.get('user-1').active).toBe(false);
		});
	});

	test('Offboard by deletion does: nobody is left who could be in a group', async () => {
		await access(
			switches,
			'offboard',
			{ people: 'user-1', method: 'delete' },
			({ json }, server) => {
				expect(json).toMatchObject([{ deleted: true, accessRemaining: [] }]);
				expect(server.users.has('user-1')).toBe(false);
			},
		);
	});

	test('Revoke says that it is not known, Set is unverified', async () => {
		const where = { people: 'user-1', organization: byId('org-1') };
		await access(switches, 'revoke', where, ({ error }, server) => {
			expect(error.message).toMatch(/^The groups of person1@example.com are unknown: /);
			expect(server.written()).toStrictEqual([]);
		});
		await access(switches, 'set', viewerOnly, ({ error }, server) => {
			expect(error.message).toContain('The groups of person1@example.com are unknown');
			expect(error.description).toContain('Could not confirm: make person1');
			expect(server.written()).toEqual(['PATCH /Groups/org-1%3Aviewer 200']);
		});
	});
});
