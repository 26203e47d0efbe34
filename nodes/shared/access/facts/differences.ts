import { isDeepEqual, memoized, shown } from '../../util';
import { type AccessValue, type GroupMeaning, type OrganizationRole, valueKey } from '../../scim';
import { placeOfOrganization } from './access';

/** A statement about a user, with its value. Where `Coverage` names its kind, no fact says "absent"; elsewhere "unknown". */
export type Fact = AccountFact | Holding | WatchedFact;

/** There is an account; `active` is undefined where the service does not say. */
export interface AccountFact {
	of: 'account';
	active?: boolean;
}

/** What a person has in one place: an organization, a group that stands for itself, or a value on the user. */
export interface Holding {
	of: 'membership' | 'value';
	/** Keys of the groups, or of the value. */
	keys: readonly string[];
	/** The organization as its group spells it; undefined for a plain group. */
	organization?: string;
	/** The roles there, e.g. `admin, member`; empty for a plain group. */
	role: string;
	/** Of a value. */
	attribute?: string;
}

/** Watched attributes of the user: a digest of each. */
export interface WatchedFact {
	of: 'watched';
	mark: string;
}

/** The places of the facts that have none. No ID of a group begins with a line break. */
export const ACCOUNT = '\naccount';
export const WATCHED = '\nwatched';

/** Facts by user ID, then by place. */
export type Facts = ReadonlyMap<string, FactsOfUser>;
export type FactsOfUser = ReadonlyMap<string, Fact>;

/** What was read, so that what it does not show is absent. */
export interface Coverage {
	accounts: boolean;
	/** Who told of memberships; undefined where none was asked. */
	memberships?: 'groups' | 'users';
	/** The attributes whose values are access. */
	values?: readonly string[];
	/** Marks that were made in another way say nothing to each other. */
	watched?: Marking;
}

/** Which attributes of users are watched, and how they are kept between looks. */
export interface Marking {
	/** In lower case and in one order. */
	attributes: readonly string[];
	/** Of the digests. */
	key: string;
}

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

/** What a service showed at one time. */
export interface Look {
	facts: Facts;
	covers: Coverage;
	/** The groups and values of the keys in facts. */
	groups: ReadonlyMap<string, SeenGroup>;
	/** Whether two roles in one organization are a stale read. */
	oneRole: boolean;
	/** What stays as it was since it was not told, in words for n8n's log. */
	untold?: readonly string[];
	/** User names by id, as far as they are known. */
	names: ReadonlyMap<string, string>;
}

/** One fact that two looks show differently; undefined where it is absent. */
export interface Difference {
	/** Id of the user. */
	id: string;
	place: string;
	before?: Fact;
	after?: Fact;
}

export const NO_FACTS: FactsOfUser = new Map();

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

/** What a person in groups of these keys has, by place. Thousands share the fact of a group. */
export function holdingsIn(
	groups: Look['groups'],
): (keys: Iterable<string>) => Map<string, Holding> {
	const holding = (keys: readonly string[]): Holding => {
		const seen = keys.flatMap((key) => groups.get(key) ?? []);
		const roles = new Set(seen.flatMap(({ role }) => role ?? []));
		const { organization, attribute } = seen[0] ?? {};
		return {
			of: attribute === undefined ? 'membership' : 'value',
			keys,
			role: [...roles].sort().join(', '),
			...(organization !== undefined && { organization }),
			...(attribute !== undefined && { attribute }),
		};
	};
	const single = memoized((key) => holding([key]));
	return (keys) => {
		const byPlace = new Map<string, Holding>();
		for (const key of keys) {
			const place = groups.get(key)?.place ?? key;
			const own = byPlace.get(place);
			byPlace.set(place, own === undefined ? single(key) : holding([...own.keys, key]));
		}
		return byPlace;
	};
}

export function isHolding(fact: Fact | undefined): fact is Holding {
	return fact?.of === 'membership' || fact?.of === 'value';
}

/** Whether two looks have read this kind of fact, and alike. */
export function isComparable(of: Fact['of'], one: Coverage, other: Coverage): boolean {
	switch (of) {
		case 'account':
			return one.accounts && other.accounts;
		case 'membership':
			return one.memberships !== undefined && other.memberships !== undefined;
		case 'value':
			return one.values !== undefined && isDeepEqual(one.values, other.values);
		case 'watched':
			return one.watched !== undefined && isDeepEqual(one.watched, other.watched);
	}
}

/** Whether two facts of one person and place say the same. As everywhere, who is not said to be inactive is active. */
function isSame(one: Fact | undefined, other: Fact | undefined): boolean {
	if (one === other) return true;
	if (one === undefined || other === undefined) return false;
	if (one.of === 'account')
		return other.of === one.of && (one.active === false) === (other.active === false);
	if (one.of === 'watched') return other.of === one.of && one.mark === other.mark;
	return isHolding(other) && one.role === other.role;
}

