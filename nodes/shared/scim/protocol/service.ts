import { memoized, nameKey } from '../../util';
import {
	type GroupMeaning,
	groupMeaning,
	normalizeOrganization,
	type OrganizationRole,
} from './groupMeaning';
import { keptOnly, type KnowsAttribute } from './knownAttributes';
import type { Traits } from './traits';

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
export const RFC_7644: Service = {
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
export const ACCOUNT: Service = {
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
