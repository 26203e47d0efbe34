'use strict';

// Random wanted lists and scopes, and what has to come out of a reconcile: told apart from the package, by plain sets.

const fc = require('fast-check');
const { MemoryService, ROLES, shapeOf, userIdOf } = require('./memoryService');
const {
	PEOPLE,
	PROFILES,
	adminsOf,
	directories,
	emailOf,
	named,
	newEmailOf,
	place,
	role,
	settings,
	unhurt,
	weighted,
} = require('./modelWishes');

/** What the list says of one person: per organization what is there, nothing, or a role. */
const personRows = fc.record({
	isListed: weighted([5, true], [1, false]),
	by: fc.constantFrom('id', 'email', 'EMAIL'),
	roles: fc.array(weighted([9, 'same'], [3, ''], [1, 'admin'], [1, 'member'], [1, 'viewer']), {
		minLength: 6,
		maxLength: 6,
	}),
});

/** Rows that cannot be used. */
const badRow = fc.record({
	kind: fc.constantFrom('noRole', 'noOrganization', 'noPerson', 'nobody', 'twoRoles'),
	who: named,
	organization: place,
	role,
});

const wishes = (bad) =>
	fc.record({
		list: fc.array(personRows, { minLength: PEOPLE, maxLength: PEOPLE }),
		joiners: fc.array(fc.record({ who: fc.nat(4), organization: place, role }), { maxLength: 4 }),
		bad,
		scope: fc.record({
			organizations: fc.uniqueArray(place, { minLength: 1, maxLength: 6 }),
			roles: fc.oneof(fc.constant(ROLES), fc.subarray(ROLES, { minLength: 1 })),
		}),
		unwanted: weighted([4, 'revoke'], [1, 'keep'], [1, 'report']),
		deactivatesEmpty: fc.boolean(),
		reactivate: fc.boolean(),
		createMissing: weighted([3, true], [1, false]),
		asItems: fc.boolean(),
	});

const noBad = fc.constant([]);
const someBad = fc.array(badRow, { minLength: 1, maxLength: 2 });

/** A case: `{ profile, directory, wish, settings, hazards }`. */
const reconcileCases = (profile, { ways = unhurt, bad = noBad, more = fc.constant({}) } = {}) =>
	fc.record({
		profile: fc.constant(profile),
		directory: directories(profile),
		wish: wishes(bad),
		settings,
		hazards: ways,
		more,
	});

