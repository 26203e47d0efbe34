import { type Activity, Questions, ALL, NOT_SO, notTold, SO, type Told, type Whole } from './told';
import {
	addTo,
	isLate,
	momentOf,
	nameKey,
	type Attempt,
	type Moment,
	type Timing,
	shown,
} from '../../util';
import { type Matching, namesOf } from '../protocol/matching';
import { shownIn } from '../protocol/accessValues';
import { valueAt, type Group, type ResourceType, type User } from '../protocol/resource';
import type { ServiceProfile } from '../protocol/service';
import {
	idsIn,
	isCut,
	showsGroup,
	sortedMembers,
	whyGroupsOpen,
	whyOpen,
	type Showing,
} from './members';

/** When a request left, and as which one of the run. */
export interface Leaving extends Moment {
	/** By the clock of the machine, in milliseconds since 1970: what items show. */
	time: number;
	number: number;
}

/** How it was asked: a list, a filter, an ID, or a write, whose answer some services make of the request. */
export type Asked = 'id' | 'list' | 'filter' | 'write';

/** What a request has shown of one resource, or why it has shown nothing; undefined where it showed that there is none. */
interface Seen<T> {
	read: Attempt<T | undefined>;
	left: Leaving;
	asked: Asked;
}

/** What is known of a user. */
interface KnownUser {
	seen?: Seen<User>;
	/** As the last read has shown the user, and which kind of request that was. */
	last?: User;
	lastAsked?: Asked;
	/** As any answer has shown it. */
	userName?: string;
	/** As the last read that said so has shown it, and which kind of request that was. */
	active?: boolean;
	activeBy?: Asked;
}

/** Whom the run has put into a group and taken out, and the number of the request after which a read tells what that did. */
export interface MembersChange {
	added: ReadonlySet<string>;
	removed: ReadonlySet<string>;
	since: number;
}

/**
 * All that the service has shown in a run, each with the time when the request left that showed it: the wire feeds it, and
 * everybody asks it. What left before the last write that can change a fact says nothing of it.
 */
export class Facts {
	private readonly groups = new Map<string, Seen<Group>>();

	private readonly users = new Map<string, KnownUser>();

	/** What users who were read have shown on request. */
	readonly onRequest = new WeakMap<User, User>();

	/** By ID, the filters that have found users. One that finds somebody sees users, though a list may show none. */
	readonly hits = new Map<string, { key: string; matching: Matching }>();

	/** By user name and email, the IDs of users who were read with it: made when somebody asks, since most runs do not. */
	private byName?: Map<string, string[]>;

	/** Of groups that were read by ID where no group shows members: a GET of them shows nothing more. */
	private readonly named = new Map<string, Group>();

	/** Keys of groups that a GET by ID has not shown: they may be gone, or hidden. */
	private readonly unfound = new Set<string>();

	/** By key of groups, the users who have shown them without being among the members: of those the group tells nothing. */
	private readonly lacking = new Map<string, Set<string>>();

	/** Groups as they were told apart when so many users were known. */
	private readonly told = new WeakMap<Group, { users: number; group: Group }>();

	private readonly changes = new Map<
		string,
		Record<'added' | 'removed', Set<string>> & { since: number }
	>();

	private readonly groupIds = new Set<string>();

	/** Keys of groups that were shown themselves. */
	private readonly shownGroups = new Set<string>();

	/** The kinds of request that have shown groups of users. */
	private readonly showingGroups = new Set<Asked>();

	/** By ID, the requests that have shown members of a group since one was added last. */
	private readonly showing = new Map<string, Set<string>>();

	/** ETags of what was read by ID, as the last GET had them, by type and ID. */
	private readonly versions = new Map<string, string | undefined>();

	/** What a PUT without an ETag was sent of, by type and ID. */
	private readonly untagged = new Set<string>();

	/** What a write was answered of with 202, by type and ID. */
	private readonly accepted = new Set<string>();

	/** The longest list of members that a group has shown. */
	private longest = 0;

	private longestOfUsers = 0;

	/** Forms of an update of which a read has shown what the answer had shown. */
	private readonly keptForms = new Set<string>();

