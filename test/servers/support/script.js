'use strict';

const { byEmail, byId, mapped } = require('../../support/node');
const { oneRole } = require('../../support/accessRows');

/** Groups as all servers have them, whether they say an organization and a role or are just names. */
const [FIRST, SECOND] = ['org-a:member', 'org-b:member'];

const emailOf = (name) => `${name}@example.com`;
const list = (...names) => names.map(emailOf).join(', ');
/** One look at the service is enough here, and what never shows is not waited for. */
const quick = { verifyTime: 1 };
const assignment = (groupName) => {
	const [organization, role] = groupName.split(':');
	return oneRole(byId(organization), role);
};

/**
 * What of a server's store matters: who is there, active or not, and who is in which group, by name.
 * @param names names by user ID, kept from look to look, because a group may hold people who are gone
 */
function shapeOf({ users, groups }, names) {
	for (const { id, userName } of users) names.set(id, userName.split('@')[0]);
	const there = new Set(users.map(({ id }) => id));
	return {
		people: Object.fromEntries(
			users
				.map(({ id, active }) => [names.get(id), active === true ? 'active' : 'inactive'])
				.sort(),
		),
		groups: Object.fromEntries(
			groups
				.filter(({ name, members }) => [FIRST, SECOND].includes(name) || members.length > 0)
				.map(({ name, members }) => [
					name,
					members
						.filter((id) => there.has(id))
						.map((id) => names.get(id))
						.sort(),
				])
				.sort(),
		),
	};
}

/** Groups as rows of names or IDs. The account's groups have other names than the script gives them. */
const rows = (names) => ({ group: names.map((group) => ({ group })) });
const namesOf = ({ credential, groupId }, ...groups) =>
	credential.serviceProfile === 'generic' ? groups : groups.map(groupId);
const byGroup = (play, ...groups) => ({
	accessBy: 'group',
	groups: rows(namesOf(play, ...groups)),
});

/** A whole list of people. */
const people = (familyName) => ({
	...{ preview: false, usersFrom: 'json', options: { emptyCells: 'clear' } },
	usersJson: JSON.stringify([
		{ userName: emailOf('hal'), 'name.givenName': 'Hal', 'name.familyName': familyName },
		{ userName: emailOf('ivy'), displayName: 'Ivy' },
	]),
});

const emptied = ({ scim, group }) =>
	scim('group', 'setMembers', {
		...{ ...group(FIRST), people: '' },
		options: { allowEmptying: true, ...quick },
	});

/** Changes of a shape, for saying what a step asks for. */
const change = {
	arrive: (shape, ...names) => names.forEach((name) => (shape.people[name] = 'active')),
	set: (shape, group, names) => (shape.groups[group] = [...names].sort()),
	join: (shape, group, ...names) =>
		change.set(shape, group, new Set([...shape.groups[group], ...names])),
	leave: (shape, group, ...names) =>
		change.set(
			shape,
			group,
			shape.groups[group].filter((name) => !names.includes(name)),
		),
	rename: (shape, from, to) => {
		const groups = Object.keys(shape.groups).filter((group) => shape.groups[group].includes(from));
		change.goes(shape, from);
		change.arrive(shape, to);
		for (const group of groups) change.join(shape, group, to);
	},
	leaveAll: (shape, name) =>
		Object.keys(shape.groups).forEach((group) => change.leave(shape, group, name)),
	goes: (shape, name) => {
		delete shape.people[name];
		change.leaveAll(shape, name);
	},
};

/**
 * Joiner, mover, leaver, list and delete, in this order. Each step: `run` gives what the node did, `wanted` changes the
 * shape before into the one that was asked for, `outcome` is what has to come out where the server can do it (done),
 * `see` looks at what else has to be so. `play` knows the server: see servers.test.js.
 */
