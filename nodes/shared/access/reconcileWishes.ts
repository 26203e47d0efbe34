import { failureOf, NO_ITEM } from '../run';
import { type AccessValue, type User, valueLabel } from '../scim';
import { InputError, madeOnce, memoized, nameKey } from '../util';
import {
	countPeople,
	inOrder,
	membershipsOf,
	unsortedMemberships,
	type Access,
	type Membership,
} from './access';
import { findRoleClashes } from './contradictions';
import type { AffectedBase } from './volumeLimits';
import { nameOf, type Member, type OnlyWith } from './change';
import { whoIs, type Settled } from './result';
import type { AccessRules, ClashOf, WantedUser, Wish } from './wish';

/** Somebody who is wanted, with everything that all rows want for that person. */
export type WantedPerson = {
	/** The first row that names the person. */
	item: number;
	/** Ids of the wanted groups, with the row that wants each. */
	hold: readonly WantedGroupOfRow[];
} & (
	| { kind: 'known'; person: Member & { id: string }; user?: User }
	| ({ kind: 'new' } & Pick<WantedUser, 'userName' | 'attributes' | 'warnings' | 'matchBy'>)
);

interface WantedGroupOfRow {
	groupId: string;
	item: number;
	/** What to call the row in messages. */
	row: string;
}

/** What is to be managed. */
export interface Scope {
	/** Whether a group may be given to people and taken from them. */
	includes(groupId: string): boolean;
	/** Those against whom the affected count. */
	people: AffectedBase;
}

export function scopeOf(access: Access, includes: (groupId: string) => boolean): Scope {
	const people = countPeople(access, includes);
	return { includes, people: { people, are: 'people with access in scope' } };
}

export interface ReconcileRules extends AccessRules {
	scope: Scope;
	/** What happens to access in scope that nobody wants. */
	unwanted: 'revoke' | 'keep' | 'report';
	/** Why nothing may be taken away, by place (`heldBackPlace`); under '' for everywhere. */
	heldBack: ReadonlyMap<string, string>;
	/** Groups that are no access, such as one with everybody in it. */
	isIgnored(groupId: string): boolean;
	/** Why no row can name an account, by its id. */
	unmatched: ReadonlyMap<string, string>;
	/** Of `clashingRows`: they are left to the diff, which refuses them. */
	clashOf: ClashOf;
}

const WANTED = 'a row wants it';
const NONE: readonly string[] = [];

/** What somebody who is to leave shows as a user. */
export interface ShownLeaver {
	groupIds: readonly string[];
	values: readonly AccessValue[];
}

/** Who is deactivated for ending without access (`withoutAccess`), unless there is a reason against it. */
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

/**
 * What makes access as requested within the scope: grants and moves for those who are wanted, and for everybody else in
 * scope what `unwanted` says. Access that is only reported is settled. Linear in people and memberships.
 */
export function reconcileWishes(
	wanted: readonly WantedPerson[],
	leavers: Leavers,
	rules: ReconcileRules,
): { wishes: Wish[]; settled: Settled[] } {
	const made = { wishes: [] as Wish[], settled: [] as Settled[] };
	const only = memoized((groupId): readonly string[] => [groupId]);
	for (const want of wanted) {
		const person = memberOf(want);
		const held = want.kind === 'known' ? unsortedMemberships(rules.access, want.person.id) : [];
		const user = want.kind === 'known' ? want.user : undefined;
		const newcomer = want.kind === 'new' ? want : undefined;
		for (const wantedGroup of want.hold) {
			const { item, row, groupId } = wantedGroup;
			const foreign = outOfScopeBy(wantedGroup, person, held, rules, user);
			if (foreign !== undefined) {
				made.settled.push(notFollowed(wantedGroup, person, foreign, rules));
				continue;
			}
			const wish: Wish = {
				item,
				person,
				source: row,
				hold: only(groupId),
				drop: NONE,
				why: WANTED,
			};
			if (user) wish.user = user;
			if (newcomer) wish.newcomer = newcomerOf(newcomer, item);
			made.wishes.push(wish);
		}
		const surplus = surplusOf(want.hold, held, rules);
		const wish = lessOf(want.item, person, surplus, 'no row wants it', rules, made.settled);
		if (wish !== undefined) made.wishes.push(wish);
	}
	for (const unnamed of peopleWithoutRows(wanted, rules)) {
		const { person, surplus } = unnamed;
		const why = 'no row wants any access for the person';
		const wish = lessOf(NO_ITEM, person, surplus, why, rules, made.settled);
		if (wish === undefined) continue;
		const shown = leavers.shown.get(person.id);
		if (shown === undefined) {
			made.wishes.push(wish);
			continue;
		}
		const onlyWith = { on: 'nothingElse' as const, groups: unnamed.held.map(({ key }) => key) };
		const own = new Set(onlyWith.groups);
		const other = shown.groupIds.find(
			(groupId) => !own.has(rules.ids.key(groupId)) && !rules.isIgnored(groupId),
		);
		const [value] = shown.values;
		const reason =
			leavers.whyKeptActive(person.id) ??
			(other && `the user shows to be ${rules.label(other)}, which the groups do not show`) ??
			(value && `the person has ${valueLabel(value)}`);
		if (reason !== undefined) made.settled.push(keptActive(person, reason));
		made.wishes.push(reason === undefined ? leave(wish, onlyWith, rules) : wish);
	}
	return made;
}