	/** Changes of which the last read lacked what the answer had shown. */
	private readonly notKept = new Set<string>();

	/** The kinds of request that have shown of a user whether it is active; and by kind, two of those shown active. */
	private readonly showingActivity = new Set<Asked>();

	private readonly activeBy = new Map<Asked, Set<string>>();

	/** The kinds of read that have shown a user. */
	private readonly readBy = new Set<Asked>();

	/** By attribute that gives access, the kinds of read that have shown what a user has there. */
	private readonly showingValues = new Map<string, Set<Asked>>();

	private isWithoutGroups = false;

	private someShowMembers = false;

	private someShowMembersById = false;

	/** What was asked of users in this run. */
	readonly questions = new Questions();

	private left = 0;

	/** Number of the first request that counts as a look of the loop. */
	private freshFrom = 0;

	/**
	 * @param keyOf equal for two IDs of one group
	 * @param filterFinds whether the form of filter that has told the members of a group has found one of any group
	 */
	constructor(
		private readonly profile: ServiceProfile,
		private readonly timing: Timing,
		readonly keyOf: (groupId: string) => string,
		readonly filterFinds: Showing['filterFinds'],
	) {}

	// --- what the wire says ---

	/** Numbers a request before it leaves, for what its answer shows. */
	leaving(): Leaving {
		return { ...momentOf(this.timing), time: Date.now(), number: ++this.left };
	}

	/** What it is to be known by that a write has just shown: the answer counts from when it came, and is as old as the request. */
	answeredTo(left: Leaving): Leaving {
		return { ...left, number: this.leaving().number };
	}

	/** A user as any answer shows it, before it is known whether the answer tells of all that was asked. */
	noteUser(user: User, asked: Asked): void {
		const { id, userName, groupIds = [], active } = user;
		for (const groupId of groupIds) this.groupIds.add(groupId);
		if (groupIds.length > 0) this.showingGroups.add(asked);
		this.longestOfUsers = Math.max(this.longestOfUsers, groupIds.length);
		const known = this.knownUser(id);
		known.userName = userName;
		if (active !== undefined) this.showingActivity.add(asked);
		if (asked === 'write') return;
		known.last = user;
		known.lastAsked = asked;
		this.readBy.add(asked);
		this.noteValues(user, asked);
		if (active !== undefined) {
			Object.assign(known, { active, activeBy: asked });
			const shown = this.activeBy.get(asked) ?? new Set();
			// Two are enough to know of others.
			if (active && shown.size < 2) this.activeBy.set(asked, shown.add(id));
		}
		this.byName = undefined;
	}

	private noteValues({ attributes }: User, asked: Asked): void {
		for (const path of this.profile.accessAttributes) {
			const kinds = this.showingValues.get(path);
			if (kinds?.has(asked) === true || shownIn({ attributes }, path) !== 'values') continue;
			this.showingValues.set(path, (kinds ?? new Set()).add(asked));
		}
	}

	noteGroup({ id, members = [] }: Group): void {
		const key = this.keyOf(id);
		this.groupIds.add(id);
		this.shownGroups.add(key);
		this.unfound.delete(key);
		this.longest = Math.max(this.longest, members.length);
	}

	seeUser(id: string, read: Attempt<User | undefined>, left: Leaving, asked: Asked = 'id'): void {
		if (asked === 'write' && this.notKept.size > 0) return;
		const known = this.knownUser(id);
		if ((known.seen?.left.number ?? 0) <= left.number) known.seen = { read, left, asked };
	}

	seeGroup(id: string, read: Attempt<Group | undefined>, left: Leaving, asked: Asked = 'id'): void {
		if (asked === 'write' && this.notKept.size > 0) return;
		const key = this.keyOf(id);
		if ((this.groups.get(key)?.left.number ?? 0) <= left.number)
			this.groups.set(key, { read, left, asked });
	}

	private knownUser(id: string): KnownUser {
		const known = this.users.get(id);
		if (known !== undefined) return known;
		const made: KnownUser = {};
		this.users.set(id, made);
		return made;
	}

