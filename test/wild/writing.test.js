'use strict';

require('../support/noWaiting');

const mockWaits = [];
jest.mock('n8n-workflow', () => ({
	...jest.requireActual('n8n-workflow'),
	sleep: async (ms) => void mockWaits.push(ms),
}));

const { statusesOf } = require('../support/items');
const { byId, mapped } = require('../support/node');
const { PROFILES, idsOf, inGroup, people, withServer } = require('./play');
const { someGroups } = require('../support/accessRows');

// Rows of "Writing" of what real SCIM servers do to a client.

const GROUP = 'org-1:staff';
const SIX = {
	users: people(6),
	groups: [
		{ id: GROUP, members: idsOf(4) },
		{ id: 'org-1:admin', members: ['user-6'] },
		{ id: 'org-1:guest' },
	],
};

const operationsOf = (server) =>
	server.requests
		.filter(({ method }) => method === 'PATCH')
		.flatMap(({ body }) => body.Operations.map(({ op, path }) => `${op} ${path}`));

describe('`remove`, `path: "members"`, `value: [...]` removes **every** member on two of six servers: removal form is a setting: value list (this service), or `members[value eq "id"]` one operation per user (works on all); check the members afterwards', () => {
	const TWO = { ...inGroup(GROUP), people: 'user-1, user-3' };

	test('the generic profile does not use the form', async () => {
		await withServer({ ...SIX, removesEverybody: ['valueList'] }, async (server, scim) => {
			const { json } = await scim('group', 'removeMembers', TWO);
			expect(statusesOf(json)).toEqual(['done', 'done']);
			expect(server.membersOf(GROUP)).toEqual(['user-2', 'user-4']);
			expect(operationsOf(server)).toEqual([
				'remove members[value eq "user-1"]',
				'remove members[value eq "user-3"]',
			]);
		});
	});

	test('the account profile does: one operation for all', async () => {
		await withServer(SIX, async (server, scim) => {
			const { json } = await scim('group', 'removeMembers', TWO, {
				profile: 'accountOrganizations',
			});
			expect(statusesOf(json)).toEqual(['done', 'done']);
			expect(server.membersOf(GROUP)).toEqual(['user-2', 'user-4']);
			expect(operationsOf(server)).toEqual(['remove members']);
		});
	});

	test('set to the wrong form: the members are looked at afterwards, and named', async () => {
		await withServer({ ...SIX, removesEverybody: ['valueList'] }, async (server, scim) => {
			const { error } = await scim('group', 'removeMembers', TWO, {
				credential: { overrideProfile: true, memberRemoval: 'valueList' },
			});
			expect(server.written()).toHaveLength(1);
			expect(error.message).toContain('lost 2 more than this run removed');
		});
	});

	test('a service without the other form: said, and nobody is out', async () => {
		await withServer({ ...SIX, refusesFilterPath: 400 }, async (server, scim) => {
			const { error } = await scim('group', 'removeMembers', { ...TWO, people: 'user-1' });
			expect(error.message).toContain('Bad path');
			expect(server.membersOf(GROUP)).toEqual(idsOf(4));
		});
	});
});

