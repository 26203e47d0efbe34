import { compareAttributes, type Group, type ScimClient } from '../scim';
import { differing, parts, sendOrLookLater, unverified, type StepOf } from './performCommon';
import { lookFor, type AppliedPart } from './step';

export async function createGroup(
	step: StepOf<'createGroup'>,
	client: ScimClient,
): Promise<AppliedPart[]> {
	const group = await client.createGroup(step.request.body);
	if (group !== undefined) {
		return parts(step, { status: 'done', action: step.action, warnings: step.warnings }, { group });
	}
	const reason =
		'the service took the request but does not show the group. Look for it before you run again, to avoid a duplicate';
	return parts(step, { status: 'unverified', action: step.action, reason });
}

export async function updateGroup(
	step: StepOf<'updateGroup'>,
	client: ScimClient,
): Promise<AppliedPart[]> {
	const { action, warnings, groupId } = step;
	const tried = await sendOrLookLater(
		async () => await client.patchGroup(groupId, step.request.body),
	);
	const missing = (group: Group | undefined) => {
		if (group === undefined) return { reason: 'there is no such group' };
		const { different, notShown } = compareAttributes(step.attributes, group.attributes);
		return differing(different, notShown);
	};
	const shown = tried.ok ? tried.value : undefined;
	if (shown !== undefined && missing(shown) === undefined) {
		return parts(step, { status: 'done', action, warnings }, { group: shown });
	}
	const open = lookFor({ kind: 'group', id: groupId, missing });
	return parts(step, unverified(action, warnings, tried), {}, open);
}

export async function deleteGroup(
	step: StepOf<'deleteGroup'>,
	client: ScimClient,
): Promise<AppliedPart[]> {
	const { action, warnings, groupId } = step;
	const tried = await sendOrLookLater(async () => await client.deleteGroup(groupId));
	const wasGone = tried.ok && !tried.value;
	const missing = (group: Group | undefined) =>
		group === undefined ? undefined : { reason: 'the group is still there' };
	const reason = 'the group was gone already';
	const settled = (part: AppliedPart): AppliedPart =>
		wasGone ? { ...part, outcome: { ...part.outcome, status: 'unchanged', reason } } : part;
	const open = lookFor({ kind: 'group', id: groupId, missing, settled });
	return parts(step, unverified(action, warnings, tried), { intent: 'deleted' }, open);
}
