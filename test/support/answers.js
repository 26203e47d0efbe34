'use strict';

// What the service says, as test/contract/interface.md describes it: part 1 as documented, part 2 as seen.

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

const ANA = 'ana@example.com';

/** Waits for nothing: one try, one look. */
const QUICK = { maxWait: 0, verifyTime: 0 };

const user = (id, userName, changes = {}) => ({
	...{ schemas: [USER], id, userName, active: true },
	meta: { resourceType: 'User', location: `http://scim.test/scim/Users/${id}` },
	...changes,
});

/** What POST answers (1.2): less than GET. */
function created(id, userName) {
	const { active, meta } = user(id, userName);
	return [201, { userName, id, active, meta }];
}

/** The service answers with the canonical id, and without `members` when there are none (1.3, 2.3). */
const group = (id) => ({
	...{ schemas: [GROUP], id, displayName: id },
	meta: { resourceType: 'Group', location: `http://scim.test/scim/Groups/${id}` },
});

const list = (resources, changes = {}) => ({
	...{ schemas: [LIST], Resources: resources, totalResults: resources.length },
	...{ itemsPerPage: resources.length, startIndex: 1, ...changes },
});

const accessDenied = (status) => [status, { error: 'Access denied' }];

module.exports = { ANA, QUICK, accessDenied, created, group, list, user };
