'use strict';

// Kinds of services. All are the same thing: places, each with groups of which a person has one, or any. An
// organization is a place whose groups are its roles; a plain group is a place of its own.

const { ACCOUNT, MemoryService, ROLES, userIdOf: hashed } = require('../support/memoryService');
const { GROUPS, credentialOf, serviceWith } = require('../support/modelGroupsPlay');

/** The same few people are asked for again and again. */
const known = new Map();
function userIdOf(email) {
	if (!known.has(email)) known.set(email, hashed(email));
	return known.get(email);
}

const emailOf = (index) => `p${index}@${index % 7 === 6 ? 'partner.test' : 'example.com'}`;

const ORGANIZATIONS = ['org-1', 'org-2', 'org-3', 'org-4', 'org-5', 'org-6'].map((organization) =>
	ROLES.map((role) => {
		const id = `${organization}:${role}`;
		return { id, displayName: id, organization, role };
	}),
);
/** Those whose name, or else ID, is one group's alone. */
const PLAIN = ['everyone', 'eng', 'ENG', 'sales', 'vpn', 'vpnToo'].map((word) => [GROUPS[word]]);

const GENERIC = {
	credential: {
		serviceProfile: 'generic',
		overrideProfile: true,
		deletionIsFinal: 'no',
		groupsStandFor: 'organizationAndRole',
		groupPattern: '{organization}:{role}',
		oneRolePerOrganization: 'yes',
		// The way of a new account; that of one PATCH has tests of its own (test/behavior).
		userNameCanChange: 'no',
	},
	switches: { fixedGroups: true, unknownMembers: 'refusedAfter', usersShowGroups: 'whenAny' },
};

/** `oneRole`: of the groups of a place, a person has one. */
const KINDS = {
	account: {
		places: ORGANIZATIONS,
		oneRole: true,
		hasRoles: true,
		credential: {
			serviceProfile: 'accountOrganizations',
			overrideProfile: true,
			accountOrganizationId: 'org-account',
		},
		switches: ACCOUNT,
	},
	genericOneRole: { places: ORGANIZATIONS, oneRole: true, hasRoles: true, ...GENERIC },
	genericManyRoles: {
		places: ORGANIZATIONS,
		oneRole: false,
		hasRoles: true,
		...GENERIC,
		credential: { ...GENERIC.credential, oneRolePerOrganization: 'no' },
	},
	plainGroups: { places: PLAIN, oneRole: false, hasRoles: false },
};

/** Gives people another name than their login, from the beginning: only a filter finds them by the login then. */
function rename(service, ids) {
	for (const id of ids)
		service.users.set(id, { ...service.users.get(id), userName: `other.${id}@example.com` });
	service.states = [];
	service.record('the beginning');
}

/** The service of a case. */
function serviceOf({ kind, directory: { places, people, renamed = [] }, hazards, ways }) {
	const { hasRoles, switches } = KINDS[kind];
	const { refusing, ...more } = hazards;
	if (!hasRoles) {
		const { isTold: _, ...plain } = ways;
		const seeds = people.map(({ held, ...person }) => ({
			...{ ...person, id: userIdOf(person.userName), groups: held },
		}));
		return serviceWith({ groups: places.flat(), people: seeds, ...more, ...plain });
	}
	const organizations = places.map(([{ organization: id }]) => ({
		id,
		...(id === refusing && { allowedDomains: ['example.com'] }),
	}));
	const memberships = people.flatMap(({ userName, held }) =>
		held.map((id) => {
			const [organization, role] = id.split(':');
			return { userName, organization, role };
		}),
	);
	const users = people.map(({ held, ...person }) => ({ ...person, id: userIdOf(person.userName) }));
	const service = new MemoryService(
		{ users, organizations, memberships },
		{ ...more, ...switches },
	);
	if (more.filter !== 'off') rename(service, renamed);
	return service;
}

/** The state of the service of a case before anything is done, as of shapeOf. */
function startOf({ directory: { places, people } }) {
	const members = Object.fromEntries(places.flat().map(({ id }) => [id, []]));
	const active = {};
	for (const person of people) {
		const id = userIdOf(person.userName);
		active[id] = person.active;
		for (const group of person.held) members[group].push(id);
	}
	for (const ids of Object.values(members)) ids.sort();
	return { active, members };
}

/** The credential of a case. */
function credentialFor({ kind, ways, settings: { membersPerRequest } }) {
	const { hasRoles, credential } = KINDS[kind];
	if (hasRoles) return { ...credential, membersPerRequest };
	const { membersShownOn, emptyUserGroups, isTold } = ways;
	const shows = (...sides) => isTold && sides.includes(membersShownOn);
	return {
		...credentialOf(ways, membersPerRequest),
		userNameCanChange: 'no',
		...(shows('both', 'groups') && { groupsShowMembers: 'yes' }),
		...(shows('both', 'users') && !emptyUserGroups && { usersShowGroups: 'yes' }),
	};
}

module.exports = { KINDS, credentialFor, emailOf, rename, serviceOf, startOf, userIdOf };
