'use strict';

require('../support/noWaiting');

const { seedOf } = require('../../demo/service');
const { countsOf, requestsOf, rolesOf, withService } = require('../support/service');

const seed = (people, organizations = ['org-a', 'org-b']) => ({
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

const people = {
	ana: { 'org-a': 'viewer', 'org-acct': 'admin' },
	bob: { 'org-a': 'admin', 'org-b': 'admin' },
	cid: { 'org-b': 'member' },
	dan: {},
};

const row = (name, organization, role) => ({ email: `${name}@example.com`, organization, role });

/** What everybody has, as rows. */
const asIs = (table) =>
	table.people.flatMap(({ userName, roles }) =>
		Object.entries(roles).map(([organization, role]) => ({ email: userName, organization, role })),
	);

/** What a plan changes, as pairs of the change and its person. */
const changesIn = ({ plan }) =>
	plan.changes.map(({ change, person }) => [change, person.userName]).sort();

const apply = { preview: false, scopeOrganizations: 'org-a, org-b' };
const inJson = (rows) => ({ wantedFrom: 'json', wantedJson: JSON.stringify(rows) });

test('67 organizations, 201 groups, 400 users: a list of each, and a request for each that changed', async () => {
	const big = seedOf({ users: 400, organizations: 67, rolesPerUser: 2 });
	await withService({ seed: big }, async (service, scim) => {
		const organizations = service.state.organizations.map(({ id }) => id);
		const rows = asIs(service.state.table());
		const parameters = { preview: false, scopeOrganizations: organizations.join(',') };
		const options = { allowEmptyOrganizations: true };
		const same = await scim('access', 'reconcile', { ...parameters, ...inJson(rows), options });
		expect(same.error).toBeUndefined();
		// A membership does not show that a user is active.
		expect(countsOf(service)).toEqual({ GET: 1 + 2 });

		service.log.clear();
		const changed = new Set();
		const wanted = rows.map((entry) => {
			if (changed.size === 5 || changed.has(entry.organization) || entry.role !== 'viewer')
				return entry;
			changed.add(entry.organization);
			return { ...entry, role: 'member' };
		});
		const { error } = await scim('access', 'reconcile', {
			...parameters,
			...inJson(wanted),
			options,
		});
		expect(error).toBeUndefined();
		expect(countsOf(service)).toEqual({ GET: 1 + 2, PATCH: 5 });
	});
});

describe('rows as items', () => {
	test('grants, moves and revokes; access outside the scope stays; others come out as items of their own', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { json, pairedItems, error } = await scim('access', 'reconcile', apply, {
				items: [
					row('ANA', 'org-a', 'Member'),
					row('bob', 'org-a', 'admin'),
					row('bob', 'org-b', 'admin'),
					row('dan', 'org-b', 'viewer'),
				],
			});
			expect(error).toBeUndefined();
			expect(rolesOf(service, 'ana@example.com')).toEqual({
				'org-a': 'member',
				'org-acct': 'admin',
			});
			expect(rolesOf(service, 'cid@example.com')).toEqual({});
			expect(rolesOf(service, 'dan@example.com')).toEqual({ 'org-b': 'viewer' });
			expect(json.map(({ change, status }) => [change, status])).toEqual([
				['moved', 'done'],
				['none', 'unchanged'],
				['none', 'unchanged'],
				['granted', 'done'],
				['revoked', 'done'],
			]);
			expect(json[4]).toEqual({
				change: 'revoked',
				userId: service.state.userByName('cid@example.com').id,
				userName: 'cid@example.com',
				group: expect.any(String),
				groupId: expect.stringMatching(/org-b:member$/),
				organization: 'org-b',
				organizationName: 'org-b',
				roleBefore: 'member',
				role: null,
				status: 'done',
				reason: null,
				text: 'cid@example.com was removed from org-b.',
			});
			expect(pairedItems[4]).toEqual([0, 1, 2, 3]);
		});
	});

	test('rows outside of the scope fail; a role that is not ours is never moved away', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { errorJson } = await scim(
				'access',
				'reconcile',
				{ ...apply, scopeOrganizations: 'org-a', scopeRoles: 'Member, viewer' },
				{
					items: [
						row('dan', 'org-b', 'member'),
						row('bob', 'org-a', 'viewer'),
						row('ana', 'org-a', 'admin'),
						row('dan', 'org-a', 'viewer'),
					],
					onError: 'continueErrorOutput',
				},
			);
			expect(errorJson.map(({ error }) => error)).toEqual([
				'member in org-b is not in scope',
				'bob@example.com is admin in org-a, which is not in scope',
				'admin in org-a is not in scope',
			]);
			expect(rolesOf(service, 'bob@example.com')).toEqual(people.bob);
			expect(rolesOf(service, 'ana@example.com')).toEqual(people.ana);
			expect(rolesOf(service, 'dan@example.com')).toEqual({ 'org-a': 'viewer' });
		});
	});

	test('what somebody inactive has outside of the scope holds nothing back inside', async () => {
		const gone = { 'org-a': 'viewer', 'org-b': 'member', inactive: true };
		await withService({ seed: seed({ ...people, gone }) }, async (service, scim) => {
			const { json, errorJson } = await scim(
				'access',
				'reconcile',
				{ ...apply, scopeOrganizations: 'org-a', scopeRoles: 'viewer', unwanted: 'revoke' },
				{
					items: [row('gone', 'org-b', 'member'), row('ana', 'org-a', 'viewer')],
					onError: 'continueErrorOutput',
				},
			);
			expect(errorJson.map(({ error }) => error)).toEqual(['member in org-b is not in scope']);
			expect(json.map(({ userName, status }) => [userName, status])).toContainEqual([
				'gone@example.com',
				'done',
			]);
			expect(rolesOf(service, 'gone@example.com')).toEqual({ 'org-b': 'member' });
		});
	});

	test.each([
		['keep', []],
		[
			'report',
			[
				['none', 'bob@example.com', 'org-a', 'no row wants any access for the person'],
				['none', 'bob@example.com', 'org-b', 'no row wants any access for the person'],
				['none', 'cid@example.com', 'org-b', 'no row wants any access for the person'],
			],
		],
	])('extra access: %s', async (unwanted, reported) => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { json } = await scim(
				'access',
				'reconcile',
				{ ...apply, unwanted },
				{ items: [row('ana', 'org-a', 'viewer')] },
			);
			expect(rolesOf(service, 'cid@example.com')).toEqual({ 'org-b': 'member' });
			expect(countsOf(service).PATCH).toBeUndefined();
			const [own, ...others] = json;
			expect(own).toMatchObject({ change: 'none', status: 'unchanged' });
			expect(others.every(({ status }) => status === 'skipped')).toBe(true);
			const words = others.map(({ change, userName, organization, reason }) => [
				...[change, userName, organization, reason],
			]);
			expect(words.sort()).toEqual(reported);
		});
	});

	test('extra access of somebody whom rows name is reported with the item of the person', async () => {
		await withService({ seed: seed(people) }, async (_service, scim) => {
			const { json, pairedItems } = await scim(
				'access',
				'reconcile',
				{ ...apply, unwanted: 'report', scopeOrganizations: 'org-b' },
				{ items: [row('cid', 'org-b', 'member'), row('bob', 'org-a', 'admin')] },
			);
			const at = json.findIndex(({ status }) => status === 'skipped');
			expect(json[at]).toMatchObject({
				...{ change: 'none', userName: 'bob@example.com', organization: 'org-b' },
				reason: 'no row wants it',
			});
			expect([pairedItems[at]].flat()).toEqual([1]);
		});
	});

	test('a row that cannot be used holds back removals in its organization, grants go on', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { errorJson } = await scim('access', 'reconcile', apply, {
				items: [
					row('bob', 'org-a', 'admin'),
					row('bob', 'org-b', 'admin'),
					row('dan', 'org-b', 'member'),
					{ email: 'cid@example.com', organization: 'org-b', role: 'owner' },
				],
				onError: 'continueErrorOutput',
			});
			expect(errorJson[0].error).toContain('"owner" is not a role');
			expect(rolesOf(service, 'cid@example.com')).toEqual({ 'org-b': 'member' });
			expect(rolesOf(service, 'dan@example.com')).toEqual({ 'org-b': 'member' });
			expect(rolesOf(service, 'ana@example.com')).toEqual({ 'org-acct': 'admin' });
		});
	});

	test('missing people are created, people who end with nothing deactivated', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { error } = await scim(
				'access',
				'reconcile',
				{ ...apply, createMissing: true, options: { deactivatesEmpty: true } },
				{
					items: [
						row('ana', 'org-a', 'viewer'),
						row('bob', 'org-a', 'admin'),
						row('bob', 'org-b', 'admin'),
						row('new', 'org-b', 'member'),
						row('new', 'org-a', 'viewer'),
					],
				},
			);
			expect(error).toBeUndefined();
			expect(rolesOf(service, 'new@example.com')).toEqual({ 'org-b': 'member', 'org-a': 'viewer' });
			expect(
				service.state.table().people.find(({ userName }) => userName === 'cid@example.com').active,
			).toBe(false);
			expect(countsOf(service).POST).toBe(1);
		});
	});
});

