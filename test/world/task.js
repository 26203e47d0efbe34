'use strict';

// The parameters of the node for a case, and the state that has to come out of it: told apart from the package, by
// plain sets.

const { fromExpression, locator } = require('../support/accessRows');
const { GROUPS, defaultsOf, rows } = require('../support/modelGroupsPlay');
const { KINDS, credentialFor, emailOf, startOf, userIdOf } = require('./kinds');
const { heldBy } = require('./truth');

const newEmailOf = (index) => `new${index}@example.com`;
const unique = (entries) => [...new Set(entries)];
const uniqueBy = (entries, keyFor) => [
	...new Map(entries.map((entry) => [keyFor(entry), entry])).values(),
];

/** What a case says, in people and groups instead of numbers. */
class Words {
	constructor({ kind, directory: { places, people } }) {
		Object.assign(this, KINDS[kind], { places, people });
		this.placeOf = new Map(places.flatMap((place) => place.map(({ id }) => [id, place])));
	}

	email(number) {
		return emailOf(number % this.people.length);
	}

	id(number) {
		return userIdOf(this.email(number));
	}

	person({ person, by }) {
		if (by === 'id') return this.id(person);
		return by === 'EMAIL' ? this.email(person).toUpperCase() : this.email(person);
	}

	group({ place, role }) {
		const groups = this.places[place % this.places.length];
		return groups[role % groups.length];
	}

	/** Groups as a wish names them, of one place one where that is the rule. */
	groups({ picks }) {
		const all = unique(picks.map((pick) => this.group(pick)));
		return this.oneRole ? uniqueBy(all, ({ organization }) => organization) : all;
	}

	/** A text that means this group and no other. */
	text({ id, displayName }, by) {
		const isAmbiguous = displayName === GROUPS.vpnToo.displayName;
		if (isAmbiguous || (by === 'id' && id !== GROUPS.vpn.id)) return id;
		const differsInCase = /^engineering$/i.test(displayName);
		return by === 'NAME' && !differsInCase ? displayName.toUpperCase() : displayName;
	}

	/** Rows of groups, for a field that has them. */
	rows({ picks, by }) {
		return rows(...this.groups({ picks }).map((group) => this.text(group, by)));
	}

	/** Access as Assign, Set and Revoke take it. */
	access(groups, by) {
		return fromExpression(groups.map((group) => this.entry(group, by)));
	}

	/** A group in JSON. */
	entry(group, by) {
		if (this.hasRoles) return { organization: group.organization, role: group.role };
		return by === 'groupId' ? { groupId: group.id } : { group: this.text(group, by) };
	}
}

/** The state that has to come out, as it is worked out step by step. */
class End {
	constructor(start, words, ways, shielded) {
		Object.assign(this, { start, words, ways, shielded });
		// Lists are replaced, never changed.
		Object.assign(this, { active: { ...start.active }, members: { ...start.members } });
	}

	held(id) {
		return heldBy(this, id);
	}

	isInactive(id) {
		return this.active[id] === false;
	}

	add(id, group) {
		const place = this.words.oneRole ? this.words.placeOf.get(group) : [];
		for (const other of place) this.take(id, other.id);
		this.members[group] = unique([...this.members[group], id]).sort();
	}

	take(id, group) {
		this.members[group] = this.members[group].filter((member) => member !== id);
	}

	/** By a request, which some services refuse. */
	drop(id, group) {
		if (this.ways.inactiveRefuses && this.isInactive(id)) return;
		this.take(id, group);
	}

	takeAll(id) {
		for (const group of this.held(id)) this.take(id, group);
	}

	/** A lower role in place of the one held. */
	isLower(id, group) {
		const place = this.words.placeOf.get(group).map((one) => one.id);
		const at = place.findIndex((one) => this.members[one].includes(id));
		return this.words.oneRole && at >= 0 && at < place.indexOf(group);
	}

	/** Whether a person gets these: an inactive one only with Reactivate, or if all are lower roles. */
	lets(id, groups, reactivate) {
		if (this.shielded.has(id)) return false;
		if (!this.isInactive(id) || groups.length === 0) return true;
		if (reactivate) this.active[id] = true;
		const missing = groups.filter((group) => !this.members[group].includes(id));
		const areLower = missing.length > 0 && missing.every((group) => this.isLower(id, group));
		return reactivate || areLower;
	}

