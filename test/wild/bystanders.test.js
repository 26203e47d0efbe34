'use strict';

require('../support/noWaiting');
const { ONE_AT_A_TIME } = require('../support/options');
const { byId } = require('../support/node');
const { idsOf, inGroup, people, withServer } = require('./play');
const { fromExpression } = require('../support/accessRows');

// A removal that takes other members along (nodes/shared/access/bystanders.ts): told, and never repaired.

const VALUE_LIST = { overrideProfile: true, memberRemoval: 'valueList' };
const ORGANIZATIONS = {
	...VALUE_LIST,
	groupsStandFor: 'organizationAndRole',
	groupPattern: '{organization}:{role}',
};
const EMPTIES = { removesEverybody: ['valueList'] };

/** Groups `g1`, `g2`, ... with the same members. */
const groupsOf = (count, members) =>
	Array.from({ length: count }, (_, index) => ({ id: `g${index + 1}`, members }));

const FIVE_IN_G1 = { users: people(6), groups: groupsOf(1, idsOf(5)) };
const removeFirst = { ...inGroup('g1'), people: 'user-1' };
const EVERY_WAY = { maxPeopleAffected: 2_000 };

const sorted = (ids) => [...ids].sort();

describe('a removal that takes other members along', () => {
	test.each([200, 204])(
		'answered with %i: the run says so, naming them, and sends nothing more',
		async (patchAnswers) => {
			await withServer({ ...FIVE_IN_G1, ...EMPTIES, patchAnswers }, async (server, scim) => {
				const { error } = await scim('group', 'removeMembers', removeFirst, {
					credential: VALUE_LIST,
				});
				expect(error.message).toBe(
					'Could not confirm: remove user-1 as member of group g1: Group g1 lost 4 more than this run removed (person2@example.com, person3@example.com, person4@example.com, person5@example.com), so no further removal was sent. Another run may have removed them. If not, choose another Member Removal in the credential, and restore them with Access: Assign',
				);
				expect(server.membersOf('g1')).toStrictEqual([]);
				expect(server.written()).toEqual([`PATCH /Groups/g1 ${patchAnswers}`]);
			});
		},
	);

	test.each([
		['the groups themselves', {}],
		[
			'the list of groups',
			{ groupsStandFor: 'organizationAndRole', groupPattern: '{organization}:{role}' },
		],
	])(
		'an empty group leaves its members out, and %s showed some before: that is said, other groups stay',
		async (_, credential) => {
			const ids = ['org-1:a', 'org-2:a', 'org-3:a'];
			const switches = {
				users: people(5),
				groups: ids.map((id) => ({ id, members: idsOf(5) })),
				...EMPTIES,
				showsMembers: 'whenAny',
				usersShowGroups: 'absent',
				patchAnswers: 204,
			};
			await withServer(switches, async (server, scim) => {
				const { json } = await scim(
					'group',
					'removeMembers',
					{ ...inGroup('={{ $json.id }}'), people: 'user-1' },
					{
						credential: { ...VALUE_LIST, ...credential },
						items: ids.map((id) => ({ id })),
						onError: 'continueRegularOutput',
					},
				);
				expect(json[0].error).toContain('Group org-1:a lost 4 more');
				for (const { error } of json.slice(1))
					expect(error).toContain('No further removal was sent');
				expect(server.membersOf('org-1:a')).toStrictEqual([]);
				for (const id of ids.slice(1)) expect(server.membersOf(id)).toEqual(idsOf(5));
			});
		},
	);

	test.each([
		[true, 'done'],
		[false, 'unverified'],
	])(
		'the last member goes, and the group leaves its members out; seen before: %s, so it is %s',
		async (wasSeen, status) => {
			const group = { id: 'org-1:a', members: ['user-1'] };
			const is = {
				users: people(2),
				groups: [group],
				patchAnswers: 204,
				usersShowGroups: 'absent',
			};
			// A service that never shows members says nothing by leaving them out.
			const showsMembers = wasSeen ? 'whenAny' : 'absent';
			await withServer({ ...is, showsMembers }, async (server, scim) => {
				const options = { onError: 'continueRegularOutput' };
				const parameters = { ...inGroup('org-1:a'), people: wasSeen ? 'user-1' : 'user-2' };
				const operation = wasSeen ? 'removeMembers' : 'addMembers';
				const { json } = await scim('group', operation, parameters, options);
				if (wasSeen) expect(json[0].status).toBe(status);
				else expect(json[0].error).toContain('Could not confirm');
			});
		},
	);

	test.each(['absent', 'empty'])(
		'a list is not set where it is not seen who else is in the group (%s)',
		async (showsMembers) => {
			const group = { id: 'g1', members: idsOf(4) };
			const is = { users: people(5), groups: [group], showsMembers, usersShowGroups: 'absent' };
			await withServer(is, async (server, scim) => {
				const parameters = { ...inGroup('g1'), people: 'user-1, user-5' };
				const { error } = await scim('group', 'setMembers', parameters);
				expect(error.message).toContain('Could not confirm');
				expect(server.membersOf('g1')).toEqual(idsOf(5));
			});
		},
	);

	test('a group that is not there is not deleted: nothing is sent', async () => {
		await withServer(FIVE_IN_G1, async (server, scim) => {
			const { error } = await scim('group', 'delete', inGroup('g7'));
			expect(error.message).toContain('There is no group "g7"');
			expect(server.written()).toStrictEqual([]);
		});
	});

	test.each([400, 501])(
		'a removal by filter path that is answered %i fails, and says which form there is beside; nothing else is tried',
		async (refusesFilterPath) => {
			await withServer({ ...FIVE_IN_G1, refusesFilterPath }, async (server, scim) => {
				const { error } = await scim('group', 'removeMembers', removeFirst);
				expect(error.description).toContain('Member Removal: List of Values');
				expect(server.membersOf('g1')).toEqual(idsOf(5));
				expect(server.written()).toEqual([`PATCH /Groups/g1 ${refusesFilterPath}`]);
			});
		},
	);

	test('with the error output the item says so too', async () => {
		await withServer({ ...FIVE_IN_G1, ...EMPTIES }, async (_, scim) => {
			const { errorJson } = await scim('group', 'removeMembers', removeFirst, {
				credential: VALUE_LIST,
				onError: 'continueErrorOutput',
			});
			expect(errorJson).toHaveLength(1);
			expect(errorJson[0].error).toContain('Group g1 lost 4 more');
		});
	});

	test.each([
		['one at a time', ONE_AT_A_TIME, 200],
		['side by side', {}, 200],
		['one at a time', ONE_AT_A_TIME, 204],
		['side by side', {}, 204],
		['20 side by side', { writesPerMinute: 100_000 }, 204],
	])('%s, answers %i: removals from other groups are not done', async (_, pace, patchAnswers) => {
		const switches = {
			users: people(6),
			groups: groupsOf(8, idsOf(5)),
			...EMPTIES,
			patchAnswers,
		};
		await withServer(switches, async (server, scim) => {
			const items = groupsOf(8).map(({ id }) => ({ id }));
			const { json } = await scim(
				'group',
				'removeMembers',
				{ ...inGroup('={{ $json.id }}'), people: 'user-1' },
				{
					credential: { ...VALUE_LIST, ...pace },
					items,
					onError: 'continueRegularOutput',
				},
			);
			expect(json).toHaveLength(8);
			expect(json[0].error).toContain('Group g1 lost 4 more');
			for (const { error } of json.slice(1)) expect(error).toContain('No further removal was sent');
			expect(server.membersOf('g1')).toStrictEqual([]);
			for (const { id } of groupsOf(8).slice(1)) expect(server.membersOf(id)).toEqual(idsOf(5));
			for (const path of server.written()) expect(path).toContain('/Groups/g1 ');
		});
	});

	test('many members are removed in several requests: the first one is enough to stop', async () => {
		const switches = { users: people(300), groups: groupsOf(1, idsOf(300)), ...EMPTIES };
		await withServer(switches, async (server, scim) => {
			const { error } = await scim(
				'group',
				'removeMembers',
				{ ...inGroup('g1'), people: idsOf(250).join(',') },
				{ credential: VALUE_LIST, options: EVERY_WAY },
			);
			expect(error.message).toContain('Group g1 lost 50 more');
			expect(server.written()).toHaveLength(1);
		});
	});

	test('2,000 members: the first thousand are named', async () => {
		const switches = { users: people(2_000), groups: groupsOf(1, idsOf(2_000)), ...EMPTIES };
		await withServer(switches, async (server, scim) => {
			const { error } = await scim('group', 'removeMembers', removeFirst, {
				credential: VALUE_LIST,
			});
			expect(error.message).toContain('Group g1 lost 1999 more');
			expect(error.message).toMatch(/user-1000, user-1001, \.\.\.\), so no further/);
			expect(server.written()).toHaveLength(1);
		});
	});

	test('who is removed from another group in the same run is missed here', async () => {
		const groups = [
			{ id: 'g1', members: ['user-1', 'user-2', 'user-3'] },
			{ id: 'g2', members: ['user-2', 'user-4'] },
		];
		await withServer({ users: people(4), groups, ...EMPTIES }, async (server, scim) => {
			const { json } = await scim(
				'group',
				'removeMembers',
				{ ...inGroup('={{ $json.id }}'), people: '={{ $json.people }}' },
				{
					credential: VALUE_LIST,
					items: [
						{ id: 'g1', people: 'user-1' },
						{ id: 'g2', people: 'user-2' },
					],
					onError: 'continueRegularOutput',
				},
			);
			expect(json[0].error).toContain(
				'No further removal was sent, because group g2 lost more members',
			);
			expect(json[1].error).toContain('Group g2 lost 1 more than this run removed (person4@');
			expect(server.membersOf('g1')).toEqual(['user-1', 'user-2', 'user-3']);
		});
	});

	test('a service that spares others once, and empties a group later: that stops it, too', async () => {
		const switches = {
			users: people(5),
			groups: [...groupsOf(2, idsOf(5)), { id: 'g0', members: idsOf(4) }],
			onWrite: (_, server) => {
				server.is.removesEverybody = server.writes > 1 ? ['valueList'] : [];
			},
		};
		await withServer(switches, async (server, scim) => {
			const { json } = await scim(
				'group',
				'removeMembers',
				{ ...inGroup('={{ $json.id }}'), people: 'user-1' },
				{
					credential: { ...VALUE_LIST, ...ONE_AT_A_TIME },
					items: [{ id: 'g1' }, { id: 'g2' }, { id: 'g0' }],
					onError: 'continueRegularOutput',
				},
			);
			expect(json.map(({ error }) => /lost 4 more|No further/.exec(error)?.[0])).toEqual([
				'lost 4 more',
				'No further',
				undefined,
			]);
			expect(server.membersOf('g0')).toEqual(['user-2', 'user-3', 'user-4']);
		});
	});

	test('one goes along, others stay: a warning', async () => {
		await withServer({ ...FIVE_IN_G1, alsoRemoves: ['user-4'] }, async (server, scim) => {
			const { json, error } = await scim('group', 'removeMembers', removeFirst);
			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ status: 'done' }]);
			expect(json[0].warnings).toEqual([
				'Group g1 lost 1 more than this run removed (person4@example.com). Another run may have done so.',
			]);
			expect(server.membersOf('g1')).toEqual(['user-2', 'user-3', 'user-5']);
		});
	});

	test('several go along, others stay: an alarm', async () => {
		await withServer({ ...FIVE_IN_G1, alsoRemoves: ['user-3', 'user-4'] }, async (_, scim) => {
			const { error } = await scim('group', 'removeMembers', removeFirst);
			expect(error.message).toContain('lost 2 more than this run removed');
		});
	});
});

