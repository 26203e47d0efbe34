import { addTo, InputError, shown } from '../shared/util';
import {
	type Access,
	ACCOUNT,
	createReader,
	type Fact,
	type FactsOfUser,
	holdingsIn,
	type Look,
	type Marking,
	type Reader,
	seenGroup,
	type SeenGroup,
	seenValue,
	WATCHED,
} from '../shared/access/facts';
import type { ScimConnection } from '../shared/connection';
import type { VolumeLimits } from '../shared/access/guards';
import type { Settings } from '../shared/run';
import {
	type NotTold,
	Questions,
	shownActive,
	type User,
	valuesOf,
	wholeList,
} from '../shared/scim';
import { readsFor, type Wish } from './events';
import { markOf } from './memory';

/** All that one poll goes by. */
export interface Watch {
	connection: ScimConnection;
	settings: Settings;
	wish: Wish;
	limits: VolumeLimits;
	/** Where attributes of users are watched. */
	marking?: Marking;
	/** What the last look showed; nothing before the first. */
	before: Look;
}

const MOST_NAMED = 30;

/**
 * Reads what the chosen events need: all users, all groups, or both.
 * @throws RequestError when a list is incomplete, InputError when groups show no members, and for an organization that is none
 */
export async function look(watch: Watch): Promise<Look> {
	const { connection, wish } = watch;
	const { client } = connection;
	const needs = readsFor(wish, client.profile);
	const access = needs.access
		? checkKnown(await readerOf(watch).memberships.readSingleRoles())
		: undefined;
	const users = needs.users || needs.values ? wholeList(await client.listUsers(), 'users') : [];
	const seen = lookOf(users, access, watch);
	checkOrganizations(seen, watch);
	return seen;
}

/** What the lists show, as facts. */
function lookOf(users: readonly User[], access: Access | undefined, watch: Watch): Look {
	const { marking, wish } = watch;
	const { ids, client } = watch.connection;
	const { oneRolePerOrganization: oneRole, accessAttributes } = client.profile;
	const needs = readsFor(wish, client.profile);
	const names = new Map(access?.names);
	const groups = new Map<string, SeenGroup>();
	for (const [key, { id, displayName }] of access?.groups ?? []) {
		groups.set(key, seenGroup(id, displayName, ids));
	}
	const said = access && (access.saidByUsers === true ? 'users' : 'groups');
	const before = watch.before.covers.memberships;
	const isMixed = said !== undefined && before !== undefined && said !== before;
	const keys = new Map<string, string[]>();
	for (const [id, held] of isMixed ? NOTHING_HELD : (access?.held ?? NOTHING_HELD)) {
		// A user may say to be in a group that no list shows.
		for (const key of held) if (!groups.has(key)) groups.set(key, seenGroup(key, key, ids));
		keys.set(id, [...held]);
	}
	const kept = access
		? keepUntold(keys, { access, isMixed, users: needs.users && users }, watch)
		: [];
	for (const user of users) {
		if (user.userName !== '') names.set(user.id, user.userName);
		for (const value of needs.values ? valuesOf(user, client.profile) : []) {
			const { key, ...seen } = seenValue(value);
			groups.set(key, seen);
			addTo(keys, user.id, key);
		}
	}
	const keptValues = needs.values ? keepValues(users, { keys, groups }, watch) : [];
	const holdings = holdingsIn(groups);
	const facts = new Map<string, FactsOfUser>();
	for (const [id, own] of keys) facts.set(id, holdings(own));
	const activity = activityIn(users, watch);
	for (const user of needs.users ? users : []) {
		const { id } = user;
		const own = new Map<string, Fact>([[ACCOUNT, { of: 'account', active: activity.of(user) }]]);
		if (marking) own.set(WATCHED, { of: 'watched', mark: markOf(user, marking) });
		for (const [place, fact] of facts.get(id) ?? []) own.set(place, fact);
		facts.set(id, own);
	}
	return {
		...{ facts, groups, oneRole, names },
		untold: [...kept, ...keptValues, ...activity.untold()],
		covers: {
			accounts: needs.users,
			...(said && { memberships: isMixed ? before : said }),
			values: needs.values ? accessAttributes : undefined,
			watched: marking,
		},
	};
}

const NOTHING_HELD: Access['held'] = new Map();

/**
 * Keeps memberships that were known: a user that is not shown in a group has not left it if the group may show a part of its
 * members, or shows none while users show theirs.
 * @param keys of the groups of each user, to which these are added
 * @returns what is to be said of it
 */
function keepUntold(
	keys: Map<string, string[]>,
	seen: { access: Access; isMixed: boolean; users: readonly User[] | false },
	{ before }: Watch,
): string[] {
	const { access, isMixed, users } = seen;
	const open = new Map(
		[...access.groups].flatMap(([key, { id, displayName }]) => {
			const told = access.everyMember(id);
			return told.told === 'nothing' ? [[key, `${shown(displayName)} (${told.why})`] as const] : [];
		}),
	);
	if (open.size === 0 && !isMixed) return [];
	// A user that is gone has left everything.
	const isThere = users && new Set(users.map(({ id }) => id));
	const kept = new Set<string>();
	for (const [id, own] of before.facts) {
		const had = isThere && !isThere.has(id) ? [] : [...own.values()];
		for (const key of had.flatMap((fact) => (fact.of === 'membership' ? fact.keys : []))) {
			if ((!isMixed && !open.has(key)) || keys.get(id)?.includes(key) === true) continue;
			addTo(keys, id, key);
			kept.add(open.get(key) ?? key);
		}
	}
	if (isMixed) {
		return [
			`${before.covers.memberships === 'groups' ? 'Groups no longer show members; only users show their groups' : 'Groups now show members; before, only users showed their groups'}. The two cannot be compared, so nothing is reported of memberships. If this persists, replace this node with a new one`,
		];
	}
	return kept.size === 0
		? []
		: [`Nothing is reported of who left groups that may not show all members: ${listed(kept)}`];
}

