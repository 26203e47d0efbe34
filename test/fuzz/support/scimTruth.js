'use strict';

const { ScimService } = require('../../../demo/service/scim/service');

/** The local service's SCIM side, without sockets. */
class ScimTruth extends ScimService {
	constructor(directory, switches) {
		super(directory, { keepsStates: true, ...switches });
	}

	/** What the service does with a request, and what it truly answers. */
	carryOut({ method, url, headers, body }) {
		return this.answer({ method, url: url.href, headers, body });
	}

	/** What somebody else does meanwhile: gives this role, or takes whichever there is. */
	meanwhile({ id, organization, role }) {
		const isThere = this.groups.has(`${organization}:${role || 'admin'}`);
		if (!isThere || !this.users.get(id)?.active) return false;
		if ((this.roleOf(id, organization) ?? '') === role) return false;
		this.setRole(id, organization, role);
		this.record('somebody else');
		return true;
	}
}

module.exports = { ScimTruth };
