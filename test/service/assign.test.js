'use strict';

require('../support/noWaiting');

const { itemsOf } = require('../support/items');
const { byId } = require('../support/node');
const { requestsOf, rolesOf, withService } = require('../support/service');
const { fromExpression, oneRole } = require('../support/accessRows');

// Assign decides before it creates an account: who is meant, whether the organization exists, and whether the
// wishes for one person agree.

/** Exists, without any role. */
const IDLE = 'idle@example.com';
const NEW = 'new@example.com';
const seed = {
	account: 'org-acct',
	organizations: ['org-acct', 'org-a', 'org-b'].map((id) => ({ id, name: id })),
	users: [IDLE, 'ana@example.com'].map((userName) => ({ userName })),
	memberships: [{ userName: 'ana@example.com', organization: 'org-a', role: 'admin' }],
};
const idOf = (service, userName) => service.state.directory.byName(userName).id;
const writesOf = (service) => requestsOf(service).filter((line) => !line.startsWith('GET'));

/** One item per wish: who, organization, role. */
async function assign(scim, wishes, more = {}) {
	const items = wishes.map(([who, organization, role]) => ({ who, organization, role }));
	return await scim(
		'access',
		'assign',
		{
			people: '={{ $json.who }}',
			createMissing: true,
			...fromExpression(
				'={{ [].concat($json.organization).map((organization) => ({ organization, role: $json.role })) }}',
			),
			...more,
		},
		{ items, onError: 'continueErrorOutput' },
	);
}

describe('a role as the list of groups shows it', () => {
	const credential = { organizationNames: { organization: [{ name: 'Marketing', id: 'org-a' }] } };

	test.each([
		['by name', { __rl: true, mode: 'name', value: 'Marketing: member' }],
		['of an expression', { __rl: true, mode: 'id', value: "={{ 'Marketing: Member' }}" }],
		['by the ID of the organization', { __rl: true, mode: 'name', value: 'org-a: member' }],
	])('is a name of the group: %s', async (_, group) => {
		await withService({ seed }, async (service, scim) => {
			const { json } = await scim(
				'access',
				'assign',
				{ accessBy: 'group', people: IDLE, createMissing: false, groups: { group: [{ group }] } },
				{ credential },
			);
			expect(json).toMatchObject([{ organization: 'org-a', role: 'member', status: 'done' }]);
			expect(rolesOf(service, IDLE)).toEqual({ 'org-a': 'member' });
		});
	});

	test.each([
		['Marketing: owner', 'There is no group "Marketing: owner"'],
		['Marketng: member', '(did you mean Marketing: member?)'],
		['Marketing: membr', '(did you mean Marketing: member?)'],
		['org-b: membr', '(did you mean org-b: member?)'],
	])('%s is no group, and sends nothing', async (value, message) => {
		await withService({ seed }, async (service, scim) => {
			const group = { __rl: true, mode: 'name', value };
			const { error } = await scim(
				'access',
				'assign',
				{ accessBy: 'group', people: IDLE, createMissing: false, groups: { group: [{ group }] } },
				{ credential },
			);
			expect(error.message).toContain(message);
			expect(writesOf(service)).toStrictEqual([]);
		});
	});

	test('stands in a row of Reconcile', async () => {
		await withService({ seed }, async (service, scim) => {
			await scim(
				'access',
				'reconcile',
				{
					...{ accessBy: 'group', preview: false, unwanted: 'keep', wantedFrom: 'json' },
					...{ scopeGroups: { group: [{ group: '*org-a:*' }] } },
					wantedJson: JSON.stringify([{ email: IDLE, group: 'Marketing: member' }]),
				},
				{ credential },
			);
			expect(rolesOf(service, IDLE)).toEqual({ 'org-a': 'member' });
		});
	});
});

describe('Create Missing Users', () => {
	const wish = [[NEW, 'org-a', 'member']];

	test('is on: whoever is missing is created', async () => {
		await withService({ seed }, async (service, scim) => {
			const { error } = await assign(scim, wish, { createMissing: undefined });
			expect(error).toBeUndefined();
			expect(rolesOf(service, NEW)).toEqual({ 'org-a': 'member' });
		});
	});

	test.each(['assign', 'reconcile'])('off: the error of %s names it', async (operation) => {
		await withService({ seed }, async (service, scim) => {
			const rows = [{ email: NEW, organization: 'org-a', role: 'member' }];
			const { error, errorJson } =
				operation === 'assign'
					? await assign(scim, wish, { createMissing: false })
					: await scim('access', 'reconcile', {
							...{ preview: false, wantedFrom: 'json', wantedJson: JSON.stringify(rows) },
							...{ scopeOrganizations: 'org-b', createMissing: false },
						});
			expect(error?.message ?? errorJson[0].error).toContain(
				`No user has the user name ${NEW}, and Create Missing Users is off`,
			);
			expect(writesOf(service)).toStrictEqual([]);
		});
	});

	test('a preview creates nobody who exists without a role', async () => {
		await withService({ seed }, async (_, scim) => {
			const { json } = await assign(scim, [[IDLE, 'org-a', 'member']], { preview: true });
			expect(json[0].requests.map(({ method }) => method)).toEqual(['PATCH']);
		});
	});
});

