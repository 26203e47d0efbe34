'use strict';

const { startService } = require('../../demo/service');

const ORGANIZATIONS = ['org-acct', 'org-a', 'org-b'];

/** The local service of this repository, empty of people. */
async function start() {
	const service = await startService({
		seed: { account: 'org-acct', organizations: ORGANIZATIONS.map((id) => ({ id, name: id })) },
	});
	return {
		name: 'account',
		version: 'demo/service of this repository',
		credential: {
			baseUrl: service.url,
			accountApiToken: service.accountToken,
			serviceProfile: 'accountOrganizations',
		},
		dropsMemberships: true,
		cannot: {
			// It keeps no displayName (test/contract/interface.md 2.2), so nothing is sent.
			'User: Create or Update, other name': /^unchanged$/,
			'Group: Create': /^error: .*Groups cannot be created or deleted/,
			'Group: Delete': /^error: .*Groups of this service cannot be deleted/,
		},
		quirks: [],
		groups: 'made by the service, one for each organization and role',
		heard: service.log.requests,
		close: service.close,
		async state() {
			const { users, groups } = service.state.directory;
			return {
				users: [...users.values()].map(({ id, userName, active }) => ({
					id,
					userName,
					active,
				})),
				groups: [...groups].map(([id, members]) => ({ id, name: id, members })),
			};
		},
	};
}

module.exports = { start };
