'use strict';

const { createHash } = require('node:crypto');
const { Lag } = require('../lag');

const ROLES = ['admin', 'member', 'viewer'];

const nameKey = (userName) => String(userName).toLowerCase();

/**
 * test/contract/interface.md 2.2: the id is derived from the email, so delete and create again give the same.
 * @param {string} userName
 * @returns {string}
 */
function userIdOf(userName) {
	return `user-${createHash('sha256').update(nameKey(userName)).digest('hex').slice(0, 16)}`;
}

/** The organization of a group `organization:role`; any other group is one of its own. */
const organizationOf = (groupId) => groupId.split(':')[0];

/**
 * What there is: users, groups, and who is in which. Every change goes through here. Records and
 * lists of members are replaced, never changed, so a copy of the maps is a state that stays as it was.
 */
class Directory {
	/**
	 * @param {object} seed
	 * @param {Array<string | { id: string, name?: string, allowedDomains?: string[] }>} [seed.organizations] each has
	 *   three groups, `organization:role`; `allowedDomains` limits the emails it takes
	 * @param {Array<{ id: string, displayName?: string, members?: string[] }>} [seed.groups] other groups
	 * @param {Array<{ userName: string, id?: string, active?: boolean }>} [seed.users] every other key is an attribute
	 * @param {Array<{ userName: string, organization: string, role: string }>} [seed.memberships]
	 * @param {string[]} [seed.foreignUsers] emails that exist in another account
	 * @param {typeof import('./switches').DEFAULTS} switches
	 * @throws {Error} when a membership names no user or no organization
	 */
	constructor(
		{ organizations = [], groups = [], users = [], memberships = [], ...seed },
		switches,
	) {
		this.switches = switches;
		this.organizations = organizations.map((one) => (one.id ? one : { id: one, name: one }));
		this.foreign = new Set((seed.foreignUsers ?? []).map(nameKey));
		/** id -> `{ id, email, userName, active, attributes }` */
		this.users = new Map();
		/** How many there ever were, so that no number comes again. */
		this.made = 0;
		/** id -> ids of the members */
		this.groups = new Map();
		/** id -> attributes, `displayName` among them */
		this.about = new Map();
		/** Every user that was asked to be added: `{ groupId, id, was, mailed, to, at }`. */
		this.adds = [];
		this.lag = new Lag(switches);
		this.indexedAt = new Map();
		this.states = [];
		for (const { id } of this.organizations)
			for (const role of ROLES) this.plantGroup({ id: `${id}:${role}` });
		for (const { userName, active, id, ...attributes } of users)
			this.create(userName, attributes, active, id);
		for (const group of groups) this.plantGroup(group);
		for (const { userName, organization, role } of memberships) {
			const user = this.byName(userName);
			if (!user || !this.groups.has(`${organization}:${role}`))
				throw new Error(`The seed has no ${userName} or no ${organization}`);
			this.groups.set(`${organization}:${role}`, [
				...this.groups.get(`${organization}:${role}`),
				user.id,
			]);
		}
		this.record('the beginning');
	}

	plantGroup({ id, members = [], displayName = id, ...attributes }) {
		this.about.set(id, { displayName, ...attributes });
		this.groups.set(id, members);
	}

	/** Everything as it is now. */
	now() {
		return { users: new Map(this.users), groups: new Map(this.groups) };
	}

	record(after) {
		if (!this.switches.keepsStates) return;
		const last = this.states.at(-1);
		if (last === undefined || !sameState(last, this)) this.states.push({ after, ...this.now() });
	}

	/** @returns {() => void} puts everything back as it is now */
	remember() {
		const { users, groups } = this.now();
		const { adds, states } = this;
		const kept = {
			users,
			groups,
			about: new Map(this.about),
			adds: [...adds],
			states: [...states],
		};
		return () => Object.assign(this, kept);
	}

	// What reads see

