'use strict';

const { FIRST, SECOND, change, emailOf, list, outcomeOf, quick, rows } = require('./script');
const { mapped } = require('../../support/node');

const inGroups = (...groups) => ({
	accessBy: 'group',
	groups: rows(groups),
});

/** Columns of what users hold by themselves. */
const ON_USERS = ['roles', 'organizationRole'];

/** A whole list of people by email, since not every service keeps the user names that it is given. */
const person = (name, familyName) => ({
	...{ email: emailOf(name), externalId: `id-${name}`, displayName: name },
	...{ 'name.givenName': name, 'name.familyName': familyName },
});
const people = {
	...{ preview: false, matchUsersBy: 'email', usersFrom: 'json' },
	usersJson: JSON.stringify([
		person('ana', 'Souza'),
		person('bob', 'Silva'),
		person('eli', 'Silva'),
	]),
};

/** What a matrix says, held against the store: a cell that is not so fails the test. */
function matrixOf(result, { current, hasGroups }) {
	if (result.error || result.errorJson.length > 0) return outcomeOf(result);
	const { json } = result;
	expect(json.map(({ userId }) => userId).sort()).toEqual(current.users.map(({ id }) => id).sort());
	if (json.every(({ access }) => access === null)) return `unverified: ${json[0]?.warnings}`;
	for (const { userId, access } of json) {
		const held = current.groups.filter(({ members }) => hasGroups && members.includes(userId));
		const shown = Object.keys(access).filter(
			(name) => access[name] !== '' && !ON_USERS.includes(name),
		);
		expect(shown.sort()).toEqual(held.map(({ name }) => name).sort());
	}
	return 'read';
}

/** Where Offboard left the person, as its item says. */
function proofOf({ json, errorJson, error }) {
	const [item] = [...json, ...errorJson];
	if (item?.provenAt === undefined) return `error: ${error?.message ?? item?.error}`;
	if (item.accessRemaining === null) return 'unverified: what is left is not known';
	return item.accessRemaining.length === 0 ? 'nothing left' : 'something left';
}

/**
 * A joiner, a mover, what a matrix shows, a reconcile, a leaver, and the proof that the leaver is gone, against every
 * dialect; steps as in script.js. There are Ana, in the first group, and Bob, in the second.
 */
const DIALECT_STEPS = [
	{
		name: 'Joiner: Create',
		run: ({ scim }) =>
			scim('user', 'create', {
				userName: emailOf('dan'),
				...mapped({
					displayName: 'Dan Silva',
					'name.givenName': 'Dan',
					'name.familyName': 'Silva',
					externalId: 'id-dan',
					emails: [{ value: emailOf('dan'), primary: true, type: 'work' }],
				}),
			}),
		wanted: (shape) => change.arrive(shape, 'dan'),
	},
	{
		name: 'Joiner: Assign',
		run: ({ scim }) => scim('access', 'assign', { people: list('dan'), ...inGroups(FIRST) }),
		wanted: (shape) => change.join(shape, FIRST, 'dan'),
	},
	{
		name: 'Mover: Set',
		run: ({ scim }) =>
			scim('access', 'set', {
				people: list('dan'),
				...inGroups(SECOND),
				managedGroups: rows([FIRST, SECOND]),
			}),
		wanted: (shape) => {
			change.leave(shape, FIRST, 'dan');
			change.join(shape, SECOND, 'dan');
		},
	},
	{
		name: 'Get Matrix',
		run: ({ scim }) => scim('access', 'getMatrix', {}),
		outcomeOf: matrixOf,
	},
	{
		name: 'Reconcile',
		run: ({ scim }) =>
			scim('access', 'reconcile', {
				preview: false,
				accessBy: 'group',
				wantedFrom: 'json',
				wantedJson: JSON.stringify([
					{ email: emailOf('ana'), group: FIRST },
					{ email: emailOf('bob'), group: FIRST },
					{ email: emailOf('dan'), group: SECOND },
				]),
				scopeGroups: rows([FIRST, SECOND]),
				unwanted: 'revoke',
				options: { maxPeopleAffected: 1000, ...quick },
			}),
		wanted: (shape) => {
			change.set(shape, FIRST, ['ana', 'bob']);
			change.set(shape, SECOND, ['dan']);
		},
	},
	{
		name: 'User: Reconcile',
		run: ({ scim }) => scim('user', 'reconcile', people),
		wanted: (shape) => change.arrive(shape, 'eli'),
	},
	{
		name: 'User: Reconcile, again',
		run: ({ scim }) => scim('user', 'reconcile', people),
	},
	{
		name: 'Leaver: Offboard',
		run: ({ scim }) =>
			scim('access', 'offboard', {
				people: list('dan'),
				options: { allowPermanentRemoval: true, ...quick },
			}),
		wanted: (shape, { deactivationDeletes }) => {
			if (deactivationDeletes) return change.goes(shape, 'dan');
			shape.people.dan = 'inactive';
			change.leaveAll(shape, 'dan');
		},
	},
	{
		name: 'Leaver: proof',
		run: ({ last }) => last,
		outcomeOf: proofOf,
	},
];

/** What comes out of each is pinned by docs/servers.md. */
for (const step of DIALECT_STEPS) step.outcome = /./;

module.exports = { DIALECT_STEPS };
