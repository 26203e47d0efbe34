'use strict';

const { seedOf } = require('../../demo/service');
const { itemsOf, statusesOf } = require('../support/items');
const { byEmail, byId } = require('../support/node');
const { countsOf, requestsOf, rolesOf, withService } = require('../support/service');
const { fromExpression, oneRole } = require('../support/accessRows');

const names = {
	organization: [
		{ name: 'Marketing', id: 'org-3454' },
		{ name: 'Operations', id: 'org-9120' },
	],
};
const inOrganization = (id, role) => oneRole(byId(id), role);

/** A seed whose people have roles in organizations as given: `{ ana: { 'org-1': 'admin' } }`. */
const seed = (people, organizations = ['org-a', 'org-b', 'org-c']) => ({
	account: 'org-acct',
	organizations: ['org-acct', ...organizations].map((id) => ({ id, name: id })),
	users: Object.entries(people).map(([name, { inactive }]) => ({
		userName: `${name}@example.com`,
		active: inactive !== true,
	})),
	memberships: Object.entries(people).flatMap(([name, { inactive, ...roles }]) =>
		Object.entries(roles).map(([organization, role]) => ({
			userName: `${name}@example.com`,
			organization,
			role,
		})),
	),
});

describe('Assign', () => {
	test('100 hires into the same 3 groups: 1 read, 100 creates, 3 writes', async () => {
		await withService({}, async (service, scim) => {
			const items = Array.from({ length: 100 }, (_, index) => ({
				email: `hire${index}@example.com`,
			}));
			const { json, error } = await scim(
				'access',
				'assign',
				{
					people: '={{ $json.email }}',
					createMissing: true,
					...fromExpression([
						{ organization: 'org-3454', role: 'member' },
						{ organization: 'org-9120', role: 'viewer' },
						{ organization: 'org-acct1', role: 'admin' },
					]),
					options: { maxPeopleAffected: 100 },
				},
				{ items },
			);
			expect(error).toBeUndefined();
			expect(countsOf(service)).toEqual({ GET: 1, POST: 100, PATCH: 3 });
			expect(statusesOf(json)).toEqual(Array(400).fill('done'));
			expect(rolesOf(service, 'hire99@example.com')).toEqual({
				'org-3454': 'member',
				'org-9120': 'viewer',
				'org-acct1': 'admin',
			});
		});
	});

	test('20 of 40 hires exist without any role: their 409s are settled by one listing', async () => {
		const { users, ...rest } = seedOf({ users: 200, organizations: 2 });
		const idle = Array.from({ length: 20 }, (_, index) => `idle${index}@example.com`);
		const hires = Array.from({ length: 20 }, (_, index) => `hire${index}@example.com`);
		const all = [...users, ...idle.map((userName) => ({ userName }))];
		await withService({ seed: { ...rest, users: all } }, async (service, scim) => {
			const { json, error } = await scim(
				'access',
				'assign',
				{
					people: '={{ $json.email }}',
					createMissing: true,
					...inOrganization('org-1001', 'viewer'),
				},
				{ items: [...hires, ...idle].map((email) => ({ email })) },
			);
			expect(error).toBeUndefined();
			// The groups, 240 users in a page and a large one.
			expect(countsOf(service)).toEqual({ GET: 1 + 2, POST: 40, PATCH: 1 });
			expect(itemsOf(json)).toEqual([
				...hires.flatMap((who) => [`created ${who} done`, `granted ${who} org-1001 >viewer done`]),
				...idle.flatMap((who) => [`none ${who} unchanged`, `granted ${who} org-1001 >viewer done`]),
			]);
			expect(rolesOf(service, 'idle7@example.com')).toEqual({ 'org-1001': 'viewer' });
		});
	});

	test('a move is 2 reads, groups and the account, and 1 write, and never a removal', async () => {
		await withService(
			{ seed: seed({ ana: { 'org-a': 'viewer' }, bob: { 'org-a': 'admin' } }) },
			async (service, scim) => {
				const { json } = await scim('access', 'assign', {
					people: 'ANA@example.com',
					...inOrganization('org-a', 'member'),
				});
				expect(itemsOf(json)).toEqual(['moved ANA@example.com org-a viewer>member done']);
				expect(countsOf(service)).toEqual({ GET: 2, PATCH: 1 });
				expect(rolesOf(service, 'ana@example.com')).toEqual({ 'org-a': 'member' });
			},
		);
	});

	test('organizations by name; who has the role already is left alone', async () => {
		await withService({}, async (service, scim) => {
			const parameters = {
				people: 'new.person@example.com',
				createMissing: true,
				...fromExpression([{ organization: 'marketing', role: 'Member' }]),
			};
			const credential = { organizationNames: names };
			await scim('access', 'assign', parameters, { credential });
			service.log.clear();
			const again = await scim('access', 'assign', parameters, { credential });
			expect(itemsOf(again.json)).toEqual([
				'none new.person@example.com org-3454 member unchanged',
			]);
			// A membership does not show that a user is active.
			expect(countsOf(service)).toEqual({ GET: 2 });
		});
	});

	test('an organization that nobody knows: the error lists those there are', async () => {
		await withService({}, async (service, scim) => {
			const { error } = await scim('access', 'assign', {
				people: 'margaret.osei@example.com',
				...inOrganization('org-0000', 'member'),
			});
			expect(error.message).toContain('There is no organization org-0000');
			expect(error.description).toContain('org-3454');
			expect(countsOf(service).PATCH).toBeUndefined();
		});
	});

	test.each([false, true])(
		'somebody inactive: an error, or activated first (createMissing %s)',
		async (createMissing) => {
			await withService({ seed: seed({ ana: { inactive: true } }) }, async (service, scim) => {
				const parameters = {
					people: 'ana@example.com',
					createMissing,
					...inOrganization('org-a', 'member'),
				};
				const refused = await scim('access', 'assign', parameters);
				expect(refused.error.message).toContain('is inactive');
				expect(rolesOf(service, 'ana@example.com')).toEqual({});
				const options = { reactivate: true };
				const { json } = await scim('access', 'assign', { ...parameters, options });
				expect(statusesOf(json)).toEqual(['done', 'done']);
				expect(rolesOf(service, 'ana@example.com')).toEqual({ 'org-a': 'member' });
				expect(service.state.table().people[0].active).toBe(true);
			});
		},
	);

	test('two roles in one organization for one person: an error that names both items', async () => {
		await withService({ seed: seed({ ana: {} }) }, async (service, scim) => {
			const { errorJson, json } = await scim(
				'access',
				'assign',
				{
					people: '={{ $json.email }}',
					...oneRole(byId('org-a'), '={{ $json.role }}'),
				},
				{
					items: [
						{ email: 'ana@example.com', role: 'member' },
						{ email: 'Ana@example.com', role: 'viewer' },
					],
					onError: 'continueErrorOutput',
				},
			);
			expect(json).toStrictEqual([]);
			expect(errorJson[0].error).toContain('Items 0 and 1 want two roles');
			expect(countsOf(service).PATCH).toBeUndefined();
		});
	});

	test('one of three cannot be created: the others get their roles, and the outcome says who did not', async () => {
		await withService({}, async (service, scim) => {
			const { json, errorJson } = await scim(
				'access',
				'assign',
				{
					people: '={{ $json.email }}',
					createMissing: true,
					...inOrganization('org-3454', 'member'),
				},
				{
					items: [
						{ email: 'one@example.com' },
						{ email: 'sam.taken@example.net' },
						{ email: 'three@example.com' },
					],
					onError: 'continueErrorOutput',
				},
			);
			expect(itemsOf(json)).toEqual([
				...['created one@example.com done', 'granted one@example.com org-3454 >member done'],
				...['created three@example.com done', 'granted three@example.com org-3454 >member done'],
			]);
			expect(errorJson[0].error).toContain('sam.taken@example.net belongs to another account');
			expect(rolesOf(service, 'three@example.com')).toEqual({ 'org-3454': 'member' });
		});
	});
});

