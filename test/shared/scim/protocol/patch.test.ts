import {
	changeMembers,
	patchBody,
	replaceAttributes,
	replaceWhole,
	wholeGroup,
	withoutPaths,
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

const set = (path: string, value: unknown): PatchOperation => ({ op: 'replace', path, value });

it('complex attributes as a whole keep what they had, save what goes', () => {
	const name = { givenName: 'Ana', middleName: null, familyName: 'B' };
	const attributes = { name, job: { x: 1 }, title: 'Lead', [URN]: { department: 'HR' } };
	const current = { Name: { givenName: 'A', middleName: 'M', suffix: 'S' }, job: 'text' };
	expect(replaceWhole(attributes, current)).toEqual([
		set('name', { givenName: 'Ana', suffix: 'S', familyName: 'B' }),
		...[set('job', { x: 1 }), set('title', 'Lead'), set(`${URN}:department`, 'HR')],
	]);
});

it.each<[string, PatchOperation[], PatchOperation[]]>([
	[
		'are one operation, behind the others',
		[set('active', false), set('title', 'x'), set('emails', [])],
		[set('title', 'x'), { op: 'replace', value: { active: false, emails: [] } }],
	],
	['are no parts', [set('a.b', 1), set('urn:x:b', 1)], [set('a.b', 1), set('urn:x:b', 1)]],
	['are no objects', [set('name', {})], [set('name', {})]],
	['are none of a removal', [{ op: 'remove', path: 'a' }], [{ op: 'remove', path: 'a' }]],
])('values without a path %s', (_, operations, made) => {
	expect(withoutPaths(operations)).toEqual(made);
});

it('text goes without a path where that is asked for, and no part nor one value of a list', () => {
	const others = [set('name.givenName', 'A'), set('emails[type eq "work"]', 'x')];
	expect(withoutPaths([...others, set('userName', 'ana'), set('active', true)], true)).toEqual([
		...others,
		{ op: 'replace', value: { userName: 'ana', active: true } },
	]);
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
