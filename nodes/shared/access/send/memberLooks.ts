import { attempt, InputError, poll, shown } from '../../util';
import { idsIn, versionOf, type Group } from '../../scim';
import { isGain, isValue, lost, nameOf } from '../changes';
import { type AdminQuestion, type Case, isOtherNow, sourceOf } from '../guards';
import { mayBeGone, wasHidden, type GroupMoves, type Move } from './groupMoves';
import { lookForMembers, readGroupNow } from './looks';
import {
	copiedNow,
	isAdminLeft,
	judgeNow,
	otherGroupNow,
	questionsFor,
	withNext,
	withoutAdmin,
} from './preconditions';
import { failed } from './context';

const MOST_NAMED = 10;

/** Looks before a late change, and before one that is sent again. @param repeated whether this request was sent before */
export async function look(work: GroupMoves, repeated = false): Promise<void> {
	const left = work.world.facts.leaving();
	if (!repeated) await lookAtAllGroups(work);
	await lookAtGroup(work, repeated);
	await lookAtPeople(work);
	// Not of a look that breaks off: the next request has to look, too.
	work.lookedAt = left;
}

/**
 * Reads all groups together, for this look and all of the next 5 seconds, where the service shows them whole in one answer. One
 * that takes longer, or lacks a group, is not read again: then each group is read by itself.
 */
async function lookAtAllGroups({ key, siblings, moves, world }: GroupMoves): Promise<void> {
	const { client, facts, learned } = world;
	const ids = moves.map(({ id }) => id);
	// Which roles people have is asked of those who get one.
	const others = moves.some(({ gives }) => gives) ? siblings : [];
	const keys = [key, ...others.map((one) => one.key)];
	const areKnown = () => keys.every((one) => facts.freshGroup(one, ids) !== undefined);
	if (!client.profile.listsAreExact || learned.listing === 'ofNoUse' || areKnown()) return;
	learned.listing ??= attempt(async () => await client.listGroups());
	const { listing } = learned;
	await listing;
	if (learned.listing === listing) learned.listing = areKnown() ? undefined : 'ofNoUse';
}

/**
 * Looks who is in the group: a person who is out now needs no removal, and one with another role there would lose that
 * one (test/contract/interface.md 2.3).
 */
async function lookAtGroup(work: GroupMoves, repeated: boolean): Promise<void> {
	// What an add of this run has moved shows in a later look only.
	const isOld = repeated || work.moves.some(mayBeGone);
	const ids = work.moves.map(({ id }) => id);
	const known = isOld ? undefined : work.world.facts.freshGroup(work.key, ids);
	const group = known ?? (await readGroupNow(work.groupId, ids, work.world));
	work.settleShown(
		work.openOf(work.moves).filter(({ gives }) => gives),
		repeated,
	);
	refuseOther(work, group);
	const gone = work.openOf(work.moves).filter((move) => !move.gives && !idsIn(group).has(move.id));
	const hidden = gone.filter((move) => wasHidden(move.entry, work.world));
	for (const move of hidden) await lookAtHidden(work, move, repeated);
	const unseen = gone.filter((move) => !wasHidden(move.entry, work.world));
	const isOut = (move: Move) => work.isMember(move) === false;
	for (const move of unseen.filter(mayBeGone))
		if (isOut(move)) work.settle(move, work.doneVerdictOf(move));
	const others = unseen.filter((move) => !mayBeGone(move));
	const roles = await rolesNow(
		work,
		others.map(({ id }) => id),
		// Who has left a group that was just read may have come to another one since that was shown.
		knownIn(work, known === undefined),
	);
	// A removal takes the other role also of whom the group does not tell, as an empty one may not.
	for (const move of others)
		if (roles.has(move.id) || isOut(move)) work.settleGone(move, roles.get(move.id), repeated);
}

/** Refuses all changes of a group that is another one now. */
function refuseOther(work: GroupMoves, group: Group): void {
	const fault = otherGroupNow(work.key, group, work.world);
	for (const move of fault ? work.openOf(work.moves) : []) work.refuse(move, fault);
}

