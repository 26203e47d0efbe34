'use strict';

const { itemsOf } = require('../support/items');
const { byEmail, mapped } = require('../support/node');
const { countsOf, requestsOf, rolesOf, withService } = require('../support/service');
const { oneRole } = require('../support/accessRows');

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** One organization whose only admin is the boss. */
const SEED = {
	organizations: [
		{ id: 'org-acct1', name: 'Account' },
		{ id: 'org-a', name: 'A' },
	],
	users: ['boss@example.com', 'ana@example.com'].map((userName) => ({ userName })),
	memberships: [{ userName: 'boss@example.com', organization: 'org-a', role: 'admin' }],
};

const userOf = (service, userName) =>
	service.state.table().people.find((person) => person.userName === userName);

const writes = (service) => service.log.requests.filter(({ method }) => method !== 'GET');

describe('an attribute is the same with and without the URN of its schema, in any case', () => {
	const other = (attributes) => ({ attributesJson: JSON.stringify(attributes) });

	test.each([
		'active',
		'Active',
		'ACTIVE',
		' active ',
		`${CORE}:active`,
		`${CORE}:ACTIVE`,
		`${CORE.toUpperCase()}:Active`,
		`${CORE}:${CORE}:active`,
		`${CORE} : active`,
		`${CORE}::active`,
	])('Update and Create or Update: %s is guarded', async (name) => {
		await withService({ seed: SEED }, async (service, scim) => {
			const off = other({ [name]: false });
			const boss = byEmail('boss@example.com');
			const updated = await scim('user', 'update', { user: boss, updateFields: off });
			expect(updated.error.message).toContain('without an active admin');
			const upserted = await scim('user', 'upsert', {
				userName: 'boss@example.com',
				additionalFields: off,
			});
			expect(upserted.error.message).toContain('without an active admin');
			expect(writes(service)).toStrictEqual([]);
			expect(rolesOf(service, 'boss@example.com')).toEqual({ 'org-a': 'admin' });
		});
	});

	test('it is set by its URN where no guard forbids it', async () => {
		await withService({ seed: SEED }, async (service, scim) => {
			const { json } = await scim('user', 'update', {
				user: byEmail('ana@example.com'),
				updateFields: other({ [`${CORE}:active`]: false }),
			});
			expect(json[0].status).toBe('done');
			expect(userOf(service, 'ana@example.com').active).toBe(false);
		});
	});

	test.each([
		`${CORE}:groups`,
		`${CORE.toUpperCase()}:GROUPS`,
		'groups[type eq "direct"]',
		'groups.value',
		`${CORE}:id`,
		`${CORE}:meta`,
		`${CORE}:schemas`,
		'active[value eq "x"]',
		'active.value',
		CORE,
	])('%s is never sent, and that is said', async (name) => {
		await withService({ seed: SEED }, async (service, scim) => {
			for (const [operation, parameters] of [
				['update', { user: byEmail('boss@example.com'), updateFields: {} }],
				['upsert', { userName: 'boss@example.com', additionalFields: {} }],
				['create', { userName: 'new@example.com', additionalFields: {} }],
			]) {
				const fields = parameters.updateFields ?? parameters.additionalFields;
				Object.assign(fields, other({ [name]: [], externalId: 'HR-1' }));
				const { json } = await scim('user', operation, parameters);
				expect(json[0].warnings).toContain(`Left out of Other Attributes: ${name}.`);
			}
			expect(writes(service).length).toBeGreaterThan(0);
			for (const { body } of writes(service)) expect(JSON.stringify(body)).not.toContain('[]');
			expect(rolesOf(service, 'boss@example.com')).toEqual({ 'org-a': 'admin' });
		});
	});

	test('a user name by its URN is refused like the user name', async () => {
		await withService({ seed: SEED }, async (service, scim) => {
			const { error } = await scim('user', 'update', {
				user: byEmail('ana@example.com'),
				updateFields: other({ [`${CORE}:userName`]: 'other@example.com' }),
			});
			expect(error.message).toContain('cannot be changed to other@example.com');
			expect(writes(service)).toStrictEqual([]);
		});
	});

	test('a password by its URN is masked', async () => {
		await withService({ seed: SEED }, async (service, scim) => {
			const { json } = await scim('user', 'create', {
				userName: 'new@example.com',
				additionalFields: other({ [`${CORE}:Password`]: 'hunter2-secret' }),
				preview: true,
			});
			expect(json[0].requests[0].body).toMatchObject({ password: '***' });
			expect(JSON.stringify(json)).not.toContain('hunter2');
		});
	});
});

