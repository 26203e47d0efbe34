import { attempt, type Attempt, InputError, mapConcurrent, momentOf, nameKey, poll } from '../util';
import { hasStatus, RequestError } from '../http';
import {
	type FilterAnswer,
	type Group,
	type GroupMeaning,
	type Listing,
	type ScimClient,
	type User,
	wholeList,
} from '../scim';
import { readAccess, usersShowGroups, type Access, type ReadOfAccess } from './access';
import {
	groupReferenceKey,
	groupReferenceLabel,
	groupsNamed,
	groupsOf,
	noSuchGroup,
	onlyGroup,
	type GroupReference,
} from './groupReference';

/**
 * What is known of a person by userName. `foreign`: a user of another account, whom nothing can be done about.
 * `unknown`: the service could not be asked, or showed only a part of its users; that is never taken for absence.
 */
export type Found =
	| { kind: 'found'; user: User }
	| { kind: 'absent' }
	| { kind: 'foreign' }
	| { kind: 'ambiguous'; ids: string[] }
	| { kind: 'unknown'; error: unknown };

/** So few names are looked up one by one; for more, a listing may be cheaper. */
const FEW_NAMES = 2;
/** The same where pages come one after the other, and the first one may not tell how many there are (RFC 9865). */
const FEW_BY_CURSOR = 10;

/** A read that failed for a reason that may pass is tried again for so long. */
const READ_AGAIN_MS = 1_500;

/**
 * Who is who at the service, read in as few requests as possible and once per execution: a listing takes one request
 * per page however many people are asked for, a filter takes one request per person.
 */
export class Directory {
	private listing?: Promise<IndexedListing>;

	/** How many requests a listing takes; not known before the first. */
	private listingPages = Number.POSITIVE_INFINITY;

	/** A listing takes more requests than this, as an earlier try has shown. */
	private tooFewPages = 0;

	private readonly filterAnswers = new Map<string, Promise<FilterAnswer>>();

	/** Users whom only a filter found, asked for by id; undefined: not of this account. */
	private readonly confirmed = new Map<string, Promise<User | undefined>>();

	private listingAfterConflict?: Promise<IndexedListing>;

	private accessRead?: Promise<Access>;

	private names?: Promise<readonly Group[]>;
	/** Whether the list of groups shows members that a group itself does not. */
	private contradiction?: Promise<boolean>;

	private filterUsable = true;

	/** Seen to find somebody only in the case of the name. */
	private filterMindsCase = false;

	/**
	 * @param pageSize resources per page of a listing
	 * @param concurrency look-ups side by side
	 */
	constructor(
		private readonly client: ScimClient,
		private readonly ids: GroupMeaning,
		private readonly pageSize: number,
		private readonly concurrency: number,
	) {}

	/**
	 * Looks people up by userName in any case; an exact match wins. Filters were seen to miss people with unusual
	 * characters or in other case, so absence is believed only when a whole listing shows it.
	 * @returns one entry per distinct name, by the name as given
	 */
	async findUsers(userNames: readonly string[]): Promise<Map<string, Found>> {
		return await this.findTogether(userNames, async (name) => await this.findUser(name));
	}

	/**
	 * The same before a create: there a filter that finds nobody is enough, because the service answers 409 when there
	 * is somebody after all.
	 */
	async findUsersToCreate(userNames: readonly string[]): Promise<Map<string, Found>> {
		return await this.findTogether(userNames, async (name) => {
			const byFilter = this.listing === undefined ? await this.findByFilter(name) : undefined;
			return byFilter ?? (await this.findInListing(name));
		});
	}

	/**
	 * Users who differ from the names in case alone, by filter: where the service tells cases apart, no 409 tells of
	 * them. Never lists; whom no filter can be asked for is left out.
	 */
	async findTwins(userNames: readonly string[]): Promise<Map<string, Found>> {
		const names = userNames.filter((name) => this.otherSpellings(name).length > 0);
		return await this.findEach(
			[...new Set(names)],
			async (name) => (await this.findByFilter(name)) ?? { kind: 'absent' },
		);
	}