/** Reads a person that the group never showed; what was never sent, and cannot be told, is not sent. */
async function lookAtHidden(work: GroupMoves, move: Move, repeated: boolean): Promise<void> {
	const { facts, readAccounts } = work.world;
	const { number } = facts.leaving();
	await readAccounts([move.id], true);
	const isMember = work.isMember(move);
	if (isMember === true) return;
	const user = facts.user(move.id);
	if (isMember === false) work.settleGone(move, undefined, repeated);
	else if (move.state.since > 0) {
		move.state.since = number;
		work.sent.add(move);
	} else {
		const untold = new InputError(
			'Neither the group nor the user shows whether the person is still in it, so nothing was removed',
			'Run again.',
		);
		work.refuse(move, user?.ok === false ? user.error : untold);
	}
}

/** Looks at the people whose access changes, and the admins who would be left. */
export async function lookAtPeople(work: GroupMoves): Promise<void> {
	const copied = await readCopied(work);
	await lookAtReplacements(work);
	await lookAtRoles(work);
	const { number } = work.world.facts.leaving();
	await judgePeople(work, copied);
	lookAtLaterRoles(work, number);
	await lookAtAdmins(work);
}

/** Reads what is copied of other accounts, each once; what cannot be read refuses the gain. */
async function readCopied(work: GroupMoves): Promise<ReadonlyMap<Move, Case['copied']>> {
	const copied = new Map<Move, Case['copied']>();
	const known = new Map<string, ReturnType<typeof copiedNow>>();
	for (const move of work.openOf(work.moves)) {
		const source = sourceOf(move.change);
		if (source === undefined) continue;
		const key = `${source.id}\n${move.id}`;
		const reading = known.get(key) ?? copiedNow(move.change, work.world);
		known.set(key, reading);
		const read = await attempt(async () => await reading);
		if (read.ok) copied.set(move, read.value);
		else work.refuse(move, read.error);
	}
	return copied;
}

/** Looks whether access of another kind is there, as what waited for it is taken only then. */
async function lookAtReplacements(work: GroupMoves): Promise<void> {
	const { world } = work;
	const { facts } = world;
	const replacements = work
		.openOf(work.moves)
		.flatMap((move) =>
			move.gives ? [] : world.replacementsOf(move.entry).map((one) => ({ ...one, move })),
		);
	const now = facts.leaving().number;
	// What this look has shown holds, whatever pauses another one makes meanwhile.
	const isThere = ({ move, key, id }: (typeof replacements)[number]) =>
		facts.membership(key, id, now).told === 'so' ||
		(!work.repeated.has(move) && facts.showedMember(key, id));
	// A read may be older than what has just put the person there.
	await lookForMembers(replacements, isThere, world);
	for (const one of replacements.filter((each) => !isThere(each))) {
		const { move, groupId, key, id, person } = one;
		const gone = new InputError(
			`${nameOf(person)} is not ${world.label(groupId)} any more, so nothing was removed there`,
			'Someone else changed it in the meantime. Check the person, and run again.',
		);
		const known = facts.membership(key, id, 0);
		work.settle(move, failed(move.action, (known.told === 'nothing' && known.error) || gone));
	}
}

/** Looks which roles those have in the organization who are to get one. */
async function lookAtRoles(work: GroupMoves): Promise<void> {
	const adds = work.openOf(work.moves).filter(({ gives }) => gives);
	const ids = adds.map(({ id }) => id);
	const isOld = adds.some((move) => work.repeated.has(move));
	const roles = await rolesNow(work, ids, knownIn(work, isOld));
	for (const move of work.siblings.length > 0 ? adds : [])
		refuseOtherRole(work, move, roles.get(move.id));
}

/** Looks which roles users show who were read after the groups of the organization: another client may have given them. */
function lookAtLaterRoles(work: GroupMoves, since: number): void {
	const { facts, ids } = work.world;
	for (const move of work.openOf(work.moves).filter(({ gives }) => gives)) {
		const isIn = ({ groupId }: { groupId: string }) =>
			facts.membership(ids.key(groupId), move.id, since).told === 'so';
		const now = work.siblings.find(isIn);
		if (now !== undefined) refuseOtherRole(work, move, now.label);
	}
}

