import { attempt, InputError, isLate, messageOf, poll } from '../../util';
import { hasStatus } from '../../http';
import {
	findValues,
	type AccessValue,
	type Group,
	type Traits,
	type User,
	shownActivity,
} from '../../scim';
import { usersShowGroups } from '../facts';
import {
	endingOf,
	gained,
	kindOf,
	lost,
	restsOnWholeList,
	whoIs,
	type AccountChange,
	type Change,
	type EntitlementChange,
	type Person,
} from '../changes';
import {
	judge,
	keepsAdmin,
	lacksAdmin,
	nothingElseIn,
	otherAccess,
	otherGroup,
	sourceOf,
	valuesBeyond,
	type AdminQuestion,
	type Case,
	type HeldNow,
	type Refusal,
} from '../guards';
import { readGroupNow, readUserNow } from './looks';
import { type UserState, failed, unverified, type SendContext } from './context';

/** Tells whether something is looked at before a change of an account leaves: it takes its place first, as looks grow old. */
export function looksFirst(change: AccountChange, world: SendContext): boolean {
	return restsOnOthers(change, world) || restsOnIdentity(change, world);
}

/** Tells whether an end of an account is one only as long as something else is so, too. */
export function restsOnOthers(change: AccountChange, { admins }: SendContext): boolean {
	if (endingOf(change) === undefined) return false;
	const { key } = change.person;
	return hasRest(change) || admins.some(({ leaving }) => leaving.has(key));
}

function hasRest({ restsOn }: Change): boolean {
	return nothingElseIn(restsOn) !== undefined;
}

/**
 * Notes that an answer has told of a user whom no list of users shows: then the list of the plan was not whole. Who is listed
 * now may be new since the plan was made, unless it takes something from that very user.
 * @param find finds the user among those who are known
 */
export async function noteMet(
	name: string,
	find: () => User | undefined,
	{ learned, absentees, reader }: Pick<SendContext, 'learned' | 'absentees' | 'reader'>,
): Promise<void> {
	if (absentees.size === 0 || learned.metUser !== undefined) return;
	const listed = await attempt(async () => await reader.people.all());
	const user = find();
	const isListed = user !== undefined && listed.ok && listed.value.users.has(user.id);
	if (!isListed || absentees.has(user.id)) learned.metUser = name;
}

/** Returns why a change is not sent that rests on a whole list: a create has met a user whom the list did not show. */
export function listFault(
	change: Change,
	{ learned: { metUser } }: SendContext,
): InputError | undefined {
	if (metUser === undefined || !restsOnWholeList(change)) return undefined;
	return new InputError(
		`The list of users was not whole: ${metUser} exists already, and it did not show that user`,
		'Nobody is removed for being in no row. Check what the token may see, and run again.',
	);
}

/**
 * Tells whether a change counts only as long as the account is that of the person: one that lets somebody in or removes an
 * account, and a deactivation that was approved for this person.
 */
export function restsOnIdentity(
	change: Change,
	{ client, isApproved }: Pick<SendContext, 'isApproved'> & { client: { profile: Traits } },
): change is AccountChange {
	if (change.about !== 'account' || change.before === 'absent') return false;
	const ending = endingOf(change);
	if (ending !== 'deactivate') return ending === 'delete' || kindOf(change) === 'activated';
	return isApproved || client.profile.deactivation === 'removes';
}

/**
 * Looks whether an account is still that of the person, and notes where it is not; all that leave next are read together.
 * @throws RequestError when it cannot be read, which says nothing
 */
export async function lookAtIdentity(
	state: UserState,
	world: SendContext,
	isAgain = false,
): Promise<void> {
	const { action, person } = state.change;
	const { facts, planned, readAccounts } = world;
	const { id = '' } = person;
	// Known by ID alone, nothing tells who it was.
	if (!planned.has(id)) return;
	if (isAgain) await readAccounts([id], true);
	else if (facts.isOldUser(id)) await readAccounts(withNext([id], world));
	const read = facts.user(id);
	if (read?.ok === false) throw read.error;
	const now = read?.value;
	const other = now && judgeKnown(state.change, id, world);
	if (other === undefined) return;
	const result = { who: whoIs(person) };
	// A request that was sent before may have ended it: some services rename whom they delete.
	const isEnd = endingOf(state.change) !== undefined;
	const mayBeOurs = isAgain && isEnd && shownActivity(now) === 'inactive';
	state.verdict = mayBeOurs
		? unverified(action, state.change.warnings, { reason: messageOf(other.error) }, result)
		: failed(action, other.error, result);
}

