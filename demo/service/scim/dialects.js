'use strict';

/**
 * Services of others, as their pages say that they are, each as a choice of switches (switches.js): a new one costs an
 * entry here. Where a page leaves it open, the worst for a client is chosen, and said.
 * @typedef {object} Dialect
 * @property {string} page where it is documented
 * @property {string} path of the Base URL, as documented
 * @property {string} preset the Service Profile to use with it
 * @property {Partial<typeof import('./switches').DEFAULTS>} switches
 */

/** A schema as `/Schemas` shows it, of attributes that are texts; `more` says what else they are. */
const schemaOf = (name, names, more) => ({
	id: `urn:ietf:params:scim:schemas:core:2.0:${name}`,
	name,
	attributes: names.map((one) => ({
		...{ name: one, type: 'string', multiValued: false, mutability: 'readWrite' },
		...{ returned: 'default', ...more[one] },
	})),
});
const COMPLEX = { type: 'complex', multiValued: true };
const NAMES = ['formatted', 'familyName', 'givenName', 'middleName'].map((name) => ({ name }));

/** What Keycloak says of itself: memberships are returned on request. */
const KEYCLOAK_SCHEMAS = [
	schemaOf(
		'User',
		[
			...[
				'userName',
				'emails',
				'name',
				'displayName',
				'title',
				'externalId',
				'userType',
				'nickName',
			],
			...['locale', 'timezone', 'preferredLanguage', 'profileUrl', 'active', 'groups'],
		],
		{
			userName: { required: true, uniqueness: 'server' },
			emails: COMPLEX,
			name: { type: 'complex', subAttributes: NAMES },
			active: { type: 'boolean' },
			groups: { ...COMPLEX, returned: 'request' },
		},
	),
	schemaOf('Group', ['displayName', 'externalId', 'members'], {
		members: { ...COMPLEX, returned: 'request' },
	}),
];

/** Users of GitLab. What comes without a filter, and for another filter, is open: no users, and 400. */
const GITLAB_USERS = {
	ids: 'externalId',
	requires: ['userName', 'externalId'],
	listsByFilterOnly: true,
	filterBy: { Users: ['id'] },
	usersShowGroups: 'absent',
};

const INFISICAL = {
	requires: ['userName', 'emails.primary'],
	putRequires: { Users: ['userName'], Groups: ['id', 'displayName'] },
	membersNeedDisplay: { PUT: 'any', POST: 'any' },
	usersShowGroups: 'absent',
	deleteAnswer: 200,
};

