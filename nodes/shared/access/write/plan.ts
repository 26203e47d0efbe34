import type { Pace } from '../../http';
import type { GroupMeaning, ScimClient } from '../../scim';
import {
	type AppliedPart,
	type Change,
	type Diff,
	type Loss,
	type Person,
	isGain,
	peopleOf,
} from '../changes';
import {
	type Access,
	type AffectedBase,
	type GroupSelection,
	type Reader,
	accountIn,
} from '../facts';
import {
	type AdminQuestion,
	type Excess,
	type GuardSettings,
	type Most,
	type Risky,
	type RiskKind,
	type Joins,
	protection,
	protectsBy,
} from '../guards';
import type { Plan, PlanTraits, SummaryInput } from '../plans';
import type { ProvisioningPlan, Schedule } from '../send';

/** What was decided. */
export interface Planned extends Diff {
	/** Changes that are settled: they are made already, or cannot be made. */
	withheld?: readonly Change[];
	/** What is to be known of it as a whole. */
	warnings?: readonly string[];
	basis?: Basis;
	words?: Words;
	/** How the plan is sealed; missing where Apply Plan takes none. */
	seal?: Sealed;
	/** What else the sealed plan has to hold, so that it can be applied. */
	settings?: Plan['settings'];
	/** Whether the members of a group are sent as a whole list where all of them are known, by the key of the group. */
	sendsWholeList?(key: string): boolean;
	/** How many reads prove the whole afterwards, at the least; missing where nothing is proven. */
	proofReads?: number;
	/** A last look at everything together, e.g. the proof that nothing is left. */
	conclude?(applied: AppliedPart[], plan: Guarded): Promise<AppliedPart[]>;
}

/** What the changes were made of, and what they are judged by. */
export interface Basis {
	/** Who had what; without it only people are guarded, not organizations. */
	access?: Access;
	/** The people that the affected are a share of; all who have access, unless the change is about others. */
	among?: AffectedBase;
	/** All that the operation is about, also those without a change. */
	people?: readonly Person[];
	/** Where it is about all that people have: whether a group counts, and the entries that say so. */
	compares?: Pick<GroupSelection, 'includes'> & { managed?: readonly string[] };
	/** Keys of groups that are no access. */
	ignored?: ReadonlySet<string>;
	/** Limits of kinds of change that are lower than those of the guards. */
	limits?: ReadonlyMap<RiskKind, Most>;
	/** Of an approved plan: its guards, what it says to be beyond the limits, and the kinds of it that were approved. */
	approved?: { guards: GuardSettings; excess: readonly Excess[]; kinds: ReadonlySet<RiskKind> };
}

/** What is said of a plan. */
export interface Words {
	blockedBy?: string[];
	/** What is to be said on every item. */
	notes?: string[];
	/** What the summary says beside the changes. */
	summary?: Pick<SummaryInput, 'unusable' | 'leftAlone' | 'compared' | 'unmatched' | 'said'>;
}

/** As what a plan is sealed. */
export interface Sealed extends PlanTraits {
	/** When and under what an earlier plan was made of which this is what is left. */
	made?: Pick<Plan, 'time' | 'guards' | 'settings'>;
}

/** A plan with its requests and the reasons of the guards. */
export interface Guarded extends ProvisioningPlan {
	changes: readonly Change[];
	/** Changes that cannot be made, or are made already: their parts are settled. */
	withheld: readonly Change[];
	schedule: Schedule;
	/** How many requests it takes at the least. */
	least: { reads: number; writes: number };
	basis: GuardedBasis;
	volume: Volume;
	/** What is to be said on every item. */
	notes: readonly string[];
	/** Items that cannot be used, and why. */
	refused?: ReadonlyMap<number, unknown>;
}

/** What the requests of a plan are judged by. */
interface GuardedBasis extends Pick<Basis, 'access' | 'ignored'> {
	/** Organizations that lose admins. */
	admins: readonly AdminQuestion[];
	/** All that the operation is about, by their keys. */
	personOf: ReadonlyMap<string, Person>;
	/** Those of the guards that hold. */
	protectedUsers: readonly string[];
	/** Whether somebody has approved it. */
	isApproved: boolean;
}