describe.each(PROFILES)('writing, profile %s', (profile) => {
	describe('adding a member twice stores it twice; unknown ids are accepted as members: diff first; de-duplicate on read', () => {
		test('who is a member is not added again', async () => {
			await withServer({ ...SIX, storesTwice: true }, async (server, scim) => {
				const parameters = { ...inGroup(GROUP), people: '={{ $json.people }}' };
				const { json } = await scim('group', 'addMembers', parameters, {
					profile,
					items: [{ people: 'user-1, user-1' }, { people: 'user-5, user-5' }, { people: 'user-5' }],
				});
				// One item for each person of an item, however often it names them.
				expect(statusesOf(json)).toEqual(['unchanged', 'done', 'done']);
				expect(server.membersOf(GROUP)).toEqual([...idsOf(4), 'user-5']);
				expect(server.written()).toHaveLength(1);
			});
		});

		test('stored twice already: read once, and removed once', async () => {
			const groups = [{ id: GROUP, members: ['user-1', 'user-1', 'user-2'] }];
			await withServer({ ...SIX, groups }, async (server, scim) => {
				const seen = await scim('group', 'get', inGroup(GROUP), { profile });
				expect(seen.json[0].members.map(({ userId }) => userId)).toEqual(['user-1', 'user-2']);
				const gone = await scim(
					'group',
					'removeMembers',
					{ ...inGroup(GROUP), people: 'user-1' },
					{ profile },
				);
				expect(statusesOf(gone.json)).toEqual(['done']);
				expect(server.membersOf(GROUP)).toEqual(['user-2']);
			});
		});
	});

	describe('PATCH answers 200, 204, or both from one server; DELETE 200 with a body, 404 the second time: all are success; 404 on DELETE is "already gone"', () => {
		test.each([200, 204, 'both'])('PATCH answers %s', async (patchAnswers) => {
			await withServer({ ...SIX, patchAnswers }, async (server, scim) => {
				for (const operation of ['deactivate', 'activate']) {
					const { json } = await scim('user', operation, { user: byId('user-2') }, { profile });
					expect(json).toMatchObject([{ userId: 'user-2', status: 'done' }]);
					// Of memberships, which account organizations drop.
					expect(json[0].warnings ?? []).toHaveLength(profile === 'generic' ? 0 : 1);
				}
				expect(server.users.get('user-2').active).toBe(true);
				const added = await scim(
					'group',
					'addMembers',
					{ ...inGroup('org-1:guest'), people: 'user-1, user-2' },
					{ profile },
				);
				expect(statusesOf(added.json)).toEqual(['done', 'done']);
				expect(server.membersOf('org-1:guest')).toEqual(['user-1', 'user-2']);
			});
		});

		test.each([200, 204])('DELETE answers %s, and 404 the second time', async (deleteAnswer) => {
			await withServer({ ...SIX, deleteAnswer }, async (server, scim) => {
				const user = byId('user-2');
				const first = await scim('user', 'delete', { user }, { profile });
				expect(first.json).toMatchObject([{ deleted: true, status: 'done' }]);
				expect(server.users.has('user-2')).toBe(false);
				const second = await scim('user', 'delete', { user }, { profile });
				expect(second.error.message).toBe('No user has the ID user-2');
				const third = await scim(
					'user',
					'delete',
					{ user },
					{ profile, options: { ifNotFound: 'alreadyGone' } },
				);
				expect(third.json).toEqual([
					{
						...{ change: 'none', userId: 'user-2', userName: null, group: null },
						...{ status: 'unchanged', reason: 'no user has this email or ID' },
						text: 'user-2 was already gone.',
						deleted: false,
					},
				]);
			});
		});

		test('DELETE whose first answer was lost: 404 on the second is success', async () => {
			const faults = [{ on: 'DELETE', times: 1, stored: true, reset: true }];
			await withServer({ ...SIX, faults }, async (server, scim) => {
				const { json } = await scim('user', 'delete', { user: byId('user-2') }, { profile });
				expect(json).toMatchObject([{ deleted: true }]);
				expect(server.written()).toEqual([
					'DELETE /Users/user-2 unanswered',
					'DELETE /Users/user-2 404',
				]);
			});
		});

		test('DELETE answers 204 and deletes nothing', async () => {
			await withServer(
				{ ...SIX, faults: [{ on: 'DELETE', nothing: true }] },
				async (server, scim) => {
					const { error } = await scim('user', 'delete', { user: byId('user-2') }, { profile });
					expect(error.message).toBe(
						'Could not confirm: delete user person2@example.com: the user is still there',
					);
					expect(server.users.has('user-2')).toBe(true);
				},
			);
		});
	});

	describe('200 with a SCIM Error body inside; 200 `{}`; 200 and nothing changed: a resource must have an id; read back what matters', () => {
		const ERROR = {
			schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
			status: '400',
			scimType: 'invalidValue',
			detail: 'No such thing',
		};

		test('200 with a SCIM Error inside is an error, on reads and on writes', async () => {
			const faults = [
				{ on: 'PATCH', status: 200, body: ERROR },
				{ on: 'POST', status: 200, body: ERROR },
				{ on: 'GET /Users/user-3', status: 200, body: ERROR },
			];
			await withServer({ ...SIX, faults }, async (server, scim) => {
				const runs = [
					['user', 'deactivate', { user: byId('user-1') }],
					['user', 'create', { userName: 'new@example.com' }],
					['user', 'get', { user: byId('user-3') }],
				];
				for (const [resource, operation, parameters] of runs) {
					const { error } = await scim(resource, operation, parameters, { profile });
					expect(error.message).toMatch(
						/the service answered 400, No such thing \(invalidValue\)$/,
					);
				}
				expect(server.users.size).toBe(6);
			});
		});

		test('200 `{}` to a read is no user', async () => {
			const faults = [{ on: 'GET /Users/', status: 200, body: {} }];
			await withServer({ ...SIX, faults }, async (_, scim) => {
				const { error } = await scim('user', 'get', { user: byId('user-1') }, { profile });
				expect(error.message).toBe(
					'Could not get user user-1: the service answered 200 without a resource that has an ID',
				);
			});
		});

		test('200 `{}` to writes that worked: read back, and done', async () => {
			const faults = [
				{ on: 'PATCH', stored: true, status: 200, body: {} },
				{ on: 'POST', stored: true, status: 200, body: {} },
			];
			await withServer({ ...SIX, faults }, async (server, scim) => {
				const created = await scim('user', 'create', { userName: 'new@example.com' }, { profile });
				expect(created.json).toMatchObject([{ userId: 'user-7', status: 'done' }]);
				const changed = await scim('user', 'deactivate', { user: byId('user-1') }, { profile });
				expect(changed.json).toMatchObject([{ userId: 'user-1', active: false }]);
				const added = await scim(
					'group',
					'addMembers',
					{ ...inGroup(GROUP), people: 'user-5' },
					{ profile },
				);
				expect(statusesOf(added.json)).toEqual(['done']);
				expect(server.membersOf(GROUP)).toContain('user-5');
			});
		});

		test('200 `{}` to a create that did nothing: not done, and nobody is made twice', async () => {
			const faults = [{ on: 'POST', status: 200, body: {} }];
			await withServer({ ...SIX, faults }, async (server, scim) => {
				const { error } = await scim(
					'user',
					'create',
					{ userName: 'new@example.com' },
					{ profile },
				);
				expect(error.message).toContain('Could not confirm: create user');
				expect(server.came('POST')).toHaveLength(1);
			});
		});

		test('200 and nothing changed', async () => {
			await withServer(
				{ ...SIX, faults: [{ on: 'PATCH', nothing: true }] },
				async (server, scim) => {
					const runs = [
						['user', 'deactivate', { user: byId('user-1') }],
						['group', 'addMembers', { ...inGroup(GROUP), people: 'user-5' }],
						['group', 'removeMembers', { ...inGroup(GROUP), people: 'user-1' }],
					];
					for (const [resource, operation, parameters] of runs) {
						const { error } = await scim(resource, operation, parameters, { profile });
						expect(error.message).toMatch(/^Could not confirm: /);
					}
					expect(server.users.get('user-1').active).toBe(true);
					expect(server.membersOf(GROUP)).toEqual(idsOf(4));
				},
			);
		});

		test('200 and nothing changed, to a PUT of a whole user', async () => {
			await withServer({ ...SIX, faults: [{ on: 'PUT', nothing: true }] }, async (_, scim) => {
				const { error } = await scim(
					'user',
					'update',
					{ user: byId('user-1'), updateFields: { active: false } },
					{ profile, options: { updateWith: 'put' } },
				);
				expect(error.message).toMatch(/^Could not confirm: replace user person1@example.com/);
			});
		});
	});

	describe('one object instead of an array, a missing `path`, a URN-prefixed path: refused or ignored; always an array with a plain `path`', () => {
		test.each(['refused', 'ignored'])('other forms are %s', async (otherForms) => {
			await withServer({ ...SIX, otherForms }, async (server, scim) => {
				const names = {
					'name.givenName': 'Ana',
					'name.familyName': 'Silva',
					displayName: 'Ana Silva',
				};
				const runs = [
					['user', 'update', { user: byId('user-1'), ...mapped(names) }],
					['user', 'deactivate', { user: byId('user-2') }],
					['group', 'addMembers', { ...inGroup(GROUP), people: 'user-5' }],
					['group', 'removeMembers', { ...inGroup(GROUP), people: 'user-1' }],
					['group', 'setMembers', { ...inGroup(GROUP), people: 'user-3, user-5' }],
				];
				for (const [resource, operation, parameters] of runs) {
					const { error } = await scim(resource, operation, parameters, { profile });
					expect([operation, error?.message]).toEqual([operation, undefined]);
				}
				expect(server.users.get('user-1')).toMatchObject({
					name: { givenName: 'Ana', familyName: 'Silva' },
					displayName: 'Ana Silva',
				});
				expect(server.users.get('user-2').active).toBe(false);
				expect(server.membersOf(GROUP)).toEqual(['user-3', 'user-5']);
				for (const { method, body } of server.requests) {
					if (method !== 'PATCH') continue;
					expect(body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:PatchOp']);
					for (const { path } of body.Operations) expect(path).toMatch(/^(name\.)?\w+(\[|$)/);
				}
			});
		});
	});

	describe('limits on one PATCH: 100 members (AWS), 2,500 (IBM), 8,000 (Miro), 1 MB (this service): "members per request", default 100', () => {
		const MANY = { users: people(250), groups: [{ id: GROUP }, { id: 'org-1:admin' }] };
		const everybody = { ...inGroup(GROUP), people: idsOf(250).join(',') };

		test('100 members', async () => {
			await withServer({ ...MANY, mostMembers: 100 }, async (server, scim) => {
				const added = await scim('group', 'addMembers', everybody, { profile });
				expect(statusesOf(added.json)).toEqual(Array(250).fill('done'));
				expect(server.membersOf(GROUP)).toHaveLength(250);
				expect(server.written()).toHaveLength(3);
				const gone = await scim('group', 'removeMembers', everybody, {
					profile,
					options: { maxPeopleAffected: 250 },
				});
				expect(statusesOf(gone.json)).toEqual(Array(250).fill('done'));
				expect(server.membersOf(GROUP)).toStrictEqual([]);
				expect(server.written()).toHaveLength(6);
			});
		});

		test.each([2_500, 8_000])('%i members, as set in the credential', async (most) => {
			const count = most + 1;
			await withServer(
				{ ...MANY, users: people(count), mostMembers: most },
				async (server, scim) => {
					const { json } = await scim(
						'group',
						'addMembers',
						{ ...inGroup(GROUP), people: idsOf(count).join(',') },
						{ profile, credential: { overrideProfile: true, membersPerRequest: most } },
					);
					expect(statusesOf(json)).toEqual(Array(count).fill('done'));
					expect(server.membersOf(GROUP)).toHaveLength(count);
					expect(server.written()).toHaveLength(2);
				},
			);
		});

		test('1 MB', async () => {
			const ids = Array.from({ length: 300 }, (_, index) => `user-${index}-${'x'.repeat(8_000)}`);
			const users = ids.map((id, index) => ({
				id,
				userName: `person${index}@example.com`,
				active: true,
			}));
			const parameters = { ...inGroup(GROUP), people: ids.join(',') };
			await withServer({ ...MANY, users, mostBytes: 1_000_000 }, async (server, scim) => {
				const { json } = await scim('group', 'addMembers', parameters, { profile });
				expect(statusesOf(json)).toEqual(Array(300).fill('done'));
				expect(server.membersOf(GROUP)).toHaveLength(300);
				for (const { body } of server.requests)
					expect(JSON.stringify(body ?? '').length).toBeLessThan(1_000_000);
			});
			await withServer({ ...MANY, users, mostBytes: 1_000_000 }, async (server, scim) => {
				const { error } = await scim('group', 'addMembers', parameters, {
					profile,
					credential: { overrideProfile: true, membersPerRequest: 300 },
				});
				expect(error.message).toContain('the service answered 413');
				expect(error.description).toContain('Lower Members Per Request');
				expect(server.membersOf(GROUP)).toStrictEqual([]);
			});
		});
	});
});

describe('groups that never show members (`members: []` always): verify through the user\'s `groups`; say "unverified" when neither shows it', () => {
	const add = { ...inGroup(GROUP), people: 'user-5' };
	const remove = { ...inGroup(GROUP), people: 'user-1' };

	test.each(['empty', 'absent'])('members %s, users show their groups', async (showsMembers) => {
		await withServer({ ...SIX, showsMembers }, async (server, scim) => {
			const { json } = await scim('group', 'addMembers', add);
			expect(statusesOf(json)).toEqual(['done']);
			expect(server.membersOf(GROUP)).toContain('user-5');
		});
	});

	test.each(['empty', 'absent'])('members %s, users do not either', async (showsMembers) => {
		await withServer({ ...SIX, showsMembers, usersShowGroups: 'absent' }, async (server, scim) => {
			const { error } = await scim('group', 'addMembers', add);
			expect(error.message).toBe(
				`Could not confirm: make person5@example.com member of group ${GROUP}: neither the group nor the user shows it`,
			);
			expect(server.membersOf(GROUP)).toContain('user-5');
			expect(server.written()).toHaveLength(1);
		});
	});

	test.each(['empty', 'absent'])('members %s: a removal is told by users', async (showsMembers) => {
		await withServer({ ...SIX, showsMembers }, async (server, scim) => {
			const { json } = await scim('group', 'removeMembers', remove);
			expect(statusesOf(json)).toEqual(['done']);
			expect(server.membersOf(GROUP)).toEqual(idsOf(4).slice(1));
		});
	});

	test.each(['empty', 'absent'])(
		'members %s, users do not either: nobody is removed',
		async (showsMembers) => {
			await withServer(
				{ ...SIX, showsMembers, usersShowGroups: 'absent' },
				async (server, scim) => {
					const { error } = await scim('group', 'removeMembers', remove);
					expect(error.message).toContain('The members of group');
					expect(server.written()).toStrictEqual([]);
				},
			);
		},
	);
});

describe('a text that an expression gives as something else', () => {
	const services = { users: people(1), groups: [{ id: 'g-1', displayName: 'VPN', members: [] }] };

	test.each([
		[
			'the name of a new group',
			['group', 'create', { displayName: '={{ $json.text }}' }],
			'displayName',
		],
		[
			'the new name of a group',
			[
				'group',
				'update',
				{ ...inGroup('g-1'), updateFields: { displayName: '={{ $json.text }}' } },
			],
			'displayName',
		],
		[
			'an attribute of a new user',
			[
				'access',
				'assign',
				{
					...{ people: 'new@example.com', createMissing: true, accessBy: 'group' },
					...someGroups('g-1'),
					newUserFields: { givenName: '={{ $json.text }}' },
				},
			],
			'givenName',
		],
	])('%s: an object and a list are refused, and nothing is sent', async (_, run, name) => {
		await withServer(services, async (server, scim) => {
			const items = [{ text: { first: 'Ana' } }, { text: ['Ana', 'Ben'] }];
			const { errorJson } = await scim(...run, { items, onError: 'continueErrorOutput' });
			expect(errorJson.map(({ error }) => error)).toEqual([
				`${name} is "{"first":"Ana"}", not text`,
				`${name} is "["Ana","Ben"]", not text`,
			]);
			expect(server.written()).toStrictEqual([]);
		});
	});

	test.each([
		['externalId', { externalId: 'hr-1' }],
		['emails', { emails: { email: [{ value: 'a@example.com' }] } }],
		['externalId', { attributesJson: '{"ExternalId": "hr-1"}' }],
	])('%s of several new people: nobody is created', async (name, newUserFields) => {
		await withServer(services, async (server, scim) => {
			const both = {
				...{ people: 'new@example.com, newer@example.com', createMissing: true },
				...{ accessBy: 'group', ...someGroups('g-1') },
			};
			const { error } = await scim('access', 'assign', { ...both, newUserFields });
			expect(error.message).toContain(`${name} would be the same for 2 people`);
			expect(server.written()).toStrictEqual([]);
		});
	});

	test.each(['', ' '])('a group keeps its name where the new one is "%s"', async (displayName) => {
		await withServer(services, async (server, scim) => {
			const fields = { ...inGroup('g-1'), updateFields: { displayName } };
			const { error } = await scim('group', 'update', fields);
			expect(error.message).toContain('The display name is missing');
			expect(server.written()).toStrictEqual([]);
		});
	});
});

// n8n hands over the text of an expression where a field takes none, and empties an option that it cannot read.
describe('a workflow that was not made in the editor', () => {
	const GROUPS = [
		{ id: 'g-1', displayName: 'VPN', members: ['user-1', 'user-2'] },
		{ id: 'g-2', displayName: 'Sales', members: ['user-1'] },
	];
	const ALL = { people: 'user-1', accessBy: 'group', revokeIn: 'all' };

	test.each(['={{ true }}', 'true', 1, null])('Preview as %j: nothing is sent', async (preview) => {
		await withServer({ users: people(2), groups: GROUPS }, async (server, scim) => {
			const { error } = await scim('access', 'revoke', { ...ALL, preview });
			expect(error.message).toContain('Preview is neither on nor off');
			expect(server.written()).toStrictEqual([]);
		});
	});

	test.each([
		['Access Not in the List', 'reconcile', { preview: false, unwanted: '={{ "keep" }}' }],
		['Access Not in the List', 'reconcile', { preview: false, unwanted: 'KEEP' }],
		['Account Action', 'offboard', { people: 'user-1', method: 'DELETE' }],
		['Match Users By', 'revoke', { ...ALL, options: { matchUsersBy: '={{ "externalId" }}' } }],
	])(
		'%s of %s that is none of its options: nothing is sent',
		async (name, operation, parameters) => {
			await withServer({ users: people(2), groups: GROUPS }, async (server, scim) => {
				const wanted = [{ email: 'person1@example.com', group: 'VPN' }];
				const reconcile = {
					...{ accessBy: 'group', wantedFrom: 'json', wantedJson: JSON.stringify(wanted) },
					scopeGroups: { group: [{ group: '*' }] },
				};
				const own = operation === 'reconcile' ? { ...reconcile, ...parameters } : parameters;
				const { error } = await scim('access', operation, own);
				expect(error.message).toContain(`${name} is none of its options`);
				expect(server.written()).toStrictEqual([]);
			});
		},
	);

	test('a safety limit that is neither on nor off: nothing is sent', async () => {
		await withServer({ users: people(2), groups: GROUPS }, async (server, scim) => {
			const options = { allowRemovingLastAdmin: '={{ "no" }}' };
			const { error } = await scim('access', 'revoke', ALL, { options });
			expect(error.message).toContain('Allow Removing Last Admin is neither on nor off');
			expect(server.written()).toStrictEqual([]);
		});
	});

	test.each([
		['Managed Groups', 'revoke', ALL, 'managedGroups'],
		['Managed Groups', 'assign', { ...ALL, ...someGroups('g-2') }, 'managedGroups'],
		['Keep Memberships In', 'offboard', { people: 'user-1' }, 'keepMembershipsIn'],
	])('%s of %s as text or list: nothing is sent', async (name, operation, parameters, option) => {
		for (const value of ['VPN', ['VPN'], '={{ ["VPN"] }}', {}]) {
			await withServer({ users: people(2), groups: GROUPS }, async (server, scim) => {
				const options = { [option]: value };
				const { error } = await scim('access', operation, parameters, { options });
				expect(error.message).toContain(`${name} is empty`);
				expect(server.written()).toStrictEqual([]);
			});
		}
	});
});
