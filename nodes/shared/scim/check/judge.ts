import type { Traits } from '../protocol/traits';

type Saw = string | undefined;

/** How a trait follows from what steps saw; undefined where they do not tell. */
interface Judgement<T> {
	/** The first two decide; others confirm that there was something to show. */
	steps: readonly string[];
	value(...saw: Saw[]): T | undefined;
}

const byWord =
	<T>(words: Readonly<Record<string, T>>) =>
	(saw: Saw): T | undefined =>
		words[saw ?? ''];

/** `yes` where both a single read and a list show memberships, `no` where neither does though another read does. */
const shownBy = (single: Saw, list: Saw, ...others: Saw[]) => {
	if (single === 'shown' && list === 'shown') return 'yes';
	const isHidden = single === 'not shown' && list === 'not shown';
	return isHidden && others.some((saw) => saw === 'shown' || saw === 'on request')
		? 'no'
		: undefined;
};

/** Each trait that test objects can show. */
export const JUDGED: { readonly [T in keyof Traits]?: Judgement<Traits[T]> } = {
	prefix: {
		steps: ['Place of users'],
		value: byWord({
			nowhere: 'nowhere',
			everyRequest: 'everyRequest',
			collectionsOnly: 'collectionsOnly',
		} as const),
	},
	paging: {
		steps: ['List users'],
		value: byWord({ works: 'startIndex', cursor: 'cursor' } as const),
	},
	entriesPerPage: { steps: ['Longest page'], value: (saw) => Number(saw) || undefined },
	hasGroups: { steps: ['List groups'], value: byWord({ works: true, 'not found': false }) },
	memberRemoval: {
		steps: ['Remove member by filter path', 'Remove member by list of values'],
		value: (path, list) =>
			path === 'removed' ? 'filterPath' : list === 'removed' ? 'valueList' : undefined,
	},
	groupsShowMembers: {
		steps: [
			'Group by ID shows members',
			'List of groups shows members',
			'User by ID shows groups',
			'List of users shows groups',
			'Filter finds members',
		],
		value: shownBy,
	},
	usersShowGroups: {
		steps: [
			'User by ID shows groups',
			'List of users shows groups',
			'Group by ID shows members',
			'List of groups shows members',
			'Filter finds members',
		],
		value: shownBy,
	},
	membersByFilter: {
		steps: ['Filter finds members'],
		value: byWord({ shown: 'yes', 'no answer': 'no' } as const),
	},
	listsTakeOptions: {
		steps: ['List without members, by a part of a name'],
		value: byWord({ works: true, refused: false }),
	},
	userNamesAreConverted: {
		steps: ['User name'],
		value: byWord({ 'as sent': false, 'in other case': false, converted: true }),
	},
	userNameCanChange: {
		steps: ['Change user name', 'Find user by new user name'],
		value: (rename, found) => {
			if (rename === 'refused' || rename === 'ignored') return false;
			return byWord({ works: true, 'finds nothing': false })(found);
		},
	},
	addMovesWithinOrganization: {
		steps: ['Add member of a group to a second group'],
		value: byWord({ moved: true, 'stays in the first': false }),
	},
	oneRolePerOrganization: {
		steps: ['Add member of a group to a second group'],
		value: byWord({ moved: true }),
	},
	inactiveRefusesGroupChanges: {
		steps: ['Remove inactive member', 'Add inactive member'],
		value: (removed, added) =>
			removed === 'refused' || added === 'refused' || (added === 'accepted' ? false : undefined),
	},
	deactivation: {
		steps: ['Deactivate user', 'Memberships after reactivation', 'Reactivate user'],
		value(off, memberships, on) {
			if (off === 'removed' || on === 'refused') return 'removes';
			return byWord({ kept: 'keeps', lost: 'drops' } as const)(memberships);
		},
	},
	deletionIsFinal: {
		steps: ['Delete user', 'Create deleted user again'],
		value: (deleted, again) => {
			if (deleted === 'inactive') return false;
			return byWord({ 'the same account': false, 'another account': true, refused: true })(again);
		},
	},
};
