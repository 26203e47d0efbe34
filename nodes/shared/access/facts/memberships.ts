import { addTo, attempt, type Attempt, mapConcurrent, momentOf, nameKey, poll } from '../../util';
import { hasStatus, isRefusal, RequestError } from '../../http';
import {
	type Group,
	type GroupMeaning,
	type Questions,
	type ScimClient,
	type User,
	wordOf,
} from '../../scim';
import { doubleRoles, readAccess, usersShowGroups, type Access, type ReadOfAccess } from './access';
import { incompleteAccess } from './found';
import {
	checkAlso,
	groupReferenceKey,
	groupReferenceLabel,
	groupsNamed,
	groupsOf,
	noSuchGroupId,
	onlyGroup,
	type GroupReference,
} from './groupReference';
import { People } from './people';

/** So few groups are read one by one: a list may have more pages. */
const FEW = 2;

/** What has to be known of memberships. */
interface WhoIsWhere {
	/** IDs of the groups; missing: all. */
	groups?: readonly string[];
	/** IDs of the people it is about; missing: all. */
	people?: readonly string[];
	/** Users who were just read, with what they say of themselves; without any, all are read where groups show no members. */
	users?: readonly User[];
	/** Groups that were read already, with their members. */
	known?: readonly Group[];
	/** Whether only requests that leave from now on count. */
	fresh?: boolean;
}

/** Who is in which group: groups tell, else users, else filters; and which groups there are. */
class Memberships {
	/** All groups, as read last. */
	private whole?: Promise<Access>;

	constructor(
		private readonly client: ScimClient,
		private readonly ids: GroupMeaning,
		private readonly people: People,
		private readonly run: Questions,
	) {}

	/** Whether it takes a request to ask a group about a person, so that no other person is asked for. */
	get tellsByPerson(): boolean {
		const { groupsShowMembers, membersByFilter } = this.client.profile;
		return groupsShowMembers === 'no' && membersByFilter === 'yes';
	}

	/**
	 * Who is in which group. All groups are read once, unless the answer has to be fresh.
	 * @throws RequestError when not all can be seen: what is missing could be any person's access
	 */
	async read(question: WhoIsWhere = {}): Promise<Access> {
		const { groups } = question;
		if (groups !== undefined) return await this.readSome(groups, question);
		const access = await this.readWhole(question);
		return this.client.asksForMemberships() ? await this.withUsers(access, question) : access;
	}

	private async readWhole({ people, users, fresh = false }: WhoIsWhere): Promise<Access> {
		if (this.whole !== undefined && !fresh && users === undefined) return await this.whole;
		if (this.tellsByPerson && people !== undefined)
			return await this.readAll({ users: users ?? [], people, fresh });
		this.whole = this.readAll({ users, fresh });
		return await this.whole;
	}

	/**
	 * What users show on request, beside what groups do: such a service may have groups that no list shows (test/servers/results.md,
	 * keycloak).
	 */
	private async withUsers(
		{ isWhole, readAt, ...access }: Access,
		{ users: given, people, fresh }: WhoIsWhere,
	): Promise<Access> {
		const users = await this.people.withGroups(given ?? (await this.usersToAsk(people, fresh)));
		const named = users.flatMap(({ groupIds = [], indirectIds = [] }) => [
			...groupIds,
			...indirectIds,
		]);
		if (fresh) this.run.unlisted.clear();
		const groups = [...access.groups.values(), ...(await this.readUnlisted(named, access.groups))];
		return this.believed({ groups, users, isWhole, readAt });
	}

	private async usersToAsk(
		people: readonly string[] | undefined,
		fresh = false,
	): Promise<readonly User[]> {
		if (people === undefined) return await this.allUsers(fresh);
		const seen = fresh ? [] : people.flatMap((id) => this.client.facts.lastRead(id) ?? []);
		const known = new Set(seen.map(({ id }) => id));
		const missing = people.filter((id) => !known.has(id));
		const read = await this.people.readThere(missing, { fresh });
		const others = [...read.values()].flatMap((user) => {
			if (!user.ok) throw user.error;
			return user.value ?? [];
		});
		return [...seen, ...others];
	}

