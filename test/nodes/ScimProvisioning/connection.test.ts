import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { pollNode, testCredential } from '../../harness';
import {
	accessDenied,
	ANA,
	created,
	group,
	list,
	listOf,
	notFound,
	QUICK,
	user,
} from '../../support/answers';
import {
	ScimProvisioning,
	ScimProvisioningApi,
	ScimProvisioningTrigger,
} from '../../support/built';
import { byEmail, byId, TOKEN } from '../../support/node';
import { withSecureServer, withUnreachedServer } from '../../support/secureServer';
import { HOST, runChecked, wire, type Reply } from '../../support/wire';

const api = wire();

const create = async (credential = {}, more = {}) =>
	await runChecked('user', 'create', { userName: ANA, options: QUICK }, { credential, ...more });

const get = async (credential = {}, more = {}) =>
	await runChecked(
		'user',
		'get',
		{ user: byId('user-1'), options: { maxWait: 0 } },
		{ credential, ...more },
	);

describe('headers', () => {
	it('of a read: token, media type, name of the package; nothing about a body', async () => {
		api.answer('GET /scim/Users/user-1', [200, user('user-1', ANA)]);

		await get();

		const [{ headers }] = api.requests;
		expect(headers).toMatchObject({
			authorization: `Bearer ${TOKEN}`,
			accept: 'application/scim+json',
			'user-agent': expect.stringMatching(/^n8n-nodes-scim-provisioning\//),
		});
		expect(headers).not.toHaveProperty('content-type');
	});

	it('of a write: the media type of SCIM too', async () => {
		api.answer('POST /scim/Users', created('user-1', ANA));

		await create();

		expect(api.requests[0].headers).toMatchObject({
			authorization: `Bearer ${TOKEN}`,
			accept: 'application/scim+json',
			'content-type': 'application/scim+json',
			'user-agent': expect.stringMatching(/^n8n-nodes-scim-provisioning\//),
		});
	});
});

describe.each([
	['everyRequest', '/scim', '/scim'],
	['collectionsOnly', '/scim', ''],
	['nowhere', '', ''],
])('with the prefix %s', (scimPrefix, collection, item) => {
	const credential = { scimPrefix };

	it('every request of users goes there', async () => {
		const one = `${item}/Users/user-1`;
		api.always(`GET ${collection}/Users`, listOf([user('user-1', ANA)]));
		// Guards look who is admin of what before somebody goes.
		api.answer(
			`GET ${collection}/Groups`,
			[200, list([group('org-1:admin')])],
			[200, list([group('org-1:admin')])],
		);
		api.answer(`POST ${collection}/Users`, created('user-2', 'new@example.com'));
		api.answer(`GET ${one}`, ...Array(2).fill([200, user('user-1', ANA)]), notFound);
		api.answer(`PATCH ${one}`, [200, user('user-1', ANA, { active: false })]);
		api.answer(`DELETE ${one}`, [204]);
		const options = QUICK;

		const results = [
			await runChecked('user', 'getAll', { options: { maxWait: 0 } }, { credential }),
			await runChecked('user', 'create', { userName: 'new@example.com', options }, { credential }),
			await get(credential),
			await runChecked('user', 'deactivate', { user: byEmail(ANA), options }, { credential }),
			await runChecked('user', 'delete', { user: byId('user-1'), options }, { credential }),
		];

		for (const { error } of results) expect(error).toBeUndefined();
	});

	it('every request of groups goes there', async () => {
		const one = `${item}/Groups/org-1%3Amember`;
		const groups: Reply = [200, list([group('org-1:member')])];
		api.answer(`GET ${collection}/Groups`, groups, groups);
		api.answer(`GET ${one}`, [200, group('org-1:member')]);
		api.known(user('user-1', ANA));
		api.answer(`PATCH ${one}`, [200, group('org-1:member', [['user-1', ANA]])]);

		const results = [
			await runChecked('group', 'getAll', { options: { maxWait: 0 } }, { credential }),
			await runChecked(
				'group',
				'get',
				{ chooseGroupBy: 'group', group: byId('org-1:member'), options: { maxWait: 0 } },
				{ credential },
			),
			await runChecked(
				'group',
				'addMembers',
				{
					chooseGroupBy: 'group',
					group: byId('org-1:member'),
					people: 'user-1',
					options: QUICK,
				},
				{ credential },
			),
		];

		for (const { error } of results) expect(error).toBeUndefined();
	});

	it('Preview shows the path', async () => {
		api.answer(`GET ${item}/Users/a%2Fb`, [200, user('a/b', ANA)]);
		api.answer(`GET ${collection}/Groups`, [200, list([group('org-1:admin')])]);

		const { json } = await runChecked(
			'user',
			'delete',
			{ user: byId('a/b'), preview: true },
			{ credential },
		);

		expect(json).toMatchObject([{ requests: [{ path: `${item}/Users/a%2Fb` }] }]);
	});
});

describe('the Base URL', () => {
	it('may have a path', async () => {
		api.answer('GET /gate/way/scim/Users/user-1', [200, user('user-1', ANA)]);

		expect((await get({ baseUrl: `${HOST}/gate/way/` })).json).toMatchObject([
			{ userId: 'user-1' },
		]);
	});

	it('with a password is refused, and shown nowhere', async () => {
		const baseUrl = 'http://me:hunter2-secret@scim.test';
		const { error } = await create({ baseUrl }, { secrets: ['hunter2-secret'] });

		expect(api.sent()).toStrictEqual([]);
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: 'The Base URL contains a user name or password',
		});
		expect(error?.description).toBeTruthy();
	});
});