describe('name, emails and external ID are compared and updated, since answers show them', () => {
	const ANA = 'ana@example.com';
	const SILVA = { givenName: 'Ana', familyName: 'Silva', externalId: 'HR-1' };
	const silva = ({ givenName, familyName, ...others }) =>
		mapped({ 'name.givenName': givenName, 'name.familyName': familyName, ...others });
	const upsert = async (scim, fields) => await scim('user', 'upsert', { userName: ANA, ...fields });

	test('Create or Update writes what is different, once', async () => {
		await withService({ seed: SEED }, async (service, scim) => {
			const first = await upsert(scim, silva(SILVA));
			expect(first.json[0]).toMatchObject({ ...SILVA, status: 'done' });
			expect(first.json[0].warnings).toBeUndefined();
			const second = await upsert(scim, silva({ ...SILVA, familyName: 'Souza' }));
			expect(second.json[0]).toMatchObject({ familyName: 'Souza', status: 'done' });
			service.log.clear();
			const third = await upsert(scim, silva({ ...SILVA, familyName: 'Souza' }));
			expect(third.json[0].status).toBe('unchanged');
			expect(writes(service)).toStrictEqual([]);
			expect(requestsOf(service)).toEqual([
				'GET /scim/Users 200',
				`GET /scim/Users/${third.json[0].userId} 200`,
			]);
		});
	});

	test.each(['patch', 'put'])('Update by %s says nothing of what is shown', async (updateWith) => {
		await withService({ seed: SEED }, async (service, scim) => {
			const { json } = await scim('user', 'update', {
				user: byEmail(ANA),
				...silva({ ...SILVA, emails: [{ value: 'home@example.com' }] }),
				options: { updateWith },
			});
			expect(json[0]).toMatchObject({ ...SILVA, status: 'done' });
			const said = updateWith === 'put' ? [expect.stringContaining('ETag')] : undefined;
			expect(json[0].warnings).toEqual(said);
		});
	});

	test('an answer that is older than the write is not taken for a service that keeps nothing', async () => {
		await withService({ seed: SEED, patchAnswers: 'stale' }, async (service, scim) => {
			const { json } = await upsert(scim, silva(SILVA));
			expect(json[0]).toMatchObject({ ...SILVA, status: 'done' });
			expect(json[0].warnings).toBeUndefined();
			expect(countsOf(service)).toMatchObject({ PATCH: 1 });
		});
	});

	test.each([
		['nothing', []],
		['the login email', [{ value: 'Ana@example.com' }]],
		['the login email as home', [{ value: ANA, type: 'home' }]],
	])('emails wanted: %s; the login email that is shown is no difference', async (_, emails) => {
		await withService({ seed: SEED }, async (service, scim) => {
			const { json } = await upsert(scim, mapped({ emails }));
			expect(json[0].status).toBe('unchanged');
			expect(writes(service)).toStrictEqual([]);
		});
	});

	test.each(['patch', 'put'])(
		'another email beside it, by %s: done, then so',
		async (updateWith) => {
			await withService({ seed: SEED }, async (service, scim) => {
				const emails = [{ value: 'home@example.com', type: 'home', primary: false }];
				const update = async () =>
					await scim('user', 'update', {
						user: byEmail(ANA),
						...mapped({ emails: JSON.stringify(emails) }),
						options: { updateWith },
					});
				expect((await update()).json[0]).toMatchObject({ status: 'done' });
				const shown = await scim('user', 'get', { user: byEmail(ANA), simplify: false });
				expect(shown.json[0].emails.map(({ value }) => value)).toEqual([ANA, 'home@example.com']);
				const again = await upsert(scim, mapped({ emails }));
				expect(again.json[0].status).toBe('unchanged');
			});
		},
	);

	test('what the answer to a create only repeats is said not to be kept', async () => {
		await withService({}, async (service, scim) => {
			const parameters = { userName: 'new@example.com', ...mapped({ displayName: 'Ana' }) };
			const { json } = await scim('user', 'create', parameters);
			expect(service.state.userByName('new@example.com').attributes).not.toHaveProperty(
				'displayName',
			);
			expect(json[0]).toMatchObject({
				status: 'done',
				warnings: ['The service does not keep displayName.'],
			});
		});
	});

	test('what it keeps of users and does not show of this one is not done', async () => {
		const faults = [{ method: 'PATCH', kind: 'dropped' }];
		await withService({ seed: SEED, faults }, async (service, scim) => {
			const { error } = await upsert(scim, { ...silva(SILVA), options: { verifyTime: 0 } });
			expect(error.message).toMatch(/^Could not confirm: update user .*name/);
			expect(service.state.userByName(ANA).attributes).toEqual({});
		});
	});

	test('what the service does not keep is said, and not sent to somebody who exists', async () => {
		await withService({ seed: SEED }, async (service, scim) => {
			const { json } = await upsert(scim, silva({ ...SILVA, displayName: 'Ana S.' }));
			expect(json[0]).toMatchObject({
				status: 'done',
				warnings: ['The service does not keep displayName.'],
			});
			service.log.clear();
			const again = await upsert(scim, silva({ ...SILVA, displayName: 'Ana S.' }));
			expect(again.json[0]).toMatchObject({
				status: 'unchanged',
				warnings: ['The service does not keep displayName.'],
			});
			expect(requestsOf(service)).toEqual([
				'GET /scim/Users 200',
				expect.stringMatching(/^GET .*\/user-\w+ 200$/),
			]);
		});
	});
});

