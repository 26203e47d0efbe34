import {
	ALL,
	type Group,
	type GroupMeaning,
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
	whyGroupsOpen,
	whyOpen,
} from '../../scim';
import { addTo, nameKey, shown as inMessage } from '../../util';

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
	/** By key of groups, the users who show them without being among the members. */
	lacking: ReadonlyMap<string, ReadonlySet<string>>;
	showing: Showing;
	/** Whether the service has groups at all. */
	hasGroups: boolean;
	/** Whether all users show their groups, where they have any. */
	usersShow: boolean;
	/** Whether a user was shown by this ID. */
	isUser(id: string): boolean;
	/** Whether a group was shown by this key, here or by another read. */
	isGroup(key: string): boolean;
	/** Whether a user was looked for by this ID. */
	wasAsked(id: string): boolean;
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
	/** Members with another ID, by which no user was shown, who look like a person. */
	lookAlikes(userId: string): string[];
}

const NO_GROUPS = notTold(
	'the service shows no group at all, as it does to a token without rights; if it truly has none, set Has Groups to No in the credential',
);
const NO_MEMBERS = notTold('neither groups nor users of the service show memberships', {
	advice:
		'If an empty list means none there, set Users Show Groups or Groups Show Members in the credential.',
});
const NOT_ASKED = notTold('it was not asked for');
const NOT_READ = notTold('the group was not read');

/** The answers of a reading. @param profile what the service is known to be */
export function answersOf(shown: Shown, ids: GroupMeaning, profile: ServiceProfile): Answers {
	const { groups, held, users, isWhole, showing } = shown;
	const open = new Map<string, NotTold>();
	for (const [key, group] of groups) {
		const [lacks] = shown.lacking.get(key) ?? [];
		const why =
			whyOpen(group, showing) ??
			(lacks === undefined
				? undefined
				: notTold(
						`${inMessage(group.displayName)} does not show a member who shows it (ID ${lacks})`,
					));
		if (why !== undefined) open.set(key, why);
	}
	const noGroups = groups.size === 0 && shown.hasGroups ? NO_GROUPS : undefined;
	/** The people that groups were asked about, if not about all. */
	const asked = [...groups.values()].flatMap(({ of }) => of ?? []);
	/** Users whose groups may be a part: they do not tell what they are not in, and groups may. */
	const capped = new Map(
		users.flatMap((user) => {
			const why = whyGroupsOpen(user, showing);
			return why === undefined ? [] : [[user.id, why] as const];
		}),
	);
	const speakers = new Set(
		users.flatMap((user) => {
			const speaks = shown.usersShow || shown.showsGroupsLike(user);
			return speaks && !capped.has(user.id) ? user.id : [];
		}),
	);
	const unclear = unclearGroups(shown, ids);
	const lookAlikes = lookAlikesIn(shown, profile);
	/** @param isMeant the groups that it is about, by key */
	const alike = (userId: string, isMeant: (key: string) => boolean): NotTold | undefined => {
		for (const other of lookAlikes(userId)) {
			// Where a look has shown that there is no such user, it is one who was deleted.
			const key = shown.wasAsked(other) ? undefined : [...(held.get(other) ?? [])].find(isMeant);
			const group = key === undefined ? undefined : groups.get(key);
			if (group !== undefined) {
				return notTold(
					`${inMessage(group.displayName)} shows ${other}, which looks like the person under another ID`,
				);
			}
		}
		return undefined;
	};
	const isSilent = !showing.groupsShow && speakers.size === 0;
	return {
		shown: isSilent && (open.size > 0 || noGroups !== undefined) ? (noGroups ?? NO_MEMBERS) : ALL,
		membership(userId, groupId) {
			const key = ids.key(groupId);
			const group = groups.get(key);
			if (held.get(userId)?.has(key) === true) return SO;
			if (speakers.has(userId)) return unclear.get(userId) ?? NOT_SO;
			if (group === undefined) return capped.get(userId) ?? NOT_READ;
			if (group.of?.has(userId) === false) return NOT_ASKED;
			const why = open.get(key);
			return (why && (capped.get(userId) ?? why)) ?? alike(userId, (one) => one === key) ?? NOT_SO;
		},
		everyGroup(userId) {
			if (speakers.has(userId)) return unclear.get(userId) ?? ALL;
			if (!isWhole) return capped.get(userId) ?? NO_MEMBERS;
			if (noGroups !== undefined) return noGroups;
			if (asked.some((of) => !of.has(userId))) return NOT_ASKED;
			const [why] = open.values();
			if (why !== undefined) return capped.get(userId) ?? (isSilent ? NO_MEMBERS : why);
			const own = held.get(userId);
			return alike(userId, (key) => own?.has(key) !== true) ?? ALL;
		},
		everyMember(groupId) {
			const key = ids.key(groupId);
			if (isWhole && shown.areAllUsers && speakers.size > 0) return ALL;
			const group = groups.get(key);
			if (group === undefined) return NOT_READ;
			return group.of === undefined ? (open.get(key) ?? ALL) : NOT_ASKED;
		},
		lookAlikes,
	};
}

/** By person, why their own list of groups tells nothing: an entry that names no group, or names one that has another ID. */
function unclearGroups({ groups, users, isGroup }: Shown, ids: GroupMeaning): Map<string, NotTold> {
	const names = new Set([...groups.values()].map(({ displayName }) => nameKey(displayName)));
	const isKnown = (key: string) => groups.has(key) || isGroup(key);
	const isName = (groupId: string) => names.has(nameKey(groupId)) && !isKnown(ids.key(groupId));
	return new Map(
		users.flatMap(({ id, groupIds = [], unread = [] }): Array<[string, NotTold]> => {
			const [name] = [...unread, ...groupIds.filter(isName)];
			return name === undefined
				? []
				: [[id, notTold(`the user shows a group that cannot be told (${name})`)]];
		}),
	);
}

/**
 * By person, members with another ID, by which no user was shown, who look like the person: by the ID in another case, the user
 * name, an email, or the end of an address.
 */
function lookAlikesIn({ users, groups, isUser }: Shown, profile: ServiceProfile) {
	let known: Map<string, string[]> | undefined;
	const usersById = new Map(users.map((user) => [user.id, user]));
	return (userId: string): string[] => {
		if (profile.knowsPeopleByLogin) return [];
		known ??= idsByLook(groups.values(), (id) => usersById.has(id) || isUser(id));
		const user = usersById.get(userId);
		const own = [userId, user?.userName ?? '', ...(user ? matchingBy('email').keysOf(user) : [])];
		const ids = own.flatMap((one) => known?.get(nameKey(one)) ?? []);
		return [...new Set(ids)].filter((id) => id !== userId);
	};
}

/** IDs of members who are no users that were shown, by what they are called, and end with, as `nameKey` folds it. */
function idsByLook(
	groups: Iterable<Group>,
	isUser: (id: string) => boolean,
): Map<string, string[]> {
	const ids = new Map<string, string[]>();
	const seen = new Set<string>();
	for (const { members = [] } of groups) {
		for (const { id, display } of members) {
			if (seen.has(id) || isUser(id)) continue;
			seen.add(id);
			const last = id.includes('/') ? (id.split('/').at(-1) ?? '') : '';
			const looks = new Set([id, last, display ?? ''].filter((name) => name !== '').map(nameKey));
			for (const look of looks) addTo(ids, look, id);
		}
	}
	return ids;
}
