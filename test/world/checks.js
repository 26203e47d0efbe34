'use strict';

// What has to hold of a run: at every moment, in its items, and in what it sends.

const { shapeOf } = require('../support/memoryService');
const { runOnModel } = require('../support/modelNode');
const { changesIn, claims, contradictionOf, heldBy, keyOf } = require('./truth');

const writesOf = (service) => service.requests.filter(({ method }) => method !== 'GET');

/** Writes that could change something: who is in no group is found out by creating, which the service then refuses. */
const changesOf = (service) => writesOf(service).filter(({ status }) => status !== 409);

const errorsOf = ({ json }) => json.flatMap(({ error }) => error ?? []);

async function run(service, what) {
	const result = await runOnModel(service, what);
	expect(result.thrown).toBeUndefined();
	return result;
}

/**
 * Whether an organization would be left without an active admin: stopped before anything is sent, or halfway where only a
 * create shows that a user is inactive. An organization that never had one may be kept from losing an inactive one.
 */
const stops = ({ orphaned, neverHad }, { settings: { allowRemovingLastAdmin } }) => ({
	surely: !allowRemovingLastAdmin && orphaned.length > 0,
	maybe: !allowRemovingLastAdmin && orphaned.length + neverHad.length > 0,
});

/** Looks at every moment of a run, and at what it says. @returns whether the guard of the last admin stopped it */
function checkRun(service, result, task, given) {
	const { operation, kind, settings, ways } = given;
	if (errorsOf(result).some((error) => error.startsWith('Nothing was sent'))) {
		expect(stops(task, given).maybe).toBe(true);
		expect(result.json[0].error).toContain('active admin');
		expect(writesOf(service)).toStrictEqual([]);
		expect(shapeOf(service.now())).toEqual(task.start);
		return true;
	}
	checkMoments(service, task, settings);
	// Empty groups do not tell whether the service shows members.
	const isShown = [...service.groups.values()].some(({ length }) => length > 0);
	const isListed = kind === 'account' || operation === 'reconcile';
	const isTold = task.hasRoles ? isListed && isShown : ways.isTold;
	checkItems(result, service, { operation, knows: isTold && !task.hasFaults });
	return stops(task, given).surely;
}

/**
 * Checks every change that a service went through. No one ever has access that was neither theirs nor wanted, or misses
 * access that was theirs and stays wanted; people who move always have a role; no organization ever loses its active admin;
 * protected people are not touched; no one is told twice.
 * @param task of ./task, or what it says of the state before and after
 */
function checkMoments(service, task, { allowRemovingLastAdmin = false } = {}) {
	const { start, end, shielded, administered, relay, places } = task;
	const placeOf = new Map(places.flatMap((place) => place.map(({ id }) => [id, place])));
	const isIn = (shape, id, key) => shape.members[key]?.includes(id) ?? false;
	const keepsPlace = (shape, id, key) => placeOf.get(key).some((one) => isIn(shape, id, one.id));
	const hasSlot = ({ groups }, id, key) =>
		placeOf.get(key).some((one) => groups.get(one.id).includes(id));
	const isLed =
		({ users, groups }) =>
		(key) =>
			groups.get(key).some((id) => users.get(id)?.active);
	const faultsOf = ({ id, key, to, state }) => {
		if (shielded.has(id)) return [`${id} is protected`];
		const after = state.after;
		if (key === 'name' || key === 'rest')
			return id in start.active ? [`${id} got a new ${key}`] : [];
		const faults = [];
		if (key === 'active') {
			// A user is deactivated before deletion where memberships outlive the account.
			const isOnTheWay = !(id in end.active) && to === false;
			if (![start.active[id], end.active[id]].includes(to) && !isOnTheWay)
				faults.push(`${id} has become ${to}`);
		} else {
			const [was, is] = [isIn(start, id, key), isIn(end, id, key)];
			if (to && !was && !is) faults.push(`nobody wanted ${id} in ${key}`);
			if (!to && was && is) faults.push(`${id} was to stay in ${key}`);
			const stays = keepsPlace(start, id, key) && keepsPlace(end, id, key);
			if (!to && stays && !hasSlot(state, id, key)) faults.push(`${id} has no role left: ${key}`);
			if (!to && relay?.from === id && !hasSlot(state, relay.to, key) && !hasSlot(state, id, key))
				faults.push(`neither account has a role in ${key}`);
		}
		for (const admins of allowRemovingLastAdmin ? [] : administered)
			if (!isLed(state)(admins)) faults.push(`${admins} has no active admin`);
		return faults.map((words) => `${after}: ${words}`);
	};
	expect(changesIn(service).flatMap(faultsOf)).toStrictEqual([]);
	const mailed = service.adds
		.filter((add) => add.mailed)
		.map(({ groupId, id }) => `${id} ${groupId.split(':')[0]}`);
	expect(mailed).toEqual([...new Set(mailed)]);
}