/** Adds those whose changes leave within the 5 seconds for which a look counts, as far as that can be told. */
export function withNext(ids: readonly string[], { client, identified }: SendContext): string[] {
	const { writesPerMinute } = client.profile;
	const most = Math.ceil((writesPerMinute / MINUTE_S) * LOOK_COUNTS_S) || MOST_LOOKED_AT;
	const at = identified.indexOf(ids.at(-1) ?? '');
	const next = at < 0 ? [] : identified.slice(at + 1, at + Math.min(most, MOST_LOOKED_AT));
	return [...new Set([...ids, ...next])];
}

const MOST_LOOKED_AT = 50;
const [MINUTE_S, LOOK_COUNTS_S] = [60, 5];

/**
 * Judges a change once more, right before it leaves, by what was just read of the person.
 * @param copied what it copies of another account
 * @param leaving values that the same request takes
 */
export function judgeNow(
	change: AccountChange | EntitlementChange,
	id: string,
	world: SendContext,
	copied?: Case['copied'],
	leaving: readonly AccessValue[] = [],
): Refusal | undefined {
	const gives = change.about === 'entitlement' ? gained(change) : [];
	const takesValue = (value: AccessValue) => findValues(leaving, value).length > 0;
	const asked = { gives, takesValue, ...(copied && { copied }) };
	return judgeAtSend(change, id, asked, world.facts.user(id), world);
}

/** Judges a change once more without a look: who the person is and what is taken, by the last read that has shown the account. */
export function judgeKnown(
	change: AccountChange | EntitlementChange,
	id: string,
	world: SendContext,
): Refusal | undefined {
	const value = world.facts.lastRead(id);
	const takes = change.about === 'entitlement' ? lost(change) : [];
	const isLetIn = world.learned.activated.has(id);
	const asked = { takes, there: takes, isLetIn };
	return judgeAtSend(change, id, asked, value && { ok: true, value }, world);
}

function judgeAtSend(
	{ person }: AccountChange | EntitlementChange,
	id: string,
	asked: Partial<Case>,
	read: Case['read'],
	{ client, facts, access, label, isProtected, planned: users }: SendContext,
): Refusal | undefined {
	const planned = users.get(id);
	return judge(
		{
			...{ moment: 'send', person, gives: [], takes: [], there: [], isLetIn: false, ...asked },
			...(read && { read }),
			...(planned && { planned }),
		},
		{
			...{ profile: client.profile, label, isProtected },
			...(access && { access }),
			activity: (user) => facts.activityNow(user),
		},
	);
}

/** Tells why a group is not the one that was planned any more; a name that is not shown proves neither. */
export function otherGroupNow(
	key: string,
	group: Group,
	{ access }: Pick<SendContext, 'access'>,
): InputError | undefined {
	if (access?.groups.has(key) !== true || group.displayName === '') return undefined;
	const planned = access.membershipIn(key);
	return otherGroup(planned, group, planned);
}

/** Tells whether what a plan was made of may have changed. */
export function isPlanLate({ access, client }: SendContext): boolean {
	return isLate(access?.readAt, client.timing);
}

/**
 * Looks at what an end of an account rests on: the person has nothing else, and another is admin. Where that is not so
 * any more, it notes what is to be said, and nothing is sent.
 * @returns the user, where the person is inactive, and `gone` where the user is no longer there: then nothing has to be sent
 * @throws RequestError when the look breaks off, which says nothing
 */
export async function lookAtRests(
	state: UserState,
	world: SendContext,
): Promise<User | 'gone' | undefined> {
	const { change } = state;
	const looked = await attempt(async () => {
		const user = hasRest(change) ? await lookAtOtherAccess(change, world) : undefined;
		for (const question of user === undefined ? questionsFor(change.person, world) : [])
			if (!(await isAdminLeft(question, world))) throw withoutAdmin(question);
		return user;
	});
	if (looked.ok) return looked.value;
	if (!(looked.error instanceof InputError)) throw looked.error;
	state.verdict = failed(change.action, looked.error);
	return undefined;
}

