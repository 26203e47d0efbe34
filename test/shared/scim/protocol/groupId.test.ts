import { InputError } from '../../../../nodes/shared/util/inputError';
import { groupIds, normalizeOrganization } from '../../../../nodes/shared/scim/protocol/groupId';

const ids = groupIds('{organization}:{role}');

describe('normalizeOrganization', () => {
	it.each([
		['org-3454', 'org-3454'],
		[' org-3454 ', 'org-3454'],
		['whylabs-org-3454', 'org-3454'],
		['WhyLabs-org-3454', 'org-3454'],
		['whylabs-demo', 'whylabs-demo'],
		['my-whylabs-org-1', 'my-whylabs-org-1'],
	])('%j', (id, normal) => {
		expect(normalizeOrganization(id)).toBe(normal);
	});
});

describe('account organizations', () => {
	it.each([
		['org-1:admin', 'org-1', 'admin'],
		['whylabs-org-1:admin', 'org-1', 'admin'],
		['whylabs-org-1:ADMIN', 'org-1', 'admin'],
		[' org-1:Viewer ', 'org-1', 'viewer'],
		['a:b:member', 'a:b', 'member'],
	])('reads %j', (id, organization, role) => {
		expect(ids.parse(id)).toEqual({ organization, role });
	});

	it.each(['', ':', 'org-1', 'org-1:', ':admin', 'group 7'])('%j is of another kind', (id) => {
		expect(ids.parse(id)).toBeUndefined();
	});

	it('makes an id that is read back as the same', () => {
		const id = ids.format({ organization: 'whylabs-org-1', role: ' Admin ' });
		expect(id).toBe('org-1:admin');
		expect(ids.parse(id)).toEqual({ organization: 'org-1', role: 'admin' });
	});

	it('inserts what looks like a replacement pattern as it is', () => {
		expect(ids.format({ organization: 'org-$&', role: "$'" })).toBe("org-$&:$'");
	});

	it('the ids of one group are equal, others are not', () => {
		const key = ids.key('org-1:admin');
		expect(ids.key('whylabs-org-1:admin')).toBe(key);
		expect(ids.key(' whylabs-org-1:ADMIN')).toBe(key);
		expect(ids.key('org-1:member')).not.toBe(key);
		expect(ids.key('org-2:admin')).not.toBe(key);
		expect(ids.key('org-1')).not.toBe(key);
	});
});

describe('no pattern', () => {
	const plain = groupIds('');

	it('ids say nothing but themselves', () => {
		expect(plain.parse('org-1:admin')).toBeUndefined();
		expect(plain.key(' org-1:admin ')).toBe('org-1:admin');
		expect(plain.key('org-1:ADMIN')).not.toBe(plain.key('org-1:admin'));
	});

	it('none can be made, and the error says what to do', () => {
		expect(() => plain.format({ organization: 'org-1', role: 'admin' })).toThrow(InputError);
		expect(() => plain.format({ organization: 'org-1', role: 'admin' })).toThrow(
			/does not say which organization and role a group stands for/,
		);
	});
});

describe('patterns', () => {
	it.each([
		['{organization}:{role}', 'org-1:admin'],
		['{role}@{organization}', 'admin@org-1'],
		['{role}-{organization}', 'admin-org-1'],
		['{organization}-{role}', 'org-1-admin'],
		['grp/{organization}/{role}/x', 'grp/org-1/admin/x'],
		['a{organization}b{role}', 'aorg-1badmin'],
		['{organization} as {role}', 'org-1 as admin'],
	])('%s makes %s and reads it back', (pattern, id) => {
		const made = groupIds(pattern);
		expect(made.format({ organization: 'org-1', role: 'admin' })).toBe(id);
		expect(made.parse(id)).toEqual({ organization: 'org-1', role: 'admin' });
	});

	it.each(['grp/org-1/admin', 'org-1/admin/x', 'grp//admin/x', 'grp/org-1//x', 'grp/x'])(
		'%s is not of grp/{organization}/{role}/x',
		(id) => {
			expect(groupIds('grp/{organization}/{role}/x').parse(id)).toBeUndefined();
		},
	);

	it.each([
		'group',
		'{organization}',
		'{role}',
		'{organization}{role}',
		'{organization}:{organization}',
		'{role}:{role}',
		'{organization}:{role}:{role}',
		'{org}:{role}',
		' ',
	])('%j is none', (pattern) => {
		expect(() => groupIds(pattern)).toThrow(`"${pattern}" is not a group ID pattern`);
	});
});
