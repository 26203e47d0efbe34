import {
	changeOf,
	endingOf,
	gainsIn,
	lossesIn,
	peopleOf,
	personValueKey,
	type Change,
} from '../../../nodes/shared/access/change';
import { CHANGE, into, ofValue, outOf, person } from '../../support/plans';

// What people lose and get by the changes of a plan; whole accounts stand in guards.test.ts.

const ana = person('ana');
const ben = person('ben');
const ofUser = { ...CHANGE, target: 'user' as const, person: ana };
const ofGroup = { ...CHANGE, target: 'group' as const };
const [ADMIN, STAFF] = ['org-1:admin', 'All staff'];
const admin = { organization: 'org-1', role: 'admin' };
const buyer = { attribute: 'roles', value: 'buyer' };
const create: Change = {
	...{ ...ofUser, kind: 'create', userName: 'ana', attributes: { active: false } },
	ifExists: 'fail',
};
const update: Change = { ...ofUser, kind: 'update', attributes: {}, seenBefore: true };
const deletion: Change = { ...ofGroup, kind: 'delete', groupId: STAFF, members: [ana, ben] };
const groupCreation: Change = { ...ofGroup, kind: 'create', attributes: {} };
const groupUpdate: Change = { ...ofGroup, kind: 'update', groupId: STAFF, attributes: {} };

it.each<[string, Change, object[]]>([
	['nothing by a role given', into(ADMIN), []],
	[
		'the role before by a move, and every one where there are two',
		into(ADMIN, ['member', 'viewer']),
		['member', 'viewer'].map((role) => ({
			...{ person: ana, groupId: ADMIN, organization: 'org-1' },
			...{ role, newRole: 'admin' },
		})),
	],
	['the role that is taken', outOf(ADMIN), [{ person: ana, groupId: ADMIN, ...admin }]],
	[
		'a role for another',
		outOf(ADMIN, 'viewer'),
		[{ person: ana, groupId: ADMIN, ...admin, newRole: 'viewer' }],
	],
	['a group that stands for no role', outOf(STAFF), [{ person: ana, groupId: STAFF }]],
	['nothing by a value given', ofValue('grant'), []],
	['a value that is taken', ofValue('revoke'), [{ person: ana, role: 'buyer' }]],
	['values that an update takes', { ...update, lost: [buyer] }, [{ person: ana, role: 'buyer' }]],
	['nothing by another update', update, []],
	['nothing by being created, inactive or not', create, []],
	['nothing by being activated', { ...ofUser, kind: 'activate', seenBefore: true }, []],
	['a group that is deleted', deletion, [ana, ben].map((one) => ({ person: one, groupId: STAFF }))],
	['nothing by a new group', groupCreation, []],
	['nothing by a change of a group', groupUpdate, []],
])('people lose %s', (_, change, losses) => {
	expect(lossesIn([change], () => [])).toStrictEqual(losses);
});

it('who is deactivated loses groups with and without a role', () => {
	const held = [{ groupId: STAFF }, { groupId: ADMIN, ...admin }];
	const leaves: Change = { ...ofUser, kind: 'deactivate', seenBefore: true };
	expect(lossesIn([leaves], () => held)).toStrictEqual(
		held.map((one) => ({ person: ana, ...one })),
	);
});

it('the end of a group ends no account', () => {
	expect(endingOf(deletion)).toBeUndefined();
});

it('roles are got by grants and moves alone', () => {
	const others = [outOf(ADMIN), into(STAFF), ofValue('grant'), create, groupCreation];
	expect(gainsIn(others)).toStrictEqual([]);
	const both = [into(ADMIN), into('org-2:viewer', ['admin'])];
	expect(gainsIn(both)).toEqual([
		{ person: ana, ...admin },
		{ person: ana, organization: 'org-2', role: 'viewer' },
	]);
});

it.each([
	['of the attribute in other case is the same', ana, { ...buyer, attribute: 'Roles' }, true],
	['of somebody else is another', ben, buyer, false],
	['of another attribute is another', ana, { ...buyer, attribute: 'entitlements' }, false],
	['in other case is another', ana, { ...buyer, value: 'BUYER' }, false],
])('a value %s', (_, who, other, same) => {
	expect(personValueKey(who, other) === personValueKey(ana, buyer)).toBe(same);
});

it('peopleOf: everybody once, and of groups those whom a deletion takes out', () => {
	expect(peopleOf([into(ADMIN), update, outOf(ADMIN)])).toStrictEqual([ana]);
	expect(peopleOf([into(ADMIN), deletion])).toStrictEqual([ana, ben]);
	expect(peopleOf([groupCreation, groupUpdate])).toStrictEqual([]);
});

it('changeOf: what is made, what cannot be, or nothing that was planned', () => {
	const plan = { changes: [{ ...update, key: 'one' }], withheld: [{ ...create, key: 'other' }] };
	expect(changeOf({ change: 'one' }, plan)).toBe(plan.changes[0]);
	expect(changeOf({ change: 'other' }, plan)).toBe(plan.withheld[0]);
	expect(changeOf({}, plan)).toBeUndefined();
});
