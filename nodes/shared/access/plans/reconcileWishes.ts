import { failureOf, NO_ITEM } from '../../run';
import { type AccessValue, type User, valueLabel, shownActivity } from '../../scim';
import { addTo, InputError } from '../../util';
import {
	countPeople,
	inOrder,
	unsortedMemberships,
	type Access,
	type AffectedBase,
	type Membership,
} from '../facts';
import {
	accountShown,
	nameOf,
	whoIs,
	type AccessRules,
	type Person,
	type OnlyWith,
	type Settled,
	type Wish,
} from '../changes';

/** What a row of a whole list wants of a person: one group. */
export interface RowWish extends Wish {
	hold: readonly string[];
	/** What to call the row in messages. */
	source: string;
	/** Of a row that gives nothing now: why, and what its person keeps for it. */
	waits?: Waits;
}

export interface Waits {
	reason: string;
	/** All that the person has, what the row is about, or nothing of it. */
	keeps: 'all' | 'place' | 'nothing';
}

/** A row that has ended, which takes what it gave. */
export interface EndedRow {
	item: number;
	/** What to call the row in messages. */
	source: string;
	/** Such as "row 3 ended on 2026-11-17". */
	why: string;
}

/** What rows want, by the key of the person. */
export type WantedByPerson = ReadonlyMap<string, readonly RowWish[]>;

/** What is to be managed. */
export interface Scope {
	/** Whether a group may be given to people and taken from them. */
	includes(groupId: string): boolean;
	/** The people that the affected count against. */
	people: AffectedBase;
}

export function scopeOf(access: Access, includes: (groupId: string) => boolean): Scope {
	const people = countPeople(access, includes);
	return { includes, people: { people, are: 'people with access in scope' } };
}

export interface ReconcileRules extends AccessRules {
	scope: Scope;
	/** What happens to access in scope that no row wants. */
	unwanted: 'revoke' | 'keep' | 'report';
	/** Why nothing may be taken away, by place (`heldBackPlace`); under '' for everywhere. */
	heldBack: ReadonlyMap<string, string>;
	/** Groups that are no access, such as one with everybody in it. */
	isIgnored(groupId: string): boolean;
	/** Why no row can name an account, by its id. */
	unmatched: ReadonlyMap<string, string>;
	/** The row about access of a person that has ended; missing: none has. */
	endedRow?(person: Person, groupId: string): EndedRow | undefined;
}

const WANTED = 'a row wants it';
const NONE: readonly string[] = [];

/** A leaver's access, as the user shows it. */
export interface ShownLeaver {
	groupIds: readonly string[];
	values: readonly AccessValue[];
}

/** People who end without access (`withoutAccess`) are deactivated, unless there is a reason against it. */
export interface Leavers {
	/** By id what each of them shows as a user, as far as users were read. */
	shown: ReadonlyMap<string, ShownLeaver>;
	whyKeptActive(id: string): string | undefined;
}

/** Where removals are blocked: the organization of a group, or the group where it stands for itself. */
export function heldBackPlace(
	{ access, ids }: Pick<AccessRules, 'access' | 'ids'>,
	groupId: string,
): string {
	const place = access.placeOf(groupId);
	return place === undefined ? ids.key(groupId) : ids.placeKey({ ...place, role: '' });
}

/** @param hold the group, in a list that the rows of this group share */
export function rowWish(
	{ item, row, hold }: { item: number; row: string; hold: readonly string[] },
	person: Person,
	user?: User,
): RowWish {
	const wish: RowWish = { item, person, source: row, hold, drop: NONE, why: WANTED };
	if (user) wish.user = user;
	return wish;
}

/**
 * What makes access as requested within the scope: what rows want that can be followed, and for everything else in scope
 * what `unwanted` says. Access that is only reported is settled. Linear in people and memberships.
 */
export function reconcileWishes(
	wanted: WantedByPerson,
	leavers: Leavers,
	rules: ReconcileRules,
): { wishes: Wish[]; settled: Settled[] } {
	const made = { wishes: [] as Wish[], settled: [] as Settled[] };
	for (const [key, rows] of wanted) {
		const heldIn = membershipsIn(unsortedMemberships(rules.access, key), rows.length);
		for (const wish of rows) {
			const foreign = wish.waits ? undefined : outOfScopeBy(wish, heldIn, rules);
			if (wish.waits) made.settled.push(waiting(wish, wish.waits, rules));
			else if (foreign === undefined) made.wishes.push(wish);
			else made.settled.push(notFollowed(wish, foreign, rules));
		}
	}
	for (const one of surplusIn(wanted, rules)) {
		const less = lessOf(one, rules, made.settled);
		const shown = one.isNamed ? undefined : leavers.shown.get(one.person.id);
		if (less.length === 0 || shown === undefined) {
			made.wishes.push(...less);
			continue;
		}
		const onlyWith = { on: 'nothingElse' as const, groups: one.held.map(({ key }) => key) };
		const own = new Set(onlyWith.groups);
		const other = shown.groupIds.find(
			(groupId) => !own.has(rules.ids.key(groupId)) && !rules.isIgnored(groupId),
		);
		const [value] = shown.values;
		const reason =
			leavers.whyKeptActive(one.person.id) ??
			(other && `the user shows to be ${rules.label(other)}, which the groups do not show`) ??
			(value && `the person has ${valueLabel(value)}`);
		if (reason !== undefined) made.settled.push(keptActive(one.person, reason));
		made.wishes.push(
			...(reason === undefined ? less.map((wish) => leave(wish, onlyWith, rules)) : less),
		);
	}
	return made;
}