	/** Groups that users are in and that no list shows, each read once. */
	private async readUnlisted(
		groupIds: readonly string[],
		listed: ReadonlyMap<string, Group>,
	): Promise<readonly Group[]> {
		const missing = groupIds.filter((id) => !listed.has(this.ids.key(id)));
		const known = [...this.run.unlisted.values()];
		const { groups } = await this.readSome(missing, { known });
		for (const [key, group] of groups) this.run.unlisted.set(key, group);
		return [...groups.values()];
	}

	/**
	 * The same of all groups. Two roles of one person in one organization are a stale read where one is the rule: then it is
	 * read again until that is over, or timing ends.
	 */
	async readSingleRoles(): Promise<Access> {
		let access = await this.read();
		if (!this.client.profile.addMovesWithinOrganization) return access;
		let first = true;
		await poll(this.client.timing, async () => {
			if (!first) access = await this.read({ fresh: true });
			first = false;
			return doubleRoles(access).size > 0 ? undefined : true;
		});
		return access;
	}

	/**
	 * Everything that some users have: by what they say themselves, or by all groups where users say nothing. Groups that
	 * users name are read by one GET each, or from the list where that takes fewer requests.
	 */
	async of(given: readonly User[]): Promise<Access> {
		const users = await this.people.withGroups(given);
		if (!usersShowGroups(users, this.client.profile))
			return await this.read({ people: users.map(({ id }) => id) });
		const groups = users.flatMap(({ groupIds = [], indirectIds = [] }) => [
			...groupIds,
			...indirectIds,
		]);
		const wanted = new Set(groups.map(this.ids.key));
		if (wanted.size <= FEW) return await this.readSome(groups, { users });
		const query = { mostPages: wanted.size };
		// Whatever keeps the list from being read, the groups themselves may still be.
		const listed = await attempt(async () => await this.client.listGroupNames(query));
		const isRead = listed.ok && listed.value.incomplete === undefined;
		const names = isRead ? listed.value.resources : [];
		const known = names.filter(({ id }) => wanted.has(this.ids.key(id)));
		return await this.readSome(groups, { users, known });
	}

	/** What filters have told of some people, as it is known once one of them has found a member. */
	async withWitness(
		{ isWhole, readAt, ...access }: Access,
		users: readonly User[],
	): Promise<Access> {
		const groups = [...access.groups.values()];
		await this.findWitness(groups);
		return this.believed({ groups, users, isWhole, readAt });
	}

	/**
	 * The same with what the people themselves say, where nothing tells of them yet: they are read once, then the groups are
	 * asked by filter.
	 * @param groupIds what has to be known; missing: all groups of the people
	 */
	async askedOf(
		access: Access,
		people: readonly string[],
		groupIds?: readonly string[],
	): Promise<Access> {
		const isOpen = (told: Access) =>
			people.filter((id) =>
				groupIds === undefined
					? told.everyGroup(id).told === 'nothing'
					: groupIds.some((groupId) => told.membership(id, groupId).told === 'nothing'),
			);
		const open = isOpen(access);
		if (open.length === 0) return access;
		// A list that has shown no groups of anybody tells nothing.
		const alone = open.length <= FEW || !this.client.facts.showsGroupsBy('list');
		const read = await this.people.readThere(open, { fresh: true, alone });
		const alike = open.flatMap((id) => access.lookAlikes(id));
		await this.people.readThere(alike, { alone: true });
		const users = [...read.values()].flatMap((user) => (user.ok ? (user.value ?? []) : []));
		const byUsers = this.retold(access, { users });
		if (groupIds === undefined || isOpen(byUsers).length === 0) return byUsers;
		const keys = new Set(groupIds.map(this.ids.key));
		const asked = [...access.groups].flatMap(([key, group]) => (keys.has(key) ? group : []));
		const groups = await this.client.membersByFilter(asked);
		return groups === undefined ? byUsers : this.retold(byUsers, { groups });
	}