/** Refuses to give a role to a person who has another one in that organization than planned. */
function refuseOtherRole(work: GroupMoves, move: Move, now: string | undefined): void {
	const from = lost(move.change).flatMap((one) => (isValue(one) ? [] : one.groupId));
	const before = work.siblings.find(({ groupId }) => from.includes(groupId))?.label;
	if (now === before) return;
	const error = isOtherNow(move.change.person, now ?? `not ${before}`);
	// A request that was sent before may have moved the person: the new role then shows a read later.
	if (now === undefined && work.repeated.has(move)) work.refuseUnlessShown(move, error);
	else work.settle(move, failed(move.action, error));
}

/** Reads who gains access, and whose ID was known as somebody's when this was planned, and judges by what is shown now. */
async function judgePeople(
	work: GroupMoves,
	copied: ReadonlyMap<Move, Case['copied']>,
): Promise<void> {
	const { learned, facts, planned, readAccounts, reader, client } = work.world;
	const open = work.openOf(work.moves);
	const adds = open.filter(({ gives }) => gives);
	const gaining = adds.filter(({ change }) => isGain(change));
	const isKnown = ({ id }: Move) => planned.has(id) && facts.isOldUser(id);
	const known = open.filter((move) => !gaining.includes(move) && isKnown(move));
	// A read may be older than what let the person in.
	const isLag = (move: Move) =>
		learned.activated.has(move.id) &&
		facts.user(move.id)?.ok !== false &&
		judgeNow(move.change, move.id, work.world) !== undefined;
	const all = [...gaining, ...known];
	let unread = all;
	await poll(client.timing, async () => {
		const ids = unread.map(({ id }) => id);
		const isRead = ids.every((id) => facts.isFreshUser(id));
		if (unread !== all) await readAccounts(ids, true);
		else if (!isRead) await readAccounts(withNext(ids, work.world));
		unread = gaining.filter(isLag);
		return unread.length > 0 ? undefined : true;
	});
	await reader.people.tellActivity(gaining.map(({ id }) => id));
	for (const move of work.openOf(adds)) {
		if (!isGain(move.change) && !copied.has(move)) continue;
		const refusal = judgeNow(move.change, move.id, work.world, copied.get(move));
		if (refusal !== undefined) work.refuse(move, refusal.error);
	}
}

/** Refuses what would take the last active admin of an organization. */
async function lookAtAdmins(work: GroupMoves): Promise<void> {
	const taken = work.openOf(work.moves).flatMap((move) =>
		questionsFor(move.change.person, work.world)
			.filter((question) => takesFrom(work, question.groupId, move))
			.map((question) => ({ move, question })),
	);
	// Those who come in the same list were just seen to be active.
	const comesAlong = ({ groupId }: AdminQuestion) =>
		work.request.isWhole === true &&
		work.key === work.world.ids.key(groupId) &&
		work.openOf(work.moves).some(({ gives }) => gives);
	for (const question of new Set(taken.map((one) => one.question))) {
		if (comesAlong(question) || (await isAdminLeft(question, work.world))) continue;
		for (const { move } of taken.filter((one) => one.question === question))
			work.settle(move, failed(move.action, withoutAdmin(question)));
	}
}

/** Tells whether a change takes a member out of a group, here or by moving the person. */
function takesFrom(work: GroupMoves, groupId: string, { change }: Move): boolean {
	const key = work.world.ids.key(groupId);
	return lost(change).some((one) => one.key === key);
}

/** A group as it was shown a moment ago, where that tells of these people. */
type Known = (key: string, ids: readonly string[]) => Group | undefined;

/** An answer to a write may show a part of a group. @param isOld whether only what is read from now on counts */
function knownIn({ world: { client, facts } }: GroupMoves, isOld: boolean): Known {
	const isRead = (key: string) => client.profile.answersAreKnown || !facts.isAnswerOfGroup(key);
	return (key, ids) => (isOld || !isRead(key) ? undefined : facts.freshGroup(key, ids));
}

/** Reads the roles in the same organization of people who are not in the group, where a write would take those. */
async function rolesNow(
	work: GroupMoves,
	ids: readonly string[],
	known: Known = () => undefined,
): Promise<Map<string, string>> {
	const roles = new Map<string, string>();
	if (ids.length === 0) return roles;
	const wanted = new Set(ids);
	for (const { groupId, key, label } of work.siblings) {
		const group = known(key, ids) ?? (await readGroupNow(groupId, ids, work.world));
		for (const { id } of group.members ?? []) if (wanted.has(id)) roles.set(id, label);
	}
	return roles;
}

