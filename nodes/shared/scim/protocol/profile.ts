/** What is known of a service beyond the RFCs. Pure data, chosen in the credential; plans read it. */
export interface ServiceProfile {
	/** Adding a person to a group takes the person out of the organization's other groups. */
	addMovesWithinOrganization: boolean;
	oneRolePerOrganization: boolean;
	deactivationDropsMemberships: boolean;
	/** Removing a person from one group of an organization removes whatever role the person has there. */
	removalIsRoleBlind: boolean;
	/** Adds of one request are carried out in order, up to one that is refused (docs/interface.md 2.3). */
	addsStopAtRefused: boolean;
	/** `valueList`: one operation with `value: [...]`. `filterPath`: one operation per person, `members[value eq "id"]`. */
	memberRemoval: 'valueList' | 'filterPath';
	membersPerRequest: number;
	/** How group ids are made, e.g. `{organization}:{role}`; empty when ids say nothing of either. */
	groupIdPattern: string;
	/** What ids of organizations begin with; a text that does not is a name. */
	organizationIdPrefix?: string;
	/** Where `/scim` goes (docs/interface.md 1.5). */
	prefix: ScimPrefix;
	/** `emails` always shows the login email, whatever was sent (docs/interface.md 2.2). */
	addsLoginEmail: boolean;
	/** What it keeps of a user, where that is known: the answer to a create repeats all else too (docs/interface.md 2.2). */
	keptAttributes?: readonly string[];
	/** A group without a `members` attribute has none; otherwise it means that members are not shown. */
	emptyGroupsOmitMembers: boolean;
	/** The list of groups comes whole when it is not asked for in pages (docs/interface.md 2.1). */
	listsAllGroupsAtOnce: boolean;
	/** Groups come and go with their organization alone, so one that is not shown was not read (docs/interface.md 1.1, 2.1). */
	groupsAreFixed: boolean;
	/** Roles are admin, member and viewer only (docs/interface.md 1.1). */
	rolesAreFixed: boolean;
	/** `display` of a group member is the person's userName; elsewhere anybody may have chosen it. */
	memberDisplayIsUserName: boolean;
	/** Every userName is an e-mail address. */
	userNameIsEmail: boolean;
	userNameCanChange: boolean;
	/** A filter for a userName finds it in any case. */
	filterIgnoresCase: boolean;
	/** A filter finds users of other accounts too, who cannot be read by id (docs/interface.md 2.2). */
	filterFindsForeignUsers: boolean;
	/** A filter may ask for a part of a name; elsewhere whole names alone are known (docs/interface.md 1.5, 2.1). */
	filtersByPart: boolean;
	/** A filter of groups by anything else, also in other case, is ignored (docs/interface.md 2.1). Undefined: not known. */
	groupFilterAttributes?: readonly string[];
	/** `totalResults` counts the whole list; otherwise a list ends only when a page brings nothing new. */
	totalsCountAllPages: boolean;
}

export type ScimPrefix = 'everyRequest' | 'collectionsOnly' | 'nowhere';

export type ProfileName = 'accountOrganizations' | 'generic';

export const PROFILES: Readonly<Record<ProfileName, ServiceProfile>> = {
	accountOrganizations: {
		addMovesWithinOrganization: true,
		oneRolePerOrganization: true,
		deactivationDropsMemberships: true,
		removalIsRoleBlind: true,
		addsStopAtRefused: true,
		memberRemoval: 'valueList',
		membersPerRequest: 100,
		groupIdPattern: '{organization}:{role}',
		organizationIdPrefix: 'org-',
		prefix: 'everyRequest',
		addsLoginEmail: true,
		keptAttributes: ['id', 'username', 'externalid', 'active', 'name', 'emails'],
		emptyGroupsOmitMembers: true,
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
		removalIsRoleBlind: false,
		addsStopAtRefused: false,
		memberRemoval: 'filterPath',
		membersPerRequest: 100,
		groupIdPattern: '',
		prefix: 'nowhere',
		addsLoginEmail: false,
		emptyGroupsOmitMembers: false,
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