/** Ids of the people whom no row names, and who lose what they have in scope and are then in no group that counts. */
export function withoutAccess(wanted: readonly WantedPerson[], rules: ReconcileRules): string[] {
	return [...peopleWithoutRows(wanted, rules)].flatMap(({ person, held, surplus }) => {
		const isAccess = ({ groupId }: Membership) => !rules.isIgnored(groupId);
		const keeps = held.filter(isAccess).some(({ groupId }) => !rules.scope.includes(groupId));
		// Whoever was in ignored groups alone had no access before.
		const loses = surplus.some(isAccess) && whyHeldBack(surplus, rules) === undefined;
		const isNamed = !rules.unmatched.has(person.id);
		return loses && !keeps && isNamed && !rules.isProtected(person) ? [person.id] : [];
	});
}

function memberOf(want: WantedPerson): Member {
	return want.kind === 'known'
		? want.person
		: { key: nameKey(want.userName), userName: want.userName };
}

/** Rows that contradict each other, whether they are in scope or not. */
export function clashingRows(
	wanted: readonly WantedPerson[],
	rules: AccessRules,
): { clashOf: ClashOf; rows: WantedGroupOfRow[] } {
	// Whose row last named each organization: most people have one row for each, and need not be compared.
	const lastIn = new Map<string, WantedPerson>();
	const namesTwice = (want: WantedPerson) =>
		want.hold.some(({ groupId }) => {
			const organization = rules.access.placeOf(groupId)?.organization;
			if (organization === undefined) return false;
			const isSame = lastIn.get(organization) === want;
			lastIn.set(organization, want);
			return isSame;
		});
	const claims = wanted.filter(namesTwice).flatMap((want) => {
		const person = memberOf(want);
		return want.hold.map((row) => {
			const { item, row: source, groupId } = row;
			return { row, item, source, person, hold: [groupId] };
		});
	});
	const clashOf = findRoleClashes(claims, rules);
	const clashing = claims.filter(({ person, row }) => clashOf(person, row.groupId) !== undefined);
	return {
		clashOf: (person, one) => (typeof one === 'string' ? clashOf(person, one) : undefined),
		rows: clashing.map(({ row }) => row),
	};
}

interface PersonWithoutRows {
	person: Member & { id: string };
	held: Membership[];
	/** What of it is in scope. */
	surplus: Membership[];
}

/** Everybody with access in scope whom no row names. */
export function* peopleWithoutRows(
	wanted: readonly WantedPerson[],
	{ access, scope }: Pick<ReconcileRules, 'access' | 'scope'>,
): Generator<PersonWithoutRows> {
	const named = idsOf(wanted);
	for (const id of access.held.keys()) {
		if (named.has(id)) continue;
		const held = membershipsOf(access, id);
		const surplus = held.filter(({ groupId }) => scope.includes(groupId));
		const userName = access.names.get(id);
		const person = { key: id, id, ...(userName !== undefined && { userName }) };
		if (surplus.length > 0) yield { person, held, surplus };
	}
}

/** Made once: everybody is gone through more than once. */
const idsOf = madeOnce((wanted: readonly WantedPerson[]) => {
	const ids = new Set<string>();
	for (const want of wanted) if (want.kind === 'known') ids.add(want.person.id);
	return ids;
});

