import type { IDataObject } from 'n8n-workflow';

import type { AdminQuestion, Excess, GuardSettings, Risky } from '../shared/access/guards';
import type { Access, AffectedBase, GroupSelection } from '../shared/access/facts';
import type { AppliedPart, Change, Diff, Loss, Member } from '../shared/access/changes';
import type { Plan, PlanTraits, SummaryInput } from '../shared/access/plans';
import type { ProvisioningPlan, Schedule } from '../shared/access/send';
import type { Output } from '../shared/run';

import type { OperationContext } from './context';

/** As what a plan is sealed. */
export interface Sealed extends PlanTraits {
	/** When and under what an earlier plan was made of which this is what is left. */
	made?: Pick<Plan, 'time' | 'guards' | 'settings'>;
}

/** What was decided, and who had what when it was; without that only people are guarded, not organizations. */
export interface Planned extends Diff {
	blockedBy?: string[];
	access?: Access;
	/** What is to be said on every item. */
	notes?: string[];
	/** The people that the affected are a share of; all who have access, unless the change is about others. */
	among?: AffectedBase;
	/** All that the operation is about, also those without a change. */
	people?: readonly Member[];
	/** Where it is about all that people have: whether a group counts, and the entries that say so. */
	compares?: Pick<GroupSelection, 'includes'> & { managed?: readonly string[] };
	/** How many reads prove the whole afterwards, at the least. */
	proofReads?: number;
	/** Where others hold than those of the node's options. */
	guards?: GuardSettings;
	/** Of a plan that is applied: what it says to be beyond the limits, and the kinds of it that were approved. */
	approval?: { excess: readonly Excess[]; kinds: ReadonlySet<string> };
	/** Changes that are settled: they are made already, or cannot be made. */
	withheld?: readonly Change[];
	/** Keys of groups that are no access. */
	ignored?: ReadonlySet<string>;
	/** Whether the members of a group are sent as a whole list where all of them are known, by the key of the group. */
	sendsWholeList?(key: string): boolean;
	/** What the summary says beside the changes. */
	words?: Pick<SummaryInput, 'unusable' | 'leftAlone' | 'compared' | 'unmatched'>;
	/** What else the plan has to hold, so that it can be applied. */
	settings?: Plan['settings'];
	/** How the plan is sealed; missing where Apply Plan takes none. */
	sealed?: Sealed;
	/** A last look at everything together, e.g. the proof that nothing is left. */
	conclude?(applied: AppliedPart[], plan: Guarded): Promise<AppliedPart[]>;
}

/** The same, with the requests and the reasons of the guards. */
export interface Guarded extends ProvisioningPlan {
	changes: readonly Change[];
	/** Changes that cannot be made, or are made already: their parts are settled. */
	withheld: readonly Change[];
	schedule: Schedule;
	losses: readonly Loss[];
	/** Organizations that lose admins. */
	admins: readonly AdminQuestion[];
	ignored?: ReadonlySet<string>;
	/** The people that limits by volume count. */
	risky: Risky;
	/** What is beyond those. */
	excess: readonly Excess[];
	/** What is to be said on every item. */
	notes: readonly string[];
	access?: Access;
	/** All that the operation is about, by their keys. */
	personOf: ReadonlyMap<string, Member>;
	/** Those of the guards that hold. */
	protectedUsers: readonly string[];
	/** How many requests it takes at the least. */
	least: { reads: number; writes: number };
	/** Items that cannot be used, and why. */
	refused?: ReadonlyMap<number, unknown>;
}

/** How the items of an operation look. */
export interface ItemForm {
	/** The fields of every item, for one that failed before more was known. */
	blank(operation?: OperationContext): IDataObject;
	/** The items for the parts of one input item, or for those that no item names. */
	output(
		parts: readonly AppliedPart[],
		operation: OperationContext,
		plan: Guarded,
	): Array<Output<AppliedPart>>;
}
