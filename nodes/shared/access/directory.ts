import {
	attempt,
	type Attempt,
	InputError,
	isSpelledOneWay,
	mapConcurrent,
	momentOf,
	nameKey,
	poll,
} from '../util';
import { hasStatus, RequestError } from '../http';
import {
	type FilterAnswer,
	type Group,
	type GroupMeaning,
	indexUsers,
	type Listing,
	type MatchAttribute,
	type Matching,
	matchingBy,
	namesOfUnmatched,
	type ScimClient,
	type Unmatched,
	type User,
	type UserIndex,
	wholeList,
} from '../scim';
import { doubleRoles, readAccess, usersShowGroups, type Access, type ReadOfAccess } from './access';
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
 * What is known of a person by user name, email or external ID. `taken`: nobody, but another user has the user name that
 * the person is to have. `foreign`: a user of another account, whom nothing can be done about. `unknown`: the service
 * could not be asked, or showed only a part of its users; that is never taken for absence.
 */
export type Found =
	| { kind: 'found'; user: User }
	| { kind: 'absent' }
	| { kind: 'taken'; users: readonly User[] }
	| { kind: 'foreign' }
	| { kind: 'ambiguous'; ids: string[] }
	| { kind: 'unknown'; error: unknown };

const BY_NAME = matchingBy('userName');

/** So few names are looked up one by one; for more, a listing may be cheaper. */
const FEW_NAMES = 2;
/** The same where pages come one after the other, and the first one may not tell how many there are (RFC 9865). */
const FEW_BY_CURSOR = 10;

/** So many people are looked for by filter before a list without anybody is believed. */
const FEW_WITNESSES = 10;
const NOBODY_LISTED = 'the service lists nobody, and has no filter that could confirm it';

/** A read that failed for a reason that may pass is tried again for so long. */
const READ_AGAIN_MS = 1_500;

/**
 * Who is who at the service, read in as few requests as possible and once per execution: a listing takes one request
 * per page however many people are asked for, a filter takes one request per person.
 */
export class Directory {
	private listing?: Promise<IndexedListing>;

	/** Whether it was read for memberships alone: a few people by ID are then still asked for, as lists may leave out more. */
	private listsMemberships = false;

	/** How many requests a listing takes; not known before the first. */
	private listingPages = Number.POSITIVE_INFINITY;

	/** A listing takes more requests than this, as an earlier try has shown. */
	private tooFewPages = 0;

	private readonly filterAnswers = new Map<string, Promise<FilterAnswer>>();

	/** Users whom only a filter found, asked for by id; undefined: not of this account. */
	private readonly confirmed = new Map<string, Promise<User | undefined>>();

	/** By what a filter has found users. */
	private readonly keysByFilter = new Map<string, [string, Matching]>();

	/** Users whom a GET by ID has shown. */
	private readonly shownById = new Set<string>();

	/** Users who were found to be gone: then a GET by ID is enough. */
	private readonly gone = new Set<string>();

	/** Groups that a GET by ID has shown, by key. */
	private readonly groupsById = new Set<string>();

	private listingAfterConflict?: Promise<IndexedListing>;

	private accessRead?: Promise<Access>;

	private names?: Promise<readonly Group[]>;
	/** Whether the list of groups shows members that a group itself does not. */
	private contradiction?: Promise<boolean>;

	/** By which attributes filters find nothing, or everybody. */
	private readonly unusableFilters = new Set<MatchAttribute>();