	/** What a reader sees; counts as one read. */
	seen() {
		const shown = this.lag.read(this);
		if (shown === this || !this.switches.torn) return shown;
		const { users, groups } = shown;
		const turn = (key) => (key.length + key.charCodeAt(key.length - 2) + this.lag.reads) % 2 === 1;
		const seen = ([key, members]) => [key, turn(key) ? members : (groups.get(key) ?? [])];
		return { users, groups: new Map([...this.groups].map(seen)) };
	}

	/** @returns those that the index of lists and filters already knows */
	indexed(users) {
		if (this.indexedAt.size === 0) return users;
		const now = this.switches.now();
		return users.filter(({ id }) => now >= (this.indexedAt.get(id) ?? 0));
	}

	// People

	/** @returns users of that name, in any case; a name that was changed later is only shown (2.2) */
	named(userName) {
		const key = nameKey(userName);
		if (this.switches.userNames === 'shown')
			return [this.users.get(userIdOf(userName))].filter((user) => user?.email === key);
		return [...this.users.values()].filter((user) => nameKey(user.userName) === key);
	}

	byName(userName) {
		return this.named(userName)[0];
	}

	/** @returns the user of another account, which only a filter finds (2.2) */
	foreignUser(userName) {
		const email = nameKey(userName);
		if (!this.foreign.has(email)) return undefined;
		return { id: userIdOf(email), email, userName: email, active: true, attributes: {} };
	}

	/** @returns {boolean} whether the name is taken, here or in another account (2.2) */
	isTaken(userName) {
		const same = this.named(userName).filter(
			(user) => !this.switches.namesMayDifferInCase || user.userName === userName,
		);
		return same.length > 0 || this.foreign.has(nameKey(userName));
	}

	/** @returns the new user */
	create(userName, attributes = {}, active = true, id = this.newId(userName)) {
		this.made += 1;
		return this.store({ id, email: nameKey(userName), userName, active, attributes });
	}

	newId(userName) {
		return this.switches.ids === 'fromName'
			? userIdOf(userName)
			: `user-${Math.max(this.users.size, this.made) + 1}`;
	}

	/**
	 * Stores a record. An inactive user may lose every membership, and activation brings none back (2.2).
	 * @returns the record
	 */
	store(user) {
		const record = Object.freeze({ ...user });
		this.users.set(user.id, record);
		if (user.active === false && this.switches.deactivationDrops) this.dropAll(user.id);
		return record;
	}

	setActive(id, active) {
		return this.store({ ...this.users.get(id), active });
	}

	delete(id) {
		if (!this.switches.deletedStay) this.dropAll(id);
		this.users.delete(id);
	}

	// Members

	membersOf(groupId) {
		return this.groups.get(groupId);
	}

	/** @returns ids of the groups that a user is in */
	heldBy(id) {
		return heldByOne(this)(id);
	}

	/** The same in the organization of a group. */
	heldBeside(groupId, id) {
		const beside = [groupId, ...ROLES.map((role) => `${organizationOf(groupId)}:${role}`)];
		return [...new Set(beside)].filter((key) => has(this.groups.get(key), id));
	}

	/** @returns {boolean} whether a membership can be made; the email domain does not matter to a move (2.3) */
	takes(groupId, id) {
		const organization = this.organizations.find((one) => one.id === organizationOf(groupId));
		const domain = this.users.get(id)?.email.split('@').pop();
		const isAllowed = organization?.allowedDomains?.includes(domain) ?? true;
		return isAllowed || this.heldBeside(groupId, id).length > 0;
	}

	/** A user without a role in the organization gets an email (2.3). @param isNamed whether it was asked for by name */
	add(groupId, id, isNamed = true) {
		const { addMoves, storesTwice, now } = this.switches;
		const held = this.heldBeside(groupId, id);
		const was = held.includes(groupId);
		const mailed = held.length === 0;
		const to = this.users.get(id)?.email;
		if (isNamed || !was) this.adds.push({ groupId, id, was, mailed, to, at: now() });
		if (was && !storesTwice) return;
		if (addMoves) for (const other of held) this.drop(other, id);
		const members = this.groups.get(groupId);
		this.groups.set(
			groupId,
			indexedAs([...members, id], members, (index) => index.add(id)),
		);
	}

