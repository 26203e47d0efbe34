'use strict';

const { statusesOf } = require('../support/items');
const { byEmail, byId, mapped } = require('../support/node');
const { countsOf, requestsOf, rolesOf, withService } = require('../support/service');
const { oneRole } = require('../support/accessRows');

const people = (count) =>
	Array.from({ length: count }, (_, index) => ({ email: `hire${index}@example.com` }));

const inMarketing = (role = 'member') => ({
	chooseGroupBy: 'organizationAndRole',
	organization: byId('org-3454'),
	role,
});

describe('requests against the floor', () => {
	test('100 creates are 100 requests', async () => {
		await withService({}, async (service, scim) => {
			const { json } = await scim(
				'user',
				'create',
				{ userName: '={{ $json.email }}' },
				{ items: people(100) },
			);
			expect(json).toHaveLength(100);
			expect(json.every(({ status }) => status === 'done')).toBe(true);
			expect(countsOf(service)).toEqual({ POST: 100 });
		});
	});

	test('50 people by id into one group are 2 lists and 1 write', async () => {
		await withService({}, async (service, scim) => {
			const created = await scim(
				'user',
				'create',
				{ userName: '={{ $json.email }}' },
				{ items: people(50) },
			);
			service.log.clear();
			const { json } = await scim(
				'group',
				'addMembers',
				{ ...inMarketing(), people: '={{ $json.userId }}' },
				{ items: created.json },
			);
			expect(statusesOf(json)).toEqual(Array(50).fill('done'));
			expect(countsOf(service)).toEqual({ GET: 2, PATCH: 1 });
			expect(rolesOf(service, 'hire49@example.com')).toEqual({ 'org-3454': 'member' });
		});
	});

	test('Create or Update of 100 people without filter is 1 listing and the writes', async () => {
		await withService({ filter: 'off' }, async (service, scim) => {
			const { json } = await scim(
				'user',
				'upsert',
				{ userName: '={{ $json.email }}' },
				{ items: people(100) },
			);
			expect(json).toHaveLength(100);
			expect(countsOf(service)).toEqual({ GET: 1, POST: 100 });
		});
	});

	test('the same again writes nothing', async () => {
		await withService({ filter: 'off' }, async (service, scim) => {
			const upsert = async () =>
				await scim('user', 'upsert', { userName: '={{ $json.email }}' }, { items: people(20) });
			await upsert();
			service.log.clear();
			const { json } = await upsert();
			expect(json.every(({ status }) => status === 'unchanged')).toBe(true);
			expect(countsOf(service)).toEqual({ GET: 1 });
		});
	});

	test('adding members again writes nothing, and mails nobody', async () => {
		await withService({}, async (service, scim) => {
			await scim('user', 'create', { userName: 'ana@example.com' });
			const add = async () =>
				await scim('group', 'addMembers', { ...inMarketing(), people: 'ana@example.com' });
			await add();
			service.log.clear();
			const { json } = await add();
			expect(json[0].status).toBe('unchanged');
			expect(countsOf(service)).toEqual({ GET: 1 });
			expect(service.state.mailsSent).toHaveLength(1);
		});
	});
});

