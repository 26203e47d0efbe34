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
	const numbered = (length, letter) => Array.from({ length }, (_, at) => `${letter}${at + 1}`);
	const names = numbered(count, 'p');
	const others = typeof groups === 'number' ? numbered(groups, 'g') : groups;
	const people = Object.fromEntries(
		names.map((name, at) => [name, at > 1 || groups ? '' : `g${at + 1}`]),
	);
	return new Groups(people, { groups: others ?? ['g1', 'g2'], discovery: DISCOVERY, ...switches });
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
			...{ paging: 'works', users: 5, groups: 2 },
			...{ usersShowGroups: 'yes', groupsShowMembers: 'yes', groupsAreOrganizationRoles: 'no' },
		},
		notes: [],
		recommended: { serviceProfile: 'generic', scimPrefix: 'nowhere', groupsStandFor: 'groups' },
		requests: expect.any(Number),
	});
});

const AWS = { ...dialectOf('aws').switches, count: 120 };
const WORKS = { paging: 'works' };
const EMPTY = { count: 0, groups: [], discovery: {} };
const MANY = { count: 150, groups: 130 };
const describedBy = (body) => ({
	discovery: { ServiceProviderConfig: body, ResourceTypes: body, Schemas: body },
});
const config = (ServiceProviderConfig) => ({ discovery: { ServiceProviderConfig } });
const by = (serviceProfile) => ({ credential: { serviceProfile } });
const GROUPS_UNREAD = [{ method: 'GET', path: '/Groups', kind: 'status', status: 403, body: 'no' }];

/** A page of two with a next one, and a total of two. */
const CURSOR_PAGE = [
	{
		...{ method: 'GET', path: '/Users', nth: 1, kind: 'status', status: 200 },
		body: {
			...{ totalResults: 2, nextCursor: 'next' },
			Resources: ['a', 'b'].map((id) => ({ id, userName: id })),
		},
	},
];

