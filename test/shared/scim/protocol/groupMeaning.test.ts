import { InputError } from '../../../../nodes/shared/util/inputError';
import {
	groupMeaning,
	type GroupPattern,
	normalizeOrganization,
} from '../../../../nodes/shared/scim/protocol/groupMeaning';
import { PROFILES } from '../../../../nodes/shared/scim/protocol/presets';

const ids = PROFILES.accountOrganizations.groups();

const byId = (text: string, roles: GroupPattern['roles'] = []) =>
	groupMeaning({ text, on: 'id', roles });
const byName = (text: string, roles: GroupPattern['roles'] = []) =>
	groupMeaning({ text, on: 'displayName', roles });

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
	const plain = groupMeaning();

	it('groups stand for themselves alone', () => {
		expect(plain.standsFor).toBe('nothing');
		expect(plain.parse('org-1:admin', 'org-1:admin')).toBeUndefined();
		expect(plain.readings('org-1:admin', 'org-1:admin')).toStrictEqual([]);
		expect(plain.key(' org-1:admin ')).toBe('org-1:admin');
		expect(plain.key('org-1:ADMIN')).not.toBe(plain.key('org-1:admin'));
	});

	it('none can be made, and the error says what to do', () => {
		expect(() => plain.requirePattern()).toThrow(InputError);
		expect(() => ids.requirePattern()).not.toThrow();
		expect(() => plain.placeKey({ organization: 'org-1', role: 'admin' })).toThrow(InputError);
		expect(() => plain.format({ organization: 'org-1', role: 'admin' })).toThrow(
			/does not say which organization and role a group stands for/,
		);
	});
});

describe('a pattern on ids', () => {
	it.each([
		['{organization}:{role}', 'org-1:admin'],
		['{role}@{organization}', 'admin@org-1'],
		['{organization}_{role}', 'org-1_admin'],
		['grp/{organization}/{role}/x', 'grp/org-1/admin/x'],
		['a{organization}b{role}', 'aorg-1badmin'],
		['{organization} as {role}', 'org-1 as admin'],
		['e\u0301{organization}:{role}', 'e\u0301org-1:admin'],
	])('%s makes %s and reads it back', (pattern, id) => {
		const made = byId(pattern);
		expect(made.standsFor).toBe('id');
		expect(made.format({ organization: 'org-1', role: 'admin' })).toBe(id);
		expect(made.parse(id)).toEqual({ organization: 'org-1', role: 'admin' });
		expect(made.parse('other', id)).toBeUndefined();
	});

	it.each([
		'grp/org-1/admin',
		'grp/ /admin/x',
		'GRP/org-1/admin/x',
		'org-1/admin/x',
		'grp//admin/x',
		'grp/org-1//x',
		'grp/x',
		'grp/',
	])('%s is not of grp/{organization}/{role}/x', (id) => {
		expect(byId('grp/{organization}/{role}/x').parse(id)).toBeUndefined();
	});

	it.each([
		'',
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
		expect(() => byId(pattern)).toThrow(`"${pattern}" is not a group pattern`);
	});

	it('keeps roles as the service writes them, and compares them in any case, but not ids', () => {
		const made = byId('{organization}:{role}');
		expect(made.parse('org-1:Read-Only')).toEqual({ organization: 'org-1', role: 'Read-Only' });
		expect(made.format({ organization: 'org-1', role: ' Read-Only ' })).toBe('org-1:Read-Only');
		expect(made.parse('org-1: x')).toEqual({ organization: 'org-1', role: ' x' });
		const [one, other] = ['Read-Only', 'read-only'].map((role) => ({
			organization: 'org-1',
			role,
		}));
		expect(made.placeKey(one)).toBe(made.placeKey(other));
		expect(made.placeKey({ ...one, organization: 'Org-1' })).not.toBe(made.placeKey(one));
		expect(made.placeKey({ ...one, organization: 'whylabs-org-1' })).toBe(made.placeKey(one));
		expect(made.key('org-1:Read-Only')).not.toBe(made.key('org-1:read-only'));
		expect(made.key('whylabs-org-1:owner')).not.toBe(made.key('org-1:owner'));
	});

	it('reads ids in their own case: APP- is not app-', () => {
		expect(byId('app-{organization}:{role}').parse('APP-sales:admin')).toBeUndefined();
	});

	it('an id that two readings leave open is a plain group, with a key of its own', () => {
		const made = byId('{organization}-{role}', ['admin']);
		expect(made.parse('org-1-admin')).toEqual({ organization: 'org-1', role: 'admin' });
		expect(made.parse('org-1-owner')).toBeUndefined();
		expect(made.key(' org-1-owner ')).toBe('org-1-owner');
	});

	it('takes an organization for text, whatever it says', () => {
		expect(byId('{organization}:{role}').format({ organization: '{role}$&', role: 'x' })).toBe(
			'{role}$&:x',
		);
	});
});

