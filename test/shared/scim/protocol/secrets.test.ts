import {
	secretNamesIn,
	secretsIn,
	withMaskedSecrets,
	withoutSecrets,
} from '../../../../nodes/shared/scim/protocol/resource';

it.each([
	['an attribute', { userName: 'a', password: 'secret-1' }, ['secret-1']],
	['in any case, at any depth', { x: [{ PassWord: 'secret-1' }] }, ['secret-1']],
	['a number', { password: 12345 }, ['12345']],
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
	['single characters', { password: 'a', pin: 7 }, ['a', '7']],
	[
		'all texts of a list, and of parts',
		{ recoveryCodes: ['code-1', { value: 'code-2' }], 'urn:x:User': { apiKey: 'key-1' } },
		['code-1', 'code-2', 'key-1'],
	],
	['none', { userName: 'a', password: {}, mustChangePassword: true, otp: null }, []],
	['nothing', undefined, []],
	['an end to what is nested without one', JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)), []],
])('secrets in a body: %s', (_, body, expected) => {
	expect(secretsIn(body)).toEqual(expected);
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
	expect(secretsIn(inside(levels))).toEqual(expected);
});

const ATTRIBUTES = {
	title: 'Dr',
	password: 'p4ss',
	mustChangePassword: true,
	'urn:x:User': { badge: { color: 'red', pin: 1234 }, recoveryCodes: ['p4ss'], apiKey: null },
	'urn:x:User:otp': 'p4ss',
	phones: [
		{ value: '1', 'sim-pin': 'p4ss' },
		{ value: '2', 'sim-pin': 'p4ss' },
	],
};

test('attributes without secrets, at any depth', () => {
	expect(withoutSecrets(ATTRIBUTES)).toStrictEqual({
		title: 'Dr',
		mustChangePassword: true,
		'urn:x:User': { badge: { color: 'red' }, apiKey: null },
		phones: [{ value: '1' }, { value: '2' }],
	});
	expect(JSON.stringify(withMaskedSecrets(ATTRIBUTES))).not.toMatch(/p4ss|1234/);
	expect(withMaskedSecrets(ATTRIBUTES)).toMatchObject({
		password: '***',
		'urn:x:User': { badge: { pin: '***' } },
	});
	expect(secretNamesIn(ATTRIBUTES)).toEqual([
		...['password', 'pin', 'recoveryCodes', 'urn:x:User:otp', 'sim-pin'],
	]);
	expect(secretNamesIn({ title: 'password' })).toEqual([]);
});
