import type { IExecuteFunctions } from 'n8n-workflow';

import { changeOf, nameIn, userIn, type AppliedPart, type Diff } from '../shared/access/changes';
import type { PlanTraits } from '../shared/access/plans';
import { estimateOf, runWrite, withSameKeys, type Offer, type Operation } from '../shared/run';
import { attribute, readText, type ScimClient } from '../shared/scim';
import { nameKey } from '../shared/util';
import { apply, decide, followed, guard, type Guarded, type Planned } from '../shared/access/write';
import { operationContext, type OperationContext } from './context';
import { asSealed, sealedExtras } from './fields/accessPreview';
import {
	matchOfItem,
	matchOfRun,
	type ItemForm,
	recordOf,
	returnsOne,
	type OfRun,
} from './fields/item';
import { type RowList, requireWholeInput } from './fields/rows';
import { beforeRun, requireKept, undoWarnings } from './fields/undo';

/** One operation that writes: how it is offered, and what its items want. `W` is what one item wants. */
export interface ScimWrite<W> extends Offer {
	items(context: IExecuteFunctions): ItemForm;
	/** The whole list that its input items may be the rows of. */
	rows?: RowList;
	/** How its plans are sealed and applied; missing where Apply Plan takes none. */
	plans?: Omit<PlanTraits, 'title'>;
	/** Whether it is a preview always, and sends nothing. */
	onlyPlans?: true;
	/** What one item wants, from its parameters alone. @throws InputError */
	collect(item: number, operation: OperationContext): W[];
	/**
	 * Reads what is needed and decides.
	 * @param refused items that cannot be used, and why
	 */
	plan(
		wanted: W[],
		operation: OperationContext,
		refused: ReadonlyMap<number, unknown>,
	): Promise<Planned>;
	/** Changes that only the service's answers brought to light. */
	followUp?(applied: readonly AppliedPart[], operation: OperationContext): Promise<Diff>;
}

/** An operation whose plans may be applied later. */
export interface ScimOperation extends Operation {
	plans?: PlanTraits;
}

/** The operation as the node runs it: every write is planned, sent, and verified. */
export function scimWrite<W>(write: ScimWrite<W>): ScimOperation {
	const { name, action, description, fields, items, rows, collect, followUp } = write;
	const plans = write.plans && { ...write.plans, title: name };
	return {
		...{ name, action, description, fields },
		...(plans && { plans }),
		blank: (context) => items(context).blank(),
		async execute(context) {
			const { blank, output } = items(context);
			let ran: Ran | undefined;
			const made = await runWrite<W, OperationContext, Planned & { plan: Guarded }, AppliedPart>(
				context,
				{
					blank,
					async context() {
						if (rows) requireWholeInput(context, rows);
						const operation = await operationContext(context, write.onlyPlans);
						requireKept(operation);
						return operation;
					},
					collect,
					async decide(wanted, operation, refused) {
						const said = undoWarnings(operation);
						const make = async () => {
							const made = await write.plan(wanted, operation, refused);
							return asSealed(
								{ ...made, warnings: [...said, ...(made.warnings ?? [])] },
								plans,
								operation,
							);
						};
						const planned = await decide(make, operation);
						// A long list is not held beside the plan that was made of it.
						wanted.length = 0;
						const guarded = await guard(planned, operation);
						// A plan that lacks what could not be held says that some are gone.
						operation.client.memory.check();
						return { ...planned, plan: { ...guarded, refused } };
					},
					extras: (planned, operation) => ({
						...(operation.pace && { estimate: estimateOf(planned.plan.least, operation.pace) }),
						...sealedExtras(planned, planned.plan, operation),
						...matchOfRun(operation),
					}),
					async carryOut(planned, operation) {
						const { warnings } = planned.plan;
						const undone = await beforeRun(planned, planned.plan, operation);
						const seen = withTimes(planned.plan, operation.client);
						const isProven = planned.proofReads !== undefined;
						const applied = await apply(seen, operation, isProven);
						const found = await followUp?.(applied, operation);
						const all = found ? await followed(applied, found, planned.plan, operation) : applied;
						const parts = (await planned.conclude?.(all, planned.plan)) ?? all;
						const { undo, whyNone = [] } = (await undone?.(parts)) ?? {};
						ran = { operation, warnings: [...whyNone, ...warnings], ...(undo && { undo }) };
						return parts;
					},
					output: (parts, operation, { plan }) =>
						output(
							parts.map((part) => withOtherName(part, plan, operation.client)),
							operation,
							plan,
						).map(({ json, parts: own }) => ({
							parts: own,
							json: { ...json, ...matchOfItem(json, operation) },
						})),
				},
			);
			const same = withSameKeys(made);
			if (ran === undefined || !returnsOne(ran.operation)) return same;
			return recordOf(same, name, ran, context.getInputData());
		},
	};
}

/** What is said of a run as a whole. */
interface Ran extends OfRun {
	operation: OperationContext;
}

/** The plan with the time of the reads by which something is so already; what is read during the run may be otherwise. */
function withTimes(plan: Guarded, { facts }: ScimClient): Guarded {
	const settled = plan.settled.map((part) => {
		const { outcome, result } = part;
		const at = facts.shownAt(nameIn(result).id ?? part.subject, result?.group?.id);
		const isTold = outcome.status === 'unchanged' && at !== undefined;
		return isTold ? { ...part, outcome: { ...outcome, at: new Date(at).toISOString() } } : part;
	});
	return { ...plan, settled };
}

/** Another client may have changed the shown user name of a user who is known by the login. */
function withOtherName(part: AppliedPart, plan: Guarded, client: ScimClient): AppliedPart {
	const { outcome, result } = part;
	const user = userIn(result) ?? client.facts.lastRead(nameIn(result).id ?? part.subject);
	if (!client.profile.knowsPeopleByLogin || user === undefined) return part;
	const change = changeOf(part, plan);
	const { userName: login = user.userName } =
		change === undefined || change.about === 'group' ? user : change.person;
	const shown = readText(attribute(user.attributes, 'userName')) ?? login;
	if (nameKey(shown) === nameKey(login)) return part;
	const said = `The service shows ${shown} as the user name of ${login}: another client may have changed it.`;
	return { ...part, outcome: { ...outcome, warnings: [...(outcome.warnings ?? []), said] } };
}
