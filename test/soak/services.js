'use strict';

const { ACCOUNT, ROLES } = require('../support/memoryService');
const { credentialOf, rows } = require('../support/modelGroupsPlay');

const PLACES = 30;
const numbers = Array.from({ length: PLACES }, (_, number) => number + 1);
const organizations = numbers.map((number) => `org-${number}`);
const apps = numbers.map((number) => `app-${number}`);

/**
 * What a night is played on. `places` are groups of which a person is in one at most, the first with those who never
 * leave; `outside` are groups that no operation may touch; `row` is a group as rows name it.
 */
const SERVICES = {
	'account with organizations': {
		places: organizations.map((id) => ROLES.map((role) => `${id}:${role}`)),
		outside: ROLES.map((role) => `org-account:${role}`),
		seed: { organizations: ['org-account', ...organizations] },
		switches: ACCOUNT,
		credential: {
			serviceProfile: 'accountOrganizations',
			overrideProfile: true,
			accountOrganizationId: 'org-account',
		},
		row(group) {
			const [organization, role] = group.split(':');
			return { organization, role };
		},
		scope: { accessBy: 'organizationAndRole', scopeOrganizations: organizations.join() },
	},
	'plain groups': {
		places: apps.map((id) => [id]),
		outside: ['everyone'],
		seed: { groups: [...apps, 'everyone'].map((id) => ({ id })) },
		switches: { unknownMembers: 'refusedAfter', refusesStrangers: true },
		credential: credentialOf({}),
		row: (group) => ({ groupId: group }),
		scope: { accessBy: 'group', scopeGroups: rows('app-*'), managedGroups: rows('app-*') },
	},
};

/** Every third seed is one of plain groups. */
const serviceFor = (seed) => Object.entries(SERVICES)[seed % 3 === 0 ? 1 : 0];

module.exports = { serviceFor };
