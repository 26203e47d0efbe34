'use strict';

const { loadOnce } = require('../environment/loadOnce');
const { GROUPS_WITHOUT_ROLES } = require('./support/cannot');
const { add, createGroup, createUser, filtered, patchGroup, putGroup } = require('./support/probe');
const { serve } = require('./support/serve');
const { versionOf } = require('./support/versionOf');

const TOKEN = 'token-of-the-hr-connection';
const ROOT = '/api/auth/scim/v2';
const TABLES = [
	...['user', 'session', 'account', 'verification', 'rateLimit'],
	...['scimConnectionBinding', 'scimIdentityTombstone', 'scimSubject', 'scimProjectionGrant'],
	...['scimUser', 'scimGroup', 'scimGroupMember'],
];

/** What a client has to know; each is looked at again by the tests. */
const QUIRKS = [
	{
		says: 'Users do not show their groups.',
		async holds(ask) {
			const { body } = await createUser(ask, 'quirk@example.com');
			return body.groups === undefined;
		},
	},
	{
		says: 'One member who does not exist, and the whole PATCH is refused (400).',
		async holds(ask) {
			const { body: user } = await createUser(ask, 'quirk.member@example.com');
			const { body: group } = await createGroup(ask, 'quirk:member');
			const { status } = await patchGroup(ask, group.id, add(user.id, 'nobody'));
			const { body } = await ask('GET', `/Groups/${group.id}`);
			return status === 400 && body.members.length === 0;
		},
	},
	{
		says: 'Filters are `eq` on a few attributes; others are refused (400, invalidFilter).',
		async holds(ask) {
			const answers = [
				await filtered(ask, 'active eq true'),
				await filtered(ask, 'userName co "quirk"'),
			];
			return answers.every(
				({ status, body }) => status === 400 && body.scimType === 'invalidFilter',
			);
		},
	},
	{
		says: 'A PUT of a group without `displayName` is refused (400).',
		async holds(ask) {
			const { body: group } = await createGroup(ask, 'quirk:put');
			return (await putGroup(ask, group.id, { members: [] })).status === 400;
		},
	},
];

/** The SCIM plugin of Better Auth on its own in-memory adapter. */
async function start() {
	const [{ betterAuth }, { memoryAdapter }, { scim }] = [
		...['better-auth', 'better-auth/adapters/memory', '@better-auth/scim'],
	].map((name) => loadOnce(name, __filename));
	const tables = Object.fromEntries(TABLES.map((name) => [name, []]));
	const auth = betterAuth({
		baseURL: 'http://127.0.0.1',
		secret: 'a secret of the tests, for nothing else',
		database: memoryAdapter(tables),
		telemetry: { enabled: false },
		rateLimit: { enabled: false },
		logger: { disabled: true },
		plugins: [
			scim({
				connections: [{ id: 'hr', credentials: [{ type: 'bearer', id: 'n8n', token: TOKEN }] }],
			}),
		],
	});
	const { url, heard, close } = await serve((app) => {
		app.use(async (request, response) => {
			const { method, headers, originalUrl, body } = request;
			delete headers['content-length'];
			const asked = new Request(new URL(originalUrl, 'http://127.0.0.1'), {
				method,
				headers,
				body: body && JSON.stringify(body),
			});
			const answer = await auth.handler(asked);
			response.status(answer.status).set(Object.fromEntries(answer.headers));
			response.end(await answer.text());
		});
	});
	return {
		name: 'better-auth',
		version: `@better-auth/scim ${versionOf('@better-auth/scim')} with better-auth ${versionOf('better-auth')}`,
		credential: {
			baseUrl: url + ROOT,
			accountApiToken: TOKEN,
			serviceProfile: 'generic',
			...{ overrideProfile: true, deletionIsFinal: 'no' },
		},
		cannot: GROUPS_WITHOUT_ROLES,
		quirks: QUIRKS,
		groups: 'made with Group Create',
		heard,
		close,
		state: async () => ({
			users: tables.scimUser.map(({ id, userName, active, displayName }) => ({
				id,
				userName,
				active,
				displayName,
			})),
			groups: tables.scimGroup.map(({ id, displayName }) => ({
				id,
				name: displayName,
				members: tables.scimGroupMember
					.filter(({ groupId }) => groupId === id)
					.map(({ scimUserId }) => scimUserId),
			})),
		}),
	};
}

module.exports = { start };
