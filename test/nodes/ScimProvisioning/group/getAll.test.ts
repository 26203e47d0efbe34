import { ANA, group, list, listOf, scimError } from '../../../support/answers';
import { runChecked, wire } from '../../../support/wire';

const api = wire();

const GROUPS = 'GET /scim/Groups';

const groupsOf = (organizations: number) =>
	Array.from({ length: organizations }, (_, index) =>
		['admin', 'member', 'viewer'].map((role) => group(`whylabs-org-${index + 1}:${role}`)),
	).flat();

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
			members: [{ id: 'user-1', display: ANA }],
		},
	]);
	expect(pairedItems).toEqual([[0]]);
});

it('returns all, page by page', async () => {
	api.always(GROUPS, listOf(groupsOf(67)));

	const { json } = await getAll({ returnAll: true });

	expect(json).toHaveLength(201);
	expect(api.sent()).toEqual([
		'GET /scim/Groups?startIndex=1&count=100',
		'GET /scim/Groups?startIndex=101&count=100',
		'GET /scim/Groups?startIndex=201&count=100',
	]);
});

it('keeps to the limit', async () => {
	api.always(GROUPS, listOf(groupsOf(67)));

	const { json } = await getAll({ limit: 4 });

	expect(json).toHaveLength(4);
	expect(api.sent()).toEqual(['GET /scim/Groups?startIndex=1&count=4']);
});

it('carries filter, attributes and excluded attributes', async () => {
	api.answer(GROUPS, [200, list([])]);

	await getAll({
		filters: { filter: 'displayName eq "org-1:member"' },
		options: { maxWait: 0, attributes: 'id', excludedAttributes: 'members', startIndex: 3 },
	});

	expect(api.requests[0].query).toEqual({
		filter: 'displayName eq "org-1:member"',
		attributes: 'id',
		excludedAttributes: 'members',
		startIndex: '3',
		count: '50',
	});
});

it('gives groups as they came without Simplify', async () => {
	const [first] = groupsOf(1);
	api.answer(GROUPS, [200, list([first])]);

	const { json } = await getAll({ simplify: false });

	expect(json).toEqual([first]);
});

it('takes a group id that says nothing of organization and role', async () => {
	api.always('GET /Groups', listOf([{ id: 'g-17', displayName: 'Everybody' }]));

	const { json } = await getAll({}, { credential: { serviceProfile: 'generic' } });

	expect(json).toEqual([{ id: 'g-17', displayName: 'Everybody', members: [] }]);
});

it('says that a list is incomplete', async () => {
	api.always(GROUPS, [200, list([{ displayName: 'nameless' }])]);

	const { error } = await getAll({ returnAll: true });

	expect(error?.message).toContain('The list of groups is incomplete');
});

it('fails with what the service says', async () => {
	api.answer(GROUPS, scimError(501, 'Groups are not offered'));

	const { error } = await getAll();

	expect(error).toMatchObject({
		message: 'Could not list groups: the service answered 501, Groups are not offered',
		httpCode: '501',
	});
});