/**
 * What two looks show differently; nothing about what one of them did not read: accounts first, then attributes, then
 * access. Groups stand for what they stood for last: one that was renamed is no difference.
 */
export function differencesBetween(before: Look, after: Look): Difference[] {
	const found = { account: [], watched: [], access: [] } as Record<string, Difference[]>;
	const old = regrouped(before, merged(before.groups, after.groups)).facts;
	for (const id of keysOf(old, after.facts)) {
		const [had, has] = [old.get(id) ?? NO_FACTS, after.facts.get(id) ?? NO_FACTS];
		for (const place of keysOf(had, has)) {
			const [was, is] = [had.get(place), has.get(place)];
			if (isSame(was, is)) continue;
			const { of } = (was ?? is) as Fact;
			if (!isComparable(of, before.covers, after.covers)) continue;
			// Without a mark there is nothing to compare, which is no change.
			if (of === 'watched' && (was === undefined || is === undefined)) continue;
			found[of in found ? of : 'access'].push({
				...{ id, place },
				...(was && { before: was }),
				...(is && { after: is }),
			});
		}
	}
	return [...found.account, ...found.watched, ...found.access];
}

/**
 * What two looks show alike; where they do not, or are not sure, what was known before: one of them was a stale read, or
 * something is changing right now, and the next look will tell (test/contract/interface.md 2.1).
 */
export function agreedLook(before: Look, first: Look, second: Look): Look {
	const groups = merged(before.groups, first.groups, second.groups);
	const [had, one] = [before, first].map((look) => regrouped(look, groups).facts);
	const facts = new Map<string, FactsOfUser>();
	for (const id of keysOf(had, one, second.facts)) {
		const [old, showed, shows] = [had, one, second.facts].map((all) => all.get(id) ?? NO_FACTS);
		const own = new Map<string, Fact>();
		for (const place of keysOf(old, showed, shows)) {
			const [known, now] = [old.get(place), shows.get(place)];
			const isSure = isSame(showed.get(place), now) && !(second.oneRole && isDouble(now));
			const fact = isSure ? now : known;
			if (fact === undefined) continue;
			if (isSure || isComparable(fact.of, before.covers, second.covers)) own.set(place, fact);
		}
		if (own.size > 0) facts.set(id, own);
	}
	const names = new Map([...before.names, ...first.names, ...second.names]);
	return { ...second, facts, groups, names };
}

/** The look with facts that turned out to be so after all; what is undefined there is absent. */
export function withFacts(look: Look, found: readonly Omit<Difference, 'before'>[]): Look {
	if (found.length === 0) return look;
	const facts = new Map<string, Map<string, Fact>>();
	for (const { id, place, after } of found) {
		const own = facts.get(id) ?? new Map(look.facts.get(id));
		facts.set(id, own);
		if (after !== undefined) own.set(place, after);
	}
	return { ...look, facts: new Map<string, FactsOfUser>([...look.facts, ...facts]) };
}

/** Two roles of one person where the service allows one, in words; undefined where there are none. */
export function unsureIn({ facts, oneRole }: Look): string | undefined {
	if (!oneRole) return undefined;
	for (const [id, own] of facts) {
		for (const fact of own.values()) {
			if (!isDouble(fact)) continue;
			return `The service returned conflicting roles for user ${id} in ${shown(fact.organization ?? '')}`;
		}
	}
	return undefined;
}

export function isDouble(fact: Fact | undefined): fact is Holding {
	return isHolding(fact) && fact.organization !== undefined && fact.keys.length > 1;
}

/** The look with its groups as others show them; itself where they stand for the same. */
function regrouped(look: Look, groups: Look['groups']): Look {
	const isAsItWas = [...look.groups].every(([key, { place, role }]) => {
		const now = groups.get(key);
		return now?.place === place && now.role === role;
	});
	if (isAsItWas) return look;
	const holdings = holdingsIn(groups);
	const facts = new Map<string, FactsOfUser>();
	for (const [id, own] of look.facts) {
		const rest = [...own].filter(([, fact]) => !isHolding(fact));
		const keys = [...own.values()].flatMap((fact) => (isHolding(fact) ? fact.keys : []));
		facts.set(id, new Map<string, Fact>([...rest, ...holdings(keys)]));
	}
	return { ...look, facts, groups };
}

function merged(...all: Array<Look['groups']>): Look['groups'] {
	return new Map(all.flatMap((groups) => [...groups]));
}

function keysOf(...maps: Array<ReadonlyMap<string, unknown>>): Iterable<string> {
	const [first, ...others] = maps;
	// Most people have the same facts in every look: no list of them is made then.
	if (others.every((map) => map.size === 0 || map === first)) return first.keys();
	const keys = new Set(first.keys());
	for (const map of others) for (const key of map.keys()) keys.add(key);
	return keys;
}
