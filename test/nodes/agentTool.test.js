'use strict';

const { runTool } = require('../harness');
const {
	NotificationActions,
	NotificationActionsApi,
	ScimProvisioning,
	ScimProvisioningApi,
} = require('../support/built');
const { TOKEN, byId, mapped } = require('../support/node');
const { withServer } = require('../support/serverPlay');
const { ENTERPRISE } = require('../support/schemas');
const { rolesOf, withService } = require('../support/service');
const { oneRole } = require('../support/accessRows');

/** What the editor saves for a field that the model fills in. */
const fromModel = (name, description, type = 'string') =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`${description}\`, '${type}') }}`;

const PERSON = 'ahmed.el-sayed@example.com';

const toolOf = (node, type, credential, parameters, more = {}) =>
	runTool(node, {
		...{ parameters, credentials: { [type.name]: credential }, credentialTypes: [type], ...more },
	});
const scimTool = (credential, ...given) =>
	toolOf(new ScimProvisioning(), new ScimProvisioningApi(), credential, ...given);
const onAccount = ({ url, accountToken }) => ({
	...{ baseUrl: url, accountApiToken: accountToken, serviceProfile: 'accountOrganizations' },
});

const ASSIGN = {
	resource: 'access',
	operation: 'assign',
	people: fromModel('People', 'Emails of the people'),
	...oneRole(
		byId(fromModel('Organization', 'ID of the organization')),
		fromModel('Role', 'admin, member or viewer'),
	),
};

describe('SCIM Provisioning as a tool', () => {
	test('the model is told the operation, and has the arguments that were left to it', async () => {
		await withService({}, async (service) => {
			const tool = await scimTool(onAccount(service), ASSIGN, { name: 'Give a Role' });
			expect(tool.name).toBe('Give_a_Role');
			expect(tool.description).toBe('Assign access to users in SCIM Provisioning');
			expect(tool.arguments).toEqual({
				People: { description: 'Emails of the people', type: 'ZodString' },
				Organization: { description: 'ID of the organization', type: 'ZodString' },
				Role: { description: 'admin, member or viewer', type: 'ZodString' },
			});
		});
	});

	test('calls in a row each have their own arguments', async () => {
		await withService({}, async (service) => {
			const call = { People: PERSON, Organization: 'org-7788', Role: 'member' };
			const { answers } = await scimTool(onAccount(service), ASSIGN, {
				calls: [call, call, { ...call, Role: 'viewer' }],
			});
			const statuses = answers.map(([item]) => item.status);
			expect(statuses).toEqual(['done', 'unchanged', 'done']);
			expect(rolesOf(service, PERSON)).toMatchObject({ 'org-7788': 'viewer' });
		});
	});

	test('the model fills in attributes of the mapper, whose ids have dots and colons', async () => {
		await withService({}, async (service) => {
			const parameters = {
				...{ resource: 'user', operation: 'create', preview: true },
				userName: fromModel('User_Name', ''),
				...mapped({
					'name.givenName': fromModel('Name__Given_Name', ''),
					[`${ENTERPRISE}:manager.value`]: fromModel('Manager', ''),
					emails: fromModel('Emails', '', 'json'),
				}),
			};
			const call = {
				User_Name: 'new@example.com',
				Name__Given_Name: 'Ana',
				Manager: PERSON,
				Emails: [{ value: 'ana@example.com' }],
			};
			const tool = await scimTool(onAccount(service), parameters, { calls: [call] });
			expect(Object.keys(tool.arguments)).toEqual(Object.keys(call));
			expect(tool.answers[0][0].requests[0].body).toMatchObject({
				name: { givenName: 'Ana' },
				[ENTERPRISE]: { manager: { value: expect.stringMatching(/^(?!.*@)/) } },
				emails: [{ value: 'ana@example.com', primary: true }],
			});
		});
	});

	test('what a model makes up is refused in words it can use, before anything is sent', async () => {
		await withService({}, async (service) => {
			const call = { People: PERSON, Organization: 'org-7788', Role: 'member' };
			const { answers } = await scimTool(onAccount(service), ASSIGN, {
				calls: [
					{ ...call, Role: 'superuser' },
					{ ...call, People: 'nobody' },
					{ ...call, Organization: '../Users' },
				],
			});
			expect(answers.map(({ failed }) => failed?.message)).toEqual([
				expect.stringContaining('superuser'),
				expect.stringContaining('nobody'),
				expect.stringContaining('../Users'),
			]);
			expect(service.log.requests.filter(({ method }) => method !== 'GET')).toStrictEqual([]);
		});
	});
});

