import {
	countPeople,
	doubleRoles,
	membershipsOf,
	peopleIn,
	placeOfOrganization,
	reachedBy,
	readAccess,
	stuckIn,
	type Access,
	type ReadOfAccess,
} from '../../../nodes/shared/access/facts/access';
import { groupMeaning } from '../../../nodes/shared/scim/protocol/groupMeaning';
import { PROFILES } from '../../../nodes/shared/scim/protocol/service';
import { readGroup, readUser, type Group } from '../../../nodes/shared/scim/protocol/resource';
import type { Traits } from '../../../nodes/shared/scim/protocol/traits';
import { FRESH } from '../../support/fakeTransport';

const ids = PROFILES.accountOrganizations.groups();

const GENERIC = PROFILES.generic;
const named = groupMeaning({
	...{ text: '{organization}-{role}', on: 'displayName', roles: ['admin'] },
});
const groupOf = (id: string, members?: readonly string[], more: Partial<Group> = {}) => ({
	...(readGroup({ id, ...(members && { members }) }) as Group),
	...more,
});
const userIn = (id: string, groups?: readonly string[], more = {}) =>
	readUser({ id, userName: id, groups, ...more })!;
const read = (more: Partial<ReadOfAccess>, traits: Partial<Traits> = {}, meaning = ids) =>
	readAccess({ groups: [], isWhole: true, readAt: FRESH, ...more }, meaning, {
		...GENERIC,
		...traits,
	});

describe('what is known of a and group g', () => {
	const known = (access: Access) =>
		[
			access.shown.told === 'all' ? 'members' : '',
			access.saidByUsers === true ? 'by users' : '',
			access.isPartial ? 'partly' : '',
			access.membership('a', 'g').told === 'nothing' ? '' : 'a in g',
			access.everyGroup('a').told === 'all' ? 'all of a' : '',
			access.everyMember('g').told === 'all' ? 'g' : '',
		]
			.filter((word) => word !== '')
			.join(', ');
	const ALL = 'members, a in g, all of a, g';
	const BY_USERS = 'members, by users, a in g, all of a';
	const [empty, full, other] = [groupOf('g'), groupOf('g', ['a']), groupOf('h', ['b'])];
	const filtered = groupOf('g', [], { byFilter: true });
	const askedOf = (id: string) => groupOf('g', [id], { of: new Set([id]) });
	const [inG, nowhere] = [[userIn('a', ['g'])], [userIn('a', [])]];
	const [part, works] = [
		{ isWhole: false },
		{
			showing: {
				profile: GENERIC,
				longest: 0,
				longestOfUsers: 0,
				groupsShow: false,
				filterFinds: () => true,
			},
		},
	];
	const [hidden, shown] = [{ groupsShowMembers: 'no' }, { groupsShowMembers: 'yes' }] as const;
	const say = { usersShowGroups: 'yes' } as const;

	it.each<[string, Group[], string, Partial<ReadOfAccess>?, Partial<Traits>?]>([
		['an empty group: nothing', [empty], ''],
		['an empty one where all show them', [empty], ALL, {}, shown],
		['one with members', [full], ALL],
		['one of some groups', [full], 'members, a in g, g', part],
		['an empty one beside another', [empty, other], ALL],
		['the same where groups show nobody', [empty, other], '', {}, hidden],
		['one with members there', [full], ALL, {}, hidden],
		['the same of some groups', [full], 'members, a in g, g', part, hidden],
		['no groups', [], ''],
		['no groups where there are none', [], 'members, all of a', {}, { hasGroups: false }],
		['no groups of some', [], '', part],
		['a filter that found nobody', [filtered], ''],
		['a filter that works', [filtered], ALL, works],
		['an empty group beside such a filter', [empty], '', works],
		['a group asked about a', [askedOf('a')], 'members, partly, a in g, all of a'],
		['a group asked about b', [askedOf('b')], 'members, partly'],
		['a user in g', [empty], BY_USERS, { users: inG }],
		[
			'the same of some groups',
			[empty],
			'members, by users, a in g, all of a',
			{ users: inG, ...part },
		],
		['the same beside members', [other, empty], 'members, a in g, all of a', { users: inG }],
		['the same beside a filter', [filtered], 'members, a in g, all of a', { users: inG }],
		['two, one by filter', [filtered, groupOf('h')], 'members, a in g, all of a', { users: inG }],
		['a user in no group', [empty], '', { users: nowhere }],
		['one who shows none', [empty], '', { users: [userIn('a')] }],
		['one beside b', [empty], BY_USERS, { users: [...nowhere, userIn('b', ['g'])] }],
		['one where users say so', [empty], BY_USERS, { users: nowhere }, say],
		['b alone', [empty], 'members, by users', { users: [userIn('b', ['g'])] }],
	])('from %s', (_, groups, words, more = {}, traits = {}) => {
		expect(known(read({ groups, ...more }, traits))).toBe(words);
	});
});

