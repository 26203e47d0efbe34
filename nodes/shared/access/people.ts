import { attempt, type Attempt, isSpelledOneWay, mapConcurrent, nameKey, poll } from '../util';
import { hasStatus, RequestError } from '../http';
import {
	indexUsers,
	type FilterAnswer,
	type Listing,
	type MatchAttribute,
	type Matching,
	matchingBy,
	namesOfUnmatched,
	type ScimClient,
	type Unmatched,
	type User,
	type UserIndex,
} from '../scim';
import {
	incompleteAccess,
	incompleteList,
	isNotFound,
	maybe,
	otherUser,
	pickUser,
	unknown,
	type Found,
	type WantedMatch,
} from './found';

const BY_NAME = matchingBy('userName');

/** So few are asked for one by one: a list may have more pages. */
const FEW = 2;
/** The same where the first page may not tell how many there are (RFC 9865). */
const FEW_BY_CURSOR = 10;

/** So many people are looked for by filter before a list without anybody is believed. */
const FEW_WITNESSES = 10;
const NOBODY_LISTED = 'the service lists nobody, and has no filter that could confirm it';
const NO_LOGINS = 'it shows no logins, and the service has no filter that could tell';

/** A read that failed for a reason that may pass is tried again for so long. */
const READ_AGAIN_MS = 1_500;

/**
 * What an answer without the person is worth:
 * - `proven`: nobody has the key, by a whole list, and by a filter where user names may have been changed;
 * - `refusable`: an empty filter is enough, since the service refuses a second account;
 * - `expected`: the service says that there is a user, so list and filter are both asked.
 */
export type Absence = 'proven' | 'refusable' | 'expected';

/** How fresh and how sure an answer has to be. */
export interface Question {
	matching?: Matching;
	/** Whether only requests that leave from now on count; else everything that this run has read. */
	fresh?: boolean;
	absence?: Absence;
}

/** An answer, with the place of its request among all of the run. */
interface Seen<T> {
	left: number;
	value: Promise<T>;
}

/** A list of users that answers for a key without going through all of them. */
interface Listed {
	incomplete?: string;
	users: ReadonlyMap<string, User>;
	index(matching: Matching): UserIndex;
}

/** What is known of the filters by one attribute. */
interface FilterKnown {
	/** It finds nobody, or everybody. */
	unusable: boolean;
	/** Seen to find a user only in the case of the key. */
	mindsCase: boolean;
	/** Seen to find a user in another case. */
	findsAnyCase: boolean;
}

/** The filter that has shown a user. */
interface FilterHit {
	key: string;
	matching: Matching;
	/** Whether it has shown groups of the user. */
	showsGroups: boolean;
}

/**
 * Who is who at the service: from a list, filters and reads by ID, whichever takes fewer requests. A list takes one request
 * per page however many people are asked for.
 */
export class People {
	/** Requests of this run so far. */
	private sent = 0;

	private list?: Seen<Listed>;

	/** The first list of the run. */
	private firstList?: Promise<Listed>;

	/** Requests of a list, once it is known. */
	private pages?: number;

	/** A list takes more requests than this. */
	private morePagesThan = 0;

	private readonly answers = new Map<string, Seen<FilterAnswer>>();

	private readonly filters = new Map<MatchAttribute, FilterKnown>();

	/** By ID, the filters that have shown users. */
	private readonly hits = new Map<string, FilterHit>();

	/** What a GET by ID has shown; undefined for a user of another account. */
	private readonly byId = new Map<string, Seen<User | undefined>>();

	private readonly shownById = new Set<string>();

	/** Whether a GET by ID has shown groups of a user. */
	private showsGroupsById = false;

	private readonly gone = new Set<string>();

	/**
	 * @param pageSize resources per page of a list
	 * @param concurrency requests side by side
	 * @param members IDs of people in groups, as far as these were read
	 */
	constructor(
		private readonly client: ScimClient,
		private readonly pageSize: number,
		private readonly concurrency: number,
		private readonly members: () => Promise<ReadonlyMap<string, unknown> | undefined>,
	) {}

	/**
	 * Whom keys name, ignoring case; an exact user name wins. Never rejects.
	 * @returns one entry per distinct key, by the key as given
	 */
	async find(keys: readonly string[], question: Question = {}): Promise<Map<string, Found>> {
		return await this.findSince(keys, question, this.since(question));
	}

