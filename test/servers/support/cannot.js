'use strict';

/** What has to come out, by step, where IDs of groups say nothing of organizations and roles. */
const GROUPS_WITHOUT_ROLES = {
	'Access: Assign':
		/^error: The credential does not say which organization and role a group stands for/,
	'Access: Set (move)':
		/^error: The credential does not say which organization and role a group stands for/,
	// Which groups are access is not known, so only the proof finds that the person is still in one.
	'Access: Offboard': /^unverified: .* is still member of group/,
};

module.exports = { GROUPS_WITHOUT_ROLES };