describe('guards', () => {
	test('protected people are never touched, by id, email or pattern', async () => {
		const people = {
			ana: { 'org-a': 'viewer' },
			boss: { 'org-a': 'admin' },
			eve: { 'org-a': 'admin' },
		};
		await withService({ seed: seed(people) }, async (service, scim) => {
			const id = service.state.userByName('boss@example.com').id;
			for (const protectedUsers of ['BOSS@example.com', 'boss@*', id]) {
				const options = { protectedUsers };
				const offboarded = await scim('access', 'offboard', { people: id, options });
				expect(offboarded.error.message).toContain('is protected');
				const deactivated = await scim('user', 'deactivate', { user: byId(id), options });
				expect(deactivated.error.message).toContain('is protected');
			}
			const { json } = await scim('group', 'setMembers', {
				chooseGroupBy: 'group',
				group: byId('org-a:admin'),
				people: 'eve@example.com',
				options: { protectedUsers: 'boss@*' },
			});
			expect(statusesOf(json)).toEqual(['unchanged', 'skipped']);
			expect(countsOf(service).PATCH).toBeUndefined();
		});
	});

	// Groups of the account show the login email alone (docs/interface.md 2.1); the others are on the user (2.2).
	describe('an email that groups do not show protects', () => {
		const people = { ana: { 'org-a': 'member' }, bob: { 'org-a': 'member' } };
		const withEmails = seed(people);
		withEmails.users[0].emails = [{ value: 'ceo@partner.com', type: 'work' }];
		const options = { protectedUsers: 'CEO@partner.com' };
		const group = { chooseGroupBy: 'group', group: byId('org-a:member') };
		const noRow = {
			...{ preview: false, wantedFrom: 'json', scopeOrganizations: 'org-a' },
			wantedJson: '[{"email":"bob@example.com","organization":"org-a","role":"member"}]',
		};
		const inOrgA = (role) => ({
			...{ people: 'ana@example.com', organization: byId('org-a') },
			...inOrganization('org-a', role),
		});

		test.each([
			['access', 'reconcile', noRow],
			['access', 'reconcile', { ...noRow, options: { deactivatesEmpty: true } }],
			['access', 'revoke', inOrgA('member')],
			['access', 'assign', inOrgA('viewer')],
			['access', 'set', { people: 'ana@example.com', ...inOrganization('org-b', 'viewer') }],
			['group', 'setMembers', { ...group, people: 'bob@example.com' }],
			['group', 'removeMembers', { ...group, people: 'ana@example.com' }],
		])('%s %s', async (resource, operation, parameters) => {
			await withService({ seed: withEmails }, async (service, scim) => {
				const own = { ...parameters, options: { ...parameters.options, ...options } };
				const { json, errorJson = [], error } = await scim(resource, operation, own);
				expect(JSON.stringify([json, errorJson, error?.message])).toContain(
					'ana@example.com is protected',
				);
				expect(rolesOf(service, 'ana@example.com')).toEqual(people.ana);
				expect(countsOf(service)).toEqual({ GET: expect.any(Number) });
			});
		});

		test('Apply Plan, where the plan protected nobody', async () => {
			await withService({ seed: withEmails }, async (service, scim) => {
				const { json } = await scim('access', 'reconcile', { ...noRow, preview: true });
				expect(json[0].requests).toHaveLength(1);
				const applied = await scim('access', 'applyPlan', { options }, { items: [json[0]] });
				expect(applied.error.message).toContain('ana@example.com is protected');
				expect(rolesOf(service, 'ana@example.com')).toEqual(people.ana);
			});
		});

		test('whoever cannot be read might be protected: nothing is sent', async () => {
			const faults = [{ method: 'GET', path: /Users\/./, kind: 'status', status: 403 }];
			await withService({ seed: withEmails, faults }, async (service, scim) => {
				const { error } = await scim('access', 'reconcile', { ...noRow, options });
				expect(error.message).toContain('Could not get user');
				expect(rolesOf(service, 'ana@example.com')).toEqual(people.ana);
			});
		});

		test.each([
			['an email', { protectedUsers: 'boss@example.com' }, ['ana', 'bob']],
			['an ID', { protectedUsers: 'user-1234' }, ['bob']],
			['nothing', {}, ['bob']],
		])(
			'with %s protected, whoever loses something is read only where it decides',
			async (_name, own, reads) => {
				await withService({ seed: withEmails }, async (service, scim) => {
					const { json } = await scim('access', 'reconcile', { ...noRow, options: own });
					expect(statusesOf(json)).toEqual(['done']);
					const names = requestsOf(service).flatMap((one) => {
						const id = /Users.(\S+)/.exec(one)?.[1];
						return id ? service.state.directory.users.get(id).email.split('@')[0] : [];
					});
					expect(names.sort()).toEqual(reads);
					expect(rolesOf(service, 'ana@example.com')).toEqual({});
					expect(rolesOf(service, 'bob@example.com')).toEqual(people.bob);
				});
			},
		);
	});

	test('more people lose access than the limit allows: blocked with count and limit, Continue On Fail or not', async () => {
		await withService({ seed: seedOf({ users: 60, organizations: 2 }) }, async (service, scim) => {
			const people = service.state
				.table()
				.people.filter(({ roles }) => Object.values(roles).some((role) => role !== 'admin'))
				.slice(0, 7)
				.map(({ userName }) => userName);
			const parameters = {
				people: '={{ $json.email }}',
				revokeIn: 'all',
				options: { allowRemovingLastAdmin: true },
			};
			const items = people.map((email) => ({ email }));
			const { error } = await scim('access', 'revoke', parameters, { items });
			expect(error.message).toContain('7 people would lose access, more than the limit of 6');
			const continued = await scim('access', 'revoke', parameters, {
				items,
				onError: 'continueErrorOutput',
			});
			expect(continued.json).toStrictEqual([]);
			expect(continued.errorJson).toHaveLength(7);
			expect(countsOf(service).PATCH).toBeUndefined();
		});
	});

	test('Preview shows what blocks, and sends nothing', async () => {
		await withService({ seed: seed({ ana: { 'org-a': 'admin' } }) }, async (service, scim) => {
			const { json } = await scim('access', 'offboard', {
				people: 'ana@example.com',
				preview: true,
			});
			expect(json[0].blockedBy[0]).toContain('without an active admin');
			expect(json[0].requests).toHaveLength(1);
			expect(countsOf(service)).toEqual({ GET: 1 });
		});
	});

	test('member of the account organization: a warning, as a hint too', async () => {
		await withService({ seed: seed({ ana: {} }) }, async (service, scim) => {
			const { hints, json } = await scim(
				'access',
				'assign',
				{
					people: 'ana@example.com',
					createMissing: false,
					...inOrganization('org-acct', 'member'),
				},
				{ credential: { accountOrganizationId: ' whylabs-org-acct ' } },
			);
			expect(json[0].warnings[0]).toContain('account management only');
			expect(hints).toMatchObject([{ message: json[0].warnings[0], location: 'outputPane' }]);
		});
	});

	test('an admin who becomes something else needs another admin first', async () => {
		const people = { ana: { 'org-a': 'admin' }, bob: { 'org-a': 'viewer' } };
		await withService({ seed: seed(people) }, async (service, scim) => {
			const demoted = await scim('access', 'assign', {
				people: 'ana@example.com',
				...inOrganization('org-a', 'member'),
			});
			expect(demoted.error.message).toContain('without an active admin');
			const swapped = await scim(
				'access',
				'assign',
				{
					people: '={{ $json.email }}',
					...oneRole(byId('org-a'), '={{ $json.role }}'),
				},
				{
					items: [
						{ email: 'ana@example.com', role: 'member' },
						{ email: 'bob@example.com', role: 'admin' },
					],
				},
			);
			expect(swapped.error).toBeUndefined();
			expect(requestsOf(service).filter((request) => request.startsWith('PATCH'))).toEqual([
				expect.stringContaining('admin 200'),
				expect.stringContaining('member 200'),
			]);
		});
	});
});