describe('a create that is answered 409', () => {
	const create = async (scim, parameters = {}) =>
		await scim('user', 'create', { userName: 'new@example.com', ...parameters });

	test('of somebody whom lists show late: looked for until Verification Time ends', async () => {
		await withService({ seed: SEED, indexLagMs: 700 }, async (service, scim) => {
			await create(scim);
			service.log.clear();
			const { json } = await create(scim, { options: { ifUserExists: 'return' } });
			expect(json[0]).toMatchObject({
				userName: 'new@example.com',
				status: 'unchanged',
			});
			expect(writes(service)).toHaveLength(1);
		});
	});

	test('several of them are looked for together', async () => {
		await withService({ seed: SEED, indexLagMs: 700, filter: 'off' }, async (service, scim) => {
			const items = [1, 2, 3, 4].map((number) => ({ email: `new${number}@example.com` }));
			const all = async (options) =>
				await scim('user', 'create', { userName: '={{ $json.email }}', options }, { items });
			await all({});
			service.log.clear();
			const started = Date.now();
			const { json } = await all({ ifUserExists: 'return' });
			expect(json.map(({ status }) => status)).toEqual(Array(4).fill('unchanged'));
			expect(Date.now() - started).toBeLessThan(3000);
			expect(countsOf(service).GET).toBeLessThanOrEqual(8);
		});
	});

	test('and seen by nobody at the end: said, no sooner', async () => {
		await withService({ seed: SEED, indexLagMs: 60_000 }, async (service, scim) => {
			await create(scim);
			const started = Date.now();
			const { error } = await create(scim, { options: { verifyTime: 1 } });
			expect(Date.now() - started).toBeGreaterThanOrEqual(900);
			expect(error.message).toContain('belongs to another account');
		});
	});
});

