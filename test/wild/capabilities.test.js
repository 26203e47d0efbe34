'use strict';

require('../support/noWaiting');
const { dialectOf } = require('../../demo/service/scim/dialects');
const { PROFILES, idsOf, people, withServer } = require('./play');

// Service: Get Capabilities, against each lie of the fault server.

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
const FIVE = { users: people(5), groups: [{ id: 'g1', members: ['user-1'] }, { id: 'g2' }] };

/** Runs it and expects that only reads have left. */
async function capabilities(switches, check, more = {}) {
	await withServer({ ...FIVE, discovery: DISCOVERY, ...switches }, async (server, scim) => {
		const { json, error } = await scim('service', 'getCapabilities', {}, more);
		expect(server.requests.filter(({ method }) => method !== 'GET')).toStrictEqual([]);
		expect(server.requests.every(({ body }) => body === undefined)).toBe(true);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
		expect(json[0].requests).toBe(server.requests.length);
		check(json[0], server);
	});
}

test('a service that behaves', async () => {
	await capabilities({}, (found, server) => {
		expect(found).toEqual({
			baseUrl: server.url,
			said: {
				serviceProviderConfig: {
					patch: true,
					bulk: false,
					filter: true,
					filterMaxResults: 50,
					etag: false,
				},
				resourceTypes: ['User', 'Group'],
				schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
			},
			seen: {
				filter: 'works',
				filterIgnoresCase: 'yes',
				paging: 'works',
				users: 5,
				groups: 2,
				usersShowGroups: 'yes',
				groupsShowMembers: 'yes',
				groupsAreOrganizationRoles: 'no',
			},
			notes: [],
			recommended: {
				serviceProfile: 'generic',
				scimPrefix: 'nowhere',
				groupsStandFor: 'groups',
			},
			requests: server.requests.length,
		});
	});
});

describe('nothing is recommended that is only assumed', () => {
	test.each(['djangoScim2', 'generic'])('how members are removed, %s', async (dialect) => {
		const switches = dialect === 'generic' ? {} : dialectOf(dialect).switches;
		await capabilities(switches, ({ recommended }) => {
			expect(recommended).not.toHaveProperty('memberRemoval');
		});
	});

	test('what a service profile documents is recommended', async () => {
		await capabilities(dialectOf('aws').switches, ({ recommended }) => {
			expect(recommended).toMatchObject({
				serviceProfile: 'awsIdentityCenter',
				memberRemoval: 'valueList',
			});
		});
	});

	test('of an empty service', async () => {
		const switches = { users: [], groups: [], discovery: {} };
		await capabilities(switches, ({ recommended }) => {
			expect(recommended).toEqual({ serviceProfile: 'generic', scimPrefix: 'nowhere' });
		});
		await capabilities({ ...switches, prefix: '/scim' }, ({ recommended }) => {
			expect(recommended).toEqual({ serviceProfile: 'generic' });
		});
	});
});

test('several items are one probe', async () => {
	await withServer({ ...FIVE, discovery: DISCOVERY }, async (server, scim) => {
		const { json } = await scim('service', 'getCapabilities', {}, { items: [{}, {}, {}] });
		expect(json).toHaveLength(3);
		expect(server.requests.length).toBeLessThan(15);
	});
});