/** What limits count. */
export interface Volume {
	losses: readonly Loss[];
	risky: Risky;
	/** What is beyond the limits. */
	excess: readonly Excess[];
}

/** What a write is decided, guarded and sent with. */
export interface WriteContext {
	client: ScimClient;
	reader: Reader;
	ids: GroupMeaning;
	guards: GuardSettings;
	/** Whether only the plan is wanted. */
	previews: boolean;
	/** How many requests may leave in a minute; undefined where any number may. */
	pace?: Pace;
	/** What the limits count beside this run. */
	toolCalls: ToolCalls;
	organizations: { nameOf(id: string): string };
	/** A group as people call it: "member in Marketing", or "member of group X". */
	label(groupId: string, access?: Access): string;
}

/** The tool calls of one execution: each is a run, and limits hold for all of them together. */
export interface ToolCalls {
	/** Counts who joins groups in this call, before anything more is read: calls that run at once count each other. */
	enter(joins: readonly Joins[]): ToolCall;
}

/** One of them. */
export interface ToolCall {
	/** Keys of those who joined a group in calls before this one. @param key of the group */
	joinedEarlier(key: string): readonly string[];
	/**
	 * Counts the people of this call.
	 * @param grown keys of groups where those count who joined in earlier calls
	 * @returns them with those of all other calls
	 */
	count(people: Risky, grown: readonly string[]): Risky;
	/** For a call that changes nothing. */
	takeBack(): void;
}

/**
 * Decides with what the rules have to know: a user who would gain access and was not read yet is read, since no membership tells
 * who is active; a user who would be changed, where the login or an email may protect; a person whom a list is to remove, and
 * who was not shown as a user. Where one of them is not as was assumed, the plan is made again.
 * @param asked who was read for it already: nobody is twice
 * @throws RequestError when one cannot be read, who might be protected
 */
export async function decide(
	make: () => Promise<Planned>,
	operation: WriteContext,
	asked: ReadonlySet<string> = new Set(),
): Promise<Planned> {
	const { reader, previews } = operation;
	const { facts } = operation.client;
	const planned = await make();
	const { basis = {} } = planned;
	const { protectedUsers } = basis.approved?.guards ?? operation.guards;
	const { names: byName, emails: byEmail } = protectsBy(protectedUsers);
	const gaining = peopleOf(
		planned.changes.filter((change) => change.about === 'entitlement' && isGain(change)),
	);
	const deciding = new Set([...gaining.flatMap(({ id }) => id ?? []), ...(planned.unread ?? [])]);
	const strangers = new Set(planned.strangers);
	const changed = byName ? peopleOf(planned.changes).flatMap(({ id }) => id ?? []) : [];
	const untold = new Set(changed.filter((id) => byEmail || !basis.access?.names.has(id)));
	// An approver sees who it is, and the plan holds it.
	const isAsked = previews && planned.seal !== undefined;
	const named = isAsked ? peopleOf(planned.changes).flatMap(({ id }) => id ?? []) : [];
	const toRead = [...new Set([...deciding, ...untold, ...named, ...strangers])].filter(
		(id) => !asked.has(id) && accountIn(facts, id) === undefined,
	);
	const activityOf = (id: string) => {
		const user = facts.lastRead(id);
		return user && facts.activity(user);
	};
	const assumed = new Map([...deciding].map((id) => [id, activityOf(id)]));
	const users = await reader.people.readThere(toRead);
	for (const [id, user] of users) if (untold.has(id) && !user.ok) throw user.error;
	// Whoever is no user may be a group.
	await reader.memberships.tellGroups([...strangers].filter((id) => facts.isGone(id)));
	await reader.people.tellActivity([...deciding]);
	const isNews = [...assumed].some(([id, was]) => was !== undefined && activityOf(id) !== was);
	const isProtected = protection(protectedUsers, (id) => facts.lastRead(id));
	const isOther = (id: string) => {
		const user = users.get(id);
		if (user?.ok !== true || user.value === undefined) return deciding.has(id) || strangers.has(id);
		const { userName } = user.value;
		const isOut = deciding.has(id) && activityOf(id) !== 'active';
		return isProtected({ key: id, id, userName }) || isOut;
	};
	return toRead.some(isOther) || isNews
		? await decide(make, operation, new Set([...asked, ...toRead]))
		: planned;
}
