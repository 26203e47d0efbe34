import type { GroupPattern } from './groupMeaning';

/** What is known of a service beyond the RFCs, one question each. Pure data, chosen in the credential; plans read it. */
export interface Traits {
	/** Does adding a person to a group take the person out of the organization's other groups? */
	addMovesWithinOrganization: boolean;
	/** Can a person have only one role in an organization? */
	oneRolePerOrganization: boolean;
	/** Does a person who is deactivated lose all memberships? */
	deactivationDropsMemberships: boolean;
	/** Does the service refuse to add inactive users to groups and to remove them? */
	inactiveRefusesGroupChanges: boolean;
	/** Does removing a person from one group of an organization remove whatever role the person has there? */
	removalIsRoleBlind: boolean;
	/** Are the adds of one request carried out in order, up to one that is refused (docs/interface.md 2.3)? */
	addsStopAtRefused: boolean;
	/**
	 * How are members removed? `valueList`: one operation with `value: [...]`. `filterPath`: one operation per person,
	 * `members[value eq "id"]`.
	 */
	memberRemoval: 'valueList' | 'filterPath';
	/** How many members does one request take? */
	membersPerRequest: number;
	/** How do groups spell organization and role? Undefined where groups stand for themselves alone. */
	groupPattern?: GroupPattern;
	/** What do ids of organizations begin with, so that any other text is a name? */
	organizationIdPrefix?: string;
	/** Where does `/scim` go (docs/interface.md 1.5)? */
	prefix: ScimPrefix;
	/** Does `emails` always show the login email, whatever was sent (docs/interface.md 2.2)? */
	addsLoginEmail: boolean;
	/** What does it keep of a user? Where that is known, the answer to a create repeats all else too (docs/interface.md 2.2). */
	keptAttributes?: readonly string[];
	/**
	 * Do users show all their groups, so that one without `groups` is in none (docs/interface.md 1.2)? Where that is
	 * unknown, a run has to see groups of some user first.
	 */
	usersShowGroups: 'yes' | 'unknown';
	/**
	 * Do groups show all their members, so that one without `members` is empty (docs/interface.md 1.3)? Where that is
	 * unknown, a run has to see members of some group first.
	 */
	groupsShowMembers: 'yes' | 'unknown';
	/** Can a list leave attributes out (RFC 7644 section 3.4.2.5)? Elsewhere it is not even tried. */
	excludesAttributes: boolean;
	/** Does the list of groups come whole when it is not asked for in pages (docs/interface.md 2.1)? */
	listsAllGroupsAtOnce: boolean;
	/** Do groups come and go with their organization alone, so that one not shown was not read (docs/interface.md 1.1, 2.1)? */
	groupsAreFixed: boolean;
	/** Are admin, member and viewer the only roles (docs/interface.md 1.1)? */
	rolesAreFixed: boolean;
	/** Is `display` of a group member the person's userName? Elsewhere anybody may have chosen it. */
	memberDisplayIsUserName: boolean;
	/** Is every userName an email address? */
	userNameIsEmail: boolean;
	/** Can a userName change? */
	userNameCanChange: boolean;
	/** Does a filter for a userName find it in any case? */
	filterIgnoresCase: boolean;
	/** Does a filter find users of other accounts too, who cannot be read by id (docs/interface.md 2.2)? */
	filterFindsForeignUsers: boolean;
	/** Can a filter ask for a part of a name? Elsewhere whole names alone are known (docs/interface.md 1.5, 2.1). */
	filtersByPart: boolean;
	/**
	 * By which attributes can groups be filtered? A filter by another one, also in other case, is ignored (docs/interface.md
	 * 2.1). Undefined: not known.
	 */
	groupFilterAttributes?: readonly string[];
	/** Does `totalResults` count the whole list? Elsewhere a list ends only when a page brings nothing new. */
	totalsCountAllPages: boolean;
}

export type ScimPrefix = 'everyRequest' | 'collectionsOnly' | 'nowhere';

export type ProfileName = 'accountOrganizations' | 'generic';

export const PROFILES: Readonly<Record<ProfileName, Traits>> = {
	accountOrganizations: {
		addMovesWithinOrganization: true,
		oneRolePerOrganization: true,
		deactivationDropsMemberships: true,
		inactiveRefusesGroupChanges: false,
		removalIsRoleBlind: true,
		addsStopAtRefused: true,
		memberRemoval: 'valueList',
		membersPerRequest: 100,
		groupPattern: { text: '{organization}:{role}', on: 'id', roles: 'words' },
		organizationIdPrefix: 'org-',
		prefix: 'everyRequest',
		addsLoginEmail: true,
		keptAttributes: ['id', 'username', 'externalid', 'active', 'name', 'emails'],
		usersShowGroups: 'yes',
		groupsShowMembers: 'yes',
		excludesAttributes: false,
		listsAllGroupsAtOnce: true,
		groupsAreFixed: true,
		rolesAreFixed: true,
		memberDisplayIsUserName: true,
		userNameIsEmail: true,
		userNameCanChange: false,
		filterIgnoresCase: true,
		filterFindsForeignUsers: true,
		filtersByPart: false,
		groupFilterAttributes: ['id', 'displayName', 'members.value'],
		totalsCountAllPages: true,
	},
	generic: {
		addMovesWithinOrganization: false,
		oneRolePerOrganization: false,
		deactivationDropsMemberships: false,
		inactiveRefusesGroupChanges: false,
		removalIsRoleBlind: false,
		addsStopAtRefused: false,
		memberRemoval: 'filterPath',
		membersPerRequest: 100,
		prefix: 'nowhere',
		addsLoginEmail: false,
		usersShowGroups: 'unknown',
		groupsShowMembers: 'unknown',
		excludesAttributes: true,
		listsAllGroupsAtOnce: false,
		groupsAreFixed: false,
		rolesAreFixed: false,
		memberDisplayIsUserName: false,
		userNameIsEmail: false,
		userNameCanChange: true,
		filterIgnoresCase: false,
		filterFindsForeignUsers: false,
		filtersByPart: true,
		totalsCountAllPages: false,
	},
};