	/** @returns {boolean} whether there was anything to take */
	take(groupId, id) {
		const beside = this.heldBeside(groupId, id);
		const held = this.switches.roleBlindRemoval ? beside : beside.filter((key) => key === groupId);
		for (const key of held) this.drop(key, id);
		return held.length > 0;
	}

	drop(groupId, id) {
		const members = this.groups.get(groupId);
		if (!has(members, id)) return;
		const left = members.filter((member) => member !== id);
		this.groups.set(
			groupId,
			indexedAs(left, members, (index) => index.delete(id)),
		);
	}

	dropAll(id) {
		for (const key of this.groups.keys()) this.drop(key, id);
	}

	// Roles, for who speaks of organizations

	/** @returns {Array<[organization: string, role: string]>} */
	rolesOf(id) {
		return this.heldBy(id).map((key) => key.split(':'));
	}

	roleOf(id, organization) {
		return ROLES.find((role) => has(this.groups.get(`${organization}:${role}`), id));
	}

	/** Gives a role, or with '' takes whichever there is. */
	setRole(id, organization, role) {
		const groups = ROLES.map((one) => `${organization}:${one}`).filter((key) =>
			this.groups.has(key),
		);
		const own = groups.find((key) => key === `${organization}:${role}`);
		if (role && own === undefined) return;
		if (own !== undefined) this.add(own, id);
		for (const other of groups) if (other !== own) this.drop(other, id);
	}

	removeRole(id, organization) {
		this.setRole(id, organization, '');
	}

	/** Emails that would have been sent: `{ to, userId, organizationId, role, at }`. */
	get mailsSent() {
		return this.adds.flatMap(({ groupId, id, mailed, to, at }) => {
			const [organizationId, role] = groupId.split(':');
			return mailed ? [{ to, userId: id, organizationId, role, at }] : [];
		});
	}
}

/** Whether two states are the same; what has not changed is the very same record. */
function sameState(one, other) {
	const isSame = (a, b) =>
		a.size === b.size && [...a].every(([key, value]) => b.has(key) && b.get(key) === value);
	return isSame(one.users, other.users) && isSame(one.groups, other.groups);
}

/** @returns who is in which groups in a state, for a single one */
function heldByOne({ groups }) {
	return (id) => [...groups].flatMap(([key, members]) => (has(members, id) ? [key] : []));
}

/** From here on a list of members is worth an index: list -> ids. Lists are replaced, never changed. */
const LONG = 100;
const indexes = new WeakMap();

/** Whether somebody is in a list of members, which may be missing. */
function has(members = [], id) {
	if (members.length < LONG) return members.includes(id);
	if (!indexes.has(members)) indexes.set(members, new Set(members));
	return indexes.get(members).has(id);
}

/** Gives a list the index of the one that it replaces. @returns the list */
function indexedAs(list, replaced, change) {
	const index = indexes.get(replaced);
	if (index === undefined) return list;
	indexes.delete(replaced);
	change(index);
	indexes.set(list, index);
	return list;
}

/** Of the state that was read last: a list of 100,000 is asked for in a thousand pages. */
let latest = { of: [], held: new Map() };

/** The same for many at once. Lists of members are replaced, never changed: the same lists are the same state. */
function heldIn({ groups }) {
	const of = [...groups].flat();
	if (of.length !== latest.of.length || of.some((one, at) => one !== latest.of[at]))
		latest = { of, held: indexOf(groups) };
	const { held } = latest;
	return (id) => held.get(id) ?? [];
}

function indexOf(groups) {
	const held = new Map();
	for (const [key, members] of groups) {
		for (const id of members) {
			const own = held.get(id);
			if (own === undefined) held.set(id, [key]);
			else own.push(key);
		}
	}
	return held;
}

/** Who is active and who is in which group, in a form that can be compared. */
function shapeOf({ users, groups }) {
	return {
		active: Object.fromEntries([...users].sort().map(([id, { active }]) => [id, active])),
		members: Object.fromEntries([...groups].sort().map(([key, ids]) => [key, [...ids].sort()])),
	};
}

module.exports = { Directory, ROLES, heldByOne, heldIn, shapeOf, userIdOf };
