'use strict';

require('../support/noWaiting');
const { statusesOf } = require('../support/items');
const { byEmail, byId } = require('../support/node');
const { requestsOf, rolesOf, withService } = require('../support/service');
const { person, withServer } = require('../wild/play');

// Change Email: a new account where user names cannot change, otherwise another user name. An account with the new email
// may be a colleague's.

const OLD = 'ana@example.com';
const NEW = 'ana.silva@example.com';
const NAME = { givenName: 'Ana', familyName: 'Silva' };
const CHANGE = { user: byEmail(OLD), newEmail: NEW };

/** @param people what stands beside email and roles, by email: `{ roles, attributes, active }` */
async function withPeople(people, work) {
	const organizations = ['org-acct', 'org-a', 'org-b'].map((id) => ({ id, name: id }));
	const seed = { account: 'org-acct', organizations, users: [], memberships: [] };
	await withService({ seed }, async (service, scim) => {
		const { directory } = service.state;
		for (const [email, { roles = {}, attributes, active = true }] of Object.entries(people)) {
			const { id } = directory.create(email, attributes, active);
			for (const [org, role] of Object.entries(roles)) directory.setRole(id, org, role);
		}
		const isActive = (email) => directory.byName(email)?.active;
		await work(scim, service, isActive);
	});
}

const writesOf = (service) => requestsOf(service).filter((line) => !line.startsWith('GET'));
const ROLES = { 'org-a': 'member', 'org-b': 'viewer' };

describe('an account with the new email that may be a colleague’s is refused', () => {
	test.each([
		['another name', { name: { ...NAME, givenName: 'Anabel' } }, {}, 'its name is not that of'],
		['another external ID', { externalId: 'hr-2' }, {}, 'its external ID is not that of'],
		['nothing to compare', {}, {}, 'neither a name nor an external ID'],
		[
			'the name alone, and another external ID',
			{ name: NAME, externalId: 'hr-2' },
			{},
			'external ID',
		],
		['access of its own', { name: NAME }, { 'org-a': 'admin' }, 'it is admin in org-a'],
	])('%s', async (_, attributes, roles, why) => {
		const people = {
			[OLD]: { roles: ROLES, attributes: { name: NAME, externalId: 'hr-1' } },
			[NEW]: { roles, attributes },
		};
		await withPeople(people, async (scim, service, isActive) => {
			const { error, json } = await scim('access', 'changeEmail', CHANGE);
			expect(json).toStrictEqual([]);
			expect(error.message).toContain(`The email ${NEW} belongs to another account`);
			expect(error.message).toContain(why);
			expect(error.description).toMatch(/Assign .* Offboard/);
			expect(writesOf(service)).toStrictEqual([]);
			expect(rolesOf(service, OLD)).toEqual(ROLES);
			expect(isActive(OLD)).toBe(true);
		});
	});

	test('also where the old account is inactive without access: that alone does not make it done', async () => {
		await withPeople({ [OLD]: { active: false }, [NEW]: {} }, async (scim, service) => {
			const { error } = await scim('access', 'changeEmail', CHANGE);
			expect(error.message).toContain('neither a name nor an external ID');
			expect(writesOf(service)).toStrictEqual([]);
		});
	});
});

describe('an account that shows that it is the same person’s', () => {
	test.each([
		['name', { name: NAME }, { name: { familyName: 'SILVA ', givenName: 'ana' } }],
		['external ID', { externalId: 'hr-1' }, { externalId: 'hr-1', name: NAME }],
	])('by %s: with a part of the access the run is completed', async (_, old, other) => {
		const people = {
			[OLD]: { roles: ROLES, attributes: old },
			[NEW]: { roles: { 'org-a': 'member' }, attributes: other },
		};
		await withPeople(people, async (scim, service, isActive) => {
			const { error } = await scim('access', 'changeEmail', CHANGE);
			expect(error).toBeUndefined();
			expect(rolesOf(service, NEW)).toEqual(ROLES);
			expect(rolesOf(service, OLD)).toEqual({});
			expect(isActive(OLD)).toBe(false);
			expect(writesOf(service)).toHaveLength(2);
		});
	});

	test('with access of its own, when the old one is inactive without access: already done', async () => {
		const attributes = { name: NAME };
		const people = { [OLD]: { active: false, attributes }, [NEW]: { roles: ROLES, attributes } };
		await withPeople(people, async (scim, service) => {
			const { json } = await scim('access', 'changeEmail', CHANGE);
			expect(statusesOf(json)).toEqual(['unchanged']);
			expect(writesOf(service)).toStrictEqual([]);
		});
	});
});