/** Items that fail, or are in doubt, about what was wanted and can be. */
const missedIn = ({ json }, { start, end }) =>
	json.filter(({ status, userId: id, groupId }) => {
		const key = keyOf(groupId);
		const isIn = ({ members }) => members[key]?.includes(id);
		const isWanted = key
			? isIn(end) && !isIn(start)
			: id in end.active && end.active[id] !== start.active[id];
		return /^(failed|unverified)$/.test(status) && isWanted;
	});

/** What every item begins with, and what those of an operation on access have at least. */
const HEAD = ['change', 'status', 'reason', 'userName', 'group', 'text'];
const SHAPE = [...HEAD, 'userId', 'groupId'];
const STATUSES = ['done', 'unchanged', 'skipped', 'failed', 'unverified'];

/** Items of one run have the same keys, the head first; only what failed has an error beside them. */
function checkKeys(json) {
	const keysOf = (item) => Object.keys(item).filter((key) => key !== 'error');
	const [first = HEAD, ...others] = json.map(keysOf);
	expect(first.slice(0, HEAD.length)).toStrictEqual(HEAD);
	expect(others.filter((keys) => keys.join() !== first.join())).toStrictEqual([]);
}

/**
 * What items say that is not so, and what they leave out; and that something is doubtful which is so.
 * @param knows whether it is known who is in which group, and nothing went wrong
 */
function checkItems({ json }, service, { operation, knows = false }) {
	const shape = shapeOf(service.now());
	checkKeys(json);
	const names = new Set([...service.users.values()].map(({ email }) => email));
	const wrong = json.flatMap((item) => {
		const faults = faultsOf(item, shape, operation, knows);
		if (claims(item) && item.userId === null && names.has(item.userName?.toLowerCase()))
			faults.push('names nobody, and the person is there');
		return faults.length > 0 ? [{ item, faults }] : [];
	});
	expect(wrong).toStrictEqual([]);
}

function faultsOf(item, shape, operation, knows) {
	const { status, change, error } = item;
	const faults = [];
	const missing = operation === 'offboard' ? [] : SHAPE.filter((name) => !(name in item));
	if (missing.length > 0) faults.push(`lacks ${missing}`);
	if (!/[.!?]$/.test(item.text)) faults.push('says nothing');
	if (!STATUSES.includes(status)) faults.push('has no such status');
	const isFailure = status === 'failed' || status === 'unverified';
	if ((error !== undefined) !== isFailure) faults.push(`is ${isFailure ? 'no' : 'an'} error item`);
	if (change === 'none' && status === 'done') faults.push('did nothing, and is done');
	const isDoubt = knows && status === 'unverified';
	if (!claims(item) && !isDoubt) return faults;
	const wrong = contradictionOf(item, shape, operation);
	if (!isDoubt && wrong !== undefined) faults.push(wrong);
	if (isDoubt && wrong === undefined) faults.push('is doubtful, and so');
	return faults;
}

/**
 * The most requests that a run may take where nothing goes wrong: one listing of the groups, a look at everybody who is
 * in none and at the admins who would remain, and one write per change and chunk.
 */
