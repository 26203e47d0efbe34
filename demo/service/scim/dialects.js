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
	/** Who was deleted and is provisioned again is somebody else, with another ID. */
	github: {
		page: 'docs.github.com: provisioning users and groups with SCIM using the REST API',
		path: '/scim/v2/enterprises/acme',
		preset: 'github',
		switches: { needsUserAgent: true, requires: ['userName', 'externalId', 'emails'] },
	},
	/** What comes without a filter, and for another filter, is open: nobody, and 400. The page has no Groups. */
	gitlab: {
		page: 'docs.gitlab.com/api/scim, its SCIM endpoints for a group',
		path: '/api/scim/v2/groups/acme',
		preset: 'generic',
		switches: {
			ids: 'externalId',
			requires: ['userName', 'externalId'],
			listsByFilterOnly: true,
			filterBy: { Users: ['id'] },
			types: ['Users'],
			usersShowGroups: 'absent',
		},
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
			ignoresValueLists: true,
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
