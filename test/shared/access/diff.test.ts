import { readAccess } from '../../../nodes/shared/access/access';
import { gainsIn, lossesIn } from '../../../nodes/shared/access/change';
import { diff, unknownOrganization } from '../../../nodes/shared/access/diff';
import { groupMeaning } from '../../../nodes/shared/scim/protocol/groupMeaning';
import { readGroup, readUser } from '../../../nodes/shared/scim/protocol/resource';
import { PROFILES } from '../../../nodes/shared/scim/protocol/presets';
import type { Traits } from '../../../nodes/shared/scim/protocol/traits';
import type { Wish } from '../../../nodes/shared/access/wish';
import { FRESH } from '../../support/fakeTransport';
import {
	ACCOUNT,
	accessOf,
	ids,
	partsOf,
	person,
	planOf,
	rulesOf,
	settledOf,
	want,
	wantNew,
	type Members,
	type RulesGiven,
} from '../../support/plans';

/** One role per organization, and nobody but us takes the old one away. */
const BY_HAND: Traits = {
	...ACCOUNT,
	addMovesWithinOrganization: false,
};
const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const NEW = 'new@example.com';

const ADMIN = 'org-1:admin';
const MEMBER = 'org-1:member';
const VIEWER = 'org-1:viewer';

/** Organization 1 with its three groups, as the service writes their ids. */
const org1 = (members: Members = {}): Members => ({
	'whylabs-org-1:admin': [],
	'whylabs-org-1:member': [],
	'whylabs-org-1:viewer': [],
	...Object.fromEntries(Object.entries(members).map(([id, people]) => [`whylabs-${id}`, people])),
});

function plan(wanted: Wish[], members: Members, more: RulesGiven = {}) {
	const planned = planOf(wanted, rulesOf(members, more));
	const memberships = planned.steps.flatMap((step) =>
		step.kind === 'changeMembers'
			? [
					{
						...{ id: step.id, group: step.groupId },
						add: step.add.map((one) => one.person.key),
						remove: step.remove.map((one) => one.person.key),
					},
				]
			: [],
	);
	const roleOf = (group: string) => ids.parse(group)?.role;
	return {
		...planned,
		memberships,
		/** Every person and group by direction, without chunks. */
		adds: memberships.flatMap(({ group, add }) => add.map((id) => `${id} ${roleOf(group)}`)),
		removes: memberships.flatMap(({ group, remove }) =>
			remove.map((id) => `${id} ${roleOf(group)}`),
		),
		sent: planned.steps.map(({ kind, request }) => `${kind} ${request.path.at(-1)}`),
		losses: lossesIn(planned.changes, () => []),
		said: settledOf(planned),
		reasons: planned.settled.map(({ outcome }) => outcome.reason),
	};
}

/** No item and no person of it may get lost between wish and outcome. */
function expectNobodyLost(wanted: Wish[], planned: ReturnType<typeof plan>): void {
	const told = new Set(
		[...planned.steps.flatMap(({ parts }) => parts), ...planned.settled].map(
			({ item, subject }) => `${item} ${subject}`,
		),
	);
	for (const { item, person } of wanted) expect(told).toContain(`${item} ${person.key}`);
}

describe('who is to be in', () => {
	it('one request for many items, with the id that the service uses', () => {
		const { steps, settled } = plan(
			[want(0, 'a', [ADMIN]), want(1, 'b', ['whylabs-org-1:ADMIN']), want(2, 'a', [ADMIN])],
			org1(),
		);
		expect(steps).toHaveLength(1);
		expect(steps[0]).toMatchObject({ kind: 'changeMembers', groupId: 'whylabs-org-1:admin' });
		expect(steps[0].request).toEqual({
			method: 'PATCH',
			path: ['scim', 'Groups', 'whylabs-org-1:admin'],
			body: {
				schemas: [PATCH_SCHEMA],
				Operations: [{ op: 'add', path: 'members', value: [{ value: 'a' }, { value: 'b' }] }],
			},
		});
		expect(partsOf(steps[0])).toEqual(['0 a', '2 a', '1 b']);
		expect(settled).toStrictEqual([]);
	});

	it('who is a member already is left alone: another add would mail the person', () => {
		const { adds, said, settled } = plan(
			[want(0, 'a', [ADMIN]), want(1, 'b', [ADMIN])],
			org1({ [ADMIN]: ['a'] }),
		);
		expect(adds).toEqual(['b admin']);
		expect(said).toEqual(['0 a unchanged']);
		expect(settled[0].result?.group?.id).toBe('whylabs-org-1:admin');
	});

	it('everybody is a member already: no request', () => {
		expect(plan([want(0, 'a', [ADMIN])], org1({ [ADMIN]: ['a'] })).steps).toStrictEqual([]);
	});

	it('one person is told by what happens to the person, several by their number', () => {
		expect(plan([want(0, 'a', [ADMIN])], org1()).steps[0].action).toBe(
			'make a@example.com admin in org-1',
		);
		expect(plan([want(0, 'a', [ADMIN]), want(0, 'b', [ADMIN])], org1()).steps[0].action).toBe(
			'change 2 members of group whylabs-org-1:admin',
		);
	});

	it('nothing wanted: already so', () => {
		const { steps, said } = plan([want(0, 'a', [])], org1());
		expect(steps).toStrictEqual([]);
		expect(said).toEqual(['0 a unchanged']);
	});

	it.each([
		['whylabs-org-acct1:member', 1],
		['whylabs-org-acct1:viewer', 1],
		['whylabs-org-acct1:admin', 0],
		['whylabs-org-1:member', 0],
	])('%s: %i warnings (docs/interface.md 1.1)', (id, count) => {
		const { steps } = plan([want(0, 'a', [id])], { [id]: [] });
		expect(steps[0].warnings).toHaveLength(count);
		if (count > 0) expect(steps[0].warnings[0]).toMatch(/account organization.*stay empty/);
	});

	it('is noted as a gain, for the guards', () => {
		expect(gainsIn(plan([want(0, 'a', [ADMIN])], org1()).changes)).toMatchObject([
			{ person: { key: 'a' }, organization: 'org-1', role: 'admin' },
		]);
	});
});

