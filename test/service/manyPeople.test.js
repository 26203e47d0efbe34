'use strict';

require('../support/noWaiting');

const { itemsOf } = require('../support/items');
const { byId } = require('../support/node');
const { countsOf, rolesOf, withService } = require('../support/service');
const { oneRole } = require('../support/accessRows');

// Big inputs: what is sent grows with what changes, never with the number of items.

const seedOf = (count) => ({
	account: 'org-acct',
	organizations: ['org-acct', 'org-a', 'org-b'].map((id) => ({ id, name: id })),
	users: Array.from({ length: count }, (_, index) => ({ userName: `p${index}@example.com` })),
	memberships: [{ userName: 'p0@example.com', organization: 'org-a', role: 'admin' }],
});

/** An approved plan that makes all of these people viewers of org-b. */
async function planOf(service, scim, userNames) {
	const { json } = await scim('access', 'assign', {
		people: userNames.join(', '),
		...{ ...oneRole(byId('org-b'), 'viewer'), preview: true },
	});
	service.log.clear();
	return JSON.stringify(json[0].plan);
}

test('Set, one person in 500 items: one change per group, and every item has its outcomes', async () => {
	await withService({ seed: seedOf(1) }, async (service, scim) => {
		const items = Array.from({ length: 500 }, () => ({}));
		const { json, error, pairedItems } = await scim(
			'access',
			'set',
			{
				people: 'p0@example.com',
				...oneRole('org-b', 'viewer'),
				options: { allowRemovingLastAdmin: true },
			},
			{ items },
		);
		expect(error).toBeUndefined();
		expect(countsOf(service).PATCH).toBe(2);
		expect(rolesOf(service, 'p0@example.com')).toEqual({ 'org-b': 'viewer' });
		expect(new Set(pairedItems.flat()).size).toBe(500);
		expect(itemsOf(json).sort()).toEqual([
			...Array(500).fill('granted p0@example.com org-b >viewer done'),
			...Array(500).fill('revoked p0@example.com org-a admin> done'),
		]);
	});
});

describe('Apply Plan', () => {
	async function applied(count, userNames, check) {
		await withService({ seed: seedOf(count) }, async (service, scim) => {
			const plan = await planOf(service, scim, userNames);
			const { error } = await scim('access', 'applyPlan', { plan });
			expect(error).toBeUndefined();
			for (const userName of userNames) {
				expect(rolesOf(service, userName)['org-b']).toBe('viewer');
			}
			check(countsOf(service));
		});
	}

	test('of 250 people without a role: one listing in place of 250 looks', async () => {
		const userNames = seedOf(251)
			.users.slice(1)
			.map(({ userName }) => userName);
		await applied(251, userNames, (counts) => {
			// The groups, a page of users and a large one.
			expect(counts).toEqual({ GET: 1 + 2, PATCH: 3 });
		});
	});

	test('of 2 people among 250: two looks', async () => {
		await applied(251, ['p7@example.com', 'p8@example.com'], (counts) => {
			expect(counts).toEqual({ GET: 1 + 2, PATCH: 1 });
		});
	});

	test('somebody who is gone fails, and the others go on', async () => {
		await withService({ seed: seedOf(251) }, async (service, scim) => {
			const userNames = seedOf(251)
				.users.slice(1)
				.map(({ userName }) => userName);
			const plan = await planOf(service, scim, userNames);
			service.state.directory.delete(service.state.directory.byName('p9@example.com').id);
			const more = { onError: 'continueErrorOutput' };
			const { json, errorJson } = await scim('access', 'applyPlan', { plan }, more);
			expect(errorJson.map(({ error }) => error)).toEqual([
				expect.stringContaining('p9@example.com'),
			]);
			expect(json).toHaveLength(249);
			expect(countsOf(service)).toEqual({ GET: 1 + 2 + 1, PATCH: 3 });
		});
	});
});
