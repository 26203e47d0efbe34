'use strict';

require('../support/noWaiting');
const { byId, fieldsOf, mapped } = require('../support/node');
const { CORE, discovered } = require('../support/schemas');
const { person, withServer } = require('./play');

// Enterprise attributes (RFC 7643 section 4.3) and other schema extensions, each under its URN.

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const CUSTOM = 'urn:example:params:2.0:Badge';

/** Enterprise attributes by their names, in the mapper. */
const enterprise = (values) =>
	mapped(
		Object.fromEntries(
			Object.entries(values).map(([name, value]) => [`${ENTERPRISE}:${name}`, value]),
		),
	);
const FIELDS = enterprise({
	costCenter: '4130',
	department: 'Marketing',
	division: 'Europe',
	employeeNumber: '701984',
	organization: 'Example Holding',
	'manager.value': 'user-9',
});
const VALUES = {
	costCenter: '4130',
	department: 'Marketing',
	division: 'Europe',
	employeeNumber: '701984',
	organization: 'Example Holding',
	manager: { value: 'user-9' },
};

const sentIn = (server) => server.requests.find(({ method }) => method === 'POST').body;

describe('enterprise attributes', () => {
	test.each(['usual', 'upper', 'lower'])('Create, shown in %s case', async (names) => {
		await withServer({ names }, async (server, scim) => {
			const { json, error } = await scim('user', 'create', {
				userName: 'new@example.com',
				...FIELDS,
			});
			expect(error).toBeUndefined();
			expect(server.users.get('user-1')[ENTERPRISE]).toEqual(VALUES);
			expect(sentIn(server).schemas).toEqual([
				'urn:ietf:params:scim:schemas:core:2.0:User',
				ENTERPRISE,
			]);
			expect(json[0]).toMatchObject({ status: 'done', reason: null });
			expect(json[0]).not.toHaveProperty('warnings');
			const key = Object.keys(json[0]).find(
				(name) => name.toLowerCase() === ENTERPRISE.toLowerCase(),
			);
			expect(JSON.stringify(json[0][key])).toMatch(/4130/);
		});
	});

	test('Create on a service that does not keep them is not done', async () => {
		const onWrite = ({ body }) => {
			delete body[ENTERPRISE];
		};
		await withServer({ onWrite }, async (_, scim) => {
			const { error } = await scim(
				'user',
				'create',
				{ userName: 'new@example.com', ...enterprise({ department: 'Marketing' }) },
				{ options: { verifyTime: 1 } },
			);
			expect(error.message).toContain(`does not show the wanted ${ENTERPRISE}`);
		});
	});

	test.each(['usual', 'upper', 'lower'])(
		'Update by PATCH, shown in %s case: one operation for each',
		async (names) => {
			const users = [person(1, { [ENTERPRISE]: { department: 'Sales', costCenter: '1' } })];
			await withServer({ users, names }, async (server, scim) => {
				const { json, error } = await scim('user', 'update', {
					user: byId('user-1'),
					...enterprise({ department: 'Marketing', 'manager.value': 'user-9' }),
				});
				expect(error).toBeUndefined();
				expect(json[0].status).toBe('done');
				const { body } = server.requests.find(({ method }) => method === 'PATCH');
				expect(body.Operations.map(({ path }) => path)).toEqual([
					`${ENTERPRISE}:department`,
					`${ENTERPRISE}:manager`,
				]);
				expect(server.users.get('user-1')[ENTERPRISE]).toEqual({
					department: 'Marketing',
					costCenter: '1',
					manager: { value: 'user-9' },
				});
			});
		},
	);

	test.each(['usual', 'upper', 'lower'])(
		'Update by PUT, shown in %s case: the others stay, each extension is there once',
		async (names) => {
			const users = [person(1, { [ENTERPRISE]: { department: 'Sales', costCenter: '1' } })];
			await withServer({ users, names }, async (server, scim) => {
				const { error } = await scim(
					'user',
					'update',
					{ user: byId('user-1'), ...enterprise({ department: 'Marketing' }) },
					{ options: { updateWith: 'put' } },
				);
				expect(error).toBeUndefined();
				const { body } = server.requests.find(({ method }) => method === 'PUT');
				const own = Object.keys(body).filter(
					(name) => name.toLowerCase() === ENTERPRISE.toLowerCase(),
				);
				expect(own).toHaveLength(1);
				const lower = JSON.parse(JSON.stringify(body[own[0]]).toLowerCase());
				expect(lower).toEqual({ department: 'marketing', costcenter: '1' });
				expect(
					body.schemas.filter((urn) => urn.toLowerCase() === ENTERPRISE.toLowerCase()),
				).toHaveLength(1);
			});
		},
	);

	test.each(['usual', 'upper', 'lower'])(
		'Create or Update, shown in %s case: what is so already is left alone',
		async (names) => {
			const users = [person(1, { [ENTERPRISE]: VALUES })];
			await withServer({ users, names }, async (server, scim) => {
				const wanted = { userName: 'person1@example.com', ...FIELDS };
				const { json } = await scim('user', 'upsert', wanted);
				expect(json[0].status).toBe('unchanged');
				expect(server.written()).toStrictEqual([]);
				const changed = await scim('user', 'upsert', {
					...wanted,
					...enterprise({ department: 'Sales' }),
				});
				expect(changed.json[0].status).toBe('done');
				expect(server.users.get('user-1')[ENTERPRISE]).toEqual({ ...VALUES, department: 'Sales' });
			});
		},
	);

	test('a PATCH that changes nothing is not claimed', async () => {
		const users = [person(1, { [ENTERPRISE]: { department: 'Sales' } })];
		await withServer({ users, faults: [{ on: 'PATCH', nothing: true }] }, async (_, scim) => {
			const { error } = await scim('user', 'update', {
				user: byId('user-1'),
				...enterprise({ department: 'Marketing' }),
			});
			expect(error.message).toContain(`does not show the wanted ${ENTERPRISE}`);
		});
	});
});

