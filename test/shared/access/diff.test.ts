import { gainsIn, lossesIn } from '../../../nodes/shared/access/change';
import { groupMeaning } from '../../../nodes/shared/scim/protocol/groupMeaning';
import { readUser } from '../../../nodes/shared/scim/protocol/resource';
import { PROFILES } from '../../../nodes/shared/scim/protocol/presets';
import type { Traits } from '../../../nodes/shared/scim/protocol/traits';
import type { Wish } from '../../../nodes/shared/access/wish';
import {
	ACCOUNT,
	ids,
	partsOf,
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
	removalIsRoleBlind: false,
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
		expect(settled).toEqual([]);
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
		expect(plan([want(0, 'a', [ADMIN])], org1({ [ADMIN]: ['a'] })).steps).toEqual([]);
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
		expect(steps).toEqual([]);
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
		expect(steps).toEqual([]);
		expect(losses).toEqual([]);
		expect(said).toEqual(['0 a skipped']);
		expect(reasons).toEqual(['the person is member in org-1 instead']);
	});

	it('who has nothing there needs nothing', () => {
		const { steps, said, reasons } = plan([want(0, 'a', [], [ADMIN])], org1());
		expect(steps).toEqual([]);
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
		expect(removes).toEqual([]);
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
		expect(removes).toEqual([]);
	});

	it('is never followed by a removal that another item wants of the old group', () => {
		// Role-blind, that removal would take the new role (docs/interface.md 2.3).
		const { adds, removes } = plan(
			[want(0, 'a', [ADMIN]), want(1, 'a', [], [MEMBER])],
			org1({ [MEMBER]: ['a', 'z'] }),
		);
		expect(adds).toEqual(['a admin']);
		expect(removes).toEqual([]);
	});

	it('nor by one that an earlier item wants', () => {
		const { adds, removes } = plan(
			[want(0, 'a', [], [MEMBER]), want(1, 'a', [ADMIN])],
			org1({ [MEMBER]: ['a', 'z'] }),
		);
		expect(adds).toEqual(['a admin']);
		expect(removes).toEqual([]);
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
		expect(steps).toEqual([]);
		expect(reasons[0]).toMatch(/^Item 3 wants two roles for a@example\.com in one organization/);
	});

	it('of two that contradict nothing is taken away either', () => {
		const { steps } = plan([want(0, 'a', [ADMIN, VIEWER], [MEMBER])], org1({ [MEMBER]: ['a'] }));
		expect(steps).toEqual([]);
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
		expect(both.removes).toEqual([]);
	});

	it('shown at once in one organization are an old read: nothing is changed there', () => {
		const stale = org1({ [ADMIN]: ['a'], [MEMBER]: ['a'] });
		for (const wanted of [want(0, 'a', [VIEWER]), want(0, 'a', [], [ADMIN])]) {
			const { steps, said, reasons } = plan([wanted], stale);
			expect(steps).toEqual([]);
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
			expect(steps).toEqual([]);
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
		expect(losses).toEqual([]);
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
		expect(removes).toEqual([]);
		expect(said).toEqual(['0 a skipped']);
		expect(reasons).toEqual(['nothing is removed while item 3 cannot be used']);
		expect(losses).toEqual([]);
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
		expect(steps).toEqual([]);
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
		expect(sent).toEqual([]);
		expect(reasons).toEqual([`${NEW} is protected: nothing was changed`]);
	});

	it.each([
		['two roles in one organization', [MEMBER, ADMIN]],
		['one of two groups is not there', [MEMBER, 'org-9:admin']],
	])('%s: neither created nor given anything', (_, hold) => {
		const { sent, said } = plan([wantNew(0, NEW, hold)], groups);
		expect(sent).toEqual([]);
		expect(said).toEqual([`0 ${NEW} failed`, `0 ${NEW} failed`]);
	});
});

describe('people who are inactive', () => {
	const user = (id: string) => readUser({ id, userName: `${id}@example.com`, active: false });
	const groups = org1({ [ADMIN]: ['z'], [MEMBER]: ['m'] });

	it('are refused: a role would let nobody in', () => {
		const { sent, reasons } = plan([want(0, 'a', [MEMBER], [], { user: user('a') })], groups);
		expect(sent).toEqual([]);
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
		expect(sent).toEqual([]);
		expect(said).toEqual(['0 a failed']);
	});
});
