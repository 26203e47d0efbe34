import { attempt, InputError, isLate, poll } from '../../util';
import { hasStatus } from '../../http';
import { valueKey, valueLabel, valuesOf, type User } from '../../scim';
import { usersShowGroups } from '../facts';
import { endingOf, type AccountChange, type Change, type Member, type Source } from '../changes';
import { lacksAdmin, type AdminQuestion } from '../guards';
import { readGroupNow, readUserNow } from './looks';
import { failed, type EntryState, type World } from './world';

/** Whether an end of an account is one only as long as something else is so, too. */
export function restsOnOthers(change: AccountChange, { admins }: World): boolean {
	if (endingOf(change) === undefined) return false;
	const { key } = change.person;
	return hasRest(change) || admins.some(({ leaving }) => leaving.has(key));
}

function hasRest({ restsOn }: Change): boolean {
	return restsOn.some(({ on }) => on === 'nothingElse');
}

/** Whether what a plan was made of may have changed. */
export function isPlanLate({ access, client }: World): boolean {
	return isLate(access?.readAt, client.patience);
}

/**
 * Looks at what an end of an account rests on: the person has nothing else, and another is admin. Where that is not so
 * any more, it notes what is to be said, and nothing is sent.
 * @returns the user, where the person is inactive, and `gone` where the user is no longer there: then nothing has to be sent
 * @throws RequestError when the look breaks off, which says nothing
 */
export async function lookAtRests(
	change: AccountChange,
	state: EntryState,
	world: World,
): Promise<User | 'gone' | undefined> {
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

/** Organizations of which a person stops being admin by this plan. */
export function questionsFor({ key }: Member, { admins }: World): AdminQuestion[] {
	return admins.filter(({ leaving }) => leaving.has(key));
}

async function lookAtOtherAccess(
	{ person, restsOn }: AccountChange,
	world: World,
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
	const rest = restsOn.find((one) => one.on === 'nothingElse');
	const known = new Set(rest?.groups);
	const isKnown = (groupId: string) =>
		known.has(ids.key(groupId)) || ignored?.has(ids.key(groupId)) === true;
	const own = await groupsNow(user, world);
	const others = [
		...own.filter((groupId) => !isKnown(groupId)).map(label),
		...valuesOf(user, client.profile)
			.filter((value) => rest?.values?.includes(valueKey(value)) !== true)
			.map((value) => `holder of ${valueLabel(value)}`),
	];
	if (others.length > 0) throw hasAccess(person, others);
	// Who is inactive and in a group anyway loses it with the deactivation, as far as the service works like that.
	return user.active === false && own.length === 0 ? user : undefined;
}

/** Whose access a change copies. */
export function sourceOf({ restsOn }: Change): Source | undefined {
	return restsOn.find((rest) => rest.on === 'source');
}

/**
 * What speaks against giving a person the access of another user: that one has lost some since, has got some, or is inactive.
 * Undefined where all is as it was.
 */
export async function changeOfSource(
	{ id, userName, groups, values, isActive }: Source,
	world: World,
): Promise<InputError | undefined> {
	const user = await readUserNow(id, world);
	const now = new Set((await groupsNow(user, world)).map(world.ids.key));
	const held = new Set(valuesOf(user, world.client.profile).map(valueKey));
	const isAs = (shown: ReadonlySet<string>, then: readonly string[]) =>
		shown.size === then.length && then.every((key) => shown.has(key));
	const isSame = isAs(now, groups) && isAs(held, values);
	if (isSame && (!isActive || world.facts.activityNow(user) === 'active')) return undefined;
	const what = isSame ? 'is inactive now' : 'does not have the same access any more';
	return new InputError(
		`${userName} ${what}, so no access was copied`,
		'Someone else changed it in the meantime. Check both accounts, and run again.',
	);
}

/** Ids of the groups that a user who was just read is in; where users do not say, those that show the user. */
async function groupsNow(user: User, { client, reader }: World): Promise<readonly string[]> {
	if (usersShowGroups([user], client.profile)) return user.groupIds ?? [];
	const people = [user.id];
	const before = await reader.memberships.read({ people });
	const isOld = isLate(before.readAt, client.patience);
	const access = isOld ? await reader.memberships.read({ people, fresh: true }) : before;
	return [...(access.held.get(user.id) ?? [])].flatMap((key) => access.groups.get(key)?.id ?? []);
}

/** Whether an organization keeps an active admin; where this run has added one there, reads may lag behind. */
export async function isAdminLeft(question: AdminQuestion, world: World): Promise<boolean> {
	const { groupId, leaving, organization } = question;
	const { client, reader, facts, ids, learned } = world;
	const isLeft = async (fresh: boolean) => {
		const known = fresh ? undefined : facts.freshGroup(ids.key(groupId), []);
		const { members = [] } = known ?? (await readGroupNow(groupId, undefined, world));
		const staying = members.filter(({ id }) => !leaving.has(id)).map(({ id }) => id);
		return (await reader.people.anyActive(staying)) || undefined;
	};
	if (await isLeft(false)) return true;
	const { patience } = client;
	const limitMs = learned.added.has(organization) ? patience.limitMs : 0;
	return (await poll({ ...patience, limitMs }, async () => await isLeft(true))) === true;
}

export function withoutAdmin({ organization }: AdminQuestion): InputError {
	return new InputError(
		lacksAdmin([organization]),
		'Someone else removed an admin in the meantime. Make another user admin first, and run again.',
	);
}

function hasAccess({ id, userName = id }: Member, roles: readonly string[]): InputError {
	return new InputError(
		`${userName} is ${roles.join(', ')} now, so the user was not deactivated`,
		'Someone gave the person access after the groups were read. Run again to compare again.',
	);
}
