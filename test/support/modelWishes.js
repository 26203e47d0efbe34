'use strict';

// Random directories, what is wanted of them, and what has to come out: told apart from the package, by plain sets.

const fc = require('fast-check');

require('./seed');

const { ACCOUNT } = require('../../demo/service/scim/switches');

const { MemoryService, ROLES, shapeOf, userIdOf } = require('./memoryService');
const { fromExpression } = require('./accessRows');

const PEOPLE = 40;
const ORGANIZATIONS = ['org-1', 'org-2', 'org-3', 'org-4', 'org-5', 'org-6'];

/** A service, and the credential that says what it is like. `oneRole`: in one organization, for one person. */
const PROFILES = {
	accountOrganizations: {
		oneRole: true,
		credential: {
			serviceProfile: 'accountOrganizations',
			overrideProfile: true,
			accountOrganizationId: 'org-account',
		},
		switches: ACCOUNT,
	},
	genericOneRole: {
		oneRole: true,
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
	},
};
PROFILES.genericManyRoles = {
	oneRole: false,
	credential: { ...PROFILES.genericOneRole.credential, oneRolePerOrganization: 'no' },
	switches: PROFILES.genericOneRole.switches,
};

const emailOf = (index) => `p${index}@${index % 7 === 6 ? 'partner.test' : 'example.com'}`;
const newEmailOf = (index) => `new${index}@example.com`;

const weighted = (...pairs) =>
	fc.oneof(...pairs.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));

/** @param {keyof PROFILES} profile */
function directories(profile) {
	const { oneRole } = PROFILES[profile];
	const held = oneRole
		? weighted([4, []], [1, ['admin']], [2, ['member']], [1, ['viewer']])
		: fc.oneof(
				{ weight: 2, arbitrary: fc.constant([]) },
				{ weight: 1, arbitrary: fc.subarray(ROLES, { minLength: 1 }) },
			);
	const person = fc.record({
		active: weighted([6, true], [1, false]),
		isRenamed: weighted([6, false], [1, profile === 'accountOrganizations']),
		held: fc.array(held, { minLength: 6, maxLength: 6 }),
	});
	return fc
		.record({
			organizations: fc.integer({ min: 1, max: 6 }),
			people: fc.array(person, { minLength: 1, maxLength: PEOPLE }),
		})
		.map(({ organizations, people }) => ({
			organizations: ORGANIZATIONS.slice(0, organizations),
			people: people.map(({ active, held: roles }, index) => ({
				userName: emailOf(index),
				externalId: `hr-${index}`,
				active,
				roles: Object.fromEntries(
					ORGANIZATIONS.slice(0, organizations).map((id, at) => [id, roles[at]]),
				),
			})),
			/** Another client changed the name that is shown; the login is what it was. */
			renamed: people.flatMap(({ isRenamed }, index) =>
				isRenamed ? [userIdOf(emailOf(index))] : [],
			),
		}));
}

const role = fc.constantFrom(...ROLES);
const index = fc.nat(PEOPLE - 1);
const named = fc.record({ person: index, by: fc.constantFrom('id', 'email', 'EMAIL') });
const place = fc.nat(5);

/** What is wanted, by operation. People and organizations are numbers, taken modulo how many there are. */
const WISHES = {
	assign: fc.record({
		operation: fc.constant('assign'),
		assignments: fc.array(fc.record({ who: named, organization: place, role }), { maxLength: 12 }),
		joiners: fc.array(fc.record({ who: fc.nat(4), organization: place, role }), { maxLength: 6 }),
		createMissing: fc.boolean(),
		reactivate: fc.boolean(),
	}),
	set: fc.record({
		operation: fc.constant('set'),
		lists: fc.array(
			fc.record({
				who: named,
				roles: fc.array(weighted([3, ''], [1, 'admin'], [1, 'member'], [1, 'viewer']), {
					minLength: 6,
					maxLength: 6,
				}),
			}),
			{ minLength: 1, maxLength: 8 },
		),
		reactivate: fc.boolean(),
	}),
	revoke: fc.record({
		operation: fc.constant('revoke'),
		revocations: fc.array(
			fc.record({
				who: named,
				organization: fc.option(place),
				role: weighted([3, 'any'], [1, 'admin'], [1, 'member']),
			}),
			{ minLength: 1, maxLength: 8 },
		),
	}),
	offboard: fc.record({
		operation: fc.constant('offboard'),
		leavers: fc.array(named, { minLength: 1, maxLength: 8 }),
		deletes: fc.boolean(),
	}),
	setMembers: fc.record({
		operation: fc.constant('setMembers'),
		lists: fc.array(
			fc.record({ organization: place, role, members: fc.array(named, { maxLength: 12 }) }),
			{
				minLength: 1,
				maxLength: 3,
			},
		),
		replaceWith: fc.constantFrom('difference', 'wholeList'),
	}),
	changeEmail: fc.record({
		operation: fc.constant('changeEmail'),
		who: fc.record({ person: index, by: fc.constantFrom('id', 'email') }),
		/** Number of the person who has the new email already. */
		existing: fc.option(index),
	}),
};

