'use strict';

/** The roles before and after, in one word: `>admin` is given, `admin>` is taken, `viewer>admin` is moved. */
const roles = (before, after) => (before === after ? before : `${before ?? ''}>${after ?? ''}`);

/** An item of an operation on access as one line: `granted ana@example.com org-a >admin done`. */
const lineOf = ({ change, userId, userName, organization, groupId, roleBefore, role, status }) =>
	[change, userName ?? userId, organization ?? groupId, roles(roleBefore, role), status]
		.filter(Boolean)
		.join(' ');

/** Items of an operation on access, a line each. */
const itemsOf = (items) => items.map(lineOf);

/** The status of each item. */
const statusesOf = (items) => items.map(({ status }) => status);

module.exports = { itemsOf, statusesOf };
