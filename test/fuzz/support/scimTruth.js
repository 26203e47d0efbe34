'use strict';

const { ScimService } = require('../../../demo/service/scim/service');

/** The local service's SCIM side, without sockets. */
class ScimTruth extends ScimService {
	/** @param renamed IDs of people who show another name than their login, where names can differ (test/contract/interface.md 2.2) */
	constructor({ renamed = [], ...directory }, switches) {
		super(directory, { keepsStates: true, ...switches });
		if (this.switches.userNames !== 'shown') return;
		for (const id of renamed)
			this.store({ ...this.users.get(id), userName: `other.${id}@example.com` });
		this.states = [];
		this.record('the beginning');
	}

	/** What the service does with a request, and what it truly answers. */
	carryOut({ method, url, headers, body }) {
		return this.answer({ method, url: url.href, headers, body });
	}

	/**
	 * What somebody else does meanwhile: gives this role, or takes whichever there is; or lets in, or shuts out. Whoever is
	 * inactive can be added to groups, too (test/contract/interface.md 2.2).
	 * @returns whether anything changed
	 */
	meanwhile({ id, organization, role, active }) {
		const user = this.users.get(id);
		if (user === undefined) return false;
		if (active !== undefined) {
			if (user.active === active) return false;
			this.setActive(id, active);
		} else {
			const isThere = this.groups.has(`${organization}:${role || 'admin'}`);
			if (!isThere || (this.roleOf(id, organization) ?? '') === role) return false;
			this.setRole(id, organization, role);
		}
		this.record('somebody else');
		return true;
	}
}

/** What a user is called: what is shown, and the login. */
const namesOf = ({ userName, email }) =>
	[userName, email].map((name) => String(name).toLowerCase());

module.exports = { ScimTruth, namesOf };
