'use strict';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual('n8n-workflow'),
	sleep: async () => {},
}));

const { people, withServer } = require('./play');

// Where a removal takes whatever role the person has, and an add moves nobody, the old role has to go first.

const CREDENTIAL = {
	overrideProfile: true,
	groupIdPattern: '{organization}:{role}',
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
	removalIsRoleBlind: true,
};
const roles = (server) =>
	['admin', 'member', 'viewer'].map((role) => server.membersOf(`org-1:${role}`));
const assign = async (scim, items, more) =>
	await scim(
		'access',
		'assignRole',
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
	async (patchAnswer) => {
		await withServer({ ...TWO, patchAnswer }, async (server, scim) => {
			const { json } = await assign(scim, [
				{ id: 'user-1', role: 'viewer' },
				{ id: 'user-3', role: 'member' },
			]);
			const statuses = json.flatMap(({ changes }) => changes.map(({ outcome }) => outcome.status));
			expect(statuses).toEqual(['done', 'done', 'done', 'done']);
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

test('a new role that is refused gives the old one back, and the item says so', async () => {
	await withServer({ ...TWO, refusesAddsTo: ['org-1:viewer'] }, async (server, scim) => {
		const { json } = await assign(scim, [{ id: 'user-1', role: 'viewer' }]);
		expect(json[0].error).toContain('The service does not accept');
		expect(json[0].error).toContain('The old role (member in org-1) was put back');
		expect(roles(server)).toEqual([['user-4'], ['user-2', 'user-1'], ['user-3']]);
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
		expect(json.flatMap(({ error }) => error ?? [])).toEqual([]);
		expect(roles(server)).toEqual([['user-3'], ['user-1', 'user-2', 'user-4'], []]);
		const [first, second] = server.written();
		expect(first).toContain('viewer');
		expect(second).toContain('admin');
	});
});
