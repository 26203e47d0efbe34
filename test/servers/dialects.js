'use strict';

const { DIALECTS } = require('../../demo/service/scim/dialects');
const { startDialect } = require('../support/dialect');
const { FIRST, SECOND } = require('./support/script');

/** Nobody waits here, so every request comes a second after the one before. */
const SECOND_MS = 1000;

const NO_GROUPS = Object.fromEntries(
	[
		...['Joiner: Assign', 'Joiner: Assign, again', 'Joiner: Assign, who is new', 'Mover: Set'],
		...['Mover: Set, again', 'Revoke', 'Reconcile', 'Reconcile, again'],
	].map((step) => [step, 'no Groups']),
);
const NO_LIST = Object.fromEntries(
	['Get Matrix', 'User: Reconcile', 'User: Reconcile, again', 'Change Email', 'Trigger'].map(
		(step) => [step, 'no list of users'],
	),
);

/** What the service itself cannot do, by step; whatever else fails is the node's. */
const LACKS = {
	gitlab: { ...NO_GROUPS, ...NO_LIST },
	gitlabInstance: NO_LIST,
	// One line for each group of a user, and the total counts these: a user who is lost looks the same.
	infisical2026: { Trigger: 'no list of users' },
	langfuse: NO_GROUPS,
};

/** What Get Capabilities names in place of the preset: Slack is told by its host alone. */
const SEEN_AS = { slack: 'generic' };

/** A dialect of the local service (demo/service/scim/dialects.js), with the Service Profile that is made for it. */
async function start(dialect) {
	const { page, path, preset, switches } = DIALECTS[dialect];
	let now = Date.now();
	const { service, credential, hasGroups, matchUsersBy } = await startDialect(dialect, {
		now: () => (now += SECOND_MS),
		people: [{ name: 'ana' }, { name: 'bob' }],
		groups: [
			{ id: 'g-1', displayName: FIRST, members: ['id-ana'] },
			{ id: 'g-2', displayName: SECOND, members: ['id-bob'] },
		],
	});
	return {
		version: `${page}; path \`${path}\`, profile \`${preset}\``,
		credential,
		hasGroups,
		seenAs: SEEN_AS[dialect],
		options: matchUsersBy && { matchUsersBy },
		deactivationDeletes: switches.deactivationDeletes === true,
		lacks: LACKS[dialect],
		cannot: {},
		quirks: [],
		heard: service.log.requests,
		otherWriter: {
			add: (groupId, userId) => service.state.directory.add(groupId, userId),
			take: (groupId, userId) => service.state.directory.take(groupId, userId),
		},
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
