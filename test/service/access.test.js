'use strict';

const { seedOf } = require('../../demo/service');
const { itemsOf, statusesOf } = require('../support/items');
const { byEmail, byId } = require('../support/node');
const { countsOf, rolesOf, withService } = require('../support/service');
const { fromExpression, oneRole } = require('../support/accessRows');

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
