import { isDeepEqual, isObject, parseJson } from '../util';
import {
	type AccessValue,
	type Attributes,
	type GroupMeaning,
	type OrganizationRole,
	type Traits,
	type User,
	valueKey,
	valuesOf,
} from '../scim';
import { placeOfOrganization, type Access } from './access';
import { changedAttributes, type Marking, markOf, type Marks } from './marks';

/** A group as it was seen, with what it stood for; or a value on users, which is kept and compared like one. */
export interface SeenGroup extends Partial<OrganizationRole> {
	/** As the service writes it. */
	id: string;
	displayName: string;
	/** Equal for groups of one organization; the key of a group that stands for itself, and of a value. */
	place: string;
	/** Of a value, whose id and role it is. */
	attribute?: string;
}

/** What a service showed at one time: who there is, and who has what. Either is missing where it was not read. */
export interface Snapshot {
	/** By user id, whether the user is active; undefined when the service does not say. */
	users?: ReadonlyMap<string, boolean | undefined>;
	/** By user id, the keys of the groups that the person is in, and of the values that the user has. */
	access?: ReadonlyMap<string, ReadonlySet<string>>;
	/** The groups of these keys. */
	groups: ReadonlyMap<string, SeenGroup>;
	/** The attributes whose values are among them; looks that read other ones say nothing of values to each other. */
	attributes?: readonly string[];
	/** Whether groups show nobody, so that `access` is what users say of themselves. */
	saidByUsers?: boolean;
	/** Whether two roles in one organization are a stale read. */
	oneRole?: boolean;
	/** User names by id, as far as they are known. */
	names: ReadonlyMap<string, string>;
	/** Of `users`, where their attributes are watched; looks that are compared have the same `Marking`. */
	marks?: Marks;
}

/** What somebody has in one place: an organization, or a group that stands for itself. */
export interface Holding {
	/** Keys of the groups. */
	keys: readonly string[];
	/** The organization as its group spells it; undefined for a plain group. */
	organization?: string;
	/** The roles there, e.g. `admin, member`; empty for a plain group. */
	role: string;
	/** Of a value. */
	attribute?: string;
}

type Read = Pick<Snapshot, 'users' | 'access' | 'groups' | 'marks' | 'attributes'>;

/** One difference between two snapshots. */
export interface SnapshotEvent {
	kind: EventKind;
	/** Id of the user. */
	id: string;
	/** Where, for events of access: as in `SeenGroup`. */
	place?: string;
	/** What the person had there, and has now. */
	before?: Holding;
	after?: Holding;
	/** Attributes that changed, as in `Marking`; undefined where values are not kept. */
	changed?: readonly string[];
}

export type UserEventKind =
	'userActivated' | 'userCreated' | 'userDeactivated' | 'userDeleted' | 'userUpdated';
export type AccessEventKind = 'accessGranted' | 'accessRevoked' | 'roleChanged';
export type EventKind = UserEventKind | AccessEventKind;

/** A group of this id and name. */
export function seenGroup(id: string, displayName: string, ids: GroupMeaning): SeenGroup {
	const parsed = ids.parse(id, displayName);
	const place = parsed === undefined ? ids.key(id) : placeOfOrganization(parsed.organization, ids);
	return { id, displayName, place, ...parsed };
}

/** A value on users. */
export function seenValue(value: AccessValue): SeenGroup & { key: string } {
	const key = `value\n${valueKey(value)}`;
	const { attribute, value: text } = value;
	return { key, id: text, displayName: text, place: key, role: text, attribute };
}

/**
 * @param users everybody; undefined where nobody was listed
 * @param access who is in which group, likewise
 * @param marking where attributes of users are watched
 * @param holders everybody, where access is also values on users
 */