/**
 * Looks at the group before a whole list is sent.
 * @returns the ids of the people who stay: a person moved out by a request of this run is not moved back
 * @throws InputError when the list would remove a person the plan did not know, or bring one back
 */
export async function lookAtList(
	work: GroupMoves,
	staying: readonly string[],
	moving: readonly string[],
	repeated: boolean,
): Promise<{ list: string[]; version: string | undefined }> {
	const { client, facts, learned, access } = work.world;
	const left = facts.leaving();
	const group = await readGroupNow(work.groupId, undefined, work.world);
	// What an earlier try of the list has made is ours, whatever else has changed.
	if (repeated) work.settleShown(work.openOf(work.moves), true);
	work.lookedAt = left;
	const members = idsIn(group);
	const known = new Set([...staying, ...work.moves.map(({ id }) => id)]);
	const strangers = (group.members ?? []).filter(({ id }) => !known.has(id));
	const leaving = new Set(moving);
	const organization = access?.placeOf(work.groupId)?.organization ?? '';
	const moved = learned.added.get(organization);
	const list = staying.filter(
		(id) => !leaving.has(id) || (members.has(id) && moved?.has(id) !== true),
	);
	const showsAll = group.members !== undefined || client.profile.groupsShowMembers === 'yes';
	const gone = list.filter((id) => showsAll && !members.has(id));
	const roles = await rolesNow(work, gone);
	const renamed = otherGroupNow(work.key, group, work.world);
	const problems = [
		...(renamed ? [`it is named "${shown(group.displayName)}" now`] : []),
		...(strangers.length > 0
			? [`${named(strangers.map(({ id, display }) => shown(display ?? id)))} joined it meanwhile`]
			: []),
		...gone.map((id) =>
			roles.has(id) ? `${id} is ${roles.get(id)} now` : `${id} left it meanwhile`,
		),
	];
	if (problems.length > 0) {
		const error = new InputError(
			`Group ${work.groupId} has changed since it was read: ${named(problems)}. The list was not sent`,
			'Run again: the list is then compared with what is there.',
		);
		for (const move of work.openOf(work.moves)) work.refuse(move, error);
		throw error;
	}
	work.settleShown(work.openOf(work.moves), repeated);
	await lookAtPeople(work);
	return { list, version: versionOf(group) };
}

/**
 * Reads the group after a refusal, and the roles that people have in the same organization who are out of it: with removals
 * among these, all groups at once where that is one request.
 */
export async function lookAfterRefusal(
	work: GroupMoves,
	open: readonly Move[],
): Promise<Map<string, string>> {
	const { world } = work;
	const { client } = world;
	const leaving = open.filter(({ gives }) => !gives).map(({ id }) => id);
	const ids = open.map(({ id }) => id);
	if (leaving.length === 0 || work.siblings.length === 0) {
		refuseOther(work, await readGroupNow(work.groupId, ids, world));
		await askSilent(work, open);
		return new Map();
	}
	const listed = client.profile.listsAreExact ? (await client.listGroups()).resources : [];
	const byKey = new Map(listed.map((group) => [world.ids.key(group.id), group]));
	const own = byKey.get(work.key);
	const group = own ?? (await readGroupNow(work.groupId, ids, world));
	refuseOther(work, group);
	await askSilent(work, open);
	const members = idsIn(group);
	return await rolesNow(
		work,
		leaving.filter((id) => !members.has(id)),
		(key) => byKey.get(key),
	);
}

/** Reads the added users where a group shows no members, and may never do so. */
async function askSilent(work: GroupMoves, open: readonly Move[]): Promise<void> {
	const { client, facts, readAccounts } = work.world;
	if (client.profile.groupsShowMembers === 'yes') return;
	const adds = open.filter(({ gives, id }) => gives && facts.isSilent(work.key, id));
	await readAccounts(
		adds.map(({ id }) => id),
		true,
	);
}

function named(entries: readonly string[]): string {
	const rest = entries.length - MOST_NAMED;
	return `${entries.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}