/** IDs of people in no row who lose what they have in scope and are then in no group that counts. */
export function withoutAccess(wanted: WantedByPerson, rules: ReconcileRules): string[] {
	return [...surplusIn(wanted, rules)].flatMap(({ person, held, surplus, isNamed }) => {
		const isAccess = ({ groupId }: Membership) => !rules.isIgnored(groupId);
		const keeps = held.filter(isAccess).some(({ groupId }) => !rules.scope.includes(groupId));
		// Who was in ignored groups alone had no access before.
		const loses = surplus.some(isAccess) && whyHeldBack(surplus, rules) === undefined;
		const stays = isNamed || rules.unmatched.has(person.id) || rules.isProtected(person);
		// Who may have more than is shown is not known to be without access.
		const isKnown = rules.access.everyGroup(person.id).told === 'all';
		return loses && !keeps && !stays && isKnown ? [person.id] : [];
	});
}

/** Access in scope that no row wants of a person. */
interface Surplus {
	/** The first item that names the person. */
	item: number;
	person: Person & { id: string };
	isNamed: boolean;
	/** All that the person has. */
	held: Membership[];
	surplus: Membership[];
}

/** Everything in scope that no row wants, by person; another role in a wanted organization is replaced, not taken. */
export function* surplusIn(
	wanted: WantedByPerson,
	rules: Pick<ReconcileRules, 'access' | 'ids' | 'profile' | 'scope'>,
): Generator<Surplus> {
	const { access, scope } = rules;
	for (const [id, keys] of access.held) {
		const rows = wanted.get(id);
		if (rows?.some(({ waits }) => waits?.keeps === 'all')) continue;
		const isWanted = wantedIn(rows ?? NO_ROWS, rules);
		const surplus: Membership[] = [];
		for (const key of keys) {
			const one = access.membershipIn(key);
			if (scope.includes(one.groupId) && !isWanted(one)) surplus.push(one);
		}
		if (surplus.length === 0) continue;
		const userName = access.names.get(id);
		const person = { key: id, id, ...(userName !== undefined && { userName }) };
		const held = unsortedMemberships(access, id);
		yield {
			...{ item: rows?.[0].item ?? NO_ITEM, person: { ...person, ...rows?.[0].person } },
			...{ isNamed: rows !== undefined, held: inOrder(held), surplus: inOrder(surplus) },
		};
	}
}

const NO_ROWS: readonly RowWish[] = [];
/** With more rows than these, or more groups, a person is not looked through for each of them. */
const FEW = 8;

/** Whether rows want what a person has, or another role in its place. */
function wantedIn(
	all: readonly RowWish[],
	{ access, ids, profile }: Pick<ReconcileRules, 'access' | 'ids' | 'profile'>,
): (membership: Membership) => boolean {
	const rows = all.some(({ waits }) => waits?.keeps === 'nothing')
		? all.filter(({ waits }) => waits?.keeps !== 'nothing')
		: all;
	const keyOf = ({ hold: [groupId] }: RowWish) => ids.key(groupId);
	const organizationOf = ({ hold: [groupId] }: RowWish) =>
		profile.oneRolePerOrganization ? access.placeOf(groupId)?.organization : undefined;
	if (rows.length > FEW) {
		const keys = new Set(rows.map(keyOf));
		const organizations = new Set(rows.map(organizationOf));
		return ({ key, organization }) =>
			keys.has(key) || (organization !== undefined && organizations.has(organization));
	}
	return ({ key, organization }) =>
		rows.some(
			(row) =>
				keyOf(row) === key || (organization !== undefined && organizationOf(row) === organization),
		);
}

/** The wishes for less access, one for each reason; none where nothing is taken, and what is to be reported is then settled. */
function lessOf(
	{ item, person, surplus, isNamed }: Surplus,
	rules: ReconcileRules,
	settled: Settled[],
): Wish[] {
	if (rules.unwanted === 'keep') return [];
	const unwanted = isNamed ? 'no row wants it' : 'no row wants any access for the person';
	const becauseOf = (groupId: string) =>
		rules.endedRow?.(person, groupId) ?? { item, why: unwanted, source: undefined };
	if (rules.unwanted === 'revoke') {
		const dropsHeldBack = rules.unmatched.get(person.key) ?? whyHeldBack(surplus, rules);
		const wishes = new Map<string, Wish & { drop: string[] }>();
		for (const { groupId } of surplus) {
			const { item: own, why, source } = becauseOf(groupId);
			const wish = wishes.get(why) ?? { item: own, person, hold: [], drop: [], unlisted: true };
			wish.drop.push(groupId);
			const more = { why, ...(source !== undefined && { source }) };
			wishes.set(why, Object.assign(wish, more, dropsHeldBack !== undefined && { dropsHeldBack }));
		}
		return [...wishes.values()];
	}
	for (const { groupId, key } of surplus) {
		const action = `remove ${nameOf(person)} as ${rules.label(groupId)}`;
		const group = rules.access.groups.get(key);
		const { item: own, why } = becauseOf(groupId);
		settled.push({
			...{ item: own, subject: person.key, outcome: { status: 'skipped', action, reason: why } },
			result: { who: whoIs(person), intent: 'revoked', ...(group && { group }) },
		});
	}
	return [];
}

