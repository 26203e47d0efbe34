import {
	attempt,
	type Attempt,
	isMistypedAddress,
	isSpelledOneWay,
	mapConcurrent,
	messageOf,
	nameKey,
	poll,
	shown,
} from '../../util';
import { hasStatus, RequestError } from '../../http';
import {
	attribute,
	type FilterAnswer,
	type Leaving,
	Listed,
	type Listing,
	type MatchAttribute,
	type Matching,
	matchingBy,
	Questions,
	type ScimClient,
	type Unmatched,
	type User,
} from '../../scim';
import {
	type Found,
	incompleteAccess,
	incompleteList,
	isNotFound,
	mistypedKey,
	otherUser,
	pickUser,
	unknown,
	type KeyLookup,
} from './found';

const BY_NAME = matchingBy('userName');

/** So few are asked for one by one: a list may have more pages. */
const FEW = 2;
/** The same where the first page may not tell how many there are (RFC 9865). */
const FEW_BY_CURSOR = 10;

/** So many people are looked for by filter before an empty list is believed. */
const FEW_WITNESSES = 10;
const NOBODY_LISTED = 'the service lists nobody, and has no filter that could confirm it';
const NO_LOGINS = 'it shows no logins, and the service has no filter that could tell';

/** A read that failed for a reason that may pass is tried again for so long. */
const READ_AGAIN_MS = 1_500;

/** How fresh and how sure an answer has to be. */
export interface Question {
	matching?: Matching;
	/** Whether only requests that leave from now on count; else everything that the run has read. */
	fresh?: boolean;
	/**
	 * What an answer without the person is worth. `proven` (default): no user has the key, by a whole list, and by a filter
	 * where user names may have been changed. `refusable`: an empty filter is enough, since the service refuses a second
	 * account. `creatable`: the same of people whom the run creates, so that not every one is asked for where nobody is there
	 * yet. `expected`: the service says that there is a user, so list and filter are both asked.
	 */
	absence?: 'proven' | 'refusable' | 'creatable' | 'expected';
}

/** What has to be known of values (`tellValues`). */
export interface ValueQuestion {
	namedOf?(id: string): readonly string[];
	hasWitness?: boolean;
}

/** How users are read by ID. */
export interface Reading {
	fresh?: boolean;
	/** Whether only the answer for the ID itself counts. */
	alone?: boolean;
}

/**
 * Who is who at the service: from a list, filters and reads by ID, whichever takes fewer requests. A list takes one request
 * per page however many people are asked for.
 */
export class People {
	/** @param members IDs of people in groups, as far as these were read */
	constructor(
		private readonly client: ScimClient,
		private readonly members: () => Promise<ReadonlyMap<string, unknown> | undefined>,
		private readonly run: Questions,
	) {}

	/**
	 * The users of keys, ignoring case; an exact user name wins. Never rejects.
	 * @returns one entry per distinct key, by the key as given
	 */
	async find(keys: readonly string[], question: Question = {}): Promise<Map<string, Found>> {
		const found = await this.findIn(this.seenFor(question), keys, question);
		return this.concluded(found, question);
	}

	/**
	 * The same by email or external ID, where exactly one user must have it. No person is absent whose user name another user has;
	 * who else may be an absent one has one of `names`.
	 */
	async match(
		wanted: readonly KeyLookup[],
		matching: Matching,
		question: Question = {},
	): Promise<Map<string, Found>> {
		const seen = this.seenFor(question);
		const keys = wanted.map(({ key }) => key);
		const found = await this.findIn(seen, keys, { ...question, matching });
		const absent = wanted.filter(({ key }) => found.get(key)?.kind === 'absent');
		const { absence = 'proven' } = question;
		const holders = await this.findIn(
			seen,
			absent.flatMap(({ newName }) => newName ?? []),
			{ absence: absence === 'proven' ? 'refusable' : absence },
		);
		const known = await attempt(async () => await seen.list);
		const list = known.ok ? known.value : undefined;
		for (const { key, newName = '', emails = [] } of absent) {
			const holder = holders.get(newName);
			const ids = holder?.kind === 'ambiguous' ? holder.ids : [];
			const users =
				holder?.kind === 'found' ? [holder.user] : ids.flatMap((id) => list?.users.get(id) ?? []);
			const names = [...(matching.by === 'email' ? [key] : []), newName, ...emails];
			if (users.length > 0) found.set(key, { kind: 'taken', users });
			else found.set(key, { ...found.get(key), kind: 'absent', names });
		}
		return this.concluded(found, { ...question, matching });
	}

