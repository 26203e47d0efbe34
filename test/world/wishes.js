'use strict';

// Random directories of any kind of service, and what may be wanted of them.

const fc = require('fast-check');
const { KINDS, emailOf, userIdOf } = require('./kinds');
require('../support/seed');

const PEOPLE = 40;
const PLACES = 6;

const weighted = (...pairs) =>
	fc.oneof(...pairs.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
const perPlace = (one) => fc.array(one, { minLength: PLACES, maxLength: PLACES });

/** Positions of a person's groups in a place. */
const heldIn = ({ oneRole, hasRoles }) => {
	if (!hasRoles) return fc.constantFrom([], [0]);
	return oneRole
		? weighted([4, []], [1, [0]], [2, [1]], [1, [2]])
		: fc.oneof(
				{ weight: 2, arbitrary: fc.constant([]) },
				{ weight: 1, arbitrary: fc.subarray([0, 1, 2], { minLength: 1 }) },
			);
};

function directories(kind) {
	const { places: all, hasRoles } = KINDS[kind];
	const person = fc.record({
		active: weighted([6, true], [1, false]),
		isRenamed: weighted([6, false], [1, kind === 'account']),
		held: perPlace(heldIn(KINDS[kind])),
	});
	return fc
		.record({
			count: fc.integer({ min: hasRoles ? 1 : 2, max: PLACES }),
			people: fc.array(person, { minLength: 1, maxLength: hasRoles ? PEOPLE : PEOPLE / 2 }),
		})
		.map(({ count, people }) => directoryOf(all.slice(0, count), people));
}

/** @param people each `{ active, held, isRenamed }`; `held` has positions of groups for each place */
const directoryOf = (places, people) => ({
	places,
	people: people.map(({ active = true, held }, index) => ({
		userName: emailOf(index),
		externalId: `hr-${index}`,
		active,
		held: places.flatMap((groups, at) =>
			held[at].map((position) => groups[position % groups.length].id),
		),
	})),
	/** Another client changed the name that is shown; the login is what it was. */
	renamed: people.flatMap(({ isRenamed }, index) => (isRenamed ? [userIdOf(emailOf(index))] : [])),
});

// People and groups are numbers, taken modulo how many there are.
const index = fc.nat(PEOPLE - 1);
const named = fc.record({ person: index, by: fc.constantFrom('id', 'email', 'EMAIL') });
const pick = fc.record({ place: fc.nat(PLACES - 1), role: fc.nat(2) });
const groups = (minLength) =>
	fc.record({
		picks: fc.array(pick, { minLength, maxLength: PLACES }),
		by: fc.constantFrom('id', 'name', 'NAME', 'groupId'),
	});
const several = (one, most, least = 1) => fc.array(one, { minLength: least, maxLength: most });
const joiners = (most) =>
	fc.array(fc.record({ who: fc.nat(4), groups: groups(1) }), { maxLength: most });
const unwanted = weighted([4, 'revoke'], [1, 'keep'], [1, 'report']);

const badRow = fc.record({
	kind: fc.constantFrom('noRole', 'noOrganization', 'noPerson', 'nobody', 'twoRoles'),
	who: named,
	at: pick,
});

const members = (least) => ({
	lists: several(fc.record({ group: pick, people: several(named, 12, least) }), 3),
});

const WISHES = {
	assign: {
		rows: several(fc.record({ who: named, groups: groups(1) }), 10, 0),
		joiners: joiners(6),
		createMissing: fc.boolean(),
		reactivate: fc.boolean(),
	},
	set: {
		lists: several(fc.record({ who: named, groups: groups(0) }), 8),
		managed: groups(1),
		reactivate: fc.boolean(),
	},
	revoke: {
		/** Of roles, the first is meant, or whichever there is. */
		revocations: several(
			fc.record({
				who: named,
				groups: fc.option(groups(1)),
				isAny: weighted([3, true], [2, false]),
			}),
			8,
		),
		managed: fc.option(groups(1)),
	},
	offboard: {
		leavers: several(named, 8),
		deletes: fc.boolean(),
		keeps: fc.option(groups(1)),
	},
	setMembers: { ...members(0), replaceWith: fc.constantFrom('difference', 'wholeList') },
	addMembers: members(1),
	removeMembers: members(1),
	changeEmail: {
		who: fc.record({ person: index, by: fc.constantFrom('id', 'email') }),
		/** Number of the person who has the new email already. */
		existing: fc.option(index),
	},
	reconcile: {
		/** What the list says of each: per place what is there, nothing, or a group. */
		list: fc.array(
			fc.record({
				isListed: weighted([5, true], [1, false]),
				by: fc.constantFrom('id', 'email', 'EMAIL'),
				wants: perPlace(weighted([9, 'same'], [3, 'none'], [1, 0], [1, 1], [1, 2])),
			}),
			{ minLength: PEOPLE, maxLength: PEOPLE },
		),
		joiners: joiners(4),
		scope: fc.record({
			places: fc.uniqueArray(fc.nat(PLACES - 1), { minLength: 1, maxLength: PLACES }),
			roles: fc.oneof(fc.constant([0, 1, 2]), fc.subarray([0, 1, 2], { minLength: 1 })),
		}),
		unwanted,
		deactivatesEmpty: fc.boolean(),
		ignores: fc.option(groups(1)),
		reactivate: fc.boolean(),
		createMissing: weighted([3, true], [1, false]),
		asItems: fc.boolean(),
	},
};

const settings = fc.record({
	shielded: fc.array(fc.record({ person: index, by: fc.constantFrom('id', 'email') }), {
		maxLength: 3,
	}),
	allowRemovingLastAdmin: fc.boolean(),
	membersPerRequest: fc.constantFrom(1, 2, 3, 100),
});

/** Ways of a plain service (see serviceWith), and whether the credential tells which side shows memberships. */
const ways = fc
	.record({
		membersShownOn: fc.constantFrom('both', 'groups', 'users'),
		emptyUserGroups: fc.boolean(),
		omitsEmptyMembers: fc.boolean(),
		excludesAttributes: fc.boolean(),
		groupFilter: fc.constantFrom('on', 'exactCase', 'ignored', 'off'),
		deactivationDrops: fc.boolean(),
		inactiveRefuses: fc.boolean(),
		isTold: weighted([3, true], [1, false]),
	})
	.map((given) => ({
		...given,
		emptyUserGroups: given.emptyUserGroups && given.membersShownOn === 'groups',
		// Who has no membership when inactive has none to be refused.
		inactiveRefuses: given.inactiveRefuses && !given.deactivationDrops,
	}));

/**
 * Everything that a run takes: `{ kind, operation, directory, wish, settings, ways, hazards }`.
 * @param more `hazards` of ./hazards, and `bad`: whether rows of Reconcile cannot be used
 */
const cases = (operation, kind, { hazards, bad = false }) =>
	fc
		.record({
			kind: fc.constant(kind),
			operation: fc.constant(operation),
			directory: directories(kind),
			wish: fc.record({ ...WISHES[operation], bad: several(badRow, bad ? 2 : 0, bad ? 1 : 0) }),
			settings,
			ways: KINDS[kind].hasRoles ? fc.constant({}) : ways,
			hazards,
		})
		.map((given) => {
			if (given.wish.replaceWith !== 'wholeList') return given;
			// A whole list that got lost is not sent again by itself, because the group may have changed; the item says so.
			const faults = (given.hazards.faults ?? []).flatMap(({ kind: fault, nth }) =>
				fault === '500-after' ? [{ kind: fault, method: 'PUT', nth: 1 + (nth % 3) }] : [],
			);
			return { ...given, hazards: { ...given.hazards, faults } };
		});

module.exports = { WISHES, cases, directoryOf };
