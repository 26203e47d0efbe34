import { isScimError } from '../../../../nodes/shared/scim/protocol/error';
import { patchBody } from '../../../../nodes/shared/scim/protocol/patch';
import { resourcePath } from '../../../../nodes/shared/scim/protocol/paths';
import {
	changeMembers,
	createGroup,
	createUser,
	deleteGroup,
	deleteUser,
	patchGroup,
	patchUser,
	replaceMembers,
	replaceUser,
	type WriteRequest,
} from '../../../../nodes/shared/scim/protocol/requests';

const PLACE = { prefix: 'nowhere', memberRemoval: 'filterPath' } as const;
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patch = patchBody([{ op: 'replace', path: 'title', value: 'boss' }]);
const body = { userName: 'ana' };

it.each<[string, WriteRequest, WriteRequest]>([
	['creates a user', createUser(PLACE, body), { method: 'POST', path: ['Users'], body }],
	[
		'changes a user',
		patchUser(PLACE, 'ana', patch),
		{ method: 'PATCH', path: ['Users', 'ana'], body: patch },
	],
	[
		'replaces a user',
		replaceUser(PLACE, 'ana', body),
		{ method: 'PUT', path: ['Users', 'ana'], body },
	],
	['deletes a user', deleteUser(PLACE, 'ana'), { method: 'DELETE', path: ['Users', 'ana'] }],
	['creates a group', createGroup(PLACE, body), { method: 'POST', path: ['Groups'], body }],
	[
		'changes a group',
		patchGroup(PLACE, 'g', patch),
		{ method: 'PATCH', path: ['Groups', 'g'], body: patch },
	],
	['deletes a group', deleteGroup(PLACE, 'g'), { method: 'DELETE', path: ['Groups', 'g'] }],
	[
		'adds and removes people',
		changeMembers(PLACE, 'g', ['ana'], ['ben']),
		{
			method: 'PATCH',
			path: ['Groups', 'g'],
			body: patchBody([
				{ op: 'add', path: 'members', value: [{ value: 'ana' }] },
				{ op: 'remove', path: 'members[value eq "ben"]' },
			]),
		},
	],
	[
		'replaces the people of a group, and keeps all else in it',
		replaceMembers(PLACE, 'g', ['ana'], {
			attributes: { displayName: 'G', 'URN:example:Group': { level: 1 }, 'x:urn:y': 2 },
			nested: ['g2'],
		}),
		{
			method: 'PUT',
			path: ['Groups', 'g'],
			body: {
				schemas: [GROUP, 'URN:example:Group'],
				displayName: 'G',
				'URN:example:Group': { level: 1 },
				'x:urn:y': 2,
				members: [{ value: 'ana' }, { value: 'g2', type: 'Group' }],
			},
		},
	],
])('a request that %s', (_, request, expected) => {
	expect(request).toEqual(expected);
});

it.each([
	['everyRequest', ['scim', 'Users'], ['scim', 'Users', 'ana']],
	['collectionsOnly', ['scim', 'Users'], ['Users', 'ana']],
	['nowhere', ['Users'], ['Users', 'ana']],
] as const)('with /scim in front of %s', (prefix, list, one) => {
	expect(resourcePath(prefix, 'Users')).toEqual(list);
	expect(resourcePath(prefix, 'Users', 'ana')).toEqual(one);
});

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

it.each([
	['an error', { schemas: [ERROR] }, true],
	['one in other case, beside other schemas', { Schemas: [7, 'x', ERROR.toUpperCase()] }, true],
	['a user', { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'] }, false],
	['schemas that are no list', { schemas: ERROR }, false],
	['no schemas', { other: [ERROR] }, false],
	['no schema', { schemas: [] }, false],
	['no object', [ERROR], false],
	['nothing', undefined, false],
])('%s: is it an error of SCIM', (_, answer, isOne) => {
	expect(isScimError(answer)).toBe(isOne);
});