	/**
	 * Users who differ from the names in case alone, by filter: where the service tells cases apart, no 409 tells of
	 * them. Never lists; names that no filter can be asked for are absent.
	 */
	async findTwins(userNames: readonly string[]): Promise<Map<string, Found>> {
		const names = userNames.filter((name) => this.otherSpellings(name, BY_NAME).length > 0);
		return await this.findEach(
			names,
			async (name) => (await this.byFilter(this.run, name, BY_NAME)) ?? { kind: 'absent' },
		);
	}

	/**
	 * Looks for those who have one of these among their emails, so that `Facts.sharing` knows them: by filter, or by a list where
	 * that takes fewer requests. Nothing is listed for want of a filter.
	 * @returns what the filters have found
	 */
	async findSharing(emails: readonly string[]): Promise<Map<string, Found>> {
		const matching = matchingBy('email');
		const ask = async (email: string) => await this.byFilter(this.run, email, matching);
		if (this.client.filtersBy('email').isUnusable !== true)
			await attempt(async () => await this.cheaperList(this.run, new Set(emails).size, 'email'));
		const open = (await this.hasListed()) ? [] : emails;
		return await this.findEach(open, async (email) => (await ask(email)) ?? { kind: 'absent' });
	}

	/**
	 * Whether the run has looked for a user before, and found nobody: the whole list lacks the ID, or a filter found no key that
	 * finds the user now. A filter that never finds anybody says nothing.
	 */
	async wasMissing(id: string, key: string, matching: Matching): Promise<boolean> {
		const list = await this.runList();
		if (list !== undefined && list.incomplete === undefined && !listsNobody(list))
			return !list.users.has(id);
		const asked = this.run.answers.get(filterOf(key, matching));
		const answer = asked && (await attempt(async () => await asked));
		const isEmpty = answer?.ok === true && answer.value.usable && answer.value.users.length === 0;
		if (!isEmpty) return false;
		const now = await attempt(async () => await this.client.findUsersByFilter(key, matching));
		return now.ok && now.value.usable && now.value.users.some((user) => user.id === id);
	}

	/** Users by ID: from a list where that takes fewer requests; a user that it lacks is asked for. */
	async read(ids: readonly string[], reading: Reading = {}): Promise<Map<string, Attempt<User>>> {
		const left = this.client.facts.leaving();
		return this.noted(await this.readIn(this.seenFor(reading), ids, reading), left, reading);
	}

	/** The same, undefined for a user who is gone. */
	async readThere(
		ids: readonly string[],
		reading: Reading = {},
	): Promise<Map<string, Attempt<User | undefined>>> {
		const left = this.client.facts.leaving();
		const seen = this.seenFor(reading);
		const read = await this.readIn(seen, ids, reading);
		const missing = [...read.keys()].filter((id) => isNotFound(read.get(id)));
		const hidden = await this.findHidden(missing, reading.fresh ? seen : undefined);
		return this.noted(new Map([...read, ...hidden]), left, reading);
	}

	/** Notes what several requests have told together: that a user is gone, or groups that were asked for by name. */
	private noted<T extends User | undefined>(
		users: Map<string, Attempt<T>>,
		left: Leaving,
		{ fresh = false }: Reading,
	): Map<string, Attempt<T>> {
		const { facts } = this.client;
		for (const [id, user] of users) {
			const known = facts.user(id, fresh ? left.number : 0);
			const isShown = known?.ok === true && user.ok && known.value === user.value;
			// It is known by the last request that it took. A list that was read before is no new look.
			if (!isShown && !isNotFound(user) && (fresh || known === undefined))
				facts.seeUser(id, user, facts.answeredTo(left));
		}
		return users;
	}

	/**
	 * Rule of evidence, "is gone": users that a GET by ID does not show are gone only if what showed them in this run shows
	 * them no more. Services hide by ID the users a token may not touch, and servers before them refuse a slash in an ID.
	 * @param ids of users that a GET by ID does not show
	 * @returns for each the user who is there, undefined for one who is gone, or why that could not be found out
	 */
	async findHidden(
		ids: readonly string[],
		now: Questions = new Questions(),
	): Promise<Map<string, Attempt<User | undefined>>> {
		return await this.each(ids, async (id) => {
			const user = await attempt(async () => await this.shownElsewhere(now, id));
			if (user.ok && user.value === undefined) this.run.gone.add(id);
			// That there is no such list does not say that there is no such user.
			const isOfList = !user.ok && hasStatus(user.error, 404, 410);
			return isOfList
				? { ok: false, error: incompleteAccess('users', messageOf(user.error)) }
				: user;
		});
	}

