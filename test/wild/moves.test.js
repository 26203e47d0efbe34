'use strict';

require('../support/noWaiting');
const { itemsOf } = require('../support/items');
const { people, withServer } = require('./play');
const { locator, oneRole } = require('../support/accessRows');

// Under the generic profile a move is: add, verify, remove from the old group, verify.

const CREDENTIAL = {
	overrideProfile: true,
	groupsStandFor: 'organizationAndRole',
	groupPattern: '{organization}:{role}',
	oneRolePerOrganization: 'yes',
};
const THREE = {
	users: people(4),
	groups: [
		{ id: 'org-1:admin', members: ['user-4'] },
		{ id: 'org-1:member', members: ['user-1', 'user-2'] },
		{ id: 'org-1:viewer', members: ['user-3'] },
	],
};
const toViewer = {
	people: 'user-1',
	...oneRole(locator('id', 'org-1'), 'viewer'),
};
const ADMIN = '/Groups/org-1%3Aadmin';
const VIEWER = '/Groups/org-1%3Aviewer';
const MEMBER = '/Groups/org-1%3Amember';

const move = async (scim, more) =>
	await scim('access', 'assign', toViewer, { credential: CREDENTIAL, ...more });

test('add, verify, remove, verify, when answers show nothing', async () => {
	await withServer({ ...THREE, patchAnswers: 204 }, async (server, scim) => {
		const { json, error } = await move(scim);
		expect(error).toBeUndefined();
		expect(itemsOf(json)).toEqual(['moved person1@example.com org-1 member>viewer done']);
		const from = server.came().indexOf(`PATCH ${VIEWER} 204`);
		expect(server.came().slice(from)).toEqual([
			`PATCH ${VIEWER} 204`,
			`GET ${VIEWER} 200`,
			// The service may have moved the person by itself.
			`GET ${MEMBER} 200`,
			`PATCH ${MEMBER} 204`,
			`GET ${MEMBER} 200`,
		]);
		expect(server.membersOf('org-1:member')).toEqual(['user-2']);
		expect(server.membersOf('org-1:viewer')).toEqual(['user-3', 'user-1']);
	});
});

test('one look at the admins shows who is one still, and that another is left', async () => {
	await withServer(THREE, async (server, scim) => {
		const items = [
			{ person: 'user-4', role: 'viewer' },
			{ person: 'user-1', role: 'admin' },
		];
		const given = {
			people: '={{ $json.person }}',
			...oneRole(locator('id', 'org-1'), '={{ $json.role }}'),
		};
		await scim('access', 'assign', { ...toViewer, ...given }, { credential: CREDENTIAL, items });
		expect(server.membersOf('org-1:admin')).toEqual(['user-1']);
		const came = server.came();
		const looks = came
			.slice(came.indexOf(`PATCH ${ADMIN} 200`))
			.filter((one) => one === `GET ${ADMIN} 200`);
		expect(looks).toHaveLength(1);
	});
});

test('answers that show the members are the verification', async () => {
	await withServer(THREE, async (server, scim) => {
		const { error } = await move(scim);
		expect(error).toBeUndefined();
		expect(server.written()).toEqual([`PATCH ${VIEWER} 200`, `PATCH ${MEMBER} 200`]);
	});
});

test.each([
	['says yes and adds nobody', { neverAdds: ['user-1'] }],
	['answers 204 and adds nobody', { neverAdds: ['user-1'], patchAnswers: 204 }],
	['refuses', { faults: [{ on: `PATCH ${VIEWER}`, status: 400, body: 'no' }] }],
	['breaks off', { faults: [{ on: `PATCH ${VIEWER}`, reset: true }] }],
	['fails', { faults: [{ on: `PATCH ${VIEWER}`, status: 500 }] }],
])('the service %s: the old role stays', async (_, switches) => {
	await withServer({ ...THREE, ...switches }, async (server, scim) => {
		const { error } = await move(scim);
		expect(error.message).toMatch(/ failed: /);
		expect(server.membersOf('org-1:member')).toEqual(['user-1', 'user-2']);
		expect(server.membersOf('org-1:viewer')).toEqual(['user-3']);
		expect(server.written().some((path) => path.includes(MEMBER))).toBe(false);
	});
});

test('the add worked although its answer was lost: the move is completed', async () => {
	const faults = [{ on: `PATCH ${VIEWER}`, times: 1, reset: true, stored: true }];
	await withServer({ ...THREE, faults }, async (server, scim) => {
		const { error } = await move(scim);
		expect(error).toBeUndefined();
		expect(server.membersOf('org-1:member')).toEqual(['user-2']);
		expect(server.membersOf('org-1:viewer')).toEqual(['user-3', 'user-1']);
	});
});

test('the removal is refused: said, and the next run completes it', async () => {
	const faults = [{ on: `PATCH ${MEMBER}`, times: 1, status: 403, body: 'not now' }];
	await withServer({ ...THREE, faults }, async (server, scim) => {
		const { error } = await move(scim);
		expect(error.message).toContain('1 of 2 failed: ');
		expect(error.message).toContain('not now');
		expect(error.message).toContain('Done: make person1@example.com viewer in org-1');
		expect(server.membersOf('org-1:viewer')).toContain('user-1');
		const again = await move(scim);
		expect(again.error).toBeUndefined();
		expect(server.membersOf('org-1:member')).toEqual(['user-2']);
	});
});

test('the removal changes nothing: not claimed', async () => {
	const faults = [{ on: `PATCH ${MEMBER}`, nothing: true }];
	await withServer({ ...THREE, faults }, async (server, scim) => {
		const { error } = await move(scim);
		expect(error.message).toContain('Could not confirm: remove person1@example.com from member');
		expect(server.membersOf('org-1:member')).toContain('user-1');
	});
});

