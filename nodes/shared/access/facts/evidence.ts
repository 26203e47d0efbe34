import { isLate, madeOnce, momentOf, type Attempt, type Moment, type Patience } from '../../util';
import type { Group, GroupIds, ScimClient, User } from '../../scim';

/** When a request left, and as which one of the run. */
export interface Leaving extends Moment {
	number: number;
}

/** What a request has shown, or why it has shown nothing; undefined where it showed that there is no such resource. */
interface Seen<T> {
	read: Attempt<T | undefined>;
	left: Leaving;
	/** Whether it was the answer to a write, which some services make of the request. */
	isAnswer: boolean;
}

/** People that the run has taken out of a group, and the number of the request after which a read tells what that did. */
export interface Removal {
	removed: ReadonlySet<string>;
	since: number;
}

/** What is known of a membership: undefined where nothing tells. `error`: why a look has shown nothing. */
export interface KnownMembership {
	is?: boolean;
	error?: unknown;
	/** Whether nothing that was shown could tell. */
	isHidden?: boolean;
}

/**
 * What the service has shown while a plan is carried out, each with the time when the request left that showed it: what left
 * before the last write that can change a fact says nothing of it.
 */
export class Evidence {
	private readonly groups = new Map<string, Seen<Group>>();

	private readonly users = new Map<string, Seen<User>>();

	private readonly removals = new Map<string, Removal>();

	private left = 0;

	constructor(
		private readonly client: Pick<ScimClient, 'profile' | 'filtersFound' | 'showsMembers'>,
		private readonly ids: GroupIds,
		private readonly patience: Patience,
	) {}

	/** What it is to be known by that a write has just shown: the answer counts from when it came, and is as old as the request. */
	answeredTo(left: Leaving): Leaving {
		return { ...left, number: this.leaving().number };
	}

	/** To be asked before a request leaves, for what its answer shows. */
	leaving(): Leaving {
		return { ...momentOf(this.patience), number: ++this.left };
	}

	seeGroup(id: string, read: Attempt<Group | undefined>, left: Leaving, isAnswer = false): void {
		const key = this.ids.key(id);
		if ((this.groups.get(key)?.left.number ?? 0) <= left.number)
			this.groups.set(key, { read, left, isAnswer });
	}

	seeUser(id: string, read: Attempt<User | undefined>, left: Leaving, isAnswer = false): void {
		if ((this.users.get(id)?.left.number ?? 0) <= left.number)
			this.users.set(id, { read, left, isAnswer });
	}

	/** @param left the request that has taken them out */
	noteRemoval(key: string, people: readonly string[], { number }: Leaving): void {
		const removed = new Set([...(this.removals.get(key)?.removed ?? []), ...people]);
		this.removals.set(key, { removed, since: number });
	}

	/** A removal from a group of which it is not known yet what it did to the others. */
	removalFrom(key: string): Removal | undefined {
		return this.removals.get(key);
	}

	forgetRemoval(key: string): void {
		this.removals.delete(key);
	}

	/** Whether people were taken out of a group that was not read since. */
	isUnreadAfterRemoval(key: string): boolean {
		const removal = this.removals.get(key);
		const seen = this.groups.get(key);
		if (removal === undefined) return false;
		return seen === undefined || seen.isAnswer || seen.left.number < removal.since;
	}

	isAnswerOf(id: string): boolean {
		return this.users.get(id)?.isAnswer === true;
	}

	/** @param since number of the request after which it counts */
	group(key: string, since = 0): Attempt<Group | undefined> | undefined {
		const seen = this.groups.get(key);
		return seen !== undefined && seen.left.number >= since ? seen.read : undefined;
	}

	user(id: string, since = 0): Attempt<User | undefined> | undefined {
		const seen = this.users.get(id);
		return seen !== undefined && seen.left.number >= since ? seen.read : undefined;
	}

	/** The group, where it was seen a moment ago, and tells of all these people. */
	freshGroup(key: string, people: readonly string[]): Group | undefined {
		const seen = this.groups.get(key);
		if (seen === undefined || isLate(seen.left, this.patience) || !seen.read.ok) return undefined;
		const group = seen.read.value;
		return people.every((id) => group?.of?.has(id) ?? true) ? group : undefined;
	}

	isFreshUser(id: string): boolean {
		const seen = this.users.get(id);
		return seen !== undefined && !isLate(seen.left, this.patience);
	}

	/** Whether a person was shown in a group a moment ago, by the group or by the user. */
	showedMember(key: string, id: string): boolean {
		const group = this.freshGroup(key, [id]);
		if (group !== undefined && idsIn(group).has(id)) return true;
		const user = this.isFreshUser(id) ? this.user(id) : undefined;
		return user?.ok === true && showsGroup(user.value, key, this.ids);
	}

	/**
	 * Whether a person is in a group. Presence is believed from any source; absence of a place that shows everything: a
	 * group that shows other members, or a list that the service is known to give, or the person's own list.
	 * @param wasHidden whether the group showed no members before, so that an empty one proves nothing
	 */
	membership(key: string, id: string, since: number, wasHidden = false): KnownMembership {
		const read = this.group(key, since);
		const said = this.user(id, since);
		const group = read?.ok === true ? read.value : undefined;
		if (group !== undefined && idsIn(group).has(id)) return { is: true };
		const isOut = group !== undefined && this.tellsAbsence(group, id, wasHidden);
		// What a user has said before the group was read is over.
		const isOlder =
			(this.users.get(id)?.left.number ?? 0) < (this.groups.get(key)?.left.number ?? 0);
		const user = said?.ok === true && !(isOut && isOlder) ? said.value : undefined;
		if (showsGroup(user, key, this.ids)) return { is: true };
		const own = user?.groupIds;
		// A user who is gone is nowhere.
		const isGone = said?.ok === true && said.value === undefined && !isOlder;
		const isHidden = group?.byFilter !== true && (own ?? []).length === 0;
		if (isOut || isGone || own !== undefined) return { is: false, isHidden };
		const failed = read?.ok === false ? read : said?.ok === false ? said : undefined;
		if (failed !== undefined) return { error: failed.error };
		return read === undefined ? {} : { isHidden };
	}

	/** Whether a group is known to be empty, and not just to show no members. */
	private tellsAbsence(group: Group, id: string, wasHidden: boolean): boolean {
		const { members, byFilter, of } = group;
		if (of?.has(id) === false) return false;
		if (this.client.profile.groupsShowMembers === 'yes') return true;
		if (byFilter === true) return members !== undefined && this.client.filtersFound();
		if (isCapped(group)) return false;
		return (members ?? []).length > 0 || (members !== undefined && !wasHidden);
	}

	/** Whether a group was shown that may be one of those that never show members: then the people are asked. */
	isSilent(key: string, since: number): boolean {
		const read = this.group(key, since);
		if (read?.ok !== true || read.value?.byFilter === true) return false;
		const group = read.value;
		return group?.members === undefined || group.members.length === 0 || isCapped(group);
	}
}

/** Sizes of pages: a list of exactly so many may be a part. */
const CAPS: readonly number[] = [100, 200, 1_000];

/** Whether a list of members may be a part. */
function isCapped({ members }: Group): boolean {
	return CAPS.includes(members?.length ?? 0);
}

/** Whether a user shows to be in a group. */
export function showsGroup(user: User | undefined, key: string, ids: GroupIds): boolean {
	return user?.groupIds?.some((groupId) => ids.key(groupId) === key) === true;
}

/** Made once: every change is looked up in every answer. */
export const idsIn = madeOnce(
	({ members = [] }: Group): ReadonlySet<string> => new Set(members.map(({ id }) => id)),
);