	/**
	 * Users with the groups that the service shows on request alone, each asked for once; by list where that takes fewer
	 * requests. Elsewhere as they are.
	 */
	async withGroups(users: readonly User[]): Promise<User[]> {
		const { facts } = this.client;
		const open = new Map(
			users.flatMap((user) =>
				user.groupIds === undefined && !facts.onRequest.has(user) ? [[user.id, user] as const] : [],
			),
		);
		if (this.client.asksForMemberships() && open.size > FEW) await this.askByList(open);
		await mapConcurrent([...open.values()], this.client.concurrency, async (user) => {
			if (this.client.asksForMemberships()) await this.askFor(user);
		});
		return users.map((user) => {
			const asked = facts.onRequest.get(user);
			return asked === undefined ? user : this.joined(user, asked);
		});
	}

	/** The same where it may still have to be found out, by one of them, whether it is of use to ask. */
	async showGroups(users: readonly User[]): Promise<User[]> {
		const silent = users.find(({ groupIds }) => groupIds === undefined);
		if (silent !== undefined) await this.client.findOutByUser(silent.id);
		return await this.withGroups(users);
	}

	/** Whether one of these people is active; asks one after the other and stops at the first who is. */
	async anyActive(ids: readonly string[]): Promise<boolean> {
		for (const id of ids) {
			const user = await attempt(async () => await this.client.getUser(id));
			if (user.ok && user.value.active === undefined && !this.client.facts.saysActivity)
				await this.client.findActive();
			if (user.ok && this.client.facts.activity(user.value) === 'active') return true;
			if (!user.ok && !hasStatus(user.error, 404)) throw user.error;
		}
		return false;
	}

	/**
	 * Reads by ID the people of whom what has shown them does not say whether they are active: one of them first, and the others
	 * where that one says it.
	 */
	async tellActivity(ids: readonly string[]): Promise<void> {
		const { facts } = this.client;
		const isOpen = (id: string) => {
			const user = facts.lastRead(id);
			const asked = facts.lastAsked(id);
			if (user === undefined || asked === undefined || asked === 'id') return false;
			if (user.active !== undefined) return false;
			return facts.activity(user) === 'not told' || !facts.showsActivityBy(asked);
		};
		const open = ids.filter(isOpen);
		const [first, ...others] = open;
		if (first === undefined || facts.showsActivityBy('id')) await this.readAlone(open);
		else {
			await this.readAlone([first]);
			if (facts.showsActivityBy('id')) await this.readAlone(others.filter(isOpen));
		}
		if (facts.saysActivity) return;
		const isUnsaid = ids.some((id) => facts.lastRead(id)?.active === undefined);
		if (isUnsaid) await this.client.findActive();
	}

	/**
	 * The same of attributes that give access: whoever does not show them is asked where another kind of request has shown some.
	 * @param namedOf attributes of which it has to be known of a person in any way
	 * @param hasWitness whether one is asked by ID where no user was shown with any, unless a user was before
	 * @returns who was read for it, by ID
	 */
	async tellValues(
		ids: readonly string[],
		{ namedOf = () => [], hasWitness = false }: ValueQuestion = {},
	): Promise<Map<string, User | undefined>> {
		const { facts, profile } = this.client;
		const { accessAttributes } = profile;
		const openIn = (pathsOf: (id: string) => readonly string[]) =>
			ids.filter((id) => {
				const user = facts.lastRead(id);
				if (user === undefined || facts.lastAsked(id) === 'id' || facts.isGone(id)) return false;
				return pathsOf(id).some((path) => facts.everyValue(user, path).told !== 'all');
			});
		const witness = hasWitness && !facts.wasAskedBy('id') ? openIn(() => accessAttributes) : [];
		const read = new Set([...openIn(namedOf), ...witness.slice(0, 1)]);
		await this.readAlone([...read]);
		const others = openIn(() => accessAttributes.filter((path) => facts.showsValues(path)));
		await this.readAlone(others);
		return new Map([...read, ...others].map((id) => [id, facts.lastRead(id)]));
	}

