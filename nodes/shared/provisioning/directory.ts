import { attempt, type Attempt } from '../attempt';
import { InputError } from '../inputError';
import { mapInOrder } from '../request/pool';
import { hasStatus } from '../request/requestError';
import type { Listing } from '../scim/client/listing';
import type { ScimClient } from '../scim/client/scimClient';
import type { ServiceProfile } from '../scim/protocol/profile';
import type { Group, User } from '../scim/protocol/resource';

/**
 * What is known of a person by userName. `unknown`: the service could not be asked, or showed only a part of its
 * users; that is never taken for absence.
 */
export type Found =
	| { kind: 'found'; user: User }
	| { kind: 'absent' }
	| { kind: 'ambiguous'; ids: string[] }
	| { kind: 'unknown'; error: unknown };

/** So few names are looked up one by one; for more, a listing may be cheaper. */
const FEW_NAMES = 2;

/**
 * Who is who at the service, read in as few requests as possible and once per execution: a listing takes one request
 * per page however many people are asked for, a filter takes one request per person.
 */
export class Directory {
	private listing?: Promise<IndexedListing>;

	private listingAfterConflict?: Promise<IndexedListing>;

	private filterUsable = true;

	/**
	 * @param pageSize resources per page of a listing
	 * @param concurrency look-ups side by side
	 */
	constructor(
		private readonly client: ScimClient,
		private readonly pageSize: number,
		private readonly concurrency: number,
	) {}

	/**
	 * Looks people up by userName in any case; an exact match wins. Filters were seen to miss people with unusual
	 * characters or in other case, so absence is believed only when a whole listing shows it.
	 * @returns one entry per distinct name, by the name as given
	 */
	async findUsers(userNames: readonly string[]): Promise<Map<string, Found>> {
		return await this.findEach(userNames, async (name) => await this.findUser(name));
	}

	/**
	 * The same before a create: there a filter that finds nobody is enough, because the service answers 409 when there
	 * is somebody after all.
	 */
	async findUsersToCreate(userNames: readonly string[]): Promise<Map<string, Found>> {
		return await this.findEach(userNames, async (name) => {
			const byFilter = this.listing === undefined ? await this.findByFilter(name) : undefined;
			return byFilter ?? (await this.findInListing(name));
		});
	}

	async findUser(userName: string): Promise<Found> {
		const byFilter = this.listing === undefined ? await this.findByFilter(userName) : undefined;
		return byFilter === undefined || byFilter.kind === 'absent'
			? await this.findInListing(userName)
			: byFilter;
	}

	/** Whether a user is there by now, asked anew: for looking after a write of ours. */
	async lookAgain(userName: string): Promise<User | undefined> {
		const byFilter = await this.findByFilter(userName);
		const found = byFilter ?? (await this.list()).find(userName);
		return found.kind === 'found' ? found.user : undefined;
	}

	/** A user whom the service says exists although we did not see one: asked anew, and listed anew once. */
	async findAfterConflict(userName: string): Promise<Found> {
		const byFilter = await this.findByFilter(userName);
		if (byFilter !== undefined && byFilter.kind !== 'absent') return byFilter;
		this.listingAfterConflict ??= this.list();
		return (await this.listingAfterConflict).find(userName);
	}

	/** Users by id, one request each. @returns one entry per distinct id */
	async readById(ids: readonly string[]): Promise<Map<string, Attempt<User>>> {
		const distinct = [...new Set(ids)];
		const users = await mapInOrder(
			distinct,
			this.concurrency,
			async (id) => await attempt(async () => await this.client.getUser(id)),
		);
		return new Map(distinct.map((id, index) => [id, users[index]]));
	}

	/**
	 * Users as they are now: one by one, or from a listing when that is known to take fewer requests.
	 * @returns undefined for a user who is not there
	 */
	async readUsers(ids: readonly string[]): Promise<Map<string, User | undefined>> {
		const pages = (await this.listing)?.pages ?? Number.POSITIVE_INFINITY;
		if (pages < ids.length) {
			const { users, incomplete } = await this.list();
			if (incomplete === undefined) return new Map(ids.map((id) => [id, users.get(id)]));
		}
		const read = await this.readById(ids);
		return new Map(
			[...read].map(([id, user]) => {
				if (user.ok) return [id, user.value];
				if (hasStatus(user.error, 404)) return [id, undefined];
				throw user.error;
			}),
		);
	}

