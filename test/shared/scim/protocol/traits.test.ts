import { TRAITS, type Traits } from '../../../../nodes/shared/scim/protocol/traits';

const read = (name: keyof Traits, entered: unknown) => TRAITS[name].override?.read(entered);
const EXTENSION = 'urn:example:2.0:User:appRole';

describe('what is entered under Override Profile', () => {
	it.each<[keyof Traits, unknown, unknown]>([
		['hasGroups', 'yes', true],
		['hasGroups', 'no', false],
		['hasGroups', 'default', undefined],
		['hasGroups', true, undefined],
		['usersShowGroups', 'yes', 'yes'],
		['usersShowGroups', 'unknown', 'unknown'],
		['usersShowGroups', 'default', undefined],
		['memberRemoval', 'valueList', 'valueList'],
		['memberRemoval', 'VALUELIST', undefined],
		['membersPerRequest', 50, 50],
		['membersPerRequest', '50', 50],
		['membersPerRequest', 0, undefined],
		['membersPerRequest', 'many', undefined],
		['accessAttributes', '', undefined],
		['accessAttributes', 'none', []],
		['accessAttributes', 'NONE, none', []],
		['accessAttributes', 'roles, userType', ['roles', 'userType']],
		['accessAttributes', 'Roles, roles', ['roles']],
		['accessAttributes', EXTENSION, [EXTENSION]],
		['accessAttributes', 'urn:ietf:params:scim:schemas:core:2.0:User:roles', ['roles']],
		['accessAttributes', 'URN:ietf:params:scim:schemas:core:2.0:user:roles', ['roles']],
		['accessAttributes', 'idNumber, groupsOfMine', ['idNumber', 'groupsOfMine']],
	])('%s %j is taken as %j', (name, entered, expected) => {
		expect(read(name, entered)).toEqual(expected);
	});

	it.each([
		'groups',
		'Groups.value',
		'userName',
		'active',
		'urn:ietf:params:scim:schemas:core:2.0:User:id',
		'urn:example:2.0:User',
		'URN:example:2.0:USER',
		'roles[type]',
		'roles, none',
	])('%s is no attribute that holds access', (entered) => {
		const words = /^Access Attributes in the credential has ".*", which is no attribute that holds/;
		expect(() => read('accessAttributes', entered)).toThrow(words);
	});
});

it('a field of the credential stands for what alone it overrides', () => {
	expect(TRAITS.hasGroups).toMatchObject({
		otherwise: true,
		override: { displayName: 'Has Groups' },
	});
	expect(TRAITS.prefix).toEqual({ otherwise: 'nowhere' });
});