describe('the token', () => {
	it('with a line break inside is refused, and shown nowhere', async () => {
		const accountApiToken = 'secret-one\r\nX-Evil: secret-two';
		const secrets = ['secret-one', 'secret-two'];
		const results = [
			await create({ accountApiToken }, { secrets }),
			await get({ accountApiToken }, { secrets }),
		];

		expect(api.sent()).toStrictEqual([]);
		for (const { error } of results) {
			expect(error).toMatchObject({
				name: 'NodeOperationError',
				message: expect.stringContaining('The API Token contains whitespace or invalid characters'),
			});
		}
	});

	it('that cannot be used fails every item, with Continue On Fail too', async () => {
		const { errorPairedItems, json } = await create(
			{ accountApiToken: 'a b' },
			{ items: [{}, {}], onError: 'continueErrorOutput' },
		);

		expect(json).toStrictEqual([]);
		expect(errorPairedItems).toEqual([[0], [1]]);
	});
});

describe('settings of the profile', () => {
	it('that cannot be used are refused', async () => {
		const { error } = await create({
			serviceProfile: 'generic',
			groupsStandFor: 'organizationAndRole',
			groupPattern: '{organization}',
		});

		expect(api.sent()).toStrictEqual([]);
		expect(error?.message).toContain('is not a group pattern');
	});

	const MEMBERS: Array<[string, string]> = [['user-1', ANA]];

	it('make group ids after a pattern', async () => {
		const id = 'admin@org-1';
		api.answer(`GET /Groups/${encodeURIComponent(id)}`, [200, group(id, MEMBERS)]);

		const { json } = await runChecked(
			'group',
			'get',
			{
				chooseGroupBy: 'organizationAndRole',
				organization: { __rl: true, mode: 'id', value: 'org-1' },
				role: 'admin',
				options: { maxWait: 0 },
			},
			{
				credential: {
					serviceProfile: 'generic',
					groupsStandFor: 'organizationAndRole',
					groupPattern: '{role}@{organization}',
				},
			},
		);

		expect(json).toMatchObject([{ id, organization: 'org-1', role: 'admin' }]);
	});

	const APP = {
		serviceProfile: 'generic',
		groupsStandFor: 'organizationAndRole',
		groupPattern: 'app-{organization}-{role}',
	};
	const getGroup = async (credential: ICredentialDataDecryptedObject) =>
		await runChecked(
			'group',
			'get',
			{ chooseGroupBy: 'group', group: byId('app-sales-read-only'), options: { maxWait: 0 } },
			{ credential },
		);

	it('Roles decide how a name is read', async () => {
		api.always('GET /Groups/app-sales-read-only', [200, group('app-sales-read-only', MEMBERS)]);
		const groupRoles = { role: [{ name: ' READ-ONLY ' }, { name: '' }] };

		const [undecided, decided] = [await getGroup(APP), await getGroup({ ...APP, groupRoles })];

		expect(undecided.json[0]).not.toHaveProperty('role');
		expect(decided.json).toMatchObject([{ organization: 'sales', role: 'read-only' }]);
	});

	it('while groups stand for groups, an ID is not read', async () => {
		api.answer('GET /Groups/app-sales-read-only', [200, group('app-sales-read-only', MEMBERS)]);

		const { json } = await getGroup({
			...APP,
			groupsStandFor: 'groups',
			groupRoles: { role: [{ name: 'read-only' }] },
		});

		expect(json).toMatchObject([{ id: 'app-sales-read-only' }]);
		expect(json[0]).not.toHaveProperty('role');
	});

	it('Account with Organizations has its own pattern', async () => {
		api.answer('GET /scim/Groups/org-1%3Aadmin', [200, group('org-1:admin')]);

		const { json } = await runChecked(
			'group',
			'get',
			{ chooseGroupBy: 'group', group: byId('org-1:admin'), options: { maxWait: 0 } },
			{ credential: { groupsStandFor: 'organizationAndRole', groupPattern: 'broken' } },
		);

		expect(json).toMatchObject([{ organization: 'org-1', role: 'admin' }]);
	});

	it('do not count while Override Profile is off', async () => {
		api.answer('GET /scim/Users/user-1', [200, user('user-1', ANA)]);

		const { error } = await get({ overrideProfile: false, membersPerRequest: -1 });

		expect(error).toBeUndefined();
	});
});