test('a new account takes name and external ID with it, so that the next run knows it again', async () => {
	const attributes = { name: NAME, externalId: 'hr-1' };
	await withPeople({ [OLD]: { roles: ROLES, attributes } }, async (scim, service) => {
		const { error } = await scim('access', 'changeEmail', CHANGE);
		expect(error).toBeUndefined();
		expect(service.log.requests.find(({ method }) => method === 'POST').body).toMatchObject(
			attributes,
		);
		const again = await scim('access', 'changeEmail', CHANGE);
		expect(statusesOf(again.json)).toEqual(['unchanged']);
	});
});

test('an account that appears between look-up and create is not taken', async () => {
	await withPeople({ [OLD]: { roles: ROLES } }, async (scim, service, isActive) => {
		service.options.onRequest = ({ method }, { directory }) => {
			if (method === 'POST') directory.create(NEW);
		};
		const { error } = await scim('access', 'changeEmail', CHANGE);
		expect(error.message).toContain(`User ${NEW} exists already`);
		expect(rolesOf(service, NEW)).toEqual({});
		expect(rolesOf(service, OLD)).toEqual(ROLES);
		expect(isActive(OLD)).toBe(true);
	});
});

test.each([
	['inactive', { active: false }, {}, 'inactive'],
	['protected', {}, { protectedUsers: NEW }, 'is protected'],
])('an account that is %s is not taken', async (_, more, options, why) => {
	const attributes = { name: NAME };
	const people = { [OLD]: { roles: ROLES, attributes }, [NEW]: { attributes, ...more } };
	await withPeople(people, async (scim, service) => {
		const { error } = await scim('access', 'changeEmail', { ...CHANGE, options });
		expect(error.message).toContain(why);
		expect(writesOf(service)).toStrictEqual([]);
	});
});

describe('items that are about the same account', () => {
	const EVE = 'eve@example.com';
	const people = { [OLD]: { roles: ROLES }, [EVE]: { roles: { 'org-a': 'viewer' } } };
	const changeAll = async (scim, items) =>
		await scim(
			'access',
			'changeEmail',
			{ user: byEmail('={{ $json.from }}'), newEmail: '={{ $json.to }}' },
			{ items: items.map(([from, to]) => ({ from, to })), onError: 'continueErrorOutput' },
		);

	test.each([
		[
			'the old account of one is the new one of another',
			[
				[EVE, NEW],
				[OLD, EVE],
			],
		],
		[
			'two become one',
			[
				[EVE, NEW],
				[OLD, NEW.toUpperCase()],
			],
		],
		[
			'one becomes two',
			[
				[OLD, NEW],
				[OLD, 'ana.two@example.com'],
			],
		],
	])('%s: neither is sent', async (_, items) => {
		await withPeople(people, async (scim, service) => {
			const { json, errorJson } = await changeAll(scim, items);
			expect(json).toStrictEqual([]);
			const said = 'Items 0 and 1 want different things of the same account';
			expect(errorJson.map(({ error }) => error)).toEqual([said, said]);
			expect(writesOf(service)).toStrictEqual([]);
		});
	});
});

test('an old account that is inactive and still has roles loses them like any leaver', async () => {
	const users = [{ id: 'user-1', userName: OLD, name: NAME, active: false }];
	const groups = [{ id: 'g-1', displayName: 'Engineering', members: ['user-1'] }];
	const credential = { overrideProfile: true, userNameCanChange: 'no' };
	await withServer({ users, groups }, async (server, scim) => {
		const { error } = await scim('access', 'changeEmail', CHANGE, { credential });
		expect(error).toBeUndefined();
		expect(server.membersOf('g-1')).toEqual(server.named(NEW).map(({ id }) => id));
	});
});