	async findUser(userName: string): Promise<Found> {
		const byFilter = this.listing === undefined ? await this.findByFilter(userName) : undefined;
		if (
			byFilter === undefined ||
			byFilter.kind === 'absent' ||
			this.mayHideTwin(byFilter, userName)
		) {
			const listed = await this.findInListing(userName);
			// Of a user of another account only a filter tells.
			const asks = listed.kind === 'absent' && this.client.profile.filterFindsForeignUsers;
			return (asks ? (byFilter ?? (await this.findByFilter(userName))) : undefined) ?? listed;
		}
		return byFilter;
	}

	/** A filter that minds the case shows one of two who differ in case alone; which one is meant is then not known. */
	private mayHideTwin(found: Found, userName: string): boolean {
		return this.filterMindsCase && found.kind === 'found' && found.user.userName !== userName;
	}

	/** Whether a user is there by now, asked anew: for looking after a write of ours. */
	async lookAgain(userName: string): Promise<User | undefined> {
		const found = (await this.lookAgainFor([userName])).get(userName);
		if (found?.kind === 'unknown') throw found.error;
		return found?.kind === 'found' ? found.user : undefined;
	}

	/** The same for several: a filter for each, or one listing where there is none. */
	async lookAgainFor(userNames: readonly string[]): Promise<Map<string, Found>> {
		let listing: Promise<IndexedListing> | undefined;
		return await this.findEach(
			userNames,
			async (name) => (await this.askFilter(name)) ?? (await (listing ??= this.list())).find(name),
		);
	}

	/**
	 * Users who have to be there although we did not see them, because the service says so: asked anew, by a new listing
	 * where that takes fewer requests. Whom the one does not show the other may.
	 * @returns one entry per distinct name, by the name as given
	 */
	async findAfterConflicts(userNames: readonly string[]): Promise<Map<string, Found>> {
		const names = [...new Set(userNames)];
		if (names.length > FEW_NAMES && this.listingAfterConflict === undefined) {
			// Whatever keeps the listing from being read, the filter may still answer.
			await attempt(async () => {
				const listing = await this.listWithin(names.length);
				if (listing !== undefined) this.listingAfterConflict = Promise.resolve(listing);
			});
		}
		return await this.findEach(names, async (name) => await this.findAfterConflict(name));
	}

	private async findAfterConflict(userName: string): Promise<Found> {
		// A listing that could not be read says nothing, and the filter may still answer.
		const known = await attempt(async () => await this.listingAfterConflict);
		const listed = known.ok ? known.value?.find(userName) : undefined;
		if (listed !== undefined && listed.kind !== 'absent') return listed;
		const byFilter = await this.askFilter(userName);
		if (byFilter !== undefined && byFilter.kind !== 'absent') return byFilter;
		this.listingAfterConflict ??= this.list();
		return absenceIfWhole(await this.listingAfterConflict, userName);
	}

	/** Users by id, one request each. @returns one entry per distinct id */
	async readById(ids: readonly string[]): Promise<Map<string, Attempt<User>>> {
		const distinct = [...new Set(ids)];
		const users = await mapConcurrent(
			distinct,
			this.concurrency,
			async (id) => await attempt(async () => await this.client.getUser(id)),
		);
		return new Map(distinct.map((id, index) => [id, users[index]]));
	}

	/** The same for many: from a listing, which is read where it takes fewer requests; whom it lacks is asked for. */
	async readManyById(ids: readonly string[]): Promise<Map<string, Attempt<User>>> {
		const distinct = [...new Set(ids)];
		if (distinct.length > FEW_NAMES && this.listing === undefined) {
			// Whatever keeps the listing from being read, the users themselves may still be.
			await attempt(async () => await this.listIfCheaperThan(distinct.length));
		}
		const listed = await attempt(async () => await this.listing);
		const users = listed.ok ? listed.value?.users : undefined;
		const [known, unknownIds] = [new Map<string, Attempt<User>>(), [] as string[]];
		for (const id of distinct) {
			const confirmed = await attempt(async () => users?.get(id) ?? (await this.confirmed.get(id)));
			if (!confirmed.ok) known.set(id, confirmed);
			else if (confirmed.value === undefined) unknownIds.push(id);
			else known.set(id, { ok: true, value: confirmed.value });
		}
		for (const [id, user] of await this.readById(unknownIds)) known.set(id, user);
		return known;
	}

