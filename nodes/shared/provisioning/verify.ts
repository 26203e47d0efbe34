import { attempt } from '../attempt';
import { lookUntilSeen } from '../patience';
import { mapInOrder } from '../request/pool';
import type { ScimClient } from '../scim/client/scimClient';
import type { GroupIds } from '../scim/protocol/groupId';
import type { Group, User } from '../scim/protocol/resource';
import type { Directory } from './directory';
import type { AppliedPart } from './step';

/**
 * Looks at the service for every part that carries a check, all of them together, again and again with growing pauses
 * until each check passes or the client's patience ends. Parts that pass are `done`; the others stay `unverified`, with
 * what is missing.
 */
export async function verify(
	applied: AppliedPart[],
	client: ScimClient,
	directory: Directory,
	ids: GroupIds,
	concurrency: number,
): Promise<AppliedPart[]> {
	const parts = [...applied];
	await lookUntilSeen(client.patience, async () => {
		const open = parts.flatMap((part, index) => (part.result?.check ? [{ part, index }] : []));
		if (open.length === 0) return true;
		const looked = await attempt(
			async () =>
				await look(
					open.map(({ part }) => part),
					client,
					directory,
					ids,
					concurrency,
				),
		);
		open.forEach(({ part, index }, at) => {
			parts[index] = looked.ok ? looked.value[at] : couldNotLook(part, looked.error);
		});
		return parts.every((part) => part.result?.check === undefined) ? true : undefined;
	});
	return parts;
}

async function look(
	parts: AppliedPart[],
	client: ScimClient,
	directory: Directory,
	ids: GroupIds,
	concurrency: number,
): Promise<AppliedPart[]> {
	const checks = parts.flatMap(({ result }) => result?.check ?? []);
	const groupKeys = new Map(
		checks.flatMap((check) =>
			check.kind === 'member' ? [[ids.key(check.groupId), check.groupId] as const] : [],
		),
	);
	const groups = new Map<string, Group>();
	await mapInOrder([...groupKeys], concurrency, async ([key, id]) => {
		groups.set(key, await client.getGroup(id));
	});
	// A group that shows nobody may be one that never does: then the users themselves say where they belong.
	const silent = (groupId: string) => (groups.get(ids.key(groupId))?.members ?? []).length === 0;
	const userIds = checks.flatMap((check) =>
		check.kind === 'user' || silent(check.groupId) ? [check.id] : [],
	);
	const users = await directory.readUsers([...new Set(userIds)]);
	return parts.map((part) => judge(part, users, groups, ids));
}

function judge(
	part: AppliedPart,
	users: ReadonlyMap<string, User | undefined>,
	groups: ReadonlyMap<string, Group>,
	ids: GroupIds,
): AppliedPart {
	const { check, ...result } = part.result ?? {};
	if (check === undefined) return part;
	if (check.kind === 'user') {
		const user = users.get(check.id);
		return settle(part, check.missing(user), { ...result, ...(user !== undefined && { user }) });
	}
	const group = groups.get(ids.key(check.groupId));
	const inGroup = group?.members?.some(({ id }) => id === check.id) === true;
	const shownByUser = users
		.get(check.id)
		?.groupIds?.some((id) => ids.key(id) === ids.key(check.groupId));
	const missing = inGroup || shownByUser ? undefined : 'neither the group nor the user shows it';
	return settle(part, missing, { ...result, group });
}

function settle(
	part: AppliedPart,
	missing: string | undefined,
	result: NonNullable<AppliedPart['result']>,
): AppliedPart {
	if (missing === undefined) {
		const { action, warnings } = part.outcome;
		return { ...part, outcome: { status: 'done', action, warnings }, result };
	}
	return {
		...part,
		outcome: { ...part.outcome, status: 'unverified', reason: missing },
		result: { ...result, check: part.result?.check },
	};
}

function couldNotLook(part: AppliedPart, error: unknown): AppliedPart {
	const why = error instanceof Error ? error.message : String(error);
	return { ...part, outcome: { ...part.outcome, status: 'unverified', reason: why, error } };
}
