'use strict';

require('../support/noWaiting');
const {
	ID,
	credentialOf,
	email,
	errorsIn,
	listed,
	locator,
	membersIn,
	person,
	play,
	serviceWith,
} = require('../support/modelGroupsPlay');

// A text such as "Team: Engineering" is the name of a group before it is a role in an organization.

const GROUPS = [
	{ id: ID.eng, displayName: 'Team: Engineering' },
	{ id: ID.vpn, displayName: 'app-Team-Engineering' },
	{ id: ID.sales, displayName: 'app-Marketing-member' },
];
const credential = {
	...credentialOf(),
	groupsStandFor: 'organizationAndRole',
	groupPattern: 'app-{organization}-{role}',
	groupPatternOn: 'displayName',
};
const serviceOf = () => serviceWith({ groups: GROUPS, people: [person('ben', [])] });

test.each([
	['by name', locator('name', 'Team: Engineering'), 'eng'],
	['as text', 'Team: Engineering', 'eng'],
	['a role, where no group is called so', locator('name', 'Marketing: member'), 'sales'],
])('%s', async (_, group, word) => {
	const service = serviceOf();
	await play(service, 'assign', { people: email('ben'), ...listed(group) }, [{}], { credential });
	expect(membersIn(service)).toEqual({ [word]: ['ben'] });
});

describe('what nearly fits is named, and nothing is sent', () => {
	const role = (organization, word) => ({
		accessBy: 'organizationAndRole',
		roles: { role: [{ organization: locator('id', organization), role: word }] },
	});

	test.each([
		['a name', listed('Team: Enginering'), '"Team: Enginering" (did you mean Team: Engineering?)'],
		['an organization', listed('Marketng: member'), 'did you mean Marketing: member?'],
		['a role', listed('Marketing: membr'), 'did you mean Marketing: member?'],
		['in two fields', role('Marketng', 'member'), 'did you mean member in Marketing?'],
		['nothing near', listed('Finance'), 'There is no group "Finance"\n'],
	])('%s', async (_, group, message) => {
		const service = serviceOf();
		const given = { people: email('ben'), ...group };
		const items = await play(service, 'assign', given, [{}], { credential });
		expect(
			errorsIn(items)
				.map((error) => `${error}\n`)
				.join(),
		).toContain(message);
		expect(service.written()).toStrictEqual([]);
	});
});

test('the group that is called so is deleted', async () => {
	const service = serviceOf();
	const group = locator('name', 'Team: Engineering');
	await play(service, 'delete', { group }, [{}], { credential, resource: 'group' });
	expect([...service.groups.keys()].sort()).toEqual([ID.vpn, ID.sales].sort());
});
