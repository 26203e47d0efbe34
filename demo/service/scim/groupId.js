'use strict';

const { ROLES } = require('../state/directory');
const { refusal } = require('./messages');

/**
 * docs/interface.md 2.3: the id in every answer is `whylabs-org-<suffix>:<role>`; on input the prefix may
 * be missing and the role may be in upper case.
 */

/** @returns {string} the canonical id */
const groupId = ({ organizationId, role }) => `whylabs-${organizationId}:${role}`;

/**
 * @param {string} text
 * @returns {{ organizationId: string, role: string }} the organization need not exist
 * @throws {import('../answer').Refusal} 400 invalidValue when it has not the form of a group id
 */
function parseGroupId(text) {
	const [organization, named] = text.split(':');
	const role = named?.toLowerCase();
	if (!ROLES.includes(role)) {
		throw refusal(400, `${text} is not a valid group`, { scimType: 'invalidValue' });
	}
	return { organizationId: organization.replace('whylabs-', ''), role };
}

/** @returns {Array<{ organizationId: string, role: string }>} every group of the account, empty ones too */
function allGroups(organizations) {
	return organizations.flatMap(({ id }) => ROLES.map((role) => ({ organizationId: id, role })));
}

module.exports = { groupId, parseGroupId, allGroups };
