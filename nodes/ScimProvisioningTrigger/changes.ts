import { InputError } from '../shared/util';
import {
	agreedSnapshot,
	ambiguousGroups,
	eventsBetween,
	hasSameAttributes,
	type Held,
	holdingsOf,
	seenGroup,
	seenValue,
	type Snapshot,
	type SnapshotEvent,
	unsureIn,
	withAccess,
	withHeld,
	withUsers,
} from '../shared/access';
import { hasStatus } from '../shared/http';
import { valuesOf } from '../shared/scim';
import { checkKnown, checkTime, directoryOf, look, type Watch } from './look';
import { checkLosses } from './losses';

/** So many who are missing from lists are asked for before the limits are looked at. */
const MOST_ASKED = 100;

export interface Changes {
	/** What is to be remembered. */
	after: Snapshot;
	/** What has happened, chosen or not. */
	events: SnapshotEvent[];
	/** What is strange about what the service shows, in words for n8n's log. */
	notes: string[];
}

/**
 * Looks what has changed since `watch.before`. Without any sign of a change one look is enough, else it takes two, and
 * whoever seems to have lost something is looked at alone, twice as well.
 * @throws RequestError and InputError when it cannot be seen, or looks like a broken service
 */
export async function changesOf(watch: Watch): Promise<Changes> {
	const { before, limits, wish } = watch;
	// Only two looks show that something has changed.
	checkTime(watch, 2);
	const first = await look(watch);
	checkComparable(before, first);
	const unsure = unsureIn(first);
	const notes = unsure === undefined ? [] : [`${unsure}, so nothing is reported there`];
	// What is not to be reported is looked at as well: remembered wrongly, it would be a wrong event next time.
	const once = agreedSnapshot(before, first, first);
	const { users, access, attributes } = newPart(first, before);
	const isNew = [users, access, attributes].some((part) => part !== undefined);
	const marked = [...(first.marks?.byUser.keys() ?? [])];
	const isMarkedAnew = marked.some((id) => before.marks?.byUser.has(id) !== true);
	if (isNew) notes.push(...ambiguousGroups(first.groups.values(), watch.connection.ids));
	if (!isNew && !isMarkedAnew && eventsBetween(before, once).length === 0) {
		return { after: once, events: [], notes };
	}
	await watch.connection.client.patience.wait(wish.confirmMs);
	checkTime({ ...watch, before: first }, 1);
	const second = await look(watch);
	checkComparable(first, second);
	if (isNew) checkBeginning(newPart(first, before), newPart(second, before), before);
	const agreed = agreedSnapshot(before, first, second);
	const suspected = eventsBetween(before, agreed);
	const losses = suspected.filter(isLoss);
	if (losses.length > MOST_ASKED) checkLosses(suspected, before, wish.organizations, limits);
	// One read alone may be as old as the lists: what is lost is looked at twice by itself, too.
	const likely = await proven(agreed, losses, watch);
	const after = await proven(likely, eventsBetween(before, likely).filter(isLoss), watch);
	const events = eventsBetween(before, after);
	checkLosses(events, before, wish.organizations, limits);
	const spared = suspected.length - events.length;
	if (spared > 0) {
		notes.push(`The lists of the service leave out ${spared} users or members who are still there`);
	}
	return { after, events, notes };
}

function isLoss({ kind }: SnapshotEvent): boolean {
	return kind === 'userDeleted' || kind === 'accessRevoked';
}

/** @throws InputError when one look shows what groups say and the other what users say of themselves */
function checkComparable(one: Snapshot, other: Snapshot): void {
	if (one.access === undefined || other.access === undefined) return;
	if (one.saidByUsers === other.saidByUsers) return;
	throw new InputError(
		other.saidByUsers
			? 'Groups no longer show members; only users show their groups'
			: 'Groups now show members; before, only users showed their groups',
		'The two cannot be compared. If this persists, replace this node with a new one.',
	);
}

/** A look without what there is something from before to compare with. */
function newPart({ users, access, attributes, ...seen }: Snapshot, before: Snapshot): Snapshot {
	const hasNewValues =
		attributes !== undefined && !hasSameAttributes({ ...seen, attributes }, before);
	const isValue = (key: string) => seen.groups.get(key)?.attribute !== undefined;
	const values = [...(access ?? [])].map(
		([id, keys]) => [id, new Set([...keys].filter(isValue))] as const,
	);
	return {
		...seen,
		// Whose attributes two looks do not show alike begins with a later one.
		marks: undefined,
		...(before.users === undefined && users && { users }),
		...(before.access === undefined && access && { access, attributes }),
		...(before.access !== undefined && hasNewValues && { access: new Map(values), attributes }),
	};
}

/**
 * What is there to begin with is what later looks are measured by, so two looks have to show the same.
 * @throws InputError when they do not, show nobody, or two roles where there is one
 */
function checkBeginning(first: Snapshot, second: Snapshot, before: Snapshot): void {
	const isEmpty = before.access === undefined && second.access?.size === 0;
	if (second.users?.size === 0 || isEmpty) {
		throw new InputError(
			`The service shows ${second.users?.size === 0 ? 'no users' : 'nobody in any group'}, so the trigger can't set a starting point`,
			'Check the service: are there users, and are they in groups?',
		);
	}
	const unsure = unsureIn(second);
	if (unsure !== undefined) {
		throw new InputError(
			`${unsure}, so the trigger can't set a starting point`,
			'Where users can have several roles, set One Role Per Organization to No in the credential. Otherwise remove one of the roles.',
		);
	}
	if (eventsBetween(first, second).length === 0) return;
	throw new InputError(
		"Two checks of the service differ, so the trigger can't set a starting point",
		'Something is changing right now, or the service returns old data at times. Try again in a moment.',
	);
}

