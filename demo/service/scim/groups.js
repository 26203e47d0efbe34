'use strict';

const { filterOf, equalText } = require('./filter');
const { groupId, parseGroupId, allGroups } = require('./groupId');
const { scim, refusal, notFound, listAnswer, bodyOf, operationsOf, GROUP } = require('./messages');
const { patchAnswer, tablesToShow } = require('./patchAnswer');

/**
 * SCIM groups (docs/interface.md 1.3, 1.5, 2.3). Each method takes a request and gives an Answer, or
 * throws a Refusal.
 * @param {object} service
 */
function groups({ state, options, url }) {
	const { directory, visibility } = state;

	function show(group, tables) {
		const id = groupId(group);
		const members = tables
			.membersOf(group.organizationId, group.role)
			.map(({ id: value, userName: display }) => ({ value, display }));
		return { schemas: [GROUP], id, displayName: id, ...(members.length > 0 ? { members } : {}) };
	}

	/** docs/interface.md 1.3: `meta` is there on reads only. */
	function showRead(group, tables) {
		const location = `${url()}/scim/Groups/${groupId(group)}`;
		return { ...show(group, tables), meta: { resourceType: 'Group', location } };
	}

	function groupOf(req) {
		const group = parseGroupId(req.params.id, state.organizations);
		if (!group) throw notFound(req.params.id);
		return group;
	}

	function find(expression, tables) {
		const all = allGroups(state.organizations);
		const filter = filterOf(expression, options.filter);
		if (!filter) return all;
		if (['id', 'displayname'].includes(filter.attribute)) {
			const wanted = parseGroupId(equalText(filter, expression), state.organizations);
			return all.filter((group) => wanted && groupId(group) === groupId(wanted));
		}
		if (filter.attribute === 'members.value') {
			const userId = equalText(filter, expression);
			return all.filter(
				({ organizationId, role }) => tables.memberships.get(organizationId).get(userId) === role,
			);
		}
		// docs/interface.md 2.1: any other attribute is no filter at all.
		return all;
	}

	function idsOf(members) {
		if (!Array.isArray(members)) throw refusal(400, 'members must be an array', { numeric: true });
		return members.map((member) => {
			if (typeof member?.value === 'string') return member.value;
			throw refusal(400, 'A member has no value', { scimType: 'invalidValue', numeric: true });
		});
	}

	/** docs/interface.md 2.3: whoever can be added is added, and then the request is refused. */
	function add({ organizationId, role }, userIds) {
		const refused = [];
		for (const userId of userIds) {
			const possible =
				directory.tables.users.has(userId) && directory.allows(organizationId, userId);
			if (possible) directory.setRole(userId, organizationId, role);
			else refused.push(userId);
		}
		if (refused.length > 0) {
			throw refusal(400, 'One or more members cannot be added', { scimType: 'invalidValue' });
		}
	}

	/** docs/interface.md 2.3: takes the membership of the organization away, whatever its role is. */
	function remove({ organizationId }, userIds) {
		for (const userId of userIds) {
			if (!directory.removeRole(userId, organizationId)) {
				throw refusal(404, `User ${userId} is not a member of ${organizationId}`);
			}
		}
	}

	function keepOnly({ organizationId, role }, userIds) {
		const kept = new Set(userIds);
		for (const { id } of directory.tables.membersOf(organizationId, role)) {
			if (!kept.has(id)) directory.removeRole(id, organizationId);
		}
	}

	return {
		list(req) {
			const tables = visibility.read(directory.tables);
			const found = find(req.query.filter, tables);
			return listAnswer(found, req.query, options.pageCap, (group) => showRead(group, tables));
		},

		get(req) {
			return scim(200, showRead(groupOf(req), visibility.read(directory.tables)));
		},

		replace(req) {
			const group = groupOf(req);
			// docs/interface.md 2.3: a PUT without members empties the group.
			const userIds = idsOf(bodyOf(req, GROUP).members ?? []);
			const tables = tablesToShow(req, options, directory);
			add(group, userIds);
			keepOnly(group, userIds);
			return scim(200, show(group, tables ?? directory.tables));
		},

		patch(req) {
			const group = groupOf(req);
			// A path with a filter, or none: accepted, and nothing is done (docs/interface.md 2.2).
			const operations = operationsOf(req).filter(({ path }) => path === 'members');
			const tables = tablesToShow(req, options, directory);
			const added = [];
			const removed = [];
			for (const { op, value } of operations) {
				if (op === 'remove') removed.push(...(value === undefined ? [] : idsOf(value)));
				else if (op === 'replace' && Array.isArray(value) && value.length === 0)
					keepOnly(group, []);
				else added.push(...idsOf(value));
			}
			// docs/interface.md 2.3: when a remove fails, the adds of the request have been applied.
			add(group, added);
			remove(group, removed);
			return patchAnswer(options, () => show(group, tables ?? directory.tables));
		},

		/** docs/interface.md 1.5: groups come and go with their organization only. */
		refuse() {
			throw refusal(400, 'Groups cannot be created or deleted', {
				scimType: 'mutability',
				numeric: true,
			});
		},
	};
}

module.exports = { groups };
