'use strict';

// Other clients of the same service, a second run of ours among them, and what may be said of a run beside them.

const { ROLES, shapeOf, userIdOf } = require('../support/memoryService');
const { changesBetween, claims, contradictionIn, keyOf } = require('./truth');

/** What another client does to the user `id`. */
const DEEDS = {
	add: (service, { id, key }) => service.add(key, id),
	drop: (service, { id, key }) => service.drop(key, id),
	dropAll: (service, { id }) => service.dropAll(id),
	/** Gives a role in an organization, or with '' takes whichever there is. */
	role: (service, { id, organization, role }) => service.setRole(id, organization, role),
	activate: (service, { id }) => service.setActive(id, true),
	deactivate: (service, { id }) => service.setActive(id, false),
	delete: (service, { id }) => service.delete(id),
	set: (service, { id, ...values }) => service.store({ ...service.users.get(id), ...values }),
};

/** Has another client do one thing; `create` is of an `email`. @returns what has changed by it, as of changesBetween */
function carryOut(service, { kind, ...deed }) {
	const before = service.now();
	if (kind === 'create') {
		const { email } = deed;
		if (!service.isTaken(email)) service.create(email, {}, true, userIdOf(email));
	} else if (service.users.has(deed.id)) DEEDS[kind](service, deed);
	service.record('somebody else');
	return changesBetween(before, service.now());
}

/**
 * Watches a service from now on, and has another client write.
 * @param planned deeds of ./hazards
 * @returns every request that changed something, in order: `{ by, changes, shape, reads }`; `by` is the run's name or
 *   `other`, `reads` are those until the next one, as `{ by, url }`
 */
function watchWriters(service, planned = []) {
	let state = service.now();
	const events = [{ by: 'start', changes: [], shape: shapeOf(state), reads: [] }];
	const note = (by) => {
		const next = service.now();
		const changes = changesBetween(state, next);
		if (changes.length > 0) events.push({ by, changes, shape: shapeOf(next), reads: [] });
		state = next;
	};
	let nth = 0;
	const ids = [...service.users.keys()];
	const keys = [...service.groups.keys()];
	const truly = service.truly.bind(service);
	service.truly = (request, how) => {
		nth += 1;
		for (const { at, kind, who, group } of planned) {
			const deed = { kind, id: ids[who % ids.length], key: keys[group % keys.length] };
			if (at === nth) carryOut(service, deed);
		}
		note('other');
		const answer = truly(request, how);
		const by = request.headers['x-run'] ?? 'run';
		note(by);
		if (request.method === 'GET')
			events.at(-1).reads.push({ by, url: decodeURIComponent(request.url) });
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
	(members[`${place}:admin`] ?? []).filter((id) => active[id]);

/**
 * What a run did or said that it may not, whatever other clients wrote.
 * @param events as of watchWriters
 * @param {(change: { id: string, key: string, to: unknown }) => boolean} isWanted whether its wish makes that change of
 *   anything that the person may have had
 */
function wrongOf({ by, operation, json, keepsAdmins, sendsLists }, events, isWanted) {
	/** Whether a read of the run has shown a membership since an event. */
	const hasRead = ({ id, key }, from, to) =>
		events
			.slice(from, to)
			.flatMap(({ reads }) => reads.filter((read) => read.by === by))
			.some(({ url }) => url.endsWith(id) || url.endsWith(key) || /\/Groups($|\?)/.test(url));
	/**
	 * A change of a role takes the one that is there by then (test/contract/interface.md 2.3), as far as no read could tell,
	 * and a whole list everyone who came after the read before it; it brings back who left then.
	 */
	const isBlind = ({ id, key, to }, at) => {
		const isReverse = (change) => change.id === id && change.key === key && change.to === !to;
		const reverse = events.findLastIndex(
			(event, one) => one < at && event.by !== by && event.changes.some(isReverse),
		);
		if (reverse < 1) return false;
		if (sendsLists) return true;
		if (to !== false || !key.includes(':')) return false;
		const place = placeOf(key);
		if (ROLES.some((role) => isWanted({ id, key: `${place}:${role}`, to }))) return true;
		const isGiven = (change) =>
			change.id === id && placeOf(change.key) === place && change.to === true;
		return (
			events[at].changes.some((change) => isGiven(change) && isWanted(change)) &&
			!hasRead({ id, key }, reverse, at)
		);
	};
	const unwanted = events.flatMap((event, at) =>
		(event.by === by ? event.changes : [])
			.filter((change) => !isWanted(change) && !isBlind(change, at))
			.map(({ id, key, to }) => `nobody wanted ${id} ${key} to be ${to}`),
	);
	const untrue = json.filter(claims).flatMap((item) => {
		const ofAccount = /^(created|activated|deactivated)$/.test(item.change) && 'active';
		const key = ofAccount || keyOf(item.groupId);
		const isAt = (change) => change.id === item.userId && (key === undefined || change.key === key);
		const last = events.findLastIndex((event) => event.by === by && event.changes.some(isAt));
		// What was so since its own last write of it, and which others then changed, was said rightly.
		const since = events.slice(Math.max(0, last)).map(({ shape }) => shape);
		// An item of Set that changes nothing does not tell by itself whether it was about a removal.
		const isOpen = operation === 'set' && item.change === 'none' && key !== undefined;
		const takes = isOpen ? isWanted({ id: item.userId, key, to: false }) : undefined;
		const wrong = contradictionIn(since, item, operation, takes);
		return wrong === undefined ? [] : [`${wrong}: ${JSON.stringify(item)}`];
	});
	return [...unwanted, ...untrue, ...(keepsAdmins ? adminless(by, events) : [])];
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
		// An inactive user may become admin, and counts once the run reactivates them.
		const isOther = ({ before, shape }) =>
			adminsIn(before, place).join() !== adminsIn(shape, place).join() ||
			before.members[key].join() !== shape.members[key].join();
		const own = steps.filter((step) => step.by === by);
		const others = steps.filter((step) => step.by !== by);
		return own.some(isLost) && !others.some(isOther);
	});
	return left.map((place) => `${place} has no active admin`);
}

module.exports = { asRun, carryOut, watchWriters, wrongOf };
