import type { Missing } from '../run';
import { isRefusal, mayHaveWorked } from '../http';
import { compareAttributes, type Group, patchBody, replaceAttributes, SCHEMA } from '../scim';
import type { GroupChange } from './change';
import { differing } from './userRequests';
import { failed, sendFor, unverified, type Claim, type State, type World } from './world';

const NOT_SEEN =
	'the service took the request but does not show the group. Look for it before you run again, to avoid a duplicate';

const CUT_OFF =
	'the service may have created the group. Look for it before you run again, to avoid a duplicate';

/** Creates, updates or deletes a group. */
export async function sendGroup(change: GroupChange, state: State, world: World): Promise<void> {
	const { client, evidence } = world;
	const { action, attributes = {}, groupId, after, warnings } = change;
	const { tried, left } = await sendFor([state], world, async () => {
		if (groupId === undefined)
			return await client.createGroup({ schemas: [SCHEMA.group], ...attributes });
		if (after === 'absent') {
			state.wasGone = !(await client.deleteGroup(groupId));
			return undefined;
		}
		return await client.patchGroup(groupId, patchBody(replaceAttributes(attributes)));
	});
	if (!tried.ok) {
		if (groupId !== undefined && isRefusal(tried.error)) state.isRefused = true;
		else if (!mayHaveWorked(tried.error)) state.verdict = failed(action, tried.error);
		else if (groupId === undefined)
			state.verdict = unverified(action, warnings, { reason: CUT_OFF }, {}, tried.error);
		return;
	}
	const group = tried.value;
	if (groupId !== undefined) {
		if (group !== undefined) evidence.seeGroup(groupId, { ok: true, value: group }, left, true);
		return;
	}
	if (group !== undefined) {
		state.verdict = {
			outcome: { status: 'done', action, warnings: [...warnings] },
			result: { group },
		};
		return;
	}
	state.verdict = unverified(action, warnings, { reason: NOT_SEEN }, {});
}

/** What is known of a group, and what is to be said of it. */
export function claimOfGroup(change: GroupChange, state: State, { evidence, ids }: World): Claim {
	const { action, groupId = '', after, warnings } = change;
	const seen = evidence.group(ids.key(groupId), state.since);
	const group = seen?.ok === true ? seen.value : undefined;
	const missing = seen?.ok === true ? missingOf(change, group) : undefined;
	const wasSo = after === 'absent' && state.wasGone;
	return {
		...{ action, warnings },
		...(seen && { seen }),
		...(missing && { missing }),
		result: { ...(group && { group }), ...(after === 'absent' && { intent: 'deleted' as const }) },
		...(wasSo && { wasSo: 'the group was gone already' }),
	};
}

function missingOf(change: GroupChange, group: Group | undefined): Missing | undefined {
	if (change.after === 'absent')
		return group === undefined ? undefined : { reason: 'the group is still there' };
	if (group === undefined) return { reason: 'there is no such group' };
	const { different, notShown } = compareAttributes(change.attributes ?? {}, group.attributes);
	return differing(different, notShown);
}
