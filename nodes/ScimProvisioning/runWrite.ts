import type { IExecuteFunctions } from 'n8n-workflow';

import {
	carryOutPlan,
	changeOf,
	nameIn,
	protection,
	subjectOf,
	userIn,
	type AppliedPart,
	type Diff,
	type PlanTraits,
} from '../shared/access';
import {
	estimateOf,
	holdsBack,
	runWrite,
	partKey,
	type Offer,
	type Operation,
} from '../shared/run';
import { attribute, readText, type ScimClient } from '../shared/scim';
import { attempt, nameKey } from '../shared/util';
import { operationContext, type OperationContext } from './context';
import { asSealed, sealedExtras } from './fields/accessPreview';
import { guarded, planKnowing, type Guarded, type ItemForm, type Planned } from './guardedPlan';

/** One operation that writes: how it is offered, and what its items want. `W` is what one item wants. */
export interface ScimWrite<W> extends Offer {
	items(context: IExecuteFunctions): ItemForm;
	/** How its plans are sealed and applied; missing where Apply Plan takes none. */
	plans?: Omit<PlanTraits, 'title'>;
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
	const { name, action, description, fields, items, collect, followUp } = write;
	const plans = write.plans && { ...write.plans, title: name };
	return {
		...{ name, action, description, fields },
		...(plans && { plans }),
		blank: (context) => items(context).blank,
		async execute(context) {
			const { blank, output } = items(context);
			return await runWrite<W, OperationContext, Planned & { plan: Guarded }, AppliedPart>(
				context,
				{
					blank,
					context: async () => await operationContext(context),
					collect,
					async decide(wanted, operation, refused) {
						const decide = async () =>
							asSealed(await write.plan(wanted, operation, refused), plans, operation);
						const planned = await planKnowing(decide, operation);
						return { ...planned, plan: { ...(await guarded(planned, operation)), refused } };
					},
					extras: (planned, operation) => ({
						...(operation.pace && { estimate: estimateOf(planned.plan.least, operation.pace) }),
						...sealedExtras(planned, planned.plan, operation),
					}),
					async carryOut(planned, operation) {
						const applied = await apply(planned.plan, operation);
						const found = await followUp?.(applied, operation);
						const all = found ? await followed(applied, found, planned.plan, operation) : applied;
						return (await planned.conclude?.(all, planned.plan)) ?? all;
					},
					output: (parts, operation, { plan }) =>
						output(
							parts.map((part) => withOtherName(part, plan, operation.client)),
							operation,
							plan,
						),
				},
			);
		},
	};
}

/** Another client may have changed the user name that is shown of somebody who is known by the login. */
function withOtherName(part: AppliedPart, plan: Guarded, client: ScimClient): AppliedPart {
	const { outcome, result } = part;
	const user = userIn(result) ?? client.userSeen(nameIn(result).id ?? part.subject);
	if (!client.profile.knowsPeopleByLogin || user === undefined) return part;
	const change = changeOf(part, plan);
	const { userName: login = user.userName } =
		change === undefined || change.about === 'group' ? user : change.person;
	const shown = readText(attribute(user.attributes, 'userName')) ?? login;
	if (nameKey(shown) === nameKey(login)) return part;
	const said = `The service shows ${shown} as the user name of ${login}: another client may have changed it.`;
	return { ...part, outcome: { ...outcome, warnings: [...(outcome.warnings ?? []), said] } };
}

/** What was applied, with the changes that the answers brought to light in place of what they are about. */
async function followed(
	applied: readonly AppliedPart[],
	next: Diff,
	plan: Guarded,
	operation: OperationContext,
): Promise<AppliedPart[]> {
	const checked = await attempt(async () => await guarded(next, operation, plan));
	const reasons = checked.ok ? checked.value.blockedBy : [wordsOf(checked.error)];
	const made =
		checked.ok && reasons.length === 0
			? await apply(checked.value, operation)
			: refuseAll(next, reasons);
	const better = new Map(made.map((part) => [partKey(part), part]));
	return applied.map((part) => better.get(partKey(part)) ?? part);
}

/** Every part of changes that guards have blocked. */
function refuseAll({ settled, changes }: Diff, reasons: readonly string[]): AppliedPart[] {
	const reason = reasons.join(' ');
	const refused = changes.flatMap((change) => {
		const subject = subjectOf(change);
		const outcome = { status: 'failed' as const, action: change.action, reason };
		return change.items.map((item): AppliedPart => ({ item, subject, outcome }));
	});
	return [...settled, ...refused];
}

async function apply(plan: Guarded, operation: OperationContext): Promise<AppliedPart[]> {
	const { client, directory, ids, settings } = operation;
	const { access, admins, ignored, schedule } = plan;
	const sent = await carryOutPlan(schedule, {
		...{ client, directory, ids, concurrency: settings.concurrency, admins },
		...(access && { access }),
		...(ignored && { ignored }),
		label: (groupId) => operation.label(groupId, access),
		isProtected: protection(plan.protectedUsers, client.userSeen),
	});
	const failed = new Set(
		sent.flatMap(({ change, outcome }) => (holdsBack(outcome) ? (change ?? []) : [])),
	);
	return [...plan.settled.map((part) => unlessNeeded(part, failed)), ...sent];
}

/** What was so already, unless it needs a change that failed. @param failed keys of changes */
function unlessNeeded(part: AppliedPart, failed: ReadonlySet<string>): AppliedPart {
	if (part.needs?.some(({ step }) => failed.has(step)) !== true) return part;
	const reason = 'it needs a step that did not succeed';
	return { ...part, outcome: { ...part.outcome, status: 'failed', reason } };
}

function wordsOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
