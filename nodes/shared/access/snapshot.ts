import { isObject, parseJson } from '../util';
import type { GroupIds, ServiceProfile, User } from '../scim';
import type { Access } from './access';

/** What a service showed at one time: who there is, and who has what. Either is missing where it was not read. */
export interface Snapshot {
	/** By user id, whether the user is active; undefined when the service does not say. */
	users?: ReadonlyMap<string, boolean | undefined>;
	/** By user id, what the person has. */
	access?: ReadonlyMap<string, Holdings>;
	/** Whether groups show nobody, so that `access` is what users say of themselves. */
	saidByUsers?: boolean;
	/** User names by id, as far as they are known. */
	names: ReadonlyMap<string, string>;
}

/**
 * By organization the roles there, e.g. `admin, member`; by id the groups that stand for no organization, with
 * `IN_GROUP`. `UNSURE`: two roles where the service allows one, so one of them is an old read.
 */
export type Holdings = ReadonlyMap<string, string>;

export const IN_GROUP = '';
const UNSURE = '?';

type Read = Pick<Snapshot, 'users' | 'access'>;

/** One difference between two snapshots. */
export interface SnapshotEvent {
	kind: EventKind;
	/** Id of the user. */
	id: string;
	/** The organization or group, for events of access. */
	place?: string;
	/** What the person had there, and has now: as in `Holdings`, undefined for nothing. */
	before?: string;
	after?: string;
}

export type UserEventKind = 'userActivated' | 'userCreated' | 'userDeactivated' | 'userDeleted';
export type AccessEventKind = 'accessChanged' | 'accessGranted' | 'accessRevoked';
export type EventKind = UserEventKind | AccessEventKind;

/** @param users everybody; undefined where nobody was listed. @param access who is in which group, likewise */
export function snapshotOf(
	users: readonly User[] | undefined,
	access: Access | undefined,
	ids: GroupIds,
	profile: ServiceProfile,
): Snapshot {
	const names = new Map(access?.names);
	for (const { id, userName } of users ?? []) if (userName !== '') names.set(id, userName);
	return {
		names,
		...(users && { users: new Map(users.map(({ id, active }) => [id, active])) }),
		...(access && {
			saidByUsers: access.saidByUsers === true,
			access: new Map(
				[...access.held].map(([id, keys]) => {
					const groups = [...keys].map((key) => access.groups.get(key)?.id ?? key);
					return [id, holdingsOf(groups, ids, profile)];
				}),
			),
		}),
	};
}

/** What somebody in these groups has. @param groups ids of groups */
export function holdingsOf(
	groups: readonly string[],
	ids: GroupIds,
	{ oneRolePerOrganization }: ServiceProfile,
): Map<string, string> {
	const roles = new Map<string, string[]>();
	const holdings = new Map<string, string>();
	for (const group of groups) {
		const parsed = ids.parse(group);
		if (parsed === undefined) holdings.set(group, IN_GROUP);
		else roles.set(parsed.organization, [...(roles.get(parsed.organization) ?? []), parsed.role]);
	}
	for (const [organization, own] of roles) {
		const isUnsure = own.length > 1 && oneRolePerOrganization;
		holdings.set(organization, isUnsure ? UNSURE : own.sort().join(', '));
	}
	return holdings;
}

/** Two roles of one person where the service allows one, in words; undefined where there are none. */
export function unsureIn({ access }: Read): string | undefined {
	for (const [id, holdings] of access ?? []) {
		const place = [...holdings].find(([, had]) => had === UNSURE)?.[0];
		if (place !== undefined) return `The service shows two roles for user ${id} in ${place}`;
	}
	return undefined;
}

/** What has happened between two looks; nothing about what one of them did not read. */
export function eventsBetween(before: Read, after: Read): SnapshotEvent[] {
	const events: SnapshotEvent[] = [];
	if (before.users !== undefined && after.users !== undefined) {
		for (const id of keysOf(before.users, after.users)) {
			const kind = userEvent(
				before.users.has(id) ? { active: before.users.get(id) } : undefined,
				after.users.has(id) ? { active: after.users.get(id) } : undefined,
			);
			if (kind !== undefined) events.push({ kind, id });
		}
	}
	if (before.access !== undefined && after.access !== undefined) {
		for (const id of keysOf(before.access, after.access)) {
			const [had, has] = [before.access.get(id) ?? NOTHING, after.access.get(id) ?? NOTHING];
			for (const place of keysOf(had, has)) {
				const [old, now] = [had.get(place), has.get(place)];
				if (old === undefined) events.push({ kind: 'accessGranted', id, place, after: now });
				else if (now === undefined) events.push({ kind: 'accessRevoked', id, place, before: old });
				else if (old !== now)
					events.push({ kind: 'accessChanged', id, place, before: old, after: now });
			}
		}
	}
	return events;
}

const NOTHING: Holdings = new Map();

interface Seen {
	active?: boolean;
}

function userEvent(before: Seen | undefined, after: Seen | undefined): UserEventKind | undefined {
	if (before === undefined) return 'userCreated';
	if (after === undefined) return 'userDeleted';
	if (before.active === false) return after.active === false ? undefined : 'userActivated';
	return after.active === false ? 'userDeactivated' : undefined;
}

/**
 * What two looks show alike; where they do not, or are not sure, what was known before: one of them was an old read, or
 * something is changing right now, and the next look will tell (docs/interface.md 2.1).
 */