	/**
	 * The same by email or external ID, exactly one of whom must have it. Nobody is absent whose user name another user has.
	 */
	async match(
		wanted: readonly WantedMatch[],
		matching: Matching,
		question: Question = {},
	): Promise<Map<string, Found>> {
		const since = this.since(question);
		const keys = wanted.map(({ key }) => key);
		const found = await this.findSince(keys, { ...question, matching }, since);
		const absent = wanted.filter(({ key }) => found.get(key)?.kind === 'absent');
		const known = await attempt(async () => await this.list?.value);
		const list = known.ok ? known.value : undefined;
		const names = absent.flatMap(({ newName }) => newName ?? []);
		const expected = question.absence === 'expected';
		const holders = expected ? await this.findSince(names, question, since) : undefined;
		const strangers = expected || !list ? undefined : namesOfUnmatched(list.index(matching));
		for (const { key, newName } of absent) {
			const holder = newName === undefined ? undefined : holders?.get(newName);
			const listed = newName === undefined ? [] : (list?.index(BY_NAME).named(newName) ?? []);
			const users = holders ? (holder?.kind === 'found' ? [holder.user] : []) : listed;
			const twin = [...(matching.by === 'email' ? [key] : []), ...(newName ? [newName] : [])]
				.flatMap((name) => strangers?.get(nameKey(name)) ?? [])
				.at(0);
			if (users.length > 0) found.set(key, { kind: 'taken', users });
			else if (twin !== undefined) found.set(key, unknown(maybe(twin, key, matching)));
		}
		return found;
	}

	/**
	 * Users who differ from the names in case alone, by filter: where the service tells cases apart, no 409 tells of
	 * them. Never lists; names that no filter can be asked for are absent.
	 */
	async findTwins(userNames: readonly string[]): Promise<Map<string, Found>> {
		const names = userNames.filter((name) => this.otherSpellings(name, BY_NAME).length > 0);
		return await this.findEach(
			names,
			async (name) => (await this.byFilter(name, BY_NAME)) ?? { kind: 'absent' },
		);
	}

	/**
	 * Users by ID: from a list where that takes fewer requests; a user whom it lacks is asked for, so that nobody is there
	 * only by 404.
	 * @param alone whether only the answer for the ID itself counts
	 */
	async read(
		ids: readonly string[],
		{ fresh, alone }: { fresh?: boolean; alone?: boolean } = {},
	): Promise<Map<string, Attempt<User>>> {
		return await this.readSince(ids, this.since({ fresh }), alone);
	}

	/** The same, undefined for a user who is gone. */
	async readThere(
		ids: readonly string[],
		{ fresh, alone }: { fresh?: boolean; alone?: boolean } = {},
	): Promise<Map<string, Attempt<User | undefined>>> {
		const since = this.since({ fresh });
		const read: Map<string, Attempt<User | undefined>> = await this.readSince(ids, since, alone);
		const missing = [...read.keys()].filter((id) => isNotFound(read.get(id)));
		const hidden = await this.hiddenSince(missing, since > 0 ? since : this.next());
		for (const [id, user] of hidden) read.set(id, user);
		return read;
	}

	/**
	 * Rule of evidence, "is gone": users whom a GET by ID does not show are gone only if what showed them in this run shows
	 * them no more. Services hide by ID whom a token may not touch, and servers before them refuse a slash in an ID.
	 * @param ids of users whom a GET by ID does not show
	 * @returns for each the user who is there, undefined for one who is gone, or why that could not be found out
	 */
	async findHidden(ids: readonly string[]): Promise<Map<string, Attempt<User | undefined>>> {
		return await this.hiddenSince(ids, this.next());
	}

	/** Whether one of these people is active; asks one after the other and stops at the first who is. */
	async anyActive(ids: readonly string[]): Promise<boolean> {
		for (const id of ids) {
			const user = (await this.read([id], { fresh: true, alone: true })).get(id);
			if (user?.ok && user.value.active !== false) return true;
			if (user?.ok === false && !hasStatus(user.error, 404)) throw user.error;
		}
		return false;
	}

	/** How many requests it takes to read so many users as they are now. */
	cost(users: number): number {
		return Math.min(users, this.pages ?? Number.POSITIVE_INFINITY);
	}

	/** All users, as far as the service shows them. */
	async all(question: Pick<Question, 'fresh'> = {}): Promise<Listed> {
		return await this.allSince(this.since(question));
	}