describe('who is to be out', () => {
	it('is removed by the id that the service uses, and noted as a loss', () => {
		const { steps, losses } = plan([want(0, 'a', [], [ADMIN])], org1({ [ADMIN]: ['a', 'z'] }));
		expect(steps.map(({ request }) => request)).toEqual([
			{
				method: 'PATCH',
				path: ['scim', 'Groups', 'whylabs-org-1:admin'],
				body: {
					schemas: [PATCH_SCHEMA],
					Operations: [{ op: 'remove', path: 'members', value: [{ value: 'a' }] }],
				},
			},
		]);
		expect(losses).toMatchObject([{ person: { key: 'a' }, organization: 'org-1', role: 'admin' }]);
		expect(losses[0].newRole).toBeUndefined();
	});

	it('in the form of the profile', () => {
		const { steps } = plan(
			[want(0, 'a', [], ['g'])],
			{ g: ['a'] },
			{
				profile: PROFILES.generic,
				ids: groupMeaning(),
			},
		);
		expect(steps[0].request.body).toMatchObject({
			Operations: [{ op: 'remove', path: 'members[value eq "a"]' }],
		});
	});

	// docs/interface.md 2.3: the membership of the organization goes, whatever the role is now.
	it('role-blind: who holds another role there now is never removed, and that is said', () => {
		const { steps, said, reasons, losses } = plan(
			[want(0, 'a', [], [ADMIN])],
			org1({ [MEMBER]: ['a'] }),
		);
		expect(steps).toStrictEqual([]);
		expect(losses).toStrictEqual([]);
		expect(said).toEqual(['0 a skipped']);
		expect(reasons).toEqual(['the person is member in org-1 instead']);
	});

	it('who has nothing there needs nothing', () => {
		const { steps, said, reasons } = plan([want(0, 'a', [], [ADMIN])], org1());
		expect(steps).toStrictEqual([]);
		expect(said).toEqual(['0 a unchanged']);
		expect(reasons).toEqual(['the person does not have it']);
	});

	it('adds and removals of one group are one request, each person once', () => {
		const { memberships } = plan(
			[want(0, 'b', [MEMBER]), want(0, 'a', [], [MEMBER]), want(1, 'a', [], [MEMBER])],
			org1({ [MEMBER]: ['a', 'z'] }),
		);
		expect(memberships).toMatchObject([
			{
				group: 'whylabs-org-1:member',
				add: ['b'],
				remove: ['a'],
			},
		]);
	});
});

describe('a move, where an add takes the person out of the other group', () => {
	it('is one add and never a removal', () => {
		const { adds, removes, steps, warnings } = plan(
			[want(0, 'a', [ADMIN], [MEMBER])],
			org1({ [MEMBER]: ['a'] }),
		);
		expect(adds).toEqual(['a admin']);
		expect(removes).toStrictEqual([]);
		expect(steps[0].action).toBe('change a@example.com from member in org-1 to admin in org-1');
		expect(warnings).toEqual(['a@example.com is member in org-1 and becomes admin in org-1']);
	});

	it('is a loss with a new role', () => {
		const { losses, changes } = plan([want(0, 'a', [MEMBER])], org1({ [ADMIN]: ['a'] }));
		expect(losses).toMatchObject([{ role: 'admin', newRole: 'member', person: { key: 'a' } }]);
		expect(gainsIn(changes)).toMatchObject([{ role: 'member' }]);
	});

	it('leaves the other organizations alone', () => {
		const { adds, removes } = plan([want(0, 'a', [ADMIN])], {
			...org1({ [MEMBER]: ['a'] }),
			'whylabs-org-2:viewer': ['a'],
		});
		expect(adds).toEqual(['a admin']);
		expect(removes).toStrictEqual([]);
	});

	it('is never followed by a removal that another item wants of the old group', () => {
		// Role-blind, that removal would take the new role (docs/interface.md 2.3).
		const { adds, removes } = plan(
			[want(0, 'a', [ADMIN]), want(1, 'a', [], [MEMBER])],
			org1({ [MEMBER]: ['a', 'z'] }),
		);
		expect(adds).toEqual(['a admin']);
		expect(removes).toStrictEqual([]);
	});

	it('nor by one that an earlier item wants', () => {
		const { adds, removes } = plan(
			[want(0, 'a', [], [MEMBER]), want(1, 'a', [ADMIN])],
			org1({ [MEMBER]: ['a', 'z'] }),
		);
		expect(adds).toEqual(['a admin']);
		expect(removes).toStrictEqual([]);
	});
});

describe('a move, where nobody but us takes the old role away', () => {
	it('is an add, and a removal that waits until the add was seen', () => {
		const { memberships, steps } = plan([want(0, 'a', [ADMIN])], org1({ [MEMBER]: ['a'] }), {
			profile: BY_HAND,
		});
		expect(memberships).toMatchObject([
			{ group: 'whylabs-org-1:admin', add: ['a'], remove: [] },
			{ group: 'whylabs-org-1:member', add: [], remove: ['a'] },
		]);
		expect(steps.map(partsOf)).toEqual([['0 a'], [`0 a < a in ${steps[0].id}`]]);
	});

	it('each removal waits for the chunk that its own add is in', () => {
		const people = ['a', 'b', 'c', 'd', 'e'];
		const { steps, memberships } = plan(
			people.map((id, item) => want(item, id, [ADMIN])),
			org1({ [MEMBER]: people }),
			{ profile: { ...BY_HAND, membersPerRequest: 2 } },
		);
		expect(memberships.map(({ add, remove }) => add.length + remove.length)).toEqual([
			2, 2, 1, 2, 2, 1,
		]);
		const stepOfAdd = new Map(
			memberships.flatMap(({ id, add }) => add.map((person) => [person, id])),
		);
		const waiting = steps.flatMap(({ parts }) => parts).filter(({ needs }) => needs !== undefined);
		expect(waiting).toHaveLength(5);
		for (const { subject, needs } of waiting) {
			expect(needs).toEqual([{ step: stepOfAdd.get(subject), subject }]);
		}
	});

	it('removals that wait for nothing do not wait with them', () => {
		const { memberships, steps } = plan(
			[want(0, 'a', [ADMIN]), want(1, 'b', [], [MEMBER])],
			org1({ [MEMBER]: ['a', 'b', 'z'] }),
			{ profile: BY_HAND },
		);
		const free = steps.filter(({ parts }) => parts.every(({ needs }) => needs === undefined));
		expect(free).toHaveLength(2);
		expect(memberships.filter(({ remove }) => remove.length > 0)).toMatchObject([
			{ remove: ['b'] },
			{ remove: ['a'] },
		]);
	});
});

