import { intake } from '../../../../nodes/shared/scim/protocol/intake';
import {
	attribute,
	readGroup,
	readUser,
	valueAt,
	versionOf,
	wasThereBefore,
} from '../../../../nodes/shared/scim/protocol/resource';

test.each([
	['W/"1"', 'W/"1"'],
	['a b\t', 'a b\t'],
	['"ü"', '"ü"'],
	['"1\n2"', undefined],
	['"\u007f"', undefined],
	['"\u0000"', undefined],
	['"✓"', undefined],
	['', undefined],
	[7, '7'],
	[{}, undefined],
])('the version %j', (version, etag) => {
	expect(versionOf({ attributes: { meta: { version } } })).toBe(etag);
	const body = { id: '1', meta: { version } };
	const { shows } = intake(
		{ type: 'Users', read: readUser },
		{ status: 200, body, etag: '"of-the-header"' },
		String,
	);
	expect(shows && versionOf(shows)).toBe(etag ?? '"of-the-header"');
});

describe('readUser', () => {
	it('reads what account organizations send and keeps all of it', () => {
		const body = {
			id: 'user-1',
			userName: 'ana@example.com',
			active: true,
			groups: [{ value: 'whylabs-org-1:admin', display: 'whylabs-org-1:admin', type: 'direct' }],
			meta: { resourceType: 'User' },
			somethingElse: { deep: [1] },
		};
		expect(readUser(body)).toEqual({
			id: 'user-1',
			userName: 'ana@example.com',
			active: true,
			groupIds: ['whylabs-org-1:admin'],
			attributes: body,
		});
	});

	it.each<[unknown, boolean | undefined]>([
		[true, true],
		[false, false],
		['True', true],
		['False', false],
		['true', true],
		[' FALSE ', false],
		['undefined', undefined],
		['', undefined],
		[null, undefined],
		[undefined, undefined],
		...[1, '1', 'Active'].map((active): [unknown, boolean] => [active, true]),
		...[0, '0', 'inactive', 'DISABLED'].map((active): [unknown, boolean] => [active, false]),
		...[2, 'locked', 'constructor', {}].map((active): [unknown, undefined] => [active, undefined]),
	])('active %j is read as %j', (active, expected) => {
		const read = readUser({ id: 'user-1', active });
		expect(read?.active).toBe(expected);
		expect(Object.hasOwn(read ?? {}, 'active')).toBe(expected !== undefined);
	});

	it('names in other case, and an id that is a number', () => {
		const body = { ID: 17, username: 'ana@example.com', Active: 'False', GROUPS: ['g'] };
		const read = { id: '17', userName: 'ana@example.com', active: false, groupIds: ['g'] };
		expect(readUser(body)).toMatchObject(read);
	});

	it.each([
		['a list', [{ value: 'g1' }, { value: 'g2' }, { value: 'g1' }], ['g1', 'g2']],
		['one object instead of a list', { value: 'g1' }, ['g1']],
		['bare ids', ['g1'], ['g1']],
		['entries without an id', [{}, null, { value: '' }, { display: 'x' }], []],
		[
			'groups of groups',
			[
				{ value: 'g1', type: 'Indirect' },
				{ value: 'g2', type: 'direct' },
			],
			['g2'],
		],
		['ids that are numbers', [7, { value: 8 }], ['7', '8']],
		['none', [], []],
		['null', null, []],
		['nothing, which says nothing of them', undefined, undefined],
	])('groups as %s', (_, groups, expected) => {
		expect(readUser({ id: 'user-1', groups })?.groupIds).toEqual(expected);
	});

	it.each([
		...[undefined, null, '', 'user-1', 7, [], [{ id: 'user-1' }]],
		...[{}, { id: '' }, { id: ' ' }, { id: null }, { id: {} }],
	])('%j is no user: only a resource with an id is one', (body) => {
		expect(readUser(body)).toBeUndefined();
	});

	it('is not fooled by __proto__', () => {
		expect(readUser(JSON.parse('{"__proto__":{"id":"user-1"}}'))).toBeUndefined();
		const read = readUser(JSON.parse('{"id":"user-1","__proto__":{"active":true}}'));
		expect(read?.active).toBeUndefined();
		expect(({} as { active?: unknown }).active).toBeUndefined();
	});
});