test('a service that moves by itself: no removal leaves, since it would take the new role too', async () => {
	await withServer({ ...THREE, addMoves: true }, async (server, scim) => {
		const { error } = await move(scim);
		expect(error).toBeUndefined();
		expect(server.written()).toEqual([`PATCH ${VIEWER} 200`]);
		expect(server.membersOf('org-1:member')).toEqual(['user-2']);
	});
});

test('a removal that takes others along: that is said, and the person keeps the new role', async () => {
	await withServer({ ...THREE, removesEverybody: ['filterPath'] }, async (server, scim) => {
		const { error } = await move(scim);
		expect(error.message).toContain('Group org-1:member lost 1 more than this run removed');
		expect(server.membersOf('org-1:member')).toStrictEqual([]);
		expect(server.membersOf('org-1:viewer')).toEqual(['user-3', 'user-1']);
	});
});

test('groups that show nobody: unverified, and nothing is taken away on that ground', async () => {
	await withServer(
		{ ...THREE, showsMembers: 'empty', usersShowGroups: 'absent' },
		async (server, scim) => {
			const { error } = await move(scim);
			expect(error.message).toMatch(/^Could not confirm: make /);
			expect(server.membersOf('org-1:member')).toEqual(['user-1', 'user-2']);
		},
	);
});

test('a second role that was left over goes, and the item says so', async () => {
	const [admins, members] = THREE.groups;
	const groups = [admins, members, { id: 'org-1:viewer', members: ['user-3', 'user-1'] }];
	await withServer({ ...THREE, groups }, async (server, scim) => {
		const { json } = await move(scim);
		expect(itemsOf(json)).toEqual(['revoked person1@example.com org-1 member>viewer done']);
		expect(server.written()).toEqual([`PATCH ${MEMBER} 200`]);
	});
});

test('the last admin who becomes member waits for the new one', async () => {
	await withServer(THREE, async (server, scim) => {
		const { json, error } = await scim(
			'access',
			'assign',
			{
				people: '={{ $json.id }}',
				...oneRole(locator('id', 'org-1'), '={{ $json.role }}'),
			},
			{
				credential: CREDENTIAL,
				items: [
					{ id: 'user-4', role: 'member' },
					{ id: 'user-3', role: 'admin' },
				],
			},
		);
		expect(error).toBeUndefined();
		expect(itemsOf(json)).toHaveLength(2);
		expect(server.membersOf('org-1:admin')).toEqual(['user-3']);
		expect(server.membersOf('org-1:member')).toEqual(['user-1', 'user-2', 'user-4']);
		const written = server.written();
		const [gain, loss] = [
			written.indexOf('PATCH /Groups/org-1%3Aadmin 200'),
			written.lastIndexOf('PATCH /Groups/org-1%3Aadmin 200'),
		];
		expect(gain).toBeLessThan(loss);
	});
});

test('without one role per organization nobody is moved', async () => {
	await withServer(THREE, async (server, scim) => {
		const credential = { ...CREDENTIAL, oneRolePerOrganization: 'profile' };
		const { error } = await move(scim, { credential });
		expect(error).toBeUndefined();
		expect(server.membersOf('org-1:member')).toEqual(['user-1', 'user-2']);
		expect(server.membersOf('org-1:viewer')).toEqual(['user-3', 'user-1']);
		const roles = { role: ['member', 'viewer'].map((role) => ({ organization: 'org-1', role })) };
		const both = { people: 'user-1, user-1', roles };
		const again = await scim('access', 'assign', both, { credential });
		expect(itemsOf(again.json)).toEqual([
			'none person1@example.com org-1 member unchanged',
			'none person1@example.com org-1 viewer unchanged',
		]);
	});
});

describe('an organization that its groups spell in different cases', () => {
	const SPELLED = {
		credential: {
			...CREDENTIAL,
			groupPattern: '{organization}-{role}',
			groupPatternOn: 'displayName',
		},
		onError: 'continueErrorOutput',
	};
	const GROUPS = [
		{ id: 'a', displayName: 'Acme Corp-Admin', members: ['user-3'] },
		{ id: 'm', displayName: 'Acme Corp-Member', members: [] },
		{ id: 'v', displayName: 'acme corp-viewer', members: ['user-1'] },
	];
	const roleOf = {
		people: '={{ $json.who }}',
		...oneRole(locator('id', '={{ $json.organization }}'), '={{ $json.role }}'),
	};

	test('is one: a new role takes the place of the old one', async () => {
		await withServer({ users: people(3), groups: GROUPS }, async (server, scim) => {
			const items = [{ who: 'user-1', organization: 'Acme Corp', role: 'member' }];
			const { json } = await scim('access', 'assign', roleOf, { ...SPELLED, items });
			expect(json.map(({ change, roleBefore, role }) => [change, roleBefore, role])).toEqual([
				['moved', 'viewer', 'Member'],
			]);
			expect(server.membersOf('m')).toEqual(['user-1']);
			expect(server.membersOf('v')).toStrictEqual([]);
		});
	});

	test('is one: two roles in it contradict each other', async () => {
		await withServer({ users: people(3), groups: GROUPS }, async (server, scim) => {
			const items = [
				{ who: 'user-2', organization: 'Acme Corp', role: 'admin' },
				{ who: 'user-2', organization: 'acme corp', role: 'viewer' },
			];
			const { errorJson } = await scim('access', 'assign', roleOf, { ...SPELLED, items });
			expect(errorJson.map(({ error }) => error)).toEqual(
				Array(2).fill(expect.stringContaining('two roles for')),
			);
			expect(server.written()).toStrictEqual([]);
		});
	});
});