describe('any extension by its URN', () => {
	const attributesJson = JSON.stringify({ [CUSTOM]: { badge: 'B-17', doors: ['a', 'b'] } });

	test('Create, and read back under its URN', async () => {
		await withServer({}, async (server, scim) => {
			const { json } = await scim('user', 'create', {
				userName: 'new@example.com',
				additionalFields: { attributesJson },
			});
			expect(json[0]).toMatchObject({ [CUSTOM]: { badge: 'B-17', doors: ['a', 'b'] } });
			const got = await scim('user', 'get', { user: byId('user-1') });
			expect(got.json[0]).toMatchObject({ [CUSTOM]: { badge: 'B-17', doors: ['a', 'b'] } });
			expect(sentIn(server).schemas).toContain(CUSTOM);
		});
	});

	test.each(['patch', 'put'])('Update by %s', async (updateWith) => {
		const users = [person(1, { [CUSTOM]: { badge: 'B-1', floor: 3 }, [ENTERPRISE]: VALUES })];
		await withServer({ users }, async (server, scim) => {
			const { json } = await scim(
				'user',
				'update',
				{ user: byId('user-1'), updateFields: { attributesJson } },
				{ options: { updateWith } },
			);
			expect(json[0].status).toBe('done');
			expect(server.users.get('user-1')).toMatchObject({
				[CUSTOM]: { badge: 'B-17', doors: ['a', 'b'], floor: 3 },
				[ENTERPRISE]: VALUES,
			});
		});
	});

	test('one may have attributes of its own named like those that the node sets', async () => {
		// RFC 7643 section 3.3: below the URN of the extension each is another attribute.
		const values = { active: false, groups: 'night shift', id: 'B-17' };
		const attributes = ['active', 'groups', 'id'].map((name) => ({
			...{ name, type: name === 'active' ? 'boolean' : 'string', multiValued: false },
		}));
		const own = 'urn:example:params:2.0:User';
		const discovery = discovered([
			{ id: CORE, attributes: [{ name: 'active', type: 'boolean' }, { name: 'groups' }] },
			{ id: own, attributes },
		]);
		const groups = [{ id: 'g', members: ['user-1'] }];
		await withServer({ users: [person(1)], groups, discovery }, async (server, scim) => {
			const credential = { baseUrl: server.url, serviceProfile: 'generic' };
			const ids = (await fieldsOf('update', {}, credential)).map(({ id }) => id);
			const offered = ids.filter((id) => /(?:active|groups|:id)$/.test(id));
			expect(offered).toEqual(Object.keys(values).map((name) => `${own}:${name}`));
			const { json } = await scim('user', 'update', {
				user: byId('user-1'),
				...mapped(Object.fromEntries(offered.map((id) => [id, values[id.split(':').at(-1)]]))),
			});
			expect(json[0]).toMatchObject({ status: 'done', active: true });
			expect(server.users.get('user-1')).toMatchObject({ active: true, [own]: values });
			const { body } = server.requests.find(({ method }) => method === 'PATCH');
			expect(body.Operations.map(({ path }) => path)).toEqual(offered);
		});
	});

	test('the enterprise URN in other case in JSON, together with a field: one extension', async () => {
		await withServer({}, async (server, scim) => {
			const urn = ENTERPRISE.toUpperCase();
			const { error } = await scim('user', 'create', {
				userName: 'new@example.com',
				...enterprise({ department: 'Marketing' }),
				additionalFields: { attributesJson: JSON.stringify({ [urn]: { division: 'Europe' } }) },
			});
			expect(error).toBeUndefined();
			const body = sentIn(server);
			expect(Object.keys(body).filter((name) => /enterprise/i.test(name))).toEqual([urn]);
			expect(body[urn]).toEqual({ division: 'Europe', department: 'Marketing' });
		});
	});
});