describe('a self-signed certificate', () => {
	it('is refused, and the way out is said', async () => {
		await withSecureServer(user('user-1', ANA), async (baseUrl, requests) => {
			const { error } = await get({ baseUrl });

			expect(requests).toStrictEqual([]);
			expect(error).toMatchObject({
				message: 'Could not get user user-1: the certificate of the service is self-signed',
				description: expect.stringContaining('Ignore SSL Issues'),
			});
		});
	});

	it('is accepted with Ignore SSL Issues', async () => {
		await withSecureServer(user('user-1', ANA), async (baseUrl) => {
			const { json } = await get({ baseUrl, ignoreSslIssues: true });

			expect(json).toMatchObject([{ userId: 'user-1' }]);
		});
	});
});

it.each([
	['http', 'the service does not speak https on this port', 'Check the port of the Base URL ('],
	['oldTls', 'the service broke off the https handshake', 'Check the Base URL ('],
] as const)('says why https fails on a server of %s', async (kind, happened, remedy) => {
	await withUnreachedServer(kind, async (baseUrl) => {
		const { error } = await get({ baseUrl });

		expect(error).toMatchObject({
			message: `Could not get user user-1: ${happened}`,
			description: expect.stringContaining(remedy + baseUrl.slice('https://'.length)),
		});
	});
});

it('says that the connection was refused', async () => {
	const { error } = await get({ baseUrl: 'http://127.0.0.1:9' });

	expect(error).toMatchObject({
		message: 'Could not get user user-1: the connection was refused',
		description: expect.stringContaining('127.0.0.1:9'),
	});
});

describe.each(['/Users', '/groups', '/scim/v2/USERS', '/scim/v2/Groups/'])(
	'a Base URL that ends in %s',
	(ending) => {
		const credential = { baseUrl: `${HOST}${ending}`, serviceProfile: 'generic' };
		const end = /[^/]+(?=\/?$)/.exec(ending)?.[0];
		const message = `The Base URL ends in /${end}`;
		const description = `Remove /${end} from the Base URL in the credential: it is added to each request.`;

		it('is told before anything is sent', async () => {
			const { error } = await get(credential);
			expect(error).toMatchObject({ message, description });
			const gone = { user: byId('user-1'), options: { ...QUICK, ifNotFound: 'alreadyGone' } };
			const removed = await runChecked('user', 'delete', gone, { credential });
			expect(removed.error).toMatchObject({ message });
			expect(api.sent()).toStrictEqual([]);
		});

		it('is told by the trigger', async () => {
			const polled = pollNode(new ScimProvisioningTrigger(), {
				parameters: {},
				credentials: { scimProvisioningApi: { ...credential, accountApiToken: TOKEN } },
				credentialTypes: [new ScimProvisioningApi()],
			});
			await expect(polled).rejects.toMatchObject({ message, description });
			expect(api.sent()).toStrictEqual([]);
		});

		it('is told by the test of the credential', async () => {
			const tested = { ...credential, accountApiToken: TOKEN };
			expect(
				await testCredential(new ScimProvisioningApi(), tested, new ScimProvisioning()),
			).toEqual({ status: 'Error', message: `${message}. ${description}` });
			expect(api.sent()).toStrictEqual([]);
		});
	},
);

it('a host, and a folder on the way, may be called users', async () => {
	api.always('GET /users/v2/Users/user-1', [200, user('user-1', ANA, { groups: [] })]);
	expect((await get({ baseUrl: `${HOST}/users/v2`, serviceProfile: 'generic' })).json).toHaveLength(
		1,
	);
	const { error } = await get({ baseUrl: 'https://users', serviceProfile: 'generic' });
	expect(error?.message).not.toContain('ends in');
});

describe.each([401, 403] as const)('a %s', (status) => {
	it.each([
		['generic', false],
		['accountOrganizations', true],
	])('of the profile %s speaks of account tokens: %s', async (serviceProfile, isTold) => {
		const at = serviceProfile === 'generic' ? '' : '/scim';
		api.always(`GET ${at}/Users/user-1`, accessDenied(status));
		const { error } = await get({ serviceProfile });
		expect(error?.description).toMatch(/^Check the credential/);
		expect(error?.description?.includes('account token')).toBe(isTold);
	});
});
