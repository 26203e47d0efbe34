import { type Change, type Person } from '../../../nodes/shared/access/changes/change';
import { manyAdded, riskyIn } from '../../../nodes/shared/access/guards/limits';
import { readUser } from '../../../nodes/shared/scim/protocol/resource';
import { PROFILES } from '../../../nodes/shared/scim/protocol/service';
import { deletionOf, ofAccount, ofGroups, person, readChange } from '../../support/plans';

const [ana, boss, eve, cid] = ['ana', 'boss', 'eve', 'cid'].map(person);
const TO_ADMIN = { roles: [{ value: 'admin' }] };
const newcomer = { key: 'new', userName: 'new' };
const seen = readUser({
	...{ id: 'ana', userName: 'ana@example.com', active: true, externalId: 'HR-1' },
	emails: [{ value: 'ana@example.com', primary: true }, { value: 'ana@home.test' }],
	roles: [{ value: 'editor' }],
})!;
const users = new Map([
	['ana', seen],
	['boss', readUser({ id: 'boss', ...TO_ADMIN })],
	['eve', readUser({ id: 'eve', active: false })],
]);

const update = (attributes: object, who: Person = ana): Change =>
	ofAccount('there', 'there', { attributes: { ...attributes }, person: who });
const setActive = (before: 'active' | 'there', active: boolean, who: Person): Change =>
	ofAccount(before, active ? 'active' : 'inactive', { attributes: { active }, person: who });
const create = (attributes: object): Change =>
	ofAccount('absent', 'active', { attributes: { ...attributes }, person: newcomer });
const [ADMIN, MEMBER] = ['org-1:Admin', 'org-1:member'];
const facts = {
	profile: PROFILES.generic,
	userSeen: (id: string) => users.get(id),
	sizeOf: (groupId: string) => ({ empty: 0, one: 1, ten: 10, eleven: 11 })[groupId],
	joinedEarlier: () => [],
};
const kindsOf = (changes: Change[]) =>
	[...riskyIn(changes, facts)].flatMap(([kind, people]) => (people.size > 0 ? [kind] : []));

it.each<[string, string[], Change?]>([
	['ana +member', []],
	['ana +org-1:Admin', ['gainsOfAdmin']],
	['ana -member +org-1:Admin', ['gainsOfAdmin', 'roleChanges']],
	['ana -admin', ['lossesOfAccess']],
	['ana +roles.editor', []],
	['ana +roles.admin', ['gainsOfAdmin']],
	['ana deleted', ['lossesOfAccess']],
	['ana deactivated', ['deactivations']],
	['the same as an update', ['deactivations'], setActive('active', false, ana)],
	['ana activated', ['reactivations']],
	['a user is active, but was not in an earlier read', [], setActive('active', true, eve)],
	['only the user says that it is inactive', ['reactivations'], setActive('there', true, eve)],
	['only the user says that it is active', [], setActive('there', true, ana)],
	['an update of who is inactive', [], update({ title: 'Dr' }, eve)],
	['an update to admin', ['gainsOfAdmin'], update(TO_ADMIN)],
	['one of who is admin already', [], update(TO_ADMIN, boss)],
	['a create', ['creates'], create({})],
	['a create of an admin', ['creates', 'gainsOfAdmin'], create(TO_ADMIN)],
	['a new admin', ['gainsOfAdmin'], ofGroups([MEMBER], [ADMIN], newcomer)],
	['a deleted group', ['lossesOfAccess'], deletionOf('g', { members: [ana] })],
])('%s: %j', (what, kinds, change = readChange(what)) => {
	expect(kindsOf([change])).toEqual(kinds);
});

const URN = 'urn:ietf:params:scim:schemas:core:2.0:User';

it.each<[boolean, object, Person?]>([
	[true, { userName: 'eve@example.com' }],
	[true, { USERNAME: 'eve@example.com' }],
	[true, { userName: null }],
	[true, { [`${URN}:userName`]: 'ana@example.com' }],
	[true, { [`${URN}:externalId`]: 'HR-2' }, eve],
	[true, { emails: [{ value: 'ana@example.com', primary: true }] }],
	[true, { 'emails[type eq "work"].value': 'eve@example.com' }],
	[false, { userName: 'ANA@example.com', title: 'x' }],
	[false, { emails: [{ value: 'ana@home.test' }, { value: 'Ana@Example.com', primary: true }] }],
	[false, { emailsSeen: 'x', displayName: 'eve@example.com' }],
	// Without a read, every name is another one.
	[true, { externalId: 'HR-1' }, cid],
])('who a person is changes: %p for %j', (expected, attributes, who = ana) => {
	expect(kindsOf([update(attributes, who)]).includes('identityChanges')).toBe(expected);
});

it.each<[string, number, number, boolean]>([
	['eleven', 12, 12, true],
	['eleven', 11, 0, true],
	['eleven', 10, 0, false],
	['ten', 11, 11, true],
	['one', 11, 11, true],
	['one', 10, 0, false],
	['empty', 12, 0, true],
	['unknown', 12, 0, true],
])(
	'a group of %s gets %i: %i count, and its size decides: %p',
	(groupId, added, count, decides) => {
		const changes = Array.from({ length: added }, (_, at) =>
			ofGroups([], [groupId], person(`p${at}`)),
		);
		const all = [...changes, ...changes.map(() => readChange('ana +roles.editor'))];
		expect(riskyIn(all, facts).get('membersAdded')?.size).toBe(count);
		expect(manyAdded(all, facts).map((joins) => joins.groupId)).toStrictEqual(
			decides ? [groupId] : [],
		);
	},
);
