import {
	namesIn,
	putAttribute,
	comparedAttributes,
	contains,
	equals,
} from '../../../../nodes/shared/scim/protocol/paths';

const URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

it.each([
	['title', ['title']],
	['name.givenName', ['name', 'givenName']],
	[`${URN}:manager.value`, [URN, 'manager', 'value']],
	[`${URN}:`, [URN]],
	['URN:x:y', ['URN:x', 'y']],
	['emails[type eq "work"].value', ['emails[type eq "work"].value']],
	['a:b', ['a:b']],
	['turn:a.b', ['turn:a', 'b']],
	['name..familyName', ['name', 'familyName']],
	['.', ['.']],
	['', ['']],
])('the path %p leads through %p', (path, names) => {
	expect(namesIn(path)).toEqual(names);
});

it.each([
	['into what is not there', {}, ['name', 'givenName'], 'Ana', { name: { givenName: 'Ana' } }],
	['beside others', { name: { x: 1 } }, ['name', 'y'], 2, { name: { x: 1, y: 2 } }],
	['under the name that is there', { Title: 'a' }, ['title'], 'b', { Title: 'b' }],
	['an object into one', { name: { x: 1 } }, ['name'], { y: 2 }, { name: { x: 1, y: 2 } }],
	['a list in place of one', { roles: ['a'] }, ['roles'], ['b'], { roles: ['b'] }],
	['into what is a text', { name: 'Ana' }, ['name', 'x'], 1, { name: { x: 1 } }],
])('puts a value %s', (_, target, names, value, made) => {
	const before = structuredClone(target);
	expect(putAttribute(target, names, value)).toEqual(made);
	expect(target).toEqual(before);
});

it('quotes what a filter compares with', () => {
	expect(equals('userName', 'a"b\\')).toBe('userName eq "a\\"b\\\\"');
	expect(contains('displayName', 'x')).toBe('displayName co "x"');
});

it.each([
	['userName eq "x"', ['userName']],
	['not (active EQ true) and roles[value sw "a"]', ['active', 'roles.value']],
	['members[(value eq "a]" and type eq "b")] or id pr', ['members.value', 'members.type', 'id']],
	['title pr or name.givenName co "b eq c \\" d eq e"', ['title', 'name.givenName']],
	['', []],
	['eq eq "eq" and (pr pr)', ['eq', 'pr']],
	['a eq"x"and b ne-1 or d[e pr', ['a', 'b', 'd.e']],
	['title eq "x and y eq z', ['title']],
	['a[b pr c] and d pr', ['a.b', 'd']],
	['[a eq 1', ['a']],
])('the filter %p compares %p', (filter, attributes) => {
	expect(comparedAttributes(filter)).toEqual(attributes);
});

it.each(['a', 'a.', '[', 'a[', '"', '\\', '"\\"', 'a eq ', '('])(
	'a filter of many %p is read in one pass',
	(part) => {
		// This took two minutes when every character looked through the rest.
		expect(comparedAttributes(part.repeat(200_000)).length).toBe(part === 'a eq ' ? 200_000 : 0);
		expect(comparedAttributes(`"${part.repeat(200_000)}`)).toStrictEqual([]);
	},
);
