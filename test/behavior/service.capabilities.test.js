'use strict';

// Service: Get Capabilities, against each lie of a service. It reads alone.

const { dialectOf } = require('../../demo/service/scim/dialects');
const { Groups, play } = require('../support/behavior');
const { runOnModel } = require('../support/modelNode');

const CONFIG = {
	schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
	patch: { supported: true },
	bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
	filter: { supported: true, maxResults: 50 },
	etag: { supported: false },
};
const DISCOVERY = {
	ServiceProviderConfig: CONFIG,
	ResourceTypes: { totalResults: 2, Resources: [{ name: 'User' }, { name: 'Group' }] },
	Schemas: { Resources: [{ id: 'urn:ietf:params:scim:schemas:core:2.0:User' }] },
};
const PROFILES = {
	generic: {},
	accountOrganizations: { serviceProfile: 'accountOrganizations', scimPrefix: 'nowhere' },
};

/** A service with so many people, and two groups with one of them each. */
const serviceOf = ({ count = 5, groups, ...switches } = {}) => {
	const names = Array.from({ length: count }, (_, at) => `p${at + 1}`);
	const people = Object.fromEntries(
		names.map((name, at) => [name, at > 1 || groups ? '' : `g${at + 1}`]),
	);
	return new Groups(people, { groups: groups ?? ['g1', 'g2'], discovery: DISCOVERY, ...switches });
};

async function found(switches) {
	const w = serviceOf(switches);
	const items = await play(w, ['service', 'getCapabilities'], {});
	expect(w.service.written()).toStrictEqual([]);
	expect(items).toHaveLength(1);
	const { requests } = w.service;
	expect(requests.every(({ body }) => body === undefined)).toBe(true);
	expect(items[0].error).toBeUndefined();
	expect(items[0].requests).toBe(requests.length);
	return items[0];
}

test('a service that behaves', async () => {
	expect(await found()).toEqual({
		baseUrl: 'http://scim.test',
		said: {
			serviceProviderConfig: {
				...{ patch: true, bulk: false, filter: true, filterMaxResults: 50, etag: false },
			},
			resourceTypes: ['User', 'Group'],
			schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
		},
		seen: {
			...{ filter: 'works', filterIgnoresCase: 'yes', paging: 'works', users: 5, groups: 2 },
			...{ usersShowGroups: 'yes', groupsShowMembers: 'yes', groupsAreOrganizationRoles: 'no' },
		},
		notes: [],
		recommended: { serviceProfile: 'generic', scimPrefix: 'nowhere', groupsStandFor: 'groups' },
		requests: expect.any(Number),
	});
});

const AWS = { ...dialectOf('aws').switches, count: 120 };
const WORKS = { filter: 'works', paging: 'works' };
const EMPTY = { count: 0, groups: [], discovery: {} };
const describedBy = (body) => ({
	discovery: { ServiceProviderConfig: body, ResourceTypes: body, Schemas: body },
});
const config = (ServiceProviderConfig) => ({ discovery: { ServiceProviderConfig } });
const BY_ROLE = { groupsStandFor: 'organizationAndRole', groupPattern: '{organization}:{role}' };
const named = (...ids) => ({ groups: ids.map((id) => ({ id, displayName: id })) });
const ACCOUNT_GROUPS = ['org-1', 'org-2'].flatMap((organization) =>
	['admin', 'member', 'viewer'].map((role) => `${organization}:${role}`),
);