	/** The same with what was shown since. */
	private retold(
		{ groups, users, areAllUsers, isWhole, readAt }: Access,
		more: { groups?: readonly Group[]; users?: readonly User[] },
	): Access {
		const known = new Map([...users, ...(more.users ?? [])].map((user) => [user.id, user]));
		const all = new Map([...groups].map(([key, group]) => [key, group]));
		for (const group of more.groups ?? []) all.set(this.ids.key(group.id), group);
		return this.believed({
			...{ groups: [...all.values()], users: [...known.values()] },
			...{ areAllUsers, isWhole, readAt },
		});
	}

	/** IDs of people in groups, as far as all groups were read. */
	async members(): Promise<ReadonlyMap<string, unknown> | undefined> {
		const read = await attempt(async () => await this.whole);
		return read.ok ? read.value?.held : undefined;
	}

	/** Some groups, by ID; one that there is not has no members. */
	private async readSome(
		groupIds: readonly string[],
		{ users: given = [], known = [], people }: Omit<WhoIsWhere, 'groups'>,
	): Promise<Access> {
		const readAt = momentOf(this.client.timing);
		const users = await this.people.withGroups(given);
		const read = new Map(known.map((group) => [this.ids.key(group.id), group]));
		const distinct = new Map(groupIds.map((id) => [this.ids.key(id), id]));
		const missing = [...distinct].filter(([key]) => !read.has(key));
		const groups = await mapConcurrent(missing, this.client.concurrency, async ([, id]) => {
			const tried = await attempt(async () => await this.client.getGroup(id, people));
			if (tried.ok) return [tried.value];
			if (!hasStatus(tried.error, 404)) throw tried.error;
			const listed = await this.listed(id);
			if (listed === undefined) this.client.facts.noteUnfound(id);
			return listed ?? [];
		});
		for (const group of groups.flat()) read.set(this.ids.key(group.id), group);
		return this.believed({ groups: [...read.values()], users, isWhole: false, readAt });
	}

	/** All groups, one source after the other until one shows who is where. */
	private async readAll({ users: known, people, fresh }: WhoIsWhere): Promise<Access> {
		const readAt = momentOf(this.client.timing);
		const groups = await this.allGroups(people);
		await this.tellWords(groups);
		if (people !== undefined) await this.findWitness(groups);
		const believe = (all: readonly Group[], users: readonly User[], areAllUsers = false) =>
			this.believed({ groups: all, users, isWhole: true, readAt, areAllUsers });
		const byGroups = believe(groups, known ?? []);
		const open = groups.filter(({ id }) => byGroups.everyMember(id).told !== 'all');
		const isShown = byGroups.shown.told === 'all' && (open.length === 0 || !this.isCut(open));
		if (isShown || this.client.asksForMemberships()) return byGroups;
		const users = known ?? (await this.allUsers(fresh));
		const byUsers = believe(groups, users, known === undefined);
		if (this.tellsByPerson) return byUsers;
		if (byUsers.saidByUsers === true || usersShowGroups(users, this.client.profile)) return byUsers;
		const byFilter = await this.client.membersByFilter(open);
		if (byFilter === undefined) return byUsers;
		const told = new Map(byFilter.map((group) => [group.id, group]));
		return believe(
			groups.map((group) => told.get(group.id) ?? group),
			users,
		);
	}

	/**
	 * What members are by a word that RFC 7643 does not know: the first of each word is asked for, and where that is a user, the
	 * others are.
	 */
	async tellWords(groups: Iterable<Group>): Promise<void> {
		const { facts } = this.client;
		const byWord = new Map<string, string[]>();
		for (const { others = [] } of groups)
			for (const [id, entry] of others)
				if (facts.user(id) === undefined) addTo(byWord, wordOf(entry), id);
		for (const [first, ...rest] of byWord.values()) {
			await this.people.readThere([first]);
			if (facts.lastRead(first) !== undefined) await this.people.readThere(rest);
		}
	}

	/** Access, once it is known which members are groups that do not say so: for who shows what comes of groups in groups. */
	async withGroupsInGroups(access: Access): Promise<Access> {
		const { facts } = this.client;
		const groups = [...access.groups.values()];
		const ids = groups.flatMap(({ members = [] }) =>
			members.flatMap(({ id, isUser }) =>
				isUser !== true && access.groups.has(this.ids.key(id)) ? id : [],
			),
		);
		const unknown = [...new Set(ids)].filter((id) => facts.user(id) === undefined);
		if (unknown.length === 0) return access;
		await this.people.readThere(unknown);
		return this.retold(access, { groups });
	}

