'use strict';

const { Account, Groups, locator, play, table } = require('../support/behavior');

const NAMES = { organizationNames: { organization: [{ name: 'Marketing', id: 'org-a' }] } };
const account = () => new Account({ ana: 'a:member' }, { credential: NAMES });
const group = (value) => ({ chooseGroupBy: 'group', group: locator('id', value) });
const roleIn = (mode, value, role = 'member') => ({
	chooseGroupBy: 'organizationAndRole',
	organization: locator(mode, value),
	role,
});
const SHOWN = {
	id: 'whylabs-org-a:member',
	displayName: 'whylabs-org-a:member',
	organization: 'org-a',
	organizationName: 'Marketing',
	role: 'member',
	members: [{ userId: expect.any(String), display: 'ana@example.com' }],
};

table('group', 'get', [
	...[
		['ID', group('org-a:member')],
		['canonical ID', group('whylabs-org-a:member')],
		['the list', { ...group(''), group: locator('list', 'whylabs-org-a:member') }],
		['organization and role', roleIn('id', 'org-a')],
		['an organization as answers write it', roleIn('id', 'whylabs-org-a')],
		['the name of an organization', roleIn('name', 'marketing')],
	].map(([by, wish]) => ({
		it: `by ${by}: one read`,
		on: account,
		wish: () => wish,
		items: [SHOWN],
		reads: 1,
	})),
	{
		it: 'without Simplify the resource comes as it is',
		on: account,
		wish: () => ({ ...roleIn('id', 'org-a'), simplify: false }),
		items: [{ schemas: expect.any(Array), meta: expect.any(Object), id: SHOWN.id }],
	},
	{
		it: 'members that a service shows twice are read once',
		on: () => {
			const w = new Groups({ ana: 'eng' }, { storesTwice: true });
			w.service.add('eng', w.user('ana').value);
			return w;
		},
		wish: (w) => ({ group: w.group('eng') }),
		items: [{ members: [expect.any(Object)] }],
	},
	...[
		[roleIn('id', ''), 'The organization is empty'],
		[roleIn('id', 'org-a', ''), '"" is not a role'],
		[roleIn('id', 'org-a', 'owner'), '"owner" is not a role'],
		[group(''), 'No group specified'],
		[group('..'), '".." is not an ID'],
	].map(([wish, message]) => ({
		it: `${message}: nothing is asked`,
		on: account,
		wish: () => wish,
		fails: [message],
		reads: 0,
	})),
	{
		it: 'a role in an organization is none where IDs do not say it',
		on: () => new Groups({ ana: 'eng' }),
		wish: () => roleIn('id', 'org-a'),
		fails: ['The credential does not say which organization and role a group stands for'],
		reads: 0,
	},
]);

table('group', 'getAll', [
	{
		it: 'groups with organization and role',
		on: account,
		wish: () => ({ returnAll: true }),
		items: [{ role: 'admin', members: [] }, SHOWN, { role: 'viewer', members: [] }],
	},
	{
		it: 'groups that say nothing of organization and role',
		on: () => new Groups({ ana: 'eng' }, { showsNames: false }),
		wish: () => ({ returnAll: true }),
		items: [{ id: 'eng', displayName: 'eng', members: [{ userId: expect.any(String) }] }],
	},
]);

test('filter and attributes go with the request', async () => {
	const w = account();
	const filter = 'displayName eq "org-a:member"';
	const options = { attributes: 'id', startIndex: 3 };
	await play(w, ['group', 'getAll'], { filters: { filter }, options });
	expect(w.service.requests[0].query).toEqual({
		...{ filter, attributes: 'id', startIndex: '3', count: '50' },
	});
});