describe('several roles', () => {
	it('two in one organization: none of the two is sent, whichever way the ids are written', () => {
		const { steps, said, reasons } = plan(
			[want(0, 'a', [ADMIN]), want(1, 'a', ['whylabs-org-1:VIEWER']), want(2, 'b', [VIEWER])],
			org1(),
		);
		expect(steps.map(({ action }) => action)).toEqual(['make b@example.com viewer in org-1']);
		expect(said).toEqual(['0 a failed', '1 a failed']);
		expect(reasons[0]).toBe(
			'Items 0 and 1 want two roles for a@example.com in one organization: admin in org-1 and viewer in org-1',
		);
	});

	it('two wanted by one item are named as its own', () => {
		const { steps, reasons } = plan([want(3, 'a', [ADMIN, VIEWER])], org1());
		expect(steps).toStrictEqual([]);
		expect(reasons[0]).toMatch(/^Item 3 wants two roles for a@example\.com in one organization/);
	});

	it('of two that contradict nothing is taken away either', () => {
		const { steps } = plan([want(0, 'a', [ADMIN, VIEWER], [MEMBER])], org1({ [MEMBER]: ['a'] }));
		expect(steps).toStrictEqual([]);
	});

	it('in two organizations are no clash, nor two where a person may have both', () => {
		const groups = { ...org1(), 'org-2:viewer': [] };
		expect(plan([want(0, 'a', [ADMIN]), want(1, 'a', ['org-2:viewer'])], groups).adds).toEqual([
			'a admin',
			'a viewer',
		]);
		const both = plan([want(0, 'a', [ADMIN]), want(1, 'a', [VIEWER])], groups, {
			profile: { ...ACCOUNT, oneRolePerOrganization: false },
		});
		expect(both.adds).toEqual(['a admin', 'a viewer']);
		expect(both.removes).toStrictEqual([]);
	});

	it('shown at once in one organization are an old read: nothing is changed there', () => {
		const stale = org1({ [ADMIN]: ['a'], [MEMBER]: ['a'] });
		for (const wanted of [want(0, 'a', [VIEWER]), want(0, 'a', [], [ADMIN])]) {
			const { steps, said, reasons } = plan([wanted], stale);
			expect(steps).toStrictEqual([]);
			expect(said).toEqual(['0 a failed']);
			expect(reasons[0]).toMatch(/conflicting roles for a@example\.com in org-1/);
		}
	});

	it('of an old read hold up neither other people nor other organizations', () => {
		const { adds } = plan([want(0, 'a', ['org-2:viewer']), want(1, 'b', [VIEWER])], {
			...org1({ [ADMIN]: ['a'], [MEMBER]: ['a'] }),
			'org-2:viewer': [],
		});
		expect(adds.sort()).toEqual(['a viewer', 'b viewer']);
	});
});

describe('chunks', () => {
	const people = Array.from({ length: 250 }, (_, index) => `user-${index}`);

	it('no more per request than the service takes', () => {
		const { memberships } = plan(
			people.map((id, item) => want(item, id, [ADMIN])),
			org1(),
		);
		expect(memberships.map(({ add }) => add.length)).toEqual([100, 100, 50]);
		expect(new Set(memberships.map(({ id }) => id)).size).toBe(3);
		expect(new Set(memberships.flatMap(({ add }) => add)).size).toBe(250);
	});

	it('adds and removals count together', () => {
		const { memberships } = plan(
			[
				...people.slice(0, 60).map((id, item) => want(item, id, [MEMBER])),
				...people.slice(60, 130).map((id, item) => want(60 + item, id, [], [MEMBER])),
			],
			org1({ [MEMBER]: people.slice(60, 130) }),
		);
		expect(memberships.map(({ add, remove }) => add.length + remove.length)).toEqual([100, 30]);
		expect(memberships[0].add).toHaveLength(60);
	});

	it('each part stands in the request that serves it', () => {
		const { steps, memberships } = plan(
			people.map((id, item) => want(item, id, [ADMIN])),
			org1(),
		);
		steps.forEach(({ parts }, index) => {
			expect(parts.map(({ subject }) => subject)).toEqual(memberships[index].add);
		});
	});
});

describe('protected people', () => {
	const isProtected = ({ id }: { id?: string }) => id === 'boss';

	it('whom an item names: not done, and said', () => {
		for (const wanted of [want(0, 'boss', [MEMBER]), want(0, 'boss', [], [ADMIN])]) {
			const { steps, said, reasons } = plan([wanted], org1({ [ADMIN]: ['boss'] }), { isProtected });
			expect(steps).toStrictEqual([]);
			expect(said).toEqual(['0 boss failed']);
			expect(reasons).toEqual(['boss@example.com is protected: nothing was changed']);
		}
	});

	it('whom no item names are left alone, and the item goes on', () => {
		const { removes, said } = plan(
			[
				want(0, 'boss', [], [ADMIN], { unlisted: true }),
				want(0, 'a', [], [ADMIN], { unlisted: true }),
			],
			org1({ [ADMIN]: ['boss', 'a'] }),
			{ isProtected },
		);
		expect(removes).toEqual(['a admin']);
		expect(said).toEqual(['0 boss skipped']);
	});

	it('do not count as losses', () => {
		const { losses } = plan([want(0, 'boss', [], [ADMIN])], org1({ [ADMIN]: ['boss'] }), {
			isProtected,
		});
		expect(losses).toStrictEqual([]);
	});
});

describe('removals that are held back', () => {
	it('are skipped with the reason; grants go on', () => {
		const { adds, removes, said, reasons, losses } = plan(
			[
				want(0, 'a', ['org-2:viewer'], [ADMIN], {
					dropsHeldBack: 'nothing is removed while item 3 cannot be used',
				}),
			],
			{ ...org1({ [ADMIN]: ['a'] }), 'org-2:viewer': [] },
		);
		expect(adds).toEqual(['a viewer']);
		expect(removes).toStrictEqual([]);
		expect(said).toEqual(['0 a skipped']);
		expect(reasons).toEqual(['nothing is removed while item 3 cannot be used']);
		expect(losses).toStrictEqual([]);
	});
});

describe('a group that is not there', () => {
	it.each<[string, string[], string[]]>([
		['to be in', ['org-9:admin'], []],
		['to be out of', [], ['org-9:admin']],
	])('%s: not done, and the error lists the organizations that are known', (_, hold, drop) => {
		const { steps, said, settled } = plan([want(0, 'a', hold, drop)], {
			...org1(),
			'whylabs-org-2:admin': [],
		});
		expect(steps).toStrictEqual([]);
		expect(said).toEqual(['0 a failed']);
		expect(settled[0].outcome).toMatchObject({
			error: {
				message: 'There is no organization org-9',
				description: 'The account has: org-1, org-2.',
			},
		});
	});

	it('of an organization that is there: the role is named', () => {
		const { reasons } = plan([want(0, 'a', ['org-1:owner'])], org1());
		expect(reasons).toEqual(['Organization org-1 has no role owner']);
	});

	it('without organizations: the id is named', () => {
		const { reasons } = plan(
			[want(0, 'a', ['g9'])],
			{ g1: [] },
			{
				ids: groupMeaning(),
				profile: PROFILES.generic,
			},
		);
		expect(reasons).toEqual(['There is no group g9']);
	});

	it('with the row that wants it', () => {
		const { settled } = plan([want(0, 'a', ['org-9:admin'], [], { source: '7' })], org1());
		expect(settled).toMatchObject([{ result: { intent: 'grant', source: '7' } }]);
	});

	it('does not hold up the others', () => {
		const { adds } = plan([want(0, 'a', ['org-9:admin']), want(1, 'b', [ADMIN])], org1());
		expect(adds).toEqual(['b admin']);
	});
});