describe('guards', () => {
	test.each([
		['an empty array', inJson([]), {}],
		[
			'only rows that say nothing',
			{ wantedFrom: 'items' },
			{ items: [{ email: '', organization: '', role: '' }] },
		],
		['what Always Output Data gives of no rows', { wantedFrom: 'items' }, { items: [{}] }],
	])('%s: blocked', async (_name, parameters, more) => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { error } = await scim('access', 'reconcile', { ...apply, ...parameters }, more);
			expect(error.message).toContain('Desired Access is empty');
			expect(countsOf(service).PATCH).toBeUndefined();
		});
	});

	test('an organization in scope without any row: blocked, naming it', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { error } = await scim('access', 'reconcile', apply, {
				items: [row('bob', 'org-a', 'admin')],
			});
			expect(error.message).toContain('No row wants access in org-b');
		});
	});

	test('limits on creates and deactivations', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { json } = await scim('access', 'reconcile', {
				...apply,
				preview: true,
				createMissing: true,
				...inJson([
					row('bob', 'org-a', 'admin'),
					row('x', 'org-b', 'member'),
					row('y', 'org-b', 'member'),
					row('bob', 'org-b', 'admin'),
				]),
				options: {
					...{ maxCreates: 1, deactivatesEmpty: true },
					...{ maxPeopleAffected: 0, maxPercentAffected: 0 },
				},
			});
			expect(json[0].plan.excess).toEqual(
				expect.arrayContaining([
					{ kind: 'creates', people: 2, limit: 1 },
					{ kind: 'deactivations', people: 1, limit: 0 },
				]),
			);
		});
	});
});

