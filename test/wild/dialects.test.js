'use strict';

require('../support/noWaiting');
const { startService } = require('../../demo/service');
const { byEmail, byId, run } = require('../support/node');
const { inGroup, people } = require('./play');

// What services do to a client as they are documented (demo/service/scim/dialects.js), beyond test/servers/results.md: each of
// these looks like a success, or is one that has to be asked for again.

/** Runs the node against a dialect of the local service. */
async function against(dialect, { users = people(3), groups = [], credential, ...options }, work) {
	const service = await startService({
		dialect,
		seed: { organizations: [], users, groups },
		...options,
	});
	const scim = async (resource, operation, parameters = {}, more = {}) =>
		await run(
			resource,
			operation,
			{ options: { verifyTime: 1 }, ...parameters },
			{
				credential: {
					baseUrl: service.url,
					accountApiToken: service.accountToken,
					serviceProfile: 'generic',
					...credential,
				},
				onError: 'continueErrorOutput',
				...more,
			},
		);
	try {
		await work(scim, service);
	} finally {
		await service.close();
	}
}

const membersOf = (service) => service.state.directory.membersOf('g');
const messagesOf = ({ errorJson }) => errorJson.map(({ error }) => error.message ?? error);

describe('aws: Set Members of a group that shows nobody', () => {
	const users = people(3);
	const groups = [{ id: 'g', members: ['user-1', 'user-2', 'user-3'] }];
	const credential = { serviceProfile: 'awsIdentityCenter' };
	const play = async (scim) =>
		await scim('group', 'setMembers', {
			...inGroup('g'),
			people: 'person2@example.com, person3@example.com',
		});

	test('spares who stays', async () => {
		await against('aws', { users, groups, credential }, async (scim, service) => {
			const { json, errorJson } = await play(scim);
			expect([errorJson, json.every(({ status }) => /done|unchanged/.test(status))]).toEqual([
				[],
				true,
			]);
			expect(membersOf(service)).toEqual(['user-2', 'user-3']);
		});
	});

	test('takes somebody along, who is named', async () => {
		const alsoRemoves = ['user-3'];
		await against('aws', { users, groups, credential, alsoRemoves }, async (scim, service) => {
			const { json } = await play(scim);
			expect(json.flatMap(({ warnings }) => warnings ?? []).join()).toContain('lost 1 more');
			expect(membersOf(service)).toEqual(['user-2']);
		});
	});
});

describe('activepieces', () => {
	test('250 users that look like a whole list of 100 are an incomplete list', async () => {
		await against('activepieces', { users: people(250) }, async (scim) => {
			const result = await scim('user', 'getAll', { returnAll: true });
			expect(result.json).toStrictEqual([]);
			expect(messagesOf(result)).toEqual([
				'The list of users is incomplete: the service repeats its first 100 entries',
			]);
			const { json } = await scim('service', 'getCapabilities');
			expect(json[0].seen).toMatchObject({ paging: 'startIndexIgnored' });
			expect(json[0].seen).not.toHaveProperty('users');
		});
	});

	const groups = [{ id: 'g', members: ['user-2'] }];

	test('an inactive user, who would silently not be added, is refused', async () => {
		const users = people(3).map((one, at) => ({ ...one, active: at > 0 }));
		await against('activepieces', { users, groups }, async (scim, service) => {
			const given = { ...inGroup('g'), people: 'person1@example.com' };
			const result = await scim('group', 'addMembers', given);
			expect(messagesOf(result)).toEqual([expect.stringContaining('is inactive')]);
			expect(membersOf(service)).toEqual(['user-2']);
		});
	});

	test.each([
		['filterPath', [], []],
		['valueList', ['user-2'], [expect.stringMatching(/^Could not confirm/)]],
	])('a removal by %s', async (memberRemoval, left, messages) => {
		const credential = { overrideProfile: true, memberRemoval };
		await against('activepieces', { groups, credential }, async (scim, service) => {
			const given = { ...inGroup('g'), people: 'person2@example.com' };
			const result = await scim('group', 'removeMembers', given);
			expect([membersOf(service), messagesOf(result)]).toEqual([left, messages]);
		});
	});
});