	/**
	 * Users as they are now: one by one, or from a listing when that is known to take fewer requests.
	 * @param mayList false where only the answer for the id itself counts
	 * @returns for each id the user, undefined for one who is not there, or why it could not be read
	 */
	async readUsers(
		ids: readonly string[],
		mayList = true,
	): Promise<Map<string, Attempt<User | undefined>>> {
		if (mayList && this.listingPages < ids.length) {
			const listed = await attempt(async () => await this.list());
			if (listed.ok && listed.value.incomplete === undefined) {
				const { users } = listed.value;
				return new Map(ids.map((id) => [id, { ok: true, value: users.get(id) }]));
			}
		}
		const read = await this.readById(ids);
		return new Map(
			[...read].map(([id, user]) => {
				const gone = !user.ok && hasStatus(user.error, 404, 410);
				return [id, gone ? { ok: true, value: undefined } : user];
			}),
		);
	}

	/** How many requests it takes to read so many users as they are now. */
	readsOfUsers(users: number): number {
		return Math.min(users, this.listingPages);
	}

	/** Each by `find`, after a listing where that is cheaper. */
	private async findTogether(
		userNames: readonly string[],
		find: (name: string) => Promise<Found>,
	): Promise<Map<string, Found>> {
		const names = [...new Set(userNames)];
		const people = new Set(names.map(nameKey)).size;
		if (people > FEW_NAMES && this.listing === undefined) {
			const listed = await attempt(async () => await this.listIfCheaperThan(people));
			if (!listed.ok) return new Map(names.map((name) => [name, unknown(listed.error)]));
		}
		return await this.findEach(names, find);
	}

	private async findEach(
		names: readonly string[],
		find: (name: string) => Promise<Found>,
	): Promise<Map<string, Found>> {
		const found = await mapConcurrent(names, this.concurrency, async (name) => {
			const tried = await attempt(async () => await find(name));
			return tried.ok ? tried.value : unknown(tried.error);
		});
		return new Map(names.map((name, index) => [name, found[index]]));
	}

	private async listIfCheaperThan(requests: number): Promise<void> {
		const listing = await this.listWithin(requests);
		if (listing !== undefined) this.listing = Promise.resolve(listing);
	}

	/** A whole listing that takes so many requests at the most, or any where nobody can be asked for by name. */
	private async listWithin(requests: number): Promise<IndexedListing | undefined> {
		const few = this.client.profile.paging === 'cursor' ? FEW_BY_CURSOR : 0;
		if (this.filterUsable && requests <= Math.max(few, this.tooFewPages)) return undefined;
		const listing = await this.client.listUsers({
			count: this.pageSize,
			...(this.filterUsable && { mostPages: requests }),
		});
		if (listing.incomplete !== undefined) {
			this.tooFewPages = Math.max(this.tooFewPages, requests);
			return undefined;
		}
		this.listingPages = listing.pages;
		return indexed(listing);
	}

	/** Undefined when the service has no filter. */
	private async findByFilter(userName: string): Promise<Found | undefined> {
		if (!this.filterUsable) return undefined;
		// The same person in two spellings is one request.
		const key = nameKey(userName);
		const asked = this.filterAnswers.get(key) ?? this.filterUsers(userName);
		this.filterAnswers.set(key, asked);
		return await this.ours(this.pickFiltered(await asked, userName));
	}

	/** Where a filter takes the case of names seriously, HR's capitals would hide the person. */
	private async filterUsers(userName: string): Promise<FilterAnswer> {
		const answer = await this.client.findUsersByFilter(userName);
		let found = answer;
		for (const spelling of this.otherSpellings(userName)) {
			if (!found.usable || found.users.length > 0) return found;
			found = await this.client.findUsersByFilter(spelling);
			this.filterMindsCase ||= found.usable && found.users.length > 0;
		}
		return found;
	}

	/** How the service may have stored the same name: in lower case, and with accents apart from their letters. */
	private otherSpellings(userName: string): string[] {
		const { filterIgnoresCase } = this.client.profile;
		const cases = filterIgnoresCase ? [userName] : [userName, userName.toLowerCase()];
		const spellings = cases.flatMap((name) => [name, name.normalize('NFD')]);
		return [...new Set(spellings)].filter((name) => name !== userName);
	}

