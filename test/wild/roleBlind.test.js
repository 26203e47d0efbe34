'use strict';

require('../support/noWaiting');
const { itemsOf } = require('../support/items');
const { inGroup, people, withServer } = require('./play');

// Where a removal takes whatever role the person has, and an add moves nobody, the old role has to go first.

const CREDENTIAL = {
	overrideProfile: true,
	groupsStandFor: 'organizationAndRole',
	groupPattern: '{organization}:{role}',
	oneRolePerOrganization: 'yes',
	removalIsRoleBlind: 'yes',
};
const TWO = {
	users: people(4),
	groups: [
		{ id: 'org-1:admin', members: ['user-4'] },
		{ id: 'org-1:member', members: ['user-1', 'user-2'] },
		{ id: 'org-1:viewer', members: ['user-3'] },
	],
	roleBlindRemoval: true,
};
const roles = (server) =>
	['admin', 'member', 'viewer'].map((role) => server.membersOf(`org-1:${role}`));
const assign = async (scim, items, more) =>
	await scim(
		'access',
		'assign',
		{
			people: '={{ $json.id }}',
			organization: { __rl: true, mode: 'id', value: 'org-1' },
			role: '={{ $json.role }}',
			assignmentsFrom: 'one',
			...more,
		},
		{ credential: CREDENTIAL, items, onError: 'continueRegularOutput' },
	);

test.each([200, 204])(
	'two people change places: both are seen in their new role (%i)',
	async (patchAnswers) => {
		await withServer({ ...TWO, patchAnswers }, async (server, scim) => {
			const { json } = await assign(scim, [
				{ id: 'user-1', role: 'viewer' },
				{ id: 'user-3', role: 'member' },
			]);
			expect(itemsOf(json)).toEqual([
				'moved person1@example.com org-1 member>viewer done',
				'moved person3@example.com org-1 viewer>member done',
			]);
			expect(roles(server)).toEqual([['user-4'], ['user-2', 'user-3'], ['user-1']]);
		});
	},
);

test('a second role that was left over goes, and the wanted one is given again', async () => {
	const groups = [
		{ id: 'org-1:admin', members: ['user-4'] },
		{ id: 'org-1:member', members: ['user-1'] },
		{ id: 'org-1:viewer', members: ['user-1'] },
	];
	await withServer({ ...TWO, groups }, async (server, scim) => {
		await assign(scim, [{ id: 'user-1', role: 'viewer' }]);
		expect(roles(server)).toEqual([['user-4'], [], ['user-1']]);
	});
});

const GONE = 'The old role (member in org-1) was removed before';

test('a new role that is refused: the item says that the person has none', async () => {
	await withServer({ ...TWO, refusesAddsTo: ['org-1:viewer'] }, async (server, scim) => {
		const { json } = await assign(scim, [{ id: 'user-1', role: 'viewer' }]);
		expect(json[0].error).toContain('The service does not accept');
		expect(json[0].error).toContain(`${GONE}, so the person has no role there`);
		expect(roles(server)).toEqual([['user-4'], ['user-2'], ['user-3']]);
	});
});

test.each([
	[403, `${GONE}, so the person has no role there`],
	[409, `${GONE}, so the person has no role there`],
	[429, GONE],
	[503, GONE],
])('the same when it is answered %i', async (status, said) => {
	const faults = [{ on: 'PATCH /Groups/org-1%3Aviewer', times: 500, status }];
	await withServer({ ...TWO, faults }, async (server, scim) => {
		const { json } = await assign(scim, [{ id: 'user-1', role: 'viewer' }], {
			options: { maxWait: 1, verifyTime: 1 },
		});
		expect(json[0].error).toContain(said);
		expect(roles(server)).toEqual([['user-4'], ['user-2'], ['user-3']]);
	});
});

test('a removal that takes others along stops removals alone: the new role is given', async () => {
	const groups = [
		...TWO.groups,
		{ id: 'org-2:member', members: ['user-1', 'user-2', 'user-3'] },
		{ id: 'org-2:viewer', members: ['user-4'] },
	];
	const is = { ...TWO, groups, removesEverybody: ['filterPath'] };
	await withServer(is, async (server, scim) => {
		const { json } = await assign(
			scim,
			[
				{ id: 'user-1', org: 'org-1', role: 'viewer' },
				{ id: 'user-2', org: 'org-2', role: 'viewer' },
			],
			{ organization: { __rl: true, mode: 'id', value: '={{ $json.org }}' } },
		);
		expect(json[0].error).toContain('(person2@example.com)');
		expect(json[1].error).toContain('No further removal was sent');
		expect(roles(server)).toEqual([['user-4'], [], ['user-3', 'user-1']]);
		expect(server.membersOf('org-2:member')).toContain('user-2');
	});
});

