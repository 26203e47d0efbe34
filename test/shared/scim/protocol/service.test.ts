import { PROFILES } from '../../../../nodes/shared/scim/protocol/presets';

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