	/**
	 * The same, and why these may not be all. Some services list nobody without a filter (docs/servers.md, gitlab): an empty
	 * list is believed where filters find none of these people either.
	 */
	async everybody(
		wanted: readonly WantedMatch[],
		matching: Matching,
	): Promise<{ users: readonly User[]; incomplete?: string }> {
		const list = await this.all();
		const incomplete = listsNobody(list)
			? await this.whyNobodyListed(wanted.slice(0, FEW_WITNESSES), matching)
			: list.incomplete;
		return { users: [...list.users.values()], incomplete };
	}

	/** Accounts that no key can name. @throws RequestError when users cannot all be seen */
	async unmatched(matching: Matching): Promise<Unmatched[]> {
		return checkWhole(await this.all())
			.index(matching)
			.unmatched();
	}

	/** @returns the number of the first request that counts */
	private since({ fresh = false }: Pick<Question, 'fresh'>): number {
		return fresh ? this.next() : 0;
	}

	private next(): number {
		return ++this.sent;
	}

	private async findSince(
		keys: readonly string[],
		{ matching = BY_NAME, absence = 'proven' }: Question,
		since: number,
	): Promise<Map<string, Found>> {
		const people = new Set(keys.map(matching.fold)).size;
		const listed = await attempt(async () => await this.cheaperList(people, matching.by, since));
		// Where somebody has to be there, a filter may tell what a broken list does not.
		const isBroken = !listed.ok && absence !== 'expected';
		return await this.findEach(keys, async (key) =>
			isBroken ? unknown(listed.error) : await this.findOne(key, matching, absence, since),
		);
	}

	private async findEach(
		keys: readonly string[],
		find: (key: string) => Promise<Found>,
	): Promise<Map<string, Found>> {
		const distinct = [...new Set(keys)];
		const found = await mapConcurrent(distinct, this.concurrency, async (key) => {
			const tried = await attempt(async () => await find(key));
			return tried.ok ? tried.value : unknown(tried.error);
		});
		return new Map(distinct.map((key, index) => [key, found[index]]));
	}

	private async findOne(
		key: string,
		matching: Matching,
		absence: Absence,
		since: number,
	): Promise<Found> {
		// A list that could not be read says nothing, and the filter may still answer.
		const known = await attempt(async () => await this.listSince(since)?.value);
		if (!known.ok || known.value === undefined || listsNobody(known.value)) {
			const hit = await this.byFilter(key, matching, since);
			const isEnough =
				hit?.kind === 'absent'
					? absence === 'refusable'
					: hit && !(await this.mayHideOther(hit, key, matching, absence));
			if (hit !== undefined && isEnough) return hit;
			const isUntold = hit === undefined && listsNobody(await this.allSince(since));
			if (isUntold) return unknown(incompleteList(key, matching, NOBODY_LISTED));
		}
		const list = known.ok && known.value ? known.value : await this.allSince(since);
		const listed = await this.inList(list, key, matching, since);
		if (listed.kind !== 'absent' || absence === 'refusable') return listed;
		// Of users of other accounts, and of those who were renamed, only a filter tells.
		if (matching.by !== 'userName' && absence === 'proven') return listed;
		const hit = await this.byFilter(key, matching, since);
		if (hit !== undefined || !this.goesByLogin(matching)) return hit ?? listed;
		return unknown(incompleteList(key, matching, NO_LOGINS));
	}

	private async inList(
		list: Listed,
		key: string,
		matching: Matching,
		since: number,
	): Promise<Found> {
		const found = pickUser(list.index(matching).withKey(key), key, matching);
		const isSure = found.kind === 'found' && matching.by === 'userName';
		// Others may have the same email, unless the list is whole.
		if (list.incomplete !== undefined && !isSure && found.kind !== 'ambiguous')
			return unknown(incompleteList(key, matching, list.incomplete));
		if (found.kind !== 'found' || !this.goesByLogin(matching)) return found;
		// A list shows user names, which another person can have taken over: where the emails lack the login, a filter tells.
		const emails = matchingBy('email').keysOf(found.user);
		const isOther = emails.length > 0 && !emails.map(nameKey).includes(nameKey(key));
		return isOther ? ((await this.byFilter(key, matching, since)) ?? found) : found;
	}

	private goesByLogin({ by }: Matching): boolean {
		return by === 'userName' && this.client.profile.knowsPeopleByLogin;
	}