	// --- answers to updates: some services answer with what was sent, and keep another thing ---

	/**
	 * What a read has shown of an update after its answer. As long as it lacks what the answer has shown of one, no answer is
	 * evidence.
	 * @param form in which it was sent; undefined where it was so before, so that the read says nothing of the form
	 */
	noteAfterAnswer(change: string, form: string | undefined, isKept: boolean): void {
		if (this.profile.answersAreKnown) return;
		if (!isKept) this.notKept.add(change);
		else {
			// Reads may lag behind.
			this.notKept.delete(change);
			if (form !== undefined) this.keptForms.add(form);
		}
	}

	/** Whether a read has lacked what an answer has shown, and none has shown it since. */
	get doubtsAnswers(): boolean {
		return this.notKept.size > 0;
	}

	/** Whether answers to updates in this form are evidence. @param form undefined for what was not sent in one */
	believesAnswers(form: string | undefined): boolean {
		if (this.profile.answersAreKnown) return true;
		return this.notKept.size === 0 && (form === undefined || this.keptForms.has(form));
	}

	// --- ETags ---

	noteVersion(type: ResourceType, id: string, version: string | undefined): void {
		this.versions.set(`${type}/${id}`, version);
	}

	versionOf(type: ResourceType, id: string): string | undefined {
		return this.versions.get(`${type}/${id}`);
	}

	/** Whether a GET by ID has shown it: no list has an ETag that the header alone has. */
	wasRead(type: ResourceType, id: string): boolean {
		return this.versions.has(`${type}/${id}`);
	}

	/** Notes a write that was answered 202 (RFC 9110 section 15.3.3). @param path of the request, by segments */
	noteAccepted(path: readonly string[]): void {
		const [type, id] = path.slice(path.findIndex((name) => name === 'Users' || name === 'Groups'));
		this.accepted.add(this.placeOf(type, id));
	}

	/** Whether the service has only accepted a write of it. @param id none of one that is created */
	wasAccepted(type: ResourceType, id: string | undefined): boolean {
		return this.accepted.has(this.placeOf(type, id));
	}

	private placeOf(type: string, id = ''): string {
		return `${type}/${type === 'Groups' && id !== '' ? this.keyOf(id) : id}`;
	}

	/** A PUT of it leaves without an ETag, and may overwrite a change. */
	noteUntagged(type: ResourceType, id: string): void {
		this.untagged.add(`${type}/${id}`);
	}

	wasUntagged(type: ResourceType, id: string): boolean {
		return this.untagged.has(`${type}/${id}`);
	}

	// --- users ---

	/** The user name as any answer has shown it. */
	userName(id: string): string | undefined {
		return this.users.get(id)?.userName;
	}

	/** A user as the last read has shown it, whenever that was. */
	lastRead(id: string): User | undefined {
		return this.users.get(id)?.last;
	}

	/** Whether a user that was read is one of these. */
	hasRead(isIt: (user: User) => boolean): boolean {
		return [...this.users.values()].some(({ last }) => last !== undefined && isIt(last));
	}

	/** Users who are there and were read with one of these as user name or among their emails, whichever is the main one. */
	sharing(names: readonly string[]): User[] {
		const wanted = new Set(names.map(nameKey));
		if (wanted.size === 0) return [];
		const known = this.names;
		const ids = new Set([...wanted].flatMap((name) => known.get(name) ?? []));
		return [...ids].flatMap((id) => {
			const last = this.lastRead(id);
			return last === undefined || this.isGone(id) ? [] : last;
		});
	}

	/** By user name and email of those who were read, their IDs. */
	get names(): ReadonlyMap<string, readonly string[]> {
		this.byName ??= this.namesRead();
		return this.byName;
	}

	private namesRead(): Map<string, string[]> {
		const ids = new Map<string, string[]>();
		for (const [id, { last }] of this.users)
			if (last !== undefined) for (const name of namesOf(last)) addTo(ids, name, id);
		return ids;
	}

