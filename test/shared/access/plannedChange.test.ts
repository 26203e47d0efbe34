import type { Change } from '../../../nodes/shared/access/change';
import {
	changeWord,
	isActive,
	plannedChanges,
	rolesBefore,
	type PlannedContext,
} from '../../../nodes/shared/access/plannedChange';
import { PROFILES } from '../../../nodes/shared/scim/protocol/presets';
import { accessOf, ACCOUNT, CHANGE, ids, into, ofValue, outOf, person } from '../../support/plans';

const [ADMIN, MEMBER, STAFF] = ['org-1:admin', 'org-1:member', 'All staff'];
const GENERIC = PROFILES.generic;
const access = accessOf({ [ADMIN]: ['ana'], [MEMBER]: [], [STAFF]: ['ana'] });
const context: PlannedContext = {
	...{ access, ids, profile: ACCOUNT },
	nameOf: (organization) => `name of ${organization}`,
};

const ana = person('ana');
const ben = person('ben');
const ofUser = { ...CHANGE, target: 'user' as const, person: ana };
const create: Change = {
	...{ ...ofUser, kind: 'create', person: { key: 'new', userName: 'cid' }, userName: 'cid' },
	...{ key: 'create cid', attributes: { title: 'Dr' }, ifExists: 'fail' },
};
const update = (attributes: object, activeBefore?: boolean): Change => ({
	...{ ...ofUser, kind: 'update', attributes: { ...attributes }, seenBefore: true, activeBefore },
});
const deactivate: Change = { ...ofUser, kind: 'deactivate', seenBefore: true };
const group: Change = {
	...{ ...CHANGE, key: 'group', target: 'group', kind: 'delete', groupId: STAFF, members: [] },
};

const planned = (changes: Change[], more: Partial<PlannedContext> = {}) =>
	plannedChanges(changes, { ...context, ...more });
const one = (change: Change, more?: Partial<PlannedContext>) => planned([change], more)[0];

it.each<[string, Change, string]>([
	['an update that keeps somebody out', update({ active: false }), 'deactivated'],
	['one that lets somebody in again', update({ active: true }, false), 'activated'],
	['one of somebody who was active', update({ active: true }, true), 'updated'],
	['one of whom nobody knows that', update({ active: true }), 'updated'],
	['one of something else', update({ title: 'Dr' }, false), 'updated'],
	['an activation', { ...ofUser, kind: 'activate', seenBefore: true }, 'activated'],
	['a deletion', { ...ofUser, kind: 'delete', wasActive: true }, 'deleted'],
])('what %s is called', (_, change, word) => {
	expect(changeWord(change)).toBe(word);
});

const byName = { id: 'ana', userName: 'ana@example.com' };
const nothing = {
	...{ group: null, groupId: null, organization: null, organizationName: null },
	...{ roleBefore: null, role: null, activeBefore: null, groupsBefore: null, why: 'row 1' },
};
const inOrg1 = { organization: 'org-1', organizationName: 'name of org-1' };
const inGroup = (groupId: string) => ({ group: groupId, groupId });

describe('a plan lists', () => {
	const inMember = { ...inGroup(MEMBER), ...inOrg1 };
	const inAdmin = { ...inGroup(ADMIN), ...inOrg1 };

	it.each<[string, Change, object]>([
		['a role given', into(MEMBER), { change: 'granted', ...inMember, role: 'member' }],
		[
			'a move',
			into(MEMBER, ['admin']),
			{ change: 'moved', ...inMember, roleBefore: 'admin', role: 'member' },
		],
		['a role taken', outOf(ADMIN), { change: 'revoked', ...inAdmin, roleBefore: 'admin' }],
		[
			'what a move that was cut off has left, as a move to the role that is there',
			outOf(ADMIN, 'member'),
			{ change: 'moved', ...inMember, roleBefore: 'admin', role: 'member' },
		],
		[
			'one whose new role has no group, as a removal',
			outOf(ADMIN, 'owner'),
			{ change: 'revoked', ...inAdmin, roleBefore: 'admin', role: 'owner' },
		],
		['a group without a role, given', into(STAFF), { change: 'granted', ...inGroup(STAFF) }],
		['a group without a role, taken', outOf(STAFF), { change: 'revoked', ...inGroup(STAFF) }],
		['a group that nobody knows', into('x'), { change: 'granted', group: null, groupId: 'x' }],
		['a value given', ofValue('grant'), { change: 'granted', role: 'buyer', attribute: 'roles' }],
		[
			'a value taken',
			ofValue('revoke'),
			{ change: 'revoked', roleBefore: 'buyer', role: 'buyer', attribute: 'roles' },
		],
	])('%s', (_, change, entry) => {
		expect(one(change)).toStrictEqual({ ...nothing, ...byName, activeBefore: true, ...entry });
	});

	it('memberships as well where access was not read', () => {
		const unread = { access: undefined };
		expect(one(outOf(ADMIN, 'member'), unread)).toMatchObject({
			...{ change: 'revoked', group: null, groupId: ADMIN, activeBefore: null },
		});
	});

	it('a new user, with attributes and without an ID', () => {
		const entry = { ...nothing, change: 'created', id: null, userName: 'cid' };
		const all = { keyOf: () => 'key', isCompared: () => true };
		expect(one(create, all)).toStrictEqual({ ...entry, attributes: { title: 'Dr' } });
	});

	it('an update with its attributes, and a deactivation with none', () => {
		expect(one(update({ title: 'Dr' }))).toHaveProperty('attributes', { title: 'Dr' });
		expect(one(deactivate)).not.toHaveProperty('attributes');
	});

	it('people with the key that they are matched by, if any', () => {
		expect(one(into(STAFF), { keyOf: (id) => `key of ${id}` }).key).toBe('key of ana');
		expect(one(into(STAFF), { keyOf: () => 'key' })).not.toHaveProperty('after');
		expect(one(into(STAFF), { keyOf: () => '' })).not.toHaveProperty('key');
	});

	it('no name of somebody without one', () => {
		expect(one({ ...deactivate, person: { key: 'ana', id: 'ana' } }).userName).toBeNull();
	});

	it('no changes of groups', () => {
		expect(planned([group])).toStrictEqual([]);
	});
});

