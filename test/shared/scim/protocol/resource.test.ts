import {
	attribute,
	readGroup,
	readUser,
	valueAt,
} from '../../../../nodes/shared/scim/protocol/resource';

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

	it.each([
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
		[1, undefined],
	])('active %j is read as %j', (active, expected) => {
		const read = readUser({ id: 'user-1', active });
		expect(read?.active).toBe(expected);
		expect(Object.hasOwn(read ?? {}, 'active')).toBe(expected !== undefined);
	});

	it('names in other case', () => {
		expect(
			readUser({ ID: 'user-1', username: 'ana@example.com', Active: 'False', GROUPS: ['g'] }),
		).toMatchObject({ id: 'user-1', userName: 'ana@example.com', active: false, groupIds: ['g'] });
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
	])('groups as %s', (_, groups, expected) => {
		expect(readUser({ id: 'user-1', groups })?.groupIds).toEqual(expected);
	});

	it('a service that does not show groups says nothing of them', () => {
		expect(readUser({ id: 'user-1' })?.groupIds).toBeUndefined();
	});

	it('an id that is a number', () => {
		expect(readUser({ id: 17 })?.id).toBe('17');
	});

	it.each([
		undefined,
		null,
		'',
		'user-1',
		7,
		[],
		[{ id: 'user-1' }],
		{},
		{ id: '' },
		{ id: ' ' },
		{ id: null },
		{ id: {} },
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

describe('readGroup', () => {
	it('reads members once each', () => {
		expect(
			readGroup({
				id: 'g',
				displayName: 'Group',
				members: [
					{ value: 'user-1', display: 'ana@example.com' },
					{ value: 'user-2' },
					{ value: 'user-1', display: 'ana@example.com' },
				],
			}),
		).toMatchObject({
			id: 'g',
			displayName: 'Group',
			members: [{ id: 'user-1', display: 'ana@example.com' }, { id: 'user-2' }],
		});
	});

	it('a group that shows no members is told from an empty one', () => {
		expect(readGroup({ id: 'g' })?.members).toBeUndefined();
		expect(readGroup({ id: 'g', members: null })?.members).toBeUndefined();
		expect(readGroup({ id: 'g', members: [] })?.members).toStrictEqual([]);
	});

	it('tells groups among the members apart', () => {
		const group = readGroup({
			id: 'g',
			members: [
				{ value: 'user-1', type: 'User' },
				{ value: 'g-2', Type: 'group' },
				{ value: 'g-3', $ref: 'https://scim.example.com/v2/Groups/g-3' },
				{ value: 'g-4', $ref: '../groups/g-4' },
				{ value: 'user-3', $ref: 'https://scim.example.com/v2/Users/user-3' },
				{ value: 'user-2' },
			],
		});
		expect(group?.members?.map(({ id }) => id)).toEqual(['user-1', 'user-3', 'user-2']);
		expect(group?.nested).toEqual(['g-2', 'g-3', 'g-4']);
	});

	it('says nothing of what was not sent', () => {
		const body = { id: 'g', members: [{ value: 'user-1' }, { value: '' }, {}] };
		const expected = { id: 'g', displayName: 'g', members: [{ id: 'user-1' }], attributes: body };
		expect(readGroup(body)).toStrictEqual(expected);
	});

	it.each([undefined, [{ id: 'g' }], {}, { id: ' ' }])('%j is no group', (body) => {
		expect(readGroup(body)).toBeUndefined();
	});

	it('one member as one object', () => {
		expect(readGroup({ id: 'g', Members: { Value: 'user-1' } })?.members).toEqual([
			{ id: 'user-1' },
		]);
	});

	it('without a name is called by its id', () => {
		expect(readGroup({ id: 'g' })?.displayName).toBe('g');
	});
});

describe('attribute', () => {
	it('the exact name wins over one in other case', () => {
		expect(attribute({ USERNAME: 'a', userName: 'b' }, 'userName')).toBe('b');
	});

	it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
		'%s is not there unless it was sent',
		(name) => {
			expect(attribute({}, name)).toBeUndefined();
		},
	);

	it('counts where it was sent, and the first of two in other case', () => {
		expect(attribute({ USERNAME: 'a', username: 'b', userNames: 'c' }, 'userName')).toBe('a');
		expect(attribute(Object.create({ USERNAME: 'a' }), 'userName')).toBeUndefined();
	});

	it('of something that is no object is nothing', () => {
		expect(attribute([1], 'length')).toBeUndefined();
		expect(attribute('text', 'length')).toBeUndefined();
		expect(attribute(null, 'id')).toBeUndefined();
	});
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
