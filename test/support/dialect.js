'use strict';

const { startService } = require('../../demo/service');
const { DIALECTS } = require('../../demo/service/scim/dialects');
const { DEFAULTS: WELL_BEHAVED } = require('../../demo/service/scim/switches');

/** Where user names are not the emails that people are named by. */
const MATCH_BY = { slack: 'email', wandb: 'email' };

/** With all that any of the services asks for. */
const personOf = ({ name, ...more }, { nameLength, emails = 'list' }) => ({
	id: `id-${name}`,
	userName: nameLength === undefined && emails !== 'object' ? `${name}@example.com` : name,
	displayName: name,
	externalId: `id-${name}`,
	name: { givenName: name, familyName: 'Silva' },
	emails: [
		{ value: `${name}@example.com`, primary: true, ...(emails === 'byType' && { type: 'work' }) },
	],
	...more,
});

/** Those that are no service of others, with what startService takes for them. */
const OURS = {
	generic: { preset: 'generic', switches: {}, given: { ...WELL_BEHAVED, ids: 'numbered' } },
	account: { preset: 'accountOrganizations', switches: {}, given: {} },
};

/**
 * Starts a dialect of the local service (demo/service/scim/dialects.js), `generic`, which is well-behaved, or `account`,
 * the account with organizations.
 * @param people `{ name }` and other attributes; their ids are `id-<name>`. Without any it is the demo's account.
 * @param options switches, and whatever else startService takes
 * @returns the service; `credential`: its Service Profile and how to get in; `matchUsersBy` where that is no user name
 */
async function startDialect(dialect, { people, groups, ...options }) {
	const { preset, switches, given = { dialect } } = OURS[dialect] ?? DIALECTS[dialect];
	const users = people?.map((one) => personOf(one, switches));
	const seed = users && { organizations: [], users, groups };
	const service = await startService({ ...given, ...options, ...(seed && { seed }) });
	const [user, password] = service.accountToken.split(/:(.*)/);
	const hasGroups = switches.types?.includes('Groups') !== false;
	return {
		service,
		hasGroups,
		matchUsersBy: MATCH_BY[dialect],
		credential: {
			baseUrl: service.url,
			serviceProfile: preset,
			...(switches.scheme === 'Basic'
				? { authenticationMethod: 'basic', user, password }
				: { accountApiToken: service.accountToken }),
			...(!hasGroups && !switches.listsByFilterOnly && { overrideProfile: true, hasGroups: 'no' }),
		},
	};
}

module.exports = { OURS: Object.keys(OURS), startDialect };
