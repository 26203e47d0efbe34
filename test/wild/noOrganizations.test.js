'use strict';

require('../support/noWaiting');

const { byId } = require('../support/node');
const { people, withServer } = require('./play');
const { fromExpression, oneRole } = require('../support/accessRows');

// A service whose groups stand for themselves: no operation can say by organization and role who has access.

const USER = { user: byId('user-1') };
const PEOPLE = { people: 'user-1' };
const organization = { __rl: true, mode: 'id', value: 'org-1' };
const UNKNOWN = 'The credential does not say which organization and role a group stands for';
const OPERATIONS = [
	['assign', { ...PEOPLE, ...oneRole(organization, 'member') }],
	['revoke', { ...PEOPLE, revokeIn: 'all' }],
	['set', { ...PEOPLE, ...oneRole(organization, 'member') }],
	['set', { ...PEOPLE, ...fromExpression([]), options: { allowEmpty: true } }],
];

describe('groups that stand for no organizations', () => {
	test.each(OPERATIONS)('%s fails and names what to do, before a request', async (name, given) => {
		const groups = [{ id: 'g-1', members: ['user-1'] }];
		await withServer({ users: people(1), groups }, async (server, scim) => {
			const { error, json } = await scim('access', name, given);
			expect(json).toStrictEqual([]);
			expect(error.message).toBe(UNKNOWN);
			expect(error.description).toContain('Groups Stand For');
			expect(error.description).toContain('choose by group');
			const planned = await scim('access', name, { ...given, preview: true });
			expect(planned.error?.message ?? planned.json[0].invalid[0].reason).toBe(UNKNOWN);
			expect(server.came()).toStrictEqual([]);
			expect(server.membersOf('g-1')).toEqual(['user-1']);
		});
	});

	test('with a pattern the same service is understood', async () => {
		const groups = [{ id: 'org-1:admin', members: ['user-1'] }];
		await withServer({ users: people(1), groups }, async (_, scim) => {
			const credential = {
				groupsStandFor: 'organizationAndRole',
				groupPattern: '{organization}:{role}',
			};
			const { json } = await scim('access', 'get', USER, { credential });
			expect(json[0].assignments).toMatchObject([{ organization: 'org-1', role: 'admin' }]);
		});
	});
});