describe('preview, approval, apply', () => {
	const wanted = inJson([
		row('ana', 'org-a', 'member'),
		row('bob', 'org-a', 'admin'),
		row('bob', 'org-b', 'admin'),
		row('new', 'org-b', 'member'),
	]);
	const preview = { ...apply, preview: true, createMissing: true, ...wanted };

	test('as it comes, the node only plans', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { json } = await scim('access', 'reconcile', { ...preview, preview: undefined });
			expect(json[0].requests).toHaveLength(3);
			expect(Object.keys(countsOf(service))).toEqual(['GET']);
		});
	});

	test('the plan is data with a summary; Apply Plan carries it out', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { json } = await scim('access', 'reconcile', preview);
			expect(json[0].blockedBy).toStrictEqual([]);
			expect(json[0].requests).toHaveLength(3);
			expect(changesIn(json[0])).toEqual([
				['created', 'new@example.com'],
				['granted', 'new@example.com'],
				['moved', 'ana@example.com'],
				['revoked', 'cid@example.com'],
			]);
			expect(json[0].summary).toContain('1 revocation, 1 move, 1 new user, 1 grant; 3 requests.');
			expect(requestsOf(service)).toEqual([
				'GET /scim/Groups 200',
				'GET /scim/Users 200',
				...['ana', 'bob'].map(
					(name) => `GET /scim/Users/${service.state.userByName(`${name}@example.com`).id} 200`,
				),
			]);
			const applied = await scim('access', 'applyPlan', {}, { items: [json[0]] });
			expect(applied.error).toBeUndefined();
			expect(rolesOf(service, 'ana@example.com')).toEqual({
				'org-a': 'member',
				'org-acct': 'admin',
			});
			expect(rolesOf(service, 'cid@example.com')).toEqual({});
			expect(rolesOf(service, 'new@example.com')).toEqual({ 'org-b': 'member' });

			service.log.clear();
			const again = await scim('access', 'applyPlan', {}, { items: [json[0]] });
			expect(again.error).toBeUndefined();
			const { GET, ...writes } = countsOf(service);
			expect(GET).toBeGreaterThan(0);
			expect(writes).toEqual({});
		});
	});

	test('somebody inactive: activated by Apply Plan too; not planned at all without Reactivate', async () => {
		const wantedRows = inJson([
			row('gone', 'org-b', 'viewer'),
			row('bob', 'org-a', 'admin'),
			row('bob', 'org-b', 'admin'),
			row('ana', 'org-a', 'viewer'),
			row('cid', 'org-b', 'member'),
		]);
		await withService(
			{ seed: seed({ ...people, gone: { inactive: true } }) },
			async (service, scim) => {
				const plan = async (reactivate) => {
					const { json } = await scim('access', 'reconcile', {
						...apply,
						preview: true,
						createMissing: true,
						...wantedRows,
						options: { reactivate },
					});
					return json[0];
				};
				expect(changesIn(await plan(false))).toStrictEqual([]);
				const approved = await plan(true);
				expect(changesIn(approved)).toEqual([
					['activated', 'gone@example.com'],
					['granted', 'gone@example.com'],
				]);
				await scim('access', 'applyPlan', {}, { items: [approved] });
				expect(rolesOf(service, 'gone@example.com')).toEqual({ 'org-b': 'viewer' });
				const gone = service.state
					.table()
					.people.find(({ userName }) => userName === 'gone@example.com');
				expect(gone.active).toBe(true);
			},
		);
	});

	test('protected people are no part of an approved plan', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { json } = await scim('access', 'reconcile', {
				...preview,
				options: { protectedUsers: 'ana@*, cid@*, new@*' },
			});
			expect(json[0].requests).toStrictEqual([]);
			expect(changesIn(json[0])).toStrictEqual([]);
			for (const word of ['row 1 (', 'row 4 (', 'Left alone'])
				expect(json[0].summary).toContain(word);
			expect(json[0].summary).toContain('is protected');
			await scim('access', 'applyPlan', {}, { items: [json[0]] });
			expect(rolesOf(service, 'ana@example.com')).toEqual(people.ana);
			expect(rolesOf(service, 'cid@example.com')).toEqual(people.cid);
			expect(rolesOf(service, 'new@example.com')).toBeUndefined();
		});
	});

	test.each([
		['maxCreates', '1 people would be created'],
		['maxPeopleAffected', '1 people would lose access'],
	])('the guards hold again: %s', async (limit, message) => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { json } = await scim('access', 'reconcile', preview);
			const options = { [limit]: 0, maxPercentAffected: 0 };
			const { error } = await scim('access', 'applyPlan', { options }, { items: [json[0]] });
			expect(error.message).toContain(message);
			expect(countsOf(service)).toEqual({ GET: 6 });
		});
	});

	test('requests in the input are never sent', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { json } = await scim('access', 'reconcile', preview);
			const tampered = JSON.parse(JSON.stringify(json[0]));
			for (const request of tampered.requests) request.path = '/scim/Groups/org-b:admin';
			const { error } = await scim('access', 'applyPlan', {}, { items: [tampered] });
			expect(error).toBeUndefined();
			expect(rolesOf(service, 'new@example.com')).toEqual({ 'org-b': 'member' });
			expect(requestsOf(service).filter((request) => request.includes('org-b:admin 2'))).toEqual(
				[],
			);
		});
	});
});

