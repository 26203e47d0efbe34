'use strict';

// Another client of the same service, which writes at any request, and what may be said of a run beside it.

const fc = require('fast-check');
const { ROLES, shapeOf } = require('./memoryService');
const { contradictionOf } = require('./modelChecks');

/** What the other client does, before the request of that number is carried out; who and where are taken modulo. */
const deeds = fc.array(
	fc.record({
		at: fc.integer({ min: 1, max: 25 }),
		kind: fc.constantFrom('add', 'drop', 'deactivate', 'activate'),
		who: fc.nat(40),
		group: fc.nat(20),
	}),
	{ minLength: 1, maxLength: 4 },
);

function carryOut({ kind, who, group }, service, ids) {
	const keys = [...service.groups.keys()];
	const [id, key] = [ids[who % ids.length], keys[group % keys.length]];
	if (!service.users.has(id)) return;
	if (kind === 'add') service.add(key, id);
	if (kind === 'drop') service.drop(key, id);
	if (/activate/.test(kind)) service.setActive(id, kind === 'activate');
}

/** What differs between two shapes: `{ id, key, to }`; `key` is a group, or `active`. */
function changesBetween(one, other) {
	const changes = [];
	for (const id of new Set([...Object.keys(one.active), ...Object.keys(other.active)]))
		if (one.active[id] !== other.active[id])
			changes.push({ id, key: 'active', to: other.active[id] });
	for (const [key, before] of Object.entries(one.members)) {
		const after = other.members[key];
		for (const id of after) if (!before.includes(id)) changes.push({ id, key, to: true });
		for (const id of before) if (!after.includes(id)) changes.push({ id, key, to: false });
	}
	return changes;
}

/**
 * Watches a service from now on, and has the other client write.
 * @returns every request that changed something, in order: `{ by, changes, shape }`; `by` is the run's name or `other`
 */
function watchWriters(service, plannedDeeds = []) {
	let shape = shapeOf(service.now());
	const events = [{ by: 'start', changes: [], shape }];
	const note = (by) => {
		const next = shapeOf(service.now());
		const changes = changesBetween(shape, next);
		if (changes.length > 0) events.push({ by, changes, shape: next });
		shape = next;
	};
	let nth = 0;
	const ids = [...service.users.keys()];
	const truly = service.truly.bind(service);
	service.truly = (request, how) => {
		nth += 1;
		for (const deed of plannedDeeds) if (deed.at === nth) carryOut(deed, service, ids);
		note('other');
		const answer = truly(request, how);
		note(request.headers['x-run'] ?? 'run');
		return answer;
	};
	return events;
}

/** The same service for a run of a name, which its requests then tell. */
const asRun = (name, service) => ({
	exchange: async (request) =>
		await service.exchange({ ...request, headers: { ...request.headers, 'x-run': name } }),
});

const placeOf = (key) => key.split(':')[0];
const adminsIn = ({ members, active }, place) =>
	(members[`${place}:admin`] ?? []).filter((id) => active[id] !== false && id in active);

/**
 * What a run did or said that it may not, whoever else wrote.
 * @param events as of watchWriters
 * @param {(change: { id: string, key: string, to: unknown }) => boolean} isWanted whether its wish makes that change of
 *   anything that the person may have had
 */
function wrongOf({ by, operation, json, keepsAdmins, sendsLists }, events, isWanted) {
	/** A removal takes the role that is there by then (test/contract/interface.md 2.3); the last 5 seconds are in no read. */
	const isBlind = ({ id, key, to }, at) =>
		to === false &&
		key.includes(':') &&
		isUndone({ id, key, to }, at) &&
		ROLES.some((role) => isWanted({ id, key: `${placeOf(key)}:${role}`, to }));
	/** A whole list undoes what others did after the read before it. */
	const isUndone = ({ id, key, to }, at) =>
		events
			.slice(1, at)
			.some(
				(event) =>
					event.by !== by &&
					event.changes.some((one) => one.id === id && one.key === key && one.to === !to),
			);
	const unwanted = events.flatMap((event, at) =>
		(event.by === by ? event.changes : [])
			.filter((change) => !isWanted(change) && !isBlind(change, at))
			.filter((change) => !sendsLists || !isUndone(change, at))
			.map(({ id, key, to }) => `nobody wanted ${id} ${key} to be ${to}`),
	);
	const claims = json
		.filter(({ status }) => status === 'done' || status === 'unchanged')
		.flatMap((item) => {
			const ofAccount = /^(created|activated|deactivated)$/.test(item.change) && 'active';
			const key = ofAccount || item.groupId?.replace(/^whylabs-/, '');
			const isAt = (change) =>
				change.id === item.userId && (key === undefined || change.key === key);
			const last = events.findLastIndex((event) => event.by === by && event.changes.some(isAt));
			// What was so since its own last write of it, and which others then changed, was said rightly.
			const since = events.slice(Math.max(0, last));
			const wrong = since.map(({ shape }) => contradictionOf(item, shape, operation));
			return wrong.includes(undefined) ? [] : [`${wrong.at(-1)}: ${JSON.stringify(item)}`];
		});
	return [...unwanted, ...claims, ...(keepsAdmins ? adminless(by, events) : [])];
}

/** Organizations whose last active admin the run took, and of whose admins no other client changed any. */
function adminless(by, events) {
	const places = Object.keys(events[0].shape.members)
		.filter((key) => key.endsWith(`:${ROLES[0]}`))
		.map(placeOf);
	const steps = events.slice(1).map((event, at) => ({ ...event, before: events[at].shape }));
	const left = places.filter((place) => {
		const isLost = ({ before, shape }) =>
			adminsIn(before, place).length > 0 && adminsIn(shape, place).length === 0;
		const key = `${place}:${ROLES[0]}`;
		// Whoever is inactive may be made admin, and is one when the run lets them back in.
		const isOther = ({ before, shape }) =>
			adminsIn(before, place).join() !== adminsIn(shape, place).join() ||
			before.members[key].join() !== shape.members[key].join();
		const own = steps.filter((step) => step.by === by);
		const others = steps.filter((step) => step.by !== by);
		return own.some(isLost) && !others.some(isOther);
	});
	return left.map((place) => `${place} has no active admin`);
}

module.exports = { asRun, changesBetween, deeds, watchWriters, wrongOf };