describe('movers', () => {
	const people = {
		ana: { 'org-a': 'viewer', 'org-b': 'member', 'org-acct': 'admin' },
		bob: { 'org-a': 'admin', 'org-b': 'admin', 'org-acct': 'admin' },
	};

	test('exactly these assignments; the account organization is left alone', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { json } = await scim(
				'access',
				'set',
				{
					people: 'ana@example.com',
					...fromExpression([
						{ organization: 'org-a', role: 'member' },
						{ organization: 'org-c', role: 'viewer' },
					]),
				},
				{ credential: { accountOrganizationId: 'org-acct' } },
			);
			expect(itemsOf(json)).toEqual([
				'moved ana@example.com org-a viewer>member done',
				'granted ana@example.com org-c >viewer done',
				'revoked ana@example.com org-b member> done',
			]);
			expect(rolesOf(service, 'ana@example.com')).toEqual({
				'org-a': 'member',
				'org-c': 'viewer',
				'org-acct': 'admin',
			});
			expect(countsOf(service)).toEqual({ GET: 2, PATCH: 3 });
		});
	});

	test('an empty list is refused unless allowed', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const parameters = { people: 'ana@example.com', ...fromExpression([]) };
			const { error } = await scim('access', 'set', parameters);
			expect(error.message).toContain('would remove all access');
			const options = { allowEmpty: true };
			await scim('access', 'set', { ...parameters, options });
			// The token names the account organization, which is left alone.
			expect(rolesOf(service, 'ana@example.com')).toEqual({ 'org-acct': 'admin' });
		});
	});

	test('a hole among people or assignments: the item is refused by position, nothing is sent', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const access = [{ organization: 'org-c', role: 'viewer' }];
			for (const [who, rows, message] of [
				['ana@example.com,,bob@example.com', access, 'Entry 2 of People is empty'],
				["={{ ['ana@example.com', null] }}", access, 'Entry 2 of People is empty'],
				['ana@example.com', [...access, null], 'Row 1 of Roles, entry 2 names no group'],
				[
					'ana@example.com',
					[...access, { organization: ' ', role: 'viewer' }],
					'Row 1 of Roles, entry 2 names no group',
				],
				[
					'ana@example.com',
					[{ organization: { id: 'org-c' }, role: 'viewer' }],
					'Row 1 of Roles, entry 1 names no group',
				],
			]) {
				const parameters = { people: who, ...fromExpression(rows) };
				const { error } = await scim('access', 'set', parameters);
				expect(error.message).toBe(message);
			}
			expect(service.log.requests).toStrictEqual([]);
		});
	});

	test('a hole among protected people or organizations in scope stops the run: nothing is sent', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const protects = await scim('access', 'set', {
				people: 'ana@example.com',
				...fromExpression([{ organization: 'org-c', role: 'viewer' }]),
				options: { protectedUsers: 'bob@example.com,,owner@example.com' },
			});
			expect(protects.error.message).toBe('Entry 2 of Protected Users is empty');
			const scoped = await scim('access', 'reconcile', { scopeOrganizations: 'org-a,;org-b' });
			expect(scoped.error.message).toBe('Entry 2 of Organizations in Scope is empty');
			expect(service.log.requests).toStrictEqual([]);
		});
	});

	test('a bad item holds back removals, grants go on', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { json, errorJson } = await scim(
				'access',
				'set',
				{
					people: '={{ $json.email }}',
					...fromExpression('={{ $json.access }}'),
				},
				{
					items: [
						{ email: 'ana@example.com', access: [{ organization: 'org-c', role: 'viewer' }] },
						{ email: '', access: [{ organization: 'org-c', role: 'viewer' }] },
					],
					onError: 'continueErrorOutput',
				},
			);
			expect(errorJson).toHaveLength(1);
			expect(statusesOf(json).sort()).toEqual(['done', 'skipped', 'skipped']);
			expect(rolesOf(service, 'ana@example.com')).toEqual({ ...people.ana, 'org-c': 'viewer' });
		});
	});

	test('Change Email: new account, same roles, old one inactive', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const parameters = { user: byEmail('ana@example.com'), newEmail: 'ana.silva@example.com' };
			const { error } = await scim('access', 'changeEmail', parameters);
			expect(error).toBeUndefined();
			expect(rolesOf(service, 'ana.silva@example.com')).toEqual(people.ana);
			expect(rolesOf(service, 'ana@example.com')).toEqual({});
		});
	});
});