	/** Access with the groups that are in its groups, at any depth. @throws RequestError when one of them cannot be read */
	async withNested(access: Access): Promise<Access> {
		const known = [...access.groups.values()];
		const nested = known.flatMap((group) => group.nested ?? []);
		const groups = nested.filter((id) => !access.groups.has(this.ids.key(id)));
		if (groups.length === 0) return access;
		const read = await this.readSome(groups, { users: access.users, known });
		return read.groups.size === known.length ? access : await this.withNested(read);
	}

	/** Access, once that is known of the members of all its groups. */
	async withWords(access: Access): Promise<Access> {
		const groups = [...access.groups.values()].filter(({ others }) => others !== undefined);
		if (groups.length === 0) return access;
		await this.tellWords(groups);
		return this.retold(access, { groups });
	}

	/** A group that a GET by ID does not show, as the list of all names has it. @throws RequestError where that cannot be read */
	private async listed(id: string): Promise<Group | undefined> {
		const names = await this.groupNames();
		const { key } = this.ids;
		const found = names.find((group) => key(group.id) === key(id));
		return found && { id: found.id, displayName: found.displayName, attributes: found.attributes };
	}

	/** Finds out of these IDs, which no user has, whether groups have them; what cannot be told is in the store with its reason. */
	async tellGroups(ids: readonly string[]): Promise<void> {
		const { client } = this;
		await mapConcurrent(ids, client.concurrency, async (id) => {
			const tried = await attempt(async () => await client.getGroup(id, []));
			if (tried.ok || !hasStatus(tried.error, 404)) return;
			const listed = await attempt(async () => await this.listed(id));
			if (!listed.ok) client.facts.seeGroup(id, listed, client.facts.leaving());
		});
	}

	/** Whether the members of one of these are shown, but not all for sure. */
	private isCut(open: readonly Group[]): boolean {
		return open.some(({ members = [], unread = 0 }) => members.length > 0 || unread > 0);
	}

	/** The list of groups; those whose members it leaves out are read one by one. */
	private async allGroups(people: readonly string[] | undefined): Promise<Group[]> {
		const { profile } = this.client;
		const { incomplete, resources } = await this.client.listGroups();
		if (incomplete !== undefined) throw incompleteAccess('groups', incomplete);
		// What shows members on request shows those of a list, too.
		const isShown = profile.groupsShowMembers === 'yes' || this.client.asksForMemberships();
		const isBelieved = isShown || !(await this.isContradicted(resources));
		return await mapConcurrent(resources, this.client.concurrency, async (group) =>
			isShown || (isBelieved && group.members !== undefined)
				? group
				: await this.client.getGroup(group.id, people),
		);
	}

	/**
	 * All users. Any one may be the only one who shows a group, so that users show none either is known at the end of the list
	 * alone.
	 */
	private async allUsers(fresh: boolean | undefined): Promise<User[]> {
		const { profile } = this.client;
		if (profile.usersShowGroups === 'no') return [];
		const { incomplete, users } = await this.people.all({ fresh });
		const all = [...users.values()];
		if (incomplete !== undefined && usersShowGroups(all, profile))
			throw incompleteAccess('users', incomplete);
		return all;
	}

	/** That filters find no member is only known once they have found one: in one of these groups, as far as there is. */
	private async findWitness(groups: readonly Group[]): Promise<void> {
		for (const { id, byFilter } of groups) {
			if (this.client.filtersFound()) return;
			if (byFilter === true) await this.client.findMember(id);
		}
	}

	/**
	 * Whether a list shows members of a group that itself shows none: such a list repeats what a write named, not who is a
	 * member (test/servers/results.md, jackson), and proves nothing of any group. Asked once, of the first group that shows members.
	 */
	private async isContradicted(listed: readonly Group[]): Promise<boolean> {
		const witness = listed.find(({ members = [] }) => members.length > 0);
		if (witness === undefined) return false;
		this.run.contradiction ??= this.client
			.getGroup(witness.id)
			.then(({ members = [] }) => members.length === 0);
		return await this.run.contradiction;
	}