/**
 * A person who ends without access is deactivated, which takes the memberships along where the service works like that. Any group
 * beside those that were read is a reason to stay.
 */
function leave(wish: Wish, onlyWith: OnlyWith, rules: ReconcileRules): Wish {
	return {
		...wish,
		drop: rules.profile.deactivation === 'drops' ? [] : wish.drop,
		account: 'inactive',
		why: wish.source === undefined ? 'the person ends without any access' : wish.why,
		onlyWith,
	};
}

function keptActive(person: Person, reason: string): Settled {
	const action = `deactivate user ${nameOf(person)}`;
	return {
		...{ item: NO_ITEM, subject: person.key, outcome: { status: 'skipped', action, reason } },
		result: { who: whoIs(person), intent: 'deactivated' },
	};
}

/** Where to look for what a person has in an organization. @param questions how often it is asked */
function membershipsIn(
	held: readonly Membership[],
	questions: number,
): (organization: string) => readonly Membership[] {
	if (questions <= FEW) return () => held;
	const all = new Map<string | undefined, Membership[]>();
	for (const one of held) addTo(all, one.organization, one);
	return (organization) => all.get(organization) ?? [];
}

/** The first group out of scope that following a row would give, or take; then it is not followed. */
function outOfScopeBy(
	wish: RowWish,
	heldIn: (organization: string) => readonly Membership[],
	rules: ReconcileRules,
): string | undefined {
	const { access, ids, profile, scope, clashOf } = rules;
	const {
		person,
		hold: [groupId],
	} = wish;
	// Rows that contradict each other are left to the diff, which refuses them.
	if (clashOf?.(person, groupId) !== undefined) return undefined;
	const own = ids.key(groupId);
	// Following it would activate an inactive person.
	const isSo =
		shownActivity(accountShown(wish, rules)) !== 'inactive' &&
		access.held.get(person.key)?.has(own) === true;
	if (!scope.includes(groupId) && !isSo) return groupId;
	const organization = access.placeOf(groupId)?.organization;
	if (!profile.oneRolePerOrganization || organization === undefined) return undefined;
	// Other roles there would be replaced.
	const foreign = heldIn(organization).filter(
		(other) =>
			other.organization === organization && other.key !== own && !scope.includes(other.groupId),
	);
	return inOrder(foreign).at(0)?.groupId;
}

/** A row that gives nothing now. */
function waiting(
	{ item, person, user, source, hold: [groupId] }: RowWish,
	{ reason }: Waits,
	{ access, ids, label }: ReconcileRules,
): Settled {
	const action = `make ${nameOf(person)} ${label(groupId)}`;
	const group = access.groups.get(ids.key(groupId));
	return {
		...{ item, subject: person.key, outcome: { status: 'skipped', action, reason } },
		result: { who: whoIs(person, user), intent: 'granted', source, ...(group && { group }) },
	};
}

function notFollowed(
	{ item, person, source, hold: [groupId] }: RowWish,
	foreign: string,
	rules: ReconcileRules,
): Settled {
	const action = `make ${nameOf(person)} ${rules.label(groupId)}`;
	const group = rules.access.groups.get(rules.ids.key(groupId));
	return {
		...{ item, subject: person.key },
		outcome: failureOf(action, outOfScope(person, groupId, foreign, rules)),
		result: { who: whoIs(person), intent: 'granted', source, ...(group && { group }) },
	};
}

/** The row wants a role that is not in scope, or a move would take one away. */
function outOfScope(
	person: Person,
	wanted: string,
	foreign: string,
	{ label, ids, access }: ReconcileRules,
): InputError {
	const what =
		ids.key(wanted) === ids.key(foreign)
			? label(wanted)
			: `${nameOf(person)} is ${label(foreign)}, which`;
	return new InputError(
		`${what} is not in scope`,
		access.placeOf(foreign) === undefined
			? 'Add the group to Groups in Scope, or leave the row out.'
			: 'Add the organization and the role, or the group, to the scope, or leave the row out.',
	);
}

function whyHeldBack(surplus: readonly Membership[], rules: ReconcileRules): string | undefined {
	const { heldBack } = rules;
	const reasons = surplus.flatMap(
		({ groupId }) => heldBack.get('') ?? heldBack.get(heldBackPlace(rules, groupId)) ?? [],
	);
	return reasons.at(0);
}
