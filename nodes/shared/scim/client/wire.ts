import type { Attempt, Timing } from '../../util';
import type { Memory, Send } from '../../http';
import type { Facts } from '../facts/facts';
import type { GroupMeaning } from '../protocol/groupMeaning';
import type { MatchAttribute } from '../protocol/matching';
import type { ResourceType } from '../protocol/resource';
import type { ServiceProfile } from '../protocol/service';
import type { Forms } from './forms';
import type { FilterHabits, ListHabits, ListLimits } from './listing';
import type { MemberFilters } from './memberFilters';
import type { OnRequest } from './onRequest';

/** The resources in which a service describes itself (RFC 7644 section 4). */
export type DiscoveryType = 'Schemas' | 'ResourceTypes';

/** What a run keeps of what it reads. */
export interface Keeping {
	/** Most bytes; missing: any number. */
	mostHeld?: number;
	/**
	 * The attributes of users and groups: all, where they are shown as they came; missing: all but the lists of memberships, which
	 * are read out. Where nothing is sent: what tells who it is, what gives access, and these.
	 */
	keeps?: 'all' | readonly string[];
}

/** All that the requests of one run share, and all that they remember. */
export interface Wire {
	readonly send: Send;
	readonly profile: ServiceProfile;
	readonly timing: Timing;
	readonly limits: ListLimits;
	/** What the run holds of all that it reads. */
	readonly memory: Memory;
	/** Whether the run needs an attribute of users and groups. */
	readonly keeps: (name: string) => boolean;
	/** Equal for two IDs of one group. */
	readonly key: GroupMeaning['key'];
	/** All that the service has shown in this run. */
	readonly facts: Facts;
	/** How the service takes what is written of each type. */
	readonly forms: Readonly<Record<ResourceType, Forms>>;
	/** What the run has learned of lists of each type. */
	readonly habits: Readonly<Record<ResourceType, ListHabits>>;
	/** What the run has learned of filters for users by each attribute. */
	readonly filtersBy: (by: MatchAttribute) => FilterHabits;
	readonly memberFilters: MemberFilters;
	/** Whether memberships are asked for by name. */
	readonly onRequest: OnRequest;
	/** What was read of each type, once. */
	readonly discovery: Map<DiscoveryType, Promise<Attempt<readonly unknown[]>>>;
	/** The search for an active user, made once. */
	activeSearch?: Promise<void>;
	/** By the clock of the service, as its latest answer had it. */
	serverTime?: number;
	/** Whether lists can leave out members: until that is refused. */
	excludesMembers: boolean;
	/** Whether a group that shows no members is read with those that filters find. */
	readsMembersByFilter: boolean;
}
