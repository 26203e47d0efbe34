import type { User, Group } from '../protocol/resource';
import { indexUsers, type Matching, type UserIndex } from '../protocol/matching';

/**
 * What is known of something: that it is so, that it is not, or why nothing tells. Never a boolean: whoever asks has to say
 * what the third one comes to.
 */
export type Told = { told: 'so' } | { told: 'not so' } | NotTold;

/** Whether all is known that there is of something, such as the members of a group. */
export type Whole = { told: 'all' } | NotTold;

export interface NotTold {
	told: 'nothing';
	/** In words that follow "is unknown:". */
	why: string;
	/** What to do about it, in a sentence of its own, where something can be done. */
	advice?: string;
	/** Why a look has shown nothing. */
	error?: unknown;
}

export const SO: Told = { told: 'so' };
export const NOT_SO: Told = { told: 'not so' };
export const ALL: Whole = { told: 'all' };

export function notTold(why: string, more: Pick<NotTold, 'advice' | 'error'> = {}): NotTold {
	return { told: 'nothing', why, ...more };
}

/** Whether a user is active. */
export type Activity = 'active' | 'inactive' | 'not told';

/** Says what one answer shows of a user; what the run knows of it is for `Facts.activity` to say. */
export function shownActivity(user: Pick<User, 'active'> | undefined): Activity {
	if (user?.active === undefined) return 'not told';
	return user.active ? 'active' : 'inactive';
}

/** Gives `active` as an item or a body repeats it. */
export function shownActive(user: Pick<User, 'active'> | undefined): boolean | undefined {
	return user?.active;
}

/**
 * What a filter look-up says. `unusable`: the service refused or ignored the filter, so nothing is known. `other`: the
 * only hit, who does not show the key.
 */
export type FilterAnswer = { usable: true; users: User[]; other?: User } | { usable: false };

/** A list of users that answers for a key without going through all of them. */
export class Listed {
	readonly users: ReadonlyMap<string, User>;

	private readonly indexes = new Map<string, UserIndex>();

	/** @param incomplete why there may be more; undefined where these are all */
	constructor(
		users: readonly User[],
		readonly incomplete?: string,
	) {
		this.users = new Map(users.map((user) => [user.id, user]));
	}

	index(matching: Matching): UserIndex {
		const known = this.indexes.get(matching.by) ?? indexUsers([...this.users.values()], matching);
		this.indexes.set(matching.by, known);
		return known;
	}
}

/** What was asked, each once: in a run, or of one question that only what leaves from now on answers. */
export class Questions {
	list?: Promise<Listed>;

	/** Whether a list of users was whole, and empty; it is not kept, as a filter may still find one. */
	listsNobody = false;

	/** Names and IDs of all groups. */
	groupNames?: Promise<readonly Group[]>;

	/** Names and IDs of all groups, where the list has few pages. */
	fewGroupNames?: Promise<readonly Group[] | undefined>;

	/** Whether the list of groups shows members that a group itself does not. */
	contradiction?: Promise<boolean>;

	/** By key, groups that no list shows, as read last. */
	readonly unlisted = new Map<string, Group>();

	/** Of filters, by what they ask. */
	readonly answers = new Map<string, Promise<FilterAnswer>>();

	/** By ID; undefined for a user of another account. */
	readonly users = new Map<string, Promise<User | undefined>>();

	/** IDs of those whom nothing shows any more. */
	readonly gone = new Set<string>();
}
