'use strict';

require('../support/noWaiting');

const { inGroup, people, withServer } = require('../wild/play');
const { countsOf, withService } = require('../support/service');
const { fromExpression } = require('../support/accessRows');

const emailOf = (number) => `p${number}@example.com`;
const range = (from, to) => Array.from({ length: to - from }, (_, index) => from + index);
const emails = (from, to) => range(from, to).map(emailOf);

const membersOf = (organization, role, from, to) =>
	emails(from, to).map((userName) => ({ userName, organization, role }));

/** 100 people: 0 to 29 in org-a (10 of them viewers), all of them in org-b. */
const seed = {
	account: 'org-acct',
	organizations: ['org-acct', 'org-a', 'org-b'].map((id) => ({ id, name: id })),
	users: emails(0, 110).map((userName) => ({ userName, active: true })),
	memberships: [
		...membersOf('org-a', 'member', 0, 20),
		...membersOf('org-a', 'viewer', 20, 30),
		...membersOf('org-b', 'member', 0, 100),
	],
};

const locator = (value) => ({ __rl: true, mode: 'id', value });
const list = (entries) => entries.join(',');
const safetyLimits = (values) => ({ ...values });
const limit = (number, are) => `the greater of 5 people and 10 % of the ${number} ${are})`;
const inScope = (number) => limit(number, 'people with access in scope');
const inGroups = (number) => limit(number, 'members of the named groups');
const inAll = (number) => limit(number, 'people with access');

const rowsOf = (organization, role, from, to) =>
	emails(from, to).map((email) => ({ email, organization, role }));

describe('six people would lose access', () => {
	test.each([
		[
			'Reconcile: people with access in its scope',
			['access', 'reconcile'],
			{
				preview: false,
				scopeOrganizations: 'org-a',
				scopeRoles: 'member',
				wantedFrom: 'json',
				wantedJson: JSON.stringify(rowsOf('org-a', 'member', 0, 14)),
			},
			inScope(20),
		],
		[
			'Revoke in one organization: its people',
			['access', 'revoke'],
			{
				people: list(emails(0, 6)),
				revokeIn: 'one',
				organization: locator('org-a'),
				roleHeld: 'any',
			},
			limit(30, 'people with access in the named organization'),
		],
		[
			'Remove Members: members of the named groups',
			['group', 'removeMembers'],
			{ ...inGroup('org-a:member'), people: list(emails(0, 6)) },
			inGroups(20),
		],
		[
			'Set Members: likewise',
			['group', 'setMembers'],
			{ ...inGroup('org-a:member'), people: list(emails(6, 20)) },
			inGroups(20),
		],
	])('%s', async (_name, [resource, operation], parameters, words) => {
		await withService({ seed }, async (service, scim) => {
			const { error } = await scim(resource, operation, parameters);
			expect(error?.message).toContain(words);
			const { GET, ...writes } = countsOf(service);
			// Whoever keeps a role in a whole list is read.
			expect(GET).toBe(operation === 'reconcile' ? 3 : 1);
			expect(writes).toEqual({});
		});
	});

	test('Apply Plan with a stricter limit: people with access in the scope that was planned', async () => {
		await withService({ seed }, async (service, scim) => {
			const { json } = await scim('access', 'reconcile', {
				preview: true,
				scopeOrganizations: 'org-a',
				scopeRoles: 'member',
				wantedFrom: 'json',
				wantedJson: JSON.stringify(rowsOf('org-a', 'member', 0, 14)),
				options: safetyLimits({ maxPeopleAffected: 6 }),
			});
			service.log.clear();
			expect(json[0].plan.excess).toStrictEqual([]);
			const options = safetyLimits({ maxPeopleAffected: 5 });
			const { error } = await scim('access', 'applyPlan', { options }, { items: json });
			expect(error?.message).toContain(inScope(20));
			expect(countsOf(service)).toEqual({ GET: 1 });
		});
	});
});

describe('eleven people would lose access', () => {
	test.each([
		[
			'Revoke everywhere',
			['access', 'revoke'],
			{ people: list(emails(0, 11)), revokeIn: 'all', roleHeld: 'any' },
		],
		['Offboard', ['access', 'offboard'], { people: list(emails(0, 11)) }],
		[
			'Set',
			['access', 'set'],
			{
				people: list(emails(0, 11)),
				...fromExpression([]),
				options: { allowEmpty: true },
			},
		],
	])('%s: all with access', async (_name, [resource, operation], parameters) => {
		await withService({ seed }, async (service, scim) => {
			const { error } = await scim(resource, operation, parameters);
			expect(error?.message).toContain(inAll(100));
			expect(countsOf(service)).toEqual({ GET: 1 });
		});
	});

	test.each([
		['delete', {}],
		['deactivate', {}],
		['update', { updateFields: { active: false } }],
	])('User: %s: all with access', async (operation, fields) => {
		await withService({ seed }, async (service, scim) => {
			const parameters = { user: locator('={{ $json.id }}'), ...fields };
			const items = emails(0, 11).map((email) => ({ id: service.state.userByName(email).id }));
			const { error } = await scim('user', operation, parameters, { items });
			expect(error?.message).toContain(inAll(100));
			const { GET, ...writes } = countsOf(service);
			expect(GET).toBeGreaterThan(0);
			expect(writes).toEqual({});
		});
	});
});

