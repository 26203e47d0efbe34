import { attempt, poll } from '../../util';
import type { Missing } from '../../run';
import { hasStatus, isRefusal, mayHaveWorked } from '../../http';
import {
	type Attributes,
	compareAttributes,
	type Form,
	type FormName,
	type Group,
	patchBody,
	replaceAttributes,
	SCHEMA,
} from '../../scim';
import {
	type GroupChange,
	proves,
	displayNameIn,
	verdictOfExisting,
	overwriteWarnings,
	withoutNulls,
} from '../changes';
import { GROUP_FORMS, isMereAnswer, readGroupNow, readWholeGroup, showsAllMembers } from './looks';
import { listed } from './otherMembers';
import { isPlanLate, otherGroupNow } from './preconditions';
import { keptOf } from './requests';
import {
	operationsInForm,
	standsBack,
	type GroupState,
	type Verdict,
	failed,
	nothingMore,
	sendFor,
	unverified,
	type ExpectedState,
	type SendContext,
} from './context';
import { differing } from './users/expected';

const NOT_SEEN =
	'the service took the request but does not show the group. Look for it before you run again, to avoid a duplicate';

const CUT_OFF =
	'the service may have created the group. Look for it before you run again, to avoid a duplicate';

/** Creates, updates or deletes a group. */
export async function sendGroup(state: GroupState, world: SendContext): Promise<void> {
	const { client, facts } = world;
	const { change } = state;
	const { action, attributes = {}, groupId, after } = change;
	if (groupId === undefined) {
		state.verdict = await createGroup(state, world);
		return;
	}
	const forms = client.forms.Groups;
	if (standsBack(state, forms)) return;
	const { tried, left } = await sendFor([state], world, async () => {
		if (after === 'absent') {
			await client.timing.slotOfWrite?.(action);
			const look = async () => await lookAtName(state, groupId, world);
			if (isPlanLate(world)) await look();
			state.wasGone = !(await client.deleteGroup(groupId, look, true));
			return undefined;
		}
		const send = async (form: Form) => {
			if (form.has('wholeResource')) return await putGroup(groupId, attributes, world);
			const operations = operationsInForm(replaceAttributes(attributes), form);
			return await client.patchGroup(groupId, patchBody(operations));
		};
		return await forms.send(attributes, send, state.form);
	});
	state.isUntagged = world.facts.wasUntagged('Groups', groupId);
	if (state.verdict !== undefined) return;
	if (!tried.ok) {
		if (isRefusal(tried.error)) state.isRefused = true;
		else if (!mayHaveWorked(tried.error))
			state.verdict = state.unseen ?? failed(action, tried.error);
		return;
	}
	const group = tried.value;
	if (group !== undefined) facts.seeGroup(groupId, { ok: true, value: group }, left, 'write');
}

/**
 * Looks whether a group that is deleted is still the one that was planned, and notes where it is not.
 * @throws InputError where nothing is to be sent
 */
async function lookAtName(state: GroupState, groupId: string, world: SendContext): Promise<void> {
	const read = await attempt(async () => await readGroupNow(groupId, [], world));
	if (!read.ok && !hasStatus(read.error, 404, 410)) throw read.error;
	const fault = read.ok ? otherGroupNow(world.ids.key(groupId), read.value, world) : undefined;
	if (fault === undefined) return;
	state.verdict = failed(state.change.action, fault);
	throw nothingMore();
}

/**
 * Creates a group, and is never sent again: the service may take a second group of the same name. What a create without an
 * answer has made is looked for, and 409 says that there is a group.
 */
async function createGroup(state: GroupState, world: SendContext): Promise<Verdict> {
	const { change } = state;
	const { action, attributes = {}, ifExists, warnings } = change;
	const { tried } = await sendFor(
		[state],
		world,
		async () => await world.client.createGroup({ schemas: [SCHEMA.group], ...attributes }),
	);
	const done = (made: Group): Verdict => ({
		outcome: { status: 'done', action, warnings: [...warnings] },
		result: { group: made },
	});
	if (tried.ok && tried.value !== undefined) return done(tried.value);
	const error = tried.ok ? undefined : tried.error;
	const conflict = hasStatus(error, 409) ? error.facts : undefined;
	if (!tried.ok && conflict === undefined && !mayHaveWorked(error)) return failed(action, error);
	const groups = await lookForNew(displayNameIn(attributes), world);
	if (conflict !== undefined)
		return groups.length > 0 ? verdictOfExisting(change, groups, conflict) : failed(action, error);
	const [group] = groups;
	const open = (reason: string) => unverified(action, warnings, { reason }, {}, error);
	if (group === undefined) return open(tried.ok ? NOT_SEEN : CUT_OFF);
	if (groups.length > 1) {
		const ids = groups.map(({ id }) => id).join(', ');
		return open(`the service shows more than one group of this name (IDs ${ids})`);
	}
	const compared = compareAttributes(attributes, group.attributes);
	const { different } = compared;
	if (change.mayExist === true && !proves(compared, attributes))
		return open(`a group of this name is there (ID ${group.id}), which may have been there before`);
	// Otherwise no group had the name before.
	if (different.length === 0) return done(group);
	if (ifExists === 'return') return verdictOfExisting(change, groups);
	return open(
		`a group of this name is there (ID ${group.id}), with another ${different.join(', ')}`,
	);
}