// Keycloak shows memberships on request alone, and a subgroup by its ID or as `GET /Users/ID?attributes=groups`.
describe.each(['generic', 'keycloak'])(
	'keycloak as %s: person2 is in a subgroup',
	(serviceProfile) => {
		const groups = [
			{ id: 'g', displayName: 'Top', members: ['user-1'] },
			{ id: 's', displayName: 'Sub', parent: 'g', members: ['user-2'] },
		];
		const ask = async (work, more = {}) =>
			await against('keycloak', { groups, credential: { serviceProfile }, ...more }, work);
		const [first, second] = ['person1@example.com', 'person2@example.com'];
		const writesOf = (service) => service.log.requests.filter(({ method }) => method !== 'GET');

		test('Offboard removes the person from it, and proves it', async () => {
			await ask(async (scim, service) => {
				const { json } = await scim('access', 'offboard', { people: second });
				expect(json).toMatchObject([
					{ status: 'done', accessRemoved: [{ groupId: 's' }], accessRemaining: [] },
				]);
				expect(service.state.directory.heldBy('user-2')).toStrictEqual([]);
				const least = serviceProfile === 'keycloak' ? 12 : 18;
				expect(service.log.requests.length).toBeLessThanOrEqual(least);
			});
		});

		test('Offboard that keeps it says what is left by way of it', async () => {
			await ask(async (scim, service) => {
				const options = { keepMembershipsIn: { group: [{ group: 's' }] }, verifyTime: 1 };
				const { json, errorJson } = await scim('access', 'offboard', { people: second, options });
				expect(service.state.directory.heldBy('user-2')).toEqual(['s']);
				const [{ accessRemaining }] = [...json, ...errorJson];
				expect(Object.fromEntries(accessRemaining.map((one) => [one.groupId, one.via]))).toEqual({
					s: null,
					g: 'Sub',
				});
			});
		});

		test('User: Get Many shows groups, or null with the reason', async () => {
			await ask(async (scim) => {
				const { json } = await scim('user', 'getAll', { returnAll: true });
				const isKnown = serviceProfile === 'keycloak';
				expect(json.map(({ groups: own }) => own)).toEqual(
					isKnown ? [['g'], ['s'], []] : [null, null, null],
				);
				expect(json[0].warnings ?? []).toHaveLength(isKnown ? 0 : 1);
			});
		});

		test('Access: Get names it, and the group above by way of it', async () => {
			await ask(async (scim) => {
				const { json } = await scim('access', 'get', { user: byEmail(second) });
				expect(json[0].assignments).toMatchObject([
					{ group: 'Sub', via: null },
					{ group: 'Top', via: 'Sub' },
				]);
			});
		});

		test('Get Matrix has a column for it', async () => {
			await ask(async (scim) => {
				const { json } = await scim('access', 'getMatrix');
				const { access } = json.find(({ userId }) => userId === 'user-2');
				expect(access).toEqual({ Sub: 'member', Top: 'member (via Sub)' });
			});
		});

		test('Assign of who is in the group sends nothing, and of who is not is done', async () => {
			await ask(async (scim, service) => {
				const given = { ...inGroup('g'), people: first };
				expect(messagesOf(await scim('group', 'addMembers', given))).toStrictEqual([]);
				expect(writesOf(service)).toStrictEqual([]);
				const { json } = await scim('group', 'addMembers', { ...given, people: second });
				expect(json).toMatchObject([{ status: 'done' }]);
			});
		});

		test.each([
			['group', 'get', inGroup('g'), 'members', [{ userId: 'user-1' }]],
			['group', 'getAll', { returnAll: true }, 'members', [{ userId: 'user-1' }]],
			['user', 'get', { user: byEmail(first) }, 'groups', ['g']],
		])('%s, %s shows memberships', async (resource, operation, given, name, shown) => {
			await ask(async (scim) => {
				const { json } = await scim(resource, operation, given);
				expect(json[0][name]).toMatchObject(shown);
				expect(json[0]).not.toHaveProperty('warnings');
				const { json: raw } = await scim(resource, operation, { ...given, simplify: false });
				expect(raw[0][name]).toHaveLength(1);
				expect(raw[0]).toHaveProperty('meta');
			});
		});
	},
);

describe('keycloak: an answer by name that cannot be used ends the asking', () => {
	const groups = [
		{ id: 'g', displayName: 'Top', members: ['user-1'] },
		{ id: 'h', displayName: 'H' },
	];
	const matrix = async (more) => {
		let seen;
		await against('keycloak', { groups, ...more }, async (scim, service) => {
			const { json } = await scim('access', 'getMatrix');
			seen = { json, asked: service.log.requests.filter(({ query }) => query?.attributes) };
		});
		return seen;
	};

	test('where it is refused', async () => {
		const { json, asked } = await matrix({
			refusesQuery: ['attributes'],
			membershipFilter: 'off',
		});
		expect(json.map(({ access }) => access)).toEqual([null, null, null]);
		expect(asked).toHaveLength(1);
	});

	test('and an answer without an email, which was not asked for, changes none', async () => {
		const users = people(3).map((one) => ({ ...one, emails: [{ value: one.userName }] }));
		await against('keycloak', { users, groups }, async (scim) => {
			const options = { matchUsersBy: 'email', verifyTime: 1 };
			const given = { people: 'person1@example.com', options };
			const { json } = await scim('access', 'offboard', given);
			expect(json).toMatchObject([{ status: 'done', accessRemaining: [] }]);
		});
	});
});