	private async readAlone(ids: readonly string[]): Promise<void> {
		if (ids.length > 0) await this.readThere(ids, { fresh: true, alone: true });
	}

	/** How many requests it takes to read so many users as they are now. */
	cost(users: number): number {
		return Math.min(users, this.client.userLists.pages ?? Number.POSITIVE_INFINITY);
	}

	/** All users, as far as the service shows them. */
	async all(question: Pick<Question, 'fresh'> = {}): Promise<Listed> {
		return await this.listIn(this.seenFor(question));
	}

	/**
	 * The same, and why these may not be all. Some services list no users without a filter (test/servers/results.md, gitlab): an empty
	 * list is believed where filters find none of these people either.
	 */
	async everybody(
		wanted: readonly KeyLookup[],
		matching: Matching,
	): Promise<{ users: readonly User[]; incomplete?: string }> {
		const list = await this.all();
		const witnesses = listsNobody(list) ? wanted.slice(0, FEW_WITNESSES) : [];
		for (const { key, newName } of witnesses) {
			const byKey = await this.byFilter(this.run, key, matching);
			const found =
				byKey ?? (newName ? await this.byFilter(this.run, newName, BY_NAME) : undefined);
			if (found === undefined) return { users: [], incomplete: NOBODY_LISTED };
			if (found.kind !== 'found' && found.kind !== 'ambiguous') continue;
			return { users: [], incomplete: `the service lists nobody, but finds ${key} by filter` };
		}
		return { users: [...list.users.values()], incomplete: list.incomplete };
	}

	/** Whether the run has read a whole list of users, so that who is there is known at no cost. */
	async hasListed(): Promise<boolean> {
		const list = await this.runList();
		return list !== undefined && list.incomplete === undefined && !listsNobody(list);
	}

	/** Accounts that no key can name. @throws RequestError when users cannot all be seen */
	async unmatched(matching: Matching): Promise<Unmatched[]> {
		return checkWhole(await this.all())
			.index(matching)
			.unmatched();
	}

	/**
	 * Rule of evidence, absence by key: a filter that has found somebody in this run sees users, though the list shows none.
	 * A key with an @ that is no address and that no user shows is a slip, and no new person.
	 */
	private concluded(
		found: Map<string, Found>,
		{ matching = BY_NAME, absence }: Question,
	): Map<string, Found> {
		const isChecked = matching.by !== 'externalId' && absence !== 'expected';
		for (const [key, one] of found) {
			if (one.kind !== 'absent') continue;
			if (isChecked && isMistypedAddress(key)) found.set(key, unknown(mistypedKey(key, matching)));
			else {
				const { names = matching.by === 'externalId' ? [] : [key], isUnsure } = one;
				found.set(key, {
					...{ kind: 'absent', names: this.goesByLogin(matching) ? [] : names },
					...(isUnsure && !this.isSeenBy(matching) && { isUnsure }),
				});
			}
		}
		return found;
	}

	/** Whether a filter by a key that the service keeps unique has found somebody, so that it sees users. */
	private isSeenBy({ by }: Matching): boolean {
		const hits = [...this.client.facts.hits.values()];
		return by === 'userName' && hits.some((hit) => hit.matching.by === by);
	}

	private seenFor({ fresh = false }: Pick<Question, 'fresh'>): Questions {
		return fresh ? new Questions() : this.run;
	}

	/** Each once, side by side. */
	private async each<T>(
		keys: readonly string[],
		work: (key: string) => Promise<T>,
	): Promise<Map<string, T>> {
		const distinct = [...new Set(keys)];
		const made = await mapConcurrent(distinct, this.client.concurrency, work);
		return new Map(distinct.map((key, index) => [key, made[index]]));
	}

	private async findEach(
		keys: readonly string[],
		find: (key: string) => Promise<Found>,
	): Promise<Map<string, Found>> {
		return await this.each(keys, async (key) => {
			const tried = await attempt(async () => await find(key));
			return tried.ok ? tried.value : unknown(tried.error);
		});
	}

