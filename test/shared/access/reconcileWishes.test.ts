import { diff } from '../../../nodes/shared/access/plans/diff';
import {
	heldBackPlace,
	reconcileWishes,
	rowWish,
	scopeOf,
	withoutAccess,
	type Leavers,
	type ReconcileRules,
	type RowWish,
	type ShownLeaver,
} from '../../../nodes/shared/access/plans/reconcileWishes';
import type { Failure } from '../../../nodes/shared/run/plan';
import { readUser } from '../../../nodes/shared/scim/protocol/resource';
import { InputError } from '../../../nodes/shared/util/errors';
import { ACCOUNT, ids, person, rulesOf, type Members, type RulesGiven } from '../../support/plans';

const ADMIN = 'org-1:admin';
const MEMBER = 'org-1:member';
const OTHER = 'org-2:viewer';
const SAME = 'whylabs-org-2:viewer';
const STAFF = 'All staff';
const EMPTY = { [ADMIN]: [], [MEMBER]: [], [OTHER]: [], [STAFF]: [] };
const MANY_ROLES = { ...ACCOUNT, oneRolePerOrganization: false };
const KEEPS = { ...ACCOUNT, deactivation: 'keeps' as const };
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

const byPerson = (wanted: RowWish[][]) => new Map(wanted.map((own) => [own[0].person.key, own]));

function reconcile(wanted: RowWish[][], world: World, leavers = NOBODY) {
	const { wishes, settled } = reconcileWishes(byPerson(wanted), leavers, rulesIn(world));
	const said = settled.map(({ item, outcome: { action, status, reason } }) =>
		[item, action, status, reason].join(': '),
	);
	return { wishes, settled, said };
}

/** Each group is wanted by a row of its own, the first of them the item. */
const known = (item: number, id: string, ...groups: string[]) =>
	groups.map((groupId, index) => {
		const [row, own] = [`${item + index + 2}`, item + index];
		return rowWish({ item: own, row, hold: [groupId] }, person(id));
	});
const inGroups = (...groups: string[]) => ({
	members: Object.fromEntries(groups.map((id) => [id, ['ana']])),
});
const UNMATCHED = { unmatched: new Map([['ana', 'no email']]) };
const heldBack = (rules: World, groupId: string, why: string) =>
	new Map([[groupId && heldBackPlace(rulesIn(rules), groupId), why]]);

it('the people in scope are those with a group in it, each once', () => {
	const { access } = rulesOf({ [ADMIN]: ['ana', 'ben'], [OTHER]: ['ana'], [STAFF]: ['cy'] });
	const scope = scopeOf(access, (groupId) => groupId !== STAFF);
	expect(scope.people).toEqual({ people: 2, are: 'people with access in scope' });
	expect([ADMIN, STAFF].map(scope.includes)).toEqual([true, false]);
});