export function snapshotOf(
	users: readonly User[] | undefined,
	access: Access | undefined,
	ids: GroupMeaning,
	{
		oneRolePerOrganization,
		accessAttributes,
	}: Pick<Traits, 'oneRolePerOrganization' | 'accessAttributes'>,
	marking?: Marking,
	holders?: readonly User[],
): Snapshot {
	const names = new Map(access?.names);
	for (const { id, userName } of users ?? holders ?? [])
		if (userName !== '') names.set(id, userName);
	const groups = new Map<string, SeenGroup>();
	for (const [key, { id, displayName }] of access?.groups ?? []) {
		groups.set(key, seenGroup(id, displayName, ids));
	}
	// A user may say to be in a group that no list shows.
	for (const key of [...(access?.held.values() ?? [])].flatMap((keys) => [...keys])) {
		if (!groups.has(key)) groups.set(key, seenGroup(key, key, ids));
	}
	const held = new Map<string, ReadonlySet<string>>(access?.held);
	for (const user of holders ?? []) {
		const values = valuesOf(user, { accessAttributes }).map(seenValue);
		for (const { key, ...value } of values) groups.set(key, value);
		const keys = [...(held.get(user.id) ?? []), ...values.map(({ key }) => key)];
		if (values.length > 0) held.set(user.id, new Set(keys));
	}
	return {
		names,
		groups,
		oneRole: oneRolePerOrganization,
		...(users && { users: new Map(users.map(({ id, active }) => [id, active])) }),
		...(access && { saidByUsers: access.saidByUsers === true, access: held }),
		...(access && holders && { attributes: accessAttributes }),
		...(users &&
			marking && {
				marks: {
					...marking,
					byUser: new Map(users.map((user) => [user.id, markOf(user, marking)])),
				},
			}),
	};
}

/** What somebody in these groups has, by place. */
export function holdingsOf(
	keys: Iterable<string>,
	groups: Snapshot['groups'],
): Map<string, Holding> {
	const byPlace = new Map<string, string[]>();
	for (const key of keys) {
		const place = groups.get(key)?.place ?? key;
		byPlace.set(place, [...(byPlace.get(place) ?? []), key]);
	}
	return new Map(
		[...byPlace].map(([place, own]) => {
			const seen = own.flatMap((key) => groups.get(key) ?? []);
			const roles = new Set(seen.flatMap(({ role }) => role ?? []));
			const { organization, attribute } = seen[0] ?? {};
			const role = [...roles].sort().join(', ');
			return [
				place,
				{
					...{ keys: own, role },
					...(organization !== undefined && { organization }),
					...(attribute !== undefined && { attribute }),
				},
			];
		}),
	);
}

/** Two roles of one person where the service allows one, in words; undefined where there are none. */
export function unsureIn({ access, groups, oneRole }: Snapshot): string | undefined {
	if (oneRole !== true) return undefined;
	for (const [id, keys] of access ?? []) {
		if (keys.size < 2) continue;
		const unsure = [...holdingsOf(keys, groups).values()].find(isDouble);
		if (unsure !== undefined) {
			return `The service returned conflicting roles for user ${id} in ${unsure.organization}`;
		}
	}
	return undefined;
}

function isDouble({ keys, organization }: Holding): boolean {
	return organization !== undefined && keys.length > 1;
}

/**
 * What has happened between two looks; nothing about what one of them did not read. Groups stand for what they stood for
 * last: one that was renamed is no event.
 */
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
	for (const [id, mark] of after.marks?.byUser ?? []) {
		const had = before.marks?.byUser.get(id);
		if (had === undefined || isDeepEqual(had, mark)) continue;
		events.push({ kind: 'userUpdated', id, changed: changedAttributes(had, mark) });
	}
	if (before.access !== undefined && after.access !== undefined) {
		const groups = new Map([...before.groups, ...after.groups]);
		const isAlike = hasSameAttributes(before, after);
		for (const id of keysOf(before.access, after.access)) {
			const had = holdingsOf(before.access.get(id) ?? NOTHING, groups);
			const has = holdingsOf(after.access.get(id) ?? NOTHING, groups);
			for (const place of keysOf(had, has)) {
				const [old, now] = [had.get(place), has.get(place)];
				if (old?.role === now?.role) continue;
				if (!isAlike && (old ?? now)?.attribute !== undefined) continue;
				const kind = accessEvent(old, now);
				events.push({ kind, id, place, ...(old && { before: old }), ...(now && { after: now }) });
			}
		}
	}
	return events;
}

/** Whether two looks have read the same values of users, so that one of them lacks none. */
export function hasSameAttributes(one: Read, other: Read): boolean {
	return isDeepEqual(one.attributes, other.attributes);
}

const NOTHING: ReadonlySet<string> = new Set();
const NOBODY: ReadonlyMap<string, unknown> = new Map();

function accessEvent(before: Holding | undefined, after: Holding | undefined): AccessEventKind {
	if (before === undefined) return 'accessGranted';
	return after === undefined ? 'accessRevoked' : 'roleChanged';
}

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
 * What two looks show alike; where they do not, or are not sure, what was known before: one of them was a stale read, or
 * something is changing right now, and the next look will tell (docs/interface.md 2.1).
 */