	private believed(read: ReadOfAccess): Access {
		const { facts, profile } = this.client;
		const access = readAccess(
			{
				...read,
				groups: read.groups.map((group) => facts.resolved(group)),
				showing: facts.showsHow(facts.showsMembers()),
				hasGroups: facts.hasGroups,
				isUser: (id) => facts.lastRead(id) !== undefined,
				isGroup: (key) => facts.wasShownGroup(key),
				wasAsked: (id) => facts.user(id)?.ok === true,
				showsGroupsLike: (user) => facts.showsGroupsLike(user),
			},
			this.ids,
			profile,
		);
		for (const [key, people] of access.lacking) facts.noteLacking(key, people);
		return access;
	}

	/** Whether a group that a GET by ID does not show is gone: one that only lists or filters have shown may be hidden. */
	async isGroupGone(id: string): Promise<boolean> {
		if (this.client.facts.wasRead('Groups', id)) return true;
		const groups = await this.listNames();
		return groups.every((group) => this.ids.key(group.id) !== this.ids.key(id));
	}

	/** Names and IDs of all groups, read once, without members where the service leaves them out. */
	async groupNames(): Promise<readonly Group[]> {
		this.run.groupNames ??= this.listNames();
		return await this.run.groupNames;
	}

	private async listNames(): Promise<readonly Group[]> {
		const { incomplete, resources } = await this.client.listGroupNames();
		if (incomplete !== undefined) throw incompleteAccess('groups', incomplete);
		return resources;
	}

	/**
	 * Groups as parameters name them, each in as few requests as possible: an ID is asked for, a name by filter, and the
	 * list of all groups is read once where text may be either or the filter does not tell.
	 * @returns by `groupReferenceKey` the group, or why there is none to work on
	 */
	async findGroups(references: readonly GroupReference[]): Promise<Map<string, Attempt<Group>>> {
		const distinct = new Map(references.map((one) => [groupReferenceKey(one), one]));
		const found = await mapConcurrent(
			[...distinct.values()],
			this.client.concurrency,
			async (reference) => await attempt(async () => await this.findGroup(reference)),
		);
		return new Map([...distinct.keys()].map((key, index) => [key, found[index]]));
	}

	/** The one group of exactly that name, by a list that has no group with it as ID. */
	private async groupNamed(text: string): Promise<Group | undefined> {
		const groups = await this.groupNames();
		const hasId = groups.some(({ id }) => this.ids.key(id) === this.ids.key(text));
		const named = hasId ? [] : groups.filter(({ displayName }) => displayName === text);
		if (named.length > 1) onlyGroup(named, text);
		return named.at(0);
	}

	/** @throws InputError where the text that is the ID of a group is the exact name of another one */
	private async requireNoName(group: Group, text: string): Promise<void> {
		const known = (await ifShown(this.groupsByFilter(text))) ?? (await ifShown(this.groupNames()));
		const others = (known ?? []).filter(
			({ id, displayName }) => displayName === text && this.ids.key(id) !== this.ids.key(group.id),
		);
		onlyGroup([group, ...others], text);
	}

	/** The groups of a name by filter; undefined where the service has no such filter. */
	private async groupsByFilter(name: string): Promise<Group[] | undefined> {
		const answer = await this.client.findGroupsByFilter(name);
		return answer.usable ? groupsNamed(name, answer.groups) : undefined;
	}

	/**
	 * The groups of a name, before one is created: by filter, and by the list where that does not show one written like that. A
	 * long list is left where the filter has answered.
	 * @param fresh whether only requests that leave from now on count
	 * @returns undefined where the service lets groups neither be found nor be listed
	 * @throws RequestError for a failure that may pass
	 */
	async groupsOfName(name: string, fresh = false): Promise<readonly Group[] | undefined> {
		const asksFilter = fresh || this.run.groupNames === undefined;
		const hits = asksFilter ? await ifShown(this.groupsByFilter(name)) : undefined;
		if (hits?.at(0)?.displayName === name) return hits;
		const listed = await ifShown(this.namesBeside(hits, fresh));
		if (listed === undefined) return hits;
		const named = groupsNamed(name, listed);
		if (named.length !== 1) return named;
		// A list of names leaves members out.
		const read = await attempt(async () => await this.client.getGroup(named[0].id, []));
		return read.ok ? [read.value] : named;
	}