describe('Set Members', () => {
	const onlyThree = { ...inGroup('g1'), people: 'user-1, user-2, user-3' };

	test('with Difference', async () => {
		await withServer({ ...FIVE_IN_G1, ...EMPTIES }, async (server, scim) => {
			const { error } = await scim('group', 'setMembers', onlyThree, { credential: VALUE_LIST });
			expect(error.message).toContain('Group g1 lost 3 more');
			expect(server.membersOf('g1')).toStrictEqual([]);
		});
	});

	test.each([200, 204])('with Whole List (PUT), answered with %i', async (patchAnswers) => {
		const switches = { ...FIVE_IN_G1, removesEverybody: ['put'], patchAnswers };
		await withServer(switches, async (server, scim) => {
			const { error } = await scim('group', 'setMembers', onlyThree, {
				options: { replaceWith: 'wholeList' },
			});
			expect(error.message).toContain('Group g1 lost 3 more');
			expect(server.membersOf('g1')).toStrictEqual([]);
		});
	});

	test.each(['difference', 'wholeList'])(
		'%s on a service that behaves raises nothing',
		async (replaceWith) => {
			await withServer(FIVE_IN_G1, async (server, scim) => {
				const { json, error } = await scim('group', 'setMembers', onlyThree, {
					options: { replaceWith },
				});
				expect(error).toBeUndefined();
				expect(json.every(({ status }) => /done|unchanged/.test(status))).toBe(true);
				expect(server.membersOf('g1')).toEqual(idsOf(3));
				expect(server.written()).toHaveLength(1);
			});
		},
	);
});