/** @type {Record<string, Dialect>} */
const DIALECTS = {
	/** A `count` above 100 and a removal by filter path are refused: open. */
	aws: {
		page: 'docs.aws.amazon.com/singlesignon/latest/developerguide: listusers, listgroups, createuser, patchgroup, limitations',
		path: '/TENANT/scim/v2',
		preset: 'awsIdentityCenter',
		switches: {
			paging: 'cursorAsked',
			pageCap: 100,
			mostCount: 100,
			// "totalResults": 100 of a list that goes on when it is asked for with a cursor (listusers).
			total: 'page',
			refusesQuery: ['startIndex', 'attributes', 'excludedAttributes'],
			filterBy: {
				Users: ['userName', 'externalId', 'id', 'groups.value'],
				Groups: ['displayName', 'externalId', 'id', 'members.value', 'id members'],
			},
			membershipFilter: 'on',
			filterForNobody: 404,
			showsMembers: 'empty',
			usersShowGroups: 'absent',
			requires: ['userName', 'displayName', 'name.givenName', 'name.familyName'],
			mostEntries: 1,
			mostMembers: 100,
			refusesWholeLists: true,
			refusesFilterPath: 400,
			groupPatchAnswers: '204',
			without: ['PUT Groups'],
		},
	},
	/** Whether a converted name is made unique is open: one that is taken is 409. */
	slack: {
		page: 'docs.slack.dev/reference/scim-api, docs.slack.dev/reference/scim-api/rate-limits; help.okta.com: long_username',
		path: '/scim/v2',
		preset: 'slack',
		switches: {
			nameLength: 21,
			requires: ['userName', 'emails'],
			deletesSoftly: true,
			rateLimit: [
				{ on: /^(POST|PUT|PATCH|DELETE) /, capacity: 180, refillPerMinute: 600, retryAfter: 1 },
				{ on: /^GET /, capacity: 1000, refillPerMinute: 1000, retryAfter: 1 },
				{
					on: /^(POST|PUT|PATCH|DELETE) .*Users/,
					capacity: 20,
					refillPerMinute: 180,
					retryAfter: 1,
				},
			],
		},
	},
	/** A deleted user that is provisioned again is another one, with another ID. */
	github: {
		page: 'docs.github.com: provisioning users and groups with SCIM using the REST API',
		path: '/scim/v2/enterprises/acme',
		preset: 'github',
		switches: { needsUserAgent: true, requires: ['userName', 'externalId', 'emails'] },
	},
	/** The page has no Groups. */
	gitlab: {
		page: 'docs.gitlab.com/api/scim, its SCIM endpoints for a group',
		path: '/api/scim/v2/groups/acme',
		preset: 'generic',
		switches: { ...GITLAB_USERS, types: ['Users'] },
	},
	/**
	 * Self-managed. POST /Groups takes the name of a SAML group link and no other (issue 509425); `members` are shown since
	 * merge request 243439.
	 */
	gitlabInstance: {
		page: 'gitlab.com/gitlab-org/gitlab: merge requests 184997, 186309, 243439, issue 509425',
		path: '/api/scim/v2/application',
		preset: 'generic',
		switches: { ...GITLAB_USERS, fixedGroups: true },
	},
	/** Multi-tenant Cloud, with Basic. Whether other filters are refused is open: they are. */
	wandb: {
		page: 'docs.wandb.ai/platform/hosting/iam/scim',
		path: '/scim',
		preset: 'weightsAndBiases',
		switches: {
			scheme: 'Basic',
			emails: 'object',
			filterBy: { Users: ['emails.value'] },
			userDefaults: { organizationRole: 'member', teamRoles: [] },
			deactivationDeletes: true,
		},
	},
	/** A 409 for a concurrent update is a fault (faults.js), not a way of the service. */
	langfuse: {
		page: 'langfuse.com/docs/administration/scim-and-org-api',
		path: '/api/public/scim',
		preset: 'generic',
		switches: {
			scheme: 'Basic',
			types: ['Users'],
			usersShowGroups: 'absent',
			userDefaults: { roles: ['NONE'] },
			ownerIn: 'roles',
			deactivationDeletes: true,
		},
	},
	/** Whether another media type is refused is open: it is. */
	databricks: {
		page: 'docs.databricks.com: account SCIM API 2.1',
		path: '/api/2.0/accounts/1/scim/v2',
		preset: 'databricks',
		switches: { mediaType: 'application/scim+json', mostFilterNodes: 200 },
	},
	sentry: {
		page: 'github.com/getsentry/sentry: src/sentry/scim/endpoints/members.py',
		path: '/organizations/acme/scim/v2',
		preset: 'generic',
		switches: {
			patchTakes: ['active'],
			deactivationDeletes: true,
			ownerIn: 'sentryOrgRole',
			mostOperations: 100,
			without: ['PUT Groups'],
		},
	},
	/** Whether a larger page can be asked for is open: it cannot. */
	activepieces: {
		page: 'github.com/activepieces/activepieces: ee/scim',
		path: '/scim/v2',
		preset: 'generic',
		switches: {
			ignoresStart: true,
			total: 'page',
			pageCap: 100,
			deletesSoftly: true,
			ignoresRemovals: ['valueList'],
			neverAddsInactive: true,
		},
	},
	miro: {
		page: 'developers.miro.com/reference/rate-limits',
		path: '/api/v1/scim',
		preset: 'generic',
		switches: {
			mostMembers: 8000,
			tooManyMembers: 413,
			mostBytes: 800_000,
			rateLimit: [
				{ on: /^GET .*Groups$/, capacity: 5, refillPerMinute: 10 },
				{ on: /^GET .*Groups\//, capacity: 20, refillPerMinute: 40 },
				{ on: /^PATCH .*Groups\//, above: 500, capacity: 5, refillPerMinute: 10 },
				{ on: /^PATCH /, capacity: 100, refillPerMinute: 200 },
				{ on: /^DELETE .*Users/, capacity: 20, refillPerMinute: 40 },
			],
		},
	},
	/**
	 * Memberships are shown where `attributes` names them, lists and filters have top-level groups alone, and a user in
	 * a subgroup is in the one above indirectly. An empty group shows no list, even when it is asked for. Service accounts,
	 * which are members unseen, and groups of organizations are left out.
	 */
	keycloak: {
		page: 'github.com/keycloak/keycloak 26.8: scim/model GroupCoreModelSchema, UserCoreModelSchema, GroupResourceTypeProvider, scim/services ScimResourceTypeResource, Error, scim/tests GroupTest, PaginationTest; discussion 54267',
		path: '/realms/acme/scim/v2',
		preset: 'keycloak',
		switches: {
			discovery: { Schemas: { totalResults: 2, Resources: KEYCLOAK_SCHEMAS } },
			pageCap: 100,
			emails: 'primary',
			showsMembers: 'asked',
			usersShowGroups: 'asked',
			showsAskedAlone: true,
			listsTopLevelAlone: true,
			unknownMembers: 'refused',
			putRequires: { Users: ['id', 'userName'], Groups: ['id', 'displayName'] },
			membersByPatchAlone: true,
		},
	},
	/**
	 * A `display` that is not the member's user name is refused, too; a removal without a filter is one of everybody, whatever
	 * list of values it has. Before 7.0 a path `members` was 500 (product-is issue 16933): that is left out.
	 */
	wso2: {
		page: 'github.com/wso2/charon: GroupResourceManager (transformMembersAttributeToMap, isDeleteAllUsersOperationFound); wso2/product-is issues 11858, 16097',
		path: '/scim2',
		preset: 'generic',
		switches: {
			membersNeedDisplay: { PATCH: 'userName' },
			removesEverybody: ['valueList'],
			unknownMembers: 'refused',
		},
	},
	/** As its own example maps a user: emails of type work; what an application maps besides is open: nothing. */
	scimitar: {
		page: 'github.com/RIPAGlobal/scimitar: app/models/scimitar/resources/mixin.rb (scim_attributes_map), schema/attribute.rb',
		path: '/scim_v2',
		preset: 'generic',
		switches: { emails: 'byType', entriesNeedValues: true, usersShowGroups: 'absent' },
	},
	/**
	 * Pages have 20, whatever is asked for, and each but the first begins 20 too early. What its parser makes of a removal by
	 * filter path is open: it is none, without a word, as a replace of members and a PUT without any are.
	 */
	authentik: {
		page: 'github.com/goauthentik/authentik: authentik/sources/scim/views/v2/groups.py, users.py, base.py',
		path: '/source/scim/acme/v2',
		preset: 'generic',
		switches: {
			ignoresCount: true,
			pageCap: 20,
			overlap: 20,
			filterBy: {
				Users: ['id', 'userName', 'active', 'name.familyName', 'externalId'],
				Groups: ['id', 'displayName', 'members', 'externalId'],
			},
			ignoresRemovals: ['filterPath'],
			ignoresChanges: ['replace', 'emptyPut'],
			putRequires: { Users: ['userName'], Groups: ['displayName'] },
			showsNames: false,
			usersShowGroups: 'absent',
		},
	},
	/** Its source before it had PATCH, of which many an installation is left: GET, PUT and DELETE. */
	authentik2024: {
		page: 'github.com/goauthentik/authentik issue 11249; authentik/sources/scim/views/v2/groups.py of 2024',
		path: '/source/scim/acme/v2',
		preset: 'generic',
		switches: {
			ignoresCount: true,
			pageCap: 20,
			overlap: 20,
			filterBy: { Users: ['id', 'userName', 'active'], Groups: ['id', 'displayName'] },
			without: ['PATCH Users', 'PATCH Groups'],
			putRequires: { Users: ['userName'], Groups: ['displayName'] },
			showsNames: false,
			usersShowGroups: 'absent',
		},
	},
	/**
	 * Members are shown of one group alone, never in a list. In which release Groups are is open: before it they are 404.
	 * A user's PUT answers with the user; here it is 204, as a PATCH is.
	 */
	zitadel: {
		page: 'github.com/zitadel/zitadel: internal/api/scim/resources/user.go, group.go, user_query_builder.go, resource_list.go',
		path: '/scim/v2/ORGANIZATION',
		preset: 'generic',
		switches: {
			pageCap: 100,
			mostCount: 100,
			filterBy: {
				Users: [
					...['id', 'userName', 'name.familyName', 'name.givenName'],
					...['emails', 'emails.value', 'active', 'externalId'],
				],
			},
			groupFilter: 501,
			emails: 'primary',
			requires: ['userName', 'name.givenName', 'name.familyName', 'emails'],
			patchAnswers: '204',
			groupPatchAnswers: 'body',
			without: ['PATCH Groups'],
			withoutAnswers: 501,
			putRequires: { Groups: ['displayName'] },
			unknownMembers: 'refused',
			showsMembers: 'whenAny',
			listsMembers: 'absent',
			usersShowGroups: 'absent',
		},
	},
	/** Filters of groups are open: they work. What it refuses of an attribute with 501 is 400 here; a PUT removes no one. */
	djangoScim2: {
		page: 'github.com/15five/django-scim2: src/django_scim/adapters.py, views.py',
		path: '/scim/v2',
		preset: 'generic',
		switches: {
			filterBy: { Users: ['userName', 'name.familyName', 'name.givenName', 'active'] },
			patchTakes: ['userName', 'name.familyName', 'name.givenName', 'active', 'emails'],
			pathsTakeTextAlone: true,
			emails: 'primary',
			refusesFilterPath: 501,
			ignoresChanges: ['put'],
			unknownMembers: 'refused',
		},
	},
	/** What its other ways are is open: well-behaved. */
	pranems: {
		page: 'github.com/pranems/SCIMServer: api/src/modules/scim/utils/scim-patch-path.ts; an earlier version was run',
		path: '/scim/v2',
		preset: 'generic',
		switches: { dottedPathsAreNames: true },
	},
	/** What is 422 there is 400 here. Whether a user without emails is taken is open: it is not. */
	infisical: {
		page: 'github.com/Infisical/infisical: backend/src/ee/routes/v1/scim-router.ts; issue 6552',
		path: '/api/v1/scim/v2',
		preset: 'generic',
		switches: INFISICAL,
	},
	/** In May 2026 a list of 136 had 67 users, one of them 14 times. What the join was over is open: the groups of each. */
	infisical2026: {
		page: 'github.com/Infisical/infisical issue 6554',
		path: '/api/v1/scim/v2',
		preset: 'generic',
		switches: { ...INFISICAL, listsTwice: 'perGroup' },
	},
	/**
	 * A total is the size of the page, and a filter is one of the page; what it fails on with 500 is 400 here. A removal
	 * by a list of values takes everybody. Groups come on one page there, and on several here.
	 */
	nodeScim: {
		page: 'github.com/mnahkies/node-scim: src/routes/users.ts, groups.ts, src/utils.ts (performPatchOperation), src/idp-adapters/firebase.ts',
		path: '/scim/v2',
		preset: 'generic',
		switches: {
			startCounts: 'pages',
			total: 'page',
			filter: 'ofPage',
			groupFilter: 'on',
			filterBy: { Users: ['id', 'userName'], Groups: ['id', 'displayName', 'externalId'] },
			keepsAlone: ['displayName'],
			refusesFilterPath: 400,
			removesEverybody: ['valueList'],
			usersShowGroups: 'empty',
		},
	},
	/** With its store in memory: only IDs are unique there, and users show no groups. */
	keystone: {
		page: 'github.com/keystone-scim/keystone: keystone_scim/rest/user.py, group.py, keystone_scim/store/memory_store.py',
		path: '/scim',
		preset: 'generic',
		switches: {
			mergesBodies: true,
			takenNames: 'stored',
			without: ['PUT Groups'],
			usersShowGroups: 'absent',
			deleteAnswer: 200,
		},
	},
	/** Up to 1.51. What users show of their groups is open: nothing, and no filter finds them. */
	fusionAuth: {
		page: 'github.com/FusionAuth/fusionauth-issues issue 2784',
		path: '/api/scim/resource/v2',
		preset: 'generic',
		switches: {
			mostShownMembers: 100,
			losesUnshown: true,
			usersShowGroups: 'absent',
			membershipFilter: 'off',
		},
	},
	/** IDs are numbers, and `7of9` is 7. */
	snipeIt: {
		page: 'github.com/grokability/snipe-it issues 13854, 13948; github.com/laravel/framework issue 26343',
		path: '/scim/v2',
		preset: 'generic',
		switches: { readsNumbers: true, active: 'number', takenNames: 'answered' },
	},
};

/**
 * @param {string} name
 * @returns {Dialect}
 * @throws {Error} on a dialect that there is not
 */
function dialectOf(name) {
	if (Object.hasOwn(DIALECTS, name)) return DIALECTS[name];
	throw new Error(`The dialect is one of ${Object.keys(DIALECTS).join(', ')}`);
}

module.exports = { DIALECTS, dialectOf };
