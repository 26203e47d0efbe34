import {
	requiredAttributes,
	someExtensionRequires,
} from '../../../../nodes/shared/scim/protocol/schema';
import { SCHEMA } from '../../../../nodes/shared/scim/protocol/resource';

const EXTENSION = 'urn:example:2.0:User';
const core = (...attributes: unknown[]) => ({ id: SCHEMA.user, attributes });

const required = (name: string, more = {}) => ({ name, required: true, ...more });
const complex = (...subAttributes: unknown[]) => required('name', { subAttributes });

it.each<[string, unknown[], string[]]>([
	['an attribute', [required('userName'), { name: 'title' }], ['userName']],
	['not one whose "required" is text', [{ name: 'title', required: 'true' }], []],
	['not one that cannot be written', [required('x', { mutability: 'readOnly' })], []],
	['one that can be set once', [required('x', { mutability: 'immutable' })], ['x']],
	['none that no client gives', ['ID', 'meta', 'schemas'].map((name) => required(name)), []],
	['none without a name', [{ required: true }, null], []],
	['none whose name would be another path', [required('a.b'), required('a:b')], []],
	['a whole whose part has no name', [complex({ required: true })], ['name']],
	['no part of what has no name', [{ ...complex(required('x')), name: '' }], []],
	['parts', [complex(required('x'), { name: 'y' }, required('z'))], ['name.x', 'name.z']],
	['a whole without required parts', [complex({ name: 'x' })], ['name']],
	['a list as a whole', [{ ...complex(required('x')), multiValued: true }], ['name']],
	['no part of one that is not', [{ ...complex(required('x')), required: false }], []],
])('required of a new user: %s', (_, attributes, names) => {
	const extension = { id: EXTENSION, attributes: [{ name: 'tier' }] };
	expect(requiredAttributes([extension, core(...attributes)])).toStrictEqual(
		names.map((path) => ({ path })),
	);
});

it('without a list of attributes nothing is required', () => {
	expect(requiredAttributes([{ id: SCHEMA.user, attributes: 'userName' }])).toStrictEqual([]);
	expect(requiredAttributes([])).toStrictEqual([]);
});

const BADGE = 'urn:example:Badge';
const extension = (id: string) => ({ id, attributes: [required('tier'), { name: 'color' }] });
const inUse = (urn: string) => ({ path: `${urn}:tier`, onlyWith: urn });
const typeOf = (schema: string, ...schemaExtensions: unknown[]) => ({ schema, schemaExtensions });
const SAYS = { schema: EXTENSION, required: true };
const badge = (isRequired?: unknown) =>
	typeOf(SCHEMA.user, { schema: BADGE.toUpperCase(), required: isRequired });

it.each<[string, unknown[], object[]]>([
	['without resource types: of those who have one whose URN is of users', [], [inUse(EXTENSION)]],
	['where it need not be there', [badge(false)], [inUse(BADGE)]],
	['where nothing says that it has to be there', [badge()], [inUse(BADGE)]],
	['where only a text says so', [badge('true')], [inUse(BADGE)]],
	['where it has to be there', [typeOf(SCHEMA.user, SAYS)], [{ path: `${EXTENSION}:tier` }]],
	[
		'where another one has to be there',
		[typeOf(SCHEMA.user, SAYS, { schema: BADGE })],
		[{ path: `${EXTENSION}:tier` }, inUse(BADGE)],
	],
	['of groups', [typeOf(SCHEMA.user), typeOf(SCHEMA.group, SAYS)], []],
])('what an extension requires, %s', (_, types, paths) => {
	const schemas = [core(), extension(EXTENSION), extension(BADGE)];
	expect(requiredAttributes(schemas, types)).toStrictEqual(paths);
});

it('the id of an extension is no id of the service', () => {
	const own = { id: EXTENSION, attributes: [required('id')] };
	expect(requiredAttributes([own])).toStrictEqual([
		{ path: `${EXTENSION}:id`, onlyWith: EXTENSION },
	]);
});

it('the resource types matter only where an extension requires something', () => {
	expect(someExtensionRequires([core(required('userName'))])).toBe(false);
	expect(someExtensionRequires([{ id: EXTENSION, attributes: [{ name: 'tier' }] }])).toBe(false);
	expect(someExtensionRequires([core(), extension(EXTENSION)])).toBe(true);
});