describe('a person rows name', () => {
	it('gets a wish for each row, with the user as read', () => {
		const user = readUser({ id: 'ana' });
		const wish = { person: person('ana'), drop: [], why: 'a row wants it', user };
		const rows = [ADMIN, OTHER].map((groupId, index) =>
			rowWish({ item: 4 + index, row: `${6 + index}`, hold: [groupId] }, person('ana'), user),
		);
		const { wishes, settled } = reconcile([rows], {});
		expect(wishes).toEqual([
			{ ...wish, item: 4, source: '6', hold: [ADMIN] },
			{ ...wish, item: 5, source: '7', hold: [OTHER] },
		]);
		expect(settled).toStrictEqual([]);
	});

	it.each<[string, string[], World, string[]]>([
		['a plain group beside one that a row wants', ['Sales'], inGroups(STAFF), [STAFF]],
		['nothing that a row wants', [SAME], { ...inGroups(OTHER), profile: MANY_ROLES }, []],
		['no group for another', ['Sales'], { ...inGroups(STAFF), outside: [STAFF] }, []],
		['nothing out of scope', ['Sales'], { ...inGroups(OTHER, STAFF), outside: [OTHER] }, [STAFF]],
		['no role that a row replaces', [ADMIN], inGroups(MEMBER), []],
		['one of many roles', [ADMIN], { ...inGroups(MEMBER), profile: MANY_ROLES }, [MEMBER]],
		['nothing where that is kept', ['Sales'], { ...inGroups(OTHER), unwanted: 'keep' }, []],
	])('loses %s', (_, wanted, world, lost) => {
		const { wishes, settled } = reconcile([known(3, 'ana', ...wanted)], world);
		expect(settled).toHaveLength(0);
		const why = { unlisted: true, hold: [], why: 'no row wants it', person: person('ana') };
		const less = lost.length === 0 ? [] : [{ ...why, item: 3, drop: lost }];
		expect(wishes.slice(wanted.length)).toEqual(less);
	});

	it.each<[string, string, World, string]>([
		[STAFF, STAFF, {}, 'Groups in Scope'],
		['ana@example.com is member in org-1, which', MEMBER, inGroups(MEMBER), 'the organization'],
		['admin in org-1', ADMIN, { ...inGroups(MEMBER), outside: [ADMIN, MEMBER] }, ''],
	])('%s is not in scope: the row fails', (what, outside, world, advice) => {
		const wanted = outside === STAFF ? STAFF : ADMIN;
		const own = { outside: [outside], ...world };
		const { wishes, settled } = reconcile([known(4, 'ana', wanted, OTHER)], own);
		expect(wishes).toMatchObject([{ hold: [OTHER] }]);
		const action = `make ana@example.com ${rulesIn({}).label(wanted)}`;
		expect(settled).toMatchObject([
			{
				...{ item: 4, subject: 'ana', outcome: { status: 'failed', action } },
				result: { intent: 'granted', source: '6', group: { id: wanted } },
			},
		]);
		const { error, reason } = settled[0].outcome as Failure;
		expect(reason).toBe(`${what} is not in scope`);
		expect((error as InputError).description).toContain(advice);
	});

	it.each<[string, World]>([
		[
			'has it already',
			{ ...inGroups('whylabs-org-1:admin'), outside: [ADMIN, 'whylabs-org-1:admin'] },
		],
		['is contradicted', { outside: [ADMIN], clashOf: () => new InputError('two roles', '') }],
	])('%s: the row goes on to be compared', (_, world) => {
		const { wishes, settled } = reconcile([known(0, 'ana', ADMIN)], world);
		expect(wishes).toMatchObject([{ hold: [ADMIN] }]);
		expect(settled).toStrictEqual([]);
	});
});

describe('a person no row names', () => {
	const members = { [ADMIN]: ['ana', 'ben'], [STAFF]: ['ana'], [OTHER]: ['cy'] };
	const base = { item: -1, person: person('ana'), hold: [], unlisted: true };
	const lost = { ...base, drop: [STAFF, ADMIN], why: 'no row wants any access for the person' };

	it('is only reported, each membership, where that is chosen', () => {
		const world: World = { members, outside: [OTHER], unwanted: 'report' };
		const { wishes, settled, said } = reconcile([known(0, 'ben', 'Sales')], world);
		expect(wishes).toMatchObject([{ hold: ['Sales'] }]);
		const because = 'skipped: no row wants';
		expect(said).toEqual([
			`-1: remove ana@example.com as ${STAFF}: ${because} any access for the person`,
			`-1: remove ana@example.com as admin in org-1: ${because} any access for the person`,
			`0: remove ben@example.com as admin in org-1: ${because} it`,
		]);
		expect(settled[0]).toMatchObject({
			...{ subject: 'ana', result: { intent: 'revoked', group: { id: STAFF } } },
		});
	});

	it.each<[string, World, string | undefined]>([
		['everywhere', { heldBack: heldBack({}, '', 'too few rows') }, 'too few rows'],
		['in the organization', { heldBack: heldBack({}, MEMBER, 'org-1 empty') }, 'org-1 empty'],
		['of a user no row can name', UNMATCHED, 'no email'],
	])('keeps access where removals are held back %s', (_, world, why) => {
		const { wishes } = reconcile([known(0, 'ben', ADMIN)], { ...world, members, outside: [OTHER] });
		expect(wishes[1]).toEqual({ ...lost, ...(why !== undefined && { dropsHeldBack: why }) });
	});
});

