'use strict';

require('../support/noWaiting');
const { email, errorsIn, locator, play, rows, serviceWith } = require('../support/modelGroupsPlay');

// Revoke by organization and role, where a service has roles of its own.

const groups = ['app-sales-editor', 'app-sales-reader', 'app-hr-reader'].map((id) => ({
	...{ id, displayName: id },
}));
const people = [
	{ userName: email('ana'), groups: ['app-sales-editor'] },
	{ userName: email('ben'), groups: ['app-hr-reader'] },
];

describe.each(['id', 'displayName'])('a pattern on %s', (groupPatternOn) => {
	const credential = {
		...{ serviceProfile: 'generic', groupsStandFor: 'organizationAndRole', groupPatternOn },
		groupPattern: 'app-{organization}-{role}',
	};
	const revoke = async (name, organization, roleHeld, options = {}) => {
		const service = serviceWith({ groups, people });
		const own = { people: email(name), accessBy: 'organizationAndRole', revokeIn: 'one', options };
		const place = { organization: locator('id', organization), roleHeld };
		return {
			service,
			items: await play(service, 'revoke', { ...own, ...place }, [{}], { credential }),
		};
	};

	test('any role: what the person has there goes', async () => {
		const { service, items } = await revoke('ana', 'sales', 'any');
		expect(items).toMatchObject([{ groupId: 'app-sales-editor', status: 'done' }]);
		expect(service.written()).toEqual(['PATCH /Groups/app-sales-editor']);
	});

	test.each(['any', 'editor'])('role %s: who has nothing there is unchanged', async (role) => {
		const { service, items } = await revoke('ben', 'sales', role);
		expect(items).toMatchObject([{ change: 'none', status: 'unchanged', userName: email('ben') }]);
		expect(errorsIn(items)).toStrictEqual([]);
		expect(service.written()).toStrictEqual([]);
	});

	test.each(['any', 'editor'])('role %s: a mistyped organization is an error', async (role) => {
		const { service, items } = await revoke('ana', 'saels', role);
		expect(items).toMatchObject([{ status: 'failed', userName: email('ana') }]);
		expect(errorsIn(items)[0]).toMatch(/There is no (organization saels|group "editor in saels")/);
		expect(service.written()).toStrictEqual([]);
	});

	test('a role that the organization does not have is an error', async () => {
		const { service, items } = await revoke('ana', 'sales', 'owner');
		expect(errorsIn(items)).toHaveLength(1);
		expect(service.written()).toStrictEqual([]);
	});

	test.each(['any', 'editor'])('role %s: groups outside Managed Groups stay', async (role) => {
		const { service, items } = await revoke('ana', 'sales', role, {
			managedGroups: rows('app-*-reader'),
		});
		expect(items).toMatchObject([{ status: role === 'any' ? 'unchanged' : 'failed' }]);
		expect(service.written()).toStrictEqual([]);
	});
});

test('on account organizations a member outside Managed Groups stays', async () => {
	const account = ['org-1:member', 'org-1:viewer'].map((id) => ({ id, displayName: id }));
	const service = serviceWith({
		groups: account,
		people: [{ userName: email('ana'), groups: ['org-1:member'] }],
	});
	const own = { people: email('ana'), accessBy: 'organizationAndRole', revokeIn: 'one' };
	const items = await play(
		service,
		'revoke',
		{
			...{ ...own, organization: locator('id', 'org-1'), roleHeld: 'any' },
			options: { managedGroups: rows('org-1:viewer') },
		},
		[{}],
		{ credential: { serviceProfile: 'accountOrganizations', scimPrefix: 'nowhere' } },
	);
	expect(items).toMatchObject([{ status: 'unchanged' }]);
	expect(service.written()).toStrictEqual([]);
});