describe('a create whose answer was lost', () => {
	const lost = [{ method: 'POST', kind: 'reset-after', times: 1 }];
	const name = 'new@example.com';

	/** By the time anybody looks, the user has another external ID. */
	const theirs = (_, { directory }) => {
		const user = directory.byName(name);
		if (user?.attributes.externalId === 'ours') {
			directory.store({ ...user, attributes: { ...user.attributes, externalId: 'theirs' } });
		}
	};

	test('Create: a user name alone is no proof', async () => {
		await withService({ seed: SEED, faults: lost }, async (service, scim) => {
			const { error } = await scim('user', 'create', { userName: name });
			expect(error.message).toContain(
				`Could not confirm: create user ${name}: the answer was lost; a user of this name is there`,
			);
			expect(writes(service)).toHaveLength(1);
		});
	});

	test.each([
		['a name', { 'name.givenName': 'New' }],
		['an external ID', { externalId: 'HR-9' }],
	])('Create: %s that was sent and is shown is proof', async (_, values) => {
		await withService({ seed: SEED, faults: lost }, async (service, scim) => {
			const { json } = await scim('user', 'create', { userName: name, ...mapped(values) });
			expect(json[0]).toMatchObject({ userName: name, status: 'done' });
			expect(writes(service)).toHaveLength(1);
		});
	});

	test('Create: somebody else with another external ID is not ours', async () => {
		await withService({ seed: SEED, faults: lost, onRequest: theirs }, async (service, scim) => {
			const { error } = await scim('user', 'create', {
				userName: name,
				...mapped({ externalId: 'ours', 'name.givenName': 'New' }),
			});
			expect(error.message).toContain('Could not confirm');
		});
	});

	test('Create or Update goes on with whoever is there', async () => {
		await withService({ seed: SEED, faults: lost, onRequest: theirs }, async (service, scim) => {
			const { json } = await scim('user', 'upsert', {
				userName: name,
				...mapped({ externalId: 'ours' }),
			});
			expect(json[0]).toMatchObject({ externalId: 'ours', status: 'done' });
			expect(writes(service).map(({ method }) => method)).toEqual(['POST', 'PATCH']);
		});
	});

	test('Assign gives the role to whoever is there', async () => {
		await withService({ seed: SEED, faults: lost }, async (service, scim) => {
			const { json, error } = await scim('access', 'assign', {
				people: name,
				createMissing: true,
				...oneRole('org-a', 'viewer'),
			});
			expect(error).toBeUndefined();
			expect(itemsOf(json)).toEqual([expect.any(String), `granted ${name} org-a >viewer done`]);
			expect(rolesOf(service, name)).toEqual({ 'org-a': 'viewer' });
			expect(countsOf(service).POST).toBe(1);
		});
	});
});

describe('a deletion is proven by a GET of the user, and by the list that showed the user', () => {
	test('many deletions: one GET for each, and one list for all', async () => {
		const users = Array.from({ length: 12 }, (_, n) => ({ userName: `person${n}@example.com` }));
		await withService(
			{ seed: { ...SEED, users: [...SEED.users, ...users] } },
			async (service, scim) => {
				const { json } = await scim(
					'user',
					'delete',
					{ user: byEmail('={{ $json.userName }}'), options: { maxPeopleAffected: 100 } },
					{ items: users },
				);
				expect(json.every(({ deleted }) => deleted)).toBe(true);
				const sent = requestsOf(service);
				const after = sent.slice(sent.findIndex((request) => request.startsWith('DELETE')));
				expect(after.filter((request) => request === 'GET /scim/Users 200')).toHaveLength(1);
				expect(after.filter((request) => /^GET \/scim\/Users\/.* 404$/.test(request))).toHaveLength(
					12,
				);
			},
		);
	});

	test('an answer that was lost, and gone by the repeat: done, since this run did it', async () => {
		const faults = [{ method: 'DELETE', kind: 'reset-after', times: 1 }];
		await withService({ seed: SEED, faults }, async (service, scim) => {
			const { json } = await scim('user', 'delete', { user: byEmail('ana@example.com') });
			expect(json[0]).toMatchObject({ deleted: true, status: 'done' });
		});
	});
});