const FIRST = { user: byEmail('person1@example.com') };

test.each([
	['zitadel', 'group', 'getAll', { returnAll: true }, 'members', 'Groups Show Members'],
	['authentik', 'user', 'get', FIRST, 'groups', 'Users Show Groups'],
])(
	'%s, %s, %s: what is not shown is null',
	async (dialect, resource, operation, given, name, setting) => {
		await against(dialect, { groups: [{ id: 'g', members: ['user-1'] }] }, async (scim) => {
			const { json } = await scim(resource, operation, given);
			expect(json[0][name]).toBeNull();
			expect(json[0].warnings).toEqual([expect.stringContaining(setting)]);
		});
	},
);

describe('wso2', () => {
	const groups = [{ id: 'g', members: ['user-1', 'user-2', 'user-3'] }];

	test('a removal by a list of values is one of everybody: told, and no further one is sent', async () => {
		const credential = { overrideProfile: true, memberRemoval: 'valueList' };
		await against('wso2', { groups, credential }, async (scim, service) => {
			const given = { ...inGroup('g'), people: 'person1@example.com' };
			const result = await scim('group', 'removeMembers', given);
			expect(membersOf(service)).toStrictEqual([]);
			expect(messagesOf(result)).toEqual([
				expect.stringContaining('Group g lost 2 more than this run removed'),
			]);
		});
	});
});

describe('authentik', () => {
	test('of 45 users and 25 groups the lists are incomplete, and nothing is sent', async () => {
		const users = people(45);
		const groups = Array.from({ length: 25 }, (_, at) => ({ id: `g${at}`, members: ['user-45'] }));
		await against('authentik', { users, groups }, async (scim, service) => {
			for (const [resource, operation, parameters] of [
				['user', 'getAll', { returnAll: true }],
				['group', 'getAll', { returnAll: true }],
				['access', 'get', { user: byEmail('person45@example.com') }],
				['access', 'offboard', { people: 'person45@example.com' }],
			]) {
				const { json, errorJson } = await scim(resource, operation, parameters);
				expect(json).toStrictEqual([]);
				expect(messagesOf({ errorJson })).toEqual([
					expect.stringMatching(/list of (users|groups) is incomplete: the service showed 20 of/),
				]);
			}
			expect(service.log.requests.every(({ method }) => method === 'GET')).toBe(true);
		});
	});

	test.each([
		['filterPath', ['user-2'], 'person2@example.com'],
		['valueList', [], undefined],
	])('a removal by %s', async (memberRemoval, left, unconfirmed) => {
		const credential = { overrideProfile: true, memberRemoval };
		const groups = [{ id: 'g', members: ['user-2'] }];
		await against('authentik', { groups, credential }, async (scim, service) => {
			const given = { ...inGroup('g'), people: 'person2@example.com' };
			const messages = messagesOf(await scim('group', 'removeMembers', given));
			expect(membersOf(service)).toEqual(left);
			expect(messages).toEqual(
				unconfirmed ? [expect.stringMatching(`^Could not confirm: remove ${unconfirmed}`)] : [],
			);
		});
	});

	test('a PUT without anybody empties no group, and is no success', async () => {
		await against(
			'authentik',
			{ groups: [{ id: 'g', members: ['user-2'] }] },
			async (scim, service) => {
				const options = { replaceWith: 'wholeList', allowEmptying: true, verifyTime: 1 };
				const result = await scim('group', 'setMembers', { ...inGroup('g'), people: '', options });
				expect(membersOf(service)).toEqual(['user-2']);
				expect(messagesOf(result)).toEqual([expect.stringMatching(/^Could not confirm: remove/)]);
			},
		);
	});
});

test('django-scim2: a PUT takes nobody out, and is no success', async () => {
	await against(
		'djangoScim2',
		{ groups: [{ id: 'g', members: ['user-1', 'user-2'] }] },
		async (scim, service) => {
			const options = { replaceWith: 'wholeList', verifyTime: 1 };
			const given = { ...inGroup('g'), people: 'person1@example.com', options };
			const result = await scim('group', 'setMembers', given);
			expect(membersOf(service)).toEqual(['user-1', 'user-2']);
			expect(messagesOf(result)).toEqual([expect.stringMatching(/^Could not confirm: remove/)]);
		},
	);
});