/** Returns the organizations of which a person stops being admin by this plan. */
export function questionsFor({ key }: Person, { admins }: SendContext): AdminQuestion[] {
	return admins.filter(({ leaving }) => leaving.has(key));
}

/** Looks whether a person has access that the change does not know. */
async function lookAtOtherAccess(
	{ person, restsOn }: AccountChange,
	world: SendContext,
): Promise<User | 'gone' | undefined> {
	const { client, reader, ids, ignored, label } = world;
	const { id = '' } = person;
	const read = await attempt(async () => await readUserNow(id, world));
	if (!read.ok) {
		// Where a deactivation takes the memberships along, those of a user who is gone would stay.
		const canBeGone = client.profile.deactivation !== 'drops' && hasStatus(read.error, 404);
		const user = canBeGone ? (await reader.people.findHidden([id])).get(id) : undefined;
		if (user?.ok !== true || user.value !== undefined) throw read.error;
		return 'gone';
	}
	const user = read.value;
	const rest = nothingElseIn(restsOn);
	const known = new Set(rest?.groups);
	const isKnown = (groupId: string) =>
		known.has(ids.key(groupId)) || ignored?.has(ids.key(groupId)) === true;
	const own = await groupsNow(user, world);
	const others = own.filter((groupId) => !isKnown(groupId)).map(label);
	const fault = otherAccess(person, others, valuesBeyond(rest, user, client.profile));
	if (fault !== undefined) throw fault;
	// Who is inactive and in a group anyway loses it with the deactivation, as far as the service works like that.
	return shownActivity(user) === 'inactive' && own.length === 0 ? user : undefined;
}

/**
 * Reads what a change copies of another account, and the account that gets it.
 * @throws RequestError as a read does
 */
export async function copiedNow(change: Change, world: SendContext): Promise<Case['copied']> {
	const source = sourceOf(change);
	if (source === undefined || change.about === 'group') return undefined;
	const { id } = change.person;
	const from = { ok: true as const, value: await heldNow(source.id, world) };
	const to = id === undefined ? undefined : await heldNow(id, world);
	return { source, from, ...(to && { to }) };
}

/** Reads what a user has now; undefined where there is none. */
async function heldNow(id: string, world: SendContext): Promise<HeldNow | undefined> {
	const read = await attempt(async () => await readUserNow(id, world));
	if (!read.ok && !hasStatus(read.error, 404)) throw read.error;
	if (!read.ok) return undefined;
	const ids = await groupsNow(read.value, world);
	const groups = ids.map((groupId) => [world.ids.key(groupId), groupId] as const);
	return { user: read.value, groups: new Map(groups) };
}

/** Returns the IDs of the groups that a user who was just read is in; where users do not say, those that show the user. */
async function groupsNow(user: User, { client, reader }: SendContext): Promise<readonly string[]> {
	if (usersShowGroups([user], client.profile)) return user.groupIds ?? [];
	const people = [user.id];
	const before = await reader.memberships.read({ people });
	const isOld = isLate(before.readAt, client.timing);
	const access = isOld ? await reader.memberships.read({ people, fresh: true }) : before;
	return [...(access.held.get(user.id) ?? [])].flatMap((key) => access.groups.get(key)?.id ?? []);
}

/** Tells whether an organization keeps an active admin now; where this run has added one there, reads may lag behind. */
export async function isAdminLeft(question: AdminQuestion, world: SendContext): Promise<boolean> {
	const { groupId, organization } = question;
	const { client, reader, facts, learned } = world;
	const isLeft = async (fresh: boolean) => {
		const known = fresh ? undefined : facts.freshGroup(world.ids.key(groupId), []);
		const { members = [] } = known ?? (await readGroupNow(groupId, undefined, world));
		const ids = members.map(({ id }) => id);
		return (await keepsAdmin(question, ids, reader.people)) || undefined;
	};
	if (await isLeft(false)) return true;
	const { timing } = client;
	const limitMs = learned.added.has(organization) ? timing.limitMs : 0;
	return (await poll({ ...timing, limitMs }, async () => await isLeft(true))) === true;
}

/** Says that an organization would be without an admin. */
export function withoutAdmin({ organization }: AdminQuestion): InputError {
	return new InputError(
		lacksAdmin([organization]),
		'Someone else removed an admin in the meantime. Make another user admin first, and run again.',
	);
}