	/** The same, asked anew. */
	private async askFilter(userName: string): Promise<Found | undefined> {
		if (!this.filterUsable) return undefined;
		const found = this.pickFiltered(await this.filterUsers(userName), userName);
		if (found?.kind === 'found') this.confirmed.delete(found.user.id);
		return await this.ours(found);
	}

	private pickFiltered(answer: FilterAnswer, userName: string): Found | undefined {
		this.filterUsable &&= answer.usable;
		return answer.usable ? pickUser(answer.users, userName) : undefined;
	}

	/**
	 * A filter also finds users of other accounts; ours are those whom a GET by id shows (docs/interface.md 2.2). Whoever
	 * is in a group of ours is known to be.
	 */
	private async ours<F extends Found | undefined>(found: F): Promise<F | Found> {
		if (!this.client.profile.filterFindsForeignUsers || found?.kind !== 'found') return found;
		const { id } = found.user;
		const access = await attempt(async () => await this.accessRead);
		if (access.ok && access.value?.held.has(id)) return found;
		const asked = this.confirmed.get(id) ?? this.readOwn(id);
		this.confirmed.set(id, asked);
		const user = await asked;
		return user === undefined ? { kind: 'foreign' } : { kind: 'found', user };
	}

	/** @returns undefined for nobody of this account. @throws RequestError when that cannot be found out */
	private async readOwn(id: string): Promise<User | undefined> {
		let error: unknown;
		const read = await poll({ ...this.client.patience, limitMs: READ_AGAIN_MS }, async () => {
			const tried = await attempt(async () => await this.client.getUser(id));
			if (!tried.ok) ({ error } = tried);
			return tried.ok || !isWorthAnotherTry(tried.error) ? tried : undefined;
		});
		if (read?.ok === true) return read.value;
		if (hasStatus(error, 404)) return undefined;
		throw error;
	}

	private async findInListing(userName: string): Promise<Found> {
		this.listing ??= this.list();
		return absenceIfWhole(await this.listing, userName);
	}

	private async list(): Promise<IndexedListing> {
		const listing = indexed(await this.client.listUsers({ count: this.pageSize }));
		this.listingPages = listing.pages;
		return listing;
	}

	/** Whether at least one of these people is active; asks one after the other and stops at the first who is. */
	async anyActive(ids: readonly string[]): Promise<boolean> {
		for (const id of ids) {
			const user = (await this.readById([id])).get(id);
			if (user?.ok && user.value.active !== false) return true;
			if (user?.ok === false && !hasStatus(user.error, 404)) throw user.error;
		}
		return false;
	}

	/**
	 * Who is in which group, read once per execution. Groups whose members the list leaves out are read one by one.
	 * @throws RequestError when not all groups can be seen: what is missing could be anybody's access
	 */
	async access(): Promise<Access> {
		this.accessRead ??= this.readAccess();
		return await this.accessRead;
	}

	/** The same, read anew. @param users who were just read, with what they say of themselves */
	async accessNow(users?: readonly User[]): Promise<Access> {
		this.accessRead = this.readAccess(users);
		return await this.accessRead;
	}

	/** In which of all groups some people are: where only filters tell, they are asked of these people alone. */
	async accessAbout(userIds: readonly string[]): Promise<Access> {
		if (!this.tellsByPerson || this.accessRead !== undefined) return await this.access();
		return await this.readAccess([], userIds);
	}

	/** The same, read anew. @param users those of them who are there, as just read */
	async accessAboutNow(userIds: readonly string[], users?: readonly User[]): Promise<Access> {
		return this.tellsByPerson
			? await this.readAccess(users ?? [], userIds)
			: await this.accessNow(users);
	}

	/** Whether it takes a request to ask a group about somebody, so that nobody else is asked for. */
	get tellsByPerson(): boolean {
		const { groupsShowMembers, membersByFilter } = this.client.profile;
		return groupsShowMembers === 'no' && membersByFilter === 'yes';
	}

	/** Everybody, and who is in which group. @throws RequestError when users or groups cannot all be seen */
	async everybody(): Promise<{ users: readonly User[]; access: Access }> {
		const users = wholeList(await this.client.listUsers({ count: this.pageSize }), 'users');
		return { users, access: await this.accessOfAll(users) };
	}