	/** Two may have one key where a filter minds its case or composition, and two any one email, of whom it shows one. */
	private async mayHideOther(
		found: Found,
		key: string,
		{ keyOf, ...matching }: Matching,
		absence: Absence,
	): Promise<boolean> {
		if (found.kind !== 'found' || absence === 'expected') return false;
		const { by } = matching;
		const filter = this.filterBy(by);
		const minds = filter.mindsCase || (by === 'userName' && !isSpelledOneWay(key));
		if (minds && keyOf(found.user) !== key) return true;
		if (by !== 'email' || absence !== 'proven' || this.client.profile.filterIgnoresCase)
			return false;
		const [lower, upper] = [key.toLowerCase(), key.toUpperCase()];
		if (!filter.findsAnyCase) {
			const other = key === upper ? lower : upper;
			const answer = await this.client.findUsersByFilter(other, matchingBy(by));
			const { id } = found.user;
			filter.findsAnyCase = answer.usable && answer.users.some((user) => user.id === id);
		}
		return !filter.findsAnyCase;
	}

	// --- lists ---

	/** The one rule of cost: a list where its pages are fewer than the requests for one each. */
	private async cheaperList(
		requests: number,
		by: MatchAttribute | 'id',
		since: number,
	): Promise<void> {
		if (requests <= FEW || this.listSince(since) !== undefined) return;
		const asksEach = by === 'id' || !this.filterBy(by).unusable;
		if (asksEach && requests <= (await this.leastPages())) return;
		const left = this.next();
		const listing = await this.client.listUsers({
			count: this.pageSize,
			...(asksEach && { mostPages: requests }),
		});
		// Where nobody is listed, a filter may still find somebody.
		if (listing.incomplete !== undefined || (asksEach && listing.resources.length === 0))
			this.morePagesThan = Math.max(this.morePagesThan, requests);
		else this.keep(left, Promise.resolve(listing));
	}

	/** How many pages a list has at the least: who is in a group is a user. */
	private async leastPages(): Promise<number> {
		if (this.pages !== undefined) return this.pages;
		const few = this.client.profile.paging === 'cursor' ? FEW_BY_CURSOR : 0;
		const people = (await this.members())?.size ?? 0;
		return Math.max(few, this.morePagesThan, Math.ceil(people / this.pageSize));
	}

	private async allSince(since: number): Promise<Listed> {
		const known = this.listSince(since);
		if (known !== undefined) return await known.value;
		return await this.keep(this.next(), this.client.listUsers({ count: this.pageSize })).value;
	}

	private listSince(since: number): Seen<Listed> | undefined {
		return this.list !== undefined && this.list.left >= since ? this.list : undefined;
	}

	private keep(left: number, listing: Promise<Listing<User>>): Seen<Listed> {
		const value = listing.then((read) => {
			this.pages = read.pages;
			return indexed(read);
		});
		this.firstList ??= value;
		this.list = { left, value };
		return this.list;
	}

	/** Whether a list of this run has shown a user, and with groups. */
	private async listedBefore(id: string): Promise<User | undefined> {
		const lists = [this.firstList, this.list?.value];
		const read = await Promise.all(
			lists.map(async (list) => await attempt(async () => await list)),
		);
		const users = read.flatMap((list) => (list.ok ? (list.value?.users.get(id) ?? []) : []));
		return users.find(showsGroups) ?? users.at(0);
	}

	// --- filters ---

	private filterBy(by: MatchAttribute): FilterKnown {
		const known = this.filters.get(by) ?? {
			unusable: false,
			mindsCase: false,
			findsAnyCase: false,
		};
		this.filters.set(by, known);
		return known;
	}

	/** Undefined where the service has no such filter. */
	private async byFilter(key: string, matching: Matching, since = 0): Promise<Found | undefined> {
		const { by } = matching;
		const filter = this.filterBy(by);
		if (filter.unusable) return undefined;
		// The same person in two cases is one request; in two compositions it may be two people.
		const request = `${by}\n${by === 'externalId' ? key : key.toLowerCase()}`;
		let asked = this.answers.get(request);
		if (asked === undefined || asked.left < since) {
			asked = { left: this.next(), value: this.askFilter(key, matching, filter) };
			this.answers.set(request, asked);
		}
		const answer = await asked.value;
		if (!answer.usable) {
			filter.unusable = true;
			return undefined;
		}
		const found = this.pickHit(answer, key, matching);
		if (found.kind !== 'found') return found;
		const { id } = found.user;
		const isShown = showsGroups(found.user) || this.hits.get(id)?.showsGroups === true;
		this.hits.set(id, { key, matching, showsGroups: isShown });
		return this.client.profile.filterFindsForeignUsers ? await this.ours(found.user, since) : found;
	}

