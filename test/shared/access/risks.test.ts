import { type Change } from '../../../nodes/shared/access/changes/change';
import { heldValue } from '../../../nodes/shared/access/changes/diff';
import { riskyIn } from '../../../nodes/shared/access/guards/risks';
import { readUser } from '../../../nodes/shared/scim/protocol/resource';
import { PROFILES } from '../../../nodes/shared/scim/protocol/presets';
import { CHANGE, ofAccount, ofGroups, ofValue, person } from '../../support/plans';

const [ana, eve] = [person('ana'), person('eve')];
const newcomer = { key: 'new', userName: 'new' };
const seen = readUser({
	...{ id: 'ana', userName: 'ana@example.com', active: true, externalId: 'HR-1' },
	emails: [{ value: 'ana@example.com', primary: true }, { value: 'ana@home.test' }],
	roles: [{ value: 'editor' }],
})!;
const was = readUser({ id: 'eve', active: false });

const update = (attributes: object, who = ana): Change =>
	ofAccount('there', 'there', { attributes: { ...attributes }, person: who });
const create = (attributes: object): Change =>
	ofAccount('absent', 'active', { attributes: { ...attributes }, person: newcomer });
const [ADMIN, MEMBER] = ['org-1:Admin', 'org-1:member'];
const value = (text: string): Change => ({
	...ofValue(true),
	after: [heldValue({ attribute: 'roles', value: text })],
});
const [SHUT_OUT, LET_IN] = [ofAccount('active', 'inactive'), ofAccount('inactive', 'active')];
const deletion: Change = {
	...{ ...CHANGE, about: 'group', subject: 'g', groupId: 'g', members: [ana] },
	...{ before: 'there', after: 'absent' },
};

const facts = {
	profile: PROFILES.generic,
	userSeen: (id: string) => ({ ana: seen, eve: was })[id],
	sizeOf: (groupId: string) => (groupId === 'unknown' ? undefined : 11),
};
const kindsOf = (changes: Change[]) =>
	[...riskyIn(changes, facts)].flatMap(([kind, people]) => (people.size > 0 ? [kind] : []));

it.each<[string, Change, string[]]>([
	['a grant', ofGroups([], [MEMBER]), []],
	['an admin', ofGroups([], [ADMIN]), ['gainsOfAdmin']],
	['a promotion', ofGroups([MEMBER], [ADMIN]), ['gainsOfAdmin', 'roleChanges']],
	['a removal', ofGroups([ADMIN], []), ['lossesOfAccess']],
	['a value', value('editor'), []],
	['a deletion', ofAccount('active', 'absent'), ['lossesOfAccess']],
	['a deactivation', SHUT_OUT, ['deactivations']],
	['the same as an update', { ...SHUT_OUT, attributes: { active: false } }, ['deactivations']],
	['an activation', LET_IN, ['reactivations']],
	['one of who is active', ofAccount('active', 'active', { attributes: { active: true } }), []],
	[
		'one where only the user says it',
		ofAccount('there', 'active', { attributes: { active: true }, person: eve }),
		['reactivations'],
	],
	['a create', create({}), ['creates']],
	['a create of an admin', create({ roles: [{ value: 'admin' }] }), ['creates', 'gainsOfAdmin']],
	['a new admin', ofGroups([MEMBER], [ADMIN], newcomer), ['gainsOfAdmin']],
	['a deleted group', deletion, ['lossesOfAccess']],
])('%s', (_, change, kinds) => {
	expect(kindsOf([change])).toEqual(kinds);
});

it.each<[boolean, object]>([
	[true, { userName: 'eve@example.com' }],
	[true, { USERNAME: 'eve@example.com' }],
	[true, { 'urn:ietf:params:scim:schemas:core:2.0:User:userName': 'ana@example.com' }],
	[true, { emails: [{ value: 'ana@example.com', primary: true }] }],
	[true, { 'emails[type eq "work"].value': 'eve@example.com' }],
	[false, { userName: 'ANA@example.com', title: 'x' }],
	[false, { emails: [{ value: 'ana@home.test' }, { value: 'Ana@Example.com', primary: true }] }],
	[false, { emailsSeen: 'x', displayName: 'eve@example.com' }],
])('who a person is changes: %p for %j', (expected, attributes) => {
	expect(kindsOf([update(attributes)]).includes('identityChanges')).toBe(expected);
});

it('of a user who was not read, every name is another one', () => {
	expect(kindsOf([update({ externalId: 'HR-1' }, person('cid'))])).toEqual(['identityChanges']);
});

it.each<[string, number, number]>([
	['g', 12, 12],
	['g', 11, 0],
	['unknown', 12, 0],
])('%s of eleven gets %i: %i count', (groupId, added, count) => {
	const changes = Array.from({ length: added }, (_, at) =>
		ofGroups([], [groupId], person(`p${at}`)),
	);
	expect(riskyIn(changes, facts).get('membersAdded')?.size).toBe(count);
});