/** The parameters of Reconcile for a case, and the state that has to come out of it. */
function reconcileTask({ profile, directory, wish, settings: guards }) {
	const { credential } = PROFILES[profile];
	const { organizations, people } = directory;
	const start = shapeOf(new MemoryService(directory));
	const end = structuredClone(start);
	const id = (number) => userIdOf(emailOf(number % people.length));
	const place = (number) => organizations[number % organizations.length];
	const text = (number, by) => {
		const email = emailOf(number % people.length);
		return by === 'id' ? userIdOf(email) : by === 'EMAIL' ? email.toUpperCase() : email;
	};
	const shielded = new Set(guards.shielded.map(({ person }) => id(person)));
	const scoped = [...new Set(wish.scope.organizations.map(place))];
	const inScope = (organization, wanted) =>
		scoped.includes(organization) && wish.scope.roles.includes(wanted);
	const roleIn = (userId, organization) =>
		ROLES.find((held) => start.members[`${organization}:${held}`].includes(userId));

	const rows = [];
	/** Roles by organization, by person whom a row names. */
	const wanted = new Map();
	const row = (userId, person, organization, wantedRole) => {
		rows.push({ person, organization, role: wantedRole });
		if (userId === undefined) return;
		const own = wanted.get(userId) ?? wanted.set(userId, new Map()).get(userId);
		own.set(organization, (own.get(organization) ?? new Set()).add(wantedRole));
	};
	people.forEach((_, number) => {
		const { isListed, by, roles } = wish.list[number];
		if (!isListed) return;
		organizations.forEach((organization, at) => {
			const said = roles[at] === 'same' ? roleIn(id(number), organization) : roles[at];
			if (said) row(id(number), text(number, by), organization, said);
		});
	});
	/** Where nothing is taken away; '' is everywhere. */
	const heldBack = new Set();
	/** Whom a row that cannot be used may mean; '' is anybody. They are not deactivated. */
	const mayBeMeant = new Set();
	const newcomers = new Set();
	for (const { who, organization, role: wantedRole } of wish.joiners) {
		const at = place(organization);
		const userId = userIdOf(newEmailOf(who));
		// One row per person and organization: two of them are a bad row of their own.
		if (wanted.get(userId)?.has(at)) continue;
		newcomers.add(userId);
		row(userId, newEmailOf(who), at, wantedRole);
		if (wish.createMissing) continue;
		mayBeMeant.add('');
		if (inScope(at, wantedRole)) heldBack.add('');
	}
	for (const { kind, who, organization, role: wantedRole } of wish.bad) {
		const at = place(organization);
		const person = text(who.person, who.by);
		if (kind === 'noRole') row(undefined, person, at, '');
		if (kind === 'noPerson') row(undefined, '', at, wantedRole);
		if (kind === 'noOrganization') row(undefined, person, '', wantedRole);
		if (kind === 'nobody') row(undefined, 'user-nobody', at, wantedRole);
		if (kind === 'twoRoles') {
			row(id(who.person), person, at, 'member');
			row(id(who.person), person, at, 'viewer');
		}
		mayBeMeant.add(kind === 'nobody' || kind === 'noPerson' ? '' : id(who.person));
		if (kind === 'noRole' || kind === 'noPerson') heldBack.add(at);
		if (kind === 'noOrganization' || (kind === 'nobody' && inScope(at, wantedRole)))
			heldBack.add('');
	}
	/** Two roles in one organization: none of them is given there, and nothing is taken from the person. */
	const contradictory = new Set();
	for (const [userId, own] of wanted) {
		for (const [at, { size }] of own) {
			if (size === 1) continue;
			heldBack.add(at);
			contradictory.add(userId);
		}
	}

	const drop = (userId, key) => {
		end.members[key] = end.members[key].filter((member) => member !== userId);
	};
	const give = (userId, organization, wantedRole) => {
		for (const other of ROLES) drop(userId, `${organization}:${other}`);
		end.members[`${organization}:${wantedRole}`].push(userId);
		end.members[`${organization}:${wantedRole}`].sort();
	};
	for (const userId of new Set([...Object.keys(start.active), ...wanted.keys()])) {
		if (shielded.has(userId)) continue;
		const isNew = newcomers.has(userId);
		if (isNew && !wish.createMissing) continue;
		const named = wanted.get(userId);
		const own = [...(named ?? [])].flatMap(([organization, roles]) => {
			const [wantedRole] = roles;
			const held = roleIn(userId, organization);
			const isOurs =
				(held === wantedRole && start.active[userId] !== false) ||
				(inScope(organization, wantedRole) && (!held || inScope(organization, held)));
			return isOurs && roles.size === 1 ? [[organization, wantedRole]] : [];
		});
		// A lower role is nothing that somebody inactive gets.
		const isOut = start.active[userId] === false && !wish.reactivate;
		const isLower = ([organization, wantedRole]) =>
			ROLES.indexOf(roleIn(userId, organization) ?? 'viewer') < ROLES.indexOf(wantedRole);
		const made = isOut ? own.filter(isLower) : own;
		if (own.length > 0 && !isOut) end.active[userId] = true;
		for (const [organization, wantedRole] of made) give(userId, organization, wantedRole);
		if (wish.unwanted !== 'revoke' || contradictory.has(userId)) continue;
		const held = organizations.filter((organization) => roleIn(userId, organization));
		const surplus = held.filter(
			(organization) =>
				!named?.has(organization) && inScope(organization, roleIn(userId, organization)),
		);
		if (surplus.some((organization) => heldBack.has('') || heldBack.has(organization))) continue;
		const taken = surplus.map((organization) => `${organization}:${roleIn(userId, organization)}`);
		if (made.length < own.length) continue;
		for (const key of taken) drop(userId, key);
		const endsEmpty = named === undefined && held.length > 0 && surplus.length === held.length;
		const mayLeave = !mayBeMeant.has('') && !mayBeMeant.has(userId);
		if (wish.deactivatesEmpty && endsEmpty && mayLeave) end.active[userId] = false;
	}

	const guardOptions = {
		protectedUsers: guards.shielded
			.map(({ person, by }) => (by === 'id' ? id(person) : emailOf(person % people.length)))
			.join(','),
		allowRemovingLastAdmin: guards.allowRemovingLastAdmin,
		maxPeopleAffected: 1000,
	};
	const fromItems = wish.asItems && rows.length > 0;
	const reconcile = (preview, signal) => ({
		resource: 'access',
		operation: 'reconcile',
		parameters: {
			preview,
			wantedFrom: fromItems ? 'items' : 'json',
			...(!fromItems && { wantedJson: JSON.stringify(rows) }),
			createMissing: wish.createMissing,
			accessBy: 'organizationAndRole',
			scopeOrganizations: scoped.join(', '),
			scopeRoles: wish.scope.roles.join(', '),
			unwanted: wish.unwanted,
			options: {
				...guardOptions,
				allowEmptyOrganizations: true,
				// Where nobody is in any group, nothing tells whether groups would show it, and it is refused.
				deactivatesEmpty:
					wish.deactivatesEmpty && Object.values(start.members).some(({ length }) => length > 0),
				reactivate: wish.reactivate,
				maxCreates: 1000,
			},
		},
		items: fromItems ? rows.map((json) => ({ json })) : [{}],
		credential: { ...credential, membersPerRequest: guards.membersPerRequest },
		signal,
	});
	return {
		preview: reconcile(true),
		run: reconcile(false),
		/** Apply Plan of a previewed item, as it comes through a workflow. */
		applyOf: (item) => ({
			resource: 'access',
			operation: 'applyPlan',
			parameters: {
				plan: JSON.parse(JSON.stringify(item)),
				options: { ...guardOptions, maxCreates: 1000 },
			},
			credential: { ...credential, membersPerRequest: guards.membersPerRequest },
		}),
		start,
		end,
		shielded,
		...adminsOf(start, end, organizations),
	};
}

module.exports = { reconcileCases, reconcileTask, someBad };
