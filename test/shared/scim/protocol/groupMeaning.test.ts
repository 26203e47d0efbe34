import {
	groupMeaning,
	type GroupPattern,
	normalizeOrganization,
	type OrganizationRole,
} from '../../../../nodes/shared/scim/protocol/groupMeaning';

const byId = (text: string, roles: GroupPattern['roles'] = []) =>
	groupMeaning({ text, on: 'id', roles });
const byName = (text: string, roles: GroupPattern['roles'] = []) =>
	groupMeaning({ text, on: 'displayName', roles });

it.each([
	['org-3454', 'org-3454'],
	[' WhyLabs-org-3454 ', 'org-3454'],
	['whylabs-demo', 'whylabs-demo'],
	['my-whylabs-org-1', 'my-whylabs-org-1'],
])('the organization %j is %j without the prefix of answers', (id, normal) => {
	expect(normalizeOrganization(id)).toBe(normal);
});

it('without a pattern groups stand for themselves alone, and an error says what to do', () => {
	const plain = groupMeaning();
	expect([plain.standsFor, plain.isOrganization('any')]).toEqual(['nothing', true]);
	expect(plain.parse('org-1:admin', 'org-1:admin')).toBeUndefined();
	expect(plain.readings('org-1:admin', 'org-1:admin')).toStrictEqual([]);
	expect([' org-1:admin ', 'org-1:ADMIN'].map(plain.key)).toEqual(['org-1:admin', 'org-1:ADMIN']);
	const place = { organization: 'org-1', role: 'admin' };
	for (const refused of [plain.requirePattern, plain.placeKey, plain.format]) {
		expect(() => refused(place)).toThrow(/does not say which organization and role a group/);
	}
});

const said = (place?: OrganizationRole) =>
	place ? `${place.organization} | ${place.role}` : 'plain';

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

	const GRP = 'grp/{organization}/{role}/x';
	it.each<[string, string, string]>([
		[GRP, 'grp/org-1/admin', 'plain'],
		[GRP, 'grp/ /admin/x', 'plain'],
		[GRP, 'GRP/org-1/admin/x', 'plain'],
		[GRP, 'org-1/admin/x', 'plain'],
		[GRP, 'grp//admin/x', 'plain'],
		[GRP, 'grp/org-1//x', 'plain'],
		[GRP, 'grp/x', 'plain'],
		[GRP, 'grp/', 'plain'],
		// Roles stay as the service writes them, and the case of IDs counts.
		['{organization}:{role}', 'org-1:Read-Only', 'org-1 | Read-Only'],
		['{organization}:{role}', 'org-1: x', 'org-1 |  x'],
		['app-{organization}:{role}', 'APP-sales:admin', 'plain'],
		['{organization}-{role}', ' org-1-admin ', 'org-1 | admin'],
		['{organization}-{role}', 'org-1-owner', 'plain'],
	])('%s reads %s as %s', (pattern, id, place) => {
		expect(said(byId(pattern, ['admin']).parse(id))).toBe(place);
	});

	it.each([
		...['', 'group', '{organization}', '{role}', '{organization}{role}', ' '],
		...['{organization}:{organization}', '{role}:{role}', '{organization}:{role}:{role}'],
		'{org}:{role}',
	])('%j is none', (pattern) => {
		expect(() => byId(pattern)).toThrow(`"${pattern}" is not a group pattern`);
	});

	it('compares roles in any case, but not ids', () => {
		const made = byId('{organization}:{role}');
		const key = made.placeKey({ organization: 'org-1', role: 'Read-Only' });
		expect(made.placeKey({ organization: 'whylabs-org-1', role: 'read-only' })).toBe(key);
		expect(made.placeKey({ organization: 'Org-1', role: 'Read-Only' })).not.toBe(key);
		const ids = [' org-1:Owner ', 'org-1:owner', 'whylabs-org-1:owner'];
		expect(ids.map(made.key)).toEqual(ids.map((id) => id.trim()));
		expect(() => made.requirePattern()).not.toThrow();
		expect(made.isOrganization('any')).toBe(true);
	});

	it('takes an organization for text, whatever it says, and a role without blanks', () => {
		expect(byId('{organization}:{role}').format({ organization: '{role}$&', role: ' X ' })).toBe(
			'{role}$&:X',
		);
	});
});

describe('a pattern on display names', () => {
	const APP = 'app-{organization}-{role}';
	const ROLES = ['read-only', 'admin', 'Éditeur'];
	const IN = '({role}) in {organization}!';

	it('needs the display name, and leaves ids alone', () => {
		const made = byName(APP, ROLES);
		expect(made.standsFor).toBe('displayName');
		expect(made.parse('app-sales-admin')).toBeUndefined();
		expect(made.readings('app-sales-admin')).toStrictEqual([]);
		expect(made.readings('1', 'app-sales-read-only').map(said)).toEqual([
			...['sales | read-only', 'sales-read | only'],
		]);
		expect(made.format({ organization: ' sales', role: 'admin' })).toBe('app-sales-admin');
		expect(made.key(' app-sales-admin ')).toBe('app-sales-admin');
		const key = made.placeKey({ organization: 'büro', role: 'admin' });
		expect(made.placeKey({ organization: 'BU\u0308RO', role: 'Admin' })).toBe(key);
		expect(made.placeKey({ organization: 'büro', role: 'owner' })).not.toBe(key);
	});

	it.each<[string, string, string[], string, string]>([
		['an organization with the separator', APP, ROLES, 'app-a-b-admin', 'a-b | admin'],
		['both with the separator', APP, ROLES, 'app-a-b-read-only', 'a-b | read-only'],
		['another case of all', APP, ROLES, 'APP-Sa-EM-READ-Only', 'Sa-EM | READ-Only'],
		['one reading, whose role is not listed', APP, ROLES, 'app-a-owner', 'a | owner'],
		['blanks around it', APP, ROLES, ' app-a-admin ', 'a | admin'],
		['any case beyond ASCII', APP, ROLES, 'app-büro-ost-ÉDITEUR', 'büro-ost | ÉDITEUR'],
		['combined characters', APP, ROLES, 'app-bu\u0308-ro-E\u0301diteur', 'bü-ro | Éditeur'],
		['the prefix of answers', APP, ROLES, 'app-whylabs-org-1-admin', 'org-1 | admin'],
		['two readings, none of a listed role', APP, ROLES, 'app-a-b-owner', 'plain'],
		['two readings, both of listed roles', APP, ['read-only', 'only'], 'app-a-read-only', 'plain'],
		['two readings, without roles', APP, [], 'app-a-read-only', 'plain'],
		['one reading, without roles', APP, [], 'app-a-admin', 'a | admin'],
		['no role', APP, ROLES, 'app-sales-', 'plain'],
		['no organization', APP, ROLES, 'app--admin', 'plain'],
		['another beginning', APP, ROLES, 'my-app-sales-admin', 'plain'],
		['nothing between', APP, ROLES, 'app-', 'plain'],
		['nothing', APP, ROLES, '', 'plain'],
		['a role in front', '{role} of {organization}', ['head'], 'Head of A of B', 'A of B | Head'],
		['blanks around a role and an organization', IN, [], '(Head ) in  Arts !', 'Arts | Head'],
		['a blank role', IN, [], '( ) in Arts!', 'plain'],
		['a blank organization', IN, [], '(Head) in  !', 'plain'],
		['a combined pattern', 'bu\u0308ro {organization}: {role}', [], 'b\u00fcro A: b', 'A | b'],
	])('%s', (_, pattern, roles, displayName, place) => {
		expect(said(byName(pattern, roles).parse('1', displayName))).toBe(place);
	});
});