it('nobody gets lost: every item and person has a part or an outcome', () => {
	const wanted = [
		want(0, 'a', [ADMIN]),
		want(1, 'b', [MEMBER, 'org-9:admin']),
		want(2, 'c', [ADMIN, VIEWER]),
		want(3, 'd', [], [ADMIN]),
		want(4, 'e', [], [VIEWER], { unlisted: true }),
		want(5, 'f', []),
		want(6, 'g', [VIEWER], [MEMBER]),
	];
	const members = org1({ [MEMBER]: ['a', 'g'], [VIEWER]: ['e'] });
	for (const profile of [ACCOUNT, BY_HAND]) {
		expectNobodyLost(wanted, plan(wanted, members, { profile }));
	}
});

describe('people who are new', () => {
	const groups = org1({ [ADMIN]: ['z'], [MEMBER]: ['m'] });
	const two = { ...groups, 'whylabs-org-2:viewer': [] };

	it('are created, then given the role: the add waits for the create of that very person', () => {
		const { sent, steps } = plan([wantNew(0, NEW, [MEMBER]), want(1, 'a', [MEMBER])], groups);
		expect(sent).toEqual(['createUser Users', 'changeMembers whylabs-org-1:member']);
		expect(partsOf(steps[1])).toEqual([`0 ${NEW} < ${NEW} in ${steps[0].id}`, '1 a']);
		expect(steps[1].request.body).toMatchObject({
			Operations: [{ value: [{ value: `{id of ${NEW}}` }, { value: 'a' }] }],
		});
	});

	it('whom several items name in any case are created once, and get each role', () => {
		const { sent, steps } = plan(
			[wantNew(0, NEW, [MEMBER]), wantNew(1, 'New@Example.com', ['org-2:viewer'])],
			two,
		);
		expect(sent).toEqual([
			'createUser Users',
			'changeMembers whylabs-org-1:member',
			'changeMembers whylabs-org-2:viewer',
		]);
		expect(steps.map(({ parts }) => parts.map(({ item }) => item))).toEqual([[0, 1], [0], [1]]);
	});

	it.each([
		[false, 'adopt'],
		[true, 'adoptAndActivate'],
	])('who exist after all are taken; reactivate %s: %s', (reactivate, ifExists) => {
		const { steps } = plan([wantNew(0, NEW, [MEMBER])], groups, { reactivate });
		expect(steps[0]).toMatchObject({ ifExists });
	});

	it('with attributes that contradict fail in the second item, which then gets no role', () => {
		const { steps, said } = plan(
			[
				wantNew(0, NEW, [MEMBER], { title: 'x' }),
				wantNew(1, NEW, ['org-2:viewer'], { title: 'y' }),
			],
			two,
		);
		expect(steps.flatMap(({ parts }) => parts.map(({ item }) => item))).toEqual([0, 0]);
		expect(said).toEqual([`1 ${NEW} failed`]);
	});

	it('who are protected are not created', () => {
		const { sent, reasons } = plan([wantNew(0, NEW, [MEMBER])], groups, {
			isProtected: () => true,
		});
		expect(sent).toStrictEqual([]);
		expect(reasons).toEqual([`${NEW} is protected: nothing was changed`]);
	});

	it.each([
		['two roles in one organization', [MEMBER, ADMIN]],
		['one of two groups is not there', [MEMBER, 'org-9:admin']],
	])('%s: neither created nor given anything', (_, hold) => {
		const { sent, said } = plan([wantNew(0, NEW, hold)], groups);
		expect(sent).toStrictEqual([]);
		expect(said).toEqual([`0 ${NEW} failed`, `0 ${NEW} failed`]);
	});
});

describe('people who are inactive', () => {
	const user = (id: string) => readUser({ id, userName: `${id}@example.com`, active: false });
	const groups = org1({ [ADMIN]: ['z'], [MEMBER]: ['m'] });

	it('are refused: a role would let nobody in', () => {
		const { sent, reasons } = plan([want(0, 'a', [MEMBER], [], { user: user('a') })], groups);
		expect(sent).toStrictEqual([]);
		expect(reasons[0]).toMatch(/a@example\.com is inactive, and Reactivate is off/);
	});

	it('or activated first, where that is wanted', () => {
		const wanted = [want(0, 'a', [MEMBER], [], { user: user('a') })];
		const { sent, steps } = plan(wanted, groups, { reactivate: true });
		expect(sent).toEqual(['setActive a', 'changeMembers whylabs-org-1:member']);
		expect(steps[0]).toMatchObject({ active: true });
		expect(partsOf(steps[1])).toEqual([`0 a < a in ${steps[0].id}`]);
	});

	it('are not activated to be given nothing', () => {
		const wanted = [want(0, 'z', [], [ADMIN], { user: user('z') })];
		expect(plan(wanted, groups, { reactivate: true }).sent).toEqual([
			'changeMembers whylabs-org-1:admin',
		]);
	});

	it('who are protected are not activated', () => {
		const { sent, said } = plan([want(0, 'a', [MEMBER], [], { user: user('a') })], groups, {
			reactivate: true,
			isProtected: () => true,
		});
		expect(sent).toStrictEqual([]);
		expect(said).toEqual(['0 a failed']);
	});
});

const SEVERAL: Traits = { ...BY_HAND, oneRolePerOrganization: false };
const KEEPS: Traits = {
	...BY_HAND,
	...{ deactivationDropsMemberships: false, accessAttributes: ['roles', 'userType'] },
};
const REFUSES: Traits = { ...BY_HAND, inactiveRefusesGroupChanges: true };
const ORG2 = 'org-2:viewer';
const boss = { isProtected: ({ id }: { id?: string }) => id === 'a' };
const userOf = (id: string, more: object = {}) =>
	readUser({ id, userName: `${id}@example.com`, ...more });

/**
 * Changes, with the numbers of those that they need and of those that only come first, and what needs none, as lines
 * without the domain and organization 1: `0 make a admin < 1 after 2`, `0 failed make a admin: why`.
 */
