import fc from 'fast-check';

import { readAccess } from '../../../nodes/shared/access/access';
import {
	agreedSnapshot,
	eventsBetween,
	holdingsOf,
	readSnapshot,
	seenGroup,
	seenValue,
	snapshotOf,
	unsureIn,
	withAccess,
	withHeld,
	withUsers,
	writeSnapshot,
	type Snapshot,
	type SnapshotEvent,
} from '../../../nodes/shared/access/snapshot';
import { groupMeaning } from '../../../nodes/shared/scim/protocol/groupMeaning';
import { PROFILES } from '../../../nodes/shared/scim/protocol/presets';
import {
	readGroup,
	readUser,
	type Group,
	type User,
} from '../../../nodes/shared/scim/protocol/resource';
import { FRESH } from '../../support/fakeTransport';

const ids = groupMeaning(PROFILES.accountOrganizations.groupPattern);

/** Some of these would hurt a careless object. */
const id = fc.constantFrom('u-1', 'u-2', 'u-3', '__proto__', 'constructor', '7');
const GROUPS = [
	...['org-1:admin', 'org-1:member', 'org-2:member', 'org-2:viewer'],
	...['g-1', '__proto__', '7'],
].map((groupId) => seenGroup(groupId, `name of ${groupId}`, ids));
const VALUES = ['admin', '7', 'org-1:admin'].map((value) =>
	seenValue({ attribute: 'roles', value }),
);
const groups = new Map([
	...GROUPS.map((group) => [ids.key(group.id), group] as const),
	...VALUES.map(({ key, ...value }) => [key, value] as const),
]);
const held = fc.uniqueArray(fc.constantFrom(...groups.keys())).map((keys) => new Set(keys));

const mark = fc.constantFrom({}, { title: 'Nurse' }, { title: 'Matron' });

type Whole = Required<Omit<Snapshot, 'oneRole'>>;

const snapshot: fc.Arbitrary<Whole> = fc
	.record({
		users: fc.array(fc.tuple(id, fc.constantFrom(true, false, undefined))),
		access: fc.array(fc.tuple(id, held)),
		saidByUsers: fc.boolean(),
		marked: fc.array(fc.tuple(id, mark)),
	})
	.map(({ users, access, saidByUsers, marked }) => ({
		users: new Map(users),
		access: new Map(access.filter(([, keys]) => keys.size > 0)),
		groups,
		attributes: ['roles'],
		saidByUsers,
		marks: {
			attributes: ['title'],
			byUser: new Map(marked.filter(([one]) => users.some(([user]) => user === one))),
		},
	}))
	.map((seen) => ({
		...seen,
		names: new Map(
			[...seen.users.keys(), ...seen.access.keys()].map((one) => [one, `${one}@example.com`]),
		),
	}));

/** What a reader of the events would believe in the end. */
function applied(before: Whole, events: readonly SnapshotEvent[]) {
	const active = new Map([...before.users].map(([one, is]) => [one, is !== false]));
	const access = new Map(
		[...before.access].map(([one, keys]) => [one, holdingsOf(keys, before.groups)]),
	);
	for (const { kind, id: who, place, after } of events) {
		if (kind === 'userDeleted') active.delete(who);
		else if (kind === 'userDeactivated') active.set(who, false);
		else if (kind === 'userActivated' || kind === 'userCreated') active.set(who, true);
		if (place === undefined) continue;
		const own = access.get(who) ?? new Map();
		access.set(who, own);
		if (after === undefined) own.delete(place);
		else own.set(place, after);
	}
	return {
		users: [...active.keys()].sort(),
		access: [...access]
			.flatMap(([who, own]) => [...own].map(([place, { role }]) => `${who} ${place} ${role}`))
			.sort(),
	};
}

const stateOf = (seen: Whole) => applied(seen, []);
/** Without the order in which somebody's groups came. */
const linesOf = (events: readonly SnapshotEvent[]) =>
	events.map(({ before, after, ...event }) =>
		JSON.stringify({ ...event, before: before?.role, after: after?.role }),
	);

it('the events lead from what was there to what is there', () => {
	fc.assert(
		fc.property(snapshot, snapshot, (before, after) => {
			expect(applied(before, eventsBetween(before, after))).toEqual(stateOf(after));
		}),
	);
});

it('nothing has happened where nothing has changed', () => {
	fc.assert(
		fc.property(snapshot, (same) => {
			expect(eventsBetween(same, same)).toStrictEqual([]);
			expect(eventsBetween(same, agreedSnapshot(same, same, same))).toStrictEqual([]);
		}),
	);
});

it('what is reported after two looks, both of them show', () => {
	fc.assert(
		fc.property(snapshot, snapshot, snapshot, (before, first, second) => {
			const reported = linesOf(eventsBetween(before, agreedSnapshot(before, first, second)));
			const [byFirst, bySecond] = [first, second].map((look) =>
				linesOf(eventsBetween(before, look)),
			);
			expect(reported.filter((line) => !byFirst.includes(line))).toStrictEqual([]);
			expect(reported.filter((line) => !bySecond.includes(line))).toStrictEqual([]);
		}),
	);
});

it('what two looks do not show alike comes once they do', () => {
	fc.assert(
		fc.property(snapshot, snapshot, snapshot, (before, first, second) => {
			const agreed = agreedSnapshot(before, first, second) as Whole;
			const [now, later] = [eventsBetween(before, agreed), eventsBetween(agreed, second)];
			expect(applied(before, [...now, ...later])).toEqual(stateOf(second));
		}),
	);
});

