'use strict';

/** What has to come out, by step, where IDs of groups say nothing of organizations and roles. */
const GROUPS_WITHOUT_ROLES = {
	'Access: Assign':
		/^error: The credential does not say which organization and role a group stands for/,
	'Access: Set (move)':
		/^error: The credential does not say which organization and role a group stands for/,
};

module.exports = { GROUPS_WITHOUT_ROLES };
