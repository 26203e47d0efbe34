import {
	keptOnly,
	knownAttributes,
	requiredAttributes,
} from '../../../../nodes/shared/scim/protocol/knownAttributes';
import { SCHEMA } from '../../../../nodes/shared/scim/protocol/resource';

const EXTENSION = 'urn:example:2.0:User';
const core = (...attributes: unknown[]) => ({ id: SCHEMA.user, attributes });

it('without a schema of users every attribute counts as known', () => {
	for (const schemas of [[], [{ id: EXTENSION, attributes: [] }], [{ id: SCHEMA.user }]]) {
		expect(knownAttributes(schemas)('title')).toBe(true);
	}
});

it.each([
	['userName', true],
	['NAME', true],
	['name.givenName', true],
	['emails[type eq "a.b"].value', true],
	['externalId', true],
	['active', true],
	['title', false],
	['names', false],
	[EXTENSION, true],
	[`${EXTENSION.toUpperCase()}:tier`, true],
	[`${SCHEMA.user}:title`, true],
	[`${EXTENSION}s:tier`, false],
	['urn:example:1.0:User:tier', false],
])('by the schemas of a service, %s is known: %p', (name, isKnown) => {
	const attributes = [{ NAME: 'Username' }, { name: 'Name' }, { name: 'emails' }, null];
	const schemas = [{ Id: SCHEMA.user.toUpperCase(), attributes }, {}, { id: EXTENSION }];
	expect(knownAttributes(schemas)(name)).toBe(isKnown);
});

it.each([
	['userName', true],
	['emails[type eq "work"].value', true],
	['emails.value', true],
	['email', false],
	['', false],
])('where only user names and emails are kept, %p is kept: %p', (name, isKept) => {
	expect(keptOnly(['username', 'emails'])(name)).toBe(isKept);
});

const required = (name: string, more = {}) => ({ name, required: true, ...more });
const complex = (...subAttributes: unknown[]) => required('name', { subAttributes });

it.each<[string, unknown[], string[]]>([
	['an attribute', [required('userName'), { name: 'title' }], ['userName']],
	['not one whose "required" is text', [{ name: 'title', required: 'true' }], []],
	['not one that cannot be written', [required('x', { mutability: 'readOnly' })], []],
	['one that can be set once', [required('x', { mutability: 'immutable' })], ['x']],
	['none that no client gives', ['ID', 'meta', 'schemas'].map((name) => required(name)), []],
	['none without a name', [{ required: true }, null], []],
	['a whole whose part has no name', [complex({ required: true })], ['name']],
	['no part of what has no name', [{ ...complex(required('x')), name: '' }], []],
	['parts', [complex(required('x'), { name: 'y' }, required('z'))], ['name.x', 'name.z']],
	['a whole without required parts', [complex({ name: 'x' })], ['name']],
	['a list as a whole', [{ ...complex(required('x')), multiValued: true }], ['name']],
	['no part of one that is not', [{ ...complex(required('x')), required: false }], []],
])('required of a new user: %s', (_, attributes, names) => {
	const extension = { id: EXTENSION, attributes: [required('tier')] };
	expect(requiredAttributes([extension, core(...attributes)])).toStrictEqual(names);
});

it('without a list of attributes nothing is required', () => {
	expect(requiredAttributes([{ id: SCHEMA.user, attributes: 'userName' }])).toStrictEqual([]);
	expect(requiredAttributes([])).toStrictEqual([]);
});
