'use strict';

// Random people in plain groups, what is wanted of them, and what has to come out: told apart from the package, by
// plain sets. Who is meant and how the service answers is drawn as for account organizations.

const fc = require('fast-check');
const { shapeOf, userIdOf } = require('./memoryService');
const { GROUPS, credentialOf, defaultsOf, rows, serviceWith } = require('./modelGroupsPlay');
const {
	PEOPLE,
	emailOf,
	hazards,
	named,
	newEmailOf,
	settings,
	unhurt,
	weighted,
} = require('./modelWishes');

/** Those whose name, or else ID, is one group's alone. */
const POOL = ['everyone', 'eng', 'ENG', 'sales', 'vpn', 'vpnToo'].map((word) => GROUPS[word]);
const HAS_OWN_NAME = ({ displayName }) => displayName !== GROUPS.vpnToo.displayName;
const HAS_OWN_ID = ({ id }) => id !== GROUPS.vpn.id;
const DIFFERS_IN_CASE = ({ displayName }) => /^engineering$/i.test(displayName);

const groupIndex = fc.nat(POOL.length - 1);
const some = (minLength = 0) => fc.uniqueArray(groupIndex, { minLength, maxLength: POOL.length });
const naming = fc.constantFrom('id', 'name', 'NAME', 'groupId');
/** Groups as a wish names them. */
const groupsNamed = (minLength) => fc.record({ indexes: some(minLength), by: naming });

const directories = fc
	.record({
		groups: fc.integer({ min: 2, max: POOL.length }),
		people: fc.array(fc.record({ active: weighted([6, true], [1, false]), held: some() }), {
			minLength: 1,
			maxLength: PEOPLE / 2,
		}),
	})
	.map(({ groups, people }) => ({ groups: POOL.slice(0, groups), people }));

/** Ways of a service (see serviceWith), and whether the credential tells which side shows memberships. */
const ways = fc
	.record({
		membersShownOn: fc.constantFrom('both', 'groups', 'users'),
		emptyUserGroups: fc.boolean(),
		omitsEmptyMembers: fc.boolean(),
		excludesAttributes: fc.boolean(),
		groupFilter: fc.constantFrom('on', 'exactCase', 'ignored', 'off'),
		deactivationDrops: fc.boolean(),
		inactiveRefuses: fc.boolean(),
		isTold: weighted([3, true], [1, false]),
	})
	.map((given) => ({
		...given,
		emptyUserGroups: given.emptyUserGroups && given.membersShownOn === 'groups',
		// Who has no membership when inactive has none to be refused.
		inactiveRefuses: given.inactiveRefuses && !given.deactivationDrops,
	}));

const WISHES = {
	assign: fc.record({
		assignments: fc.array(fc.record({ who: named, groups: groupsNamed(1) }), { maxLength: 10 }),
		joiners: fc.array(fc.record({ who: fc.nat(4), groups: groupsNamed(1) }), { maxLength: 4 }),
		createMissing: fc.boolean(),
		reactivate: fc.boolean(),
	}),
	set: fc.record({
		lists: fc.array(fc.record({ who: named, groups: groupsNamed(0) }), {
			minLength: 1,
			maxLength: 6,
		}),
		managed: groupsNamed(1),
		reactivate: fc.boolean(),
	}),
	revoke: fc.record({
		revocations: fc.array(fc.record({ who: named, groups: fc.option(groupsNamed(1)) }), {
			minLength: 1,
			maxLength: 6,
		}),
		managed: fc.option(groupsNamed(1)),
	}),
	offboard: fc.record({
		leavers: fc.array(named, { minLength: 1, maxLength: 6 }),
		deletes: fc.boolean(),
		keeps: fc.option(groupsNamed(1)),
	}),
	reconcile: fc.record({
		rows: fc.array(fc.record({ who: named, groups: groupsNamed(1) }), { maxLength: 12 }),
		joiners: fc.array(fc.record({ who: fc.nat(4), groups: groupsNamed(1) }), { maxLength: 3 }),
		scope: groupsNamed(1),
		unwanted: weighted([4, 'revoke'], [1, 'keep'], [1, 'report']),
		deactivatesEmpty: fc.boolean(),
		ignores: fc.option(groupsNamed(1)),
		reactivate: fc.boolean(),
		asItems: fc.boolean(),
	}),
	addMembers: fc.record({
		lists: fc.array(
			fc.record({ group: groupIndex, people: fc.array(named, { minLength: 1, maxLength: 8 }) }),
			{
				minLength: 1,
				maxLength: 3,
			},
		),
	}),
};
WISHES.removeMembers = WISHES.addMembers;
WISHES.setMembers = WISHES.addMembers;

