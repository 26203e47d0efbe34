import {
	assignmentsOf,
	countPeople,
	doubleRoles,
	knowsPeopleIn,
	membershipsOf,
	peopleIn,
	placeOfOrganization,
	reachedBy,
	readAccess,
	stuckIn,
	type Access,
	type ReadOfAccess,
} from '../../../nodes/shared/access/access';
import { groupMeaning } from '../../../nodes/shared/scim/protocol/groupMeaning';
import { PROFILES } from '../../../nodes/shared/scim/protocol/presets';
import { readGroup, readUser, type Group } from '../../../nodes/shared/scim/protocol/resource';
import type { Traits } from '../../../nodes/shared/scim/protocol/traits';
import { FRESH } from '../../support/fakeTransport';

const ids = PROFILES.accountOrganizations.groups();

const accessOf = (bodies: object[], profile = PROFILES.accountOrganizations) =>
	readAccess(
		{ groups: bodies.flatMap((body) => readGroup(body) ?? []), isWhole: true, readAt: FRESH },
		ids,
		profile,
	);

const BODIES = [
	{
		id: 'whylabs-org-2:viewer',
		members: [{ value: 'user-1', display: 'Ana@Example.com' }],
	},
	{
		id: 'whylabs-org-1:ADMIN',
		members: [{ value: 'user-1' }, { value: 'user-2', display: 'ana@example.com' }],
	},
	{ id: 'whylabs-org-1:member' },
	{ id: 'free-group', members: [{ value: 'user-1' }] },
];

describe('readAccess', () => {
	it('finds a group in whichever way its id is written', () => {
		const { groups } = accessOf(BODIES);
		expect(groups.size).toBe(4);
		expect(groups.get(ids.key('org-1:admin'))?.id).toBe('whylabs-org-1:ADMIN');
	});

	it('says who is in what; people in no group are not there', () => {
		const { held } = accessOf(BODIES);
		expect(held.get('user-2')).toEqual(new Set([ids.key('org-1:admin')]));
		expect(held.get('user-1')?.size).toBe(3);
		expect(held.has('user-3')).toBe(false);
	});

	it('knows people by name, in any case, several where names differ in case alone', () => {
		const { names, idsByName } = accessOf(BODIES);
		expect(names.get('user-1')).toBe('Ana@Example.com');
		expect(idsByName.get('ana@example.com')).toEqual(['user-1', 'user-2']);
	});

	it('does not believe names where anybody may have chosen them', () => {
		const { names, idsByName, held } = accessOf(BODIES, PROFILES.generic);
		expect(names.size).toBe(0);
		expect(idsByName.size).toBe(0);
		expect(held.size).toBe(2);
	});
});

describe('assignmentsOf', () => {
	it('in the order of the organizations, with the id that the service uses; groups without organization left out', () => {
		expect(assignmentsOf(accessOf(BODIES), 'user-1')).toEqual([
			{
				displayName: 'whylabs-org-1:ADMIN',
				organization: 'org-1',
				role: 'admin',
				groupId: 'whylabs-org-1:ADMIN',
				key: ids.key('org-1:admin'),
			},
			{
				displayName: 'whylabs-org-2:viewer',
				organization: 'org-2',
				role: 'viewer',
				groupId: 'whylabs-org-2:viewer',
				key: ids.key('org-2:viewer'),
			},
		]);
	});

	it('of somebody in no group: none', () => {
		expect(assignmentsOf(accessOf(BODIES), 'user-9')).toStrictEqual([]);
	});

	it('none where ids of groups say nothing', () => {
		const plain = groupMeaning();
		const read = { groups: [readGroup(BODIES[0])!], isWhole: true, readAt: FRESH };
		expect(assignmentsOf(readAccess(read, plain, PROFILES.generic), 'user-1')).toStrictEqual([]);
	});
});

