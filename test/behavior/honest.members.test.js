'use strict';

// Members of groups of which nothing is wrong, but which look like something that is: as in honest.test.js.

const { email, emails, table } = require('../support/behavior');
const {
	PROVEN,
	WIDE,
	asks,
	each,
	leaves,
	members,
	on,
	range,
	reconciled,
	setting,
	takes,
} = require('../support/honest');

const membersAs = (entry) => (one) =>
	one.members ? { ...one, members: one.members.map(entry) } : one;
/** Each was asked for by ID, or all users were, where that takes fewer requests. */
const asked = (who, status = '') => asks(new RegExp(`^GET (${who}${status}|Users)$`));

describe('a group of exactly 100 members, which groups alone show', () => {
	const alone = { usersShowGroups: 'absent' };
	const unfiltered = { ...alone, membershipFilter: 'off' };
	const hundred = (more) => on({ ...each(range(100), 'vpn'), p101: '' }, more);
	const larger = (more) => on({ ...each(range(100), 'vpn all'), p101: 'all', p102: 'all' }, more);
	const ALL = range(100).join(' ');
	table('access', 'revoke', [
		{
			it: 'a member goes',
			on: hundred(alone),
			...{ wish: takes('p1', 'vpn'), items: ['revoked p1 vpn done'] },
			...{
				sends: ['PATCH vpn'],
				reads: ['GET vpn', 'GET Users by userName', 'GET vpn'],
				ends: { p1: '' },
			},
		},
		{
			it: 'of somebody else a filter tells',
			on: hundred(alone),
			...{ wish: takes('p101', 'vpn'), items: ['none p101 vpn unchanged'], sends: [] },
			reads: asks(/^GET (Groups by .*members|Users by groups)/),
		},
		{
			it: 'of somebody else without such filters nothing tells',
			...{ on: hundred(unfiltered), wish: takes('p101', 'vpn'), sends: [] },
			fails: [/Groups Show Members/],
		},
		{
			it: 'a longer group that is not read tells nothing, and is not read for it',
			...{ on: larger(unfiltered), wish: takes('p101', 'vpn'), sends: [] },
			...{ fails: [/Groups Show Members/], reads: expect.not.arrayContaining(['GET all']) },
		},
		{
			it: 'a longer group that is read, too, tells that 100 are all',
			...{ on: larger(unfiltered), wish: takes('p101', 'vpn all') },
			items: ['none p101 vpn unchanged', 'revoked p101 all done'],
			...{ sends: ['PATCH all'], reads: 4, ends: { p101: '' } },
		},
	]);
	table('access', 'revoke', [
		{
			it: 'a removal that leaves exactly 100 is seen: there were more',
			on: on(each(range(101), 'vpn'), unfiltered),
			...{ wish: takes('p1', 'vpn'), items: ['revoked p1 vpn done'], ends: { p1: '' } },
		},
	]);
	table('group', 'setMembers', [
		{
			it: 'there may be more than those on the list',
			...{ on: hundred(unfiltered), wish: members('vpn', ALL, WIDE), sends: [] },
			fails: asks(/Groups Show Members/),
		},
		{
			it: 'Groups Show Members: Yes: these are all',
			on: hundred({ ...unfiltered, ...setting({ groupsShowMembers: 'yes' }) }),
			...{ wish: members('vpn', ALL, WIDE), sends: [], reads: 3 },
			items: range(100).map((name) => `none ${name} vpn unchanged`),
		},
	]);
});

describe('a user who shows exactly 20 groups', () => {
	const groups = range(22).map((name) => `g-${name}`);
	const alone = { showsMembers: 'absent', membershipFilter: 'off', groups };
	const shows = (one) => (one.groups ? { ...one, groups: one.groups.slice(0, 20) } : one);
	table('access', 'revoke', [
		{
			it: 'may be in others',
			...{ on: on({ ana: groups.slice(0, 21).join(' '), bob: 'g-p1' }, { ...alone, shows }) },
			...{ wish: takes('ana', 'g-p21'), fails: [/Users Show Groups/], sends: [] },
		},
		{
			it: 'and another shows more: these are all',
			on: on({ ana: groups.slice(0, 20).join(' '), bob: groups.join(' ') }, alone),
			wish: (w) => ({ people: emails('ana bob'), ...w.groups('g-p21') }),
			items: ['none ana g-p21 unchanged', 'revoked bob g-p21 done'],
			ends: {
				bob: groups
					.filter((group) => group !== 'g-p21')
					.sort()
					.join(' '),
			},
		},
		{
			it: 'groups that show their members tell',
			on: on({ ana: groups.slice(0, 20).join(' '), bob: 'g-p21' }, { groups }),
			...{ wish: takes('ana', 'g-p21'), items: ['none ana g-p21 unchanged'], sends: [] },
		},
	]);
});