	/** The same of several, each once. */
	async groupsOfNames(
		names: readonly string[],
	): Promise<Map<string, Attempt<readonly Group[] | undefined>>> {
		const distinct = [...new Set(names)];
		const found = await mapConcurrent(
			distinct,
			this.client.concurrency,
			async (name) => await attempt(async () => await this.groupsOfName(name)),
		);
		return new Map(distinct.map((name, index) => [name, found[index]]));
	}

	/** Names of all groups; undefined for a list of more pages than are of use beside the answer of a filter. */
	private async namesBeside(
		hits: readonly Group[] | undefined,
		fresh: boolean,
	): Promise<readonly Group[] | undefined> {
		if (!fresh && (hits === undefined || this.run.groupNames !== undefined))
			return await this.groupNames();
		if (hits === undefined) return await this.listNames();
		const listed = fresh ? this.shortList() : (this.run.fewGroupNames ??= this.shortList());
		return await listed;
	}

	private async shortList(): Promise<readonly Group[] | undefined> {
		const { incomplete, resources } = await this.client.listGroupNames({ mostPages: FEW });
		return incomplete === undefined ? resources : undefined;
	}

	private async findGroup(reference: GroupReference): Promise<Group> {
		const group = await this.findAsNamed(reference);
		const { text } = reference.also ?? {};
		if (text === undefined || nameKey(text) === nameKey(group.displayName)) return group;
		checkAlso(group, { text }, await this.groupNames(), NO_PLACES, this.ids.key);
		return group;
	}

	private async findAsNamed(reference: GroupReference): Promise<Group> {
		if (reference.by === 'id') {
			// Its members are asked for when the people are known.
			const read = await attempt(async () => await this.client.getGroup(reference.id, []));
			if (read.ok && reference.orName) await this.requireNoName(read.value, reference.id);
			if (read.ok) return read.value;
			if (!hasStatus(read.error, 404)) throw read.error;
			const named = reference.orName ? await this.groupNamed(reference.id) : undefined;
			if (named === undefined) throw noSuchGroupId(reference.id);
			return named;
		}
		const label = groupReferenceLabel(reference);
		if (reference.by === 'name' && this.run.groupNames === undefined) {
			const [group, ...others] = (await this.groupsByFilter(label)) ?? [];
			// One in another case may hide the exact one where the filter minds the case.
			if (others.length === 0 && group?.displayName === label) return group;
		}
		const groups = await this.groupNames();
		return onlyGroup(
			reference.by === 'name' ? groupsNamed(label, groups) : groupsOf(label, groups, this.ids.key),
			label,
			groups,
		);
	}
}

/** Where all groups are read, it is told what they stand for. */
const NO_PLACES = { groupAt: () => undefined, placeOf: () => undefined };

const NO_LISTS: readonly string[] = ['incomplete', 'tooLarge', 'unreadable'];

/** Undefined where the service does not show groups, or not all of them, and asking again is of no use. @throws otherwise */
async function ifShown<T>(read: Promise<T>): Promise<T | undefined> {
	const tried = await attempt(async () => await read);
	if (tried.ok) return tried.value;
	const { error } = tried;
	const isNever = error instanceof RequestError && NO_LISTS.includes(error.facts.kind);
	if (isNever || isRefusal(error) || hasStatus(error, 501)) return undefined;
	throw error;
}

/** All that a run reads of people and of who is in which group; what was shown is in the store of facts. */
export interface Reader {
	people: People;
	memberships: Memberships;
}

/** @param ids what groups mean to the service @param asked what is not asked again */
export function createReader(client: ScimClient, ids: GroupMeaning, asked: Questions): Reader {
	const people: People = new People(client, async () => await memberships.members(), asked);
	const memberships = new Memberships(client, ids, people, asked);
	return { people, memberships };
}
