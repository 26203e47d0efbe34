'use strict';

const { empty } = require('../../answer');
const { heldByOne, heldIn, userIdOf } = require('../directory');
const { attributesIn, changesOf } = require('./changes');
const { filterOf, invalid } = require('./filter');
const { shownId } = require('./groups');
const {
	scim,
	refusal,
	notFound,
	broken,
	listAnswer,
	written,
	bodyOf,
	USER,
} = require('./messages');
const { replacementOf } = require('./replacement');
const { selected } = require('./selection');

// What the service keeps of a user besides `active` (test/contract/interface.md 2.2).
const STORED = ['externalId', 'name', 'emails'];

/**
 * SCIM users (test/contract/interface.md 1.2, 1.5, 2.1, 2.2). Each method takes a request and gives an Answer,
 * or throws a Refusal.
 * @param {import('../service').ScimService} service
 * @param {(request: import('../service').ScimRequest) => void} checkKey throws a Refusal
 * @param {ReturnType<import('./groups').groups>} groups
 */
function users(service, checkKey, groups) {
	const { switches } = service;

	/** The attributes as the service behind the gateway has them. */
	function stored({ id, email, userName, active, attributes }) {
		return { id, active, userName, ...attributes, emails: withLogin(attributes.emails, email) };
	}

	function show(user, heldBy, query = {}) {
		const groups = heldBy(user.id).map((groupId) => {
			const value = shownId(groupId);
			return { value, display: value, type: 'direct' };
		});
		return {
			...selected({ ...stored(user), ...(groups.length > 0 ? { groups } : {}) }, query),
			schemas: [USER],
			meta: { resourceType: 'User' },
		};
	}

	function find(expression, seen) {
		const filter = filterOf(expression, switches.filter);
		if (filter && !['userName', 'id'].includes(filter.attribute)) throw invalid(expression);
		if (!filter?.value) return service.indexed([...seen.users.values()]);
		if (filter.attribute === 'id') return [seen.users.get(filter.value)].filter(Boolean);
		// Look-up goes by the email of creation: a userName changed later is only shown (2.2).
		const email = filter.value.toLowerCase();
		const user = seen.users.get(userIdOf(email));
		if (user?.email === email) return service.indexed([user]);
		return [service.foreignUser(email)].filter(Boolean);
	}

	/** Takes the attributes that the service keeps; without a user it only checks them. */
	function store(user, attributes) {
		const { userName, active = true } = attributes;
		if (typeof active !== 'boolean') throw refusal(400, 'active is not a boolean');
		if (!user) return;
		const kept = STORED.filter((name) => attributes[name] !== undefined);
		service.store({
			...user,
			userName: userName || user.email,
			active,
			attributes: Object.fromEntries(kept.map((name) => [name, attributes[name]])),
		});
	}

	/** test/contract/interface.md 2.2: `groups` in a PUT is acted on; `[]` removes every membership. */
	function replaceGroups(userId, wanted) {
		const held = service.heldBy(userId).map(shownId);
		const named = wanted.map(({ value }) => value && decodeURIComponent(value)).filter(Boolean);
		for (const group of held) {
			if (!named.includes(group)) groups.modify(group, [{ value: userId, operation: 'delete' }]);
		}
		const failures = named
			.filter((group) => !held.includes(group))
			.map((group) => failureOf(() => groups.modify(group, [{ value: userId }])));
		if (failures.some(Boolean)) throw broken('Not every group could be given');
	}

	/** The user as an answer to a write shows them. */
	function told({ id, query }) {
		return show(service.told.users.get(id), heldByOne(service.told), query);
	}

	return {
		list(request) {
			checkKey(request);
			const { query } = request;
			const seen = service.seen();
			const found = find(query.filter, seen);
			const heldBy = (found.length > 1 ? heldIn : heldByOne)(seen);
			return listAnswer(service, request, found, (user) => show(user, heldBy, query));
		},

		get(request) {
			checkKey(request);
			const seen = service.seen();
			const user = seen.users.get(request.id);
			if (!user) throw notFound(request.id);
			const shown = show(user, heldByOne(seen), request.query);
			shown.meta.location = service.url + request.path;
			return scim(200, shown);
		},

		create(request) {
			const body = bodyOf(request);
			// test/contract/interface.md 2.2: a missing userName is not refused, it breaks the service.
			if (!body.userName && !body.externalId) throw broken('userName or externalId is mandatory');
			checkKey(request);
			const attributes = merged({}, attributesIn(body));
			const { userName } = attributes;
			store(undefined, attributes);
			if (typeof userName !== 'string') throw refusal(400, 'There is no email');
			if (service.isTaken(userName)) throw refusal(409, `User ${userName} already exists`);
			const { id } = service.create(userName);
			store(service.users.get(id), attributes);
			service.indexedAt.set(id, switches.now() + switches.indexLagMs);
			const { id: given, groups: ignored, password, ...echoed } = body;
			// test/contract/interface.md 2.1: where reads are late, the answer does not know the id yet.
			if (service.lag.isOn || switches.createAnswer === 'withoutId') return scim(201, echoed);
			const location = `${service.url}${request.path}/${id}`;
			const shown = stored(service.users.get(id));
			const answer = { ...echoed, ...shown, meta: { ...echoed.meta, location } };
			return scim(201, answer, { Location: location });
		},

		replace(request) {
			const body = bodyOf(request);
			checkKey(request);
			const { id } = request;
			const before = service.users.get(id);
			if (!before) throw notFound(id);
			store(before, merged(stored(before), replacementOf(stored(before), body)));
			if (Array.isArray(body.groups)) replaceGroups(id, body.groups);
			return written(service, request, told({ id }));
		},

		patch(request) {
			const changes = changesOf(bodyOf(request));
			checkKey(request);
			const before = service.users.get(request.id);
			store(before, merged(before ? stored(before) : {}, changes));
			// test/contract/interface.md 2.1: silent success, so a 204 proves nothing.
			if (!before || switches.patchAnswers === '204') return empty(204);
			return written(service, request, told(request));
		},

		delete(request) {
			checkKey(request);
			service.delete(request.id);
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
 * @throws {import('../../answer').Refusal} 500 for a list, or an entry of one, where it does not belong
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
	if (changes.some((entry) => Object(entry) !== entry)) throw broken('An entry that is no object');
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