describe('doubleRoles', () => {
	it('names the organizations in which somebody is shown twice', () => {
		const access = accessOf([...BODIES, { id: 'org-1:viewer', members: [{ value: 'user-1' }] }]);
		expect(doubleRoles(access)).toStrictEqual(new Map([['user-1', new Set(['org-1'])]]));
	});

	it('each of several organizations, of each of several people', () => {
		const members = ['a', 'b', 'c'].map((value) => ({ value }));
		const groups = ['org-1:admin', 'org-2:admin', 'org-1:viewer', 'org-2:viewer'];
		const access = accessOf([
			...groups.map((id) => ({ id, members: members.slice(0, 2) })),
			...['org-1:member', 'org-3:member'].map((id) => ({ id, members: members.slice(2) })),
		]);
		const both = new Set(['org-1', 'org-2']);
		expect(doubleRoles(access)).toStrictEqual(new Map(['a', 'b'].map((id) => [id, both])));
	});

	it('groups of no organization are no roles', () => {
		const members = [{ value: 'a' }];
		const access = accessOf(['one', 'two', 'org-1:admin'].map((id) => ({ id, members })));
		expect(doubleRoles(access)).toStrictEqual(new Map());
	});

	it('one group written in two ways is one role', () => {
		const access = accessOf([
			{ id: 'org-1:admin', members: [{ value: 'a' }] },
			{ id: 'whylabs-org-1:ADMIN', members: [{ value: 'a' }] },
		]);
		expect(doubleRoles(access)).toStrictEqual(new Map());
	});
});

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
			access.showsMembers ? 'members' : '',
			access.saidByUsers === true ? 'by users' : '',
			access.isPartial ? 'partly' : '',
			access.knows('a', 'g') ? 'a in g' : '',
			access.knows(undefined, 'g') ? 'g' : '',
			access.knowsAll('a') ? 'all of a' : '',
			knowsPeopleIn(access, 'g') ? 'people of g' : '',
		]
			.filter((word) => word !== '')
			.join(', ');
	const ALL = 'members, a in g, g, all of a, people of g';
	const BY_USERS = 'members, by users, a in g, all of a, people of g';
	const [empty, full, other] = [groupOf('g'), groupOf('g', ['a']), groupOf('h', ['b'])];
	const filtered = groupOf('g', [], { byFilter: true });
	const askedOf = (id: string) => groupOf('g', [id], { of: new Set([id]) });
	const [inG, nowhere] = [[userIn('a', ['g'])], [userIn('a', [])]];
	const [part, works] = [{ isWhole: false }, { filtersFound: true }];
	const [hidden, shown] = [{ groupsShowMembers: 'no' }, { groupsShowMembers: 'yes' }] as const;
	const say = { usersShowGroups: 'yes' } as const;

	it.each<[string, Group[], string, Partial<ReadOfAccess>?, Partial<Traits>?]>([
		['an empty group: nothing', [empty], ''],
		['an empty one where all show them', [empty], ALL, {}, shown],
		['one with members', [full], ALL],
		['one of some groups', [full], 'members, a in g, g, people of g', part],
		['an empty one beside another', [empty, other], ALL],
		['the same where groups show nobody', [empty, other], '', {}, hidden],
		['one with members there', [full], ALL, {}, hidden],
		['the same of some groups', [full], 'members, a in g, g, people of g', part, hidden],
		['no groups', [], 'members, all of a'],
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
		['the same beside members', [other, empty], ALL, { users: inG }],
		['the same beside a filter', [filtered], 'members, a in g, all of a', { users: inG }],
		['two, one by filter', [filtered, groupOf('h')], 'members, a in g, all of a', { users: inG }],
		['a user in no group', [empty], '', { users: nowhere }],
		['one who shows none', [empty], '', { users: [userIn('a')] }],
		['one beside b', [empty], BY_USERS, { users: [...nowhere, userIn('b', ['g'])] }],
		['one where users say so', [empty], BY_USERS, { users: nowhere }, say],
		['b alone', [empty], 'members, by users, people of g', { users: [userIn('b', ['g'])] }],
	])('from %s', (_, groups, words, more = {}, traits = {}) => {
		expect(known(read({ groups, ...more }, traits))).toBe(words);
	});
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

	it('members of whom nobody tells otherwise count', () => {
		expect(peopleIn({ ...whole(), held: new Map() }, 'g')).toEqual(['d', 'a']);
	});

	it('values of users are access, too', () => {
		const { values } = whole();
		expect(values.get('a')).toMatchObject([{ attribute: 'roles', value: 'buyer' }]);
		expect(values.get('b')).toStrictEqual([]);
		expect([read({}).values.size, read({ groups }).parents.size]).toEqual([0, 0]);
	});

	it('a group that was not read is known by its ID', () => {
		const unread = { groupId: 'g9', key: 'g9', displayName: 'g9' };
		expect(membershipsOf(read({ users: [userIn('a', ['g9'])] }), 'a')).toEqual([unread]);
	});

	it('and by its role, where the ID says one', () => {
		const groupId = 'whylabs-org-9:viewer';
		const access = read({ users: [userIn('a', [groupId, 'org-9:admin'])] });
		const role = { organization: 'org-9', role: 'viewer' };
		expect(membershipsOf(access, 'a')[1]).toMatchObject({ groupId, displayName: groupId, ...role });
		expect(doubleRoles(access).get('a')).toStrictEqual(new Set(['org-9']));
	});

	it('the first name of a member stays', () => {
		const bodies = ['Ana', 'Eve'].map((display, at) => ({
			...{ id: `g${at}`, members: [{ value: 'a', display }] },
		}));
		const { names, idsByName } = accessOf(bodies);
		expect([...names, ...idsByName]).toEqual([
			['a', 'Ana'],
			['ana', ['a']],
		]);
	});
});