describe('no alarm', () => {
	const behaves = async (switches, members, more = {}) =>
		await withServer({ ...FIVE_IN_G1, ...switches }, async (server, scim) => {
			const { json, error } = await scim('group', 'removeMembers', removeFirst, more);
			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ change: 'revoked', status: 'done' }]);
			expect(server.membersOf('g1')).toEqual(members);
			expect(server.written()).toHaveLength(1);
		});

	test.each([200, 204, 'both'])(
		'a removal that behaves, answered with %s',
		async (patchAnswers) => {
			await behaves({ patchAnswers }, idsOf(5).slice(1));
		},
	);

	test.each(['empty', 'absent'])('answers to writes with members %s', async (answersMembers) => {
		await behaves({ answersMembers }, idsOf(5).slice(1));
	});

	test('somebody else was deleted meanwhile', async () => {
		const onWrite = (_, server) => {
			server.scim.users.delete('user-3');
			server.scim.drop('g1', 'user-3');
		};
		await behaves({ onWrite }, ['user-2', 'user-4', 'user-5']);
	});

	test('somebody else was deactivated meanwhile, which drops memberships', async () => {
		const onWrite = (_, server) => {
			server.scim.setActive('user-3', false);
			server.scim.drop('g1', 'user-3');
		};
		await behaves({ onWrite }, ['user-2', 'user-4', 'user-5']);
	});

	test('one was deleted meanwhile and another one taken along: only that one is told', async () => {
		const onWrite = (_, server) => {
			server.scim.users.delete('user-3');
		};
		await withServer(
			{ ...FIVE_IN_G1, alsoRemoves: ['user-3', 'user-4'], onWrite },
			async (server, scim) => {
				const { json } = await scim('group', 'removeMembers', removeFirst);
				expect(json[0].warnings.join()).toContain('removed (person4@example.com)');
				expect(server.membersOf('g1')).toEqual(['user-2', 'user-5']);
			},
		);
	});

	test('a move within an organization on a service that moves by itself', async () => {
		const switches = {
			users: people(3),
			groups: [
				{ id: 'org-1:member', members: ['user-1', 'user-2'] },
				{ id: 'org-1:viewer', members: ['user-3'] },
			],
			addMoves: true,
		};
		await withServer(switches, async (server, scim) => {
			const { error } = await scim(
				'access',
				'set',
				{
					people: '={{ $json.id }}',
					...fromExpression('={{ $json.roles }}'),
				},
				{
					credential: ORGANIZATIONS,
					items: [
						{ id: 'user-1', roles: [{ organization: 'org-1', role: 'viewer' }] },
						{ id: 'user-2', roles: [{ organization: 'org-1', role: 'viewer' }] },
					],
				},
			);
			expect(error).toBeUndefined();
			expect(server.membersOf('org-1:member')).toStrictEqual([]);
			expect(sorted(server.membersOf('org-1:viewer'))).toEqual(['user-1', 'user-2', 'user-3']);
		});
	});

	test('removals from many groups on a service that behaves cost no look more', async () => {
		const switches = { users: people(6), groups: groupsOf(8, idsOf(5)), patchAnswers: 204 };
		await withServer(switches, async (server, scim) => {
			const { error } = await scim(
				'group',
				'removeMembers',
				{ ...inGroup('={{ $json.id }}'), people: 'user-1' },
				{ items: groupsOf(8).map(({ id }) => ({ id })) },
			);
			expect(error).toBeUndefined();
			// Read before, removed, read back: the first one before the others left.
			expect(server.requests).toHaveLength(3 * 8);
		});
	});
});

test('roles that are revoked are watched too', async () => {
	const switches = {
		users: people(4),
		groups: [
			{ id: 'org-1:admin', members: ['user-4'] },
			{ id: 'org-1:member', members: ['user-1', 'user-2', 'user-3'] },
		],
		...EMPTIES,
	};
	await withServer(switches, async (server, scim) => {
		const { error } = await scim(
			'access',
			'revoke',
			{ people: 'user-1', organization: byId('org-1') },
			{ credential: ORGANIZATIONS },
		);
		expect(error.message).toContain('Group org-1:member lost 2 more');
	});
});