test('two old roles that went for one that is refused are both named', async () => {
	const groups = TWO.groups.map(({ id, members }) =>
		id === 'org-1:admin' ? { id, members: [...members, 'user-1'] } : { id, members },
	);
	const is = { ...TWO, groups, refusesAddsTo: ['org-1:viewer'] };
	await withServer(is, async (server, scim) => {
		const { json } = await assign(scim, [{ id: 'user-1', role: 'viewer' }]);
		expect(json[0].error).toMatch(
			/\(admin in org-1\).*\(member in org-1\)|\(member.*\(admin in org-1\)/,
		);
		expect(roles(server)).toEqual([['user-4'], ['user-2'], ['user-3']]);
	});
});

test.each(['yes', 'no'])(
	'a removal that would take another role along is refused (one role: %s)',
	async (oneRolePerOrganization) => {
		const groups = TWO.groups.map(({ id, members }) =>
			id === 'org-1:admin' ? { id, members: [...members, 'user-1'] } : { id, members },
		);
		await withServer({ ...TWO, groups }, async (server, scim) => {
			const { error } = await scim(
				'group',
				'removeMembers',
				{ ...inGroup('org-1:member'), people: 'user-1' },
				{ credential: { ...CREDENTIAL, oneRolePerOrganization } },
			);
			expect(error.message).toContain('is admin in org-1 too');
			expect(server.written()).toStrictEqual([]);
		});
	},
);

describe('several roles per organization, and a removal that would take the new one along', () => {
	const credential = { ...CREDENTIAL, oneRolePerOrganization: 'no' };
	const set = async (scim, people, ...wanted) =>
		await scim(
			'access',
			'set',
			{
				people,
				assignmentsFrom: 'json',
				assignmentsJson: wanted.map((role) => ({ organization: 'org-1', role })),
			},
			{ credential, onError: 'continueRegularOutput' },
		);
	const errorsIn = ({ json }) => json.flatMap(({ error }) => error ?? []);

	test('of a role that the same run gives: the person is to have it, and has it', async () => {
		await withServer(TWO, async (server, scim) => {
			expect(errorsIn(await set(scim, 'user-1', 'viewer'))).toEqual([
				'person1@example.com is to be viewer in org-1 too, and this service would remove that as well',
			]);
			expect(roles(server)).toEqual([['user-4'], ['user-1', 'user-2'], ['user-3', 'user-1']]);
		});
	});

	test('of one that is there beside one that is given: both are named as they are', async () => {
		const groups = TWO.groups.map(({ id, members }) =>
			id === 'org-1:admin' ? { id, members: [...members, 'user-1'] } : { id, members },
		);
		await withServer({ ...TWO, groups }, async (_server, scim) => {
			expect(errorsIn(await set(scim, 'user-1', 'viewer', 'admin'))).toEqual([
				'person1@example.com is admin in org-1 and to be viewer in org-1 too, and this service would remove that as well',
			]);
		});
	});

	test('the advice of the error leads there', async () => {
		await withServer(TWO, async (server, scim) => {
			const { error } = await scim(
				'access',
				'set',
				{
					people: 'user-1',
					...{ assignmentsFrom: 'json', assignmentsJson: [{ group: 'org-1:viewer' }] },
				},
				{ credential },
			);
			expect(error.description).toContain(
				'Remove all roles there first, and assign those to keep in another run.',
			);
			const inOrg1 = { organization: { __rl: true, mode: 'id', value: 'org-1' } };
			await scim(
				'access',
				'revoke',
				{ people: 'user-1', revokeIn: 'one', roleHeld: 'any', ...inOrg1 },
				{ credential },
			);
			await assign(scim, [{ id: 'user-1', role: 'viewer' }], {});
			expect(roles(server)).toEqual([['user-4'], ['user-2'], ['user-3', 'user-1']]);
		});
	});
});

test('an old role that cannot be taken away is kept, and the new one is not given', async () => {
	const faults = [{ on: 'PATCH /Groups/org-1%3Amember', times: 9, status: 403 }];
	await withServer({ ...TWO, faults }, async (server, scim) => {
		const { json } = await assign(scim, [{ id: 'user-1', role: 'viewer' }]);
		expect(json[0].error).toBeDefined();
		expect(roles(server)).toEqual([['user-4'], ['user-1', 'user-2'], ['user-3']]);
	});
});

test('the last admin who becomes member waits for the new one', async () => {
	await withServer(TWO, async (server, scim) => {
		const { json } = await assign(scim, [
			{ id: 'user-4', role: 'member' },
			{ id: 'user-3', role: 'admin' },
		]);
		expect(json.flatMap(({ error }) => error ?? [])).toStrictEqual([]);
		expect(roles(server)).toEqual([['user-3'], ['user-1', 'user-2', 'user-4'], []]);
		const [first, second] = server.written();
		expect(first).toContain('viewer');
		expect(second).toContain('admin');
	});
});
