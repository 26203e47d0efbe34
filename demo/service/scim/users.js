'use strict';

const { empty } = require('../answer');
const { userIdOf } = require('../state/directory');
const { attributesIn, changesOf } = require('./changes');
const { filterOf, invalid } = require('./filter');
const { groupId } = require('./groupId');
const { scim, refusal, notFound, broken, listAnswer, bodyOf, USER } = require('./messages');
const { patchAnswer, tablesToShow } = require('./patchAnswer');
const { replacementOf } = require('./replacement');
const { selected } = require('./selection');

// What the service keeps of a user besides `active` (docs/interface.md 2.2).
const STORED = ['externalId', 'name', 'emails'];

/**
 * SCIM users (docs/interface.md 1.2, 1.5, 2.1, 2.2). Each method takes a request and gives an Answer,
 * or throws a Refusal.
 * @param {object} service
 * @param {(req: import('express').Request) => void} checkKey throws a Refusal
 * @param {ReturnType<import('./groups').groups>} groups
 */
function users({ state, options, url }, checkKey, groups) {
	const { directory, visibility } = state;

	/** The attributes as the service behind the gateway has them. */
	function stored({ id, email, userName, active, attributes }) {
		return { id, active, userName, ...attributes, emails: withLogin(attributes.emails, email) };
	}

	function show(user, tables, query = {}) {
		const groups = tables.rolesOf(user.id).map(([organizationId, role]) => {
			const value = groupId({ organizationId, role });
			return { value, display: value, type: 'direct' };
		});
		return {
			...selected({ ...stored(user), ...(groups.length > 0 ? { groups } : {}) }, query),
			schemas: [USER],
			meta: { resourceType: 'User' },
		};
	}

	function find(expression, tables) {
		const filter = filterOf(expression, options.filter);
		if (filter && !['userName', 'id'].includes(filter.attribute)) throw invalid(expression);
		if (!filter?.value) return visibility.indexed([...tables.users.values()]);
		if (filter.attribute === 'id') return [tables.users.get(filter.value)].filter(Boolean);
		// Look-up goes by the email of creation: a userName changed later is only shown (2.2).
		const user = tables.users.get(userIdOf(filter.value));
		const isThere = user?.email === filter.value.toLowerCase();
		if (isThere) return visibility.indexed([user]);
		return [directory.foreignUser(filter.value)].filter(Boolean);
	}

	/** Takes the attributes that the service keeps; without a user it only checks them. */
	function store(user, attributes) {
		const { userName, active = true } = attributes;
		if (typeof active !== 'boolean') throw refusal(400, 'active is not a boolean');
		if (!user) return;
		const kept = STORED.filter((name) => attributes[name] !== undefined);
		directory.store({
			...user,
			userName: userName || user.email,
			active,
			attributes: Object.fromEntries(kept.map((name) => [name, attributes[name]])),
		});
	}

	/** docs/interface.md 2.2: `groups` in a PUT is acted on; `[]` removes every membership. */
	function replaceGroups(userId, wanted) {
		const held = directory.tables
			.rolesOf(userId)
			.map(([organizationId, role]) => groupId({ organizationId, role }));
		const named = wanted.map(({ value }) => value && decodeURIComponent(value)).filter(Boolean);
		for (const group of held) {
			if (!named.includes(group)) groups.modify(group, [{ value: userId, operation: 'delete' }]);
		}
		const failures = named
			.filter((group) => !held.includes(group))
			.map((group) => failureOf(() => groups.modify(group, [{ value: userId }])));
		if (failures.some(Boolean)) throw broken('Not every group could be given');
	}

	return {
		list(req) {
			checkKey(req);
			const tables = visibility.read(directory.tables);
			const { query } = req;
			const found = find(query.filter, tables);
			const isLocated = !query.attributes && !query.excludedAttributes?.includes('meta');
			return listAnswer(found, query, options.pageCap, (user) => {
				const shown = show(user, tables, query);
				if (isLocated && shown.id) shown.meta.location = `${url()}${req.path}/${shown.id}`;
				return shown;
			});
		},

		get(req) {
			checkKey(req);
			const tables = visibility.read(directory.tables);
			const user = tables.users.get(req.params.id);
			if (!user) throw notFound(req.params.id);
			const shown = show(user, tables, req.query);
			shown.meta.location = url() + req.path;
			return scim(200, shown);
		},

		create(req) {
			const body = bodyOf(req);
			// docs/interface.md 2.2: a missing userName is not refused, it breaks the service.
			if (!body.userName && !body.externalId) throw broken('userName or externalId is mandatory');
			checkKey(req);
			const attributes = merged({}, attributesIn(body));
			const { userName } = attributes;
			store(undefined, attributes);
			if (typeof userName !== 'string') throw refusal(400, 'There is no email');
			if (directory.isTaken(userName)) throw refusal(409, `User ${userName} already exists`);
			const { id } = directory.create(userName);
			store(directory.tables.users.get(id), attributes);
			visibility.created(id);
			const { id: given, groups: ignored, password, ...echoed } = body;
			// docs/interface.md 2.1: where reads are late, the answer does not know the id yet.
			if (visibility.lags) return scim(201, echoed);
			const location = `${url()}${req.path}/${id}`;
			const shown = stored(directory.tables.users.get(id));
			const answer = { ...echoed, ...shown, meta: { ...echoed.meta, location } };
			return scim(201, answer, { Location: location });
		},

		replace(req) {
			const body = bodyOf(req);
			checkKey(req);
			const { id } = req.params;
			const before = directory.tables.users.get(id);
			if (!before) throw notFound(id);
			const tables = tablesToShow(req, options, directory) ?? directory.tables;
			store(before, merged(stored(before), replacementOf(stored(before), body)));
			if (Array.isArray(body.groups)) replaceGroups(id, body.groups);
			return scim(200, show(tables.users.get(id), tables), { Location: url() + req.path });
		},

		patch(req) {
			const changes = changesOf(bodyOf(req));
			checkKey(req);
			const { id } = req.params;
			const before = directory.tables.users.get(id);
			const tables = tablesToShow(req, options, directory) ?? directory.tables;
			store(before, merged(before ? stored(before) : {}, changes));
			// docs/interface.md 2.1: silent success, so a 204 proves nothing.
			if (!before) return empty(204);
			return patchAnswer(req, options, url, () => show(tables.users.get(id), tables, req.query));
		},

		delete(req) {
			checkKey(req);
			directory.delete(req.params.id);
			return empty(204);
		},
	};
}