/**
 * Where the service shows an attribute of no user any more that several had, what was known of it stays: it may show it to nobody
 * now. One who was the last to have anything there has lost it.
 * @param seen what is known of each user, to which it is added
 * @returns what is to be said of it
 */
function keepValues(
	users: readonly User[],
	{ keys, groups }: { keys: Map<string, string[]>; groups: Map<string, SeenGroup> },
	{ before, connection: { client } }: Watch,
): string[] {
	const open = new Map<
		string,
		{ why: NotTold; had: Array<{ id: string; keys: readonly string[] }> }
	>();
	for (const user of users) {
		for (const fact of before.facts.get(user.id)?.values() ?? []) {
			if (fact.of !== 'value' || fact.attribute === undefined) continue;
			const why = client.facts.everyValue(user, fact.attribute);
			if (why.told !== 'nothing') continue;
			const same = open.get(fact.attribute) ?? { why, had: [] };
			same.had.push({ id: user.id, keys: fact.keys });
			open.set(fact.attribute, same);
		}
	}
	return [...open.values()].flatMap(({ why: { why, advice }, had }) => {
		if (new Set(had.map(({ id }) => id)).size < 2) return [];
		for (const { id, keys: own } of had) {
			for (const key of own) {
				const value = before.groups.get(key);
				if (value === undefined) continue;
				groups.set(key, value);
				addTo(keys, id, key);
			}
		}
		const said = `Nothing is reported of who lost a value, since ${why}`;
		return [advice === undefined ? said : `${said}. ${advice}`];
	});
}

/**
 * Rule of evidence, "is active", from look to look: who was shown active, and shows nothing while others show it, is inactive.
 * Anything else that is not told stays as it was.
 */
function activityIn(users: readonly User[], { before }: Watch) {
	const someAre = users.some((user) => shownActive(user) === true);
	const untold: string[] = [];
	return {
		of(user: User): boolean | undefined {
			const { id, userName, isUnclear } = user;
			const active = shownActive(user);
			const had = before.facts.get(id)?.get(ACCOUNT);
			const known = had?.of === 'account' ? had.active : undefined;
			if (active !== undefined || known === undefined) return active;
			if (isUnclear !== true && someAre) return false;
			untold.push(userName || id);
			return known;
		},
		untold: () =>
			untold.length === 0
				? []
				: [
						`The service does not say any more whether these are active, so nothing is reported of it: ${listed(untold)}`,
					],
	};
}

function listed(names: Iterable<string>): string {
	return [...names].slice(0, MOST_NAMED).join(', ');
}

/** Counts the people with a fact of this kind. */
export function peopleWith(
	{ facts }: Look,
	isMeant: (fact: Fact, place: string) => boolean,
): number {
	let people = 0;
	for (const own of facts.values()) {
		for (const [place, fact] of own) {
			if (!isMeant(fact, place)) continue;
			people += 1;
			break;
		}
	}
	return people;
}

function isGroup({ attribute }: SeenGroup): boolean {
	return attribute === undefined;
}

/** Access that is not known must never look like access that is gone. @throws InputError when no membership is shown */
export function checkKnown(access: Access): Access {
	if (access.shown.told === 'all') return access;
	throw new InputError(
		'The service does not show who is in which group: no group shows a member, and no user shows groups',
		'Check the service. If it never shows members, choose only user events under Trigger On. If every group is empty on purpose, replace this node with a new one.',
	);
}

/** Makes a new reader for each question, so that all is read again. */
export function readerOf({ connection: { client, ids } }: Watch): Reader {
	return createReader(client, ids, new Questions());
}

/**
 * Events of organizations without groups would never come.
 * @throws InputError for an organization that no group belongs to, nor did at the last look
 */
function checkOrganizations(seen: Look, { before, wish: { organizations } }: Watch): void {
	// An empty list of groups says nothing of them.
	if (organizations.size === 0 || ![...seen.groups.values()].some(isGroup)) return;
	const known = new Map(
		[...before.groups.values(), ...seen.groups.values()].flatMap(({ place, organization }) =>
			organization === undefined ? [] : [[place, organization] as const],
		),
	);
	const unknown = [...organizations].filter(([place]) => !known.has(place));
	if (unknown.length === 0) return;
	const names = [...known.values()].sort().slice(0, MOST_NAMED).join(', ');
	throw new InputError(
		`No group belongs to the organization ${unknown.map(([, label]) => label).join(', ')}`,
		known.size === 0
			? 'Groups of this service stand for no organizations. Leave Organizations empty, or set What a Group Means in the credential to Organization and Role.'
			: `Correct Organizations under Options. Known organizations: ${names}.`,
	);
}
