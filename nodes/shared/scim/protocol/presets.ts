import { attribute } from './resource';
import { ACCOUNT, RFC_7644, type Service, type ServiceProfile } from './service';
import { TRAITS, type Traits } from './traits';

/** What a probe saw of a service, for telling which one it is. */
export interface Signs {
	/** Entries of lists, as they came. */
	users: readonly unknown[];
	groups: readonly unknown[];
	paging: string;
	/** Whether the list of users says how many there are. */
	saysTotal: boolean;
	groupsAreOrganizationRoles: boolean;
}

interface Preset {
	name: string;
	description: string;
	/** Host and path of the Base URL, where the documentation names them. */
	address?: RegExp;
	/** Whether answers are as its documentation alone says that they are. */
	signs?: (seen: Signs) => boolean;
	/** Only where they differ from what is assumed of any service. */
	traits: Partial<Traits>;
	/** What it alone does. */
	service?: Service;
}

function hasEmptyMembers(group: unknown): boolean {
	const members = attribute(group, 'members');
	return Array.isArray(members) && members.length === 0;
}

function hasOneEmailObject(user: unknown): boolean {
	return attribute(attribute(user, 'emails'), 'value') !== undefined;
}

/**
 * What is known of services, from their documentation as of the date that the description names (test/servers/results.md has the
 * pages). A new one costs an entry here.
 */
const TABLE = {
	accountOrganizations: {
		name: 'Account with Organizations',
		description:
			'Only for a service with groups such as org-3454:member, each a role in an organization',
		signs: ({ groupsAreOrganizationRoles }) => groupsAreOrganizationRoles,
		traits: {
			addMovesWithinOrganization: true,
			oneRolePerOrganization: true,
			deactivation: 'drops',
			memberRemoval: 'valueList',
			prefix: 'everyRequest',
			requiredAttributes: ['userName'],
			usersShowGroups: 'yes',
			groupsShowMembers: 'yes',
			listsTakeOptions: false,
			userNameCanChange: false,
			accessAttributes: [],
		},
		service: ACCOUNT,
	},
	generic: {
		name: 'Generic SCIM 2.0',
		description: 'Any other SCIM 2.0 service provider; nothing is assumed, so a delete is final',
		traits: { deletionIsFinal: true },
	},
	awsIdentityCenter: {
		name: 'AWS IAM Identity Center',
		description: 'From documentation, 2026-11: lists by cursor, memberships by filter',
		address: /^scim\.[a-z0-9-]+\.amazonaws\.com\/[^/]+\/scim\/v2$/,
		signs: ({ paging, saysTotal, groups }) =>
			paging === 'cursor' && !saysTotal && groups.length > 0 && groups.every(hasEmptyMembers),
		traits: {
			paging: 'cursor',
			entriesPerPage: 100,
			groupsShowMembers: 'no',
			usersShowGroups: 'no',
			membersByFilter: 'yes',
			listsTakeOptions: false,
			memberRemoval: 'valueList',
			requiredAttributes: ['userName', 'displayName', 'name.givenName', 'name.familyName'],
		},
	},
	slack: {
		name: 'Slack',
		description: 'From documentation, 2026-11: an email is required, deleting deactivates',
		address: /^api\.slack\.com\/scim\/v2$/,
		traits: {
			requiredAttributes: ['userName', 'emails'],
			userNamesAreConverted: true,
			readsPerMinute: 1000,
			writesPerMinute: 180,
		},
	},
	github: {
		name: 'GitHub',
		description:
			'From documentation, 2026-11: external ID and email are required, deleting cannot be undone',
		address:
			/^[^/]+\/(?:scim\/v2\/enterprises\/[^/]+|api\/v3\/scim\/v2|scim\/v2\/organizations\/[^/]+)$/,
		traits: { requiredAttributes: ['userName', 'externalId', 'emails'], deletionIsFinal: true },
	},
	databricks: {
		name: 'Databricks',
		description: 'From documentation, 2026-11: entitlements on the user',
		address: /^[^/]+\/api\/2\.[01]\/accounts\/[^/]+\/scim\/v2$/,
		traits: {},
	},
	launchDarkly: {
		name: 'LaunchDarkly',
		description: 'From documentation, 2026-11: inactive users refuse changes',
		address: /^app\.launchdarkly\.com\/trust\/scim\/v2$/,
		traits: { inactiveRefusesGroupChanges: true },
	},
	keycloak: {
		name: 'Keycloak',
		description: 'From the source of 26.8, 2026-11: memberships on request, subgroups in no list',
		address: /\/realms\/[^/]+\/scim\/v2$/,
		traits: { membershipsOnRequest: true, entriesPerPage: 100, requiredAttributes: ['userName'] },
	},
	weightsAndBiases: {
		name: 'Weights & Biases',
		description:
			'From documentation, 2026-11, multi-tenant: roles on the user, deactivating removes',
		signs: ({ users }) => users.some(hasOneEmailObject),
		traits: {
			deactivation: 'removes',
			accessAttributes: ['organizationRole', 'teamRoles'],
		},
	},
} satisfies Record<string, Preset>;

export type ProfileName = keyof typeof TABLE;

/** The presets of Service Profile, in the order of the credential. */
export const PRESETS: Readonly<Record<ProfileName, Preset>> = TABLE;

const ASSUMED = Object.fromEntries(
	Object.entries(TRAITS).map(([name, { otherwise }]) => [name, otherwise]),
) as unknown as Traits;

/** What is known of the service of each preset. */
export const PROFILES = Object.fromEntries(
	Object.entries(PRESETS).map(([name, { traits, service = RFC_7644 }]) => [
		name,
		{ ...ASSUMED, ...traits, ...service },
	]),
) as Record<ProfileName, ServiceProfile>;

/**
 * The preset whose documentation names the address, else the one whose signs were seen; `generic` for none, and for two.
 * @param address host and path of the Base URL
 */
export function presetFor(address: string, seen: Signs): ProfileName {
	const all = Object.entries(PRESETS) as Array<[ProfileName, Preset]>;
	const named = all.filter(([, preset]) => preset.address?.test(address));
	const fitting = named.length > 0 ? named : all.filter(([, { signs }]) => signs?.(seen));
	return fitting.length === 1 ? fitting[0][0] : 'generic';
}
