'use strict';

const { userIdOf } = require('../support/memoryService');
const { changesBetween, claims, contradictionOf, keyOf, nameOf } = require('../world/truth');

/** What a change is about, to be found again. */
const aboutOf = ({ id, key }) => `${id} ${key}`;

/** @returns where a state is not as HR wants it, in the form of changesBetween, `to` being what is wanted */
function differences({ users, groups }, truth) {
	const members = new Map([...groups].map(([group, ids]) => [group, new Set(ids)]));
	const found = [];
	const look = (person, key, is) => {
		const to = truth.wanted(person, key);
		if (to !== undefined && is !== to)
			found.push({ id: person.id, userName: person.userName, key, to });
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

/** Without a role, what has not changed does not say whether it was to be given or taken: then HR does. */
function takes({ change, groupId, role, roleBefore, ...item }, truth) {
	const isVague = change === 'none' && Boolean(groupId) && role === null && roleBefore === null;
	const wanted = isVague ? truth.wanted({ ...item, id: item.userId }, keyOf(groupId)) : undefined;
	return wanted === undefined ? undefined : !wanted;
}

/**
 * What a run did or said that it may not.
 * @param run `{ operation, may(id, key, after, touched), before, after, touched, json, thrown }`: `touched` is what others
 *   changed, as aboutOf
 */
function wrongIn({ operation, may, before, after, touched, json, thrown }, truth) {
	if (thrown) return [`threw ${thrown.stack}`];
	const strange = changesBetween(before, after).flatMap((change) => {
		const { id, key, to } = change;
		const { userName = id } = after.users.get(id) ?? before.users.get(id) ?? {};
		const isCaused = may(id, key, after, touched) && to === truth.wanted({ id, userName }, key);
		// A user that was deleted by hand and is created anew has lost the rest.
		const about = key === 'rest' ? { id, key: 'active' } : change;
		const isOther = touched.has(aboutOf(change)) || touched.has(aboutOf(about));
		return isOther || isCaused ? [] : [`${userName}: nobody wanted ${key} to be ${to}`];
	});
	const shape = {
		active: Object.fromEntries([...after.users].map(([id, { active }]) => [id, active])),
		members: Object.fromEntries(after.groups),
	};
	const meddled = new Set([...touched].map((about) => about.split(' ')[0]));
	const untrue = json.filter(claims).flatMap((item) => {
		const id = item.userId ?? (item.userName ? userIdOf(item.userName) : null);
		if (meddled.has(id)) return [];
		const wrong = contradictionOf(item, shape, operation, takes(item, truth));
		if (wrong !== undefined) return [`${wrong}, but said is ${JSON.stringify(item)}`];
		const isRenamed = nameOf(after.users.get(id)) === truth.people.get(id)?.given;
		return item.change === 'updated' && !isRenamed ? [`not updated: ${JSON.stringify(item)}`] : [];
	});
	return [...strange, ...untrue];
}

/** Whether an output says that something has not become as wanted, of this person and group. */
function tells(json, { id, userName, key }) {
	const isProblem = ({ error, status }) =>
		error !== undefined || ['failed', 'skipped', 'unverified'].includes(status);
	// A run that could not begin is one item without a user.
	if (json.length === 1 && json[0].error !== undefined && !json[0].userName) return true;
	return json.some((item) => {
		const isMeant =
			item.userId === id ||
			[item.userName, item.error, item.reason].some((text) =>
				[id, userName].some((word) => text?.toLowerCase().includes(word.toLowerCase())),
			);
		const group = keyOf(item.groupId) ?? key;
		const isSame = [group, `${item.organization}:${item.roleBefore}`].includes(key);
		return isProblem(item) && isMeant && isSame;
	});
}

module.exports = { aboutOf, differences, tells, wrongIn };