describe('groups whose names say the role', () => {
	const as = (id: string, displayName: string) => groupOf(id, ['a'], { displayName });

	it('are found by role, in any case', () => {
		const { groupAt, placeOf } = read({ groups: [as('1', 'Sales-Admin')] }, {}, named);
		expect(groupAt({ organization: 'SALES', role: 'admin' })).toBe('1');
		expect(groupAt({ organization: 'SALES', role: 'viewer' })).toBeUndefined();
		expect(placeOf('1')).toEqual({ organization: 'Sales', role: 'Admin' });
		expect(placeOf('Sales-Admin')).toBeUndefined();
	});

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

	it('are refused where two stand for the same', () => {
		const groups = [as('1', 'Sales-admin'), as('2', 'sales-Admin')];
		expect(() => read({ groups }, {}, named)).toThrow(/Two groups .* \(IDs 1, 2\)/);
	});

	it('are plain where they can be read in two ways, which is said, of 20 at the most', () => {
		const groups = Array.from({ length: 21 }, (_, at) => as(`${at}`, `a-b-${at}`));
		const { warnings, placeOf } = read({ groups: [as('x', 'a-admin'), ...groups] }, {}, named);
		expect(placeOf('0')).toBeUndefined();
		expect(warnings).toHaveLength(20);
		expect(warnings[0]).toContain('Group "a-b-0" can be read as b-0 in a or 0 in a-b, so it');
		expect(read({ groups: [as('x', 'a-admin'), as('y', 'plain')] }, {}, named).warnings).toEqual(
			[],
		);
	});
});

describe('groups in groups', () => {
	const nested = (id: string, people: string[], inner: string[]) =>
		groupOf(id, people, { nested: inner });
	const reached = (groups: Group[]) =>
		reachedBy(read({ groups }), 'a').map(({ displayName, via }) => `${displayName} ${via ?? ''}`);

	it('reach all above, once for each own group that gives it', () => {
		const groups = [
			...[nested('top', ['z'], ['mid', 'own']), nested('mid', ['z'], ['own', 'two', 'abc'])],
			...['own', 'two', 'abc'].map((id) => groupOf(id, ['a'])),
			groupOf('apart', ['z']),
		];
		expect(reached(groups)).toEqual([
			...['abc ', 'mid abc', 'mid own', 'mid two', 'own '],
			...['top abc', 'top own', 'top two', 'two '],
		]);
	});

	it('in each other: neither ends nor repeats what the person is in', () => {
		expect(reached([nested('x', ['a'], ['y']), nested('y', ['z'], ['x'])])).toEqual(['x ', 'y x']);
	});

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
		[
			[
				['s', 'direct'],
				['t', 'direct'],
				['g', 'indirect'],
			],
			[],
			['g another group', 's ', 't '],
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

it('memberships come in the order of organizations, then of names, whatever their case', () => {
	const displayNames = ['z', 'Sales-viewer', 'B', 'sales-admin', 'a', 'HR-admin'];
	const groups = displayNames.map((displayName, at) => groupOf(`${at}`, ['u'], { displayName }));
	const sorted = (some: Group[]) =>
		membershipsOf(read({ groups: some }, {}, named), 'u').map(({ displayName }) => displayName);
	expect(sorted(groups)).toEqual(['a', 'B', 'z', 'HR-admin', 'sales-admin', 'Sales-viewer']);
	expect(sorted(groups.slice(1, 3))).toEqual(['B', 'Sales-viewer']);
});
