import {
	changeMembers,
	patchBody,
	replaceAttributes,
	wholeGroup,
	type PatchOperation,
} from '../../../../nodes/shared/scim/protocol/patch';
import type { Traits } from '../../../../nodes/shared/scim/protocol/traits';

const URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const user = (value: string) => ({ value });

it('a PATCH has an operation for each path, the parts of a complex attribute one by one', () => {
	const attributes = { active: false, name: { givenName: 'Ana', familyName: 'B' } };
	const others = { [URN]: { department: 'HR' }, emails: [user('a@x')], nickName: null };
	expect(patchBody(replaceAttributes({ ...attributes, ...others }))).toEqual({
		schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
		Operations: [
			{ op: 'replace', path: 'active', value: false },
			{ op: 'replace', path: 'name.givenName', value: 'Ana' },
			{ op: 'replace', path: 'name.familyName', value: 'B' },
			{ op: 'replace', path: `${URN}:department`, value: 'HR' },
			{ op: 'replace', path: 'emails', value: [user('a@x')] },
			{ op: 'remove', path: 'nickName' },
		],
	});
});

const add = (...ids: string[]): PatchOperation => ({
	...{ op: 'add', path: 'members', value: ids.map(user) },
});
const remove = (path: string, ...ids: string[]): PatchOperation => ({
	...{ op: 'remove', path, ...(ids.length > 0 && { value: ids.map(user) }) },
});

it.each<[string, string[], string[], Traits['memberRemoval'], PatchOperation[]]>([
	['adds come before removals', ['a'], ['b'], 'valueList', [add('a'), remove('members', 'b')]],
	['several are one list', [], ['a', 'b'], 'valueList', [remove('members', 'a', 'b')]],
	[
		'or one path for each',
		['a', 'b'],
		['a', 'a"b'],
		'filterPath',
		[add('a', 'b'), remove('members[value eq "a"]'), remove('members[value eq "a\\"b"]')],
	],
	// `remove` with path `members` and no value empties the group on some servers.
	['nobody to remove is no operation', ['a'], [], 'valueList', [add('a')]],
	['nor is it by path', ['a'], [], 'filterPath', [add('a')]],
])('members: %s', (_, added, removed, form, operations) => {
	expect(changeMembers(added.map(user), removed, form).Operations).toEqual(operations);
});

it('a whole group names the schemas of its extensions alone', () => {
	const attributes = { 'URN:x:Group': {}, 'x:urn:y': 1 };
	expect(wholeGroup({ attributes, nested: [] }, [])).toEqual({
		...attributes,
		schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group', 'URN:x:Group'],
		members: [],
	});
});
