import { equals } from '../../../../nodes/shared/scim/protocol/filter';
import {
	changeMembers,
	patchBody,
	removeMembers,
	replaceAttributes,
	wholeGroup,
} from '../../../../nodes/shared/scim/protocol/patch';

describe('patch bodies', () => {
	it('active is a real boolean under a plain path, in an array', () => {
		expect(patchBody(replaceAttributes({ active: false }))).toEqual({
			schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
			Operations: [{ op: 'replace', path: 'active', value: false }],
		});
	});

	it('the parts of a complex attribute go one by one, so the others stay', () => {
		expect(
			replaceAttributes({
				name: { givenName: 'Ana', familyName: 'B' },
				'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'HR' },
				emails: [{ value: 'ana@example.com' }],
				nickName: null,
			}),
		).toEqual([
			{ op: 'replace', path: 'name.givenName', value: 'Ana' },
			{ op: 'replace', path: 'name.familyName', value: 'B' },
			{
				op: 'replace',
				path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
				value: 'HR',
			},
			{ op: 'replace', path: 'emails', value: [{ value: 'ana@example.com' }] },
			{ op: 'remove', path: 'nickName' },
		]);
	});

	it('members are added as a list of values', () => {
		expect(
			changeMembers([{ value: 'user-1' }, { value: 'user-2' }], [], 'valueList').Operations,
		).toEqual([{ op: 'add', path: 'members', value: [{ value: 'user-1' }, { value: 'user-2' }] }]);
	});

	it('members are removed in the form that the service takes', () => {
		expect(removeMembers(['user-1', 'user-2'], 'valueList')).toEqual([
			{ op: 'remove', path: 'members', value: [{ value: 'user-1' }, { value: 'user-2' }] },
		]);
		expect(removeMembers(['user-1', 'a"b'], 'filterPath')).toEqual([
			{ op: 'remove', path: 'members[value eq "user-1"]' },
			{ op: 'remove', path: 'members[value eq "a\\"b"]' },
		]);
	});

	// `remove` with path `members` and no value empties the group on some servers.
	it.each(['valueList', 'filterPath'] as const)('nobody to remove is no operation: %s', (form) => {
		expect(removeMembers([], form)).toStrictEqual([]);
		expect(changeMembers([{ value: 'user-1' }], [], form).Operations).toHaveLength(1);
	});

	it('a whole group names the schemas of its extensions alone', () => {
		const attributes = { 'URN:x:Group': {}, 'x:urn:y': 1 };
		expect(wholeGroup({ attributes, nested: [] }, [])).toEqual({
			...attributes,
			schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group', 'URN:x:Group'],
			members: [],
		});
	});

	it('adds come before removals', () => {
		expect(changeMembers([{ value: 'a' }], ['b'], 'valueList')).toEqual({
			schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
			Operations: [
				{ op: 'add', path: 'members', value: [{ value: 'a' }] },
				{ op: 'remove', path: 'members', value: [{ value: 'b' }] },
			],
		});
	});
});

describe('equals', () => {
	it.each([
		['ana@example.com', 'userName eq "ana@example.com"'],
		["o'neil+x@example.com", 'userName eq "o\'neil+x@example.com"'],
		['a"b\\c', 'userName eq "a\\"b\\\\c"'],
		['zoë@example.com', 'userName eq "zoë@example.com"'],
		['x" or userName pr or userName eq "', 'userName eq "x\\" or userName pr or userName eq \\""'],
	])('quotes %j', (name, filter) => {
		expect(equals('userName', name)).toBe(filter);
	});
});