function linesOf(wishes: Wish[], members: Members, more: RulesGiven = {}): string[] {
	const { changes, settled } = diff(wishes, rulesOf(members, more));
	const numbers = (word: string, keys: string[]) =>
		keys.length === 0
			? ''
			: ` ${word} ${keys.map((key) => changes.findIndex((one) => one.key === key)).join(' ')}`;
	return [
		...changes.map(
			({ parts, action, needs, after }) =>
				`${parts.map(({ item }) => item).join()} ${action}${numbers('<', needs)}${numbers('after', after)}`,
		),
		...settled.map(({ item, outcome: { status, action, reason } }) =>
			[`${item} ${status} ${action}`, ...(reason === undefined ? [] : [reason])].join(': '),
		),
	].map((line) => line.replaceAll('@example.com', '').replaceAll(' in org-1', ''));
}

const NOT_HELD = 'the person does not have it';
const NOT_GIVEN = 'the replacement cannot be granted';
const NO_ORG9 = 'There is no organization org-9';
const PROTECTED = 'a is protected: nothing was changed';

describe('roles', () => {
	const both = { ...org1({ [ADMIN]: ['a'], [MEMBER]: ['a'] }), [ORG2]: ['a'], VPN: [] };
	const admin = { ...org1({ [ADMIN]: ['a'] }), [ORG2]: [], VPN: ['a'] };
	const inactive = { user: userOf('a', { active: false }) };
	const becomes = '0 change a from admin to member';

	it('one role too many goes', () => {
		expect(linesOf([want(0, 'a', [MEMBER])], both, { profile: BY_HAND })).toEqual([
			...['0 remove a from admin', '0 unchanged make a member'],
		]);
	});

	it('of two that an old read shows, other groups are free; they replace none', () => {
		expect(linesOf([want(0, 'a', ['Staff'])], { VPN: ['a'], Staff: [] })).toEqual([
			'0 make a Staff',
		]);
		expect(linesOf([want(0, 'a', ['VPN'], [ORG2])], both)).toEqual([
			...['0 make a VPN', '0 remove a as viewer in org-2 < 0'],
		]);
	});

	it('several roles too many are all replaced, once however many items want it', () => {
		const members = org1({ [ADMIN]: ['a'], [VIEWER]: ['a'] });
		const wishes = [want(0, 'a', [MEMBER], [], inactive), want(1, 'a', [MEMBER], [], inactive)];
		expect(linesOf(wishes, members, { profile: BY_HAND, reactivate: true })).toEqual([
			'0,1 activate user a',
			'0,1 change a from admin, viewer to member < 0',
			...['0,1 remove a from admin < 1', '0,1 remove a from viewer < 1'],
		]);
	});

	it('a group that a user names and no list has is another one, and can be left', () => {
		const groups = [{ value: 'org-1:admin' }, { value: 'org-1:old' }, { value: 'gone' }];
		const listed = ['org-1:admin', 'org-1:member'].map((id) => readGroup({ id })!);
		const of = (wish: Wish, profile: Traits) => {
			const users = [userOf('a', { groups })!];
			const access = readAccess(
				{ groups: listed, users, isWhole: true, readAt: FRESH },
				ids,
				profile,
			);
			return linesOf([wish], {}, { profile, access });
		};
		expect(of(want(0, 'a', [MEMBER]), BY_HAND)).toEqual([
			...['0 change a from admin to member', '0 remove a from admin < 0'],
		]);
		expect(of(want(0, 'a', [], [ADMIN, 'gone']), SEVERAL)).toEqual([
			...['0 remove a as admin', '0 remove a as gone'],
		]);
	});

	it('a removal that a new role makes needless is spoken of where another item wants it', () => {
		const wishes = [want(0, 'a', [MEMBER, 'VPN'], [ADMIN]), want(1, 'a', [], [ADMIN])];
		const why = 'the person gets another role there';
		expect(linesOf(wishes, admin)).toEqual([
			...[becomes, '0 unchanged make a VPN', `1 skipped remove a as admin: ${why}`],
		]);
		expect(linesOf([want(0, 'a', [], [MEMBER])], admin, { profile: SEVERAL })).toEqual([
			`0 unchanged remove a as member: ${NOT_HELD}`,
		]);
	});

	it('a removal waits once for a role elsewhere, and is left out where that cannot be given', () => {
		const wishes = [want(0, 'a', [ORG2], [ADMIN]), want(1, 'a', [ORG2])];
		const lines = ['0,1 make a viewer in org-2', '0 remove a as admin < 0'];
		expect(linesOf(wishes, admin)).toEqual(lines);
		expect(linesOf([want(0, 'a', ['org-9:x'], [ADMIN])], admin)).toEqual([
			`0 failed make a x in org-9: ${NO_ORG9}`,
			`0 skipped remove a as admin: ${NOT_GIVEN}`,
		]);
	});

	it('who is protected and has it already, or not, needs nothing', () => {
		expect(linesOf([want(0, 'a', [ADMIN], [ORG2])], admin, boss)).toEqual([
			'0 unchanged make a admin',
			`0 unchanged remove a as viewer in org-2: ${NOT_HELD}`,
		]);
	});

	it('inactive users who are activated can be removed where inactive ones cannot', () => {
		const rules = { profile: REFUSES, reactivate: true };
		expect(linesOf([want(0, 'a', [ORG2], [ADMIN], inactive)], admin, rules)).toEqual([
			...['0 activate user a', '0 make a viewer in org-2 < 0', '0 remove a as admin < 1'],
		]);
	});
});