	/** Where a filter takes the case of names seriously, HR's capitals would hide the person. */
	private async askFilter(
		key: string,
		matching: Matching,
		filter: FilterKnown,
	): Promise<FilterAnswer> {
		const answer = await this.client.findUsersByFilter(key, matching);
		let found = answer;
		for (const spelling of this.otherSpellings(key, matching)) {
			if (!found.usable || found.users.length > 0 || found.other !== undefined) return found;
			found = await this.client.findUsersByFilter(spelling, matching);
			filter.mindsCase ||= found.usable && found.users.length > 0;
		}
		return found;
	}

	/** How the service may have stored the same: in lower case, with accents composed or apart from their letters. */
	private otherSpellings(key: string, { fold }: Matching): string[] {
		const { filterIgnoresCase } = this.client.profile;
		const spellings = [...(filterIgnoresCase ? [key] : [key, key.toLowerCase()])].flatMap((one) => [
			one,
			one.normalize('NFC'),
			one.normalize('NFD'),
		]);
		return [...new Set(spellings)].filter((one) => one !== key && fold(one) === fold(key));
	}

	private pickHit(
		{ users, other }: Extract<FilterAnswer, { usable: true }>,
		key: string,
		matching: Matching,
	): Found {
		if (other === undefined) return pickUser(users, key, matching);
		return this.goesByLogin(matching)
			? { kind: 'found', user: { ...other, userName: key } }
			: unknown(otherUser(other, key, matching));
	}

	/**
	 * A filter also finds users of other accounts; ours are those whom a group of ours, a GET by ID or a list shows
	 * (docs/interface.md 2.2).
	 */
	private async ours(user: User, since: number): Promise<Found> {
		const { id, userName } = user;
		if ((await this.members())?.has(id)) return { kind: 'found', user };
		const known = this.byId.get(id);
		const isKnown = known !== undefined && known.left >= since;
		const own = isKnown ? await known.value : await this.readOurs(id, since);
		return own === undefined ? { kind: 'foreign' } : { kind: 'found', user: { ...own, userName } };
	}

	/** @returns undefined for a user of another account. @throws RequestError when that cannot be found out */
	private async readOurs(id: string, since: number): Promise<User | undefined> {
		const left = this.next();
		let last: Attempt<User> | undefined;
		const read = await poll({ ...this.client.patience, limitMs: READ_AGAIN_MS }, async () => {
			last = await attempt(async () => await this.readOne(id, since));
			return last.ok || !isWorthAnotherTry(last.error) ? last : undefined;
		});
		const tried = read ?? last;
		if (tried?.ok) return tried.value;
		if (!isNotFound(tried)) throw tried?.error;
		const list = await this.allSince(since);
		const user = list.users.get(id);
		if (user === undefined) checkWhole(list);
		this.byId.set(id, { left, value: Promise.resolve(user) });
		return user;
	}

	// --- by ID ---

	private async readSince(
		ids: readonly string[],
		since: number,
		alone = false,
	): Promise<Map<string, Attempt<User>>> {
		const distinct = [...new Set(ids)];
		// Whatever keeps the list from being read, the users themselves may still be.
		if (!alone) await attempt(async () => await this.cheaperList(distinct.length, 'id', since));
		const listed = await attempt(async () =>
			alone ? undefined : await this.listSince(since)?.value,
		);
		const list = listed.ok ? listed.value : undefined;
		const read = await mapConcurrent(
			distinct,
			this.concurrency,
			async (id) =>
				await attempt(async () => {
					const user = list?.users.get(id);
					if (list !== undefined && user === undefined && this.gone.has(id)) throw goneUser(id);
					return user ?? (await this.withGroupsAsShown(await this.readOne(id, since), since));
				}),
		);
		return new Map(distinct.map((id, index) => [id, read[index]]));
	}

	private async readOne(id: string, since: number): Promise<User> {
		const known = this.byId.get(id);
		const before = known !== undefined && known.left >= since ? await known.value : undefined;
		if (before !== undefined) return before;
		const value = this.client.getUser(id);
		this.byId.set(id, { left: this.next(), value });
		const read = await attempt(async () => await value);
		if (!read.ok) {
			// A failed read is no evidence.
			this.byId.delete(id);
			throw read.error;
		}
		this.shownById.add(id);
		this.showsGroupsById ||= showsGroups(read.value);
		return read.value;
	}