/** Guards and options of a run. */
const settings = fc.record({
	shielded: fc.array(fc.record({ person: index, by: fc.constantFrom('id', 'email') }), {
		maxLength: 3,
	}),
	allowRemovingLastAdmin: fc.boolean(),
	concurrency: fc.integer({ min: 1, max: 6 }),
	membersPerRequest: fc.constantFrom(1, 2, 3, 100),
});

/** Ways of a service that cost requests but no access. */
const hazards = fc.record({
	patchAnswers: fc.constantFrom('body', '204', 'stale'),
	lagReads: fc.integer({ min: 0, max: 3 }),
	torn: fc.boolean(),
	createAnswer: fc.constantFrom('whole', 'withoutId'),
	showsNames: fc.boolean(),
	filter: fc.constantFrom('on', 'off'),
	pageCap: fc.option(fc.integer({ min: 3, max: 20 }), { nil: undefined }),
	faults: fc.array(
		fc.record({
			nth: fc.integer({ min: 1, max: 15 }),
			kind: fc.constantFrom('reset-before', 'reset-after', '500-after', '429'),
		}),
		{ maxLength: 2 },
	),
	seed: fc.nat(1000),
});

const unhurt = fc.record({ seed: fc.nat(1000), showsNames: fc.constant(true) });

/** The same, and one organization refuses some people. */
const refusals = fc
	.record({ hazards, organization: fc.constantFrom('org-1', 'org-2') })
	.map(({ hazards: ways, organization }) => ({
		...ways,
		faults: [],
		refusing: organization,
	}));

/** Everything that a run takes: `{ profile, directory, wish, settings, hazards }`. */
const cases = (operation, profile, ways = hazards) =>
	fc
		.record({
			profile: fc.constant(profile),
			directory: directories(profile),
			wish: WISHES[operation],
			settings,
			hazards: ways,
		})
		.map((given) => {
			if (given.wish.replaceWith !== 'wholeList') return given;
			// A whole list that got lost is not sent again by itself, because the group may have changed; the item says so.
			const faults = (given.hazards.faults ?? []).filter(({ kind }) => kind === '500-after');
			return { ...given, hazards: { ...given.hazards, faults } };
		});

/** The service of a case. */
function serviceOf({ profile, directory, hazards: ways }) {
	const { refusing, ...more } = ways;
	const organizations = directory.organizations.map((id) => ({
		id,
		...(id === refusing && { allowedDomains: ['example.com'] }),
	}));
	const service = new MemoryService(
		{ ...directory, organizations },
		{ ...more, ...PROFILES[profile].switches },
	);
	// Only a filter finds somebody by the login.
	const { renamed = [] } = directory;
	for (const id of ways.filter === 'off' ? [] : renamed)
		service.users.set(id, { ...service.users.get(id), userName: `other.${id}@example.com` });
	return service;
}

const unique = (entries, keyOf) => [
	...new Map(entries.map((entry) => [keyOf(entry), entry])).values(),
];

