import {
	type AccessValue,
	type Group,
	type GroupMeaning,
	type OrganizationRole,
	type ServiceProfile,
	type Showing,
	type Traits,
	type User,
	valuesOf,
} from '../../scim';
import {
	addTo,
	InputError,
	cachedPerObject,
	memoized,
	nameKey,
	type Moment,
	shown,
} from '../../util';
import { answersOf, type Answers } from './absence';

/** A group that a person is in, with what it stands for. */
export interface Membership extends Partial<OrganizationRole> {
	/** Id of the group, as the service writes it. */
	groupId: string;
	/** Equal for two ids of the same group. */
	key: string;
	displayName: string;
	/** Name of the person's own group that is in this one, directly or not; missing where the person is in it. */
	via?: string;
}

/** Who is in which group, as the service showed it at one time. */
export interface Access extends Answers {
	groups: ReadonlyMap<string, Group>;
	/** Keys of the groups of each person, by user id. */
	held: ReadonlyMap<string, ReadonlySet<string>>;
	/** Values that give access, of each user who was read. */
	values: ReadonlyMap<string, readonly AccessValue[]>;
	/** Keys of the groups that a group is a member of, by its key. */
	parents: ReadonlyMap<string, ReadonlySet<string>>;
	/** Keys of the groups that users say to be in by way of another group, by user id. */
	inherited: ReadonlyMap<string, ReadonlySet<string>>;
	/** True when it is not the groups but the users themselves who say where they are. */
	saidByUsers?: boolean;
	/** What is to be said of groups, such as names that can be read in more than one way. */
	warnings: readonly string[];
	/** Whether these are all groups of the service, so that a group that is not here is not there. */
	isWhole: boolean;
	/** Whether only some people were asked about, so that groups may have other members. */
	isPartial: boolean;
	/** The users that it was made with, and whether these are all. */
	users: readonly User[];
	areAllUsers: boolean;
	/** By key of groups that users show without being among the members, these users: such a group shows a part of them. */
	lacking: ReadonlyMap<string, ReadonlySet<string>>;
	/** When it was read. */
	readAt: Moment;
	/** User names of members, by user id; only where the service shows them. */
	names: ReadonlyMap<string, string>;
	/** Ids by `nameKey` of the user name: several where names differ in case alone. */
	idsByName: ReadonlyMap<string, readonly string[]>;
	/** A group, by its key, as something that a person is in. */
	membershipIn(key: string): Membership;
	/** What a group stands for, by its id; undefined for a group that stands for itself. */
	placeOf(groupId: string): OrganizationRole | undefined;
	/** The id of the group that stands for a role; undefined where no such group was read. */
	groupAt(place: OrganizationRole): string | undefined;
}

const MOST_WARNINGS = 20;

/** What reads of users add to what groups show. */
export interface ReadOfAccess {
	groups: readonly Group[];
	/** Users that were read; some may show their groups. */
	users?: readonly User[];
	isWhole: boolean;
	/** How the service has shown members in this run; missing: as these groups do. */
	showing?: Showing;
	/** Whether the same kind of request as for this user has shown a group of a user in this run; missing: it has not. */
	showsGroupsLike?(user: User): boolean;
	/** Whether these are all users, so that who is not among them is nowhere. */
	areAllUsers?: boolean;
	/** Whether a user was shown by this ID in this run; missing: none was. */
	isUser?(id: string): boolean;
	/** Whether a group was shown by this key in this run; missing: none was. */
	isGroup?(key: string): boolean;
	/** Whether a user was looked for by this ID in this run; missing: none was. */
	wasAsked?(id: string): boolean;
	/** Whether the service has groups at all; missing: as the profile says. */
	hasGroups?: boolean;
	/** Before the first of it was asked for. */
	readAt: Moment;
}

/**
 * Who is in which group, from groups with their members and from users with their groups. An absent or empty list says
 * "none" only where the same kind of resource has shown a list that is not empty, or a trait says that it would.
 * @throws InputError when two groups stand for the same role in the same organization
 */
