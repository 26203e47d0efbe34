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
			const less = { ...after, covers: { ...COVERS, ...other } };
			const all = [...differencesBetween(before, less), ...differencesBetween(less, before)];
			expect(all.map((one) => (one.before ?? one.after)?.of)).not.toContain(of);
		}),
	);
});

const ACTIVE: Record<string, boolean | undefined> = {
	active: true,
	inactive: false,
	there: undefined,
};
const TITLE = 'title=';

/** What one user shows, such as `inactive title=Nurse org-1:admin roles.7`. */
function lookOf(words: string, { groups = GROUPS, ...more }: Partial<Look> = {}): Look {
	const facts = new Map<string, Fact>();
	const keys = words.split(' ').flatMap((word) => {
		if (word in ACTIVE) facts.set(ACCOUNT, { of: 'account', active: ACTIVE[word] });
		else if (word.startsWith(TITLE)) facts.set(WATCHED, { of: 'watched', mark: word.slice(6) });
		else if (word.startsWith('roles.'))
			return [seenValue({ attribute: 'roles', value: word.slice(6) }).key];
		else return word === '' ? [] : [ids.key(word)];
		return [];
	});
	for (const [place, holding] of holdingsIn(groups)(keys)) facts.set(place, holding);
	const shown = new Map(facts.size === 0 ? [] : [['u-1', facts]]);
	return { names: new Map(), groups, oneRole: false, covers: COVERS, ...more, facts: shown };
}

function wordOf(fact: Fact | undefined): string {
	if (fact === undefined) return 'nothing';
	if (fact.of === 'watched') return `${TITLE}${fact.mark}`;
	if (fact.of === 'account')
		return Object.keys(ACTIVE).find((word) => ACTIVE[word] === fact.active) ?? '';
	const nameOf = (key: string) =>
		key.replace('value\n', '').replace('roles\n', 'roles.').replace('\n', ':');
	return fact.keys.map(nameOf).join('+');
}

const BOTH = 'org-1:admin org-1:member';

it.each<[string, string, string[]]>([
	['active title=a g-1 roles.7', 'active title=a g-1 roles.7', []],
	['', 'active g-1', ['nothing > active', 'nothing > g-1']],
	[
		'roles.7 org-1:member title=a there',
		'org-1:admin g-1 title=b inactive',
		[
			...['there > inactive', 'title=a > title=b', 'roles.7 > nothing'],
			...['org-1:member > org-1:admin', 'nothing > g-1'],
		],
	],
	['there', 'active', []],
	['active', 'active title=a', []],
	['active title=a', 'active', []],
	[BOTH, 'org-1:member org-1:admin', []],
])('from "%s" to "%s" is %j', (before, after, lines) => {
	const found = differencesBetween(lookOf(before), lookOf(after));
	expect(found.map((one) => `${wordOf(one.before)} > ${wordOf(one.after)}`)).toStrictEqual(lines);
});

it.each<[string, string, string, string, Partial<Look>?]>([
	['g-1', '', '', ''],
	['g-1', '', 'g-1', 'g-1'],
	['g-1', 'g-1', '', 'g-1'],
	['g-1', 'g-1', '', '', { covers: { ...COVERS, memberships: undefined } }],
	['', 'g-1', '', ''],
	['', 'g-1', 'g-1', 'g-1'],
	['active title=a', 'inactive title=b', 'active title=b', 'active title=b'],
	['org-1:member', BOTH, BOTH, BOTH.replace(' ', '+')],
	['org-1:member', BOTH, BOTH, 'org-1:member', { oneRole: true }],
	['org-1:member', 'org-1:admin', 'org-1:admin', 'org-1:admin', { oneRole: true }],
])('known "%s", shown "%s" and "%s": now known "%s"', (known, first, second, now, more = {}) => {
	const [one, two, three] = [known, first, second].map((words) =>
		lookOf(words, { names: new Map([[words, 'x']]) }),
	);
	const agreed = agreedLook(one, two, { ...three, ...more });
	const words = [...(agreed.facts.get('u-1')?.values() ?? [])].map(wordOf);
	expect(words.join(' ')).toBe(now);
	expect(agreed.facts.has('u-1')).toBe(now !== '');
	expect(new Set(agreed.names.keys())).toEqual(new Set([known, first, second]));
});

it.each(['sales owner', 'shop admin'])('a group that was renamed is no difference: to %s', (to) => {
	const named = groupMeaning({ text: 'app-{organization}-{role}', on: 'displayName', roles: [] });
	const groupsOf = (name: string) =>
		new Map([
			['7', seenGroup('7', 'app-shop-user', named)],
			['g-1', seenGroup('g-1', `app-${name.replace(' ', '-')}`, named)],
		]);
	const [before, after] = ['sales admin', to].map((name) =>
		lookOf('inactive title=a 7 g-1', { groups: groupsOf(name) }),
	);
	const stood = expect.objectContaining({ organization: 'sales', role: 'admin' }) as Fact;
	expect([...(before.facts.get('u-1')?.values() ?? [])]).toContainEqual(stood);
	expect(differencesBetween(before, after)).toStrictEqual([]);
	expect(differencesBetween(before, agreedLook(before, before, after))).toStrictEqual([]);
});

it.each<[string, boolean, string | undefined]>([
	[BOTH, true, 'The service returned conflicting roles for user u-1 in org-1'],
	[BOTH, false, undefined],
	['active g-1 org-1:admin org-2:member', true, undefined],
])('"%s", where one role is the rule: %p, is unsure: %p', (words, oneRole, why) => {
	expect(unsureIn(lookOf(words, { oneRole }))).toBe(why);
});

it('what turned out to be so is added, and what is absent stays so', () => {
	const [, fact] = [...lookOf('active g-1').facts.get('u-1')!.values()];
	const places = [...lookOf('g-1').facts.get('u-1')!.keys(), 'gone'];
	const found = places.map((place, at) => ({ id: 'u-1', place, after: [fact][at] }));
	expect(withFacts(lookOf('active'), found).facts).toEqual(lookOf('active g-1').facts);
});

it.each<[string, object]>([
	['roles.7', { of: 'value', keys: ['value\nroles\n7'], role: '7', attribute: 'roles' }],
	['g-1', { of: 'membership', keys: ['g-1'], role: '' }],
])('%s is no role in an organization', (words, holding) => {
	expect([...lookOf(words).facts.get('u-1')!.values()]).toStrictEqual([holding]);
});

it('groups of one organization have one place, and others their own', () => {
	const placeOf = (id: string) => seenGroup(id, id, ids).place;
	expect(placeOf('org-1:admin')).toBe(placeOf('whylabs-org-1:member'));
	expect(placeOf('org-1:admin')).not.toBe(placeOf('org-2:admin'));
	expect(placeOf('g-1')).not.toBe(placeOf('7'));
});

it('thousands of people share the fact of a group', () => {
	const of = holdingsIn(GROUPS);
	const [key] = GROUPS.keys();
	expect([...of([key]).values()][0]).toBe([...of([key]).values()][0]);
});
