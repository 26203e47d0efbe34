import { presetFor, type Signs } from '../../../../nodes/shared/scim/protocol/service';

const NOTHING: Signs = {
	users: [],
	groups: [],
	paging: 'works',
	saysTotal: true,
	groupsAreOrganizationRoles: false,
};
const AWS = { paging: 'cursor', saysTotal: false, groups: [{ id: 'g', members: [] }] };
const WANDB = { users: [{ emails: { Value: 'ana@example.com' } }] };

test.each([
	['scim.eu-central-1.amazonaws.com/abc-123/scim/v2', 'awsIdentityCenter'],
	['scim.eu-central-1.amazonaws.com.example.com/abc/scim/v2', 'generic'],
	['api.slack.com/scim/v2', 'slack'],
	['api.slack.com/scim/v1', 'generic'],
	['api.github.com/scim/v2/enterprises/acme', 'github'],
	['github.example.com/api/v3/scim/v2', 'github'],
	['api.github.com/scim/v2/organizations/acme', 'github'],
	['accounts.cloud.databricks.com/api/2.1/accounts/1-2/scim/v2', 'databricks'],
	['id.example.com/realms/acme/scim/v2', 'keycloak'],
	['id.example.com/auth/realms/acme/scim/v2', 'keycloak'],
	['scim.example.com/scim/v2', 'generic'],
])('%s is %s', (address, preset) => {
	expect(presetFor(address, NOTHING)).toBe(preset);
});

test.each([
	['cursors, no total, empty members', AWS, 'awsIdentityCenter'],
	[
		'the same, but one group shows a member',
		{ ...AWS, groups: [...AWS.groups, { members: [{}] }] },
		'generic',
	],
	['the same, but no group', { ...AWS, groups: [] }, 'generic'],
	['the same, but a total', { ...AWS, saysTotal: true }, 'generic'],
	['the same by index', { ...AWS, paging: 'works' }, 'generic'],
	['the same, but members that are not shown', { ...AWS, groups: [{ id: 'g' }] }, 'generic'],
	['one of several emails as an object', { users: [{}, ...WANDB.users] }, 'weightsAndBiases'],
	['empty members alone', { groups: AWS.groups }, 'generic'],
	['one email as an object', WANDB, 'weightsAndBiases'],
	['emails as RFC 7643 has them', { users: [{ emails: [{ value: 'a' }] }] }, 'generic'],
	['groups of organizations', { groupsAreOrganizationRoles: true }, 'accountOrganizations'],
	['signs of two', { ...AWS, ...WANDB }, 'generic'],
])('%s', (_, seen, preset) => {
	expect(presetFor('scim.example.com/v2', { ...NOTHING, ...seen })).toBe(preset);
});

test('a documented address outweighs what was seen', () => {
	expect(presetFor('api.slack.com/scim/v2', { ...NOTHING, ...AWS })).toBe('slack');
});
