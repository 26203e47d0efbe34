import { partKey } from '../../run';
import { attempt, messageOf } from '../../util';
import { subjectOf, type AppliedPart, type Diff } from '../changes';
import { protection } from '../guards';
import { carryOutPlan } from '../send';
import type { WriteContext, Guarded } from './plan';
import { guard } from './guard';

/** What was applied, with the changes that the answers brought to light in place of what they are about. */
export async function followed(
	applied: readonly AppliedPart[],
	next: Diff,
	plan: Guarded,
	operation: WriteContext,
): Promise<AppliedPart[]> {
	const checked = await attempt(async () => await guard(next, operation, plan.volume));
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
	operation: WriteContext,
	isProven = false,
): Promise<AppliedPart[]> {
	const { client, reader, ids } = operation;
	const { schedule } = plan;
	const { access, admins, ignored, isApproved, protectedUsers } = plan.basis;
	return await carryOutPlan(schedule, plan.settled, {
		...{ client, reader, ids, admins, isApproved, isProven },
		...(access && { access }),
		...(ignored && { ignored }),
		label: (groupId) => operation.label(groupId, access),
		isProtected: protection(protectedUsers, (id) => client.facts.lastRead(id)),
	});
}