describe('limits hold for all calls of an execution together', () => {
	const PEOPLE = Array.from({ length: 12 }, (_, n) => ({
		id: `${n}`,
		userName: `u${n}@example.com`,
	}));
	const call = (...numbers) => ({ People: numbers.map((n) => PEOPLE[n].userName).join(', ') });
	const refused = (people, before) =>
		expect.objectContaining({
			message: expect.stringContaining(
				`${people} people would be deactivated (${before} of them by earlier tool calls in this execution), more than the limit of 5`,
			),
		});

	/** @returns for each call the error or the statuses, and who is inactive in the end */
	async function offboard(calls, parameters = {}) {
		const groups = [{ id: 'g', displayName: 'VPN', members: PEOPLE.map(({ id }) => id) }];
		let seen;
		await withServer({ token: undefined, users: PEOPLE, groups }, async (server) => {
			const credential = {
				...{ baseUrl: server.url, accountApiToken: TOKEN, serviceProfile: 'generic' },
				...{ overrideProfile: true, deletionIsFinal: 'no' },
			};
			const { answers } = await scimTool(
				credential,
				{
					...{ resource: 'access', operation: 'offboard', method: 'deactivate' },
					...{ people: fromModel('People', 'Emails'), requests: { maxWait: 0, verifyTime: 0 } },
					...parameters,
				},
				{ calls },
			);
			const inactive = [...server.users.values()].filter(({ active }) => active === false);
			seen = {
				answers: answers.map(({ failed, ...one }) => failed ?? one),
				count: inactive.length,
			};
		});
		return seen;
	}

	test('a call that exceeds them is refused, and does not count itself', async () => {
		const { answers, count } = await offboard([call(0, 1, 2), call(3, 4, 5), call(6, 7), call(8)]);
		expect(answers[1]).toEqual(refused(6, 3));
		expect(answers[3]).toEqual(refused(6, 5));
		expect(count).toBe(5);
	});

	test('who was counted is not counted again', async () => {
		const { count } = await offboard([call(0, 1, 2, 3), call(0, 1, 2, 3), call(3, 4)]);
		expect(count).toBe(5);
	});

	test('calls that are made at once count each other', async () => {
		const { count } = await offboard([[call(0, 1, 2), call(3, 4, 5)]]);
		expect(count).toBe(3);
	});

	test('a preview changes nothing, and does not count', async () => {
		const calls = [call(0, 1, 2), call(3, 4, 5)];
		const { answers, count } = await offboard(calls, { preview: true });
		expect(answers.map((one) => one[0].blockedBy)).toStrictEqual([[], []]);
		expect(count).toBe(0);
	});

	describe('also where each adds one person to a group', () => {
		/** @returns how many are in the group in the end, and the errors */
		async function join(calls, { members = ['0'], safetyLimits = {}, groupId = 'g' } = {}) {
			const groups = [{ id: groupId, displayName: 'VPN', members }];
			let seen;
			await withServer({ token: undefined, users: PEOPLE, groups }, async (server) => {
				const credential = {
					...{ baseUrl: server.url, accountApiToken: TOKEN, serviceProfile: 'generic' },
				};
				const { answers } = await scimTool(
					credential,
					{
						...{ resource: 'group', operation: 'addMembers', chooseGroupBy: 'group', safetyLimits },
						...{ group: byId(groupId), people: fromModel('People', 'Emails') },
						requests: { maxWait: 0, verifyTime: 0 },
					},
					{ calls },
				);
				const errors = answers.flatMap(({ failed }) => failed?.message ?? []);
				seen = { count: server.membersOf(groupId).length, errors };
			});
			return seen;
		}
		const each = (from, to) =>
			Array.from({ length: to - from + 1 }, (_, n) => ({ People: `${from + n}` }));
		const REFUSED =
			/11 people would be added to groups that more than double \(10 of them by earlier tool calls in this execution\), more than the limit of 5/;

		test.each([
			['one by one', each(1, 11)],
			['at once', [each(1, 11)]],
			['by a call that adds some again', [...each(1, 10), { People: '9, 10, 11' }]],
		])('%s', async (_, calls) => {
			const { count, errors } = await join(calls);
			expect(count).toBe(11);
			expect(errors).toEqual([expect.stringMatching(/add/)]);
			expect(errors[0]).toMatch(REFUSED);
		});

		test('a group that has the name of what every object has', async () => {
			const { count, errors } = await join(each(1, 11), { groupId: 'constructor' });
			expect({ count, errors }).toEqual({ count: 11, errors: [expect.stringMatching(REFUSED)] });
		});

		test('a group that was empty before the first call is new', async () => {
			const { count, errors } = await join(each(0, 11), { members: [] });
			expect({ count, errors }).toEqual({ count: 12, errors: [] });
		});

		test('a larger limit holds', async () => {
			const { count, errors } = await join(each(1, 11), {
				safetyLimits: { maxPeopleAffected: 11 },
			});
			expect({ count, errors }).toEqual({ count: 12, errors: [] });
		});
	});
});

