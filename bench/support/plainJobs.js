'use strict';

/**
 * The jobs on plain groups, in the form of those of jobs.js: 1,000 users, and 60 groups with 30 members
 * each, so that people are in one or two. Users show their groups, unless the job says otherwise.
 */

const { pagesOf } = require('./pages');
const plainNode = require('./plainNode');

const [USERS, GROUPS, MEMBERS] = [1000, 60, 30];
/** A total above its own page ends the list of users; where none was seen, only an empty page ends that of groups. */
const [L, LG] = [pagesOf(USERS), 1 + 1];
const PEOPLE = 5;
/** By name, one filter each, or the listing; its first page tells which are fewer. */
const lookUps = (names) => Math.min(names + 1, L);
const U = lookUps(PEOPLE);

const range = (count, from = 0) => Array.from({ length: count }, (_, index) => from + index);
const userId = (number) => `u-${number}`;
const email = (number) => `person.${number}@example.com`;
const groupId = (number) => `g-${(number * 7919).toString(16)}`;
const groupName = (number) => (number < GROUPS / 2 ? `app ${number}` : `team ${number}`);

/** Each group begins where the one before has not yet ended, so that people are in two. */
const membersOf = (number) => range(MEMBERS, number * 16).map((user) => userId(user % USERS));

const service = (switches = {}) => ({
	users: range(USERS).map((number) => ({
		id: userId(number),
		userName: email(number),
		emails: [{ value: email(number), primary: true }],
	})),
	groups: range(GROUPS).map((number) => ({
		id: groupId(number),
		displayName: groupName(number),
		members: membersOf(number),
	})),
	...switches,
});

/** In the groups 1 and 2. */
const PERSONS = range(PEOPLE, 34);
const people = PERSONS.map(email).join(', ');
const [OLD, NEW] = [2, 40];
const list = (...entries) => ({ group: entries.map((group) => ({ group })) });
const locator = (mode, value) => ({ __rl: true, mode, value });

function job(name, { operation, parameters, floor, onePerThing, above, isDone, switches, items }) {
	return {
		name,
		node: plainNode,
		service: service(switches),
		parameters: { resource: 'access', operation, ...parameters },
		items: items ?? [{}],
		floor,
		onePerThing,
		above,
		isDone: (_people, { server }) => isDone(server),
	};
}

const isIn = (server, number, user) => server.membersOf(groupId(number)).includes(userId(user));
const everybodyIn = (number) => (server) => PERSONS.every((user) => isIn(server, number, user));
const nobodyIn = (number) => (server) => !PERSONS.some((user) => isIn(server, number, user));

function assign(how, group, floor) {
	return job(`Assign a group ${how} to 5 people`, {
		operation: 'assign',
		parameters: { people, accessBy: 'group', groups: list(group) },
		floor,
		onePerThing: { formula: '2N + 1', requests: 2 * PEOPLE + 1 },
		isDone: everybodyIn(NEW),
	});
}

const plainJobs = () => [
	assign('by ID', locator('id', groupId(NEW)), { formula: 'U + 2g + 1', requests: U + 2 + 1 }),
	assign('by name', locator('name', groupName(NEW)), {
		formula: 'U + 2g + 1',
		requests: U + 2 + 1,
	}),
	assign('by text', groupName(NEW), { formula: 'U + Lg + 2g + 1', requests: U + LG + 2 + 1 }),
	job('Set 5 people to a group, within app *', {
		operation: 'set',
		parameters: {
			...{ people, accessBy: 'group', groups: list(locator('name', groupName(3))) },
			managedGroups: list('app *'),
		},
		floor: { formula: 'U + Lg + 2g + 2', requests: U + LG + 2 * 3 + 2 },
		onePerThing: { formula: '2N + N·k', requests: 2 * PEOPLE + 3 * PEOPLE },
		isDone: (server) => everybodyIn(3)(server) && nobodyIn(OLD)(server),
	}),
	job('Revoke a group by name from 5 people', {
		operation: 'revoke',
		parameters: {
			...{ people, accessBy: 'group', revokeIn: 'one' },
			groups: list(locator('name', groupName(OLD))),
		},
		floor: { formula: 'U + 2g + 1', requests: U + 2 + 1 },
		onePerThing: { formula: '2N + 1', requests: 2 * PEOPLE + 1 },
		isDone: nobodyIn(OLD),
	}),
	...[true, false].map((usersShowGroups) =>
		job(`Offboard 5 people, ${usersShowGroups ? 'users' : 'only groups'} show memberships`, {
			operation: 'offboard',
			parameters: { people },
			switches: { usersShowGroups: usersShowGroups ? 'all' : 'absent' },
			floor: usersShowGroups
				? { formula: 'U + N + min(N, L) + 3g + 2', requests: U + PEOPLE + L + 3 * 2 + 2 }
				: { formula: 'U + N + min(N, L) + g + 2Lg + 3', requests: U + PEOPLE + L + 2 + 2 * LG + 3 },
			onePerThing: { formula: '2N + N·k, no proof', requests: 4 * PEOPLE },
			isDone: (server) =>
				PERSONS.every((user) => !server.users.get(userId(user)).active) &&
				range(GROUPS).every((number) => nobodyIn(number)(server)),
		}),
	),
	job('Get the access of 1 person, users show groups', {
		operation: 'get',
		parameters: { user: locator('id', userId(PERSONS[0])) },
		floor: { formula: '1 + min(k, Lg)', requests: 1 + Math.min(2, LG) },
		onePerThing: { formula: '1 + k', requests: 3 },
		isDone: () => true,
	}),
	job('Reconcile 30 groups by pattern, 5 of them changed', {
		operation: 'reconcile',
		parameters: {
			preview: false,
			accessBy: 'group',
			scopeGroups: list('app *'),
			wantedFrom: 'json',
			wantedJson: JSON.stringify(
				range(GROUPS / 2).flatMap((number) =>
					membersOf(number)
						.slice(number < 5 ? 1 : 0)
						.map((id) => ({ userId: id, groupId: groupId(number) })),
				),
			),
		},
		floor: { formula: 'U + Lg + 2 + changed', requests: L + LG + 2 + 5 },
		onePerThing: { formula: 'groups + d', requests: GROUPS / 2 + 5 },
		isDone: (server) =>
			range(5).every((number) => !server.membersOf(groupId(number)).includes(membersOf(number)[0])),
	}),
	job('Change the email of 5 people by PATCH', {
		operation: 'changeEmail',
		parameters: {
			user: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
			newEmail: '={{ "new." + $json.email }}',
		},
		items: PERSONS.map((user) => ({ email: email(user) })),
		floor: { formula: 'U + 2N', requests: lookUps(2 * PEOPLE) + 2 * PEOPLE },
		onePerThing: { formula: '3N, no proof', requests: 3 * PEOPLE },
		isDone: (server) =>
			PERSONS.every((user) => server.users.get(userId(user)).userName === `new.${email(user)}`),
	}),
];

module.exports = { plainJobs };