describe('accounts', () => {
	const admin = { ...org1({ [ADMIN]: ['a', 'z'] }), [ORG2]: ['a'], VPN: [] };
	const [active, inactive] = [true, false].map((is) => ({ user: userOf('a', { active: is }) }));
	const back = { ...inactive, account: 'active' as const };
	const leaves = (more: Partial<Wish> = {}) =>
		want(0, 'a', [], [ADMIN], { account: 'inactive', ...more });
	const of = (wishes: Wish | Wish[], rules: RulesGiven = {}) =>
		linesOf([wishes].flat(), admin, rules).map((line) =>
			line.replace(/(Reactivate is off).*/, '$1'),
		);
	const reactivate = true;
	const onlyWith = { readAt: FRESH, includes: () => true, label: String };

	it('who is wanted active is activated, whatever else cannot be done, unless protected', () => {
		const wish = want(0, 'a', [], [], back);
		expect(of(want(0, 'a', [], [], { ...active, account: 'active' }))).toEqual([
			'0 unchanged activate user a',
		]);
		expect(of(want(0, 'a', ['org-9:x'], [], back))).toEqual([
			...['0 activate user a', `0 failed make a x in org-9: ${NO_ORG9}`],
		]);
		expect(of(wish, boss)).toEqual([`0 failed give access to a: ${PROTECTED}`]);
		expect(of([want(0, 'a', []), { ...wish, item: 1 }])).toEqual(['1 activate user a']);
		expect(of([wish, want(1, 'a', [], [ADMIN])], boss)).toEqual([
			`0 failed give access to a: ${PROTECTED}`,
			`1 failed remove a as admin: ${PROTECTED}`,
		]);
		const both = want(0, 'a', ['VPN'], [], { ...active, account: 'active' });
		expect(of(both)).toEqual(['0 make a VPN']);
	});

	it('who gets a role is activated for it, and for nothing that cannot be given', () => {
		const error = `0 failed give access to a: ${NO_ORG9}`;
		expect(of(want(0, 'a', [ADMIN, 'org-9:x'], [], inactive), { reactivate })).toEqual([
			...[error, error],
		]);
		expect(of(want(0, 'a', [ADMIN], [], inactive), { reactivate })).toEqual([
			...['0 activate user a', '0 unchanged make a admin'],
		]);
		expect(of(want(0, 'a', [], [ADMIN], inactive), { reactivate })).toEqual([
			'0 remove a as admin',
		]);
		expect(of(want(0, 'a', [ADMIN], [], inactive), { membersOnly: true })).toEqual([
			'0 unchanged make a admin',
		]);
		expect(of(want(0, 'a', [MEMBER], [], inactive))).toEqual(['0 change a from admin to member']);
		const wishes = [want(0, 'a', ['VPN'], [ORG2], inactive), want(1, 'a', [], [ADMIN])];
		expect(of(wishes)).toEqual([
			'0 failed give access to a: a is inactive, and Reactivate is off',
			`1 skipped remove a as admin: ${NOT_GIVEN}`,
		]);
	});

	it('who leaves is shut out first, and loses the roles before the account', () => {
		const [removed, out, gone] = ['0 remove a as admin', '0 deactivate user a', '0 delete user a'];
		const keeps = { profile: KEEPS };
		expect(of(leaves(), keeps)).toEqual([`${removed} after 1`, out]);
		expect(of(leaves({ onlyWith }), keeps)).toEqual([`${removed} < 1`, out]);
		const deleted = leaves({ ...active, account: 'gone' });
		expect(of(deleted, keeps)).toEqual([`${removed} after 1`, out, `${gone} after 0 1`]);
		const last = [removed, `${out} after 0`, `${gone} after 0 1`];
		expect(of(deleted, { profile: REFUSES })).toEqual(last);
		expect(of({ ...deleted, ...inactive }, keeps)).toEqual([removed, `${gone} after 0`]);
		expect(of({ ...leaves(), drop: [ADMIN, 'VPN'] }, keeps)).toEqual([
			...[`${removed} after 1`, out, `0 unchanged remove a as VPN: ${NOT_HELD}`],
		]);
		expect(of({ ...leaves(inactive), drop: [], hold: ['VPN'] })).toEqual([
			...['0 make a VPN', '0 unchanged deactivate user a'],
		]);
		expect(of(leaves(inactive), keeps)).toEqual([removed, '0 unchanged deactivate user a']);
	});

	it('who leaves while removals are held back, or is protected, stays', () => {
		expect(of(leaves({ account: 'gone', dropsHeldBack: 'why' }))).toEqual([
			...['0 skipped remove a as admin: why', '0 skipped delete user a: why'],
		]);
		expect(of(leaves({ account: 'gone' }), boss)).toEqual([`0 failed delete user a: ${PROTECTED}`]);
		expect(of(leaves({ unlisted: true }), boss)).toEqual([
			`0 skipped remove a as admin: ${PROTECTED}`,
			`0 failed deactivate user a: ${PROTECTED}`,
		]);
	});

	it('who goes once somebody else has it waits for that, and stays where it cannot be', () => {
		const goes = (first: Wish, rules: RulesGiven = {}) => {
			const after = [first.person.key, 'nobody'];
			const second = want(1, 'a', [], [ADMIN], { account: 'gone', after });
			return of([first, second], { profile: KEEPS, ...rules });
		};
		const [removed, out, gone] = ['1 remove a as admin', '1 deactivate user a', '1 delete user a'];
		const stays = [removed, gone].map((line) => line.replace('1', '1 skipped') + `: ${NOT_GIVEN}`);
		expect(goes(want(0, 'z', ['VPN']))).toEqual([
			...['0 make z VPN', `${removed} < 0 after 2`, `${out} < 0`, `${gone} < 0 after 1 2`],
		]);
		expect(goes(wantNew(0, 'z', ['VPN']))).toEqual([
			...['0 create user z', '0 make z VPN < 0', `${removed} < 0 1 after 3`],
			...[`${out} < 0 1`, `${gone} < 0 1 after 2 3`],
		]);
		expect(goes(want(0, 'z', [ADMIN]))).toEqual([
			...[`${removed} after 1`, out, `${gone} after 0 1`, '0 unchanged make z admin'],
		]);
		const refused = { account: 'active' as const, user: userOf('z', { active: false }) };
		expect(goes(want(0, 'z', [], [], refused), { isProtected: ({ id }) => id === 'z' })).toEqual([
			...['0 failed give access to z: z is protected: nothing was changed', ...stays],
		]);
		const impossible = `make z x in org-9: ${NO_ORG9}`;
		expect(goes(want(0, 'z', ['org-9:x']))).toEqual([`0 failed ${impossible}`, ...stays]);
		expect(goes(wantNew(0, 'z', ['org-9:x']))).toEqual([
			...[`0 failed create z: ${NO_ORG9}`, ...stays],
		]);
	});

	const LOST = expect.stringContaining('do not come back') as string;
	it.each<[string, Wish, Members, object]>([
		['was read', leaves(active), {}, { kind: 'deactivate', seenBefore: true, activeBefore: true }],
		[
			'was seen in a group',
			leaves(),
			{ 'org-3:x': ['a'] },
			{ kind: 'deactivate', seenBefore: true },
		],
		['was not seen', leaves(), {}, { kind: 'deactivate', seenBefore: false }],
		[
			'is active and deleted',
			leaves({ ...active, account: 'gone' }),
			{},
			{ kind: 'delete', wasActive: true, warnings: [] },
		],
		[
			'was not read and is deleted',
			leaves({ account: 'gone' }),
			{},
			{ kind: 'delete', wasActive: false },
		],
		['is activated', want(0, 'a', [], [], back), {}, { kind: 'activate', warnings: [LOST] }],
		['has nothing else', leaves({ onlyWith }), {}, { kind: 'deactivate', onlyWith }],
	])('who %s', (_, wish, members, shown) => {
		const { changes } = diff([wish], rulesOf({ ...org1(), ...members }));
		expect(changes).toMatchObject([shown]);
	});

	it('who is deactivated to be deleted was not seen inactive', () => {
		const { changes } = diff(
			[leaves({ ...active, account: 'gone' })],
			rulesOf(admin, { profile: KEEPS }),
		);
		expect(changes.at(-1)).toMatchObject({ kind: 'delete', wasActive: false });
	});

	it('who is new and exists after all: taken, refused, or left alone if protected', () => {
		const rules = {
			adopts: false,
			isProtected: ({ userName }: { userName?: string }) => userName === 'x',
		};
		const { changes } = diff([wantNew(0, NEW, [])], rulesOf({}, rules));
		const [creation] = changes;
		if (creation.target !== 'user' || creation.kind !== 'create') throw new Error();
		expect(changes).toMatchObject([
			{ ifExists: 'fail', attributes: {}, parts: [{ item: 0, subject: NEW }] },
		]);
		expect(creation.refuses?.(readUser({ id: 'u', userName: 'x' })!)?.message).toMatch(
			/^x is protected/,
		);
		expect(creation.refuses?.(readUser({ id: 'u', userName: 'y' })!)).toBeUndefined();
	});
});

