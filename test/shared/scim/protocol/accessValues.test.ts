import {
	accessReachedInPart,
	findValues,
	holdsOneValue,
	lostValues,
	patchValues,
	replaceValues,
	valueKey,
	valueLabel,
	valuesOf,
	type AccessValue,
} from '../../../../nodes/shared/scim/protocol/accessValues';
import { readUser, type User } from '../../../../nodes/shared/scim/protocol/resource';
import { DEEPEST } from '../../../../nodes/shared/util';

const URN = 'urn:example:2.0:User';
const TIER = `${URN}:tier`;
const userOf = (attributes: object) => readUser({ id: 'ana', ...attributes }) as User;
const values = (attribute: string, ...texts: string[]) =>
	texts.map((value): AccessValue => ({ attribute, value }));
const roles = (...texts: string[]) => values('roles', ...texts);
const textsIn = (held: unknown) =>
	valuesOf(userOf({ roles: held }), { accessAttributes: ['roles'] }).map(({ value }) => value);

/** A text within as many objects. */
function within(levels: number): unknown {
	let made: unknown = 'deep';
	for (let level = 0; level < levels; level += 1) made = { x: made };
	return made;
}

describe('the values that a user has', () => {
	it('come by attribute, with the name that the service shows, each once', () => {
		const shown = [{ value: 'a', display: 'A' }, { value: 'A' }, { VALUE: 'a', display: 'other' }];
		const user = userOf({ roles: shown, [URN]: { tier: 'a' }, title: 'x' });
		expect(valuesOf(user, { accessAttributes: [TIER, 'roles', 'entitlements'] })).toStrictEqual([
			...values(TIER, 'a'),
			{ attribute: 'roles', value: 'a', display: 'A' },
			...roles('A'),
		]);
	});

	it.each<[string, unknown, string[]]>([
		['one object', { value: 'a' }, ['a']],
		['texts and numbers', ['a', 7], ['a', '7']],
		['one text', 'a', ['a']],
		['nothing', null, []],
		['no list', undefined, []],
		['entries that say nothing', ['', ' ', null, {}, { value: '' }, false, { value: false }], []],
		['an entry that is no longer given', [{ value: false, name: 'a' }], []],
		['what is switched on', [true, { value: true, name: 'a' }], ['true']],
		['entries without a value', [{ team: 'a', role: 'b', primary: true, $ref: 'c' }], ['a: b']],
		['the same in other case', [{ Team: 'a', PRIMARY: true, $Ref: 'c' }], ['a']],
		['an empty value', [{ value: null, team: 'a' }], ['a']],
		['values within values', [{ value: { x: 'a' }, y: null, z: ['b', { c: 'c' }] }], ['a: b: c']],
		['as deep as attributes go', [within(DEEPEST + 1)], ['deep']],
		['deeper than attributes go', [within(DEEPEST + 2)], []],
	])('%s', (_, held, texts) => {
		expect(textsIn(held)).toStrictEqual(texts);
	});

	it('are the same in any case of the attribute, but not of the value', () => {
		const [key] = roles('a').map(valueKey);
		expect(values('Roles', 'a').map(valueKey)).toEqual([key]);
		expect([...roles('A'), ...values('rol', 'es\na')].map(valueKey)).not.toContain(key);
		expect(roles('a\u0000b').map(valueLabel)).toEqual(['roles "a\uFFFDb"']);
	});

	it.each<[string, AccessValue[], AccessValue[]]>([
		['the exact one alone', roles('A', 'a', 'b'), roles('a')],
		['all that differ in case, without it', roles('A', 'á', 'b'), roles('A')],
		['of the attribute in any case', values('ROLES', 'a', 'A'), values('ROLES', 'a')],
		['not of another attribute', values('entitlements', 'a'), []],
	])('matching one: %s', (_, held, found) => {
		expect(findValues(held, { attribute: 'Roles', value: 'a' })).toEqual(found);
	});

	it('matching one: several that differ in case', () => {
		expect(findValues(roles('Ab', 'aB', 'b'), { attribute: 'roles', value: 'ab' })).toEqual(
			roles('Ab', 'aB'),
		);
	});
});

it.each<[string, object, string, boolean]>([
	['a text', { tier: 'a' }, 'tier', true],
	['a list', { tier: [] }, 'tier', false],
	['an object', { tier: { value: 'a' } }, 'tier', false],
	['what is not shown', {}, 'tier', true],
	['what is empty', { tier: null }, 'tier', true],
	['roles that are not shown', {}, 'Roles', false],
	['entitlements that are empty', { entitlements: null }, 'entitlements', false],
	['roles that are a text', { roles: 'a' }, 'roles', true],
])('room for one value alone: %s', (_, attributes, path, isOne) => {
	expect(holdsOneValue(userOf(attributes), path)).toBe(isOne);
});

it.each<[string, object, AccessValue[]]>([
	['nothing by another attribute', { title: 'x' }, []],
	['what a new list lacks', { roles: ['a'] }, roles('b')],
	['all by an empty list', { ROLES: [] }, roles('a', 'b')],
	['all by no list', { roles: null }, roles('a', 'b')],
	['nothing by another case or form', { roles: [{ value: 'B' }, 'A', 'c'] }, []],
	['what is given under another attribute', { roles: ['a'], entitlements: ['b', 'e'] }, roles('b')],
	['nothing where nothing was', { tier: 'x' }, []],
])('a user with roles a and b and one entitlement loses %s', (_, wanted, lost) => {
	const user = userOf({ roles: ['a', 'b'], entitlements: ['e'] });
	const accessAttributes = ['roles', 'entitlements', 'tier'];
	expect(lostValues(user, { ...wanted }, { accessAttributes })).toEqual(lost);
});