export function readAccess(
	{ groups, users = [], isWhole, readAt, ...more }: ReadOfAccess,
	ids: GroupMeaning,
	profile: ServiceProfile,
): Access {
	const byKey = new Map<string, Group>();
	const held = new Map<string, Set<string>>();
	const parents = new Map<string, Set<string>>();
	const inherited = new Map<string, Set<string>>();
	const names = new Map<string, string>();
	const put = (to: Map<string, Set<string>>, member: string, key: string) => {
		const own = to.get(member);
		if (own === undefined) to.set(member, new Set<string>().add(key));
		else own.add(key);
	};
	for (const group of groups) {
		const key = ids.key(group.id);
		byKey.set(key, group);
		for (const id of group.nested ?? []) put(parents, ids.key(id), key);
		for (const { id, display } of group.members ?? []) {
			put(held, id, key);
			if (!profile.knowsPeopleByLogin || display === undefined || names.has(id)) continue;
			names.set(id, display);
		}
	}
	const groupsShow =
		profile.groupsShowMembers === 'yes' ||
		(profile.groupsShowMembers === 'unknown' &&
			(held.size > 0 || more.showing?.groupsShow === true));
	/** Ids as users write them of groups that were not read. */
	const unread = new Map<string, string>();
	const lacking = new Map<string, Set<string>>();
	for (const { id, groupIds = [], indirectIds = [] } of users) {
		for (const groupId of groupIds) {
			const key = ids.key(groupId);
			if (groupsShow && byKey.has(key) && held.get(id)?.has(key) !== true) put(lacking, key, id);
			put(held, id, key);
		}
		for (const groupId of indirectIds) put(inherited, id, ids.key(groupId));
		for (const groupId of [...groupIds, ...indirectIds]) {
			const key = ids.key(groupId);
			if (!byKey.has(key)) unread.set(key, groupId);
		}
	}
	const usersShow = usersShowGroups(users, profile);
	const { areAllUsers = false, hasGroups = profile.hasGroups } = more;
	const { showsGroupsLike = () => false, wasAsked = () => false } = more;
	const { isUser = () => false, isGroup = () => false } = more;
	const alone = { profile, longest: 0, longestOfUsers: 0, filterFinds: () => false };
	const showing = { ...(more.showing ?? alone), groupsShow };
	const shown = { groups: byKey, held, users, isWhole, areAllUsers, lacking, showing, hasGroups };
	const places = new Map<string, OrganizationRole>();
	const byPlace = new Map<string, string>();
	const spellings = new Map<string, string>();
	for (const [key, { id, displayName }] of byKey) {
		const place = ids.parse(id, displayName);
		if (place === undefined) continue;
		const other = byPlace.get(ids.placeKey(place));
		if (other !== undefined) throw samePlace(place, other, id);
		// As the first of its groups spells it: names of groups differ in case, and places are compared by organization.
		const same = placeOfOrganization(place.organization, ids);
		const organization = spellings.get(same) ?? place.organization;
		spellings.set(same, organization);
		places.set(key, { ...place, organization });
		byPlace.set(ids.placeKey(place), id);
	}
	const placeOf = memoized((groupId) => places.get(ids.key(groupId)) ?? ids.parse(groupId));
	return {
		groups: byKey,
		held,
		values: valuesByUser(users, profile),
		parents,
		inherited,
		users,
		areAllUsers,
		lacking,
		saidByUsers:
			!groupsShow &&
			users.some((user) => usersShow || showsGroupsLike(user)) &&
			!groups.some(({ byFilter }) => byFilter === true),
		warnings: ambiguousGroups(groups, ids).slice(0, MOST_WARNINGS),
		isWhole,
		isPartial: groups.some(({ of }) => of !== undefined),
		readAt,
		names,
		idsByName: idsByName(names),
		membershipIn: memoized((key) => {
			// A user may say to be in a group that was not read, or that no list shows.
			const group = byKey.get(key);
			const groupId = group?.id ?? unread.get(key) ?? key;
			return { groupId, key, displayName: group?.displayName ?? groupId, ...placeOf(groupId) };
		}),
		placeOf,
		groupAt: (place) => byPlace.get(ids.placeKey(place)),
		...answersOf({ ...shown, usersShow, showsGroupsLike, wasAsked, isUser, isGroup }, ids, profile),
	};
}

/** Ids by `nameKey` of the user name. */
export function idsByName(names: ReadonlyMap<string, string>): Map<string, string[]> {
	const ids = new Map<string, string[]>();
	for (const [id, userName] of names) addTo(ids, nameKey(userName), id);
	return ids;
}

/** The place of an organization, as groups of it have it: equal for two spellings of it. */
export function placeOfOrganization(organization: string, ids: GroupMeaning): string {
	return ids.standsFor === 'nothing' ? organization : ids.placeKey({ organization, role: '' });
}

/** The values of users, by their ids. */
export function valuesByUser(
	users: readonly User[],
	profile: Traits,
): Map<string, readonly AccessValue[]> {
	return new Map(users.map((user) => [user.id, valuesOf(user, profile)]));
}

/** Whether users say where they are. One who shows no group proves nothing: some services leave the list empty. */
export function usersShowGroups(users: readonly User[], profile: Traits): boolean {
	return (
		profile.usersShowGroups === 'yes' || users.some(({ groupIds = [] }) => groupIds.length > 0)
	);
}

function samePlace({ organization, role }: OrganizationRole, ...ids: string[]): InputError {
	return new InputError(
		`Two groups stand for ${shown(role)} in ${shown(organization)} (IDs ${ids.join(', ')})`,
		'Rename one of them, or correct the Pattern in the credential. Nothing was sent.',
	);
}

// Made once: `localeCompare` finds its rules again with every call.
const { compare } = new Intl.Collator();

/** The groups of a person that were read, in the order of organizations, then of names. */
export function membershipsOf(access: Access, userId: string): Membership[] {
	return inOrder(unsortedMemberships(access, userId));
}

/** The same without the order, which takes the most time of it. */
export function unsortedMemberships({ held, membershipIn }: Access, userId: string): Membership[] {
	const own: Membership[] = [];
	held.get(userId)?.forEach((key) => own.push(membershipIn(key)));
	return own;
}