test.each([
	[{ discovery: {} }, { ...WORKS, users: 5 }],
	[describedBy('<html><title>Welcome</title></html>'), WORKS],
	[describedBy({}), WORKS],
	[describedBy({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'] }), WORKS],
	[describedBy({ patch: 'yes', filter: 7, bulk: null, securityEvents: 'yes' }), WORKS],
	[{ filter: 403 }, { ...WORKS, users: 5, groups: 2 }],
	[{ ignoresStart: true }, { paging: 'startIndexIgnored' }],
	[{ ignoresCount: true }, { paging: 'countIgnored' }],
	[
		{ count: 60, pageCap: 20 },
		{ paging: 'works', users: 60 },
	],
	[{ total: 'string' }, { ...WORKS, users: 5 }],
	[{ total: 'missing' }, WORKS, ['users', 'groups']],
	[{ total: 'page' }, WORKS, ['users', 'groups']],
	[
		{ ...MANY, pageCap: 20 },
		{ ...WORKS, users: 150, groups: 130 },
	],
	[{ ...MANY, pageCap: 20, total: 'page' }, WORKS, ['users', 'groups']],
	[{ faults: CURSOR_PAGE }, { paging: 'cursor' }, ['users', 'groups']],
	[
		{ count: 0, groups: ['g1'] },
		{ paging: 'unknown', users: 0 },
	],
	[{ count: 1 }, { paging: 'unknown', users: 1 }],
	[{ ...AWS, ...by('generic') }, { paging: 'cursor', groups: 2 }, ['users']],
	[{ ...AWS, ...by('awsIdentityCenter') }, { paging: 'cursor' }, ['users']],
	[
		{ ...AWS, paging: 'cursor', refusesQuery: [], mostCount: Infinity, pageCap: 1 },
		{ paging: 'cursor' },
	],
	[
		{ showsMembers: 'empty', usersShowGroups: 'absent' },
		{ groupsShowMembers: 'unknown', usersShowGroups: 'unknown' },
	],
	[
		{ showsMembers: 'absent', usersShowGroups: 'absent' },
		{ groupsShowMembers: 'no', usersShowGroups: 'unknown' },
	],
	[{ listsMembers: 'absent' }, { groupsShowMembers: 'yes' }],
	[{ faults: GROUPS_UNREAD }, {}, ['groups']],
	[{ names: 'upper' }, { ...WORKS, groupsShowMembers: 'yes' }],
	[{ names: 'lower' }, { ...WORKS, groupsShowMembers: 'yes' }],
])('what is seen: %j', async (...given) => {
	const [switches, expected, lacks = []] = given;
	const { seen } = await found(switches);
	expect(seen).toMatchObject(expected);
	for (const name of lacks) expect(seen).not.toHaveProperty(name);
});

const CREATED = 'urn:ietf:params:scim:event:prov:create:notice';

// RFC 9967 section 4.
test.each([
	[
		{ asyncRequest: 'none', eventUris: [CREATED, null] },
		{ asyncRequest: 'none', eventUris: [CREATED] },
	],
	[
		{ AsyncRequest: 'LONG', eventUris: CREATED },
		{ asyncRequest: 'long', eventUris: [CREATED] },
		expect.stringContaining('may answer before a change is made'),
	],
	[{}, { eventUris: [] }],
	[null, undefined],
	['yes', undefined],
])('security events: %j', async (...given) => {
	const [securityEvents, expected, ...notes] = given.filter((one) => typeof one !== 'function');
	const item = await found(config({ ...CONFIG, securityEvents }));
	expect(item.said.serviceProviderConfig.securityEvents).toEqual(expected);
	expect(item.notes).toEqual(notes);
});

test.each([
	[{ discovery: {} }, 'The service does not describe itself.'],
	[config({ PATCH: { SUPPORTED: false } }), expect.stringContaining('has no PATCH')],
	[
		{ total: 'page' },
		'The service returns the size of a page as totalResults, so how many there are is unknown.',
	],
	[{ total: 'missing' }],
	[{ faults: GROUPS_UNREAD }, 'The list of groups cannot be read.'],
])('what is noted: %j', async (...given) => {
	const [switches, ...notes] = given.filter((one) => typeof one !== 'function');
	expect((await found(switches)).notes).toEqual(notes);
});

describe.each(['nowhere', 'everyRequest', 'collectionsOnly'])('credential %s', (scimPrefix) => {
	test.each([
		['everyRequest', { prefix: '/scim' }],
		['collectionsOnly', { prefix: '/scim', itemPrefix: '' }],
		['nowhere', {}],
	])('the prefix is %s', async (prefix, switches) => {
		const { recommended, seen, said, notes } = await found({
			...switches,
			credential: { scimPrefix },
		});
		expect(recommended.scimPrefix).toBe(prefix);
		expect(seen).toMatchObject({ paging: 'works', users: 5 });
		expect(said.resourceTypes).toEqual(['User', 'Group']);
		const isOff = scimPrefix === 'nowhere' && prefix !== 'nowhere';
		expect(notes).toEqual(isOff ? [`Users are found with Path Before /Users "${prefix}".`] : []);
	});
});

const BY_ROLE = {
	...{ serviceProfile: 'generic', groupsStandFor: 'organizationAndRole' },
	groupPattern: '{organization}:{role}',
};
const spelled = (of) => ({ groups: ['sales:reader', 'ops:writer'].map(of) });
const named = (...ids) => ({ groups: ids.map((id) => ({ id, displayName: id })) });
const ACCOUNT_GROUPS = ['org-1', 'org-2'].flatMap((organization) =>
	['admin', 'member', 'viewer'].map((role) => `${organization}:${role}`),
);

test.each([
	[
		'generic',
		named(...ACCOUNT_GROUPS),
		{ serviceProfile: 'accountOrganizations' },
		['groupsStandFor', 'groupPattern'],
	],
	[
		'IDs that lack roles of an account',
		named('org-a:member', 'org-b:member'),
		{ ...BY_ROLE, groupPatternOn: 'id' },
	],
	[
		'IDs of groups',
		spelled((id) => ({ id, displayName: 'x' })),
		{ ...BY_ROLE, groupPatternOn: 'id' },
	],
	[
		'names of groups',
		spelled((displayName, at) => ({ id: `g${at}`, displayName })),
		{ ...BY_ROLE, groupPatternOn: 'displayName' },
	],
	[
		'a name that spells nothing',
		named('sales:reader', 'ops:writer', 'Everyone'),
		{ groupsStandFor: 'groups' },
		['groupPattern'],
	],
	// Nothing that is only assumed.
	['a removal that was not tried', {}, {}, ['memberRemoval']],
	['a removal that a dialect has', dialectOf('djangoScim2').switches, {}, ['memberRemoval']],
	[
		'what a profile documents',
		dialectOf('aws').switches,
		{ serviceProfile: 'awsIdentityCenter', memberRemoval: 'valueList', paging: 'cursor' },
	],
])('what is recommended: %s', async (...given) => {
	const [, switches, expected, lacks = []] = given;
	const { recommended, seen } = await found(switches);
	expect(recommended).toMatchObject(expected);
	for (const name of lacks) expect(recommended).not.toHaveProperty(name);
	expect(seen.groupsAreOrganizationRoles).toBe(
		expected.serviceProfile === 'accountOrganizations' ? 'yes' : 'no',
	);
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
			'There is no /Users. Check the Service Profile, the Base URL',
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
