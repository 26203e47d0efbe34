'use strict';

const { ROLES } = require('../state/directory');

/**
 * docs/interface.md 2.3: the id in every answer is `whylabs-org-<suffix>:<role>`; on input the prefix may
 * be missing and the role may be in upper case.
 */

/** @returns {string} the canonical id */
const groupId = ({ organizationId, role }) => `whylabs-${organizationId}:${role}`;

/**
 * @param {unknown} text
 * @param {Array<{ id: string }>} organizations
 * @returns {{ organizationId: string, role: string } | undefined} nothing when there is no such group
 */
function parseGroupId(text, organizations) {
	const [, organizationId, named] = /^(?:whylabs-)?([^:]+):([^:]+)$/.exec(String(text)) ?? [];
	const role = named?.toLowerCase();
	const known = ROLES.includes(role) && organizations.some(({ id }) => id === organizationId);
	return known ? { organizationId, role } : undefined;
}

/** @returns {Array<{ organizationId: string, role: string }>} every group of the account, empty ones too */
function allGroups(organizations) {
	return organizations.flatMap(({ id }) => ROLES.map((role) => ({ organizationId: id, role })));
}

module.exports = { groupId, parseGroupId, allGroups };