	private async findIn(
		seen: Questions,
		keys: readonly string[],
		{ matching = BY_NAME, absence = 'proven' }: Question,
	): Promise<Map<string, Found>> {
		const people = new Set(keys.map(matching.fold)).size;
		// Only a name in the very spelling needs no look at the rest of a list.
		const areShown = ({ users }: Pick<Listed, 'users'>) => {
			const names = new Set([...users.values()].map(matching.keyOf));
			return matching.by === 'userName' && keys.every((key) => names.has(key));
		};
		const listed = await attempt(
			async () => await this.cheaperList(seen, people, matching.by, areShown),
		);
		// Where a user has to be there, a filter may tell what a broken list does not.
		const isBroken = !listed.ok && absence !== 'expected';
		const page = listed.ok ? listed.value?.index(matching) : undefined;
		const find = async (key: string) => {
			if (isBroken) return unknown(listed.error);
			if (page !== undefined) return pickUser(page.withKey(key), key, matching);
			return await this.findOne(seen, key, matching, absence);
		};
		if (absence === 'creatable' && (await this.isNobodyThere(seen, keys, find)))
			return new Map(keys.map((key) => [key, { kind: 'absent' }]));
		return await this.findEach(keys, find);
	}

	/**
	 * Whether nobody of many is there, since neither a whole list nor the filters for a few of them show anybody: RFC 7643 section
	 * 4.1.1 has user names unique, and the service refuses a create that meets a user (`listFault`). Some list no users without a
	 * filter, and new people often stand together, so those who are asked for are spread over all.
	 */
	private async isNobodyThere(
		seen: Questions,
		keys: readonly string[],
		find: (key: string) => Promise<Found>,
	): Promise<boolean> {
		const { client } = this;
		const list = await attempt(async () => await seen.list);
		const isEmpty = list.ok && (list.value ? listsNobody(list.value) : seen.listsNobody);
		if (!isEmpty || client.profile.knowsPeopleByLogin) return false;
		const names = [...new Set(keys)].filter((key) => !isMistypedAddress(key));
		const step = Math.ceil(names.length / FEW_WITNESSES);
		if (step <= 1) return false;
		if (((await this.members())?.size ?? 0) > 0) return false;
		const witnesses = names.filter((_, index) => index % step === 0);
		const found = [...(await this.findEach(witnesses, find)).values()];
		return found.every(({ kind }) => kind === 'absent') && (await client.refusesSameNames());
	}

	private async findOne(
		seen: Questions,
		key: string,
		matching: Matching,
		absence: Question['absence'],
	): Promise<Found> {
		const isRefusable = absence === 'refusable' || absence === 'creatable';
		// A list that could not be read says nothing, and the filter may still answer.
		const known = await attempt(async () => await seen.list);
		if (!known.ok || known.value === undefined || listsNobody(known.value)) {
			const hit = await this.byFilter(seen, key, matching);
			const isEnough =
				hit?.kind === 'absent'
					? isRefusable
					: hit && !(await this.mayHideOther(hit, key, matching, absence));
			if (hit && isEnough) return hit;
			if (listsNobody(await this.listIn(seen))) {
				if (hit === undefined) return unknown(incompleteList(key, matching, NOBODY_LISTED));
				if (hit.kind === 'absent') return { ...hit, isUnsure: true };
				if (hit.kind === 'found') return hit;
			}
		}
		const listed = await this.byList(seen, key, matching);
		if (listed.kind !== 'absent' || isRefusable) return listed;
		// Of users of other accounts, and of those who were renamed, only a filter tells.
		if (matching.by !== 'userName' && absence === 'proven') return listed;
		const hit = await this.byFilter(seen, key, matching);
		if (hit !== undefined) return hit.kind === 'absent' ? listed : hit;
		return absence === 'proven' && this.goesByLogin(matching)
			? unknown(incompleteList(key, matching, NO_LOGINS))
			: listed;
	}

	/** Two may have one key where a filter minds its case or composition, and any two one email: it may show one of them. */
	private async mayHideOther(
		found: Found,
		key: string,
		{ by, keyOf }: Matching,
		absence: Question['absence'],
	): Promise<boolean> {
		if (found.kind !== 'found' || absence === 'expected') return false;
		const filter = this.client.filtersBy(by);
		const minds = filter.mindsCase || (by === 'userName' && !isSpelledOneWay(key));
		if (minds && keyOf(found.user) !== key) return true;
		const { knowsPeopleByLogin } = this.client.profile;
		if (by !== 'email' || absence !== 'proven' || knowsPeopleByLogin) return false;
		if (filter.findsAnyCase !== true) {
			const [lower, upper] = [key.toLowerCase(), key.toUpperCase()];
			const other = key === upper ? lower : upper;
			const answer = await this.client.findUsersByFilter(other, matchingBy(by));
			filter.findsAnyCase = answer.usable && answer.users.some(({ id }) => id === found.user.id);
		}
		return !filter.findsAnyCase;
	}