describe('a person who ends without any access', () => {
	const { members } = inGroups('whylabs-org-1:admin', STAFF);
	const leaver = (shown: Partial<ShownLeaver>, why?: string): Leavers => ({
		shown: new Map([['ana', { groupIds: [], values: [], ...shown }]]),
		whyKeptActive: () => why,
	});
	const buyer = { attribute: 'roles', value: 'buyer' };

	it('is deactivated, which takes the memberships along', () => {
		const [wish] = reconcile([], { members }, leaver({ groupIds: [ADMIN, STAFF] })).wishes;
		const why = 'the person ends without any access';
		expect(wish).toMatchObject({ account: 'inactive', drop: [], why, unlisted: true });
		expect(wish.onlyWith).toEqual({ on: 'nothingElse', groups: [STAFF, ADMIN].map(ids.key) });
	});

	it('loses each membership as well where deactivation keeps them', () => {
		const [wish] = reconcile([], { members, profile: KEEPS }, leaver({})).wishes;
		expect(wish).toMatchObject({ account: 'inactive', drop: [STAFF, 'whylabs-org-1:admin'] });
	});

	it.each<[string, Leavers, string]>([
		['there is a reason', leaver({ groupIds: [OTHER] }, 'an admin'), 'an admin'],
		['the user shows another group', leaver({ groupIds: [ADMIN, OTHER] }), 'viewer in org-2'],
		['the user shows a value', leaver({ values: [buyer] }), 'the person has roles "buyer"'],
	])('stays active where %s, and loses the access', (_, leavers, reason) => {
		const { wishes, said, settled } = reconcile([], { members }, leavers);
		expect(wishes).toMatchObject([{ drop: [STAFF, 'whylabs-org-1:admin'] }]);
		expect(wishes[0]).not.toHaveProperty('account');
		expect(said).toEqual([expect.stringContaining(reason)]);
		expect(settled).toMatchObject([
			{
				...{ item: -1, subject: 'ana', result: { intent: 'deactivated' } },
				outcome: { status: 'skipped', action: 'deactivate user ana@example.com' },
			},
		]);
	});

	it('may be in groups that do not count', () => {
		const world = { members, isIgnored: (id: string) => id === OTHER };
		const { wishes, settled } = reconcile([], world, leaver({ groupIds: [OTHER] }));
		expect(wishes).toMatchObject([{ account: 'inactive' }]);
		expect(settled).toStrictEqual([]);
	});

	it.each<[string, World]>([
		['who is in groups that do not count, too', { isIgnored: (id) => id === STAFF }],
		['who is in no other group that counts', { outside: [STAFF], isIgnored: (id) => id === STAFF }],
	])('is a person %s', (_, world) => {
		expect(withoutAccess(new Map(), rulesIn({ members, ...world }))).toEqual(['ana']);
	});

	it.each<[string, World]>([
		['with a group out of scope', { outside: [STAFF] }],
		['in groups alone that do not count', { isIgnored: () => true }],
		['who keeps it', { heldBack: heldBack({}, '', 'too few rows') }],
		['no row can name', UNMATCHED],
		['protected', { isProtected: ({ userName }) => userName === 'ana@example.com' }],
	])('is not a person %s', (_, world) => {
		expect(withoutAccess(new Map(), rulesIn({ members, ...world }))).toStrictEqual([]);
	});
});

describe('a person in many organizations', () => {
	const roleIn = (number: number, role: string) => `org-${number}:${role}`;

	/** Ana is viewer in so many; rows want member in all but the last, and the viewers of the first are out of scope. */
	function many(organizations: number) {
		const numbers = Array.from({ length: organizations }, (_, number) => number);
		const members = Object.fromEntries(
			numbers.flatMap((number) => [
				[roleIn(number, 'viewer'), ['ana']],
				[roleIn(number, 'member'), []],
			]),
		);
		const rules = rulesIn({ members, outside: [roleIn(0, 'viewer')] });
		const { access } = rules;
		let asked = 0;
		const counted =
			<A, R>(answer: (of: A) => R) =>
			(of: A) => {
				asked += 1;
				return answer(of);
			};
		rules.access = {
			...access,
			membershipIn: counted(access.membershipIn),
			placeOf: counted(access.placeOf),
		};
		const rows = known(0, 'ana', ...numbers.slice(0, -1).map((one) => roleIn(one, 'member')));
		const { wishes, settled } = reconcileWishes(byPerson([rows]), NOBODY, rules);
		const { changes } = diff(wishes, rules);
		return { settled, actions: changes.map(({ action }) => action), asked };
	}

	it.each([3, 9, 40])('is moved in each of %i, and taken out where no row wants it', (most) => {
		const { settled, actions } = many(most);
		expect(settled.map(({ item, outcome: { status } }) => [item, status])).toEqual([[0, 'failed']]);
		const moved = Array.from({ length: most - 2 }, (_, index) => index + 1).map(
			(one) => `change ana@example.com from viewer in org-${one} to member in org-${one}`,
		);
		expect(actions).toEqual([...moved, `remove ana@example.com as viewer in org-${most - 1}`]);
	});

	it('takes twice the questions in twice as many', () => {
		const [some, twice] = [many(100).asked, many(200).asked];
		expect(some).toBeGreaterThan(100);
		expect(twice / some).toBeLessThan(2.1);
	});
});