export function agreedSnapshot(before: Snapshot, first: Snapshot, second: Snapshot): Snapshot {
	const { users, access, saidByUsers } = second;
	return {
		names: new Map([...before.names, ...first.names, ...second.names]),
		...(users && { users: agreedUsers(before.users ?? users, first.users ?? users, users) }),
		...(access && {
			saidByUsers,
			access: agreedAccess(before.access ?? access, first.access ?? access, access),
		}),
	};
}

type Users = NonNullable<Snapshot['users']>;
type AccessOf = NonNullable<Snapshot['access']>;

function agreedUsers(before: Users, first: Users, second: Users): Map<string, boolean | undefined> {
	const agreed = new Map<string, boolean | undefined>();
	for (const id of keysOf(before, first, second)) {
		const isSame = first.has(id) === second.has(id) && isActive(first, id) === isActive(second, id);
		const source = isSame ? second : before;
		if (source.has(id)) agreed.set(id, source.get(id));
	}
	return agreed;
}

/** As everywhere, who is not said to be inactive is active. */
function isActive(users: Users, id: string): boolean {
	return users.get(id) !== false;
}

function agreedAccess(before: AccessOf, first: AccessOf, second: AccessOf): Map<string, Holdings> {
	const agreed = new Map<string, Holdings>();
	for (const id of keysOf(before, first, second)) {
		const [had, one, other] = [before, first, second].map((access) => access.get(id) ?? NOTHING);
		const holdings = new Map<string, string>();
		for (const place of keysOf(had, one, other)) {
			const isSure = one.get(place) === other.get(place) && other.get(place) !== UNSURE;
			const value = (isSure ? other : had).get(place);
			if (value !== undefined) holdings.set(place, value);
		}
		if (holdings.size > 0) agreed.set(id, holdings);
	}
	return agreed;
}

function keysOf(...maps: Array<ReadonlyMap<string, unknown>>): Set<string> {
	return new Set(maps.flatMap((map) => [...map.keys()]));
}

/** The snapshot with users who turned out to be there after all. */
export function withUsers(
	snapshot: Snapshot,
	there: ReadonlyMap<string, boolean | undefined>,
	before: Snapshot,
): Snapshot {
	if (snapshot.users === undefined || there.size === 0) return snapshot;
	const names = [...there.keys()].flatMap((id) => {
		const name = before.names.get(id);
		return name === undefined ? [] : [[id, name] as const];
	});
	return {
		...snapshot,
		users: new Map([...snapshot.users, ...there]),
		names: new Map([...names, ...snapshot.names]),
	};
}

/** The snapshot with what people turned out to have after all, as it was before. */
export function withAccess(
	snapshot: Snapshot,
	kept: ReadonlyArray<{ id: string; place: string }>,
	before: Snapshot,
): Snapshot {
	if (snapshot.access === undefined || kept.length === 0) return snapshot;
	const access = new Map(snapshot.access);
	for (const { id, place } of kept) {
		const had = before.access?.get(id)?.get(place);
		if (had !== undefined) access.set(id, new Map([...(access.get(id) ?? []), [place, had]]));
	}
	return { ...snapshot, access };
}

/** The snapshot with what people were seen to have now; where that is not sure, with what they had before. */
export function withHeld(
	snapshot: Snapshot,
	held: ReadonlyArray<{ id: string; place: string; has: string }>,
	before: Snapshot,
): Snapshot {
	if (snapshot.access === undefined || held.length === 0) return snapshot;
	const access = new Map(snapshot.access);
	for (const { id, place, has } of held) {
		const value = has === UNSURE ? (before.access?.get(id)?.get(place) ?? has) : has;
		access.set(id, new Map([...(access.get(id) ?? []), [place, value]]));
	}
	return { ...snapshot, access };
}

/** The snapshot as a text to be kept between looks. @param source which service it is of */
export function writeSnapshot(snapshot: Snapshot, source: string): string {
	const { users, access, saidByUsers, names } = snapshot;
	const known = keysOf(users ?? NOTHING, access ?? NOTHING);
	return JSON.stringify({
		source,
		...(users && {
			users: Object.fromEntries([...users].map(([id, active]) => [id, active ?? null])),
		}),
		...(access && {
			saidByUsers,
			access: Object.fromEntries(
				[...access].map(([id, holdings]) => [id, Object.fromEntries(holdings)]),
			),
		}),
		// Whoever is gone is reported by then, and forgotten.
		names: Object.fromEntries([...names].filter(([id]) => known.has(id))),
	});
}

/** Undefined for no text, and for one that is of another service. */
export function readSnapshot(text: unknown, source: string): Snapshot | undefined {
	const kept = typeof text === 'string' ? parseJson(text) : undefined;
	if (!isObject(kept) || kept.source !== source) return undefined;
	const { users, access, saidByUsers, names } = kept;
	return {
		names: new Map(textsIn(names)),
		...(isObject(users) && {
			users: new Map(
				Object.entries(users).map(([id, active]) => [
					id,
					typeof active === 'boolean' ? active : undefined,
				]),
			),
		}),
		...(isObject(access) && {
			saidByUsers: saidByUsers === true,
			access: new Map(
				Object.entries(access).map(([id, holdings]) => [id, new Map(textsIn(holdings))]),
			),
		}),
	};
}

function textsIn(value: unknown): Array<[string, string]> {
	return Object.entries(isObject(value) ? (value as Record<string, string>) : {});
}