it.each<[string, object, object]>([
	[
		'its name, and members once each',
		{
			displayName: 'Group',
			members: [{ value: 'a', display: 'A' }, { value: 'b' }, { value: 'a', display: 'A' }],
		},
		{ displayName: 'Group', members: [{ id: 'a', display: 'A' }, { id: 'b' }] },
	],
	['no members, which says nothing', {}, {}],
	['null for members, which says nothing', { members: null }, {}],
	['an empty list of members', { members: [] }, { members: [] }],
	['one member as one object', { Members: { Value: 'a' } }, { members: [{ id: 'a' }] }],
	[
		'entries without an id',
		{ members: [{ value: 'a' }, { value: '' }, {}] },
		{ members: [{ id: 'a' }], unread: 1 },
	],
	[
		'groups among the members',
		{
			members: [
				{ value: 'a', type: 'User' },
				{ value: 'g-2', Type: 'group' },
				{ value: 'g-3', $ref: 'https://scim.example.com/v2/Groups/g-3' },
				{ value: 'g-4', $ref: '../groups/g-4' },
				{ value: 'g-5', $ref: 'Groups/g-5' },
				{ value: 'Groups/c', $ref: 'Users/Groups%2Fc' },
				{ value: 'b', $ref: 'https://scim.example.com/v2/Users/b' },
			],
		},
		{
			members: ['a', 'Groups/c', 'b'].map((id) => ({ id, isUser: true })),
			nested: ['g-2', 'g-3', 'g-4', 'g-5'],
		},
	],
])('a group that shows %s', (_, shown, read) => {
	const attributes = { id: 'g', ...shown };
	expect(readGroup(attributes)).toStrictEqual({ id: 'g', displayName: 'g', ...read, attributes });
});

it.each([undefined, [{ id: 'g' }], {}, { id: ' ' }])('%j is no group', (body) => {
	expect(readGroup(body)).toBeUndefined();
});

it.each<[string, unknown, string, unknown]>([
	['the exact name before another case', { USERNAME: 'a', userName: 'b' }, 'userName', 'b'],
	['the first of two in other case', { USERNAME: 'a', username: 'b' }, 'userName', 'a'],
	['nothing of a longer name', { userNames: 'c' }, 'userName', undefined],
	['nothing of a prototype', Object.create({ USERNAME: 'a' }), 'userName', undefined],
	...['constructor', 'toString', '__proto__', 'hasOwnProperty'].map(
		(name): [string, unknown, string, unknown] => [
			`no ${name} that was not sent`,
			{},
			name,
			undefined,
		],
	),
	['nothing of a list', [1], 'length', undefined],
	['nothing of a text', 'text', 'length', undefined],
	['nothing of null', null, 'id', undefined],
])('an attribute is %s', (_, object, name, value) => {
	expect(attribute(object, name)).toBe(value);
});

const URN = 'urn:example:2.0:User';

it.each([
	['title', 'boss'],
	['name.givenName', 'Ana'],
	['NAME.GIVENNAME', 'Ana'],
	['name.other', undefined],
	['name.givenName.x', undefined],
	['other', undefined],
	['emails', [{ value: 'a' }, { value: 'b' }, {}]],
	['emails.value', ['a', 'b', undefined]],
	['dotted.name', 'as it is'],
	[URN, { level: 3, desk: { row: 7 } }],
	[`${URN}:level`, 3],
	[`${URN.toUpperCase()}:Level`, 3],
	[`${URN}:desk.row`, 7],
	[`${URN}:other`, undefined],
	[`${URN}x:level`, undefined],
	['urn:other:level', undefined],
	['name:givenName', undefined],
])('what is at %s: %j', (name, expected) => {
	const holder = {
		title: 'boss',
		name: { givenName: 'Ana' },
		emails: [{ value: 'a' }, { value: 'b' }, {}],
		'dotted.name': 'as it is',
		'urn:example:1.0:User': { level: 1 },
		[URN]: { level: 3, desk: { row: 7 } },
	};
	expect(valueAt(holder, name)).toEqual(expected);
});

it.each([undefined, null, 'text', 7])('there is nothing at a name in %j', (holder) => {
	expect(valueAt(holder, 'a.b')).toBeUndefined();
});

// RFC 7643 section 2.3.5: without a zone it says no moment, and services write their own time.
it.each<[string | undefined, string[], boolean]>([
	['2026-01-31T08:00:00Z', [], true],
	['2026-01-31T13:30:00.123+05:30', [], true],
	['2026-01-31T11:58:00Z', ['g'], false],
	['2026-01-31T08:00:00', [], false],
	['2026-01-31 08:00:00', [], false],
	['2026-01-31', [], false],
	['2026-01-31T08:00:00', ['g'], true],
	[undefined, ['g'], true],
])('created %j, in %j, was there before: %j', (created, groupIds, expected) => {
	const noon = Date.parse('2026-01-31T12:00:00Z');
	const user = { id: 'u', userName: 'ana', attributes: { meta: { created } }, groupIds };
	expect(wasThereBefore(user, noon)).toBe(expected);
});
