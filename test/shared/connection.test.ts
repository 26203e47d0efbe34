import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { connect, type ScimConnection } from '../../nodes/shared/access/connection';
import { PROFILES } from '../../nodes/shared/scim/protocol/presets';
import type { RequestContext } from '../../nodes/shared/http/n8nTransport';
import { TOKEN } from '../support/fakeTransport';

const LIMITS = {
	timeoutMs: 1_000,
	maxWaitMs: 0,
	verifyMs: 0,
	mostBytes: 1_000_000,
	operationMs: 60_000,
	mostPages: 10,
	mostResources: 100,
};

async function connection(
	changes: ICredentialDataDecryptedObject = {},
	response: object = {},
): Promise<ScimConnection> {
	const context = {
		getNode: () => ({ parameters: {} }),
		getCredentials: async () => ({
			baseUrl: 'https://api.example.com',
			accountApiToken: TOKEN,
			serviceProfile: 'accountOrganizations',
			...changes,
		}),
		helpers: { httpRequestWithAuthentication: async () => response },
	};
	return await connect(context as unknown as RequestContext, LIMITS);
}

const profileOf = async (changes: ICredentialDataDecryptedObject) =>
	(await connection(changes)).client.profile;

describe('the profile of a credential', () => {
	it.each(['accountOrganizations', 'generic'] as const)('%s as it comes', async (name) => {
		expect(await profileOf({ serviceProfile: name })).toEqual(PROFILES[name]);
	});

	it('overrides count only when they are turned on', async () => {
		const overrides = {
			deactivation: 'removes',
			memberRemoval: 'filterPath',
			membersPerRequest: 10,
			usersShowGroups: 'unknown',
			groupsShowMembers: 'unknown',
		};
		expect(await profileOf(overrides)).toEqual(PROFILES.accountOrganizations);
		expect(await profileOf({ ...overrides, overrideProfile: true })).toEqual({
			...PROFILES.accountOrganizations,
			deactivation: 'removes',
			memberRemoval: 'filterPath',
			membersPerRequest: 10,
			usersShowGroups: 'unknown',
			groupsShowMembers: 'unknown',
		});
	});

	it('where an add moves, nobody has two roles in an organization', async () => {
		const moves = { overrideProfile: true, serviceProfile: 'accountOrganizations' };
		const given = { ...moves, oneRolePerOrganization: 'no' };
		expect(await profileOf(given)).toMatchObject({ oneRolePerOrganization: true });
	});

	it.each([
		['slack', {}, { readsPerMinute: 1000, writesPerMinute: 180 }],
		['slack', { writesPerMinute: 60 }, { readsPerMinute: 1000, writesPerMinute: 60 }],
		[
			'generic',
			{ readsPerMinute: 5, writesPerMinute: 0 },
			{ readsPerMinute: 5, writesPerMinute: 0 },
		],
	])('pace of %s with %j', async (serviceProfile, entered, wanted) => {
		expect(await profileOf({ serviceProfile, ...entered })).toMatchObject(wanted);
		expect((await connection({ serviceProfile, ...entered })).pace).toMatchObject(wanted);
	});

	it('no pace where none is set nor documented', async () => {
		expect((await connection()).pace).toBeUndefined();
	});

	it.each([-1, 1.5, 'many'])('reads per minute %j are refused', async (readsPerMinute) => {
		await expect(connection({ readsPerMinute })).rejects.toThrow(
			'Reads per Minute is not a whole number',
		);
	});

	it('one credential does not change the profile of another', async () => {
		const before = JSON.stringify(PROFILES);
		await profileOf({ overrideProfile: true, membersPerRequest: 1, scimPrefix: 'nowhere' });
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
		const entered = { serviceProfile, overrideProfile: true, accessAttributes };
		expect((await profileOf(entered)).accessAttributes).toEqual(wanted);
	});

	it.each([
		'active',
		'groups',
		'urn:x:2.0:User',
		'two words',
		'roles[value eq "x"]',
		'none, roles',
	])('access attributes %j are refused', async (accessAttributes) => {
		const entered = { serviceProfile: 'generic', overrideProfile: true, accessAttributes };
		await expect(connection(entered)).rejects.toThrow('no attribute that holds access');
	});

	it.each([-1, 1.5, 'many'])('members per request %j is refused', async (membersPerRequest) => {
		await expect(connection({ overrideProfile: true, membersPerRequest })).rejects.toThrow(
			'Members Per Request is not a whole number',
		);
	});
});

describe('the token', () => {
	it.each(['', '   '])('%j is missing', async (accountApiToken) => {
		await expect(connection({ accountApiToken })).rejects.toThrow(/Token is missing/);
	});

	it.each([`${TOKEN}\n`, `Bearer ${TOKEN}`, `${TOKEN}é`])(
		'one that cannot be sent is refused, and not shown',
		async (accountApiToken) => {
			const error: Error = await connection({ accountApiToken }).then(
				() => new Error('was taken'),
				(reason: Error) => reason,
			);
			expect(error.message).toMatch(/whitespace or invalid characters/);
			expect(error.message).not.toContain('key-of');
		},
	);

	it.each([
		['whole', TOKEN],
		['without the organization', TOKEN.split(':')[0]],
	])('echoed by the service %s: not shown', async (_, echo) => {
		const { client } = await connection(
			{},
			{ statusCode: 401, headers: {}, body: JSON.stringify({ error: `Invalid key ${echo}` }) },
		);
		const error: Error = await client.getUser('user-1').then(
			() => new Error('was answered'),
			(reason: Error) => reason,
		);
		expect(error.message).toBe(
			'Could not get user user-1: the service answered 401, Invalid key ***',
		);
	});
});

describe('organizations by name', () => {
	const organizationNames = {
		organization: [
			{ name: ' Marketing ', id: 'whylabs-org-3454' },
			{ name: '', id: 'org-1' },
			{ name: 'Empty', id: ' ' },
		],
	};

	it('a name in any case, or an id', async () => {
		const { organizations } = await connection({ organizationNames });
		expect(organizations.named).toEqual([{ name: 'Marketing', id: 'org-3454' }]);
		expect(organizations.idOf('marketing ')).toBe('org-3454');
		expect(organizations.idOf('whylabs-org-9')).toBe('org-9');
		expect(organizations.nameOf('whylabs-org-3454')).toBe('Marketing');
		expect(organizations.nameOf('org-9')).toBe('org-9');
		expect(() => organizations.idOf(' ')).toThrow('The organization is empty');
	});

	it('none given', async () => {
		const { organizations } = await connection();
		expect(organizations.named).toStrictEqual([]);
	});
});
