import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { connect, type ScimConnection } from '../../nodes/shared/connection/connection';
import { PROFILES } from '../../nodes/shared/scim/protocol/service';
import type { RequestContext } from '../../nodes/shared/http/n8nTransport';
import { TOKEN } from '../support/fakeTransport';

const LIMITS = {
	...{ timeoutMs: 1_000, maxWaitMs: 0, verifyMs: 0, operationMs: 60_000 },
	...{ mostBytes: 1_000_000, mostPages: 10, mostResources: 100 },
};

async function connection(
	changes: ICredentialDataDecryptedObject = {},
	response: object = {},
): Promise<ScimConnection> {
	const context = {
		getNode: () => ({ parameters: {} }),
		getCredentials: async () => ({
			...{ baseUrl: 'https://api.example.com', accountApiToken: TOKEN },
			...{ serviceProfile: 'accountOrganizations', ...changes },
		}),
		helpers: { httpRequestWithAuthentication: async () => response },
	};
	return await connect(context as unknown as RequestContext, LIMITS);
}

describe('the profile of a credential', () => {
	const { accountOrganizations: account, generic } = PROFILES;
	const before = JSON.stringify(PROFILES);
	const overrides = {
		...{ deactivation: 'removes', memberRemoval: 'filterPath', membersPerRequest: 10 },
		...{ usersShowGroups: 'unknown', groupsShowMembers: 'unknown' },
	};
	const on = { overrideProfile: true };
	const slack = { serviceProfile: 'slack' };
	const slow = { readsPerMinute: 5, writesPerMinute: 0 };

	it.each<[string, ICredentialDataDecryptedObject, object]>([
		['account organizations as they come', {}, account],
		['a generic service as it comes', { serviceProfile: 'generic' }, generic],
		['overrides only when they are turned on', overrides, account],
		['overrides', { ...overrides, ...on }, { ...account, ...overrides }],
		[
			'where an add moves, nobody has two roles in an organization',
			{ ...on, oneRolePerOrganization: 'no' },
			{ oneRolePerOrganization: true },
		],
		['a documented pace', slack, { readsPerMinute: 1000, writesPerMinute: 180 }],
		['a pace below it', { ...slack, writesPerMinute: 60 }, { writesPerMinute: 60 }],
		['a pace of its own', { serviceProfile: 'generic', ...slow }, slow],
	])('%s', async (_, credential, profile) => {
		const { client, pace } = await connection(credential);
		expect(client.profile).toMatchObject(profile);
		const { readsPerMinute, writesPerMinute } = client.profile;
		const isPaced = readsPerMinute + writesPerMinute > 0;
		if (isPaced) expect(pace).toMatchObject({ readsPerMinute, writesPerMinute });
		else expect(pace).toBeUndefined();
		// One credential does not change the profile of another.
		expect(JSON.stringify(PROFILES)).toBe(before);
	});

	it.each([
		['generic', '', ['roles', 'entitlements']],
		['weightsAndBiases', ' ', ['organizationRole', 'teamRoles']],
		['accountOrganizations', '', []],
		['generic', 'None', []],
		['generic', 'roles, Roles\nseat', ['Roles', 'seat']],
		['generic', 'urn:ietf:params:scim:schemas:core:2.0:User:roles', ['roles']],
		['generic', 'urn:x:2.0:User:tier', ['urn:x:2.0:User:tier']],
	])('access attributes of %s with %j', async (serviceProfile, accessAttributes, wanted) => {
		const { client } = await connection({ serviceProfile, ...on, accessAttributes });
		expect(client.profile.accessAttributes).toEqual(wanted);
	});

	const NO_ACCESS = 'no attribute that holds access';
	it.each([
		...[
			'active',
			'groups',
			'urn:x:2.0:User',
			'two words',
			'roles[value eq "x"]',
			'none, roles',
		].map((text) => ['accessAttributes', text, NO_ACCESS] as const),
		...[-1, 1.5, 'many'].flatMap((number) => [
			['readsPerMinute', number, 'Reads per Minute is not a whole number'] as const,
			['membersPerRequest', number, 'Members Per Request is not a whole number'] as const,
		]),
	])('%s %j is refused', async (name, value, message) => {
		const entered = { serviceProfile: 'generic', ...on, [name]: value };
		await expect(connection(entered)).rejects.toThrow(message);
	});
});

describe('the token', () => {
	it.each([
		...['', '   '].map((token) => [token, 'Token is missing']),
		...[`${TOKEN}\n`, `Bearer ${TOKEN}`, `${TOKEN}é`].map((token) => [
			...[token, 'whitespace or invalid characters'],
		]),
	])('%j cannot be sent, and is not shown', async (accountApiToken, message) => {
		const error: Error = await connection({ accountApiToken }).then(
			() => new Error('was taken'),
			(reason: Error) => reason,
		);
		expect(error.message).toContain(message);
		expect(error.message).not.toContain('key-of');
	});

	it.each([TOKEN, TOKEN.split(':')[0]])('%s, said by the service, is not shown', async (echo) => {
		const body = JSON.stringify({ error: `Invalid key ${echo}` });
		const { client } = await connection({}, { statusCode: 401, headers: {}, body });
		await expect(client.getUser('user-1')).rejects.toThrow(/answered 401, Invalid key \*\*\*$/);
	});
});

it('organizations go by a name in any case, or an ID', async () => {
	const organization = [
		{ name: ' Marketing ', id: 'whylabs-org-3454' },
		{ name: '', id: 'org-1' },
		{ name: 'Empty', id: ' ' },
	];
	const { organizations } = await connection({ organizationNames: { organization } });
	expect(organizations.named).toEqual([{ name: 'Marketing', id: 'org-3454' }]);
	expect(['marketing ', 'whylabs-org-9'].map(organizations.idOf)).toEqual(['org-3454', 'org-9']);
	expect(['whylabs-org-3454', 'org-9'].map(organizations.nameOf)).toEqual(['Marketing', 'org-9']);
	expect(() => organizations.idOf(' ')).toThrow('The organization is empty');
	expect((await connection()).organizations.named).toStrictEqual([]);
});