describe('the removal of a role', () => {
	const listed = (...changes: Change[]) =>
		planned(changes).map(({ change, userName, groupId }) => `${change} ${userName} ${groupId}`);
	const [who, other] = [ana.userName, ben.userName];

	it('is no entry beside its move', () => {
		const move = into(MEMBER, ['admin']);
		expect(listed(outOf(ADMIN, 'member'), move)).toEqual([`moved ${who} ${MEMBER}`]);
	});

	it.each([
		['of somebody else', into(MEMBER, [], ben), `granted ${other} ${MEMBER}`],
		['in another organization', into('org-2:member'), `granted ${who} org-2:member`],
		['that is a removal, too', outOf(MEMBER), `revoked ${who} ${MEMBER}`],
		['without a role', into(STAFF), `granted ${who} ${STAFF}`],
	])('is one beside a change %s', (_, change, line) => {
		expect(listed(outOf(ADMIN, 'member'), change)).toEqual([`moved ${who} ${MEMBER}`, line]);
	});
});

describe('what comes first', () => {
	const afterOf = (...needs: string[]) => {
		const late = { ...into(MEMBER), needs };
		const unnamed = { ...create, key: 'unnamed', person: { key: 'nobody' } };
		return planned([create, unnamed, group, into(ADMIN, [], ben), into(STAFF), late]).at(-1)?.after;
	};

	it.each([
		['somebody by ID', ['ben org-1:admin'], ['ben']],
		['somebody new by user name, each once', ['create cid', 'create cid'], ['cid']],
		['somebody without a name by key', ['unnamed'], ['nobody']],
		['not own changes, groups, or what is not planned', ['ana All staff', 'group', 'x'], undefined],
	])('names %s', (_, needs, people) => {
		expect(afterOf(...needs)).toEqual(people);
	});

	it('is not spoken of where nothing does', () => {
		expect(one(into(MEMBER))).not.toHaveProperty('after');
	});
});

describe('groups before', () => {
	const isCompared = (groupId: string) => groupId === STAFF;
	const hidden = accessOf({ [STAFF]: [] }, GENERIC);

	it.each<[string, Change, Partial<PlannedContext>, string[] | null]>([
		['not of one membership', into(MEMBER), {}, null],
		['those that count, where all access is decided', into(MEMBER), { isCompared }, [STAFF]],
		['all of somebody who is deactivated', deactivate, { isCompared }, [STAFF, ADMIN]],
		['all also where that is an update', update({ active: false }), {}, [STAFF, ADMIN]],
		['not of another update', update({ title: 'Dr' }), {}, null],
		['none of somebody without groups', { ...deactivate, person: ben }, {}, []],
		['not known where groups show nobody', deactivate, { access: hidden }, null],
		['not known where access was not read', deactivate, { access: undefined }, null],
	])('%s', (_, change, more, groups) => {
		expect(one(change, more).groupsBefore).toEqual(groups);
	});
});

describe('before a change somebody is', () => {
	it.each<[string, string, boolean | undefined, Partial<PlannedContext>, boolean | undefined]>([
		['active with a membership, where deactivation drops them', 'ana', undefined, {}, true],
		['what the user shows, whatever the memberships', 'ana', false, {}, false],
		['active where the user shows it', 'ben', true, {}, true],
		['not known to be active without a membership', 'ben', undefined, {}, undefined],
		[
			'not known to be so by a membership that stays',
			'ana',
			undefined,
			{ profile: GENERIC },
			undefined,
		],
		['not known where access was not read', 'ana', undefined, { access: undefined }, undefined],
	])('%s', (_, id, shown, more, active) => {
		expect(isActive(id, shown, { ...context, ...more })).toBe(active);
	});

	it('shown so in the plan', () => {
		expect(one({ ...into(MEMBER), activeBefore: false }).activeBefore).toBe(false);
	});
});

it('the roles before a move are read back one by one', () => {
	expect(rolesBefore(one(into(MEMBER, ['admin', 'viewer'])))).toEqual(['admin', 'viewer']);
	expect(rolesBefore(one(into(MEMBER)))).toStrictEqual([]);
});