describe('a mover whose new role is refused', () => {
	test('keeps the old one: removals wait for what the person is to have instead', async () => {
		await withService({}, async (service, scim) => {
			const person = 'contractor.two@partner.example.org';
			const before = rolesOf(service, person);
			const { error } = await scim('access', 'set', {
				people: person,
				...fromExpression([{ organization: 'org-7788', role: 'member' }]),
			});
			expect(error.message).toContain('does not accept contractor.two@partner.example.org');
			expect(error.httpCode).toBe('400');
			expect(rolesOf(service, person)).toEqual(before);
		});
	});
});

describe('Revoke', () => {
	const people = {
		ana: { 'org-a': 'viewer', 'org-b': 'member' },
		bob: { 'org-a': 'admin', 'org-b': 'admin' },
	};

	test('one organization, whatever the role', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { json } = await scim('access', 'revoke', {
				people: 'ana@example.com',
				revokeIn: 'one',
				organization: byId('org-b'),
			});
			expect(itemsOf(json)).toEqual(['revoked ana@example.com org-b member> done']);
			expect(rolesOf(service, 'ana@example.com')).toEqual({ 'org-a': 'viewer' });
			expect(countsOf(service)).toEqual({ GET: 1, PATCH: 1 });
		});
	});

	test('only if that role is held: otherwise skipped with the reason', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { json } = await scim('access', 'revoke', {
				people: 'ana@example.com',
				revokeIn: 'one',
				organization: byId('org-a'),
				roleHeld: 'admin',
			});
			expect(json[0]).toMatchObject({
				status: 'skipped',
				reason: 'the person is viewer in org-a instead',
			});
			expect(countsOf(service)).toEqual({ GET: 1 });
		});
	});

	test('Remove Members never takes the role that the person has now', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { json } = await scim('group', 'removeMembers', {
				chooseGroupBy: 'group',
				group: byId('org-a:member'),
				people: 'ana@example.com',
			});
			expect(json[0].status).toBe('skipped');
			expect(rolesOf(service, 'ana@example.com')).toEqual(people.ana);
		});
	});
});