	join(number, groups) {
		const id = userIdOf(newEmailOf(number));
		this.active[id] = true;
		for (const { id: group } of groups) this.add(id, group);
	}

	/** Deactivation takes memberships along on some services. */
	deactivate(id) {
		const isNew = !this.isInactive(id);
		this.active[id] = false;
		if (this.ways.deactivationDrops && isNew) this.takeAll(id);
	}
}

const idsOf = (groups) => groups.map(({ id }) => id);

/** By operation: its fields and items, and what becomes of the state. */
const OPERATIONS = {
	assign(wish, words, end) {
		const taken = new Set();
		// Where people have one role in a place, two rows do not want two.
		const isFirst = (who) => (group) => {
			const scope = `${who} ${words.oneRole ? group.organization : group.id}`;
			return !taken.has(scope) && taken.add(scope);
		};
		const rowOf = (who, { groups: { picks, by } }) => ({
			...{ by, groups: words.groups({ picks }).filter(isFirst(who)) },
		});
		const known = wish.rows.map((row) => ({ ...row, ...rowOf(words.id(row.who.person), row) }));
		const joiners = wish.joiners.map((row) => ({ ...row, ...rowOf(newEmailOf(row.who), row) }));
		const isSome = ({ groups }) => groups.length > 0;
		for (const { who, groups } of known.filter(isSome)) {
			const id = words.id(who.person);
			if (end.lets(id, idsOf(groups), wish.reactivate))
				for (const { id: group } of groups) end.add(id, group);
		}
		for (const { who, groups } of wish.createMissing ? joiners.filter(isSome) : [])
			end.join(who, groups);
		return {
			parameters: { createMissing: wish.createMissing },
			options: { reactivate: wish.reactivate },
			items: [
				...known.filter(isSome).map((row) => [words.person(row.who), row]),
				...joiners.filter(isSome).map((row) => [newEmailOf(row.who), row]),
			].map(([people, { groups, by }]) => ({ people, ...words.access(groups, by) })),
		};
	},

	set(wish, words, end) {
		const { hasRoles } = words;
		const managed = hasRoles ? words.places.flat() : words.groups(wish.managed);
		const lists = uniqueBy(wish.lists, ({ who }) => words.id(who.person)).map((list) => ({
			...list,
			groups: words.groups(list.groups).filter((group) => managed.includes(group)),
			by: list.groups.by,
		}));
		for (const { who, groups } of lists) {
			const id = words.id(who.person);
			if (!end.lets(id, idsOf(groups), wish.reactivate)) continue;
			for (const group of managed) if (!groups.includes(group)) end.drop(id, group.id);
			for (const { id: group } of groups) end.add(id, group);
		}
		return {
			parameters: hasRoles ? {} : { managedGroups: words.rows(wish.managed) },
			options: { reactivate: wish.reactivate, allowEmpty: true },
			items: lists.map(({ who, groups, by }) => ({
				people: words.person(who),
				...words.access(groups, by),
			})),
		};
	},

	revoke(wish, words, end) {
		const { hasRoles } = words;
		const managed = hasRoles || !wish.managed ? words.places.flat() : words.groups(wish.managed);
		const meant = wish.revocations.flatMap(({ who, groups, isAny }) => {
			if (!groups) return [{ who, groups: managed }];
			const named = words.groups(groups).filter((group) => managed.includes(group));
			const [first] = named;
			if (first === undefined) return [];
			if (!hasRoles) return [{ who, groups: named, named: words.access(named, groups.by) }];
			const { organization, role, id } = first;
			const place = words.placeOf.get(id);
			return [
				{
					...{ who, groups: isAny ? place : [first] },
					named: { organization: locator('id', organization), roleHeld: isAny ? 'any' : role },
				},
			];
		});
		for (const { who, groups } of meant) {
			const id = words.id(who.person);
			if (!end.shielded.has(id)) for (const group of groups) end.drop(id, group.id);
		}
		return {
			options: !hasRoles && wish.managed ? { managedGroups: words.rows(wish.managed) } : {},
			items: meant.map(({ who, named }) => ({
				...{ people: words.person(who), revokeIn: named ? 'one' : 'all' },
				...named,
			})),
		};
	},

	offboard(wish, words, end) {
		const keeps = words.hasRoles ? undefined : wish.keeps;
		const kept = keeps ? idsOf(words.groups(keeps)) : [];
		const leavers = uniqueBy(wish.leavers, ({ person }) => words.id(person));
		for (const { person } of leavers) {
			const id = words.id(person);
			if (end.shielded.has(id)) continue;
			for (const group of end.held(id)) if (!kept.includes(group)) end.drop(id, group);
			end.deactivate(id);
			if (!wish.deletes) continue;
			end.takeAll(id);
			delete end.active[id];
		}
		return {
			parameters: { method: wish.deletes ? 'delete' : 'deactivate' },
			options: {
				...(keeps && { keepMembershipsIn: words.rows(keeps) }),
				...(wish.deletes && { ifNotFound: 'alreadyGone' }),
			},
			items: leavers.map((who) => ({ people: words.person(who) })),
		};
	},

	changeEmail(wish, words, end) {
		const old = words.id(wish.who.person);
		const isTaken = wish.existing !== null;
		const newEmail = isTaken ? words.email(wish.existing) : newEmailOf(0);
		const next = userIdOf(newEmail);
		const held = end.held(old);
		// An account that is there is a colleague's: its external ID is another one.
		const isRefused =
			isTaken ||
			[old, next].some((id) => end.shielded.has(id)) ||
			(end.isInactive(old) && held.length === 0);
		const items = [{ user: locator(wish.who.by, words.person(wish.who)), newEmail }];
		if (isRefused) return { items };
		end.active[next] = true;
		for (const group of held) {
			end.add(next, group);
			end.drop(old, group);
		}
		end.deactivate(old);
		return { items, relay: { from: old, to: next } };
	},

	setMembers: (...given) => membersOf('set', ...given),
	addMembers: (...given) => membersOf('add', ...given),
	removeMembers: (...given) => membersOf('remove', ...given),
	reconcile: (...given) => reconciled(...given),
};

