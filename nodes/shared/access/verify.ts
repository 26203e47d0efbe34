import { attempt, type Attempt, mapConcurrent, poll } from '../util';
import { failureOf, isFailure, type Missing } from '../run';
import type { Group, GroupIds, ScimClient, User } from '../scim';
import { isNotFound, type Directory } from './directory';
import type { AppliedPart, Check, ProvisioningResult } from './step';

/** A service that refused has most likely meant it: so often it is looked whether something was done anyway. */
const LOOKS_AFTER_REFUSAL = 3;

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
	let parts = [...applied];
	/** Positions of the parts whose last look went wrong, so that nothing is known by it. */
	const blind = new Set<number>();
	const refusedAfterAll = (part: AppliedPart, index: number) =>
		blind.has(index) ? part : notDone(part);
	let looks = 0;
	await poll(client.patience, async () => {
		const open = parts.flatMap((part, index) =>
			part.open?.kind === 'unseen' ? [{ part, check: part.open.check, index }] : [],
		);
		if (open.length === 0) return true;
		const looked = await attempt(async () => await look(open, client, directory, ids, concurrency));
		open.forEach(({ part, index }, at) => {
			const judged = looked.ok ? looked.value[at] : looked;
			parts[index] = judged.ok ? judged.value : couldNotLook(part, judged.error);
			if (judged.ok) blind.delete(index);
			else blind.add(index);
		});
		looks += 1;
		if (looks >= LOOKS_AFTER_REFUSAL) parts = parts.map(refusedAfterAll);
		return parts.every((part) => part.open?.kind !== 'unseen') ? true : undefined;
	});
	return parts.map(refusedAfterAll);
}

/** A request that the service refused and that nothing shows to have worked was not done. */
function notDone(part: AppliedPart): AppliedPart {
	const { outcome, open } = part;
	if (open?.kind !== 'unseen' || !open.refused || !isFailure(outcome)) return part;
	return { ...part, outcome: failureOf(outcome.action, outcome.error), open: undefined };
}

interface Unseen {
	part: AppliedPart;
	check: Check;
}

async function look(
	open: readonly Unseen[],
	client: ScimClient,
	directory: Directory,
	ids: GroupIds,
	concurrency: number,
): Promise<Array<Attempt<AppliedPart>>> {
	const checks = open.map(({ check }) => check);
	const asked = new Map<string, { groupId: string; of: string[] }>();
	for (const check of checks) {
		if (check.kind === 'user') continue;
		const groupId = check.kind === 'member' ? check.groupId : check.id;
		const same = asked.get(ids.key(groupId)) ?? { groupId, of: [] };
		asked.set(ids.key(groupId), same);
		if (check.kind === 'member') same.of.push(check.id);
	}
	const groups = await readGroups(asked, client, directory, concurrency);
	const members = new Map(
		[...groups].map(([key, group]) => [
			key,
			new Set(group.ok ? group.value?.members?.map(({ id }) => id) : []),
		]),
	);
	// A group that shows nobody may be one that never does: then the users themselves say where they belong.
	const silent = (groupId: string) => {
		const group = groups.get(ids.key(groupId));
		if (group?.ok !== true || group.value?.byFilter === true) return false;
		return (group.value?.members ?? []).length === 0;
	};
	const userIds = checks.flatMap((check) =>
		check.kind === 'user' || (check.kind === 'member' && silent(check.groupId)) ? [check.id] : [],
	);
	const byId = new Set(
		checks.flatMap((check) => (check.kind === 'user' && check.byId ? [check.id] : [])),
	);
	const others = userIds.filter((id) => !byId.has(id));
	const users = new Map([
		...(await directory.readUsers([...new Set(others)])),
		...(await directory.readUsers([...byId], false)),
	]);
	return open.map((one) => judge(one, users, groups, members, client, ids));
}

