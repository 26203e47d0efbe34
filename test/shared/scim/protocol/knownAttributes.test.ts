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

it.each<[string, unknown[], string[]]>([
	['what is required', [core(required('userName'), { name: 'title' })], ['userName']],
	['not what is said to be so as text', [core(required('title', { required: 'true' }))], []],
	['not what cannot be written', [core(required('x', { mutability: 'readOnly' }))], []],
	['what can be set once', [core(required('x', { mutability: 'immutable' }))], ['x']],
	[
		'nothing that no client gives',
		[core(...['ID', 'meta', 'schemas'].map((x) => required(x)))],
		[],
	],
	['nothing without a name', [core({ required: true }, null)], []],
	['nothing without a list of attributes', [{ id: SCHEMA.user, attributes: 'userName' }], []],
	[
		'nothing of an extension',
		[{ id: EXTENSION, attributes: [required('tier')] }, core(required('userName'))],
		['userName'],
	],
	[
		'the required parts of what has one value',
		[
			core(
				required('name', {
					subAttributes: [required('familyName'), { name: 'x' }, required('givenName')],
				}),
			),
		],
		['name.familyName', 'name.givenName'],
	],
	[
		'a whole without required parts',
		[core(required('name', { subAttributes: [{ name: 'givenName' }] }))],
		['name'],
	],
	[
		'a list as a whole',
		[core(required('emails', { multiValued: true, subAttributes: [required('value')] }))],
		['emails'],
	],
	[
		'no part of what can be left out',
		[core({ name: 'name', subAttributes: [required('familyName')] })],
		[],
	],
])('a new user must have %s', (_, schemas, names) => {
	expect(requiredAttributes(schemas)).toEqual(names);
});
