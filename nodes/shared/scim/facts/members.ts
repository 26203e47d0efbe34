import { cachedPerObject, shown } from '../../util';
import { attribute, readText, type Group, type User } from '../protocol/resource';
import type { ServiceProfile } from '../protocol/service';
import { notTold, type NotTold } from './told';

// Rule of evidence: what a member is, and when a group shows all of them. The only place that knows of caps.

/** Lengths at which services were seen to cut members off, and pages that they show of them (test/servers/results.md). */
const CAPS: readonly number[] = [100, 200, 250, 500, 1_000, 2_000, 5_000, 10_000];

/** Lengths at which services cut the groups of a user off. */
const CAPS_OF_GROUPS: readonly number[] = [20, 50, ...CAPS];

/** Tells whether services cut their lists off at this length. */
export function isRound(length: number): boolean {
	return length > 0 && length % 50 === 0;
}

/** What the run has learned of how the service shows members. */
export interface Showing {
	profile: Pick<ServiceProfile, 'groupsShowMembers'>;
	/** The longest list of members that any group has shown: shorter ones are not cut there. */
	longest: number;
	/** The longest list of groups that any user has shown; infinite where users are known to show all. */
	longestOfUsers: number;
	/** Whether groups were seen to show members, so that one without any is empty. */
	groupsShow: boolean;
	/** Whether the form of filter that has told the members of a group has found one of any group. */
	filterFinds(group: Pick<Group, 'of'>): boolean;
}

/** Says why a person whom a group does not show may be a member; undefined where a group without the person is proof. */
export function whyOpen(group: Group, showing: Showing): NotTold | undefined {
	const { displayName, members, unread = 0, byFilter } = group;
	if (unread > 0) {
		return notTold(
			`${unread} of the members of ${shown(displayName)} cannot be read: an entry has no ID that is one`,
		);
	}
	const isYes = showing.profile.groupsShowMembers === 'yes';
	if (byFilter === true) {
		const isTold = isYes || (members !== undefined && showing.filterFinds(group));
		return isTold ? undefined : notTold('no filter has found a member of any group');
	}
	const count = members?.length ?? 0;
	if (!isYes && CAPS.includes(count) && showing.longest <= count) {
		return notTold(
			`${shown(displayName)} shows exactly ${count} members, which may be a part of them; if it always shows all, set Groups Show Members to Yes in the credential`,
		);
	}
	if (isYes || showing.groupsShow || count > 0) return undefined;
	return NO_MEMBERS;
}

const NO_MEMBERS = notTold('no group of this service shows members', {
	advice:
		'Some services never show members. Then nobody can be removed here. Check the service itself.',
});

/** Tells whether a group shows some of its members, and perhaps not all: asking it again is of no use, asking people is. */
export function isCut(group: Group, showing: Showing): boolean {
	const { members = [], unread = 0 } = group;
	return (members.length > 0 || unread > 0) && whyOpen(group, showing) !== undefined;
}

/** Tells whether a PUT may remove members that are not shown: a list as long as pages are may be one. */
export function mayHideSome(group: Group, showing: Showing): boolean {
	const isYes = showing.profile.groupsShowMembers === 'yes';
	return isCut(group, showing) || (!isYes && isRound(group.members?.length ?? 0));
}

/** Says why the groups that a user shows may be a part of them; undefined where they are all. */
export function whyGroupsOpen(
	{ groupIds = [] }: User,
	{ longestOfUsers }: Showing,
): NotTold | undefined {
	const shown = groupIds.length;
	if (!CAPS_OF_GROUPS.includes(shown) || longestOfUsers > shown) return undefined;
	return notTold(
		`the user shows exactly ${shown} groups, which may be a part of them; if users always show all, set Users Show Groups to Yes in the credential`,
	);
}

/**
 * A group with its users and other members apart. What says to be something else than RFC 7643 knows is a user where it shows
 * the ID and the name of one that was shown; else nothing is done to it. What says nothing is a group where one has its ID, and
 * no user.
 * @param userOf a user that was shown by this ID
 * @param isGroup whether a group was shown by it, and a look has shown no user
 */
export function sortedMembers(
	group: Group,
	userOf: (id: string) => User | undefined,
	isGroup: (id: string) => boolean,
): Group {
	const inside = (group.members ?? []).filter(({ id, isUser }) => isUser !== true && isGroup(id));
	const users = [...(group.others ?? [])].flatMap(([id, entry]) =>
		isEntryOf(entry, userOf(id)) ? [{ id, isUser: true }] : [],
	);
	if (users.length + inside.length === 0) return group;
	const known = new Set(users.map(({ id }) => id));
	return {
		...group,
		members: [...(group.members ?? []).filter((one) => !inside.includes(one)), ...users],
		nested: [...new Set([...(group.nested ?? []), ...inside.map(({ id }) => id)])],
		others: new Map([...(group.others ?? [])].filter(([id]) => !known.has(id))),
	};
}

/** What an entry says to be, other than a user or a group. */
export function wordOf(entry: unknown): string {
	const segments = (readText(attribute(entry, '$ref')) ?? '').split('/').filter(Boolean);
	const said = [readText(attribute(entry, 'type')), segments.at(-2)];
	return said.map((one = '') => one.toLowerCase()).join('\n');
}

/**
 * Whether an entry means a user of its ID: by the name or the address that it shows. By the ID alone only where no two things
 * have the same one, as they have where IDs are counted.
 */
function isEntryOf(entry: unknown, user: User | undefined): boolean {
	if (user === undefined) return false;
	const { id, userName, attributes } = user;
	const location = readText(attribute(attribute(attributes, 'meta'), 'location'));
	if (location !== undefined && readText(attribute(entry, '$ref')) === location) return true;
	const display = readText(attribute(entry, 'display'));
	if (display === undefined) return !/^\d+$/.test(id);
	return [userName, readText(attribute(attributes, 'displayName'))].includes(display);
}

/** Whether a user shows to be in a group. @param keyOf equal for two IDs of one group */
export function showsGroup(
	user: User | undefined,
	key: string,
	keyOf: (groupId: string) => string,
): boolean {
	return user?.groupIds?.some((groupId) => keyOf(groupId) === key) === true;
}

/** Members who say to be users. */
export const usersSaidIn = cachedPerObject(
	({ members = [] }: Group): ReadonlySet<string> =>
		new Set(members.flatMap(({ id, isUser }) => (isUser === true ? id : []))),
);

/** IDs of the people in a group. Made once: every change is looked up in every answer. */
export const idsIn = cachedPerObject(
	({ members = [] }: Group): ReadonlySet<string> => new Set(members.map(({ id }) => id)),
);