	/** Who is in which group, with what all users, as just read, say of themselves. */
	async accessOfAll(users: readonly User[]): Promise<Access> {
		this.accessRead = this.readAccess(users).then(
			async (access) => await this.orByFilter(access, users),
		);
		return await this.accessRead;
	}

	/** All users, read once, as far as the service shows them, and why these may not be all. */
	async allUsers(): Promise<{ users: readonly User[]; incomplete?: string }> {
		this.listing ??= this.list();
		const { users, incomplete } = await this.listing;
		return { users: [...users.values()], incomplete };
	}

	/**
	 * Where users say to be. Their groups are read by one GET each, or from the list where that takes fewer requests.
	 */
	async accessSaidBy(users: readonly User[]): Promise<Access> {
		const groupIds = users.flatMap(({ groupIds: own = [] }) => own);
		const wanted = new Set(groupIds.map(this.ids.key));
		if (wanted.size <= FEW_NAMES) return await this.accessOf(groupIds, users);
		const query = { count: this.pageSize, mostPages: wanted.size };
		// Whatever keeps the list from being read, the groups themselves may still be.
		const listed = await attempt(async () => await this.client.listGroupNames(query));
		const isRead = listed.ok && listed.value.incomplete === undefined;
		const names = isRead ? listed.value.resources : [];
		const known = names.filter(({ id }) => wanted.has(this.ids.key(id)));
		return await this.accessOf(groupIds, users, known);
	}

	/**
	 * @param known users whose groups count beside what groups show; without any, all are read where groups show nobody
	 * @param of of whom alone it has to be known where they are
	 */
	private async readAccess(known?: readonly User[], of?: readonly string[]): Promise<Access> {
		const { profile, patience } = this.client;
		const readAt = momentOf(patience);
		const listing = await this.client.listGroups(
			profile.listsAllGroupsAtOnce ? {} : { count: this.pageSize },
		);
		if (listing.incomplete !== undefined) throw incompleteAccess('groups', listing.incomplete);
		const isShown = profile.groupsShowMembers === 'yes';
		const isBelieved = isShown || !(await this.isContradicted(listing.resources));
		const groups = await mapConcurrent(listing.resources, this.concurrency, async (group) =>
			isShown || (isBelieved && group.members !== undefined)
				? group
				: await this.client.getGroup(group.id, of),
		);
		if (of !== undefined) await this.findWitness(groups);
		const accessWith = (users: readonly User[]) =>
			this.accessBy({ groups, users, isWhole: true, readAt });
		const byGroups = accessWith(known ?? []);
		if (known !== undefined || byGroups.showsMembers) return byGroups;
		const users = await this.usersWithGroups();
		return await this.orByFilter(accessWith(users), users);
	}

	/** Who is in which group by filter, where neither groups nor users tell. @param users everybody */
	private async orByFilter(access: Access, users: readonly User[]): Promise<Access> {
		if (access.showsMembers || this.tellsByPerson) return access;
		const groups = await this.client.membersByFilter([...access.groups.values()]);
		if (groups === undefined) return access;
		const { readAt } = access;
		return this.accessBy({ groups, users, isWhole: true, readAt });
	}

	/**
	 * Whether a list shows members of a group that itself shows none: such a list repeats what a write named, not who is a
	 * member (docs/servers.md, jackson), and proves nothing of any group. Asked once, of the first group that shows somebody.
	 */
	private async isContradicted(listed: readonly Group[]): Promise<boolean> {
		const witness = listed.find(({ members = [] }) => members.length > 0);
		if (witness === undefined) return false;
		this.contradiction ??= this.client
			.getGroup(witness.id)
			.then(({ members = [] }) => members.length === 0);
		return await this.contradiction;
	}

	/**
	 * Everybody, for services whose groups never show members. Anybody may be the only one who shows a group, so that users
	 * show none either is known at the end of the list alone.
	 */
	private async usersWithGroups(): Promise<User[]> {
		if (this.client.profile.usersShowGroups === 'no') return [];
		const listing = await this.list();
		const users = [...listing.users.values()];
		if (listing.incomplete !== undefined && usersShowGroups(users, this.client.profile))
			throw incompleteAccess('users', listing.incomplete);
		return users;
	}

