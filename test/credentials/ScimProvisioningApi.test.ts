import { testCredential } from '../harness';
import { accessDenied, list } from '../support/answers';
import { ScimProvisioning, ScimProvisioningApi, ScimProvisioningTrigger } from '../support/built';
import { hasFile } from '../support/files';
import { withSecureServer, withUnreachedServer } from '../support/secureServer';
import { HOST, wire } from '../support/wire';

const api = wire();

const TOKEN = 'key-of-the-account:org-acct1';
const USERS = 'GET /scim/Users';
const ROOT_USERS = 'GET /Users';

const type = new ScimProvisioningApi();

const test = async (changes = {}) =>
	await testCredential(
		type,
		{
			...{ baseUrl: HOST, accountApiToken: TOKEN },
			...{ serviceProfile: 'accountOrganizations', ...changes },
		},
		new ScimProvisioning(),
	);

const OK = { status: 'OK', message: 'Connection successful!' };

describe('the test', () => {
	it('lists one user with the token', async () => {
		api.answer(USERS, [200, list([])]);

		expect(await test()).toEqual(OK);
		expect(api.sent()).toEqual(['GET /scim/Users?count=1']);
		expect(api.requests[0].headers).toMatchObject({
			authorization: `Bearer ${TOKEN}`,
			accept: 'application/scim+json',
		});
	});

	it('401 says that the credential is not accepted', async () => {
		api.always(USERS, accessDenied(401));

		expect(await test()).toEqual({
			status: 'Error',
			message:
				'The service does not accept the credential. Check the Service Profile, the Authentication Method and its fields. An account with organizations takes an account token: made in the account organization, with account-management scope, and not expired.',
		});
	});

	it('403 says that the credential gives no access', async () => {
		api.answer(USERS, accessDenied(403));

		expect(await test()).toEqual({
			status: 'Error',
			message:
				'The credential gives no access to provisioning. Check the Service Profile, the Authentication Method and its fields. An account with organizations takes an account token: made in the account organization, with account-management scope, and not expired.',
		});
	});

	it.each([401, 403] as const)(
		'%i on another service does not speak of account tokens',
		async (status) => {
			api.always(ROOT_USERS, accessDenied(status));

			const { message } = await test({ serviceProfile: 'generic' });
			expect(message).toMatch(
				/Check the Service Profile, the Authentication Method and its fields\.$/,
			);
		},
	);

	it.each([
		['http', /^The service does not speak https on this port\. Check the port of the Base URL/],
		['oldTls', /^The service broke off the https handshake\. Check the Base URL/],
	] as const)('says why https fails on a server of %s', async (kind, message) => {
		await withUnreachedServer(kind, async (baseUrl) => {
			expect(await test({ baseUrl })).toEqual({
				status: 'Error',
				message: expect.stringMatching(message),
			});
		});
	});

	it('404 says that the profile or the address may be wrong', async () => {
		api.answer(USERS, [404, 'Not Found']);

		expect(await test()).toEqual({
			status: 'Error',
			message:
				'Nothing was found there. Check the Service Profile, the Base URL, which ends before /Users, and the SCIM Prefix. Account with Organizations adds /scim to the Base URL, the other profiles add nothing.',
		});
	});

	it('does not follow a redirect with the token', async () => {
		api.answer(USERS, [302, '', { Location: `${HOST}/elsewhere` }]);

		expect(await test()).toMatchObject({ status: 'Error' });
		expect(api.requests).toHaveLength(1);
	});

	it.each([
		['a trailing slash', { baseUrl: `${HOST}/` }],
		['blanks and slashes around it', { baseUrl: ` ${HOST}// ` }],
	])('takes a Base URL with %s', async (_what, changes) => {
		api.answer(USERS, [200, list([])]);

		expect(await test(changes)).toEqual(OK);
	});

	it('takes a Base URL with a path', async () => {
		api.answer('GET /gate/way/scim/Users', [200, list([])]);

		expect(await test({ baseUrl: `${HOST}/gate/way/` })).toEqual(OK);
	});

	it.each([
		['accountOrganizations', 'profile', USERS],
		['accountOrganizations', 'everyRequest', USERS],
		['accountOrganizations', 'collectionsOnly', USERS],
		['accountOrganizations', 'nowhere', ROOT_USERS],
		['generic', 'profile', ROOT_USERS],
		['generic', 'everyRequest', USERS],
		['generic', 'collectionsOnly', USERS],
		['generic', 'nowhere', ROOT_USERS],
	])('profile %s, prefix %s: %s', async (serviceProfile, scimPrefix, route) => {
		api.answer(route, [200, list([])]);
		api.always(route.replace('Users', 'Groups'), [200, list([])]);

		expect(await test({ serviceProfile, scimPrefix })).toEqual(OK);
	});

	describe('of a profile without organizations', () => {
		const ROLES = {
			status: 'Error',
			message:
				'These groups are roles in organizations. Set Service Profile to Account with Organizations.',
		};

		it.each([
			['a role', ['org-1:member'], ROLES],
			['a role with a prefix', ['whylabs-org-1:Admin'], ROLES],
			['another group', ['g-1'], OK],
			['another group beside a role', ['org-1:member', 'g-1'], OK],
			['no group', [], OK],
		])('reads one group: %s', async (_, ids, expected) => {
			api.answer(ROOT_USERS, [200, list([])]);
			api.answer('GET /Groups', [200, list(ids.map((id) => ({ id, displayName: id })))]);

			expect(await test({ serviceProfile: 'generic' })).toEqual(expected);
			expect(api.sent()).toEqual(['GET /Users?count=1', 'GET /Groups?count=1']);
		});

		it('is in order where the groups cannot be read, and where they stand for something', async () => {
			api.always(ROOT_USERS, [200, list([])]);
			api.answer('GET /Groups', [500, 'Internal Server Error']);
			expect(await test({ serviceProfile: 'generic' })).toEqual(OK);
			const pattern = {
				groupsStandFor: 'organizationAndRole',
				groupPattern: '{organization}:{role}',
			};
			expect(await test({ serviceProfile: 'generic', ...pattern })).toEqual(OK);
			expect(api.sent().filter((sent) => sent.startsWith('GET /Groups'))).toHaveLength(1);
		});

		it('is known to both nodes that use the credential', () => {
			for (const node of [new ScimProvisioning(), new ScimProvisioningTrigger()]) {
				const [{ name, testedBy }] = node.description.credentials ?? [];
				expect(name).toBe(type.name);
				expect(Object.keys(node.methods.credentialTest)).toEqual([testedBy]);
			}
		});
	});

	it('says what came instead of an answer', async () => {
		api.answer(USERS, [500, 'Internal Server Error']);

		expect(await test()).toEqual({ status: 'Error', message: 'Internal Server Error' });
	});
});