test.each([
	[
		'without discovery',
		{ discovery: {} },
		{
			said: {},
			seen: { ...WORKS, users: 5 },
			notes: ['The service does not describe itself: everything below was tried.'],
		},
	],
	[
		'discovery that is a web page',
		describedBy('<html><title>Welcome</title></html>'),
		{ seen: WORKS },
	],
	['discovery that is an empty object', describedBy({}), { seen: WORKS }],
	[
		'discovery that is an Error within a 200',
		describedBy({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'] }),
		{ seen: WORKS },
	],
	[
		'discovery that is nonsense',
		describedBy({ patch: 'yes', filter: 7, bulk: null }),
		{ seen: WORKS },
	],
	[
		'names of discovery in other case',
		config({ PATCH: { SUPPORTED: false } }),
		{
			said: { serviceProviderConfig: { patch: false } },
			notes: [expect.stringContaining('has no PATCH')],
		},
	],
	[
		'a filter that works, and is denied',
		config({ ...CONFIG, filter: { supported: false } }),
		{ seen: { filter: 'works' }, notes: ['The service says that it has no filter, but it works.'] },
	],
	...[400, 403, 501].map((filter) => [
		`a filter refused with ${filter}`,
		{ filter },
		{
			seen: { filter: 'refused', filterIgnoresCase: 'unknown' },
			notes: ['The service says that it has a filter, but it is refused.'],
		},
	]),
	[
		'a filter that is ignored',
		{ filter: 'ignored' },
		{
			seen: { filter: 'ignored' },
			notes: ['The service says that it has a filter, but it is ignored.'],
		},
	],
	[
		'a filter that minds case',
		{ filter: 'exactCase' },
		{ seen: { filter: 'works', filterIgnoresCase: 'no' } },
	],
	['a filter that finds nobody', { filterMisses: () => true }, { seen: { filter: 'unknown' } }],
	...['absent', 'null'].map((noHits) => [
		`zero hits as ${noHits}`,
		{ noHits },
		{ seen: { filter: 'works' } },
	]),
	['startIndex ignored', { ignoresStart: true }, { seen: { paging: 'startIndexIgnored' } }],
	['count ignored', { ignoresCount: true }, { seen: { paging: 'countIgnored' } }],
	['a page cap', { count: 60, pageCap: 20 }, { seen: { paging: 'works', pageCap: 20, users: 60 } }],
	['totalResults as text', { total: 'string' }, { seen: { ...WORKS, users: 5 }, notes: [] }],
	['totalResults missing', { total: 'missing' }, { seen: WORKS, notes: [], lacks: ['seen.users'] }],
	[
		'totalResults of a page',
		{ total: 'page' },
		{
			seen: WORKS,
			lacks: ['seen.users'],
			notes: [
				'The service returns the size of a page as totalResults, so the number of users is unknown.',
			],
		},
	],
	[
		'nobody',
		{ count: 0, groups: ['g1'] },
		{ seen: { paging: 'unknown', users: 0, filter: 'unknown' } },
	],
	['one user', { count: 1 }, { seen: { paging: 'unknown', users: 1, filter: 'works' } }],
	...['generic', 'awsIdentityCenter'].map((serviceProfile) => [
		`cursors alone, profile ${serviceProfile}`,
		{ ...AWS, credential: { serviceProfile } },
		{
			seen: { paging: 'cursor', filter: 'works', groups: 2 },
			recommended: { paging: 'cursor' },
			lacks: ['seen.users'],
		},
	]),
	[
		'cursors with a page cap, and groups of more than a page',
		{ ...AWS, paging: 'cursor', refusesQuery: [], mostCount: Infinity, pageCap: 1 },
		{ seen: { paging: 'cursor', pageCap: 1 } },
	],
	...['nowhere', 'everyRequest', 'collectionsOnly'].flatMap((scimPrefix) => [
		[
			`/scim on every request, credential ${scimPrefix}`,
			{ prefix: '/scim', credential: { scimPrefix } },
			{
				recommended: { scimPrefix: 'everyRequest' },
				seen: { filter: 'works', users: 5 },
				said: { resourceTypes: ['User', 'Group'] },
				...(scimPrefix === 'nowhere' && {
					notes: ['Users are found with SCIM Prefix "everyRequest".'],
				}),
			},
		],
		// A note never names another setting than the one that is recommended.
		[
			`/scim on collections only, credential ${scimPrefix}`,
			{ prefix: '/scim', itemPrefix: '', credential: { scimPrefix } },
			{
				recommended: { scimPrefix: 'collectionsOnly' },
				notes: expect.not.arrayContaining([expect.stringContaining('"everyRequest"')]),
			},
		],
		[
			`no /scim at all, credential ${scimPrefix}`,
			{ credential: { scimPrefix } },
			{ recommended: { scimPrefix: 'nowhere' } },
		],
	]),
	[
		'an account with organizations',
		named(...ACCOUNT_GROUPS),
		{
			seen: { groupsAreOrganizationRoles: 'yes' },
			recommended: { serviceProfile: 'accountOrganizations' },
			lacks: ['recommended.groupsStandFor', 'recommended.groupPattern'],
		},
	],
	[
		'IDs that spell organization and role',
		{ groups: ['sales:reader', 'ops:writer'].map((id) => ({ id, displayName: 'x' })) },
		{ recommended: { serviceProfile: 'generic', ...BY_ROLE, groupPatternOn: 'id' } },
	],
	[
		'names that spell them',
		{
			groups: ['sales:reader', 'ops:writer'].map((displayName, at) => ({
				id: `g${at}`,
				displayName,
			})),
		},
		{ recommended: { serviceProfile: 'generic', ...BY_ROLE, groupPatternOn: 'displayName' } },
	],
	[
		'one name that spells nothing: groups are groups',
		named('sales:reader', 'ops:writer', 'Everyone'),
		{ recommended: { groupsStandFor: 'groups' }, lacks: ['recommended.groupPattern'] },
	],
	[
		'members that are always empty',
		{ showsMembers: 'empty', usersShowGroups: 'absent' },
		{ seen: { groupsShowMembers: 'unknown', usersShowGroups: 'unknown' } },
	],
	[
		'members that are absent',
		{ showsMembers: 'absent', usersShowGroups: 'absent' },
		{ seen: { groupsShowMembers: 'no', usersShowGroups: 'unknown' } },
	],
	[
		'members of single groups alone',
		{ listsMembers: 'absent' },
		{ seen: { groupsShowMembers: 'yes' } },
	],
	[
		'no list of groups',
		{ faults: [{ method: 'GET', path: '/Groups', kind: 'status', status: 403, body: 'no' }] },
		{
			notes: expect.arrayContaining(['The list of groups cannot be read.']),
			lacks: ['seen.groups'],
		},
	],
	...['upper', 'lower'].map((names) => [
		`attribute names in ${names} case`,
		{ names },
		{ seen: { ...WORKS, groupsShowMembers: 'yes' } },
	]),
	// Nothing is recommended that is only assumed.
	['how members are removed, generic', {}, { lacks: ['recommended.memberRemoval'] }],
	[
		'how members are removed, django-scim2',
		dialectOf('djangoScim2').switches,
		{ lacks: ['recommended.memberRemoval'] },
	],
	[
		'how members are removed, as a profile documents it',
		dialectOf('aws').switches,
		{ recommended: { serviceProfile: 'awsIdentityCenter', memberRemoval: 'valueList' } },
	],
])('%s', async (_, switches, { lacks = [], ...expected }) => {
	const item = await found(switches);
	expect(item).toMatchObject(expected);
	for (const path of lacks) expect(item).not.toHaveProperty(path);
});

test.each([
	[EMPTY, { scimPrefix: 'nowhere' }],
	[{ ...EMPTY, prefix: '/scim' }, {}],
])('of an empty service hardly anything is recommended: %j', async (switches, prefix) => {
	const { recommended } = await found(switches);
	expect(recommended).toEqual({ serviceProfile: 'generic', ...prefix });
});

test('several items are one probe', async () => {
	const w = serviceOf();
	expect(await play(w, ['service', 'getCapabilities'], {}, [{}, {}, {}])).toHaveLength(3);
	expect(w.service.requests.length).toBeLessThan(15);
});

describe.each(Object.entries(PROFILES))('profile %s', (_, credential) => {
	test.each([
		[
			'a service that is nowhere to be found',
			{ prefix: '/elsewhere' },
			2,
			/^Could not list users: the service answered 404/,
			'where the /scim prefix goes',
		],
		[
			'a wrong token',
			{ token: 'another' },
			1,
			/^Could not list users: the service answered 401, Unauthorized$/,
			'Check the credential',
		],
	])('%s gives advice', async (__, switches, asked, message, advice) => {
		const w = serviceOf({ ...switches, credential });
		const { thrown } = await runOnModel(w.service, {
			...{ resource: 'service', operation: 'getCapabilities', continueOnFail: false },
			credential: w.credential,
		});
		expect(thrown.message).toMatch(message);
		expect(thrown.description).toContain(advice);
		expect(w.service.requests).toHaveLength(asked);
	});
});