	/**
	 * Who is in some groups, and where some users say to be: for services whose groups stand for themselves.
	 * @param known groups that were read already, with their members
	 * @param of of whom alone it has to be known whether they are members
	 */
	async accessOf(
		groupIds: readonly string[],
		users: readonly User[] = [],
		known: readonly Group[] = [],
		of?: readonly string[],
	): Promise<Access> {
		const readAt = momentOf(this.client.patience);
		const read = new Map(known.map((group) => [this.ids.key(group.id), group]));
		const distinct = new Map(groupIds.map((id) => [this.ids.key(id), id]));
		const missing = [...distinct].filter(([key]) => !read.has(key));
		const groups = await mapConcurrent(missing, this.concurrency, async ([, id]) => {
			const tried = await attempt(async () => await this.client.getGroup(id, of));
			if (tried.ok) return [tried.value];
			if (hasStatus(tried.error, 404)) return [];
			throw tried.error;
		});
		for (const group of groups.flat()) read.set(this.ids.key(group.id), group);
		return this.accessBy({ groups: [...read.values()], users, isWhole: false, readAt });
	}

	private accessBy(read: ReadOfAccess): Access {
		const filtersFound = this.client.filtersFound();
		return readAccess({ ...read, filtersFound }, this.ids, this.client.profile);
	}

	/** What filters have told of some people, as it is known once one of them has found anybody. */
	async withWitness(access: Access, users: readonly User[]): Promise<Access> {
		const { isWhole, readAt } = access;
		const groups = [...access.groups.values()];
		await this.findWitness(groups);
		return this.accessBy({ groups, users, isWhole, readAt });
	}

	/** That filters find nobody is only known once they have found somebody: in one of these groups, as far as there is. */
	private async findWitness(groups: readonly Group[]): Promise<void> {
		for (const { id, byFilter } of groups) {
			if (this.client.filtersFound()) return;
			if (byFilter === true) await this.client.findMember(id);
		}
	}

	/** Names and ids of all groups, read once, without members where the service leaves them out. */
	async groupNames(): Promise<readonly Group[]> {
		this.names ??= this.listGroupNames();
		return await this.names;
	}

	private async listGroupNames(): Promise<readonly Group[]> {
		const listing = await this.client.listGroupNames({ count: this.pageSize });
		if (listing.incomplete !== undefined) throw incompleteAccess('groups', listing.incomplete);
		return listing.resources;
	}

	/**
	 * Groups as parameters name them, each in as few requests as possible: an id is asked for, a name by filter, and the
	 * list of all groups is read once where text may be either or the filter does not tell.
	 * @returns by `groupReferenceKey` the group, or why there is none to work on
	 */
	async findGroups(references: readonly GroupReference[]): Promise<Map<string, Attempt<Group>>> {
		const distinct = new Map(references.map((one) => [groupReferenceKey(one), one]));
		const found = await mapConcurrent(
			[...distinct.values()],
			this.concurrency,
			async (reference) => await attempt(async () => await this.findGroup(reference)),
		);
		return new Map([...distinct.keys()].map((key, index) => [key, found[index]]));
	}

	private async findGroup(reference: GroupReference): Promise<Group> {
		if (reference.by === 'id') {
			// Who is in it is asked for when it is known about whom.
			const read = await attempt(async () => await this.client.getGroup(reference.id, []));
			if (read.ok) return read.value;
			throw hasStatus(read.error, 404) ? noSuchGroup(reference.id) : read.error;
		}
		const label = groupReferenceLabel(reference);
		if (reference.by === 'name' && this.names === undefined) {
			const answer = await this.client.findGroupsByFilter(reference.name);
			const hits = answer.usable ? groupsNamed(reference.name, answer.groups) : [];
			const group = answer.usable ? answer.groups.find(({ id }) => id === hits[0]?.id) : undefined;
			// One in another case may hide the exact one where the filter minds the case.
			if (group !== undefined && hits.length === 1 && group.displayName === label) return group;
		}
		const groups = await this.groupNames();
		const { id } = onlyGroup(
			reference.by === 'name' ? groupsNamed(label, groups) : groupsOf(label, groups, this.ids.key),
			label,
		);
		const group = groups.find((one) => one.id === id);
		if (group === undefined) throw noSuchGroup(label);
		return group;
	}
}

