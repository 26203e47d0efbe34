import { addTo, attempt, mapConcurrent, poll } from '../util';
import type { Group } from '../scim';
import { Bystanders } from './bystanders';
import { Evidence } from './evidence';
import { isNotFound } from './found';
import { notMember } from './groupMoves';
import type { World } from './world';

type Looking = Pick<World, 'client' | 'ids' | 'reader' | 'concurrency' | 'evidence' | 'bystanders'>;

/** A membership that there should be in the end, or not. */
export interface WantedMember {
	groupId: string;
	id: string;
	gives: boolean;
}

/** Looks until all of these are so, or patience ends. @returns those that are not, with what was seen instead */
export async function missingMembers(
	wanted: readonly WantedMember[],
	means: Pick<World, 'client' | 'ids' | 'reader' | 'concurrency'>,
): Promise<Map<WantedMember, { reason: string; error?: unknown }>> {
	const { client, ids } = means;
	const evidence = new Evidence(client, ids, client.patience);
	const bystanders = new Bystanders(client, [], undefined, ids);
	const membershipOf = ({ groupId, id }: WantedMember) =>
		evidence.membership(ids.key(groupId), id, 0);
	const isSo = (one: WantedMember) => membershipOf(one).is === one.gives;
	await lookForMembers(wanted, isSo, { ...means, evidence, bystanders });
	return new Map(
		wanted
			.filter((one) => !isSo(one))
			.map((one) => [one, notMember(one.gives, membershipOf(one).error)]),
	);
}

/** Looks with growing pauses until all of these are so, or patience ends; what is so already is not read. */
export async function lookForMembers<T extends Pick<WantedMember, 'groupId' | 'id'>>(
	wanted: readonly T[],
	isSo: (one: T) => boolean,
	world: Looking,
): Promise<void> {
	const { client, ids, evidence } = world;
	await poll(client.patience, async () => {
		const open = wanted.filter((one) => !isSo(one));
		const groups = new Map<string, string[]>();
		for (const { groupId, id } of open) addTo(groups, groupId, id);
		await lookAtGroups(groups, world);
		const silent = open.filter((one) => !isSo(one) && evidence.isSilent(ids.key(one.groupId), 0));
		await readUsers([...new Set(silent.map(({ id }) => id))], true, world);
		return wanted.every(isSo) ? true : undefined;
	});
}

/** Reads each of these groups once, as far as it has to be known of these people. */
export async function lookAtGroups(
	groups: ReadonlyMap<string, readonly string[]>,
	world: Looking,
): Promise<void> {
	const { evidence, reader, concurrency } = world;
	await mapConcurrent([...groups], concurrency, async ([groupId, people]) => {
		const left = evidence.leaving();
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
		evidence.seeGroup(groupId, seen, left);
	});
}

/** Reads users as they are now. @param mayList whether a list will do where it takes fewer requests */
export async function readUsers(
	people: readonly string[],
	mayList: boolean,
	world: Pick<World, 'evidence' | 'reader'>,
): Promise<void> {
	if (people.length === 0) return;
	const left = world.evidence.leaving();
	const question = { fresh: true, alone: !mayList };
	for (const [id, user] of await world.reader.people.readThere(people, question))
		world.evidence.seeUser(id, user, left);
}

/** A group as it is now. @param people of whom alone it has to be known whether they are in it */
export async function readGroupNow(
	groupId: string,
	people: readonly string[] | undefined,
	{ client, evidence, bystanders }: Pick<World, 'client' | 'evidence' | 'bystanders'>,
): Promise<Group> {
	const left = evidence.leaving();
	const of = people && [...people, ...bystanders.unseenIn(groupId)];
	const group = await client.getGroup(groupId, of);
	evidence.seeGroup(groupId, { ok: true, value: group }, left);
	await bystanders.look(group, true);
	return group;
}
