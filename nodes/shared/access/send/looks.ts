import { addTo, attempt, type Attempt, InputError, mapConcurrent, poll } from '../../util';
import {
	type Group,
	isCut,
	type Leaving,
	mayHideSome,
	showsGroup,
	type User,
	shownActivity,
} from '../../scim';
import {
	isPartial,
	isRisky,
	lossOf,
	missingFrom,
	sparedBy,
	type AfterChange,
} from './otherMembers';
import { isNotFound } from '../facts';
import type { SendContext } from './world';

type Looking = Pick<SendContext, 'client' | 'ids' | 'reader' | 'facts' | 'otherMembers'>;

/** Looks with growing pauses until all of these are so, or timing ends; what is so already is not read. */
export async function lookForMembers<T extends { groupId: string; id: string }>(
	wanted: readonly T[],
	isSo: (one: T) => boolean,
	world: Looking,
): Promise<void> {
	const { client, ids, facts } = world;
	await poll(client.timing, async () => {
		const open = wanted.filter((one) => !isSo(one));
		const groups = new Map<string, string[]>();
		for (const { groupId, id } of open) addTo(groups, groupId, id);
		await lookAtGroups(groups, world);
		const silent = open.filter((one) => !isSo(one) && facts.isSilent(ids.key(one.groupId), one.id));
		await readUsers([...new Set(silent.map(({ id }) => id))], true, world);
		return wanted.every(isSo) ? true : undefined;
	});
}

/** Reads each of these groups once, as far as it has to be known of these people. */
export async function lookAtGroups(
	groups: ReadonlyMap<string, readonly string[]>,
	world: Looking,
): Promise<void> {
	const { client, facts, reader } = world;
	await mapConcurrent([...groups], client.concurrency, async ([groupId, people]) => {
		const left = facts.leaving();
		const read = await attempt(async () => await readGroupNow(groupId, people, world));
		if (read.ok) return;
		const gone = isNotFound(read)
			? await attempt(async () => await reader.memberships.isGroupGone(groupId))
			: undefined;
		const isGone = gone?.ok === true && gone.value;
		const seen = isGone
			? { ok: true as const, value: undefined }
			: gone?.ok === false
				? gone
				: read;
		if (seen !== read || isNotFound(read)) facts.seeGroup(groupId, seen, facts.answeredTo(left));
	});
}

/** Reads users as they are now. @param mayList whether a list will do where it takes fewer requests */
export async function readUsers(
	people: readonly string[],
	mayList: boolean,
	world: Pick<SendContext, 'reader'>,
): Promise<void> {
	if (people.length === 0) return;
	await world.reader.people.readThere(people, { fresh: true, alone: !mayList });
}

/**
 * Reads a user by ID, as the service shows it now.
 * @throws RequestError as the read does
 */
export async function readUserNow(
	id: string,
	{ reader }: Pick<SendContext, 'reader'>,
): Promise<User> {
	const read = (await reader.people.read([id], { fresh: true, alone: true })).get(id);
	if (read?.ok !== true) throw read?.error;
	return read.value;
}

/**
 * Reads a group as it is now, and notes what removals have done to the others in it.
 * @param people the only ones whose membership has to be known
 */
export async function readGroupNow(
	groupId: string,
	people: readonly string[] | undefined,
	world: Pick<SendContext, 'client' | 'facts' | 'ids' | 'reader' | 'otherMembers'>,
): Promise<Group> {
	const { client, facts, ids, otherMembers } = world;
	const key = ids.key(groupId);
	// One other member stands for all, until the service was seen to spare others.
	const asksOthers = otherMembers?.areSpared === false && facts.isAfterRemoval(key);
	const others = asksOthers ? otherMembers.of(key).slice(0, 1) : [];
	const group = await client.getGroup(groupId, people && [...people, ...others]);
	// That a filter finds nobody after a removal says something once it has found somebody: any other member will do.
	const isAfterRemoval = group.of !== undefined && facts.isAfterRemoval(key);
	if (isAfterRemoval && !facts.filterFinds(group))
		await attempt(async () => await client.findMember(groupId));
	const ask = noteSpared(group, world);
	if (ask.length === 0 || otherMembers === undefined) return group;
	const isAsked = isPartial(otherMembers, key);
	const all = await attempt(async () =>
		isAsked ? await client.getGroup(groupId, otherMembers.of(key)) : group,
	);
	const shown = all.ok ? all.value : group;
	await readUsers(noteSpared(shown, world), true, world);
	noteSpared(shown, world);
	return group;
}

