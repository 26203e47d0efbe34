import {
	requiredAttributes,
	someExtensionRequires,
} from '../../../../nodes/shared/scim/protocol/requiredAttributes';
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

describe('what an extension requires', () => {
	const extension = (id: string) => ({ id, attributes: [required('tier'), { name: 'color' }] });
	const inUse = (urn: string) => ({ path: `${urn}:tier`, onlyWith: urn });
	const users = (...schemaExtensions: unknown[]) => ({ schema: SCHEMA.user, schemaExtensions });
	const schemas = [core(), extension(EXTENSION), extension('urn:example:Badge')];

	it('without resource types: of those who have it, where its URN says that it is one of users', () => {
		expect(requiredAttributes(schemas)).toStrictEqual([inUse(EXTENSION)]);
	});

	it.each([false, undefined, 'true'])('where it need not be there (%p), the same', (isRequired) => {
		const type = users({ schema: 'URN:example:badge', required: isRequired });
		expect(requiredAttributes(schemas, [type])).toStrictEqual([inUse('urn:example:Badge')]);
	});

	it('where it has to be there: of everybody', () => {
		const type = users({ schema: EXTENSION, required: true });
		expect(requiredAttributes(schemas, [type])).toStrictEqual([{ path: `${EXTENSION}:tier` }]);
	});

	it('where another one has to be there: of those who have it', () => {
		const badge = 'urn:example:Badge';
		const type = users({ schema: EXTENSION, required: true }, { schema: badge });
		expect(requiredAttributes(schemas, [type])).toStrictEqual([
			...[{ path: `${EXTENSION}:tier` }, inUse(badge)],
		]);
	});

	it('an extension of groups requires nothing of users', () => {
		const groups = {
			schema: SCHEMA.group,
			schemaExtensions: [{ schema: EXTENSION, required: true }],
		};
		expect(requiredAttributes(schemas, [users(), groups])).toStrictEqual([]);
	});

	it('its own id is no id of the service', () => {
		const own = { id: EXTENSION, attributes: [required('id')] };
		expect(requiredAttributes([own])).toStrictEqual([
			{ path: `${EXTENSION}:id`, onlyWith: EXTENSION },
		]);
	});
});

it('the resource types matter only where an extension requires something', () => {
	const extension = { id: EXTENSION, attributes: [required('tier')] };
	expect(someExtensionRequires([core(required('userName'))])).toBe(false);
	expect(someExtensionRequires([{ id: EXTENSION, attributes: [{ name: 'tier' }] }])).toBe(false);
	expect(someExtensionRequires([core(), extension])).toBe(true);
});
