'use strict';

const { startService } = require('../../demo/service');
const { DIALECTS } = require('../../demo/service/scim/dialects');
const { FIRST, SECOND } = require('./support/script');

/** Nobody waits here, so every request comes a second after the one before. */
const SECOND_MS = 1000;

const NO_GROUPS = Object.fromEntries(
	['Joiner: Assign', 'Mover: Set', 'Reconcile'].map((step) => [step, 'no Groups']),
);
const NO_LIST = Object.fromEntries(
	['Get Matrix', 'User: Reconcile', 'User: Reconcile, again'].map((step) => [
		step,
		'no list of users',
	]),
);

/** What the service itself cannot do, by step; whatever else fails is the node's. */
const LACKS = {
	gitlab: { ...NO_GROUPS, ...NO_LIST },
	langfuse: NO_GROUPS,
};

/** What Get Capabilities names in place of the preset: Slack is told by its host alone. */
const SEEN_AS = { slack: 'generic' };

/** Where user names are not the emails that people are named by. */
const MATCH_BY = { slack: { matchUsersBy: 'email' }, wandb: { matchUsersBy: 'email' } };

/** With all that any of the services asks for. */
const personOf = (name, { nameLength, emails = 'list' }) => ({
	id: `id-${name}`,
	userName: nameLength === undefined && emails === 'list' ? `${name}@example.com` : name,
	displayName: name,
	externalId: `id-${name}`,
	name: { givenName: name, familyName: 'Silva' },
	emails: [{ value: `${name}@example.com`, primary: true }],
});

/** A dialect of the local service (demo/service/scim/dialects.js), with the Service Profile that is made for it. */
async function start(dialect) {
	const { page, path, preset, switches } = DIALECTS[dialect];
	const hasGroups = switches.types?.includes('Groups') !== false;
	let now = Date.now();
	const service = await startService({
		dialect,
		now: () => (now += SECOND_MS),
		seed: {
			organizations: [],
			users: ['ana', 'bob'].map((name) => personOf(name, switches)),
			groups: [
				{ id: 'g-1', displayName: FIRST, members: ['id-ana'] },
				{ id: 'g-2', displayName: SECOND, members: ['id-bob'] },
			],
		},
	});
	const [user, password] = service.accountToken.split(/:(.*)/);
	return {
		version: `${page}; path \`${path}\`, profile \`${preset}\``,
		credential: {
			baseUrl: service.url,
			serviceProfile: preset,
			...(switches.scheme === 'Basic'
				? { authenticationMethod: 'basic', user, password }
				: { accountApiToken: service.accountToken }),
			...(!hasGroups &&
				!switches.listsByFilterOnly && {
					overrideProfile: true,
					hasGroups: 'no',
				}),
		},
		hasGroups,
		seenAs: SEEN_AS[dialect],
		options: MATCH_BY[dialect],
		deactivationDeletes: switches.deactivationDeletes === true,
		lacks: LACKS[dialect],
		cannot: {},
		quirks: [],
		heard: service.log.requests,
		close: service.close,
		async state() {
			const { users, groups, about } = service.state.directory;
			return {
				users: [...users.values()].map(({ id, userName, active }) => ({ id, userName, active })),
				groups: [...groups].map(([id, members]) => ({
					id,
					name: about.get(id).displayName,
					members,
				})),
			};
		},
	};
}

module.exports = { DIALECTS, start };