describe('few are in groups', () => {
	table('access', 'offboard', [
		{
			it: 'the last member of the only group with any',
			on: on({ ana: 'vpn', bob: '' }, { groups: ['wiki'] }),
			wish: leaves('ana'),
			items: PROVEN,
			...{ sends: ['PATCH ana', 'PATCH vpn'], reads: 5, ends: { ana: 'inactive' } },
		},
		{
			it: 'empty lists alone on both sides are no proof',
			on: on({ ana: '', bob: '' }, { groups: ['wiki'] }),
			...{ wish: leaves('ana'), items: [{ status: 'unverified', provenAt: null }] },
			...{ fails: [/show memberships/], sends: ['PATCH ana'], ends: { ana: 'inactive' } },
			reads: 12,
		},
	]);
});

describe('users and groups have the same numbers for IDs', () => {
	const numbered = on(
		{ ana: { id: '1', has: '1 2' }, bob: { id: '2', has: '1' } },
		{ shows: membersAs(({ value }) => ({ value })) },
	);
	const common = { on: numbered, sends: ['PATCH 1'] };
	table('access', 'revoke', [
		{
			...{ it: 'Revoke', ...common, wish: takes('ana', '1'), items: ['revoked ana 1 done'] },
			...{ reads: ['GET 1', 'GET Users by userName', 'GET 1'], ends: { ana: '2' } },
		},
	]);
	table('group', 'setMembers', [
		{
			it: 'who is to go is asked for',
			...{ ...common, wish: members('1', 'ana'), ends: { bob: '' } },
			...{ items: [{ status: 'unchanged' }, { change: 'revoked', status: 'done' }] },
			reads: asked('bob'),
		},
	]);
	table('access', 'reconcile', [
		{
			it: 'Reconcile',
			...{ ...common, wish: reconciled('1', ['ana']), ends: { bob: '' } },
			...{ items: ['revoked bob 1 done'], reads: 6 },
		},
	]);
});

describe('users show inherited groups like their own', () => {
	const inherits = on(
		{ ana: 'kid', bob: 'par' },
		{
			ghosts: { par: ['kid'] },
			shows: (one) =>
				one.groups?.some(({ value }) => value === 'kid')
					? { ...one, groups: [...one.groups, { value: 'par' }] }
					: one,
		},
	);
	table('access', 'revoke', [
		{
			it: 'what is still shown after a removal is not revoked',
			...{ on: inherits, wish: takes('ana', 'par'), fails: [/Could not confirm/] },
			sends: ['PATCH par'],
		},
	]);
	table('access', 'reconcile', [
		{
			it: 'nobody is taken out of a group who is not in it',
			...{ on: inherits, wish: reconciled('par', ['bob']) },
			...{ items: [{ status: 'unchanged' }], sends: [], reads: 4 },
		},
	]);
});

describe('a member who is nobody any more', () => {
	const ghosts = { eng: ['user-old'] };
	const named = membersAs((one) =>
		one.value === 'user-old' ? { ...one, display: email('ana') } : one,
	);
	table('group', 'setMembers', [
		{
			it: 'goes, like whoever is not on the list',
			on: on({ ana: 'eng', bob: 'eng' }, { ghosts }),
			wish: members('eng', 'ana bob'),
			items: [
				...['none ana eng unchanged', 'none bob eng unchanged'],
				{ status: 'done', change: 'revoked', userId: 'user-old' },
			],
			...{ sends: ['PATCH eng'], reads: asked('user-old', ' 404') },
		},
	]);
	const leave = {
		wish: leaves('ana'),
		sends: ['PATCH ana', 'PATCH eng'],
		ends: { ana: 'inactive' },
	};
	table('access', 'offboard', [
		{
			it: 'says nothing of others who leave',
			on: on({ ana: 'eng', bob: 'eng' }, { ghosts }),
			...{ ...leave, items: PROVEN, reads: 5 },
		},
		{
			it: 'and has the name of one who came again and leaves: a warning',
			on: on(
				{ ana: { id: 'user-new', has: 'eng' }, bob: 'eng' },
				{ ghosts, shows: named, usersShowGroups: 'absent' },
			),
			...{ ...leave, items: PROVEN, reads: asked('user-old', ' 404'), warns: [/user-old/] },
		},
	]);
	table('access', 'assign', [
		{
			it: 'and has the name of one who comes again: a user with another ID',
			on: on({ bob: 'eng' }, { ghosts, shows: named, ids: 'numbered' }),
			wish: (w) => ({ people: emails('ana'), ...w.groups('eng'), createMissing: true }),
			items: ['created ana done', 'granted ana eng done'],
			...{ sends: ['POST Users', 'PATCH eng'], reads: 4, ends: { ana: 'eng' } },
		},
	]);
});