describe('Set Members', () => {
	const people = {
		ana: { 'org-a': 'member' },
		bob: { 'org-a': 'member' },
		cid: { 'org-a': 'viewer' },
		dan: {},
	};
	const group = {
		chooseGroupBy: 'organizationAndRole',
		organization: byId('org-a'),
		role: 'member',
	};

	test.each(['difference', 'wholeList'])(
		'the members become exactly the list (%s)',
		async (replaceWith) => {
			await withService({ seed: seed(people) }, async (service, scim) => {
				const { json, error } = await scim('group', 'setMembers', {
					...group,
					people: 'ana@example.com, cid@example.com, dan@example.com',
					options: { replaceWith },
				});
				expect(error).toBeUndefined();
				expect(itemsOf(json).sort()).toEqual([
					'granted dan@example.com org-a >member done',
					'moved cid@example.com org-a viewer>member done',
					'none ana@example.com org-a member unchanged',
					'revoked bob@example.com org-a member> done',
				]);
				expect(rolesOf(service, 'bob@example.com')).toEqual({});
				for (const name of ['ana', 'cid', 'dan']) {
					expect(rolesOf(service, `${name}@example.com`)).toEqual({ 'org-a': 'member' });
				}
				const { POST, ...counts } = countsOf(service);
				expect(POST).toBeUndefined();
				expect(Object.values(counts).at(-1)).toBe(1);
			});
		},
	);

	test('a hole in the list: nobody is removed, nothing is sent', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			for (const [list, position] of [
				["={{ ['ana@example.com', ''] }}", 2],
				["={{ [{ email: 'ana@example.com' }, 'bob@example.com'] }}", 1],
				['ana@example.com,,dan@example.com', 2],
				['["ana@example.com", "dan@example.com", null]', 3],
			]) {
				const options = { allowEmptying: true };
				const { error } = await scim('group', 'setMembers', { ...group, people: list, options });
				expect(error.message).toContain(`Entry ${position} of People is `);
			}
			expect(service.log.requests).toStrictEqual([]);
			const separated = 'ana@example.com,\r\nbob@example.com;\n\n';
			await scim('group', 'setMembers', { ...group, people: separated });
			expect(rolesOf(service, 'bob@example.com')).toMatchObject({ 'org-a': 'member' });
		});
	});

	test('an absent list is refused, an empty one needs to be allowed', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			for (const none of ['={{ [] }}', '']) {
				const { error } = await scim('group', 'setMembers', { ...group, people: none });
				expect(error.message).toContain('would remove everybody');
			}
			await scim('group', 'setMembers', {
				...group,
				people: '={{ [] }}',
				options: { allowEmptying: true },
			});
			expect(rolesOf(service, 'ana@example.com')).toEqual({});
		});
	});

	test('two items with different lists for one group: an error that names both', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { error } = await scim(
				'group',
				'setMembers',
				{ ...group, people: '={{ $json.people }}' },
				{ items: [{ people: 'ana@example.com' }, { people: 'bob@example.com' }] },
			);
			expect(error.message).toContain('Items 0 and 1 want different members');
			expect(countsOf(service).PATCH).toBeUndefined();
		});
	});

	test('an item for the same group that cannot be used: nobody is removed', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { errorPairedItems } = await scim(
				'group',
				'setMembers',
				{ ...group, people: '={{ $json.people }}' },
				{
					items: [{ people: 'ana@example.com' }, { people: 'ana@' }],
					onError: 'continueErrorOutput',
				},
			);
			expect(errorPairedItems).toEqual([[1]]);
			expect(rolesOf(service, 'bob@example.com')).toEqual({ 'org-a': 'member' });
		});
	});

	test('somebody on the list who is not found: nobody is removed', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			await scim('group', 'setMembers', {
				...group,
				people: 'nobody@example.com, ana@example.com',
			});
			expect(rolesOf(service, 'bob@example.com')).toEqual({ 'org-a': 'member' });
		});
	});
});