/**
 * The memberships of a person, and the groups that these are members of (RFC 7643 section 4.2), at any depth as far as
 * groups were read: one entry for each own group that gives it; and those that the user says to be in by way of another
 * group. For display alone: a removal takes own memberships.
 */
export function reachedBy(access: Access, userId: string): Membership[] {
	const own = unsortedMemberships(access, userId);
	const reached = own.flatMap(({ key, displayName: via }) =>
		[...groupsAbove(access, key)]
			.filter((above) => access.held.get(userId)?.has(above) !== true)
			.map((above) => ({ ...access.membershipIn(above), via })),
	);
	const known = new Set(reached.map(({ key }) => key));
	const via = own.length === 1 ? own[0].displayName : ANOTHER_GROUP;
	const said = inheritedBy(access, userId)
		.filter(({ key }) => !known.has(key))
		.map((membership) => ({ ...membership, via }));
	return [...own, ...reached, ...said].sort(byPlaceAndName);
}

/** What stands for the group that gives a membership, where several may. */
const ANOTHER_GROUP = 'another group';

/** The groups that a user says to be in by way of another group, and of no own one: no removal ends these. */
export function stuckIn(access: Access, userId: string): Membership[] {
	return access.held.has(userId) ? [] : inheritedBy(access, userId);
}

function inheritedBy({ inherited, held, membershipIn }: Access, userId: string): Membership[] {
	return [...(inherited.get(userId) ?? [])].flatMap((key) =>
		held.get(userId)?.has(key) === true ? [] : membershipIn(key),
	);
}

function groupsAbove({ parents }: Access, key: string): Set<string> {
	const above = new Set(parents.get(key));
	// The loop also goes over what it adds, each once: groups may be in each other.
	for (const one of above) parents.get(one)?.forEach((next) => above.add(next));
	return above;
}

/** The same in the order of organizations, then of names. */
export function inOrder(memberships: Membership[]): Membership[] {
	return memberships.length < 2 ? memberships : memberships.sort(byPlaceAndName);
}

function byPlaceAndName(a: Membership, b: Membership): number {
	return (
		compare(a.organization ?? '', b.organization ?? '') ||
		compare(a.displayName, b.displayName) ||
		compare(a.via ?? '', b.via ?? '')
	);
}

/** Groups that are plain because the pattern reads them in more than one way, each in words. */
export function ambiguousGroups(
	groups: Iterable<Pick<Group, 'id' | 'displayName'>>,
	ids: GroupMeaning,
): string[] {
	return [...groups].flatMap(({ id, displayName }) => {
		const readings = ids.parse(id, displayName) ? [] : ids.readings(id, displayName);
		if (readings.length < 2) return [];
		const ways = readings.map(
			({ organization, role }) => `${shown(role)} in ${shown(organization)}`,
		);
		return [
			`Group "${shown(displayName)}" can be read as ${ways.join(' or ')}, so it counts as a plain group. Add its role to Roles in the credential.`,
		];
	});
}

/** Ids of the people in a group, from any source. */
export function peopleIn({ held, groups }: Access, key: string): string[] {
	const members = groups.get(key)?.members?.map(({ id }) => id) ?? [];
	return [...new Set([...members, ...(peopleByGroup(held).get(key) ?? [])])];
}

/** Made once for each reading: whole lists ask for thousands of groups. */
const peopleByGroup = cachedPerObject((held: Access['held']) => {
	const people = new Map<string, string[]>();
	for (const [id, keys] of held) for (const key of keys) addTo(people, key, id);
	return people;
});

/** The people that the affected are a share of. */
export interface AffectedBase {
	people: number;
	/** Who they are, in words that go after their number, such as "people with access in scope". */
	are: string;
}

/** How many people are in at least one of these groups. */
export function countPeople(
	{ groups, held }: Access,
	isMeant: (groupId: string) => boolean,
): number {
	const meant = new Set([...groups].flatMap(([key, { id }]) => (isMeant(id) ? [key] : [])));
	let people = 0;
	for (const keys of held.values()) {
		for (const key of keys) {
			if (!meant.has(key)) continue;
			people += 1;
			break;
		}
	}
	return people;
}

/**
 * The organizations in which people are shown with two roles although the service allows one, by user id: a stale read,
 * never a reason to remove anything (test/contract/interface.md 2.1).
 */
export const doubleRoles = cachedPerObject(({ held, membershipIn }: Access) => {
	const twice = new Map<string, Set<string>>();
	// Who was last seen in each organization: a set for each of thousands of people takes longer.
	const lastIn = new Map<string, string>();
	for (const [id, keys] of held) {
		for (const key of keys.size < 2 ? NO_KEYS : keys) {
			const { organization } = membershipIn(key);
			if (organization === undefined) continue;
			if (lastIn.get(organization) === id) {
				twice.set(id, (twice.get(id) ?? new Set()).add(organization));
			}
			lastIn.set(organization, id);
		}
	}
	return twice;
});

const NO_KEYS: ReadonlySet<string> = new Set();