/**
 * The snapshot with everybody whom lists leave out and who is there anyway: users at their own address, members
 * in the group itself, and those who say of themselves that they have another role. Lists may be older than any of
 * these, and leave people out.
 * @throws RequestError and InputError when it cannot be found out
 */
async function proven(
	seen: Snapshot,
	losses: readonly SnapshotEvent[],
	watch: Watch,
): Promise<Snapshot> {
	const { before } = watch;
	const missing = losses.flatMap(({ kind, id }) => (kind === 'userDeleted' ? [id] : []));
	const users = withUsers(seen, await stillThere(missing, seen, watch), before);
	const lost = losses.flatMap(({ kind, id, place = '', before: had }) =>
		kind === 'accessRevoked' && had !== undefined ? [{ id, place, ...had }] : [],
	);
	const values = lost.filter(({ attribute }) => attribute !== undefined);
	const kept = withAccess(users, await valuesStillThere(values, watch), before);
	const revoked = lost.filter(({ attribute }) => attribute === undefined);
	if (revoked.length === 0) return kept;
	const groupIds = revoked.flatMap(({ keys }) =>
		keys.map((key) => seen.groups.get(key)?.id ?? key),
	);
	const held = seen.saidByUsers
		? new Map<string, ReadonlySet<string>>()
		: (await directoryOf(watch).accessOf(groupIds)).held;
	const isIn = ({ id, keys }: (typeof revoked)[number]) =>
		keys.some((key) => held.get(id)?.has(key));
	const shown = withAccess(kept, revoked.filter(isIn), before);
	const gone = revoked.filter((loss) => !isIn(loss) && users.users?.has(loss.id) !== false);
	return withHeld(shown, await heldElsewhere(gone, seen.groups, watch), before);
}

/**
 * Values that the list of users leaves out, and that users have at their own address.
 * @throws RequestError when somebody cannot be looked at
 */
async function valuesStillThere<L extends { id: string; place: string }>(
	lost: readonly L[],
	watch: Watch,
): Promise<L[]> {
	const { profile } = watch.connection.client;
	const users = await directoryOf(watch).readById(lost.map(({ id }) => id));
	return lost.filter(({ id, place }) => {
		const user = users.get(id);
		if (user?.ok === false && !hasStatus(user.error, 404, 410)) throw user.error;
		return user?.ok && valuesOf(user.value, profile).some((one) => seenValue(one).place === place);
	});
}

/**
 * What people whom lists and groups leave out have anyway, by what they say of themselves: a role that changed
 * while the lists were read is in neither of them.
 * @throws RequestError when somebody cannot be looked at, so that nothing is reported of anybody
 */
async function heldElsewhere(
	revoked: ReadonlyArray<{ id: string; place: string }>,
	known: Snapshot['groups'],
	watch: Watch,
): Promise<Held[]> {
	const { ids } = watch.connection;
	const directory = directoryOf(watch);
	const users = await directory.readById(revoked.map(({ id }) => id));
	const there = revoked.filter(({ id }) => {
		const user = users.get(id);
		// Who is gone has nothing any more.
		if (user?.ok === false && !hasStatus(user.error, 404, 410)) throw user.error;
		return user?.ok === true;
	});
	const groupsSaidBy = (id: string) => {
		const user = users.get(id);
		return user?.ok === true ? user.value.groupIds : undefined;
	};
	// Where users do not say, all groups do.
	const isSilent = there.some(({ id }) => groupsSaidBy(id) === undefined);
	const access = isSilent ? checkKnown(await directory.access()) : undefined;
	const namesOf = (key: string) => (access?.groups.get(key) ?? known.get(key))?.displayName;
	return there.flatMap(({ id, place }) => {
		const shown = [...(access?.held.get(id) ?? [])].map(
			(key) => access?.groups.get(key)?.id ?? key,
		);
		const groups = new Map(
			(groupsSaidBy(id) ?? shown).map((groupId) => {
				const key = ids.key(groupId);
				return [key, seenGroup(groupId, namesOf(key) ?? groupId, ids)];
			}),
		);
		const held = holdingsOf(groups.keys(), groups).get(place);
		if (held === undefined) return [];
		const own = new Map([...groups].filter(([key]) => held.keys.includes(key)));
		return [{ id, place, groups: own }];
	});
}

/**
 * Users whom lists leave out and who are not gone, with whether they are active.
 * @throws InputError when users are not to be found one by one at all, so that it proves nothing
 */
async function stillThere(
	missing: readonly string[],
	{ users }: Snapshot,
	watch: Watch,
): Promise<Map<string, boolean | undefined>> {
	const directory = directoryOf(watch);
	const there = new Map<string, boolean | undefined>();
	for (const [id, user] of await directory.readById(missing)) {
		if (user.ok) there.set(id, user.value.active);
		else if (!hasStatus(user.error, 404, 410)) there.set(id, watch.before.users?.get(id));
	}
	const [witness] = users?.keys() ?? [];
	if (there.size === missing.length || witness === undefined) return there;
	const control = (await directory.readById([witness])).get(witness);
	if (control?.ok) return there;
	throw new InputError(
		'Users of the list cannot be read by ID, so the trigger cannot tell who was deleted',
		'Check the SCIM Prefix in the credential, and try User > Get with one of them.',
	);
}
