'use strict';

/** What has to come out, by step, where IDs of groups say nothing of organizations and roles. */
const GROUPS_WITHOUT_ROLES = {
	'Access: Assign Role': /^error: Groups of this service cannot be named by organization and role/,
	'Access: Set Access of User (move)':
		/^error: Groups of this service cannot be named by organization and role/,
	// Which groups are access is not known, so only the proof finds that the person is still in one.
	'Access: Offboard': /^unverified: .* is still member of group/,
};

module.exports = { GROUPS_WITHOUT_ROLES };