describe('a pattern on display names', () => {
	const made = byName('app-{organization}-{role}', ['read-only', 'admin', 'Éditeur']);

	it('needs the display name', () => {
		expect(made.standsFor).toBe('displayName');
		expect(made.parse('app-sales-admin')).toBeUndefined();
		expect(made.readings('app-sales-admin')).toStrictEqual([]);
		expect(made.parse('0b1c', 'app-sales-admin')).toEqual({ organization: 'sales', role: 'admin' });
	});

	it('makes the display name, and leaves ids alone', () => {
		expect(made.format({ organization: 'sales', role: 'admin' })).toBe('app-sales-admin');
		expect(made.key(' app-sales-admin ')).toBe('app-sales-admin');
	});

	it('a name that can be read in two ways is decided by the roles', () => {
		expect(made.readings('1', 'app-sales-read-only')).toEqual([
			{ organization: 'sales', role: 'read-only' },
			{ organization: 'sales-read', role: 'only' },
		]);
		expect(made.parse('1', 'app-sales-read-only')).toEqual({
			organization: 'sales',
			role: 'read-only',
		});
	});

	it.each([
		['an organization with the separator', 'app-sales-emea-admin', 'sales-emea', 'admin'],
		['both with the separator', 'app-sales-emea-read-only', 'sales-emea', 'read-only'],
		['another case of all', 'APP-Sales-EMEA-READ-Only', 'Sales-EMEA', 'READ-Only'],
		['one reading, whose role is not listed', 'app-sales-owner', 'sales', 'owner'],
		['blanks around it', ' app-sales-admin ', 'sales', 'admin'],
		['letters beyond ASCII in any case', 'app-büro-ost-ÉDITEUR', 'büro-ost', 'ÉDITEUR'],
		['combined characters', 'app-bu\u0308ro-ost-E\u0301diteur', 'büro-ost', 'Éditeur'],
		['the prefix of answers', 'app-whylabs-org-1-admin', 'org-1', 'admin'],
	])('%s', (_, displayName, organization, role) => {
		expect(made.parse('1', displayName)).toEqual({ organization, role });
	});

	it.each([
		['two readings, none of a listed role', 'app-sales-emea-owner'],
		['no role', 'app-sales-'],
		['no organization', 'app--admin'],
		['another beginning', 'my-app-sales-admin'],
		['nothing between', 'app-'],
		['nothing', ''],
	])('%s: a plain group', (_, displayName) => {
		expect(made.parse('1', displayName)).toBeUndefined();
	});

	it('two listed roles that both fit leave it open', () => {
		const both = byName('app-{organization}-{role}', ['read-only', 'only']);
		expect(both.readings('1', 'app-sales-read-only')).toHaveLength(2);
		expect(both.parse('1', 'app-sales-read-only')).toBeUndefined();
	});

	it('without roles only what reads in one way counts', () => {
		const none = byName('app-{organization}-{role}');
		expect(none.parse('1', 'app-sales-admin')).toEqual({ organization: 'sales', role: 'admin' });
		expect(none.parse('1', 'app-sales-read-only')).toBeUndefined();
	});

	it('reads a name with a role in front', () => {
		const turned = byName('{role} of {organization}', ['head']);
		expect(turned.parse('1', 'Head of Department of Arts')).toEqual({
			organization: 'Department of Arts',
			role: 'Head',
		});
	});

	it('leaves blanks around a role and an organization out', () => {
		const spaced = byName('({role}) in {organization}!');
		const place = { organization: 'Arts', role: 'Head' };
		expect(spaced.parse('1', '(Head ) in  Arts !')).toEqual(place);
		expect(spaced.format({ organization: ' Arts ', role: ' Head ' })).toBe('(Head) in Arts!');
		expect(spaced.parse('1', '( ) in Arts!')).toBeUndefined();
		expect(spaced.parse('1', '(Head) in  !')).toBeUndefined();
	});

	it('takes a pattern with combined characters for the same', () => {
		expect(byName('bu\u0308ro {organization}: {role}').parse('1', 'b\u00fcro A: b')).toEqual({
			organization: 'A',
			role: 'b',
		});
	});

	it('two spellings of one organization and role are one place', () => {
		const key = made.placeKey({ organization: 'büro', role: 'admin' });
		expect(made.placeKey({ organization: 'BU\u0308RO', role: 'Admin' })).toBe(key);
		expect(made.placeKey({ organization: 'büro', role: 'owner' })).not.toBe(key);
	});
});
