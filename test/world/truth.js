'use strict';

// The truth of a service as facts: who has an account that is active, who is in which group, and what a person is
// called. What a run says is held against them.

const nameOf = (user) => user?.attributes.name?.givenName;
const restOf = (user) =>
	user && [user.userName, user.attributes.externalId, user.attributes.name?.familyName].join();

/**
 * What is different in the second of two states (`service.now()`, an entry of `service.states`).
 * @returns `{ id, key, to }` each: `key` is a group with `to` true or false, or `active`, `name`, `rest`
 */
function changesBetween(one, other) {
	const changes = [];
	for (const id of new Set([...one.users.keys(), ...other.users.keys()])) {
		const [was, is] = [one.users.get(id), other.users.get(id)];
		// A record is replaced, never changed.
		if (was === is) continue;
		if (was?.active !== is?.active) changes.push({ id, key: 'active', to: is?.active });
		if (nameOf(was) !== nameOf(is)) changes.push({ id, key: 'name', to: nameOf(is) });
		if (was && is && restOf(was) !== restOf(is)) changes.push({ id, key: 'rest', to: restOf(is) });
	}
	for (const [key, members] of other.groups) {
		const before = one.groups.get(key) ?? [];
		if (before === members) continue;
		const [were, are] = [new Set(before), new Set(members)];
		for (const id of were) if (!are.has(id)) changes.push({ id, key, to: false });
		for (const id of are) if (!were.has(id)) changes.push({ id, key, to: true });
	}
	return changes;
}

/** Every change that a service went through, with the state that it came to. */
function changesIn({ states }) {
	return states.slice(1).flatMap((state, at) => {
		const changes = changesBetween(states[at], state);
		return changes.map((change) => ({ ...change, state }));
	});
}

/** A group as the service has it: some names of it carry what they stand for. */
const keyOf = (groupId) => groupId?.replace(/^whylabs-/, '');

/** A user's groups. @param shape of shapeOf */
const heldBy = ({ members }, id) => Object.keys(members).filter((key) => members[key].includes(id));

/** Whether an item is about a removal from a group. Where nothing changed, the wish tells. */
const isRemoval = ({ change, role, roleBefore }, operation) =>
	change === 'none'
		? (Boolean(roleBefore) && role === null) || /^(revoke|removeMembers)$/.test(operation)
		: change === 'revoked';

const CLAIMS = ['done', 'unchanged'];

/** Whether an item says that something is so. */
const claims = ({ status }) => CLAIMS.includes(status);

/**
 * What stands against an item that says done or unchanged, one for each read that it rests on: undefined where it is so.
 * @param shape of shapeOf
 * @param wasTaken whether it was about taking access away, where more is known than the item tells
 */
function contradictionsOf(item, shape, operation, wasTaken) {
	// Of a leaver everything counts.
	if (operation === 'offboard') return contradictionsOfLeaver(item, shape);
	return [contradictionOfChange(item, shape, operation, wasTaken)];
}

function contradictionOfChange(item, shape, operation, wasTaken) {
	const takes = wasTaken ?? isRemoval(item, operation);
	const { change, userId: id, role } = item;
	const key = keyOf(item.groupId);
	const isIn = () => shape.members[key]?.includes(id) ?? false;
	const isActive = shape.active[id];
	switch (change) {
		case 'granted':
		case 'moved':
			return isIn() ? undefined : 'is no member';
		case 'revoked':
			return isIn() ? 'is a member' : undefined;
		case 'created':
		case 'activated':
			return isActive ? undefined : 'is not there, or inactive';
		case 'deactivated':
			return isActive === false ? undefined : 'is active, or gone';
		case 'deleted':
			return id in shape.active ? 'is there' : undefined;
		case 'updated':
			return id in shape.active ? undefined : 'is not there';
		case 'none': {
			if (!id || !key) return undefined;
			// Without a role, an item of these does not tell what was wanted.
			const isVague = /^(reconcile|applyPlan)$/.test(operation) && role === null;
			if (isVague && wasTaken === undefined) return undefined;
			if (isIn() === takes) return takes ? 'is a member' : 'is no member';
			// Access is of no use to inactive users.
			const needsActive = /^(assign|set|reconcile)$/.test(operation);
			return needsActive && !takes && !isActive ? 'is inactive' : undefined;
		}
		default:
			return undefined;
	}
}

/** The groups and the account of a leaver are read one after the other. Without an ID, no user has the email. */
function contradictionsOfLeaver({ userId: id, active, deleted, accessRemaining }, shape) {
	if (id === null) return [];
	const left = heldBy(shape, id).sort().join();
	const said = (accessRemaining ?? []).map(({ groupId }) => keyOf(groupId));
	// Of who is gone the service may tell nothing.
	const isOpen = deleted && accessRemaining === null;
	const isSaid = isOpen || said.sort().join() === left;
	const isActive = shape.active[id];
	const account = deleted
		? id in shape.active && 'is there'
		: // Another client may have deleted the user.
			(isActive ?? null) !== active && `is ${isActive}`;
	return [isSaid ? undefined : `has ${left}, and ${said} is said`, account || undefined];
}

/** The first of contradictionsOf; undefined where there is none. */
const contradictionOf = (...claim) =>
	contradictionsOf(...claim).find((words) => words !== undefined);

/** The same where other clients write: what was so in one of these moments was said rightly, of each read by itself. */
function contradictionIn(shapes, item, ...more) {
	const wrong = shapes.map((shape) => contradictionsOf(item, shape, ...more));
	return wrong.at(-1).find((_, read) => wrong.every((reads) => reads[read] !== undefined));
}

module.exports = {
	changesBetween,
	changesIn,
	claims,
	contradictionIn,
	contradictionOf,
	heldBy,
	isRemoval,
	keyOf,
	nameOf,
};
