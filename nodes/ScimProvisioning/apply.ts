import { carryOutPlan } from '../shared/access/send';
import { protection } from '../shared/access/guards';
import { subjectOf, type AppliedPart, type Diff } from '../shared/access/changes';
import { partKey } from '../shared/run';
import { attempt, messageOf } from '../shared/util';
import type { OperationContext } from './context';
import { guarded } from './guarded';
import type { Guarded } from './planned';

/** What was applied, with the changes that the answers brought to light in place of what they are about. */
export async function followed(
	applied: readonly AppliedPart[],
	next: Diff,
	plan: Guarded,
	operation: OperationContext,
): Promise<AppliedPart[]> {
	const checked = await attempt(async () => await guarded(next, operation, plan));
	const reasons = checked.ok ? checked.value.blockedBy : [messageOf(checked.error)];
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

/**
 * Sends the plan, and looks. Never throws for a part: that part has an outcome.
 * @param isProven whether a proof follows, which reads the people
 */
export async function apply(
	plan: Guarded,
	operation: OperationContext,
	isProven = false,
): Promise<AppliedPart[]> {
	const { client, reader, ids } = operation;
	const { access, admins, ignored, schedule } = plan;
	return await carryOutPlan(schedule, plan.settled, {
		...{ client, reader, ids, admins, isProven },
		...(access && { access }),
		...(ignored && { ignored }),
		label: (groupId) => operation.label(groupId, access),
		isProtected: protection(plan.protectedUsers, (id) => client.facts.lastRead(id)),
	});
}