test('ten of a hundred may go; the same ten of thirty may not', async () => {
	const revoke = (organization) => ({
		people: list(emails(0, 10)),
		revokeIn: 'one',
		organization: locator(organization),
		roleHeld: 'any',
	});
	await withService({ seed }, async (_service, scim) => {
		const few = await scim('access', 'revoke', revoke('org-a'));
		expect(few.error?.message).toContain('10 people would lose access');
		const many = await scim('access', 'revoke', revoke('org-b'));
		expect(many.error).toBeUndefined();
	});
});

describe('a service whose groups stand for no organizations', () => {
	const users = people(100);
	const idsFrom = (from, to) => range(from, to).map((number) => `user-${number + 1}`);
	const groups = [
		{ id: 'staff', members: idsFrom(0, 70) },
		{ id: 'team', members: idsFrom(0, 20) },
	];

	test('Remove Members: members of the named groups', async () => {
		await withServer({ users, groups }, async (server, scim) => {
			const parameters = { ...inGroup('team'), people: list(idsFrom(0, 6)) };
			const { error } = await scim('group', 'removeMembers', parameters);
			expect(error?.message).toContain(inGroups(20));
			expect(server.written()).toStrictEqual([]);
		});
	});

	test('Delete: whoever is in a group is counted when the number alone does not allow it', async () => {
		await withServer({ users, groups }, async (server, scim) => {
			const deletes = async (count) =>
				await scim(
					'user',
					'delete',
					{ user: locator('={{ $json.id }}') },
					{ items: idsFrom(0, count).map((id) => ({ id })) },
				);
			expect((await deletes(8)).error?.message).toContain(
				'8 people would lose access, more than the limit of 7 (the greater of 5 people and 10 % of the 70 people with access)',
			);
			expect(server.written()).toStrictEqual([]);
			expect(server.came('GET').some((request) => request.startsWith('GET /Groups'))).toBe(true);

			server.requests.length = 0;
			expect((await deletes(5)).error).toBeUndefined();
			expect(server.came('GET').some((request) => request.startsWith('GET /Groups'))).toBe(false);
		});
	});

	test('nobody knows who has access: only the number counts', async () => {
		const hidden = { showsMembers: 'absent', usersShowGroups: 'absent' };
		await withServer({ users, groups, ...hidden }, async (server, scim) => {
			const parameters = { user: locator('={{ $json.id }}') };
			const items = idsFrom(0, 6).map((id) => ({ id }));
			const { error } = await scim('user', 'deactivate', parameters, { items });
			expect(error?.message).toContain('more than the limit of 5 people (');
			expect(error?.message).toContain('the number of people with access is unknown');
			expect(server.written()).toStrictEqual([]);
		});
	});
});

test('people whom only the 409 of a create brings to light count with the others of the run', async () => {
	const small = {
		...seed,
		users: seed.users.slice(0, 5),
		memberships: membersOf('org-a', 'member', 0, 5),
	};
	await withService({ seed: small }, async (service, scim) => {
		let isFirst = true;
		service.options.onRequest = ({ method }, { directory }) => {
			if (method !== 'POST' || !isFirst) return;
			isFirst = false;
			for (const email of emails(5, 10)) {
				directory.setRole(directory.create(email).id, 'org-a', 'member');
			}
		};
		await scim(
			'user',
			'upsert',
			{ userName: '={{ $json.u }}', additionalFields: { active: false } },
			{ items: emails(0, 10).map((u) => ({ u })), onError: 'continueRegularOutput' },
		);
		const inactive = service.state.table().people.filter(({ active }) => !active);
		expect(inactive.length).toBeLessThanOrEqual(5);
	});
});

test('the reason that blocks a run is said once of all items, with their numbers', async () => {
	await withService({ seed }, async (service, scim) => {
		const items = emails(0, 23).map((email) => ({ email }));
		const parameters = { people: '={{ $json.email }}', ...{ revokeIn: 'one', roleHeld: 'any' } };
		const { error } = await scim(
			'access',
			'revoke',
			{ ...parameters, organization: locator('org-a') },
			{ items },
		);
		const { message, description } = error;
		expect(message).toMatch(
			/^23 of 23 items failed: Nothing was sent: 23 people would lose access/,
		);
		expect(description.split('23 people would lose access')).toHaveLength(2);
		expect(description).toMatch(/Failed: items 0, 1, .*, 19, and 3 more for the same reason \(/);
		expect(countsOf(service).PATCH).toBeUndefined();
	});
});