	/** Whether a kind of request has shown an attribute of anybody, as each was read last. @param path names, from the outside */
	showsAttribute(asked: Asked, path: readonly string[]): boolean {
		return [...this.users.values()].some(
			({ last, lastAsked }) =>
				lastAsked === asked && path.reduce<unknown>(valueAt, last?.attributes) !== undefined,
		);
	}

	/** Whether two users were read with one user name. */
	get hasTwins(): boolean {
		const names = new Set<string>();
		return this.hasRead(
			({ userName }) => userName !== '' && names.size === names.add(userName).size,
		);
	}

	/** Whether a look has shown that there is no such user. */
	isGone(id: string): boolean {
		const read = this.users.get(id)?.seen?.read;
		return read?.ok === true && read.value === undefined;
	}

	/** @param since number of the request after which it counts */
	user(id: string, since = 0): Attempt<User | undefined> | undefined {
		const seen = this.users.get(id)?.seen;
		return seen !== undefined && seen.left.number >= since ? seen.read : undefined;
	}

	/** When the requests left that have shown a user or a group last, the first of them; undefined where none has. */
	shownAt(id: string | undefined, groupId: string | undefined): number | undefined {
		const user = id === undefined ? undefined : this.users.get(id)?.seen;
		const group = groupId === undefined ? undefined : this.groups.get(this.keyOf(groupId));
		const times = [user, group].flatMap((seen) => seen?.left.time ?? []);
		return times.length === 0 ? undefined : Math.min(...times);
	}

	/** Tells whether a user was shown last by the answer to a write. */
	isAnswerOf(id: string): boolean {
		return this.users.get(id)?.seen?.asked === 'write';
	}

	/** Tells whether a group was shown last by the answer to a write. */
	isAnswerOfGroup(key: string): boolean {
		return this.groups.get(key)?.asked === 'write';
	}

	/** What was shown before counts as no look from now on. */
	distrust(): void {
		this.freshFrom = this.leaving().number;
	}

	private isFresh(left: Leaving): boolean {
		return left.number >= this.freshFrom && !isLate(left, this.timing);
	}

	isFreshUser(id: string): boolean {
		const seen = this.users.get(id)?.seen;
		return seen !== undefined && this.isFresh(seen.left);
	}

	/** Whether a user was shown, and so long ago that it may be another one now. */
	isOldUser(id: string): boolean {
		const known = this.users.get(id);
		return known?.last !== undefined && isLate(known.seen?.left, this.timing);
	}

	/**
	 * Rule of evidence, "is active". Missing, it is not told where the same kind of request shows others active: some leave out
	 * what is false; nor where only another kind shows it, which can be asked. Where nobody is shown active, who shows nothing is.
	 */
	activity({ id, active, isUnclear }: User): Activity {
		if (active !== undefined) return active ? 'active' : 'inactive';
		const known = this.users.get(id);
		if (isUnclear === true || this.showsOthersActive(id)) return 'not told';
		if (known?.active !== undefined) return known.active ? 'active' : 'inactive';
		return this.activeBy.size > 0 ? 'not told' : 'active';
	}

	/** Tells the activity as of now: a user of whom only an earlier read says active may have been deactivated. */
	activityNow(user: User): Activity {
		const wasActive = this.users.get(user.id)?.active === true;
		return user.active === undefined && wasActive ? 'not told' : this.activity(user);
	}

	/** Whether the kind of request that has shown a user last shows others active. */
	private showsOthersActive(id: string): boolean {
		const asked = this.users.get(id)?.lastAsked;
		const shown = asked === undefined ? undefined : this.activeBy.get(asked);
		return [...(shown ?? [])].some((other) => other !== id);
	}

	/** Whether a user was shown active, and the same kind of request, which shows others active, shows nothing of it any more. */
	isActiveNoMore({ id, active, isUnclear }: User): boolean {
		const known = this.users.get(id);
		const isAlike = known?.active === true && known.activeBy === known.lastAsked;
		const isSilent = active === undefined && isUnclear !== true && !this.isAnswerOf(id);
		return isSilent && isAlike && this.showsOthersActive(id);
	}

	/** Whether any kind of request has shown of a user whether it is active. */
	get saysActivity(): boolean {
		return this.showingActivity.size > 0;
	}