const STEPS = [
	{
		name: 'User: Create',
		run: ({ scim }) =>
			scim('user', 'create', {
				userName: '={{ $json.email }}',
				items: ['ana', 'bob', 'cyd', 'dan'].map((name) => ({ email: emailOf(name) })),
			}),
		wanted: (shape) => change.arrive(shape, 'ana', 'bob', 'cyd', 'dan'),
	},
	{
		name: 'User: Create, who is there',
		outcome: /^error: User ana@example.com exists already/,
		run: ({ scim }) => scim('user', 'create', { userName: emailOf('ana') }),
	},
	{
		name: 'User: Create, return who is there',
		outcome: /^unchanged$/,
		run: ({ scim }) =>
			scim('user', 'create', {
				userName: emailOf('ana'),
				options: { ifUserExists: 'return', ...quick },
			}),
		see: ({ json }, { idOf }) => expect(json[0].userId).toBe(idOf('ana')),
	},
	{
		name: 'User: Create or Update, as is',
		outcome: /^unchanged$/,
		run: ({ scim }) => scim('user', 'upsert', { userName: emailOf('ANA') }),
	},
	{
		name: 'User: Create or Update, other name',
		run: ({ scim }) =>
			scim('user', 'upsert', {
				userName: emailOf('ana'),
				...mapped({ displayName: 'Ana Silva' }),
			}),
		see: (result, { stored }) => expect(stored('ana').displayName).toBe('Ana Silva'),
	},
	{
		name: 'User: Create or Update, new',
		run: ({ scim }) => scim('user', 'upsert', { userName: emailOf('eve') }),
		wanted: (shape) => change.arrive(shape, 'eve'),
	},
	{
		name: 'User: Get by email',
		outcome: /^read$/,
		run: ({ scim }) => scim('user', 'get', { user: byEmail(emailOf('bob')) }),
		see: ({ json }, { idOf }) => expect(json[0].userId).toBe(idOf('bob')),
	},
	{
		name: 'User: Get by email in other case',
		outcome: /^read$/,
		run: ({ scim }) => scim('user', 'get', { user: byEmail(emailOf('BOB')) }),
		see: ({ json }, { idOf }) => expect(json[0].userId).toBe(idOf('bob')),
	},
	{
		name: 'User: Get Many',
		outcome: /^read$/,
		run: ({ scim }) => scim('user', 'getAll', { returnAll: true }),
		see: ({ json }, { storedIds }) =>
			expect(json.map(({ userId }) => userId).sort()).toEqual(storedIds()),
	},
	{
		name: 'Group: Create',
		run: ({ scim }) =>
			scim('group', 'create', {
				displayName: '={{ $json.name }}',
				items: [{ name: FIRST }, { name: SECOND }],
			}),
		wanted: (shape) => {
			change.set(shape, FIRST, []);
			change.set(shape, SECOND, []);
		},
	},
	{
		name: 'Group: Get Many',
		outcome: /^read$/,
		run: ({ scim }) => scim('group', 'getAll', { returnAll: true }),
		see: ({ json }, { groupId }) =>
			// Some answer with a longer form of the ID than the one they take.
			expect(
				[FIRST, SECOND].filter((group) => !json.some(({ id }) => id.endsWith(groupId(group)))),
			).toStrictEqual([]),
	},
	{
		name: 'Access: Assign',
		run: ({ scim }) =>
			scim('access', 'assign', {
				...{ people: list('dan'), createMissing: false },
				...assignment(SECOND),
			}),
		wanted: (shape) => change.join(shape, SECOND, 'dan'),
	},
	{
		name: 'Group: Add Members',
		run: ({ scim, group }) =>
			scim('group', 'addMembers', { ...group(FIRST), people: list('ana', 'bob', 'cyd', 'eve') }),
		wanted: (shape) => change.join(shape, FIRST, 'ana', 'bob', 'cyd', 'eve'),
	},
	{
		name: 'Group: Add Members, who is in it',
		outcome: /^unchanged$/,
		run: ({ scim, group }) =>
			scim('group', 'addMembers', { ...group(FIRST), people: list('ana', 'bob') }),
	},
	{
		name: 'Access: Set (move)',
		run: ({ scim }) => scim('access', 'set', { people: list('ana'), ...assignment(SECOND) }),
		wanted: (shape) => {
			change.leave(shape, FIRST, 'ana');
			change.join(shape, SECOND, 'ana');
		},
	},
	{
		name: 'Group: Add Members (move)',
		outcome: /^(done|unchanged)$/,
		run: ({ scim, group }) =>
			scim('group', 'addMembers', { ...group(SECOND), people: list('ana') }),
		wanted: (shape) => change.join(shape, SECOND, 'ana'),
	},
	{
		name: 'Group: Remove Members (move)',
		outcome: /^(done|unchanged)$/,
		run: ({ scim, group }) =>
			scim('group', 'removeMembers', { ...group(FIRST), people: list('ana') }),
		wanted: (shape) => change.leave(shape, FIRST, 'ana'),
	},
	{
		name: 'Group: Remove Members, two of three',
		run: ({ scim, group }) =>
			scim('group', 'removeMembers', { ...group(FIRST), people: list('bob', 'cyd') }),
		wanted: (shape) => change.leave(shape, FIRST, 'bob', 'cyd'),
		see: (result, { heard, idOf, credential }) => {
			const sent = heard.filter(({ method }) => method === 'PATCH');
			const ids = ['bob', 'cyd'].map(idOf);
			expect(sent).toHaveLength(1);
			expect(sent[0].body.Operations).toEqual(
				credential.serviceProfile === 'generic'
					? ids.map((id) => ({ op: 'remove', path: `members[value eq "${id}"]` }))
					: [{ op: 'remove', path: 'members', value: ids.map((value) => ({ value })) }],
			);
		},
	},
	{
		name: 'Group: Set Members',
		run: ({ scim, group }) =>
			scim('group', 'setMembers', { ...group(FIRST), people: list('ana', 'bob') }),
		wanted: (shape) => change.set(shape, FIRST, ['ana', 'bob']),
	},
	{
		name: 'Group: Set Members, nobody',
		outcome: /^error: The list of people is empty/,
		run: ({ scim, group }) => scim('group', 'setMembers', { ...group(FIRST), people: '' }),
	},
	{
		name: 'User: Deactivate',
		run: ({ scim }) => scim('user', 'deactivate', { user: byEmail(emailOf('dan')) }),
		wanted: (shape, { dropsMemberships }) => {
			shape.people.dan = 'inactive';
			if (dropsMemberships) change.leaveAll(shape, 'dan');
		},
	},
	{
		name: 'User: Activate',
		run: ({ scim }) => scim('user', 'activate', { user: byEmail(emailOf('dan')) }),
		wanted: (shape) => change.arrive(shape, 'dan'),
	},
	{
		name: 'Access: Offboard',
		run: ({ scim }) => scim('access', 'offboard', { people: list('bob') }),
		wanted: (shape) => {
			shape.people.bob = 'inactive';
			change.leaveAll(shape, 'bob');
		},
	},
	{
		name: 'Access: Offboard, deleted',
		run: ({ scim }) => scim('access', 'offboard', { people: list('cyd'), method: 'delete' }),
		wanted: (shape) => change.goes(shape, 'cyd'),
	},
	{
		name: 'Group: Set Members, emptied',
		run: emptied,
		wanted: (shape) => change.set(shape, FIRST, []),
	},
	{
		name: 'Group: Set Members, whole list',
		run: ({ scim, group }) =>
			scim('group', 'setMembers', {
				...group(FIRST),
				people: list('ana', 'eve'),
				options: { replaceWith: 'wholeList', ...quick },
			}),
		wanted: (shape) => change.set(shape, FIRST, ['ana', 'eve']),
	},
	{
		name: 'Group: Set Members, emptied after that',
		run: emptied,
		wanted: (shape) => change.set(shape, FIRST, []),
	},
	{
		name: 'User: Create, for groups',
		run: ({ scim }) =>
			scim('user', 'create', {
				userName: '={{ $json.email }}',
				items: ['fay', 'gus', 'hal'].map((name) => ({ email: emailOf(name) })),
			}),
		wanted: (shape) => change.arrive(shape, 'fay', 'gus', 'hal'),
	},
	{
		name: 'Access: Assign, by group',
		run: (play) =>
			play.scim('access', 'assign', {
				...{ people: list('fay', 'gus'), createMissing: false },
				...byGroup(play, FIRST, SECOND),
			}),
		wanted: (shape) => {
			change.join(shape, FIRST, 'fay', 'gus');
			change.join(shape, SECOND, 'fay', 'gus');
		},
	},
	{
		name: 'Access: Assign, by group, who is in it',
		outcome: /^unchanged$/,
		run: (play) => play.scim('access', 'assign', { people: list('gus'), ...byGroup(play, FIRST) }),
	},
	{
		name: 'Access: Get, by group',
		outcome: /^read$/,
		run: ({ scim }) => scim('access', 'get', { user: byEmail(emailOf('fay')) }),
		see: ({ json }, { groupId, showsMembers = true }) => {
			// Where nobody shows who is in which group, that is said.
			if (!showsMembers) expect(json[0]).toMatchObject({ assignments: null });
			else expect(heldIn(json[0])).toEqual([FIRST, SECOND].map(groupId).sort());
		},
	},
	{
		name: 'Access: Get Matrix, by group',
		outcome: /^read$/,
		run: ({ scim }) => scim('access', 'getMatrix', {}),
		see: ({ json }, { showsMembers = true }) => {
			const row = json.find(({ userName }) => userName === emailOf('fay'));
			const held = Object.values(row?.access ?? {}).filter((value) => value !== '');
			if (showsMembers) expect(held).toEqual(['member', 'member']);
			else expect(held).toStrictEqual([]);
		},
	},
	{
		name: 'Access: Set, by group',
		outcome: /^(unchanged, )?done$/,
		run: (play) =>
			play.scim('access', 'set', {
				people: list('fay'),
				...byGroup(play, SECOND),
				managedGroups: rows(namesOf(play, FIRST, SECOND)),
			}),
		wanted: (shape) => change.leave(shape, FIRST, 'fay'),
	},
	{
		name: 'Access: Revoke, by group',
		run: (play) =>
			play.scim('access', 'revoke', {
				people: list('gus'),
				revokeIn: 'one',
				...byGroup(play, FIRST),
			}),
		wanted: (shape) => change.leave(shape, FIRST, 'gus'),
	},
	{
		name: 'Access: Change Email',
		run: ({ scim }) =>
			scim('access', 'changeEmail', {
				user: byEmail(emailOf('fay')),
				newEmail: emailOf('fae'),
			}),
		wanted: (shape, { credential, keepsFirstEmail }) => {
			// What the user shows is the new email; it is all that a client can see.
			if (keepsFirstEmail) return;
			change.rename(shape, 'fay', 'fae');
			// The account cannot change user names, so a new account takes over.
			if (credential.serviceProfile !== 'generic') shape.people.fay = 'inactive';
		},
	},
	{
		name: 'Access: Reconcile, by group',
		run: (play) => {
			const [first, second] = namesOf(play, FIRST, SECOND);
			return play.scim('access', 'reconcile', {
				preview: false,
				accessBy: 'group',
				wantedFrom: 'json',
				wantedJson: JSON.stringify([
					{ email: emailOf('hal'), group: first },
					{ email: emailOf('gus'), group: second },
				]),
				scopeGroups: rows([first, second]),
				unwanted: 'revoke',
				options: { maxPeopleAffected: 1000, ...quick },
			});
		},
		wanted: (shape) => {
			change.set(shape, FIRST, ['hal']);
			change.set(shape, SECOND, ['gus']);
		},
	},
	{
		name: 'User: Reconcile',
		run: ({ scim }) => scim('user', 'reconcile', people('Silva')),
		wanted: (shape) => change.arrive(shape, 'ivy'),
	},
	{
		name: 'User: Reconcile, again',
		outcome: /^unchanged$/,
		run: ({ scim }) => scim('user', 'reconcile', people('Silva')),
	},
	{
		name: 'User: Reconcile, a name cleared',
		run: ({ scim }) => scim('user', 'reconcile', people(null)),
	},
	{
		name: 'Access: Offboard, from groups',
		run: ({ scim }) => scim('access', 'offboard', { people: list('hal') }),
		wanted: (shape) => {
			shape.people.hal = 'inactive';
			change.leaveAll(shape, 'hal');
		},
		see: ({ json }, { groupId }) => {
			expect(json[0]).toMatchObject({ active: false, accessRemaining: [] });
			expect(json[0].accessRemoved.map((entry) => bareId(entry.groupId))).toEqual([groupId(FIRST)]);
		},
	},
	{
		name: 'User: Delete',
		run: ({ scim }) => scim('user', 'delete', { user: byEmail(emailOf('dan')) }),
		wanted: (shape) => change.goes(shape, 'dan'),
	},
	{
		name: 'User: Delete, who is gone',
		outcome: /^unchanged$/,
		run: ({ scim, idOf }) =>
			scim('user', 'delete', { user: byId(idOf('dan')), options: { ifNotFound: 'alreadyGone' } }),
	},
	{
		name: 'User: Get by email, who is gone',
		outcome: /^error: No user has the user name dan@example.com/,
		run: ({ scim }) => scim('user', 'get', { user: byEmail(emailOf('dan')) }),
	},
	{
		name: 'Group: Delete',
		run: ({ scim, group }) => scim('group', 'delete', { ...group(SECOND) }),
		wanted: (shape) => delete shape.groups[SECOND],
	},
];

