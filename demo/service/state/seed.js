'use strict';

const monitors = require('./monitors');
const people = require('./people');

/**
 * What a service starts with.
 * @typedef {object} Seed
 * @property {Array<{ id: string, name: string, defaultEmail?: string, allowedDomains?: string[] }>} organizations
 *   `defaultEmail` makes the target `email` exist; `allowedDomains` limits the emails the organization takes
 * @property {string} [account] id of the account organization; the first one when left out
 * @property {Array<{ userName: string, active?: boolean, name?: object, externalId?: string }>} [users]
 * @property {Array<{ userName: string, organization: string, role: 'admin' | 'member' | 'viewer' }>} [memberships]
 * @property {string[]} [foreignUsers] emails that exist in another account
 * @property {Array<{ organization: string, id: string, name: string, granularity?: string }>} [models]
 * @property {Array<{ organization: string, model: string, document: string | object }>} [configurations]
 * @property {Array<{ organization: string, id: string, type: string, payload: object, enabled?: boolean }>} [actions]
 */

/** @returns {Seed} the demo account: 4 organizations, 40 people, models, monitors and actions */
function defaultSeed() {
	return {
		account: 'org-acct1',
		organizations: [
			{ id: 'org-acct1', name: 'Example Holding', defaultEmail: 'it@example.com' },
			{ id: 'org-3454', name: 'Marketing', defaultEmail: 'marketing@example.com' },
			{ id: 'org-7788', name: 'Research', allowedDomains: ['example.com', 'ops.example.com'] },
			{ id: 'org-9120', name: 'Operations', defaultEmail: 'ops@example.com' },
		],
		users: people.users,
		memberships: people.memberships,
		foreignUsers: ['sam.taken@example.net'],
		models: monitors.models,
		configurations: monitors.configurations(),
		actions: monitors.actions,
	};
}

/**
 * A big account for measurements. Everyone has a role in `rolesPerUser` managed organizations, spread
 * evenly; the first person also administers the account.
 * @param {{ users?: number, organizations?: number, rolesPerUser?: number }} [size] organizations counts
 *   the account organization too: 67 give 201 groups
 * @returns {Seed}
 */
function seedOf({ users = 1000, organizations = 3, rolesPerUser = 1 } = {}) {
	const managed = Array.from({ length: organizations - 1 }, (_, i) => ({
		id: `org-${1001 + i}`,
		name: `Organization ${i + 1}`,
		defaultEmail: `alerts.${i + 1}@example.com`,
	}));
	const account = { id: 'org-acct1', name: 'Account', defaultEmail: 'it@example.com' };
	const list = Array.from({ length: users }, (_, i) => ({
		userName: `person.${i + 1}@example.com`,
	}));
	const memberships = [];
	list.forEach(({ userName }, i) => {
		if (i === 0) memberships.push({ userName, organization: account.id, role: 'admin' });
		for (let k = 0; k < Math.min(rolesPerUser, managed.length); k++) {
			const organization = managed[(i + k) % managed.length].id;
			// The first person of each organization administers it, the others alternate.
			const role = i < managed.length ? 'admin' : i % 2 === 0 ? 'member' : 'viewer';
			memberships.push({ userName, organization, role });
		}
	});
	return { account: account.id, organizations: [account, ...managed], users: list, memberships };
}

module.exports = { defaultSeed, seedOf };