	/** Whether people are known by a login, which is not the user name that is shown. */
	private goesByLogin({ by }: Matching): boolean {
		return by === 'userName' && this.client.profile.knowsPeopleByLogin;
	}

	// --- lists ---

	/**
	 * The one rule of cost: a list is read where it has fewer pages than there are people to ask for.
	 * @returns its first page, where that shows all of them and the list may go on
	 */
	private async cheaperList(
		seen: Questions,
		people: number,
		by: MatchAttribute | 'id',
		areShown: (page: Pick<Listed, 'users'>) => boolean = () => false,
	): Promise<Listed | undefined> {
		const asksEach = by === 'id' || this.client.filtersBy(by).isUnusable !== true;
		if (people <= FEW || seen.list !== undefined) return undefined;
		if (asksEach && people <= (await this.leastPages())) return undefined;
		const listing = await this.client.listUsers({
			...(asksEach && { mostPages: people }),
			isEnough: (users) => areShown(new Listed(users as User[])),
		});
		if (listing.isOpen === true) {
			for (const user of listing.resources) seen.users.set(user.id, Promise.resolve(user));
			return new Listed(listing.resources);
		}
		// Where no user is listed, a filter may still find one.
		seen.listsNobody = listing.incomplete === undefined && listing.resources.length === 0;
		if (listing.incomplete !== undefined || (asksEach && seen.listsNobody))
			this.client.userLists.morePagesThan = Math.max(people, this.client.userLists.morePagesThan);
		else this.keep(seen, Promise.resolve(listing));
		return undefined;
	}

	/** How many pages a list has at the least: people in groups are users. */
	private async leastPages(): Promise<number> {
		const { profile, userLists } = this.client;
		const few = profile.paging === 'cursor' ? FEW_BY_CURSOR : 0;
		const members = (await this.members())?.size ?? 0;
		return userLists.pages ?? Math.max(few, userLists.leastPages(members));
	}

	private async listIn(seen: Questions): Promise<Listed> {
		return await (seen.list ?? this.keep(seen, this.client.listUsers()));
	}

	private keep(seen: Questions, listing: Promise<Listing<User>>): Promise<Listed> {
		seen.list = listing.then((read) => {
			this.client.userLists.pages = read.pages;
			return new Listed(read.resources, read.incomplete);
		});
		this.run.list ??= seen.list;
		return seen.list;
	}

	private async byList(seen: Questions, key: string, matching: Matching): Promise<Found> {
		const list = await this.listIn(seen);
		const found = pickUser(list.index(matching).withKey(key), key, matching);
		const isSure = found.kind === 'found' && matching.by === 'userName';
		// Others may have the same email, unless the list is whole.
		if (list.incomplete !== undefined && !isSure && found.kind !== 'ambiguous')
			return unknown(incompleteList(key, matching, list.incomplete));
		if (found.kind !== 'found' || !this.goesByLogin(matching)) return found;
		// Another person can have taken over the user name that is shown: where the emails lack the login, a filter tells.
		const emails = matchingBy('email').keysOf(found.user);
		const isOther = emails.length > 0 && !emails.map(nameKey).includes(nameKey(key));
		return isOther ? ((await this.byFilter(seen, key, matching)) ?? found) : found;
	}

	/** The list of the run, as far as it could be read. */
	private async runList(): Promise<Listed | undefined> {
		const list = await attempt(async () => await this.run.list);
		return list.ok ? list.value : undefined;
	}

	// --- filters ---

	/** Undefined where the service has no such filter. */
	private async byFilter(
		seen: Questions,
		key: string,
		matching: Matching,
	): Promise<Found | undefined> {
		const filter = this.client.filtersBy(matching.by);
		if (filter.isUnusable) return undefined;
		const request = filterOf(key, matching);
		const asked = seen.answers.get(request) ?? this.askFilter(key, matching);
		seen.answers.set(request, asked);
		const answer = await asked;
		filter.isUnusable = !answer.usable;
		if (!answer.usable) return undefined;
		const { users, other } = answer;
		if (other !== undefined && !this.goesByLogin(matching))
			return unknown(otherUser(other, key, matching));
		const found: Found =
			other === undefined
				? pickUser(users, key, matching)
				: { kind: 'found', user: { ...other, userName: key } };
		if (found.kind !== 'found') return found;
		const { user } = found;
		this.client.facts.hits.set(user.id, { key, matching });
		return this.client.profile.knowsPeopleByLogin ? await this.ours(seen, user) : found;
	}