describe('groups of their own', () => {
	test('this service makes its groups itself, and the error says so', async () => {
		await withService({}, async (service, scim) => {
			const { error } = await scim('group', 'create', { displayName: 'Designers' });
			expect(error.httpCode).toBe('400');
			expect(error.description).toContain('make their three groups per organization themselves');
		});
	});
});

describe('a service that does not answer well', () => {
	const people = {
		ana: { 'org-a': 'viewer' },
		bob: { 'org-a': 'admin' },
		cid: { 'org-b': 'member' },
	};

	test('lag: a move is right in the end, and nothing is removed', async () => {
		await withService(
			{ seed: seed(people), lagMs: 400, patchAnswers: 'stale' },
			async (service, scim) => {
				const { json } = await scim('access', 'assign', {
					people: 'ana@example.com',
					...inOrganization('org-a', 'member'),
				});
				expect(statusesOf(json)).toEqual(['done']);
				expect(rolesOf(service, 'ana@example.com')).toEqual({ 'org-a': 'member' });
			},
		);
	});

	test('a removal whose answer was lost is looked at, not repeated blindly', async () => {
		await withService(
			{ seed: seed(people), faults: [{ method: 'PATCH', nth: 1, kind: 'reset-after' }] },
			async (service, scim) => {
				const { json } = await scim('access', 'revoke', {
					people: 'cid@example.com',
					revokeIn: 'all',
				});
				expect(statusesOf(json)).toEqual(['done']);
				expect(countsOf(service).PATCH).toBe(1);
			},
		);
	});

	test('a profile that does not know that adds move: the new role is not taken by the removal', async () => {
		const generic = {
			serviceProfile: 'generic',
			scimPrefix: 'everyRequest',
			overrideProfile: true,
			oneRolePerOrganization: 'yes',
			memberRemoval: 'valueList',
			groupsStandFor: 'organizationAndRole',
			groupPattern: '{organization}:{role}',
		};
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { json } = await scim(
				'access',
				'assign',
				{ people: 'cid@example.com', ...inOrganization('org-b', 'viewer') },
				{ credential: generic },
			);
			expect(itemsOf(json)).toEqual(['moved cid@example.com org-b member>viewer done']);
			expect(rolesOf(service, 'cid@example.com')).toEqual({ 'org-b': 'viewer' });
		});
	});
});