/** The parameters of the node for a case, and the state that has to come out of it. */
function taskOf({ profile, directory, wish, settings: guards }) {
	const { oneRole, credential } = PROFILES[profile];
	const { organizations, people } = directory;
	const start = shapeOf(new MemoryService(directory));
	const end = structuredClone(start);
	const email = (number) => emailOf(number % people.length);
	const id = (number) => userIdOf(email(number));
	const text = ({ person, by }) =>
		by === 'id' ? id(person) : by === 'EMAIL' ? email(person).toUpperCase() : email(person);
	const place = (number) => organizations[number % organizations.length];
	const shielded = new Set(guards.shielded.map(({ person }) => id(person)));
	const locator = (value) => ({ __rl: true, mode: 'id', value });

	const add = (userId, organization, wantedRole) => {
		if (oneRole) for (const other of ROLES) drop(userId, `${organization}:${other}`);
		drop(userId, `${organization}:${wantedRole}`);
		end.members[`${organization}:${wantedRole}`].push(userId);
		end.members[`${organization}:${wantedRole}`].sort();
	};
	const drop = (userId, key) => {
		end.members[key] = end.members[key].filter((member) => member !== userId);
	};
	const held = (userId) =>
		Object.keys(end.members).filter((key) => end.members[key].includes(userId));

	const parameters = {
		accessBy: 'organizationAndRole',
		preview: false,
		options: {
			protectedUsers: guards.shielded
				.map(({ person, by }) => (by === 'id' ? id(person) : email(person)))
				.join(','),
			allowRemovingLastAdmin: guards.allowRemovingLastAdmin,
			maxPeopleAffected: 1000,
		},
	};
	let items;
	let relay;
	const usable = (userId, reactivate) => {
		if (shielded.has(userId)) return false;
		if (end.active[userId] === false) {
			if (!reactivate) return false;
			end.active[userId] = true;
		}
		return true;
	};

	/** Somebody inactive is given nothing but a lower role. */
	const lowers = (userId, organization, wantedRole) =>
		oneRole &&
		!shielded.has(userId) &&
		held(userId).some((key) => {
			const [where, what] = key.split(':');
			return where === organization && ROLES.indexOf(what) < ROLES.indexOf(wantedRole);
		});

	switch (wish.operation) {
		case 'assign': {
			Object.assign(parameters, { createMissing: wish.createMissing, newUserFields: {} });
			parameters.options.reactivate = wish.reactivate;
			const scope = (who, at, wantedRole) => `${who}\n${place(at)}\n${oneRole ? '' : wantedRole}`;
			const known = unique(wish.assignments, ({ who, organization, role: wantedRole }) =>
				scope(id(who.person), organization, wantedRole),
			);
			const joiners = unique(wish.joiners, ({ who, organization, role: wantedRole }) =>
				scope(who, organization, wantedRole),
			);
			items = [
				...known.map((entry) => ({ ...entry, people: text(entry.who) })),
				...joiners.map((entry) => ({ ...entry, people: newEmailOf(entry.who) })),
			].map(({ people: who, organization, role: wantedRole }) => ({
				people: who,
				roles: { role: [{ organization: locator(place(organization)), role: wantedRole }] },
			}));
			for (const { who, organization, role: wantedRole } of known) {
				const given = [id(who.person), place(organization), wantedRole];
				if (usable(given[0], wish.reactivate) || lowers(...given)) add(...given);
			}
			for (const { who, organization, role: wantedRole } of wish.createMissing ? joiners : []) {
				const userId = userIdOf(newEmailOf(who));
				end.active[userId] = true;
				add(userId, place(organization), wantedRole);
			}
			break;
		}
		case 'set': {
			Object.assign(parameters.options, { reactivate: wish.reactivate, allowEmpty: true });
			const lists = unique(wish.lists, ({ who }) => id(who.person));
			const rowsOf = ({ roles }) =>
				organizations.flatMap((organization, at) =>
					roles[at] === '' ? [] : [{ organization, role: roles[at] }],
				);
			items = lists.map((list) => ({ people: text(list.who), ...fromExpression(rowsOf(list)) }));
			for (const list of lists) {
				const userId = id(list.who.person);
				const rows = rowsOf(list);
				const missing = rows.filter(
					(row) => !held(userId).includes(`${row.organization}:${row.role}`),
				);
				const areLower = missing.every((row) => lowers(userId, row.organization, row.role));
				const isUsable = rows.length === 0 || usable(userId, wish.reactivate);
				if (shielded.has(userId) || !(isUsable || (missing.length > 0 && areLower))) continue;
				for (const key of held(userId)) drop(userId, key);
				for (const row of rows) add(userId, row.organization, row.role);
			}
			break;
		}
		case 'revoke': {
			items = wish.revocations.map(({ who, organization, role: wantedRole }) => ({
				people: text(who),
				revokeIn: organization === null ? 'all' : 'one',
				organization: locator(organization === null ? '' : place(organization)),
				roleHeld: wantedRole,
			}));
			for (const { who, organization, role: wantedRole } of wish.revocations) {
				const userId = id(who.person);
				if (shielded.has(userId)) continue;
				for (const key of held(userId)) {
					const [where, what] = key.split(':');
					const matches =
						(organization === null || where === place(organization)) &&
						(wantedRole === 'any' || what === wantedRole);
					if (matches) drop(userId, key);
				}
			}
			break;
		}
		case 'offboard': {
			parameters.method = wish.deletes ? 'delete' : 'deactivate';
			items = unique(wish.leavers, (who) => id(who.person)).map((who) => ({ people: text(who) }));
			for (const { person } of wish.leavers) {
				const userId = id(person);
				if (shielded.has(userId)) continue;
				for (const key of held(userId)) drop(userId, key);
				if (wish.deletes) delete end.active[userId];
				else end.active[userId] = false;
			}
			break;
		}
		case 'setMembers': {
			Object.assign(parameters, { chooseGroupBy: 'organizationAndRole' });
			Object.assign(parameters.options, {
				allowEmptying: true,
				replaceWith: wish.replaceWith,
			});
			const lists = unique(wish.lists, ({ organization }) => place(organization));
			items = lists.map(({ organization, role: wantedRole, members }) => ({
				organization: locator(place(organization)),
				role: wantedRole,
				people: members.map(text),
			}));
			for (const { organization, role: wantedRole, members } of lists) {
				const key = `${place(organization)}:${wantedRole}`;
				const wanted = new Set(members.map(({ person }) => id(person)));
				for (const userId of end.members[key]) {
					if (!wanted.has(userId) && !shielded.has(userId)) drop(userId, key);
				}
				for (const userId of wanted) {
					const given = [userId, place(organization), wantedRole];
					const mayJoin = end.active[userId] || start.members[key].includes(userId);
					if (!shielded.has(userId) && (mayJoin || lowers(...given))) add(...given);
				}
			}
			break;
		}
		case 'changeEmail': {
			const old = id(wish.who.person);
			const existing = wish.existing === null ? undefined : id(wish.existing);
			const newEmail = existing === undefined ? newEmailOf(0) : email(wish.existing);
			const next = userIdOf(newEmail);
			items = [
				{
					user: { __rl: true, mode: wish.who.by, value: text(wish.who) },
					newEmail,
				},
			];
			const roles = held(old);
			// An account that is there is a colleague's: its external ID is another one.
			const isRefused =
				existing !== undefined ||
				[old, next].some((userId) => shielded.has(userId)) ||
				(end.active[old] === false && roles.length === 0);
			if (isRefused) break;
			end.active[next] = true;
			for (const key of roles) {
				add(next, ...key.split(':'));
				drop(old, key);
			}
			end.active[old] = false;
			relay = { from: old, to: next };
			break;
		}
		default:
	}
	return {
		relay,
		run: {
			resource: wish.operation === 'setMembers' ? 'group' : 'access',
			operation: wish.operation,
			parameters,
			items,
			credential: { ...credential, membersPerRequest: guards.membersPerRequest },
		},
		start,
		end,
		shielded,
		...adminsOf(start, end, organizations),
	};
}

/** Organizations that lose their last active admin, and such that lose an admin and have no active one before. */
function adminsOf(start, end, organizations) {
	const active = (shape, organization) =>
		shape.members[`${organization}:admin`].filter((id) => shape.active[id]);
	const had = organizations.filter((organization) => active(start, organization).length > 0);
	return {
		administered: had,
		orphaned: had.filter((organization) => active(end, organization).length === 0),
		neverHad: organizations.filter((organization) => !had.includes(organization)),
	};
}

module.exports = {
	PEOPLE,
	PROFILES,
	adminsOf,
	cases,
	directories,
	emailOf,
	hazards,
	named,
	newEmailOf,
	place,
	refusals,
	role,
	serviceOf,
	settings,
	taskOf,
	unhurt,
	weighted,
};
