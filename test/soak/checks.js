'use strict';

const { userIdOf } = require('../support/memoryService');
const { contradictionOf } = require('../support/modelChecks');

const nameOf = (user) => user?.attributes.name?.givenName;
const restOf = (user) =>
	user && [user.userName, user.attributes.externalId, user.attributes.name?.familyName].join();

/** @returns what is another thing in the second state: `{ id, userName, what, to, key }`; a group is true or false */
function changesBetween(one, other) {
	const changes = [];
	const change = (id, what, to) => {
		const { userName } = other.users.get(id) ?? one.users.get(id) ?? { userName: id };
		changes.push({ id, userName, what, to, key: `${id} ${what}` });
	};
	const ids = [...other.users.keys()].filter((id) => one.users.get(id) !== other.users.get(id));
	const gone = [...one.users.keys()].filter((id) => !other.users.has(id));
	for (const id of [...ids, ...gone]) {
		const [was, is] = [one.users.get(id), other.users.get(id)];
		if (was?.active !== is?.active) change(id, 'active', is?.active);
		if (nameOf(was) !== nameOf(is)) change(id, 'name', nameOf(is));
		if (was && restOf(was) !== restOf(is)) change(id, 'rest', restOf(is));
	}
	for (const [group, members] of other.groups) {
		const before = one.groups.get(group);
		if (before === members) continue;
		const [were, are] = [new Set(before), new Set(members)];
		for (const id of were) if (!are.has(id)) change(id, group, false);
		for (const id of are) if (!were.has(id)) change(id, group, true);
	}
	return changes;
}

/** @returns where a state is not as HR wants it, in the form of changesBetween, `to` being what is wanted */
function differences({ users, groups }, truth) {
	const members = new Map([...groups].map(([group, ids]) => [group, new Set(ids)]));
	const found = [];
	const look = (person, what, is) => {
		const to = truth.wanted(person, what);
		if (to === undefined || is === to) return;
		found.push({ id: person.id, userName: person.userName, what, to, key: `${person.id} ${what}` });
	};
	for (const person of new Map([...users, ...truth.people]).values()) {
		const user = users.get(person.id);
		look(person, 'active', user?.active === true);
		look(person, 'name', nameOf(user));
		for (const group of person.groups ?? []) look(person, group, members.get(group).has(person.id));
	}
	for (const group of truth.managed) {
		for (const id of members.get(group)) {
			const person = truth.people.get(id) ?? users.get(id) ?? { id, userName: id };
			if (!person.groups?.has(group)) look(person, group, true);
		}
	}
	return found;
}

const groupOf = ({ groupId }) => groupId?.replace(/^whylabs-/, '');

/** Without a role, what has not changed does not say whether it was to be given or taken. */
const isVague = ({ change, groupId, role, roleBefore }) =>
	change === 'none' && Boolean(groupId) && role === null && roleBefore === null;

function misplaced(item, { members }, truth) {
	const isIn = members[groupOf(item)].includes(item.userId);
	const wanted = truth.wanted({ ...item, id: item.userId }, groupOf(item));
	return wanted === undefined || isIn === wanted ? undefined : 'is not as wanted';
}

/**
 * What a run did or said that it may not.
 * @param run `{ operation, may(id, what, after, touched), before, after, touched, json, thrown }`: `touched` are keys of what others changed
 */
function wrongIn({ operation, may, before, after, touched, json, thrown }, truth) {
	if (thrown) return [`threw ${thrown.stack}`];
	const strange = changesBetween(before, after).flatMap((change) => {
		const { id, userName, what, to, key } = change;
		const isCaused = may(id, what, after, touched) && to === truth.wanted(change, what);
		return touched.has(key) || isCaused ? [] : [`${userName}: nobody wanted ${what} to be ${to}`];
	});
	const state = {
		active: Object.fromEntries([...after.users].map(([id, { active }]) => [id, active])),
		members: Object.fromEntries(after.groups),
	};
	const meddled = new Set([...touched].map((key) => key.split(' ')[0]));
	const claims = json.flatMap((item) => {
		const { status, change, userName } = item;
		const id = item.userId ?? (userName ? userIdOf(userName) : null);
		if (!['done', 'unchanged'].includes(status) || meddled.has(id)) return [];
		const wrong = isVague(item)
			? misplaced(item, state, truth)
			: contradictionOf(item, state, operation);
		if (wrong !== undefined) return [`${wrong}, but said is ${JSON.stringify(item)}`];
		const isRenamed = nameOf(after.users.get(id)) === truth.people.get(id)?.given;
		return change === 'updated' && !isRenamed ? [`not updated: ${JSON.stringify(item)}`] : [];
	});
	return [...strange, ...claims];
}

/** Whether an output says that something has not become as wanted, of this person and group. */
function tells(json, { id, userName, what }) {
	const isProblem = ({ error, status }) =>
		error !== undefined || ['failed', 'skipped', 'unverified'].includes(status);
	// A run that could not begin is one item about nobody.
	if (json.length === 1 && json[0].error !== undefined && !json[0].userName) return true;
	return json.some((item) => {
		const isMeant =
			item.userId === id ||
			[item.userName, item.error, item.reason].some((text) =>
				[id, userName].some((word) => text?.toLowerCase().includes(word.toLowerCase())),
			);
		const group = groupOf(item) ?? what;
		const isSame = [group, `${item.organization}:${item.roleBefore}`].includes(what);
		return isProblem(item) && isMeant && isSame;
	});
}

module.exports = { changesBetween, differences, tells, wrongIn };
