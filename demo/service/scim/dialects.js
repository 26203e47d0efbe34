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