describe('a service that does not answer well', () => {
	test('connections reset after the write: nobody is created twice, nobody is dropped', async () => {
		await withService(
			{ faults: [{ method: 'POST', every: 3, kind: 'reset-after' }] },
			async (service, scim) => {
				const { json } = await scim(
					'user',
					'create',
					{ userName: '={{ $json.email }}' },
					{ items: people(9) },
				);
				expect(json.every(({ status }) => status === 'done')).toBe(true);
				expect(requestsOf(service).filter((request) => request.startsWith('POST'))).toHaveLength(9);
			},
		);
	});

	test('connections reset before the write: the create is sent again once nobody was found', async () => {
		await withService(
			{ faults: [{ method: 'POST', nth: 1, kind: 'reset-before' }] },
			async (service, scim) => {
				const { json } = await scim('user', 'create', { userName: 'ana@example.com' });
				expect(json[0].status).toBe('done');
				expect(requestsOf(service).map((request) => request.split(' ')[0])).toEqual([
					'POST',
					'GET',
					'POST',
				]);
			},
		);
	});

	test('500 although the user was stored: found, not created again', async () => {
		await withService(
			{ faults: [{ method: 'POST', nth: 1, kind: '500-after' }] },
			async (service, scim) => {
				const { json } = await scim('user', 'create', {
					userName: 'ana@example.com',
					...mapped({ externalId: 'HR-1' }),
				});
				expect(json[0]).toMatchObject({ userName: 'ana@example.com', status: 'done' });
				expect(countsOf(service).POST).toBe(1);
			},
		);
	});

	test('reads that lag behind writes: 201 without id is looked up until it shows', async () => {
		await withService({ lagMs: 600 }, async (service, scim) => {
			const { json } = await scim('user', 'create', { userName: 'ana@example.com' });
			expect(json[0].userId).toMatch(/^user-/);
			const added = await scim('group', 'addMembers', { ...inMarketing(), people: json[0].userId });
			expect(added.json[0].status).toBe('done');
			expect(rolesOf(service, 'ana@example.com')).toEqual({ 'org-3454': 'member' });
		});
	});

	test('a page cap below the page size: everybody is listed', async () => {
		await withService({ pageCap: 7 }, async (service, scim) => {
			const { json } = await scim('user', 'getAll', { returnAll: true });
			expect(json).toHaveLength(service.state.table().people.length);
		});
	});

	test('429 without Retry-After now and then: all end right', async () => {
		await withService(
			{ faults: [{ method: 'POST', every: 5, kind: '429' }] },
			async (service, scim) => {
				const { json } = await scim(
					'user',
					'create',
					{ userName: '={{ $json.email }}' },
					{ items: people(10) },
				);
				expect(json.every(({ status }) => status === 'done')).toBe(true);
			},
		);
	});
});

describe('leavers', () => {
	test('deactivation drops every membership', async () => {
		await withService({}, async (service, scim) => {
			await scim('user', 'create', { userName: 'bob@example.com' });
			await scim('group', 'addMembers', { ...inMarketing('admin'), people: 'bob@example.com' });
			const { json } = await scim('user', 'deactivate', { user: byEmail('bob@example.com') });
			expect(json[0]).toMatchObject({ active: false, status: 'done' });
			expect(rolesOf(service, 'bob@example.com')).toEqual({});
		});
	});

	test('an unknown id is an error although the service says 204', async () => {
		await withService({}, async (service, scim) => {
			const { error } = await scim('user', 'deactivate', {
				user: byId('user-unknown'),
				options: { verifyTime: 0 },
			});
			expect(error.message).toBe('No user has the ID user-unknown');
			expect(requestsOf(service)).toEqual(['GET /scim/Users/user-unknown 404']);
		});
	});
});

test('both path forms: collections with the prefix, items without', async () => {
	await withService({}, async (service, scim) => {
		const credential = { scimPrefix: 'collectionsOnly' };
		const created = await scim('user', 'create', { userName: 'ana@example.com' }, { credential });
		const read = await scim('user', 'get', { user: byId(created.json[0].userId) }, { credential });
		expect(read.json[0].userName).toBe('ana@example.com');
		expect(requestsOf(service)).toEqual([
			'POST /scim/Users 201',
			`GET /Users/${created.json[0].userId} 200`,
		]);
	});
});

test('a wrong token says what to check, and nothing of the token', async () => {
	await withService({}, async (service, scim) => {
		const credential = { accountApiToken: 'wrong-token:org-3454' };
		const { error } = await scim('user', 'getAll', {}, { credential });
		expect(error).toMatchObject({ httpCode: '403' });
		expect(error.description).toContain('account-management scope');
		expect(JSON.stringify(error)).not.toContain('wrong-token');
	});
});

test.each([
	['user', 'create', { userName: 'ana@example.com' }],
	['user', 'upsert', { userName: 'ana@example.com' }],
	['group', 'setMembers', { people: 'ana@example.com', organization: byId('org-3454') }],
	['access', 'assign', { people: 'ana@example.com', ...oneRole(byId('org-3454'), 'member') }],
	['access', 'offboard', { people: 'ana@example.com' }],
	['access', 'reconcile', { scopeOrganizations: 'org-3454' }],
	['access', 'applyPlan', {}],
])('an expression that fails is an error of the items, never a success: %s %s', async (...run) => {
	const [resource, operation, parameters] = run;
	await withService({}, async (service, scim) => {
		const options = { maxWait: "={{ $('No Such Node').first().json.wait }}" };
		const { json, errorJson } = await scim(
			resource,
			operation,
			{ ...parameters, options },
			{ items: [{}, {}], onError: 'continueErrorOutput' },
		);
		expect(json).toStrictEqual([]);
		expect(errorJson).toHaveLength(2);
		expect(requestsOf(service)).toStrictEqual([]);
	});
});