describe('access that is reached otherwise than as a whole', () => {
	const GRADE = `${URN}:job.grade`;
	it.each<[string, object]>([
		['roles', { title: 'x', 'roles.value': 'a' }],
		['roles', { 'Roles[value eq "a"]': null }],
		['roles', { ' roles [value eq "a"]. value ': 'b' }],
		['roles', { 'roles[value eq "a].b"].value': ['b'] }],
		['emails.type', { 'emails[value eq "a"].type': ['b'] }],
		['job.grade', { job: null }],
		['job.grade', { JOB: 'x' }],
		[TIER, { [URN]: null }],
		[TIER, { [URN.toUpperCase()]: '' }],
		[TIER, { [`${URN}.tier`]: 'x' }],
		[TIER, { [URN]: { tier: 'x', 'tier.value': 'x' } }],
		[GRADE, { [URN]: { job: null } }],
		[GRADE, { [URN]: { job: { other: 'x' } } }],
		[GRADE, { [URN]: { job: { grade: undefined, other: 'x' } } }],
		[GRADE, { [URN]: { note: 'x', job: {} } }],
	])('%s by %j', (path, wanted) => {
		const accessAttributes = ['groups', path];
		expect(accessReachedInPart({ ...wanted }, { accessAttributes })).toBe(path);
	});

	it.each<[string, object]>([
		['roles', { rolesOld: 'x', role: 'y', x: 'roles' }],
		['roles', { ROLES: [] }],
		['roles', { 'roles.value': undefined }],
		['emails.type', { 'emails[type eq "x"].display': 'x' }],
		['teams.role', { teams: [{ role: 'a' }] }],
		['job.grade', { job: { grade: 'a', other: 'x' } }],
		['job.grade', { job: { other: 'x' } }],
		[TIER, { [URN]: { Tier: { x: 1 } } }],
		[TIER, { [URN]: { note: 'x' } }],
		[GRADE, { [URN]: { job: { grade: 'x', other: 'y' } } }],
		[GRADE, { [URN]: { job: undefined } }],
	])('not %s by %j', (path, wanted) => {
		expect(accessReachedInPart({ ...wanted }, { accessAttributes: [path] })).toBeUndefined();
	});
});

describe('changing single values', () => {
	const add = (value: unknown, path = 'roles') => ({ op: 'add', path, value });
	const remove = (path: string) => ({ op: 'remove', path });
	const whole = (value: unknown, path = 'roles') => ({ op: 'replace', path, value });
	const filtered = (text: string) => remove(`roles[value eq ${JSON.stringify(text)}]`);
	const [x, a, b] = ['x', 'a', 'b'].map((text) => roles(text));
	const [ox, oa, ob, quoted] = ['x', 'a', 'b', 'say "y"'].map((value) => ({ value }));
	const [toX, fromA] = [values('tier', 'x'), values('tier', 'a')];
	const tierX = whole('x', 'tier');

	it.each<[string, object, AccessValue[], AccessValue[], unknown[], unknown[]]>([
		['objects', { roles: [oa, ob] }, x, a, [add([ox]), filtered('a')], [whole([ob, ox])]],
		['in quotes', { roles: [quoted] }, [], roles('say "y"'), [filtered('say "y"')], [whole([])]],
		['none shown', {}, x, [], [add([ox])], [whole([ox])]],
		['none yet', { roles: null }, x, [], [add([ox])], [whole([ox])]],
		['texts, only more', { roles: ['a'] }, x, [], [add(['x'])], [whole(['a', 'x'])]],
		['texts', { roles: ['a', 'b'] }, x, a, [whole(['b', 'x'])], [whole(['b', 'x'])]],
		['texts, the last', { roles: ['a'] }, x, a, [whole(['x'])], [whole(['x'])]],
		['both', { roles: ['a', ob] }, x, b, [add([ox]), filtered('b')], [whole(['a', ox])]],
		['one without a value', { roles: [{ team: 'a' }, ob] }, [], a, [whole([ob])], [whole([ob])]],
		['one object', { roles: oa }, x, [], [add([ox])], [whole([oa, ox])]],
		['one there, one gone', { roles: [oa] }, a, b, [add([oa]), filtered('b')], [whole([oa])]],
		['one given, one there', { roles: [oa, ob] }, a, [], [add([oa])], [whole([oa, ob])]],
		['one text for another', { tier: 'a' }, toX, fromA, [tierX], [tierX]],
		['one text', { tier: 'a' }, [], fromA, [remove('tier')], [remove('tier')]],
		['the first text', {}, toX, [], [tierX], [tierX]],
		[
			'two attributes',
			{ roles: [oa] },
			toX,
			[...a, ...fromA],
			[tierX, filtered('a')],
			[tierX, whole([])],
		],
		['no change', { roles: [oa] }, [], [], [], []],
	])('%s: one by one, or whole', (_, attributes, given, taken, single, replaced) => {
		const changes = { add: given, remove: taken };
		expect(patchValues(userOf(attributes), changes)).toEqual(single);
		expect(replaceValues(userOf(attributes), changes)).toEqual(replaced);
	});
});
