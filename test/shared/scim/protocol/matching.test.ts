import {
	indexUsers,
	mainEmail,
	matchingBy,
	withEmailTypes,
	withMainEmail,
	type MatchAttribute,
} from '../../../../nodes/shared/scim/protocol/matching';
import { readUser, type User } from '../../../../nodes/shared/scim/protocol/resource';

const userOf = (id: string, attributes: object) => readUser({ id, ...attributes }) as User;

it.each<[MatchAttribute, string, string[], boolean]>([
	['userName', 'Ana', ['Ana'], true],
	['email', 'a@x', ['a@x', 'b@x'], true],
	['externalId', 'e7', ['e7'], false],
])(
	'by %s people are known by %s and found by %j; in another case: %p',
	(by, key, keys, anyCase) => {
		const emails = [{ value: 'a@x', primary: true }, { value: 'b@x' }];
		const ana = userOf('1', { userName: 'Ana', externalId: ' e7 ', emails });
		const { keyOf, keysOf, fold } = matchingBy(by);
		expect(keyOf(ana)).toBe(key);
		expect(keysOf(ana)).toEqual(keys);
		expect(fold('E7') === fold('e7')).toBe(anyCase);
	},
);

const email = (value: string, more = {}) => ({ value, ...more });
const main = (value: string, more = {}) => email(value, { primary: true, ...more });

describe('the main email', () => {
	it.each<[string, unknown, string]>([
		['the primary one', [email('a@x'), main('b@x'), email('c@x')], 'b@x'],
		['the primary one, said as text', [email('a@x'), email('b@x', { primary: 'True' })], 'b@x'],
		['the only one', [email(' a@x ')], 'a@x'],
		['the only one, said not to be primary', [email('a@x', { primary: false })], 'a@x'],
		['the only one that says something', [email(' '), {}, null, email('a@x')], 'a@x'],
		['one object', email('a@x'), 'a@x'],
		['a text', 'a@x', 'a@x'],
		['none of several', [email('a@x'), email('b@x')], ''],
		['none of two primary ones', [main('a@x'), main('b@x'), email('c@x')], ''],
		['none where there is none', undefined, ''],
	])('is %s', (_, emails, address) => {
		expect(mainEmail({ emails })).toBe(address);
	});

	const [a, b, c] = ['a@x', 'b@x', 'c@x'].map((address) => email(address));
	const [mainA, mainB, mainC] = ['a@x', 'b@x', 'c@x'].map((address) => main(address));
	const work = { type: 'work' };

	it.each<[string, unknown, string | null, unknown]>([
		['is there already, in another case', [main('A@x'), b], 'a@X', undefined],
		['takes over the type of the old one', [main('a@x', work)], 'b@x', [main('b@x', work)]],
		['comes first, and the others stay', [c, 'd@x', mainA], 'b@x', [mainB, c, 'd@x']],
		['is one of the others so far', [mainA, email('B@x', work)], 'b@x', [mainB]],
		[
			'is the only one that stays primary',
			[main('a@x', work), mainC],
			'b@x',
			[mainB, { ...a, primary: false, ...work }, { ...c, primary: false }],
		],
		['is the first at all', undefined, 'b@x', [mainB]],
		['goes, and the others stay', [mainA, c], null, [c]],
		['cannot go where no one is it', [a, c], null, undefined],
		['cannot go where there is none', undefined, null, undefined],
	])('%s', (_, emails, address, made) => {
		expect(withMainEmail({ emails }, address)).toStrictEqual(made);
	});
});

describe('accounts by their keys', () => {
	const ana = userOf('1', { userName: 'Ana', emails: ['a@x'] });
	const twin = userOf('2', { userName: 'ana', emails: [main('A@X'), email('t@x')] });
	const ben = userOf('3', { userName: 'Ben', emails: ['b@x'] });
	const nobody = userOf('4', {});
	const index = () => indexUsers([ana, nobody, twin, ben], matchingBy('email'));

	it('are all that have the key, in any case, and none for an empty one', () => {
		expect(index().withKey('a@X')).toEqual([ana, twin]);
		expect(index().withKey('B@x')).toEqual([ben]);
		expect(index().withKey('')).toStrictEqual([]);
		expect(index().withKey('t@x')).toStrictEqual([]);
	});

	it('are found by user name in any case, and by ID', () => {
		expect(index().named('ANA')).toEqual([ana, twin]);
		expect(index().named('ben')).toEqual([ben]);
		expect(index().named('dan')).toStrictEqual([]);
		expect(['3', 'x'].map(index().withId)).toEqual([ben, undefined]);
	});

	it('are unmatched where they share a key or have none', () => {
		expect(index().unmatched()).toEqual([
			{ user: ana, who: 'Ana', reason: 'the user has the same email as another one (ID 2)' },
			{ user: twin, who: 'ana', reason: 'the user has the same email as another one (ID 1)' },
			{ user: nobody, who: '4', reason: 'the user has no email to be matched by' },
		]);
	});

	it('several without a key share nothing, and those with the same one name all others', () => {
		const reasonsOf = (...users: User[]) =>
			indexUsers(users, matchingBy('email'))
				.unmatched()
				.map(({ reason }) => reason);
		const none = 'the user has no email to be matched by';
		expect(reasonsOf(nobody, userOf('5', { userName: 'Eva' }))).toEqual([none, none]);
		const third = userOf('6', { userName: 'Ann', emails: ['a@x'] });
		expect(reasonsOf(ana, twin, third)[1]).toContain('another one (ID 1, 6)');
	});
});

const [home, work] = [{ type: 'home' }, { type: 'work' }];
const [A, B, HOME_A] = [main('a'), main('b'), main('a', home)];
const untyped = [email('a'), email('b')];

it.each<[string, unknown, unknown, unknown]>([
	['a new main one is work', [A], undefined, [main('a', work)]],
	['what is said stays', [HOME_A], undefined, [HOME_A]],
	['none is said stays none', [main('a', { type: null })], undefined, [main('a', { type: null })]],
	['one is work already', [A, email('b', work)], undefined, [A, email('b', work)]],
	['of two none is the main one', untyped, undefined, untyped],
	[
		'each keeps its own',
		[main('A'), email('b')],
		[HOME_A, email('b', work)],
		[main('A', home), email('b', work)],
	],
	['one without a type stays so', [A], [A], [A]],
	['another main one takes the type', [B], [HOME_A], [main('b', home)]],
	['but not beside the old one', [B, email('a')], [HOME_A], [B, email('a', home)]],
	['no list is left as it is', 'a', undefined, 'a'],
])('types of emails: %s', (_, emails, shown, expected) => {
	expect(withEmailTypes({ emails }, { emails: shown })).toStrictEqual({ emails: expected });
});
