import { passwordsIn } from '../../../../nodes/shared/scim/protocol/password';

it.each([
	['an attribute', { userName: 'a', password: 'secret-1' }, ['secret-1']],
	['in any case, at any depth', { x: [{ PassWord: 'secret-1' }] }, ['secret-1']],
	['a number', { password: 12345 }, ['12345']],
	['as it stands in JSON too', { password: 'a"bcd' }, ['a"bcd', 'a\\"bcd']],
	[
		'a PATCH operation',
		{
			Operations: [
				{ op: 'replace', path: 'password', value: 'secret-1' },
				{ op: 'replace', path: 'urn:example:User:password', value: 'secret-2' },
				{ op: 'replace', path: 'title', value: 'no secret' },
			],
		},
		['secret-1', 'secret-2'],
	],
	[
		'no other value, and no value of what has no path',
		{ path: 'password', op: 'secret-1', values: 'secret-2', x: { path: 7, value: 'secret-3' } },
		[],
	],
	['of a path that goes on', { path: 'password:hint', value: 'secret-1' }, []],
	['four characters', { password: 'abcd' }, ['abcd']],
	['none so short that it is in every message', { password: 'abc' }, []],
	['none', { userName: 'a', password: { a: 1 } }, []],
	['nothing', undefined, []],
	['an end to what is nested without one', JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)), []],
])('passwords in a body: %s', (_, body, expected) => {
	expect(passwordsIn(body)).toEqual(expected);
});

it.each([
	[50, ['secret-1']],
	[51, []],
])('a password %i levels deep', (levels, expected) => {
	const inside = (level: number): unknown =>
		level === 0
			? { password: 'secret-1' }
			: level % 2
				? [inside(level - 1)]
				: { x: inside(level - 1) };
	expect(passwordsIn(inside(levels))).toEqual(expected);
});
