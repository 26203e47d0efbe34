'use strict';

const { startService } = require('../../demo/service');

const ORGANIZATIONS = ['org-acct', 'org-a', 'org-b'];

/** What a client has to know; each is looked at again by the tests (more: test/contract/interface.md). */
const QUIRKS = [
	{
		says: 'Names are accepted, and shown no more.',
		async holds(ask) {
			const { body } = await ask('POST', '/scim/Users', {
				schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
				userName: 'quirk@example.com',
				displayName: 'Quirk',
			});
			const read = await ask('GET', `/scim/Users/${body.id}`);
			return read.status === 200 && read.body.displayName === undefined;
		},
	},
	{
		says: 'DELETE answers 204 for a user whom there never was.',
		holds: async (ask) => (await ask('DELETE', '/scim/Users/user-nobody')).status === 204,
	},
	{
		says: 'Groups are there from the start: they can be neither made nor deleted.',
		async holds(ask) {
			const { status } = await ask('DELETE', '/scim/Groups/org-a:member');
			return status === 400;
		},
	},
];

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
		quirks: QUIRKS,
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