describe('the same person by ID and by email', () => {
	test.each([
		['the ID first', (id) => [id, IDLE.toUpperCase()]],
		['the email first', (id) => [IDLE, id]],
	])('with two roles is a contradiction, and nothing is sent: %s', async (_, names) => {
		await withService({ seed }, async (service, scim) => {
			const [one, other] = names(idOf(service, IDLE));
			const { json, errorJson } = await assign(scim, [
				[one, 'org-a', 'admin'],
				[other, 'org-a', 'viewer'],
			]);
			expect(json).toStrictEqual([]);
			expect(errorJson.map(({ error }) => error)).toEqual([
				expect.stringContaining('two roles for'),
				expect.stringContaining('two roles for'),
			]);
			expect(writesOf(service)).toStrictEqual([]);
			expect(rolesOf(service, IDLE)).toEqual({});
		});
	});

	test('is one person: no create, and one add for both', async () => {
		await withService({ seed }, async (service, scim) => {
			const { json, errorJson } = await assign(scim, [
				[idOf(service, IDLE), 'org-a', 'viewer'],
				[IDLE, 'org-a', 'viewer'],
				[IDLE, 'org-b', 'admin'],
			]);
			expect(errorJson).toStrictEqual([]);
			expect(json.map(({ userId }) => userId)).toEqual(Array(3).fill(idOf(service, IDLE)));
			expect(writesOf(service).every((line) => line.startsWith('PATCH /scim/Groups/'))).toBe(true);
			expect(writesOf(service)).toHaveLength(2);
			expect(rolesOf(service, IDLE)).toEqual({ 'org-a': 'viewer', 'org-b': 'admin' });
		});
	});
});

describe('before an account is created', () => {
	test('an unknown organization ID is found out', async () => {
		await withService({ seed }, async (service, scim) => {
			const { json, errorJson } = await assign(scim, [
				[NEW, 'org-x', 'member'],
				['newer@example.com', ['org-a', 'org-x'], 'member'],
				['newest@example.com', 'org-a', 'member'],
			]);
			expect(errorJson.map(({ error }) => error)).toEqual([
				...Array(2).fill(expect.stringContaining('There is no organization org-x')),
			]);
			expect(new Set(json.map(({ userName }) => userName))).toEqual(
				new Set(['newest@example.com']),
			);
			expect(service.state.directory.byName(NEW)).toBeUndefined();
			expect(service.state.directory.byName('newer@example.com')).toBeUndefined();
			expect(writesOf(service)).toHaveLength(2);
		});
	});

	test('contradicting roles are found out; what somebody else wants for the person is done', async () => {
		await withService({ seed }, async (service, scim) => {
			const { json, errorJson } = await assign(scim, [
				[NEW, 'org-a', 'admin'],
				[NEW.toUpperCase(), 'org-a', 'viewer'],
				['newer@example.com', 'org-b', 'admin'],
				['newer@example.com', 'org-b', 'viewer'],
				['newer@example.com', 'org-a', 'viewer'],
			]);
			expect(errorJson.map(({ error }) => error)).toEqual(
				Array(4).fill(expect.stringContaining('two roles for')),
			);
			expect(itemsOf(json)).toEqual([
				'created newer@example.com done',
				'granted newer@example.com org-a >viewer done',
			]);
			expect(service.state.directory.byName(NEW)).toBeUndefined();
			expect(rolesOf(service, 'newer@example.com')).toEqual({ 'org-a': 'viewer' });
		});
	});

	test('the preview says the same', async () => {
		await withService({ seed }, async (service, scim) => {
			const { json } = await assign(scim, [[NEW, 'org-x', 'member']], { preview: true });
			expect(json[0].requests).toStrictEqual([]);
			expect(JSON.stringify(json[0])).toContain('There is no organization org-x');
			expect(writesOf(service)).toStrictEqual([]);
		});
	});
});

test('an organization is also unknown for whoever is there', async () => {
	await withService({ seed }, async (service, scim) => {
		const { error } = await scim('access', 'assign', {
			people: IDLE,
			...oneRole(byId('org-x'), 'member'),
		});
		expect(error.message).toContain('There is no organization org-x');
		expect(writesOf(service)).toStrictEqual([]);
	});
});

test('an item that cannot be used says so, also where the others are blocked', async () => {
	await withService({ seed }, async (service, scim) => {
		const { errorJson } = await assign(scim, [
			['ana@example.com', 'org-a', 'member'],
			['', 'org-a', 'member'],
		]);
		expect(errorJson.map(({ error }) => error)).toEqual([
			expect.stringContaining('org-a would be left without an active admin'),
			'No users specified',
		]);
		expect(writesOf(service)).toStrictEqual([]);
	});
});
