import { type Moment, nameKey } from '../util';
import type { Group, GroupIds, OrganizationRole, ServiceProfile } from '../scim';

/** A person, an organization and a role: what SCIM has as one member of one group. */
export interface Assignment extends OrganizationRole {
	/** Id of the group, as the service writes it. */
	groupId: string;
	/** Equal for two ids of the same group. */
	key: string;
}

/** Who is in which group, as the service showed it at one time. */
export interface Access {
	groups: ReadonlyMap<string, Group>;
	/** Keys of the groups of each person, by user id. */
	held: ReadonlyMap<string, ReadonlySet<string>>;
	/** False when no group shows anybody although some services never do: who is in a group is then not known. */
	showsMembers: boolean;
	/** True when it is not the groups but the users themselves who say where they are. */
	saidByUsers?: boolean;
	/** When it was read. */
	readAt: Moment;
	/** User names of members, by user id; only where the service shows them. */
	names: ReadonlyMap<string, string>;
	/** Ids by `nameKey` of the user name: several where names differ in case alone. */
	idsByName: ReadonlyMap<string, readonly string[]>;
}

/**
 * @param groups all groups of the service, with their members
 * @param readAt before the first of them was asked for
 */
export function readAccess(
	groups: readonly Group[],
	ids: GroupIds,
	profile: ServiceProfile,
	readAt: Moment,
): Access {
	const byKey = new Map<string, Group>();
	const held = new Map<string, Set<string>>();
	const names = new Map<string, string>();
	const idsByName = new Map<string, string[]>();
	for (const group of groups) {
		const key = ids.key(group.id);
		byKey.set(key, group);
		for (const { id, display } of group.members ?? []) {
			const own = held.get(id);
			if (own === undefined) held.set(id, new Set([key]));
			else own.add(key);
			if (!profile.memberDisplayIsUserName || display === undefined || names.has(id)) continue;
			names.set(id, display);
			const name = nameKey(display);
			const same = idsByName.get(name);
			if (same === undefined) idsByName.set(name, [id]);
			else same.push(id);
		}
	}
	const showsMembers = profile.groupsShowMembers === 'yes' || held.size > 0 || groups.length === 0;
	return { groups: byKey, held, showsMembers, readAt, names, idsByName };
}

// Made once: `localeCompare` finds its rules anew with every call.
const { compare } = new Intl.Collator();

/** The assignments of a person, in the order of the organizations. */
export function assignmentsOf(access: Access, userId: string, ids: GroupIds): Assignment[] {
	return unsorted(access, userId, ids).sort((a, b) => compare(a.organization, b.organization));
}

/** How many people are in at least one of the groups that are meant. */
export function countPeople(
	{ groups, held }: Access,
	isMeant: (groupId: string) => boolean,
): number {
	const meant = new Set([...groups].flatMap(([key, { id }]) => (isMeant(id) ? [key] : [])));
	return [...held.values()].filter((keys) => [...keys].some((key) => meant.has(key))).length;
}

function unsorted(access: Access, userId: string, ids: GroupIds): Assignment[] {
	return [...(access.held.get(userId) ?? [])].flatMap((key) => {
		const group = access.groups.get(key);
		const parsed = group && ids.parse(group.id);
		return group && parsed ? [{ ...parsed, groupId: group.id, key }] : [];
	});
}

/**
 * Organizations in which a person is shown with two roles although the service allows one: an old read, never a reason
 * to remove anything (docs/interface.md 2.1).
 */
export function doubleRoles(access: Access, userId: string, ids: GroupIds): string[] {
	if ((access.held.get(userId)?.size ?? 0) < 2) return [];
	const organizations = unsorted(access, userId, ids).map(({ organization }) => organization);
	return organizations.filter((organization, index) => organizations.indexOf(organization) < index);
}
