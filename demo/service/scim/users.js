'use strict';

const { empty } = require('../answer');
const { userIdOf } = require('../state/directory');
const { filterOf, equalText, invalid } = require('./filter');
const { groupId, parseGroupId } = require('./groupId');
const { scim, refusal, notFound, listAnswer, bodyOf, operationsOf, USER } = require('./messages');
const { patchAnswer, tablesToShow } = require('./patchAnswer');

// What a client sends and the service makes itself: not stored with the attributes.
const OWN = ['schemas', 'id', 'userName', 'active', 'groups', 'meta'];

/**
 * SCIM users (docs/interface.md 1.2, 1.5, 2.1, 2.2). Each method takes a request and gives an Answer,
 * or throws a Refusal.
 * @param {object} service
 */
function users({ state, options, url }) {
	const { directory, visibility } = state;
	const location = (id) => `${url()}/scim/Users/${encodeURIComponent(id)}`;
	const meta = (id) => ({ resourceType: 'User', location: location(id) });

	function show({ id, userName, active, attributes }, tables) {
		const groups = tables.rolesOf(id).map(([organizationId, role]) => {
			const value = groupId({ organizationId, role });
			return { value, display: value, type: 'direct' };
		});
		return {
			schemas: [USER],
			id,
			userName,
			active,
			...attributes,
			...(groups.length > 0 ? { groups } : {}),
			meta: meta(id),
		};
	}

	function find(expression, tables) {
		const filter = filterOf(expression, options.filter);
		if (!filter) return [...tables.users.values()];
		if (!['username', 'id'].includes(filter.attribute)) throw invalid(expression);
		const value = equalText(filter, expression);
		if (filter.attribute === 'id') return [tables.users.get(value)].filter(Boolean);
		// Look-up goes by the e-mail of creation: a userName changed by PUT is only shown (2.2).
		const user = tables.users.get(userIdOf(value));
		return user?.email === value.toLowerCase() ? [user] : [];
	}

	function attributesOf(body) {
		return Object.fromEntries(Object.entries(body).filter(([name]) => !OWN.includes(name)));
	}

	/** docs/interface.md 2.2: `groups` in a PUT is acted on; `[]` removes every membership. */
	function replaceRoles(userId, groups) {
		const wanted = groups.map(({ value }) => {
			const group = parseGroupId(value, state.organizations);
			if (!group) throw refusal(400, `Unknown group ${value}`, { scimType: 'invalidValue' });
			return group;
		});
		const kept = new Set(wanted.map(({ organizationId }) => organizationId));
		for (const [organizationId] of directory.tables.rolesOf(userId)) {
			if (!kept.has(organizationId)) directory.removeRole(userId, organizationId);
		}
		for (const { organizationId, role } of wanted) directory.setRole(userId, organizationId, role);
	}

	function booleanOf(value) {
		if (typeof value === 'boolean') return value;
		throw refusal(400, 'active must be a boolean', { scimType: 'invalidValue', numeric: true });
	}

	return {
		list(req) {
			const tables = visibility.read(directory.tables);
			const found = find(req.query.filter, tables);
			return listAnswer(found, req.query, options.pageCap, (user) => show(user, tables));
		},

		get(req) {
			const tables = visibility.read(directory.tables);
			const user = tables.users.get(req.params.id);
			if (!user) throw notFound(req.params.id);
			return scim(200, show(user, tables));
		},

		create(req) {
			const { userName } = req.exchange.value ?? {};
			// docs/interface.md 2.2: a missing userName is not refused, it breaks the service.
			if (typeof userName !== 'string' || userName === '') {
				throw refusal(500, 'Internal Server Error', { numeric: true });
			}
			const body = bodyOf(req, USER);
			if (directory.isTaken(userName)) {
				throw refusal(409, `User ${userName} already exists`, { scimType: 'uniqueness' });
			}
			const { id } = directory.create(userName, attributesOf(body));
			const known = { schemas: [USER], userName, active: true };
			// docs/interface.md 2.1: where reads are late, the answer does not know the id yet.
			if (visibility.lags) return scim(201, { ...known, meta: { resourceType: 'User' } });
			return scim(201, { ...known, id, meta: meta(id) }, { Location: location(id) });
		},

		replace(req) {
			const before = directory.tables.users.get(req.params.id);
			if (!before) throw notFound(req.params.id);
			const body = bodyOf(req, USER);
			const active = body.active === undefined ? undefined : booleanOf(body.active);
			const tables = tablesToShow(req, options, directory);
			if (Array.isArray(body.groups)) replaceRoles(before.id, body.groups);
			directory.store({
				...before,
				userName: typeof body.userName === 'string' ? body.userName : before.userName,
				attributes: attributesOf(body),
			});
			if (active !== undefined) directory.setActive(before.id, active);
			const shown = tables ?? directory.tables;
			return scim(200, show(shown.users.get(before.id), shown));
		},

		patch(req) {
			const { id } = req.params;
			// docs/interface.md 2.1: silent success, so a 204 proves nothing.
			if (!directory.tables.users.has(id)) return empty(204);
			const operations = operationsOf(req);
			const tables = tablesToShow(req, options, directory);
			for (const { op, path, value } of operations) {
				// Any other path is accepted and does nothing (2.2).
				if (path === 'active' && op !== 'remove') directory.setActive(id, booleanOf(value));
			}
			const shown = tables ?? directory.tables;
			return patchAnswer(options, () => show(shown.users.get(id), shown));
		},

		delete(req) {
			directory.delete(req.params.id);
			return empty(204);
		},
	};
}

module.exports = { users };