function newcomerOf(
	{ userName, attributes, warnings, matchBy }: Extract<WantedPerson, { kind: 'new' }>,
	item: number,
): WantedUser {
	return { item, userName, attributes, warnings, ...(matchBy && { matchBy }) };
}

/** The wish for less access; undefined where nothing is taken, and what is to be reported is then settled. */
function lessOf(
	item: number,
	person: Member,
	surplus: readonly Membership[],
	why: string,
	rules: ReconcileRules,
	settled: Settled[],
): Wish | undefined {
	if (surplus.length === 0 || rules.unwanted === 'keep') return undefined;
	if (rules.unwanted === 'revoke') {
		const dropsHeldBack = rules.unmatched.get(person.key) ?? whyHeldBack(surplus, rules);
		const drop = surplus.map(({ groupId }) => groupId);
		const wish = { item, person, hold: [], drop, unlisted: true, why };
		return { ...wish, ...(dropsHeldBack !== undefined && { dropsHeldBack }) };
	}
	for (const { groupId, key } of surplus) {
		const action = `remove ${nameOf(person)} as ${rules.label(groupId)}`;
		const group = rules.access.groups.get(key);
		settled.push({
			...{ item, subject: person.key, outcome: { status: 'skipped', action, reason: why } },
			result: { who: whoIs(person), intent: 'revoked', ...(group && { group }) },
		});
	}
	return undefined;
}

/**
 * Whoever ends without access is deactivated, which takes the memberships along where the service works like that. Any group
 * beside those that were read is a reason to stay.
 */
function leave(wish: Wish, onlyWith: OnlyWith, rules: ReconcileRules): Wish {
	return {
		...wish,
		drop: rules.profile.deactivation === 'drops' ? [] : wish.drop,
		account: 'inactive',
		why: 'the person ends without any access',
		onlyWith,
	};
}

function keptActive(person: Member, reason: string): Settled {
	const action = `deactivate user ${nameOf(person)}`;
	return {
		...{ item: NO_ITEM, subject: person.key, outcome: { status: 'skipped', action, reason } },
		result: { who: whoIs(person), intent: 'deactivated' },
	};
}

/** The first group out of scope that following a row would give, or take; then it is not followed. */
function outOfScopeBy(
	{ groupId }: WantedGroupOfRow,
	person: Member,
	held: readonly Membership[],
	{ access, ids, profile, scope, clashOf }: ReconcileRules,
	user: User | undefined,
): string | undefined {
	if (clashOf(person, groupId) !== undefined) return undefined;
	const own = ids.key(groupId);
	// Following it for somebody inactive would activate that person.
	const isSo = held.some(({ key }) => key === own) && user?.active !== false;
	if (!scope.includes(groupId) && !isSo) return groupId;
	const organization = access.placeOf(groupId)?.organization;
	if (!profile.oneRolePerOrganization || organization === undefined) return undefined;
	// Other roles there would be replaced.
	const foreign = held.filter(
		(other) =>
			other.organization === organization && other.key !== own && !scope.includes(other.groupId),
	);
	return inOrder(foreign).at(0)?.groupId;
}

function notFollowed(
	{ groupId, item, row }: WantedGroupOfRow,
	person: Member,
	foreign: string,
	rules: ReconcileRules,
): Settled {
	const action = `make ${nameOf(person)} ${rules.label(groupId)}`;
	const group = rules.access.groups.get(rules.ids.key(groupId));
	return {
		...{ item, subject: person.key },
		outcome: failureOf(action, outOfScope(person, groupId, foreign, rules)),
		result: { who: whoIs(person), intent: 'granted', source: row, ...(group && { group }) },
	};
}

/** What the person has in scope beyond the rows; another role in a wanted organization is replaced, not taken. */
function surplusOf(
	rows: readonly WantedGroupOfRow[],
	held: readonly Membership[],
	{ access, ids, profile, scope }: ReconcileRules,
): Membership[] {
	const isWanted = ({ key, organization }: Membership) =>
		rows.some(
			({ groupId }) =>
				ids.key(groupId) === key ||
				(profile.oneRolePerOrganization &&
					organization !== undefined &&
					access.placeOf(groupId)?.organization === organization),
		);
	return inOrder(held.filter((one) => scope.includes(one.groupId) && !isWanted(one)));
}

/** The row wants a role that is not in scope, or a move would take one away. */
function outOfScope(
	person: Member,
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
