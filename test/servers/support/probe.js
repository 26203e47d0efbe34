'use strict';

const SCHEMAS = {
	user: 'urn:ietf:params:scim:schemas:core:2.0:User',
	group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
	patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
};

/** Plain requests for looking at a server without the node; `ask` sends one. Each gives `{ status, body }`. */
const createUser = async (ask, userName) =>
	await ask('POST', '/Users', { schemas: [SCHEMAS.user], userName, active: true });

const createGroup = async (ask, displayName) =>
	await ask('POST', '/Groups', { schemas: [SCHEMAS.group], displayName });

const patchGroup = async (ask, id, ...operations) =>
	await ask('PATCH', `/Groups/${id}`, { schemas: [SCHEMAS.patch], Operations: operations });

const putGroup = async (ask, id, attributes) =>
	await ask('PUT', `/Groups/${id}`, { schemas: [SCHEMAS.group], ...attributes });

const add = (...ids) => ({ op: 'add', path: 'members', value: ids.map((value) => ({ value })) });

const filtered = async (ask, filter) =>
	await ask('GET', `/Users?filter=${encodeURIComponent(filter)}`);

/** How many members a group has in the server's own store. */
async function membersIn({ state }, groupId) {
	const { groups } = await state();
	return groups.find(({ id }) => id === groupId)?.members.length;
}

module.exports = { add, createGroup, createUser, filtered, membersIn, patchGroup, putGroup };