	/** Emails are found ignoring case by a filter: not known before it has done so. */
	private filterFindsAnyCase = false;

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
	 * Looks people up by userName ignoring case; an exact match wins. Filters were seen to miss people with unusual
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
			const byFilter =
				this.listing === undefined ? await this.findByFilter(name, BY_NAME) : undefined;
			return byFilter ?? (await this.findInListing(name, BY_NAME));
		});
	}

	/**
	 * People by email or external ID, exactly one of whom must have it. Whether the user name of somebody who is absent is
	 * free is known from the same list.
	 * @returns by key as given
	 */
	async findMatches(
		wanted: readonly WantedMatch[],
		matching: Matching,
	): Promise<Map<string, Found>> {
		const found = await this.findTogether(
			wanted.map(({ key }) => key),
			async (key) => await this.findBy(matching, key),
			matching,
		);
		let unmatched: ReadonlyMap<string, User> | undefined;
		for (const { key, newName } of wanted) {
			if (found.get(key)?.kind !== 'absent') continue;
			const listing = await this.listing;
			const users = newName === undefined ? [] : (listing?.index(BY_NAME).named(newName) ?? []);
			unmatched ??= listing && namesOfUnmatched(listing.index(matching));
			const names = matching.by === 'email' ? [key] : [];
			const twin = [...names, ...(newName === undefined ? [] : [newName])]
				.flatMap((name) => unmatched?.get(nameKey(name)) ?? [])
				.at(0);
			if (users.length > 0) found.set(key, { kind: 'taken', users });
			else if (twin !== undefined)
				found.set(key, { kind: 'unknown', error: maybe(twin, key, matching) });
		}
		return found;
	}

	/** Accounts that no key can name. @throws RequestError when users cannot all be seen */
	async unmatched(matching: Matching): Promise<Unmatched[]> {
		this.listing ??= this.list();
		const { incomplete, index } = await this.listing;
		if (incomplete !== undefined) throw incompleteAccess('users', incomplete);
		return index(matching).unmatched();
	}

	/**
	 * Users who differ from the names in case alone, by filter: where the service tells cases apart, no 409 tells of
	 * them. Never lists; whom no filter can be asked for is left out.
	 */
	async findTwins(userNames: readonly string[]): Promise<Map<string, Found>> {
		const names = userNames.filter((name) => this.otherSpellings(name).length > 0);
		return await this.findEach(
			[...new Set(names)],
			async (name) => (await this.findByFilter(name, BY_NAME)) ?? { kind: 'absent' },
		);
	}

	/** Users by a key: by a list that is read anyway, by a filter, or by a list where there is none. */
	async findByKeys(keys: readonly string[], matching: Matching): Promise<Map<string, Found>> {
		return await this.findTogether(
			keys,
			async (key) =>
				(await this.listing)?.find(key, matching) ??
				(await this.findByFilter(key, matching)) ??
				(await (this.listing ??= this.list())).find(key, matching),
			matching,
		);
	}

	async findUser(userName: string): Promise<Found> {
		return await this.findBy(BY_NAME, userName);
	}

	private async findBy(matching: Matching, key: string): Promise<Found> {
		const asksFilter = this.listing === undefined || listsNobody(await this.listing);
		const byFilter = asksFilter ? await this.findByFilter(key, matching) : undefined;
		if (
			byFilter === undefined ||
			byFilter.kind === 'absent' ||
			this.mayHideTwin(byFilter, key, matching) ||
			(await this.mayHideOther(byFilter, key, matching))
		) {
			const listed = await this.findInListing(key, matching);
			if (byFilter === undefined && listsNobody(await this.listing)) {
				return unknown(incompleteList(key, matching, NOBODY_LISTED));
			}
			// Of users of other accounts, and of those who were renamed, only a filter tells.
			const asks = listed.kind === 'absent' && matching.by === 'userName';
			return (asks ? (byFilter ?? (await this.findByFilter(key, matching))) : undefined) ?? listed;
		}
		return byFilter;
	}

	/**
	 * A filter that minds the case, or the composition, shows one of two who differ in that alone; then the right one is
	 * unknown.
	 */
	private mayHideTwin(found: Found, key: string, { by, keyOf }: Matching): boolean {
		const minds = this.filterMindsCase || (by === 'userName' && !isSpelledOneWay(key));
		return minds && found.kind === 'found' && keyOf(found.user) !== key;
	}

	/** Two may have one email, which no service forbids: a filter shows both only where it finds it ignoring case. */
	private async mayHideOther(found: Found, key: string, matching: Matching): Promise<boolean> {
		if (matching.by !== 'email' || found.kind !== 'found' || this.client.profile.knowsPeopleByLogin)
			return false;
		const [lower, upper] = [key.toLowerCase(), key.toUpperCase()];
		if (!this.filterFindsAnyCase) {
			const answer = await this.client.findUsersByFilter(key === upper ? lower : upper, matching);
			const { id } = found.user;
			this.filterFindsAnyCase = answer.usable && answer.users.some((user) => user.id === id);
		}
		return !this.filterFindsAnyCase;
	}

	/** Whether a user is there now, asked again: for looking after a write of ours. */
	async lookAgain(key: string, matching: Matching): Promise<User | undefined> {
		const found = (await this.lookAgainFor([key], matching)).get(key);
		if (found?.kind === 'unknown') throw found.error;
		return found?.kind === 'found' ? found.user : undefined;
	}

	/** The same for several: a filter for each, or one listing where there is none. */
	async lookAgainFor(keys: readonly string[], matching: Matching): Promise<Map<string, Found>> {
		let listing: Promise<IndexedListing> | undefined;
		return await this.findEach(
			keys,
			async (key) =>
				(await this.askFilter(key, matching)) ??
				(await (listing ??= this.list())).find(key, matching),
		);
	}

	/**
	 * Users who have to be there although we did not see them, because the service says so: asked again, by a new listing
	 * where that takes fewer requests. Whom the one does not show the other may.
	 * @returns one entry per distinct name, by the name as given
	 */
	async findAfterConflicts(
		wanted: readonly WantedMatch[],
		matching: Matching,
	): Promise<Map<string, Found>> {
		const names = new Map(wanted.map(({ key, newName }) => [key, newName]));
		const distinct = [...names.keys()];
		if (distinct.length > FEW_NAMES && this.listingAfterConflict === undefined) {
			// Whatever keeps the listing from being read, the filter may still answer.
			await attempt(async () => {
				const listing = await this.listWithin(distinct.length, matching);
				if (listing !== undefined) this.listingAfterConflict = Promise.resolve(listing);
			});
		}
		return await this.findEach(distinct, async (key) => {
			const found = await this.findAfterConflict(key, matching);
			const newName = names.get(key);
			if (found.kind !== 'absent' || newName === undefined) return found;
			const other = await this.findAfterConflict(newName, BY_NAME);
			return other.kind === 'found' ? { kind: 'taken', users: [other.user] } : found;
		});
	}

	private async findAfterConflict(key: string, matching: Matching): Promise<Found> {
		// A listing that could not be read says nothing, and the filter may still answer.
		const known = await attempt(async () => await this.listingAfterConflict);
		const listed = known.ok ? known.value?.find(key, matching) : undefined;
		if (listed !== undefined && listed.kind !== 'absent') return listed;
		const byFilter = await this.askFilter(key, matching);
		if (byFilter !== undefined && byFilter.kind !== 'absent') return byFilter;
		this.listingAfterConflict ??= this.list();
		return absenceIfWhole(await this.listingAfterConflict, key, matching);
	}

	/** Users by id, one request each. @returns one entry per distinct id */
	async readById(ids: readonly string[]): Promise<Map<string, Attempt<User>>> {
		const distinct = [...new Set(ids)];
		const users = await mapConcurrent(
			distinct,
			this.concurrency,
			async (id) => await attempt(async () => await this.client.getUser(id)),
		);
		distinct.forEach((id, index) => {
			if (users[index].ok) this.shownById.add(id);
		});
		return new Map(distinct.map((id, index) => [id, users[index]]));
	}

	/** The same for many: from a listing, which is read where it takes fewer requests; whom it lacks is asked for. */
	async readManyById(ids: readonly string[]): Promise<Map<string, Attempt<User>>> {
		const distinct = [...new Set(ids)];
		const mayList = distinct.length > Math.max(FEW_NAMES, await this.fewestListingPages());
		if (mayList && this.listing === undefined) {
			// Whatever keeps the listing from being read, the users themselves may still be.
			await attempt(async () => await this.listIfCheaperThan(distinct.length, BY_NAME));
		}
		const asksEach = this.listsMemberships && distinct.length <= FEW_NAMES;
		const listed = await attempt(async () => (asksEach ? undefined : await this.listing));
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

	/** The same, undefined for one who is gone. */
	async readThere(ids: readonly string[]): Promise<Map<string, Attempt<User | undefined>>> {
		const read: Map<string, Attempt<User | undefined>> = await this.readManyById(ids);
		const missing = [...read.keys()].filter((id) => isNotFound(read.get(id)));
		for (const [id, user] of await this.findHidden(missing)) read.set(id, user);
		return read;
	}

	/**
	 * Users as they are now: one by one, or from a listing when that is known to take fewer requests.
	 * @param mayList false where only the answer for the id itself counts
	 * @returns for each id the user, undefined for one who is gone, or why that could not be found out
	 */
	async readUsers(
		ids: readonly string[],
		mayList = true,
	): Promise<Map<string, Attempt<User | undefined>>> {
		const mostlyListed = mayList && this.listingPages < ids.length;
		const listed = mostlyListed ? await this.listNow() : undefined;
		const read = new Map<string, Attempt<User | undefined>>();
		if (listed?.ok) {
			for (const id of ids) {
				const user = listed.value.users.get(id);
				if (user !== undefined || this.gone.has(id)) read.set(id, { ok: true, value: user });
			}
		}
		const byId = await this.readById(ids.filter((id) => !read.has(id)));
		for (const [id, user] of byId) if (!isNotFound(user)) read.set(id, user);
		const missing = ids.filter((id) => !read.has(id));
		for (const [id, user] of await this.findHidden(missing, listed)) read.set(id, user);
		return read;
	}

	/**
	 * Whom a GET by ID does not show is gone only if what showed the user in this run shows the user no more: services hide
	 * by ID whom a token may not touch, and servers before them refuse a slash in an ID.
	 * @param ids whom a GET by ID does not show
	 * @param listed what was listed after the last write
	 * @returns for each id the user who is there, undefined for one who is gone, or why that could not be found out
	 */
	async findHidden(
		ids: readonly string[],
		listed?: Attempt<IndexedListing>,
	): Promise<Map<string, Attempt<User | undefined>>> {
		const before = await attempt(async () => await this.listing);
		const whole =
			before.ok && before.value?.incomplete === undefined ? before.value?.users : undefined;
		const wasListed = (id: string) => before.ok && before.value?.users.has(id) === true;
		const isUnlisted = (id: string) => whole !== undefined && whole.size > 0 && !whole.has(id);
		// Where filters find users of other accounts, only the list tells.
		const onlyLists = this.client.profile.knowsPeopleByLogin;
		let list = listed && Promise.resolve(listed);
		const shown = await mapConcurrent(ids, this.concurrency, async (id) => {
			if (this.gone.has(id)) return GONE;
			const key = this.keysByFilter.get(id);
			const asks = list === undefined && !wasListed(id);
			if (asks && key !== undefined && !onlyLists) {
				const found = await attempt(async () => await this.askFilter(...key));
				if (found.ok && found.value?.kind === 'absent') return GONE;
			} else if (asks && (this.shownById.has(id) || isUnlisted(id))) return GONE;
			const now = await (list ??= this.listNow());
			if (!now.ok) return now;
			const { users } = now.value;
			// Some list nobody without a filter (docs/servers.md, gitlab).
			if (users.size > 0 || onlyLists || wasListed(id))
				return { ok: true as const, value: users.get(id) };
			return { ok: false as const, error: incompleteAccess('users', 'the service lists nobody') };
		});
		ids.forEach((id, index) => {
			const user = shown[index];
			if (user.ok && user.value === undefined) this.gone.add(id);
		});
		return new Map(ids.map((id, index) => [id, shown[index]]));
	}

	/** Everybody, as listed now. */
	private async listNow(): Promise<Attempt<IndexedListing>> {
		return await attempt(async () => {
			const listing = await this.list();
			if (listing.incomplete === undefined) return listing;
			throw incompleteAccess('users', listing.incomplete);
		});
	}

	/** Whether a group that a GET by ID does not show is gone: one that only lists or filters have shown may be hidden. */
	async isGroupGone(id: string): Promise<boolean> {
		if (this.groupsById.has(this.ids.key(id))) return true;
		const { incomplete, resources } = await this.client.listGroupNames({ count: this.pageSize });
		if (incomplete !== undefined) throw incompleteAccess('groups', incomplete);
		return resources.every((group) => this.ids.key(group.id) !== this.ids.key(id));
	}

	/** How many requests a listing takes at the least, as far as groups tell: who is in one is a user. */
	private async fewestListingPages(): Promise<number> {
		const access = await attempt(async () => await this.accessRead);
		return Math.ceil(((access.ok && access.value?.held.size) || 0) / this.pageSize);
	}

	/** How many requests it takes to read so many users as they are now. */
	readsOfUsers(users: number): number {
		return Math.min(users, this.listingPages);
	}

	/** Each by `find`, after a listing where that is cheaper. */
	private async findTogether(
		keys: readonly string[],
		find: (key: string) => Promise<Found>,
		matching = BY_NAME,
	): Promise<Map<string, Found>> {
		const distinct = [...new Set(keys)];
		const people = new Set(distinct.map(matching.fold)).size;
		if (people > FEW_NAMES && this.listing === undefined) {
			const listed = await attempt(async () => await this.listIfCheaperThan(people, matching));
			if (!listed.ok) return new Map(distinct.map((key) => [key, unknown(listed.error)]));
		}
		return await this.findEach(distinct, find);
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

	private async listIfCheaperThan(requests: number, matching: Matching): Promise<void> {
		const listing = await this.listWithin(requests, matching);
		if (listing !== undefined) this.listing = Promise.resolve(listing);
	}

	/** A whole listing that takes so many requests at the most, or any where nobody can be asked for one by one. */
	private async listWithin(
		requests: number,
		{ by }: Matching,
	): Promise<IndexedListing | undefined> {
		const few = this.client.profile.paging === 'cursor' ? FEW_BY_CURSOR : 0;
		const filterUsable = !this.unusableFilters.has(by);
		if (filterUsable && requests <= Math.max(few, this.tooFewPages)) return undefined;
		const listing = await this.client.listUsers({
			count: this.pageSize,
			...(filterUsable && { mostPages: requests }),
		});
		// Where nobody is listed, a filter may still find somebody.
		if (listing.incomplete !== undefined || (filterUsable && listing.resources.length === 0)) {
			this.tooFewPages = Math.max(this.tooFewPages, requests);
			return undefined;
		}
		this.listingPages = listing.pages;
		return indexed(listing);
	}

	/** Undefined when the service has no such filter. */
	private async findByFilter(key: string, matching: Matching): Promise<Found | undefined> {
		if (this.unusableFilters.has(matching.by)) return undefined;
		// The same person in two cases is one request; in two compositions it may be two people.
		const request = `${matching.by}\n${matching.by === 'externalId' ? key : key.toLowerCase()}`;
		const asked = this.filterAnswers.get(request) ?? this.filterUsers(key, matching);
		this.filterAnswers.set(request, asked);
		const found = this.pickFiltered(await asked, key, matching);
		if (found?.kind === 'found') this.keysByFilter.set(found.user.id, [key, matching]);
		return await this.ours(found);
	}

	/** Where a filter takes the case of names seriously, HR's capitals would hide the person. */
	private async filterUsers(key: string, matching: Matching): Promise<FilterAnswer> {
		const answer = await this.client.findUsersByFilter(key, matching);
		let found = answer;
		for (const spelling of this.otherSpellings(key, matching)) {
			if (!found.usable || found.users.length > 0 || found.other !== undefined) return found;
			found = await this.client.findUsersByFilter(spelling, matching);
			this.filterMindsCase ||= found.usable && found.users.length > 0;
		}
		return found;
	}

	/** How the service may have stored the same: in lower case, with accents composed or apart from their letters. */
	private otherSpellings(key: string, { fold }: Matching = BY_NAME): string[] {
		const { knowsPeopleByLogin } = this.client.profile;
		const spellings = [...(knowsPeopleByLogin ? [key] : [key, key.toLowerCase()])].flatMap(
			(one) => [one, one.normalize('NFC'), one.normalize('NFD')],
		);
		return [...new Set(spellings)].filter((one) => one !== key && fold(one) === fold(key));
	}

	/** The same, asked again. */
	private async askFilter(key: string, matching: Matching): Promise<Found | undefined> {
		if (this.unusableFilters.has(matching.by)) return undefined;
		const found = this.pickFiltered(await this.filterUsers(key, matching), key, matching);
		if (found?.kind === 'found') this.confirmed.delete(found.user.id);
		return await this.ours(found);
	}

	private pickFiltered(answer: FilterAnswer, key: string, matching: Matching): Found | undefined {
		if (!answer.usable) {
			this.unusableFilters.add(matching.by);
			return undefined;
		}
		const { users, other } = answer;
		if (other === undefined) return pickUser(users, key, matching);
		const isLogin = matching.by === 'userName' && this.client.profile.knowsPeopleByLogin;
		return isLogin
			? { kind: 'found', user: { ...other, userName: key } }
			: unknown(otherUser(other, key, matching));
	}

	/**
	 * A filter also finds users of other accounts; ours are those whom a GET by id shows (docs/interface.md 2.2). Whoever
	 * is in a group of ours is known to be.
	 */
	private async ours<F extends Found | undefined>(found: F): Promise<F | Found> {
		if (!this.client.profile.knowsPeopleByLogin || found?.kind !== 'found') return found;
		const { id } = found.user;
		const access = await attempt(async () => await this.accessRead);
		if (access.ok && access.value?.held.has(id)) return found;
		const asked = this.confirmed.get(id) ?? this.readOwn(id);
		this.confirmed.set(id, asked);
		const user = await asked;
		const { userName } = found.user;
		return user === undefined
			? { kind: 'foreign' }
			: { kind: 'found', user: { ...user, userName } };
	}

	/** @returns undefined for nobody of this account. @throws RequestError when that cannot be found out */
	private async readOwn(id: string): Promise<User | undefined> {
		let error: unknown;
		const read = await poll({ ...this.client.patience, limitMs: READ_AGAIN_MS }, async () => {
			const tried = await attempt(async () => await this.client.getUser(id));
			if (!tried.ok) ({ error } = tried);
			return tried.ok || !isWorthAnotherTry(tried.error) ? tried : undefined;
		});
		if (read?.ok === true) {
			this.shownById.add(id);
			return read.value;
		}
		if (!hasStatus(error, 404, 410)) throw error;
		this.listing ??= this.list();
		const { users, incomplete } = await this.listing;
		const listed = users.get(id);
		if (listed === undefined && incomplete !== undefined)
			throw incompleteAccess('users', incomplete);
		return listed;
	}

	private async findInListing(key: string, matching: Matching): Promise<Found> {
		this.listing ??= this.list();
		return await this.byLogin(absenceIfWhole(await this.listing, key, matching), key, matching);
	}

	/** A list shows user names, which another person can have taken over: where the emails lack the login, a filter tells. */
	private async byLogin(listed: Found, key: string, matching: Matching): Promise<Found> {
		const counts = this.client.profile.knowsPeopleByLogin && matching.by === 'userName';
		if (listed.kind !== 'found' || !counts) return listed;
		const emails = matchingBy('email').keysOf(listed.user);
		const isOther = emails.length > 0 && !emails.map(nameKey).includes(nameKey(key));
		return isOther ? ((await this.findByFilter(key, matching)) ?? listed) : listed;
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

	/** The same, read again. @param users who were just read, with what they say of themselves */
	async accessNow(users?: readonly User[]): Promise<Access> {
		this.accessRead = this.readAccess(users);
		return await this.accessRead;
	}

	/**
	 * The same. Two roles of one person in one organization are a stale read where one is the rule: then it is read again until
	 * that is over, or patience ends.
	 */
	async settledAccess(): Promise<Access> {
		let access = await this.access();
		if (!this.client.profile.addMovesWithinOrganization) return access;
		let first = true;
		await poll(this.client.patience, async () => {
			if (!first) access = await this.accessNow();
			first = false;
			return doubleRoles(access).size > 0 ? undefined : true;
		});
		return access;
	}

	/** In which of all groups some people are: where only filters tell, they are asked of these people alone. */
	async accessAbout(userIds: readonly string[]): Promise<Access> {
		if (!this.tellsByPerson || this.accessRead !== undefined) return await this.access();
		return await this.readAccess([], userIds);
	}

	/** The same, read again. @param users those of them who are there, as just read */
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
		return { users, access: await this.accessNow(users) };
	}

	/**
	 * All users, read once, as far as the service shows them, and why these may not be all.
	 * @param wanted of whom some are looked for where the list has nobody
	 */
	async allUsers(
		wanted: readonly WantedMatch[],
		matching: Matching,
	): Promise<{ users: readonly User[]; incomplete?: string }> {
		this.listing ??= this.list();
		const listing = await this.listing;
		const incomplete = listsNobody(listing)
			? await this.whyNobodyListed(wanted.slice(0, FEW_WITNESSES), matching)
			: listing.incomplete;
		return { users: [...listing.users.values()], incomplete };
	}

	/**
	 * Some services list nobody without a filter (docs/servers.md, gitlab): an empty list is believed where filters find
	 * none of these people either.
	 * @returns why it is not
	 */
	private async whyNobodyListed(
		wanted: readonly WantedMatch[],
		matching: Matching,
	): Promise<string | undefined> {
		for (const { key, newName } of wanted) {
			const byKey = await this.findByFilter(key, matching);
			const byName = async () => newName && (await this.findByFilter(newName, BY_NAME));
			const found = byKey ?? (await byName());
			if (!found) return NOBODY_LISTED;
			if (found.kind === 'found' || found.kind === 'ambiguous') {
				return `the service lists nobody, but finds ${key} by filter`;
			}
		}
		return undefined;
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
			profile.listsAreExact ? {} : { count: this.pageSize },
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
		if (byGroups.showsMembers) return byGroups;
		const users = known ?? (await this.usersWithGroups());
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
	 * show none either is known at the end of the list alone. A whole list answers lookups by name, too.
	 */
	private async usersWithGroups(): Promise<User[]> {
		if (this.client.profile.usersShowGroups === 'no') return [];
		const listing = await this.list();
		if (listing.incomplete === undefined && this.listing === undefined) {
			this.listing = Promise.resolve(listing);
			this.listsMemberships = true;
		}
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
			if (tried.ok) {
				this.groupsById.add(this.ids.key(id));
				return [tried.value];
			}
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
			if (read.ok) this.groupsById.add(this.ids.key(reference.id));
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

const GONE: Attempt<undefined> = { ok: true, value: undefined };

/** Whether a GET by ID showed nobody; that alone does not say that the user is gone. */
export function isNotFound(read: Attempt<unknown> | undefined): boolean {
	return read?.ok === false && hasStatus(read.error, 404, 410);
}

/** Whether a failed read may pass; what is repeated by itself was repeated already. */
function isWorthAnotherTry(error: unknown): boolean {
	if (!(error instanceof RequestError)) return false;
	const { kind, status = 0 } = error.facts;
	return kind === 'http'
		? status < 500 && ![401, 404, 429].includes(status)
		: kind === 'unreadable' || kind === 'redirect';
}

/** Somebody by email or external ID. */
export interface WantedMatch {
	key: string;
	/** The user name of whoever is to be created for it. */
	newName?: string;
}

/** A listing that answers for a name without going through all users. */
interface IndexedListing {
	incomplete?: string;
	pages: number;
	users: ReadonlyMap<string, User>;
	index(matching: Matching): UserIndex;
	find(key: string, matching: Matching): Found;
}

/** Whether a list claims to be whole, and has nobody. */
function listsNobody(listing: IndexedListing | undefined): boolean {
	return listing?.incomplete === undefined && listing?.users.size === 0;
}

function indexed({ incomplete, pages, resources }: Listing<User>): IndexedListing {
	const indexes = new Map<MatchAttribute, UserIndex>();
	const index = (matching: Matching) => {
		const known = indexes.get(matching.by) ?? indexUsers(resources, matching);
		indexes.set(matching.by, known);
		return known;
	};
	return {
		...{ incomplete, pages, index },
		users: new Map(resources.map((user) => [user.id, user])),
		find: (key, matching) => pickUser(index(matching).withKey(key), key, matching),
	};
}

/**
 * The user with that key. Of user names the exact match, else the only one in another case; two that differ only in case
 * are refused, and so are any two with one email or external ID.
 */
function pickUser(same: readonly User[], key: string, { by, keyOf, fold }: Matching): Found {
	const own = same.filter((user) => fold(keyOf(user)) === fold(key));
	const exact = by === 'userName' ? own.filter((user) => user.userName === key) : [];
	const candidates = exact.length > 0 ? exact : own;
	if (candidates.length === 0) return { kind: 'absent' };
	return candidates.length === 1
		? { kind: 'found', user: candidates[0] }
		: { kind: 'ambiguous', ids: candidates.map(({ id }) => id) };
}

function incompleteAccess(what: 'groups' | 'users', why: string): RequestError {
	return new RequestError(
		`The list of ${what} is incomplete: ${why}`,
		`Without all ${what} access is unknown. Try another Page Size, or check the service.`,
		{ kind: 'incomplete', method: 'GET', mayHaveWorked: false },
	);
}

/** Who is not in the listing is absent only if the listing is whole; nor can others have the same email then. */
function absenceIfWhole(listing: IndexedListing, key: string, matching: Matching): Found {
	const found = listing.find(key, matching);
	const isSure = found.kind === 'found' && matching.by === 'userName';
	return isSure || found.kind === 'ambiguous' || listing.incomplete === undefined
		? found
		: unknown(incompleteList(key, matching, listing.incomplete));
}

function unknown(error: unknown): Found {
	return { kind: 'unknown', error };
}

/**
 * The user, or the reason why there is none to work on.
 * @throws what `whyNotFound` gives
 */
export function foundUser(found: Found | undefined, key: string, matching = BY_NAME): User {
	if (found?.kind === 'found') return found.user;
	throw whyNotFound(found, key, matching);
}

/**
 * Why there is no user to work on: an InputError when more than one has the key, or another one the user name; an
 * AbsentError when nobody of this account has it, what went wrong when that could not be found out.
 */
export function whyNotFound(
	found: Exclude<Found, { kind: 'found' }> | undefined,
	key: string,
	matching = BY_NAME,
): unknown {
	const { label } = matching;
	switch (found?.kind) {
		case 'ambiguous':
			return new InputError(
				`More than one user has the ${label} ${key} (IDs ${found.ids.join(', ')})`,
				matching.by === 'userName'
					? 'Enter the ID of the right user.'
					: `Enter the ID of the user, or correct the ${label} at the service.`,
			);
		case 'taken':
			return takenName(found.users, key, matching);
		case 'unknown':
			return found.error;
		case 'foreign':
			return new AbsentError(
				`${key} belongs to another account`,
				'This credential has no access to that user, and nothing was sent. Ask the service to release the email, or use another one.',
			);
		default:
			return new UnknownKeyError(
				`No user has the ${label} ${key}`,
				'Check the spelling. If the user was just created, run again in a moment.',
			);
	}
}

/** No user has this key alone, and a user without a key of its own may be the one. */
function maybe({ id, userName }: User, key: string, { label }: Matching): InputError {
	return new InputError(
		`No user has the ${label} ${key} alone, and ${userName} (ID ${id}) may be the one: the user name or an email is the same, and no ${label} identifies that user`,
		`Give the ID of the user, or correct the ${label} at the service.`,
	);
}

/** A filter finds somebody who does not show the key: neither the person for sure, nor a sign that there is none. */
function otherUser({ id, userName }: User, key: string, { label }: Matching): InputError {
	return new InputError(
		`The service finds ${userName} (ID ${id}) by the ${label} ${key}, which that user does not show`,
		`If this is the same person, whose ${label} was changed at the service, enter the ID. Nothing was sent for this person.`,
	);
}

/** No user has the key, and another user has the name for the new one: that may be the same person. */
function takenName(users: readonly User[], key: string, { keyOf, label, by }: Matching) {
	const [{ userName }] = users;
	const theirs = keyOf(users[0]);
	const others = theirs === '' ? `has no ${label}` : `has the ${label} ${theirs}`;
	const ids = users.map(({ id }) => `ID ${id}`).join(', ');
	const canLink = by === 'externalId' && theirs === '' && users.length === 1;
	return new InputError(
		`No user has the ${label} ${key}, and the user name ${userName} is taken by a user who ${others} (${ids})`,
		canLink
			? 'If this is the same person, turn on Link by User Name under Options of User: Create or Update or User: Reconcile.'
			: `Correct the ${label} or the user name, here or at the service.`,
	);
}

/**
 * The user behind an id, or the reason why there is none to work on.
 * @throws AbsentError when no user has the id; what went wrong when it could not be found out
 */
export function userOf(read: Attempt<User | undefined> | undefined, id: string): User {
	if (read?.ok && read.value !== undefined) return read.value;
	if (read?.ok === false && !isNotFound(read)) throw read.error;
	throw new AbsentError(
		`No user has the ID ${id}`,
		'Check the ID. If the user was just created, run again in a moment.',
	);
}

/** Nobody of this account has the name or ID: the service was asked, and said so. */
export class AbsentError extends InputError {}

/** Nobody at all has the user name, email or external ID, so that a user could be created with it. */
export class UnknownKeyError extends AbsentError {}

function incompleteList(key: string, { label }: Matching, why: string): InputError {
	return new InputError(
		`Could not find out who has the ${label} ${key}: the list of users is incomplete`,
		`The service does not show all users (${why}). Enter the ID of the user instead.`,
	);
}
