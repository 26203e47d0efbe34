import {
	ALL,
	type Group,
	type GroupIds,
	matchingBy,
	NOT_SO,
	type NotTold,
	notTold,
	type ServiceProfile,
	type Showing,
	SO,
	type Told,
	type User,
	type Whole,
	whyOpen,
} from '../../scim';
import { madeOnce, nameKey } from '../../util';

// Rule of evidence, "is in no group, not in this group": what one reading of groups and users tells.

/** What a reading has shown. */
export interface Shown {
	groups: ReadonlyMap<string, Group>;
	/** Keys of the groups of each person, by user ID. */
	held: ReadonlyMap<string, ReadonlySet<string>>;
	users: readonly User[];
	/** Whether these are all groups of the service. */
	isWhole: boolean;
	/** Whether these are all users, so that who is not among them is nowhere. */
	areAllUsers: boolean;
	/** By key, groups that lack a person who shows them: they show a part of their members. */
	lacking: ReadonlyMap<string, string>;
	showing: Showing;
	/** Whether all users show their groups, where they have any. */
	usersShow: boolean;
	/** The same of the kind of request that has shown a user. */
	showsGroupsLike(user: User): boolean;
}

/** What a reading tells of memberships, in three answers. */
export interface Answers {
	/** Whether anything shows members, which some services never do: memberships are then unknown. */
	shown: Whole;
	/** Whether a person is in a group. */
	membership(userId: string, groupId: string): Told;
	/** Whether all groups of a person are known. */
	everyGroup(userId: string): Whole;
	/** Whether all people in a group are known. */
	everyMember(groupId: string): Whole;
}

const NO_GROUPS = notTold(
	'the service shows no group at all, as it does to a token without rights',
	{
		advice: 'If it truly has none, set Has Groups to No in the credential.',
	},
);
const NO_MEMBERS = notTold('neither groups nor users of the service show memberships', {
	advice:
		'If an empty list means none there, set Users Show Groups or Groups Show Members in the credential.',
});
const NOT_ASKED = notTold('it was not asked for');
const NOT_READ = notTold('the group was not read');

/** The answers of a reading. @param profile what the service is known to be */
export function answersOf(shown: Shown, ids: GroupIds, profile: ServiceProfile): Answers {
	const { groups, held, users, isWhole, showing } = shown;
	const open = new Map<string, NotTold>();
	for (const [key, group] of groups) {
		const lacks = shown.lacking.get(key);
		const why =
			whyOpen(group, showing) ??
			(lacks === undefined
				? undefined
				: notTold(`${group.displayName} does not show a member who shows it (ID ${lacks})`));
		if (why !== undefined) open.set(key, why);
	}
	const noGroups = groups.size === 0 && profile.hasGroups ? NO_GROUPS : undefined;
	/** The people that groups were asked about, if not about all. */
	const asked = [...groups.values()].flatMap(({ of }) => of ?? []);
	const speakers = new Set(
		users.flatMap((user) => (shown.usersShow || shown.showsGroupsLike(user) ? user.id : [])),
	);
	const unclear = unclearGroups(shown, ids);
	const alike = alikeIn(shown, profile);
	const isSilent = !showing.groupsShow && speakers.size === 0;
	return {
		shown: isSilent && (open.size > 0 || noGroups !== undefined) ? (noGroups ?? NO_MEMBERS) : ALL,
		membership(userId, groupId) {
			const key = ids.key(groupId);
			const group = groups.get(key);
			if (held.get(userId)?.has(key) === true) return SO;
			if (speakers.has(userId)) return unclear.get(userId) ?? NOT_SO;
			if (group === undefined) return NOT_READ;
			if (group.of?.has(userId) === false) return NOT_ASKED;
			return open.get(key) ?? alike(userId, group) ?? NOT_SO;
		},
		everyGroup(userId) {
			if (speakers.has(userId)) return unclear.get(userId) ?? ALL;
			if (!isWhole) return NO_MEMBERS;
			if (noGroups !== undefined) return noGroups;
			if (asked.some((of) => !of.has(userId))) return NOT_ASKED;
			const [why] = open.values();
			if (why !== undefined) return isSilent ? NO_MEMBERS : why;
			const own = held.get(userId);
			for (const [key, group] of groups) {
				const other = own?.has(key) === true ? undefined : alike(userId, group);
				if (other !== undefined) return other;
			}
			return ALL;
		},
		everyMember(groupId) {
			const key = ids.key(groupId);
			if (isWhole && shown.areAllUsers && speakers.size > 0) return ALL;
			const group = groups.get(key);
			if (group === undefined) return NOT_READ;
			return group.of === undefined ? (open.get(key) ?? ALL) : NOT_ASKED;
		},
	};
}

/** By person, why their own list of groups tells nothing: an entry that names no group, or names one that has another ID. */
function unclearGroups({ groups, users }: Shown, ids: GroupIds): Map<string, NotTold> {
	const names = new Set([...groups.values()].map(({ displayName }) => nameKey(displayName)));
	const isName = (groupId: string) => !groups.has(ids.key(groupId)) && names.has(nameKey(groupId));
	return new Map(
		users.flatMap(({ id, groupIds = [], unread = [] }): Array<[string, NotTold]> => {
			const [name] = [...unread, ...groupIds.filter(isName)];
			return name === undefined
				? []
				: [[id, notTold(`the user shows a group that cannot be told (${name})`)]];
		}),
	);
}

/** Whether a group shows somebody under another ID, who is no user that was shown, and looks like the person. */
function alikeIn({ users }: Shown, profile: ServiceProfile) {
	const usersById = new Map(users.map((user) => [user.id, user]));
	return (userId: string, group: Group): NotTold | undefined => {
		if (profile.knowsPeopleByLogin) return undefined;
		const user = usersById.get(userId);
		const looks = looksIn(group);
		const own = [userId, user?.userName ?? '', ...(user ? matchingBy('email').keysOf(user) : [])];
		const other = own
			.flatMap((one) => looks.get(nameKey(one)) ?? [])
			.find((id) => id !== userId && !usersById.has(id));
		return other === undefined
			? undefined
			: notTold(
					`${group.displayName} shows ${other}, which looks like the person under another ID`,
				);
	};
}

/** What members are called, and end with, as `nameKey` folds it, with their IDs. */
const looksIn = madeOnce(({ members = [] }: Group): Map<string, string> => {
	const looks = new Map<string, string>();
	for (const { id, display } of members) {
		const last = id.includes('/') ? (id.split('/').at(-1) ?? '') : '';
		for (const name of [id, last, display ?? '']) if (name !== '') looks.set(nameKey(name), id);
	}
	return looks;
});
