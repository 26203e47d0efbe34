import { indexUsers, type Matching, type UserIndex } from '../protocol/matching';
import type { Group, User } from '../protocol/resource';

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