/** Everything that a run takes: `{ operation, directory, wish, settings, ways, hazards }`. */
const groupCases = (operation, hazardsOf = hazards) =>
	fc.record({
		operation: fc.constant(operation),
		directory: directories,
		wish: WISHES[operation],
		settings,
		ways,
		hazards: hazardsOf,
	});

function groupServiceOf({ directory, ways: { isTold: _, ...switches }, hazards: more }) {
	const { groups, people } = directory;
	return serviceWith({
		groups,
		people: people.map(({ active, held }, index) => ({
			userName: emailOf(index),
			active,
			groups:
				active || !switches.deactivationDrops
					? unique(held.map((at) => groups[at % groups.length].id))
					: [],
		})),
		...more,
		...switches,
	});
}

const unique = (entries) => [...new Set(entries)];

function credentialFor({ ways: service, settings: { membersPerRequest } }) {
	const { membersShownOn, emptyUserGroups, isTold } = service;
	const shows = (...sides) => isTold && sides.includes(membersShownOn);
	return {
		...credentialOf(service, membersPerRequest),
		...(shows('both', 'groups') && { groupsShowMembers: 'yes' }),
		...(shows('both', 'users') && !emptyUserGroups && { usersShowGroups: 'yes' }),
	};
}

/** The parameters of the node for a case, and the state that has to come out of it. */
function groupTask(given) {
	const { operation, directory, wish, settings: guards, ways: service } = given;
	const { groups, people } = directory;
	const start = shapeOf(groupServiceOf({ ...given, hazards: {} }).now());
	const end = structuredClone(start);
	const id = (number) => userIdOf(emailOf(number % people.length));
	const text = ({ person, by }) => {
		const email = emailOf(person % people.length);
		return by === 'id' ? userIdOf(email) : by === 'EMAIL' ? email.toUpperCase() : email;
	};
	const groupAt = (index) => groups[index % groups.length];
	const idsOf = ({ indexes }) => unique(indexes.map((index) => groupAt(index).id));
	/** A text that means this group and no other. */
	const textOf = (group, by) => {
		const { id: groupId, displayName } = group;
		if ((by === 'id' && HAS_OWN_ID(group)) || !HAS_OWN_NAME(group)) return groupId;
		return by === 'NAME' && !DIFFERS_IN_CASE(group) ? displayName.toUpperCase() : displayName;
	};
	const textsOf = ({ indexes, by }) => indexes.map((index) => textOf(groupAt(index), by));
	const jsonOf = ({ indexes, by }) =>
		indexes.map((index) => {
			const group = groupAt(index);
			return by === 'groupId' ? { groupId: group.id } : { group: textOf(group, by) };
		});
	const rowsOf = (wanted) => rows(...textsOf(wanted));
	const shielded = new Set(guards.shielded.map(({ person }) => id(person)));

	const isInactive = (userId) => end.active[userId] === false;
	const held = (userId) =>
		Object.keys(end.members).filter((key) => end.members[key].includes(userId));
	const add = (userId, key) => {
		end.members[key] = unique([...end.members[key], userId]).sort();
	};
	const drop = (userId, key) => {
		if (service.inactiveRefuses && isInactive(userId)) return;
		end.members[key] = end.members[key].filter((member) => member !== userId);
	};
	const usable = (userId, reactivate) => {
		if (shielded.has(userId)) return false;
		if (isInactive(userId)) {
			if (!reactivate) return false;
			end.active[userId] = true;
		}
		return true;
	};
	const join = (number, wanted) => {
		const userId = userIdOf(newEmailOf(number));
		end.active[userId] = true;
		for (const key of idsOf(wanted)) add(userId, key);
	};

	const limits = {
		protectedUsers: guards.shielded
			.map(({ person, by }) => (by === 'id' ? id(person) : emailOf(person % people.length)))
			.join(','),
		maxPeopleAffected: 1000,
		maxCreates: 1000,
	};
	const parameters = { accessBy: 'group', preview: false };
	const options = { ...limits };
	let items = [{}];

	switch (operation) {
		case 'assign': {
			parameters.createMissing = wish.createMissing;
			options.reactivate = wish.reactivate;
			items = [
				...wish.assignments.map(({ who, groups: wanted }) => [text(who), wanted]),
				...wish.joiners.map(({ who, groups: wanted }) => [newEmailOf(who), wanted]),
			].map(([who, wanted]) => ({ people: who, groups: jsonOf(wanted) }));
			for (const { who, groups: wanted } of wish.assignments) {
				const userId = id(who.person);
				if (usable(userId, wish.reactivate)) for (const key of idsOf(wanted)) add(userId, key);
			}
			if (wish.createMissing) for (const { who, groups: wanted } of wish.joiners) join(who, wanted);
			break;
		}
		case 'set': {
			parameters.managedGroups = rowsOf(wish.managed);
			Object.assign(options, { reactivate: wish.reactivate, allowEmpty: true });
			const managed = idsOf(wish.managed);
			const lists = [
				...new Map(wish.lists.map((list) => [id(list.who.person), list])).values(),
			].map((list) => ({
				...list,
				groups: {
					...list.groups,
					indexes: list.groups.indexes.filter((index) => managed.includes(groupAt(index).id)),
				},
			}));
			items = lists.map((list) => ({
				people: text(list.who),
				groups: jsonOf(list.groups),
			}));
			for (const list of lists) {
				const userId = id(list.who.person);
				const wanted = idsOf(list.groups);
				if (shielded.has(userId) || (wanted.length > 0 && !usable(userId, wish.reactivate)))
					continue;
				for (const key of managed) if (!wanted.includes(key)) drop(userId, key);
				for (const key of wanted) add(userId, key);
			}
			break;
		}
		case 'revoke': {
			const managed = wish.managed ? idsOf(wish.managed) : groups.map(({ id: key }) => key);
			if (wish.managed) options.managedGroups = rowsOf(wish.managed);
			const revocations = wish.revocations.map(({ who, groups: wanted }) => ({
				who,
				wanted: wanted && {
					...wanted,
					indexes: wanted.indexes.filter((index) => managed.includes(groupAt(index).id)),
				},
			}));
			const meant = revocations.filter(({ wanted }) => !wanted || wanted.indexes.length > 0);
			items = meant.map(({ who, wanted }) => ({
				people: text(who),
				revokeIn: wanted ? 'one' : 'all',
				...(wanted && { groups: jsonOf(wanted) }),
			}));
			for (const { who, wanted } of meant) {
				const userId = id(who.person);
				if (shielded.has(userId)) continue;
				for (const key of wanted ? idsOf(wanted) : managed) drop(userId, key);
			}
			break;
		}
		case 'offboard': {
			parameters.method = wish.deletes ? 'delete' : 'deactivate';
			if (wish.keeps) options.keepMembershipsIn = rowsOf(wish.keeps);
			const kept = wish.keeps ? idsOf(wish.keeps) : [];
			const leavers = [...new Map(wish.leavers.map((who) => [id(who.person), who])).values()];
			items = leavers.map((who) => ({ people: text(who) }));
			for (const { person } of leavers) {
				const userId = id(person);
				if (shielded.has(userId)) continue;
				for (const key of held(userId)) if (!kept.includes(key)) drop(userId, key);
				// A service that drops memberships asks nobody which.
				const dropsAll = wish.deletes || (service.deactivationDrops && !isInactive(userId));
				if (wish.deletes) delete end.active[userId];
				else end.active[userId] = false;
				if (!dropsAll) continue;
				for (const key of held(userId)) {
					end.members[key] = end.members[key].filter((member) => member !== userId);
				}
			}
			break;
		}
		case 'reconcile':
			items = reconcile();
			break;
		default: {
			delete parameters.accessBy;
			Object.assign(options, { allowEmptying: true });
			const lists = [...new Map(wish.lists.map((list) => [groupAt(list.group).id, list])).values()];
			items = lists.map((list) => ({
				chooseGroupBy: 'group',
				group: { __rl: true, mode: 'id', value: groupAt(list.group).id },
				people: list.people.map(text),
			}));
			for (const list of lists) {
				const key = groupAt(list.group).id;
				const meant = unique(list.people.map(({ person }) => id(person))).filter(
					(userId) => !shielded.has(userId),
				);
				const mayJoin = (userId) => !isInactive(userId);
				if (operation !== 'removeMembers')
					for (const userId of meant.filter(mayJoin)) add(userId, key);
				const leaving =
					operation === 'removeMembers'
						? meant
						: operation === 'setMembers'
							? end.members[key].filter(
									(userId) => !meant.includes(userId) && !shielded.has(userId),
								)
							: [];
				for (const userId of leaving) drop(userId, key);
			}
		}
	}

	function reconcile() {
		const scope = idsOf(wish.scope);
		const inScope = ({ indexes, by }) => ({
			by,
			indexes: indexes.filter((index) => scope.includes(groupAt(index).id)),
		});
		const wanted = new Map();
		const list = [];
		const row = (userId, who, own) => {
			for (const entry of jsonOf(own)) list.push({ person: who, ...entry });
			wanted.set(userId, [...(wanted.get(userId) ?? []), ...idsOf(own)]);
		};
		for (const { who, groups: own } of wish.rows) row(id(who.person), text(who), inScope(own));
		const joiners = wish.joiners.map(({ who, groups: own }) => ({ who, own: inScope(own) }));
		for (const { who, own } of joiners) {
			if (own.indexes.length === 0) continue;
			row(userIdOf(newEmailOf(who)), newEmailOf(who), own);
			join(who, own);
		}
		const ignored = wish.ignores ? idsOf(wish.ignores) : [];
		for (const userId of Object.keys(start.active)) {
			if (shielded.has(userId)) continue;
			const own = wanted.get(userId) ?? [];
			if (own.length > 0 && !usable(userId, wish.reactivate)) continue;
			for (const key of own) add(userId, key);
			if (wish.unwanted !== 'revoke') continue;
			const access = () => held(userId).filter((key) => !ignored.includes(key)).length;
			const before = access();
			for (const key of scope) if (!own.includes(key)) drop(userId, key);
			// Groups that are no access are none to lose, and whoever a row wants stays active.
			const lost = own.length === 0 && access() < before;
			const isEmpty = held(userId).every((key) => ignored.includes(key));
			if (!wish.deactivatesEmpty || !lost || !isEmpty || !end.active[userId]) continue;
			end.active[userId] = false;
			if (service.deactivationDrops)
				for (const key of held(userId))
					end.members[key] = end.members[key].filter((member) => member !== userId);
		}
		Object.assign(parameters, {
			preview: false,
			wantedFrom: wish.asItems && list.length > 0 ? 'items' : 'json',
			wantedJson: list,
			scopeGroups: rowsOf(wish.scope),
			unwanted: wish.unwanted,
			createMissing: true,
		});
		Object.assign(options, {
			reactivate: wish.reactivate,
			deactivatesEmpty: wish.deactivatesEmpty,
			allowEmptyGroups: true,
			...(wish.ignores && { ignoreGroups: rowsOf(wish.ignores) }),
		});
		return parameters.wantedFrom === 'items' ? list.map((json) => ({ json })) : [{}];
	}

	const resource = /Members$/.test(operation) ? 'group' : 'access';
	const run = {
		resource,
		operation,
		parameters: { ...defaultsOf(resource, operation), ...parameters, options },
		items,
		credential: credentialFor(given),
	};
	const preview = operation === 'reconcile' ? { preview: true } : { preview: true };
	return {
		run,
		preview: { ...run, parameters: { ...run.parameters, ...preview } },
		start,
		end,
		shielded,
		administered: [],
	};
}

module.exports = { POOL, WISHES, groupCases, groupServiceOf, groupTask, unhurt };