test('where the service shows nobody in any group, nothing is moved', async () => {
	const groups = [{ id: 'org-a:member', members: ['user-1'] }];
	const users = [{ id: 'user-1', userName: OLD }];
	const switches = { users, groups, showsMembers: 'absent', usersShowGroups: 'absent' };
	await withServer(switches, async (server, scim) => {
		const credential = {
			...{ overrideProfile: true, userNameCanChange: 'no' },
			groupsStandFor: 'organizationAndRole',
			groupPattern: '{organization}:{role}',
		};
		const { error } = await scim('access', 'changeEmail', CHANGE, { credential });
		expect(error.message).toContain(`The roles of ${OLD} are unknown`);
		expect(server.written()).toStrictEqual([]);
	});
});

describe('where a user name can change', () => {
	const emails = [
		{ value: OLD, type: 'work', primary: true },
		{ value: 'ana@home.example', type: 'home' },
	];
	const ANA = { id: 'user-1', userName: OLD, emails };
	const groups = [{ id: 'g-1', displayName: 'Engineering', members: ['user-1'] }];

	const change = async (switches, parameters, check, more) => {
		await withServer({ users: [ANA, person(2)], groups, ...switches }, async (server, scim) => {
			const given = { ...CHANGE, ...parameters };
			await check(await scim('access', 'changeEmail', given, more), server, scim);
		});
	};

	test.each([
		['the answer shows it', {}],
		['the answer is empty', { patchAnswers: 204 }],
		['memberships are shown nowhere', { showsMembers: 'absent', usersShowGroups: 'absent' }],
	])('one PATCH of user name and email, and a GET by ID: %s', async (_, switches) => {
		await change(switches, {}, ({ json, error }, server) => {
			expect(error).toBeUndefined();
			expect(json).toMatchObject([
				{
					change: 'updated',
					userId: 'user-1',
					userName: NEW,
					group: null,
					status: 'done',
					reason: null,
				},
			]);
			expect(server.written()).toEqual([expect.stringMatching(/^PATCH \/Users\/user-1 20/)]);
			const [{ body }] = server.requests.filter(({ method }) => method === 'PATCH');
			expect(body.Operations).toEqual([
				{ op: 'replace', path: 'userName', value: NEW },
				{ op: 'replace', path: 'emails', value: [{ ...emails[0], value: NEW }, emails[1]] },
			]);
			expect(server.came().at(-1)).toBe('GET /Users/user-1 200');
			expect(server.users.get('user-1')).toMatchObject({ userName: NEW, active: true });
			expect(server.membersOf('g-1')).toEqual(['user-1']);
		});
	});

	test('nothing but users is read: two by name, and one by ID', async () => {
		await change({}, {}, (_, server) => {
			expect(server.came('GET')).toEqual([
				'GET /Users 200',
				'GET /Users 200',
				'GET /Users/user-1 200',
			]);
		});
	});

	test('a service that takes it and keeps the old one: unverified, and no new account', async () => {
		const faults = [{ on: 'PATCH', nothing: true }];
		await change({ faults }, {}, ({ error }, server) => {
			expect(error.message).toContain('Could not confirm: change the email of');
			expect(server.written()).toEqual(['PATCH /Users/user-1 200']);
			expect(server.named(NEW)).toStrictEqual([]);
		});
	});

	test('an answer that shows the new name while the user keeps the old one is no success', async () => {
		const body = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], ...ANA, userName: NEW };
		const faults = [{ on: 'PATCH', status: 200, body }];
		await change({ faults }, {}, ({ error, json }) => {
			expect(json).toStrictEqual([]);
			expect(error.message).toContain('Could not confirm');
		});
	});

	test('a service that refuses it: failed, and no new account', async () => {
		const faults = [{ on: 'PATCH', status: 400 }];
		await change({ faults }, {}, ({ error }, server) => {
			expect(error.message).toContain('400');
			expect(server.named(NEW)).toStrictEqual([]);
		});
		await change(
			{ faults },
			{},
			({ returned }) => {
				const shown = { change: 'updated', userId: 'user-1', userName: OLD, status: 'failed' };
				expect(returned).toMatchObject([shown]);
			},
			{ onError: 'continueErrorOutput' },
		);
	});

	test('two items that want the same are one PATCH', async () => {
		const more = { items: [{}, {}] };
		await change(
			{},
			{},
			({ json, error }, server) => {
				expect(error).toBeUndefined();
				expect(json.map(({ status }) => status)).toEqual(['done', 'done']);
				expect(server.written()).toHaveLength(1);
			},
			more,
		);
	});

	test('a colleague has the new email: failed, nothing is sent', async () => {
		await change({}, { newEmail: 'person2@example.com' }, ({ error }, server) => {
			expect(error.message).toBe(
				'The email person2@example.com belongs to another account (ID user-2), and this service does not merge accounts',
			);
			expect(server.written()).toStrictEqual([]);
		});
	});

	test('run again by email: an error that asks for the ID; by ID: unchanged', async () => {
		await change({}, {}, async (_, server, scim) => {
			server.requests.length = 0;
			const { error } = await scim('access', 'changeEmail', CHANGE);
			expect(error.message).toBe(
				`No user has the user name ${OLD}, but ${NEW} is there already (ID user-1)`,
			);
			expect(error.description).toContain('by ID');
			const byItsId = { ...CHANGE, user: byId('user-1') };
			const { json } = await scim('access', 'changeEmail', byItsId);
			expect(json).toMatchObject([{ change: 'none', userId: 'user-1', status: 'unchanged' }]);
			expect(server.written()).toStrictEqual([]);
		});
	});

	test('neither email is known: not found', async () => {
		const user = byEmail('nobody@example.com');
		await change({}, { user }, ({ error }) => {
			expect(error.message).toBe('No user has the user name nobody@example.com');
		});
	});

	test('the preview shows the request, and sends nothing', async () => {
		await change({}, { preview: true }, ({ json }, server) => {
			expect(json[0].requests).toMatchObject([{ method: 'PATCH', path: '/Users/user-1' }]);
			expect(server.written()).toStrictEqual([]);
		});
	});
});