function membersOf(verb, wish, words, end) {
	const { hasRoles } = words;
	const lists = uniqueBy(wish.lists, ({ group }) => words.placeOf.get(words.group(group).id));
	for (const { group, people } of lists) {
		const { id: key } = words.group(group);
		const meant = unique(people.map(({ person }) => words.id(person)));
		const free = (id) => !end.shielded.has(id);
		const leaving = {
			set: end.members[key].filter((id) => !meant.includes(id)),
			...{ remove: meant, add: [] },
		}[verb];
		for (const id of leaving.filter(free)) end.drop(id, key);
		for (const id of verb === 'remove' ? [] : meant.filter(free))
			if (!end.isInactive(id) || end.isLower(id, key)) end.add(id, key);
	}
	return {
		parameters: { chooseGroupBy: hasRoles ? 'organizationAndRole' : 'group' },
		options: { allowEmptying: true, ...(verb === 'set' && { replaceWith: wish.replaceWith }) },
		items: lists.map(({ group, people }) => {
			const { id, organization, role } = words.group(group);
			return {
				people: people.map((who) => words.person(who)),
				...(hasRoles
					? { organization: locator('id', organization), role }
					: { group: locator('id', id) }),
			};
		}),
	};
}

/** Two rows, or one that cannot be followed, hold back what is taken: `heldBack` by place, '' is everywhere. */
function reconciled(wish, words, end) {
	const { hasRoles, oneRole, places, people } = words;
	const { start, shielded } = end;
	const scoped = unique(wish.scope.places.map((at) => places[at % places.length]));
	const inScope = ({ id }) =>
		scoped.some((place) =>
			place.some((group, at) => group.id === id && (!hasRoles || wish.scope.roles.includes(at))),
		);
	const heldIn = (id, place) => place.filter((group) => start.members[group.id].includes(id));
	const placeKey = ({ organization, id }) => organization ?? id;

	const list = [];
	/** The wanted groups, by person. */
	const wanted = new Map();
	const row = (id, person, group, by) => {
		list.push({ person, ...words.entry(group, by) });
		if (id !== undefined) wanted.set(id, unique([...(wanted.get(id) ?? []), group]));
	};
	people.forEach((_, number) => {
		const { isListed, by, wants } = wish.list[number];
		const id = words.id(number);
		places.forEach((place, at) => {
			const said = wants[at];
			const groups =
				said === 'same' ? heldIn(id, place) : said === 'none' ? [] : [place[said % place.length]];
			if (isListed)
				for (const group of groups) row(id, words.person({ person: number, by }), group, by);
		});
	});
	const heldBack = new Set();
	/** People an unusable row may mean, so they stay active; '' is everyone. */
	const mayBeMeant = new Set();
	const newcomers = new Set();
	for (const { who, groups } of wish.joiners) {
		const id = userIdOf(newEmailOf(who));
		for (const group of words.groups(groups)) {
			// One row per person and place: two of them are a bad row of their own.
			const isTwo = ({ organization }) => oneRole && organization === group.organization;
			if (wanted.get(id)?.some(isTwo)) continue;
			newcomers.add(id);
			row(id, newEmailOf(who), group, groups.by);
			if (wish.createMissing) continue;
			mayBeMeant.add('');
			if (inScope(group)) heldBack.add('');
		}
	}
	for (const { kind, who, at } of wish.bad) {
		const group = words.group(at);
		const id = words.id(who.person);
		const entry = { person: words.person(who), ...words.entry(group) };
		if (kind === 'noRole') list.push({ ...entry, role: '' });
		if (kind === 'noPerson') list.push({ ...entry, person: '' });
		if (kind === 'noOrganization') list.push({ ...entry, organization: '' });
		if (kind === 'nobody') list.push({ ...entry, person: 'user-nobody' });
		if (kind === 'twoRoles')
			for (const one of words.placeOf.get(group.id).slice(1)) row(id, entry.person, one);
		mayBeMeant.add(/^no(body|Person)$/.test(kind) ? '' : id);
		if (kind === 'noRole' || kind === 'noPerson') heldBack.add(placeKey(group));
		if (kind === 'noOrganization' || (kind === 'nobody' && inScope(group))) heldBack.add('');
	}
	/** Two roles in one organization: none of them is given there, and nothing is taken from the person. */
	const contradictory = new Set();
	const isClash = (id, group) =>
		oneRole && wanted.get(id).some((one) => one !== group && placeKey(one) === placeKey(group));
	for (const [id, groups] of wanted) {
		for (const group of groups.filter((one) => isClash(id, one))) {
			heldBack.add(placeKey(group));
			contradictory.add(id);
		}
	}

	const ignored = wish.ignores && !hasRoles ? idsOf(words.groups(wish.ignores)) : [];
	const isAccess = (group) => !ignored.includes(group);
	for (const id of new Set([...Object.keys(start.active), ...wanted.keys()])) {
		if (shielded.has(id) || (newcomers.has(id) && !wish.createMissing)) continue;
		const named = wanted.get(id) ?? [];
		const wants = named.filter((group) => {
			const others = oneRole ? heldIn(id, words.placeOf.get(group.id)) : [];
			const isSo = start.members[group.id].includes(id) && start.active[id] !== false;
			const foreign = others.filter((other) => other !== group && !inScope(other));
			return !isClash(id, group) && foreign.length === 0 && (isSo || inScope(group));
		});
		// Inactive users get lower roles only.
		const isOut = end.isInactive(id) && !wish.reactivate;
		const made = isOut ? wants.filter((group) => end.isLower(id, group.id)) : wants;
		if (wants.length > 0 && !isOut) end.active[id] = true;
		for (const { id: group } of made) end.add(id, group);
		if (wish.unwanted !== 'revoke' || contradictory.has(id)) continue;
		const held = places.flatMap((place) => heldIn(id, place));
		const isNamed = (group) =>
			named.some((one) => one === group || (oneRole && placeKey(one) === placeKey(group)));
		const surplus = held.filter((group) => !isNamed(group) && inScope(group));
		const isHeldBack = (group) => heldBack.has('') || heldBack.has(placeKey(group));
		if (surplus.some(isHeldBack) || made.length < wants.length) continue;
		for (const { id: group } of surplus) end.drop(id, group);
		// Only groups that are access can be lost, and people in rows stay active.
		const loses = named.length === 0 && surplus.some((group) => isAccess(group.id));
		const isEmpty = held.every((group) => surplus.includes(group) || !isAccess(group.id));
		const mayLeave = !mayBeMeant.has('') && !mayBeMeant.has(id);
		const isGone = end.held(id).every((group) => !isAccess(group));
		if (wish.deactivatesEmpty && loses && isEmpty && isGone && mayLeave) end.deactivate(id);
	}

	const isFromItems = wish.asItems && list.length > 0;
	const scope = { picks: wish.scope.places.map((place) => ({ place, role: 0 })), by: 'name' };
	const isSilent = Object.values(start.members).every(({ length }) => length === 0);
	return {
		parameters: {
			wantedFrom: isFromItems ? 'items' : 'json',
			...(!isFromItems && { wantedJson: JSON.stringify(list) }),
			createMissing: wish.createMissing,
			scopeOrganizations: unique(scoped.flat().map(placeKey)).join(', '),
			scopeRoles: words.hasRoles ? wish.scope.roles.map((at) => places[0][at].role).join(', ') : '',
			scopeGroups: words.rows(scope),
			unwanted: wish.unwanted,
		},
		options: {
			...(hasRoles ? { allowEmptyOrganizations: true } : { allowEmptyGroups: true }),
			...(ignored.length > 0 && { ignoreGroups: words.rows(wish.ignores) }),
			reactivate: wish.reactivate,
			// Empty groups do not tell whether the service shows members, so this is refused.
			deactivatesEmpty: wish.deactivatesEmpty && !isSilent,
		},
		items: isFromItems ? list.map((json) => ({ json })) : [{}],
	};
}

