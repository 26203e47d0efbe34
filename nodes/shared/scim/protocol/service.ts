import { memoized, nameKey } from '../../util';
import {
	type GroupMeaning,
	groupMeaning,
	normalizeOrganization,
	type OrganizationRole,
} from './groupMeaning';
import { keptOnly, type KnowsAttribute } from './schema';
import { type Traits, TRAITS } from './traits';
import { attribute } from './resource';

/** What one service alone does, as its documentation says or as it was seen. Its traits say what others do as well. */
export interface Service {
	/** How groups spell organization and role, for one run: it remembers their IDs. */
	groups(): GroupMeaning;
	/** The organization that a token names, as one of an account does behind a colon (test/contract/interface.md 2.1); else empty. */
	accountIn(token: string): string;
	/**
	 * Groups are the roles of the organizations of an account, which the service makes with each organization
	 * (test/contract/interface.md 1.1, 1.5). So there are no others, and one that is not shown was not read (2.1).
	 */
	groupsAreFixed: boolean;
	/**
	 * People are known by their login, an email address (test/contract/interface.md 1.2). `display` of a member is the login, whatever
	 * userName shows (2.3), and `emails` always has it (2.2). A filter for a userName finds it ignoring case, in other
	 * accounts too, whose users cannot be read by ID (2.2). Elsewhere `display` may be any text.
	 */
	knowsPeopleByLogin: boolean;
	/**
	 * Groups come whole when they are not asked for in pages, and `totalResults` counts all pages (test/contract/interface.md 2.1).
	 * Elsewhere a list ends only when a page brings nothing new.
	 */
	listsAreExact: boolean;
	/** By which attributes groups can be filtered; others are ignored (test/contract/interface.md 2.1). Undefined where not known. */
	groupFilters?: readonly string[];
	/**
	 * What is kept of a user; the answer to a create repeats all else, too (test/contract/interface.md 2.2). Undefined where `/Schemas`
	 * tells.
	 */
	keeps?: KnowsAttribute;
	/**
	 * How it takes what is written is known (test/contract/interface.md 1.4, 1.5), so no other form is tried. Elsewhere a service is
	 * given what any of them asks for.
	 */
	formsAreKnown: boolean;
	/**
	 * The answer to an update is the user after it (test/contract/interface.md 1.5). Elsewhere a read has to say so first: some
	 * answer with what was sent.
	 */
	answersAreKnown: boolean;
}

/** All that is known of the service of a credential. */
export type ServiceProfile = Traits & Service;

/** A service of which nothing is known beyond RFC 7644. */
const RFC_7644: Service = {
	groups: groupMeaning,
	accountIn: () => '',
	groupsAreFixed: false,
	knowsPeopleByLogin: false,
	listsAreExact: false,
	formsAreKnown: false,
	answersAreKnown: false,
};

export const ACCOUNT_ROLES: readonly string[] = ['admin', 'member', 'viewer'];

const isOrganization = (id: string) => id.startsWith('org-');

const ACCOUNT_ROLE = /^(?:[a-z\d]+-)?(org-[^:]+):(admin|member|viewer)$/i;

/** What a group of an account with organizations stands for, by its ID; undefined for any other group. */
export function accountRole(id: string): OrganizationRole | undefined {
	const [, organization, role] = ACCOUNT_ROLE.exec(id.trim()) ?? [];
	return organization === undefined ? undefined : { organization, role: role.toLowerCase() };
}

/** Groups such as `org-1:member`, the role in upper or lower case (test/contract/interface.md 1.1, 2.3). */
const accountGroups = (): GroupMeaning => ({
	standsFor: 'id',
	spelling: 'account',
	parse: placeIn,
	readings: (id) => [placeIn(id) ?? []].flat(),
	requirePattern() {},
	format: ({ organization, role }) =>
		`${normalizeOrganization(organization)}:${role.trim().toLowerCase()}`,
	role: (text) => ACCOUNT_ROLES.find((role) => role === text.trim().toLowerCase()),
	isOrganization,
	// Groups are few, and each is asked about with every membership.
	key: memoized((id) => {
		const place = placeIn(id);
		return place === undefined ? id.trim() : placeKey(place);
	}),
	placeKey,
});

function placeIn(id: string): OrganizationRole | undefined {
	const text = id.trim();
	const end = text.lastIndexOf(':');
	const organization = normalizeOrganization(text.slice(0, Math.max(end, 0)));
	const role = text.slice(end + 1).toLowerCase();
	return organization === '' || role === '' ? undefined : { organization, role };
}

function placeKey({ organization, role }: OrganizationRole): string {
	return `${normalizeOrganization(organization)}\n${nameKey(role)}`;
}

function accountIn(token: string): string {
	const named = normalizeOrganization(token.slice(token.lastIndexOf(':') + 1));
	return token.includes(':') && isOrganization(named) ? named : '';
}

/** An account with organizations (test/contract/interface.md). */
const ACCOUNT: Service = {
	groups: accountGroups,
	accountIn,
	groupsAreFixed: true,
	knowsPeopleByLogin: true,
	listsAreExact: true,
	groupFilters: ['id', 'displayName', 'members.value'],
	keeps: keptOnly(['id', 'username', 'externalid', 'active', 'name', 'emails']),
	formsAreKnown: true,
	answersAreKnown: true,
};

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