/** The account shows the IDs of its groups in a longer form. */
const bareId = (groupId) => groupId.replace(/^whylabs-/, '');
const heldIn = ({ assignments }) => assignments.map(({ groupId }) => bareId(groupId)).sort();

/** What came out, as few words as tell it: the distinct outcomes, and what errors say. */
function outcomeOf({ json, errorJson, error }) {
	const outcomes = json.map(({ status = 'read' }) => status);
	const failures = [
		...errorJson.map((item) => ({ ...item, text: String(item.error?.message ?? item.error) })),
		...(error ? [{ text: error.message }] : []),
	].map(({ status, text }) =>
		status === 'unverified' || /could not (verify|confirm)/i.test(text)
			? `unverified: ${text}`
			: `error: ${text}`,
	);
	return [...new Set([...outcomes, ...failures])].join(', ') || 'nothing';
}

const claims = (outcome) =>
	/^(done|unchanged|skipped|read)(, (done|unchanged|skipped))*$/.test(outcome);

/** Whether two shapes hold the same, whatever the order of their keys. */
function same(a, b) {
	const text = ({ people, groups }) =>
		JSON.stringify([people, groups].map((part) => Object.entries(part).sort()));
	return text(a) === text(b);
}

/**
 * What a server's store has that the outcome does not bear out: anything but what was asked for when it claims success,
 * and anything that nobody asked for in any case. Empty when they agree.
 */
function disagreement(outcome, before, wanted, after) {
	if (claims(outcome)) {
		return same(after, wanted) ? '' : `"${outcome}", but the store is another`;
	}
	const found = [];
	const names = (shapes, part) => new Set(shapes.flatMap((shape) => Object.keys(shape[part])));
	for (const name of names([before, wanted, after], 'people')) {
		const now = after.people[name];
		if (now !== before.people[name] && now !== wanted.people[name]) found.push(`${name} is ${now}`);
	}
	for (const group of names([before, wanted, after], 'groups')) {
		const isIn = (shape, name) => shape.groups[group]?.includes(name) === true;
		for (const name of names([before, wanted, after], 'people')) {
			const now = isIn(after, name);
			if (now !== isIn(before, name) && now !== isIn(wanted, name)) {
				found.push(`${name} ${now ? 'came into' : 'went out of'} ${group}`);
			}
		}
	}
	return found.join(', ');
}

module.exports = {
	FIRST,
	SECOND,
	STEPS,
	change,
	emailOf,
	list,
	rows,
	claims,
	disagreement,
	outcomeOf,
	quick,
	shapeOf,
};
