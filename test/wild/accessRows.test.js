'use strict';

require('../support/noWaiting');
const {
	fromExpression,
	groupRows,
	locator,
	oneRole,
	someGroups,
} = require('../support/accessRows');
const { people, withServer } = require('./play');

// Rows of groups and roles, as n8n evaluates them: what an expression does not find is an error, never an empty list.

const SERVICE = {
	users: people(2),
	groups: [
		{ id: 'g-1', displayName: 'VPN', members: ['user-1'] },
		{ id: 'g-2', displayName: 'Sales', members: ['user-1'] },
	],
};
const PLACES = {
	...SERVICE,
	groups: ['org-1:member', 'org-1:viewer', 'org-2:viewer'].map((id) => ({ id, members: [] })),
};
const ON_PLACES = { groupsStandFor: 'organizationAndRole', groupPattern: '{organization}:{role}' };
const byGroup = (who, more) => ({ people: who, accessBy: 'group', ...more });
const managed = { managedGroups: groupRows('*') };

const NOTHING = [
	['undefined', '={{ $json.nothing }}'],
	['null', '={{ null }}'],
	['empty text', '={{ "" }}'],
	['blanks', '={{ "  " }}'],
	['a list with a hole', '={{ ["VPN", null] }}'],
];

describe.each(['assign', 'set', 'revoke'])('%s', (operation) => {
	const more = operation === 'set' ? { ...managed, options: { allowEmpty: true } } : {};

	test.each(NOTHING)('a row whose expression gives %s is refused', async (_, value) => {
		for (const groups of [fromExpression(value), someGroups('VPN', locator('name', value))]) {
			await withServer(SERVICE, async (server, scim) => {
				const { error } = await scim(
					'access',
					operation,
					byGroup('user-1', { ...groups, ...more }),
				);
				expect(error.message).toContain('names no group');
				expect(server.written()).toStrictEqual([]);
			});
		}
	});

	test('an expression that gives an empty list is refused', async () => {
		const own = operation === 'set' ? managed : {};
		for (const groups of [
			fromExpression('={{ [] }}'),
			someGroups('VPN', locator('id', '={{ [] }}')),
		]) {
			await withServer(SERVICE, async (server, scim) => {
				const { error } = await scim('access', operation, byGroup('user-1', { ...groups, ...own }));
				expect(error.message).toMatch(/There are no assignments|list of assignments is empty/);
				expect(server.written()).toStrictEqual([]);
			});
		}
	});
});

test('Set with Allow Empty takes an empty list', async () => {
	await withServer(SERVICE, async (server, scim) => {
		const wanted = { ...fromExpression('={{ [] }}'), ...managed, options: { allowEmpty: true } };
		const { error } = await scim('access', 'set', byGroup('user-1', wanted));
		expect(error).toBeUndefined();
		expect([server.membersOf('g-1'), server.membersOf('g-2')]).toEqual([[], []]);
	});
});

// n8n sets By ID for every expression that is entered or dragged into a row.
test.each([
	['a name', '={{ "VPN" }}', ['g-1']],
	['an ID', '={{ "g-1" }}', ['g-1']],
	['names and IDs', '={{ ["VPN", "g-2"] }}', ['g-1', 'g-2']],
	['the JSON of a list', '={{ JSON.stringify(["VPN"]) }}', ['g-1']],
	['an object', '={{ { group: "Sales" } }}', ['g-2']],
	['objects', '={{ [{ groupId: "g-1" }, { group: "Sales" }] }}', ['g-1', 'g-2']],
])('a row whose expression gives %s', async (_, value, expected) => {
	await withServer(SERVICE, async (server, scim) => {
		const { error } = await scim('access', 'assign', byGroup('user-2', fromExpression(value)));
		expect(error).toBeUndefined();
		const holding = ['g-1', 'g-2'].filter((id) => server.membersOf(id).includes('user-2'));
		expect(holding).toEqual(expected);
	});
});

test('a typed ID is never taken for a name', async () => {
	await withServer(SERVICE, async (server, scim) => {
		const wanted = byGroup('user-2', someGroups(locator('id', 'VPN')));
		const { error } = await scim('access', 'assign', wanted);
		expect(error.message).toContain('VPN');
		expect(server.written()).toStrictEqual([]);
	});
});

test.each([
	['an organization', oneRole(locator('id', '={{ "org-2" }}'), 'viewer'), ['org-2:viewer']],
	[
		'organizations, with the role of the row',
		oneRole(locator('id', '={{ ["org-1", "org-2"] }}'), 'viewer'),
		['org-1:viewer', 'org-2:viewer'],
	],
	[
		'objects, with roles of their own',
		oneRole(locator('id', '={{ [{ organization: "org-1", role: "member" }] }}'), 'viewer'),
		['org-1:member'],
	],
])('a row of roles whose expression gives %s', async (_, roles, expected) => {
	await withServer(PLACES, async (server, scim) => {
		const given = { people: 'user-2', ...roles };
		const { error } = await scim('access', 'assign', given, { credential: ON_PLACES });
		expect(error).toBeUndefined();
		const holding = PLACES.groups.filter(({ id }) => server.membersOf(id).includes('user-2'));
		expect(holding.map(({ id }) => id)).toEqual(expected);
	});
});

test.each(NOTHING.slice(0, 4))(
	'a row of roles whose expression gives %s is refused',
	async (_, value) => {
		await withServer(PLACES, async (server, scim) => {
			const given = { people: 'user-2', ...oneRole(locator('id', value), 'viewer') };
			const { error } = await scim('access', 'assign', given, { credential: ON_PLACES });
			expect(error.message).toContain('names no group');
			expect(server.written()).toStrictEqual([]);
		});
	},
);
