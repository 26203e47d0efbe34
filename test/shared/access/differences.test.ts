import fc from 'fast-check';

import {
	ACCOUNT,
	agreedLook,
	type Difference,
	differencesBetween,
	type Fact,
	holdingsIn,
	isHolding,
	type Look,
	seenGroup,
	seenValue,
	unsureIn,
	WATCHED,
	withFacts,
} from '../../../nodes/shared/access/facts/differences';
import { groupMeaning } from '../../../nodes/shared/scim/protocol/groupMeaning';
import { COVERS, GROUPS, ids, randomLook } from '../../support/looks';

const said = (fact: Fact) => {
	if (isHolding(fact)) return fact.role;
	return fact.of === 'account' ? fact.active !== false : fact.mark;
};

/** What a reader of the differences would believe in the end. */
function applied({ facts }: Look, differences: readonly Difference[]) {
	const all = new Map([...facts].map(([id, own]) => [id, new Map(own)]));
	for (const { id, place, after } of differences) {
		const own = all.get(id) ?? new Map<string, Fact>();
		all.set(id, own);
		if (after === undefined) own.delete(place);
		else own.set(place, after);
	}
	return [...all]
		.flatMap(([id, own]) =>
			[...own].flatMap(([place, fact]) =>
				place === WATCHED ? [] : [[id, place, said(fact)].join()],
			),
		)
		.sort();
}
const stateOf = (look: Look) => applied(look, []);
/** Without the order of a user's groups. */
const linesOf = (differences: readonly Difference[]) =>
	differences.map(({ id, place, ...facts }) =>
		JSON.stringify([
			id,
			place,
			facts.before && said(facts.before),
			facts.after && said(facts.after),
		]),
	);

it('the differences lead from what was there to what is there', () => {
	fc.assert(
		fc.property(randomLook, randomLook, (before, after) => {
			expect(applied(before, differencesBetween(before, after))).toEqual(stateOf(after));
		}),
	);
});

it('nothing has happened where nothing has changed', () => {
	fc.assert(
		fc.property(randomLook, (same) => {
			expect(differencesBetween(same, same)).toStrictEqual([]);
			expect(differencesBetween(same, agreedLook(same, same, same))).toStrictEqual([]);
		}),
	);
});

it('what is reported after two looks, both of them show', () => {
	fc.assert(
		fc.property(randomLook, randomLook, randomLook, (before, first, second) => {
			const reported = linesOf(differencesBetween(before, agreedLook(before, first, second)));
			for (const look of [first, second]) {
				const shown = linesOf(differencesBetween(before, look));
				expect(reported.filter((line) => !shown.includes(line))).toStrictEqual([]);
			}
		}),
	);
});

it('what two looks do not show alike comes once they do', () => {
	fc.assert(
		fc.property(randomLook, randomLook, randomLook, (before, first, second) => {
			const agreed = agreedLook(before, first, second);
			const all = [...differencesBetween(before, agreed), ...differencesBetween(agreed, second)];
			expect(applied(before, all)).toEqual(stateOf(second));
		}),
	);
});

it('what turned out to be there after all has never been away', () => {
	fc.assert(
		fc.property(randomLook, randomLook, (before, after) => {
			const lost = differencesBetween(before, after).filter((one) => one.after === undefined);
			const back = lost.map(({ id, place, before: had }) => ({ id, place, after: had }));
			const left = differencesBetween(before, withFacts(after, back));
			expect(left.filter((one) => one.after === undefined)).toStrictEqual([]);
		}),
	);
});

it.each([
	['account', { accounts: false }],
	['membership', { memberships: undefined }],
	['value', { values: ['entitlements'] }],
	['watched', { watched: { attributes: ['title'], key: 'other' } }],
])('nothing is said of a kind that one look did not read: %s', (of, other) => {
	fc.assert(
		fc.property(randomLook, randomLook, (before, after) => {
			const looks = [before, { ...after, covers: { ...COVERS, ...other } }] as const;
			const kinds = differencesBetween(...looks).map((one) => (one.before ?? one.after)?.of);
			expect(kinds).not.toContain(of);
		}),
	);
});

const lookAt = (keys: readonly string[], groups = GROUPS, oneRole = true): Look => ({
	...{ names: new Map(), groups, oneRole, covers: COVERS },
	facts: new Map([['u-1', holdingsIn(groups)(keys)]]),
});

it('a group that was renamed is no difference, whatever it stands for now', () => {
	const named = groupMeaning({ text: 'app-{organization}-{role}', on: 'displayName', roles: [] });
	const [before, after] = ['app-sales-admin', 'app-sales-owner'].map((name) =>
		lookAt(['8f14'], new Map([['8f14', seenGroup('8f14', name, named)]])),
	);
	expect([...(before.facts.get('u-1')?.values() ?? [])]).toMatchObject([
		{ organization: 'sales', role: 'admin' },
	]);
	expect(differencesBetween(before, after)).toStrictEqual([]);
	expect(differencesBetween(before, agreedLook(before, before, after))).toStrictEqual([]);
});

it('is not sure of two roles where there is one, and sure of them elsewhere', () => {
	const before = lookAt([ids.key('org-1:member')]);
	const two = ['org-1:admin', 'org-1:viewer'].map((id) => ids.key(id));
	const groups = new Map(
		['org-1:admin', 'org-1:viewer', 'org-1:member'].map((id) => [
			ids.key(id),
			seenGroup(id, id, ids),
		]),
	);
	const [unsure, sure] = [lookAt(two, groups), lookAt(two, groups, false)];
	expect(unsureIn(unsure)).toBe('The service returned conflicting roles for user u-1 in org-1');
	expect(differencesBetween(before, agreedLook(before, unsure, unsure))).toStrictEqual([]);
	expect(unsureIn(sure)).toBeUndefined();
	expect(differencesBetween(before, agreedLook(before, sure, sure))).toMatchObject([
		{ before: { role: 'member' }, after: { role: 'admin, viewer' } },
	]);
});

it('who is not said to be inactive is active', () => {
	const of = (active: boolean | undefined): Look => ({
		...lookAt([]),
		facts: new Map([['u-1', new Map<string, Fact>([[ACCOUNT, { of: 'account', active }]])]]),
	});
	expect(differencesBetween(of(undefined), of(true))).toStrictEqual([]);
	expect(differencesBetween(of(undefined), of(false))).toHaveLength(1);
});

it('a value on a user is no role in an organization', () => {
	const { key, ...value } = seenValue({ attribute: 'roles', value: 'org-1:admin' });
	const [holding] = holdingsIn(new Map([[key, value]]))([key]).values();
	expect(holding).toEqual({ of: 'value', keys: [key], role: 'org-1:admin', attribute: 'roles' });
});

it('thousands of people share the fact of a group', () => {
	const of = holdingsIn(GROUPS);
	const [key] = GROUPS.keys();
	expect([...of([key]).values()][0]).toBe([...of([key]).values()][0]);
});
