import {
	clashingRows,
	heldBackPlace,
	reconcileWishes,
	scopeOf,
	withoutAccess,
	type Leavers,
	type ReconcileRules,
	type ShownLeaver,
	type WantedPerson,
} from '../../../nodes/shared/access/reconcileWishes';
import type { Failure } from '../../../nodes/shared/run/outcome';
import { readUser } from '../../../nodes/shared/scim/protocol/resource';
import { InputError } from '../../../nodes/shared/util/inputError';
import { ACCOUNT, ids, person, rulesOf, type Members, type RulesGiven } from '../../support/plans';

const ADMIN = 'org-1:admin';
const MEMBER = 'org-1:member';
const OTHER = 'org-2:viewer';
const STAFF = 'All staff';
const EMPTY = { [ADMIN]: [], [MEMBER]: [], [OTHER]: [], [STAFF]: [] };
const MANY_ROLES = { ...ACCOUNT, oneRolePerOrganization: false };
const KEEPS = { ...ACCOUNT, deactivationDropsMemberships: false };
const NOBODY: Leavers = { shown: new Map(), whyKeptActive: () => undefined };

interface World extends RulesGiven, Partial<Omit<ReconcileRules, keyof RulesGiven | 'scope'>> {
	members?: Members;
	/** Groups out of scope. */
	outside?: readonly string[];
}

function rulesIn({ members = {}, outside = [], ...more }: World): ReconcileRules {
	const rules = rulesOf({ ...EMPTY, ...members }, more);
	return {
		...rules,
		...{ unwanted: 'revoke', heldBack: new Map(), unmatched: new Map() },
		...{ isIgnored: () => false, clashOf: () => undefined, ...more },
		scope: scopeOf(rules.access, (groupId) => !outside.includes(groupId)),
	};
}

function reconcile(wanted: WantedPerson[], world: World, leavers = NOBODY) {
	const { wishes, settled } = reconcileWishes(wanted, leavers, rulesIn(world));
	const said = settled.map(({ item, outcome: { action, status, reason } }) =>
		[item, action, status, reason].join(': '),
	);
	return { wishes, settled, said };
}

/** Each group is wanted by a row of its own, the first of them the item. */
const rows = (item: number, groups: string[]) => ({
	item,
	hold: groups.map((groupId, index) => ({
		groupId,
		item: item + index,
		row: `${item + index + 2}`,
	})),
});
const known = (item: number, id: string, ...groups: string[]): WantedPerson => ({
	...{ kind: 'known', person: person(id), ...rows(item, groups) },
});
const heldBack = (rules: World, groupId: string, why: string) =>
	new Map([[groupId && heldBackPlace(rulesIn(rules), groupId), why]]);

it('the people in scope are those with a group in it, each once', () => {
	const { access } = rulesOf({ [ADMIN]: ['ana', 'ben'], [OTHER]: ['ana'], [STAFF]: ['cy'] });
	const scope = scopeOf(access, (groupId) => groupId !== STAFF);
	expect(scope.people).toEqual({ people: 2, are: 'people with access in scope' });
	expect([ADMIN, STAFF].map(scope.includes)).toEqual([true, false]);
});

