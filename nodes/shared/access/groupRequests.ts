import type { Missing } from '../run';
import { isRefusal, mayHaveWorked } from '../http';
import {
	type Attributes,
	compareAttributes,
	type Group,
	patchBody,
	replaceAttributes,
	SCHEMA,
} from '../scim';
import type { GroupChange } from './change';
import { readWholeGroup } from './looks';
import { overwriteWarnings, withoutNulls } from './planUsers';
import { keptOf } from './requests';
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
		return await client.forms.Groups.send(attributes, async (form) =>
			form.has('wholeResource')
				? await putGroup(groupId, attributes, world)
				: await client.patchGroup(groupId, patchBody(replaceAttributes(attributes))),
		);
	});
	state.isUntagged = groupId !== undefined && client.putUntagged('Groups', groupId);
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

/** PUT of the group as read now, with these attributes in place. An answer may repeat it, so a look decides. */
async function putGroup(groupId: string, attributes: Attributes, world: World): Promise<undefined> {
	const { client } = world;
	const idsNow = async () => {
		const group = await readWholeGroup(groupId, world);
		return { group, ids: group.members.map(({ id }) => id) };
	};
	const { group, ids } = await idsNow();
	const kept = keptOf(group, client.profile);
	const all = withoutNulls({ ...kept.attributes, ...attributes });
	const again = async () => (await idsNow()).ids;
	await client.replaceMembers(groupId, ids, { ...kept, attributes: all }, again);
	return undefined;
}

/** What is known of a group, and what is to be said of it. */
export function claimOfGroup(change: GroupChange, state: State, { evidence, ids }: World): Claim {
	const { action, groupId = '', after } = change;
	const warnings = [...change.warnings, ...(state.isUntagged ? overwriteWarnings(undefined) : [])];
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
