import { TRAITS, type Traits } from '../../../../nodes/shared/scim/protocol/traits';

const read = (name: keyof Traits, entered: unknown) => TRAITS[name].override?.read(entered);

it.each<[keyof Traits, unknown, unknown]>([
	['hasGroups', 'no', false],
	['hasGroups', 'default', undefined],
	['hasGroups', true, undefined],
	['memberRemoval', 'default', undefined],
	['membersPerRequest', '50', 50],
	['membersPerRequest', 0, undefined],
	['accessAttributes', 'NONE, none', []],
	['accessAttributes', 'URN:ietf:params:scim:schemas:core:2.0:user:roles', ['roles']],
	['accessAttributes', 'idNumber, groupsOfMine', ['idNumber', 'groupsOfMine']],
])('under Override Profile %s %j is taken as %j', (name, entered, expected) => {
	expect(read(name, entered)).toEqual(expected);
});

it.each([
	'Groups.value',
	'USERNAME',
	'urn:ietf:params:scim:schemas:core:2.0:User:id',
	'URN:example:2.0:USER',
])('%s is no attribute that holds access', (entered) => {
	expect(() => read('accessAttributes', entered)).toThrow('no attribute that holds access');
});