	private async findEach(
		userNames: readonly string[],
		find: (name: string) => Promise<Found>,
	): Promise<Map<string, Found>> {
		const names = [...new Set(userNames)];
		if (names.length > FEW_NAMES && this.listing === undefined) {
			const listed = await attempt(async () => await this.listIfCheaperThan(names.length));
			if (!listed.ok) return new Map(names.map((name) => [name, unknown(listed.error)]));
		}
		const found = await mapInOrder(names, this.concurrency, async (name) => {
			const tried = await attempt(async () => await find(name));
			return tried.ok ? tried.value : unknown(tried.error);
		});
		return new Map(names.map((name, index) => [name, found[index]]));
	}

	private async listIfCheaperThan(requests: number): Promise<void> {
		const listing = await this.client.listUsers({
			count: this.pageSize,
			...(this.filterUsable && { mostPages: requests }),
		});
		if (listing.incomplete === undefined) this.listing = Promise.resolve(indexed(listing));
	}

	/** Undefined when the service has no filter. */
	private async findByFilter(userName: string): Promise<Found | undefined> {
		if (!this.filterUsable) return undefined;
		const answer = await this.client.findUsersByFilter(userName);
		this.filterUsable &&= answer.usable;
		return answer.usable ? pickUser(answer.users, userName) : undefined;
	}

	private async findInListing(userName: string): Promise<Found> {
		this.listing ??= this.list();
		const listing = await this.listing;
		const found = listing.find(userName);
		return found.kind === 'absent' && listing.incomplete !== undefined
			? unknown(incompleteList(userName, listing.incomplete))
			: found;
	}

	private async list(): Promise<IndexedListing> {
		return indexed(await this.client.listUsers({ count: this.pageSize }));
	}

	/**
	 * Reads groups by id: one by itself, more from the list of all groups, which account organizations give in one
	 * request.
	 * @param idKey equal for two ids of the same group
	 * @returns one entry per key
	 */
	async readGroups(
		ids: readonly string[],
		idKey: (id: string) => string,
	): Promise<Map<string, Attempt<Group>>> {
		const wanted = new Map(ids.map((id) => [idKey(id), id]));
		const groups = new Map<string, Attempt<Group>>();
		if (wanted.size > 1) {
			const listed = await attempt(
				async () => await this.client.listGroups({ mostPages: wanted.size - 1 }),
			);
			for (const group of listed.ok ? listed.value.resources : []) {
				const key = idKey(group.id);
				const whole = group.members !== undefined || this.client.profile.emptyGroupsOmitMembers;
				if (wanted.has(key) && whole) groups.set(key, { ok: true, value: group });
			}
		}
		const missing = [...wanted].filter(([key]) => !groups.has(key));
		await mapInOrder(missing, this.concurrency, async ([key, id]) => {
			groups.set(key, await attempt(async () => await this.client.getGroup(id)));
		});
		return groups;
	}
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
		const name = user.userName.toLowerCase();
		const sameName = byName.get(name);
		if (sameName === undefined) byName.set(name, [user]);
		else sameName.push(user);
	}
	return {
		incomplete: listing.incomplete,
		pages: listing.pages,
		users: new Map(listing.resources.map((user) => [user.id, user])),
		find: (userName) => pickUser(byName.get(userName.toLowerCase()) ?? [], userName),
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

/**
 * The ids of members by userName, as far as groups tell: only where `display` is the userName, and exactly as written,
 * since two people may differ in case alone.
 */
export function memberIds(groups: Iterable<Group>, profile: ServiceProfile): Map<string, string> {
	const ids = new Map<string, string>();
	if (!profile.memberDisplayIsUserName) return ids;
	for (const group of groups) {
		for (const { id, display } of group.members ?? []) {
			if (display !== undefined) ids.set(display, id);
		}
	}
	return ids;
}

function unknown(error: unknown): Found {
	return { kind: 'unknown', error };
}

/**
 * The user, or the reason why there is none to work on.
 * @throws InputError when nobody or more than one has the name; what went wrong when it could not be found out
 */
export function foundUser(found: Found | undefined, userName: string): User {
	switch (found?.kind) {
		case 'found':
			return found.user;
		case 'ambiguous':
			throw new InputError(
				`More than one user has the user name ${userName} (IDs ${found.ids.join(', ')})`,
				'Give the ID of the one that is meant.',
			);
		case 'unknown':
			throw found.error;
		default:
			throw new InputError(
				`No user has the user name ${userName}`,
				'Check the spelling. If the user was just created, run again in a moment.',
			);
	}
}

function incompleteList(userName: string, why: string): InputError {
	return new InputError(
		`Could not find out whether there is a user ${userName}: the list of users is incomplete`,
		`The service does not show all users (${why}). Give the ID of the user instead.`,
	);
}
