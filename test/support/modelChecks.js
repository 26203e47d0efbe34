'use strict';

const { shapeOf } = require('./memoryService');

const writesOf = (service) => service.requests.filter(({ method }) => method !== 'GET');

const errorsOf = ({ json }) => json.flatMap(({ error }) => error ?? []);

/** Memberships as `user group` texts. */
const pairsOf = ({ members }) =>
	new Set(Object.entries(members).flatMap(([key, ids]) => ids.map((id) => `${id} ${key}`)));

/**
 * Looks at every state that a service went through. Nobody ever has what was neither theirs nor wanted, nobody ever
 * misses what was theirs and stays wanted; whoever moves has a role all the time; no organization is ever without the
 * active admin that it had, and nobody is told twice.
 */
function checkMoments(service, task, { settings }) {
	const { start, end, shielded, administered, relay } = task;
	const before = pairsOf(start);
	const after = pairsOf(end);
	const rolesIn = (pairs) => new Set([...pairs].map((pair) => pair.split(':')[0]));
	const [hadRole, keepsRole] = [rolesIn(before), rolesIn(after)];
	const wrong = service.states.flatMap((state) => {
		const shape = shapeOf(state);
		const now = pairsOf(shape);
		const has = rolesIn(now);
		const faults = [
			...[...now]
				.filter((pair) => !before.has(pair) && !after.has(pair))
				.map((pair) => `nobody wanted ${pair}`),
			...[...before]
				.filter((pair) => after.has(pair) && !now.has(pair))
				.map((pair) => `${pair} was to stay`),
			...[...hadRole]
				.filter((place) => keepsRole.has(place) && !has.has(place))
				.map((place) => `no role left: ${place}`),
			...(relay ? heldBy(start, relay.from) : [])
				.map((key) => key.split(':')[0])
				.filter((place) => !has.has(`${relay.from} ${place}`) && !has.has(`${relay.to} ${place}`))
				.map((place) => `neither account has a role in ${place}`),
			...Object.keys({ ...start.active, ...shape.active })
				.filter((id) => ![start.active[id], end.active[id]].includes(shape.active[id]))
				// Whoever is deleted is shut out first, where memberships outlive the account.
				.filter((id) => id in end.active || shape.active[id] !== false)
				.map((id) => `${id} has become ${shape.active[id]}`),
			...[...shielded]
				.filter(
					(id) =>
						shape.active[id] !== start.active[id] ||
						heldBy(shape, id).join() !== heldBy(start, id).join(),
				)
				.map((id) => `${id} is protected`),
			...(settings.allowRemovingLastAdmin ? [] : administered)
				.filter(
					(organization) => !shape.members[`${organization}:admin`].some((id) => shape.active[id]),
				)
				.map((organization) => `${organization} has no active admin`),
		];
		return faults.length > 0 ? [{ after: state.after, faults }] : [];
	});
	expect(wrong).toStrictEqual([]);
	const mailed = service.adds
		.filter((add) => add.mailed)
		.map(({ groupId, id }) => `${id} ${groupId.split(':')[0]}`);
	expect(mailed).toEqual([...new Set(mailed)]);
}

const heldBy = ({ members }, id) => Object.keys(members).filter((key) => members[key].includes(id));

/**
 * What stands against an item that says done or unchanged; undefined where it is so.
 * @param operation what was run: in Revoke and Remove Members, what is unchanged is no membership
 */