test('a group that the model calls by its name is found, and the item says how', async () => {
	const groups = [{ id: 'g-1', displayName: 'Engineering', members: [] }];
	await withServer({ users: [{ id: 'u-1', userName: 'ana' }], groups }, async (server) => {
		const parameters = {
			...{ resource: 'group', operation: 'addMembers', chooseGroupBy: 'group' },
			...{ group: byId(fromModel('Group', 'ID of the group')), people: 'u-1' },
		};
		const credential = { baseUrl: server.url, accountApiToken: TOKEN, serviceProfile: 'generic' };
		const { answers } = await scimTool(credential, parameters, {
			calls: [{ Group: 'Engineering' }],
		});
		expect(answers[0]).toMatchObject([{ status: 'done', groupId: 'g-1', matchedBy: 'name' }]);
		expect(server.membersOf('g-1')).toEqual(['u-1']);
	});
});

test('Notification Actions as a tool: the model is told the operation, and its call is carried out', async () => {
	await withService({}, async ({ url, apiKeys, state }) => {
		const organizationId = 'org-3454';
		const credential = { baseUrl: url, apiKey: apiKeys[organizationId], organizationId };
		const parameters = {
			...{ resource: 'monitor', operation: 'attach', model: byId('model-2'), monitors: 'all' },
			action: byId(fromModel('Action', 'ID of the action')),
		};
		const given = [credential, parameters, { calls: [{ Action: 'marketing-mail' }] }];
		const tool = await toolOf(new NotificationActions(), new NotificationActionsApi(), ...given);
		expect(tool.description).toBe('Attach action to monitors in Notification Actions');
		expect(Object.keys(tool.arguments)).toEqual(['Action']);
		expect(tool.answers[0].failed).toBeUndefined();
		const text = state.configurationText(organizationId, 'model-2');
		expect(text.match(/marketing-mail/g)).toHaveLength(3);
	});
});

describe('Whoever chooses operations for an agent reads what each takes away', () => {
	const DESTRUCTIVE = {
		'user delete': /delete .*permanently.*all access/i,
		'user reconcile': /deactivate the others/i,
		'user deactivate': /lock.*out.*removes all memberships/i,
		'group delete': /delete .*permanently.*lose/i,
		'group removeMembers': /remove people/i,
		'group setMembers': /everybody else is removed/i,
		'group addMembers': /replaces their other role/i,
		'access applyPlan': /removals/i,
		'access changeEmail': /old account is deactivated/i,
		'access offboard': /deactivate or delete.*remove all their access/i,
		'access reconcile': /not listed is removed/i,
		'access revoke': /remove groups or roles/i,
		'access set': /others are removed/i,
		'action delete': /delete .*permanently.*never/i,
		'action disable': /stop the deliveries/i,
		'monitor detach': /no longer deliver/i,
		'monitor replaceAction': /detach/i,
		'monitor setActions': /every other action is detached/i,
		'monitorConfiguration update': /replace the whole.*removed/i,
	};
	const operations = [new ScimProvisioning(), new NotificationActions()].flatMap(
		({ description }) =>
			description.properties
				.filter(({ name }) => name === 'operation')
				.flatMap(({ displayOptions, options }) =>
					options.map((option) => [`${displayOptions.show.resource[0]} ${option.value}`, option]),
				),
	);

	test.each(Object.entries(DESTRUCTIVE))('%s', (name, says) => {
		expect(new Map(operations).get(name)?.description).toMatch(says);
	});

	test('every other operation gives, reads, or changes nothing but what it is given', () => {
		const others = operations.map(([name]) => name).filter((name) => !(name in DESTRUCTIVE));
		expect(others.sort()).toEqual([
			'access assign',
			'access get',
			'access getMatrix',
			'access planReview',
			'action enable',
			'action get',
			'action getAll',
			'action sendTest',
			'action upsert',
			'group create',
			'group get',
			'group getAll',
			'group update',
			'monitor attach',
			'monitor getAll',
			'monitorConfiguration get',
			'service getCapabilities',
			'user activate',
			'user create',
			'user get',
			'user getAll',
			'user update',
			'user upsert',
		]);
	});
});
