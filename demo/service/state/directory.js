'use strict';

const { createHash } = require('node:crypto');

const ROLES = ['admin', 'member', 'viewer'];

const keyOf = (userName) => String(userName).toLowerCase();

/**
 * docs/interface.md 2.2: the id is derived from the e-mail, so delete and create again give the same.
 * @param {string} userName
 * @returns {string}
 */
function userIdOf(userName) {
	return `user-${createHash('sha256').update(keyOf(userName)).digest('hex').slice(0, 16)}`;
}

/**
 * What can be read: people and who holds which role where. Records are replaced, never changed, so
 * that a copy is cheap and an old copy stays as it was.
 */
class Tables {
	constructor(users = new Map(), memberships = new Map()) {
		/** @type {Map<string, object>} user id -> user */
		this.users = users;
		/** @type {Map<string, Map<string, string>>} organization id -> user id -> role */
		this.memberships = memberships;
	}

	copy() {
		return new Tables(
			new Map(this.users),
			new Map([...this.memberships].map(([id, roles]) => [id, new Map(roles)])),
		);
	}

	/** @returns {Array<[string, string]>} [organization id, role] of one person */
	rolesOf(userId) {
		const held = [];
		for (const [organizationId, roles] of this.memberships) {
			const role = roles.get(userId);
			if (role) held.push([organizationId, role]);
		}
		return held;
	}

	/** @returns {object[]} the users who hold the role, in the order they came in */
	membersOf(organizationId, role) {
		const members = [];
		for (const [userId, held] of this.memberships.get(organizationId)) {
			if (held === role) members.push(this.users.get(userId));
		}
		return members;
	}
}

/** The people of the account and their roles: every change goes through here. */
class Directory {
	/**
	 * @param {Array<{ id: string, name: string, allowedDomains?: string[] }>} organizations
	 * @param {string[]} foreignUsers e-mails that exist in another account
	 * @param {() => number} now
	 */
	constructor(organizations, foreignUsers, now) {
		this.organizations = organizations;
		this.foreign = new Set(foreignUsers.map(keyOf));
		this.now = now;
		this.tables = new Tables(new Map(), new Map(organizations.map(({ id }) => [id, new Map()])));
		this.mailsSent = [];
	}

	/** @returns {object | undefined} by e-mail, whatever its case */
	byName(userName) {
		const user = this.tables.users.get(userIdOf(userName));
		return user && keyOf(userName) === user.email ? user : undefined;
	}

	/** @returns {boolean} whether the e-mail is taken, here or in another account (docs/interface.md 2.2) */
	isTaken(userName) {
		return this.byName(userName) !== undefined || this.foreign.has(keyOf(userName));
	}

	/** @returns {object | undefined} the user of another account, whom only a filter finds (docs/interface.md 2.2) */
	foreignUser(userName) {
		const email = keyOf(userName);
		if (!this.foreign.has(email)) return undefined;
		return { id: userIdOf(email), email, userName: email, active: true, attributes: {} };
	}

	/**
	 * @param {string} userName
	 * @param {object} [attributes] stored as they are
	 * @param {boolean} [active]
	 * @returns {object} the new user
	 */
	create(userName, attributes = {}, active = true) {
		const id = userIdOf(userName);
		return this.store({ id, email: keyOf(userName), userName, active, attributes });
	}

	/**
	 * Stores a changed record of a user. An inactive user loses every membership, and activation brings none
	 * back (docs/interface.md 1.2, 2.2).
	 * @returns {object} the record
	 */
	store(user) {
		const record = Object.freeze({ ...user });
		this.tables.users.set(user.id, record);
		if (!user.active) this.removeEverywhere(user.id);
		return record;
	}

	/** @returns {object} the record */
	setActive(userId, active) {
		return this.store({ ...this.tables.users.get(userId), active });
	}

	/** Removes a person and all roles. */
	delete(userId) {
		this.removeEverywhere(userId);
		this.tables.users.delete(userId);
	}

	/** @returns {string | undefined} */
	roleOf(userId, organizationId) {
		return this.tables.memberships.get(organizationId)?.get(userId);
	}

	/**
	 * @returns {boolean} whether a membership can be made; the email domain does not matter to a move
	 *   (docs/interface.md 2.3)
	 */
	takes(organizationId, userId) {
		if (this.roleOf(userId, organizationId)) return true;
		const { allowedDomains } = this.organizations.find(({ id }) => id === organizationId);
		const domain = this.tables.users.get(userId).email.split('@').pop();
		return !allowedDomains || allowedDomains.includes(domain);
	}

	/**
	 * Gives the role; another role in the same organization ends. Whoever had none there gets an e-mail
	 * (docs/interface.md 2.3).
	 */
	setRole(userId, organizationId, role) {
		const roles = this.tables.memberships.get(organizationId);
		const had = roles.get(userId);
		if (had === role) return;
		roles.set(userId, role);
		if (had === undefined) {
			const to = this.tables.users.get(userId).email;
			this.mailsSent.push({ to, userId, organizationId, role, at: this.now() });
		}
	}

	/** @returns {boolean} false when the person had no role there */
	removeRole(userId, organizationId) {
		return this.tables.memberships.get(organizationId).delete(userId);
	}

	removeEverywhere(userId) {
		for (const roles of this.tables.memberships.values()) roles.delete(userId);
	}
}

module.exports = { Directory, Tables, ROLES, userIdOf };
