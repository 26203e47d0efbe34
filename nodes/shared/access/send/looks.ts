import { addTo, attempt, type Attempt, InputError, mapConcurrent, poll, shown } from '../../util';
import {
	type Group,
	isCut,
	type Leaving,
	mayHideSome,
	showsGroup,
	type User,
	shownActivity,
	attribute,
	type Asked,
	compareUser,
	lostPaths,
	type Attributes,
	type Form,
} from '../../scim';
import { isNotFound } from '../facts';
import { deactivates, type AccountChange } from '../changes';
import {
	isPartial,
	isRisky,
	lossOf,
	missingFrom,
	sparedBy,
	type AfterChange,
} from './otherMembers';
import { type SendContext, sentInOf, type UserState } from './context';
import type { Entry } from './schedule';

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
function noteSpared(
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

/** A group that is looked at, for what was sent about it. */
export interface LookedGroup {
	groupId: string;
	/** The people who have to be known of it. */
	people: string[];
	entries: Entry[];
}

/**
 * Looks at groups. Those whose answers show what was sent wait until one of each form was read: where that shows the same, the
 * answers of the others are believed.
 * @param isShown whether what is known shows an entry as requested
 */
export async function lookAtChangedGroups(
	groups: ReadonlyMap<string, LookedGroup>,
	isShown: (entry: Entry) => boolean,
	world: SendContext,
): Promise<void> {
	const isUnread = ([key, { entries }]: [string, LookedGroup]) =>
		entries.some((entry) => isMereAnswer(key, formOf(entry), world));
	const answered = [...groups].filter((one) => isUnread(one) && one[1].entries.every(isShown));
	/** Read anyway, these come first. */
	const isRead = ([key]: [string, LookedGroup]) => isReadAfterRemoval(key, world);
	answered.sort((one, other) => Number(isRead(other)) - Number(isRead(one)));
	const { facts, client, stateOf } = world;
	/** Reads that lag show the first one soon; meanwhile the answers of the others keep. */
	const isEarly = ([, { entries }]: [string, LookedGroup]) =>
		client.timing.limitMs >= LAG_MS && entries.every((one) => stateOf(one).looks < LOOKS_OF_LAG);
	const forms = new Set<string>(
		facts.doubtsAnswers
			? answered.filter(isEarly).flatMap(([, one]) => one.entries.map(formOf))
			: [],
	);
	const waiting = new Set<string>();
	for (const [key, { entries }] of answered) {
		for (const entry of entries) stateOf(entry).isAnswered = true;
		const own = entries.map(formOf);
		if (own.every((form) => forms.has(form)) && !isReadAfterRemoval(key, world)) waiting.add(key);
		for (const form of own) forms.add(form);
	}
	const readAll = async (some: ReadonlyArray<[string, LookedGroup]>) => {
		await lookAtGroups(new Map(some.map(([, one]) => [one.groupId, one.people])), world);
		for (const [key, { entries }] of some) noteAfterAnswer(key, entries, isShown, world);
	};
	await readAll([...groups].filter(([key]) => !waiting.has(key)));
	const left = answered.filter((one) => waiting.has(one[0]) && isUnread(one));
	await readAll(left.filter((one) => !(facts.doubtsAnswers && isEarly(one))));
}

/** What services lag by, most often, and how many looks that takes. */
const LAG_MS = 4_000;
const LOOKS_OF_LAG = 5;

function formOf({ change, gives }: Entry): string {
	if (change.about === 'group') return GROUP_FORMS.attributes;
	return gives === true ? GROUP_FORMS.adds : GROUP_FORMS.removes;
}

function noteAfterAnswer(
	key: string,
	entries: readonly Entry[],
	isShown: (entry: Entry) => boolean,
	{ facts, stateOf }: SendContext,
): void {
	if (facts.group(key)?.ok !== true || facts.isAnswerOfGroup(key)) return;
	for (const entry of entries.filter((one) => stateOf(one).isAnswered))
		facts.noteAfterAnswer(entry.change.key, formOf(entry), isShown(entry));
}

// Rule of evidence, "did what was asked": what the answer to a change of a user or a group is worth.

/**
 * Tells whether only a GET of the user counts, and no list, nor the answer to the write: some services answer with the new
 * user name and keep the old one (test/contract/interface.md 2.2).
 */
export function isReadById(change: AccountChange): boolean {
	if (change.before === 'absent') return false;
	return change.after === 'absent' || change.attributes?.userName !== undefined;
}

/** Tells whether a change is read whatever its answer shows: nobody looks again at who was shut out. */
export function isAlwaysRead(
	change: AccountChange,
	{ client, endsAreRead }: Pick<SendContext, 'client' | 'endsAreRead'>,
): boolean {
	const isRead = client.profile.answersAreKnown || endsAreRead;
	return isReadById(change) || (!isRead && isDeactivation(change));
}

function isDeactivation({ before, after, attributes }: AccountChange): boolean {
	return before !== 'absent' && deactivates(attributes ?? { active: after === 'active' });
}

/** Tells whether what the answer has shown is so. */
export function isProvenByAnswer(
	state: UserState,
	world: Pick<SendContext, 'client' | 'endsAreRead' | 'facts'>,
): boolean {
	const { change } = state;
	const isReadLater = world.endsAreRead && isDeactivation(change);
	return (
		!isAlwaysRead(change, world) &&
		world.facts.believesAnswers(isReadLater ? undefined : sentInOf(state))
	);
}

/** The forms of a change of a group: its answers are worth something once a read has shown the same. */
export const GROUP_FORMS = {
	adds: 'members added',
	removes: 'members removed',
	attributes: 'attributes of a group',
} as const;

/**
 * Tells whether a group was shown by the answer to a write in this form alone, which is no evidence yet; a proof reads it
 * anyway.
 */
export function isMereAnswer(
	key: string,
	form: string,
	{ facts, endsAreRead }: Pick<SendContext, 'facts' | 'endsAreRead'>,
): boolean {
	return !endsAreRead && facts.isAnswerOfGroup(key) && !facts.believesAnswers(form);
}

/**
 * Tells whether a group has to be read after a removal: an answer may show a part of the members, so that only a read tells
 * of the others.
 */
export function isReadAfterRemoval(
	key: string,
	{ facts, otherMembers }: Pick<SendContext, 'facts' | 'otherMembers'>,
): boolean {
	return isRisky(key, otherMembers) && facts.isUnreadAfterRemoval(key);
}

/** Names the form of an update that a read after it may prove; undefined where the user was shown like that before. */
export function formToProve(
	form: Form,
	id: string,
	attributes: Attributes,
	{ client, facts }: Pick<SendContext, 'client' | 'facts'>,
): string | undefined {
	const before = facts.lastRead(id);
	if (before !== undefined) {
		const { different, notShown } = compareUser(attributes, before, client.profile);
		if (different.length + notShown.length === 0) return undefined;
	}
	return nameOfForm(form);
}

function nameOfForm(form: Form): string {
	return [...form].sort().join(' ');
}

/**
 * Stops an update in a form that has taken other values along.
 * @throws InputError where an update in this form has taken other values along
 */
export function refuseLossy(form: Form, { learned }: Pick<SendContext, 'learned'>): void {
	const loss = learned.losses.get(nameOfForm(form));
	if (loss === undefined) return;
	throw new InputError(
		`Nothing was sent, since an update took other values along: ${loss}`,
		'Check the user at the service, and restore the missing values.',
	);
}

/** A user as shown before an update, and how that was read. */
export interface UserBefore {
	user: User;
	asked: Asked | undefined;
}

/** Finds a user as lists and filters show it now; undefined where they do not tell. */
async function findAgain(
	{ id, userName }: User,
	{ reader }: SendContext,
): Promise<User | undefined> {
	const found = await reader.people.find([userName], { absence: 'refusable', fresh: true });
	const hit = found.get(userName);
	return hit?.kind === 'found' && hit.user.id === id ? hit.user : undefined;
}

/**
 * Reads what an answer does not show any more: it may show a part.
 * @param before as shown before the update
 * @param asked how that was read
 * @returns what is wrong; undefined where all is there
 */
export async function findLoss(
	form: Form,
	{ user: before, asked }: UserBefore,
	answer: User,
	attributes: Attributes,
	world: SendContext,
): Promise<InputError | undefined> {
	const { client, learned } = world;
	const name = nameOfForm(form);
	const isKnown = client.profile.answersAreKnown || learned.partialAnswers.has(name);
	const lostIn = (user: User) => lostPaths(before.attributes, user.attributes, attributes);
	// Whoever is let in or shut out has other attributes of the service's own then.
	const turns = attribute(attributes, 'active') !== undefined;
	if (isKnown || turns || lostIn(answer).length === 0) return undefined;
	const read = await attempt(async () => await readUserNow(before.id, world));
	if (!read.ok) return undefined;
	// A list or a filter may show more than a read by ID does.
	const isLess = lostIn(read.value).length > 0 && asked !== 'id';
	const now = isLess ? await findAgain(before, world) : read.value;
	if (now === undefined) return undefined;
	const lost = lostIn(now);
	if (lost.length === 0) {
		learned.partialAnswers.add(name);
		return undefined;
	}
	const loss = `${shown(before.userName)} no longer has ${lost.join(', ')}, which nobody asked to remove`;
	learned.losses.set(name, loss);
	return new InputError(
		`The update took other values along: ${loss}`,
		'Restore the missing values at the service.',
	);
}