function contradictionOf(item, state, operation) {
	const { change, userId: id, groupId, role, roleBefore, active, deleted, accessRemaining } = item;
	const isRemoval = roleBefore && role === null;
	const takes = isRemoval || /^(revoke|removeMembers)$/.test(operation);
	// Access is of no use to whoever is inactive.
	const needsActive = /^(assign|set|reconcile)$/.test(operation);
	const isIn = () => state.members[groupId?.replace(/^whylabs-/, '')]?.includes(id) ?? false;
	// Of a leaver everything counts.
	switch (operation === 'offboard' ? undefined : change) {
		case 'granted':
		case 'moved':
			return isIn() ? undefined : 'is no member';
		case 'revoked':
			return isIn() ? 'is a member' : undefined;
		case 'created':
		case 'activated':
			return state.active[id] ? undefined : 'is not there, or inactive';
		case 'deactivated':
			return state.active[id] === false ? undefined : 'is active, or gone';
		case 'deleted':
			return id in state.active ? 'is there' : undefined;
		case 'updated':
			return id in state.active ? undefined : 'is not there';
		case 'none':
			if (!id || !groupId) return undefined;
			// Without a role, an item of these does not tell what was wanted.
			if (/^(reconcile|applyPlan)$/.test(operation) && role === null) return undefined;
			if (isIn() === Boolean(takes)) return takes ? 'is a member' : 'is no member';
			return needsActive && !takes && !state.active[id] ? 'is inactive' : undefined;
		default:
	}
	// An item of Offboard; that nobody has the email is told without an ID.
	if (id === null) return undefined;
	const left = heldBy(state, id).sort().join();
	const said = (accessRemaining ?? []).map(({ groupId: key }) => key.replace(/^whylabs-/, ''));
	if (said.sort().join() !== left) return `has ${left}, and ${said} is said`;
	if (deleted) return id in state.active ? 'is there' : undefined;
	// Another client may have deleted the user.
	return (state.active[id] ?? null) === active ? undefined : `is ${state.active[id]}`;
}

/** What every item begins with, and what those of an operation on access have at least. */
const HEAD = ['change', 'status', 'reason', 'userName', 'group', 'text'];
const SHAPE = [...HEAD, 'userId', 'groupId'];

/** Items of one run have the same keys, the head first; only what failed has an error beside them. */
function checkKeys(json) {
	const keysOf = (item) => Object.keys(item).filter((key) => key !== 'error');
	const [first = HEAD] = json.map(keysOf);
	expect(first.slice(0, HEAD.length)).toStrictEqual(HEAD);
	for (const item of json) expect(keysOf(item)).toStrictEqual(first);
}

/**
 * What items say that is not so, and what they leave out; and that something is doubtful which is so.
 * @param knows whether it is known who is in which group, and nothing went wrong
 */
function checkItems({ json }, service, { operation, knows }) {
	const state = shapeOf(service.now());
	checkKeys(json);
	const wrong = json.flatMap((item) => {
		const faults = faultsOf(item, state, operation, knows);
		return faults.length > 0 ? [{ item, faults }] : [];
	});
	expect(wrong).toStrictEqual([]);
}

const STATUSES = ['done', 'unchanged', 'skipped', 'failed', 'unverified'];

function faultsOf(item, state, operation, knows) {
	const { status, change, error } = item;
	const faults = [];
	const missing = operation === 'offboard' ? [] : SHAPE.filter((name) => !(name in item));
	if (missing.length > 0) faults.push(`lacks ${missing}`);
	if (!/[.!?]$/.test(item.text)) faults.push('says nothing');
	if (!STATUSES.includes(status)) faults.push('has no such status');
	const isFailure = status === 'failed' || status === 'unverified';
	if ((error !== undefined) !== isFailure) faults.push(`is ${isFailure ? 'no' : 'an'} error item`);
	if (change === 'none' && status === 'done') faults.push('did nothing, and is done');
	const isClaim = status === 'done' || status === 'unchanged';
	if (isClaim || (knows && status === 'unverified')) {
		const wrong = contradictionOf(item, state, operation);
		if (isClaim && wrong !== undefined) faults.push(wrong);
		if (!isClaim && wrong === undefined) faults.push('is doubtful, and so');
	}
	return faults;
}

/**
 * The most requests that a run may take where nothing goes wrong: one listing of the groups, a look at everybody who is
 * in none and at the admins who would remain, and one write per change and chunk.
 */