it('names are not believed where anybody may have chosen them', () => {
	const groups = [readGroup({ id: 'g', members: [{ value: 'a', display: 'Ana' }] }) as Group];
	const shown = { groups, isWhole: true, readAt: FRESH };
	const namesFor = (knowsPeopleByLogin: boolean) => [
		...readAccess(shown, ids, { ...GENERIC, knowsPeopleByLogin }).names,
	];
	expect([true, false].map(namesFor)).toEqual([[['a', 'Ana']], []]);
});

describe('who is where', () => {
	const users = [userIn('a', ['g', 'x'], { roles: ['buyer'] }), userIn('b', ['x']), userIn('c')];
	const groups = [groupOf('g', ['d', 'a']), groupOf('x'), groupOf('y')];
	const whole = () => read({ groups, users });

	it('groups and users together tell, each person once', () => {
		const access = whole();
		expect(['g', 'x', 'y', 'z'].map((key) => peopleIn(access, key))).toEqual([
			['d', 'a'],
			['a', 'b'],
			[],
			[],
		]);
		expect(membershipsOf(access, 'c')).toStrictEqual([]);
		expect(countPeople(access, (id) => id !== 'x')).toBe(2);
		expect(countPeople(access, () => true)).toBe(3);
		expect(countPeople(access, () => false)).toBe(0);
	});

	it('values of users are access, too', () => {
		const { values } = whole();
		expect(values.get('a')).toMatchObject([{ attribute: 'roles', value: 'buyer' }]);
		expect(values.get('b')).toStrictEqual([]);
		expect([read({}).values.size, read({ groups }).parents.size]).toEqual([0, 0]);
	});

	it('a group that was not read is known by its role, where the ID says one', () => {
		const groupId = 'whylabs-org-9:viewer';
		const access = read({ users: [userIn('a', [groupId, 'org-9:admin'])] });
		const role = { organization: 'org-9', role: 'viewer' };
		expect(membershipsOf(access, 'a')[1]).toMatchObject({ groupId, displayName: groupId, ...role });
		expect(doubleRoles(access).get('a')).toStrictEqual(new Set(['org-9']));
	});
});

describe('groups whose names say the role', () => {
	const as = (id: string, displayName: string) => groupOf(id, ['a'], { displayName });

	it('have one spelling of their organization, that of the first', () => {
		const groups = [as('1', 'Sales-Admin'), as('2', 'SALES-member'), as('3', 'Sale-admin')];
		const { placeOf, groupAt } = read({ groups }, {}, named);
		expect(['1', '2', '3'].map((id) => placeOf(id)?.organization)).toEqual([
			...['Sales', 'Sales', 'Sale'],
		]);
		expect(groupAt({ organization: 'sales', role: 'MEMBER' })).toBe('2');
	});

	it('that stand for nothing have no organization to spell', () => {
		expect(placeOfOrganization('Sales', groupMeaning())).toBe('Sales');
	});
});

it('groups are plain where their names can be read in two ways, which is said, of 20 at the most', () => {
	const as = (displayName: string) => groupOf(displayName, ['a'], { displayName });
	const unclear = Array.from({ length: 21 }, (_, at) => as(`a-b-${at}`));
	const { warnings, placeOf } = read({ groups: [as('a-admin'), ...unclear] }, {}, named);
	expect(placeOf('a-b-0')).toBeUndefined();
	expect(warnings).toHaveLength(20);
	expect(warnings[0]).toContain('Group "a-b-0" can be read as b-0 in a or 0 in a-b, so it');
	expect(read({ groups: ['a-admin', 'plain'].map(as) }, {}, named).warnings).toEqual([]);
});

describe('groups in groups', () => {
	it.each([
		[[['s', 'direct']], [], ['s ']],
		[
			[
				['s', 'direct'],
				['g', 'indirect'],
			],
			[],
			['g s', 's '],
		],
		[[['g', 'indirect']], ['g'], ['g another group']],
	])('as a user says: %j', (groups, stuck, expected) => {
		const said = groups.map(([value, type]) => ({ value, type }));
		const users = [readUser({ id: 'a', userName: 'a', groups: said })!];
		const access = read({ users }, {}, groupMeaning());
		const words = reachedBy(access, 'a').map(({ groupId, via }) => `${groupId} ${via ?? ''}`);
		expect(words).toEqual(expected);
		expect(stuckIn(access, 'a').map(({ groupId }) => groupId)).toEqual(stuck);
		expect(membershipsOf(access, 'a').some(({ groupId }) => groupId === 'g')).toBe(false);
	});
});