	/** Where a filter takes the case of names seriously, HR's capitals would hide the person. */
	private async askFilter(key: string, matching: Matching): Promise<FilterAnswer> {
		const filter = this.client.filtersBy(matching.by);
		let answer = await this.client.findUsersByFilter(key, matching);
		for (const spelling of this.otherSpellings(key, matching)) {
			if (!answer.usable || answer.users.length > 0 || answer.other !== undefined) break;
			answer = await this.client.findUsersByFilter(spelling, matching);
			filter.mindsCase ||= answer.usable && answer.users.length > 0;
		}
		return answer;
	}

	/** How the service may have stored the same: in lower case, with accents composed or apart from their letters. */
	private otherSpellings(key: string, { fold }: Matching): string[] {
		const { knowsPeopleByLogin } = this.client.profile;
		const cases = knowsPeopleByLogin ? [key] : [key, key.toLowerCase()];
		const all = cases.flatMap((one) => [one, one.normalize('NFC'), one.normalize('NFD')]);
		return [...new Set(all)].filter((one) => one !== key && fold(one) === fold(key));
	}

	/**
	 * A filter also finds users of other accounts; ours are those that a group of ours, a GET by ID or a list shows
	 * (test/contract/interface.md 2.2).
	 */
	private async ours(seen: Questions, user: User): Promise<Found> {
		const { id, userName } = user;
		if ((await this.members())?.has(id)) return { kind: 'found', user };
		const asked = seen.users.get(id) ?? this.readOurs(seen, id);
		seen.users.set(id, asked);
		const own = await asked;
		return own === undefined ? { kind: 'foreign' } : { kind: 'found', user: { ...own, userName } };
	}

	/** @returns undefined for a user of another account. @throws RequestError when that cannot be found out */
	private async readOurs(seen: Questions, id: string): Promise<User | undefined> {
		let error: unknown;
		const read = await poll({ ...this.client.timing, limitMs: READ_AGAIN_MS }, async () => {
			const tried = await attempt(async () => await this.client.getUser(id));
			if (!tried.ok) ({ error } = tried);
			return tried.ok || !isWorthAnotherTry(tried.error) ? tried : undefined;
		});
		if (read?.ok === true) return read.value;
		if (!hasStatus(error, 404, 410)) throw error;
		const list = await this.listIn(seen);
		const user = list.users.get(id);
		if (user === undefined) checkWhole(list);
		return user;
	}

	// --- by ID ---

	private async readIn(
		seen: Questions,
		ids: readonly string[],
		{ alone = false }: Reading,
	): Promise<Map<string, Attempt<User>>> {
		const people = new Set(ids.filter((id) => !seen.users.has(id))).size;
		// Whatever keeps the list from being read, the users themselves may still be.
		if (!alone) await attempt(async () => await this.cheaperList(seen, people, 'id'));
		const listed = await attempt(async () => (alone ? undefined : await seen.list));
		const list = listed.ok ? listed.value : undefined;
		const read = await this.each(
			ids.filter((id) => list?.users.has(id) !== true),
			async (id) =>
				await attempt(async () => {
					const known = await seen.users.get(id);
					if (known !== undefined) return known;
					if (list !== undefined && this.run.gone.has(id)) throw goneUser(id);
					const user = await this.withGroupsAsShown(seen, await this.client.getUser(id));
					seen.users.set(id, Promise.resolve(user));
					return user;
				}),
		);
		const all = new Map<string, Attempt<User>>();
		for (const id of ids) {
			const value = list?.users.get(id);
			const user = value ? ({ ok: true, value } as const) : read.get(id);
			if (user !== undefined) all.set(id, user);
		}
		return all;
	}

	private async askByList(open: Map<string, User>): Promise<void> {
		if (open.size <= (await this.leastPages())) return;
		const listing = await this.client.askUsers({ mostPages: open.size });
		if (listing?.incomplete !== undefined) return;
		const { users } = (await this.runList()) ?? {};
		const shown = listing?.resources ?? [];
		if (users !== undefined && shown.length < users.size) this.client.stopAsking();
		if (!this.client.asksForMemberships()) return;
		for (const asked of shown) {
			const user = open.get(asked.id);
			if (user !== undefined) this.client.facts.onRequest.set(user, asked);
			open.delete(asked.id);
		}
	}

