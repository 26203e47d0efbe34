'use strict';

const { empty } = require('../answer');
const { changesOf } = require('./changes');
const { filterOf } = require('./filter');
const { groupId, parseGroupId, allGroups } = require('./groupId');
const { scim, refusal, notFound, broken, listAnswer, bodyOf, GROUP } = require('./messages');
const { patchAnswer, tablesToShow } = require('./patchAnswer');
const { replacementOf } = require('./replacement');
const { selected } = require('./selection');

/** docs/interface.md 1.5: groups come and go with their organization only. */
const immutable = () =>
	refusal(400, 'Groups cannot be created or deleted', { scimType: 'mutability' });

/**
 * SCIM groups (docs/interface.md 1.3, 1.5, 2.3). Each method but `modify` takes a request and gives an
 * Answer, or throws a Refusal.
 * @param {object} service
 * @param {(req: import('express').Request) => void} checkKey throws a Refusal
 */
function groups({ state, options, url }, checkKey) {
	const { directory, visibility } = state;
	const exists = ({ organizationId }) => state.organization(organizationId) !== undefined;

	function show(group, tables, query = {}, isShown = () => true) {
		const id = groupId(group);
		const members = tables
			.membersOf(group.organizationId, group.role)
			.filter((user) => isShown(user.id))
			.map(({ id: value, email: display }) => ({ value, display }));
		const shown = { id, displayName: id, ...(members.length > 0 ? { members } : {}) };
		return { ...selected(shown, query), schemas: [GROUP], meta: { resourceType: 'Group' } };
	}

	/** @returns {{ found: object[], member?: string }} the groups, and of whom alone they show the membership */
	function find(expression, tables) {
		const all = allGroups(state.organizations);
		const { attribute, value } = filterOf(expression, options.filter) ?? {};
		if (!value) return { found: all };
		if (['id', 'displayName'].includes(attribute)) {
			const wanted = groupId(parseGroupId(value));
			return { found: all.filter((group) => groupId(group) === wanted) };
		}
		if (attribute === 'members.value') {
			const holds = ({ organizationId, role }) =>
				tables.memberships.get(organizationId).get(value) === role;
			return { found: all.filter(holds), member: value };
		}
		// docs/interface.md 2.1: any other attribute is no filter at all.
		return { found: all };
	}

	/**
	 * docs/interface.md 2.3: adds in order, then removals. An unknown id is passed over, and refused in the
	 * end; an email domain that the organization does not take, and a removal of who is no member, stop
	 * everything where they are met.
	 * @param {string} id
	 * @param {unknown} members entries as in changes.js
	 */
	function modify(id, members) {
		if (!members) return;
		if (!Array.isArray(members)) throw refusal(400, 'members is not a list');
		const group = parseGroupId(id);
		const { organizationId, role } = group;
		const added = new Set();
		const removed = new Set();
		for (const { value, operation } of members) {
			if (operation === 'delete') removed.add(value);
			else if (value) added.add(value);
		}
		if (added.size + removed.size === 0) return;
		const invalid = (text) => refusal(400, text, { scimType: 'invalidValue' });
		if (!exists(group)) throw invalid(`${organizationId} is not an organization of this account`);
		const unknown = [];
		for (const userId of added) {
			if (!directory.tables.users.has(userId)) unknown.push(userId);
			else if (directory.takes(organizationId, userId))
				directory.setRole(userId, organizationId, role);
			else throw invalid(`An email domain is not allowed in ${organizationId}`);
		}
		// Whatever the role is: the membership of the organization goes.
		for (const userId of removed) {
			if (directory.removeRole(userId, organizationId)) continue;
			throw refusal(404, `User ${userId} is not a member of ${organizationId}`);
		}
		if (unknown.length > 0) throw invalid(`Some users did not exist ${unknown.join(', ')}`);
	}

	return {
		modify,

		list(req) {
			checkKey(req);
			const tables = visibility.read(directory.tables);
			const { query } = req;
			const { found, member } = find(query.filter, tables);
			const isShown = (userId) => member === undefined || userId === member;
			const isLocated = !query.attributes && !query.excludedAttributes?.includes('meta');
			return listAnswer(found, query, options.pageCap, (group) => {
				const shown = show(group, tables, query, isShown);
				if (isLocated && shown.id) shown.meta.location = `${url()}${req.path}/${shown.id}`;
				return shown;
			});
		},

		get(req) {
			checkKey(req);
			const group = parseGroupId(req.params.id);
			if (!exists(group)) throw notFound(req.params.id);
			const shown = show(group, visibility.read(directory.tables), req.query);
			shown.meta.location = url() + req.path;
			return scim(200, shown);
		},

		replace(req) {
			const body = bodyOf(req);
			checkKey(req);
			const { id } = req.params;
			const group = parseGroupId(id);
			if (!exists(group)) throw notFound(id);
			const tables = tablesToShow(req, options, directory) ?? directory.tables;
			const { schemas, meta, ...current } = { members: [], ...show(group, directory.tables) };
			modify(id, replacementOf(current, body).members);
			return scim(200, show(group, tables), { Location: url() + req.path });
		},

		patch(req) {
			const { members } = changesOf(bodyOf(req));
			checkKey(req);
			const { id } = req.params;
			const tables = tablesToShow(req, options, directory) ?? directory.tables;
			const isEmptied = Array.isArray(members) && members.length === 0;
			modify(id, isEmptied ? everyMember(parseGroupId(id)) : members);
			const group = parseGroupId(id);
			if (!exists(group)) return empty(204);
			return patchAnswer(req, options, url, () => show(group, tables, req.query));
		},

		create(req) {
			const { displayName, externalId } = bodyOf(req);
			if (!displayName && !externalId) throw broken('displayName or externalId is mandatory');
			throw immutable();
		},

		delete() {
			throw immutable();
		},
	};

	function everyMember(group) {
		if (!exists(group)) throw notFound(groupId(group));
		return directory.tables
			.membersOf(group.organizationId, group.role)
			.map(({ id }) => ({ value: id, operation: 'delete' }));
	}
}

module.exports = { groups };
