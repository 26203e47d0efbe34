import { addTo, attempt, mapConcurrent, poll } from '../util';
import type { Group } from '../scim';
import { isNotFound } from './found';
import type { World } from './world';

type Looking = Pick<World, 'client' | 'ids' | 'reader' | 'concurrency' | 'evidence' | 'bystanders'>;

/** Looks with growing pauses until all of these are so, or patience ends; what is so already is not read. */
export async function lookForMembers<T extends { groupId: string; id: string }>(
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
		const silent = open.filter(({ groupId }) => evidence.isSilent(ids.key(groupId), 0));
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
