import { PROFILES, accountRole } from '../../../../nodes/shared/scim/protocol/service';

const { accountOrganizations: account, generic } = PROFILES;

it.each([
	['key:org-1', 'org-1'],
	['key:whylabs-org-1', 'org-1'],
	['a:b:org-2', 'org-2'],
	['org-1', ''],
	['key:other', ''],
	['', ''],
])('the token %j names the organization %j', (token, organization) => {
	expect(account.accountIn(token)).toBe(organization);
	expect(generic.accountIn(token)).toBe('');
});

it.each([
	['admin', 'admin', 'admin'],
	[' Viewer ', 'viewer', 'Viewer'],
	['owner', undefined, 'owner'],
	[' ', undefined, undefined],
])('%j names a role of an account: %j, of other groups: %j', (text, role, other) => {
	expect(account.groups().role(text)).toBe(role);
	expect(generic.groups().role(text)).toBe(other);
});

it.each([
	['org-1:admin', { organization: 'org-1', role: 'admin' }],
	[' whylabs-org-1:VIEWER ', { organization: 'org-1', role: 'viewer' }],
	['org-1:owner', undefined],
	['team-1:admin', undefined],
	['org-1:admin:x', undefined],
	['x org-1:admin', undefined],
	['org-:', undefined],
])('the group %j of an account stands for %j', (id, place) => {
	expect(accountRole(id)).toEqual(place);
});

it.each([
	['org-1:admin', [{ organization: 'org-1', role: 'admin' }]],
	[' whylabs-org-1:ADMIN ', [{ organization: 'org-1', role: 'admin' }]],
	['org:1:owner', [{ organization: 'org:1', role: 'owner' }]],
	['org-1:', []],
	[':admin', []],
	['admin', []],
	[':', []],
	['', []],
])('the ways to read the group %j of an account: %j', (id, readings) => {
	const groups = account.groups();
	expect(groups.readings(id)).toEqual(readings);
	expect(groups.parse(id)).toEqual(readings[0]);
});

it('groups of an account: how an organization and role are spelled, and what is equal', () => {
	const groups = account.groups();
	expect(groups.format({ organization: ' whylabs-org-1', role: ' Admin ' })).toBe('org-1:admin');
	expect(groups.key(' whylabs-org-1:ADMIN')).toBe(groups.key('org-1:admin'));
	expect(groups.key('org-1:admin')).toBe(groups.placeKey({ organization: 'org-1', role: 'Admin' }));
	for (const other of ['org-2:admin', 'org-1:member', 'org-1'])
		expect(groups.key('org-1:admin')).not.toBe(groups.key(other));
	expect(groups.key(' plain ')).toBe('plain');
	expect(() => groups.requirePattern()).not.toThrow();
	expect(['org-1', 'Marketing'].map((text) => groups.isOrganization(text))).toEqual([true, false]);
});
