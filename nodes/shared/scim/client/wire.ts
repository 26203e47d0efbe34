import { type Attempt, type Timing, attempt, memoized } from '../../util';
import { type Memory, type Send, hasStatus, RequestError } from '../../http';
import type { Facts } from '../facts/facts';
import type { GroupMeaning } from '../protocol/groupMeaning';
import type { MatchAttribute } from '../protocol/matching';
import { type ResourceType, SCHEMA, attribute } from '../protocol/resource';
import type { ServiceProfile } from '../protocol/service';
import type { Traits } from '../protocol/traits';
import { nameIn } from '../protocol/schema';
import type { Forms } from './forms';
import type { FilterHabits, ListHabits, ListLimits } from './listing';
import type { MemberFilters } from './memberFilters';

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

/** Of users and of groups; they are read out, and no request sends them back. */
const MEMBERSHIP_LISTS: ReadonlySet<string> = new Set(['groups', 'members']);

/** What tells who it is, and whether the account is open. */
const IDENTITY = [
	'active',
	'displayname',
	'emails',
	'externalid',
	'id',
	'meta',
	'name',
	'username',
];

const CORE = `${SCHEMA.user.toLowerCase()}:`;

/** Tells which attributes of users and groups a run needs of all that is shown. */
export function keptNames(
	{ keeps }: Keeping,
	{ accessAttributes }: Pick<Traits, 'accessAttributes'>,
): (name: string) => boolean {
	if (keeps === 'all') return () => true;
	if (keeps === undefined) return (name) => !MEMBERSHIP_LISTS.has(name.toLowerCase());
	const names = new Set([...IDENTITY, ...[...accessAttributes, ...keeps].map(outermost)]);
	// Thousands of users have attributes of the same names.
	return memoized((name) => names.has(outermost(name)) || /^urn:/i.test(name));
}

/** The attribute that a path begins with. */
function outermost(path: string): string {
	const lower = path.toLowerCase();
	const own = lower.startsWith(CORE) ? lower.slice(CORE.length) : lower;
	return own.split(/[.[]/, 1)[0];
}

/** The attributes to ask for: an answer to `attributes` has no others. */
export const ASKED: Readonly<Record<ResourceType, string>> = {
	Users: 'id,userName,displayName,active,groups',
	Groups: 'id,displayName,externalId,members',
};

/** The attribute that tells memberships, and the schema that has it. */
const MEMBERSHIPS = [
	[SCHEMA.user, 'groups'],
	[SCHEMA.group, 'members'],
] as const;

/** Answers that refuse to be asked for attributes. */
const REFUSALS = [400, 403, 405, 501];

/**
 * Whether memberships are asked for by name (RFC 7643 section 7, `returned: request`). Services that show them anyway are
 * never asked: the first reads tell, then one question by name, then `/Schemas`. Remembered for the run.
 */
export class OnRequest {
	private state: 'open' | 'asks' | 'plain';

	private decision?: Promise<void>;

	/**
	 * @param isKnown whether the service is known to show memberships on request alone
	 * @param schemas entries of `/Schemas`
	 */
	constructor(
		isKnown: boolean,
		private readonly schemas: () => Promise<readonly unknown[]>,
	) {
		this.state = isKnown ? 'asks' : 'open';
	}

	get asks(): boolean {
		return this.state === 'asks';
	}

	/** Notes that memberships were shown without being asked for. */
	noteShown(): void {
		if (this.state === 'open') this.state = 'plain';
	}

	/**
	 * Decides once whether to ask, where nothing was shown.
	 * @param probe asks by name; whether that has shown memberships, undefined where the answer cannot be used
	 */
	async decide(probe: () => Promise<boolean | undefined>): Promise<boolean> {
		if (this.state === 'open') this.decision ??= this.find(probe);
		await this.decision;
		return this.asks;
	}

	private async find(probe: () => Promise<boolean | undefined>): Promise<void> {
		// What goes wrong here says nothing of what was read already.
		const tried = await attempt(probe);
		const shows = tried.ok ? tried.value : undefined;
		// What has no members shows none, however it is asked for.
		const isSaid = shows === false && (await this.schemas()).some(saysOnRequest);
		if (this.state === 'open') this.state = shows === true || isSaid ? 'asks' : 'plain';
	}

	/** Asks a question by name; undefined where it is refused or unusable, which ends the asking. */
	async ask<T>(question: () => Promise<T>): Promise<T | undefined> {
		const tried = await attempt(question);
		if (tried.ok) return tried.value;
		const { error } = tried;
		const isUnusable = error instanceof RequestError && error.facts.kind === 'unreadable';
		if (!isUnusable && !hasStatus(error, ...REFUSALS)) throw error;
		this.end();
		return undefined;
	}

	end(): void {
		this.state = 'plain';
	}
}

function saysOnRequest(schema: unknown): boolean {
	const id = nameIn(schema, 'id');
	const entries = attribute(schema, 'attributes');
	return (Array.isArray(entries) ? entries : []).some(
		(entry) =>
			nameIn(entry, 'returned') === 'request' &&
			MEMBERSHIPS.some(([urn, name]) => id === urn.toLowerCase() && nameIn(entry, 'name') === name),
	);
}