describe('whoever rows name', () => {
	it('gets a wish for each row, with the user as read', () => {
		const user = readUser({ id: 'ana' });
		const wish = { person: person('ana'), drop: [], why: 'a row wants it', user };
		const { wishes, settled } = reconcile([{ ...known(4, 'ana', ADMIN, OTHER), user }], {});
		expect(wishes).toEqual([
			{ ...wish, item: 4, source: '6', hold: [ADMIN] },
			{ ...wish, item: 5, source: '7', hold: [OTHER] },
		]);
		expect(settled).toEqual([]);
	});

	it.each([{}, { matchBy: 'email' as const }])('is created for each row: %p', (more) => {
		const user = { userName: 'New@x.y', attributes: { title: 'x' }, warnings: ['w'], ...more };
		const { wishes } = reconcile([{ kind: 'new', ...rows(0, [ADMIN, OTHER]), ...user }], {});
		expect(wishes).toMatchObject([{ item: 0 }, { item: 1 }]);
		expect(wishes[1].newcomer).toEqual({ item: 1, ...user });
		expect(wishes[1]).not.toHaveProperty('user');
		expect(wishes[1].person).toEqual({ key: 'new@x.y', userName: 'New@x.y' });
		expect(reconcile([known(0, 'ana', ADMIN)], {}).wishes[0]).not.toHaveProperty('newcomer');
	});

	it.each<[string, string[], World, string[]]>([
		[
			'what no row wants, in order',
			[ADMIN],
			{ members: { [STAFF]: ['a'], [OTHER]: ['a'] } },
			[STAFF, OTHER],
		],
		['nothing that a row wants', ['whylabs-org-2:viewer'], { members: { [OTHER]: ['a'] } }, []],
		[
			'nothing out of scope',
			[],
			{ members: { [OTHER]: ['a'], [STAFF]: ['a'] }, outside: [OTHER] },
			[STAFF],
		],
		['no role that a row replaces', [ADMIN], { members: { [MEMBER]: ['a'] } }, []],
		[
			'another role where people may have many',
			[ADMIN],
			{ members: { [MEMBER]: ['a'] }, profile: MANY_ROLES },
			[MEMBER],
		],
		['nothing where that is kept', [], { members: { [OTHER]: ['a'] }, unwanted: 'keep' }, []],
		['what others have, neither', [OTHER], { members: { [OTHER]: ['a'], [ADMIN]: [] } }, []],
	])('loses %s', (_, wanted, world, lost) => {
		const { wishes } = reconcile([known(3, 'a', ...wanted)], world);
		const drops = wishes.slice(wanted.length);
		const why = { item: 3, unlisted: true, hold: [], why: 'no row wants it', person: person('a') };
		expect(drops).toEqual(lost.length === 0 ? [] : [{ ...why, drop: lost }]);
	});

	it.each<[string, string, World, string, string]>([
		[
			'wants a role out of scope',
			ADMIN,
			{ outside: [ADMIN] },
			'admin in org-1 is not',
			'Add the organization',
		],
		[
			'wants a group out of scope',
			STAFF,
			{ outside: [STAFF] },
			`${STAFF} is not in scope`,
			'Groups in Scope',
		],
		[
			'would lose a role out of scope',
			ADMIN,
			{ outside: [MEMBER], members: { [MEMBER]: ['ana'] } },
			'ana@example.com is member in org-1, which is not in scope',
			'Add the organization',
		],
		[
			'wants a role and has another, both out of scope',
			ADMIN,
			{ outside: [ADMIN, MEMBER], members: { [MEMBER]: ['ana'] } },
			'admin in org-1 is not in scope',
			'',
		],
	])('%s: the row fails', (_, groupId, world, words, advice) => {
		const { wishes, settled } = reconcile([known(4, 'ana', groupId, OTHER)], world);
		expect(wishes).toMatchObject([{ hold: [OTHER] }]);
		const label = groupId === ADMIN ? 'admin in org-1' : groupId;
		expect(settled).toMatchObject([
			{
				...{ item: 4, subject: 'ana' },
				outcome: { status: 'failed', action: `make ana@example.com ${label}` },
				result: { intent: 'grant', source: '6', group: { id: groupId } },
			},
		]);
		expect(settled[0].outcome.reason).toContain(words);
		const { error } = settled[0].outcome as Failure;
		expect((error as InputError).description).toContain(advice);
	});

	it.each<[string, World]>([
		['has it already', { outside: [ADMIN], members: { 'whylabs-org-1:admin': ['ana'] } }],
		[
			'loses none by it',
			{ outside: [MEMBER], members: { [MEMBER]: ['ana'] }, profile: MANY_ROLES },
		],
		['has a role out of scope elsewhere', { outside: [OTHER], members: { [OTHER]: ['ana'] } }],
		[
			'has other rows against it',
			{ outside: [ADMIN], clashOf: () => new Error('two roles') as never },
		],
	])('%s: the row goes on to be compared', (_, world) => {
		const { wishes, settled } = reconcile([known(0, 'ana', ADMIN)], world);
		expect(wishes).toMatchObject([{ hold: [ADMIN] }]);
		expect(settled).toEqual([]);
	});

	it('has a group out of scope that was not read: the failure shows none', () => {
		const { settled } = reconcile([known(0, 'ana', 'org-9:admin')], { outside: ['org-9:admin'] });
		expect(settled[0].result).not.toHaveProperty('group');
	});

	it('and rows of one person that contradict each other are found', () => {
		const wanted = [
			known(0, 'ana', ADMIN, OTHER, MEMBER),
			known(4, 'ben', ADMIN),
			known(6, 'cy', ADMIN, OTHER),
		];
		const { rows: clashing, clashOf } = clashingRows(wanted, rulesIn({}));
		expect(clashing.map(({ item }) => item)).toEqual([0, 2]);
		expect(clashOf(person('ana'), ADMIN)?.message).toContain('Rows 2 and 4 want two roles');
		expect(clashOf(person('ana'), OTHER)).toBeUndefined();
	});
});

