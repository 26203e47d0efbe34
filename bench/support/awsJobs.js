'use strict';

/**
 * The same on a service that lists by cursor and shows members by filter alone: AWS IAM Identity Center as documented, with
 * 10,000 users and 20 groups of 250 members each. It tells no totals.
 */

const { DIALECTS } = require('../../demo/service/scim/dialects');
const plainNode = require('./plainNode');

const [USERS, GROUPS, MEMBERS] = [10_000, 20, 250];
const [L, LG, M] = [USERS, GROUPS, MEMBERS].map((entries) => Math.ceil(entries / 100));
const range = (count, from = 0) => Array.from({ length: count }, (_, index) => from + index);
const userId = (number) => `u${String(number).padStart(6, '0')}`;
const groupId = (number) => `g${String(number).padStart(4, '0')}`;

const service = () => ({
	...DIALECTS.aws.switches,
	users: range(USERS).map((number) => ({
		...{ id: userId(number), userName: `person.${number}@example.com` },
		...{ displayName: `Person ${number}`, name: { givenName: 'Person', familyName: `${number}` } },
	})),
	groups: range(GROUPS).map((number) => ({
		...{ id: groupId(number), displayName: `app ${number}` },
		members: range(MEMBERS, number * 100).map(userId),
	})),
});
const isIn = (server, group, user) => server.membersOf(groupId(group)).includes(userId(user));
const people = (...numbers) => ({ people: numbers.map(userId).join(', ') });
const inGroup = (number) => ({
	accessBy: 'group',
	groups: { group: [{ group: { __rl: true, mode: 'id', value: groupId(number) } }] },
});

const job = (name, { operation, isDone, floor, onePerThing, ...parameters }) => ({
	name,
	node: plainNode,
	service: service(),
	parameters: { resource: 'access', operation, ...parameters },
	items: [{}],
	credential: { serviceProfile: 'awsIdentityCenter' },
	...{ floor, onePerThing },
	isDone: (_people, { server }) => isDone(server),
});

const FIVE = range(5, 9000);

const awsJobs = () => [
	job('Assign a group to 1 person', {
		...{ operation: 'assign', ...people(9000), ...inGroup(0) },
		floor: { formula: 'U + g + probe + 2N + g', requests: 1 + 1 + 1 + 2 + 1 },
		onePerThing: { formula: '3N', requests: 3 },
		isDone: (server) => isIn(server, 0, 9000),
	}),
	job('Assign a group to 5 people', {
		...{ operation: 'assign', ...people(...FIVE), ...inGroup(0) },
		floor: { formula: 'U + g + probe + 2m + g', requests: 5 + 1 + 1 + 2 * M + 1 },
		onePerThing: { formula: '3N', requests: 15 },
		isDone: (server) => FIVE.every((user) => isIn(server, 0, user)),
	}),
	job('Offboard 1 person', {
		...{ operation: 'offboard', ...people(50) },
		floor: {
			formula: 'U + Lg + probe + G + 2k + 3 + N + proof',
			requests: 1 + LG + 1 + GROUPS + 2 + 3 + 1 + (1 + LG + GROUPS),
		},
		onePerThing: { formula: 'G + k + 1, no proof', requests: GROUPS + 2 },
		isDone: (server) => !isIn(server, 0, 50) && !server.users.get(userId(50)).active,
	}),
	job('Matrix of everybody', {
		operation: 'getMatrix',
		floor: { formula: 'L + Lg + probe + G·m', requests: L + LG + 1 + GROUPS * M },
		onePerThing: { formula: 'L + N·G', requests: L + USERS * GROUPS },
		isDone: () => true,
	}),
];

module.exports = { awsJobs };