describe('where it cannot, and groups stand for themselves', () => {
	const credential = { overrideProfile: true, userNameCanChange: 'no' };
	const ANA = { id: 'user-1', userName: OLD, name: NAME, title: 'Engineer' };
	const groups = [
		{ id: 'g-1', displayName: 'Engineering', members: ['user-1', 'user-2'] },
		{ id: 'g-2', displayName: 'VPN', members: ['user-1'] },
		{ id: 'g-3', displayName: 'Sales', members: ['user-2'] },
	];

	test.each([
		['groups and users show memberships', {}],
		['only groups do', { usersShowGroups: 'absent' }],
		['only users do', { showsMembers: 'absent' }],
	])(
		'a new account with all memberships and attributes, then the old one ends: %s',
		async (_, switches) => {
			const state = { users: [ANA, person(2)], groups, ...switches };
			await withServer(state, async (server, scim) => {
				const { error, json } = await scim('access', 'changeEmail', CHANGE, { credential });
				expect(error).toBeUndefined();
				const [made] = server.named(NEW);
				expect(made).toMatchObject({ name: NAME, title: 'Engineer', active: true });
				expect(server.membersOf('g-1')).toEqual(['user-2', made.id]);
				expect(server.membersOf('g-2')).toEqual([made.id]);
				expect(server.membersOf('g-3')).toEqual(['user-2']);
				expect(server.users.get('user-1').active).toBe(false);
				const written = server.written();
				expect(written[0]).toBe('POST /Users 201');
				// Everything is given before the old account ends, and taken from it after that.
				expect(written.indexOf('PATCH /Users/user-1 200')).toBe(3);
				expect(json.map(({ change, status }) => `${change} ${status}`).sort()).toEqual([
					'created done',
					'deactivated done',
					'granted done',
					'granted done',
					'revoked done',
					'revoked done',
				]);
			});
		},
	);

	test('a membership that cannot be given: the old account stays as it is', async () => {
		const state = { users: [ANA, person(2)], groups, refusesAddsTo: ['g-2'] };
		await withServer(state, async (server, scim) => {
			const { error } = await scim('access', 'changeEmail', CHANGE, { credential });
			expect(error.message).toContain('does not accept');
			expect(server.users.get('user-1').active).toBe(true);
			expect(server.membersOf('g-2')).toEqual(['user-1']);
			expect(server.membersOf('g-1')).toContain('user-1');
		});
	});
});