/** Looks for the groups of a name until there is one, or timing ends; what goes wrong while looking says nothing. */
async function lookForNew(
	name: string,
	{ client, reader }: SendContext,
): Promise<readonly Group[]> {
	const found = await poll(client.timing, async () => {
		const look = await attempt(async () => await reader.memberships.groupsOfName(name, true));
		if (!look.ok) return undefined;
		// Where groups cannot be found, waiting is of no use.
		const { value: groups = 'hidden' } = look;
		return groups.length > 0 ? groups : undefined;
	});
	return found === undefined || found === 'hidden' ? [] : found;
}

/** Sends the group as read now as PUT, with these attributes in place. An answer may repeat it, so a look decides. */
async function putGroup(
	groupId: string,
	attributes: Attributes,
	world: SendContext,
): Promise<undefined> {
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

/**
 * Names the form in which a rename is tried again that the service has failed at and has not made. Some services take that form
 * for a new list of members (langwatch issue 7131), so it is tried where a loss would be seen.
 */
export function nextFormOfGroup(
	state: GroupState,
	{ client, facts, ids }: SendContext,
): FormName | undefined {
	const { attributes = {}, after, groupId = '' } = state.change;
	const read = facts.group(ids.key(groupId), state.since);
	const group = read?.ok === true ? read.value : undefined;
	const isRename = after !== 'absent' && attributes.displayName !== undefined;
	if (!isRename || !hasStatus(state.error, 500) || group === undefined) return undefined;
	const { different } = compareAttributes(attributes, group.attributes);
	if (!different.includes('displayName') || !showsAllMembers(group, facts)) return undefined;
	state.members = group.members;
	return client.forms.Groups.afterFailure(attributes);
}

/** Compares what is known of a group with what is expected. */
export function expectedGroup(state: GroupState, world: SendContext): ExpectedState {
	const { facts, ids } = world;
	const { change } = state;
	const { action, groupId = '', after } = change;
	const warnings = [...change.warnings, ...(state.isUntagged ? overwriteWarnings(undefined) : [])];
	const key = ids.key(groupId);
	const known = facts.group(key, state.since);
	const observed = isMereAnswer(key, GROUP_FORMS.attributes, world) ? undefined : known;
	const group = known?.ok === true ? known.value : undefined;
	const missing =
		known?.ok === true ? (missingOf(change, group) ?? lostMembers(state, group)) : undefined;
	const wasSo = after === 'absent' && state.wasGone;
	return {
		...{ action, warnings },
		...(observed && { observed }),
		...(missing && { missing }),
		result: { ...(group && { group }), ...(after === 'absent' && { intent: 'deleted' as const }) },
		...(wasSo && { wasSo: 'the group was gone already' }),
	};
}

/** Tells of members who were to stay in a group and are not shown any more. */
function lostMembers({ members = [] }: GroupState, group: Group | undefined): Missing | undefined {
	const there = new Set(group?.members?.map(({ id }) => id));
	const lost = members.filter(({ id }) => !there.has(id));
	if (group === undefined || lost.length === 0) return undefined;
	const names = listed(lost.map(({ id, display }) => display ?? id));
	return { reason: `group ${group.id} lost ${names} with it` };
}

/** Tells what a group lacks; undefined when nothing. */
function missingOf(change: GroupChange, group: Group | undefined): Missing | undefined {
	if (change.after === 'absent')
		return group === undefined ? undefined : { reason: 'the group is still there' };
	if (group === undefined) return { reason: 'there is no such group' };
	const { different, notShown } = compareAttributes(change.attributes ?? {}, group.attributes);
	return differing(different, notShown);
}
