import type { Change } from '../../../nodes/shared/access/change';
import { RISK_KINDS, RISKS, riskyIn } from '../../../nodes/shared/access/risks';
import { readUser } from '../../../nodes/shared/scim/protocol/resource';
import { PROFILES } from '../../../nodes/shared/scim/protocol/presets';

const base = { action: '', why: '', parts: [], needs: [], after: [], warnings: [] };
const ana = { key: 'ana', id: 'ana', userName: 'ana@example.com' };
const fresh = { key: 'new@example.com', userName: 'new@example.com' };
const seen = readUser({
	...{ id: 'ana', userName: 'ana@example.com', active: true, externalId: 'HR-1' },
	emails: [{ value: 'ana@example.com', primary: true }, { value: 'ana@home.test' }],
	roles: [{ value: 'editor' }],
})!;

const userChange = (kind: 'create' | 'update', attributes: object, person = ana): Change => ({
	...{ ...base, key: `${kind}-${person.key}`, target: 'user', person },
	...(kind === 'create'
		? { kind, userName: person.userName, ifExists: 'fail' as const }
		: { kind, seenBefore: true }),
	attributes: { ...attributes },
});
const account = (kind: 'activate' | 'deactivate' | 'delete', person = ana): Change => ({
	...{ ...base, key: kind, target: 'user', person },
	...(kind === 'delete' ? { kind, wasActive: true } : { kind, seenBefore: true }),
});
const grant = (
	role: string,
	{ from = [] as string[], person = ana, groupId = 'g' } = {},
): Change => ({
	...{
		...base,
		key: `${person.key} ${groupId}`,
		target: 'membership',
		kind: 'grant',
		person,
		from,
	},
	...{ groupId, place: { organization: 'org-1', role } },
});
const revoke = (newRole?: string): Change => ({
	...{ ...base, key: 'revoke', target: 'membership', kind: 'revoke', person: ana, groupId: 'g' },
	...{ newRole, mayBeGone: false, hidden: false, skipsOtherRole: false },
});
const value = (kind: 'grant' | 'revoke', text: string): Change => ({
	...{ ...base, key: 'value', target: 'value', kind, person: ana, user: seen },
	...{ readAt: { at: 0, pauses: 0 }, value: { attribute: 'roles', value: text } },
});

const facts = {
	profile: PROFILES.generic,
	userSeen: (id: string) => (id === 'ana' ? seen : undefined),
	sizeOf: (groupId: string) => (groupId === 'unknown' ? undefined : 11),
};
const kindsOf = (changes: Change[]) =>
	[...riskyIn(changes, facts)].flatMap(([kind, people]) => (people.size > 0 ? [kind] : []));

it.each<[string, Change, string[]]>([
	['a grant', grant('member'), []],
	['an admin', grant('Admin'), ['gainsOfAdmin']],
	['a move', grant('viewer', { from: ['member'] }), ['roleChanges']],
	['a promotion', grant('admin', { from: ['member'] }), ['gainsOfAdmin', 'roleChanges']],
	['a removal', revoke(), ['lossesOfAccess']],
	['the second half of a move', revoke('viewer'), ['roleChanges']],
	['a value', value('grant', 'editor'), []],
	['a value that is admin', value('grant', 'admin'), ['gainsOfAdmin']],
	['a team and a role in one value', value('grant', 'Team A: admin'), ['gainsOfAdmin']],
	['a value less', value('revoke', 'admin'), ['lossesOfAccess']],
	['a deletion', account('delete'), ['lossesOfAccess']],
	['a deactivation', account('deactivate'), ['deactivations']],
	['the same as an update', userChange('update', { active: false }), ['deactivations']],
	['an activation', account('activate'), ['reactivations']],
	['an update of who is active', userChange('update', { active: true }), []],
	[
		'an update of who was not',
		{ ...userChange('update', { active: true }), activeBefore: false },
		['reactivations'],
	],
	['a create', userChange('create', {}, { ...fresh, id: '' }), ['creates']],
	['an update to admin', userChange('update', { roles: [{ value: 'admin' }] }), ['gainsOfAdmin']],
	[
		'a deleted group',
		{ ...base, key: 'g', target: 'group', kind: 'delete', groupId: 'g', members: [ana] },
		['lossesOfAccess'],
	],
])('%s', (_, change, kinds) => {
	expect(kindsOf([change])).toEqual(kinds);
});

it.each<[boolean, object]>([
	[true, { userName: 'eve@example.com' }],
	[true, { USERNAME: 'eve@example.com' }],
	[true, { 'urn:ietf:params:scim:schemas:core:2.0:User:userName': 'ana@example.com' }],
	[true, { externalId: null }],
	[true, { externalId: 'hr-1' }],
	[true, { emails: null }],
	[true, { emails: [{ value: 'ana@example.com', primary: true }] }],
	[true, { emails: [{ value: 'ana@example.com' }, { value: 'ana@home.test', primary: true }] }],
	[true, { 'emails[type eq "work"].value': 'eve@example.com' }],
	[true, { 'emails.value': 'eve@example.com' }],
	[false, { userName: 'ANA@example.com', title: 'x' }],
	[false, { emails: [{ value: 'ana@home.test' }, { value: 'Ana@Example.com', primary: true }] }],
	[false, { emailsSeen: 'x', displayName: 'eve@example.com' }],
])('who a person is changes: %p for %j', (expected, attributes) => {
	expect(kindsOf([userChange('update', attributes)]).includes('identityChanges')).toBe(expected);
});

it('of whom nothing was read, every name is another one', () => {
	const stranger = { ...ana, key: 'eve', id: 'eve' };
	expect(kindsOf([userChange('update', { externalId: 'HR-1' }, stranger)])).toEqual([
		'identityChanges',
	]);
});

it('people who are created count as such, and where they become admin', () => {
	const { id, ...newcomer } = { ...ana, ...fresh };
	const add = { ...grant('admin', { from: ['member'] }), person: newcomer };
	const create = { ...userChange('create', { roles: [{ value: 'admin' }] }), person: newcomer };
	expect(kindsOf([add])).toEqual(['gainsOfAdmin']);
	expect(kindsOf([create])).toEqual(['creates', 'gainsOfAdmin']);
	expect(id).toBe('ana');
});

it.each<[string, number, number]>([
	['g', 12, 12],
	['g', 11, 0],
	['unknown', 12, 0],
])('%s of eleven gets %i: %i count', (groupId, added, count) => {
	const changes = Array.from({ length: added }, (_, at) =>
		grant('member', { groupId, person: { ...ana, key: `p${at}`, id: `p${at}` } }),
	);
	expect(riskyIn(changes, facts).get('membersAdded')?.size).toBe(count);
});

it('limits hold for the run: whom an earlier part concerned counts on, once', () => {
	const eve = { key: 'eve', id: 'eve', userName: 'eve' };
	const before = riskyIn([account('deactivate'), account('deactivate', eve)], facts);
	const after = riskyIn([account('deactivate')], facts, before);
	expect([...(after.get('deactivations') ?? [])]).toEqual(['ana', 'eve']);
});

it('kinds are listed in the order of their names', () => {
	const names = RISK_KINDS.map((kind) => RISKS[kind].name);
	expect(names).toEqual([...names].sort());
});
