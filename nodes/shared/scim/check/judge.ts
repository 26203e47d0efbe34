import type { Traits } from '../protocol/traits';

/** The steps of a check, as the report names them. */
export const STEPS = {
	listUsers: 'List users',
	pageCap: 'Longest page',
	place: 'Place of users',
	createUser: 'Create user',
	secondEmail: 'Second email of a user',
	newUser: 'New user without active',
	userName: 'User name',
	findUserName: 'Find user by userName',
	findExternalId: 'Find user by externalId',
	findEmail: 'Find user by emails.value',
	findId: 'Find user by id',
	sameName: 'Create user with the same user name',
	changeUser: 'Change user',
	userAnswer: 'Answer to a change of a user',
	rename: 'Change user name',
	findRenamed: 'Find user by new user name',
	listGroups: 'List groups',
	createGroup: 'Create group',
	findGroup: 'Find group by displayName',
	findGroupId: 'Find group by id',
	addMembers: 'Add members',
	groupAnswer: 'Answer to a change of a group',
	groupShows: 'Group by ID shows members',
	listShows: 'List of groups shows members',
	userShows: 'User by ID shows groups',
	usersShow: 'List of users shows groups',
	filterShows: 'Filter finds members',
	leaveOut: 'List without members, by a part of a name',
	removeByPath: 'Remove member by filter path',
	removeByList: 'Remove member by list of values',
	removeByPut: 'Remove member by PUT',
	addNobody: 'Add members, one of whom does not exist',
	secondGroup: 'Add member of a group to a second group',
	deactivate: 'Deactivate user',
	keptInactive: 'Memberships while inactive',
	removeInactive: 'Remove inactive member',
	addInactive: 'Add inactive member',
	reactivate: 'Reactivate user',
	keptAfter: 'Memberships after reactivation',
	deleteUser: 'Delete user',
	keptDeleted: 'Memberships of a deleted user',
	createAgain: 'Create deleted user again',
	deleteGroup: 'Delete group',
} as const;

export type Step = keyof typeof STEPS;

type Saw = string | undefined;

/** How a trait follows from what steps saw; undefined where they do not tell. */
interface Judgement<T> {
	steps: readonly Step[];
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
		steps: ['place'],
		value: byWord({
			nowhere: 'nowhere',
			everyRequest: 'everyRequest',
			collectionsOnly: 'collectionsOnly',
		} as const),
	},
	paging: {
		steps: ['listUsers'],
		value: byWord({ works: 'startIndex', cursor: 'cursor' } as const),
	},
	entriesPerPage: { steps: ['pageCap'], value: (saw) => Number(saw) || undefined },
	hasGroups: { steps: ['listGroups'], value: byWord({ works: true, 'not found': false }) },
	memberRemoval: {
		steps: ['removeByPath', 'removeByList'],
		value: (path, list) =>
			path === 'removed' ? 'filterPath' : list === 'removed' ? 'valueList' : undefined,
	},
	groupsShowMembers: {
		steps: ['groupShows', 'listShows', 'userShows', 'usersShow', 'filterShows'],
		value: shownBy,
	},
	usersShowGroups: {
		steps: ['userShows', 'usersShow', 'groupShows', 'listShows', 'filterShows'],
		value: shownBy,
	},
	membersByFilter: {
		steps: ['filterShows'],
		value: byWord({ shown: 'yes', 'no answer': 'no' } as const),
	},
	listsTakeOptions: { steps: ['leaveOut'], value: byWord({ works: true, refused: false }) },
	userNamesAreConverted: {
		steps: ['userName'],
		value: byWord({ 'as sent': false, 'in other case': false, converted: true }),
	},
	userNameCanChange: {
		steps: ['rename', 'findRenamed'],
		value: (rename, found) => {
			if (rename === 'refused' || rename === 'ignored') return false;
			return byWord({ works: true, 'finds nothing': false })(found);
		},
	},
	addMovesWithinOrganization: {
		steps: ['secondGroup'],
		value: byWord({ moved: true, 'stays in the first': false }),
	},
	oneRolePerOrganization: { steps: ['secondGroup'], value: byWord({ moved: true }) },
	inactiveRefusesGroupChanges: {
		steps: ['removeInactive', 'addInactive'],
		value: (removed, added) =>
			removed === 'refused' || added === 'refused' || (added === 'accepted' ? false : undefined),
	},
	deactivationRemoves: {
		steps: ['deactivate', 'reactivate'],
		value: (off, on) => {
			if (off === 'removed') return true;
			return byWord({ active: false, refused: true })(on);
		},
	},
	deactivationDropsMemberships: {
		steps: ['keptAfter'],
		value: byWord({ kept: false, lost: true }),
	},
	deletionIsFinal: {
		steps: ['deleteUser', 'createAgain'],
		value: (deleted, again) => {
			if (deleted === 'inactive') return false;
			return byWord({ 'the same account': false, 'another account': true, refused: true })(again);
		},
	},
};
