'use strict';

const { Account, Groups, emails, locator, rows, table } = require('../support/behavior');

const inOne = (organization, roleHeld = 'any', options = {}) => ({
	...{ accessBy: 'organizationAndRole', revokeIn: 'one', roleHeld, options },
	organization: locator('id', organization),
});
const ANA = { people: emails('ana') };

describe('on the account', () => {
	const on = (more) => () =>
		new Account({ ana: 'a:viewer b:member', bob: 'a:admin b:admin' }, more);
	const fromB = { ends: { ana: 'a:viewer' } };
	table('access', 'revoke', [
		{
			it: 'one organization, whatever the role',
			on: on(),
			wish: () => ({ ...ANA, ...inOne('org-b') }),
			items: ['revoked ana b:member done'],
			...{ ...fromB, reads: 1 },
		},
		{
			it: 'an answer that is lost: looked at, not repeated',
			on: on({ faults: [{ method: 'PATCH', nth: 1, kind: 'reset-after' }] }),
			wish: () => ({ ...ANA, ...inOne('org-b') }),
			...fromB,
		},
		{
			it: 'all of it',
			on: on(),
			wish: () => ({ ...ANA, accessBy: 'organizationAndRole', revokeIn: 'all' }),
			ends: { ana: '' },
		},
		{
			it: 'another role is held: skipped with the reason',
			on: on(),
			wish: () => ({ ...ANA, ...inOne('org-a', 'admin') }),
			items: [{ status: 'skipped', reason: 'the person is viewer in org-a instead' }],
		},
		{
			it: 'a role outside Only These Groups stays',
			on: on(),
			wish: () => ({ ...ANA, ...inOne('org-b', 'any', { managedGroups: rows('*org-b:viewer') }) }),
			items: [{ change: 'none', status: 'unchanged' }],
		},
	]);
	table('group', 'removeMembers', {
		it: 'never takes the role that the person has now',
		on: on(),
		wish: (w) => ({ ...ANA, chooseGroupBy: 'group', group: w.group('a:member') }),
		items: [{ status: 'skipped' }],
	});
});

describe('on plain groups', () => {
	table('access', 'revoke', [
		{
			it: 'one group of two: the other stays, and so does who else is in it',
			on: () => new Groups({ ana: 'eng vpn', ben: 'vpn' }),
			wish: (w) => ({ ...ANA, ...w.groups('vpn') }),
			items: ['revoked ana vpn done'],
			ends: { ana: 'eng' },
		},
		{
			it: 'all of a managed group that is named like the ID of another one of the person',
			on: () =>
				new Groups(
					{ ana: 'eng vpn', ben: '' },
					{
						groups: [
							{ id: 'vpn', displayName: 'eng' },
							{ id: 'eng', displayName: 'Engineering' },
						],
					},
				),
			wish: (w) => ({
				...{ people: w.userId('ana'), accessBy: 'group', revokeIn: 'all' },
				options: { managedGroups: rows('vpn') },
			}),
			items: ['revoked ana vpn done'],
			ends: { ana: 'eng' },
		},
	]);
});

describe.each(['id', 'displayName'])('where a pattern on %s says what groups stand for', (what) => {
	const on = () =>
		new Groups(
			{ ana: 'app-sales-editor', ben: 'app-hr-reader' },
			{
				groups: ['app-sales-reader'],
				credential: {
					...{ groupsStandFor: 'organizationAndRole', groupPatternOn: what },
					groupPattern: 'app-{organization}-{role}',
				},
			},
		);
	const revoke = (it, who, where, more) => ({
		...{ it, on, wish: () => ({ people: emails(who), ...where }), ...more },
	});
	const unchanged = { items: [{ change: 'none', status: 'unchanged', userName: emails('ben') }] };
	const managedGroups = rows('app-*-reader');
	table('access', 'revoke', [
		revoke('any role', 'ana', inOne('sales'), {
			ends: { ana: '' },
		}),
		revoke('this role', 'ana', inOne('sales', 'editor'), {
			ends: { ana: '' },
		}),
		revoke('any role of who has none there', 'ben', inOne('sales'), unchanged),
		revoke('this role of who has none there', 'ben', inOne('sales', 'editor'), unchanged),
		revoke('a mistyped organization, any role', 'ana', inOne('saels'), {
			items: [{ status: 'failed', userName: emails('ana') }],
			fails: ['There is no organization saels'],
		}),
		revoke('a mistyped organization, this role', 'ana', inOne('saels', 'editor'), {
			fails: [/There is no (organization saels|group "editor in saels")/],
		}),
		revoke('a role that the organization does not have', 'ana', inOne('sales', 'owner'), {
			fails: [/./],
		}),
		revoke('outside Only These Groups', 'ana', inOne('sales', 'any', { managedGroups }), {
			items: [{ status: 'unchanged' }],
		}),
		revoke('this role outside them', 'ana', inOne('sales', 'editor', { managedGroups }), {
			fails: [/./],
		}),
	]);
});