export function agreedSnapshot(before: Snapshot, first: Snapshot, second: Snapshot): Snapshot {
	const { users, access, saidByUsers, oneRole, marks, attributes } = second;
	const groups = new Map([...before.groups, ...first.groups, ...second.groups]);
	const looks = [before, first, second].map((look) => look.access ?? access ?? new Map());
	if (!hasSameAttributes(before, second)) looks[0] = withValuesOf(second, looks[0], groups);
	return {
		groups,
		...(oneRole !== undefined && { oneRole }),
		names: new Map([...before.names, ...first.names, ...second.names]),
		...(users && { users: agreedUsers(before.users ?? users, first.users ?? users, users) }),
		...(access && { saidByUsers, access: agreedAccess(looks, groups, oneRole === true) }),
		...(attributes && { attributes }),
		...(marks && {
			marks: { ...marks, byUser: agreedMarks(before.marks, first.marks, marks) },
		}),
	};
}

/** Who is in which groups, with the values that another look shows instead of those that are there. */
function withValuesOf(
	{ access = new Map() }: Snapshot,
	held: AccessOf,
	groups: Snapshot['groups'],
): AccessOf {
	const isValue = (key: string) => groups.get(key)?.attribute !== undefined;
	return new Map(
		[...keysOf(held, access)].map((id) => [
			id,
			new Set([
				...[...(held.get(id) ?? [])].filter((key) => !isValue(key)),
				...[...(access.get(id) ?? [])].filter(isValue),
			]),
		]),
	);
}

