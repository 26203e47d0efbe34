import { keptOnly, knownAttributes } from '../../../../nodes/shared/scim/protocol/schema';
import { SCHEMA } from '../../../../nodes/shared/scim/protocol/resource';

const EXTENSION = 'urn:example:2.0:User';

it('without a schema of users every attribute counts as known', () => {
	for (const schemas of [[], [{ id: EXTENSION, attributes: [] }], [{ id: SCHEMA.user }]]) {
		expect(knownAttributes(schemas).knows('title')).toBe(true);
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
	expect(knownAttributes(schemas).knows(name)).toBe(isKnown);
});

it.each([
	['PIN', true],
	['secret', true],
	['title', false],
	[`${EXTENSION}:pin`, true],
	[`${SCHEMA.user}:pin`, false],
	['', false],
])('by the schemas of a service, %j is taken and never shown: %p', (name, isHidden) => {
	const attributes = [
		{ name: 'pin', mutability: 'writeOnly' },
		{ NAME: 'Secret', returned: 'never' },
	];
	const schemas = [SCHEMA.user.toUpperCase(), EXTENSION].map((id) => ({
		...{ id, attributes: [...attributes, { name: 'title' }, null] },
	}));
	expect(knownAttributes([...schemas, {}]).hides(name)).toBe(isHidden);
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