/** Whether a failed read may pass; what is repeated by itself was repeated already. */
function isWorthAnotherTry(error: unknown): boolean {
	if (!(error instanceof RequestError)) return false;
	const { kind, status = 0 } = error.facts;
	return kind === 'http'
		? status < 500 && ![401, 404, 429].includes(status)
		: kind === 'unreadable' || kind === 'redirect';
}

/** A listing that answers for a name without going through all users. */
interface IndexedListing {
	incomplete?: string;
	pages: number;
	users: ReadonlyMap<string, User>;
	find(userName: string): Found;
}

function indexed(listing: Listing<User>): IndexedListing {
	const byName = new Map<string, User[]>();
	for (const user of listing.resources) {
		const name = nameKey(user.userName);
		const sameName = byName.get(name);
		if (sameName === undefined) byName.set(name, [user]);
		else sameName.push(user);
	}
	return {
		incomplete: listing.incomplete,
		pages: listing.pages,
		users: new Map(listing.resources.map((user) => [user.id, user])),
		find: (userName) => pickUser(byName.get(nameKey(userName)) ?? [], userName),
	};
}

/** The user of that name: the exact match, else the only one in another case; two that differ only in case are refused. */
function pickUser(sameName: readonly User[], userName: string): Found {
	const exact = sameName.filter((user) => user.userName === userName);
	const candidates = exact.length > 0 ? exact : sameName;
	if (candidates.length === 0) return { kind: 'absent' };
	return candidates.length === 1
		? { kind: 'found', user: candidates[0] }
		: { kind: 'ambiguous', ids: candidates.map(({ id }) => id) };
}

function incompleteAccess(what: 'groups' | 'users', why: string): RequestError {
	return new RequestError(
		`The list of ${what} is incomplete: ${why}`,
		`Without all ${what} it is not known who has what. Try another Page Size, or look at the service.`,
		{ kind: 'incomplete', method: 'GET', mayHaveWorked: false },
	);
}

/** Who is not in the listing is absent only if the listing is whole. */
function absenceIfWhole(listing: IndexedListing, userName: string): Found {
	const found = listing.find(userName);
	return found.kind === 'absent' && listing.incomplete !== undefined
		? unknown(incompleteList(userName, listing.incomplete))
		: found;
}

function unknown(error: unknown): Found {
	return { kind: 'unknown', error };
}

/**
 * The user, or the reason why there is none to work on.
 * @throws what `whyNotFound` gives
 */
export function foundUser(found: Found | undefined, userName: string): User {
	if (found?.kind === 'found') return found.user;
	throw whyNotFound(found, userName);
}

/**
 * Why there is no user to work on: an InputError when more than one has the name, an AbsentError when nobody of this
 * account has it, what went wrong when that could not be found out.
 */
export function whyNotFound(
	found: Exclude<Found, { kind: 'found' }> | undefined,
	userName: string,
): unknown {
	switch (found?.kind) {
		case 'ambiguous':
			return new InputError(
				`More than one user has the user name ${userName} (IDs ${found.ids.join(', ')})`,
				'Give the ID of the one that is meant.',
			);
		case 'unknown':
			return found.error;
		case 'foreign':
			return new AbsentError(
				`${userName} belongs to another account`,
				'This credential can neither see nor change that user, and nothing was sent for it. Ask the service to release the email, or use another one.',
			);
		default:
			return new AbsentError(
				`No user has the user name ${userName}`,
				'Check the spelling. If the user was just created, run again in a moment.',
			);
	}
}

/**
 * The user behind an id, or the reason why there is none to work on.
 * @throws AbsentError when nobody has the id; what went wrong when it could not be found out
 */
export function userOf(read: Attempt<User> | undefined, id: string): User {
	if (read?.ok) return read.value;
	if (read !== undefined && !hasStatus(read.error, 404)) throw read.error;
	throw new AbsentError(
		`No user has the ID ${id}`,
		'Check the ID. If the user was just created, run again in a moment.',
	);
}

/** Nobody of this account has the name or ID: the service was asked, and said so. */
export class AbsentError extends InputError {}

function incompleteList(userName: string, why: string): InputError {
	return new InputError(
		`Could not find out whether there is a user ${userName}: the list of users is incomplete`,
		`The service does not show all users (${why}). Give the ID of the user instead.`,
	);
}