/** Whose two looks differ begins with a later one, unless there is a mark from before. */
function agreedMarks(before: Marks | undefined, first: Marks | undefined, second: Marks) {
	const agreed = new Map<string, unknown>();
	for (const id of keysOf(second.byUser, before?.byUser ?? NOBODY)) {
		const now = second.byUser.get(id);
		const mark = isDeepEqual(first?.byUser.get(id), now) ? now : before?.byUser.get(id);
		if (mark !== undefined) agreed.set(id, mark);
	}
	return agreed;
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

/** @param looks that of before, and the two that have to agree */
function agreedAccess(
	looks: readonly AccessOf[],
	groups: Snapshot['groups'],
	oneRole: boolean,
): Map<string, ReadonlySet<string>> {
	const agreed = new Map<string, ReadonlySet<string>>();
	for (const id of keysOf(...looks)) {
		const [had, one, other] = looks.map((access) => holdingsOf(access.get(id) ?? NOTHING, groups));
		const keys = new Set<string>();
		for (const place of keysOf(had, one, other)) {
			const now = other.get(place);
			const isUnsure = oneRole && now !== undefined && isDouble(now);
			const isSure = one.get(place)?.role === now?.role && !isUnsure;
			for (const key of (isSure ? now : had.get(place))?.keys ?? []) keys.add(key);
		}
		if (keys.size > 0) agreed.set(id, keys);
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
	const { marks } = snapshot;
	const names = knownOf(there.keys(), before.names);
	const known = knownOf(there.keys(), before.marks?.byUser ?? NOBODY);
	return {
		...snapshot,
		users: new Map([...snapshot.users, ...there]),
		names: new Map([...names, ...snapshot.names]),
		...(marks && { marks: { ...marks, byUser: new Map([...marks.byUser, ...known]) } }),
	};
}

function knownOf<V>(ids: Iterable<string>, all: ReadonlyMap<string, V>): Array<[string, V]> {
	return [...ids].flatMap((id) => {
		const one = all.get(id);
		return one === undefined ? [] : [[id, one]];
	});
}

/** The snapshot with what people turned out to have after all, as it was before. */
export function withAccess(
	snapshot: Snapshot,
	kept: ReadonlyArray<{ id: string; place: string }>,
	before: Snapshot,
): Snapshot {
	if (snapshot.access === undefined || kept.length === 0) return snapshot;
	const access = new Map(snapshot.access);
	const groups = new Map([...before.groups, ...snapshot.groups]);
	for (const { id, place } of kept) {
		const had = holdingsOf(before.access?.get(id) ?? NOTHING, groups).get(place);
		if (had !== undefined) access.set(id, new Set([...(access.get(id) ?? []), ...had.keys]));
	}
	return { ...snapshot, access, groups };
}

/** What somebody was seen to have in a place. */
export interface Held {
	id: string;
	place: string;
	/** The groups there, by key. */
	groups: ReadonlyMap<string, SeenGroup>;
}

/** The snapshot with what people were seen to have now; where that is not sure, with what they had before. */
export function withHeld(snapshot: Snapshot, held: readonly Held[], before: Snapshot): Snapshot {
	if (snapshot.access === undefined || held.length === 0) return snapshot;
	const isUnsure = ({ groups }: Held) => snapshot.oneRole === true && groups.size > 1;
	const sure = held.filter((one) => !isUnsure(one));
	const access = new Map(snapshot.access);
	for (const { id, groups } of sure) {
		access.set(id, new Set([...(access.get(id) ?? []), ...groups.keys()]));
	}
	const groups = new Map([...sure.flatMap((one) => [...one.groups]), ...snapshot.groups]);
	return withAccess({ ...snapshot, access, groups }, held.filter(isUnsure), before);
}

/** Another format starts over. */
const FORMAT = 2;

/** The snapshot as a text to be kept between looks. @param source which service it is of */
export function writeSnapshot(snapshot: Snapshot, source: string): string {
	const { users, access, groups, saidByUsers, names, marks, attributes } = snapshot;
	const people = keysOf(users ?? new Map(), access ?? new Map());
	// Groups by number: their ids are long, and many people are in one. Whichever nobody is in has nobody to lose.
	const numbers = new Map<string, number>();
	const numberOf = (key: string) => {
		const number = numbers.get(key) ?? numbers.size;
		numbers.set(key, number);
		return number;
	};
	const held = [...(access ?? [])].map(([id, keys]) => [id, [...keys].map(numberOf)]);
	const listed = Object.fromEntries([...(users ?? [])].map(([id, active]) => [id, active ?? null]));
	return JSON.stringify({
		format: FORMAT,
		source,
		...(users && { users: listed }),
		// In the order of users: their ids are long.
		...(marks && {
			marks: { ...marks, byUser: Object.keys(listed).map((id) => marks.byUser.get(id) ?? null) },
		}),
		...(access && {
			saidByUsers,
			access: Object.fromEntries(held),
			groups: [...numbers.keys()].map((key) => {
				const { id, displayName, attribute } = groups.get(key) ?? { id: key, displayName: key };
				return attribute === undefined ? [id, displayName] : [id, '', attribute];
			}),
			...(attributes && { attributes }),
		}),
		// Whoever is gone is reported by then, and forgotten.
		names: Object.fromEntries([...names].filter(([id]) => people.has(id))),
	});
}

/** Undefined for no text, and for one of another service or format. @param isOurs whether it is of the service */
export function readSnapshot(
	text: unknown,
	isOurs: (source: string) => boolean,
	ids: GroupMeaning,
): Snapshot | undefined {
	const kept = typeof text === 'string' ? parseJson(text) : undefined;
	if (!isObject(kept) || kept.format !== FORMAT || !isOurs(String(kept.source))) return undefined;
	const { users, access, groups, saidByUsers, names, marks, attributes } = kept;
	const listed = (Array.isArray(groups) ? groups : []).map(
		([id, displayName, attribute]: [string, string, string?]) =>
			attribute === undefined
				? { key: ids.key(id), ...seenGroup(id, displayName, ids) }
				: seenValue({ attribute, value: id }),
	);
	return {
		names: new Map(entriesOf<string>(names)),
		groups: new Map(listed.map(({ key, ...group }) => [key, group])),
		...(isObject(users) && {
			users: new Map(
				entriesOf<boolean | null>(users).map(([id, active]) => [id, active ?? undefined]),
			),
		}),
		...(isObject(users) && isObject(marks) && { marks: readMarks(marks, Object.keys(users)) }),
		...(isObject(access) && {
			saidByUsers: saidByUsers === true,
			...(Array.isArray(attributes) && { attributes: attributes as string[] }),
			access: new Map(
				entriesOf<number[]>(access).map(([id, numbers]) => [
					id,
					new Set(numbers.map((number) => listed[number].key)),
				]),
			),
		}),
	};
}

function readMarks({ byUser, ...marking }: Attributes, ids: readonly string[]): Marks {
	const marks = byUser as unknown[];
	return {
		...(marking as unknown as Marking),
		byUser: new Map(ids.flatMap((id, at) => (marks[at] === null ? [] : [[id, marks[at]]]))),
	};
}

function entriesOf<V>(value: unknown): Array<[string, V]> {
	return Object.entries(isObject(value) ? (value as Record<string, V>) : {});
}