describe('a self-signed certificate', () => {
	it('is refused', async () => {
		await withSecureServer(list([]), async (baseUrl, requests) => {
			expect(await test({ baseUrl })).toMatchObject({
				status: 'Error',
				message: expect.stringMatching(
					/certificate of the service is self-signed.*Ignore SSL Issues/,
				),
			});
			expect(requests).toStrictEqual([]);
		});
	});

	it('is accepted with Ignore SSL Issues', async () => {
		await withSecureServer(list([]), async (baseUrl, requests) => {
			expect(await test({ baseUrl, ignoreSslIssues: true })).toEqual(OK);
			expect(requests).toEqual(['GET /scim/Users?count=1']);
		});
	});
});

describe('its description', () => {
	it('has a name, documentation and icons that are in the package', () => {
		expect(type).toMatchObject({
			name: 'scimProvisioningApi',
			displayName: 'SCIM Provisioning API',
			documentationUrl: expect.stringMatching(/^https:/),
		});
		const { light, dark } = type.icon as { light: string; dark: string };
		for (const icon of [light, dark]) {
			expect(hasFile('dist/credentials', icon.slice('file:'.length))).toBe(true);
		}
	});

	it('begins with the Service Profile, which decides what the others mean', () => {
		const names = type.properties.map(({ name }) => name);
		expect(names.slice(0, 2)).toEqual(['serviceProfile', 'baseUrl']);
	});

	it('hides secrets and nothing else', () => {
		const hidden = type.properties.filter(({ typeOptions }) => typeOptions?.password === true);
		expect(hidden.map(({ name }) => name)).toEqual(['accountApiToken', 'password', 'headerSecret']);
	});

	it('needs a Base URL and what its method sends', () => {
		const required = type.properties.filter(({ required: needed }) => needed === true);
		expect(required.map(({ name }) => name)).toEqual([
			'baseUrl',
			'accountApiToken',
			'password',
			'headerName',
			'headerSecret',
			'groupPattern',
		]);
	});

	it('asks what groups stand for everywhere but on an account, and for the pattern where they stand for something', () => {
		const displayOf = (name: string) =>
			type.properties.find((property) => property.name === name)?.displayOptions;
		const hide = { serviceProfile: ['accountOrganizations'] };
		expect(displayOf('groupsStandFor')).toEqual({ hide });
		for (const name of ['groupPattern', 'groupPatternOn', 'groupRoles']) {
			const show = { groupsStandFor: ['organizationAndRole'] };
			expect(displayOf(name)).toEqual({ hide, show });
		}
	});

	it('says each thing in at most 100 characters', () => {
		for (const { description = '' } of type.properties) {
			expect(description.length).toBeLessThanOrEqual(100);
		}
	});
});
