'use strict';

const { FIRST, SECOND, change, emailOf, list, outcomeOf, quick, rows } = require('./script');
const { matchOn } = require('../../support/columns');
const { byEmail, mapped } = require('../../support/node');

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
	...{ preview: false, ...matchOn('email'), usersFrom: 'json' },
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
	const { warnings = [] } = json[0];
	if (/lists no users/.test(warnings.join())) return `unverified: ${warnings}`;
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

/** What Access: Get says, held against the store. */
function heldOf(result, { current, stored, hasGroups }) {
	if (result.error || result.errorJson.length > 0) return outcomeOf(result);
	const [{ assignments, warnings }] = result.json;
	if (assignments === null) return `unverified: ${warnings}`;
	const { id } = stored('dan');
	const held = current.groups.filter(({ members }) => hasGroups && members.includes(id));
	expect(assignments.map(({ groupId }) => groupId).sort()).toEqual(
		held.map((one) => one.id).sort(),
	);
	return 'read';
}

/** What checks tell before, while and after another writer puts Ana in the second group. */
async function watch({ poll, otherWriter, idOf, groupId, hasGroups }) {
	const eventsOf = async () => ((await poll()) ?? []).map(({ event }) => event).join();
	const none = { json: [], errorJson: [] };
	try {
		if ((await eventsOf()) !== '') return { ...none, told: 'error: events before a change' };
		if (!hasGroups) return { ...none, told: 'nothing' };
		await otherWriter.add(groupId(SECOND), idOf('ana'));
		let granted;
		try {
			granted = await eventsOf();
		} finally {
			await otherWriter.take(groupId(SECOND), idOf('ana'));
		}
		const told = `${granted || 'nothing'}, ${(await eventsOf()) || 'nothing'}`;
		return { ...none, told: told === 'accessGranted, accessRevoked' ? 'told' : `error: ${told}` };
	} catch (error) {
		return { ...none, error };
	}
}

/** Where Offboard left the person, as its item says. */
function proofOf({ json, errorJson, error }) {
	const [item] = [...json, ...errorJson];
	if (item?.provenAt === undefined) return `error: ${error?.message ?? item?.error}`;
	if (item.accessRemaining === null) return 'unverified: what is left is not known';
	return item.accessRemaining.length === 0 ? 'nothing left' : 'something left';
}

const assign = ({ scim }) => scim('access', 'assign', { people: list('dan'), ...inGroups(FIRST) });

const move = ({ scim }) =>
	scim('access', 'set', {
		people: list('dan'),
		...inGroups(SECOND),
		managedGroups: rows([FIRST, SECOND]),
	});

const reconcile = ({ scim }) =>
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
	});

const reconcileUsers = ({ scim }) => scim('user', 'reconcile', people);

/**
 * A whole life against every dialect: joiners, known and new, a mover, what is shown, an email that changes, lists, a
 * leaver, and the proof that the leaver is gone; steps as in script.js. There are Ana, in the first group, and Bob, in the
 * second. What is `asked again` has to send nothing where it says that nothing was to do.
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
		run: assign,
		wanted: (shape) => change.join(shape, FIRST, 'dan'),
	},
	{ name: 'Joiner: Assign, again', isAgain: true, run: assign },
	{
		name: 'Joiner: Assign, who is new',
		run: ({ scim }) =>
			scim('access', 'assign', {
				...{ people: list('fay'), createMissing: true, ...inGroups(FIRST) },
				newUserFields: {
					...{ displayName: 'fay', givenName: 'fay', familyName: 'Silva', externalId: 'id-fay' },
					emails: { email: [{ value: emailOf('fay'), primary: true, type: 'work' }] },
				},
			}),
		wanted: (shape) => {
			change.arrive(shape, 'fay');
			change.join(shape, FIRST, 'fay');
		},
	},
	{
		name: 'Mover: Set',
		run: move,
		wanted: (shape) => {
			change.leave(shape, FIRST, 'dan');
			change.join(shape, SECOND, 'dan');
		},
	},
	{ name: 'Mover: Set, again', isAgain: true, run: move },
	{
		name: 'Get',
		run: ({ scim }) => scim('access', 'get', { user: byEmail(emailOf('dan')) }),
		outcomeOf: heldOf,
	},
	{
		name: 'Get Matrix',
		run: ({ scim }) => scim('access', 'getMatrix', {}),
		outcomeOf: matrixOf,
	},
	{
		name: 'Revoke',
		run: ({ scim }) =>
			scim('access', 'revoke', { people: list('fay'), revokeIn: 'one', ...inGroups(FIRST) }),
		wanted: (shape) => change.leave(shape, FIRST, 'fay'),
	},
	{
		name: 'Reconcile',
		run: reconcile,
		wanted: (shape) => {
			change.set(shape, FIRST, ['ana', 'bob']);
			change.set(shape, SECOND, ['dan']);
		},
	},
	{ name: 'Reconcile, again', isAgain: true, run: reconcile },
	{
		name: 'User: Reconcile',
		run: reconcileUsers,
		wanted: (shape) => change.arrive(shape, 'eli'),
	},
	{ name: 'User: Reconcile, again', isAgain: true, run: reconcileUsers },
	{
		name: 'Trigger',
		run: watch,
		outcomeOf: (result) => result.told ?? outcomeOf(result),
	},
	{
		name: 'Change Email',
		run: ({ scim }) =>
			scim('access', 'changeEmail', {
				user: byEmail(emailOf('eli')),
				newEmail: emailOf('ela'),
			}),
		wanted: (shape) => change.rename(shape, 'eli', 'ela'),
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

/** What comes out of each is pinned by test/servers/results.md. */
for (const step of DIALECT_STEPS) step.outcome = /./;

module.exports = { DIALECT_STEPS };