test('sentry: the last owner cannot be deactivated, and the service says so', async () => {
	const users = [{ ...people(1)[0], sentryOrgRole: 'owner' }, people(2)[1]];
	await against('sentry', { users }, async (scim, service) => {
		const result = await scim('access', 'offboard', { people: 'person1@example.com' });
		expect(messagesOf(result)).toEqual([expect.stringContaining('403, The last owner')]);
		expect(service.state.directory.users.get('user-1').active).toBe(true);
	});
});

/** A user who holds access by these attributes, the rows that change it, and what is there then. */
const HOLDERS = [
	[
		'wandb: one role in place of another',
		'weightsAndBiases',
		{ organizationRole: 'member' },
		[
			['remove', 'organizationRole', 'member'],
			['add', 'organizationRole', 'admin'],
		],
		{ organizationRole: 'admin' },
		{ op: 'replace', path: 'organizationRole', value: 'admin' },
	],
	[
		'wandb: a role in a team',
		'weightsAndBiases',
		{
			teamRoles: [
				{ teamName: 't1', roleName: 'admin' },
				{ teamName: 't2', roleName: 'viewer' },
			],
		},
		[['remove', 'teamRoles', 't1: admin']],
		{ teamRoles: [{ teamName: 't2', roleName: 'viewer' }] },
		{ op: 'replace', path: 'teamRoles', value: [{ teamName: 't2', roleName: 'viewer' }] },
	],
	[
		'databricks: an entitlement',
		'databricks',
		{ entitlements: [{ value: 'allow-cluster-create' }, { value: 'workspace-access' }] },
		[['remove', 'entitlements', 'allow-cluster-create']],
		{ entitlements: [{ value: 'workspace-access' }] },
		{ op: 'remove', path: 'entitlements[value eq "allow-cluster-create"]' },
	],
	[
		'langfuse: one plain text in place of another',
		'generic',
		{ roles: ['VIEWER'] },
		[
			['remove', 'roles', 'VIEWER'],
			['add', 'roles', 'ADMIN'],
		],
		{ roles: ['ADMIN'] },
		{ op: 'replace', path: 'roles', value: ['ADMIN'] },
	],
];

test.each(HOLDERS)('%s', async (name, serviceProfile, held, rows, after, operation) => {
	const [dialect] = name.split(':');
	const users = people(2).map((one) => ({ ...one, ...held }));
	const credential = { serviceProfile };
	await against(dialect, { users, credential, scheme: 'Bearer' }, async (scim, service) => {
		const value = rows.map(([action, attribute, text]) => ({ action, attribute, value: text }));
		const { json } = await scim('user', 'update', {
			user: byId('user-1'),
			accessValues: { value },
		});
		expect(json).toMatchObject([{ userId: 'user-1', status: 'done' }]);
		const { attributes } = service.state.directory.users.get('user-1');
		expect(attributes).toMatchObject(after);
		const patch = service.log.requests.find(({ method }) => method === 'PATCH');
		expect(patch.body.Operations).toEqual([operation]);
	});
});

test('gitlab: by ID, everything but a search works', async () => {
	await against('gitlab', {}, async (scim, service) => {
		const user = byId('user-1');
		expect((await scim('user', 'get', { user })).json).toMatchObject([{ userId: 'user-1' }]);
		const { json } = await scim('user', 'deactivate', { user });
		expect(json).toMatchObject([{ status: 'done' }]);
		expect(service.state.directory.users.get('user-1').active).toBe(false);
		const found = await scim('user', 'get', { user: byEmail('person2@example.com') });
		expect(found.json).toStrictEqual([]);
		expect(messagesOf(found)).toEqual([expect.stringContaining('Could not find out who has')]);
	});
});

test('gitlabInstance: by ID members are added, seen, and offboarded with proof', async () => {
	const groups = [{ id: 'g', displayName: 'Top' }];
	await against('gitlabInstance', { groups }, async (scim, service) => {
		const given = { ...inGroup('g'), people: 'user-1' };
		const statuses = async (...call) => (await scim(...call)).json.map(({ status }) => status);
		expect(await statuses('group', 'addMembers', given)).toEqual(['done']);
		expect(await statuses('group', 'addMembers', given)).toEqual(['unchanged']);
		const [row] = (await scim('access', 'getMatrix')).json;
		expect(row).toMatchObject({ userId: 'user-1', access: { Top: 'member' } });
		expect(row.warnings).toEqual(['The service lists no users: only members of groups are here']);
		const { json } = await scim('access', 'offboard', { people: 'user-1' });
		expect(json).toMatchObject([{ status: 'done', active: false, accessRemaining: [] }]);
		expect(membersOf(service)).toStrictEqual([]);
	});
});