describe('values of users', () => {
	const user = userOf('a', { roles: [{ value: 'buyer' }], userType: 'Employee' })!;
	const value = (attribute: string, text: string) => ({ attribute, value: text });
	const [BUYER, seller] = [value('roles', 'BUYER'), value('roles', 'seller')];
	const [employee, guest] = [value('userType', 'employee'), value('userType', 'Guest')];
	const of = (more: Partial<Wish>, rules: RulesGiven = {}) => {
		const given = { profile: KEEPS, label: String, ...rules };
		return linesOf([want(0, 'a', [], [], { user, ...more })], { g: ['z'] }, given);
	};
	const [give, take] = ['give a roles "seller"', 'remove roles "BUYER" from a'];
	const [had, notHeld] = [
		'0 unchanged give a roles "BUYER"',
		`0 unchanged remove roles "seller" from a: ${NOT_HELD}`,
	];

	it('what is missing is given, what is there is taken, unless the user is protected', () => {
		expect(of({ holdValues: [BUYER, seller] })).toEqual([`0 ${give}`, had]);
		expect(of({ holdValues: [BUYER, seller] }, boss)).toEqual([
			...[had, `0 failed ${give}: ${PROTECTED}`],
		]);
		const dropValues = [BUYER, seller];
		expect(of({ dropValues })).toEqual([`0 ${take}`, notHeld]);
		expect(of({ dropValues }, boss)).toEqual([`0 failed ${take}: ${PROTECTED}`, notHeld]);
		expect(of({ dropValues, dropsHeldBack: 'why' })).toEqual([`0 skipped ${take}: why`, notHeld]);
	});

	it('one value has no room for another before it goes', () => {
		const full =
			'0 failed give a userType "Guest": userType of a has one value, which is "Employee"';
		expect(of({ holdValues: [guest] })).toEqual([full]);
		expect(of({ holdValues: [guest], dropValues: [BUYER] })).toEqual([`0 ${take}`, full]);
		const other = { user: userOf('b', { roles: [{ value: 'buyer' }] }) };
		const waits = want(1, 'b', [], [], {
			...{ ...other, dropValues: [value('roles', 'buyer')], account: 'gone', after: ['a'] },
		});
		const first = want(0, 'a', [], [], { user, holdValues: [guest] });
		expect(linesOf([first, waits], {}, { profile: KEEPS })).toEqual([
			...[full, `1 skipped remove roles "buyer" from b: ${NOT_GIVEN}`],
			`1 skipped delete user b: ${NOT_GIVEN}`,
		]);
		const given = { ...first, holdValues: [guest], dropValues: [employee] };
		expect(linesOf([given, waits], {}, { profile: KEEPS }).slice(2)).toEqual([
			...['1 remove roles "buyer" from b < 0 after 3', '1 deactivate user b < 0'],
			'1 delete user b < 0 after 2 3',
		]);
		const without = userOf('a', { roles: [{ value: 'buyer' }] });
		expect(of({ holdValues: [guest], user: without })).toEqual(['0 give a userType "Guest"']);
		expect(of({ holdValues: [guest], dropValues: [employee] })).toEqual([
			...['0 give a userType "Guest"', '0 remove userType "employee" from a'],
		]);
	});

	it('a group is taken once the value that is given was seen', () => {
		expect(of({ holdValues: [seller], drop: ['g'] }, { access: accessOf({ g: ['a'] }) })).toEqual([
			...[`0 ${give}`, '0 remove a as g < 0'],
		]);
	});

	it('of a leaver wait for the deactivation, in whatever case', () => {
		const dropValues = [BUYER];
		expect(of({ account: 'gone', dropValues })).toEqual([
			...[`0 ${take} after 1`, '0 deactivate user a', '0 delete user a after 0 1'],
		]);
	});

	it('one that is wanted and not wanted is left as it is', () => {
		const why = 'Item 0 wants roles of a different: "seller" added, "seller" removed';
		expect(of({ holdValues: [seller], dropValues: [seller] })).toEqual([
			...[`0 failed ${give}: ${why}`, `0 failed remove roles "seller" from a: ${why}`],
		]);
	});

	it('who was not read, or is refused, is left alone', () => {
		const values = { holdValues: [seller], dropValues: [BUYER] };
		expect(of({ ...values, user: undefined })).toStrictEqual([]);
		expect(of({ ...values, user: { ...user, active: false }, hold: ['g'] })).toEqual([
			'0 failed give access to a: a is inactive, and Reactivate is off: no access was given',
		]);
	});

	it('who leaves loses them before the account', () => {
		const dropValues = [value('roles', 'buyer')];
		expect(of({ dropValues, account: 'gone' })).toEqual([
			...['0 remove roles "buyer" from a after 1', '0 deactivate user a'],
			'0 delete user a after 0 1',
		]);
		expect(of({ dropValues, account: 'inactive' }, boss)).toEqual([
			`0 failed deactivate user a: ${PROTECTED}`,
		]);
	});
});

