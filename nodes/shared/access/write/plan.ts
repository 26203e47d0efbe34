import type { AppliedPart, Change, Diff, Loss, Member } from '../changes';
import type { Access, AffectedBase, GroupSelection } from '../facts';
import type { AdminQuestion, Excess, GuardSettings, Most, Risky, RiskKind } from '../guards';
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
	people?: readonly Member[];
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
	personOf: ReadonlyMap<string, Member>;
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
