'use strict';

require('../support/noWaiting');
const { byEmail, byId, mapped } = require('../support/node');
const { people, person, withServer } = require('./play');
const { someGroups } = require('../support/accessRows');

// What services do to the users that they are asked to keep, change and remove.

const ONE = { users: [person(1, { externalId: 'HR-1' })] };
const USER = { user: byId('user-1') };
const MAIL = { user: byEmail('person1@example.com') };
const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const QUICKLY = { verifyTime: 1 };

/** A service that keeps these attributes otherwise than they were sent; undefined: not at all. */
const keeping = (kept) => ({
	onWrite({ body }) {
		for (const [name, value] of Object.entries(kept)) {
			if (body?.[name] !== undefined) {
				if (value === undefined) delete body[name];
				else body[name] = value;
			}
			for (const operation of body?.Operations ?? []) {
				if (operation.path === undefined && name in operation.value) operation.value[name] = value;
				if (operation.path !== name) continue;
				if (value === undefined) operation.path = 'kept.elsewhere';
				else operation.value = value;
			}
		}
	},
});

describe('what a service lets or keeps out', () => {
	test.each([
		['Create', 'create', { userName: 'new@example.com', additionalFields: { active: false } }],
		['Update', 'update', { ...USER, updateFields: { active: false } }],
	])('%s: active is never only warned of', async (_, operation, parameters) => {
		for (const switches of [{ active: 'absent' }, keeping({ active: true })]) {
			await withServer({ ...ONE, ...switches }, async (__, scim) => {
				const { error } = await scim('user', operation, parameters, { options: QUICKLY });
				expect(error.message).toMatch(/Could not confirm.*active/);
			});
		}
	});
});

