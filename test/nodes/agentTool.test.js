'use strict';

const { runTool } = require('../harness');
const { ScimProvisioning } = require('../../dist/nodes/ScimProvisioning/ScimProvisioning.node.js');
const {
	NotificationActions,
} = require('../../dist/nodes/NotificationActions/NotificationActions.node.js');
const {
	ScimProvisioningApi,
} = require('../../dist/credentials/ScimProvisioningApi.credentials.js');
const {
	NotificationActionsApi,
} = require('../../dist/credentials/NotificationActionsApi.credentials.js');
const { TOKEN, byId, mapped } = require('../support/node');
const { withServer } = require('../support/serverPlay');
const { ENTERPRISE } = require('../support/schemas');
const { rolesOf, withService } = require('../support/service');
const { oneRole } = require('../support/accessRows');

/** What the editor saves for a field that the model fills in. */
const fromModel = (name, description, type = 'string') =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`${description}\`, '${type}') }}`;

const PERSON = 'ahmed.el-sayed@example.com';

const scimTool = async ({ url, accountToken }, parameters, more = {}) =>
	await runTool(new ScimProvisioning(), {
		parameters,
		credentials: {
			scimProvisioningApi: {
				...{ baseUrl: url, accountApiToken: accountToken },
				serviceProfile: 'accountOrganizations',
			},
		},
		credentialTypes: [new ScimProvisioningApi()],
		...more,
	});

const alertTool = async ({ url, apiKeys }, parameters, more = {}) =>
	await runTool(new NotificationActions(), {
		parameters,
		credentials: {
			notificationActionsApi: {
				baseUrl: url,
				apiKey: apiKeys['org-3454'],
				organizationId: 'org-3454',
			},
		},
		credentialTypes: [new NotificationActionsApi()],
		...more,
	});

const assign = (more = {}) => ({
	resource: 'access',
	operation: 'assign',
	people: fromModel('People', 'Emails of the people'),
	...oneRole(
		byId(fromModel('Organization', 'ID of the organization')),
		fromModel('Role', 'admin, member or viewer'),
	),
	...more,
});