it('whoever is there after all has never been away', () => {
	fc.assert(
		fc.property(snapshot, snapshot, (before, after) => {
			const gone = eventsBetween(before, after).flatMap(({ kind, id: who }) =>
				kind === 'userDeleted' ? [who] : [],
			);
			const there = new Map(gone.map((who) => [who, before.users.get(who)]));
			const kinds = eventsBetween(before, withUsers(after, there, before)).map(({ kind }) => kind);
			expect(kinds).not.toContain('userDeleted');
		}),
	);
});

it('whoever has it after all has never lost it', () => {
	fc.assert(
		fc.property(snapshot, snapshot, (before, after) => {
			const lost = eventsBetween(before, after).flatMap(({ kind, id: who, place = '' }) =>
				kind === 'accessRevoked' ? [{ id: who, place }] : [],
			);
			const kinds = eventsBetween(before, withAccess(after, lost, before)).map(({ kind }) => kind);
			expect(kinds).not.toContain('accessRevoked');
		}),
	);
});

it('comes back from the text as it was, with the groups that somebody is in', () => {
	fc.assert(
		fc.property(snapshot, (kept) => {
			const text = writeSnapshot(kept, 'here');
			const inUse = new Set([...kept.access.values()].flatMap((keys) => [...keys]));
			expect(readSnapshot(text, (source) => source === 'here', ids)).toEqual({
				...kept,
				groups: new Map([...groups].filter(([key]) => inUse.has(key))),
			});
			expect(readSnapshot(text, (source) => source === 'elsewhere', ids)).toBeUndefined();
		}),
	);
});

it.each([undefined, 7, '', '{', '[]', '{"source":"here"}', '{"format":1,"source":"here"}'])(
	'is nothing in %j',
	(text) => {
		expect(readSnapshot(text, (source) => source === 'here', ids)).toBeUndefined();
	},
);

it('what somebody was seen to have counts, unless it is two roles where there is one', () => {
	const org1 = (...roles: string[]) =>
		new Map(roles.map((role) => [ids.key(`org-1:${role}`), seenGroup(`org-1:${role}`, role, ids)]));
	const of = (...keys: string[]): Snapshot => ({
		...{ names: new Map(), groups, oneRole: true },
		access: new Map([['u-1', new Set(keys.map(ids.key))]]),
	});
	const before = of('org-1:member', 'g-1');
	const [place] = [...org1('admin').values()].map((group) => group.place);
	const seen = (...roles: string[]) =>
		withHeld(of('g-1'), [{ id: 'u-1', place, groups: org1(...roles) }], before);

	expect(eventsBetween(before, seen('admin'))).toMatchObject([
		{ kind: 'roleChanged', before: { role: 'member' }, after: { role: 'admin' } },
	]);
	expect(eventsBetween(before, seen('admin', 'viewer'))).toStrictEqual([]);
	expect(eventsBetween(before, of('g-1'))).toMatchObject([{ kind: 'accessRevoked' }]);
});

describe('a look', () => {
	const users = [readUser({ id: 'u-1', userName: 'ana', active: 'False' }) as User];
	const shown = (...all: object[]) => all.map((group) => readGroup(group) as Group);
	const look = (all: Group[], meaning = ids, profile = PROFILES.accountOrganizations) =>
		snapshotOf(
			users,
			readAccess({ groups: all, isWhole: true, readAt: FRESH }, meaning, profile),
			meaning,
			profile,
		);
	const members = [{ value: 'u-1', display: 'ana' }];
	const has = ({ access, groups: seen }: Snapshot) =>
		[...holdingsOf(access?.get('u-1') ?? [], seen).values()].map(
			({ organization, role, keys }) => [organization, role, keys.length] as const,
		);

	it('tells roles by organization, whichever way the group is written', () => {
		const [one, other] = ['whylabs-org-1:member', 'org-1:MEMBER'].map((group) =>
			look(shown({ id: group, members }, { id: 'everybody', members })),
		);
		expect(one).toMatchObject({
			users: new Map([['u-1', false]]),
			saidByUsers: false,
			names: new Map([['u-1', 'ana']]),
		});
		expect(has(one)).toEqual([
			['org-1', 'member', 1],
			[undefined, '', 1],
		]);
		expect(has(other)).toEqual(has(one));
		expect(eventsBetween(one, other)).toStrictEqual([]);
	});

	it('tells them by display names, which may change', () => {
		const named = groupMeaning({ text: 'app-{organization}-{role}', on: 'displayName', roles: [] });
		const [one, other] = ['app-sales-admin', 'app-sales-owner'].map((displayName) =>
			look(shown({ id: '8f14', displayName, members }), named, PROFILES.generic),
		);
		expect(has(one)).toEqual([['sales', 'admin', 1]]);
		expect(has(other)).toEqual([['sales', 'owner', 1]]);
		expect(eventsBetween(one, other)).toStrictEqual([]);
	});

	it('says nothing of what it did not read', () => {
		const onlyUsers = snapshotOf(users, undefined, ids, PROFILES.accountOrganizations);
		expect(onlyUsers.access).toBeUndefined();
		expect(eventsBetween(onlyUsers, look(shown({ id: 'org-1:member', members })))).toStrictEqual(
			[],
		);
	});

	it('is not sure of two roles where there is one, and sure of them elsewhere', () => {
		const both = shown({ id: 'org-1:viewer', members }, { id: 'org-1:admin', members });
		const before = look(shown({ id: 'org-1:member', members }));
		const [unsure, sure] = [look(both), look(both, ids, PROFILES.generic)];

		expect(unsureIn(unsure)).toBe('The service returned conflicting roles for user u-1 in org-1');
		expect(agreedSnapshot(before, unsure, unsure).access).toEqual(before.access);
		expect(has(sure)).toEqual([['org-1', 'admin, viewer', 2]]);
		expect(unsureIn(sure)).toBeUndefined();
	});
});
