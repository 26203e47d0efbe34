import {
	accountKey,
	accountOf,
	changeOf,
	deactivates,
	endingOf,
	entitlementKey,
	gainsIn,
	isGain,
	isOfValue,
	kindOf,
	lossesIn,
	nameOf,
	peopleOf,
	subjectOf,
	type Change,
	type EntitlementChange,
	type GroupChange,
	type Kind,
	type Person,
} from '../../../nodes/shared/access/changes/change';
import { CHANGE, ofAccount, ofGroups, ofValue, person, readChange } from '../../support/plans';

// What is read off changes: their kind, and what people lose and get; whole accounts stand in guards.test.ts.

const [ana, ben] = [person('ana'), person('ben')];
const [ADMIN, MEMBER, VIEWER, STAFF] = ['org-1:admin', 'org-1:member', 'org-1:viewer', 'All staff'];
const admin = { organization: 'org-1', role: 'admin' };
const MOVE = ofGroups([MEMBER, VIEWER], [ADMIN]);
const CUT = ofGroups([ADMIN, VIEWER], [VIEWER]);
const ofGroup = (
	before: GroupChange['before'],
	after: GroupChange['after'],
	members?: GroupChange['members'],
): Change => ({
	...{ ...CHANGE, about: 'group', subject: STAFF, groupId: STAFF, before, after },
	...(members && { members }),
});
const attributes = { title: 'Dr' };
const DELETION = ofGroup('there', 'absent', [ana, ben]);

it.each<[Kind, Change[]]>([
	['created', [ofAccount('absent', 'active', { attributes }), ofAccount('absent', 'inactive')]],
	['created', [ofGroup('absent', 'there')]],
	['updated', [ofAccount('active', 'active', { attributes }), ofGroup('there', 'there')]],
	['updated', [ofAccount('there', 'active', { attributes })]],
	['updated', [ofAccount('inactive', 'inactive', { attributes })]],
	['activated', [ofAccount('inactive', 'active', { attributes }), ofAccount('there', 'active')]],
	[
		'deactivated',
		[ofAccount('active', 'inactive', { attributes }), ofAccount('there', 'inactive')],
	],
	['deleted', [ofAccount('inactive', 'absent'), DELETION]],
	['granted', [ofGroups([], [ADMIN]), ofGroups([STAFF], [STAFF, ADMIN]), ofValue(true)]],
	['moved', [MOVE]],
])('%s', (kind, changes) => {
	expect(changes.map(kindOf)).toEqual(changes.map(() => kind));
	const ending = { deleted: 'delete', deactivated: 'deactivate' }[kind as string];
	expect(changes.map(endingOf)).toEqual(
		changes.map((one) => (one.about === 'account' ? ending : undefined)),
	);
});

const ROLES = [{ groupId: STAFF }, { groupId: ADMIN, ...admin }];

it.each<[string, Change, object[]]>([
	['the role that is taken', readChange('ana -admin'), [{ person: ana, ...ROLES[1] }]],
	['what a cut move left', CUT, [{ person: ana, ...ROLES[1], newRole: 'viewer' }]],
	['a group that stands for no role', ofGroups([STAFF], []), [{ person: ana, groupId: STAFF }]],
	['a value that is taken', ofValue(false), [{ person: ana, role: 'buyer' }]],
	[
		'values that an update takes',
		ofAccount('active', 'active', { attributes, lost: [{ attribute: 'roles', value: 'buyer' }] }),
		[{ person: ana, role: 'buyer' }],
	],
	['nothing by being created, inactive or not', ofAccount('absent', 'inactive'), []],
	['nothing by being activated', readChange('ana activated'), []],
	[
		'all that they have by being deactivated',
		readChange('ben deactivated'),
		ROLES.map((one) => ({ person: ben, ...one })),
	],
	['access as such, where nothing is known', readChange('ana deactivated'), [{ person: ana }]],
	['a group that is deleted', DELETION, [ana, ben].map((who) => ({ person: who, groupId: STAFF }))],
	['nothing by a change of a group', ofGroup('there', 'there'), []],
])('people lose %s', (_, change, losses) => {
	const heldBy = ({ id }: Person) => (id === 'ben' ? ROLES : []);
	expect(lossesIn([change], heldBy)).toEqual(losses);
});

it('roles are got by grants and moves alone', () => {
	const others = [ofGroups([ADMIN], []), ofGroups([], [STAFF]), ofValue(true), CUT, DELETION];
	expect(gainsIn([...others, ofAccount('absent', 'active')])).toStrictEqual([]);
	expect(gainsIn([MOVE])).toEqual([{ person: ana, ...admin }]);
});

it.each([
	['+admin', true],
	['-admin +member', false],
	['-admin -viewer +member', false],
	['-admin +viewer', false],
	['-org-2:viewer +viewer', true],
	['-admin +owner', true],
	['-owner +viewer', true],
	['-admin', false],
	['+roles.buyer', true],
])('more than before is a gain, a lower role is none: %s is one: %p', (what, gain) => {
	expect(isGain(readChange(`ana ${what}`) as EntitlementChange)).toBe(gain);
});

it.each([
	[{ active: true }, false, 'active'],
	[{ active: false }, true, 'inactive'],
	[{}, false, 'there'],
	[undefined, true, 'there'],
	[undefined, undefined, 'unknown'],
])('a user that shows %j, seen elsewhere: %p, is %s', (user, isSeen, account) => {
	expect(accountOf(user, isSeen)).toBe(account);
});

it('peopleOf: everyone once, and the members of deleted groups', () => {
	expect(peopleOf([MOVE, ofAccount('active', 'inactive')])).toStrictEqual([ana]);
	expect(peopleOf([MOVE, DELETION, ofGroup('there', 'there')])).toStrictEqual([ana, ben]);
});

it('changeOf: what is made, what cannot be, or nothing that was planned', () => {
	const plan = { changes: [{ ...MOVE, key: 'one' }], withheld: [{ ...CUT, key: 'other' }] };
	expect(changeOf({ change: 'one' }, plan)).toBe(plan.changes[0]);
	expect(changeOf({ change: 'other' }, plan)).toBe(plan.withheld[0]);
	expect(changeOf({}, plan)).toBeUndefined();
});

it('people are called by their user name, or else by their ID, or their key', () => {
	const named = { key: 'key', id: 'id', userName: 'name' };
	const people = [named, { key: 'key', id: 'id' }, { key: 'key' }];
	expect(people.map(nameOf)).toEqual(['name', 'id', 'key']);
});

it('the part of an item is the one that a change names, or its person', () => {
	const changes = [MOVE, { ...MOVE, subject: 'part' }, DELETION];
	expect(changes.map(subjectOf)).toEqual([ana.key, 'part', STAFF]);
});

it('keys tell what is changed, for which user, and where', () => {
	const keys = [ana, ben].flatMap((who) => [
		...[accountKey('create', who), accountKey('delete', who)],
		...[entitlementKey(who, 'org-1'), entitlementKey(who, 'org-2')],
	]);
	expect(new Set(keys).size).toBe(8);
});

it('a change of a value, given or taken, is not one of groups', () => {
	const changes = [ofValue(true), ofValue(false), ofGroups([], [ADMIN]), ofGroups([ADMIN], [])];
	expect(changes.map(isOfValue)).toEqual([true, true, false, false]);
});

it('attributes deactivate that say so alone', () => {
	expect([{ active: false }, { active: true }, {}].map(deactivates)).toEqual([true, false, false]);
});