	/** Whether this kind of request has shown of a user whether it is active. */
	showsActivityBy(asked: Asked): boolean {
		return this.showingActivity.has(asked);
	}

	/** How a user was read last; undefined where none was. */
	lastAsked(id: string): Asked | undefined {
		return this.users.get(id)?.lastAsked;
	}

	/**
	 * Rule of evidence, "has no value": whether a user shows all that there is of an attribute that gives access. One that is left
	 * out is empty where the same kind of request has shown it of others. A read by ID shows whatever another kind does: no service
	 * is known where it shows less.
	 */
	everyValue({ id, attributes }: User, path: string): Whole {
		const shown = shownIn({ attributes }, path);
		const kinds = this.showingValues.get(path);
		if (shown === 'unclear') return notTold(`the user shows something else than values in ${path}`);
		if (this.profile.usersShowAccessAttributes || shown === 'values') return ALL;
		if (kinds === undefined) return shown === 'nothing' ? noneShown(path) : ALL;
		const asked = this.lastAsked(id);
		const isShown = asked === 'id' || (asked !== undefined && kinds.has(asked));
		return isShown ? ALL : notTold(`the service shows ${path} only when asked in another way`);
	}

	/** Why it is not known what a user has in attributes that give access; where no user shows any, there is none to be known. */
	untoldValues(user: User): string[] {
		return this.profile.accessAttributes.flatMap((path) => {
			const told = this.everyValue(user, path);
			const isShown = this.showsValues(path) || shownIn(user, path) === 'unclear';
			return told.told === 'nothing' && isShown ? [told.why] : [];
		});
	}

	/** Whether a read of this kind has shown a user. */
	wasAskedBy(asked: Asked): boolean {
		return this.readBy.has(asked);
	}

	/** Whether a read has shown of anybody what an attribute that gives access holds. */
	showsValues(path: string): boolean {
		return this.profile.usersShowAccessAttributes || this.showingValues.has(path);
	}

	/** A service without groups: it has no such endpoint, and says so. */
	noteNoGroups(): void {
		this.isWithoutGroups = true;
	}

	get hasGroups(): boolean {
		return this.profile.hasGroups && !this.isWithoutGroups;
	}

	/** Whether users show groups, by any kind of request. */
	get usersShowGroups(): boolean {
		return this.profile.usersShowGroups === 'yes' || this.showingGroups.size > 0;
	}

	/** Whether this kind of request has shown groups of a user. */
	showsGroupsBy(asked: Asked): boolean {
		return this.profile.usersShowGroups === 'yes' || this.showingGroups.has(asked);
	}

	/** Whether the kind of request that has shown this user shows groups: then a user without groups has none. */
	showsGroupsLike({ id, groupIds }: User): boolean {
		const asked = this.users.get(id)?.lastAsked;
		const isSame = asked !== undefined && this.showingGroups.has(asked);
		return isSame || (groupIds !== undefined && this.showingGroups.size > 0);
	}

	// --- groups ---

	/** The IDs of all groups that were shown, those included that users show. */
	get groupsSeen(): ReadonlySet<string> {
		return this.groupIds;
	}

	/** Whether a group was shown by an ID, or why a look for it has failed. */
	isGroup(id: string): Attempt<boolean> {
		const read = this.group(this.keyOf(id));
		if (this.groupIds.has(id) || read?.ok !== false)
			return { ok: true, value: this.groupIds.has(id) };
		return read;
	}

	/** Whether a group was shown itself, and not by users alone. */
	wasShownGroup(key: string): boolean {
		return this.shownGroups.has(key);
	}

	group(key: string, since = 0): Attempt<Group | undefined> | undefined {
		const seen = this.groups.get(key);
		return seen !== undefined && seen.left.number >= since ? seen.read : undefined;
	}

	/** The group, where it was seen a moment ago, and tells of all these people. */
	freshGroup(key: string, people: readonly string[]): Group | undefined {
		const seen = this.groups.get(key);
		if (seen === undefined || !this.isFresh(seen.left) || !seen.read.ok) return undefined;
		const group = seen.read.value;
		return people.every((id) => group?.of?.has(id) ?? true) ? group : undefined;
	}