test('the last admin goes once a new one was seen, whoever of the newcomers that is', async () => {
	await withService(
		{ seed: seed({ ...people, eva: { inactive: true } }) },
		async (service, scim) => {
			const { json, errorJson } = await scim(
				'access',
				'reconcile',
				{
					preview: false,
					scopeOrganizations: 'org-b',
					scopeRoles: 'admin',
					createMissing: true,
				},
				{
					items: [row('eva', 'org-b', 'admin'), row('new', 'org-b', 'admin')],
					onError: 'continueErrorOutput',
				},
			);
			expect(errorJson).toHaveLength(1);
			expect(errorJson[0].error).toContain('eva@example.com');
			expect(json.map(({ change, status }) => [change, status])).toEqual([
				['created', 'done'],
				['granted', 'done'],
				['revoked', 'done'],
			]);
			expect(rolesOf(service, 'new@example.com')).toEqual({ 'org-b': 'admin' });
			expect(rolesOf(service, 'bob@example.com')).toEqual({ 'org-a': 'admin' });
			expect(rolesOf(service, 'eva@example.com')).toEqual({});
		},
	);
});

describe('Reactivate', () => {
	const withInactive = {
		...people,
		cid: { inactive: true, 'org-b': 'member' },
		eva: { 'org-b': 'viewer' },
	};
	const rows = [
		row('bob', 'org-a', 'admin'),
		row('bob', 'org-b', 'admin'),
		row('cid', 'org-b', 'member'),
		row('eva', 'org-b', 'viewer'),
	];

	// The service lets inactive people be added (test/contract/interface.md 2.2).
	test.each(['apply', 'previewThenApplyPlan'])(
		'somebody who was given a role while inactive is let in (%s); the users are one listing',
		async (way) => {
			await withService({ seed: seed(withInactive) }, async (service, scim) => {
				const wanted = { scopeOrganizations: 'org-b', ...inJson(rows) };
				const options = { reactivate: true };
				if (way === 'apply') {
					const { error } = await scim('access', 'reconcile', {
						...wanted,
						preview: false,
						options,
					});
					expect(error).toBeUndefined();
					expect(countsOf(service)).toEqual({ GET: 2, PATCH: 1 });
				} else {
					const preview = await scim('access', 'reconcile', {
						...wanted,
						preview: true,
						options,
					});
					expect(changesIn(preview.json[0])).toEqual([['activated', 'cid@example.com']]);
					const applied = await scim('access', 'applyPlan', { plan: preview.json[0] });
					expect(applied.error).toBeUndefined();
				}
				const { people: table } = service.state.table();
				expect(table.find(({ userName }) => userName === 'cid@example.com')).toMatchObject({
					active: true,
					roles: { 'org-b': 'member' },
				});
			});
		},
	);
});
