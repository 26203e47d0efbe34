'use strict';

const { byEmail } = require('../support/node');
const { requestsOf, rolesOf, withService } = require('../support/service');
const { withServer } = require('../wild/play');

// Change Email where an account with the new email is there already: it may be a colleague's.

const OLD = 'ana@example.com';
const NEW = 'ana.silva@example.com';
const NAME = { givenName: 'Ana', familyName: 'Silva' };
const CHANGE = { user: byEmail(OLD), newEmail: NEW };
const EXISTING = { ...CHANGE, options: { useExistingAccount: true } };

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
			expect(json).toEqual([]);
			expect(error.message).toContain(`The email ${NEW} belongs to another account`);
			expect(error.message).toContain(why);
			expect(error.description).toContain('Use Existing Account');
			expect(writesOf(service)).toEqual([]);
			expect(rolesOf(service, OLD)).toEqual(ROLES);
			expect(isActive(OLD)).toBe(true);
		});
	});

	test('also where the old account is inactive without access: that alone does not make it done', async () => {
		await withPeople({ [OLD]: { active: false }, [NEW]: {} }, async (scim, service) => {
			const { error } = await scim('access', 'changeEmail', CHANGE);
			expect(error.message).toContain('neither a name nor an external ID');
			expect(writesOf(service)).toEqual([]);
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
			expect(writesOf(service)).toEqual([]);
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

describe('with Use Existing Account', () => {
	test('the account is taken as it is', async () => {
		const people = { [OLD]: { roles: ROLES }, [NEW]: { roles: { 'org-acct': 'admin' } } };
		await withPeople(people, async (scim, service, isActive) => {
			const { error } = await scim('access', 'changeEmail', EXISTING);
			expect(error).toBeUndefined();
			expect(rolesOf(service, NEW)).toEqual({ ...ROLES, 'org-acct': 'admin' });
			expect(isActive(OLD)).toBe(false);
		});
	});

	test.each([
		['inactive', { active: false }, {}, 'inactive'],
		['in another role there', { roles: { 'org-a': 'admin' } }, {}, 'is admin in org-a already'],
		['protected', {}, { protectedUsers: NEW }, 'is protected'],
	])('not one that is %s', async (_, existing, options, why) => {
		await withPeople({ [OLD]: { roles: ROLES }, [NEW]: existing }, async (scim, service) => {
			const parameters = { ...EXISTING, options: { ...EXISTING.options, ...options } };
			const { error } = await scim('access', 'changeEmail', parameters);
			expect(error.message).toContain(why);
			expect(writesOf(service)).toEqual([]);
		});
	});
});

test('where the service shows nobody in any group, nothing is moved', async () => {
	const groups = [{ id: 'org-a:member', members: ['user-1'] }];
	const users = [{ id: 'user-1', userName: OLD }];
	const switches = { users, groups, showsMembers: 'absent', usersShowGroups: false };
	await withServer(switches, async (server, scim) => {
		const credential = {
			groupsStandFor: 'organizationAndRole',
			groupPattern: '{organization}:{role}',
		};
		const { error } = await scim('access', 'changeEmail', CHANGE, { credential });
		expect(error.message).toContain(`It is not known which roles ${OLD} has`);
		expect(server.written()).toEqual([]);
	});
});