describe('whoever no row names', () => {
	const members = { [ADMIN]: ['ana', 'ben'], [STAFF]: ['ana'], [OTHER]: ['cy'] };
	const base = { item: -1, person: person('ana'), hold: [], unlisted: true };
	const lost = { ...base, drop: [STAFF, ADMIN], why: 'no row wants any access for the person' };

	it('loses what is in scope', () => {
		const { wishes } = reconcile([known(0, 'ben', ADMIN)], { members, outside: [OTHER] });
		expect(wishes).toEqual([expect.objectContaining({ hold: [ADMIN] }), lost]);
	});

	it('has a name only where a group shows one', () => {
		const profile = { ...ACCOUNT, memberDisplayIsUserName: false };
		const [wish] = reconcile([], { members: { [ADMIN]: ['ana'] }, profile }).wishes;
		expect(wish.person).toEqual({ key: 'ana', id: 'ana' });
	});

	it('is only reported, each membership, where that is chosen', () => {
		const world: World = { members, outside: [OTHER], unwanted: 'report' };
		const { wishes, settled, said } = reconcile([known(0, 'ben')], world);
		expect(wishes).toEqual([]);
		const because = 'skipped: no row wants';
		expect(said).toEqual([
			`0: remove ben@example.com as admin in org-1: ${because} it`,
			`-1: remove ana@example.com as ${STAFF}: ${because} any access for the person`,
			`-1: remove ana@example.com as admin in org-1: ${because} any access for the person`,
		]);
		expect(settled[1]).toMatchObject({
			...{ subject: 'ana', result: { intent: 'revoke', group: { id: STAFF } } },
		});
	});

	it.each<[string, World, string | undefined]>([
		['everywhere', { heldBack: heldBack({}, '', 'too few rows') }, 'too few rows'],
		['in the organization', { heldBack: heldBack({}, MEMBER, 'org-1 empty') }, 'org-1 empty'],
		['in the group', { heldBack: heldBack({}, STAFF, 'empty') }, 'empty'],
		['in another organization', { heldBack: heldBack({}, OTHER, 'org-2 empty') }, undefined],
		['of whom no row can name', { unmatched: new Map([['ana', 'no email']]) }, 'no email'],
		[
			'first for the person',
			{ unmatched: new Map([['ana', 'no email']]), heldBack: heldBack({}, '', 'x') },
			'no email',
		],
	])('keeps access where removals are held back %s', (_, world, why) => {
		const { wishes } = reconcile([known(0, 'ben', ADMIN)], { ...world, members, outside: [OTHER] });
		expect(wishes[1]).toEqual({ ...lost, ...(why !== undefined && { dropsHeldBack: why }) });
	});
});