	/** Resolves a group in which something is not said to be a user, once for all members who are looked up in it. */
	private withUsers(group: Group): Group {
		if (group.others === undefined) return group;
		const known = this.told.get(group);
		if (known?.users === this.users.size) return known.group;
		const told = this.resolved(group);
		this.told.set(group, { users: this.users.size, group: told });
		return told;
	}

	/** A group whose members are told apart by all that was shown. */
	resolved(group: Group): Group {
		return sortedMembers(
			group,
			(id) => this.users.get(id)?.last,
			(id) => this.groupIds.has(id) && this.isGone(id),
		);
	}

	/** A group of a service that is known to show no members. */
	nameAlone(id: string): Group | undefined {
		return this.named.get(id);
	}

	noteNameAlone(group: Group): void {
		this.named.set(group.id, group);
	}

	/** Whether a group has shown a member in this run, or the service is known to. @param byId whether one that was read by ID did */
	showsMembers(byId = false): boolean {
		const isSeen = byId ? this.someShowMembersById : this.someShowMembers;
		return isSeen || this.profile.groupsShowMembers === 'yes';
	}

	/**
	 * The group with an empty list of members, where that is known. Some services leave `members` out where a group is empty,
	 * others hide members always, or those of large groups: so a group without `members` is empty only when the same request
	 * showed some before, and no member was added since, which may have made it large.
	 * @param request equal for two requests that ask for the same
	 */
	completed(group: Group, request: string): Group {
		const requests = this.showing.get(group.id) ?? new Set();
		if (group.members === undefined)
			return requests.has(request) ? { ...group, members: [] } : group;
		if (group.members.length > 0) {
			this.someShowMembers = true;
			if (request === BY_ID) this.someShowMembersById = true;
			this.showing.set(group.id, requests.add(request));
		}
		return group;
	}

	/** The requests for lists by which a group has shown members. */
	listThatShows(groupId: string): string | undefined {
		return [...(this.showing.get(groupId) ?? [])].find((request) => request !== BY_ID);
	}

	/** A member is added to it. */
	noteGrowth(groupId: string): void {
		this.showing.delete(groupId);
	}

	/** How the service shows members. @param groupsShow whether it is known already that a group without any is empty */
	showsHow(groupsShow = false): Showing {
		const areAll = this.profile.usersShowGroups === 'yes';
		return {
			longestOfUsers: areAll ? Number.POSITIVE_INFINITY : this.longestOfUsers,
			...{ profile: this.profile, longest: this.longest, filterFinds: this.filterFinds },
			groupsShow,
		};
	}

	/** A GET by ID was answered 404. */
	noteUnfound(groupId: string): void {
		this.unfound.add(this.keyOf(groupId));
	}

	isUnfound(groupId: string): boolean {
		return this.unfound.has(this.keyOf(groupId));
	}

	noteLacking(key: string, people: Iterable<string>): void {
		const known = this.lacking.get(key) ?? new Set();
		for (const id of people) known.add(id);
		this.lacking.set(key, known);
	}

	/** Whether a group was shown that may not show whether a person is in it: then the person is asked. */
	isSilent(key: string, id: string): boolean {
		if (this.lacking.get(key)?.has(id) === true) return true;
		const read = this.group(key);
		if (read?.ok !== true || read.value?.byFilter === true) return false;
		const { value: group } = read;
		return (group?.members ?? []).length === 0 || (group && isCut(group, this.showsHow())) === true;
	}

	// --- memberships ---

	/** Whether a person was shown in a group a moment ago, by the group or by the user. */
	showedMember(key: string, id: string): boolean {
		const group = this.freshGroup(key, [id]);
		if (group !== undefined && idsIn(group).has(id)) return true;
		const user = this.isFreshUser(id) ? this.user(id) : undefined;
		return user?.ok === true && showsGroup(user.value, key, this.keyOf);
	}

