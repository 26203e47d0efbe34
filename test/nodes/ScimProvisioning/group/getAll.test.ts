import { ANA, group, list, listOf } from '../../../support/answers';
import { runChecked, wire } from '../../../support/wire';

const api = wire();

const GROUPS = 'GET /scim/Groups';

const getAll = async (parameters = {}, more = {}) =>
	await runChecked('group', 'getAll', { options: { maxWait: 0 }, ...parameters }, more);

it('gives groups with organization and role', async () => {
	api.answer(GROUPS, [200, list([group('whylabs-org-1:admin', [['user-1', ANA]])])]);

	const { json, pairedItems } = await getAll(
		{},
		{ credential: { organizationNames: { organization: [{ name: 'Marketing', id: 'org-1' }] } } },
	);

	expect(api.sent()).toEqual(['GET /scim/Groups?startIndex=1&count=50']);
	expect(json).toEqual([
		{
			id: 'whylabs-org-1:admin',
			displayName: 'whylabs-org-1:admin',
			organization: 'org-1',
			organizationName: 'Marketing',
			role: 'admin',
			members: [{ userId: 'user-1', display: ANA }],
		},
	]);
	expect(pairedItems).toEqual([[0]]);
});

it('carries filter and attributes', async () => {
	api.answer(GROUPS, [200, list([])]);

	await getAll({
		filters: { filter: 'displayName eq "org-1:member"' },
		options: { maxWait: 0, attributes: 'id', startIndex: 3 },
	});

	expect(api.requests[0].query).toEqual({
		filter: 'displayName eq "org-1:member"',
		attributes: 'id',
		startIndex: '3',
		count: '50',
	});
});

it('takes a group id that says nothing of organization and role', async () => {
	api.always('GET /Groups', listOf([{ id: 'g-17', displayName: 'Everybody', members: [] }]));

	const { json } = await getAll({}, { credential: { serviceProfile: 'generic' } });

	expect(json).toEqual([{ id: 'g-17', displayName: 'Everybody', members: [] }]);
});
