import { SCHEMA } from '../../../../nodes/shared/scim';
import { userAttributes } from '../../../../nodes/shared/scim/protocol/schema';

const core = (...attributes: unknown[]) => ({ id: SCHEMA.user, attributes });
const shown = (...schemas: unknown[]) =>
	userAttributes(schemas).map(({ path, type }) => `${path} ${type}`);
const ALWAYS = ['userName string', 'externalId string'];

it.each<[string, unknown[], string[]]>([
	['no type', [{ name: 'title' }], ['title string']],
	['a type that there is not', [{ name: 'title', type: 'colour' }], ['title string']],
	[
		'the other types',
		['boolean', 'dateTime', 'decimal', 'reference'].map((type) => ({ name: type, type })),
		['boolean boolean', 'dateTime dateTime', 'decimal number', 'reference string'],
	],
	['what is never shown', [{ name: 'pin', returned: 'Never' }], []],
	[
		'access, and what the service sets',
		['active', 'Groups', 'id', 'META', 'schemas'].map((name) => ({ name })),
		[],
	],
	['a type in other case', [{ name: 'floor', type: 'INTEGER' }], ['floor number']],
	[
		'parts without a type',
		[{ name: 'desk', subAttributes: [{ name: 'row' }] }],
		['desk.row string'],
	],
	['a complex one without parts', [{ name: 'desk', type: 'complex' }], ['desk object']],
	[
		'parts that are no list',
		[{ name: 'desk', type: 'complex', subAttributes: 'row' }],
		['desk object'],
	],
	['one name twice, in other case', [{ name: 'title' }, { name: 'Title' }], ['title string']],
	['a dot in a name', [{ name: 'desk.row' }, { name: 'title' }], ['title string']],
	['a bracket or quote in a name', [{ name: 'a"]' }, { name: 'a b' }, { name: 'a:b' }], []],
	['no name', [{}, null, 7, { name: { toString: 1 } }, { name: '' }, { name: '__proto__' }], []],
	['a list of text', [{ name: 'tags', multiValued: true, type: 'string' }], ['tags array']],
	[
		'a part that is a list',
		[{ name: 'desk', subAttributes: [{ name: 'keys', multiValued: true }] }],
		['desk.keys array'],
	],
	['read-only in other case', [{ name: 'title', mutability: 'READONLY' }], []],
	['a part of $ref', [{ name: 'boss', subAttributes: [{ name: '$ref' }] }], ['boss.$ref string']],
])('%s', (_what, attributes, expected) => {
	expect(shown(core(...attributes))).toEqual([...expected, ...ALWAYS]);
});

it('takes extensions of users, by their URN', () => {
	const attributes = [{ name: 'level', type: 'integer' }, { name: 'id' }];
	const schemas = [
		'urn:okta:profile:1.0:user:custom',
		'urn:example:2.0:Group',
		'urn:example:"x"]:User',
		'user',
	].map((id) => ({ id, attributes }));
	expect(shown(core(), ...schemas)).toEqual([
		...ALWAYS,
		'urn:okta:profile:1.0:user:custom:level number',
		'urn:okta:profile:1.0:user:custom:id string',
	]);
});

it('never offers a password, whatever schema has it', () => {
	const attributes = [
		{ name: 'passWord' },
		{ name: 'login', subAttributes: [{ name: 'password' }] },
		{ name: 'passwordHint' },
	];
	expect(shown(core(...attributes), { id: 'urn:x:User', attributes })).toEqual([
		'passwordHint string',
		...ALWAYS,
		'urn:x:User:passwordHint string',
	]);
});

it.each([
	['nothing', []],
	['something without a schema of users', [{ id: 'urn:x:Group', attributes: [] }, null]],
	['one without attributes', [{ id: SCHEMA.user }]],
])('%s: RFC 7643 says what users have', (_what, schemas) => {
	expect(userAttributes(schemas)).toEqual(userAttributes([]));
	expect(shown()).toEqual(
		expect.arrayContaining([
			...ALWAYS,
			'name.givenName string',
			'emails array',
			`${SCHEMA.enterpriseUser}:manager.value string`,
		]),
	);
});

it('an external ID that cannot be written is not offered', () => {
	expect(shown(core({ name: 'externalId', mutability: 'readOnly' }))).toEqual(['userName string']);
});

it('names what the service suggests', () => {
	const canonicalValues = ['a', 7, null];
	const attributes = [
		{ name: 'one', canonicalValues },
		{ name: 'many', multiValued: true, canonicalValues },
	];
	expect(userAttributes([core(...attributes)]).slice(0, 2)).toEqual([
		{ path: 'one', type: 'string', canonicalValues: ['a', '7'] },
		{ path: 'many', type: 'array', canonicalValues: [] },
	]);
});

it('without a schema of users the extensions beside it count', () => {
	const paths = shown({ id: 'urn:example:User', attributes: [{ name: 'level' }] });
	expect(paths).toContain('name.familyName string');
	expect(paths.at(-1)).toBe('urn:example:User:level string');
});

const typeOf = (schema: string, ...urns: string[]) => ({
	...{ schema, schemaExtensions: urns.map((urn) => ({ schema: urn })) },
});
const GROUPS = typeOf(SCHEMA.group, 'urn:example:Team');

it.each<[string, unknown[], string[]]>([
	[
		'those of users, in whatever case',
		[GROUPS, typeOf(SCHEMA.user.toUpperCase(), 'URN:example:custom')],
		['urn:example:Custom:level'],
	],
	['none where users have none', [{ schema: SCHEMA.user }], []],
	['those that say so where no type is of users', [GROUPS], ['urn:x:User:level']],
	['never core schemas', [typeOf(SCHEMA.user, SCHEMA.user, SCHEMA.group)], []],
])('extensions by resource types are %s', (_what, types, paths) => {
	const schemas = ['urn:example:Custom', 'urn:example:Team', 'urn:x:User', SCHEMA.group].map(
		(id) => ({ id, attributes: [{ name: 'level' }] }),
	);
	const all = userAttributes([core({ name: 'title' }), ...schemas], types);
	expect(all.slice(1 + ALWAYS.length).map(({ path }) => path)).toEqual(paths);
});