describe('gitlab: a list without anybody is no proof that nobody is there', () => {
	const rows = (...users) =>
		JSON.stringify(users.map((userName) => ({ userName, externalId: `e-${userName}` })));
	const wanted = [1, 2, 3].map((nth) => `person${nth}@example.com`);
	const reconcile = async (scim, users, more = {}) =>
		await scim('user', 'reconcile', {
			...{ preview: true, usersFrom: 'json', usersJson: rows(...users), ...more },
		});
	/** Without what keeps a summary from becoming links. */
	const withoutMarks = (text) => text.replaceAll('\u200b', '');
	const writesOf = (service) => service.log.requests.filter(({ method }) => method !== 'GET');

	test('where it has no filter, User: Reconcile plans nobody as new', async () => {
		await against('gitlab', {}, async (scim, service) => {
			const [plan] = (await reconcile(scim, wanted)).json;
			expect(plan.plan.changes).toStrictEqual([]);
			expect(withoutMarks(plan.summary)).toContain(
				'incomplete: the service lists nobody, and has no filter',
			);
			const { json, errorJson } = await reconcile(scim, wanted, { preview: false });
			expect([json, errorJson.length > 0]).toEqual([[], true]);
			expect(writesOf(service)).toStrictEqual([]);
		});
	});

	test('where a filter finds one of them, neither', async () => {
		await against('gitlab', { filterBy: {} }, async (scim, service) => {
			const [plan] = (await reconcile(scim, ['new@example.com', ...wanted])).json;
			expect(plan.plan.changes).toStrictEqual([]);
			expect(withoutMarks(plan.summary)).toContain(
				`lists nobody, but finds ${wanted[0]} by filter`,
			);
			expect(writesOf(service)).toStrictEqual([]);
		});
	});

	test('where filters find none of them, the service is empty, and they are created', async () => {
		await against('gitlab', { users: [], filterBy: {} }, async (scim, service) => {
			const { json } = await reconcile(scim, wanted, { preview: false });
			expect(json.map(({ change }) => change)).toEqual(['created', 'created', 'created']);
			expect(service.state.directory.users.size).toBe(3);
		});
	});

	test('three people are found by filter, as one is', async () => {
		await against('gitlab', { filterBy: {} }, async (scim, service) => {
			const { json, errorJson } = await scim(
				'user',
				'deactivate',
				{ user: byEmail('={{ $json.email }}') },
				{ items: wanted.map((email) => ({ email })) },
			);
			expect(errorJson).toStrictEqual([]);
			expect(json.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
			expect([...service.state.directory.users.values()].map(({ active }) => active)).toEqual([
				...[false, false, false],
			]);
		});
	});

	test('nobody is gone already', async () => {
		const credential = { overrideProfile: true, deletionIsFinal: 'no' };
		await against('gitlab', { credential }, async (scim, service) => {
			const { json, errorJson } = await scim('user', 'delete', {
				user: byEmail(wanted[0]),
				options: { ifNotFound: 'alreadyGone', verifyTime: 1 },
			});
			expect(json).toStrictEqual([]);
			expect(messagesOf({ errorJson })).toEqual([
				expect.stringContaining('Could not find out who has'),
			]);
			expect(service.state.directory.users.size).toBe(3);
		});
	});
});

test('langfuse: a 409 for a concurrent update is no success', async () => {
	const faults = [{ kind: 'status', status: 409, method: 'PATCH', nth: 1, body: 'Conflict' }];
	await against('langfuse', { faults, scheme: 'Bearer' }, async (scim, service) => {
		const deactivate = async () =>
			await scim('user', 'deactivate', { user: byEmail('person1@example.com') });
		expect(messagesOf(await deactivate())).toEqual([expect.stringContaining('409, Conflict')]);
		expect(service.state.directory.users.has('user-1')).toBe(true);
		expect(messagesOf(await deactivate())).toStrictEqual([]);
		expect(service.state.directory.users.has('user-1')).toBe(false);
	});
});

test('miro: five lists of groups in 30 seconds, and the sixth is asked for again', async () => {
	let now = 0;
	await against(
		'miro',
		{ now: () => (now += 1000), groups: [{ id: 'g' }] },
		async (scim, service) => {
			for (let nth = 1; nth <= 12; nth++) {
				const { json } = await scim('group', 'getAll', { returnAll: true });
				expect(json.map(({ id }) => id)).toEqual(['g']);
			}
			expect(service.log.requests.map(({ status }) => status)).toContain(429);
		},
	);
});
