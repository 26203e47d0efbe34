'use strict';

const { randomUUID } = require('node:crypto');
const { GROUPS_WITHOUT_ROLES } = require('./support/cannot');
const {
	add,
	createGroup,
	createUser,
	membersIn,
	patchGroup,
	putGroup,
} = require('./support/probe');
const { serve } = require('./support/serve');
const { versionOf } = require('./support/versionOf');

const TOKEN = 'token-of-scimmy';

/** What a client has to know; each is looked at again by the tests. */
const QUIRKS = [
	{
		says: 'A list that is asked for past its end answers with everybody again.',
		async holds(ask) {
			const { body } = await ask('GET', '/Users?startIndex=99&count=2');
			return body.Resources.length > 0;
		},
	},
	{
		says: 'A group without anybody shows no `members` at all.',
		async holds(ask) {
			const { body } = await createGroup(ask, 'quirk:empty');
			return body.members === undefined;
		},
	},
	{
		says: 'Whoever is added twice is a member twice, and so is an ID that no user has.',
		async holds(ask, server) {
			const { body: user } = await createUser(ask, 'quirk.twice@example.com');
			const { body: group } = await createGroup(ask, 'quirk:twice');
			for (const id of [user.id, user.id, 'nobody']) await patchGroup(ask, group.id, add(id));
			return (await membersIn(server, group.id)) === 3;
		},
	},
	{
		says: 'A PATCH that changes nothing is answered with 204, another with 200 and the group.',
		async holds(ask) {
			const { body: group } = await createGroup(ask, 'quirk:answers');
			const same = { op: 'replace', path: 'displayName', value: 'quirk:answers' };
			const other = { ...same, value: 'quirk:other answers' };
			const statuses = [
				(await patchGroup(ask, group.id, same)).status,
				(await patchGroup(ask, group.id, other)).status,
			];
			return statuses.join() === '204,200';
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

let declared = false;

/** SCIMMY knows one set of handlers per process; which server's store they work on comes with the request. */
function declareOnce(SCIMMY) {
	if (declared) return;
	declared = true;
	const { Resources, Types } = SCIMMY;
	const gone = (id) => new Types.Error(404, null, `Resource ${id} not found`);
	const taken = (name) => new Types.Error(409, 'uniqueness', `${name} is taken`);
	const read = (kind, show) => (resource, store) => {
		const all = [...store[kind].values()].map((entry) => show(entry, store));
		if (resource.id === undefined) return resource.filter ? resource.filter.match(all) : all;
		const found = all.find(({ id }) => id === resource.id);
		if (found === undefined) throw gone(resource.id);
		return found;
	};
	const write = (kind, nameOf, show) => (resource, values, store) => {
		const entries = store[kind];
		const data = JSON.parse(JSON.stringify(values));
		if (resource.id !== undefined && !entries.has(resource.id)) throw gone(resource.id);
		const id = resource.id ?? store.newId(nameOf(data));
		const name = nameOf(data).toLowerCase();
		if (
			[...entries.values()].some((other) => other.id !== id && nameOf(other).toLowerCase() === name)
		) {
			throw taken(name);
		}
		entries.set(id, { ...data, id });
		return show(entries.get(id), store);
	};
	const showUser = ({ groups, ...user }, store) => ({
		...user,
		groups: [...store.groups.values()]
			.filter(({ members = [] }) => members.some(({ value }) => value === user.id))
			.map(({ id, displayName }) => ({ value: id, display: displayName })),
	});
	const showGroup = (group) => group;
	Resources.declare(Resources.User)
		.egress(read('users', showUser))
		.ingress(write('users', ({ userName }) => userName, showUser))
		.degress((resource, store) => {
			if (!store.users.delete(resource.id)) throw gone(resource.id);
			for (const group of store.groups.values()) {
				group.members = group.members?.filter(({ value }) => value !== resource.id);
			}
		});
	Resources.declare(Resources.Group)
		.egress(read('groups', showGroup))
		.ingress(write('groups', ({ displayName }) => displayName, showGroup))
		.degress((resource, store) => {
			if (!store.groups.delete(resource.id)) throw gone(resource.id);
		});
}

/**
 * SCIMMY behind its own routers, on a store of ours.
 * @param options `idsAreNames`: the ID of a group is its name, so that it can say organization and role
 */
async function start({ idsAreNames = false } = {}) {
	const { default: SCIMMY } = require('scimmy');
	const { default: SCIMMYRouters } = require('scimmy-routers');
	declareOnce(SCIMMY);
	const store = { users: new Map(), groups: new Map() };
	store.newId = (name) => (idsAreNames && !name.includes('@') ? name : randomUUID());
	const { url, heard, close } = await serve((app) => {
		app.use(
			'/scim/v2',
			new SCIMMYRouters({
				type: 'bearer',
				handler(request) {
					if (request.header('Authorization') !== `Bearer ${TOKEN}`) throw new Error('Who is it?');
					return 'n8n';
				},
				context: () => store,
			}),
		);
	});
	return {
		name: idsAreNames ? 'scimmy, groups by role' : 'scimmy',
		version: `scimmy ${versionOf('scimmy')} with scimmy-routers ${versionOf('scimmy-routers')}`,
		credential: {
			baseUrl: `${url}/scim/v2`,
			accountApiToken: TOKEN,
			serviceProfile: 'generic',
			...{ overrideProfile: true, deletionIsFinal: 'no' },
			...(idsAreNames && {
				groupsStandFor: 'organizationAndRole',
				groupPattern: '{organization}:{role}',
			}),
		},
		cannot: idsAreNames ? {} : GROUPS_WITHOUT_ROLES,
		quirks: QUIRKS,
		groups: 'made with Group Create',
		heard,
		close,
		state: async () => ({
			users: [...store.users.values()].map(({ id, userName, active, displayName }) => ({
				id,
				userName,
				active,
				displayName,
			})),
			groups: [...store.groups.values()].map(({ id, displayName, members = [] }) => ({
				id,
				name: displayName,
				members: members.map(({ value }) => value),
			})),
		}),
	};
}

module.exports = { start };