describe.each([
	['of type Member, with the name of the user', membersAs((one) => ({ ...one, type: 'Member' }))],
	[
		'with a $ref that is the location of the user',
		(one) => {
			const at = (id) => `http://scim.test/accounts/${id}`;
			const shown = membersAs(({ value }) => ({ value, $ref: at(value) }))(one);
			return one.userName ? { ...shown, meta: { ...one.meta, location: at(one.id) } } : shown;
		},
	],
])('members %s', (_, shows) => {
	const world = on({ ana: 'eng', bob: 'eng' }, { usersShowGroups: 'absent', shows });
	table('access', 'revoke', [
		{
			...{ it: 'are taken out', on: world, wish: takes('ana', 'eng') },
			...{ items: ['revoked ana eng done'], ends: { ana: '' }, sends: ['PATCH eng'] },
			reads: ['GET eng', 'GET Users by userName', 'GET eng'],
		},
	]);
	table('group', 'setMembers', [
		{
			...{ it: 'are asked for before a list takes them', on: world, wish: members('eng', 'ana') },
			items: [{ status: 'unchanged' }, { change: 'revoked', status: 'done' }],
			...{ ends: { bob: '' }, sends: ['PATCH eng'], reads: asked('bob') },
		},
	]);
});

describe('a subgroup that no list has, only a read by its ID', () => {
	const groups = [{ id: 'kid', displayName: 'Kid', parent: 'eng' }];
	const hidden = (entry) =>
		on(
			{ ana: 'kid', bob: 'eng', cyd: 'eng' },
			{ groups, ghosts: { eng: ['kid'] }, listsTopLevelAlone: true, shows: membersAs(entry) },
		);
	const plain = ({ value }) => ({ value });
	const stays = {
		wish: members('eng', 'bob cyd'),
		items: ['none bob eng unchanged', 'none cyd eng unchanged'],
		sends: [],
	};
	table('group', 'setMembers', [
		{
			it: 'Set Members leaves it in, which says what it is',
			...{ on: hidden((one) => one), ...stays, reads: 3 },
		},
		{
			it: 'Set Members asks for it, which says nothing, and leaves it in',
			...{ on: hidden(plain), ...stays, reads: asked('kid', ' 404') },
		},
	]);
	table('access', 'offboard', [
		{
			it: 'Offboard takes out of it who shows it',
			...{ on: hidden((one) => one), wish: leaves('ana') },
			items: PROVEN,
			...{ sends: ['PATCH ana', 'PATCH kid'], reads: 5, ends: { ana: 'inactive' } },
		},
	]);
});

describe('a user shows a group that there is not any more', () => {
	const old = { value: 'dead', display: 'Old team' };
	const dead = (more, has = 'vpn') =>
		on(
			{ ana: has, bob: 'vpn' },
			{
				shows: (one) =>
					one.userName === email('ana') ? { ...one, groups: [...(one.groups ?? []), more] } : one,
			},
		);
	table('access', 'offboard', [
		{
			it: 'the others are left, with a warning: it may be hidden as well',
			...{ on: dead(old), wish: leaves('ana'), sends: ['PATCH ana', 'PATCH vpn'] },
			items: [
				{
					...{ status: 'done', provenAt: null },
					accessRemaining: [expect.objectContaining({ groupId: 'dead' })],
				},
			],
			...{ warns: [/dead/], ends: { ana: 'inactive' } },
		},
	]);
	table('access', 'revoke', [
		{
			it: 'the name of a group beside its ID',
			on: dead({ value: 'VPN' }),
			...{ wish: takes('ana', 'vpn'), items: ['revoked ana vpn done'], ends: { ana: '' } },
		},
		{
			it: 'the same of a group that does not show the person',
			on: dead({ value: 'VPN' }, ''),
			...{ wish: takes('ana', 'vpn'), fails: [/cannot be told \(VPN\)/], sends: [] },
		},
	]);
});