function floorOf({ start, end, run }, { kind, operation, wish, settings, directory }, service) {
	const moves = kind === 'account';
	const gone = (id) => end.active[id] !== true && start.active[id] !== end.active[id];
	const placeIn = (key) => key.split(':')[0];
	/** What is new, as `user organization`. */
	const gains = new Set(
		Object.entries(end.members).flatMap(([key, ids]) =>
			ids.filter((id) => !start.members[key].includes(id)).map((id) => `${id} ${placeIn(key)}`),
		),
	);
	const gainers = new Set([...gains].map((pair) => pair.split(' ')[0]));
	const chunks = (count) => Math.ceil(count / settings.membersPerRequest);
	// Who leaves the admins waits for the one who comes, with every other role there.
	const admin = Object.keys(start.members).filter((key) => key.endsWith(':admin'));
	const late = new Set(
		admin.flatMap((key) => {
			const [before, after] = [start.members[key], end.members[key]];
			const hasNew = after.some((id) => !before.includes(id));
			const leaving = hasNew ? before.filter((id) => !after.includes(id)) : [];
			return leaving.map((id) => `${id} ${placeIn(key)}`);
		}),
	);
	let changes = 0;
	for (const [key, before] of Object.entries(start.members)) {
		const leaving = before.filter((id) => !end.members[key].includes(id));
		const replaced = leaving.filter((id) => gains.has(`${id} ${placeIn(key)}`));
		// The old access goes only once its replacement was seen: a request of its own.
		const isLate = (id) => !key.endsWith(':admin') && late.has(`${id} ${placeIn(key)}`);
		const waits = (id) => gainers.has(id) || isLate(id);
		const waiting = leaving.filter((id) => !replaced.includes(id) && waits(id));
		const later = waiting.length + (moves ? 0 : replaced.length);
		const now = leaving.filter(
			(id) =>
				!replaced.includes(id) &&
				!waiting.includes(id) &&
				!(moves && (gone(id) || !(id in end.active))),
		).length;
		const joining = end.members[key].filter((id) => !before.includes(id)).length;
		// Deactivation takes the memberships of active users.
		const left = leaving.filter((id) => !moves || start.active[id] === false);
		if (operation === 'changeEmail') changes += joining + left.length;
		// A group that waits for another one is changed by difference.
		else if (wish.replaceWith === 'wholeList' && later === 0) changes += Math.min(1, joining + now);
		// An admin leaves only once the new one was seen.
		else if (key.endsWith(':admin') && joining > 0) {
			changes += Math.max(
				chunks(joining) + chunks(now + later),
				chunks(joining + now) + chunks(later),
			);
		} else changes += chunks(joining + now) + chunks(later);
	}
	const flips = Object.keys({ ...start.active, ...end.active }).filter(
		(id) => start.active[id] !== end.active[id],
	).length;
	const shutOut = Object.keys(start.active).filter(
		(id) => !moves && !(id in end.active) && start.active[id] && heldBy(start, id).length > 0,
	).length;
	const named = new Set(run.items.flatMap(({ people, user }) => people ?? user?.value ?? [])).size;
	const isOffboard = operation === 'offboard';
	// People in no group are found by a create, where allowed; a leaver may be inactive already.
	const tries = wish.createMissing || isOffboard ? named : 0;
	const admins = directory.places.reduce((sum, [{ id }]) => sum + start.members[id].length + 1, 0);
	const members = operation === 'setMembers' && !moves ? directory.people.length : 0;
	// Where neither groups nor users show members, a proof filters by each group.
	const proof = isOffboard && !moves ? Object.keys(start.members).length + 1 : 0;
	return {
		writes: changes + flips + shutOut + tries,
		listings: (moves ? 1 : 2) * (isOffboard ? 2 : 1),
		// What waited for another request is looked at once more before anything is taken away, and whole lists of one
		// organization before each but the first, when people move between them, and after the last.
		groupReads:
			removals(service).length +
			// Elsewhere a read shows that the first removal spared the others, which one from a group of one person does not, a list
			// looks who else is in a group that did not show its members before, one group is asked whether the list of groups is
			// right about members, and one is read to know what the answers are worth. Of adds to one group side by side the answers
			// may come in another order, then that group is read.
			(moves
				? 2 * listsTogether(service)
				: (wish.lists ?? []).length +
					3 +
					addsSideBySide(service) +
					Number(removals(service).some(({ path }) => start.members[keyIn(path)]?.length === 1))),
		// Proof of a deletion takes one more list; a user missing from a list takes a filter; one leaver is read for what lists leave out.
		userReads:
			3 * named +
			4 +
			admins +
			members +
			proof +
			Number(wish.deletes) +
			Number(isOffboard && !moves),
	};
}

/** Requests that take members out. */
const removals = (service) =>
	writesOf(service).filter(({ body }) => body?.includes('"op":"remove"'));

const keyIn = (path) => decodeURIComponent(path.split('/').at(-1));

/** How many groups got several requests that add. */
function addsSideBySide(service) {
	const groups = writesOf(service).flatMap(({ path, body }) =>
		body?.includes('"op":"add"') ? [path] : [],
	);
	const isSecond = (path, at) => groups.indexOf(path) !== at;
	return new Set(groups.filter(isSecond)).size;
}

/** Whole lists of organizations that got several. */
function listsTogether(service) {
	const organizations = writesOf(service).flatMap(({ method, path }) =>
		method === 'PUT' ? [/Groups\/(.*)(?::|%3A)/i.exec(path)?.[1]] : [],
	);
	return organizations.filter(
		(organization, at) =>
			organizations.indexOf(organization) !== at || organizations.lastIndexOf(organization) !== at,
	).length;
}

/** Requests that were sent, in the same terms. */
function sentBy({ requests, switches: { prefix } }) {
	const reads = (test) =>
		requests.filter(({ method, path }) => method === 'GET' && test(path)).length;
	return {
		writes: requests.length - reads(() => true),
		listings: reads((path) => path === `${prefix}/Groups`),
		groupReads: reads((path) => path.startsWith(`${prefix}/Groups/`)),
		userReads: reads((path) => path.startsWith(`${prefix}/Users`)),
	};
}

/** Kinds of requests that are more than the floor, with both. */
function aboveFloor(task, given, service) {
	const [sent, floor] = [sentBy(service), floorOf(task, given, service)];
	return Object.keys(floor).flatMap((what) =>
		sent[what] > floor[what] ? [`${sent[what]} ${what}, ${floor[what]} would do`] : [],
	);
}

module.exports = {
	...{ aboveFloor, changesOf, checkItems, checkMoments, checkRun, errorsOf, missedIn, run, stops },
	writesOf,
};