	/**
	 * Rule of evidence, "is not member": groups that lists or filters have shown of a user, a GET that never shows groups
	 * says nothing of. They are asked for alike.
	 */
	private async withGroupsAsShown(user: User, since: number): Promise<User> {
		if (user.groupIds !== undefined) return user;
		if (this.showsGroupsById) return { ...user, groupIds: [] };
		const { id } = user;
		const listed = await this.listedBefore(id);
		const hit = this.hits.get(id);
		let shown: User | undefined;
		if (listed !== undefined && showsGroups(listed))
			shown = (await this.allSince(since)).users.get(id);
		else if (hit?.showsGroups === true) {
			const found = await this.byFilter(hit.key, hit.matching, since);
			shown = found?.kind === 'found' && found.user.id === id ? found.user : undefined;
		}
		return shown === undefined ? user : { ...user, groupIds: shown.groupIds ?? [] };
	}

	private async hiddenSince(
		ids: readonly string[],
		since: number,
	): Promise<Map<string, Attempt<User | undefined>>> {
		const shown = await mapConcurrent(ids, this.concurrency, async (id) => {
			const user = await attempt(async () => await this.shownElsewhere(id, since));
			if (user.ok && user.value === undefined) this.gone.add(id);
			return user;
		});
		return new Map(ids.map((id, index) => [id, shown[index]]));
	}

	private async shownElsewhere(id: string, since: number): Promise<User | undefined> {
		if (this.gone.has(id)) return undefined;
		// Where filters find users of other accounts, only the list tells.
		const onlyLists = this.client.profile.filterFindsForeignUsers;
		const wasListed = (await this.listedBefore(id)) !== undefined;
		if (this.listSince(since) === undefined && !wasListed) {
			const hit = this.hits.get(id);
			if (hit !== undefined && !onlyLists) {
				const { key, matching } = hit;
				const found = await attempt(async () => await this.byFilter(key, matching, since));
				if (found.ok && found.value?.kind === 'absent') return undefined;
			} else if (this.shownById.has(id) || (await this.wasUnlisted())) return undefined;
		}
		const { users } = checkWhole(await this.allSince(since));
		if (users.size > 0 || onlyLists || wasListed) return users.get(id);
		throw incompleteAccess('users', 'the service lists nobody');
	}

	/** Whether a whole list of this run has shown users, so that one whom it lacks is not there. */
	private async wasUnlisted(): Promise<boolean> {
		const list = await attempt(async () => await this.list?.value);
		return list.ok && list.value?.incomplete === undefined && (list.value?.users.size ?? 0) > 0;
	}

	private async whyNobodyListed(
		wanted: readonly WantedMatch[],
		matching: Matching,
	): Promise<string | undefined> {
		for (const { key, newName } of wanted) {
			const byKey = await this.byFilter(key, matching);
			const found = byKey ?? (newName ? await this.byFilter(newName, BY_NAME) : undefined);
			if (found === undefined) return NOBODY_LISTED;
			if (found.kind === 'found' || found.kind === 'ambiguous')
				return `the service lists nobody, but finds ${key} by filter`;
		}
		return undefined;
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

function showsGroups({ groupIds = [] }: User): boolean {
	return groupIds.length > 0;
}

/** Whether a list claims to be whole, and has nobody. */
function listsNobody({ incomplete, users }: Listed): boolean {
	return incomplete === undefined && users.size === 0;
}

/** @throws RequestError when some users may be missing */
function checkWhole(list: Listed): Listed {
	if (list.incomplete === undefined) return list;
	throw incompleteAccess('users', list.incomplete);
}

function goneUser(id: string): RequestError {
	return new RequestError(`No user has the ID ${id}`, 'The user was there before.', {
		...{ kind: 'http', method: 'GET', status: 404, mayHaveWorked: false },
	});
}

function indexed({ incomplete, resources }: Listing<User>): Listed {
	const indexes = new Map<MatchAttribute, UserIndex>();
	return {
		incomplete,
		users: new Map(resources.map((user) => [user.id, user])),
		index(matching) {
			const known = indexes.get(matching.by) ?? indexUsers(resources, matching);
			indexes.set(matching.by, known);
			return known;
		},
	};
}