describe('SCIM Provisioning as a tool', () => {
	test('the model is told the operation, and has the arguments that were left to it', async () => {
		await withService({}, async (service) => {
			const tool = await scimTool(service, assign(), { name: 'Give a Role' });
			expect(tool.name).toBe('Give_a_Role');
			expect(tool.description).toBe('Assign access to users in SCIM Provisioning');
			expect(tool.arguments).toEqual({
				People: { description: 'Emails of the people', type: 'ZodString' },
				Organization: { description: 'ID of the organization', type: 'ZodString' },
				Role: { description: 'admin, member or viewer', type: 'ZodString' },
			});
		});
	});

	test('a call does what its arguments say, and the answer says what was done', async () => {
		await withService({}, async (service) => {
			const { answers } = await scimTool(service, assign(), {
				calls: [{ People: PERSON, Organization: 'org-7788', Role: 'member' }],
			});
			expect(answers[0][0].status).toBe('done');
			expect(rolesOf(service, PERSON)).toMatchObject({ 'org-7788': 'member' });
		});
	});

	test('calls in a row each have their own arguments', async () => {
		await withService({}, async (service) => {
			const call = { People: PERSON, Organization: 'org-7788', Role: 'member' };
			const { answers } = await scimTool(service, assign(), {
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
					[`${ENTERPRISE}:manager.value`]: fromModel('Manager__Value__Enterprise_', ''),
					emails: fromModel('Emails', '', 'json'),
				}),
			};
			const call = {
				User_Name: 'new@example.com',
				Name__Given_Name: 'Ana',
				Manager__Value__Enterprise_: 'user-9',
				Emails: [{ value: 'ana@example.com' }],
			};
			const tool = await scimTool(service, parameters, { calls: [call] });
			expect(Object.keys(tool.arguments)).toEqual(Object.keys(call));
			expect(tool.answers[0][0].requests[0].body).toMatchObject({
				name: { givenName: 'Ana' },
				[ENTERPRISE]: { manager: { value: 'user-9' } },
				emails: [{ value: 'ana@example.com', primary: true }],
			});
		});
	});

	test('with Preview the model gets the plan, and nothing is changed', async () => {
		await withService({}, async (service) => {
			const { answers } = await scimTool(service, assign({ preview: true }), {
				calls: [{ People: PERSON, Organization: 'org-7788', Role: 'member' }],
			});
			expect(answers[0][0]).toMatchObject({ blockedBy: [] });
			expect(answers[0][0].requests).toHaveLength(1);
			expect(service.log.requests.filter(({ method }) => method !== 'GET')).toStrictEqual([]);
		});
	});

	test('what a model makes up is refused in words it can use, before anything is sent', async () => {
		await withService({}, async (service) => {
			const call = { People: PERSON, Organization: 'org-7788', Role: 'member' };
			const { answers } = await scimTool(service, assign(), {
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

	test('the guards hold for a model, too', async () => {
		await withService({}, async (service) => {
			const leavers = service.state
				.table()
				.people.filter(({ active, roles }) => active && Object.keys(roles).length > 0)
				.map(({ userName }) => userName);
			const { answers } = await scimTool(
				service,
				{ resource: 'access', operation: 'offboard', people: fromModel('People', 'Who leaves') },
				{ calls: [{ People: leavers.join(', ') }] },
			);
			expect(answers[0].failed).toBeInstanceOf(Error);
			expect(service.log.requests.filter(({ method }) => method !== 'GET')).toStrictEqual([]);
		});
	});

	test('an error of the service reaches the model without the token', async () => {
		const faults = [{ path: '/scim/Groups', kind: '500-html' }];
		await withService({ faults }, async (service) => {
			const { answers } = await scimTool(service, assign({ options: { maxWait: 0 } }), {
				calls: [{ People: PERSON, Organization: 'org-7788', Role: 'member' }],
			});
			expect(answers[0].failed.message).toContain('500');
			expect(JSON.stringify(answers[0].failed)).not.toContain(service.accountToken);
		});
	});
});

/** A model that knows names alone, on a service with other IDs; the editor puts what a model fills in into ID mode. */
describe('what a model names otherwise than by ID', () => {
	const USERS = [
		{
			id: 'u-1',
			userName: 'ana',
			displayName: 'Ana Silva',
			emails: [{ value: 'ana@example.com' }],
		},
		{ id: 'u-2', userName: 'ben@example.com' },
		{ id: 'u-3', userName: 'cid', emails: [{ value: 'both@example.com' }] },
		{ id: 'u-4', userName: 'both@example.com' },
	];
	const GROUPS = [
		{ id: 'g-1', displayName: 'Engineering', members: ['u-2'] },
		{ id: 'g-2', displayName: 'Support', members: ['u-2'] },
		{ id: 'g-3', displayName: 'Support', members: [] },
	];
	const AI = { group: fromModel('Group', 'ID of the group'), user: fromModel('User', 'ID') };
	const inGroup = { chooseGroupBy: 'group', group: byId(AI.group) };
	const onUser = { user: byId(AI.user) };

	/** What the model gets for one call, with the service. */
	async function call(parameters, args, work, switches = {}) {
		await withServer({ users: USERS, groups: GROUPS, ...switches }, async (server) => {
			const { answers } = await runTool(new ScimProvisioning(), {
				parameters: { options: { verifyTime: 0 }, ...parameters },
				credentials: {
					scimProvisioningApi: {
						...{ baseUrl: server.url, accountApiToken: TOKEN, serviceProfile: 'generic' },
						...{ overrideProfile: true, deletionIsFinal: 'no' },
					},
				},
				credentialTypes: [new ScimProvisioningApi()],
				calls: [args],
			});
			await work(answers[0], server);
		});
	}

	test('a group by its exact name: the item says how it was found', async () => {
		const add = { resource: 'group', operation: 'addMembers', ...inGroup, people: 'u-1' };
		await call(add, { Group: 'Engineering' }, (answer, server) => {
			expect(answer).toMatchObject([
				{ status: 'done', group: 'Engineering', groupId: 'g-1', matchedBy: 'name' },
			]);
			expect(answer[0].text).toBe('Ana Silva was added to Engineering.');
			expect(server.membersOf('g-1')).toEqual(['u-2', 'u-1']);
			expect(server.came().slice(0, 2)).toEqual(['GET /Groups/Engineering 404', 'GET /Groups 200']);
		});
		await call({ ...add, preview: true }, { Group: 'Engineering' }, (answer, server) => {
			expect(answer).toMatchObject([{ preview: true, matchedBy: 'name' }]);
			expect(server.written()).toStrictEqual([]);
		});
	});

	test('an ID is an ID, and says nothing', async () => {
		await call({ resource: 'group', operation: 'get', ...inGroup }, { Group: 'g-1' }, ([group]) => {
			expect(group).toMatchObject({ id: 'g-1' });
			expect(group).not.toHaveProperty('matchedBy');
		});
	});

	test.each(['get', 'update'])('Group: %s, by name', async (operation) => {
		const parameters = { resource: 'group', operation, ...inGroup };
		if (operation === 'update') parameters.updateFields = { displayName: 'Research' };
		await call(parameters, { Group: 'Engineering' }, ([group]) => {
			expect(group).toMatchObject({ id: 'g-1', matchedBy: 'name' });
		});
	});

	test.each([
		['engineering', 'There is no group "engineering"'],
		['Support', 'More than one group is named "Support"'],
		['Sales', 'There is no group "Sales"'],
	])('group %s: nothing is guessed', async (name, message) => {
		const add = { resource: 'group', operation: 'addMembers', ...inGroup, people: 'u-1' };
		await call(add, { Group: name }, ({ failed }, server) => {
			expect(failed.message).toContain(message);
			expect(server.written()).toStrictEqual([]);
		});
	});

	/** The list ends before its total says so: the one with the ID may be among the rest. */
	test.each([
		['group', inGroup, { Group: 'Engineering' }],
		['user', onUser, { User: 'ben@example.com' }],
	])('a list of %ss that is not whole proves nothing', async (resource, fields, args) => {
		const many = (count, make) => Array.from({ length: count }, (_, at) => make(at));
		const more = {
			...{ ignoresCount: true, pageCap: 20, overlap: 20 },
			users: [...USERS, ...many(30, (at) => ({ id: `x-${at}`, userName: `x${at}` }))],
			groups: [...GROUPS, ...many(30, (at) => ({ id: `y-${at}`, displayName: `Y ${at}` }))],
		};
		const check = ({ failed }) => expect(failed.message).toMatch(/list of \w+ is incomplete/);
		await call({ resource, operation: 'get', ...fields }, args, check, more);
	});

	test.each([
		['get', 'ana@example.com', 'u-1'],
		['get', 'ben@example.com', 'u-2'],
		['deactivate', 'ANA@example.com', 'u-1'],
		['update', 'ana@example.com', 'u-1'],
	])('User: %s of %s', async (operation, User, id) => {
		const parameters = { resource: 'user', operation, ...onUser };
		if (operation === 'update') Object.assign(parameters, mapped({ title: 'Nurse' }));
		await call(parameters, { User }, (answer, server) => {
			expect(answer).toMatchObject([{ userId: id, matchedBy: 'email' }]);
			const written = operation === 'get' ? [] : [`PATCH /Users/${id} 200`];
			expect(server.written()).toEqual(written);
		});
	});

	test('Access: Get, by email', async () => {
		await call(
			{ resource: 'access', operation: 'get', ...onUser },
			{ User: 'ben@example.com' },
			([item]) => expect(item).toMatchObject({ userId: 'u-2', matchedBy: 'email' }),
		);
	});

	test('an email that two users have, one as the user name, names neither', async () => {
		await call(
			{ resource: 'user', operation: 'deactivate', ...onUser },
			{ User: 'both@example.com' },
			({ failed }, server) => {
				expect(failed.message).toContain('More than one user has the email both@example.com');
				expect(server.written()).toStrictEqual([]);
			},
		);
	});

	test.each([
		['user', 'delete', onUser, { User: 'ben@example.com' }],
		['group', 'delete', inGroup, { Group: 'Engineering' }],
		[
			'access',
			'changeEmail',
			{ ...onUser, newEmail: 'x@example.com' },
			{ User: 'ben@example.com' },
		],
	])('%s %s takes an ID alone', async (resource, operation, fields, args) => {
		await call({ resource, operation, ...fields }, args, ({ failed }, server) => {
			expect(failed.message).toMatch(/No user has the ID|There is no group/);
			expect(failed.message).toMatch(/By (Email|Name)/);
			expect(server.written()).toStrictEqual([]);
		});
	});

	test('Assign in rows, by name: the item says so', async () => {
		const groups = { group: [{ group: byId(AI.group) }] };
		await call(
			{ resource: 'access', operation: 'assign', accessBy: 'group', people: 'u-1', groups },
			{ Group: 'Engineering' },
			(answer) => expect(answer).toMatchObject([{ groupId: 'g-1', matchedBy: 'name' }]),
		);
	});

	test.each([
		['user', 'deactivate', { user: byId('ben@example.com') }, /choose By Email in User/],
		[
			'group',
			'addMembers',
			{ chooseGroupBy: 'group', group: byId('Engineering'), people: 'u-1' },
			/choose By Name in Group/,
		],
		[
			'group',
			'get',
			{ chooseGroupBy: 'group', group: byId('Engineering') },
			/For a name choose By Name/,
		],
		['user', 'get', { user: byId('ben@example.com') }, /for an email By Email/],
	])(
		'outside a tool %s %s says which mode to choose',
		async (resource, operation, fields, advice) => {
			await withServer({ users: USERS, groups: GROUPS }, async (server, scim) => {
				const { error } = await scim(resource, operation, fields);
				expect(error.description).toMatch(advice);
				expect(server.written()).toStrictEqual([]);
			});
		},
	);
});

describe('Notification Actions as a tool', () => {
	test('the model is told the operation, and its call is carried out', async () => {
		await withService({}, async (service) => {
			const {
				description,
				arguments: args,
				answers,
			} = await alertTool(
				service,
				{
					resource: 'monitor',
					operation: 'attach',
					action: byId(fromModel('Action', 'ID of the action')),
					model: byId('model-2'),
					monitors: 'all',
				},
				{ calls: [{ Action: 'marketing-mail' }] },
			);
			expect(description).toBe('Attach action to monitors in Notification Actions');
			expect(Object.keys(args)).toEqual(['Action']);
			expect(answers[0].failed).toBeUndefined();
			expect(
				service.state.configurationText('org-3454', 'model-2').match(/marketing-mail/g),
			).toHaveLength(3);
		});
	});

	test('secrets of actions stay masked in the answer', async () => {
		await withService({}, async (service) => {
			const { answers } = await alertTool(
				service,
				{ resource: 'action', operation: 'getAll', returnAll: true },
				{ calls: [{}] },
			);
			expect(answers[0].length).toBeGreaterThan(0);
			expect(JSON.stringify(answers)).not.toContain('demo-service-key-3454');
		});
	});
});

describe('Whoever chooses operations for an agent reads what each takes away', () => {
	const DESTRUCTIVE = {
		'user delete': /delete .*permanently.*all access/i,
		'user reconcile': /deactivate the others/i,
		'user deactivate': /lock.*out.*removes all memberships/i,
		'service check': /create, change and delete test users and groups/i,
		'group delete': /delete .*permanently.*lose/i,
		'group removeMembers': /remove people/i,
		'group setMembers': /everybody else is removed/i,
		'group addMembers': /replaces their other role/i,
		'access applyPlan': /removals/i,
		'access applyReview': /revoke .*unticked/i,
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