describe('whoever ends without any access', () => {
	const members = { 'whylabs-org-1:admin': ['ana'], [STAFF]: ['ana'] };
	const leaver = (shown: Partial<ShownLeaver>, why?: string): Leavers => ({
		shown: new Map([['ana', { groupIds: [], values: [], ...shown }]]),
		whyKeptActive: () => why,
	});
	const buyer = { attribute: 'roles', value: 'buyer' };

	it('is deactivated, which takes the memberships along', () => {
		const [wish] = reconcile([], { members }, leaver({ groupIds: [ADMIN, STAFF] })).wishes;
		const why = 'the person ends without any access';
		expect(wish).toMatchObject({ account: 'inactive', drop: [], why, unlisted: true });
		expect(wish.onlyWith?.label(ADMIN)).toBe('admin in org-1');
		const includes = [ADMIN, STAFF, OTHER].map((id) => wish.onlyWith?.includes(id));
		expect(includes).toEqual([true, true, false]);
	});

	it('loses each membership as well where deactivation keeps them', () => {
		const [wish] = reconcile([], { members, profile: KEEPS }, leaver({})).wishes;
		expect(wish).toMatchObject({ account: 'inactive', drop: [STAFF, 'whylabs-org-1:admin'] });
	});

	it.each<[string, Leavers, World, string]>([
		['there is a reason', leaver({ groupIds: [OTHER] }, 'an admin'), {}, 'an admin'],
		[
			'the user shows another group',
			leaver({ groupIds: [ADMIN, OTHER] }),
			{},
			'shows to be viewer in org-2',
		],
		['the user shows a value', leaver({ values: [buyer] }), {}, 'the person has roles "buyer"'],
	])('stays active where %s, and loses the access', (_, leavers, world, reason) => {
		const { wishes, said, settled } = reconcile([], { members, ...world }, leavers);
		expect(wishes).toMatchObject([{ drop: [STAFF, 'whylabs-org-1:admin'] }]);
		expect(wishes[0]).not.toHaveProperty('account');
		expect(said).toEqual([expect.stringContaining(reason)]);
		expect(settled).toMatchObject([
			{
				...{ item: -1, subject: 'ana', result: { intent: 'deactivate' } },
				outcome: { status: 'skipped', action: 'deactivate user ana@example.com' },
			},
		]);
	});

	it('may be in groups that do not count', () => {
		const world = { members, isIgnored: (id: string) => id === OTHER };
		const { wishes, settled } = reconcile([], world, leaver({ groupIds: [OTHER] }));
		expect(wishes).toMatchObject([{ account: 'inactive' }]);
		expect(settled).toEqual([]);
		expect(wishes[0].onlyWith?.includes(OTHER)).toBe(true);
	});

	it.each<[string, World, boolean]>([
		['somebody with access in scope', {}, true],
		['somebody with a group out of scope', { outside: [STAFF] }, false],
		[
			'the same, where that group does not count',
			{ outside: [STAFF], isIgnored: (id) => id === STAFF },
			true,
		],
		['somebody in groups alone that do not count', { isIgnored: () => true }, false],
		['somebody who keeps it', { heldBack: heldBack({}, '', 'too few rows') }, false],
		['somebody whom no row can name', { unmatched: new Map([['ana', 'no email']]) }, false],
		[
			'somebody protected',
			{ isProtected: ({ userName }) => userName === 'ana@example.com' },
			false,
		],
	])('%s ends so: %#', (_, world, ends) => {
		expect(withoutAccess([], rulesIn({ members, ...world }))).toEqual(ends ? ['ana'] : []);
	});

	it('is nobody whom a row names', () => {
		expect(withoutAccess([known(0, 'ana')], rulesIn({ members }))).toEqual([]);
	});
});

it.each([
	['one organization', ADMIN, 'whylabs-org-1:member', true],
	['two organizations', ADMIN, OTHER, false],
	['a group and an organization', ADMIN, STAFF, false],
	['a group', STAFF, ` ${STAFF}`, true],
])('removals are held back together in %s', (_, one, other, same) => {
	const [place, another] = [one, other].map((id) => heldBackPlace(rulesIn({}), id));
	expect(place === another).toBe(same);
	expect(heldBackPlace(rulesIn({}), STAFF)).toBe(ids.key(STAFF));
});
