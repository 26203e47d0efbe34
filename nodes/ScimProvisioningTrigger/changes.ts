import { InputError } from '../shared/util';
import {
	agreedSnapshot,
	eventsBetween,
	holdingsOf,
	IN_GROUP,
	type ScimConnection,
	type Snapshot,
	type SnapshotEvent,
	unsureIn,
	withAccess,
	withHeld,
	withUsers,
} from '../shared/access';
import { hasStatus } from '../shared/http';
import { directoryOf, look, type Watch } from './look';
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
 * whoever seems to have lost something is looked at alone.
 * @throws RequestError and InputError when it cannot be seen, or looks like a broken service
 */
export async function changesOf(watch: Watch): Promise<Changes> {
	const { before, limits, wish } = watch;
	const first = await look(watch);
	checkComparable(before, first);
	const unsure = unsureIn(first);
	const notes = unsure === undefined ? [] : [`${unsure}: nothing is reported of that`];
	// What is not to be reported is looked at as well: remembered wrongly, it would be a wrong event next time.
	const once = agreedSnapshot(before, first, first);
	const isNew = Object.keys(newPart(first, before)).length > 0;
	if (!isNew && eventsBetween(before, once).length === 0) {
		return { after: once, events: [], notes };
	}
	await watch.connection.client.patience.wait(wish.confirmMs);
	const second = await look(watch);
	checkComparable(first, second);
	if (isNew) checkBeginning(newPart(first, before), newPart(second, before));
	const agreed = agreedSnapshot(before, first, second);
	const suspected = eventsBetween(before, agreed);
	const losses = suspected.filter(({ kind }) => kind === 'userDeleted' || kind === 'accessRevoked');
	if (losses.length > MOST_ASKED) checkLosses(suspected, before, wish.organizations, limits);
	const after = await proven(agreed, losses, watch);
	const events = eventsBetween(before, after);
	checkLosses(events, before, wish.organizations, limits);
	const spared = suspected.length - events.length;
	if (spared > 0) {
		notes.push(`Lists leave out ${spared} users or members who are there when they are asked for`);
	}
	return { after, events, notes };
}

/** @throws InputError when one look shows what groups say and the other what users say of themselves */
function checkComparable(one: Snapshot, other: Snapshot): void {
	if (one.access === undefined || other.access === undefined) return;
	if (one.saidByUsers === other.saidByUsers) return;
	throw new InputError(
		other.saidByUsers
			? 'No group shows a member any more, only users show their groups'
			: 'Groups show their members by now, which they did not before',
		'The two cannot be compared. If it stays so, make the node anew to begin with what is there.',
	);
}

type Part = Pick<Snapshot, 'users' | 'access'>;

/** The part of a look that there is nothing from before to compare with. */
function newPart({ users, access }: Snapshot, before: Snapshot): Part {
	return {
		...(before.users === undefined && users && { users }),
		...(before.access === undefined && access && { access }),
	};
}

/**
 * What is there to begin with is what later looks are measured by, so two looks have to show the same.
 * @throws InputError when they do not, show nobody, or two roles where there is one
 */
function checkBeginning(first: Part, second: Part): void {
	if (second.users?.size === 0 || second.access?.size === 0) {
		throw new InputError(
			'The service shows nobody, so there is nothing to begin with',
			'Look at the service: is the list of its users empty, or its groups?',
		);
	}
	const unsure = unsureIn(second);
	if (unsure !== undefined) {
		throw new InputError(
			`${unsure}, so it is not known what to begin with`,
			'Where people may have several roles, set One Role Per Organization to No in the credential. Otherwise take one of the two away.',
		);
	}
	if (eventsBetween(first, second).length === 0) return;
	throw new InputError(
		'The service showed something else when it was looked at again, so it is not known what to begin with',
		'Something is changing right now, or the service shows an old state at times: try again in a moment.',
	);
}

/**
 * The snapshot with everybody whom lists leave out and who is there all the same: users at their own address, members
 * in the group itself, and those who say of themselves that they have another role. Lists may be older than any of
 * these, and leave people out.
 * @throws RequestError and InputError when it cannot be found out
 */
async function proven(
	seen: Snapshot,
	losses: readonly SnapshotEvent[],
	watch: Watch,
): Promise<Snapshot> {
	const { before, connection } = watch;
	const missing = losses.flatMap(({ kind, id }) => (kind === 'userDeleted' ? [id] : []));
	const users = withUsers(seen, await stillThere(missing, seen, watch), before);
	const revoked = losses.flatMap(({ kind, id, place = '', before: had = '' }) =>
		kind === 'accessRevoked' ? [{ id, place, groups: groupsOf(place, had, connection) }] : [],
	);
	if (revoked.length === 0) return users;
	const held = seen.saidByUsers
		? new Map<string, ReadonlySet<string>>()
		: (await directoryOf(watch).accessOf(revoked.flatMap(({ groups }) => groups))).held;
	const isIn = ({ id, groups }: (typeof revoked)[number]) =>
		groups.some((group) => held.get(id)?.has(connection.ids.key(group)));
	const kept = withAccess(users, revoked.filter(isIn), before);
	const gone = revoked.filter((loss) => !isIn(loss) && users.users?.has(loss.id) !== false);
	return withHeld(kept, await heldElsewhere(gone, watch), before);
}

/**
 * What people whom lists and groups leave out have all the same, by what they say of themselves: a role that changed
 * while the lists were read is in neither of them.
 * @throws RequestError when somebody cannot be looked at, so that nothing is reported of anybody
 */
async function heldElsewhere(
	revoked: ReadonlyArray<{ id: string; place: string }>,
	watch: Watch,
): Promise<Array<{ id: string; place: string; has: string }>> {
	const { client, ids } = watch.connection;
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
	// Where users do not say, the groups of the organization do.
	const silent = there.filter(({ id }) => groupsSaidBy(id) === undefined);
	const access = silent.length > 0 ? await directory.access() : undefined;
	return there.flatMap(({ id, place }) => {
		const shown = [...(access?.held.get(id) ?? [])].map(
			(key) => access?.groups.get(key)?.id ?? key,
		);
		const has = holdingsOf(groupsSaidBy(id) ?? shown, ids, client.profile).get(place);
		return has === undefined ? [] : [{ id, place, has }];
	});
}

/** Ids of the groups that stand for what somebody had in a place. */
function groupsOf(place: string, had: string, { ids }: ScimConnection): string[] {
	if (had === IN_GROUP) return [place];
	return had.split(', ').map((role) => ids.format({ organization: place, role }));
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
		'Users of the list cannot be read one by one, so it is not known who is gone',
		'Check the SCIM Prefix in the credential, and try Get User with one of them.',
	);
}
