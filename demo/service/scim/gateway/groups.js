'use strict';

const { empty } = require('../../answer');
const { ROLES } = require('../directory');
const { changesOf } = require('./changes');
const { filterOf } = require('./filter');
const {
	scim,
	refusal,
	notFound,
	broken,
	listAnswer,
	written,
	bodyOf,
	GROUP,
} = require('./messages');
const { replacementOf } = require('./replacement');
const { selected } = require('./selection');

/** test/contract/interface.md 1.5: groups come and go with their organization only. */
const immutable = () =>
	refusal(400, 'Groups cannot be created or deleted', { scimType: 'mutability' });

/**
 * test/contract/interface.md 2.3: the id in every answer is `whylabs-org-<suffix>:<role>`; on input the prefix may
 * be missing and the role may be in upper case.
 */
const shownId = (groupId) => `whylabs-${groupId}`;

/**
 * @param {string} text
 * @returns {string} id of a group, whose organization need not exist
 * @throws {import('../../answer').Refusal} 400 invalidValue when it has not the form of a group id
 */
function groupIdIn(text) {
	const [organization, named] = text.split(':');
	const role = named?.toLowerCase();
	if (ROLES.includes(role)) return `${organization.replace('whylabs-', '')}:${role}`;
	throw refusal(400, `${text} is not a valid group`, { scimType: 'invalidValue' });
}

/**
 * SCIM groups (test/contract/interface.md 1.3, 1.5, 2.3). Each method but `modify` takes a request and gives an
 * Answer, or throws a Refusal.
 * @param {import('../service').ScimService} service
 * @param {(request: import('../service').ScimRequest) => void} checkKey throws a Refusal
 */
function groups(service, checkKey) {
	const { switches } = service;

	function show(groupId, { users, groups: all }, query = {}, isShown = () => true) {
		const id = shownId(groupId);
		const members = all
			.get(groupId)
			.filter(isShown)
			.map((value) => ({ value, display: (users.get(value) ?? service.users.get(value))?.email }));
		const shown = { id, displayName: id, ...(members.length > 0 ? { members } : {}) };
		return { ...selected(shown, query), schemas: [GROUP], meta: { resourceType: 'Group' } };
	}

	/** @returns {{ found: string[], member?: string }} the groups, and the only member that they show */
	function find(expression, state) {
		const all = [...state.groups.keys()];
		const { attribute, value } = filterOf(expression, switches.filter) ?? {};
		if (!value) return { found: all };
		if (['id', 'displayName'].includes(attribute)) {
			const wanted = groupIdIn(value);
			return { found: all.filter((groupId) => groupId === wanted) };
		}
		if (attribute === 'members.value') {
			const found = all.filter((groupId) => state.groups.get(groupId).includes(value));
			return { found, member: value };
		}
		// test/contract/interface.md 2.1: any other attribute is no filter at all.
		return { found: all };
	}

	/**
	 * test/contract/interface.md 2.3: adds in order, then removals.
	 * @param {string} id
	 * @param {unknown} members entries as in changes.js
	 */
	function modify(id, members, how) {
		if (!members) return;
		if (!Array.isArray(members)) throw refusal(400, 'members is not a list');
		const groupId = groupIdIn(id);
		const added = new Set();
		const removed = new Set();
		for (const { value, operation } of members) {
			if (operation === 'delete') removed.add(value);
			else if (value) added.add(value);
		}
		if (added.size + removed.size === 0) return;
		if (!service.groups.has(groupId))
			throw service.invalid(`${groupId} is not of an organization of this account`);
		const steps = [
			{ op: 'add', ids: added },
			{ op: 'remove', ids: removed },
		];
		service.modify(groupId, steps, how);
	}

	/** @throws {import('../../answer').Refusal} 404 */
	function existing(id) {
		const groupId = groupIdIn(id);
		if (!service.groups.has(groupId)) throw notFound(id);
		return groupId;
	}

	return {
		modify,

		list(request) {
			checkKey(request);
			const { query } = request;
			const seen = service.seen();
			const { found, member } = find(query.filter, seen);
			const isShown = (userId) => member === undefined || userId === member;
			return listAnswer(service, request, found, (groupId) => show(groupId, seen, query, isShown));
		},

		get(request) {
			checkKey(request);
			const shown = show(existing(request.id), service.seen(), request.query);
			shown.meta.location = service.url + request.path;
			return scim(200, shown);
		},

		replace(request) {
			const body = bodyOf(request);
			checkKey(request);
			const groupId = existing(request.id);
			const { schemas, meta, ...current } = { members: [], ...show(groupId, service) };
			modify(groupId, replacementOf(current, body).members, { isList: true });
			return written(service, request, show(groupId, service.told));
		},

		patch(request) {
			const { members } = changesOf(bodyOf(request));
			checkKey(request);
			const { id } = request;
			const isEmptied = Array.isArray(members) && members.length === 0;
			modify(id, isEmptied ? everyMember(existing(id)) : members);
			const groupId = groupIdIn(id);
			if (!service.groups.has(groupId) || switches.patchAnswers === '204') return empty(204);
			return written(service, request, show(groupId, service.told, request.query));
		},

		create(request) {
			const { displayName, externalId } = bodyOf(request);
			if (!displayName && !externalId) throw broken('displayName or externalId is mandatory');
			throw immutable();
		},

		delete() {
			throw immutable();
		},
	};

	function everyMember(groupId) {
		return service.groups.get(groupId).map((value) => ({ value, operation: 'delete' }));
	}
}

module.exports = { groups, shownId };