describe('what is said of a wish', () => {
	const generic = { ids: groupMeaning(), profile: PROFILES.generic, label: String };
	const user = userOf('a', { active: true });

	it('whom and what it is about, why, and which row wants it', () => {
		const wish = want(0, 'a', [ADMIN], [ORG2], {
			user,
			why: 'HR',
			source: '7',
			skipsOtherRole: true,
		});
		const members = org1({ [MEMBER]: ['a'] });
		const { changes, settled } = diff([wish], rulesOf({ ...members, [ORG2]: ['a', 'z'] }));
		const base = { target: 'membership', person: person('a'), why: 'HR', activeBefore: true };
		expect(changes).toEqual([
			{
				...{ ...base, kind: 'move', key: 'membership\na\norg-1\nadmin', after: [], warnings: [] },
				...{ groupId: 'whylabs-org-1:admin', place: { organization: 'org-1', role: 'admin' } },
				action: 'change a@example.com from member in org-1 to admin in org-1',
				...{ parts: [{ item: 0, subject: 'a' }], needs: [], from: ['member'] },
			},
			{
				...{
					...base,
					kind: 'revoke',
					key: 'membership\na\norg-2\nviewer',
					after: [],
					warnings: [],
				},
				...{ groupId: ORG2, place: { organization: 'org-2', role: 'viewer' } },
				action: 'remove a@example.com as viewer in org-2',
				...{ parts: [{ item: 0, subject: 'a' }], needs: ['membership\na\norg-1\nadmin'] },
				...{ mayBeGone: false, hidden: false, skipsOtherRole: true },
			},
		]);
		expect(settled).toStrictEqual([]);
	});

	it('a group that needs no change, and what had to come first', () => {
		const inactive = userOf('a', { active: false });
		const wish = want(0, 'a', [ADMIN], [], { user: inactive, source: '7' });
		const rules = rulesOf(org1({ [ADMIN]: ['a'] }), { reactivate: true });
		expect(diff([wish], rules).settled).toEqual([
			{
				...{ item: 0, subject: 'a', needs: [{ step: 'activate user\na', subject: 'a' }] },
				outcome: { status: 'unchanged', action: 'make a@example.com admin in org-1' },
				result: {
					...{ who: { kind: 'person', person: person('a') }, intent: 'grant', source: '7' },
					group: rules.access.groups.get('org-1\nadmin'),
				},
			},
		]);
	});

	it.each<[string, Partial<Wish>, object]>([
		['nothing', {}, { intent: 'none', action: 'change the access of a@example.com' }],
		[
			'to be active',
			{ account: 'active' },
			{ intent: 'activate', action: 'activate user a@example.com' },
		],
	])(
		'the user, where it is about the account: %s',
		(_, more, { intent, action }: { intent?: string; action?: string }) => {
			expect(diff([want(2, 'a', [], [], { user, ...more })], rulesOf({})).settled).toEqual([
				{
					...{ item: 2, subject: 'a', outcome: { status: 'unchanged', action } },
					result: { who: { kind: 'user', user }, intent },
				},
			]);
		},
	);

	it('a value that needs no change', () => {
		const value = { attribute: 'roles', value: 'x' };
		const wish = want(2, 'a', [], [], { user, dropValues: [value] });
		expect(diff([wish], rulesOf({}, { profile: KEEPS })).settled).toMatchObject([
			{ item: 2, subject: 'a', result: { who: { kind: 'user', user }, intent: 'revoke', value } },
		]);
	});

	it('two items want the same removal: the stricter one counts about another role', () => {
		const wishes = [true, false, true].map((skipsOtherRole, at) =>
			want(at % 2, 'a', [], [ADMIN], { skipsOtherRole }),
		);
		expect(diff(wishes, rulesOf(org1({ [ADMIN]: ['a'] }))).changes).toMatchObject([
			{ skipsOtherRole: false, parts: [{ item: 0 }, { item: 1 }] },
		]);
	});

	it('a removal behind a grant may find the person gone, and the grant is the new role', () => {
		const of = org1({ [MEMBER]: ['a'] });
		expect(diff([want(0, 'a', [ADMIN])], rulesOf(of, { profile: BY_HAND })).changes).toMatchObject([
			{ kind: 'move', from: ['member'] },
			{ kind: 'revoke', newRole: 'admin', mayBeGone: true, skipsOtherRole: false },
		]);
		const wishes = [want(0, 'a', [ADMIN]), want(1, 'a', [ADMIN])];
		const { warnings } = diff(wishes, rulesOf(of, { profile: BY_HAND }));
		expect(warnings).toEqual(['a@example.com is member in org-1 and becomes admin in org-1']);
	});

	it.each([
		['shows nobody, and some services never do', {}, {}, true],
		['shows nobody of a service that shows all', {}, { groupsShowMembers: 'yes' as const }, false],
		['was asked for by a filter', { byFilter: true }, {}, false],
		['shows somebody', { members: [{ id: 'z' }] }, {}, false],
	])('a removal from a group that %s', (_, shown, traits, hidden) => {
		const profile = { ...PROFILES.generic, ...traits };
		const access = readAccess(
			{
				...{ groups: [{ ...readGroup({ id: 'g' })!, ...shown }], isWhole: true, readAt: FRESH },
				users: [userOf('a', { groups: [{ value: 'g' }] })!],
			},
			...([groupMeaning(), profile] as const),
		);
		expect(
			diff([want(0, 'a', [], ['g'])], rulesOf({}, { ...generic, profile, access })).changes,
		).toMatchObject([{ hidden }]);
	});

	it('nobody can be said to be out of a group whose members are unknown', () => {
		const rules = (known: 'yes' | 'unknown') => ({
			...generic,
			profile: { ...PROFILES.generic, groupsShowMembers: known },
		});
		const of = (known: 'yes' | 'unknown') =>
			linesOf([want(0, 'a', [], ['g'])], { g: [] }, rules(known));
		expect(of('unknown')).toEqual([
			'0 failed remove a as g: The members of group g are unknown: no group of this service shows members',
		]);
		expect(of('yes')).toEqual(['0 unchanged remove a as g: the person does not have it']);
	});

	it.each([
		['VPN', 'beside organizations', org1()],
		['org-1:admin', 'where there are no organizations', { VPN: [] }],
	])('a group is named by its ID: %s, %s', (id, _, members) => {
		expect(linesOf([want(0, 'a', [id])], members).join()).toMatch(`: There is no group ${id}`);
	});

	it('no more organizations than one can read, in order', () => {
		const names = Array.from({ length: 31 }, (_, index) => `org-${99 - index}`);
		const members = Object.fromEntries(
			names.flatMap((name) => [
				[`${name}:admin`, []],
				[`${name}:x`, []],
			]),
		);
		const wrong = (access: ReturnType<typeof accessOf>) =>
			unknownOrganization('org-1', access).description;
		expect(wrong(accessOf(members))).toBe(
			`The account has: ${names.sort().slice(0, 30).join(', ')}.`,
		);
		expect(wrong(accessOf({ VPN: [] }))).toBe('The account has: none.');
		expect(diff([want(0, 'a', ['org-69:y'])], rulesOf(members)).settled).toMatchObject([
			{
				outcome: {
					error: {
						message: 'Organization org-69 has no role y',
						description: expect.stringMatching(/^The account has: org-69, org-70,/),
					},
				},
			},
		]);
	});
});
