'use strict';

// Parameters of Assign, Set and Revoke that name access, as the editor saves them.

const locator = (mode, value) => ({ __rl: true, mode, value });
const groupRows = (...groups) => ({ group: groups.map((group) => ({ group })) });

/** One row: a role in an organization. */
const oneRole = (organization, role) => ({
	accessBy: 'organizationAndRole',
	roles: { role: [{ organization, role }] },
});

/** Rows of groups, each a locator, or the bare text of an agent. */
const someGroups = (...groups) => ({ groups: groupRows(...groups) });

/** One row with what an expression gave, or the expression; *Access By* says which field counts. */
const fromExpression = (value) => ({
	groups: groupRows(locator('id', value)),
	roles: { role: [{ organization: locator('id', value), role: 'member' }] },
});

module.exports = { fromExpression, groupRows, locator, oneRole, someGroups };