/** Organizations with an active admin, those that lose the last one, and those that never had one. */
function adminsOf({ hasRoles, places }, start, end) {
	const all = hasRoles ? places.map(([{ id }]) => id) : [];
	const isLed = (shape) => (group) => shape.members[group].some((id) => shape.active[id]);
	const administered = all.filter(isLed(start));
	return {
		administered,
		orphaned: administered.filter((group) => !isLed(end)(group)),
		neverHad: all.filter((group) => !administered.includes(group)),
	};
}

/** What is run for a case, before and after it, and who is not to be touched. */
function taskOf(given) {
	const { kind, operation, wish, settings, hazards } = given;
	const words = new Words(given);
	const { switches = {} } = KINDS[kind];
	const ways = { ...switches, ...given.ways };
	const start = startOf(given);
	const shielded = new Set(settings.shielded.map(({ person }) => words.id(person)));
	const end = new End(start, words, ways, shielded);
	const { parameters = {}, options, items, relay } = OPERATIONS[operation](wish, words, end);
	const guards = {
		protectedUsers: settings.shielded.map((who) => words.person(who)).join(','),
		...(words.hasRoles && { allowRemovingLastAdmin: settings.allowRemovingLastAdmin }),
		maxPeopleAffected: 1000,
	};
	const resource = operation.endsWith('Members') ? 'group' : 'access';
	const credential = credentialFor(given);
	const run = {
		...{ resource, operation, items, credential },
		parameters: {
			...defaultsOf(resource, operation),
			accessBy: words.hasRoles ? 'organizationAndRole' : 'group',
			...parameters,
			preview: false,
			options: { ...guards, maxCreates: 1000, ...options },
		},
	};
	const after = { active: end.active, members: end.members };
	return {
		run,
		preview: { ...run, parameters: { ...run.parameters, preview: true } },
		/** Apply Plan of a previewed item, as it comes through a workflow. */
		applyOf: (item) => ({
			...{ resource, operation: 'applyPlan', credential },
			parameters: {
				...{ changes: 'all', plan: JSON.parse(JSON.stringify(item)) },
				options: { ...guards, maxCreates: 1000 },
			},
		}),
		...{ start, end: after, shielded, relay, places: words.places, hasRoles: words.hasRoles },
		...{ hasFaults: (hazards.faults ?? []).length > 0 },
		...adminsOf(words, start, after),
	};
}

module.exports = { taskOf };