/** One part against what was read for it; another read that went wrong says nothing of this one. */
function judge(
	{ part, check }: Unseen,
	users: ReadonlyMap<string, Attempt<User | undefined>>,
	groups: ReadonlyMap<string, Attempt<Group | undefined>>,
	members: ReadonlyMap<string, ReadonlySet<string>>,
	client: ScimClient,
	ids: GroupIds,
): Attempt<AppliedPart> {
	const user = users.get(check.id);
	if (check.kind === 'user') {
		if (user?.ok !== true) return { ok: false, error: user?.error };
		const shown = user.value;
		const missing = check.missing(shown);
		const judged = settle(part, missing, shown && { who: { kind: 'user', user: shown } });
		const settled = missing === undefined ? check.settled?.(judged, shown) : undefined;
		return { ok: true, value: settled ?? judged };
	}
	const key = ids.key(check.kind === 'group' ? check.id : check.groupId);
	const read = groups.get(key);
	if (read?.ok !== true) return { ok: false, error: read?.error };
	const group = read.value;
	if (check.kind === 'group') {
		const missing = check.missing(group);
		const judged = settle(part, missing, group && { group });
		const settled = missing === undefined ? check.settled?.(judged) : undefined;
		return { ok: true, value: settled ?? judged };
	}
	if (user?.ok === false) return user;
	const groupShows = members.get(key)?.has(check.id) === true;
	const userGroups = user?.value?.groupIds;
	const present = groupShows || userGroups?.some((id) => ids.key(id) === key) === true;
	// "Not a member" is only believed of a service that shows members at all, in the group or on the user.
	const shows =
		(group?.members !== undefined && (group.byFilter !== true || client.filtersFound())) ||
		userGroups !== undefined ||
		client.profile.groupsShowMembers === 'yes';
	const agrees = present === check.present && (present || shows);
	const isSilent = group?.byFilter !== true && silentUser(user?.value) && !client.showsMembers();
	const hidden = check.present ? isSilent : !shows;
	const missing = agrees ? undefined : missingMembership(check.present, hidden);
	return { ok: true, value: settle(part, missing, group && { group }) };
}

function silentUser(user: User | undefined): boolean {
	return (user?.groupIds ?? []).length === 0;
}

function missingMembership(present: boolean, hidden: boolean): Missing {
	const reason = present
		? 'neither the group nor the user shows it'
		: 'the service still shows it, or does not show members at all';
	return { reason, ...(hidden && { hidden }) };
}

/** The groups as they are now, each once; undefined for one that is gone. */
async function readGroups(
	asked: ReadonlyMap<string, { groupId: string; of: readonly string[] }>,
	client: ScimClient,
	directory: Directory,
	concurrency: number,
): Promise<Map<string, Attempt<Group | undefined>>> {
	const groups = new Map<string, Attempt<Group | undefined>>();
	await mapConcurrent([...asked], concurrency, async ([key, { groupId, of }]) => {
		const tried = await attempt(async () => await client.getGroup(groupId, of));
		const gone = isNotFound(tried)
			? await attempt(async () => await directory.isGroupGone(groupId))
			: undefined;
		const isGone = gone?.ok === true && gone.value;
		groups.set(key, isGone ? { ok: true, value: undefined } : gone?.ok === false ? gone : tried);
	});
	return groups;
}

/** @param shown what the look has shown */
function settle(
	part: AppliedPart,
	missing: Missing | undefined,
	shown: ProvisioningResult = {},
): AppliedPart {
	const { action, warnings } = part.outcome;
	const result = { ...part.result, ...shown };
	return missing === undefined
		? { ...part, outcome: { status: 'done', action, warnings }, result, open: undefined }
		: {
				...part,
				outcome: {
					...part.outcome,
					status: 'unverified',
					reason: missing.reason,
					hidden: missing.hidden,
					goesOn: missing.goesOn,
				},
				result,
			};
}

function couldNotLook(part: AppliedPart, error: unknown): AppliedPart {
	const reason = error instanceof Error ? error.message : String(error);
	return { ...part, outcome: { error, ...part.outcome, status: 'unverified', reason } };
}