/** Reads a page of the other members before a removal from a group that was asked about some people alone. */
export async function lookForOtherMembers(
	groupId: string,
	{ client, ids, otherMembers }: Pick<SendContext, 'client' | 'ids' | 'otherMembers'>,
): Promise<void> {
	const key = ids.key(groupId);
	if (otherMembers === undefined || !isPartial(otherMembers, key)) return;
	if (otherMembers.areSpared || otherMembers.of(key).length > 0) return;
	const some = await attempt(async () => await client.someMembers(groupId));
	if (some.ok) otherMembers.note(key, some.value);
}

/**
 * Notes the answer to a change of members, at once: the answer to another request may be about the same group.
 * @returns whether it lacks otherMembers: it may show a part of the members, so a read has to tell before other removals leave
 */
export function seeAnswer(
	groupId: string,
	group: Group,
	left: Leaving,
	world: SendContext,
): boolean {
	const { facts, ids, otherMembers } = world;
	const key = ids.key(groupId);
	const others = facts.membersChangeOf(key) === undefined ? [] : (otherMembers?.of(key) ?? []);
	if (missingFrom(group, others).length > 0) return true;
	facts.seeGroup(groupId, { ok: true, value: group }, left, 'write');
	if (!isRisky(key, otherMembers)) noteSpared(group, world);
	return false;
}

/**
 * Notes what a group shows of otherMembers after a change of its members.
 * @returns those who are missing and have to be asked first
 */
export function noteSpared(
	shown: Group,
	{ facts, ids, otherMembers }: Pick<SendContext, 'facts' | 'ids' | 'otherMembers'>,
): readonly string[] {
	const key = ids.key(shown.id);
	const change = facts.membersChangeOf(key);
	if (otherMembers === undefined || change === undefined || shown.members === undefined) return [];
	// What shows a part of the members shows another part once some are added.
	if (change.removed.size === 0 && isCut(shown, facts.showsHow())) return [];
	const { since, added, removed } = change;
	const { groups, names } = otherMembers.access;
	const nested = new Set(groups.get(key)?.nested);
	const told = sparedBy({
		...{ otherMembers: otherMembers.of(key), added, removed, shown },
		says: (id) => (nested.has(id) ? 'neither' : saidOf(facts.user(id, since), key, ids.key)),
	});
	if (told === undefined) return [];
	if ('ask' in told) return told.ask;
	const { lost, othersStay } = told;
	facts.forgetMembersChange(key);
	otherMembers.areSpared ||= othersStay && removed.size > 0;
	if (lost.length === 0) return [];
	const nameOf = (id: string) => {
		const user = facts.user(id, since);
		const userName = user?.ok === true ? user.value?.userName : undefined;
		return nested.has(id) ? `group ${id}` : userName || (names.get(id) ?? id);
	};
	otherMembers.losses.set(key, lossOf(shown.id, lost.map(nameOf), othersStay, removed.size > 0));
	return [];
}

/**
 * Tells what a user shows of a group: another client may have deleted or deactivated it in the meantime, and who shows the
 * group is in it.
 */
function saidOf(
	user: Attempt<User | undefined> | undefined,
	key: string,
	keyOf: (groupId: string) => string,
): ReturnType<AfterChange['says']> {
	if (user?.ok !== true) return user && 'neither';
	if (showsGroup(user.value, key, keyOf)) return 'member';
	return user.value === undefined || shownActivity(user.value) === 'inactive' ? 'left' : 'neither';
}

/**
 * Reads a group by ID, for a PUT that is made of it.
 * @throws InputError where a member may not be shown: the PUT would remove that person
 */
export async function readWholeGroup(
	groupId: string,
	world: Pick<SendContext, 'client' | 'facts' | 'ids' | 'reader' | 'otherMembers'>,
): Promise<Group & Required<Pick<Group, 'members'>>> {
	const group = await readGroupNow(groupId, undefined, world);
	const { groupsShowMembers } = world.client.profile;
	const whole = groupsShowMembers === 'yes' ? { ...group, members: group.members ?? [] } : group;
	if (showsAllMembers(whole, world.facts)) return whole;
	throw new InputError(
		`The service has no PATCH of groups, and does not show all members of group ${groupId}, whom a PUT would remove`,
		'If it shows all members of its groups, set Groups Show Members to Yes under Override Profile in the credential.',
	);
}

/** Tells whether a group shows all of its members (rule of evidence, "may be replaced whole"). */
export function showsAllMembers(
	group: Group,
	facts: SendContext['facts'],
): group is Group & Required<Pick<Group, 'members'>> {
	const { byFilter, members } = group;
	const isShown = members !== undefined && (members.length > 0 || facts.showsMembers(true));
	return isShown && byFilter !== true && !mayHideSome(group, facts.showsHow());
}
