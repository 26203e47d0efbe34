import fc from 'fast-check';

import { readAccess } from '../../../nodes/shared/access/access';
import {
	agreedSnapshot,
	eventsBetween,
	IN_GROUP,
	readSnapshot,
	snapshotOf,
	unsureIn,
	withAccess,
	withUsers,
	writeSnapshot,
	type Snapshot,
	type SnapshotEvent,
} from '../../../nodes/shared/access/snapshot';
import { groupMeaning } from '../../../nodes/shared/scim/protocol/groupMeaning';
import { PROFILES } from '../../../nodes/shared/scim/protocol/traits';
import {
	readGroup,
	readUser,
	type Group,
	type User,
} from '../../../nodes/shared/scim/protocol/resource';
import { FRESH } from '../../support/fakeService';

const ids = groupMeaning(PROFILES.accountOrganizations.groupPattern);

/** Some of these would hurt a careless object. */
const id = fc.constantFrom('u-1', 'u-2', 'u-3', '__proto__', 'constructor', '7');
const holdings = fc
	.array(
		fc.tuple(
			fc.constantFrom('org-1', 'org-2', 'g-1', '__proto__'),
			fc.constantFrom('admin', 'member', 'admin, member', IN_GROUP),
		),
	)
	.map((entries) => new Map(entries));

const snapshot: fc.Arbitrary<Required<Snapshot>> = fc
	.record({
		users: fc.array(fc.tuple(id, fc.constantFrom(true, false, undefined))),
		access: fc.array(fc.tuple(id, holdings)),
		saidByUsers: fc.boolean(),
	})
	.map(({ users, access, saidByUsers }) => ({
		users: new Map(users),
		access: new Map(access.filter(([, held]) => held.size > 0)),
		saidByUsers,
	}))
	.map((seen) => ({
		...seen,
		names: new Map(
			[...seen.users.keys(), ...seen.access.keys()].map((one) => [one, `${one}@example.com`]),
		),
	}));

/** What a reader of the events would believe in the end. */
function applied(before: Required<Snapshot>, events: readonly SnapshotEvent[]) {
	const active = new Map([...before.users].map(([one, is]) => [one, is !== false]));
	const access = new Map([...before.access].map(([one, held]) => [one, new Map(held)]));
	for (const { kind, id: who, place, after } of events) {
		if (kind === 'userDeleted') active.delete(who);
		else if (kind === 'userDeactivated') active.set(who, false);
		else if (kind === 'userActivated' || kind === 'userCreated') active.set(who, true);
		if (place === undefined) continue;
		const held = access.get(who) ?? new Map<string, string>();
		access.set(who, held);
		if (after === undefined) held.delete(place);
		else held.set(place, after);
	}
	return {
		users: [...active.keys()].sort(),
		access: [...access]
			.flatMap(([who, held]) => [...held].map(([place, what]) => `${who} ${place} ${what}`))
			.sort(),
	};
}

const stateOf = (seen: Required<Snapshot>) => applied(seen, []);
const linesOf = (events: readonly SnapshotEvent[]) => events.map((event) => JSON.stringify(event));

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
			expect(eventsBetween(same, same)).toEqual([]);
			expect(eventsBetween(same, agreedSnapshot(same, same, same))).toEqual([]);
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
			expect(reported.filter((line) => !byFirst.includes(line))).toEqual([]);
			expect(reported.filter((line) => !bySecond.includes(line))).toEqual([]);
		}),
	);
});

it('what two looks do not show alike comes once they do', () => {
	fc.assert(
		fc.property(snapshot, snapshot, snapshot, (before, first, second) => {
			const agreed = agreedSnapshot(before, first, second) as Required<Snapshot>;
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

it('comes back from the text as it was', () => {
	fc.assert(
		fc.property(snapshot, (kept) => {
			const text = writeSnapshot(kept, 'here');
			expect(readSnapshot(text, 'here')).toEqual(kept);
			expect(readSnapshot(text, 'elsewhere')).toBeUndefined();
		}),
	);
});

it.each([undefined, 7, '', '{', '[]', '{"source":1}'])('is nothing in %j', (text) => {
	expect(readSnapshot(text, 'here')).toBeUndefined();
});

describe('a look', () => {
	const users = [readUser({ id: 'u-1', userName: 'ana', active: 'False' }) as User];
	const groups = (...shown: object[]) => shown.map((group) => readGroup(group) as Group);
	const look = (shown: Group[], profile = PROFILES.accountOrganizations) =>
		snapshotOf(users, readAccess(shown, ids, profile, FRESH), ids, profile);
	const members = [{ value: 'u-1', display: 'ana' }];

	it('tells roles by organization, whichever way the group is written', () => {
		const [one, other] = ['whylabs-org-1:member', 'org-1:MEMBER'].map((group) =>
			look(groups({ id: group, members }, { id: 'everybody', members })),
		);
		expect(one).toEqual({
			users: new Map([['u-1', false]]),
			access: new Map([
				[
					'u-1',
					new Map([
						['org-1', 'member'],
						['everybody', IN_GROUP],
					]),
				],
			]),
			saidByUsers: false,
			names: new Map([['u-1', 'ana']]),
		});
		expect(other).toEqual(one);
	});

	it('says nothing of what it did not read', () => {
		const onlyUsers = snapshotOf(users, undefined, ids, PROFILES.accountOrganizations);
		expect(onlyUsers.access).toBeUndefined();
		expect(eventsBetween(onlyUsers, look(groups({ id: 'org-1:member', members })))).toEqual([]);
	});

	it('is not sure of two roles where there is one, and sure of them elsewhere', () => {
		const both = groups({ id: 'org-1:viewer', members }, { id: 'org-1:admin', members });
		const before = look(groups({ id: 'org-1:member', members }));
		const [unsure, sure] = [look(both), look(both, PROFILES.generic)];

		expect(unsureIn(unsure)).toBe('The service shows two roles for user u-1 in org-1');
		expect(agreedSnapshot(before, unsure, unsure).access).toEqual(before.access);
		expect(sure.access?.get('u-1')).toEqual(new Map([['org-1', 'admin, viewer']]));
		expect(unsureIn(sure)).toBeUndefined();
	});
});