describe('what the service says of itself', () => {
	test('without discovery endpoints', async () => {
		await capabilities({ discovery: {} }, ({ said, seen, notes }) => {
			expect(said).toEqual({});
			expect(seen).toMatchObject({ filter: 'works', paging: 'works', users: 5 });
			expect(notes).toEqual(['The service does not describe itself: everything below was tried.']);
		});
	});

	test.each([
		['a web page', '<html><title>Welcome</title></html>'],
		['an empty object', {}],
		['a SCIM Error within a 200', { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'] }],
		['nonsense', { patch: 'yes', filter: 7, bulk: null }],
	])('discovery that answers with %s', async (_, body) => {
		const discovery = { ServiceProviderConfig: body, ResourceTypes: body, Schemas: body };
		await capabilities({ discovery }, ({ seen, recommended }) => {
			expect(seen).toMatchObject({ filter: 'works', paging: 'works' });
		});
	});

	test('names in other case', async () => {
		const discovery = { ServiceProviderConfig: { PATCH: { SUPPORTED: false } } };
		await capabilities({ discovery }, ({ said, notes }) => {
			expect(said.serviceProviderConfig).toEqual({ patch: false });
			expect(notes.join(' ')).toContain('has no PATCH');
		});
	});

	test('it says that it has no filter, but it works', async () => {
		const discovery = { ServiceProviderConfig: { ...CONFIG, filter: { supported: false } } };
		await capabilities({ discovery }, ({ seen, notes }) => {
			expect(seen.filter).toBe('works');
			expect(notes).toEqual(['The service says that it has no filter, but it works.']);
		});
	});
});

describe('filter', () => {
	test.each([400, 403, 501])('refused with %i', async (filter) => {
		await capabilities({ filter }, ({ seen, notes }) => {
			expect(seen).toMatchObject({ filter: 'refused', filterIgnoresCase: 'unknown' });
			expect(notes).toEqual(['The service says that it has a filter, but it is refused.']);
		});
	});

	test('ignored', async () => {
		await capabilities({ filter: 'ignored' }, ({ seen, notes }) => {
			expect(seen.filter).toBe('ignored');
			expect(notes).toEqual(['The service says that it has a filter, but it is ignored.']);
		});
	});

	test('case-sensitive', async () => {
		await capabilities({ filter: 'exactCase' }, ({ seen }) => {
			expect(seen).toMatchObject({ filter: 'works', filterIgnoresCase: 'no' });
		});
	});

	test('finds nobody', async () => {
		await capabilities({ filterMisses: () => true }, ({ seen }) => {
			expect(seen.filter).toBe('unknown');
		});
	});

	test.each(['list', 'absent', 'null'])('zero hits as %s', async (noHits) => {
		await capabilities({ noHits }, ({ seen }) => expect(seen.filter).toBe('works'));
	});
});

describe('paging', () => {
	test('startIndex ignored', async () => {
		await capabilities({ ignoresStart: true }, ({ seen }) => {
			expect(seen.paging).toBe('startIndexIgnored');
		});
	});

	test('count ignored', async () => {
		await capabilities({ ignoresCount: true }, ({ seen }) => {
			expect(seen.paging).toBe('countIgnored');
		});
	});

	test('page cap', async () => {
		await capabilities({ users: people(60), pageCap: 20 }, ({ seen }) => {
			expect(seen).toMatchObject({ paging: 'works', pageCap: 20, users: 60 });
		});
	});

	test.each([
		['string', 5],
		['missing', undefined],
		['page', undefined],
	])('totalResults %s: %s users', async (total, users) => {
		await capabilities({ total }, ({ seen, notes }) => {
			expect(seen.paging).toBe('works');
			expect(seen.users).toBe(users);
			expect(notes).toEqual(
				total === 'page'
					? [
							'The service returns the size of a page as totalResults, so the number of users is unknown.',
						]
					: [],
			);
		});
	});

	test.each([0, 1])('%i users: too few to tell', async (count) => {
		await capabilities({ users: people(count) }, ({ seen }) => {
			expect(seen).toMatchObject({ paging: 'unknown', users: count });
			expect(seen.filter).toBe(count === 0 ? 'unknown' : 'works');
		});
	});
});

describe('a service that pages by cursor alone', () => {
	const AWS = { ...dialectOf('aws').switches, users: people(120) };

	test.each(['generic', 'awsIdentityCenter'])('profile %s', async (serviceProfile) => {
		const more = { credential: { serviceProfile } };
		await capabilities(
			AWS,
			({ seen, recommended }) => {
				expect(seen).toMatchObject({ paging: 'cursor', filter: 'works', groups: 2 });
				expect(seen.users).toBeUndefined();
				expect(recommended).toMatchObject({ paging: 'cursor' });
			},
			more,
		);
	});

	test('page cap, and groups of more than a page', async () => {
		const switches = {
			...AWS,
			paging: 'cursor',
			refusesQuery: [],
			mostCount: Infinity,
			pageCap: 1,
		};
		await capabilities(switches, ({ seen }) => {
			expect(seen).toMatchObject({ paging: 'cursor', pageCap: 1 });
		});
	});
});

describe('where the service stands', () => {
	const AT = { prefix: '/scim' };

	test.each(['nowhere', 'everyRequest', 'collectionsOnly'])(
		'/scim on every request, credential %s',
		async (scimPrefix) => {
			await capabilities(
				AT,
				({ recommended, seen, said, notes }) => {
					expect(recommended.scimPrefix).toBe('everyRequest');
					expect(seen).toMatchObject({ filter: 'works', users: 5 });
					expect(said.resourceTypes).toEqual(['User', 'Group']);
					if (scimPrefix === 'nowhere') {
						expect(notes).toEqual(['Users are found with SCIM Prefix "everyRequest".']);
					}
				},
				{ credential: { scimPrefix } },
			);
		},
	);

	test.each(['nowhere', 'everyRequest', 'collectionsOnly'])(
		'/scim on collections only, credential %s',
		async (scimPrefix) => {
			await capabilities(
				{ ...AT, itemPrefix: '' },
				({ recommended, notes }) => {
					expect(recommended.scimPrefix).toBe('collectionsOnly');
					// A note never names another setting than the one that is recommended.
					expect(notes.join(' ')).not.toContain('"everyRequest"');
				},
				{ credential: { scimPrefix } },
			);
		},
	);

	test.each(['everyRequest', 'collectionsOnly'])(
		'no /scim at all, credential %s',
		async (scimPrefix) => {
			await capabilities({}, ({ recommended }) => expect(recommended.scimPrefix).toBe('nowhere'), {
				credential: { scimPrefix },
			});
		},
	);

	test.each(PROFILES)('nowhere to be found, profile %s', async (profile) => {
		await withServer({ ...FIVE, prefix: '/elsewhere' }, async (server, scim) => {
			const { error } = await scim('service', 'getCapabilities', {}, { profile });
			expect(error.message).toMatch(/^Could not list users: the service answered 404/);
			expect(error.description).toContain('where the /scim prefix goes');
			expect(server.requests).toHaveLength(2);
		});
	});
});

describe('groups', () => {
	test('an account with organizations', async () => {
		const groups = ['org-1', 'org-2'].flatMap((organization) =>
			['admin', 'member', 'viewer'].map((role) => ({ id: `${organization}:${role}` })),
		);
		await capabilities({ groups }, ({ seen, recommended }) => {
			expect(seen.groupsAreOrganizationRoles).toBe('yes');
			expect(recommended.serviceProfile).toBe('accountOrganizations');
			// That profile has no such settings.
			expect(recommended).not.toHaveProperty('groupsStandFor');
			expect(recommended).not.toHaveProperty('groupPattern');
		});
	});

	test.each([
		['ids', 'id', (name) => ({ id: name, displayName: 'x' })],
		['names', 'displayName', (name, index) => ({ id: `g${index}`, displayName: name })],
	])('%s that spell organization and role', async (_, groupPatternOn, groupOf) => {
		const groups = ['sales:reader', 'ops:writer'].map(groupOf);
		await capabilities({ groups }, ({ recommended }) => {
			expect(recommended).toMatchObject({
				serviceProfile: 'generic',
				groupsStandFor: 'organizationAndRole',
				groupPattern: '{organization}:{role}',
				groupPatternOn,
			});
		});
	});

	test('one name that spells nothing: groups are groups', async () => {
		const groups = [{ id: 'sales:reader' }, { id: 'ops:writer' }, { id: 'Everyone' }];
		await capabilities({ groups }, ({ recommended }) => {
			expect(recommended.groupsStandFor).toBe('groups');
			expect(recommended).not.toHaveProperty('groupPattern');
		});
	});

	test.each([
		['empty', 'unknown'],
		['absent', 'no'],
	])('members %s', async (showsMembers, shown) => {
		await capabilities({ showsMembers, usersShowGroups: 'absent' }, ({ seen }) => {
			expect(seen).toMatchObject({ groupsShowMembers: shown, usersShowGroups: 'unknown' });
		});
	});

	test('members in single groups only', async () => {
		const onList = (_, server) => {
			server.is.showsMembers = 'absent';
			setImmediate(() => {
				server.is.showsMembers = 'all';
			});
		};
		await capabilities({ onList }, ({ seen }) => expect(seen.groupsShowMembers).toBe('yes'));
	});

	test('no list of groups', async () => {
		await capabilities(
			{ faults: [{ on: 'GET /Groups', status: 403, body: 'no' }] },
			({ seen, notes }) => {
				expect(seen.groups).toBeUndefined();
				expect(notes).toContain('The list of groups cannot be read.');
			},
		);
	});
});

test.each(PROFILES)(
	'a wrong token gives the advice of the credential, profile %s',
	async (profile) => {
		await withServer({ ...FIVE, token: 'another', discovery: DISCOVERY }, async (server, scim) => {
			const { error } = await scim('service', 'getCapabilities', {}, { profile });
			expect(error.message).toBe('Could not list users: the service answered 401, Unauthorized');
			expect(error.description).toContain('Check the credential');
			expect(server.came()).toEqual(['GET /Users 401']);
		});
	},
);

test.each(['gzip', 'bom'])('answers as %s', async (wire) => {
	await capabilities({ faults: [{ on: '', wire }] }, ({ seen }) => {
		expect(seen).toMatchObject({ filter: 'works', paging: 'works', users: idsOf(5).length });
	});
});

test.each(['upper', 'lower'])('names in %s case', async (names) => {
	await capabilities({ names }, ({ seen }) => {
		expect(seen).toMatchObject({ filter: 'works', paging: 'works', groupsShowMembers: 'yes' });
	});
});