	private async askFor(user: User): Promise<void> {
		const asked = await attempt(async () => await this.client.askUser(user.id));
		if (!asked.ok && !hasStatus(asked.error, 404, 410)) throw asked.error;
		if (asked.ok && asked.value !== undefined) this.client.facts.onRequest.set(user, asked.value);
	}

	/**
	 * Rule of evidence, "is not member": no groups are none once a user has shown some when asked. Keycloak shows of admins
	 * the name alone, so an answer without `active`, which was asked for as well, says nothing.
	 */
	private joined(user: User, { active, groupIds, indirectIds, attributes }: User): User {
		const isNone = active !== undefined && this.client.facts.usersShowGroups;
		const own = groupIds ?? (isNone ? [] : undefined);
		if (own === undefined) return user;
		const groups = attribute(attributes, 'groups') ?? [];
		return {
			...{ ...user, groupIds: own, attributes: { ...user.attributes, groups } },
			...(indirectIds && { indirectIds }),
		};
	}

	/**
	 * Rule of evidence, "is not member": of groups that a list or a filter has shown, a GET that never shows groups says
	 * nothing. They are asked for alike.
	 */
	private async withGroupsAsShown(seen: Questions, user: User): Promise<User> {
		if (user.groupIds !== undefined) return user;
		if (this.client.asksForMemberships()) return (await this.withGroups([user]))[0];
		const { facts } = this.client;
		if (facts.showsGroupsBy('id')) return { ...user, groupIds: [] };
		const { id } = user;
		const listed = (await this.runList())?.users.get(id);
		const hit = facts.hits.get(id);
		let now: User | undefined;
		if (listed !== undefined && showsGroups(listed)) now = (await this.listIn(seen)).users.get(id);
		else if (hit !== undefined && facts.showsGroupsBy('filter')) {
			const found = await this.byFilter(seen, hit.key, hit.matching);
			now = found?.kind === 'found' && found.user.id === id ? found.user : undefined;
		}
		return now === undefined ? user : { ...user, groupIds: now.groupIds ?? [] };
	}

	private async shownElsewhere(now: Questions, id: string): Promise<User | undefined> {
		if (this.run.gone.has(id)) return undefined;
		const { facts, profile } = this.client;
		// Where filters find users of other accounts, only the list tells.
		const onlyLists = profile.knowsPeopleByLogin;
		const list = await this.runList();
		// A page of a list may have shown all who were asked for.
		const wasListed = list?.users.has(id) === true || facts.lastAsked(id) === 'list';
		if (now.list === undefined && !wasListed) {
			const hit = facts.hits.get(id);
			const wasUnlisted = list?.incomplete === undefined && (list?.users.size ?? 0) > 0;
			if (hit !== undefined && !onlyLists) {
				const found = await attempt(async () => await this.byFilter(now, hit.key, hit.matching));
				if (found.ok && found.value?.kind === 'absent') return undefined;
			} else if (facts.wasRead('Users', id) || wasUnlisted) return undefined;
		}
		const { users } = checkWhole(await this.listIn(now));
		if (users.size > 0 || onlyLists || wasListed) return users.get(id);
		throw incompleteAccess('users', 'the service lists nobody');
	}
}

/** Equal for two questions that are one request: one person in two cases; in two compositions it may be two people. */
function filterOf(key: string, { by }: Matching): string {
	return `${by}\n${by === 'externalId' ? key : key.toLowerCase()}`;
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

/** Whether a list claims to be whole, and is empty. */
function listsNobody({ incomplete, users }: Listed): boolean {
	return incomplete === undefined && users.size === 0;
}

/** @throws RequestError when some users may be missing */
function checkWhole(list: Listed): Listed {
	if (list.incomplete === undefined) return list;
	throw incompleteAccess('users', list.incomplete);
}

function goneUser(id: string): RequestError {
	const facts = { kind: 'http', method: 'GET', status: 404, mayHaveWorked: false } as const;
	return new RequestError(
		`No user has the ID ${shown(id)}`,
		'Check the ID, or choose By Email in User for an email. If the user was just created, run again in a moment.',
		facts,
	);
}