/** @returns {Array<object>} the emails, and before them the one of the login when none is primary */
function withLogin(emails = [], email) {
	if (emails.some(({ primary }) => primary)) return emails;
	return [{ type: 'work', primary: true, value: email }, ...emails];
}

/** @returns {Error | undefined} what a call threw */
function failureOf(call) {
	try {
		return void call();
	} catch (error) {
		return error;
	}
}

/**
 * The attributes of a user after changes (see changes.js).
 * @throws {import('../answer').Refusal} 500 for a list where none belongs
 */
function merged(user, changes) {
	const result = { ...user };
	for (const [name, value] of Object.entries(changes)) {
		if (Array.isArray(value)) result[name] = mergedList(result[name] ?? [], value);
		else if (value === '' || value === null) delete result[name];
		else if (typeof value === 'object') result[name] = mergedObject(result[name], value);
		else result[name] = value;
	}
	return result;
}

function mergedList(list, changes) {
	if (!Array.isArray(list)) throw broken('A list where none belongs');
	const removed = changes.filter(({ operation }) => operation === 'delete');
	const added = changes.filter(({ operation }) => operation !== 'delete');
	const kept = list.filter(({ value }) => !removed.some((entry) => entry.value === value));
	for (const entry of added) {
		const isPrimary = String(entry.primary).toLowerCase() === 'true';
		const first = isPrimary ? kept.findIndex(({ primary }) => primary === entry.primary) : -1;
		if (first >= 0) kept[first] = { ...kept[first], primary: undefined };
		kept.push(entry);
	}
	return kept;
}

function mergedObject(there, changes) {
	const parts = Object.entries({ ...Object(there), ...changes }).filter(([, part]) => part !== '');
	return parts.length > 0 ? Object.fromEntries(parts) : undefined;
}

module.exports = { users };