	/**
	 * Whether a person is in a group. Presence is believed from any source; absence of a place that shows everything: a
	 * group that shows other members, or a list that the service is known to give, or the person's own list.
	 * @param since number of the request after which it counts
	 * @param wasHidden whether the group showed no members before, so that an empty one proves nothing
	 */
	membership(key: string, id: string, since: number, wasHidden = false): Told {
		const read = this.group(key, since);
		const said = this.user(id, since);
		const group = read?.ok === true && read.value ? this.withUsers(read.value) : undefined;
		if (group !== undefined && idsIn(group).has(id)) return SO;
		const isShown = group !== undefined && group.of?.has(id) !== false;
		const open = isShown ? this.whyOpen(key, group, id, wasHidden) : undefined;
		const isOut = isShown && open === undefined;
		// What a user has said before the group was read is over.
		const isOlder =
			(this.users.get(id)?.seen?.left.number ?? 0) < (this.groups.get(key)?.left.number ?? 0);
		const user = said?.ok === true && !(isOut && isOlder) ? said.value : undefined;
		if (showsGroup(user, key, this.keyOf)) return SO;
		const isUnclear = user?.unread !== undefined || (user && whyGroupsOpen(user, this.showsHow()));
		const isSaid = user !== undefined && !isUnclear && this.showsGroupsLike(user);
		// A user who is gone is nowhere.
		const isGone = said?.ok === true && said.value === undefined && !isOlder;
		if (isOut || isGone || isSaid) return NOT_SO;
		const failed = [read, said].find((one) => one?.ok === false);
		if (failed?.ok === false) return notTold('it could not be read', { error: failed.error });
		return open ?? notTold('it was not read');
	}

	/** Whether nothing that was shown could show a membership, so that its absence says nothing of what was sent. */
	hides(key: string, id: string, since: number): boolean {
		const read = this.group(key, since);
		if (read === undefined || this.showsMembers()) return false;
		const said = this.user(id, since);
		const own = said?.ok === true ? said.value?.groupIds : undefined;
		const isByFilter = read.ok && read.value?.byFilter === true;
		return !isByFilter && (own ?? []).length === 0;
	}

	private whyOpen(key: string, group: Group, id: string, wasHidden: boolean): Told | undefined {
		if (this.lacking.get(key)?.has(id) === true)
			return notTold(
				`${shown(group.displayName)} did not show this member before, and the user did`,
			);
		if (group.others?.has(id) === true)
			return notTold(
				`${shown(group.displayName)} shows something that is not said to be a user by that ID`,
			);
		return whyOpen(group, this.showsHow(group.members !== undefined && !wasHidden));
	}

	// --- changes of members, of which it is not known yet what they did to others ---

	/** @param left the request that has put them in and taken them out */
	noteMembersChange(
		key: string,
		{ added, removed }: { added: readonly string[]; removed: readonly string[] },
		{ number }: Leaving,
	): void {
		const change = this.changes.get(key) ?? { added: new Set(), removed: new Set(), since: 0 };
		this.changes.set(key, change);
		for (const id of added) change.added.add(id);
		for (const id of removed) change.removed.add(id);
		change.since = number;
	}

	membersChangeOf(key: string): MembersChange | undefined {
		return this.changes.get(key);
	}

	forgetMembersChange(key: string): void {
		this.changes.delete(key);
	}

	/** Whether people were taken out of a group, and no read has told yet what that did to others. */
	isAfterRemoval(key: string): boolean {
		return (this.changes.get(key)?.removed.size ?? 0) > 0;
	}

	/** Whether people were taken out of a group that was not read since. */
	isUnreadAfterRemoval(key: string): boolean {
		const { since = 0 } = this.changes.get(key) ?? {};
		const seen = this.groups.get(key);
		if (!this.isAfterRemoval(key)) return false;
		return seen === undefined || seen.asked === 'write' || seen.left.number < since;
	}
}

/** What stands for the GET of a group among the requests that have shown its members. */
export const BY_ID = '';

function noneShown(path: string): Whole {
	return notTold(`no read of this run has shown ${path} of a user`, {
		advice: `If every read shows what a user has there, lists and filters included, set Users Show Access Attributes to Yes in the credential.`,
	});
}