function floorOf({ start, end, run }, { profile, wish, settings, directory }, service) {
	const moves = profile === 'accountOrganizations';
	const gone = (id) => end.active[id] !== true && start.active[id] !== end.active[id];
	const gains = pairsOf({
		members: Object.fromEntries(
			Object.entries(end.members).map(([key, ids]) => [
				key,
				ids.filter((id) => !start.members[key].includes(id)),
			]),
		),
	});
	const gainsIn = new Set([...gains].map((pair) => pair.split(':')[0]));
	const gainers = new Set([...gains].map((pair) => pair.split(' ')[0]));
	let changes = 0;
	for (const [key, before] of Object.entries(start.members)) {
		const [organization] = key.split(':');
		const leaving = before.filter((id) => !end.members[key].includes(id));
		const replaced = leaving.filter((id) => gainsIn.has(`${id} ${organization}`));
		// Whoever is to have something else instead, loses nothing before that was seen: a request of its own.
		const waiting = leaving.filter((id) => !replaced.includes(id) && gainers.has(id));
		const later = waiting.length + (moves ? 0 : replaced.length);
		const now = leaving.filter(
			(id) =>
				!replaced.includes(id) &&
				!waiting.includes(id) &&
				!(moves && (gone(id) || !(id in end.active))),
		).length;
		const joining = end.members[key].filter((id) => !before.includes(id)).length;
		const chunks = (count) => Math.ceil(count / settings.membersPerRequest);
		// Deactivation takes the memberships of whoever was active.
		const left = leaving.filter((id) => !moves || start.active[id] === false);
		if (wish.operation === 'changeEmail') changes += joining + left.length;
		// A group that waits for another one is changed by difference.
		else if (wish.replaceWith === 'wholeList' && later === 0) changes += Math.min(1, joining + now);
		// Nobody leaves the admins before somebody who comes was seen.
		else if (key.endsWith(':admin') && joining > 0) {
			changes += Math.max(
				chunks(joining) + chunks(now + later),
				chunks(joining + now) + chunks(later),
			);
		} else changes += chunks(joining + now) + chunks(later);
	}
	const flips = new Set(
		Object.keys({ ...start.active, ...end.active }).filter(
			(id) => start.active[id] !== end.active[id],
		),
	).size;
	const shutOut = Object.keys(start.active).filter(
		(id) => !moves && !(id in end.active) && start.active[id] && heldBy(start, id).length > 0,
	).length;
	const named = new Set(run.items.flatMap(({ people, user }) => people ?? user?.value ?? [])).size;
	// Whoever is in no group is found out by creating, where creating is allowed; and a leaver may be inactive already.
	const tries = wish.createMissing || wish.operation === 'offboard' ? named : 0;
	const admins = directory.organizations.reduce(
		(sum, organization) => sum + start.members[`${organization}:admin`].length + 1,
		0,
	);
	const members = wish.operation === 'setMembers' && !moves ? directory.people.length : 0;
	// Where no group and no user shows anybody, a proof asks filters of each group.
	const proof = wish.operation === 'offboard' && !moves ? Object.keys(start.members).length + 1 : 0;
	return {
		writes: changes + flips + shutOut + tries,
		listings: (moves ? 1 : 2) * (wish.operation === 'offboard' ? 2 : 1),
		// What waited for another request is looked at once more before anything is taken away, and whole lists of one
		// organization before each but the first, when people move between them, and after the last.
		groupReads:
			writesOf(service).filter(({ body }) => body?.includes('"op":"remove"')).length +
			// Elsewhere a read shows that the first removal spared the others, a list looks who else is in a group that did not show its members before, and one group is asked
			// whether the list of groups is right about members.
			(moves ? 2 * listsTogether(service) : (wish.lists ?? []).length + 2),
		// Deletions are proven by one list more, and whom a list lacks a filter is asked for, too.
		userReads: 3 * named + 4 + admins + members + proof + (wish.deletes ? 1 : 0),
	};
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

module.exports = {
	contradictionOf,
	checkItems,
	checkMoments,
	errorsOf,
	floorOf,
	sentBy,
	writesOf,
};