describe('the type of an email, by which some services find it', () => {
	const text = (emails) => ({ additionalFields: { attributesJson: JSON.stringify({ emails }) } });
	const withoutTypes = {
		onWrite({ body }) {
			for (const list of [body?.emails, ...(body?.Operations ?? []).map(({ value }) => value)]) {
				if (Array.isArray(list)) list.forEach((entry) => void delete entry.type);
			}
		},
	};
	const save = async (scim, emails) =>
		await scim('user', 'upsert', { userName: 'new@example.com', ...text(emails) });

	test.each([
		['that keeps it', {}, 'work'],
		['that drops it', withoutTypes, undefined],
	])('of one given as text is work; a second run sends nothing to a service %s', async (...row) => {
		const [, switches, kept] = row;
		await withServer({ ...ONE, ...switches }, async (server, scim) => {
			const { json } = await save(scim, 'a@example.com');
			expect(json[0].status).toBe('done');
			const writes = server.requests.filter(({ method }) => method !== 'GET');
			expect(writes.map(({ method }) => method)).toEqual(['POST']);
			expect(writes[0].body.emails).toEqual([
				{ value: 'a@example.com', type: 'work', primary: true },
			]);
			const shown = await scim('user', 'get', {
				user: byEmail('new@example.com'),
				simplify: false,
			});
			expect(shown.json[0].emails[0].type).toBe(kept);
			expect((await save(scim, 'a@example.com')).json[0].status).toBe('unchanged');
			expect(server.requests.filter(({ method }) => method !== 'GET')).toHaveLength(1);
		});
	});

	test.each(['patch', 'put'])('stays what it is, by %s', async (updateWith) => {
		const emails = [{ value: 'a@example.com', type: 'home', primary: true }];
		await withServer({ users: [person(1, { emails })] }, async (server, scim) => {
			const parameters = {
				...USER,
				updateFields: { attributesJson: '{"emails": "b@example.com"}' },
			};
			const { json } = await scim('user', 'update', parameters, { options: { updateWith } });
			expect(json[0].status).toBe('done');
			const { body, method } = server.requests.find((one) => one.method !== 'GET');
			expect(method).toBe(updateWith.toUpperCase());
			expect(body.emails ?? body.Operations[0].value).toEqual([
				{ value: 'b@example.com', type: 'home', primary: true },
			]);
		});
	});

	test('several addresses in one text are refused', async () => {
		await withServer(ONE, async (server, scim) => {
			const { error } = await save(scim, 'a@example.com, b@example.com');
			expect(error.message).toMatch(/^Email "a@example.com, b@example.com" has/);
			expect(server.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
		});
	});
});

describe('Create or Update sends what is not shown', () => {
	const parameters = {
		userName: 'person1@example.com',
		...mapped({ externalId: 'HR-1', [`${ENTERPRISE}:department`]: 'Sales', title: 'Boss' }),
		additionalFields: { attributesJson: '{"nickName": "An"}' },
	};
	/** Of which no text can be made. */
	const ODD = { toString: 1 };
	const schemas = (...names) => ({
		discovery: {
			Schemas: {
				Resources: [
					{ id: ODD },
					{ id: SCHEMA, attributes: [...names, ODD].map((name) => ({ name })) },
				],
			},
		},
	});
	const sent = (server) =>
		server.requests
			.filter(({ method }) => method === 'PATCH')
			.map(({ body }) => body.Operations.map(({ path }) => path));
	const kept = keeping({ title: undefined });

	test('each time, where the service does not describe itself', async () => {
		await withServer({ ...ONE, ...kept }, async (server, scim) => {
			for (const _ of [1, 2]) {
				const { error } = await scim('user', 'upsert', parameters, { options: QUICKLY });
				expect(error.message).toMatch(/^Could not confirm: .* the wanted title$/);
			}
			expect(sent(server)).toEqual([
				expect.arrayContaining(['title', 'nickName', `${ENTERPRISE}:department`]),
				['title'],
			]);
			expect(server.came('GET').filter((request) => request === 'GET /Schemas 404')).toHaveLength(
				2,
			);
		});
	});

	test('except what the schemas of the service leave out, and that is said', async () => {
		await withServer({ ...ONE, ...schemas('userName', 'NickName') }, async (server, scim) => {
			const { json } = await scim('user', 'upsert', parameters);
			expect(sent(server)).toEqual([['nickName']]);
			expect(json[0].warnings.join()).toMatch(/does not keep urn:.*, title\./);
			const again = await scim('user', 'upsert', parameters);
			expect(again.json[0].status).toBe('unchanged');
			expect(sent(server)).toHaveLength(1);
		});
	});

	test('external ID and active are in no list of attributes, and sent all the same', async () => {
		const users = [person(1)];
		await withServer({ users, active: 'absent', ...schemas('userName') }, async (server, scim) => {
			const fields = { ...mapped({ externalId: 'HR-1' }), additionalFields: { active: false } };
			await scim(
				'user',
				'upsert',
				{ userName: 'person1@example.com', ...fields },
				{ options: QUICKLY },
			);
			expect(sent(server)).toEqual([['active', 'externalId']].map(expect.arrayContaining));
		});
	});

	test('the schemas are read once for all, and only where somebody lacks something', async () => {
		await withServer({ users: people(4), ...schemas('userName') }, async (server, scim) => {
			const upsert = async (fields) =>
				await scim(
					'user',
					'upsert',
					{ userName: '={{ $json.userName }}', ...fields },
					{ items: people(4) },
				);
			await upsert({ additionalFields: { active: true } });
			expect(server.came().filter((request) => /Schemas/.test(request))).toStrictEqual([]);
			await upsert(mapped({ displayName: 'Somebody' }));
			expect(server.came().filter((request) => /Schemas/.test(request))).toHaveLength(1);
			expect(server.written()).toStrictEqual([]);
		});
	});
});

describe('what nobody gave is not sent', () => {
	const GROUP = { users: people(1), groups: [{ id: 'g1', members: ['user-1'] }] };
	const add = async (server, scim, rows) => {
		await scim('access', 'assign', {
			people: 'new@example.com',
			...{ accessBy: 'group', ...someGroups('g1') },
			...{ createMissing: true, newUserFields: { emails: { email: rows } } },
		});
		return server.requests.find(({ method }) => method === 'POST').body.emails;
	};

	test('one email alone is the primary one, for work', async () => {
		await withServer(GROUP, async (server, scim) => {
			expect(await add(server, scim, [{ value: 'a@example.com', type: '' }])).toEqual([
				{ value: 'a@example.com', type: 'work', primary: true },
			]);
		});
	});

	test('a type that was given stays, and of two emails none is made the primary one', async () => {
		await withServer(GROUP, async (server, scim) => {
			const rows = [{ value: 'a@example.com', type: 'work' }, { value: 'b@example.com' }];
			expect(await add(server, scim, rows)).toEqual(rows);
		});
	});

	test('one email alone is no difference where a service keeps no such flag', async () => {
		const users = [person(1, { emails: [{ value: 'a@example.com' }] })];
		await withServer({ users }, async (server, scim) => {
			const { json } = await scim('user', 'upsert', {
				userName: 'person1@example.com',
				...mapped({ emails: [{ value: 'a@example.com' }] }),
			});
			expect(json[0].status).toBe('unchanged');
			expect(server.written()).toStrictEqual([]);
		});
	});

	test('Update by PUT sends no null of what was shown, also in parts', async () => {
		const shown = {
			nickName: null,
			name: { givenName: 'Ana', familyName: null },
			addresses: [{ country: null, locality: 'Riga' }, null],
			photos: [{ value: null }],
			title: 'Boss',
		};
		await withServer({ users: [person(1, shown)] }, async (server, scim) => {
			await scim('user', 'update', {
				...USER,
				...mapped({ displayName: 'Ana' }),
				options: { updateWith: 'put' },
			});
			const { body } = server.requests.find(({ method }) => method === 'PUT');
			expect(JSON.stringify(body)).not.toContain('null');
			expect(body).toMatchObject({
				name: { givenName: 'Ana' },
				addresses: [{ locality: 'Riga' }],
				title: 'Boss',
				displayName: 'Ana',
			});
			expect(body).not.toHaveProperty('nickName');
		});
	});
});

describe('a service that removes whom it is to deactivate', () => {
	/** PATCH removes the user, and answers 404. */
	const REMOVES = {
		...ONE,
		onWrite({ method }, server) {
			if (method === 'PATCH') server.scim.users.delete('user-1');
		},
	};
	const WARNING = 'The service has removed the user on deactivation.';

	test.each([
		['Deactivate', 'deactivate', MAIL],
		['Update', 'update', { ...MAIL, updateFields: { active: false } }],
		[
			'Create or Update',
			'upsert',
			{ userName: 'person1@example.com', additionalFields: { active: false } },
		],
	])('%s is done: the user was seen before and is gone', async (_, operation, parameters) => {
		await withServer(REMOVES, async (server, scim) => {
			const { json } = await scim('user', operation, parameters);
			// The answer says nothing of who has removed the user.
			expect(json[0]).toMatchObject({
				status: 'done',
				warnings: ['The user is not there any more.'],
			});
			expect(server.came('PATCH', 'GET').slice(-2)).toEqual([
				'GET /Users/user-1 404',
				'GET /Users 200',
			]);
		});
	});

	test.each([404, 400])('%i of a user who is still there is not done', async (status) => {
		const faults = [{ on: 'PATCH', status }];
		await withServer({ ...ONE, faults }, async (server, scim) => {
			const { error } = await scim('user', 'deactivate', MAIL);
			expect(error.message).toContain(`the service answered ${status}`);
			expect(error.message).not.toContain('verify');
			expect(error.httpCode).toBe(String(status));
			// A refusal proves nothing, so one look comes after it.
			expect(server.came('PATCH', 'GET').slice(-2)).toEqual([
				`PATCH /Users/user-1 ${status}`,
				'GET /Users/user-1 200',
			]);
		});
	});

	/** The same, answered as if the user was still there. */
	const GOES = { ...REMOVES, faults: [{ on: 'PATCH', stored: true, status: 204 }] };

	test.each([
		['deactivate', MAIL],
		['deactivate', USER],
		['update', { ...MAIL, updateFields: { active: false } }],
	])('%s that is answered with 204 is done', async (operation, parameters) => {
		await withServer(GOES, async (_, scim) => {
			const { json } = await scim('user', operation, parameters);
			expect(json[0]).toMatchObject({ status: 'done', warnings: [WARNING] });
		});
	});

	test('activate that is answered with 204 is not done', async () => {
		await withServer({ ...GOES, users: [person(1, { active: false })] }, async (_, scim) => {
			const { error } = await scim('user', 'activate', USER, { options: QUICKLY });
			expect(error.message).toContain('there is no such user');
		});
	});

	test.each([
		['activation', 'activate', MAIL],
		['another change', 'update', { ...MAIL, ...mapped({ displayName: 'Ana' }) }],
	])('404 to %s fails', async (_, operation, parameters) => {
		await withServer({ ...REMOVES, users: [person(1, { active: false })] }, async (__, scim) => {
			const { error } = await scim('user', operation, parameters);
			expect(error.message).toContain('the service answered 404');
		});
	});
});

describe('a service that deactivates whom it is to delete', () => {
	const SOFT = { ...ONE, deletesSoftly: true };

	test.each([
		['Delete', 'user', 'delete', MAIL],
		['Offboard', 'access', 'offboard', { people: 'person1@example.com', method: 'delete' }],
	])(
		'%s of somebody who was active: done, and said',
		async (_, resource, operation, parameters) => {
			await withServer(SOFT, async (server, scim) => {
				const { json, error } = await scim(resource, operation, parameters);
				expect(error).toBeUndefined();
				expect(json[0]).toMatchObject({
					userId: 'user-1',
					active: false,
					deleted: false,
					status: 'done',
					warnings: ['The service deactivated the user instead of deleting it.'],
				});
				expect(server.users.get('user-1').active).toBe(false);
			});
		},
	);

	test('somebody who was inactive before: not verified', async () => {
		await withServer({ ...SOFT, users: [person(1, { active: false })] }, async (_, scim) => {
			const { error } = await scim('user', 'delete', MAIL, { options: QUICKLY });
			expect(error.message).toContain('the user is still there, inactive');
		});
	});

	test('404 to the DELETE of a user who is still there is no success', async () => {
		const faults = [{ on: 'DELETE', status: 404 }];
		await withServer({ ...ONE, faults }, async (_, scim) => {
			const { error } = await scim('user', 'delete', MAIL, { options: QUICKLY });
			expect(error.message).toContain('the user is still there');
		});
	});

	test.each([404, 410])('%i is gone', async (status) => {
		const faults = [{ on: 'GET /Users/user-1', status }];
		await withServer({ ...ONE, faults }, async (server, scim) => {
			const { json } = await scim('user', 'delete', MAIL);
			expect(json[0]).toMatchObject({ deleted: true, status: 'done' });
			expect(server.came('DELETE', 'GET').slice(-3)).toEqual([
				'DELETE /Users/user-1 204',
				`GET /Users/user-1 ${status}`,
				'GET /Users 200',
			]);
		});
	});
});
